/*
 * settle: what depends on more than one option of memhog, or on the machine.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "exits.h"
#include "mapping.h"
#include "settle.h"
#include "units.h"

/*
 * What a process can address without asking for more by a hint: 47 bits on
 * x86-64, which mmap(2) does not exceed by itself, at most 48 elsewhere.
 */
#if defined(__x86_64__) && !defined(__ILP32__)
#define ADDRESS_BITS 47
#else
#define ADDRESS_BITS (sizeof(void *) == 4 ? 32 : 48)
#endif

struct reason {
	char *text;
	size_t size;
};

static int settle_pattern(struct plan *p, const struct given *g,
    struct reason *r);
static int settle_sizes(struct plan *p, const struct given *g,
    struct reason *r);
static int settle_total(struct plan *p, const struct given *g,
    struct reason *r);
static int settle_policy(struct plan *p, const struct given *g,
    struct reason *r);
static int conflicts(const struct plan *p, const struct given *g,
    struct reason *r);
static int read_size(const char *letter, const char *text, uint64_t *bytes,
    struct reason *r);
static int wrong(struct reason *r, const char *what, const char *text,
    const char *why);

int
settle(struct plan *p, const struct given *g, char *fault, size_t size)
{
	struct reason r = { fault, size };
	int status;

	if ((status = settle_pattern(p, g, &r)) != EXIT_GOOD ||
	    (status = conflicts(p, g, &r)) != EXIT_GOOD ||
	    (status = settle_policy(p, g, &r)) != EXIT_GOOD ||
	    (status = settle_sizes(p, g, &r)) != EXIT_GOOD)
		return status;
	return settle_total(p, g, &r);
}

/*
 * Without a pattern, pages are touched again in their order if there are
 * rounds; with a time alone, or in a sawtooth, they are held.  Without rounds
 * or time, filling is all there is to do, unless a pattern says more.
 */
static int
settle_pattern(struct plan *p, const struct given *g, struct reason *r)
{
	const char *why;

	p->pattern.kind = p->rounds > 0 ? PATTERN_SEQ : PATTERN_HOLD;
	if (p->sawtooth)
		p->pattern.kind = PATTERN_HOLD;
	else if (g->pattern == NULL && p->rounds == 0 && p->limit_ns == 0)
		p->rounds = 1;
	if (g->pattern != NULL &&
	    (why = pattern_parse(g->pattern, &p->pattern)) != NULL)
		return wrong(r, "-a", g->pattern, why);
	return EXIT_GOOD;
}

static int
conflicts(const struct plan *p, const struct given *g, struct reason *r)
{
	const enum pattern_kind kind = p->pattern.kind;
	const int contest = kind == PATTERN_CONTEST;
	const char *why = NULL;

	if (p->kind == PLAN_FILE && g->kind != NULL)
		why = "-f and -y exclude each other";
	else if (p->kind == PLAN_HUGE && p->thp != MEMORY_THP_ASIS)
		why = "-H and -T are not for -y huge";
	else if (g->grow_step != NULL && g->grow_rate == NULL)
		why = "-j needs -G";
	else if (p->populate && (g->grow_rate != NULL || g->leave != NULL))
		why = "-E does not go with -D or -G: it takes all at once";
	else if (p->lock && p->advice != 0)
		why = "-l and -Z exclude each other";
	else if (contest && (p->sawtooth || g->written || g->core != NULL))
		why = "-a contest does not go with -J, -K, -X or -Y";
	else if (kind == PATTERN_HOLD && (g->written || g->core != NULL ||
	    g->rate != NULL))
		why = "-K, -R, -X and -Y are for pages that are touched again";
	else if (kind == PATTERN_CHASE && (p->content.kind != CONTENT_RATIO ||
	    p->content.twins_milli > 0))
		why = "-a chase needs pages that differ: -C RATIO";
	if (why == NULL)
		return EXIT_GOOD;
	snprintf(r->text, r->size, "%s", why);
	return EXIT_USAGE;
}

static int
settle_policy(struct plan *p, const struct given *g, struct reason *r)
{
	const char *why;

	if (g->policy == NULL)
		return EXIT_GOOD;
	if ((why = policy_parse(&p->policy, g->policy, g->nodes)) == NULL)
		return EXIT_GOOD;
	snprintf(r->text, r->size, "%s%s%s: %s (%s)", g->policy,
	    g->nodes != NULL ? " " : "", g->nodes != NULL ? g->nodes : "", why,
	    policy_names);
	return EXIT_USAGE;
}

static int
settle_sizes(struct plan *p, const struct given *g, struct reason *r)
{
	const struct {
		const char *letter, *text;
		uint64_t *bytes;
		int may_be_0;
	} sizes[] = {
		{ "-D", g->leave, &p->leave_bytes, 1 },
		{ "-G", g->grow_rate, &p->grow_rate, 0 },
		{ "-j", g->grow_step, &p->grow_step, 0 },
		{ "-K", g->core, &p->core_bytes, 0 },
		{ "-R", g->rate, &p->rate, 0 }
	};
	int status;

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		if (sizes[i].text == NULL)
			continue;
		status = read_size(sizes[i].letter, sizes[i].text,
		    sizes[i].bytes, r);
		if (status != EXIT_GOOD)
			return status;
		if (*sizes[i].bytes == 0 && !sizes[i].may_be_0)
			return wrong(r, sizes[i].letter, sizes[i].text,
			    "is nothing");
	}
	p->leave = g->leave != NULL;
	return EXIT_GOOD;
}

static int
settle_total(struct plan *p, const struct given *g, struct reason *r)
{
	const int contest = p->pattern.kind == PATTERN_CONTEST;
	uint64_t unit, whole = 0;
	int status = read_size("size", g->size, &p->bytes, r);

	if (status != EXIT_GOOD)
		return status;
	if (p->bytes == 0)
		return wrong(r, "size", g->size, "is nothing");
	if (strchr(g->size, '%') != NULL && !contest &&
	    memory_effective_bytes(&whole) == 0 && p->bytes > whole)
		return wrong(r, "size", g->size, "more than 100%");
	if (p->bytes > UINT64_MAX / 2 || p->bytes >> ADDRESS_BITS != 0) {
		snprintf(r->text, r->size, "size %s: more than a %zu-bit "
		    "program can address", g->size, 8 * sizeof(void *));
		return EXIT_USAGE;
	}
	unit = plan_unit_bytes(p);
	p->bytes = (p->bytes + unit - 1) / unit * unit;
	if (p->bytes / unit / (contest ? 2 : 1) < p->procs) {
		snprintf(r->text, r->size, "size %s: too small for %" PRIu64
		    " process%s of at least %" PRIu64 " bytes", g->size,
		    p->procs, p->procs == 1 ? "" : "es",
		    unit * (contest ? 2 : 1));
		return EXIT_USAGE;
	}
	return EXIT_GOOD;
}

static int
read_size(const char *letter, const char *text, uint64_t *bytes,
    struct reason *r)
{
	uint64_t whole = 0;
	const char *why;

	if (strchr(text, '%') != NULL && memory_effective_bytes(&whole) == -1) {
		snprintf(r->text, r->size, "%s %s: cannot tell the size of "
		    "memory: %s", letter, text, strerror(errno));
		return EXIT_FAILED;
	}
	if ((why = units_size(text, 1, whole, bytes)) != NULL)
		return wrong(r, letter, text, why);
	return EXIT_GOOD;
}

static int
wrong(struct reason *r, const char *what, const char *text, const char *why)
{
	snprintf(r->text, r->size, "%s %s: %s", what, text, why);
	return EXIT_USAGE;
}
