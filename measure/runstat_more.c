/*
 * runstat_more: how many more runs until a median is known well enough?
 *
 * The interval of the median (by order statistics) narrows with the square
 * root of the number of runs; half its width, as a share of the median, is
 * held against the margin.
 */
#include <err.h>
#include <math.h>
#include <stdlib.h>

#include "exits.h"
#include "runstat.h"
#include "stat_desc.h"

#define MARGIN 0.02
#define RUNS_MIN 6		/* the fewest that give a 95 % interval */
#define RUNS_MAX 100000
#define MEDIAN_FACTOR 1.2533	/* sd of a median / of a mean, normal noise */

struct need {
	size_t n;
	double half;		/* half width of the interval; NAN: none yet */
	double runs;		/* needed in all */
};

static void
find_need(struct need *need, const struct stat_desc *d, double margin)
{
	double by_sd;

	need->n = d->n;
	need->half = (d->median_hi - d->median_lo) / 2 / fabs(d->median);
	need->runs = RUNS_MIN;
	if (!isnan(need->half) && need->half <= margin) {
		need->runs = (double)d->n;
		return;
	}
	if (!isnan(need->half))
		need->runs = fmax((double)d->n + 1, ceil((double)d->n *
		    (need->half / margin) * (need->half / margin)));
	else if (d->n > 1) {
		by_sd = 1.96 * MEDIAN_FACTOR * d->sd / fabs(d->median);
		need->runs = fmax(RUNS_MIN,
		    ceil((by_sd / margin) * (by_sd / margin)));
	}
	if (need->runs > RUNS_MAX || isnan(need->runs))
		need->runs = INFINITY;
}

static void
show(struct out *o, const struct rows *r, const struct rows_cell *c,
    size_t value, const struct need *need)
{
	char name[4096], half[OUT_NUMBER], what[8192];
	double more = need->runs - (double)need->n;
	size_t at;
	const char *label = rows_text(r, c, ROWS_LABEL);
	const struct out_field f[] = {
		{ "column", r->spec.value[value], 0, 1 },
		{ "label", label, 0, 1 },
		{ "cell", out_cell_name(name, sizeof name, r, c), 0, 1 },
		{ "n", NULL, (double)need->n, 1 },
		{ "half_width", NULL, need->half, 1 },
		{ "needed", NULL, need->runs, 1 },
		{ "more", NULL, more, 1 }
	};

	if (o->format != RUNSTAT_TEXT && o->format != RUNSTAT_KTAP) {
		out_record(o, f, sizeof f / sizeof *f);
		return;
	}
	at = (size_t)snprintf(what, sizeof what, "%s %s%s%s: %zu good run%s, ",
	    r->spec.value[value], label, *name != '\0' ? ", " : "", name,
	    need->n, need->n == 1 ? "" : "s");
	if (isnan(need->half))
		at += (size_t)snprintf(what + at, sizeof what - at,
		    "no interval of the median yet");
	else
		at += (size_t)snprintf(what + at, sizeof what - at,
		    "median known to %s", out_percent(half, need->half) + 1);
	if (more <= 0)
		snprintf(what + at, sizeof what - at, ": enough");
	else if (isinf(more))
		snprintf(what + at, sizeof what - at, ": more than %d more",
		    RUNS_MAX);
	else
		snprintf(what + at, sizeof what - at, ": about %.0f more",
		    more);
	if (o->format == RUNSTAT_KTAP)
		out_ktap(o, more <= 0, NULL, what);
	else
		out_fold(what, 0);
}

static int
all_cells(const struct runstat_options *o, const struct rows *r, double *room)
{
	double margin = isnan(o->margin) ? MARGIN : o->margin;
	int status = r->cell_count > 0 ? RUNSTAT_GOOD : RUNSTAT_INCONCLUSIVE;
	struct stat_desc d;
	struct need need;
	struct out out;
	size_t n;

	out_begin(&out, o->format);
	if (o->format == RUNSTAT_KTAP)
		out_ktap_plan(r->cell_count * r->spec.values);
	for (size_t v = 0; v < r->spec.values; v++)
		for (size_t i = 0; i < r->cell_count; i++) {
			n = rows_values(r, &r->cells[i], v, room, NULL);
			stat_describe(&d, room, room + r->n, n);
			find_need(&need, &d, margin);
			show(&out, r, &r->cells[i], v, &need);
			if (need.runs > (double)n)
				status = RUNSTAT_INCONCLUSIVE;
		}
	out_end(&out);
	return status;
}

int
runstat_more(const struct runstat_options *o, int n, char **files)
{
	struct rows r;
	double *room;
	int status = RUNSTAT_WORSE;

	if (runstat_load(&r, o, n, files, NULL, 0) == 0) {
		room = malloc((2 * r.n + 1) * sizeof *room);
		if (room == NULL)
			err(EXIT_MEMORY, NULL);
		status = all_cells(o, &r, room);
		free(room);
	}
	rows_free(&r);
	return status;
}
