/*
 * verify: the fill with its sums, the one pass that checks the sorted array.
 *
 * Both work in pieces that stay in the first-level cache.  The loops have no
 * branch on the data and go by fours, which compilers turn into vector code
 * without being urged.
 */
#include "verify.h"

#define PIECE 4096	/* elements: 16 KiB */
#define LANES 4

static void add_up(const int32_t *a, size_t n, struct verify_sums *s);
static inline uint32_t unsigned_of(int32_t value);
static int is_ascending(const int32_t *a, size_t n);

uint64_t
verify_checksum(const struct verify_sums *s)
{
	struct rng_mix mix = { s->first };

	return rng_mix_next(&mix) ^ s->second;
}

void
verify_fill(int32_t *a, size_t n, struct rng_rand *r, struct verify_sums *s)
{
	size_t length;

	for (size_t i = 0; i < n; i += length) {
		length = n - i < PIECE ? n - i : PIECE;
		rng_rand_fill(r, a + i, length);
		add_up(a + i, length, s);
	}
}

size_t
verify_order(const int32_t *a, size_t n, struct verify_sums *s)
{
	size_t length, fault = n;

	for (size_t i = 0; i < n; i += length) {
		length = n - i < PIECE ? n - i : PIECE;
		add_up(a + i, length, s);
		if (fault < n)
			continue;
		if (i > 0 && a[i] < a[i - 1]) {
			fault = i;
		} else if (!is_ascending(a + i, length)) {
			for (fault = i + 1; a[fault] >= a[fault - 1];)
				fault++;
		}
	}
	return fault;
}

static void
add_up(const int32_t *a, size_t n, struct verify_sums *s)
{
	uint64_t first[LANES] = { 0 }, second[LANES] = { 0 };
	uint32_t v;
	size_t i;

	for (i = 0; i + LANES <= n; i += LANES) {
		for (unsigned k = 0; k < LANES; k++) {
			v = unsigned_of(a[i + k]);
			first[k] += v;
			second[k] += (uint64_t)v * v;
		}
	}
	for (; i < n; i++) {
		v = unsigned_of(a[i]);
		first[0] += v;
		second[0] += (uint64_t)v * v;
	}
	for (unsigned k = 0; k < LANES; k++) {
		s->first += first[k];
		s->second += second[k];
	}
}

/* As a number of its own for each value, which squares without a sign. */
static inline uint32_t
unsigned_of(int32_t value)
{
	return (uint32_t)value ^ UINT32_C(0x80000000);
}

static int
is_ascending(const int32_t *a, size_t n)
{
	int descents[LANES] = { 0 }, any = 0;
	size_t i;

	for (i = 1; i + LANES <= n; i += LANES)
		for (unsigned k = 0; k < LANES; k++)
			descents[k] |= a[i + k] < a[i + k - 1];
	for (; i < n; i++)
		any |= a[i] < a[i - 1];
	for (unsigned k = 0; k < LANES; k++)
		any |= descents[k];
	return !any;
}
