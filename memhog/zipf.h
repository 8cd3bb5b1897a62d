/*
 * zipf: ranks drawn by Zipf's law: rank k, from 1 on, with a weight of 1 / k^s.
 */
#ifndef QS_ZIPF_H
#define QS_ZIPF_H

#include <stdint.h>

#include "rng.h"

struct zipf {
	unsigned groups;
	uint64_t *start;	/* groups + 1: first rank of each, from 0 */
	uint32_t *below;	/* share of the draws before each, of 2^32 */
};

/*
 * For n ranks (n > 0); the exponent s in thousandths, 0 being all alike.
 * Returns 0, or -1 with errno ENOMEM; freed by zipf_free.
 */
int zipf_init(struct zipf *z, uint64_t n, unsigned exponent_milli);
void zipf_free(struct zipf *z);

/* A rank, counted from 0: the first is the most frequent. */
uint64_t zipf_next(const struct zipf *z, struct rng_mix *r);

#endif
