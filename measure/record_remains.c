/*
 * remains: end all children of this process, and what they leave to it.
 *
 * Children are listed by /proc/self/task/TID/children where the kernel has it
 * (CONFIG_PROC_CHILDREN), else by looking for our pid in /proc/PID/stat.  One
 * listing may miss some (proc(5) says so), but the end is wait(2)'s ECHILD.
 */
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "record_remains.h"

#define POLL_NS		(20 * CLOCK_NS_PER_S / 1000)
#define GIVE_UP_NS	(10 * CLOCK_NS_PER_S)
#define TOLD_MAX	512

/* As getdents64(2) fills it in. */
struct entry {
	uint64_t inode;
	int64_t next;
	unsigned short length;
	unsigned char type;
	char name[];
};

/* What is done to the children, and what has been. */
struct ending {
	int signo;
	unsigned seen;		/* children of the last listing */
	size_t tolds;
	pid_t told[TOLD_MAX];	/* those that have had their TERM */
};

static int reap(struct remains *, const struct ending *);
static int tell_children(struct ending *);
static int each_number(const char *, int (*)(pid_t, struct ending *),
    struct ending *);
static int tell_of_task(pid_t, struct ending *);
static int tell_if_ours(pid_t, struct ending *);
static void tell(pid_t, struct ending *);
static void pause_for_child(void);

int
remains_end(uint64_t grace_ns, struct remains *r)
{
	static struct ending e;
	uint64_t kill_at = clock_now_ns() + grace_ns, now;

	memset(r, 0, sizeof(*r));
	memset(&e, 0, sizeof(e));
	e.signo = SIGTERM;
	while (reap(r, &e)) {
		now = clock_now_ns();
		if (now >= kill_at)
			e.signo = SIGKILL;
		if (now >= kill_at + GIVE_UP_NS) {
			r->stuck = e.seen > 0 ? e.seen : 1;
			return 0;
		}
		if (tell_children(&e) == -1)
			return -1;
		pause_for_child();
	}
	return 0;
}

/* Wait for all that have ended; returns 0 when no child is left. */
static int
reap(struct remains *r, const struct ending *e)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		r->ended++;
		if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL &&
		    e->signo != SIGKILL)
			r->kill_seen = 1;
	}
	return pid == 0 || errno != ECHILD;
}

static int
tell_children(struct ending *e)
{
	e->seen = 0;
	if (each_number("/proc/self/task", tell_of_task, e) == 0)
		return 0;
	if (errno != ENOENT)
		return -1;
	if (access("/proc/self/stat", F_OK) == -1)
		return -1;	/* no /proc at all */
	return each_number("/proc", tell_if_ours, e);
}

/*
 * Call what(number, e) for every entry of the folder that is a number, until
 * it fails.  opendir(3) would allocate.
 */
static int
each_number(const char *folder, int (*what)(pid_t, struct ending *),
    struct ending *e)
{
	_Alignas(struct entry) char buf[2048];
	const struct entry *entry;
	long got, at;
	int fd, failed = 0, error = 0;

	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd == -1)
		return -1;
	while (!failed && (got = syscall(SYS_getdents64, fd, buf,
	    sizeof(buf))) > 0) {
		for (at = 0; at < got && !failed; at += entry->length) {
			entry = (const void *)(buf + at);
			if (entry->name[0] >= '1' && entry->name[0] <= '9')
				failed = what((pid_t)atol(entry->name), e);
		}
	}
	if (failed || got == -1)
		error = errno;
	close(fd);
	errno = error;
	return error == 0 ? 0 : -1;
}

/* Tell all children of our thread tid; ENOENT where the list is not built. */
static int
tell_of_task(pid_t tid, struct ending *e)
{
	char path[64], buf[1024], *number, *end;
	ssize_t got;
	size_t kept = 0;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%ld/children", (long)tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return -1;
	while ((got = read(fd, buf + kept, sizeof(buf) - kept - 1)) > 0) {
		buf[kept + (size_t)got] = '\0';
		/* Each number is followed by a space; the last may be cut. */
		for (number = buf; (end = strchr(number, ' ')) != NULL;
		    number = end + 1)
			tell((pid_t)atol(number), e);
		kept = strlen(number);
		memmove(buf, number, kept);
	}
	close(fd);
	return 0;
}

/* Tell the process if we are its parent; one that has gone is no failure. */
static int
tell_if_ours(pid_t pid, struct ending *e)
{
	char path[64], buf[512], *paren;
	ssize_t got;
	long parent;
	char state;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return 0;
	got = read(fd, buf, sizeof(buf) - 1);
	close(fd);
	if (got <= 0)
		return 0;
	buf[got] = '\0';
	/* The name in parentheses may hold anything, also parentheses. */
	paren = strrchr(buf, ')');
	if (paren != NULL && sscanf(paren + 1, " %c %ld", &state,
	    &parent) == 2 && parent == (long)getpid())
		tell(pid, e);
	return 0;
}

static void
tell(pid_t pid, struct ending *e)
{
	size_t i;

	if (pid <= 1)
		return;
	e->seen++;
	if (e->signo == SIGKILL) {
		kill(pid, SIGKILL);
		return;
	}
	for (i = 0; i < e->tolds; i++) {
		if (e->told[i] == pid)
			return;
	}
	/* More than we can remember are told again, which does no harm. */
	if (e->tolds < TOLD_MAX)
		e->told[e->tolds++] = pid;
	kill(pid, SIGTERM);
	kill(pid, SIGCONT);	/* a stopped one could not act on it */
}

static void
pause_for_child(void)
{
	struct timespec wait = { .tv_nsec = (long)POLL_NS };
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigtimedwait(&child, NULL, &wait);
}
