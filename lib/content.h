/*
 * content: what pages and files are filled with: data that compresses as far as
 * asked and that can be checked without having been kept.
 *
 * The unit is a block of 4096 bytes whatever the page size, as zram and zswap
 * compress page by page and most pages are that large.  Every byte of a block
 * is a function of (seed, block number, version), the same on every machine of
 * one byte order, so a check makes it anew and compares.
 *
 * A block of CONTENT_RATIO begins with a header of four 64-bit words:
 *
 *	seed ^ CONTENT_MAGIC	block number	version		user
 *
 * and is made of 8 parts (fewer from ratio 8 on): random bytes, then zeros.
 * The user's word is 0, or, with `linked` set, the caller's own and unchecked.
 * A block of CONTENT_SAME is one 32-bit value again and again, another one in
 * each block and version; CONTENT_ZERO is all zeros.
 */
#ifndef QS_CONTENT_H
#define QS_CONTENT_H

#include <stddef.h>
#include <stdint.h>

#define CONTENT_BLOCK_BYTES 4096
#define CONTENT_BLOCK_WORDS (CONTENT_BLOCK_BYTES / sizeof(uint64_t))
#define CONTENT_MAGIC UINT64_C(0x716d656d686f6721)
#define CONTENT_HEADER_WORDS 4
#define CONTENT_PARTS_MAX 8
#define CONTENT_RATIO_MAX 64

enum content_word {		/* places in the header */
	CONTENT_SEED, CONTENT_NUMBER, CONTENT_VERSION, CONTENT_USER
};

enum content_kind { CONTENT_RATIO, CONTENT_SAME, CONTENT_ZERO };

struct content {
	enum content_kind kind;
	uint64_t seed;
	unsigned ratio_milli;		/* 2000: compresses to a half */
	unsigned twins_milli;		/* so many of 100000 blocks are twins */
	int linked;		/* nonzero: the user's word is his own */
	unsigned parts;			/* made by content_init */
	unsigned words[CONTENT_PARTS_MAX];	/* random ones of each part */
};

/*
 * A version is a generation, from which the whole block is made, and a stamp
 * that is in the header alone: a new stamp makes a new version of a block by
 * one write of one word.
 */
static inline uint64_t
content_version(uint32_t generation, uint32_t stamp)
{
	return (uint64_t)stamp << 32 | generation;
}

/*
 * Set up from text: "zero", "same", or a ratio "1" (random) to "64", with up
 * to three decimals; after it ",twins=10%" for the share of blocks that are
 * twins of others: each of these is one of 16 blocks of the seed.  Returns
 * NULL, or a static text that says what is wrong.
 */
const char *content_parse(const char *text, uint64_t seed, struct content *c);

/* The same from numbers; ratio_milli from 1000 to 1000 * CONTENT_RATIO_MAX. */
void content_init(struct content *c, uint64_t seed, unsigned ratio_milli);

/*
 * Fill n blocks at buf, which is aligned to 8 bytes, as blocks number first,
 * first + 1 ...
 */
void content_fill(void *buf, size_t n, const struct content *c, uint64_t first,
    uint64_t version);

/*
 * Put a new stamp on one block of CONTENT_RATIO.  The generation of version is
 * the one that the block was filled with.
 */
static inline void
content_stamp(void *block, uint64_t version)
{
	((volatile uint64_t *)block)[CONTENT_VERSION] = version;
}

/*
 * Whether a block can be given a stamp: not one that would not be what it is
 * any more, as those of one value and twins.
 */
int content_takes_stamps(const struct content *c, uint64_t block);

enum content_fault_kind {
	CONTENT_FLIPPED,	/* at most 8 bits differ */
	CONTENT_STALE,		/* a whole block of another version */
	CONTENT_TORN,		/* begins as one version, ends as another */
	CONTENT_MISPLACED,	/* a whole block of another number or seed */
	CONTENT_ZEROED,		/* nothing but zeros */
	CONTENT_DAMAGED		/* anything else */
};

struct content_fault {
	enum content_fault_kind kind;
	size_t offset;		/* of the first wrong word, from buf */
	uint64_t want, got;	/* that word */
	uint64_t number, version, seed;	/* what the block there is instead, of
					   STALE, TORN and MISPLACED */
	unsigned bits;		/* that differ, of FLIPPED and DAMAGED */
};

/*
 * Whether n blocks at buf are what content_fill made of the same arguments.
 * Returns 0, or -1 with the first fault.
 */
int content_check(const void *buf, size_t n, const struct content *c,
    uint64_t first, uint64_t version, struct content_fault *f);

/*
 * Compare a single block, of which only the header's four words are looked at:
 * for a look at every touch.  For CONTENT_RATIO only.  Returns 0 or -1.
 */
int content_check_header(const void *block, const struct content *c,
    uint64_t number, uint64_t version);

/*
 * The fault as text: "offset 8192: 00..00 instead of 1234..: stale, version 3
 * instead of 4"; the offset is that of the fault plus base.  Returns buf.
 */
char *content_describe(char *buf, size_t size, const struct content_fault *f,
    uint64_t base);

/* For content_check.c: the number that a block is made from, twins apart. */
uint64_t content_number(const struct content *c, uint64_t block);

#endif
