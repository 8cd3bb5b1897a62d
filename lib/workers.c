/*
 * workers: P processes doing the same work: how they are started.  They are
 * watched in workers_watch.c; how it all ended is told in workers_report.c.
 */
#include <sys/mman.h>
#include <sys/prctl.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "exits.h"
#include "units.h"
#include "workers_run.h"

static int tables_make(struct run *);
static int gate_make(struct run *);
static void gate_close(struct run *, int);
static void start_all(struct run *);
static pid_t start(struct run *, uint64_t);
static _Noreturn void worker_main(const struct run *, uint64_t);

int
workers_run(struct workers *w, const struct workers_spec *spec)
{
	struct run r = { .w = w, .spec = spec, .parent = getpid(),
	    .gate = { -1, -1 }, .deadline_ns = RUN_NEVER };
	int error;

	memset(w, 0, sizeof(*w));
	w->procs = spec->procs;
	w->result_bytes = spec->result_bytes;
	/*
	 * What stdio still holds would be written by every worker again, and
	 * an earlier error of stdout would be taken for theirs.
	 */
	if (exits_flush_stdout() == -1 || fflush(NULL) == EOF ||
	    tables_make(&r) == -1 || gate_make(&r) == -1) {
		error = errno;
		free(r.slots);
		workers_free(w);
		errno = error;
		return -1;
	}
	if (spec->limit_ns != 0 && units_add(clock_now_ns(), spec->limit_ns,
	    &r.deadline_ns) == -1)
		r.deadline_ns = RUN_NEVER;
	workers_signals_take(&r);
	start_all(&r);
	if (!r.stopping)
		gate_close(&r, 1);
	while (r.ended < w->started)
		workers_event_wait(&r, RUN_NEVER);
	/* One that never opened is closed only now, with nobody behind it. */
	gate_close(&r, 1);
	gate_close(&r, 0);
	workers_signals_return(&r);
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

static void
start_all(struct run *r)
{
	struct workers *w = r->w;
	uint64_t i, until;

	for (i = 0; i < w->procs && !r->stopping; i++) {
		if ((w->worker[i].pid = start(r, i)) == -1) {
			w->error = errno;
			w->worker[i].pid = 0;
			workers_stop(r, WORKERS_FORK);
			return;
		}
		w->started++;
		workers_pid_add(r, i);
		until = 0;
		if (r->spec->stagger_ns != 0 && i + 1 < w->procs &&
		    units_add(clock_now_ns(), r->spec->stagger_ns, &until) ==
		    -1)
			until = RUN_NEVER;
		do
			workers_event_wait(r, until);
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
	int status;
	char byte;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) == -1) {
		warn("prctl PR_SET_PDEATHSIG");
		_exit(EXIT_FAILED);
	}
	/* The parent may have ended before the kernel was told to watch it. */
	if (getppid() != r->parent)
		_exit(EXIT_FAILED);
	workers_signals_drop(r);
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

