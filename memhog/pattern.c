/*
 * pattern: in which order memhog touches its pages again.
 */
#include <string.h>

#include "pattern.h"
#include "units.h"

#define ALL 100000u		/* thousandths of a percent */
#define EXPONENT_MAX_MILLI 10000

const struct pattern_name pattern_names[] = {
	[PATTERN_SEQ] = { "seq", "ascending" },
	[PATTERN_REVERSE] = { "reverse", "descending" },
	[PATTERN_RANDOM] = { "random", "each page once, in a random order" },
	[PATTERN_STRIDE] = { "stride", ":N each N-th page, then the next to "
	    "those; 16" },
	[PATTERN_ZIPF] = { "zipf", ":S page of rank k by weight 1/k^S; 1" },
	[PATTERN_HOT] = { "hot", ":A/B A% of touches in B% of pages; 90/10" },
	[PATTERN_CHASE] = { "chase", "a cycle of pointers from page to page" },
	[PATTERN_HOLD] = { "hold", "no touch, only hold" },
	[PATTERN_CONTEST] = { "contest", "copy blocks of 1 MiB, free, again, "
	    "as mem_load of contest" },
	{ NULL, NULL }
};

static const char *parse_value(const char *value, struct pattern_spec *spec);
static const char *parse_hot(const char *value, struct pattern_spec *spec);
static uint64_t strided(const struct pattern *p, uint64_t i);
static uint64_t hot_or_cold(struct pattern *p);

const char *
pattern_parse(const char *text, struct pattern_spec *spec)
{
	size_t length = strcspn(text, ":");
	const struct pattern_name *n = pattern_names;
	struct pattern_spec s = { .stride = 16, .exponent_milli = 1000,
	    .hot_touches = 90000, .hot_pages = 10000 };
	const char *why = NULL;

	while (n->name != NULL && (strlen(n->name) != length ||
	    strncmp(n->name, text, length) != 0))
		n++;
	if (n->name == NULL)
		return "no such pattern";
	s.kind = (enum pattern_kind)(n - pattern_names);
	if (text[length] == ':')
		why = parse_value(text + length + 1, &s);
	if (why == NULL)
		*spec = s;
	return why;
}

static const char *
parse_value(const char *value, struct pattern_spec *s)
{
	uint64_t n;
	const char *why;

	switch (s->kind) {
	case PATTERN_STRIDE:
		why = units_count(value, UINT32_MAX, &s->stride);
		return why == NULL && s->stride == 0 ? "a stride of 0" : why;
	case PATTERN_ZIPF:
		if (strchr(value, '%') != NULL)
			return "not a number";
		why = units_percent(value, EXPONENT_MAX_MILLI, &n);
		if (why == NULL)
			s->exponent_milli = (unsigned)n;
		return why;
	case PATTERN_HOT:
		return parse_hot(value, s);
	default:
		return "this pattern takes no value";
	}
}

/* "90/10" */
static const char *
parse_hot(const char *value, struct pattern_spec *s)
{
	const char *slash = strchr(value, '/');
	uint64_t touches, pages;
	char first[32];
	const char *why;

	if (slash == NULL || (size_t)(slash - value) >= sizeof first)
		return "not like 90/10";
	memcpy(first, value, (size_t)(slash - value));
	first[slash - value] = '\0';
	if ((why = units_percent(first, ALL, &touches)) != NULL ||
	    (why = units_percent(slash + 1, ALL, &pages)) != NULL)
		return why;
	if (pages == 0 || pages == ALL)
		return "hot pages must be some, not none or all";
	s->hot_touches = (unsigned)touches;
	s->hot_pages = (unsigned)pages;
	return NULL;
}

int
pattern_init(struct pattern *p, const struct pattern_spec *spec,
    uint64_t pages, uint64_t seed)
{
	memset(p, 0, sizeof *p);
	p->spec = *spec;
	p->pages = pages;
	p->seed = seed;
	if (spec->kind == PATTERN_ZIPF &&
	    zipf_init(&p->zipf, pages, spec->exponent_milli) == -1)
		return -1;
	/* Where the frequent pages are stays the same from round to round. */
	shuffle_init(&p->order, pages, seed);
	return 0;
}

void
pattern_free(struct pattern *p)
{
	zipf_free(&p->zipf);
}

void
pattern_round(struct pattern *p, uint64_t round)
{
	struct rng_mix r = { p->seed ^ round << 32 };

	p->rng.state = rng_mix_next(&r);
	p->left = p->pages;
	p->at = 0;
	if (p->spec.kind == PATTERN_RANDOM)
		shuffle_init(&p->order, p->pages, p->rng.state);
	if (p->spec.kind == PATTERN_CHASE)
		p->at = shuffle_at(&p->order, 0);
}

uint64_t
pattern_next(struct pattern *p)
{
	uint64_t i = p->pages - p->left;

	p->left--;
	switch (p->spec.kind) {
	case PATTERN_REVERSE: return p->left;
	case PATTERN_RANDOM: return shuffle_at(&p->order, i);
	case PATTERN_STRIDE: return strided(p, i);
	case PATTERN_ZIPF:
		return shuffle_at(&p->order, zipf_next(&p->zipf, &p->rng));
	case PATTERN_HOT: return shuffle_at(&p->order, hot_or_cold(p));
	case PATTERN_CHASE: return p->at;
	default: return i;
	}
}

uint64_t
pattern_link(const struct pattern *p, uint64_t page)
{
	uint64_t i = shuffle_find(&p->order, page) + 1;

	return shuffle_at(&p->order, i == p->pages ? 0 : i);
}

void
pattern_follow(struct pattern *p, uint64_t page)
{
	p->at = page;
}

/*
 * Columns of a table that is `stride` wide and filled row by row, of which the
 * last row may be short.
 */
static uint64_t
strided(const struct pattern *p, uint64_t i)
{
	uint64_t stride = p->spec.stride, rows, longer;

	if (stride >= p->pages)
		return i;
	rows = p->pages / stride;
	longer = p->pages % stride;	/* columns with one row more */
	if (i < longer * (rows + 1))
		return i % (rows + 1) * stride + i / (rows + 1);
	i -= longer * (rows + 1);
	return i % rows * stride + longer + i / rows;
}

static uint64_t
hot_or_cold(struct pattern *p)
{
	uint64_t hot = p->pages / ALL * p->spec.hot_pages +
	    p->pages % ALL * p->spec.hot_pages / ALL;

	if (hot == 0)
		hot = 1;
	if (hot == p->pages || rng_mix_below(&p->rng, ALL) <
	    p->spec.hot_touches)
		return rng_mix_below(&p->rng, hot);
	return hot + rng_mix_below(&p->rng, p->pages - hot);
}
