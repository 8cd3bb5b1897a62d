/*
 * stat_kth: what the rank tests share: order statistics of all differences or
 * averages of pairs, and tails of counted distributions.
 */
#ifndef QS_STAT_KTH_H
#define QS_STAT_KTH_H

#include <stddef.h>
#include <stdint.h>

/* Where the k-th smallest is sought; both sides sorted ascending. */
struct stat_pairs {
	const double *x;	/* differences y - x, all n * m of them */
	const double *y;	/* NULL: averages of x_i and x_j, i <= j */
	size_t n, m;
};

/* The median of the `all` values. */
double stat_kth_median(const struct stat_pairs *p, uint64_t all);

/* The k-th smallest and the k-th largest; NAN for k = 0. */
void stat_kth_interval(const struct stat_pairs *p, uint64_t all, uint64_t k,
    double *lo, double *hi);

/*
 * The k for an interval that leaves out at most `room` on either side: the
 * greatest with P(statistic <= k - 1) <= room; from the counts of a statistic
 * of 0..top (`all` is their sum), or from its normal approximation.
 */
uint64_t stat_kth_exact(const double *count, size_t top, double all,
    double room);
uint64_t stat_kth_normal(double mean, double sd, double room);

/* Two-sided p of a statistic: twice the lesser tail that includes it. */
double stat_tails(const double *count, size_t top, size_t at, double all);
double stat_tails_normal(double stat, double mean, double sd);

/* The sum of the counts. */
double stat_tails_all(const double *count, size_t top);

#endif
