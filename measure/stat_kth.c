/*
 * stat_kth: order statistics of pairs, and tails of counted distributions.
 *
 * Nothing here takes quadratic time: the k-th smallest of all n * m differences
 * is found by bisection over the ordered doubles, each step counting in n + m.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat_desc.h"
#include "stat_dist.h"
#include "stat_kth.h"

/* Doubles in the order of their values as unsigned integers, and back. */
static uint64_t
order_of(double d)
{
	uint64_t u;

	memcpy(&u, &d, sizeof u);
	return u >> 63 ? ~u : u | UINT64_C(1) << 63;
}

static double
value_of(uint64_t u)
{
	double d;

	u = u >> 63 ? u & ~(UINT64_C(1) << 63) : ~u;
	memcpy(&d, &u, sizeof d);
	return d;
}

static double
walsh(const struct stat_pairs *p, size_t i, size_t j)
{
	return p->x[i] / 2 + p->x[j] / 2;
}

/* How many differences y - x, or averages of i <= j, are at most t. */
static uint64_t
count_up_to(const struct stat_pairs *p, double t)
{
	uint64_t count = 0;
	size_t k;

	if (p->y != NULL) {
		k = 0;
		for (size_t j = 0; j < p->m; j++) {
			while (k < p->n && p->y[j] - p->x[k] > t)
				k++;
			count += p->n - k;
		}
		return count;
	}
	k = p->n;
	for (size_t i = 0; i < p->n; i++) {
		while (k > 0 && walsh(p, i, k - 1) > t)
			k--;
		if (k <= i)
			break;
		count += k - i;
	}
	return count;
}

static double
least(const struct stat_pairs *p)
{
	return p->y != NULL ? p->y[0] - p->x[p->n - 1] : walsh(p, 0, 0);
}

static double
greatest(const struct stat_pairs *p)
{
	return p->y != NULL ? p->y[p->m - 1] - p->x[0] :
	    walsh(p, p->n - 1, p->n - 1);
}

/* All values in (lo, hi], few as they are, into out. */
static size_t
list_between(const struct stat_pairs *p, double lo, double hi, double *out)
{
	size_t from = 0, to = 0, n = 0;

	if (p->y != NULL) {
		/* differences fall along x: those wanted are x[from..to) */
		for (size_t j = 0; j < p->m; j++) {
			while (from < p->n && p->y[j] - p->x[from] > hi)
				from++;
			while (to < p->n && p->y[j] - p->x[to] > lo)
				to++;
			for (size_t i = from; i < to; i++)
				out[n++] = p->y[j] - p->x[i];
		}
		return n;
	}
	from = to = p->n;
	for (size_t i = 0; i < p->n; i++) {
		while (to > 0 && walsh(p, i, to - 1) > hi)
			to--;
		while (from > 0 && walsh(p, i, from - 1) > lo)
			from--;
		for (size_t j = from > i ? from : i; j < to; j++)
			out[n++] = walsh(p, i, j);
	}
	return n;
}

struct bracket {
	double lo, hi;		/* the k-th is in (lo, hi] */
	uint64_t below, up_to;	/* how many are <= lo, <= hi */
};

/*
 * Where to look next: by interpolation, as the values lie about evenly in a
 * narrow bracket; every third time by halving the ordered doubles between, so
 * that no input takes more than some 200 steps.
 */
static double
next_guess(const struct bracket *b, uint64_t k, int step)
{
	uint64_t lo = order_of(b->lo), hi = order_of(b->hi);
	double share, t;

	if (step % 3 != 2) {
		share = ((double)(k - b->below) - 0.5) /
		    (double)(b->up_to - b->below);
		t = b->lo + (b->hi - b->lo) * share;
		if (t > b->lo && t < b->hi)
			return t;
	}
	return value_of(lo + (hi - lo) / 2);
}

/*
 * The k-th smallest (1-based) difference or average: narrowed until few are
 * left, which are then sorted.  Without memory for those it is narrowed on,
 * until one is left.
 */
static double
select_kth(const struct stat_pairs *p, uint64_t k)
{
	uint64_t few = (p->n + p->m) / 16 + 64, count;
	struct bracket b = { 0, greatest(p), 0, 0 };
	double *list, t;

	b.lo = nextafter(least(p), -INFINITY);
	b.up_to = p->y != NULL ? (uint64_t)p->n * p->m :
	    (uint64_t)p->n * (p->n + 1) / 2;
	list = malloc((size_t)few * sizeof *list);	/* a 16th of p's own */
	for (int step = 0; order_of(b.lo) + 1 < order_of(b.hi); step++) {
		if (list != NULL && b.up_to - b.below <= few)
			break;
		t = next_guess(&b, k, step);
		count = count_up_to(p, t);
		if (count >= k) {
			b.hi = t;
			b.up_to = count;
		} else {
			b.lo = t;
			b.below = count;
		}
	}
	t = b.hi;
	if (list != NULL && b.up_to - b.below <= few) {
		stat_sort(list, list_between(p, b.lo, b.hi, list));
		t = list[k - b.below - 1];
	}
	free(list);
	return t;
}

double
stat_kth_median(const struct stat_pairs *p, uint64_t all)
{
	double a = select_kth(p, (all + 1) / 2), b;

	if (all % 2 == 1)
		return a;
	b = select_kth(p, all / 2 + 1);
	return a + (b - a) / 2;
}

/* The interval from the k-th to the k-th last; none for k = 0. */
void
stat_kth_interval(const struct stat_pairs *p, uint64_t all, uint64_t k,
    double *lo, double *hi)
{
	*lo = *hi = NAN;
	if (k == 0)
		return;
	*lo = select_kth(p, k);
	*hi = select_kth(p, all + 1 - k);
}

/* The greatest k with P(statistic <= k - 1) <= room, from exact counts. */
uint64_t
stat_kth_exact(const double *count, size_t top, double all, double room)
{
	double sum = 0;

	for (size_t k = 0; k <= top; k++) {
		sum += count[k];
		if (sum > room * all * (1 + 1e-12))
			return k;
	}
	return top;
}

/* The same from the normal approximation, with continuity correction. */
uint64_t
stat_kth_normal(double mean, double sd, double room)
{
	double k = floor(mean + sd * stat_norm_quantile(room) + 0.5);

	return k > 0 ? (uint64_t)k : 0;
}

double
stat_tails(const double *count, size_t top, size_t at, double all)
{
	double below = 0, above = 0, p;

	for (size_t i = 0; i <= at; i++)
		below += count[i];
	for (size_t i = at; i <= top; i++)
		above += count[i];
	p = 2 * (below < above ? below : above) / all;
	return p < 1 ? p : 1;
}

double
stat_tails_normal(double stat, double mean, double sd)
{
	double z = fabs(stat - mean) - 0.5;

	if (!(sd > 0) || z <= 0)
		return 1;
	return 2 * stat_norm_cdf(-z / sd);
}

double
stat_tails_all(const double *count, size_t top)
{
	double sum = 0;

	for (size_t i = 0; i <= top; i++)
		sum += count[i];
	return sum;
}
