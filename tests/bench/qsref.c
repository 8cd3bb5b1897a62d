/*
 * qsref: the least that does what qsbench does, for comparison: fill an array
 * by rand(3), quicksort it by the same rule, count what is out of order.
 *
 *	qsref count [seed]
 *
 * As one would write it in an afternoon, so no sizes are checked, nothing but
 * the order is, and it is for one process.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

static void quicksort(int *, long, long);
static int median(int, int, int);

int
main(int argc, char *argv[])
{
	long n, i, disorder = 0;
	int *a;

	if (argc < 2 || (n = atol(argv[1])) < 1) {
		fprintf(stderr, "usage: qsref count [seed]\n");
		return 2;
	}
	if ((a = malloc((size_t)n * sizeof(*a))) == NULL)
		err(4, "malloc");
	srand(argc > 2 ? (unsigned)atol(argv[2]) : 1);
	for (i = 0; i < n; i++)
		a[i] = rand();
	quicksort(a, 0, n - 1);
	for (i = 1; i < n; i++)
		disorder += a[i] < a[i - 1];
	free(a);
	if (disorder > 0)
		errx(3, "%ld elements out of order", disorder);
	return 0;
}

static void
quicksort(int *a, long first, long last)
{
	long i = first, j = last;
	int pivot = median(a[first], a[first + (last - first) / 2], a[last]);
	int t;

	do {
		while (a[i] < pivot)
			i++;
		while (pivot < a[j])
			j--;
		if (i <= j) {
			t = a[i];
			a[i] = a[j];
			a[j] = t;
			i++;
			j--;
		}
	} while (i <= j);
	if (first < j)
		quicksort(a, first, j);
	if (i < last)
		quicksort(a, i, last);
}

static int
median(int a, int b, int c)
{
	if (a < b)
		return b < c ? b : a < c ? c : a;
	return a < c ? a : b < c ? c : b;
}
