/*
 * job: what one process of qsbench does: map, fill, sort, verify, sleep, free.
 */
#ifndef QS_JOB_H
#define QS_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "memory.h"
#include "sort.h"
#include "verify.h"

struct job {			/* the same for every process */
	size_t n;		/* elements */
	uint32_t seed;
	int unique;		/* process i uses seed + i */
	const struct sort_algorithm *algorithm;
	enum memory_kind kind;
	enum memory_thp thp;
	const char *dir;	/* of the file of MEMORY_FILE */
	uint64_t sleep_ns;	/* between verify and free */
};

struct job_result {		/* zeroed before */
	int verified;		/* nonzero: the figures below are valid */
	uint64_t fill_ns, sort_ns, verify_ns;
	uint64_t checksum;
	char fault[512];	/* what went wrong, one line; "" if nothing */
};

/* The seed of process `index`, counted from 0. */
uint32_t job_seed(const struct job *j, uint64_t index);

/*
 * A workers_body: result is a struct job_result, arg a const struct job.
 * Returns the exit status of the process.  Prints nothing: a fault goes into
 * the result, so that the parent can name the process.
 */
int job_run(uint64_t index, void *result, void *arg);

/*
 * Whether a sorted array is what was filled in: the part of the job that
 * compares.  filled are the sums of the fill.  Returns EXIT_GOOD with the
 * checksum in *r, or EXIT_CORRUPT with the fault.
 */
int job_verify(const int32_t *a, size_t n, uint32_t seed,
    const struct verify_sums *filled, struct job_result *r);

#endif
