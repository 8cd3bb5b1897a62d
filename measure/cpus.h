/*
 * cpus: sets of CPUs as text, "0-3,8".
 */
#ifndef QS_CPUS_H
#define QS_CPUS_H

#include <sched.h>
#include <stddef.h>

/* One above the last CPU that a set holds; musl's CPU_SETSIZE is 128. */
#define CPUS_END ((int)sizeof(cpu_set_t) * 8)

/*
 * Read a list of numbers and ranges.  Returns NULL, or a static text that says
 * what is wrong with it.
 */
const char *cpus_parse(const char *text, cpu_set_t *set);

/*
 * The set as such a list, ranges where they can be; returns buf, with an empty
 * string when it does not fit.
 */
char *cpus_print(char *buf, size_t size, const cpu_set_t *set);

#endif
