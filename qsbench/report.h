/*
 * report: what qsbench says about its processes.
 */
#ifndef QS_REPORT_H
#define QS_REPORT_H

#include <stdint.h>

#include "job.h"
#include "workers.h"

/* "seed = S" on stdout. */
void report_seed(const struct job *j);

/* On stderr: how many processes with how much memory each. */
void report_plan(const struct job *j, uint64_t procs);

/* A table on stdout: one row for each process whose array was right. */
void report_rows(const struct workers *w, const struct job *j);

/* On stderr: the one line that says why not all processes ended well. */
void report_fault(const struct workers *w);

#endif
