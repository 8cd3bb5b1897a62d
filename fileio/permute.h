/*
 * permute: a seeded order of the numbers below n, each once, without a table.
 */
#ifndef QS_PERMUTE_H
#define QS_PERMUTE_H

#include <stdint.h>

#define PERMUTE_ROUNDS 4

struct permute {
	uint64_t n;
	unsigned half;			/* bits of a half of the network */
	uint64_t key[PERMUTE_ROUNDS];
};

/* n from 1 to 2^62. */
void permute_init(struct permute *p, uint64_t n, uint64_t seed);

/* The number in place i, i < n. */
uint64_t permute_at(const struct permute *p, uint64_t i);

#endif
