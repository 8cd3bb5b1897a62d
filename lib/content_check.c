/*
 * content_check: whether blocks still hold what they were filled with, and if
 * not, what became of them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "content.h"

#define FLIPPED_BITS_MAX 8

static void classify(const uint64_t *b, const struct content *c,
    uint64_t number, uint64_t version, struct content_fault *f);
static int is_another(const uint64_t *b, const struct content *c,
    uint64_t number, uint64_t version, struct content_fault *f);
static int is_torn(const uint64_t *b, const struct content *c, uint64_t number,
    uint64_t version, struct content_fault *f);
static void expect(uint64_t *want, const uint64_t *b, const struct content *c,
    uint64_t number, uint64_t version);
static size_t differs(const uint64_t *a, const uint64_t *b, size_t from);
static unsigned bits_between(const uint64_t *a, const uint64_t *b);

int
content_check(const void *buf, size_t n, const struct content *c,
    uint64_t first, uint64_t version, struct content_fault *f)
{
	uint64_t want[CONTENT_BLOCK_WORDS];
	const uint64_t *b = buf;
	size_t word;

	for (size_t i = 0; i < n; i++, b += CONTENT_BLOCK_WORDS) {
		expect(want, b, c, first + i, version);
		if (memcmp(b, want, sizeof want) == 0)
			continue;
		memset(f, 0, sizeof *f);
		word = differs(b, want, 0);
		/* Somebody may have mended it since: then this is all. */
		if (word == CONTENT_BLOCK_WORDS)
			word = 0;
		f->offset = i * CONTENT_BLOCK_BYTES + word * sizeof *b;
		f->want = want[word];
		f->got = b[word];
		f->bits = bits_between(b, want);
		classify(b, c, first + i, version, f);
		return -1;
	}
	return 0;
}

int
content_check_header(const void *block, const struct content *c,
    uint64_t number, uint64_t version)
{
	const uint64_t *b = block;

	return b[CONTENT_SEED] == (c->seed ^ CONTENT_MAGIC) &&
	    b[CONTENT_VERSION] == version &&
	    b[CONTENT_NUMBER] == content_number(c, number) &&
	    (c->linked || b[CONTENT_USER] == 0) ? 0 : -1;
}

char *
content_describe(char *buf, size_t size, const struct content_fault *f,
    uint64_t base)
{
	static const char *const names[] = {
		[CONTENT_FLIPPED] = "flipped", [CONTENT_STALE] = "stale",
		[CONTENT_TORN] = "torn", [CONTENT_MISPLACED] = "misplaced",
		[CONTENT_ZEROED] = "zeroed", [CONTENT_DAMAGED] = "damaged"
	};
	char more[120] = "";

	if (f->kind == CONTENT_FLIPPED)
		snprintf(more, sizeof more, ", %u bit%s of the block", f->bits,
		    f->bits == 1 ? "" : "s");
	else if (f->kind == CONTENT_STALE || f->kind == CONTENT_TORN)
		snprintf(more, sizeof more, ", %s of generation %" PRIu64
		    " stamp %" PRIu64,
		    f->kind == CONTENT_STALE ? "block" : "partly",
		    f->version & UINT32_MAX, f->version >> 32);
	else if (f->kind == CONTENT_MISPLACED)
		snprintf(more, sizeof more, ", block %" PRIu64 " of seed %"
		    PRIu64, f->number, f->seed);
	snprintf(buf, size, "offset %" PRIu64 ": 0x%016" PRIx64
	    " instead of 0x%016" PRIx64 " (%s%s)", base + f->offset, f->got,
	    f->want, names[f->kind], more);
	return buf;
}

/* What the block is, if not the one of that number and version. */
static void
classify(const uint64_t *b, const struct content *c, uint64_t number,
    uint64_t version, struct content_fault *f)
{
	static const uint64_t zeros[CONTENT_BLOCK_WORDS];

	f->kind = f->bits <= FLIPPED_BITS_MAX ? CONTENT_FLIPPED :
	    CONTENT_DAMAGED;
	if (memcmp(b, zeros, sizeof zeros) == 0)
		f->kind = CONTENT_ZEROED;
	else if (c->kind == CONTENT_RATIO && is_another(b, c, number, version,
	    f))
		f->kind = f->number != content_number(c, number) ||
		    f->seed != c->seed ? CONTENT_MISPLACED : CONTENT_STALE;
	else if (c->kind == CONTENT_RATIO && f->kind == CONTENT_DAMAGED &&
	    is_torn(b, c, number, version, f))
		f->kind = CONTENT_TORN;
}

/* Whether it is whole, as what its header says; that into *f then. */
static int
is_another(const uint64_t *b, const struct content *c, uint64_t number,
    uint64_t version, struct content_fault *f)
{
	struct content other = *c;
	uint64_t want[CONTENT_BLOCK_WORDS];

	other.seed = b[CONTENT_SEED] ^ CONTENT_MAGIC;
	other.twins_milli = 0;	/* the number there is what it is made from */
	expect(want, b, &other, b[CONTENT_NUMBER], b[CONTENT_VERSION]);
	if (memcmp(b, want, sizeof want) != 0)
		return 0;
	/* A flipped bit of the stamp would pass for a stamp of long ago. */
	if (other.seed == c->seed && b[CONTENT_NUMBER] ==
	    content_number(c, number) && (uint32_t)b[CONTENT_VERSION] ==
	    (uint32_t)version && b[CONTENT_VERSION] >> 32 > version >> 32)
		return 0;
	f->seed = other.seed;
	f->number = b[CONTENT_NUMBER];
	f->version = b[CONTENT_VERSION];
	return 1;
}

/*
 * Whether it begins as one version and ends as another: one of the two is the
 * right one, the other one is in the header, or is the generation before.
 */
static int
is_torn(const uint64_t *b, const struct content *c, uint64_t number,
    uint64_t version, struct content_fault *f)
{
	uint64_t right[CONTENT_BLOCK_WORDS], other[CONTENT_BLOCK_WORDS];
	uint64_t otherwise = b[CONTENT_VERSION] != version ?
	    b[CONTENT_VERSION] : version - 1;
	const uint64_t *head, *tail;
	size_t word;

	expect(right, b, c, number, version);
	expect(other, b, c, number, otherwise);
	head = b[CONTENT_VERSION] == version ? right : other;
	tail = head == right ? other : right;
	word = differs(b, head, 0);
	/* The zeros that parts end in are in both. */
	if (word == CONTENT_BLOCK_WORDS || word < CONTENT_HEADER_WORDS ||
	    differs(b, tail, word) != CONTENT_BLOCK_WORDS)
		return 0;
	f->seed = c->seed;
	f->number = number;
	f->version = otherwise;
	return 1;
}

static void
expect(uint64_t *want, const uint64_t *b, const struct content *c,
    uint64_t number, uint64_t version)
{
	content_fill(want, 1, c, number, version);
	if (c->linked && c->kind == CONTENT_RATIO)
		want[CONTENT_USER] = b[CONTENT_USER];
}

/* The first word from that one on that differs, CONTENT_BLOCK_WORDS if none. */
static size_t
differs(const uint64_t *a, const uint64_t *b, size_t from)
{
	while (from < CONTENT_BLOCK_WORDS && a[from] == b[from])
		from++;
	return from;
}

static unsigned
bits_between(const uint64_t *a, const uint64_t *b)
{
	unsigned bits = 0;

	for (size_t i = 0; i < CONTENT_BLOCK_WORDS; i++)
		for (uint64_t x = a[i] ^ b[i]; x != 0; x &= x - 1)
			bits++;
	return bits;
}
