/*
 * hog: what one process of memhog does: map, fill, touch again, check, tell,
 * free.
 */
#ifndef QS_HOG_H
#define QS_HOG_H

#include <stddef.h>
#include <stdint.h>

#include "content.h"
#include "memory.h"
#include "pattern.h"
#include "plan.h"

/* Shared with the parent, which may read it at any time; zeroed before. */
struct hog_result {
	volatile size_t rounds;		/* completed ones */
	volatile size_t done, whole;	/* pages of the present one, of all */
	volatile int stopped;		/* nonzero: by SIGTERM */
	int told;			/* nonzero: the sizes are valid */
	uint64_t mapped_bytes, filled_bytes;
	uint64_t resident_bytes, swapped_bytes, locked_bytes;
	uint64_t read_pages, written_pages, checked_pages;
	char note[256];			/* what a person should know; or "" */
	char fault[512];		/* what went wrong, one line; or "" */
};

/*
 * A workers_body: result is a struct hog_result, arg a const struct plan.
 * Prints nothing: what is to be said goes into the result.
 */
int hog_run(uint64_t index, void *result, void *arg);

/*
 * The rest is shared by the files of memhog and their tests.
 */

/* What goes slowly on purpose: bytes a second, 0 for no limit. */
struct pace {
	uint64_t rate;
	uint64_t next_ns;	/* 0: not begun */
};

struct hog {
	const struct plan *plan;
	uint64_t index;
	struct hog_result *result;
	struct memory_map map;
	struct content content;
	size_t page_bytes, page_blocks;
	size_t pages;		/* mapped; less when growth ended early */
	size_t filled;		/* from the start on */
	int roomy;		/* nonzero: memory is far from short */
	struct pattern pattern;
	int has_pattern;
	struct memory_map counts;	/* with -c: writes of each page */
	struct rng_mix choice;	/* of touches that write */
	struct pace pace;
	uint64_t round;
	size_t copied;		/* blocks of PATTERN_CONTEST */
	uint64_t deadline_ns;	/* UINT64_MAX: none */
};

/* Whether a signal asked for the end; or that, or the time limit passed. */
int hog_asked(void);
int hog_ended(const struct hog *h);

/*
 * Wait until `bytes` more may be done.  Late ones are not made up for by a
 * burst if they are late by more than a tenth of a second.
 */
void pace_wait(struct pace *p, const struct hog *h, uint64_t bytes);

/* The address of a page, and the number of its first block. */
uint64_t *hog_page(const struct hog *h, size_t page);
uint64_t hog_block(const struct hog *h, size_t page);

/*
 * Each returns EXIT_GOOD, also when it was ended early, or another exit status
 * with the fault in the result.
 */
int grow_all(struct hog *h);		/* fill the mapping */
int touch_round(struct hog *h);		/* one round of the pattern */
int touch_link(struct hog *h);		/* PATTERN_CHASE: make the cycle */
int contest_copy(struct hog *h);	/* the round of PATTERN_CONTEST */
int contest_verify(struct hog *h);
int verify_page(struct hog *h, size_t page);
int verify_all(struct hog *h);

/* The same for a page that should hold what page `origin` was filled with. */
int verify_moved(struct hog *h, size_t page, size_t origin);

/* The block that contest_copy leaves at place i of n. */
size_t contest_origin(size_t i, size_t n);

/* How a page is written again, and what the version of a block is by now. */
void touch_write(struct hog *h, size_t page);
uint64_t touch_version(const struct hog *h, uint64_t block);

#endif
