/*
 * proc_task: one process: /proc/PID/stat and status.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proc_text.h"

/* PID/stat: 52 numbers and a name; PID/status: some 60 lines. */
enum { STAT_BYTES = 4096, STATUS_BYTES = 16384 };

/*
 * The name stands in parentheses and may itself hold blanks and parentheses, so
 * its end is the last one of the line.  Returns what follows, NULL on failure.
 */
static const char *
parse_comm(const char *text, char *comm, size_t size)
{
	const char *open = strchr(text, '('), *shut = strrchr(text, ')');
	size_t length;

	if (open == NULL || shut == NULL || shut < open)
		return NULL;
	length = (size_t)(shut - open - 1);
	if (length >= size)
		length = size - 1;
	memcpy(comm, open + 1, length);
	comm[length] = '\0';
	return shut + 1;
}

int
proc_task_parse(const char *text, struct proc_task *t)
{
	/* Fields as numbered in proc(5); the first behind the name is 3. */
	enum { STATE = 3, PPID = 4, FLAGS = 9, MAJFLT = 12, UTIME = 14,
	    STIME = 15, START = 22 };
	uint64_t v[START + 1];
	const char *s = parse_comm(text, t->comm, sizeof(t->comm));

	if (s == NULL || s[0] != ' ' || s[1] == '\0' || s[2] != ' ')
		return -1;
	s += 2;
	for (int i = STATE + 1; i <= START; i++) {
		s += strspn(s, " ");
		v[i] = PROC_ABSENT;
		if (*s == '-')	/* tpgid, priority, nice: not wanted here */
			s += strcspn(s, " \n");
		else if ((s = proc_word_number(s, &v[i])) == NULL)
			return -1;
	}
	t->ppid = v[PPID];
	t->flags = v[FLAGS];
	t->majflt = v[MAJFLT];
	t->cpu_ticks = proc_sum(v[UTIME], v[STIME]);
	t->start_ticks = v[START];
	return 0;
}

static int
read_task(const char *root, const char *pid, struct proc_task *t)
{
	char path[64], text[STAT_BYTES];

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	if (proc_read(root, path, text, sizeof(text)) == -1)
		return -1;
	return proc_task_parse(text, t);
}

uint64_t
proc_task_cpu(const char *root, pid_t pid)
{
	struct proc_task t;
	char name[24];

	snprintf(name, sizeof(name), "%jd", (intmax_t)pid);
	return read_task(root, name, &t) == 0 ? t.cpu_ticks : PROC_ABSENT;
}

uint64_t
proc_task_hwm_kib(const char *root, pid_t pid)
{
	char path[64], text[STATUS_BYTES];

	snprintf(path, sizeof(path), "/proc/%jd/status", (intmax_t)pid);
	if (proc_read(root, path, text, sizeof(text)) == -1)
		return PROC_ABSENT;
	return proc_value(text, "VmHWM");
}

static int
all_digits(const char *s)
{
	return *s != '\0' && s[strspn(s, "0123456789")] == '\0';
}

/* A user's program may have that name, and inside a container that parent. */
static int
is_kswapd(const struct proc_task *t)
{
	return (t->flags & PROC_TASK_KTHREAD) != 0 &&
	    strncmp(t->comm, "kswapd", 6) == 0 && all_digits(t->comm + 6);
}

int
proc_kswapd(const char *root, pid_t *pids, int max)
{
	char path[PATH_MAX];
	struct dirent *entry;
	struct proc_task t;
	int found = 0;
	DIR *dir;

	if (proc_join(path, sizeof(path), root, "/proc") == -1)
		return -1;
	dir = opendir(path);
	if (dir == NULL)
		return -1;
	while ((entry = readdir(dir)) != NULL) {
		if (!all_digits(entry->d_name) ||
		    strlen(entry->d_name) > 10 ||
		    read_task(root, entry->d_name, &t) == -1 || !is_kswapd(&t))
			continue;
		if (found < max)
			pids[found] = (pid_t)strtol(entry->d_name, NULL, 10);
		found++;
	}
	closedir(dir);
	return found;
}
