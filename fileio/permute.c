/*
 * permute: a Feistel network over an even number of bits; values that are not
 * below n are sent through it again (cycle walking; Black and Rogaway, 2002).
 */
#include "permute.h"
#include "rng.h"

void
permute_init(struct permute *p, uint64_t n, uint64_t seed)
{
	struct rng_mix r = { seed };

	p->n = n;
	p->half = 1;
	while (UINT64_C(1) << 2 * p->half < n)
		p->half++;
	for (int i = 0; i < PERMUTE_ROUNDS; i++)
		p->key[i] = rng_mix_next(&r);
}

uint64_t
permute_at(const struct permute *p, uint64_t i)
{
	uint64_t mask = (UINT64_C(1) << p->half) - 1, left, right, t;

	do {
		left = i >> p->half;
		right = i & mask;
		for (int k = 0; k < PERMUTE_ROUNDS; k++) {
			struct rng_mix r = { right ^ p->key[k] };

			t = left ^ (rng_mix_next(&r) & mask);
			left = right;
			right = t;
		}
		i = left << p->half | right;
	} while (i >= p->n);
	return i;
}
