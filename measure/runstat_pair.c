/*
 * runstat_pair: compare two cells, and judge.
 */
#include <err.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "exits.h"
#include "runstat_pair.h"
#include "stat_dist.h"

struct values {
	double *y, *x[STAT_COVARIATES];
	uint32_t *where;
	size_t n;
};

static void note(struct runstat_pair *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

static void
note(struct runstat_pair *p, const char *format, ...)
{
	size_t at = strlen(p->notes);
	va_list args;

	if (at > 0 && at + 3 < PAIR_NOTES) {
		memcpy(p->notes + at, "; ", 3);
		at += 2;
	}
	va_start(args, format);
	vsnprintf(p->notes + at, PAIR_NOTES - at, format, args);
	va_end(args);
}

/* The good values of a side, and its covariates; complete: all are there. */
static int
gather(struct values *v, const struct rows *r, const struct rows_cell *c,
    size_t value, const struct runstat_job *j)
{
	int complete = j->covers > 0;
	size_t room = c->n > 0 ? c->n : 1;

	v->y = malloc(room * (1 + STAT_COVARIATES) * sizeof *v->y);
	v->where = malloc(room * sizeof *v->where);
	if (v->y == NULL || v->where == NULL)
		err(EXIT_MEMORY, NULL);
	v->n = rows_values(r, c, value, v->y, v->where);
	for (size_t i = 0; i < STAT_COVARIATES; i++)
		v->x[i] = v->y + (i + 1) * room;
	for (size_t k = 0; k < j->covers; k++)
		for (size_t i = 0; i < v->n; i++) {
			v->x[k][i] = r->value[j->cover[k]][v->where[i]];
			complete &= !isnan(v->x[k][i]);
		}
	return complete;
}

static size_t
count_tried(const struct rows *r, const struct rows_cell *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += !rows_skipped(r, r->order[c->first + i]);
	return n;
}

/* What most good runs of a cell say about pressure. */
static const char *
pressure_of(const struct rows *r, const struct values *v, size_t *share)
{
	uint32_t most = r->missing, one;
	size_t votes = 0, count = 0;

	/* Boyer and Moore's majority vote; then count it. */
	for (size_t i = 0; i < v->n; i++) {
		one = r->pressure[v->where[i]];
		if (votes == 0)
			most = one;
		votes += one == most ? 1 : (size_t)-1;
	}
	for (size_t i = 0; i < v->n; i++)
		count += r->pressure[v->where[i]] == most;
	*share = count;
	return r->texts.text[most];
}

static void
note_pressure(struct runstat_pair *p, const struct rows *r,
    const struct values v[2])
{
	size_t share[2];
	const char *kind[2];

	for (int i = 0; i < 2; i++)
		kind[i] = pressure_of(r, &v[i], &share[i]);
	if (strcmp(kind[0], kind[1]) != 0)
		note(p, "unlike pressure: %s in %zu of %zu, %s in %zu of %zu",
		    kind[0], share[0], v[0].n, kind[1], share[1], v[1].n);
	else if (strcmp(kind[0], "disturbed") == 0)
		note(p, "both sides disturbed");
	else if (2 * share[0] <= v[0].n || 2 * share[1] <= v[1].n)
		note(p, "pressure varies within a side");
}

static void
note_all(struct runstat_pair *p, const struct runstat_job *j,
    const struct values v[2])
{
	if (p->same)
		note(p, "the same runs");
	else if (p->order == ORDER_SEQUENTIAL)
		note(p, "sequential, not interleaved");
	else if (p->order != ORDER_INTERLEAVED)
		note(p, "order %s", order_name(p->order));
	if (p->c.n[0] > 0 && p->c.n[1] > 0)
		note_pressure(p, j->r, v);
	if (*j->machine != '\0')
		note(p, "unlike machine: %s", j->machine);
	if (p->fisher <= STAT_ALPHA)
		note(p, "unlike share of good runs");
}

/*
 * user_s may correct for the machine's speed only if the sides' user times are
 * themselves shown equal within the margin: a setting may well change them.
 */
static void
check_user(struct runstat_pair *p, const struct runstat_job *j,
    const struct values v[2], const struct stat_spec *spec)
{
	struct stat_spec plain = *spec;
	struct stat_compared c;
	struct stat_side a, b;

	plain.covariates = 0;
	for (size_t k = 0; k < j->covers; k++) {
		if (strcmp(j->r->spec.value[j->cover[k]], "user_s") != 0)
			continue;
		a = (struct stat_side){ v[0].x[k], { NULL }, v[0].n };
		b = (struct stat_side){ v[1].x[k], { NULL }, v[1].n };
		if (stat_compare(&c, &a, &b, &plain) == -1)
			err(EXIT_MEMORY, NULL);
		if (!(c.raw.lo90 >= -j->margin && c.raw.hi90 <= j->margin))
			p->covariate_bad = 1;
	}
}

static void
same_runs(struct runstat_pair *p)
{
	p->c.raw = (struct stat_effect){ 1, 1, 0, 0, 0, 0, 0 };
	p->c.adjusted = 0;
}

static void
describe(struct stat_desc *d, const struct values *v)
{
	double *room = malloc((v->n + 1) * sizeof *room);

	if (room == NULL)
		err(EXIT_MEMORY, NULL);
	stat_describe(d, v->y, room, v->n);
	free(room);
}

void
pair_compare(struct runstat_pair *p, const struct runstat_job *j)
{
	struct values v[2];
	struct stat_side side[2];
	struct stat_spec spec = { .margin = j->margin, .many = j->many };
	struct order order;
	int complete = 1;

	for (int i = 0; i < 2; i++) {
		complete &= gather(&v[i], j->r, p->cell[i], p->value, j);
		p->tried[i] = count_tried(j->r, p->cell[i]);
		side[i] = (struct stat_side){ v[i].y, { v[i].x[0], v[i].x[1] },
		    v[i].n };
		describe(&p->d[i], &v[i]);
	}
	if (order_find(&order, j->r, p->cell[0], p->cell[1], p->value) == -1)
		err(EXIT_MEMORY, NULL);
	p->order = order.kind;
	p->pairs = order.pairs;
	spec.pair_a = order.a;
	spec.pair_b = order.b;
	spec.pairs = order.pairs;
	spec.covariates = complete ? j->covers : 0;
	check_user(p, j, v, &spec);
	if (stat_compare(&p->c, &side[0], &side[1], &spec) == -1)
		err(EXIT_MEMORY, NULL);
	p->same = j->same_file && v[0].n > 0 && v[0].n == v[1].n &&
	    memcmp(v[0].y, v[1].y, v[0].n * sizeof *v[0].y) == 0;
	if (p->same)
		same_runs(p);
	p->fisher = stat_fisher((unsigned)v[0].n, (unsigned)p->tried[0],
	    (unsigned)v[1].n, (unsigned)p->tried[1]);
	note_all(p, j, v);
	order_free(&order);
	for (int i = 0; i < 2; i++) {
		free(v[i].y);
		free(v[i].where);
	}
}

const struct stat_effect *
pair_decides(const struct runstat_pair *p, const struct runstat_job *j)
{
	return j->o->decides > 0 && !p->same ? &p->c.adj : &p->c.raw;
}

static void
not_comparable(struct runstat_pair *p, const char *why)
{
	p->verdict = STAT_NOT_COMPARABLE;
	snprintf(p->why, sizeof p->why, "%s", why);
}

/* Runs that fail more often are worse, whatever the survivors' times say. */
static int
judge_failures(struct runstat_pair *p)
{
	double a, b;

	if (p->tried[0] == 0 || p->tried[1] == 0)
		return 0;
	a = (double)p->d[0].n / (double)p->tried[0];
	b = (double)p->d[1].n / (double)p->tried[1];
	if (p->fisher > STAT_ALPHA || b >= a)
		return 0;
	p->verdict = STAT_WORSE;
	snprintf(p->why, sizeof p->why, "%zu of %zu good, were %zu of %zu",
	    p->d[1].n, p->tried[1], p->d[0].n, p->tried[0]);
	return 1;
}

/* How many runs a side would do, at least as many as a rank test takes. */
static void
estimate(struct runstat_pair *p, const struct runstat_job *j, size_t m)
{
	const struct stat_effect *e = pair_decides(p, j);
	double noise = p->c.noise, share = 1;

	if (e == &p->c.adj)
		share = sqrt(p->c.runs);
	p->needed = stat_runs_needed(e->change, noise * share, j->margin,
	    STAT_ALPHA / (double)(m > 0 ? m : 1));
}

void
pair_judge(struct runstat_pair *p, const struct runstat_job *j, size_t m)
{
	const struct stat_effect *e = pair_decides(p, j);
	struct stat_spec spec = { .margin = j->margin };
	char why[128];

	spec.higher_is_better =
	    runstat_higher_is_better(j->r->spec.value[p->value]);
	if (*j->workload != '\0') {
		snprintf(why, sizeof why, "%.120s", j->workload);
		not_comparable(p, why);
		return;
	}
	if (judge_failures(p))
		return;
	if (p->d[0].n == 0 || p->d[1].n == 0) {
		snprintf(why, sizeof why, "%zu of %zu and %zu of %zu good",
		    p->d[0].n, p->tried[0], p->d[1].n, p->tried[1]);
		not_comparable(p, why);
		return;
	}
	if (e == &p->c.adj && !p->c.adjusted) {
		not_comparable(p, "no figures to adjust by");
		return;
	}
	if (e == &p->c.adj && p->covariate_bad) {
		not_comparable(p, "user_s not shown equal, cannot adjust");
		return;
	}
	p->verdict = stat_verdict(e, p->p[e == &p->c.adj], &spec);
	if (p->verdict == STAT_INCONCLUSIVE)
		estimate(p, j, m);
}

const char *
pair_verdict(char *buf, size_t size, const struct runstat_pair *p,
    const struct runstat_job *j)
{
	size_t have = p->d[0].n < p->d[1].n ? p->d[0].n : p->d[1].n;
	const char *words[] = { "better", "worse" };

	switch (p->verdict) {
	case STAT_BETTER:
	case STAT_WORSE:
		snprintf(buf, size, "%s%s%s%s", words[p->verdict],
		    *p->why != '\0' ? " (" : "", p->why,
		    *p->why != '\0' ? ")" : "");
		break;
	case STAT_EQUIVALENT:
		snprintf(buf, size, "equivalent within %g%%", 100 * j->margin);
		break;
	case STAT_NOT_COMPARABLE:
		snprintf(buf, size, "not comparable (%s)", p->why);
		break;
	case STAT_INCONCLUSIVE:
		if (p->needed == 0)
			snprintf(buf, size, "inconclusive (more than %d more "
			    "runs a side)", STAT_MORE_MAX);
		else if (p->needed <= have)
			snprintf(buf, size, "inconclusive (about 1 more run "
			    "a side)");
		else
			snprintf(buf, size, "inconclusive (about %zu more "
			    "run%s a side)", p->needed - have,
			    p->needed - have == 1 ? "" : "s");
		break;
	}
	return buf;
}
