/*
 * stat_compare: one comparison of two samples, from figures to verdict.
 *
 * The rules are fixed here, before any figure is seen:
 *  - Scale: logarithms, so that the change is a ratio; differences in units of
 *    the first side's median when a value is not positive.
 *  - Pairs: where the runs were interleaved in at least 6 whole blocks, the
 *    signed rank test is used if the blocks differ from each other at least
 *    three times as much as runs within a block (the F ratio of mean squares,
 *    which does not change when the two runs of a block change places, so the
 *    choice cannot favour a side).  Else the rank sum test.
 *  - Verdict: equivalent when the 90 % interval lies within the margin (two
 *    one-sided tests at 5 %: Schuirmann, Journal of Pharmacokinetics and
 *    Biopharmaceutics 15, 1987); else better or worse when p <= 0.05; else
 *    inconclusive.
 */
#ifndef QS_STAT_COMPARE_H
#define QS_STAT_COMPARE_H

#include <stddef.h>

#include "stat_adjust.h"

#define STAT_ALPHA 0.05
#define STAT_BLOCKS 6
#define STAT_MORE_MAX 100000	/* runs a side beyond which none is named */

struct stat_side {
	const double *y;
	const double *x[STAT_COVARIATES];	/* NULL: none */
	size_t n;
};

struct stat_spec {
	double margin;			/* 0.02 is 2 % */
	int higher_is_better;
	size_t covariates;		/* 0: raw only */
	const size_t *pair_a, *pair_b;	/* which runs share a block */
	size_t pairs;			/* 0: not interleaved */
	int many;	/* nonzero: more comparisons than permutations serve */
};

struct stat_effect {
	double p;
	int exact;
	double change;			/* 0.05: 5 % more than the first side */
	double lo95, hi95, lo90, hi90;	/* NAN: too few runs */
};

struct stat_compared {
	size_t n[2];
	int paired;			/* nonzero: by block */
	int logs;			/* zero: differences */
	double noise;			/* sd within a side, as a share */
	struct stat_effect raw;
	int adjusted;			/* nonzero: the next two hold */
	struct stat_effect adj;
	double slope[STAT_COVARIATES];
	double runs;			/* runs needed adjusted / raw */
};

enum stat_verdict {
	STAT_BETTER, STAT_WORSE, STAT_EQUIVALENT, STAT_INCONCLUSIVE,
	STAT_NOT_COMPARABLE
};

/* Compare b with a.  Returns 0, or -1 with errno ENOMEM. */
int stat_compare(struct stat_compared *c, const struct stat_side *a,
    const struct stat_side *b, const struct stat_spec *spec);

/* The verdict of an effect whose p was adjusted for other comparisons. */
enum stat_verdict stat_verdict(const struct stat_effect *e, double p,
    const struct stat_spec *spec);

/*
 * How many runs a side would settle it with a probability of about 80 %, at
 * this noise and this change: show it at level alpha, or show it within the
 * margin.  0 when even STAT_MORE_MAX would not do.
 */
size_t stat_runs_needed(double change, double noise, double margin,
    double alpha);

#endif
