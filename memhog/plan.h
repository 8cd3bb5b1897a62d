/*
 * plan: what memhog was asked to do; the same for all of its processes.
 */
#ifndef QS_PLAN_H
#define QS_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "content.h"
#include "memory.h"
#include "pattern.h"
#include "policy.h"

enum plan_kind {
	PLAN_ANON, PLAN_SHARED, PLAN_MEMFD, PLAN_HUGE, PLAN_FILE
};

#define PLAN_ALL 100000u	/* of thousandths of a percent */
#define PLAN_CONTEST_BLOCK 1048576

struct plan {
	uint64_t bytes;		/* of all processes, whole pages */
	uint64_t procs;
	uint64_t seed;
	int unique;		/* the order of touches differs too */

	enum plan_kind kind;
	const char *file;
	int fd;			/* of PLAN_FILE */
	enum memory_thp thp;
	int populate, lock;
	int advice;		/* after each round: MADV_COLD, _PAGEOUT, 0 */
	const char *advice_name;
	struct policy policy;

	struct content content;	/* with the seed of process 0 */
	const char *content_text;
	int whole;		/* writes make whole pages anew */
	int check;

	uint64_t grow_rate, grow_step;	/* bytes a second, bytes; 0 none */
	int leave;		/* nonzero: heed leave_bytes */
	uint64_t leave_bytes;	/* to be left available */
	int sawtooth;		/* free all after a round and begin again */

	struct pattern_spec pattern;
	uint64_t rounds;	/* 0: no limit */
	uint64_t limit_ns;	/* 0: none */
	uint64_t rate;		/* of touching, bytes a second; 0 no limit */
	uint64_t core_bytes;	/* the working set; 0 all */
	unsigned write_milli;	/* share of touches that write */
	int verbose;
};

/* What shares are made of: a page, a huge page, or a block of contest. */
uint64_t plan_unit_bytes(const struct plan *p);

/* The share of one process and where it begins in a file. */
uint64_t plan_share_bytes(const struct plan *p, uint64_t index);
uint64_t plan_share_offset(const struct plan *p, uint64_t index);

#endif
