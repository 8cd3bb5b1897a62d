/*
 * stat_knee: flat, a trend, or a bend.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rng.h"
#include "stat_desc.h"
#include "stat_dist.h"
#include "stat_knee.h"
#include "stat_trend.h"

#define GRID 40			/* places tried between two settings */
#define GOLDEN_STEPS 40
#ifdef STAT_FEW			/* fuzzers look for faults, not for p values */
#define RESAMPLES 39
#define ALL_ORDERS 3
#else
#define RESAMPLES 999
#define ALL_ORDERS 7		/* values up to which every order is tried */
#endif
#define BEND_SETTINGS 5
#define FREE_VALUES 8		/* values from which both slopes are free */
#define SEED 20021227		/* fixed: the same input gives the same p */
#define ALPHA 0.05

struct point {
	double x, u;		/* the setting; the response, log if it can */
};

/* The data by distinct setting: all that the fits need. */
struct data {
	size_t n, k;		/* values, settings */
	double *x, *weight, *sum;	/* k each */
	size_t *of;		/* setting of value i */
	double squares;		/* sum of u^2 */
};

struct fit {
	double a, b, c;		/* u = a + b x + c max(0, x - at) */
	double at, sse;
};

static int
by_x(const void *a, const void *b)
{
	double x = ((const struct point *)a)->x;
	double y = ((const struct point *)b)->x;

	return (x > y) - (x < y);
}

static void
load(struct data *d, const double *u)
{
	memset(d->sum, 0, d->k * sizeof *d->sum);
	d->squares = 0;
	for (size_t i = 0; i < d->n; i++) {
		d->sum[d->of[i]] += u[i];
		d->squares += u[i] * u[i];
	}
}

/* Sum of squares within and between settings about the fitted values. */
static double
sse_of(const struct data *d, const struct fit *f)
{
	double sse = d->squares, v, fitted;

	for (size_t i = 0; i < d->k; i++) {
		fitted = f->a + f->b * d->x[i] +
		    f->c * fmax(0, d->x[i] - f->at);
		v = d->sum[i] / d->weight[i];
		sse += d->weight[i] * ((v - fitted) * (v - fitted) - v * v);
	}
	return sse;
}

static void
fit_line(const struct data *d, struct fit *f)
{
	double n = (double)d->n, mx = 0, mu = 0, sxx = 0, sxu = 0, dx;

	for (size_t i = 0; i < d->k; i++) {
		mx += d->weight[i] * d->x[i] / n;
		mu += d->sum[i] / n;
	}
	for (size_t i = 0; i < d->k; i++) {
		dx = d->x[i] - mx;
		sxx += d->weight[i] * dx * dx;
		sxu += dx * d->sum[i];
	}
	f->b = sxu / sxx;
	f->a = mu - f->b * mx;
	f->c = f->at = 0;
	f->sse = sse_of(d, f);
}

enum lines {
	LINES_FREE,		/* two slopes */
	LINES_LEVEL_FIRST,	/* level up to the bend */
	LINES_LEVEL_LAST	/* level from the bend on */
};

/* The two columns of the model: x (or what stands for it) and the bend. */
static double
column(enum lines which, double x, double at)
{
	return which == LINES_LEVEL_LAST ? fmin(x, at) : fmax(0, x - at);
}

/* The best two lines that meet at `at`: least squares by centred sums. */
static void
fit_at(const struct data *d, double at, enum lines which, struct fit *f)
{
	double n = (double)d->n, mx = 0, mh = 0, mu = 0, det, dx, dh, w;
	double xx = 0, xh = 0, hh = 0, xu = 0, hu = 0;

	for (size_t i = 0; i < d->k; i++) {
		mx += d->weight[i] * d->x[i] / n;
		mh += d->weight[i] * column(which, d->x[i], at) / n;
		mu += d->sum[i] / n;
	}
	for (size_t i = 0; i < d->k; i++) {
		w = d->weight[i];
		dx = d->x[i] - mx;
		dh = column(which, d->x[i], at) - mh;
		xx += w * dx * dx;
		xh += w * dx * dh;
		hh += w * dh * dh;
		xu += dx * d->sum[i];
		hu += dh * d->sum[i];
	}
	det = xx * hh - xh * xh;
	f->at = at;
	if (which == LINES_FREE) {
		f->b = (xu * hh - hu * xh) / det;
		f->c = (hu * xx - xu * xh) / det;
		f->a = mu - f->b * mx - f->c * mh;
	} else {
		f->b = which == LINES_LEVEL_FIRST ? 0 : hu / hh;
		f->c = which == LINES_LEVEL_FIRST ? hu / hh : -hu / hh;
		f->a = mu - hu / hh * mh;
	}
	f->sse = sse_of(d, f);
}

/* The least sum of squares near *best, which is on the grid. */
static void
refine(const struct data *d, enum lines which, double step, struct fit *best)
{
	const double ratio = (sqrt(5) - 1) / 2;
	double lo = fmax(d->x[1], best->at - step), p, q;
	double hi = fmin(d->x[d->k - 2], best->at + step);
	struct fit f, g;

	for (int i = 0; i < GOLDEN_STEPS; i++) {
		p = hi - ratio * (hi - lo);
		q = lo + ratio * (hi - lo);
		fit_at(d, p, which, &f);
		fit_at(d, q, which, &g);
		if (f.sse < best->sse)
			*best = f;
		if (g.sse < best->sse)
			*best = g;
		if (f.sse < g.sse)
			hi = q;
		else
			lo = p;
	}
}

/* Each of the lines has at least two settings of its own. */
static void
fit_lines(const struct data *d, enum lines which, struct fit *best)
{
	double step, near = 0;
	struct fit f;

	best->sse = INFINITY;
	for (size_t i = 1; i + 2 < d->k; i++) {
		step = (d->x[i + 1] - d->x[i]) / GRID;
		for (int j = 0; j <= GRID; j++) {
			fit_at(d, d->x[i] + step * j, which, &f);
			if (f.sse < best->sse) {
				*best = f;
				near = step;
			}
		}
	}
	refine(d, which, near, best);
}

/*
 * Two free slopes leave nothing to test with where there are few values; one
 * of the lines is held level then, which is what a knee looks like.
 */
static void
fit_bend(const struct data *d, struct fit *best)
{
	struct fit f;

	if (d->n >= FREE_VALUES) {
		fit_lines(d, LINES_FREE, best);
		return;
	}
	fit_lines(d, LINES_LEVEL_FIRST, best);
	fit_lines(d, LINES_LEVEL_LAST, &f);
	if (f.sse < best->sse)
		*best = f;
}

static double
fitted(const struct fit *f, double x)
{
	return f->a + f->b * x + f->c * fmax(0, x - f->at);
}

/* How much of what one line leaves do two lines explain? */
static double
gain(const struct data *d)
{
	struct fit one, two;

	fit_line(d, &one);
	fit_bend(d, &two);
	return two.sse > 0 ? (one.sse - two.sse) / two.sse : INFINITY;
}

static void
shuffle(struct rng_mix *rng, size_t *order, size_t n)
{
	size_t j, keep;

	for (size_t i = n; i-- > 1;) {
		j = (size_t)rng_mix_below(rng, i + 1);
		keep = order[i];
		order[i] = order[j];
		order[j] = keep;
	}
}

/* The next order in the dictionary; 0 after the last. */
static int
next_order(size_t *order, size_t n)
{
	size_t i = n - 1, j = n - 1, keep;

	while (i > 0 && order[i - 1] >= order[i])
		i--;
	if (i == 0)
		return 0;
	while (order[j] <= order[i - 1])
		j--;
	keep = order[i - 1];
	order[i - 1] = order[j];
	order[j] = keep;
	for (j = n - 1; i < j; i++, j--) {
		keep = order[i];
		order[i] = order[j];
		order[j] = keep;
	}
	return 1;
}

static double
bend_p(struct data *d, const double *u, double *room, size_t *order)
{
	struct rng_mix rng = { SEED };
	size_t reached = 0, tries = 0;
	struct fit one;
	double seen;

	load(d, u);
	fit_line(d, &one);
	seen = gain(d) * (1 - 1e-9);
	for (size_t i = 0; i < d->n; i++)
		order[i] = i;
	while (tries < RESAMPLES || d->n <= ALL_ORDERS) {
		for (size_t i = 0; i < d->n; i++)
			room[i] = fitted(&one, d->x[d->of[i]]) + u[order[i]] -
			    fitted(&one, d->x[d->of[order[i]]]);
		load(d, room);
		reached += gain(d) >= seen;
		tries++;
		if (d->n > ALL_ORDERS)
			shuffle(&rng, order, d->n);
		else if (!next_order(order, d->n))
			break;
	}
	return (double)reached / (double)tries;
}

static void
bend_interval(struct stat_knee *k, struct data *d, const double *u,
    const struct fit *two, double *room, double *places)
{
	struct rng_mix rng = { SEED };
	double free_part, r;
	struct fit f;
	size_t from;

	/* Residuals are too small by the 3 or 4 numbers that were fitted. */
	free_part = sqrt((double)d->n /
	    ((double)d->n - (d->n >= FREE_VALUES ? 4 : 3)));
	for (size_t t = 0; t < RESAMPLES; t++) {
		for (size_t i = 0; i < d->n; i++) {
			from = (size_t)rng_mix_below(&rng, d->n);
			r = u[from] - fitted(two, d->x[d->of[from]]);
			room[i] = fitted(two, d->x[d->of[i]]) + free_part * r;
		}
		load(d, room);
		fit_bend(d, &f);
		places[t] = f.at;
	}
	stat_sort(places, RESAMPLES);
	k->lo = places[(RESAMPLES + 1) / 40 - 1];
	k->hi = places[(RESAMPLES + 1) / 40 * 39 - 1];
}

/*
 * How far the settings lie from the middle, on the scale of the data; with
 * repeats, the end of the 90 % interval that is farther off.
 */
static double
spread(const struct data *d, double middle)
{
	double within = d->squares, half = 0, most = 0, m;
	double df = (double)d->n - (double)d->k;

	for (size_t i = 0; i < d->k; i++)
		within -= d->sum[i] * d->sum[i] / d->weight[i];
	for (size_t i = 0; i < d->k; i++) {
		if (df > 0)
			half = stat_t_quantile(0.95, df) *
			    sqrt(fmax(within, 0) / df / d->weight[i]);
		m = fabs(d->sum[i] / d->weight[i] - middle) + half;
		most = m > most ? m : most;
	}
	return most;
}

/* Mann-Kendall over the means of the settings, in their order. */
static int
line_p(struct stat_knee *k, const struct data *d)
{
	double *means = malloc(d->k * sizeof *means);
	struct stat_trend t;
	int failed;

	if (means == NULL)
		return -1;
	for (size_t i = 0; i < d->k; i++)
		means[i] = d->sum[i] / d->weight[i];
	failed = stat_trend(&t, means, d->k);
	k->slope_p = t.p;
	free(means);
	return failed;
}

/* Room for everything in one piece; u is sorted by setting. */
static int
prepare(struct stat_knee *k, struct data *d, struct point *p, const double *x,
    const double *y, size_t n, double *u)
{
	k->logs = 1;
	for (size_t i = 0; i < n; i++)
		k->logs &= y[i] > 0;
	for (size_t i = 0; i < n; i++)
		p[i] = (struct point){ x[i], k->logs ? log(y[i]) : y[i] };
	qsort(p, n, sizeof *p, by_x);
	for (size_t i = 0; i < n; i++) {
		u[i] = p[i].u;
		if (i == 0 || p[i].x != p[i - 1].x) {
			d->x[d->k] = p[i].x;
			d->weight[d->k++] = 0;
		}
		d->weight[d->k - 1]++;
		d->of[i] = d->k - 1;
	}
	load(d, u);
	k->settings = d->k;
	return d->k < 3;
}

/* A fitted slope as a share a unit of the setting. */
static double
per_unit(const struct stat_knee *k, double slope)
{
	return k->logs ? expm1(slope) : slope;
}

static int
look(struct stat_knee *k, struct data *d, const double *u, double *room,
    size_t *order)
{
	double middle = 0;
	struct fit one, two;

	for (size_t i = 0; i < d->k; i++)
		middle += d->sum[i] / d->weight[i] / (double)d->k;
	k->spread = spread(d, middle);
	k->spread = k->logs ? expm1(k->spread) : middle > 0 ?
	    k->spread / middle : NAN;
	if (line_p(k, d) == -1)
		return -1;
	fit_line(d, &one);
	k->slope = per_unit(k, one.b);
	k->bend_p = k->at = k->lo = k->hi = k->before = k->after = NAN;
	if (d->k < BEND_SETTINGS)
		return 0;
	fit_bend(d, &two);
	k->at = two.at;
	k->before = per_unit(k, two.b);
	k->after = per_unit(k, two.b + two.c);
	k->bend_p = bend_p(d, u, room, order);
	bend_interval(k, d, u, &two, room, room + d->n);
	return 0;
}

static enum stat_shape
shape(const struct stat_knee *k, double margin)
{
	if (k->spread <= margin)
		return STAT_FLAT;
	if (k->bend_p <= ALPHA)
		return STAT_BENDS;
	if (k->slope_p <= ALPHA)
		return k->slope > 0 ? STAT_RISING : STAT_FALLING;
	return STAT_UNCLEAR;
}

int
stat_knee(struct stat_knee *k, const double *x, const double *y, size_t n,
    double margin)
{
	struct data d = { .n = n };
	struct point *p = malloc((n + 1) * sizeof *p);
	double *room = malloc((5 * n + RESAMPLES) * sizeof *room);
	size_t *order = malloc((2 * n + 1) * sizeof *order);
	int status = -1;

	memset(k, 0, sizeof *k);
	if (p != NULL && room != NULL && order != NULL) {
		d.x = room;
		d.weight = room + n;
		d.sum = room + 2 * n;
		d.of = order + n;
		status = prepare(k, &d, p, x, y, n, room + 3 * n);
		if (status == 0)
			status = look(k, &d, room + 3 * n, room + 4 * n, order);
	}
	k->shape = shape(k, margin);
	free(p);
	free(room);
	free(order);
	return status;
}
