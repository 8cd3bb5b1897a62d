/*
 * rng: what rng_rand_fill costs against calling rand() in a loop.
 *
 * The same array is filled by either in turn, so that both see the same state
 * of the machine; the array is in memory before the first pair.  Prints one
 * row: ns per value of each, and their ratio, all medians over the pairs.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "exits.h"
#include "rng.h"

#define PAIRS 21
#define VALUES (1 << 20)

static double fill_by_rand(int32_t *);
static double fill_by_rng(int32_t *);
static double median(double *, size_t);

int
main(void)
{
	double libc[PAIRS], ours[PAIRS], ratio[PAIRS];
	int32_t *values;
	size_t i;

	if ((values = malloc(VALUES * sizeof(*values))) == NULL)
		err(EXIT_MEMORY, "malloc");
	memset(values, 1, VALUES * sizeof(*values));
	for (i = 0; i < PAIRS; i++) {
		libc[i] = fill_by_rand(values);
		ours[i] = fill_by_rng(values);
		ratio[i] = libc[i] / ours[i];
	}
	free(values);
	printf("pairs\tvalues\trand_ns\trng_rand_fill_ns\trand_per_fill\n");
	printf("%d\t%d\t%.3f\t%.3f\t%.1f\n", PAIRS, VALUES,
	    median(libc, PAIRS), median(ours, PAIRS), median(ratio, PAIRS));
	if (exits_flush_stdout() == -1)
		err(EXIT_FAILED, "stdout");
	return EXIT_GOOD;
}

static double
fill_by_rand(int32_t *values)
{
	uint64_t start;
	size_t i;

	srand(140175100);
	start = clock_now_ns();
	for (i = 0; i < VALUES; i++)
		values[i] = rand();
	return (double)(clock_now_ns() - start) / VALUES;
}

static double
fill_by_rng(int32_t *values)
{
	struct rng_rand r;
	uint64_t start;

	rng_rand_seed(&r, 140175100);
	start = clock_now_ns();
	rng_rand_fill(&r, values, VALUES);
	return (double)(clock_now_ns() - start) / VALUES;
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of an odd number of values; sorts them. */
static double
median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), ascending);
	return v[n / 2];
}
