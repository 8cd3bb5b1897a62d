/*
 * diagnose: what differs between a sorted array and the values filled in.
 *
 * Sorting the values again would take a second array.  Instead they are made
 * anew from their seed: once to add them up per group of neighbouring values,
 * against the same of the array; then, for a group that differs, to count
 * every value of it.
 */
#include <stdlib.h>
#include <string.h>

#include "verify.h"

#define GROUPS 65536	/* by the upper half of a value ... */
#define MEMBERS 65536	/* ... told apart by the lower half */
#define PIECE 4096

struct group {
	uint64_t weight;	/* of values made, less those of the array */
	int64_t count;		/* how many more were made than there are */
};

struct tables {
	struct group group[GROUPS];
	int64_t member[MEMBERS];	/* count, for each value of one group */
};

static void group_up(struct tables *t, const int32_t *a, size_t n,
    struct rng_rand r);
static inline void enter(struct tables *t, int32_t value, int sign);
static void look_into(struct tables *t, unsigned group, const int32_t *a,
    size_t n, const struct rng_rand *r, struct verify_difference *d);
static void find_lost(struct tables *t, unsigned group, size_t n,
    struct rng_rand r, struct verify_difference *d);
static size_t make_piece(struct rng_rand *r, int32_t *piece, size_t left);
static inline unsigned group_of(int32_t value);

int
verify_diagnose(const int32_t *a, size_t n, const struct rng_rand *r,
    struct verify_difference *d)
{
	struct tables *t = calloc(1, sizeof(*t));
	int64_t count;

	memset(d, 0, sizeof(*d));
	if (t == NULL)
		return -1;
	group_up(t, a, n, *r);
	/* Where values are missing some are lost, where there are more than
	 * made some are alien, and where as many differ there are both. */
	for (unsigned g = 0; g < GROUPS; g++) {
		count = t->group[g].count;
		if (t->group[g].weight == 0 && count == 0)
			continue;
		if ((count <= 0 && !d->has_alien) ||
		    (count >= 0 && !d->has_lost))
			look_into(t, g, a, n, r, d);
	}
	free(t);
	return 0;
}

/* Made values count up, those of the array down: what is left differs. */
static void
group_up(struct tables *t, const int32_t *a, size_t n, struct rng_rand r)
{
	int32_t piece[PIECE];
	size_t length;

	for (size_t i = 0; i < n; i += length) {
		length = make_piece(&r, piece, n - i);
		for (size_t k = 0; k < length; k++) {
			enter(t, piece[k], 1);
			enter(t, a[i + k], -1);
		}
	}
}

/* The weight is mixed, so that changes within a group do not cancel out. */
static inline void
enter(struct tables *t, int32_t value, int sign)
{
	struct rng_mix mix = { (uint32_t)value };
	struct group *g = &t->group[group_of(value)];
	uint64_t weight = rng_mix_next(&mix);

	g->weight += sign > 0 ? weight : -weight;
	g->count += sign;
}

/* Count the members of one group; note the first surplus and the first lost. */
static void
look_into(struct tables *t, unsigned group, const int32_t *a, size_t n,
    const struct rng_rand *r, struct verify_difference *d)
{
	struct rng_rand again = *r;
	int32_t piece[PIECE];
	size_t length;

	memset(t->member, 0, sizeof(t->member));
	for (size_t i = 0; i < n; i += length) {
		length = make_piece(&again, piece, n - i);
		for (size_t k = 0; k < length; k++)
			if (group_of(piece[k]) == group)
				t->member[(uint32_t)piece[k] % MEMBERS]++;
	}
	for (size_t i = 0; i < n; i++) {
		if (group_of(a[i]) != group)
			continue;
		if (--t->member[(uint32_t)a[i] % MEMBERS] < 0 &&
		    !d->has_alien) {
			d->has_alien = 1;
			d->alien_index = i;
			d->alien = a[i];
		}
	}
	if (!d->has_lost)
		find_lost(t, group, n, *r, d);
}

static void
find_lost(struct tables *t, unsigned group, size_t n, struct rng_rand r,
    struct verify_difference *d)
{
	int32_t piece[PIECE];
	size_t length;

	for (size_t i = 0; i < n; i += length) {
		length = make_piece(&r, piece, n - i);
		for (size_t k = 0; k < length; k++) {
			if (group_of(piece[k]) != group ||
			    t->member[(uint32_t)piece[k] % MEMBERS] <= 0)
				continue;
			d->has_lost = 1;
			d->lost_index = i + k;
			d->lost = piece[k];
			return;
		}
	}
}

static size_t
make_piece(struct rng_rand *r, int32_t *piece, size_t left)
{
	size_t length = left < PIECE ? left : PIECE;

	rng_rand_fill(r, piece, length);
	return length;
}

static inline unsigned
group_of(int32_t value)
{
	return (uint32_t)value / MEMBERS;
}
