/*
 * verify: whether a sorted array is in order and still holds what was filled
 * in, and if not, what is wrong.
 */
#ifndef QS_VERIFY_H
#define QS_VERIFY_H

#include <stddef.h>
#include <stdint.h>

#include "rng.h"

/*
 * What a multiset of values adds up to, whatever their order: the sums of the
 * first and second powers of value + 2^31, modulo 2^64.  Any one or two values
 * put in place of others are found for certain: a + b and aa + bb determine
 * {a, b}.
 */
struct verify_sums {
	uint64_t first, second;
};

/* The two as one number, for people. */
uint64_t verify_checksum(const struct verify_sums *s);

/*
 * Fill a[0..n-1] with the sequence of r, ascending, and add it up into *s while
 * it is in the cache.
 */
void verify_fill(int32_t *a, size_t n, struct rng_rand *r,
    struct verify_sums *s);

/*
 * One ascending pass: adds the values up into *s and returns the first index i
 * with a[i] < a[i - 1], or n when all are in order.
 */
size_t verify_order(const int32_t *a, size_t n, struct verify_sums *s);

/* How a sorted array differs from the values that were filled in. */
struct verify_difference {
	int has_alien, has_lost;	/* which of the two were found */
	size_t alien_index;		/* in the sorted array */
	int32_t alien;			/* stands there, too often */
	size_t lost_index;		/* in the order of the fill */
	int32_t lost;			/* was filled in there, is missing */
};

/*
 * Find the first of each in an array that verify_order found in order; r is
 * at the start of the sequence it was filled from.  The values are made anew
 * and the array is read in ascending order, so that this ends soon even when
 * most of the array is swapped out.  Returns 0, or -1 with errno ENOMEM.
 */
int verify_diagnose(const int32_t *a, size_t n, const struct rng_rand *r,
    struct verify_difference *d);

#endif
