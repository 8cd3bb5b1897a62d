/*
 * touch: the limits that memhog is compared with: how fast the kernel populates
 * memory, and memset(3) writes memory that is there.
 *
 * usage: touch BYTES ROUNDS
 *
 * Prints lines "NAME bytes_per_second": populate (mmap with MAP_POPULATE),
 * first (memset of untouched memory), and, the best of ROUNDS each, memset and
 * fill (content_fill of ratio 1) over resident memory.
 */
#include <sys/mman.h>

#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "content.h"
#include "units.h"

static double speed(size_t bytes, uint64_t start_ns);
static void *map(size_t bytes, int flags);

int
main(int argc, char *argv[])
{
	double populate, first, set = 0, fill = 0, now;
	struct content c;
	uint64_t n, rounds, start;
	size_t bytes;
	char *memory;

	if (argc != 3 || units_size(argv[1], 1, 0, &n) != NULL ||
	    n < CONTENT_BLOCK_BYTES || n > SIZE_MAX / 2 ||
	    units_count(argv[2], 1000, &rounds) != NULL)
		errx(2, "usage: touch BYTES ROUNDS");
	bytes = (size_t)n / CONTENT_BLOCK_BYTES * CONTENT_BLOCK_BYTES;

	start = clock_now_ns();
	memory = map(bytes, MAP_POPULATE);
	populate = speed(bytes, start);
	munmap(memory, bytes);

	memory = map(bytes, 0);
	start = clock_now_ns();
	memset(memory, 1, bytes);
	first = speed(bytes, start);

	content_init(&c, 1, 1000);
	for (uint64_t i = 0; i < rounds; i++) {
		start = clock_now_ns();
		memset(memory, (int)i, bytes);
		now = speed(bytes, start);
		set = now > set ? now : set;
		start = clock_now_ns();
		content_fill(memory, bytes / CONTENT_BLOCK_BYTES, &c, 0, i);
		now = speed(bytes, start);
		fill = now > fill ? now : fill;
	}
	printf("populate %.0f\nfirst %.0f\nmemset %.0f\nfill %.0f\n", populate,
	    first, set, fill);
	return 0;
}

static double
speed(size_t bytes, uint64_t start_ns)
{
	return (double)bytes * (double)CLOCK_NS_PER_S /
	    (double)(clock_now_ns() - start_ns);
}

static void *
map(size_t bytes, int flags)
{
	void *m = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	if (m == MAP_FAILED)
		err(1, "mmap");
	return m;
}
