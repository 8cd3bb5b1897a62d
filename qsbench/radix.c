/*
 * radix: most significant byte first, in place ("American flag sort": McIlroy,
 * Bostic, McIlroy, Computing Systems 6, 1993).
 *
 * One ascending pass counts the values of the byte, then each element is moved
 * to its bucket, which scatters over up to 256 places at once; then each
 * bucket is sorted by the next byte.  Counting is not worth while for a short
 * bucket: block sorts that, within a page or two.
 */
#include "sort.h"

#define BUCKETS 256
#define SHORT 1024	/* elements: one page of 4 KiB */
#define TOP_SHIFT 24

static void radix(int32_t *a, size_t n, unsigned shift);
static void scatter(int32_t *a, size_t *next, const size_t *end,
    unsigned shift);
static inline unsigned bucket_of(int32_t value, unsigned shift);

void
sort_radix(int32_t *a, size_t n, int32_t *scratch)
{
	(void)scratch;
	radix(a, n, TOP_SHIFT);
}

static void
radix(int32_t *a, size_t n, unsigned shift)
{
	size_t end[BUCKETS] = { 0 }, next[BUCKETS], start = 0;

	if (n <= SHORT) {
		sort_block(a, n, NULL);
		return;
	}
	for (size_t i = 0; i < n; i++)
		end[bucket_of(a[i], shift)]++;
	for (unsigned b = 0; b < BUCKETS; b++) {
		next[b] = start;
		start += end[b];
		end[b] = start;
	}
	scatter(a, next, end, shift);
	if (shift == 0)
		return;
	start = 0;
	for (unsigned b = 0; b < BUCKETS; b++) {
		radix(a + start, end[b] - start, shift - 8);
		start = end[b];
	}
}

/* next: where each bucket's next element goes; end: one past its last. */
static void
scatter(int32_t *a, size_t *next, const size_t *end, unsigned shift)
{
	int32_t value, other;
	unsigned b, to;

	for (b = 0; b < BUCKETS; b++) {
		while (next[b] < end[b]) {
			value = a[next[b]];
			/* Follow the chain of displaced ones until it ends. */
			while ((to = bucket_of(value, shift)) != b) {
				other = a[next[to]];
				a[next[to]++] = value;
				value = other;
			}
			a[next[b]++] = value;
		}
	}
}

/* The sign bit is turned over, so that negative values come first. */
static inline unsigned
bucket_of(int32_t value, unsigned shift)
{
	return (((uint32_t)value ^ UINT32_C(0x80000000)) >> shift) % BUCKETS;
}
