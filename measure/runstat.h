/*
 * runstat: what its subcommands share: options, output, exit statuses.
 */
#ifndef QS_RUNSTAT_H
#define QS_RUNSTAT_H

#include <stddef.h>
#include <stdio.h>

#include "runstat_rows.h"

enum runstat_exit {
	RUNSTAT_GOOD = 0,	/* no worse; enough runs */
	RUNSTAT_WORSE = 1,	/* worse; for other subcommands: failed */
	RUNSTAT_USAGE = 2,
	RUNSTAT_INCONCLUSIVE = 3,	/* more runs are needed */
	RUNSTAT_NOT_COMPARABLE = 4	/* also: a cell without a good run */
};

enum runstat_format {
	RUNSTAT_TEXT, RUNSTAT_MARKDOWN, RUNSTAT_CSV, RUNSTAT_TSV, RUNSTAT_JSON,
	RUNSTAT_KTAP
};

struct runstat_options {
	enum runstat_format format;
	const char *base;		/* -b; NULL: none */
	const char *column[ROWS_VALUES];	/* -c */
	size_t columns;
	const char *filter[ROWS_FILTERS];	/* -e */
	size_t filters;
	double margin;			/* -m, as a share; NAN: the default */
	const char *decide[2];		/* -A: covariates that decide */
	size_t decides;
	int check;			/* --check */
	int verbose;			/* -v */
	int pool;			/* nonzero: all files are one */
};

/* The subcommands: file names in, exit status out. */
int runstat_summary(const struct runstat_options *o, int n, char **files);
int runstat_compare(const struct runstat_options *o, int n, char **files);
int runstat_more(const struct runstat_options *o, int n, char **files);
int runstat_import(const struct runstat_options *o, int n, char **files);
int runstat_knee(const struct runstat_options *o, int n, char **files);

/*
 * Read all files into r, columns as asked (elapsed_s by default), with `extra`
 * columns behind them that need not be there; sorted.  -1 after a message.
 */
int runstat_load(struct rows *r, const struct runstat_options *o, int n,
    char **files, const char *const *extra, size_t extras);

/* Nonzero for a column where more is better. */
int runstat_higher_is_better(const char *column);

/* One field of a record. */
struct out_field {
	const char *name;
	const char *text;	/* NULL: the number */
	double number;		/* NAN: missing */
	int brief;		/* nonzero: also in Markdown */
};

struct out {
	enum runstat_format format;
	size_t records;
};

/* Records in CSV, TSV, JSON and Markdown; the raw numbers but in the last. */
void out_begin(struct out *o, enum runstat_format f);
void out_record(struct out *o, const struct out_field *f, size_t n);
void out_end(struct out *o);

/* KTAP: the head with its plan, and one result. */
void out_ktap_plan(size_t n);
void out_ktap(struct out *o, int good, const char *skip, const char *what);

/* Numbers for people: "187.197", "-"; and shares as percent: "-25.4%". */
#define OUT_NUMBER 32
const char *out_number(char *buf, double x);
const char *out_percent(char *buf, double share);	/* with its sign */
const char *out_p(char *buf, double p);

/* Print words folded to 80 columns, every line after `indent` blanks. */
void out_fold(const char *text, int indent);

/* "qsbench -n 9, mem_load": a cell's name but for its label; returns buf. */
char *out_cell_name(char *buf, size_t size, const struct rows *r,
    const struct rows_cell *c);

#endif
