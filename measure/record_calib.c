/*
 * calib: how fast the CPUs are just now.
 *
 * CPU time and not elapsed time: what other processes take from us is foreign
 * CPU time, and stands in its own column.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "clock.h"
#include "cpus.h"
#include "record_calib.h"
#include "rng.h"

#define WORDS		4096	/* fit the first-level cache of any CPU */
#define ROUNDS		60
#define CPUS_MAX	4
#define SEED		20011031

static uint64_t work(void);
static void sort(uint32_t *, size_t);
static void sift(uint32_t *, size_t, size_t);
static uint64_t cpu_time(void);

void
calib_measure(struct calib *c, const cpu_set_t *cpus)
{
	cpu_set_t before, one;
	unsigned done = 0;
	int cpu;

	if (sched_getaffinity(0, sizeof(before), &before) == -1)
		return;
	for (cpu = 0; cpu < CPUS_END && done < CPUS_MAX; cpu++) {
		if (!CPU_ISSET((size_t)cpu, cpus))
			continue;
		CPU_ZERO(&one);
		CPU_SET((size_t)cpu, &one);
		if (sched_setaffinity(0, sizeof(one), &one) == -1)
			continue;
		c->sum_ns += work();
		c->count++;
		done++;
	}
	sched_setaffinity(0, sizeof(before), &before);
}

double
calib_mean_ms(const struct calib *c)
{
	return c->count == 0 ? NAN :
	    (double)c->sum_ns / (double)c->count / 1e6;
}

/* The CPU time of the fixed work, in ns. */
static uint64_t
work(void)
{
	static uint32_t words[WORDS];
	struct rng_mix rng = { SEED };
	volatile uint32_t sorted;
	uint64_t start = 0;
	size_t i, round;

	/* The first round warms the cache and is not counted. */
	for (round = 0; round <= ROUNDS; round++) {
		if (round == 1)
			start = cpu_time();
		for (i = 0; i < WORDS; i++)
			words[i] = (uint32_t)rng_mix_next(&rng);
		sort(words, WORDS);
		sorted = words[0];	/* so that none of it is left out */
	}
	(void)sorted;
	return cpu_time() - start;
}

/* Heapsort: where each branch goes depends on the data, the sum hardly does. */
static void
sort(uint32_t *a, size_t n)
{
	uint32_t last;
	size_t i;

	for (i = n / 2; i-- > 0;)
		sift(a, i, n);
	for (i = n - 1; i > 0; i--) {
		last = a[i];
		a[i] = a[0];
		a[0] = last;
		sift(a, 0, i);
	}
}

static void
sift(uint32_t *a, size_t i, size_t n)
{
	uint32_t moved = a[i];
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && a[child + 1] > a[child])
			child++;
		if (a[child] <= moved)
			break;
		a[i] = a[child];
		i = child;
	}
	a[i] = moved;
}

static uint64_t
cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * CLOCK_NS_PER_S + (uint64_t)t.tv_nsec;
}
