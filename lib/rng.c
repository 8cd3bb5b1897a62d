/*
 * rng: the two random sequences of the suite, both the same on every machine.
 *
 * The sequence of rand(3) is x[n] = x[n-3] + x[n-31] mod 2^32, of which the
 * upper 31 bits are given out.
 */
#include <string.h>

#include "rng.h"

#define DISTANCE 3
#define DISCARDED (10 * RNG_DEGREE)

/* Values made before their lowest bits are dropped: well within any L1. */
#define BLOCK 2048

static uint32_t step(struct rng_rand *);
static void ring_turn(struct rng_rand *);
static void fill_block(struct rng_rand *, uint32_t *, size_t);
static void halve(uint32_t *, size_t);
static uint64_t multiply_wide(uint64_t, uint64_t, uint64_t *);

/*
 * The first 31 values are those of Park and Miller's minimal standard generator
 * (CACM 1988) by Schrage's method, except that a seed above INT32_MAX counts as
 * negative there.  The sequence begins with value 3 as its oldest.
 */
void
rng_rand_seed(struct rng_rand *r, uint32_t seed)
{
	int64_t word;
	unsigned i;

	if (seed == 0)
		seed = 1;
	word = seed > INT32_MAX ? (int64_t)seed - ((int64_t)1 << 32) : seed;
	r->state[0] = seed;
	for (i = 1; i < RNG_DEGREE; i++) {
		word = 16807 * (word % 127773) - 2836 * (word / 127773);
		if (word < 0)
			word += INT32_MAX;
		r->state[i] = (uint32_t)word;
	}
	r->next = DISTANCE;
	for (i = 0; i < DISCARDED; i++)
		step(r);
}

int32_t
rng_rand_next(struct rng_rand *r)
{
	return (int32_t)(step(r) >> 1);
}

void
rng_rand_fill(struct rng_rand *r, int32_t *out, size_t n)
{
	size_t part;

	ring_turn(r);
	for (; n >= RNG_DEGREE; out += part, n -= part) {
		part = n < BLOCK ? n : BLOCK;
		fill_block(r, (uint32_t *)out, part);
	}
	while (n-- > 0)
		*out++ = rng_rand_next(r);
}

uint64_t
rng_mix_below(struct rng_mix *r, uint64_t n)
{
	uint64_t high, low, biased;

	high = multiply_wide(rng_mix_next(r), n, &low);
	if (low < n) {
		biased = (0 - n) % n;	/* 2^64 mod n */
		while (low < biased)
			high = multiply_wide(rng_mix_next(r), n, &low);
	}
	return high;
}

static uint32_t
step(struct rng_rand *r)
{
	unsigned i = r->next;
	unsigned near = i < DISTANCE ? i + RNG_DEGREE - DISTANCE : i - DISTANCE;

	r->next = i + 1 == RNG_DEGREE ? 0 : i + 1;
	return r->state[i] += r->state[near];
}

/* Turn the ring so that its oldest value stands first. */
static void
ring_turn(struct rng_rand *r)
{
	uint32_t turned[RNG_DEGREE];
	unsigned i;

	for (i = 0; i < RNG_DEGREE; i++)
		turned[i] = r->state[(r->next + i) % RNG_DEGREE];
	memcpy(r->state, turned, sizeof(turned));
	r->next = 0;
}

/*
 * n >= RNG_DEGREE values, the ring being turned.  Whole values are made in
 * place, where the last 31 of them are the next state, and halved afterwards:
 * so there is no second copy to keep.  The three values that the next ones
 * depend on stay in registers; reading them back from memory would make every
 * third value wait for a store.
 */
static void
fill_block(struct rng_rand *r, uint32_t *out, size_t n)
{
	uint32_t a = r->state[RNG_DEGREE - 3];
	uint32_t b = r->state[RNG_DEGREE - 2];
	uint32_t c = r->state[RNG_DEGREE - 1];
	const uint32_t *state = r->state;
	size_t i;

	for (i = 0; i < RNG_DEGREE - 1; i += 3) {
		out[i] = a += state[i];
		out[i + 1] = b += state[i + 1];
		out[i + 2] = c += state[i + 2];
	}
	out[i] = a += state[i];
	/* It is b's turn now, and the state is used up: out has the rest. */
	for (i++; i + 3 <= n; i += 3) {
		out[i] = b += out[i - RNG_DEGREE];
		out[i + 1] = c += out[i + 1 - RNG_DEGREE];
		out[i + 2] = a += out[i + 2 - RNG_DEGREE];
	}
	for (; i < n; i++)
		out[i] = out[i - DISTANCE] + out[i - RNG_DEGREE];
	memcpy(r->state, out + n - RNG_DEGREE, sizeof(r->state));
	halve(out, n);
}

/* In eights, which compilers turn into vector code without being urged. */
static void
halve(uint32_t *v, size_t n)
{
	unsigned i;

	for (; n >= 8; v += 8, n -= 8)
		for (i = 0; i < 8; i++)
			v[i] >>= 1;
	for (; n > 0; v++, n--)
		*v >>= 1;
}

/* The 128-bit product: its high half, and the low one into *low. */
static uint64_t
multiply_wide(uint64_t a, uint64_t b, uint64_t *low)
{
	uint64_t a0 = a & UINT32_MAX, a1 = a >> 32;
	uint64_t b0 = b & UINT32_MAX, b1 = b >> 32;
	uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
	uint64_t upper = a0 * b1 + (middle & UINT32_MAX);

	*low = a * b;
	return a1 * b1 + (middle >> 32) + (upper >> 32);
}
