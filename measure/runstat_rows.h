/*
 * runstat_rows: read runs.tsv, sort its rows into cells.
 *
 * A cell is what may be averaged: the same label, load, job and command line,
 * and, where a file has such columns, the same report (id), machine (cpu,
 * mem_kb, swap_kb, host) and workload.  Files are read once, in a buffer, and
 * of every row only what is asked for is kept, about 40 bytes.
 */
#ifndef QS_RUNSTAT_ROWS_H
#define QS_RUNSTAT_ROWS_H

#include <stddef.h>
#include <stdint.h>

#define ROWS_KEYS 10
#define ROWS_VALUES 8
#define ROWS_FILTERS 8
#define ROWS_FILES 64

enum rows_key {			/* the parts of a cell's name */
	ROWS_LABEL, ROWS_LOAD, ROWS_JOB, ROWS_COMMAND, ROWS_ID, ROWS_CPU,
	ROWS_MEM, ROWS_SWAP, ROWS_WORKLOAD, ROWS_HOST
};

struct rows_texts {		/* each distinct text once */
	char **text;
	uint32_t *slot;
	size_t n, slots;	/* slots: a power of two */
};

struct rows_cell {
	uint32_t key[ROWS_KEYS];	/* texts */
	int file;
	size_t n;			/* rows */
	size_t first;			/* of them in rows.order */
};

struct rows_spec {
	const char *value[ROWS_VALUES];	/* columns to keep as numbers */
	size_t values, required;	/* the first of them must be there */
	const char *filter[ROWS_FILTERS];	/* "column=value" */
	size_t filters;
	int pool;		/* nonzero: all files are one */
};

struct rows {
	struct rows_spec spec;
	struct rows_texts texts;
	size_t n, room;
	uint32_t *cell, *outcome, *pressure;
	uint64_t *started;		/* digits of the stamp; 0 unknown */
	double *value[ROWS_VALUES];	/* NAN: missing */
	struct rows_cell *cells;
	uint32_t *cell_slot;
	size_t cell_count, cell_slots;
	uint32_t *order;		/* row numbers by cell, as they came */
	uint64_t hash[ROWS_FILES];	/* of all bytes of a file */
	uint64_t bytes[ROWS_FILES];
	int files;
	int faults;			/* lines that were no rows, and torn */
	uint32_t ok, missing;		/* the texts "ok" and "-" */
};

/* Get ready; spec is copied, its strings are not.  0, or -1 and ENOMEM. */
int rows_init(struct rows *r, const struct rows_spec *spec);
void rows_free(struct rows *r);

/*
 * Add the rows of the file at path ("-": standard input; a folder: its
 * runs.tsv), of at most ROWS_FILES.  Lines that are no rows are reported on
 * stderr with file:line and counted in faults; a last line without its newline
 * was torn and is left out.
 * Returns 0, or -1 after a message (cannot be read, no header, column absent).
 */
int rows_read(struct rows *r, const char *path);

/* After the last file: fill in order[] and each cell's part of it. */
int rows_sort(struct rows *r);

/* The text of a cell's key; "-" where the file had no such column. */
const char *rows_text(const struct rows *r, const struct rows_cell *c,
    enum rows_key k);

/* The cell of this name; adds it when new.  UINT32_MAX: no memory. */
uint32_t rows_cell_of(struct rows *r, const uint32_t *key, int file);

/*
 * Cells that differ in nothing but what `ignore` names form a group; of[i] is
 * the group of cell i, numbered from 0 in the order of their first cells.
 * Free g->of.  0, or -1 and ENOMEM.
 */
enum {
	ROWS_IGNORE_LABEL = 1, ROWS_IGNORE_FILE = 2
};
struct rows_group {
	size_t *of;
	size_t groups;
};
int rows_group(struct rows_group *g, const struct rows *r, int ignore);

/* The number of a text; adds it when new.  UINT32_MAX: no memory. */
uint32_t rows_intern(struct rows_texts *t, const char *s, size_t length);

/* Nonzero when the run ended well and the value is there. */
int rows_good(const struct rows *r, size_t row, size_t value);

/* Nonzero when the row is no run at all: outcome "skipped:...". */
int rows_skipped(const struct rows *r, size_t row);

/*
 * The good values of a cell in their order into out (room for c->n), and, if
 * where is not NULL, the row each came from; returns how many.
 */
size_t rows_values(const struct rows *r, const struct rows_cell *c,
    size_t value, double *out, uint32_t *where);

/* A number in a cell of the table: NAN for "-", "NA" and empty; -1 if bad. */
int rows_number(const char *s, size_t length, double *out);

#endif
