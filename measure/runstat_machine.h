/*
 * runstat_machine: what machine.txt beside a runs.tsv says, as far as it bears
 * on whether two results may be compared.
 */
#ifndef QS_RUNSTAT_MACHINE_H
#define QS_RUNSTAT_MACHINE_H

#include <stddef.h>

/*
 * Compare the machine.txt of two result folders, or of the folders two files
 * are in.  unlike: what differs of the hardware and the limits, for people
 * ("cpu, MemTotal"), "" when nothing does or a side has no machine.txt.
 * Returns nonzero when the workload versions differ, described in workload.
 */
int machine_unlike(const char *a, const char *b, char *unlike, size_t size,
    char *workload, size_t workload_size);

/* MemTotal in KiB as the machine.txt beside a result says it, or NAN. */
double machine_mem_kib(const char *path);

#endif
