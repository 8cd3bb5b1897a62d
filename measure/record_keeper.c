/*
 * keeper: the process between record and the command (see run.h).
 *
 * Signals are blocked and waited for, so there are no handlers.  A signal for
 * the command goes to its process group; the time limit sends TERM, and KILL
 * after the grace.  What the command leaves behind is record's to end, since it
 * becomes record's child when the keeper exits, but the keeper ends it when
 * record is gone.
 */
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "record_keeper.h"
#include "record_remains.h"

/*
 * Before a call that does not return the address sanitizer cleans up the
 * thread's stack, which is not the one that is in use here.
 */
#define UNSANITIZED __attribute__((no_sanitize_address))

/* The keeper's own state; the fields of struct keeper are record's business. */
struct watch {
	struct keeper *k;
	pid_t command;		/* also its process group */
	uint64_t deadline_ns;	/* of the next step against it; 0 none */
	int tty;		/* our terminal, open, or -1: not yet */
	int asked_to_stop;	/* nonzero: the last we handed on was SIGTSTP */
};

static void start(struct watch *);
static int command_main(void *);
static void be_command(struct keeper *);
static int put(const char *, const char *);
static void watch(struct watch *);
static int reap(struct watch *);
static void await_signal(struct watch *);
static void limit_step(struct watch *);
static void hand_on(struct watch *, int);
static void has_stopped(struct watch *, int);
static int has_terminal(struct watch *);
static int take_terminal(struct watch *, pid_t, pid_t);
static void abandon(struct watch *);

UNSANITIZED int
keeper_main(void *arg)
{
	struct watch w = { .k = arg, .tty = -1 };

	/*
	 * SIGTERM when record dies; its own group, so that what is sent to
	 * record's group reaches the command once, by way of record.
	 */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	setpgid(0, 0);
	if (getppid() != w.k->record)
		_exit(EXIT_FAILURE);
	start(&w);
	if (w.command != -1 && w.k->result.exec_error == 0)
		watch(&w);
	w.k->done = 1;
	_exit(EXIT_SUCCESS);
}

UNSANITIZED static void
start(struct watch *w)
{
	struct run_result *r = &w->k->result;

	w->k->keeper = getpid();
	r->start_ns = clock_now_ns();
	/* As vfork(2): we wait for the exec, on the same memory. */
	w->command = clone(command_main, w->k->command_stack,
	    CLONE_VM | CLONE_VFORK | SIGCHLD, w->k);
	if (w->command == -1)
		w->k->fork_error = errno;
	else if (r->exec_error != 0)
		waitpid(w->command, NULL, 0);
	if (w->k->spec->limit_ns != 0)
		w->deadline_ns = r->start_ns + w->k->spec->limit_ns;
}

/* The child that becomes the command. */
UNSANITIZED static int
command_main(void *arg)
{
	struct keeper *k = arg;

	be_command(k);
	k->result.exec_error = errno;
	_exit(EXIT_FAILURE);
}

/* Returns only when the command cannot be executed. */
UNSANITIZED static void
be_command(struct keeper *k)
{
	char adj[16];

	setpgid(0, 0);
	if (k->spec->cpus != NULL && sched_setaffinity(0, sizeof(cpu_set_t),
	    k->spec->cpus) == -1)
		return;
	if (k->spec->oom_adj != RUN_OOM_ADJ_KEEP) {
		snprintf(adj, sizeof(adj), "%d", (int)k->spec->oom_adj);
		if (put("/proc/self/oom_score_adj", adj) == -1)
			return;
	}
	if (k->spec->enter != NULL) {
		if (put(k->spec->enter, "0") == -1) {
			k->result.enter_error = errno;
			return;
		}
		k->result.start_ns = clock_now_ns();
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != k->keeper)
		_exit(EXIT_FAILURE);
	sigprocmask(SIG_SETMASK, &k->mask, NULL);
	execvp(k->spec->argv[0], k->spec->argv);
}

static int
put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t put;

	if (fd == -1)
		return -1;
	put = write(fd, text, strlen(text));
	close(fd);
	return put == -1 ? -1 : 0;
}

/* Until the command has ended. */
static void
watch(struct watch *w)
{
	while (!reap(w)) {
		await_signal(w);
		if (getppid() != w->k->record)
			abandon(w);
		if (w->deadline_ns != 0 && clock_now_ns() >= w->deadline_ns)
			limit_step(w);
	}
}

/* Wait for what has ended; returns nonzero when the command has. */
static int
reap(struct watch *w)
{
	struct run_result *r = &w->k->result;
	struct rusage usage;
	uint64_t now = clock_now_ns();
	pid_t pid;
	int status;

	while ((pid = wait4(-1, &status, WNOHANG | WUNTRACED, &usage)) > 0) {
		if (WIFSTOPPED(status)) {
			if (pid == w->command)
				has_stopped(w, WSTOPSIG(status));
			continue;
		}
		if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL &&
		    !r->killed)
			r->kill_seen = 1;
		if (pid != w->command)
			continue;	/* an orphan of it */
		r->end_ns = now;
		r->status = status;
		r->usage = usage;
		return 1;
	}
	return 0;
}

static void
await_signal(struct watch *w)
{
	uint64_t now, left = 0;
	struct timespec wait;
	sigset_t set;
	int signo;

	set = w->k->signals;
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);	/* record is gone */
	if (w->deadline_ns == 0) {
		signo = sigwaitinfo(&set, NULL);
	} else {
		now = clock_now_ns();
		if (w->deadline_ns > now)
			left = w->deadline_ns - now;
		wait.tv_sec = (time_t)(left / CLOCK_NS_PER_S);
		wait.tv_nsec = (long)(left % CLOCK_NS_PER_S);
		signo = sigtimedwait(&set, NULL, &wait);
	}
	if (signo > 0 && sigismember(&w->k->signals, signo) &&
	    getppid() == w->k->record)
		hand_on(w, signo);
}

static void
limit_step(struct watch *w)
{
	struct run_result *r = &w->k->result;

	if (r->timed_out) {
		r->killed = 1;
		kill(-w->command, SIGKILL);
		w->deadline_ns = 0;
		return;
	}
	r->timed_out = 1;
	w->deadline_ns += w->k->spec->grace_ns;
	kill(-w->command, SIGTERM);
	kill(-w->command, SIGCONT);	/* a stopped one could not act on it */
}

static void
hand_on(struct watch *w, int signo)
{
	/* Back in the foreground: the command has the terminal again. */
	if (signo == SIGCONT && w->k->result.on_terminal)
		take_terminal(w, w->k->group, w->command);
	w->asked_to_stop = signo == SIGTSTP;
	kill(-w->command, signo);
}

/*
 * The command was stopped: by SIGTSTP, or since it used the terminal from the
 * background, where it starts.  The first time it is given the terminal and
 * goes on; or we are in the background ourselves and stop as well.
 */
static void
has_stopped(struct watch *w, int signo)
{
	/* One that stopped itself is nobody's business but its own. */
	if (signo == SIGSTOP)
		return;
	if (signo != SIGTSTP && take_terminal(w, w->k->group, w->command)) {
		w->k->result.on_terminal = 1;
		kill(-w->command, SIGCONT);
		return;
	}
	if (!w->asked_to_stop && !has_terminal(w))
		return;
	take_terminal(w, w->command, w->k->group);
	/* ^Z reached the command alone, or it would have reached us. */
	w->k->stop_group = !w->asked_to_stop;
	kill(w->k->record, SIGTSTP);
}

static int
has_terminal(struct watch *w)
{
	if (w->tty == -1)
		w->tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	return w->tty != -1;
}

/* Hand the terminal over; 0 when it was not the first group's. */
static int
take_terminal(struct watch *w, pid_t from, pid_t to)
{
	return has_terminal(w) && tcgetpgrp(w->tty) == from &&
	    tcsetpgrp(w->tty, to) == 0;
}

/* Record is gone.  Nobody waits for results: end everything, at once. */
UNSANITIZED static void
abandon(struct watch *w)
{
	struct remains r;

	kill(-w->command, SIGKILL);
	remains_end(0, &r);
	if (w->k->result.on_terminal)
		take_terminal(w, w->command, w->k->group);
	_exit(EXIT_FAILURE);
}
