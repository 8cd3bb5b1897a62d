/*
 * sort: the table of algorithms, the depth limit, the sort of the C library.
 */
#include <stdlib.h>
#include <string.h>

#include "sort.h"

const struct sort_algorithm sort_algorithms[] = {
	{ "quick", "two streams towards each other, left part first; in place",
	    sort_quick, 0 },
	{ "block", "the same without branches, less CPU a page; in place",
	    sort_block, 0 },
	{ "heap", "far random accesses; in place", sort_heap, 0 },
	{ "merge", "streams over all, again and again; twice the memory",
	    sort_merge, 1 },
	{ "radix", "scatters to 256 places, then in each; in place",
	    sort_radix, 0 },
	{ "libc", "qsort(3) of the C library; memory as that needs",
	    sort_libc, 0 },
	{ NULL, NULL, NULL, 0 }
};

static int compare(const void *left, const void *right);

const struct sort_algorithm *
sort_find(const char *name)
{
	const struct sort_algorithm *s;

	for (s = sort_algorithms; s->name != NULL; s++)
		if (strcmp(s->name, name) == 0)
			return s;
	return NULL;
}

unsigned
sort_depth_limit(size_t n)
{
	unsigned log2 = 0;

	while ((n >>= 1) > 0)
		log2++;
	return 4 * log2;
}

void
sort_libc(int32_t *a, size_t n, int32_t *scratch)
{
	(void)scratch;
	if (n > 1)	/* an empty array may be a null pointer */
		qsort(a, n, sizeof(*a), compare);
}

static int
compare(const void *left, const void *right)
{
	int32_t l = *(const int32_t *)left, r = *(const int32_t *)right;

	return (l > r) - (l < r);
}
