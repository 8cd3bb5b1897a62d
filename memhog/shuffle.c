/*
 * shuffle: a Feistel network over the next even power of two; what falls
 * beyond n is sent through again until it does not (cycle walking: Black and
 * Rogaway, CT-RSA 2002), at most 4 times on average.
 */
#include "rng.h"
#include "shuffle.h"

static uint64_t scramble(const struct shuffle *s, unsigned round, uint64_t x);

void
shuffle_init(struct shuffle *s, uint64_t n, uint64_t seed)
{
	struct rng_mix r = { seed };
	unsigned i;

	s->n = n;
	s->half_bits = 1;
	while ((n - 1) >> 2 * s->half_bits != 0)
		s->half_bits++;
	s->half_mask = (UINT64_C(1) << s->half_bits) - 1;
	for (i = 0; i < SHUFFLE_ROUNDS; i++)
		s->key[i] = rng_mix_next(&r);
}

uint64_t
shuffle_at(const struct shuffle *s, uint64_t i)
{
	uint64_t left, right, t;
	unsigned round;

	do {
		left = i >> s->half_bits;
		right = i & s->half_mask;
		for (round = 0; round < SHUFFLE_ROUNDS; round++) {
			t = left ^ scramble(s, round, right);
			left = right;
			right = t;
		}
		i = left << s->half_bits | right;
	} while (i >= s->n);
	return i;
}

uint64_t
shuffle_find(const struct shuffle *s, uint64_t value)
{
	uint64_t left, right, t;
	unsigned round;

	do {
		left = value >> s->half_bits;
		right = value & s->half_mask;
		for (round = SHUFFLE_ROUNDS; round-- > 0; ) {
			t = right ^ scramble(s, round, left);
			right = left;
			left = t;
		}
		value = left << s->half_bits | right;
	} while (value >= s->n);
	return value;
}

static uint64_t
scramble(const struct shuffle *s, unsigned round, uint64_t x)
{
	x = (x ^ s->key[round]) * UINT64_C(0xbf58476d1ce4e5b9);
	return (x ^ x >> 32) & s->half_mask;
}
