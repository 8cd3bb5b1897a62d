/*
 * stat_desc: describe one sample: its centre, spread, intervals, odd values.
 */
#ifndef QS_STAT_DESC_H
#define QS_STAT_DESC_H

#include <stddef.h>

struct stat_desc {
	size_t n;
	double median, mean, sd;	/* sd of n - 1; NAN for n < 2 */
	double cv;			/* sd / mean; NAN for a mean of 0 */
	double min, max;
	double mad;			/* median absolute deviation */
	double mean_ad;			/* mean deviation from the median */
	double median_lo, median_hi;	/* 95 %: NAN where n is too small */
	double median_level;		/* what the interval really covers */
	double mean_lo, mean_hi;	/* 95 %: NAN for n < 2 */
};

/* Sort ascending, in n log n steps whatever the input. */
void stat_sort(double *x, size_t n);

/* The median of a sorted sample; NAN for n = 0. */
double stat_median(const double *sorted, size_t n);

/* Arithmetic mean, and the standard deviation about it (n - 1). */
double stat_mean(const double *x, size_t n);
double stat_sd(const double *x, size_t n);

/*
 * Describe x; `room` is space for n doubles, left holding x sorted.  n = 0
 * gives NAN everywhere.
 */
void stat_describe(struct stat_desc *d, const double *x, double *room,
    size_t n);

/*
 * The distribution-free interval of a median: from the lo-th to the hi-th
 * smallest (1-based) of n values, the narrowest symmetric pair that covers the
 * median with at least `level`; returns its exact coverage, or 0 when n is too
 * small.  David and Nagaraja, Order Statistics (2003), section 7.1.
 */
double stat_median_ranks(size_t n, double level, size_t *lo, size_t *hi);

/*
 * Whether x is an outlier of the described sample: a modified z score beyond
 * 3.5 (Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993).
 */
int stat_outlier(const struct stat_desc *d, double x);

#endif
