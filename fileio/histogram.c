/* histogram: logarithmic buckets, as those of HdrHistogram. */
#include <stddef.h>

#include "histogram.h"

#define SUB (1u << HISTOGRAM_SUB_BITS)

static size_t
index_of(uint64_t ns)
{
	unsigned shift;

	if (ns < SUB)
		return (size_t)ns;
	shift = 63u - (unsigned)__builtin_clzll(ns) - HISTOGRAM_SUB_BITS;
	return ((size_t)(shift + 1) << HISTOGRAM_SUB_BITS) +
	    (size_t)((ns >> shift) - SUB);
}

/* The greatest duration of a bucket. */
static uint64_t
top_of(size_t i)
{
	unsigned shift;

	if (i < SUB)
		return i;
	shift = (unsigned)(i >> HISTOGRAM_SUB_BITS) - 1;
	return (((uint64_t)(i % SUB) + SUB) << shift) +
	    ((UINT64_C(1) << shift) - 1);
}

void
histogram_add(struct histogram *h, uint64_t ns)
{
	h->bucket[index_of(ns)]++;
	h->count++;
	if (ns > h->max_ns)
		h->max_ns = ns;
}

void
histogram_merge(struct histogram *into, const struct histogram *from)
{
	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
	into->count += from->count;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
}

uint64_t
histogram_quantile(const struct histogram *h, unsigned milli)
{
	uint64_t rank = h->count / 1000 * milli +
	    (h->count % 1000 * milli + 999) / 1000, seen = 0, top;

	for (size_t i = 0; i < HISTOGRAM_BUCKETS && h->count > 0; i++) {
		seen += h->bucket[i];
		if (seen >= rank && seen > 0) {
			top = top_of(i);
			return top < h->max_ns ? top : h->max_ns;
		}
	}
	return h->max_ns;
}
