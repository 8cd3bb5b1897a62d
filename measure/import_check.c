/*
 * import_check: do printed percentages, means and ratios follow from the
 * figures they were made of?
 *
 * Printed figures are rounded or cut, so what is compared are the ranges that
 * the digits leave open.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import.h"

#define SLACK 1e-9

/* Half a unit of the last printed digit. */
static double
half_unit(int decimals)
{
	return 0.5 * pow(10, -decimals);
}

void
import_check_run(struct import *in, const struct import_run *r)
{
	double percent, room, half = half_unit(r->decimals);

	if (r->format == IMPORT_CONTEST || isnan(r->cpu_pct) ||
	    isnan(r->user_s) || isnan(r->sys_s) || !(r->elapsed_s > half))
		return;
	percent = 100 * (r->user_s + r->sys_s) / r->elapsed_s;
	/* Cut or rounded, by one unit at most; the times by half of theirs. */
	room = 2 * half_unit(r->cpu_decimals) + percent * half /
	    (r->elapsed_s - half) + 100 * 2 * half / r->elapsed_s;
	if (fabs(percent - r->cpu_pct) <= room + SLACK)
		return;
	in->faults++;
	import_fault(in, r->line, "%.*f%% of CPU is printed, the times give "
	    "%.*f%%", r->cpu_decimals, r->cpu_pct, r->cpu_decimals + 1,
	    percent);
}

/* Two figures and, behind them, the percentage between them. */
static int
check_percent(struct import *in, const struct import_line *l, size_t at)
{
	const struct import_token *t = &l->token[at];
	double old, new, printed, change, room;
	size_t n = t->n - 1;
	int decimals = import_decimals(t->s, t->n);

	if (at < 2 || t->n < 2 || t->s[n] != '%' ||
	    import_number(t->s, n, &printed) == -1 ||
	    import_number(t[-1].s, t[-1].n, &new) == -1 ||
	    import_number(t[-2].s, t[-2].n, &old) == -1 || old == 0)
		return 0;
	change = 100 * (new - old) / fabs(old);
	room = 2 * half_unit(decimals) +
	    100 * (half_unit(import_decimals(t[-1].s, t[-1].n)) +
	    half_unit(import_decimals(t[-2].s, t[-2].n)) *
	    fabs(new / old)) / fabs(old);
	if (fabs(change - printed) > room + SLACK) {
		in->faults++;
		import_fault(in, l->number, "%.*s is printed, %.*s to %.*s is "
		    "%+.*f%%", (int)t->n, t->s, (int)t[-2].n, t[-2].s,
		    (int)t[-1].n, t[-1].s, decimals, change);
	}
	return 1;
}

/* "average 187.2": of the runs above. */
static int
check_mean(struct import *in, const struct import_line *l)
{
	double printed, mean, room;
	const struct import_token *t;

	if (in->summed < 2)
		return 0;
	for (size_t i = 0; i + 1 < l->tokens; i++) {
		t = &l->token[i];
		if (t->n > 0 && t->s[t->n - 1] != ':' &&
		    !import_is(t, "average") && !import_is(t, "mean"))
			continue;
		if (strncasecmp(t->s, "average", 7) != 0 &&
		    strncasecmp(t->s, "mean", 4) != 0)
			continue;
		if (import_clock(t[1].s, t[1].n, &printed) == -1)
			return 0;
		mean = in->sum / in->summed;
		room = 2 * half_unit(import_decimals(t[1].s, t[1].n)) + 0.005;
		if (fabs(printed - mean) > room + SLACK) {
			in->faults++;
			import_fault(in, l->number, "a mean of %.*s is "
			    "printed, the %u runs above give %.3f",
			    (int)t[1].n, t[1].s, in->summed, mean);
		}
		return 1;
	}
	return 0;
}

int
import_check_line(struct import *in, const struct import_line *l)
{
	int found = check_mean(in, l);

	for (size_t i = 2; i < l->tokens; i++)
		found |= check_percent(in, l, i);
	return found;
}

struct edge {
	double at;
	int step;		/* +1 where a range of references begins */
};

static int
by_place(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return y->step - x->step;
}

/* The references that a row's time and ratio allow. */
static void
range_of(const struct import_ratio *r, double *lo, double *hi)
{
	double t = 2 * half_unit(r->decimals);
	double q = 2 * half_unit(r->ratio_decimals);

	*lo = (r->time - t) / (r->ratio + q);
	*hi = r->ratio > q ? (r->time + t) / (r->ratio - q) : INFINITY;
}

/* The one reference that fits most rows; how many it fits. */
static size_t
common_reference(const struct import_ratio *r, size_t n, double *reference)
{
	struct edge *e = malloc((2 * n + 1) * sizeof *e);
	size_t open = 0, most = 0;

	*reference = NAN;
	for (size_t i = 0; e != NULL && i < n; i++) {
		e[2 * i].step = 1;
		e[2 * i + 1].step = -1;
		range_of(&r[i], &e[2 * i].at, &e[2 * i + 1].at);
	}
	if (e != NULL)
		qsort(e, 2 * n, sizeof *e, by_place);
	for (size_t i = 0; e != NULL && i < 2 * n; i++) {
		open += (size_t)e[i].step;
		if (open > most) {
			most = open;
			*reference = i + 1 < 2 * n && isfinite(e[i + 1].at) ?
			    (e[i].at + e[i + 1].at) / 2 : e[i].at;
		}
	}
	free(e);
	return most;
}

static int
by_label(const void *a, const void *b)
{
	const struct import_ratio *x = a, *y = b;
	int c = strcmp(x->label, y->label);

	if (c != 0)
		return c;
	/* The reference first. */
	return (strcmp(y->load, "noload") == 0 ||
	    strcmp(y->load, "no_load") == 0) - (strcmp(x->load, "noload") ==
	    0 || strcmp(x->load, "no_load") == 0);
}

static int
fits(const struct import_ratio *r, double reference)
{
	double lo, hi;

	range_of(r, &lo, &hi);
	return reference >= lo * (1 - SLACK) && reference <= hi * (1 + SLACK);
}

/* The noload time of the row's own kernel, or NAN; sorted by_label. */
static double
own_reference(const struct import_ratio *r, size_t i)
{
	static const char *const names[] = { "noload", "no_load" };

	while (i > 0 && strcmp(r[i - 1].label, r[i].label) == 0)
		i--;
	for (int k = 0; k < 2; k++)
		if (strcmp(r[i].load, names[k]) == 0)
			return r[i].time;
	return NAN;
}

/*
 * A ratio is against one fixed time of the machine (until 0.51) or the noload
 * time of the same kernel (0.60 on): what fits more rows is taken, and the rows
 * that it does not fit are told.
 */
void
import_check_ratios(struct import *in)
{
	size_t n = in->ratios, common, own = 0;
	double reference, mine, *first;

	first = malloc((n + 1) * sizeof *first);
	if (first == NULL || n < 3) {
		free(first);
		return;
	}
	common = common_reference(in->ratio, n, &reference);
	qsort(in->ratio, n, sizeof *in->ratio, by_label);
	for (size_t i = 0; i < n; i++) {
		/* once per label: a table of one label stays linear */
		first[i] = i > 0 && strcmp(in->ratio[i - 1].label,
		    in->ratio[i].label) == 0 ? first[i - 1] :
		    own_reference(in->ratio, i);
		own += !isnan(first[i]) && fits(&in->ratio[i], first[i]);
	}
	for (size_t i = 0; i < n; i++) {
		mine = own > common ? first[i] : reference;
		if (isnan(mine) || fits(&in->ratio[i], mine))
			continue;
		in->faults++;
		import_fault(in, in->ratio[i].line, "a ratio of %.*f is "
		    "printed, %.*f against %.*f gives %.*f",
		    in->ratio[i].ratio_decimals, in->ratio[i].ratio,
		    in->ratio[i].decimals, in->ratio[i].time,
		    in->ratio[i].decimals, mine,
		    in->ratio[i].ratio_decimals, in->ratio[i].time / mine);
	}
	free(first);
	in->ratios = 0;
}
