/*
 * grow: how memhog comes to its memory: in steps, at the pace that was asked
 * for, and no further than what must be left to others.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "exits.h"
#include "hog.h"
#include "mapping.h"
#include "residency.h"
#include "units.h"

/* Small enough for the second cache, and to hear a signal soon. */
#define STEP_BYTES 262144
/* To ask how much is available costs as much as filling some pages. */
#define ASK_BYTES 1048576
/* Smooth growth comes in that many steps a second. */
#define STEPS_PER_S 50

static size_t wave_pages(const struct hog *h, uint64_t rate);
static int is_roomy(const struct plan *p);
static void fill(struct hog *h, size_t pages);
static int may_take(struct hog *h, size_t pages, int *status);

int
grow_all(struct hog *h)
{
	const struct plan *p = h->plan;
	struct pace pace = { .rate = p->grow_rate / p->procs };
	size_t wave, n, step = STEP_BYTES / h->page_bytes;
	size_t ask = ASK_BYTES / h->page_bytes, asked = 0;
	int status = EXIT_GOOD;

	if (p->grow_rate > 0 && pace.rate == 0)
		pace.rate = 1;
	step += step == 0;
	ask += ask == 0;
	/* A load of contest is to fill and to copy. */
	h->result->whole = p->pattern.kind == PATTERN_CONTEST ? 2 * h->pages :
	    h->pages;
	h->result->done = 0;
	h->roomy = is_roomy(p);
	wave = wave_pages(h, pace.rate);
	for (size_t left = wave; h->filled < h->pages && !hog_ended(h); ) {
		n = h->pages - h->filled < step ? h->pages - h->filled : step;
		n = n < left ? n : left;
		if (p->leave && h->filled >= asked) {
			if (!may_take(h, ask, &status))
				break;
			asked = h->filled + ask;
		}
		fill(h, n);
		left -= n;
		if (left == 0 && h->filled < h->pages) {
			pace_wait(&pace, h, (uint64_t)wave * h->page_bytes);
			left = wave;
		}
	}
	return status;
}

/* Pages that come at once, before the next wait. */
static size_t
wave_pages(const struct hog *h, uint64_t rate)
{
	uint64_t bytes = h->plan->grow_step / h->plan->procs;

	if (rate == 0)
		return h->pages;
	if (bytes == 0)
		bytes = rate / STEPS_PER_S;
	if (bytes > h->map.bytes)
		bytes = h->map.bytes;
	return bytes < h->page_bytes ? 1 : (size_t)(bytes / h->page_bytes);
}

/*
 * Whether there is room for twice as much, so that pages may be faulted in many
 * at a time.  At a memory limit the kernel (6.18, cgroup version 1) was seen to
 * kill for that with swap to spare, and not for the same pages touched singly.
 */
static int
is_roomy(const struct plan *p)
{
	uint64_t available;

	return p->grow_rate == 0 && residency_available(&available) == 0 &&
	    p->bytes <= available / 2;
}

static void
fill(struct hog *h, size_t pages)
{
	uint64_t *start = hog_page(h, h->filled);

	if (h->roomy)
		mapping_fault_in(start, pages * h->page_bytes);
	content_fill(start, pages * h->page_blocks, &h->content,
	    hog_block(h, h->filled), content_version(1, 0));
	h->filled += pages;
	h->result->written_pages += pages;
	h->result->done = h->filled;
}

/*
 * Whether that many pages can be taken so that enough is left.  If not, what
 * there is so far is what will be held, and a note says so.
 */
static int
may_take(struct hog *h, size_t pages, int *status)
{
	struct hog_result *r = h->result;
	uint64_t available, needed;
	char left[32], have[32], whole[32];

	if (residency_available(&available) == -1) {
		snprintf(r->fault, sizeof r->fault, "-D: cannot tell how much "
		    "memory is available: %s", strerror(errno));
		*status = EXIT_FAILED;
		return 0;
	}
	if (units_add(h->plan->leave_bytes, (uint64_t)pages * h->page_bytes,
	    &needed) == 0 && available >= needed)
		return 1;
	snprintf(r->note, sizeof r->note, "stopped at %s of %s: %s available, "
	    "more would go below -D",
	    units_print_size(have, sizeof have,
	    (uint64_t)h->filled * h->page_bytes),
	    units_print_size(whole, sizeof whole, h->map.bytes),
	    units_print_size(left, sizeof left, available));
	h->pages = h->filled;
	h->result->whole = h->filled;
	return 0;
}
