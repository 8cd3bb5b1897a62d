/*
 * shuffle: the numbers below n in a random order that is computed, not stored.
 */
#ifndef QS_SHUFFLE_H
#define QS_SHUFFLE_H

#include <stdint.h>

#define SHUFFLE_ROUNDS 4

struct shuffle {
	uint64_t n;
	unsigned half_bits;
	uint64_t half_mask;
	uint64_t key[SHUFFLE_ROUNDS];
};

/* An order of 0 to n - 1 (0 < n <= 2^60), the same for the same seed. */
void shuffle_init(struct shuffle *s, uint64_t n, uint64_t seed);

/* What stands at place i < n, and the place where value < n stands. */
uint64_t shuffle_at(const struct shuffle *s, uint64_t i);
uint64_t shuffle_find(const struct shuffle *s, uint64_t value);

#endif
