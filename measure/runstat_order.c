/*
 * runstat_order: in which order were the runs of two sides made?
 */
#include <stdlib.h>

#include "runstat_order.h"

#define BLOCKED_SHARE 0.8	/* of the runs, to count as interleaved */
#define BLOCKS_MIN 2

struct run {
	uint64_t started;
	uint32_t row;
	int side;
	int good;
	size_t at;		/* position among the good values of its side */
};

static int
by_time(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	if (x->started != y->started)
		return x->started < y->started ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

/* Returns nonzero when every run has a time stamp. */
static int
collect(struct run *run, const struct rows *r, const struct rows_cell *c,
    int side, size_t value)
{
	size_t good = 0;
	int timed = 1;

	for (size_t i = 0; i < c->n; i++) {
		run[i].row = r->order[c->first + i];
		run[i].started = r->started[run[i].row];
		run[i].side = side;
		run[i].good = rows_good(r, run[i].row, value);
		run[i].at = good;
		good += run[i].good != 0;
		timed &= run[i].started != 0;
	}
	return timed;
}

static void
sort_runs(struct run *run, size_t n, int timed)
{
	size_t i;

	for (i = 0; !timed && i < n; i++)
		run[i].started = 0;	/* by row alone */
	for (i = 1; i < n && by_time(&run[i - 1], &run[i]) <= 0; i++)
		;
	if (i < n)
		qsort(run, n, sizeof *run, by_time);
}

static void
pair_up(struct order *o, const struct run *run, size_t n)
{
	size_t blocks = 0, changes = 0, i;
	const struct run *a, *b;

	for (i = 1; i < n; i++)
		changes += run[i].side != run[i - 1].side;
	for (i = 0; i + 1 < n; i++) {
		if (run[i].side == run[i + 1].side)
			continue;
		blocks++;
		a = run[i].side == 0 ? &run[i] : &run[i + 1];
		b = a == &run[i] ? &run[i + 1] : &run[i];
		if (a->good && b->good) {
			o->a[o->pairs] = a->at;
			o->b[o->pairs++] = b->at;
		}
		i++;
	}
	if (blocks >= BLOCKS_MIN &&
	    2 * (double)blocks >= BLOCKED_SHARE * (double)n)
		o->kind = ORDER_INTERLEAVED;
	else
		o->kind = changes <= 1 ? ORDER_SEQUENTIAL : ORDER_MIXED;
}

int
order_find(struct order *o, const struct rows *r, const struct rows_cell *a,
    const struct rows_cell *b, size_t value)
{
	size_t n = a->n + b->n, less = a->n < b->n ? a->n : b->n;
	struct run *run = malloc((n + 1) * sizeof *run);
	int timed;

	o->kind = ORDER_UNKNOWN;
	o->pairs = 0;
	o->a = malloc((2 * less + 1) * sizeof *o->a);
	if (run == NULL || o->a == NULL) {
		free(run);
		free(o->a);
		return -1;
	}
	o->b = o->a + less;
	timed = collect(run, r, a, 0, value);
	timed &= collect(run + a->n, r, b, 1, value);
	if (timed || a->file == b->file) {
		sort_runs(run, n, timed);
		pair_up(o, run, n);
	}
	if (o->kind != ORDER_INTERLEAVED)
		o->pairs = 0;
	free(run);
	return 0;
}

void
order_free(struct order *o)
{
	free(o->a);
	o->a = o->b = NULL;
	o->pairs = 0;
}

const char *
order_name(enum order_kind k)
{
	static const char *const names[] = { "interleaved", "mixed",
	    "sequential", "unknown" };

	return names[k];
}
