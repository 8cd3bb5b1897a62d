/*
 * heap: heap sort, which jumps to far places all the time; also what quick and
 * block leave a part to at their depth limit.
 */
#include "sort.h"

static inline void sift(int32_t *a, size_t root, size_t n);

void
sort_heap(int32_t *a, size_t n, int32_t *scratch)
{
	(void)scratch;
	for (size_t root = n / 2; root-- > 0;)
		sift(a, root, n);
	while (n > 1) {
		n--;
		sort_swap(&a[0], &a[n]);
		sift(a, 0, n);
	}
}

/* Let the value at root sink to where no child is greater. */
static inline void
sift(int32_t *a, size_t root, size_t n)
{
	int32_t value = a[root];
	size_t child;

	/* A root below n / 2 has a child; its index cannot overflow. */
	while (root < n / 2) {
		child = 2 * root + 1;
		if (child + 1 < n)
			child += a[child] < a[child + 1];
		if (a[child] <= value)
			break;
		a[root] = a[child];
		root = child;
	}
	a[root] = value;
}
