/*
 * touch: how pages are touched again.
 *
 * A page is written by giving each of its blocks another version: a stamp in
 * the header, or, with -X, another generation of the whole block.  Twins, and
 * pages of one value, stay what they are: there, a word is written as it was.
 */
#include <inttypes.h>
#include <stdio.h>

#include "exits.h"
#include "hog.h"
#include "rng.h"

/* Touches between two looks at the signal, the clock and the pace. */
#define BATCH 64
#define BATCHES_PER_S 20

static int touch(struct hog *h, size_t page);
static size_t batch_size(const struct hog *h);
static int follow(struct hog *h, size_t page);
static void stamp(struct hog *h, size_t page, uint64_t version);
static uint32_t *count_of(const struct hog *h, size_t page);

int
touch_round(struct hog *h)
{
	struct pattern *p = &h->pattern;
	size_t batch = batch_size(h), n;
	int status;

	pattern_round(p, h->round);
	h->result->whole = (size_t)p->pages;
	while (p->left > 0 && !hog_ended(h)) {
		n = p->left < batch ? (size_t)p->left : batch;
		for (size_t i = 0; i < n; i++)
			if ((status = touch(h, (size_t)pattern_next(p))) !=
			    EXIT_GOOD)
				return status;
		h->result->done += n;
		pace_wait(&h->pace, h, (uint64_t)n * h->page_bytes);
	}
	return EXIT_GOOD;
}

int
touch_link(struct hog *h)
{
	struct pattern *p = &h->pattern;

	h->content.linked = 1;
	for (size_t page = 0; page < p->pages && !hog_asked(); page++)
		hog_page(h, page)[CONTENT_USER] = pattern_link(p, page);
	return EXIT_GOOD;
}

void
touch_write(struct hog *h, size_t page)
{
	uint32_t *count = count_of(h, page);
	uint32_t writes = count != NULL ? ++*count : (uint32_t)h->round;
	uint64_t *b = hog_page(h, page), user = b[CONTENT_USER];

	if (!h->plan->whole) {
		stamp(h, page, content_version(1, writes));
		return;
	}
	content_fill(b, h->page_blocks, &h->content, hog_block(h, page),
	    content_version(1 + writes, 0));
	if (h->content.linked)
		b[CONTENT_USER] = user;
}

uint64_t
touch_version(const struct hog *h, uint64_t block)
{
	const uint32_t *count = count_of(h, (size_t)(block / h->page_blocks));
	uint32_t writes = count != NULL ? *count : 0;

	if (h->plan->whole)
		return content_version(1 + writes, 0);
	return content_version(1, content_takes_stamps(&h->content, block) ?
	    writes : 0);
}

static int
touch(struct hog *h, size_t page)
{
	const unsigned share = h->plan->write_milli;
	struct hog_result *r = h->result;
	int status;

	if (h->plan->check && (status = verify_page(h, page)) != EXIT_GOOD)
		return status;
	if (h->content.linked && (status = follow(h, page)) != EXIT_GOOD)
		return status;
	if (share == PLAN_ALL || rng_mix_below(&h->choice, PLAN_ALL) < share) {
		touch_write(h, page);
		r->written_pages++;
	} else {
		(void)*(volatile uint64_t *)hog_page(h, page);
		r->read_pages++;
	}
	return EXIT_GOOD;
}

/* A batch must not be so large that the pace becomes a stutter. */
static size_t
batch_size(const struct hog *h)
{
	uint64_t pages = h->pace.rate / BATCHES_PER_S / h->page_bytes;

	if (h->pace.rate == 0 || pages > BATCH)
		return BATCH;
	return pages == 0 ? 1 : (size_t)pages;
}

static int
follow(struct hog *h, size_t page)
{
	uint64_t next = hog_page(h, page)[CONTENT_USER];

	if (next >= h->pattern.pages) {
		snprintf(h->result->fault, sizeof h->result->fault, "page %zu "
		    "leads to page %" PRIu64 " of %" PRIu64, page, next,
		    h->pattern.pages);
		return EXIT_CORRUPT;
	}
	pattern_follow(&h->pattern, next);
	return EXIT_GOOD;
}

static void
stamp(struct hog *h, size_t page, uint64_t version)
{
	uint64_t *b = hog_page(h, page), first = hog_block(h, page), word;

	for (size_t i = 0; i < h->page_blocks; i++, b += CONTENT_BLOCK_WORDS) {
		if (content_takes_stamps(&h->content, first + i)) {
			content_stamp(b, version);
		} else {
			word = *b;
			*(volatile uint64_t *)b = word;
		}
	}
}

/* How often the page was written since it was filled; NULL when not known. */
static uint32_t *
count_of(const struct hog *h, size_t page)
{
	uint32_t *counts = h->counts.base;

	return counts != NULL ? counts + page : NULL;
}
