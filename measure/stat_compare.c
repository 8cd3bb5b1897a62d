/*
 * stat_compare: one comparison of two samples, from figures to verdict.
 */
#include <math.h>
#include <stdlib.h>

#include "stat_compare.h"
#include "stat_desc.h"
#include "stat_dist.h"
#include "stat_rank.h"

#define BLOCK_RATIO 3
#define Z_95 1.6449		/* normal quantiles: 0.95, and 0.80 */
#define Z_POWER 0.8416

struct work {
	double *a, *b;		/* on the scale of the comparison */
	double *room;		/* n[0] + n[1] */
	double unit;		/* 1 for logs, else the first side's median */
};

static int
all_positive(const struct stat_side *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (!(s->y[i] > 0))
			return 0;
	return 1;
}

static void
scale(double *out, const struct stat_side *s, int logs)
{
	for (size_t i = 0; i < s->n; i++)
		out[i] = logs ? log(s->y[i]) : s->y[i];
}

/* A shift on the working scale as a share of the first side. */
static double
as_change(const struct work *w, int logs, double shift)
{
	if (logs)
		return expm1(shift);
	if (shift == 0)
		return 0;
	return w->unit > 0 ? shift / w->unit : NAN;
}

static void
effect_of(struct stat_effect *e, const struct work *w, int logs,
    const struct stat_shift *s)
{
	e->p = s->p;
	e->exact = s->exact;
	e->change = as_change(w, logs, s->shift);
	e->lo95 = as_change(w, logs, s->lo95);
	e->hi95 = as_change(w, logs, s->hi95);
	e->lo90 = as_change(w, logs, s->lo90);
	e->hi90 = as_change(w, logs, s->hi90);
}

/* Mean square between blocks against that within, blind to the sides. */
static int
blocks_differ(const struct work *w, const struct stat_spec *spec)
{
	double within = 0, between, a, b, dn = (double)spec->pairs;

	if (spec->pairs < STAT_BLOCKS)
		return 0;
	for (size_t i = 0; i < spec->pairs; i++) {
		a = w->a[spec->pair_a[i]];
		b = w->b[spec->pair_b[i]];
		within += (a - b) * (a - b) / 2;
		w->room[i] = a / 2 + b / 2;
	}
	between = stat_sd(w->room, spec->pairs);
	return 2 * between * between >= BLOCK_RATIO * within / dn;
}

static int
raw_pairs(struct stat_compared *c, const struct work *w,
    const struct stat_spec *spec)
{
	struct stat_shift s;

	for (size_t i = 0; i < spec->pairs; i++)
		w->room[i] = w->b[spec->pair_b[i]] - w->a[spec->pair_a[i]];
	c->noise = stat_sd(w->room, spec->pairs) / sqrt(2);
	stat_sort(w->room, spec->pairs);
	if (stat_signed_rank(&s, w->room, spec->pairs) == -1)
		return -1;
	effect_of(&c->raw, w, c->logs, &s);
	return 0;
}

static int
raw_samples(struct stat_compared *c, const struct work *w,
    const struct stat_side *a, const struct stat_side *b)
{
	double *x = w->room, *y = w->room + a->n, va, vb, df;
	struct stat_shift s;

	for (size_t i = 0; i < a->n; i++)
		x[i] = w->a[i];
	for (size_t i = 0; i < b->n; i++)
		y[i] = w->b[i];
	va = a->n > 1 ? stat_sd(x, a->n) : 0;
	vb = b->n > 1 ? stat_sd(y, b->n) : 0;
	df = (double)a->n + (double)b->n - 2;
	c->noise = df > 0 ? sqrt((va * va * fmax((double)a->n - 1, 0) +
	    vb * vb * fmax((double)b->n - 1, 0)) / df) : NAN;
	stat_sort(x, a->n);
	stat_sort(y, b->n);
	if (stat_rank_sum(&s, x, a->n, y, b->n) == -1)
		return -1;
	effect_of(&c->raw, w, c->logs, &s);
	return 0;
}

/* Covariates enter as logarithms where they can: noise is a factor. */
static double
covariate(double x)
{
	return x > 0 ? log(x) : x;
}

/* Lay out y, the side and the covariates for stat_adjust: (2 + k) * n. */
static size_t
lay_out(const struct stat_compared *c, const struct work *w,
    const struct stat_side *a, const struct stat_side *b,
    const struct stat_spec *spec, double *out, size_t n)
{
	const struct stat_side *s;
	size_t at;

	for (size_t i = 0; c->paired && i < n; i++) {
		out[i] = w->b[spec->pair_b[i]] - w->a[spec->pair_a[i]];
		for (size_t j = 0; j < spec->covariates; j++)
			out[(2 + j) * n + i] =
			    covariate(b->x[j][spec->pair_b[i]]) -
			    covariate(a->x[j][spec->pair_a[i]]);
	}
	for (size_t i = 0; !c->paired && i < n; i++) {
		s = i < a->n ? a : b;
		at = i < a->n ? i : i - a->n;
		out[i] = (s == a ? w->a : w->b)[at];
		out[n + i] = s == b;
		for (size_t j = 0; j < spec->covariates; j++)
			out[(2 + j) * n + i] = covariate(s->x[j][at]);
	}
	return n;
}

static int
adjusted(struct stat_compared *c, const struct work *w,
    const struct stat_side *a, const struct stat_side *b,
    const struct stat_spec *spec)
{
	size_t n = c->paired ? spec->pairs : a->n + b->n;
	double *data = malloc((2 + spec->covariates) * n * sizeof *data + 1);
	const double *x[STAT_COVARIATES];
	struct stat_adjust adj;
	struct stat_shift s;
	int status;

	if (data == NULL)
		return -1;
	lay_out(c, w, a, b, spec, data, n);
	for (size_t j = 0; j < spec->covariates; j++)
		x[j] = data + (2 + j) * n;
	status = stat_adjust(&adj, data, c->paired ? NULL : data + n, x,
	    spec->covariates, n, !spec->many);
	free(data);
	if (status != 0)
		return status == -1 ? -1 : 0;
	s = (struct stat_shift){ adj.p, adj.permuted, adj.effect, adj.lo95,
	    adj.hi95, adj.lo90, adj.hi90 };
	effect_of(&c->adj, w, c->logs, &s);
	c->adjusted = 1;
	c->runs = adj.runs;
	for (size_t j = 0; j < spec->covariates; j++)
		c->slope[j] = adj.slope[j];
	return 0;
}

static int
work_on(struct stat_compared *c, struct work *w, const struct stat_side *a,
    const struct stat_side *b, const struct stat_spec *spec)
{
	int failed;

	c->logs = all_positive(a) && all_positive(b);
	scale(w->a, a, 0);
	stat_sort(w->a, a->n);
	w->unit = stat_median(w->a, a->n);
	scale(w->a, a, c->logs);
	scale(w->b, b, c->logs);
	c->paired = blocks_differ(w, spec);
	failed = c->paired ? raw_pairs(c, w, spec) : raw_samples(c, w, a, b);
	if (!c->logs)
		c->noise = as_change(w, 0, c->noise);
	if (!failed && spec->covariates > 0)
		failed = adjusted(c, w, a, b, spec);
	return failed;
}

int
stat_compare(struct stat_compared *c, const struct stat_side *a,
    const struct stat_side *b, const struct stat_spec *spec)
{
	size_t n = a->n + b->n;
	struct work w;
	int failed;

	*c = (struct stat_compared){ .n = { a->n, b->n }, .noise = NAN };
	c->raw = (struct stat_effect){ 1, 0, NAN, NAN, NAN, NAN, NAN };
	c->adj = c->raw;
	if (a->n == 0 || b->n == 0)
		return 0;
	w.a = malloc(2 * n * sizeof *w.a);
	if (w.a == NULL)
		return -1;
	w.b = w.a + a->n;
	w.room = w.a + n;
	failed = work_on(c, &w, a, b, spec);
	free(w.a);
	return failed;
}

enum stat_verdict
stat_verdict(const struct stat_effect *e, double p,
    const struct stat_spec *spec)
{
	if (e->lo90 >= -spec->margin && e->hi90 <= spec->margin)
		return STAT_EQUIVALENT;
	if (p <= STAT_ALPHA && !(e->change == 0))
		return (e->change > 0) == (spec->higher_is_better != 0) ?
		    STAT_BETTER : STAT_WORSE;
	return STAT_INCONCLUSIVE;
}

/*
 * Student's quantile near enough for an estimate: the normal one and the first
 * two terms of A&S 26.7.5.
 */
static double
about_t(double z, double df)
{
	return z + (z * z * z + z) / (4 * df) +
	    (5 * pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * df * df);
}

/* Does n a side settle it? */
static int
settles(double n, double change, double noise, double margin, const double z[])
{
	double df = 2 * n - 2, se = noise * sqrt(2 / n);
	double luck = about_t(z[2], df);

	if (se * (about_t(z[0], df) + luck) <= fabs(change))
		return 1;
	return se * (about_t(z[1], df) + luck) <= margin - fabs(change);
}

/* The fewest a side with which a rank sum test can reach alpha. */
static size_t
least(double alpha)
{
	double ways = 2;	/* the binomial coefficient of 2n over n */
	size_t n = 1;

	while (2 / ways > alpha && n < 1000) {
		n++;
		ways *= 2 * (2 * (double)n - 1) / (double)n;
	}
	return n;
}

size_t
stat_runs_needed(double change, double noise, double margin, double alpha)
{
	const double z[] = { stat_norm_quantile(1 - alpha / 2), Z_95, Z_POWER };
	size_t lo = 2, hi = 4, mid;

	if (isnan(change) || isnan(noise))
		return 0;
	while (!settles((double)hi, change, noise, margin, z)) {
		lo = hi;
		hi *= 2;
		if (hi > 2 * (size_t)STAT_MORE_MAX)
			return 0;
	}
	while (lo + 1 < hi) {
		mid = lo + (hi - lo) / 2;
		if (settles((double)mid, change, noise, margin, z))
			hi = mid;
		else
			lo = mid;
	}
	hi = hi < least(alpha) ? least(alpha) : hi;
	return hi > STAT_MORE_MAX ? 0 : hi;
}
