/*
 * zipf: the first 64 ranks have a group each, then each doubling of the rank is
 * cut into 32 groups within which all ranks are drawn alike: their weights
 * differ by less than 1 + s / 32 there.  The shares are rounded to 32 bits so
 * that the last bit of a libm's pow(3) does not change what is drawn.
 */
#include <math.h>
#include <stdlib.h>

#include "zipf.h"

#define SINGLE 64
#define PER_DOUBLING 32

static unsigned cut(uint64_t *start, uint64_t n);

int
zipf_init(struct zipf *z, uint64_t n, unsigned exponent_milli)
{
	const double s = exponent_milli / 1000.0;
	unsigned g, groups = cut(NULL, n);
	double *weight = malloc(groups * sizeof *weight), sum = 0, before = 0;

	z->groups = groups;
	z->start = malloc((groups + 1) * sizeof *z->start);
	z->below = malloc(groups * sizeof *z->below);
	if (weight == NULL || z->start == NULL || z->below == NULL) {
		free(weight);
		zipf_free(z);
		return -1;
	}
	cut(z->start, n);
	for (g = 0; g < groups; g++) {
		double first = (double)z->start[g] + 1;
		double last = (double)z->start[g + 1];

		weight[g] = (last - first + 1) * pow((first + last) / 2, -s);
		sum += weight[g];
	}
	for (g = 0; g < groups; g++) {
		z->below[g] = (uint32_t)(before / sum * 4294967296.0);
		before += weight[g];
	}
	free(weight);
	return 0;
}

void
zipf_free(struct zipf *z)
{
	free(z->start);
	free(z->below);
	z->start = NULL;
	z->below = NULL;
}

uint64_t
zipf_next(const struct zipf *z, struct rng_mix *r)
{
	uint32_t draw = (uint32_t)(rng_mix_next(r) >> 32);
	unsigned low = 0, high = z->groups, middle;

	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (z->below[middle] <= draw)
			low = middle;
		else
			high = middle;
	}
	return z->start[low] + rng_mix_below(r, z->start[low + 1] -
	    z->start[low]);
}

/* The first ranks of the groups into start unless NULL; how many there are. */
static unsigned
cut(uint64_t *start, uint64_t n)
{
	uint64_t rank = 0, step = 1;
	unsigned groups = 0;

	while (rank < n) {
		if (start != NULL)
			start[groups] = rank;
		groups++;
		if (rank >= SINGLE && rank % (step * 2 * PER_DOUBLING) == 0)
			step = rank / PER_DOUBLING;
		rank += step;
	}
	if (start != NULL)
		start[groups] = n;
	return groups;
}
