/*
 * row: one line of runs.tsv: the columns, their order, writing and appending.
 *
 * The format is fixed by ROW_COLUMNS below; results/README.md documents every
 * column.  New columns are appended at the end of the list.  A value never set
 * is written as "-".
 */
#ifndef QS_ROW_H
#define QS_ROW_H

#include <stdint.h>
#include <stdio.h>

#define ROW_COLUMNS(X) \
	X(STARTED, "started") \
	X(LABEL, "label") \
	X(LOAD, "load") \
	X(JOB, "job") \
	X(RUN, "run") \
	X(OUTCOME, "outcome") \
	X(PRESSURE, "pressure") \
	X(ELAPSED, "elapsed_s") \
	X(USER, "user_s") \
	X(SYS, "sys_s") \
	X(CPU, "cpu_pct") \
	X(MAJFLT, "majflt") \
	X(MINFLT, "minflt") \
	X(NSWAP, "nswap") \
	X(INBLOCK, "inblock") \
	X(OUBLOCK, "oublock") \
	X(MAXRSS, "maxrss_kib") \
	X(NVCSW, "nvcsw") \
	X(NIVCSW, "nivcsw") \
	X(PSWPIN, "pswpin_pages") \
	X(PSWPOUT, "pswpout_pages") \
	X(SWAP_MAX, "swap_max_kib") \
	X(MEM_PEAK, "mem_peak_kib") \
	X(PSI_MEM_SOME, "psi_mem_some_us") \
	X(PSI_MEM_FULL, "psi_mem_full_us") \
	X(PSI_IO_FULL, "psi_io_full_us") \
	X(REFAULT_ANON, "refault_anon") \
	X(REFAULT_FILE, "refault_file") \
	X(SCAN_DIRECT, "scan_direct_pages") \
	X(SCAN_KSWAPD, "scan_kswapd_pages") \
	X(KSWAPD, "kswapd_s") \
	X(STEAL, "steal_pct") \
	X(FOREIGN, "foreign_cpu_pct") \
	X(LATE_MAX, "late_max_ms") \
	X(LOADS, "loads") \
	X(LOAD_CPU, "load_cpu_pct") \
	X(CALIB, "calib_ms") \
	X(CPUS, "cpus") \
	X(COMMAND, "command") \
	X(SAMPLES, "samples")

enum row_column {
#define ROW_ENUM(id, name) ROW_##id,
	ROW_COLUMNS(ROW_ENUM)
#undef ROW_ENUM
	ROW_COUNT
};

struct row {
	char *cell[ROW_COUNT];	/* NULL: unknown, written as "-" */
};

/* The header name of a column; a static string. */
const char *row_name(enum row_column c);

void row_init(struct row *r);
void row_free(struct row *r);

/*
 * Set a cell; the value is copied.  In text, tab, newline, carriage return and
 * backslash become \t \n \r \\, an empty string becomes "-".  Seconds are
 * written with six decimals.  UINT64_MAX (PROC_ABSENT) and a value that is not
 * finite are unknown: "-".  The decimal point is "." in every locale.  All
 * return 0, or -1 with errno ENOMEM and the cell as it was.
 */
int row_text(struct row *r, enum row_column c, const char *text);
int row_count(struct row *r, enum row_column c, uint64_t value);
int row_fixed(struct row *r, enum row_column c, double value, int decimals);
int row_seconds_ns(struct row *r, enum row_column c, uint64_t ns);
int row_seconds_us(struct row *r, enum row_column c, uint64_t us);

/*
 * Write the header line, or one row, with its newline, and flush it, so that a
 * full disk is seen here.  0, or -1 and errno.
 */
int row_write_header(FILE *out);
int row_write(const struct row *r, FILE *out);

/*
 * Append the row to the file at path by a single write(2) of O_APPEND, then
 * fsync.  A missing or empty file is given its header line first (two writers
 * at once give one header: flock).  A torn last line of a crashed writer is
 * ended by a newline first; a file that holds nothing but a torn header is
 * begun anew.  A write that does not fit is taken back.  Returns 0, or -1 with
 * errno: EINVAL when the file begins with another header than this one.
 */
int row_append(const struct row *r, const char *path);

#endif
