/*
 * sampler: a time series of the machine's memory while the command runs.
 *
 * Rows pass from the thread to the rest of record through a ring with one
 * writer and one reader, in locked memory.  When the ring is full, since the
 * disk did not keep up, ticks are missed rather than waited for.
 */
#include <sys/mman.h>
#include <sys/resource.h>

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "clock.h"
#include "record_sample.h"
#include "record_sampler.h"

#define RING_ROWS	4096	/* 7 minutes at 10 Hz, 1/2 MiB */
#define STACK_BYTES	(128 * 1024)
#define TEXT_BYTES	32768

struct sampler {
	struct sample_files files;
	FILE *out;
	uint64_t interval_ns, start_ns;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	int go, stop;			/* under lock */
	struct sampler_summary sum;	/* the thread's until it ends */
	struct sample first;
	int write_error;		/* errno of a write, or 0 */
	_Atomic uint64_t taken, written;	/* rows in, rows out */
	char text[TEXT_BYTES];
	struct sample ring[RING_ROWS];
};

static int start_thread(struct sampler *);
static void *sample_loop(void *);
static uint64_t await_go(struct sampler *);
static int await_tick(struct sampler *, uint64_t);
static void take(struct sampler *, uint64_t);
static void note(struct sampler *, const struct sample *, uint64_t);
static void raise_to(uint64_t *, uint64_t);
static void write_rows(struct sampler *);
static void write_end(struct sampler *);

struct sampler *
sampler_start(const char *root, const struct proc_cgroup *group,
    uint64_t interval_ns, FILE *out, int *unlocked)
{
	struct sampler *s;
	int error;

	s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (s == MAP_FAILED)
		return NULL;
	/* The keeper, a copy of us, is to stay small. */
	madvise(s, sizeof(*s), MADV_DONTFORK);
	s->out = out;
	s->interval_ns = interval_ns;
	s->sum.swap_max_kib = s->sum.used_max_kib = PROC_ABSENT;
	sample_open(&s->files, root, group);
	if (out != NULL)
		sample_print_header(out);
	error = start_thread(s);
	if (error != 0) {
		sample_close(&s->files);
		munmap(s, sizeof(*s));
		errno = error;
		return NULL;
	}
	*unlocked = mlockall(MCL_CURRENT) == -1 ? errno : 0;
	pthread_mutex_lock(&s->lock);
	s->start_ns = clock_now_ns();
	s->go = 1;
	pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->lock);
	return s;
}

/* Returns an errno. */
static int
start_thread(struct sampler *s)
{
	pthread_condattr_t clock;
	pthread_attr_t attr;
	sigset_t all, before;
	int error;

	pthread_mutex_init(&s->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&s->wake, &clock);
	pthread_condattr_destroy(&clock);
	/* Small, since all of it will be locked in memory. */
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	/* Signals are for the thread that waits for the command. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&s->thread, &attr, sample_loop, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return error;
}

static void *
sample_loop(void *arg)
{
	struct sampler *s = arg;
	uint64_t deadline, now, passed;
	struct rusage usage;
	struct sched_param first_in = { .sched_priority = 1 };
	struct sample warm;
	int stop = 0;

	/*
	 * Ahead of the work that it watches, where that is permitted; a sample
	 * takes a tenth of a millisecond.
	 */
	pthread_setschedparam(pthread_self(), SCHED_FIFO, &first_in);
	/* What a sample needs is in memory before that is locked. */
	sample_read(&s->files, &warm, s->text, TEXT_BYTES);
	deadline = await_go(s);
	while (!stop) {
		stop = await_tick(s, deadline);
		now = clock_now_ns();
		/* The last sample is taken when the command has ended. */
		take(s, stop ? now : deadline);
		deadline += s->interval_ns;
		now = clock_now_ns();
		if (!stop && now >= deadline) {
			passed = (now - deadline) / s->interval_ns + 1;
			s->sum.missed += passed;
			deadline += passed * s->interval_ns;
		}
	}
	getrusage(RUSAGE_THREAD, &usage);
	s->sum.majflt = (uint64_t)usage.ru_majflt;
	s->sum.cpu_us = (uint64_t)(usage.ru_utime.tv_sec +
	    usage.ru_stime.tv_sec) * 1000000 +
	    (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	return NULL;
}

/* Returns when the first tick is to be. */
static uint64_t
await_go(struct sampler *s)
{
	uint64_t start_ns;

	pthread_mutex_lock(&s->lock);
	while (!s->go)
		pthread_cond_wait(&s->wake, &s->lock);
	start_ns = s->start_ns;
	pthread_mutex_unlock(&s->lock);
	return start_ns;
}

/* Returns nonzero when it is to stop, else when the deadline is reached. */
static int
await_tick(struct sampler *s, uint64_t deadline)
{
	struct timespec until = {
		.tv_sec = (time_t)(deadline / CLOCK_NS_PER_S),
		.tv_nsec = (long)(deadline % CLOCK_NS_PER_S)
	};
	int stop;

	pthread_mutex_lock(&s->lock);
	while (!s->stop && pthread_cond_timedwait(&s->wake, &s->lock,
	    &until) == 0)
		continue;
	stop = s->stop;
	pthread_mutex_unlock(&s->lock);
	return stop;
}

/* A sample into the ring. */
static void
take(struct sampler *s, uint64_t deadline)
{
	uint64_t taken = atomic_load_explicit(&s->taken, memory_order_relaxed);
	uint64_t now = clock_now_ns(), total_kib;
	struct sample row;

	total_kib = sample_read(&s->files, &row, s->text, TEXT_BYTES);
	row.cell[SAMPLE_TIME] = (now - s->start_ns) / 1000;
	row.cell[SAMPLE_LATE] = (now - deadline) / 1000;
	if (now - deadline > s->sum.late_max_ns)
		s->sum.late_max_ns = now - deadline;
	note(s, &row, total_kib);
	if (s->sum.ticks + s->sum.missed == 0)
		s->first = row;
	sample_since(&s->first, &row);
	if (taken - atomic_load_explicit(&s->written, memory_order_acquire) ==
	    RING_ROWS) {
		s->sum.missed++;	/* it is in the maxima all the same */
		return;
	}
	s->ring[taken % RING_ROWS] = row;
	s->sum.ticks++;
	atomic_store_explicit(&s->taken, taken + 1, memory_order_release);
}

static void
note(struct sampler *s, const struct sample *row, uint64_t total_kib)
{
	const uint64_t *cell = row->cell;

	raise_to(&s->sum.swap_max_kib, s->files.group_swap != -1 ?
	    cell[SAMPLE_GROUP_SWAP] : cell[SAMPLE_SWAP]);
	raise_to(&s->sum.used_max_kib, s->files.group != -1 ?
	    cell[SAMPLE_GROUP] :
	    proc_delta(cell[SAMPLE_AVAILABLE], total_kib));
}

static void
raise_to(uint64_t *max, uint64_t value)
{
	if (value != PROC_ABSENT && (*max == PROC_ABSENT || value > *max))
		*max = value;
}

void
sampler_drain(struct sampler *s)
{
	uint64_t taken = atomic_load_explicit(&s->taken, memory_order_acquire);

	if (taken - atomic_load_explicit(&s->written, memory_order_relaxed) >=
	    RING_ROWS / 2)
		write_rows(s);
}

static void
write_rows(struct sampler *s)
{
	uint64_t taken = atomic_load_explicit(&s->taken, memory_order_acquire);
	uint64_t n = atomic_load_explicit(&s->written, memory_order_relaxed);

	for (; n < taken; n++) {
		if (s->out != NULL)
			sample_print(s->out, &s->ring[n % RING_ROWS]);
		atomic_store_explicit(&s->written, n + 1,
		    memory_order_release);
	}
	if (s->out == NULL)
		return;
	errno = 0;
	if ((fflush(s->out) == EOF || ferror(s->out)) && s->write_error == 0)
		s->write_error = errno != 0 ? errno : EIO;
}

/* The rest of the rows, and what they are worth. */
static void
write_end(struct sampler *s)
{
	const struct sampler_summary *sum = &s->sum;

	write_rows(s);
	if (s->out == NULL)
		return;
	fprintf(s->out, "# ticks %" PRIu64 ", missed %" PRIu64 " (%.3f%%), "
	    "latest %" PRIu64 " us, major faults of the sampler %" PRIu64
	    ", its CPU time %" PRIu64 " us\n", sum->ticks, sum->missed,
	    sampler_missed_percent(sum), sum->late_max_ns / 1000, sum->majflt,
	    sum->cpu_us);
	write_rows(s);
}

double
sampler_missed_percent(const struct sampler_summary *sum)
{
	uint64_t all = sum->ticks + sum->missed;

	return all == 0 ? 0 : 100.0 * (double)sum->missed / (double)all;
}

int
sampler_stop(struct sampler *s, struct sampler_summary *summary)
{
	int error;

	pthread_mutex_lock(&s->lock);
	s->stop = 1;
	pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->thread, NULL);
	munlockall();
	*summary = s->sum;
	write_end(s);
	error = s->write_error;
	sample_close(&s->files);
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->lock);
	munmap(s, sizeof(*s));
	errno = error;
	return error == 0 ? 0 : -1;
}
