/*
 * counters: the kernel's counters before and after a run, and what the run
 * added to them.
 *
 * Each is taken from the command's memory group where one is given and counts
 * it, else from the whole machine.  What cannot be known is PROC_ABSENT.
 */
#ifndef QS_RECORD_COUNTERS_H
#define QS_RECORD_COUNTERS_H

#include <stdint.h>

#include "proc.h"

/* Where the counters are. */
struct counters {
	const char *root;	/* as in proc.h */
	struct proc_cgroup group;	/* PROC_CGROUP_NONE: none given */
	int peak;		/* the group's peak file, open, or -1 */
	int peak_reset;		/* nonzero: its peak began with this run */
	uint64_t cpus;		/* on line */
	uint64_t ticks_per_s;
	/* Why there is no PSI, or NULL; a static text. */
	const char *no_psi;
};

/* One reading. */
struct counters_reading {
	struct proc_vmstat vmstat;
	struct proc_psi mem, io;	/* of the machine */
	struct proc_psi group_mem;
	struct proc_cgroup_memory group;
	struct proc_cpu cpu;
	uint64_t kernel_ticks;	/* CPU time of all kernel threads */
	uint64_t kswapd_ticks;	/* of kswapd alone */
	uint64_t monotonic_ns, boot_ns, wall_ns;
};

/* What a run added. */
struct counters_delta {
	uint64_t pswpin_pages, pswpout_pages;
	uint64_t psi_mem_some_us, psi_mem_full_us, psi_io_full_us;
	uint64_t refault_anon, refault_file;
	uint64_t scan_direct_pages, scan_kswapd_pages;
	uint64_t kswapd_ticks, steal_ticks, foreign_ticks;
	uint64_t oom_group, oom_host;
	uint64_t suspended_ns;	/* the machine slept */
	uint64_t clock_jump_ns;	/* wall clock against monotonic, beyond that */
	uint64_t group_peak_kib;
};

/*
 * Find the counters; group is the folder of a memory group, either version, or
 * NULL.  Where the group's peak can be reset, it is.  Returns 0, or -1 with
 * errno: ENOTSUP when the folder is no memory group.
 */
int counters_open(struct counters *c, const char *root, const char *group);
void counters_close(struct counters *c);

void counters_read(const struct counters *c, struct counters_reading *r);

/*
 * The difference.  own_us is the CPU time that the command and all that it
 * started used between the two readings: foreign_ticks is the rest, without
 * what kernel threads used, which work for the command too.
 */
void counters_subtract(const struct counters *c,
    const struct counters_reading *a, const struct counters_reading *b,
    uint64_t own_us, struct counters_delta *d);

/*
 * Percent of the time of all CPUs between two readings elapsed_ns apart; NAN
 * when it is not known.  Coarse ticks can exceed a short time: never above 100.
 */
double counters_percent(const struct counters *c, uint64_t ticks,
    uint64_t elapsed_ns);

#endif
