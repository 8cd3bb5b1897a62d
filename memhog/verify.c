/*
 * verify: whether pages hold what they should, by making it anew.
 */
#include <inttypes.h>
#include <stdio.h>

#include "exits.h"
#include "hog.h"

static int verify_block(struct hog *h, size_t at, uint64_t number);
static int verify_link(struct hog *h, size_t page);

int
verify_page(struct hog *h, size_t page)
{
	size_t block = page * h->page_blocks, i;
	int status = EXIT_GOOD;

	for (i = 0; i < h->page_blocks && status == EXIT_GOOD; i++)
		status = verify_block(h, block + i, block + i);
	if (status == EXIT_GOOD && h->content.linked)
		status = verify_link(h, page);
	h->result->checked_pages++;
	return status;
}

int
verify_all(struct hog *h)
{
	int status = EXIT_GOOD;

	if (h->plan->pattern.kind == PATTERN_CONTEST)
		return contest_verify(h);
	for (size_t i = 0; i < h->filled && status == EXIT_GOOD &&
	    !hog_asked(); i++)
		status = verify_page(h, i);
	return status;
}

int
verify_moved(struct hog *h, size_t page, size_t origin)
{
	int status = EXIT_GOOD;

	for (size_t i = 0; i < h->page_blocks && status == EXIT_GOOD; i++)
		status = verify_block(h, page * h->page_blocks + i,
		    (uint64_t)origin * h->page_blocks + i);
	h->result->checked_pages++;
	return status;
}

/* Block number `number` at place `at`. */
static int
verify_block(struct hog *h, size_t at, uint64_t number)
{
	const char *b = (char *)h->map.base + at * CONTENT_BLOCK_BYTES;
	struct content_fault f;
	char text[300];

	if (content_check(b, 1, &h->content, number, touch_version(h, number),
	    &f) == 0)
		return EXIT_GOOD;
	snprintf(h->result->fault, sizeof h->result->fault, "address 0x%" PRIx64
	    ", %s", (uint64_t)(uintptr_t)(b + f.offset), content_describe(text,
	    sizeof text, &f, (uint64_t)at * CONTENT_BLOCK_BYTES));
	return EXIT_CORRUPT;
}

/* The cycle of PATTERN_CHASE; beyond the working set there is none. */
static int
verify_link(struct hog *h, size_t page)
{
	uint64_t want = page < h->pattern.pages ?
	    pattern_link(&h->pattern, page) : 0;
	uint64_t got = hog_page(h, page)[CONTENT_USER];

	if (got == want)
		return EXIT_GOOD;
	snprintf(h->result->fault, sizeof h->result->fault, "address 0x%" PRIx64
	    ", offset %" PRIu64 ": 0x%016" PRIx64 " instead of 0x%016" PRIx64
	    " (the page that page %zu leads to)",
	    (uint64_t)(uintptr_t)(hog_page(h, page) + CONTENT_USER),
	    (uint64_t)page * h->page_bytes + CONTENT_USER * sizeof got, got,
	    want, page);
	return EXIT_CORRUPT;
}
