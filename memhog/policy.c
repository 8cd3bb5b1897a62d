/*
 * policy: on which NUMA nodes the memory shall lie.  The modes are those of
 * set_mempolicy(2) and linux/mempolicy.h, whose numbers are part of the ABI.
 */
#include <sys/syscall.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "policy.h"
#include "proc.h"

enum mode {
	DEFAULT, PREFERRED, BIND, INTERLEAVE, LOCAL, PREFERRED_MANY,
	WEIGHTED_INTERLEAVE
};

enum nodes { NONE, MAYBE, SOME };

const char policy_names[] = "default, local, preferred, preferred-many, "
    "membind, interleave, weighted-interleave";

static const struct known {
	const char *name;
	enum mode mode;
	enum nodes nodes;
} known[] = {
	{ "default", DEFAULT, NONE },
	{ "local", LOCAL, NONE },
	{ "preferred", PREFERRED, MAYBE },
	{ "preferred-many", PREFERRED_MANY, SOME },
	{ "membind", BIND, SOME },
	{ "bind", BIND, SOME },
	{ "interleave", INTERLEAVE, SOME },
	{ "weighted-interleave", WEIGHTED_INTERLEAVE, SOME },
	{ NULL, DEFAULT, NONE }
};

static const char *parse_nodes(struct policy *p, const char *text);
static const char *node_number(const char *s, unsigned *node);
static unsigned count(const struct policy *p);

const char *
policy_parse(struct policy *p, const char *name, const char *nodes)
{
	const struct known *k = known;
	char online[4096];
	const char *why;

	memset(p, 0, sizeof *p);
	p->name = name;
	if (strncmp(name, "--", 2) == 0)
		name += 2;
	while (k->name != NULL && strcmp(k->name, name) != 0)
		k++;
	if (k->name == NULL)
		return "no such policy";
	p->mode = (int)k->mode;
	p->set = 1;
	if (nodes == NULL)
		return k->nodes == SOME ? "needs nodes" : NULL;
	if (k->nodes == NONE)
		return "takes no nodes";
	if (strcmp(nodes, "all") == 0) {
		if (proc_read("", "/sys/devices/system/node/online", online,
		    sizeof online) == -1)
			return "the nodes of this system cannot be read";
		online[strcspn(online, "\n")] = '\0';
		nodes = online;
	}
	if ((why = parse_nodes(p, nodes)) != NULL)
		return why;
	return k->mode == PREFERRED && count(p) != 1 ? "takes one node" : NULL;
}

int
policy_apply(const struct policy *p, void *base, size_t bytes)
{
	int empty = count(p) == 0;

	/* The kernel takes maxnode as the number of bits and one. */
	return (int)syscall(SYS_mbind, base, bytes, p->mode,
	    empty ? NULL : p->mask, empty ? 0UL : POLICY_NODES + 1UL, 0U);
}

/* "0-2,5" */
static const char *
parse_nodes(struct policy *p, const char *text)
{
	const size_t width = 8 * sizeof *p->mask;
	const char *s = text, *malformed = "nodes are like 0-2,5 or all";
	unsigned first, last;

	for (;;) {
		if ((s = node_number(s, &first)) == NULL)
			return malformed;
		last = first;
		if (*s == '-' && (s = node_number(s + 1, &last)) == NULL)
			return malformed;
		if (last < first)
			return malformed;
		for (; first <= last; first++)
			p->mask[first / width] |= 1UL << first % width;
		if (*s == '\0')
			return NULL;
		if (*s++ != ',')
			return malformed;
	}
}

/* Returns where the number ends, NULL when there is none below the limit. */
static const char *
node_number(const char *s, unsigned *node)
{
	unsigned n = 0;

	if (*s < '0' || *s > '9')
		return NULL;
	for (; *s >= '0' && *s <= '9'; s++)
		if ((n = n * 10 + (unsigned)(*s - '0')) >= POLICY_NODES)
			return NULL;
	*node = n;
	return s;
}

static unsigned
count(const struct policy *p)
{
	unsigned n = 0;

	for (size_t i = 0; i < sizeof p->mask / sizeof *p->mask; i++)
		for (unsigned long m = p->mask[i]; m != 0; m &= m - 1)
			n++;
	return n;
}
