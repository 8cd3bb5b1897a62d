/*
 * report: what memhog says about its processes.
 */
#ifndef QS_MEMHOG_REPORT_H
#define QS_MEMHOG_REPORT_H

#include "plan.h"
#include "workers.h"

/* Completed rounds and the part of the unfinished one: the processes' mean. */
double memhog_loads(const struct workers *w);

/* On stderr, with -v: what is going to be done. */
void memhog_plan(const struct plan *p);

/* On stderr: what a process wants a person to know. */
void memhog_notes(const struct workers *w);

/* "loads N" on stdout. */
void memhog_print_loads(const struct workers *w);

/* The sizes on stdout: a line for people, or a header and a row. */
void memhog_print_sizes(const struct workers *w, const struct plan *p);
void memhog_print_row(const struct workers *w, const struct plan *p);

/* On stderr: why not all ended well, of a failed process `index`. */
void memhog_print_fault(const struct workers *w, uint64_t index);

#endif
