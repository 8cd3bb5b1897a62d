/* frame: counting, time and signals. */
#include <sys/time.h>

#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "exits.h"
#include "frame.h"

/* Gone within a second of SIGTERM, however long a flush takes. */
#define FAREWELL_US 700000

static volatile sig_atomic_t stopped;
static const struct frame *watched;

static void
farewell(int signo)
{
	uint64_t milli = frame_loads(watched);
	char text[40], *p = text + sizeof text;
	ssize_t ignored;

	(void)signo;
	*--p = '\n';
	for (int i = 0; i < 3 || milli > 0 || p[0] == '.'; i++) {
		if (i == 3)
			*--p = '.';
		*--p = (char)('0' + milli % 10);
		milli /= 10;
	}
	p -= 6;
	memcpy(p, "loads ", 6);
	ignored = write(STDOUT_FILENO, p, (size_t)(text + sizeof text - p));
	(void)ignored;
	_exit(stopped == SIGTERM || stopped == SIGALRM ? EXIT_GOOD :
	    128 + stopped);
}

static void
on_signal(int signo)
{
	struct itimerval last = { .it_value = { 0, FAREWELL_US } };

	if (stopped != 0) {
		if (signo == SIGALRM)
			farewell(signo);
		return;
	}
	stopped = signo;
	if (signo != SIGALRM)
		setitimer(ITIMER_REAL, &last, NULL);
}

void
frame_start(struct frame *f, const struct plan *p)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGALRM };
	struct itimerval limit = { .it_value = {
	    (time_t)(p->limit_ns / CLOCK_NS_PER_S),
	    (suseconds_t)(p->limit_ns % CLOCK_NS_PER_S / 1000) } };
	struct sigaction a = { .sa_handler = on_signal }, old;

	f->plan = p;
	watched = f;
	sigfillset(&a.sa_mask);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		sigaction(ends[i], NULL, &old);
		if (old.sa_handler != SIG_IGN || ends[i] == SIGALRM)
			sigaction(ends[i], &a, NULL);
	}
	f->start_ns = clock_now_ns();
	if (p->limit_ns > 0) {
		if (p->limit_ns < 1000)
			limit.it_value.tv_usec = 1;
		setitimer(ITIMER_REAL, &limit, NULL);
	}
}

int
frame_stopped(void)
{
	return stopped;
}

int
frame_next(struct frame *f, uint64_t units)
{
	if (stopped != 0 || (f->plan->passes > 0 &&
	    f->passes >= f->plan->passes))
		return 0;
	f->done = 0;
	f->units = units;
	return 1;
}

void
frame_count(struct frame *f, uint64_t bytes, uint64_t *since)
{
	uint64_t now = clock_now_ns();

	histogram_add(&f->ops, now - *since);
	f->bytes += bytes;
	f->done++;
	*since = now;
}

uint64_t
frame_loads(const struct frame *f)
{
	uint64_t part = f->units > 0 ? f->done * 1000 / f->units : 0;

	return f->passes * 1000 + (part > 999 ? 999 : part);
}
