/*
 * pattern: in which order memhog touches its pages again.
 */
#ifndef QS_PATTERN_H
#define QS_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#include "rng.h"
#include "shuffle.h"
#include "zipf.h"

enum pattern_kind {
	PATTERN_SEQ,		/* ascending */
	PATTERN_REVERSE,	/* descending */
	PATTERN_RANDOM,		/* each page once, in a new order each round */
	PATTERN_STRIDE,		/* each n-th page, then those beside them */
	PATTERN_ZIPF,		/* few pages often, by Zipf's law */
	PATTERN_HOT,		/* a share of the touches in a share of pages */
	PATTERN_CHASE,		/* each page says which is next */
	PATTERN_HOLD,		/* none is touched */
	PATTERN_CONTEST		/* blocks are copied, as contest's mem_load */
};

struct pattern_spec {
	enum pattern_kind kind;
	uint64_t stride;		/* pages */
	unsigned exponent_milli;	/* of zipf */
	unsigned hot_touches, hot_pages;	/* of 100000 each */
};

struct pattern_name {
	const char *name;
	const char *text;	/* a few words for the help text */
};

/* By enum pattern_kind; ends with a NULL name. */
extern const struct pattern_name pattern_names[];

/*
 * "NAME" or "NAME:VALUE": stride:16, zipf:1.2, hot:90/10.  Returns NULL, or
 * what is wrong, a static text.
 */
const char *pattern_parse(const char *text, struct pattern_spec *spec);

struct pattern {
	struct pattern_spec spec;
	uint64_t pages;		/* touched ones: numbers below that */
	uint64_t left;		/* touches of this round still to come */
	uint64_t seed, at;
	struct rng_mix rng;
	struct shuffle order;
	struct zipf zipf;
};

/*
 * For pages > 0.  Returns 0, or -1 with errno ENOMEM.  The order depends on
 * spec, pages, seed and round alone.
 */
int pattern_init(struct pattern *p, const struct pattern_spec *spec,
    uint64_t pages, uint64_t seed);
void pattern_free(struct pattern *p);

/* Begin a round: as many touches as there are pages. */
void pattern_round(struct pattern *p, uint64_t round);

/*
 * The next page; not of PATTERN_HOLD or PATTERN_CONTEST, and only while
 * p->left > 0.  PATTERN_CHASE gives the page that pattern_link named last.
 */
uint64_t pattern_next(struct pattern *p);

/* PATTERN_CHASE: the page after this one, and telling where a page led. */
uint64_t pattern_link(const struct pattern *p, uint64_t page);
void pattern_follow(struct pattern *p, uint64_t page);

#endif
