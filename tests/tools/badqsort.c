/*
 * badqsort: a qsort(3) that is preloaded, sorts, and then spoils the result as
 * BADQSORT says: disorder, duplicate, page, or none.
 *
 * It says on stderr that it was called, so that a test sees whether it was
 * preloaded at all.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE sizeof(int32_t)

static void sort(int32_t *a, size_t n);

void
qsort(void *base, size_t n, size_t size,
    int (*compare)(const void *, const void *))
{
	const char *how = getenv("BADQSORT");
	int32_t *a = base, t;

	(void)compare;
	if (size != SIZE || how == NULL)
		abort();
	fputs("badqsort\n", stderr);
	sort(a, n);
	if (strcmp(how, "disorder") == 0) {
		t = a[n / 2];
		a[n / 2] = a[n / 2 + 1];
		a[n / 2 + 1] = t;
	} else if (strcmp(how, "duplicate") == 0) {
		a[n / 2] = a[n / 2 - 1];
	} else if (strcmp(how, "page") == 0) {
		memset(a, 0, 1024 * SIZE);
	}
}

/* Shell's sort: short, and fast enough for a test. */
static void
sort(int32_t *a, size_t n)
{
	size_t gap, i, k;
	int32_t value;

	for (gap = n / 2; gap > 0; gap = gap * 5 / 11) {
		for (i = gap; i < n; i++) {
			value = a[i];
			for (k = i; k >= gap && a[k - gap] > value; k -= gap)
				a[k] = a[k - gap];
			a[k] = value;
		}
	}
}
