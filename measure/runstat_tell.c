/*
 * runstat_tell: print a comparison, as text, as a record, as a test result.
 */
#include <math.h>
#include <string.h>

#include "runstat_pair.h"

#define TEXT 4096

static const char *
label(const struct runstat_pair *p, const struct runstat_job *j, int side)
{
	const char *text = rows_text(j->r, p->cell[side], ROWS_LABEL);
	const char *other = rows_text(j->r, p->cell[!side], ROWS_LABEL);

	/* Two files with the same label are told apart by their names. */
	if (strcmp(text, other) == 0 && p->cell[0]->file != p->cell[1]->file)
		return j->files[p->cell[side]->file];
	return text;
}

static void
text_side(const struct runstat_pair *p, const struct runstat_job *j, int side)
{
	const struct stat_desc *d = &p->d[side];
	char median[OUT_NUMBER], mean[OUT_NUMBER], sd[OUT_NUMBER], text[TEXT];

	snprintf(text, sizeof text, "%s: %zu of %zu good, median %s, mean %s, "
	    "sd %s", label(p, j, side), d->n, p->tried[side],
	    out_number(median, d->median), out_number(mean, d->mean),
	    out_number(sd, d->sd));
	out_fold(text, 2);
}

static void
text_effect(const char *name, const struct stat_effect *e, double holm,
    const char *test)
{
	char change[OUT_NUMBER], lo[OUT_NUMBER], hi[OUT_NUMBER];
	char p[OUT_NUMBER], q[OUT_NUMBER], text[TEXT];
	size_t at;

	at = (size_t)snprintf(text, sizeof text, "%s %s", name,
	    out_percent(change, e->change));
	if (isnan(e->lo95) || isnan(e->hi95))
		at += (size_t)snprintf(text + at, sizeof text - at,
		    ", no 95%% interval from so few runs");
	else
		at += (size_t)snprintf(text + at, sizeof text - at,
		    ", 95%% interval %s to %s", out_percent(lo, e->lo95),
		    out_percent(hi, e->hi95));
	at += (size_t)snprintf(text + at, sizeof text - at, ", p %s (%s)",
	    out_p(p, e->p), test);
	if (holm != e->p)
		snprintf(text + at, sizeof text - at, ", %s after Holm",
		    out_p(q, holm));
	out_fold(text, 2);
}

static const char *
test_name(const struct runstat_pair *p)
{
	if (p->same)
		return "the same runs";
	if (p->c.paired)
		return p->c.raw.exact ? "exact signed rank, by block" :
		    "signed rank, by block";
	return p->c.raw.exact ? "exact rank sum" : "rank sum";
}

static void
text_adjusted(const struct runstat_pair *p, const struct runstat_job *j)
{
	char name[128], runs[128];
	size_t at;

	at = (size_t)snprintf(name, sizeof name, "adjusted by");
	for (size_t i = 0; i < j->covers; i++)
		at += (size_t)snprintf(name + at, sizeof name - at, "%s %s",
		    i > 0 ? " and" : "", j->r->spec.value[j->cover[i]]);
	text_effect(name, &p->c.adj, p->p[1], p->c.adj.exact ?
	    "permuted residuals" : "analysis of covariance");
	snprintf(runs, sizeof runs, "it needs %.0f%% of the runs; the %s "
	    "comparison decides", 100 * p->c.runs,
	    j->o->decides > 0 ? "adjusted" : "raw");
	out_fold(runs, 4);
}

void
pair_text(const struct runstat_pair *p, const struct runstat_job *j)
{
	const char *column = j->r->spec.value[p->value];
	char text[TEXT + PAIR_NOTES], verdict[256], mean[OUT_NUMBER];

	snprintf(text, sizeof text, "%s: %s against %s (%s is better)", column,
	    label(p, j, 1), label(p, j, 0),
	    runstat_higher_is_better(column) ? "more" : "less");
	out_fold(text, 0);
	out_cell_name(text, TEXT, j->r, p->cell[1]);
	if (*text != '\0')
		out_fold(text, 2);
	text_side(p, j, 0);
	text_side(p, j, 1);
	if (p->d[0].n > 0 && p->d[1].n > 0) {
		text_effect("change", &p->c.raw, p->p[0], test_name(p));
		snprintf(text, sizeof text, "means alone %s",
		    out_percent(mean, p->d[1].mean / p->d[0].mean - 1));
		out_fold(text, 4);
	}
	if (p->c.adjusted)
		text_adjusted(p, j);
	snprintf(text, sizeof text, "verdict: %s%s%s%s",
	    pair_verdict(verdict, sizeof verdict, p, j),
	    *p->notes != '\0' ? " [" : "", p->notes,
	    *p->notes != '\0' ? "]" : "");
	out_fold(text, 2);
	putchar('\n');
}

void
pair_record(struct out *o, const struct runstat_pair *p,
    const struct runstat_job *j)
{
	static const char *const words[] = { "better", "worse", "equivalent",
	    "inconclusive", "not comparable" };
	const struct stat_effect *raw = &p->c.raw, *adj = &p->c.adj;
	double have = (double)(p->d[0].n < p->d[1].n ? p->d[0].n : p->d[1].n);
	char name[TEXT], verdict[256], change[OUT_NUMBER], good[2][48];

	for (int i = 0; i < 2; i++)
		snprintf(good[i], sizeof good[i], "%zu of %zu", p->d[i].n,
		    p->tried[i]);
	const struct out_field f[] = {
		{ "column", j->r->spec.value[p->value], 0, 1 },
		{ "cell", out_cell_name(name, sizeof name, j->r, p->cell[1]),
		    0, 1 },
		{ "base", label(p, j, 0), 0, 1 },
		{ "label", label(p, j, 1), 0, 1 },
		{ "base_good", good[0], 0, 1 },
		{ "good", good[1], 0, 1 },
		{ "base_median", NULL, p->d[0].median, 1 },
		{ "median", NULL, p->d[1].median, 1 },
		{ "base_mean", NULL, p->d[0].mean, 0 },
		{ "mean", NULL, p->d[1].mean, 0 },
		{ "base_sd", NULL, p->d[0].sd, 0 },
		{ "sd", NULL, p->d[1].sd, 0 },
		{ "change", o->format == RUNSTAT_MARKDOWN ?
		    out_percent(change, raw->change) : NULL, raw->change, 1 },
		{ "lo95", NULL, raw->lo95, 0 },
		{ "hi95", NULL, raw->hi95, 0 },
		{ "lo90", NULL, raw->lo90, 0 },
		{ "hi90", NULL, raw->hi90, 0 },
		{ "p", NULL, raw->p, 0 },
		{ "p_holm", NULL, p->p[0], 1 },
		{ "test", test_name(p), 0, 0 },
		{ "adjusted_change", NULL, adj->change, 0 },
		{ "adjusted_lo95", NULL, adj->lo95, 0 },
		{ "adjusted_hi95", NULL, adj->hi95, 0 },
		{ "adjusted_p", NULL, p->c.adjusted ? adj->p : NAN, 0 },
		{ "adjusted_p_holm", NULL, p->c.adjusted ? p->p[1] : NAN, 0 },
		{ "adjusted_runs", NULL, p->c.adjusted ? p->c.runs : NAN, 0 },
		{ "decides", j->o->decides > 0 ? "adjusted" : "raw", 0, 0 },
		{ "margin", NULL, j->margin, 0 },
		{ "verdict", o->format == RUNSTAT_MARKDOWN ?
		    pair_verdict(verdict, sizeof verdict, p, j) :
		    words[p->verdict], 0, 1 },
		{ "more_runs", NULL, p->needed > 0 ?
		    fmax((double)p->needed - have, 1) : NAN, 0 },
		{ "why", p->why, 0, 0 },
		{ "order", order_name(p->order), 0, 0 },
		{ "notes", p->notes, 0, 1 },
	};

	out_record(o, f, sizeof f / sizeof *f);
}

void
pair_ktap(struct out *o, const struct runstat_pair *p,
    const struct runstat_job *j)
{
	char name[TEXT], verdict[256], change[OUT_NUMBER];
	char what[2 * TEXT];

	snprintf(what, sizeof what, "%s %s against %s %s: %s, %s%s%s",
	    j->r->spec.value[p->value], label(p, j, 1), label(p, j, 0),
	    out_cell_name(name, sizeof name, j->r, p->cell[1]),
	    out_percent(change, pair_decides(p, j)->change),
	    pair_verdict(verdict, sizeof verdict, p, j),
	    *p->notes != '\0' ? "; " : "", p->notes);
	out_ktap(o, p->verdict != STAT_WORSE &&
	    p->verdict != STAT_NOT_COMPARABLE,
	    p->verdict == STAT_INCONCLUSIVE ? "inconclusive" : NULL, what);
}
