/*
 * merge: bottom-up merge sort.  Every pass reads all of one array in two
 * ascending streams and writes all of the other in one; runs double from
 * SORT_SMALL elements on.
 */
#include <string.h>

#include "sort.h"

static void make_runs(const int32_t *from, int32_t *to, size_t n);
static void merge_pass(const int32_t *from, int32_t *to, size_t n,
    size_t width);
static void merge_two(const int32_t *left, const int32_t *right,
    const int32_t *end, int32_t *to);

void
sort_merge(int32_t *a, size_t n, int32_t *scratch)
{
	int32_t *from, *to, *t;
	size_t width;
	unsigned passes = 0;

	for (width = SORT_SMALL; width < n; width *= 2)
		passes++;
	/* Start in the one from which the last pass ends in a. */
	from = passes % 2 == 0 ? a : scratch;
	to = passes % 2 == 0 ? scratch : a;
	make_runs(a, from, n);
	for (width = SORT_SMALL; width < n; width *= 2) {
		merge_pass(from, to, n, width);
		t = from;
		from = to;
		to = t;
	}
}

static void
make_runs(const int32_t *from, int32_t *to, size_t n)
{
	size_t length;

	for (size_t i = 0; i < n; i += length) {
		length = n - i < SORT_SMALL ? n - i : SORT_SMALL;
		if (from != to)
			memcpy(to + i, from + i, length * sizeof(*to));
		sort_small(to + i, length);
	}
}

static void
merge_pass(const int32_t *from, int32_t *to, size_t n, size_t width)
{
	size_t left, right;

	for (size_t i = 0; i < n; i += left + right) {
		left = n - i < width ? n - i : width;
		right = n - i - left < width ? n - i - left : width;
		merge_two(from + i, from + i + left, from + i + left + right,
		    to + i);
	}
}

/* Merge [left, right) with [right, end) into to; equal ones from the left. */
static void
merge_two(const int32_t *left, const int32_t *right, const int32_t *end,
    int32_t *to)
{
	const int32_t *middle = right;
	int32_t l, r;
	int take_right;

	while (left < middle && right < end) {
		l = *left;
		r = *right;
		take_right = r < l;
		*to++ = take_right ? r : l;
		right += take_right;
		left += !take_right;
	}
	memcpy(to, left, (size_t)(middle - left) * sizeof(*to));
	to += middle - left;
	memcpy(to, right, (size_t)(end - right) * sizeof(*to));
}
