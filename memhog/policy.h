/*
 * policy: on which NUMA nodes the memory shall lie: mbind(2), by the raw system
 * call.
 */
#ifndef QS_POLICY_H
#define QS_POLICY_H

#include <stddef.h>

#define POLICY_NODES 1024

struct policy {
	int set;		/* nonzero: a policy was asked for */
	int mode;		/* MPOL_* */
	const char *name;	/* as given */
	unsigned long mask[POLICY_NODES / (8 * sizeof(unsigned long))];
};

/* What the names are, for the help text. */
extern const char policy_names[];

/*
 * The policy of that name, with or without "--" before it, and its nodes, such
 * as "0-2,5" or "all", or NULL.  Returns NULL, or what is wrong, a static text.
 */
const char *policy_parse(struct policy *p, const char *name,
    const char *nodes);

/*
 * Set the policy of a mapping that was not touched yet.  Returns 0, or -1 with
 * errno, ENOSYS where the kernel has no NUMA.
 */
int policy_apply(const struct policy *p, void *base, size_t bytes);

#endif
