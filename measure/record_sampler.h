/*
 * sampler: a time series of the machine's memory while the command runs.
 *
 * A thread of record reads a row of figures at every tick.  It opens all files
 * first; in its loop it allocates nothing, writes nothing and starts nothing,
 * and the whole process is locked in memory, so that it goes on under the very
 * pressure that it watches.  Ticks have absolute deadlines; how late each was
 * is part of its row, and ticks that passed by are counted.
 */
#ifndef QS_RECORD_SAMPLER_H
#define QS_RECORD_SAMPLER_H

#include <stdint.h>
#include <stdio.h>

#include "proc.h"

struct sampler;

struct sampler_summary {
	uint64_t ticks;		/* that were taken */
	uint64_t missed;	/* that were not */
	uint64_t late_max_ns;
	uint64_t majflt;	/* major faults of the sampling thread */
	uint64_t cpu_us;	/* its CPU time */
	/* Maxima over the samples; PROC_ABSENT: never known. */
	uint64_t swap_max_kib;	/* the group's, else the machine's */
	uint64_t used_max_kib;	/* the group's, else MemTotal - available */
};

/*
 * Start sampling: group may be of PROC_CGROUP_NONE.  out is where the rows go,
 * or NULL for a summary alone; the header is written at once.  *unlocked
 * becomes 0, or the errno that says why memory could not be locked.  Returns
 * the sampler, or NULL with errno.
 */
struct sampler *sampler_start(const char *root, const struct proc_cgroup *group,
    uint64_t interval_ns, FILE *out, int *unlocked);

/*
 * How often sampler_drain wants to be called, and the call: writes rows out
 * when half of the memory for them is full.
 */
#define SAMPLER_DRAIN_NS UINT64_C(1000000000)
void sampler_drain(struct sampler *s);

/*
 * Take a last sample, end the thread, write the rest of the rows, and a comment
 * with the share of missed ticks.  Returns 0, or -1 with errno when not all
 * could be written; out stays open.  Frees s.
 */
int sampler_stop(struct sampler *s, struct sampler_summary *summary);

/* The share of ticks that were missed. */
double sampler_missed_percent(const struct sampler_summary *sum);

#endif
