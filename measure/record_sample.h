/*
 * sample: one reading of the machine's memory, and the files it comes from.
 *
 * sample_read and what it calls is for the sampler's loop: no allocation.
 */
#ifndef QS_RECORD_SAMPLE_H
#define QS_RECORD_SAMPLE_H

#include <stdint.h>
#include <stdio.h>

#include "proc.h"

/* The columns; counters are since the first sample (sample_since). */
#define SAMPLE_COLUMNS(X) \
	X(TIME, "time_us") \
	X(LATE, "late_us") \
	X(FREE, "mem_free_kib") \
	X(AVAILABLE, "mem_available_kib") \
	X(SWAP, "swap_used_kib") \
	X(DIRTY, "dirty_kib") \
	X(WRITEBACK, "writeback_kib") \
	X(PSWPIN, "pswpin_pages") \
	X(PSWPOUT, "pswpout_pages") \
	X(MEM_SOME, "psi_mem_some_us") \
	X(MEM_FULL, "psi_mem_full_us") \
	X(IO_FULL, "psi_io_full_us") \
	X(GROUP, "group_kib") \
	X(GROUP_SWAP, "group_swap_kib")

enum sample_column {
#define SAMPLE_ENUM(id, name) SAMPLE_##id,
	SAMPLE_COLUMNS(SAMPLE_ENUM)
#undef SAMPLE_ENUM
	SAMPLE_COUNT
};

struct sample {
	uint64_t cell[SAMPLE_COUNT];	/* PROC_ABSENT: unknown */
};

/* The files, open; -1 where there is none. */
struct sample_files {
	int meminfo, vmstat, psi_mem, psi_io, group, group_swap;
	/* What group_swap holds: swap; memory and swap; or memory.stat. */
	enum { SAMPLE_OF_SWAP, SAMPLE_OF_BOTH, SAMPLE_OF_STAT } swap_kind;
};

/*
 * Open them under root (see proc.h); group may be of PROC_CGROUP_NONE.  With a
 * version 2 group the memory stall is the group's.
 */
void sample_open(struct sample_files *f, const char *root,
    const struct proc_cgroup *group);
void sample_close(const struct sample_files *f);

/*
 * Read all but time and lateness, using text, size bytes, for the files'
 * contents.  Returns the machine's MemTotal in KiB.
 */
uint64_t sample_read(const struct sample_files *f, struct sample *row,
    char *text, size_t size);

/* Let the row's counters count from the first row on. */
void sample_since(const struct sample *first, struct sample *row);

/* Print the header line, or a row. */
void sample_print_header(FILE *out);
void sample_print(FILE *out, const struct sample *row);

#endif
