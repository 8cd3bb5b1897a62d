/*
 * clock: monotonic time in nanoseconds.
 */
#ifndef QS_CLOCK_H
#define QS_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#define CLOCK_NS_PER_S UINT64_C(1000000000)

/* CLOCK_MONOTONIC in ns since an arbitrary point; never goes back. */
uint64_t clock_now_ns(void);

/* CLOCK_REALTIME in ns since 1970-01-01 UTC, for time stamps only. */
uint64_t clock_wall_ns(void);

/*
 * Sleep until clock_now_ns() reaches deadline_ns.  A signal ends the sleep
 * early: returns -1 with errno EINTR then, 0 when the time was reached.
 */
int clock_sleep_until(uint64_t deadline_ns);

/*
 * A wall time as UTC "2026-11-30T23:20:48Z" (20 bytes and a NUL); returns buf.
 */
char *clock_print_utc(char *buf, size_t size, uint64_t wall_ns);

#endif
