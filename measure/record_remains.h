/*
 * remains: end all children of this process, and what they leave to it.
 *
 * The caller is a child subreaper (prctl(2)), so that the orphans of its
 * descendants become its children, again and again until there are none.
 * Nothing here allocates memory: the keeper calls it when its partner, with
 * whom it may share memory, was killed at any point.
 */
#ifndef QS_RECORD_REMAINS_H
#define QS_RECORD_REMAINS_H

#include <stdint.h>

struct remains {
	unsigned ended;		/* children that were left and are gone now */
	unsigned stuck;		/* children given up */
	int kill_seen;		/* nonzero: one had died by SIGKILL before we
				 * sent any */
};

/*
 * TERM to every child, KILL after grace_ns (0: at once), until none is left or
 * until ten seconds after the first KILL.  SIGCHLD must be blocked.  Returns 0,
 * or -1 with errno when the children cannot be listed.
 */
int remains_end(uint64_t grace_ns, struct remains *r);

#endif
