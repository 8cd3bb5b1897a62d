/*
 * calib: how fast the CPUs are just now.
 *
 * On shared machines the same work takes longer from one minute to the next,
 * by CPU, by clock frequency and by neighbours.  A fixed piece of work, timed
 * beside a run, tells.
 */
#ifndef QS_RECORD_CALIB_H
#define QS_RECORD_CALIB_H

#include <sched.h>
#include <stdint.h>

/* Timings summed up: their number and the sum in ns of CPU time. */
struct calib {
	unsigned count;
	uint64_t sum_ns;
};

/*
 * Do the work, a branchy sort of 16 KiB that takes 10 to 20 ms, once on each of
 * the first four CPUs of the set, and add the CPU time it took to *c.  A CPU
 * that we may not use is left out.  The affinity of this thread is restored.
 */
void calib_measure(struct calib *c, const cpu_set_t *cpus);

/* Their mean in ms; NAN when there is none. */
double calib_mean_ms(const struct calib *c);

#endif
