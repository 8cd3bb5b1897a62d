/*
 * verdict: how a run ended, in one word, and whether its figures can be
 * believed.
 *
 * The bounds below are the only ones; results/README.md has the same table.
 */
#ifndef QS_RECORD_VERDICT_H
#define QS_RECORD_VERDICT_H

#include <stddef.h>
#include <stdint.h>

/* ---- outcome ---- */

#define VERDICT_STATUSES 256

struct verdict_end {
	int status;		/* of the command, as wait(2) gives it */
	int timed_out;		/* nonzero: the time limit passed */
	int asked;		/* a signal asked us to end it, or 0 */
	int kill_seen;		/* a process of it died by a SIGKILL not ours */
	uint64_t oom_group;	/* OOM kills in its group; PROC_ABSENT */
	uint64_t oom_host;	/* OOM kills on the host; PROC_ABSENT */
	const unsigned char *good;	/* VERDICT_STATUSES flags: statuses that
					 * count as success */
};

/* "ok", "exit:N", "signal:N", "oom", "enomem", "timeout" or "corrupt" into
 * buf; returns buf. */
char *verdict_outcome(char *buf, size_t size, const struct verdict_end *e);

/* ---- pressure ---- */

/*
 * pressed: any of
 *	memory stall (PSI some)		> STALL_PCT of the elapsed time
 *	pages swapped in and out	> MOVED_PCT of the footprint
 *	pages refaulted			> MOVED_PCT of the footprint
 *	pages scanned by reclaim	> SCANNED_PCT of the footprint
 * where fewer than MOVED_MIN_KIB never count.  The footprint is the peak of the
 * group, or of the command's largest process where no group is known.
 *
 * disturbed, which wins: any of
 *	steal				> STEAL_PCT of the CPUs' time
 *	foreign CPU time		> FOREIGN_PCT of the CPUs' time
 *	samples missed			> MISSED_PCT
 *	the machine was suspended	> SUSPENDED_MS
 *	the wall clock jumped		> JUMP_MS, and JUMP_PCT of the elapsed
 *					time (it is slewed by less)
 * where less than CPU_MIN_S of CPU time, and less than MISSED_MIN samples,
 * never count: the kernel counts CPU time in ticks of 10 ms.
 *
 * slack: neither, and at least one of the four could be known.
 */
#define VERDICT_STALL_PCT	1
#define VERDICT_MOVED_PCT	1
#define VERDICT_SCANNED_PCT	10
#define VERDICT_MOVED_MIN_KIB	1024
#define VERDICT_STEAL_PCT	2
#define VERDICT_FOREIGN_PCT	10
#define VERDICT_CPU_MIN_S	0.1
#define VERDICT_MISSED_PCT	1
#define VERDICT_MISSED_MIN	2
#define VERDICT_SUSPENDED_MS	100
#define VERDICT_JUMP_MS		1000
#define VERDICT_JUMP_PCT	0.1

/* What is known of a run; PROC_ABSENT or NAN: nothing. */
struct verdict_run {
	uint64_t elapsed_ns;
	uint64_t footprint_kib;
	uint64_t page_kib;
	uint64_t swapped_pages, refault_pages, scanned_pages;
	uint64_t stall_us;
	double steal_pct, steal_s;
	double foreign_pct, foreign_s;
	int beside_load;	/* nonzero: a load ran on purpose, its CPU time
				 * is foreign but no disturbance */
	double missed_pct;
	uint64_t missed;
	uint64_t suspended_ns, clock_jump_ns;
};

/*
 * "disturbed", "pressed", "slack", or NULL when nothing is known.  why gets the
 * reason for people, such as "steal 5.1% (bound 2%)", or an empty string.
 */
const char *verdict_pressure(const struct verdict_run *r, char *why,
    size_t size);

#endif
