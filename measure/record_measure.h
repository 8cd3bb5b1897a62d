/*
 * measure: what a row knows beside wait4(2): counters, samples, calibration.
 */
#ifndef QS_RECORD_MEASURE_H
#define QS_RECORD_MEASURE_H

#include <sched.h>
#include <stdint.h>
#include <stdio.h>

#include "record_calib.h"
#include "record_counters.h"
#include "record_options.h"
#include "record_run.h"
#include "record_sampler.h"
#include "row.h"

struct measure {
	const struct options *opt;
	cpu_set_t cpus;			/* that the command may use */
	int32_t oom_adj;		/* for the command; run.h */
	struct counters counters;
	struct counters_reading before, after;
	struct counters_delta delta;
	uint64_t cpu_before_us, cpu_own_us;	/* of this process */
	struct calib calib;
	struct sampler *sampler;
	struct sampler_summary samples;
	FILE *samples_file;		/* or NULL */
};

/*
 * Open the counters, as early as possible: a wrong group must not cost a run.
 * Protects this process from the OOM killer where that is permitted.  Returns
 * 0, or -1 with errno when -g is no memory group.
 */
int measure_open(struct measure *m, const struct options *opt);

/*
 * The oom_score_adj of a command that runs in a memory group: that of the
 * preferred victim, were the whole machine to run out of memory, unless adj (or
 * ours, for RUN_OOM_ADJ_KEEP) is more than that already.
 */
int32_t measure_victim(int32_t adj);

/*
 * Calibrate, start the samples, take the first reading; samples_file is where
 * samples go, or NULL.  Returns 0, or -1 with errno when there can be no
 * samples.
 */
int measure_begin(struct measure *m, FILE *samples_file);

/* The command has ended: take the last reading. */
void measure_end(struct measure *m);

/*
 * All that the command left is gone: end the samples, calibrate again, sum up.
 * Returns 0, or -1 with errno when samples could not be written.
 */
int measure_finish(struct measure *m);

/*
 * Fill in the columns pressure to foreign_cpu_pct, calib_ms and cpus.  why gets
 * the reason of the verdict (verdict.h).  Returns 0, or -1 with errno ENOMEM.
 */
int measure_row(const struct measure *m, const struct run_result *run,
    struct row *row, char *why, size_t size);

#endif
