/*
 * measure: what a row knows beside wait4(2): counters, samples, calibration.
 */
#include <sys/resource.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpus.h"
#include "proc.h"
#include "record_measure.h"
#include "record_verdict.h"

#define OOM_ADJ		"/proc/self/oom_score_adj"
#define OOM_ADJ_VICTIM	500	/* as group(1) has it */

static int32_t protect(void);
static int32_t read_oom_adj(void);
static int write_oom_adj(const char *);
static uint64_t cpu_us(int);
static void judge(const struct measure *, const struct run_result *,
    struct verdict_run *);
static uint64_t peak_kib(const struct measure *);
static uint64_t sum(uint64_t, uint64_t);
static int loaded(void);
static int fill_counters(const struct measure *, struct row *);
static int fill_samples(const struct measure *, struct row *);

int
measure_open(struct measure *m, const struct options *opt)
{
	memset(m, 0, sizeof(*m));
	m->opt = opt;
	if (counters_open(&m->counters, "", opt->group) == -1)
		return -1;
	if (m->counters.no_psi != NULL && !opt->quiet)
		warnx("%s", m->counters.no_psi);
	if (opt->pinned)
		m->cpus = opt->cpus;
	else if (sched_getaffinity(0, sizeof(m->cpus), &m->cpus) == -1)
		CPU_ZERO(&m->cpus);
	m->oom_adj = protect();
	return 0;
}

/*
 * Returns what the command is to have instead: what we had.  As much as we
 * may: root has no bound, others can take back what made them more likely to
 * be killed.
 */
static int32_t
protect(void)
{
	int32_t before = read_oom_adj();

	if (before == RUN_OOM_ADJ_KEEP || (write_oom_adj("-1000") == -1 &&
	    (before <= 0 || write_oom_adj("0") == -1)))
		return RUN_OOM_ADJ_KEEP;
	return before;
}

int32_t
measure_victim(int32_t adj)
{
	int32_t now = adj == RUN_OOM_ADJ_KEEP ? read_oom_adj() : adj;

	return now == RUN_OOM_ADJ_KEEP || now >= OOM_ADJ_VICTIM ? adj :
	    OOM_ADJ_VICTIM;
}

static int32_t
read_oom_adj(void)
{
	char text[16];

	if (proc_read("", OOM_ADJ, text, sizeof(text)) == -1)
		return RUN_OOM_ADJ_KEEP;
	return (int32_t)strtol(text, NULL, 10);
}

static int
write_oom_adj(const char *value)
{
	int fd = open(OOM_ADJ, O_WRONLY | O_CLOEXEC), status;

	if (fd == -1)
		return -1;
	status = write(fd, value, strlen(value)) == -1 ? -1 : 0;
	close(fd);
	return status;
}

int
measure_begin(struct measure *m, FILE *samples_file)
{
	int unlocked;

	calib_measure(&m->calib, &m->cpus);
	m->cpu_before_us = cpu_us(RUSAGE_SELF);
	if (m->opt->interval_ns != 0) {
		m->samples_file = samples_file;
		m->sampler = sampler_start("", &m->counters.group,
		    m->opt->interval_ns, samples_file, &unlocked);
		if (m->sampler == NULL)
			return -1;
		if (unlocked != 0 && !m->opt->quiet)
			warnx("samples: memory cannot be locked: %s",
			    strerror(unlocked));
	}
	counters_read(&m->counters, &m->before);
	return 0;
}

void
measure_end(struct measure *m)
{
	counters_read(&m->counters, &m->after);
	m->cpu_own_us = cpu_us(RUSAGE_SELF) - m->cpu_before_us;
}

int
measure_finish(struct measure *m)
{
	int status = 0, error = 0;

	if (m->sampler != NULL) {
		status = sampler_stop(m->sampler, &m->samples);
		error = errno;
		m->sampler = NULL;
	}
	/* By now all that it started has been waited for. */
	counters_subtract(&m->counters, &m->before, &m->after,
	    m->cpu_own_us + cpu_us(RUSAGE_CHILDREN), &m->delta);
	counters_close(&m->counters);
	calib_measure(&m->calib, &m->cpus);
	errno = error;
	return status;
}

static uint64_t
cpu_us(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000 +
	    (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

int
measure_row(const struct measure *m, const struct run_result *run,
    struct row *row, char *why, size_t size)
{
	struct verdict_run v;
	const char *pressure;
	char list[8192];

	judge(m, run, &v);
	pressure = verdict_pressure(&v, why, size);
	if (fill_counters(m, row) == -1 || fill_samples(m, row) == -1 ||
	    row_fixed(row, ROW_STEAL, v.steal_pct, 2) == -1 ||
	    row_fixed(row, ROW_FOREIGN, v.foreign_pct, 2) == -1 ||
	    row_fixed(row, ROW_CALIB, calib_mean_ms(&m->calib), 3) == -1 ||
	    row_text(row, ROW_CPUS,
	    cpus_print(list, sizeof(list), &m->cpus)) == -1)
		return -1;
	return pressure == NULL ? 0 : row_text(row, ROW_PRESSURE, pressure);
}

static void
judge(const struct measure *m, const struct run_result *run,
    struct verdict_run *v)
{
	const struct counters_delta *d = &m->delta;
	uint64_t passed_ns = m->after.monotonic_ns - m->before.monotonic_ns;
	double tick_s = 1 / (double)m->counters.ticks_per_s;

	*v = (struct verdict_run) {
		.elapsed_ns = run->end_ns - run->start_ns,
		.footprint_kib = m->counters.group.version ==
		    PROC_CGROUP_NONE ? PROC_ABSENT : peak_kib(m),
		.page_kib = (uint64_t)sysconf(_SC_PAGESIZE) / 1024,
		.swapped_pages = sum(d->pswpin_pages, d->pswpout_pages),
		.refault_pages = sum(d->refault_anon, d->refault_file),
		.scanned_pages = sum(d->scan_direct_pages,
		    d->scan_kswapd_pages),
		.stall_us = d->psi_mem_some_us,
		.steal_pct = counters_percent(&m->counters, d->steal_ticks,
		    passed_ns),
		.steal_s = (double)d->steal_ticks * tick_s,
		.foreign_pct = counters_percent(&m->counters,
		    d->foreign_ticks, passed_ns),
		.foreign_s = (double)d->foreign_ticks * tick_s,
		.beside_load = loaded(),
		.missed_pct = sampler_missed_percent(&m->samples),
		.missed = m->samples.missed,
		.suspended_ns = d->suspended_ns,
		.clock_jump_ns = d->clock_jump_ns
	};
	if (v->footprint_kib == PROC_ABSENT)
		v->footprint_kib = (uint64_t)run->usage.ru_maxrss;
}

/* The group's own record of its peak is better than samples of it. */
static uint64_t
peak_kib(const struct measure *m)
{
	if (m->delta.group_peak_kib != PROC_ABSENT || m->samples.ticks == 0)
		return m->delta.group_peak_kib;
	return m->samples.used_max_kib;
}

/* The sum of what is known of the two. */
static uint64_t
sum(uint64_t a, uint64_t b)
{
	if (a == PROC_ABSENT)
		return b;
	return b == PROC_ABSENT ? a : a + b;
}

/* Whether somebody above us runs a load beside the command. */
static int
loaded(void)
{
	static const char *const none[] = {
		"", "-", "none", "noload", "no_load", "cacherun"
	};
	const char *load = getenv("QS_LOAD");
	size_t i;

	for (i = 0; load != NULL && i < sizeof(none) / sizeof(none[0]); i++) {
		if (strcmp(load, none[i]) == 0)
			return 0;
	}
	return load != NULL;
}

static int
fill_counters(const struct measure *m, struct row *row)
{
	const struct counters_delta *d = &m->delta;
	const struct {
		enum row_column column;
		uint64_t value;
	} counts[] = {
		{ ROW_PSWPIN, d->pswpin_pages },
		{ ROW_PSWPOUT, d->pswpout_pages },
		{ ROW_PSI_MEM_SOME, d->psi_mem_some_us },
		{ ROW_PSI_MEM_FULL, d->psi_mem_full_us },
		{ ROW_PSI_IO_FULL, d->psi_io_full_us },
		{ ROW_REFAULT_ANON, d->refault_anon },
		{ ROW_REFAULT_FILE, d->refault_file },
		{ ROW_SCAN_DIRECT, d->scan_direct_pages },
		{ ROW_SCAN_KSWAPD, d->scan_kswapd_pages },
		{ ROW_MEM_PEAK, peak_kib(m) }
	};
	size_t i;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		if (counts[i].value != PROC_ABSENT && row_count(row,
		    counts[i].column, counts[i].value) == -1)
			return -1;
	}
	if (d->kswapd_ticks == PROC_ABSENT)
		return 0;
	return row_fixed(row, ROW_KSWAPD, (double)d->kswapd_ticks /
	    (double)m->counters.ticks_per_s, 2);
}

static int
fill_samples(const struct measure *m, struct row *row)
{
	if (m->samples.ticks == 0)
		return 0;
	if (m->samples.swap_max_kib != PROC_ABSENT && row_count(row,
	    ROW_SWAP_MAX, m->samples.swap_max_kib) == -1)
		return -1;
	return row_fixed(row, ROW_LATE_MAX,
	    (double)m->samples.late_max_ns / 1e6, 3);
}
