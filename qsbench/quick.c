/*
 * quick: the historical quicksort, frozen.
 *
 * The pivot is the median of the first, middle and last value; Hoare's
 * partition (Computer Journal 5, 1962) scans from both ends; the left part is
 * sorted before the right one.  Parts of up to three elements, for which the
 * median of three is already all there is to do, are put in order at once.
 *
 * History knew no depth limit.  Past it a part is heap-sorted, so that stack
 * and time stay bounded on any input (Musser, Software 27, 1997); the data
 * that qsbench fills in does not get there.
 */
#include "sort.h"

static void quick(int32_t *lo, int32_t *hi, unsigned depth, unsigned limit,
    struct sort_stats *stats);
static inline int32_t median(int32_t a, int32_t b, int32_t c);

void
sort_quick(int32_t *a, size_t n, int32_t *scratch)
{
	struct sort_stats stats = { 0, 0, 0 };

	(void)scratch;
	sort_quick_within(a, n, sort_depth_limit(n), &stats);
}

void
sort_quick_within(int32_t *a, size_t n, unsigned depth_limit,
    struct sort_stats *stats)
{
	if (n > 1)
		quick(a, a + (n - 1), 0, depth_limit, stats);
}

/* lo and hi are the first and the last element. */
static void
quick(int32_t *lo, int32_t *hi, unsigned depth, unsigned limit,
    struct sort_stats *stats)
{
	int32_t *left, *right, pivot, l, r;

	for (; hi - lo > 2; lo = left, depth++) {
		if (depth >= limit) {
			stats->heaped += (uint64_t)(hi - lo) + 1;
			sort_heap(lo, (size_t)(hi - lo) + 1, NULL);
			return;
		}
		stats->partitioned += (uint64_t)(hi - lo) + 1;
		pivot = median(*lo, lo[(hi - lo) / 2], *hi);
		left = lo;
		right = hi;
		/* The pivot, then what was swapped, stops both scans. */
		for (;;) {
			while ((l = *left) < pivot)
				left++;
			while (pivot < (r = *right))
				right--;
			if (left >= right)
				break;
			*left++ = r;
			*right-- = l;
		}
		if (left == right) {
			left++;
			right--;
		}
		quick(lo, right, depth + 1, limit, stats);
	}
	if (hi - lo == 2) {
		sort_order(lo, lo + 1);
		sort_order(lo + 1, hi);
	}
	if (hi > lo)
		sort_order(lo, lo + 1);
	if (depth > stats->deepest)
		stats->deepest = depth;
}

static inline int32_t
median(int32_t a, int32_t b, int32_t c)
{
	int32_t lower = a < b ? a : b, upper = a < b ? b : a;

	return c < lower ? lower : c > upper ? upper : c;
}
