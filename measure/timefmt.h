/*
 * timefmt: what the time(1) programs and shells print for a run, byte for byte.
 */
#ifndef QS_TIMEFMT_H
#define QS_TIMEFMT_H

#include <stdint.h>
#include <stdio.h>

enum timefmt {
	TIMEFMT_TCSH, TIMEFMT_GNU, TIMEFMT_GNU_VERBOSE, TIMEFMT_POSIX,
	TIMEFMT_BASH, TIMEFMT_KSH, TIMEFMT_ZSH, TIMEFMT_BUSYBOX, TIMEFMT_JSON,
	TIMEFMT_TSV
};

/* One finished run, in the units of the names; fields as in getrusage(2). */
struct timefmt_run {
	uint64_t elapsed_ns;
	uint64_t user_us, sys_us;
	uint64_t majflt, minflt, nswap;
	uint64_t inblock, oublock;	/* 512-byte units */
	uint64_t maxrss_kib;
	uint64_t nvcsw, nivcsw;
	int wait_status;		/* as wait(2) gives it */
	const char *command;		/* the command line as typed */
	char *const *argv;		/* the same as words, NULL at the end */
};

/*
 * The format called name ("tcsh", "gnu", "gnu-v", "posix", "bash", "ksh",
 * "zsh", "busybox", "json", "tsv") into *f.  Returns 0, or -1 for an unknown
 * name.
 */
int timefmt_by_name(const char *name, enum timefmt *f);

/* All names, separated by ", ", for messages; a static string. */
const char *timefmt_names(void);

/*
 * Print the run.  TSV and JSON print these figures alone (a whole row is
 * row_write's).  Returns 0, or -1 with errno when out failed.
 */
int timefmt_print(FILE *out, enum timefmt f, const struct timefmt_run *run);

/*
 * The two formats that are for programs (timefmt_print calls them): one JSON
 * object on a line; a header line and a line of TSV.  The names are those of
 * runs.tsv; an unknown percentage is null or "-".
 */
void timefmt_json(FILE *out, const struct timefmt_run *run);
void timefmt_tsv(FILE *out, const struct timefmt_run *run);

/* Text as a JSON string, with its quotes. */
void timefmt_json_text(FILE *out, const char *text);

#endif
