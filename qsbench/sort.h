/*
 * sort: the sort algorithms of qsbench, each of them the memory access pattern
 * that a person wants to put on the system.
 *
 * All of them sort int32_t ascending and are right for any input and for any n
 * that fits into memory.  The order in which quick touches pages is frozen: a
 * change of it, or of the data that is filled in, raises
 * SORT_WORKLOAD_VERSION.
 */
#ifndef QS_SORT_H
#define QS_SORT_H

#include <stddef.h>
#include <stdint.h>

#define SORT_WORKLOAD_VERSION 1

/* scratch is as long as a, or NULL for an algorithm that needs none. */
typedef void sort_function(int32_t *a, size_t n, int32_t *scratch);

struct sort_algorithm {
	const char *name;
	const char *pattern;	/* a few words for the help text */
	sort_function *sort;
	unsigned scratch;	/* arrays of n elements beside the data */
};

/* The algorithms, the default first; ends with a NULL name. */
extern const struct sort_algorithm sort_algorithms[];

/* The algorithm of that name, or NULL. */
const struct sort_algorithm *sort_find(const char *name);

void sort_quick(int32_t *a, size_t n, int32_t *scratch);
void sort_block(int32_t *a, size_t n, int32_t *scratch);
void sort_heap(int32_t *a, size_t n, int32_t *scratch);
void sort_merge(int32_t *a, size_t n, int32_t *scratch);
void sort_radix(int32_t *a, size_t n, int32_t *scratch);
void sort_libc(int32_t *a, size_t n, int32_t *scratch);

/*
 * The rest is for the algorithms themselves and for their tests.
 */

/* What a sort by partitions did. */
struct sort_stats {
	uint64_t partitioned;	/* elements in all partitioned parts */
	uint64_t heaped;	/* elements of parts left to the heap sort */
	unsigned deepest;	/* partitions above the deepest part */
};

/* Depth from which on a part is heap-sorted: 4 log2 n, 0 for n < 2. */
unsigned sort_depth_limit(size_t n);

/* As sort_quick and sort_block, with a depth limit; adds to *stats. */
void sort_quick_within(int32_t *a, size_t n, unsigned depth_limit,
    struct sort_stats *stats);
void sort_block_within(int32_t *a, size_t n, unsigned depth_limit,
    struct sort_stats *stats);

/* Sort up to SORT_SMALL elements by a sorting network, without branches. */
#define SORT_SMALL 8
void sort_small(int32_t *a, size_t n);

/* Put two values in order; written so that compilers make no branch of it. */
static inline void
sort_order(int32_t *x, int32_t *y)
{
	int32_t a = *x, b = *y;

	*x = a < b ? a : b;
	*y = a < b ? b : a;
}

static inline void
sort_swap(int32_t *x, int32_t *y)
{
	int32_t t = *x;

	*x = *y;
	*y = t;
}

#endif
