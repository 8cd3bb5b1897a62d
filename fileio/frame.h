/*
 * frame: what the modes of fileio share: the plan, counting, time and signals.
 * Private to fileio.
 */
#ifndef QS_FRAME_H
#define QS_FRAME_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "content.h"
#include "histogram.h"

#define FRAME_KINDS 8

enum access { ACCESS_BUFFERED, ACCESS_DIRECT, ACCESS_MMAP };

struct plan {
	const char *dir, *file;
	uint64_t bytes;			/* whole blocks */
	size_t block;
	uint64_t passes, limit_ns, procs, seed;
	uint64_t sync_every;		/* blocks; UINT64_MAX: once a pass;
					   0: never */
	int sync_data;			/* fdatasync, not fsync */
	struct content content;
	enum access access;
	int check, random, keep, ram, truncate, drop;
};

/* What was done so far; read by a signal handler, too. */
struct frame {
	const struct plan *plan;
	volatile uint64_t passes;	/* whole ones */
	volatile uint64_t done, units;	/* of the unfinished one */
	uint64_t bytes, start_ns, end_ns;
	uint64_t syncs;
	int signo;			/* that ended a mix; 0 none */
	struct histogram ops;
	struct {			/* of a mix */
		const char *name;
		uint64_t count, max_ns;
	} kinds[FRAME_KINDS];
};

/* Catch the signals that end us, set the alarm of -t. */
void frame_start(struct frame *f, const struct plan *p);

/* The signal that asked us to end, SIGALRM when the time is up, else 0. */
int frame_stopped(void);

/* Whether another pass is to be made; it will have so many units. */
int frame_next(struct frame *f, uint64_t units);

/* One operation of so many bytes that began at *since, which is set anew. */
void frame_count(struct frame *f, uint64_t bytes, uint64_t *since);

/* Passes in thousandths. */
uint64_t frame_loads(const struct frame *f);

/*
 * Each mode runs until it is done or asked to end; returns the exit status.
 * What fails is told on stderr.
 */
typedef int mode_run(struct frame *f);
mode_run rewrite_run, read_run, list_run, checksum_run, tree_run, mix_run;

#endif
