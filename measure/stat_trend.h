/*
 * stat_trend: does a series drift in the order it was measured?
 *
 * Mann (Econometrica 13, 1945) and Kendall's rank correlation with time; the
 * slope of Theil (1950) and Sen (Journal of the American Statistical
 * Association 63, 1968).
 */
#ifndef QS_STAT_TREND_H
#define QS_STAT_TREND_H

#include <stddef.h>

struct stat_trend {
	double s;		/* Kendall's S: rising minus falling pairs */
	double p;		/* two-sided; 1 for n < 3 */
	int exact;		/* nonzero without ties up to n = 30 */
	double slope;		/* change a step; NAN for n < 2 */
};

/*
 * The trend of x in its order.  The slope is the median of all pairs' slopes
 * up to 400 values, beyond that of the pairs half the series apart (Theil's
 * incomplete method), so that no series takes quadratic time.  Returns 0, or
 * -1 with errno ENOMEM.
 */
int stat_trend(struct stat_trend *t, const double *x, size_t n);

#endif
