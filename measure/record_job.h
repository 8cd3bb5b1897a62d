/*
 * job: one run of record, and what is known about it.
 */
#ifndef QS_RECORD_JOB_H
#define QS_RECORD_JOB_H

#include <stdio.h>

#include "record_measure.h"
#include "record_options.h"
#include "record_run.h"
#include "row.h"

struct job {
	const struct options *opt;
	char started[32];	/* UTC */
	char *command;		/* as typed */
	char *enter;		/* cgroup.procs to enter by, or NULL */
	char *rows;		/* path of runs.tsv, or NULL */
	char *samples;		/* path of the samples, or NULL */
	FILE *line;		/* where the line goes */
	struct run_result run;
	struct measure measure;
	struct row row;
};

/*
 * prepare.c.  All return 0, or -1 when it cannot be done and a line about it
 * has been printed.
 *
 * job_prepare takes a job of zeros, opens what is written to at the end, and
 * looks at the CPUs and the group: what is wrong with them must not cost a run.
 * job_begin does what comes for a row right before the command starts.
 */
int job_prepare(struct job *job, const struct options *opt);
int job_begin(struct job *job);

/* Wait for the condition of -w.  1 when it holds; 0 when not, said and in the
 * row; -1 as above. */
int job_await(struct job *job);

/*
 * publish.c.  job_tell_end prints what a person must know beside the figures.
 * job_fill_row fills in the row of a command that has ended and been measured;
 * job_print_line prints the line, or the whole row; job_append_row appends the
 * row to runs.tsv.  They return 0 or -1 as above.
 */
void job_tell_end(const struct job *job);
int job_fill_row(struct job *job);
int job_fill_names(struct job *job);
int job_print_line(struct job *job);
int job_append_row(struct job *job);

#endif
