/*
 * contest: the memory load of contest (mem_load, 2002 to 2004): blocks of
 * 1 MiB, block i copied from block (i + n/2) mod n, in ascending order.
 */
#include <string.h>

#include "exits.h"
#include "hog.h"

/* Between two looks at the signal. */
#define PIECE_BYTES 65536

int
contest_copy(struct hog *h)
{
	const size_t block = PLAN_CONTEST_BLOCK, pages = block / h->page_bytes;
	size_t n = h->filled / pages, done;
	char *base = h->map.base;

	for (h->copied = 0; h->copied < n && !hog_ended(h); h->copied++) {
		char *to = base + h->copied * block;
		char *from = base + (h->copied + n / 2) % n * block;

		for (done = 0; done < block; done += PIECE_BYTES) {
			if (hog_asked())
				return EXIT_GOOD;
			/* With one block, or none to copy, it is itself. */
			memmove(to + done, from + done, PIECE_BYTES);
			pace_wait(&h->pace, h, PIECE_BYTES);
		}
		h->result->done = h->filled + h->copied * pages;
		h->result->read_pages += pages;
		h->result->written_pages += pages;
	}
	return EXIT_GOOD;
}

/* What is below was copied from above, what is above from below by then. */
size_t
contest_origin(size_t i, size_t n)
{
	size_t half = n / 2;

	if (i < n - half)
		return i + half;
	i -= n - half;
	return i < n - half ? i + half : i;
}

int
contest_verify(struct hog *h)
{
	size_t pages = PLAN_CONTEST_BLOCK / h->page_bytes;
	size_t n = h->filled / pages, block, origin;
	int status = EXIT_GOOD;

	for (size_t i = 0; i < n * pages && status == EXIT_GOOD &&
	    !hog_asked(); i++) {
		block = i / pages;
		origin = block < h->copied ? contest_origin(block, n) : block;
		status = verify_moved(h, i, origin * pages + i % pages);
	}
	return status;
}
