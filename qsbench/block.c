/*
 * block: quicksort whose partition has no branch that depends on the data,
 * after the idea of BlockQuicksort (Edelkamp and Weiss, ESA 2016).
 *
 * Each end of the part is looked at in blocks of BLOCK elements: first only the
 * offsets of those that stand on the wrong side are written down, by counting
 * and not by branching; then as many as both sides have are exchanged.  Pivot,
 * direction and order of the parts are those of quick, so pages are touched
 * in the same order.  The pivot waits at the end of the part, outside of both.
 */
#include "sort.h"

#define BLOCK 128	/* offsets fit an unsigned char */

struct side {
	unsigned char offset[BLOCK];
	size_t first, count;		/* offsets not yet used */
};

static void block(int32_t *lo, int32_t *end, unsigned depth, unsigned limit,
    struct sort_stats *stats);
static int32_t *partition(int32_t *lo, int32_t *end, int32_t pivot);
static int32_t *finish(int32_t *lo, int32_t *end, struct side *l,
    struct side *r);
static inline void scan_left(struct side *s, const int32_t *lo, size_t n,
    int32_t pivot);
static inline void scan_right(struct side *s, const int32_t *end, size_t n,
    int32_t pivot);
static inline void exchange(int32_t *lo, int32_t *end, struct side *l,
    struct side *r);

void
sort_block(int32_t *a, size_t n, int32_t *scratch)
{
	struct sort_stats stats = { 0, 0, 0 };

	(void)scratch;
	sort_block_within(a, n, sort_depth_limit(n), &stats);
}

void
sort_block_within(int32_t *a, size_t n, unsigned depth_limit,
    struct sort_stats *stats)
{
	if (n > 1)
		block(a, a + n, 0, depth_limit, stats);
}

/* end is one past the last element. */
static void
block(int32_t *lo, int32_t *end, unsigned depth, unsigned limit,
    struct sort_stats *stats)
{
	int32_t *middle, *last, *split;

	for (; end - lo > SORT_SMALL; lo = split + 1, depth++) {
		if (depth >= limit) {
			stats->heaped += (uint64_t)(end - lo);
			sort_heap(lo, (size_t)(end - lo), NULL);
			return;
		}
		stats->partitioned += (uint64_t)(end - lo);
		last = end - 1;
		middle = lo + (last - lo) / 2;
		/* first <= last <= middle: the median stands last. */
		sort_order(lo, last);
		sort_order(lo, middle);
		sort_order(last, middle);
		split = partition(lo, last, *last);
		sort_swap(split, last);
		block(lo, split, depth + 1, limit, stats);
	}
	sort_small(lo, (size_t)(end - lo));
	if (depth > stats->deepest)
		stats->deepest = depth;
}

/*
 * Returns where the right part starts: nothing before it is greater than the
 * pivot, nothing from there to end is less.
 */
static int32_t *
partition(int32_t *lo, int32_t *end, int32_t pivot)
{
	struct side l, r;
	size_t rest, left, right;

	l.first = l.count = r.first = r.count = 0;
	while (end - lo > 2 * BLOCK) {
		if (l.count == 0)
			scan_left(&l, lo, BLOCK, pivot);
		if (r.count == 0)
			scan_right(&r, end, BLOCK, pivot);
		exchange(lo, end, &l, &r);
		if (l.count == 0)
			lo += BLOCK;
		if (r.count == 0)
			end -= BLOCK;
	}
	/* At most one side has offsets left; the other takes the rest. */
	rest = (size_t)(end - lo);
	left = l.count > 0 ? BLOCK : r.count > 0 ? rest - BLOCK : rest / 2;
	right = rest - left;
	if (l.count == 0)
		scan_left(&l, lo, left, pivot);
	if (r.count == 0)
		scan_right(&r, end, right, pivot);
	exchange(lo, end, &l, &r);
	if (l.count == 0)
		lo += left;
	if (r.count == 0)
		end -= right;
	return finish(lo, end, &l, &r);
}

/* One side has wrong ones left: move them to the border, the farthest last. */
static int32_t *
finish(int32_t *lo, int32_t *end, struct side *l, struct side *r)
{
	if (l->count > 0) {
		while (l->count-- > 0)
			sort_swap(lo + l->offset[l->first + l->count], --end);
		return end;
	}
	while (r->count-- > 0)
		sort_swap(end - 1 - r->offset[r->first + r->count], lo++);
	return lo;
}

static inline void
scan_left(struct side *s, const int32_t *lo, size_t n, int32_t pivot)
{
	size_t count = 0;

	for (size_t k = 0; k < n; k++) {
		s->offset[count] = (unsigned char)k;
		count += !(lo[k] < pivot);
	}
	s->first = 0;
	s->count = count;
}

static inline void
scan_right(struct side *s, const int32_t *end, size_t n, int32_t pivot)
{
	size_t count = 0;

	for (size_t k = 0; k < n; k++) {
		s->offset[count] = (unsigned char)k;
		count += !(pivot < *--end);
	}
	s->first = 0;
	s->count = count;
}

/* A cycle through all of them moves each once, where swaps would move twice. */
static inline void
exchange(int32_t *lo, int32_t *end, struct side *l, struct side *r)
{
	size_t n = l->count < r->count ? l->count : r->count;
	const unsigned char *lefts = l->offset + l->first;
	const unsigned char *rights = r->offset + r->first;
	int32_t *left, *right, held;

	if (n == 0)
		return;
	left = lo + lefts[0];
	right = end - 1 - rights[0];
	held = *left;
	*left = *right;
	for (size_t k = 1; k < n; k++) {
		left = lo + lefts[k];
		*right = *left;
		right = end - 1 - rights[k];
		*left = *right;
	}
	*right = held;
	l->first += n;
	l->count -= n;
	r->first += n;
	r->count -= n;
}
