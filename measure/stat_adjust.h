/*
 * stat_adjust: the effect of a side when covariates tell part of the noise.
 *
 * Analysis of covariance whose p value and intervals come from permuting the
 * residuals of the model without the effect: Freedman and Lane, Journal of
 * Business and Economic Statistics 1 (1983); Anderson and Legendre, Journal of
 * Statistical Computation and Simulation 62 (1999), compare the variants.
 * Intervals are those shifts that the same test does not reject.
 */
#ifndef QS_STAT_ADJUST_H
#define QS_STAT_ADJUST_H

#include <stddef.h>

#define STAT_COVARIATES 2

struct stat_adjust {
	double p;		/* two-sided */
	double effect;		/* of `side` on y, in units of y */
	double lo95, hi95, lo90, hi90;
	double slope[STAT_COVARIATES];	/* of y on each covariate */
	double sd;		/* residual sd with the covariates */
	double raw_sd;		/* residual sd without them */
	double runs;		/* runs needed with / without: (sd/raw)^2 */
	int permuted;		/* zero: by Student's t */
};

/*
 * y[0..n-1] with covariate columns x[0..k-1], each of n values, k <= 2.  side
 * is 0 or 1 for the first or second sample.  side NULL: y and x hold the
 * differences of pairs, and residuals change sign instead of place.  permute
 * zero, or more than 400 values: Student's t instead.
 * Returns 0; 1 when it cannot be done (covariates constant or collinear, too
 * few values); -1 with errno ENOMEM.
 */
int stat_adjust(struct stat_adjust *a, const double *y, const double *side,
    const double *const *x, size_t k, size_t n, int permute);

#endif
