/*
 * stat_rank: Wilcoxon's rank sum test, and Holm's adjustment.
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stat_kth.h"
#include "stat_rank.h"

#define EXACT_SIDE 30		/* without ties */
#define EXACT_TIES 40		/* values in all, with ties */
#define ONE_SIDED_95 0.025
#define ONE_SIDED_90 0.05

void
stat_rank_sum_counts(double *count, size_t n, size_t m)
{
	size_t top = n * m, half = top / 2;

	/*
	 * The generating function prod (1 - q^(m+i)) / (1 - q^i), i = 1..n:
	 * multiplied and divided in place, as all partial products are
	 * polynomials; only the lower half, since differences of large
	 * numbers would spoil the upper tail, which mirrors the lower.
	 */
	memset(count, 0, (top + 1) * sizeof *count);
	count[0] = 1;
	for (size_t i = 1; i <= n; i++) {
		for (size_t u = half; u >= m + i; u--)
			count[u] -= count[u - m - i];
		for (size_t u = i; u <= half; u++)
			count[u] += count[u - i];
	}
	for (size_t u = half + 1; u <= top; u++)
		count[u] = count[top - u];
}

/* Twice the midranks of x and y in the merged order, and the ties' sum. */
struct midranks {
	unsigned *twice;	/* n + m ranks, ascending; only when small */
	double sum_y;		/* rank sum of y */
	double ties;		/* sum of t^3 - t over the groups of ties */
};

static int
rank_both(struct midranks *r, const double *x, size_t n, const double *y,
    size_t m)
{
	size_t i = 0, j = 0, from, in_x, in_y, all;
	double v, rank, t;

	r->twice = NULL;
	r->sum_y = r->ties = 0;
	if (n + m <= EXACT_TIES) {
		r->twice = calloc(n + m, sizeof *r->twice);
		if (r->twice == NULL)
			return -1;
	}
	while (i < n || j < m) {
		v = j == m || (i < n && x[i] < y[j]) ? x[i] : y[j];
		from = i + j;
		for (in_x = 0; i < n && x[i] == v; in_x++)
			i++;
		for (in_y = 0; j < m && y[j] == v; in_y++)
			j++;
		all = in_x + in_y;
		t = (double)all;
		rank = (double)from + (t + 1) / 2;
		r->sum_y += rank * (double)in_y;
		r->ties += t * t * t - t;
		for (size_t k = 0; r->twice != NULL && k < all; k++)
			r->twice[from + k] = (unsigned)(2 * from + all + 1);
	}
	return 0;
}

/*
 * How many of the ways to choose m of the ranks give each (doubled) sum: ways
 * is a table of (m + 1) rows of top + 1 sums; the last row is the answer.
 */
static double *
tied_counts(const unsigned *twice, size_t all, size_t m, size_t top)
{
	size_t width = top + 1, seen = 0;
	double *ways = calloc((m + 1) * width, sizeof *ways);

	if (ways == NULL)
		return NULL;
	ways[0] = 1;
	for (size_t i = 0; i < all; i++) {
		seen += twice[i];
		for (size_t k = i + 1 < m ? i + 1 : m; k >= 1; k--)
			for (size_t s = seen; s >= twice[i]; s--)
				ways[k * width + s] +=
				    ways[(k - 1) * width + s - twice[i]];
	}
	return ways;
}

static int
p_with_ties(struct stat_shift *s, const struct midranks *r, size_t n, size_t m)
{
	size_t top = (n + m) * (n + m + 1);
	double *ways = tied_counts(r->twice, n + m, m, top), *last;

	if (ways == NULL)
		return -1;
	last = ways + m * (top + 1);
	s->p = stat_tails(last, top, (size_t)llround(2 * r->sum_y),
	    stat_tails_all(last, top));
	s->exact = 1;
	free(ways);
	return 0;
}

/* p and the ranks of the interval's ends, from the exact distribution. */
static int
exact_sum(struct stat_shift *s, const struct midranks *r, size_t n, size_t m,
    uint64_t k[2])
{
	size_t top = n * m;
	double *count = malloc((top + 1) * sizeof *count), all;

	if (count == NULL)
		return -1;
	stat_rank_sum_counts(count, n, m);
	all = stat_tails_all(count, top);
	k[0] = stat_kth_exact(count, top, all, ONE_SIDED_95);
	k[1] = stat_kth_exact(count, top, all, ONE_SIDED_90);
	if (r->ties == 0) {
		s->p = stat_tails(count, top, (size_t)llround(r->sum_y -
		    (double)m * ((double)m + 1) / 2), all);
		s->exact = 1;
	}
	free(count);
	return 0;
}

static int
rank_sum_p(struct stat_shift *s, const double *x, size_t n, const double *y,
    size_t m, uint64_t k[2])
{
	double dn = (double)n, dm = (double)m, all = dn + dm, mean, sd;
	struct midranks r;
	int failed = 0;

	if (rank_both(&r, x, n, y, m) == -1)
		return -1;
	mean = dn * dm / 2;
	sd = sqrt(dn * dm / 12 * (all + 1));
	k[0] = stat_kth_normal(mean, sd, ONE_SIDED_95);
	k[1] = stat_kth_normal(mean, sd, ONE_SIDED_90);
	sd = sqrt(dn * dm / 12 * (all + 1 - r.ties / (all * (all - 1))));
	s->p = stat_tails_normal(r.sum_y - dm * (dm + 1) / 2, mean, sd);
	if (n <= EXACT_SIDE && m <= EXACT_SIDE)
		failed = exact_sum(s, &r, n, m, k);
	if (!failed && r.ties > 0 && r.twice != NULL)
		failed = p_with_ties(s, &r, n, m);
	free(r.twice);
	return failed;
}

int
stat_rank_sum(struct stat_shift *s, const double *x, size_t n,
    const double *y, size_t m)
{
	struct stat_pairs p = { x, y, n, m };
	uint64_t all = (uint64_t)n * m, k[2];

	*s = (struct stat_shift){ 1, 0, NAN, NAN, NAN, NAN, NAN };
	if (n == 0 || m == 0)
		return 0;
	if (rank_sum_p(s, x, n, y, m, k) == -1)
		return -1;
	s->shift = stat_kth_median(&p, all);
	stat_kth_interval(&p, all, k[0], &s->lo95, &s->hi95);
	stat_kth_interval(&p, all, k[1], &s->lo90, &s->hi90);
	return 0;
}

struct holm {
	double p;
	size_t at;
};

static int
by_p(const void *a, const void *b)
{
	double x = ((const struct holm *)a)->p, y = ((const struct holm *)b)->p;

	return (x > y) - (x < y);
}

int
stat_holm(double *p, size_t k)
{
	struct holm *h = malloc((k > 0 ? k : 1) * sizeof *h);
	size_t n = 0;
	double worst = 0, adjusted;

	if (h == NULL)
		return -1;
	for (size_t i = 0; i < k; i++)
		if (!isnan(p[i]))
			h[n++] = (struct holm){ p[i], i };
	qsort(h, n, sizeof *h, by_p);
	for (size_t i = 0; i < n; i++) {
		adjusted = h[i].p * (double)(n - i);
		worst = adjusted > worst ? adjusted : worst;
		p[h[i].at] = worst < 1 ? worst : 1;
	}
	free(h);
	return 0;
}
