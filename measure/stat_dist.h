/*
 * stat_dist: the distributions that intervals and p values need.
 *
 * All are accurate to about 1e-13 where they are used; sources are named in
 * stat_dist.c.  A quantile outside (0, 1) gives NAN.
 */
#ifndef QS_STAT_DIST_H
#define QS_STAT_DIST_H

/* P(Z <= z) of the standard normal distribution, and its inverse. */
double stat_norm_cdf(double z);
double stat_norm_quantile(double p);

/* The regularised incomplete beta function I_x(a, b), a, b > 0. */
double stat_beta(double x, double a, double b);

/* Student's t with df degrees of freedom: P(T <= t), and its inverse. */
double stat_t_cdf(double t, double df);
double stat_t_quantile(double p, double df);

/* P(F > f) of Fisher's F with df1 and df2 degrees of freedom. */
double stat_f_tail(double f, double df1, double df2);

/* P(X <= k) of the binomial distribution with n trials of probability p. */
double stat_binom_cdf(double k, double n, double p);

/*
 * Fisher's exact test of a table of good and failed runs on two sides: the
 * two-sided p, which sums all tables no more probable than the one seen.
 */
double stat_fisher(unsigned good_a, unsigned all_a, unsigned good_b,
    unsigned all_b);

#endif
