/*
 * stat_adjust: Freedman and Lane's permutation of residuals.
 *
 * With M the projection off the covariates, the model under the hypothesis
 * that the effect is t has the residuals My - t Mh, h being the side.  Every
 * permuted set of residuals is refitted; its t statistic needs only a few sums
 * that are linear in t, so they are kept per permutation, and a test of any t
 * (thus the interval) costs no new permutation.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rng.h"
#include "stat_adjust.h"
#include "stat_dist.h"

#ifdef STAT_FEW			/* fuzzers look for faults, not for p values */
#define PERMUTATIONS 19
#define ENUMERATE 4
#else
#define PERMUTATIONS 4999	/* besides the data itself */
#define ENUMERATE 15		/* pairs up to which all signs are tried */
#endif
#define LARGE 400		/* values above which t is as good */
#define MAX_BASE (STAT_COVARIATES + 1)
#define SEED 20011011		/* fixed: the same input gives the same p */
#define TINY 1e-10

struct sums {			/* one permutation of My and of Mh */
	double y, h;		/* products with Mh */
	double qy[MAX_BASE], qh[MAX_BASE];	/* with the basis */
};

struct model {
	size_t n, base;		/* values, vectors in the basis */
	double *q[MAX_BASE];	/* orthonormal basis of the covariates */
	double *my, *mh;
	double yy, yh, hh;	/* products of my and mh */
	double df;
	struct sums *perm;
	size_t perms;
};

static double
dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* v without its parts along the basis; twice, for the digits lost at first. */
static void
project(const struct model *m, double *v)
{
	double part;

	for (int pass = 0; pass < 2; pass++)
		for (size_t j = 0; j < m->base; j++) {
			part = dot(m->q[j], v, m->n);
			for (size_t i = 0; i < m->n; i++)
				v[i] -= part * m->q[j][i];
		}
}

/* Add v to the basis; -1 when nothing of it is new. */
static int
extend(struct model *m, const double *v)
{
	double *q = m->q[m->base], before, length;

	memcpy(q, v, m->n * sizeof *q);
	before = sqrt(dot(q, q, m->n));
	project(m, q);
	length = sqrt(dot(q, q, m->n));
	if (!(length > TINY * before) || length == 0)
		return -1;
	for (size_t i = 0; i < m->n; i++)
		q[i] /= length;
	m->base++;
	return 0;
}

static int
build(struct model *m, const double *y, const double *side,
    const double *const *x, size_t k, double *ones)
{
	for (size_t i = 0; i < m->n; i++)
		ones[i] = 1;
	if (side != NULL && extend(m, ones) == -1)
		return 1;
	for (size_t j = 0; j < k; j++)
		if (extend(m, x[j]) == -1)
			return 1;
	memcpy(m->my, y, m->n * sizeof *y);
	memcpy(m->mh, side != NULL ? side : ones, m->n * sizeof *y);
	project(m, m->my);
	project(m, m->mh);
	m->yy = dot(m->my, m->my, m->n);
	m->yh = dot(m->my, m->mh, m->n);
	m->hh = dot(m->mh, m->mh, m->n);
	m->df = (double)m->n - (double)m->base - 1;
	return m->df < 1 || !(m->hh > TINY) ? 1 : 0;
}

static void
add_sums(const struct model *m, struct sums *s, size_t at, size_t from,
    double sign)
{
	double y = sign * m->my[from], h = sign * m->mh[from];

	s->y += m->mh[at] * y;
	s->h += m->mh[at] * h;
	for (size_t j = 0; j < m->base; j++) {
		s->qy[j] += m->q[j][at] * y;
		s->qh[j] += m->q[j][at] * h;
	}
}

static int
flip_all(struct model *m)
{
	int every = m->n <= ENUMERATE;
	struct rng_mix rng = { SEED };
	uint64_t bits = 0;

	m->perms = every ? (size_t)1 << m->n : PERMUTATIONS;
	m->perm = calloc(m->perms, sizeof *m->perm);
	if (m->perm == NULL)
		return -1;
	for (size_t p = 0; p < m->perms; p++)
		for (size_t i = 0; i < m->n; i++) {
			if (every)
				bits = p >> i;
			else
				bits = i % 64 == 0 ? rng_mix_next(&rng) :
				    bits >> 1;
			add_sums(m, &m->perm[p], i, i, bits & 1 ? -1 : 1);
		}
	return 0;
}

static int
shuffle_all(struct model *m)
{
	struct rng_mix rng = { SEED };
	size_t *order = malloc(m->n * sizeof *order), j, keep;

	m->perms = PERMUTATIONS;
	m->perm = calloc(m->perms, sizeof *m->perm);
	if (m->perm == NULL || order == NULL) {
		free(order);
		return -1;
	}
	for (size_t i = 0; i < m->n; i++)
		order[i] = i;
	for (size_t p = 0; p < m->perms; p++)
		for (size_t i = m->n; i-- > 0;) {
			j = (size_t)rng_mix_below(&rng, i + 1);
			keep = order[i];
			order[i] = order[j];
			order[j] = keep;
			add_sums(m, &m->perm[p], i, order[i], 1);
		}
	free(order);
	return 0;
}

/* t squared over df, from the product with Mh and the squared length left. */
static double
strength(double along, double hh, double length)
{
	double part = along * along / hh;

	return length - part > 0 ? part / (length - part) : INFINITY;
}

/* p of the hypothesis that the effect is t. */
static double
p_of(const struct model *m, double t)
{
	double all = m->yy - 2 * t * m->yh + t * t * m->hh, seen, left, q;
	size_t reached = 0;
	const struct sums *s;

	seen = strength(m->yh - t * m->hh, m->hh, all) * (1 - 1e-9);
	if (m->perm == NULL)
		return 2 * stat_t_cdf(-sqrt(seen * m->df), m->df);
	for (size_t p = 0; p < m->perms; p++) {
		s = &m->perm[p];
		left = all;
		for (size_t j = 0; j < m->base; j++) {
			q = s->qy[j] - t * s->qh[j];
			left -= q * q;
		}
		reached += strength(s->y - t * s->h, m->hh, left) >= seen;
	}
	/* All sign changes include the data itself; random ones do not. */
	if (m->n <= ENUMERATE && m->perms == (size_t)1 << m->n)
		return (double)reached / (double)m->perms;
	return (double)(reached + 1) / (double)(m->perms + 1);
}

/* The end of the interval on one side: where p falls to 1 - level. */
static double
end_of(const struct model *m, double effect, double step, double room)
{
	double in = effect, out = effect + step, mid;
	int tries = 0;

	while (p_of(m, out) > room) {
		if (++tries > 60)
			return NAN;
		in = out;
		out = effect + (out - effect) * 2;
	}
	for (int i = 0; i < 40; i++) {
		mid = in + (out - in) / 2;
		if (p_of(m, mid) > room)
			in = mid;
		else
			out = mid;
	}
	return in;
}

static void
by_t(double *lo, double *hi, double effect, double half)
{
	*lo = effect - half;
	*hi = effect + half;
}

static void
fill(struct stat_adjust *a, struct model *m)
{
	double sse = m->yy - m->yh * m->yh / m->hh, se;

	a->effect = m->yh / m->hh;
	a->sd = sqrt(fmax(sse, 0) / m->df);
	a->permuted = m->perm != NULL;
	a->p = p_of(m, 0);
	a->lo95 = a->hi95 = a->lo90 = a->hi90 = a->effect;
	se = a->sd / sqrt(m->hh);
	if (!(se > 0))
		return;
	if (m->perm == NULL) {
		by_t(&a->lo95, &a->hi95, a->effect, se *
		    stat_t_quantile(0.975, m->df));
		by_t(&a->lo90, &a->hi90, a->effect, se *
		    stat_t_quantile(0.95, m->df));
		return;
	}
	a->lo95 = end_of(m, a->effect, -2 * se, 0.05);
	a->hi95 = end_of(m, a->effect, 2 * se, 0.05);
	a->lo90 = end_of(m, a->effect, -2 * se, 0.10);
	a->hi90 = end_of(m, a->effect, 2 * se, 0.10);
}

/* The slope on covariate j, the effect held: by adding the others first. */
static void
slopes(struct stat_adjust *a, struct model *m, const double *y,
    const double *side, const double *const *x, size_t k, double *ones)
{
	double *v = m->my, length;

	for (size_t j = 0; j < k; j++) {
		m->base = 0;
		extend(m, ones);
		if (side != NULL)
			extend(m, side);
		for (size_t i = 0; i < k; i++)
			if (i != j && m->base < MAX_BASE)
				extend(m, x[i]);
		memcpy(v, x[j], m->n * sizeof *v);
		project(m, v);
		length = dot(v, v, m->n);
		a->slope[j] = length > 0 ? dot(v, y, m->n) / length : NAN;
	}
	m->base = 0;
	extend(m, ones);
	if (side != NULL)
		extend(m, side);
	memcpy(v, y, m->n * sizeof *v);
	project(m, v);
	a->raw_sd = sqrt(dot(v, v, m->n) /
	    fmax((double)m->n - (double)m->base, 1));
	a->runs = a->sd * a->sd / (a->raw_sd * a->raw_sd);
}

int
stat_adjust(struct stat_adjust *a, const double *y, const double *side,
    const double *const *x, size_t k, size_t n, int permute)
{
	struct model m = { .n = n };
	double *room, *ones;
	int status;

	if (k > STAT_COVARIATES || n < 3)
		return 1;
	room = malloc((MAX_BASE + 3) * n * sizeof *room);
	if (room == NULL)
		return -1;
	for (size_t j = 0; j < MAX_BASE; j++)
		m.q[j] = room + j * n;
	m.my = room + MAX_BASE * n;
	m.mh = m.my + n;
	ones = m.mh + n;
	memset(a, 0, sizeof *a);
	status = build(&m, y, side, x, k, ones);
	if (status == 0 && permute && n <= LARGE)
		status = side != NULL ? shuffle_all(&m) : flip_all(&m);
	if (status == 0) {
		fill(a, &m);
		slopes(a, &m, y, side, x, k, ones);
	}
	free(m.perm);
	free(room);
	return status;
}
