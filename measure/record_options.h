/*
 * options: the command line of record.
 */
#ifndef QS_RECORD_OPTIONS_H
#define QS_RECORD_OPTIONS_H

#include <sched.h>
#include <stdint.h>

#include "record_trigger.h"
#include "record_verdict.h"
#include "timefmt.h"

#define OPTIONS_GOOD	(-1)	/* what options_parse returns to go on */

struct options {
	enum timefmt format;
	const char *file;	/* -f: where the line goes; NULL stderr */
	const char *group;	/* -g, or QS_CGROUP, or NULL: a folder */
	const char *label;	/* -L, or QS_LABEL, or NULL */
	const char *folder;	/* -o, or QS_RESULTS, or NULL */
	const char *condition;	/* -w as typed, or NULL */
	struct trigger trigger;
	int heed;		/* -I: INT and QUIT count though ignored */
	int quiet;
	int pinned;		/* nonzero: -P was given, cpus is set */
	cpu_set_t cpus;
	uint64_t interval_ns;	/* -i; 0 no samples */
	uint64_t limit_ns;	/* -t; 0 none */
	uint64_t grace_ns;
	uint64_t wait_ns;	/* -W */
	unsigned char good[VERDICT_STATUSES];	/* -O */
	char *const *command;
};

/*
 * Read the command line and the environment into *o.  Returns OPTIONS_GOOD, or
 * the status to exit with: help, version and faults have been printed.
 */
int options_parse(struct options *o, int argc, char **argv);

/* Nonzero when a row is wanted, in a file or printed. */
int options_row(const struct options *o);

/* Nonzero when the line is the whole row. */
int options_whole_row(const struct options *o);

#endif
