/*
 * import: figures of runs out of mails, logs and tables as people post them.
 *
 * A reader goes through a text line by line; each kind of figure has its own
 * recogniser, which says whether the line was its own.  What looks like figures
 * and belongs to nobody is reported with file:line.
 */
#ifndef QS_IMPORT_H
#define QS_IMPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define IMPORT_TOKENS 64
#define IMPORT_NAME 256
#define IMPORT_COMMAND 1024
#define IMPORT_COLUMNS 32

struct import_token {
	const char *s;
	size_t n;
};

/* One line: quoting marks, CR and NUL gone, split at blanks and bars. */
struct import_line {
	const char *text;	/* NUL-terminated, without leading blanks */
	size_t length;
	uint64_t number;
	struct import_token token[IMPORT_TOKENS];
	size_t tokens;		/* of the first IMPORT_TOKENS */
	size_t numbers;		/* how many of them are plain numbers */
};

enum import_format {		/* of the run that is being put together */
	IMPORT_NONE, IMPORT_TCSH, IMPORT_GNU, IMPORT_VERBOSE, IMPORT_SHELL,
	IMPORT_ZSH, IMPORT_CONTEST, IMPORT_OTHER
};

struct import_run {		/* NAN: not printed */
	enum import_format format;
	int stage;		/* tcsh: the part expected next */
	uint64_t line;		/* where it began */
	double elapsed_s, user_s, sys_s, cpu_pct;
	double majflt, minflt, nswap, inblock, oublock, maxrss_kib;
	double nvcsw, nivcsw, swap_max_kib, kswapd_s, steal_pct;
	double loads, load_cpu_pct, runs, ratio;
	int decimals;		/* of the elapsed time, as printed */
	int cpu_decimals;
};

struct import_ratio {		/* a line of a contest table, for --check */
	double time, ratio;
	int decimals, ratio_decimals;
	uint64_t line;
	char load[32], label[64];
};

struct import {
	FILE *out;		/* rows; NULL with --check */
	FILE *told;		/* faults: stderr, or stdout with --check */
	const char *file;
	int check, verbose;
	char label[IMPORT_NAME], section[8], load[64], job[64];
	char command[IMPORT_COMMAND];
	char outcome[64];	/* of the next run; "" is ok */
	struct import_run run;
	unsigned count;		/* runs under this label, load and command */
	double sum;		/* of their elapsed times, for --check */
	unsigned summed;
	double mem_kib;		/* MemTotal where the text tells it, or NAN */
	char contest[IMPORT_COLUMNS];	/* column kinds; "" no table */
	char held[IMPORT_COMMAND];	/* a contest line that goes on below */
	uint64_t held_line;
	char vmstat[IMPORT_COLUMNS][8];
	size_t vmstat_columns;
	uint64_t vmstat_samples, vmstat_first, vmstat_last;
	double swpd_max, busy_sum, steal_sum;
	struct import_ratio *ratio;
	size_t ratios, ratio_room;
	uint64_t rows, unread, faults;
	int failed;		/* nonzero: no memory, or out broke */
};

/* Read one text of `size` bytes; rows go out as they are found. */
void import_text(struct import *in, const char *text, size_t size);

/* Start a new file: nothing of the former holds on. */
void import_begin(struct import *in, const char *file);
void import_end(struct import *in);
void import_header(FILE *out);

/* Report on what could not be read, or does not follow. */
void import_fault(struct import *in, uint64_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Tokens and numbers: 0 on success, -1 when it is none. */
void import_split(struct import_line *l);
int import_number(const char *s, size_t n, double *out);	/* 1,5 is 1.5 */
int import_clock(const char *s, size_t n, double *seconds);	/* 1:02:03.4 */
int import_decimals(const char *s, size_t n);
int import_is(const struct import_token *t, const char *word);
int import_ends(const struct import_token *t, const char *suffix);

/* Put the finished run out as a row, if there is one. */
void import_flush(struct import *in);
void import_clear(struct import_run *r);

/* The same, as a row of another job ("": none) and no command. */
void import_flush_as(struct import *in, const char *job);

/* The recognisers: nonzero when the line was theirs. */
int import_time(struct import *in, const struct import_line *l);
int import_contest(struct import *in, const struct import_line *l);
int import_vmstat(struct import *in, const struct import_line *l);
int import_outcome(struct import *in, const struct import_line *l);
int import_heading(struct import *in, const struct import_line *l);
int import_command(struct import *in, const struct import_line *l);

/* What is left open when something else begins. */
void import_contest_end(struct import *in);
void import_vmstat_end(struct import *in);

/* --check: a finished run; a percentage or a mean in a line; the ratios. */
void import_check_run(struct import *in, const struct import_run *r);
int import_check_line(struct import *in, const struct import_line *l);
void import_check_ratios(struct import *in);

void import_set_command(struct import *in, const char *s, size_t n);
void import_set_label(struct import *in, const char *s, size_t n);

#endif
