/*
 * runstat_knee: how a response depends on a numeric setting.
 *
 * The setting is the last number in the label ("s040", "swappiness=60"); labels
 * that agree in what stands around it form a series.
 */
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exits.h"
#include "runstat.h"
#include "stat_knee.h"

#define MARGIN 0.10
#define SETTINGS_MAX 256

struct member {			/* one cell of a series */
	size_t series, cell;
	double x;
};

struct series {
	const struct rows *rows;
	size_t value;
	const struct member *member;
	size_t members;
	char name[512];		/* "s*" */
	size_t good, tried;
	struct stat_knee k;
	int ordered;		/* the settings were run in order */
	int status;		/* of stat_knee; 2: too many settings */
};

/* Split a label about its last number; 0 when it has none. */
static int
split_label(const char *label, size_t *from, size_t *to)
{
	size_t end = strlen(label), start;

	while (end > 0 && (label[end - 1] < '0' || label[end - 1] > '9'))
		end--;
	for (start = end; start > 0 && strchr("0123456789.",
	    label[start - 1]) != NULL; start--)
		;
	while (start < end && label[start] == '.')
		start++;
	*from = start;
	*to = end;
	return start < end;
}

static double
setting(const char *label, size_t from, size_t to)
{
	double x;

	return rows_number(label + from, to - from, &x) == 0 ? x : NAN;
}

/*
 * Number the series: cells alike in all but the number in their label.  Done
 * as rows_group does it, with the label replaced by its frame.
 */
static size_t
find_series(const struct rows *r, struct member *m, size_t *n,
    struct rows_texts *frames)
{
	struct rows by = { 0 };
	uint32_t key[ROWS_KEYS], group;
	size_t from, to;
	const char *label;
	char frame[512];

	*n = 0;
	for (size_t i = 0; i < r->cell_count; i++) {
		label = rows_text(r, &r->cells[i], ROWS_LABEL);
		if (!split_label(label, &from, &to) ||
		    isnan(setting(label, from, to))) {
			warnx("%s: no number in the label, left out", label);
			continue;
		}
		snprintf(frame, sizeof frame, "%.*s*%s",
		    (int)(from < 250 ? from : 250), label, label + to);
		memcpy(key, r->cells[i].key, sizeof key);
		key[ROWS_LABEL] = rows_intern(frames, frame, strlen(frame));
		group = rows_cell_of(&by, key, r->cells[i].file);
		if (group == UINT32_MAX || key[ROWS_LABEL] == UINT32_MAX)
			err(EXIT_MEMORY, NULL);
		m[(*n)++] = (struct member){ group, i,
		    setting(label, from, to) };
	}
	group = (uint32_t)by.cell_count;
	rows_free(&by);
	return group;
}

static int
by_series(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->series != y->series)
		return x->series < y->series ? -1 : 1;
	return (x->cell > y->cell) - (x->cell < y->cell);
}

/*
 * Settings that were run one after the other, in order, cannot be told from a
 * machine that ages meanwhile.
 */
static int
in_order(const struct series *s)
{
	const struct member *m = s->member;
	int up = 1, down = 1;
	const struct rows_cell *a, *b;

	for (size_t i = 1; i < s->members; i++) {
		a = &s->rows->cells[m[i - 1].cell];
		b = &s->rows->cells[m[i].cell];
		/* Cells are numbered by their first rows. */
		if (s->rows->order[a->first + a->n - 1] >
		    s->rows->order[b->first])
			return 0;
		up &= m[i].x > m[i - 1].x;
		down &= m[i].x < m[i - 1].x;
	}
	return up || down;
}

static void
work_out(struct series *s, double margin, double *x, double *y)
{
	const struct rows_cell *c;
	const char *label;
	size_t from, to, n;

	s->good = s->tried = 0;
	for (size_t i = 0; i < s->members; i++) {
		c = &s->rows->cells[s->member[i].cell];
		n = rows_values(s->rows, c, s->value, y + s->good, NULL);
		for (size_t j = 0; j < n; j++)
			x[s->good + j] = s->member[i].x;
		s->good += n;
		s->tried += c->n;
	}
	label = rows_text(s->rows, &s->rows->cells[s->member[0].cell],
	    ROWS_LABEL);
	split_label(label, &from, &to);
	snprintf(s->name, sizeof s->name, "%.*s*%.200s",
	    (int)(from < 250 ? from : 250), label, label + to);
	s->ordered = in_order(s);
	s->status = 2;
	if (s->members <= SETTINGS_MAX)
		s->status = stat_knee(&s->k, x, y, s->good, margin);
	if (s->status == -1)
		err(EXIT_MEMORY, NULL);
}

static const char *const shapes[] = { "flat", "rising", "falling", "bend",
    "unclear" };

static void
say_bend(char *text, size_t size, const struct series *s)
{
	const struct stat_knee *k = &s->k;
	const char *unit = k->logs ? "%" : "";
	double times = k->logs ? 100 : 1;

	snprintf(text, size, "bends at %.4g (95%% interval "
	    "%.4g to %.4g): %+.3g%s a unit before it, %+.3g%s after, p %.3f "
	    "against one line", k->at, k->lo, k->hi, times * k->before, unit,
	    times * k->after, unit, k->bend_p);
}

static void
say(char *text, size_t size, const struct series *s, double margin)
{
	const struct stat_knee *k = &s->k;
	char spread[OUT_NUMBER];
	double times = k->logs ? 100 : 1;

	out_percent(spread, k->spread);
	switch (s->status == 0 ? (int)k->shape : -1) {
	case STAT_FLAT:
		snprintf(text, size, "flat: all settings within %s of their "
		    "middle (margin %g%%)", spread + 1, 100 * margin);
		break;
	case STAT_BENDS:
		say_bend(text, size, s);
		break;
	case STAT_RISING:
	case STAT_FALLING:
		snprintf(text, size, "%s: %+.3g%s a unit, p %.3f, no bend "
		    "shown", shapes[k->shape], times * k->slope,
		    k->logs ? "%" : "", k->slope_p);
		break;
	case STAT_UNCLEAR:
		snprintf(text, size, "unclear: up to %s from the middle, but "
		    "neither a trend nor a bend is shown", spread + 1);
		break;
	default:
		if (s->status == 2)
			snprintf(text, size, "more than %d settings",
			    SETTINGS_MAX);
		else
			snprintf(text, size, "fewer than 3 settings with a "
			    "good run");
	}
}

static void
record(struct out *o, const struct series *s, const char *name)
{
	const struct stat_knee *k = &s->k;
	int bend = s->status == 0 && !isnan(k->bend_p);
	const struct out_field f[] = {
		{ "column", s->rows->spec.value[s->value], 0, 1 },
		{ "series", s->name, 0, 1 },
		{ "cell", name, 0, 1 },
		{ "settings", NULL, s->status == 0 ? (double)k->settings :
		    NAN, 1 },
		{ "good", NULL, (double)s->good, 1 },
		{ "shape", s->status == 0 ? shapes[k->shape] : "-", 0, 1 },
		{ "spread", NULL, s->status == 0 ? k->spread : NAN, 1 },
		{ "slope", NULL, s->status == 0 ? k->slope : NAN, 0 },
		{ "slope_p", NULL, s->status == 0 ? k->slope_p : NAN, 0 },
		{ "bend", NULL, bend ? k->at : NAN, 1 },
		{ "bend_lo95", NULL, bend ? k->lo : NAN, 1 },
		{ "bend_hi95", NULL, bend ? k->hi : NAN, 1 },
		{ "slope_before", NULL, bend ? k->before : NAN, 0 },
		{ "slope_after", NULL, bend ? k->after : NAN, 0 },
		{ "bend_p", NULL, bend ? k->bend_p : NAN, 1 },
		{ "in_order", s->ordered ? "yes" : "no", 0, 0 }
	};

	out_record(o, f, sizeof f / sizeof *f);
}

static void
show(struct out *o, const struct series *s, double margin)
{
	char name[4096], text[8192];
	size_t at;

	out_cell_name(name, sizeof name, s->rows,
	    &s->rows->cells[s->member[0].cell]);
	if (o->format != RUNSTAT_TEXT && o->format != RUNSTAT_KTAP) {
		record(o, s, name);
		return;
	}
	at = (size_t)snprintf(text, sizeof text, "%s %s%s%s, %zu settings, "
	    "%zu of %zu good: ", s->rows->spec.value[s->value], s->name,
	    *name != '\0' ? ", " : "", name, s->members, s->good, s->tried);
	say(text + at, sizeof text - at, s, margin);
	if (s->ordered && s->status == 0 && s->k.shape != STAT_FLAT) {
		at = strlen(text);
		snprintf(text + at, sizeof text - at, " [the settings stand "
		    "in order: if they ran so, an ageing machine looks the "
		    "same]");
	}
	if (o->format == RUNSTAT_KTAP)
		out_ktap(o, s->status == 0, NULL, text);
	else
		out_fold(text, 0);
}

static int
all_series(const struct runstat_options *o, const struct rows *r,
    struct member *m, double *x, double *y)
{
	double margin = isnan(o->margin) ? MARGIN : o->margin;
	struct rows_texts frames = { 0 };
	struct series s = { .rows = r };
	size_t n, all = find_series(r, m, &n, &frames);
	int status = all > 0 ? RUNSTAT_GOOD : RUNSTAT_NOT_COMPARABLE;
	struct out out;

	qsort(m, n, sizeof *m, by_series);
	out_begin(&out, o->format);
	if (o->format == RUNSTAT_KTAP)
		out_ktap_plan(all * r->spec.values);
	for (size_t v = 0; v < r->spec.values; v++)
		for (size_t i = 0; i < n; i += s.members) {
			s.value = v;
			s.member = &m[i];
			for (s.members = 0; i + s.members < n &&
			    m[i + s.members].series == m[i].series;)
				s.members++;
			work_out(&s, margin, x, y);
			show(&out, &s, margin);
			if (s.status != 0)
				status = RUNSTAT_NOT_COMPARABLE;
			else if (s.k.shape == STAT_UNCLEAR &&
			    status == RUNSTAT_GOOD)
				status = RUNSTAT_INCONCLUSIVE;
		}
	out_end(&out);
	for (size_t i = 0; i < frames.n; i++)
		free(frames.text[i]);
	free(frames.text);
	free(frames.slot);
	return status;
}

int
runstat_knee(const struct runstat_options *o, int n, char **files)
{
	struct rows r;
	struct member *m;
	double *x;
	int status = RUNSTAT_WORSE;

	if (runstat_load(&r, o, n, files, NULL, 0) == 0) {
		m = malloc((r.cell_count + 1) * sizeof *m);
		x = malloc((2 * r.n + 1) * sizeof *x);
		if (m == NULL || x == NULL)
			err(EXIT_MEMORY, NULL);
		status = all_series(o, &r, m, x, x + r.n);
		free(m);
		free(x);
	}
	rows_free(&r);
	return status;
}
