/*
 * workers: P processes doing the same work, started together, watched one by
 * one.
 *
 * The parent forks them, opens the gate, waits with wait4(2) for each, and
 * stops all others at once when one fails, when a signal asks the parent to
 * end, or when the time limit passes.  No worker outlives the parent, not even
 * one that is killed by SIGKILL (PR_SET_PDEATHSIG).  Stopped ones are sent
 * SIGTERM and, after a second, SIGKILL; all are reaped before this returns.
 */
#ifndef QS_WORKERS_H
#define QS_WORKERS_H

#include <sys/resource.h>
#include <sys/types.h>

#include <stddef.h>
#include <stdint.h>

/*
 * The work of one worker: runs in its own process, returns its exit status.
 * result points to result_bytes of zeroed memory shared with the parent (NULL
 * when that is 0).  It has the parent's signal mask from before the run, and
 * the default action for SIGINT, SIGTERM and SIGHUP unless they are ignored.
 * It may print to stdout and stderr; stdout is flushed when it returns, and a
 * failure of that is told on stderr and makes a status of 0 EXIT_FAILED.  Then
 * the worker ends by _exit(2): other streams are the body's to flush, and
 * nothing registered by atexit(3) is run.  A status beyond 0 to 255 counts as
 * EXIT_FAILED.
 */
typedef int workers_body(uint64_t index, void *result, void *arg);

struct workers_spec {
	uint64_t procs;		/* at least 1 */
	workers_body *body;
	void *arg;
	size_t result_bytes;	/* per worker; may be 0 */
	int gate;		/* nonzero: none starts before all are there */
	uint64_t stagger_ns;	/* from one fork to the next; 0 none */
	uint64_t limit_ns;	/* for all, from the call on; 0 none */
	/*
	 * Unless NULL, called once in the parent when the first signal asks it
	 * to end, before any worker is stopped: not in a signal handler.
	 */
	void (*asked)(int signo, void *asked_arg);
	void *asked_arg;
};

struct worker {
	pid_t pid;
	int ended;		/* nonzero: status and usage are valid */
	int status;		/* as wait(2) gives it */
	int stopped;		/* nonzero: it was we who stopped it, and it
				   had not just ended well */
	struct rusage usage;
};

enum workers_end {
	WORKERS_OK,		/* all exited 0 */
	WORKERS_FORK,		/* fork failed: error, started < procs */
	WORKERS_FAILED,		/* worker number `first` failed first */
	WORKERS_SIGNAL,		/* we were asked to end: signal `signo` */
	WORKERS_TIMEOUT
};

struct workers {
	enum workers_end end;
	uint64_t procs;
	uint64_t started;
	uint64_t first;		/* index of the first that failed */
	int signo;		/* that asked us to end, even if that was going
				   on for another reason; 0 none */
	int error;		/* errno of fork, or of wait: others reaped */
	struct worker *worker;	/* procs entries */
	void *results;		/* procs * result_bytes, shared mapping */
	size_t result_bytes;
};

/*
 * Run them all.  Returns 0 when *w tells what happened (whatever happened; free
 * it with workers_free); -1 with errno, and nothing to free, when nothing could
 * be started at all: for want of memory or descriptors, because procs is 0
 * (EINVAL), or because what stdio held before could not be written.
 *
 * While it runs it owns SIGINT, SIGTERM, SIGHUP (each unless it is ignored) and
 * SIGCHLD; the previous actions and mask are restored before it returns.  It
 * reaps other children of the caller that end meanwhile.  Flushes stdio before
 * forking.
 */
int workers_run(struct workers *w, const struct workers_spec *spec);

/* The shared result block of worker i; NULL when result_bytes is 0. */
void *workers_result(const struct workers *w, uint64_t i);

void workers_free(struct workers *w);

/*
 * One line for people about how it ended, without a final newline; workers are
 * counted from 1 in it, so worker 3 has index 2:
 *   all 10 workers ended well
 *   worker 3 of 10 (pid 4711): killed by signal 9, out of memory?
 *   worker 3 of 10 (pid 4711): exit status 3
 *   started 13 of 32: fork: Resource temporarily unavailable
 *   asked to end by signal 15, stopped 10 of 10 workers
 *   time limit reached, stopped 10 of 10 workers
 * Returns buf.
 */
char *workers_describe(const struct workers *w, char *buf, size_t size);

/*
 * The exit status that fits: EXIT_GOOD, the worker's own exit status,
 * EXIT_MEMORY when a worker was killed by SIGKILL or fork(2) failed with
 * ENOMEM, else EXIT_FAILED.
 */
int workers_exit_status(const struct workers *w);

#endif
