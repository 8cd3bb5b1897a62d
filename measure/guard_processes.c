/* processes: who a pid is; see processes.h.  Source: proc_pid_stat(5). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "guard_processes.h"
#include "units.h"

#define FLAG_EXITING 0x4U	/* PF_EXITING of include/linux/sched.h */

int
process_read(pid_t pid, struct process *p)
{
	char path[64], text[1024];
	const char *end;
	int fd, parent, group, session;
	unsigned flags;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return -1;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0) {
		errno = ENOENT;
		return -1;
	}
	text[n] = '\0';
	/* The name in parentheses may hold anything, parentheses too. */
	end = strrchr(text, ')');
	if (end == NULL || sscanf(end + 1, " %c %d %d %d %*d %*d %u %*u %*u "
	    "%*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %" SCNu64, &p->state,
	    &parent, &group, &session, &flags, &p->start_ticks) != 6) {
		errno = EINVAL;
		return -1;
	}
	p->exiting = (flags & FLAG_EXITING) != 0;
	p->parent = parent;
	p->group = group;
	p->session = session;
	return 0;
}

int
process_alive(pid_t pid, uint64_t start_ticks)
{
	struct process p;

	return process_read(pid, &p) == 0 && p.start_ticks == start_ticks &&
	    p.state != 'Z' && p.state != 'X' && !p.exiting;
}

int
process_descends(pid_t pid, pid_t ancestor)
{
	struct process p;

	while (pid > 1 && process_read(pid, &p) == 0) {
		if (p.parent == ancestor)
			return 1;
		pid = p.parent;
	}
	return 0;
}

int
process_group_count(pid_t group, uint64_t start_ticks, pid_t session)
{
	struct process p;
	struct dirent *e;
	DIR *d;
	long pid;
	int n = 0;

	if (process_read(group, &p) == 0 && p.start_ticks != start_ticks)
		return 0;
	d = opendir("/proc");
	if (d == NULL)
		return -1;
	while ((e = readdir(d)) != NULL) {
		pid = process_number(e->d_name);
		if (pid > 0 && process_read((pid_t)pid, &p) == 0 &&
		    p.group == group && p.session == session &&
		    p.start_ticks >= start_ticks && p.state != 'Z' &&
		    p.state != 'X')
			n++;
	}
	closedir(d);
	return n;
}

long
process_number(const char *text)
{
	uint64_t v;

	return units_count(text, INT_MAX, &v) == NULL ? (long)v : -1;
}
