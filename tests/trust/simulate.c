/*
 * simulate: does runstat's verdict deserve belief?  False alarms, power and
 * what the adjustment saves, over simulated comparisons.
 *
 *	simulate [comparisons]
 *
 * 2,000 comparisons a line by default, of 10 + 10 runs, seeded: the same
 * figures on every machine; ten times as many where the share itself is held
 * against 5% or 90%, so that chance does not decide.  Exit 1 when a false-
 * alarm share is above 5% or a power below 90%.  The adjusted test permutes,
 * so its level is 5% exactly and the share seen lies about it: it fails when
 * it is above 5% by more than chance would have it in one line of twenty.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/stat_compare.h"
#include "measure/stat_knee.h"
#include "rng.h"

#define SIDE 10
#define MARGIN 0.02
#define SEED 20021228

enum noise {
	NORMAL, SKEWED, BIMODAL, DRIFTING, WANDERING, NOISES
};

enum design {
	BLOCKS,			/* A B B A A B: blocks in random order */
	SEQUENTIAL		/* A A A B B B */
};

struct world {
	enum noise noise;
	enum design design;
	double cv;
	double effect;		/* of side B on elapsed, as a share */
	double user_effect;	/* of side B on user time */
	double modes;		/* two speeds of the machine this far apart */
	int covariate;		/* 0 none, 1 calibration, 2 user time */
};

struct counts {
	size_t n, alarms, better, worse, equivalent, paired, refused;
	double runs;		/* sum of log(runs needed adjusted / raw) */
};

struct sample {
	double y[2][SIDE], calib[2][SIDE], user[2][SIDE];
	size_t pair[SIDE];
};

static struct rng_mix rng = { SEED };
static int failed;

static double
uniform(void)
{
	return ((double)(rng_mix_next(&rng) >> 11) + 0.5) * 0x1p-53;
}

static double
normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * acos(-1) * uniform());
}

/* Noise of about unit deviation for the run at place t (0 to 1). */
static double
draw(enum noise kind, double t, double *walk)
{
	switch (kind) {
	case SKEWED:		/* a lognormal's long tail */
		return (exp(normal()) - exp(0.5)) / 2.161;
	case BIMODAL:		/* three of ten runs are slow */
		return (uniform() < 0.3 ? 2.1 : 0) + 0.2 * normal() - 0.63;
	case DRIFTING:		/* a steady rise, four times its noise */
		return 3.3 * (t - 0.5) + 0.25 * normal();
	case WANDERING:		/* a random walk */
		*walk += 0.3 * normal();
		return *walk + 0.3 * normal();
	default:
		return normal();
	}
}

static void
fill(struct sample *s, const struct world *w)
{
	double walk = 0, speed = 1, noise, t;
	int side, k, flip = 0;

	for (int i = 0; i < 2 * SIDE; i++) {
		if (i % 2 == 0)
			flip = (int)(rng_mix_next(&rng) & 1);
		side = w->design == SEQUENTIAL ? i >= SIDE : (i % 2) ^ flip;
		t = i / (2.0 * SIDE - 1);
		/* The machine changes its mode every five runs or so. */
		if (w->modes > 0 && uniform() < 0.2)
			speed = speed > 1 ? 1 : 1 + w->modes;
		noise = w->cv * draw(w->noise, t, &walk);
		k = w->design == SEQUENTIAL ? i % SIDE : i / 2;
		s->y[side][k] = fmax(100 * (1 + noise) * speed *
		    (side ? 1 + w->effect : 1), 1);
		s->calib[side][k] = 50 * speed * (1 + 0.01 * normal());
		s->user[side][k] = 70 * speed * (1 + 0.005 * normal()) *
		    (side ? 1 + w->user_effect : 1);
		s->pair[k] = (size_t)k;
	}
}

static int
equal_users(const struct sample *s, const struct stat_spec *spec)
{
	struct stat_side a = { s->user[0], { NULL }, SIDE };
	struct stat_side b = { s->user[1], { NULL }, SIDE };
	struct stat_spec plain = *spec;
	struct stat_compared c;

	plain.covariates = 0;
	if (stat_compare(&c, &a, &b, &plain) == -1)
		err(1, NULL);
	return c.raw.lo90 >= -MARGIN && c.raw.hi90 <= MARGIN;
}

static void
one(struct counts *n, const struct world *w, int gate)
{
	struct sample s;
	struct stat_spec spec = { .margin = MARGIN };
	struct stat_side side[2];
	struct stat_compared c;
	const struct stat_effect *e;

	fill(&s, w);
	for (int i = 0; i < 2; i++)
		side[i] = (struct stat_side){ s.y[i],
		    { w->covariate == 2 ? s.user[i] : s.calib[i] }, SIDE };
	spec.covariates = w->covariate != 0;
	spec.pair_a = spec.pair_b = s.pair;
	spec.pairs = w->design == BLOCKS ? SIDE : 0;
	n->n++;
	if (gate && !equal_users(&s, &spec)) {
		n->refused++;
		return;
	}
	if (stat_compare(&c, &side[0], &side[1], &spec) == -1)
		err(1, NULL);
	e = w->covariate != 0 ? &c.adj : &c.raw;
	n->paired += c.paired != 0;
	if (c.adjusted)
		n->runs += log(c.runs);
	switch (stat_verdict(e, e->p, &spec)) {
	case STAT_BETTER:
		n->better++;
		n->alarms++;
		break;
	case STAT_WORSE:
		n->worse++;
		n->alarms++;
		break;
	case STAT_EQUIVALENT:
		n->equivalent++;
		break;
	default:
		break;
	}
}

static struct counts
many(const struct world *w, size_t comparisons, int gate)
{
	struct counts n = { 0 };

	for (size_t i = 0; i < comparisons; i++)
		one(&n, w, gate);
	return n;
}

static double
percent(size_t part, size_t all)
{
	return all > 0 ? 100 * (double)part / (double)all : 0;
}

static void
false_alarms(size_t comparisons)
{
	static const char *const names[] = { "normal", "skewed", "bimodal",
	    "drifting", "wandering" };
	static const double cvs[] = { 0.01, 0.05, 0.15 };

	printf("A against A, %d + %d runs in blocks of random order, %zu "
	    "comparisons a line\n", SIDE, SIDE, comparisons);
	printf("%-12s %6s %12s %12s %9s\n", "noise", "CV", "false alarm",
	    "equivalent", "by block");
	for (int k = 0; k < NOISES; k++)
		for (int j = 0; j < 3; j++) {
			struct world w = { .noise = (enum noise)k,
			    .cv = cvs[j] };
			struct counts n = many(&w, comparisons, 0);

			printf("%-12s %5.0f%% %11.2f%% %11.1f%% %8.1f%%%s\n",
			    names[k], 100 * cvs[j], percent(n.alarms, n.n),
			    percent(n.equivalent, n.n),
			    percent(n.paired, n.n),
			    20 * n.alarms > n.n ? "  ABOVE 5%" : "");
			failed |= 20 * n.alarms > n.n;
		}
}

static void
sequential(size_t comparisons)
{
	const double x[] = { 0, 20, 40, 60, 80, 100 };
	const double aged[] = { 191.6, 195.5, 197.9, 331.4, 439.4, 883.6 };
	const double x7[] = { 0, 20, 40, 50, 60, 80, 100 };
	const double fresh[] = { 185.1, 199.9, 210.5, 199.7, 190.3, 196.1,
	    198.7 };
	struct world w = { .noise = DRIFTING, .design = SEQUENTIAL };
	struct stat_knee k;

	printf("\nThe same in A A A B B B order, on a machine that drifts\n");
	for (int kind = DRIFTING; kind <= WANDERING; kind++)
		for (int j = 0; j < 2; j++) {
			w.noise = (enum noise)kind;
			w.cv = j == 0 ? 0.05 : 0.15;
			struct counts n = many(&w, comparisons, 0);

			printf("%-12s %5.0f%% %11.2f%% false alarms\n",
			    kind == DRIFTING ? "drifting" : "wandering",
			    100 * w.cv, percent(n.alarms, n.n));
		}
	if (stat_knee(&k, x, aged, 6, 0.10) != 0)
		err(1, NULL);
	printf("dbench_load, 2002-12-27, settings in order: 191.6 s at 0, "
	    "883.6 s at 100;\n  %s at %.0f\n", k.shape == STAT_BENDS ?
	    "a bend" : "no bend", k.at);
	if (stat_knee(&k, x7, fresh, 7, 0.10) != 0)
		err(1, NULL);
	printf("dbench_load, 2002-12-28, a reboot before each run: 185.1 s to "
	    "210.5 s;\n  %s\n", k.shape == STAT_FLAT ? "flat" : "not flat");
}

static void
power(size_t comparisons)
{
	static const double cases[][2] = { { 0.05, 0.03 }, { -0.05, 0.03 },
	    { 0.10, 0.05 }, { -0.10, 0.05 } };

	printf("\nA true change, %d + %d runs in blocks\n", SIDE, SIDE);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w = { .noise = NORMAL, .cv = cases[i][1],
		    .effect = cases[i][0] };
		struct counts n = many(&w, 10 * comparisons, 0);
		size_t found = w.effect > 0 ? n.worse : n.better;

		printf("%+4.0f%% at CV %.0f%%: found in %.1f%%%s\n",
		    100 * w.effect, 100 * w.cv, percent(found, n.n),
		    10 * found < 9 * n.n ? "  BELOW 90%" : "");
		failed |= 10 * found < 9 * n.n;
	}
}

static void
line(const char *what, const struct world *w, size_t comparisons, int gate,
    int must)
{
	struct counts n = many(w, (must ? 10 : 1) * comparisons, gate);

	printf("%-46s %6.2f%%", what, percent(n.alarms, n.n));
	if (gate)
		printf(", refused %.1f%%", percent(n.refused, n.n));
	else if (w->covariate)
		printf(", needs %.0f%% of the runs", 100 * exp(n.runs /
		    (double)n.n));
	must = must && (double)n.alarms > 0.05 * (double)n.n +
	    1.645 * sqrt(0.05 * 0.95 * (double)n.n);
	printf("%s\n", must ? "  ABOVE 5%" : "");
	failed |= must;
}

static void
adjustment(size_t comparisons)
{
	struct world w = { .noise = NORMAL, .cv = 0.03, .modes = 0.20 };

	printf("\nA machine with two speeds 20%% apart, CV 3%% besides, "
	    "calibration to 1%%\nshare of better or worse\n");
	line("A/A, raw", &w, comparisons, 0, 1);
	w.covariate = 1;
	line("A/A, adjusted by calibration", &w, comparisons, 0, 1);
	w.user_effect = 0.05;
	line("the same, the setting adds 5% of user time", &w, comparisons, 0,
	    1);
	w.covariate = 2;
	line("by user time all the same (never done)", &w, comparisons, 0, 0);
	line("by user time if shown equal (as it is done)", &w, comparisons, 1,
	    1);
	w.user_effect = 0;
	line("by user time if shown equal, and it is", &w, comparisons, 1, 1);
	w.covariate = 0;
	w.effect = 0.05;
	line("a true 5%, raw", &w, comparisons, 0, 0);
	w.covariate = 1;
	line("a true 5%, adjusted by calibration", &w, comparisons, 0, 0);
}

int
main(int argc, char **argv)
{
	size_t comparisons = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;

	if (argc > 2 || comparisons == 0) {
		fprintf(stderr, "usage: simulate [comparisons]\n");
		return 2;
	}
	false_alarms(10 * comparisons);
	sequential(comparisons);
	power(comparisons);
	adjustment(comparisons);
	return failed;
}
