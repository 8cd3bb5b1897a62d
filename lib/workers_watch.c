/*
 * workers_watch: what happens to workers while they run, and stopping them.
 *
 * There are no signal handlers: the signals of interest are blocked and taken
 * by sigtimedwait(2), which is also the only place where the parent sleeps.
 * Process groups are left alone, so that ^C, ^Z and whoever kills the group of
 * the parent reach the workers as well.
 */
#include <sys/wait.h>

#include <errno.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "workers_run.h"

#define GRACE_NS CLOCK_NS_PER_S			/* from SIGTERM to SIGKILL */
#define SLICE_NS (86400 * CLOCK_NS_PER_S)	/* fits any time_t */

/* The signals that ask us to end, where they are not ignored. */
static const int asking[] = { SIGHUP, SIGINT, SIGTERM };
#define ASKING (sizeof(asking) / sizeof(*asking))

static const struct timespec at_once = { 0, 0 };

static struct worker *worker_find(const struct run *, pid_t);
static void asked(struct run *, int);
static void reap(struct run *);
static void worker_ended(struct run *, struct worker *);
static void worker_lost(struct run *, int);
static void send_all(struct run *, int);

/*
 * A signal that is ignored (nohup, a background job) stays so, which must be
 * seen to: while it is blocked, even an ignored signal would be queued for us.
 */
void
workers_signals_take(struct run *r)
{
	struct sigaction action;
	size_t i;

	sigemptyset(&r->requests);
	for (i = 0; i < ASKING; i++) {
		sigaction(asking[i], NULL, &action);
		if (action.sa_handler != SIG_IGN)
			sigaddset(&r->requests, asking[i]);
	}
	r->taken = r->requests;
	sigaddset(&r->taken, SIGCHLD);
	sigprocmask(SIG_BLOCK, &r->taken, &r->old_mask);
	/* With SIGCHLD ignored, children would leave no status behind. */
	memset(&action, 0, sizeof(action));
	action.sa_handler = SIG_DFL;
	sigaction(SIGCHLD, &action, &r->old_chld);
}

void
workers_signals_return(struct run *r)
{
	/* A second ^C asks for nothing that the caller does not know yet. */
	if (r->w->signo != 0)
		while (sigtimedwait(&r->requests, NULL, &at_once) > 0)
			continue;
	sigaction(SIGCHLD, &r->old_chld, NULL);
	sigprocmask(SIG_SETMASK, &r->old_mask, NULL);
}

void
workers_signals_drop(const struct run *r)
{
	struct sigaction action;
	size_t i;

	memset(&action, 0, sizeof(action));
	action.sa_handler = SIG_DFL;
	for (i = 0; i < ASKING; i++)
		if (sigismember(&r->requests, asking[i]))
			sigaction(asking[i], &action, NULL);
	sigprocmask(SIG_SETMASK, &r->old_mask, NULL);
}

/* Pids are consecutive for the most part, so they are their own hash. */
void
workers_pid_add(struct run *r, uint64_t index)
{
	size_t i = (size_t)r->w->worker[index].pid & r->slots_mask;

	while (r->slots[i] != 0)
		i = (i + 1) & r->slots_mask;
	r->slots[i] = (size_t)index + 1;
}

static struct worker *
worker_find(const struct run *r, pid_t pid)
{
	size_t i = (size_t)pid & r->slots_mask;
	struct worker *worker;

	for (; r->slots[i] != 0; i = (i + 1) & r->slots_mask) {
		worker = &r->w->worker[r->slots[i] - 1];
		/* One that has ended may have had the same pid. */
		if (worker->pid == pid && !worker->ended)
			return worker;
	}
	return NULL;
}

void
workers_event_wait(struct run *r, uint64_t until_ns)
{
	uint64_t now = clock_now_ns(), wait_ns;
	struct timespec ts;
	int signo;

	if (until_ns > r->deadline_ns)
		until_ns = r->deadline_ns;
	wait_ns = until_ns > now ? until_ns - now : 0;
	if (wait_ns > SLICE_NS)
		wait_ns = SLICE_NS;
	ts.tv_sec = (time_t)(wait_ns / CLOCK_NS_PER_S);
	ts.tv_nsec = (long)(wait_ns % CLOCK_NS_PER_S);
	signo = sigtimedwait(&r->taken, NULL, &ts);
	if (signo == SIGCHLD) {
		reap(r);
	} else if (signo > 0) {
		asked(r, signo);
	} else if (errno == EAGAIN && clock_now_ns() >= r->deadline_ns) {
		if (r->stopping) {
			send_all(r, SIGKILL);
			r->deadline_ns = RUN_NEVER;
		} else {
			workers_stop(r, WORKERS_TIMEOUT);
		}
	}
}

static void
asked(struct run *r, int signo)
{
	if (r->w->signo == 0) {
		r->w->signo = signo;
		if (r->spec->asked != NULL)
			r->spec->asked(signo, r->spec->asked_arg);
	}
	workers_stop(r, WORKERS_SIGNAL);
}

static void
reap(struct run *r)
{
	struct worker *worker;
	struct rusage usage;
	int status;
	pid_t pid;

	while (r->ended < r->w->started) {
		pid = wait4(-1, &status, WNOHANG, &usage);
		if (pid == 0)
			return;
		if (pid == -1) {
			worker_lost(r, errno);
			return;
		}
		/* The caller may have had children of its own. */
		if ((worker = worker_find(r, pid)) == NULL)
			continue;
		worker->status = status;
		worker->usage = usage;
		worker_ended(r, worker);
	}
}

static void
worker_ended(struct run *r, struct worker *worker)
{
	int signo;

	worker->ended = 1;
	r->ended++;
	/* It was quicker to end its work than we were to stop it. */
	if (worker->status == 0)
		worker->stopped = 0;
	if (r->stopping || worker->status == 0)
		return;
	/*
	 * A ^C goes to the workers and to us: they have not failed then.  Ours
	 * is there by now, as it is sent before any of them can have ended.
	 */
	signo = sigtimedwait(&r->requests, NULL, &at_once);
	if (signo > 0) {
		asked(r, signo);
	} else {
		r->w->first = (uint64_t)(worker - r->w->worker);
		workers_stop(r, WORKERS_FAILED);
	}
}

/* No children are left, yet some have not been seen: others reaped them. */
static void
worker_lost(struct run *r, int error)
{
	uint64_t i = 0;

	while (r->w->worker[i].ended)
		i++;
	if (!r->stopping) {
		r->w->first = i;
		r->w->error = error;
		workers_stop(r, WORKERS_FAILED);
	}
	r->ended = r->w->started;
}

void
workers_stop(struct run *r, enum workers_end end)
{
	uint64_t i;

	if (r->stopping)
		return;
	r->stopping = 1;
	r->w->end = end;
	for (i = 0; i < r->w->started; i++)
		r->w->worker[i].stopped = !r->w->worker[i].ended;
	send_all(r, SIGTERM);
	r->deadline_ns = clock_now_ns() + GRACE_NS;
}

/* Those not reaped yet still have their pids, which nobody else can have. */
static void
send_all(struct run *r, int signo)
{
	uint64_t i;

	for (i = 0; i < r->w->started; i++)
		if (!r->w->worker[i].ended)
			kill(r->w->worker[i].pid, signo);
}
