/*
 * plan: how a command can be confined on this machine: what was asked, checked,
 * and where a memory group for it can be made.  Changes nothing.
 */
#ifndef QS_GROUP_PLAN_H
#define QS_GROUP_PLAN_H

#include <stdint.h>

#include "proc.h"
#include "why.h"

#define PLAN_MEMORY_MIN (UINT64_C(4) << 20)

enum plan_swap {
	PLAN_SWAP_ASIS,		/* what the machine has */
	PLAN_SWAP_NONE,		/* none for the group */
	PLAN_SWAP_FILE,		/* a file of our own */
	PLAN_SWAP_ZRAM		/* a compressed memory device */
};

struct plan {
	/* What was asked; PROC_ABSENT where it was not. */
	uint64_t memory_bytes, brake_bytes;
	enum plan_swap swap;
	uint64_t swap_bytes;
	char swap_dir[4096];		/* absolute */
	char swap_algorithm[32];	/* "-": the device's present one */

	/* What there is. */
	uint64_t machine_bytes;		/* MemTotal */
	uint64_t least_bytes;		/* least limit from parent up */
	struct proc_cgroup group;	/* of this process */
	char parent[4096];		/* where the group is to be made */
	int enable;		/* v2: parent must enable memory first */
	int swap_limit;		/* nonzero: a group's swap can be limited */
	int other_swap;			/* nonzero: some swap is on already */
};

/*
 * Find the place: memory controller, parent, limits.  With root as for the
 * readers of proc.h.  Returns 0; or -1 and why, with why->skip for a machine on
 * which it cannot be done (the text names the remedy).
 */
int plan_place(struct plan *p, const char *root, struct why *why);

/*
 * Read the texts of -m, -B and -S (NULL: not given); after plan_machine, as
 * percentages refer to what there is.  0, or -1 and why for wrong use.
 */
int plan_sizes(struct plan *p, const char *memory, const char *brake,
    const char *swap, struct why *why);

/* Read MemTotal.  0, or -1 and why. */
int plan_machine(struct plan *p, const char *root, struct why *why);

/*
 * What was asked against what there is: brake on cgroup v1, swap that cannot be
 * limited, machines without swap files.  0, or -1 and why.
 */
int plan_agree(const struct plan *p, struct why *why);

#endif
