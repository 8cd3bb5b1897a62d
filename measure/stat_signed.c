/*
 * stat_signed: Wilcoxon's signed rank test.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat_kth.h"
#include "stat_rank.h"

#define EXACT_PAIRS 30
#define ONE_SIDED_95 0.025
#define ONE_SIDED_90 0.05

void
stat_signed_rank_counts(double *count, size_t n)
{
	size_t top = n * (n + 1) / 2;

	memset(count, 0, (top + 1) * sizeof *count);
	count[0] = 1;
	for (size_t i = 1; i <= n; i++)
		for (size_t v = top; v >= i; v--)
			count[v] += count[v - i];
}

struct sized {
	double size;
	int positive;
};

static int
by_size(const void *a, const void *b)
{
	double x = ((const struct sized *)a)->size;
	double y = ((const struct sized *)b)->size;

	return (x > y) - (x < y);
}

/* The doubled signed-rank distribution for any ties: sums 0 .. n(n+1). */
static int
exact_signed(struct stat_shift *s, const unsigned *twice, size_t n, size_t at)
{
	size_t top = n * (n + 1);
	double *count = calloc(top + 1, sizeof *count);

	if (count == NULL)
		return -1;
	count[0] = 1;
	for (size_t i = 0; i < n; i++)
		for (size_t v = top; v >= twice[i]; v--)
			count[v] += count[v - twice[i]];
	s->p = stat_tails(count, top, at, stat_tails_all(count, top));
	s->exact = 1;
	free(count);
	return 0;
}

/* Ranks of the nonzero differences; z has their sizes in ascending order. */
static int
signed_rank_p(struct stat_shift *s, const struct sized *z, size_t n)
{
	unsigned twice[EXACT_PAIRS];
	double sum = 0, ties = 0, dn = (double)n, rank, t;
	size_t j;

	for (size_t i = 0; i < n; i = j) {
		for (j = i; j < n && z[j].size == z[i].size; j++)
			;
		t = (double)(j - i);
		ties += t * t * t - t;
		rank = ((double)i + (double)j + 1) / 2;
		for (size_t k = i; k < j; k++) {
			sum += z[k].positive ? rank : 0;
			if (n <= EXACT_PAIRS)
				twice[k] = (unsigned)(i + j + 1);
		}
	}
	if (n <= EXACT_PAIRS)
		return exact_signed(s, twice, n, (size_t)llround(2 * sum));
	s->p = stat_tails_normal(sum, dn * (dn + 1) / 4,
	    sqrt(dn * (dn + 1) * (2 * dn + 1) / 24 - ties / 48));
	return 0;
}

static int
signed_rank_ends(size_t n, uint64_t k[2])
{
	double dn = (double)n, mean = dn * (dn + 1) / 4, sd, all, *count;
	size_t top = n * (n + 1) / 2;

	sd = sqrt(dn * (dn + 1) * (2 * dn + 1) / 24);
	k[0] = stat_kth_normal(mean, sd, ONE_SIDED_95);
	k[1] = stat_kth_normal(mean, sd, ONE_SIDED_90);
	if (n > EXACT_PAIRS)
		return 0;
	count = malloc((top + 1) * sizeof *count);
	if (count == NULL)
		return -1;
	stat_signed_rank_counts(count, n);
	all = ldexp(1, (int)n);
	k[0] = stat_kth_exact(count, top, all, ONE_SIDED_95);
	k[1] = stat_kth_exact(count, top, all, ONE_SIDED_90);
	free(count);
	return 0;
}

int
stat_signed_rank(struct stat_shift *s, const double *d, size_t n)
{
	struct stat_pairs p = { d, NULL, n, 0 };
	uint64_t all = (uint64_t)n * (n + 1) / 2, k[2];
	struct sized *z;
	size_t nonzero = 0;
	int failed = 0;

	*s = (struct stat_shift){ 1, 0, NAN, NAN, NAN, NAN, NAN };
	if (n == 0)
		return 0;
	z = malloc(n * sizeof *z);
	if (z == NULL)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (d[i] != 0)
			z[nonzero++] = (struct sized){ fabs(d[i]), d[i] > 0 };
	qsort(z, nonzero, sizeof *z, by_size);
	if (nonzero > 0)
		failed = signed_rank_p(s, z, nonzero);
	free(z);
	if (failed || signed_rank_ends(n, k) == -1)
		return -1;
	s->shift = stat_kth_median(&p, all);
	stat_kth_interval(&p, all, k[0], &s->lo95, &s->hi95);
	stat_kth_interval(&p, all, k[1], &s->lo90, &s->hi90);
	return 0;
}
