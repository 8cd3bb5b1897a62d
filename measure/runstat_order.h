/*
 * runstat_order: in which order were the runs of two sides made?
 */
#ifndef QS_RUNSTAT_ORDER_H
#define QS_RUNSTAT_ORDER_H

#include "runstat_rows.h"

enum order_kind {
	ORDER_INTERLEAVED,	/* A B B A B A: nearly all runs in blocks */
	ORDER_MIXED,		/* neither */
	ORDER_SEQUENTIAL,	/* A A A B B B */
	ORDER_UNKNOWN		/* two files without time stamps */
};

struct order {
	enum order_kind kind;
	size_t *a, *b;		/* good runs that share a block: positions */
	size_t pairs;		/* among the good values of each cell */
};

/*
 * Find the order of the runs of two cells from their time stamps, or, within
 * one file, from the order of their rows.  A block is a run of either side
 * next to one of the other; runs that failed keep their place but make no
 * pair.  0, or -1 and ENOMEM; order_free.
 */
int order_find(struct order *o, const struct rows *r,
    const struct rows_cell *a, const struct rows_cell *b, size_t value);
void order_free(struct order *o);

const char *order_name(enum order_kind k);

#endif
