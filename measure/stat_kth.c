/*
 * stat_kth: order statistics of pairs, and tails of counted distributions.
 *
 * Nothing here takes quadratic time: the k-th smallest of all n * m differences
 * is found by bisection over the ordered doubles, each step counting in n + m.
 */
#include <math.h>
#include <string.h>

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

/* The k-th smallest (1-based) difference or average. */
static double
select_kth(const struct stat_pairs *p, uint64_t k)
{
	uint64_t lo, hi, mid;

	if (p->y != NULL) {
		lo = order_of(p->y[0] - p->x[p->n - 1]);
		hi = order_of(p->y[p->m - 1] - p->x[0]);
	} else {
		lo = order_of(walsh(p, 0, 0));
		hi = order_of(walsh(p, p->n - 1, p->n - 1));
	}
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (count_up_to(p, value_of(mid)) >= k)
			hi = mid;
		else
			lo = mid + 1;
	}
	return value_of(lo);
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
