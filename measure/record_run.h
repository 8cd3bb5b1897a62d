/*
 * run: run one command, learn what it cost, and leave nothing of it behind.
 *
 * Two processes stand above the command.  The first is record itself: a child
 * subreaper that hands signals on.  Between it and the command stands the
 * keeper, a subreaper too, which starts the command, waits for it and keeps its
 * time limit.  Whatever the command starts, however it detaches itself, stays
 * below them; when one of the two is killed, the other ends all that is left.
 * (prctl(2): PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG)
 */
#ifndef QS_RECORD_RUN_H
#define QS_RECORD_RUN_H

#include <sys/resource.h>
#include <sys/types.h>

#include <sched.h>
#include <signal.h>
#include <stdint.h>

#define RUN_OOM_ADJ_KEEP INT32_MIN

struct run_spec {
	char *const *argv;	/* the command; searched in PATH */
	uint64_t limit_ns;	/* time limit; 0 none */
	uint64_t grace_ns;	/* between TERM and KILL */
	const cpu_set_t *cpus;	/* CPUs of the command; NULL all of ours */
	int32_t oom_adj;	/* its oom_score_adj, or RUN_OOM_ADJ_KEEP */
	/*
	 * cgroup.procs of the memory group that the command is to enter, or
	 * NULL.  Its time begins inside: a move between groups may take
	 * milliseconds.
	 */
	const char *enter;
	/*
	 * Nonzero: the keeper works on a copy of our memory.  Else it shares
	 * it, which makes its start cheap, but this process must do nothing
	 * else meanwhile (idle must be NULL), and the peak of the command's
	 * resident size, which starts from its parent's, is never below ours.
	 */
	int copy;
	/* Called in this process every idle_ns while the command runs. */
	void (*idle)(void *arg);
	void *arg;
	uint64_t idle_ns;
};

struct run_result {
	/* CLOCK_MONOTONIC; fork and exec count, as in time(1) */
	uint64_t start_ns, end_ns;
	int status;		/* of the command, as wait(2) gives it */
	struct rusage usage;	/* of the command and what it waited for */
	int exec_error;		/* errno: the command could not be executed */
	int enter_error;	/* errno: it could not enter the group */
	int timed_out;		/* nonzero: the time limit passed */
	int killed;		/* nonzero: and we sent it SIGKILL */
	int asked;		/* the signal that asked us to end, or 0 */
	int on_terminal;	/* nonzero: it was given the terminal, so that
				 * ^C reached it and not us */
	int kill_seen;		/* nonzero: a process of it died by SIGKILL and
				 * it was not we who sent it */
	/* set by run_clear */
	unsigned stopped;	/* how many were left and were ended */
	unsigned stuck;		/* how many are left nevertheless */
};

/*
 * Run the command.  Returns 0 as soon as it has ended, however it ended, or -1
 * with errno when it could not be tried: no memory or no process for it
 * (EAGAIN, ENOMEM), or ECHILD when the keeper was killed (what it kept is gone
 * then).  run_clear must follow in either case.
 *
 * From here to run_restore the signals INT QUIT TERM HUP TSTP CONT and CHLD are
 * blocked: what comes meanwhile is handed on to the command's process group, or
 * waits.
 */
int run_command(const struct run_spec *spec, struct run_result *result);

/*
 * End all that the command left behind: TERM, and KILL after the grace.  Adds
 * to *result.  Returns 0, or -1 with errno when what is left cannot be found
 * (no /proc).  An unkillable process is given up after ten seconds more:
 * result->stuck.
 */
int run_clear(const struct run_spec *spec, struct run_result *result);

/* Give the terminal back to our own group and restore the signal mask. */
void run_restore(void);

#endif
