/*
 * workers: P processes doing the same work, started together, watched one by
 * one.  How a run ended is told in workers_report.c.
 *
 * There are no signal handlers: the signals of interest are blocked and taken
 * by sigtimedwait(2), which is also the only place where the parent sleeps.
 * Process groups are left alone, so that ^C, ^Z and whoever kills the group of
 * the parent reach the workers as well.
 */
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "exits.h"
#include "units.h"
#include "workers.h"

#define GRACE_NS CLOCK_NS_PER_S		/* from SIGTERM to SIGKILL */
#define SLICE_NS (86400 * CLOCK_NS_PER_S)	/* fits any time_t */
#define NEVER UINT64_MAX

struct run {
	struct workers *w;
	const struct workers_spec *spec;
	pid_t parent;
	int gate[2];		/* workers read it until all writers are gone */
	size_t *slots;		/* hash of pids: index + 1, or 0 */
	size_t slots_mask;
	uint64_t ended;
	uint64_t deadline_ns;	/* when the limit, or the grace, is over */
	int stopping;
	sigset_t requests;	/* signals that ask us to end */
	sigset_t taken;		/* those and SIGCHLD */
	sigset_t old_mask;
	struct sigaction old_chld;
};

/* The signals that ask us to end, where they are not ignored. */
static const int asking[] = { SIGHUP, SIGINT, SIGTERM };
#define ASKING (sizeof(asking) / sizeof(*asking))

static const struct timespec at_once = { 0, 0 };

static int tables_make(struct run *);
static int gate_make(struct run *);
static void gate_close(struct run *, int);
static void signals_take(struct run *);
static void signals_return(struct run *);
static void start_all(struct run *);
static pid_t start(struct run *, uint64_t);
static _Noreturn void worker_main(const struct run *, uint64_t);
static void slot_add(struct run *, uint64_t);
static struct worker *slot_find(const struct run *, pid_t);
static void event_wait(struct run *, uint64_t);
static void requested(struct run *, int);
static void reap(struct run *);
static void worker_ended(struct run *, struct worker *);
static void worker_lost(struct run *, int);
static void stop(struct run *, enum workers_end);
static void send_all(struct run *, int);

int
workers_run(struct workers *w, const struct workers_spec *spec)
{
	struct run r = { .w = w, .spec = spec, .parent = getpid(),
	    .gate = { -1, -1 }, .deadline_ns = NEVER };

	memset(w, 0, sizeof(*w));
	w->procs = spec->procs;
	w->result_bytes = spec->result_bytes;
	/* What stdio still holds would be written by every worker again. */
	if (fflush(NULL) == EOF || tables_make(&r) == -1 ||
	    gate_make(&r) == -1) {
		free(r.slots);
		workers_free(w);
		return -1;
	}
	if (spec->limit_ns != 0 && units_add(clock_now_ns(), spec->limit_ns,
	    &r.deadline_ns) == -1)
		r.deadline_ns = NEVER;
	signals_take(&r);
	start_all(&r);
	if (!r.stopping)
		gate_close(&r, 1);
	while (r.ended < w->started)
		event_wait(&r, NEVER);
	/* One that never opened is closed only now, with nobody behind it. */
	gate_close(&r, 1);
	gate_close(&r, 0);
	signals_return(&r);
	free(r.slots);
	return 0;
}

static int
tables_make(struct run *r)
{
	struct workers *w = r->w;
	uint64_t bytes, slots = 2;

	if (w->procs == 0) {
		errno = EINVAL;
		return -1;
	}
	if (units_mul(w->procs, w->result_bytes, &bytes) == -1 ||
	    bytes > SIZE_MAX || w->procs > SIZE_MAX / sizeof(*w->worker)) {
		errno = ENOMEM;
		return -1;
	}
	while (slots / 2 < w->procs)
		slots *= 2;
	r->slots_mask = (size_t)slots - 1;
	if ((r->slots = calloc((size_t)slots, sizeof(*r->slots))) == NULL ||
	    (w->worker = calloc((size_t)w->procs, sizeof(*w->worker))) == NULL)
		return -1;
	if (bytes == 0)
		return 0;
	w->results = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (w->results == MAP_FAILED) {
		w->results = NULL;
		return -1;
	}
	return 0;
}

/*
 * The gate is the end of file of a pipe that nobody writes to: it is there when
 * all workers and the parent have closed their writing ends.
 */
static int
gate_make(struct run *r)
{
	return r->spec->gate ? pipe2(r->gate, O_CLOEXEC) : 0;
}

static void
gate_close(struct run *r, int end)
{
	if (r->gate[end] != -1)
		close(r->gate[end]);
	r->gate[end] = -1;
}

/*
 * A signal that is ignored (nohup, a background job) stays so, which must be
 * seen to: while it is blocked, even an ignored signal would be queued for us.
 */
static void
signals_take(struct run *r)
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

/* In the parent. */
static void
signals_return(struct run *r)
{
	/* A second ^C asks for nothing that the caller does not know yet. */
	if (r->w->signo != 0)
		while (sigtimedwait(&r->requests, NULL, &at_once) > 0)
			continue;
	sigaction(SIGCHLD, &r->old_chld, NULL);
	sigprocmask(SIG_SETMASK, &r->old_mask, NULL);
}

static void
start_all(struct run *r)
{
	struct workers *w = r->w;
	uint64_t i, until;

	for (i = 0; i < w->procs && !r->stopping; i++) {
		if ((w->worker[i].pid = start(r, i)) == -1) {
			w->error = errno;
			w->worker[i].pid = 0;
			stop(r, WORKERS_FORK);
			return;
		}
		w->started++;
		slot_add(r, i);
		until = 0;
		if (r->spec->stagger_ns != 0 && i + 1 < w->procs &&
		    units_add(clock_now_ns(), r->spec->stagger_ns, &until) ==
		    -1)
			until = NEVER;
		do
			event_wait(r, until);
		while (!r->stopping && clock_now_ns() < until);
	}
}

static pid_t
start(struct run *r, uint64_t index)
{
	pid_t pid = fork();

	if (pid == 0)
		worker_main(r, index);
	return pid;
}

static void
worker_main(const struct run *r, uint64_t index)
{
	struct sigaction action;
	size_t i;
	int status;
	char byte;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) == -1) {
		warn("prctl PR_SET_PDEATHSIG");
		_exit(EXIT_FAILED);
	}
	/* The parent may have ended before the kernel was told to watch it. */
	if (getppid() != r->parent)
		_exit(EXIT_FAILED);
	memset(&action, 0, sizeof(action));
	action.sa_handler = SIG_DFL;
	for (i = 0; i < ASKING; i++)
		if (sigismember(&r->requests, asking[i]))
			sigaction(asking[i], &action, NULL);
	sigprocmask(SIG_SETMASK, &r->old_mask, NULL);
	if (r->gate[0] != -1) {
		close(r->gate[1]);
		while (read(r->gate[0], &byte, 1) == -1 && errno == EINTR)
			continue;
		close(r->gate[0]);
	}
	status = r->spec->body(index, workers_result(r->w, index),
	    r->spec->arg);
	if (exits_flush_stdout() == -1) {
		warn("stdout");
		if (status == EXIT_GOOD)
			status = EXIT_FAILED;
	}
	/* exit(2) would take 256 for 0. */
	_exit(status < 0 || status > 255 ? EXIT_FAILED : status);
}

/* Pids are consecutive for the most part, so they are their own hash. */
static void
slot_add(struct run *r, uint64_t index)
{
	size_t i = (size_t)r->w->worker[index].pid & r->slots_mask;

	while (r->slots[i] != 0)
		i = (i + 1) & r->slots_mask;
	r->slots[i] = (size_t)index + 1;
}

static struct worker *
slot_find(const struct run *r, pid_t pid)
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

/*
 * Wait until something happens and see to it; or until until_ns or the
 * deadline.  An until_ns that has passed sees to what has happened already.
 */
static void
event_wait(struct run *r, uint64_t until_ns)
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
		requested(r, signo);
	} else if (errno == EAGAIN && clock_now_ns() >= r->deadline_ns) {
		if (r->stopping) {
			send_all(r, SIGKILL);
			r->deadline_ns = NEVER;
		} else {
			stop(r, WORKERS_TIMEOUT);
		}
	}
}

static void
requested(struct run *r, int signo)
{
	if (r->w->signo == 0)
		r->w->signo = signo;
	stop(r, WORKERS_SIGNAL);
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
		if ((worker = slot_find(r, pid)) == NULL)
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
		requested(r, signo);
	} else {
		r->w->first = (uint64_t)(worker - r->w->worker);
		stop(r, WORKERS_FAILED);
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
		stop(r, WORKERS_FAILED);
	}
	r->ended = r->w->started;
}

static void
stop(struct run *r, enum workers_end end)
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
