/*
 * runstat_summary: describe every cell of a table.
 */
#include <err.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "exits.h"
#include "runstat.h"
#include "stat_desc.h"
#include "stat_trend.h"

#define OUTCOMES 8
#define TEXT 4096
#define DRIFT_P 0.05

struct summary {
	const struct rows *rows;
	const struct rows_cell *cell;
	size_t value;
	size_t tried;			/* runs, without skipped ones */
	struct stat_desc d;
	struct stat_trend trend;
	double first;			/* first run / the others' median - 1 */
	int first_odd;			/* nonzero: it is an outlier to them */
	size_t outliers, shown;
	size_t odd[OUTCOMES];		/* positions of the first outliers */
	double odd_value[OUTCOMES];
	uint32_t bad[OUTCOMES];		/* outcomes other than ok, in order */
	size_t bad_count[OUTCOMES], bads;
	char failures[256];
};

struct room {
	double *x, *sorted;
	uint32_t *where;
};

static void
count_bad(struct summary *s, uint32_t outcome)
{
	size_t i;

	for (i = 0; i < s->bads && s->bad[i] != outcome; i++)
		;
	if (i == OUTCOMES)
		return;
	if (i == s->bads)
		s->bad[s->bads++] = outcome;
	s->bad_count[i]++;
}

/* What went wrong, for people: "3 oom", "n/a (livelock)", "not tested". */
static void
describe_bad(struct summary *s)
{
	size_t at = 0;
	const char *text;

	for (size_t i = 0; i < s->bads && at < sizeof s->failures; i++) {
		text = s->rows->texts.text[s->bad[i]];
		if (strncmp(text, "skipped:", 8) == 0)
			text += 8;
		at += (size_t)snprintf(s->failures + at,
		    sizeof s->failures - at, "%s%zu %s", at > 0 ? ", " : "",
		    s->bad_count[i], strcmp(text, "-") == 0 ?
		    "of unknown outcome" : text);
	}
}

static void
first_run(struct summary *s, const double *x, double *room, size_t n)
{
	struct stat_desc rest;

	s->first = NAN;
	if (n < 3)
		return;
	stat_describe(&rest, x + 1, room, n - 1);
	if (rest.median != 0)
		s->first = x[0] / rest.median - 1;
	s->first_odd = stat_outlier(&rest, x[0]);
}

static void
summarise(struct summary *s, const struct rows *r, const struct rows_cell *c,
    size_t value, const struct room *room)
{
	size_t n;
	uint32_t row;

	memset(s, 0, sizeof *s);
	s->rows = r;
	s->cell = c;
	s->value = value;
	for (size_t i = 0; i < c->n; i++) {
		row = r->order[c->first + i];
		s->tried += !rows_skipped(r, row);
		if (r->outcome[row] != r->ok)
			count_bad(s, r->outcome[row]);
	}
	describe_bad(s);
	n = rows_values(r, c, value, room->x, room->where);
	first_run(s, room->x, room->sorted, n);
	stat_describe(&s->d, room->x, room->sorted, n);
	if (stat_trend(&s->trend, room->x, n) == -1)
		err(EXIT_MEMORY, NULL);
	for (size_t i = 0; i < n; i++) {
		if (!stat_outlier(&s->d, room->x[i]))
			continue;
		if (s->shown < OUTCOMES) {
			s->odd[s->shown] = i + 1;
			s->odd_value[s->shown++] = room->x[i];
		}
		s->outliers++;
	}
}

static void append(char *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void
append(char *buf, const char *format, ...)
{
	size_t at = strlen(buf);
	va_list args;

	va_start(args, format);
	vsnprintf(buf + at, TEXT - at, format, args);
	va_end(args);
}

static void
append_intervals(char *text, const struct stat_desc *d)
{
	char a[OUT_NUMBER], b[OUT_NUMBER];

	if (isnan(d->mean_lo)) {
		append(text, "no interval from one run.");
		return;
	}
	append(text, "95%% interval: mean %s to %s,", out_number(a, d->mean_lo),
	    out_number(b, d->mean_hi));
	if (isnan(d->median_lo))
		append(text, " median none below 6 runs.");
	else
		append(text, " median %s to %s (%.1f%%).",
		    out_number(a, d->median_lo), out_number(b, d->median_hi),
		    100 * d->median_level);
}

static void
append_oddities(char *text, const struct summary *s)
{
	char a[OUT_NUMBER], b[OUT_NUMBER];

	if (s->outliers > 0) {
		append(text, " Outlier%s kept:", s->outliers > 1 ? "s" : "");
		for (size_t i = 0; i < s->shown; i++)
			append(text, "%s run %zu (%s)", i > 0 ? "," : "",
			    s->odd[i], out_percent(a, s->odd_value[i] /
			    s->d.median - 1));
		if (s->outliers > s->shown)
			append(text, " and %zu more", s->outliers - s->shown);
		append(text, ".");
	}
	if (s->first_odd)
		append(text, " The first run differs: %s.",
		    out_percent(a, s->first));
	if (s->trend.p <= DRIFT_P)
		append(text, " Drifts %s a run in run order (p %s).",
		    out_percent(a, s->trend.slope / s->d.median),
		    out_p(b, s->trend.p));
}

/* The group of a cell is all but its label; told when it changes. */
static int
same_group(const struct rows_cell *a, const struct rows_cell *b)
{
	return a->file == b->file && memcmp(a->key + 1, b->key + 1,
	    sizeof a->key - sizeof a->key[0]) == 0;
}

static void
text_head(const struct summary *s, int files, char **names)
{
	char name[TEXT];

	out_cell_name(name, sizeof name, s->rows, s->cell);
	if (files > 1)
		printf("%s\n", names[s->cell->file]);
	if (*name != '\0')
		out_fold(name, 0);
	printf("%-16s %9s %9s %9s %8s %5s %9s %8s\n",
	    s->rows->spec.value[s->value], "good", "median", "mean", "sd",
	    "CV%", "min", "max");
}

static void
text_figures(const struct summary *s, const char *label)
{
	const struct stat_desc *d = &s->d;
	const double x[] = { d->median, d->mean, d->sd, d->min, d->max };
	char figure[5][OUT_NUMBER], good[48], cv[16] = "-", line[512];
	const char *f[5];

	snprintf(good, sizeof good, "%zu of %zu", d->n, s->tried);
	for (int i = 0; i < 5; i++)
		f[i] = out_number(figure[i], x[i]);
	if (!isnan(d->cv))
		snprintf(cv, sizeof cv, "%.1f", 100 * d->cv);
	snprintf(line, sizeof line, "%9s %9s %9s %8s %5s %9s %8s", good, f[0],
	    f[1], f[2], cv, f[3], f[4]);
	if (strlen(line) > 63)
		printf("%s\n%4s%s good, median %s, mean %s, sd %s, CV %s%%,\n"
		    "%4smin %s, max %s\n", label, "", good, f[0], f[1], f[2],
		    cv, "", f[3], f[4]);
	else if (strlen(label) > 16)
		printf("%s\n%-16s %s\n", label, "", line);
	else
		printf("%-16s %s\n", label, line);
}

static void
text_cell(const struct summary *s)
{
	const char *label = rows_text(s->rows, s->cell, ROWS_LABEL);
	char text[TEXT] = "";

	if (s->tried == 0 || (s->tried == 1 && s->bads == 1)) {
		/* No figure at all: "n/a (livelock)", "not tested". */
		printf(s->tried == 0 ? "%-16s %s\n" : "%-16s n/a (%s)\n",
		    label, *s->failures == '1' && s->bads == 1 ?
		    s->failures + 2 : s->failures);
		return;
	}
	text_figures(s, label);
	if (s->bads > 0)
		append(text, "Not good: %s. ", s->failures);
	if (s->d.n > 0) {
		append_intervals(text, &s->d);
		append_oddities(text, s);
	}
	if (*text != '\0')
		out_fold(text, 4);
}

static void
record(struct out *o, const struct summary *s, char **names)
{
	const struct rows *r = s->rows;
	const struct rows_cell *c = s->cell;
	char name[TEXT], good[48];

	snprintf(good, sizeof good, "%zu of %zu", s->d.n, s->tried);
	const struct out_field f[] = {
		{ "file", names[c->file], 0, 0 },
		{ "column", r->spec.value[s->value], 0, 1 },
		{ "label", rows_text(r, c, ROWS_LABEL), 0, 1 },
		{ "cell", out_cell_name(name, sizeof name, r, c), 0, 1 },
		{ "good", good, 0, o->format == RUNSTAT_MARKDOWN },
		{ "n", NULL, (double)s->d.n, 0 },
		{ "of", NULL, (double)s->tried, 0 },
		{ "median", NULL, s->d.median, 1 },
		{ "mean", NULL, s->d.mean, 1 },
		{ "sd", NULL, s->d.sd, 1 },
		{ "cv", NULL, s->d.cv, 0 },
		{ "min", NULL, s->d.min, 1 },
		{ "max", NULL, s->d.max, 1 },
		{ "median_lo95", NULL, s->d.median_lo, 0 },
		{ "median_hi95", NULL, s->d.median_hi, 0 },
		{ "median_level", NULL, s->d.median_level, 0 },
		{ "mean_lo95", NULL, s->d.mean_lo, 0 },
		{ "mean_hi95", NULL, s->d.mean_hi, 0 },
		{ "outliers", NULL, (double)s->outliers, 0 },
		{ "first_run", NULL, s->first, 0 },
		{ "drift_a_run", NULL, s->trend.slope, 0 },
		{ "drift_p", NULL, s->trend.p, 0 },
		{ "failures", s->failures, 0, 1 },
	};

	out_record(o, f, sizeof f / sizeof *f);
}

static void
ktap(struct out *o, const struct summary *s)
{
	char name[TEXT], what[TEXT + 512], m[OUT_NUMBER], sd[OUT_NUMBER];

	snprintf(what, sizeof what,
	    "%s %s %s: %zu of %zu, median %s, sd %s%s%s",
	    s->rows->spec.value[s->value],
	    rows_text(s->rows, s->cell, ROWS_LABEL),
	    out_cell_name(name, sizeof name, s->rows, s->cell), s->d.n,
	    s->tried, out_number(m, s->d.median), out_number(sd, s->d.sd),
	    s->bads > 0 ? ", " : "", s->failures);
	out_ktap(o, s->d.n > 0 && s->d.n == s->tried,
	    s->tried == 0 ? "nothing was run" : NULL, what);
}

static void
show(struct out *o, const struct summary *s, const struct summary *before,
    int files, char **names)
{
	if (o->format == RUNSTAT_KTAP) {
		ktap(o, s);
		return;
	}
	if (o->format != RUNSTAT_TEXT) {
		record(o, s, names);
		return;
	}
	if (before->cell == NULL || before->value != s->value ||
	    !same_group(s->cell, before->cell)) {
		printf("%s", before->cell != NULL ? "\n" : "");
		text_head(s, files, names);
	}
	text_cell(s);
}

/* All cells of a group together, groups and labels as they first came. */
static size_t *
grouped(const struct rows *r)
{
	size_t *list = malloc((r->cell_count + 1) * sizeof *list), n = 0;
	size_t *head = malloc((r->cell_count + 1) * sizeof *head);
	size_t *next = malloc((r->cell_count + 1) * sizeof *next);
	struct rows_group g;

	if (list == NULL || head == NULL || next == NULL ||
	    rows_group(&g, r, ROWS_IGNORE_LABEL) == -1)
		err(EXIT_MEMORY, NULL);
	for (size_t i = 0; i < g.groups; i++)
		head[i] = SIZE_MAX;
	for (size_t i = r->cell_count; i-- > 0;) {
		next[i] = head[g.of[i]];
		head[g.of[i]] = i;
	}
	for (size_t i = 0; i < g.groups; i++)
		for (size_t j = head[i]; j != SIZE_MAX; j = next[j])
			list[n++] = j;
	free(g.of);
	free(head);
	free(next);
	return list;
}

static int
summarise_all(const struct runstat_options *o, struct rows *r, int n,
    char **files, const struct room *room)
{
	size_t values = r->spec.values, *list = grouped(r);
	struct summary s, before = { 0 };
	int status = RUNSTAT_GOOD;
	struct out out;

	out_begin(&out, o->format);
	if (o->format == RUNSTAT_KTAP)
		out_ktap_plan(r->cell_count * values);
	for (size_t v = 0; v < values; v++)
		for (size_t i = 0; i < r->cell_count; i++) {
			summarise(&s, r, &r->cells[list[i]], v, room);
			show(&out, &s, &before, n, files);
			before = s;
			if (s.d.n == 0)
				status = RUNSTAT_NOT_COMPARABLE;
		}
	if (o->format == RUNSTAT_TEXT && r->cell_count == 0)
		printf("no rows\n");
	out_end(&out);
	free(list);
	return r->cell_count == 0 ? RUNSTAT_NOT_COMPARABLE : status;
}

int
runstat_summary(const struct runstat_options *o, int n, char **files)
{
	size_t widest = 1;
	struct rows r;
	struct room room;
	int status;

	if (runstat_load(&r, o, n, files, NULL, 0) == -1) {
		rows_free(&r);
		return RUNSTAT_WORSE;
	}
	for (size_t i = 0; i < r.cell_count; i++)
		widest = r.cells[i].n > widest ? r.cells[i].n : widest;
	room.x = malloc(2 * widest * sizeof *room.x);
	room.where = malloc(widest * sizeof *room.where);
	if (room.x == NULL || room.where == NULL)
		err(EXIT_MEMORY, NULL);
	room.sorted = room.x + widest;
	status = summarise_all(o, &r, n, files, &room);
	free(room.x);
	free(room.where);
	rows_free(&r);
	return status;
}
