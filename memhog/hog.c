/*
 * hog: what one process of memhog does.
 */
#include <sys/mman.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "exits.h"
#include "hog.h"
#include "mapping.h"
#include "residency.h"
#include "units.h"

#define LATE_NS (CLOCK_NS_PER_S / 10)
/* With this one, the kernel kills us before anybody who is worth more. */
#define OOM_SCORE "1000"

static volatile sig_atomic_t asked_to_end;

static void heed_signals(void);
static void on_signal(int signo);
static void volunteer(struct hog *h);
static int start(struct hog *h);
static int cycle(struct hog *h);
static int rounds(struct hog *h);
static int one_round(struct hog *h);
static int rounds_left(const struct hog *h);
static int prepare_pattern(struct hog *h);
static int repeats(const struct plan *p);
static void hold(const struct hog *h);
static void tell(struct hog *h);
static void finish(struct hog *h);

int
hog_run(uint64_t index, void *result, void *arg)
{
	struct hog h = { .plan = arg, .index = index, .result = result,
	    .deadline_ns = UINT64_MAX };
	int status;

	heed_signals();
	volunteer(&h);
	if (h.plan->limit_ns != 0 && units_add(clock_now_ns(),
	    h.plan->limit_ns, &h.deadline_ns) == -1)
		h.deadline_ns = UINT64_MAX;
	h.page_bytes = memory_page_bytes();
	h.page_blocks = h.page_bytes / CONTENT_BLOCK_BYTES;
	h.content = h.plan->content;
	h.content.seed += index;
	h.choice.state = h.content.seed;
	h.pace.rate = h.plan->rate / h.plan->procs;
	if (h.plan->rate > 0 && h.pace.rate == 0)
		h.pace.rate = 1;
	do {
		status = cycle(&h);
		if (!repeats(h.plan) || hog_ended(&h) || !rounds_left(&h) ||
		    h.filled == 0)
			break;
		finish(&h);
	} while (status == EXIT_GOOD);
	h.result->stopped = asked_to_end;
	/* One that was asked to end leaves the rest to the kernel. */
	if (!asked_to_end)
		finish(&h);
	return status;
}

int
hog_asked(void)
{
	return asked_to_end;
}

int
hog_ended(const struct hog *h)
{
	return asked_to_end || (h->deadline_ns != UINT64_MAX &&
	    clock_now_ns() >= h->deadline_ns);
}

void
pace_wait(struct pace *p, const struct hog *h, uint64_t bytes)
{
	uint64_t now, until;
	double ns;

	if (p->rate == 0)
		return;
	now = clock_now_ns();
	if (p->next_ns == 0 || now > p->next_ns + LATE_NS)
		p->next_ns = now;
	ns = (double)bytes / (double)p->rate * (double)CLOCK_NS_PER_S;
	p->next_ns += ns < 9e18 ? (uint64_t)ns : (uint64_t)9e18;
	until = p->next_ns < h->deadline_ns ? p->next_ns : h->deadline_ns;
	while (!asked_to_end && clock_sleep_until(until) == -1)
		continue;
}

uint64_t *
hog_page(const struct hog *h, size_t page)
{
	return (uint64_t *)((char *)h->map.base + page * h->page_bytes);
}

uint64_t
hog_block(const struct hog *h, size_t page)
{
	return (uint64_t)page * h->page_blocks;
}

/*
 * SIGTERM ends the work between two pages.  What is ignored stays ignored; the
 * parent ends by the other two as usual.
 */
static void
heed_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigemptyset(&action.sa_mask);
	sigaction(SIGTERM, &action, NULL);
}

static void
on_signal(int signo)
{
	(void)signo;
	asked_to_end = 1;
}

static void
volunteer(struct hog *h)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd == -1 || write(fd, OOM_SCORE, sizeof OOM_SCORE - 1) == -1)
		snprintf(h->result->note, sizeof h->result->note,
		    "cannot become the first to be killed: "
		    "/proc/self/oom_score_adj: %s", strerror(errno));
	if (fd != -1)
		close(fd);
}

/* Map, fill, and make what the touching needs. */
static int
start(struct hog *h)
{
	struct hog_result *r = h->result;
	uint64_t bytes;
	int status;

	status = mapping_make(&h->map, h->plan, h->index, r->fault,
	    sizeof r->fault);
	if (status != EXIT_GOOD)
		return status;
	r->mapped_bytes = h->map.bytes;
	h->pages = h->map.bytes / h->page_bytes;
	h->filled = 0;
	h->copied = 0;
	bytes = (uint64_t)h->pages * sizeof(uint32_t);
	if (h->plan->check && memory_map(&h->counts, bytes, MEMORY_ANON,
	    MEMORY_THP_ASIS, NULL) == -1) {
		snprintf(r->fault, sizeof r->fault, "cannot map the counts of "
		    "writes: %s", strerror(errno));
		return EXIT_MEMORY;
	}
	if ((status = grow_all(h)) != EXIT_GOOD || h->filled == 0 ||
	    h->plan->pattern.kind == PATTERN_CONTEST)
		return status;
	return prepare_pattern(h);
}

static int
prepare_pattern(struct hog *h)
{
	const struct plan *p = h->plan;
	uint64_t core = p->core_bytes / p->procs / h->page_bytes;

	if (core == 0)
		core = p->core_bytes > 0;
	if (core == 0 || core > h->filled)
		core = h->filled;
	if (pattern_init(&h->pattern, &p->pattern, core,
	    p->seed + (p->unique ? h->index : 0)) == -1) {
		snprintf(h->result->fault, sizeof h->result->fault,
		    "the table of the pattern: %s", strerror(errno));
		return EXIT_MEMORY;
	}
	h->has_pattern = 1;
	return p->pattern.kind == PATTERN_CHASE ? touch_link(h) : EXIT_GOOD;
}

/* From nothing to a full mapping and through its rounds; not freed. */
static int
cycle(struct hog *h)
{
	int status = start(h);

	if (status == EXIT_GOOD && h->filled > 0)
		status = rounds(h);
	if (status == EXIT_GOOD && h->plan->check && !asked_to_end)
		status = verify_all(h);
	if (status == EXIT_GOOD)
		tell(h);
	return status;
}

static int
rounds(struct hog *h)
{
	const struct plan *p = h->plan;
	int status = EXIT_GOOD;

	/* Filling is the first round, but of what comes again and again. */
	if (!repeats(p) && !hog_ended(h)) {
		h->result->done = 0;
		h->result->rounds = 1;
	}
	do {
		if (hog_ended(h) || !rounds_left(h))
			break;
		if (p->pattern.kind == PATTERN_HOLD && !repeats(p)) {
			hold(h);
			break;
		}
		h->round++;
		if ((status = one_round(h)) != EXIT_GOOD || hog_ended(h))
			break;
		h->result->done = 0;
		h->result->rounds++;
		if (p->advice != 0)
			madvise(h->map.base, h->filled * h->page_bytes,
			    p->advice);
	} while (!repeats(p));
	return status;
}

static int
one_round(struct hog *h)
{
	switch (h->plan->pattern.kind) {
	case PATTERN_HOLD: return EXIT_GOOD;
	case PATTERN_CONTEST: return contest_copy(h);
	default: return touch_round(h);
	}
}

static int
rounds_left(const struct hog *h)
{
	return h->plan->rounds == 0 || h->result->rounds < h->plan->rounds;
}

/* Whether all is freed after a round. */
static int
repeats(const struct plan *p)
{
	return p->sawtooth || p->pattern.kind == PATTERN_CONTEST;
}

static void
hold(const struct hog *h)
{
	if (h->plan->advice != 0)
		madvise(h->map.base, h->filled * h->page_bytes,
		    h->plan->advice);
	while (!hog_ended(h))
		clock_sleep_until(h->deadline_ns);
}

/* The sizes, before anything is freed. */
static void
tell(struct hog *h)
{
	struct hog_result *r = h->result;
	struct residency where;

	r->filled_bytes = (uint64_t)h->filled * h->page_bytes;
	if (residency_read(h->map.base, h->map.bytes, &where) == -1) {
		snprintf(r->note, sizeof r->note, "the resident size is "
		    "unknown: /proc/self/smaps: %s", strerror(errno));
		where.resident_bytes = UINT64_MAX;
		where.swapped_bytes = UINT64_MAX;
		where.locked_bytes = UINT64_MAX;
	}
	r->resident_bytes = where.resident_bytes;
	r->swapped_bytes = where.swapped_bytes;
	r->locked_bytes = where.locked_bytes;
	r->told = 1;
}

static void
finish(struct hog *h)
{
	if (h->has_pattern)
		pattern_free(&h->pattern);
	h->has_pattern = 0;
	memory_unmap(&h->counts);
	memory_unmap(&h->map);
}
