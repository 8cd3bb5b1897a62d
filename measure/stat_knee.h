/*
 * stat_knee: is a response to a numeric setting flat, a trend, or a bend?
 *
 * Two straight lines that meet at a free place against one line, the place
 * found by search (Hudson, Journal of the American Statistical Association 61,
 * 1966), tested by permuting the residuals of the one line (Kim, Fay, Feuer and
 * Midthune, Statistics in Medicine 19, 2000), the interval by resampling
 * residuals (Efron, Annals of Statistics 7, 1979).
 */
#ifndef QS_STAT_KNEE_H
#define QS_STAT_KNEE_H

#include <stddef.h>

enum stat_shape {
	STAT_FLAT,		/* every setting within the margin */
	STAT_RISING, STAT_FALLING,	/* one line */
	STAT_BENDS,
	STAT_UNCLEAR		/* neither flat nor a trend nor a bend shown */
};

struct stat_knee {
	enum stat_shape shape;
	size_t settings;	/* distinct */
	int logs;		/* zero: a value was not positive */
	double spread;		/* greatest distance from the middle, a share */
	double slope, slope_p;	/* of the one line, a unit of the setting */
	double at, lo, hi;	/* the bend and its 95 % interval */
	double before, after;	/* slopes on either side */
	double bend_p;
};

/*
 * x[0..n-1] settings, y the responses, any order, repeats allowed; margin is a
 * share.  Slopes are shares a unit of x (of the response itself without logs).
 * Returns 0; 1 for fewer than 3 settings (5 for a bend, which is then not
 * looked for: bend_p NAN); -1 with errno ENOMEM.
 */
int stat_knee(struct stat_knee *k, const double *x, const double *y, size_t n,
    double margin);

#endif
