/*
 * settle: what depends on more than one option of memhog, or on the machine.
 */
#ifndef QS_SETTLE_H
#define QS_SETTLE_H

#include <stddef.h>
#include <stdint.h>

#include "plan.h"

/* Options as given; NULL or 0 if not. */
struct given {
	const char *size, *pattern, *kind;
	const char *leave, *core, *grow_rate, *grow_step, *rate;
	const char *policy, *nodes;
	int written;		/* -Y or -X */
};

/*
 * Complete the plan, which holds what single options said.  Returns EXIT_GOOD,
 * or the status to exit with and the reason in fault.  Nothing is mapped.
 */
int settle(struct plan *p, const struct given *g, char *fault, size_t size);

#endif
