/*
 * verdict: how a run ended, in one word, and whether its figures can be
 * believed.
 *
 * The bounds below are the only ones; results/README.md has the same table.
 */
#ifndef QS_VERDICT_H
#define QS_VERDICT_H

#include <stddef.h>
#include <stdint.h>

/* ---- outcome ---- */

#define VERDICT_STATUSES 256

struct verdict_end {
	int status;		/* of the command, as wait(2) gives it */
	int timed_out;		/* nonzero: the time limit passed */
	int asked;		/* a signal asked us to end it, or 0 */
	int kill_seen;		/* a process of it died by a SIGKILL not ours */
	uint64_t oom_group;	/* OOM kills in its group; PROC_ABSENT */
	uint64_t oom_host;	/* OOM kills on the host; PROC_ABSENT */
	const unsigned char *good;	/* VERDICT_STATUSES flags: statuses that
					 * count as success */
};

/* "ok", "exit:N", "signal:N", "oom", "enomem", "timeout" or "corrupt" into
 * buf; returns buf. */
char *verdict_outcome(char *buf, size_t size, const struct verdict_end *e);

#endif
