/*
 * residency: where the pages of a mapping are, and how much memory is left.
 */
#ifndef QS_RESIDENCY_H
#define QS_RESIDENCY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct residency {
	uint64_t resident_bytes, swapped_bytes, locked_bytes;
};

/*
 * What PID/smaps (proc(5)) says about the mappings that lie between start and
 * end.  In memory shared with others, pages count as resident as soon as this
 * process has touched them.  Returns 0, or -1 with errno, ENODATA when there is
 * no such mapping.  The first reads those of this process.
 */
int residency_read(const void *start, size_t bytes, struct residency *r);
int residency_parse(FILE *smaps, uint64_t start, uint64_t end,
    struct residency *r);

/*
 * Bytes that can be had without swapping: MemAvailable, or what the memory
 * limit leaves to this process's group if that is less.  Returns 0, or -1 with
 * errno.  The second reads below root, as the readers of proc.h do.
 */
int residency_available(uint64_t *bytes);
int residency_available_at(const char *root, uint64_t *bytes);

#endif
