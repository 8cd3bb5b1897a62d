/*
 * rng: the two random sequences of the suite, both the same on every machine.
 *
 * rng_rand is the sequence of glibc's srand(3)/rand(3) (TYPE_3, an additive
 * feedback generator of degree 31), produced here so that a frozen workload
 * does not depend on the C library.  rng_mix is a fast 64-bit generator for
 * touch orders and page contents.
 */
#ifndef QS_RNG_H
#define QS_RNG_H

#include <stddef.h>
#include <stdint.h>

#define RNG_DEGREE 31

struct rng_rand {
	uint32_t state[RNG_DEGREE];	/* the last 31 values, a ring */
	unsigned next;			/* where the oldest of them stands */
};

/* Start the sequence that srand(seed) starts; seed 0 acts as 1, as in glibc. */
void rng_rand_seed(struct rng_rand *r, uint32_t seed);

/* The next value of the sequence, 0 to 2^31 - 1, as rand() returns it. */
int32_t rng_rand_next(struct rng_rand *r);

/*
 * The next n values into out[0..n-1]; the same sequence as n calls of
 * rng_rand_next, made at memory speed.
 */
void rng_rand_fill(struct rng_rand *r, int32_t *out, size_t n);

/* A splitmix64 state (Steele, Lea, Flood, OOPSLA 2014); any seed is good. */
struct rng_mix {
	uint64_t state;
};

static inline uint64_t
rng_mix_next(struct rng_mix *r)
{
	uint64_t z = (r->state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* A value below n (n > 0), without bias (Lemire, TOMACS 2019). */
uint64_t rng_mix_below(struct rng_mix *r, uint64_t n);

#endif
