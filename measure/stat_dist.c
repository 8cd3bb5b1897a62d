/*
 * stat_dist: normal, beta, t, F and binomial distributions.
 *
 * The incomplete beta function is the continued fraction 26.5.8 of Abramowitz
 * and Stegun, Handbook of Mathematical Functions (1964), evaluated by Lentz's
 * method (Applied Optics 15, 1976); t, F and the binomial follow from it by
 * 26.7.1, 26.6.2 and 26.5.24 there.  Quantiles are roots of the
 * distribution itself, so that they are right wherever it is.
 */
#include <math.h>

#include "stat_dist.h"

#define FRACTION_STEPS 20000
#define ROOT_STEPS 200

double
stat_norm_cdf(double z)
{
	return 0.5 * erfc(-z / sqrt(2));
}

/*
 * The root of cdf(x, df) = p in x >= 0, by Ridders' method (IEEE Transactions
 * on Circuits and Systems 26, 1979), which keeps a bracket.
 */
static double
upper_root(double (*cdf)(double, double), double p, double df)
{
	double lo = 0, hi = 1, mid, x, flo, fhi, fmid, fx, root;

	while ((fhi = cdf(hi, df) - p) < 0 && hi < 1e300) {
		lo = hi;
		hi *= 2;
	}
	flo = cdf(lo, df) - p;
	for (int i = 0; i < ROOT_STEPS && flo < 0 && fhi > 0; i++) {
		mid = lo + (hi - lo) / 2;
		if (mid <= lo || mid >= hi || hi - lo <= 1e-15 * hi)
			break;
		fmid = cdf(mid, df) - p;
		root = sqrt(fmid * fmid - flo * fhi);
		x = root > 0 ? mid - (mid - lo) * fmid / root : mid;
		x = x > lo && x < hi ? x : mid;
		fx = cdf(x, df) - p;
		/* The closest bracket of the four points. */
		if (x < mid ? fmid < 0 : fmid >= 0) {
			if (fmid < 0) {
				lo = mid;
				flo = fmid;
			} else {
				hi = mid;
				fhi = fmid;
			}
		}
		if (fx < 0 && x > lo) {
			lo = x;
			flo = fx;
		} else if (fx >= 0 && x < hi) {
			hi = x;
			fhi = fx;
		}
	}
	return fhi <= 0 || -flo > fhi ? hi : lo;
}

/*
 * Both distributions are symmetric: the tail beyond -x is exact where 1 - p
 * would lose digits, so the root is sought in the lower tail.
 */
static double
norm_upper(double x, double unused)
{
	(void)unused;
	return -stat_norm_cdf(-x);
}

static double
t_upper(double x, double df)
{
	return -stat_t_cdf(-x, df);
}

double
stat_norm_quantile(double p)
{
	if (!(p > 0 && p < 1))
		return NAN;
	if (p > 0.5)
		return upper_root(norm_upper, p - 1, 0);
	return -upper_root(norm_upper, -p, 0);
}

double
stat_t_quantile(double p, double df)
{
	if (!(p > 0 && p < 1) || !(df > 0))
		return NAN;
	if (p > 0.5)
		return upper_root(t_upper, p - 1, df);
	return -upper_root(t_upper, -p, df);
}

/* The continued fraction, for x < (a + 1) / (a + b + 2). */
static double
beta_fraction(double x, double a, double b)
{
	const double tiny = 1e-300;
	double c = 1, d, h, m, step;

	d = 1 - (a + b) * x / (a + 1);
	d = 1 / (fabs(d) < tiny ? tiny : d);
	h = d;
	for (int i = 1; i <= FRACTION_STEPS; i++) {
		m = i;
		step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 + step * d;
		c = 1 + step / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		h *= d * c;
		step = -(a + m) * (a + b + m) * x /
		    ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 + step * d;
		c = 1 + step / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		h *= d * c;
		if (fabs(d * c - 1) < 1e-16)
			break;
	}
	return h;
}

/* lgamma(3) sets a global sign: the reentrant form for positive arguments. */
static double
log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

double
stat_beta(double x, double a, double b)
{
	double front;

	if (!(x > 0))
		return x <= 0 ? 0 : NAN;
	if (x >= 1)
		return 1;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) +
	    a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double
stat_t_cdf(double t, double df)
{
	double tail;

	if (isnan(t) || !(df > 0))
		return NAN;
	/* Either argument may be tiny: take the form that keeps its digits. */
	if (t * t < df)
		tail = 0.5 - 0.5 * stat_beta(t * t / (df + t * t), 0.5, df / 2);
	else
		tail = 0.5 * stat_beta(df / (df + t * t), df / 2, 0.5);
	return t > 0 ? 1 - tail : tail;
}

double
stat_f_tail(double f, double df1, double df2)
{
	if (!(f > 0))
		return isnan(f) ? NAN : 1;
	if (isinf(f))
		return 0;
	return stat_beta(df2 / (df2 + df1 * f), df2 / 2, df1 / 2);
}

double
stat_binom_cdf(double k, double n, double p)
{
	if (k < 0)
		return 0;
	if (k >= n)
		return 1;
	return stat_beta(1 - p, n - k, k + 1);
}

static double
log_choose(unsigned n, unsigned k)
{
	return log_gamma(n + 1.0) - log_gamma(k + 1.0) -
	    log_gamma((double)n - k + 1);
}

double
stat_fisher(unsigned good_a, unsigned all_a, unsigned good_b, unsigned all_b)
{
	unsigned good = good_a + good_b, lo, hi;
	double all, seen, p = 0, one;

	lo = good > all_b ? good - all_b : 0;
	hi = good < all_a ? good : all_a;
	all = log_choose(all_a + all_b, good);
	seen = log_choose(all_a, good_a) + log_choose(all_b, good_b) - all;
	for (unsigned k = lo; k <= hi; k++) {
		one = log_choose(all_a, k) + log_choose(all_b, good - k) - all;
		if (one <= seen + 1e-9)
			p += exp(one);
	}
	return p < 1 ? p : 1;
}
