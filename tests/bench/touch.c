/*
 * touch: the limits that memhog is compared with: what the kernel needs to
 * populate memory, and memset(3) and content_fill to write it.
 *
 * usage: touch populate | memset | fill BYTES ROUNDS [thp]
 *
 * Maps memory, populated by the kernel or untouched, and writes all of it in
 * each of the rounds; populate does not write at all.  With thp, transparent
 * huge pages are asked for.
 */
#include <sys/mman.h>

#include <err.h>
#include <stdint.h>
#include <string.h>

#include "content.h"
#include "units.h"

static void write_all(const char *mode, char *memory, size_t bytes,
    uint64_t round);

int
main(int argc, char *argv[])
{
	uint64_t n, rounds;
	size_t bytes;
	char *memory;
	int flags = MAP_PRIVATE | MAP_ANONYMOUS;

	if (argc < 4 || argc > 5 || units_size(argv[2], 1, 0, &n) != NULL ||
	    n > SIZE_MAX / 2 || units_count(argv[3], 1000, &rounds) != NULL)
		errx(2, "usage: touch populate | memset | fill BYTES ROUNDS "
		    "[thp]");
	bytes = (size_t)n / CONTENT_BLOCK_BYTES * CONTENT_BLOCK_BYTES;
	if (strcmp(argv[1], "populate") == 0)
		flags |= MAP_POPULATE;
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (memory == MAP_FAILED)
		err(1, "mmap");
	if (argc == 5 && madvise(memory, bytes, MADV_HUGEPAGE) == -1)
		err(1, "madvise");
	for (uint64_t i = 0; i < rounds; i++)
		write_all(argv[1], memory, bytes, i);
	return 0;
}

static void
write_all(const char *mode, char *memory, size_t bytes, uint64_t round)
{
	struct content c;

	content_init(&c, 1, 1000);
	if (strcmp(mode, "memset") == 0)
		memset(memory, (int)round + 1, bytes);
	else if (strcmp(mode, "fill") == 0)
		content_fill(memory, bytes / CONTENT_BLOCK_BYTES, &c, 0,
		    round);
}
