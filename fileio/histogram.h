/*
 * histogram: durations in buckets of 1/32 octave: 15 KiB, at most 3.2 % off.
 */
#ifndef QS_HISTOGRAM_H
#define QS_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_SUB_BITS 5
#define HISTOGRAM_BUCKETS ((64 - HISTOGRAM_SUB_BITS + 1) << HISTOGRAM_SUB_BITS)

struct histogram {
	uint64_t count, max_ns;
	uint64_t bucket[HISTOGRAM_BUCKETS];
};

/* All zeros is an empty one. */
void histogram_add(struct histogram *h, uint64_t ns);
void histogram_merge(struct histogram *into, const struct histogram *from);

/*
 * The duration that so many thousandths of the entries do not exceed: the upper
 * end of its bucket, at most the greatest entry.  0 of an empty histogram.
 */
uint64_t histogram_quantile(const struct histogram *h, unsigned milli);

#endif
