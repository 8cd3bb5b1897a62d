/*
 * content: how blocks are made.  They are checked in content_check.c.
 */
#include <stdlib.h>
#include <string.h>

#include "content.h"
#include "rng.h"
#include "units.h"

/*
 * What LZ compressors add to the random bytes of a part: a token, the length of
 * the literals, the distance and the length of the match.
 */
#define PART_OVERHEAD 8
#define LANES 4
#define TWINS 16
#define TWIN_FLAG (UINT64_C(1) << 63)
#define MILLI_PERCENT 100000

static void fill_random(uint64_t *b, const struct content *c, uint64_t number,
    uint64_t version);
static void fill_same(uint64_t *b, uint64_t seed, uint64_t number,
    uint64_t version);
static uint64_t key(uint64_t seed, uint64_t number, uint64_t version);
static uint64_t *lanes_run(uint64_t lane[LANES], uint64_t *out, size_t n);

void
content_init(struct content *c, uint64_t seed, unsigned ratio_milli)
{
	unsigned bytes = CONTENT_BLOCK_BYTES * 1000u / ratio_milli, words, i;

	memset(c, 0, sizeof *c);
	c->kind = CONTENT_RATIO;
	c->seed = seed;
	c->ratio_milli = ratio_milli;
	c->parts = 1;
	if (ratio_milli == 1000) {
		c->words[0] = CONTENT_BLOCK_WORDS;
		return;
	}
	/* Parts of so many random bytes that the overhead stays small. */
	while (c->parts < CONTENT_PARTS_MAX && bytes / c->parts >= 128)
		c->parts *= 2;
	words = (bytes - c->parts * PART_OVERHEAD) / sizeof(uint64_t);
	for (i = 0; i < c->parts; i++)
		c->words[i] = words / c->parts + (i < words % c->parts);
}

const char *
content_parse(const char *text, uint64_t seed, struct content *c)
{
	const char *comma = strchr(text, ',');
	uint64_t ratio, twins = 0;
	const char *why;
	char head[32];
	size_t length = comma != NULL ? (size_t)(comma - text) : strlen(text);

	if (length >= sizeof head)
		return "neither zero, same nor a ratio from 1 to 64";
	memcpy(head, text, length);
	head[length] = '\0';
	if (comma != NULL) {
		if (strncmp(comma, ",twins=", 7) != 0)
			return "only ,twins=SHARE can follow";
		why = units_percent(comma + 7, MILLI_PERCENT, &twins);
		if (why != NULL)
			return why;
	}
	if (strcmp(head, "zero") == 0 || strcmp(head, "same") == 0) {
		if (twins > 0)
			return "twins are for a ratio only";
		content_init(c, seed, 1000);
		c->kind = *head == 'z' ? CONTENT_ZERO : CONTENT_SAME;
		return NULL;
	}
	/* A decimal number in thousandths is what a percentage is read as. */
	if (strchr(head, '%') != NULL || units_percent(head,
	    UINT64_C(1000) * CONTENT_RATIO_MAX, &ratio) != NULL ||
	    ratio < 1000)
		return "neither zero, same nor a ratio from 1 to 64";
	content_init(c, seed, (unsigned)ratio);
	c->twins_milli = (unsigned)twins;
	return NULL;
}

uint64_t
content_number(const struct content *c, uint64_t block)
{
	struct rng_mix r = { c->seed ^ ~block };
	uint64_t chance;

	if (c->twins_milli == 0)
		return block;
	chance = rng_mix_next(&r);
	if ((chance >> 32) % MILLI_PERCENT >= c->twins_milli)
		return block;
	return TWIN_FLAG | chance % TWINS;
}

int
content_takes_stamps(const struct content *c, uint64_t block)
{
	return c->kind == CONTENT_RATIO && (c->twins_milli == 0 ||
	    content_number(c, block) == block);
}

void
content_fill(void *buf, size_t n, const struct content *c, uint64_t first,
    uint64_t version)
{
	uint64_t *b = buf;

	if (c->kind == CONTENT_ZERO) {
		memset(buf, 0, n * CONTENT_BLOCK_BYTES);
		return;
	}
	for (size_t i = 0; i < n; i++, b += CONTENT_BLOCK_WORDS) {
		if (c->kind == CONTENT_SAME)
			fill_same(b, c->seed, first + i, version);
		else
			fill_random(b, c, content_number(c, first + i),
			    version);
	}
}

static void
fill_random(uint64_t *b, const struct content *c, uint64_t number,
    uint64_t version)
{
	struct rng_mix r = { key(c->seed, number, (uint32_t)version) };
	size_t part = CONTENT_BLOCK_WORDS / c->parts, done;
	uint64_t lane[LANES], *out = b + CONTENT_HEADER_WORDS;

	/* A lane of 0 would stay 0. */
	for (size_t i = 0; i < LANES; i++)
		lane[i] = rng_mix_next(&r) | 1;
	b[CONTENT_SEED] = c->seed ^ CONTENT_MAGIC;
	b[CONTENT_NUMBER] = number;
	b[CONTENT_VERSION] = version;
	b[CONTENT_USER] = 0;
	done = CONTENT_HEADER_WORDS;
	for (unsigned p = 0; p < c->parts; p++, done = 0) {
		if (c->words[p] > done)
			out = lanes_run(lane, out, c->words[p] - done);
		memset(out, 0, (size_t)((b + part * (p + 1)) - out) *
		    sizeof *out);
		out = b + part * (p + 1);
	}
}

/* A multiply-with-carry generator (Marsaglia, 1994): 8 bytes a product. */
static inline uint64_t
lane_next(uint64_t lane)
{
	return (lane & UINT32_MAX) * UINT64_C(4294957665) + (lane >> 32);
}

/*
 * n words of the lanes in turn; returns the end.  Compressors find nothing in
 * them; they are no good for anything else.  The lanes do not wait for each
 * other, and are variables so that compilers keep them in registers.
 */
static uint64_t *
lanes_run(uint64_t lane[LANES], uint64_t *out, size_t n)
{
	uint64_t a = lane[0], b = lane[1], c = lane[2], d = lane[3];
	size_t i;

	for (; n >= LANES; n -= LANES, out += LANES) {
		out[0] = a = lane_next(a);
		out[1] = b = lane_next(b);
		out[2] = c = lane_next(c);
		out[3] = d = lane_next(d);
	}
	lane[0] = a;
	lane[1] = b;
	lane[2] = c;
	lane[3] = d;
	for (i = 0; i < n; i++)
		*out++ = lane[i] = lane_next(lane[i]);
	return out;
}

/* The kernel compares words of 32 or 64 bits, so 32 are repeated. */
static void
fill_same(uint64_t *b, uint64_t seed, uint64_t number, uint64_t version)
{
	uint64_t word = key(seed, number, version) >> 32;

	word |= word << 32;
	for (size_t i = 0; i < CONTENT_BLOCK_WORDS; i++)
		b[i] = word;
}

static uint64_t
key(uint64_t seed, uint64_t number, uint64_t version)
{
	struct rng_mix r = { seed };

	r.state = rng_mix_next(&r) ^ number;
	r.state = rng_mix_next(&r) ^ version;
	return rng_mix_next(&r);
}
