/*
 * stat_rank: rank tests of two samples and of pairs, with their intervals.
 *
 * Two samples: Wilcoxon's rank sum (Mann and Whitney, Annals of Mathematical
 * Statistics 18, 1947).  Pairs: Wilcoxon's signed rank (Biometrics Bulletin 1,
 * 1945).  Shift and interval: Hodges and Lehmann (Annals of Mathematical
 * Statistics 34, 1963), as in Hollander and Wolfe, Nonparametric Statistical
 * Methods (1999), sections 3.2-3.3 and 4.2-4.3.
 */
#ifndef QS_STAT_RANK_H
#define QS_STAT_RANK_H

#include <stddef.h>

struct stat_shift {
	double p;		/* two-sided */
	int exact;		/* zero: p by the normal approximation */
	double shift;		/* Hodges-Lehmann: second minus first */
	double lo95, hi95;	/* NAN where there are too few values */
	double lo90, hi90;
};

/*
 * Two samples x[0..n-1] and y[0..m-1], each sorted ascending; the shift is
 * y's minus x's.  Returns 0, -1 with errno ENOMEM.  An empty side gives NAN
 * and p = 1.  Exact up to 30 values a side without ties and up to 40 in all
 * with ties, where it is the permutation distribution of the midranks.
 */
int stat_rank_sum(struct stat_shift *s, const double *x, size_t n,
    const double *y, size_t m);

/*
 * Pairs: d[0..n-1] holds the differences, sorted ascending.  Zeroes are left
 * out of the test (Wilcoxon) and stay in the interval.  Exact up to 30.
 */
int stat_signed_rank(struct stat_shift *s, const double *d, size_t n);

/*
 * The number of arrangements of n and m values whose Mann-Whitney statistic is
 * u, for u = 0 .. n*m, into count (n*m + 1 doubles).  The exact null
 * distribution is this divided by the binomial coefficient of n + m over n.
 */
void stat_rank_sum_counts(double *count, size_t n, size_t m);

/* The same for the signed rank sum v = 0 .. n(n+1)/2; of 2^n in all. */
void stat_signed_rank_counts(double *count, size_t n);

/* Holm's step-down adjustment of k p values, in place (Scandinavian Journal of
 * Statistics 6, 1979).  NAN marks a test that was not made.  -1: ENOMEM. */
int stat_holm(double *p, size_t k);

#endif
