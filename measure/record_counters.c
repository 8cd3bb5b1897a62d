/*
 * counters: the kernel's counters before and after a run, and what the run
 * added to them.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "record_counters.h"

#define VMSTAT_BYTES	32768

static int open_group(struct counters *, const char *);
static void read_host(const struct counters *, struct counters_reading *);
static void read_group(const struct counters *, struct counters_reading *);
static void read_psi(const struct counters *, const char *, struct proc_psi *);
static void read_cpu(const struct counters *, struct proc_cpu *);
static void read_kernel_threads(const struct counters *,
    struct counters_reading *);
static void read_clocks(struct counters_reading *);
static uint64_t peak_kib(const struct counters *,
    const struct counters_reading *, const struct counters_reading *);
static uint64_t either(uint64_t, uint64_t, uint64_t, uint64_t);
static uint64_t less(uint64_t, uint64_t);
static void clock_delta(const struct counters_reading *,
    const struct counters_reading *, struct counters_delta *);
static void psi_delta(const struct counters_reading *,
    const struct counters_reading *, struct counters_delta *);

int
counters_open(struct counters *c, const char *root, const char *group)
{
	struct proc_psi psi;
	char text[512];

	memset(c, 0, sizeof(*c));
	c->root = root;
	c->peak = -1;
	c->cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	c->ticks_per_s = (uint64_t)sysconf(_SC_CLK_TCK);
	if (proc_read(root, "/proc/pressure/memory", text, sizeof(text)) == -1)
		c->no_psi = proc_psi_reason(proc_psi_error(root, errno));
	if (group == NULL)
		return 0;
	if (open_group(c, group) == -1)
		return -1;
	/* A group may have what the machine's files do not show. */
	if (c->no_psi != NULL && proc_cgroup_psi(&c->group, &psi) == 0)
		c->no_psi = NULL;
	return 0;
}

void
counters_close(struct counters *c)
{
	if (c->peak != -1)
		close(c->peak);
}

static int
open_group(struct counters *c, const char *group)
{
	static const enum proc_cgroup_version versions[] = {
		PROC_CGROUP_V2, PROC_CGROUP_V1
	};
	char path[PATH_MAX];
	const char *reset;
	size_t i;

	if (snprintf(c->group.dir, sizeof(c->group.dir), "%s%s", c->root,
	    group) >= (int)sizeof(c->group.dir)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	for (i = 0; c->group.version == PROC_CGROUP_NONE && i < 2; i++) {
		snprintf(path, sizeof(path), "%.3000s/%s", c->group.dir,
		    proc_cgroup_file_name(versions[i], PROC_CGROUP_USAGE));
		if (access(path, R_OK) == 0)
			c->group.version = versions[i];
	}
	if (c->group.version == PROC_CGROUP_NONE) {
		if (access(c->group.dir, R_OK) == 0)
			errno = ENOTSUP;
		return -1;
	}
	/*
	 * Version 1 resets the peak for all readers; version 2 for the file
	 * that was written to, since 6.12, and refuses before.
	 */
	snprintf(path, sizeof(path), "%.3000s/%s", c->group.dir,
	    proc_cgroup_file_name(c->group.version, PROC_CGROUP_PEAK));
	c->peak = open(path, O_RDWR | O_CLOEXEC);
	reset = c->group.version == PROC_CGROUP_V1 ? "0" : "reset";
	if (c->peak == -1)
		c->peak = open(path, O_RDONLY | O_CLOEXEC);
	else if (write(c->peak, reset, strlen(reset)) > 0)
		c->peak_reset = 1;
	return 0;
}

void
counters_read(const struct counters *c, struct counters_reading *r)
{
	/* What is slow, and not counted by the run, comes last. */
	memset(r, 0xff, sizeof(*r));	/* all PROC_ABSENT */
	read_clocks(r);
	read_cpu(c, &r->cpu);
	read_host(c, r);
	if (c->group.version != PROC_CGROUP_NONE)
		read_group(c, r);
	read_kernel_threads(c, r);
}

static void
read_host(const struct counters *c, struct counters_reading *r)
{
	static char text[VMSTAT_BYTES];

	if (proc_read(c->root, "/proc/vmstat", text, sizeof(text)) != -1)
		proc_vmstat_parse(text, &r->vmstat);
	read_psi(c, "/proc/pressure/memory", &r->mem);
	read_psi(c, "/proc/pressure/io", &r->io);
}

static void
read_group(const struct counters *c, struct counters_reading *r)
{
	char text[64];

	if (proc_cgroup_memory(&c->group, &r->group) == -1)
		memset(&r->group, 0xff, sizeof(r->group));
	if (proc_cgroup_psi(&c->group, &r->group_mem) == -1)
		memset(&r->group_mem, 0xff, sizeof(r->group_mem));
	/* Only this file of ours knows its reset. */
	if (c->peak != -1 && proc_pread(c->peak, text, sizeof(text)) != -1)
		r->group.peak_bytes = proc_number(text);
}

static void
read_psi(const struct counters *c, const char *path, struct proc_psi *p)
{
	char text[512];

	if (proc_read(c->root, path, text, sizeof(text)) != -1)
		proc_psi_parse(text, p);
}

static void
read_cpu(const struct counters *c, struct proc_cpu *cpu)
{
	char path[PATH_MAX], text[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/proc/stat", c->root);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return;
	if (proc_pread_start(fd, text, sizeof(text)) != -1)
		proc_cpu_parse(text, cpu);
	close(fd);
}

/* None is to be seen from inside a container: PROC_ABSENT. */
static void
read_kernel_threads(const struct counters *c, struct counters_reading *r)
{
	char path[PATH_MAX], text[1024];
	struct dirent *entry;
	struct proc_task t;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/proc", c->root);
	dir = opendir(path);
	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		snprintf(path, sizeof(path), "/proc/%.32s/stat",
		    entry->d_name);
		if (proc_read(c->root, path, text, sizeof(text)) == -1 ||
		    proc_task_parse(text, &t) == -1 ||
		    (t.flags & PROC_TASK_KTHREAD) == 0)
			continue;
		if (r->kernel_ticks == PROC_ABSENT)
			r->kernel_ticks = 0;
		r->kernel_ticks += t.cpu_ticks;
		if (strncmp(t.comm, "kswapd", 6) != 0)
			continue;
		if (r->kswapd_ticks == PROC_ABSENT)
			r->kswapd_ticks = 0;
		r->kswapd_ticks += t.cpu_ticks;
	}
	closedir(dir);
}

static void
read_clocks(struct counters_reading *r)
{
	struct timespec boot;

	r->monotonic_ns = clock_now_ns();
	if (clock_gettime(CLOCK_BOOTTIME, &boot) == 0)
		r->boot_ns = (uint64_t)boot.tv_sec * CLOCK_NS_PER_S +
		    (uint64_t)boot.tv_nsec;
	r->wall_ns = clock_wall_ns();
}

void
counters_subtract(const struct counters *c, const struct counters_reading *a,
    const struct counters_reading *b, uint64_t own_us,
    struct counters_delta *d)
{
	const struct proc_cgroup_memory *ga = &a->group, *gb = &b->group;
	const struct proc_vmstat *va = &a->vmstat, *vb = &b->vmstat;
	uint64_t busy, own;

#define EITHER(name) either(ga->name, gb->name, va->name, vb->name)
	d->pswpin_pages = EITHER(pswpin_pages);
	d->pswpout_pages = EITHER(pswpout_pages);
	d->refault_anon = EITHER(refault_anon);
	d->refault_file = EITHER(refault_file);
#undef EITHER
	/* Reclaim for the limit of a group is in no count of the machine. */
	if (c->group.version == PROC_CGROUP_NONE) {
		d->scan_direct_pages = proc_delta(va->scan_direct_pages,
		    vb->scan_direct_pages);
		d->scan_kswapd_pages = proc_delta(va->scan_kswapd_pages,
		    vb->scan_kswapd_pages);
	} else {
		d->scan_direct_pages = proc_delta(ga->scan_direct_pages,
		    gb->scan_direct_pages);
		d->scan_kswapd_pages = proc_delta(ga->scan_kswapd_pages,
		    gb->scan_kswapd_pages);
	}
	psi_delta(a, b, d);
	d->kswapd_ticks = proc_delta(a->kswapd_ticks, b->kswapd_ticks);
	d->steal_ticks = proc_delta(a->cpu.steal, b->cpu.steal);
	busy = proc_delta(a->cpu.busy, b->cpu.busy);
	own = own_us * c->ticks_per_s / 1000000;
	/* A kernel thread that ended takes its time away: no less than 0. */
	d->foreign_ticks = busy == PROC_ABSENT ? PROC_ABSENT :
	    less(busy, own);
	if (d->foreign_ticks != PROC_ABSENT &&
	    proc_delta(a->kernel_ticks, b->kernel_ticks) != PROC_ABSENT)
		d->foreign_ticks = less(d->foreign_ticks,
		    b->kernel_ticks - a->kernel_ticks);
	d->oom_group = proc_delta(ga->oom_kill, gb->oom_kill);
	d->oom_host = proc_delta(va->oom_kill, vb->oom_kill);
	d->group_peak_kib = peak_kib(c, a, b);
	clock_delta(a, b, d);
}

static void
psi_delta(const struct counters_reading *a, const struct counters_reading *b,
    struct counters_delta *d)
{
	d->psi_mem_some_us = either(a->group_mem.some_us, b->group_mem.some_us,
	    a->mem.some_us, b->mem.some_us);
	d->psi_mem_full_us = either(a->group_mem.full_us, b->group_mem.full_us,
	    a->mem.full_us, b->mem.full_us);
	d->psi_io_full_us = proc_delta(a->io.full_us, b->io.full_us);
}

static void
clock_delta(const struct counters_reading *a, const struct counters_reading *b,
    struct counters_delta *d)
{
	uint64_t ran = b->monotonic_ns - a->monotonic_ns;
	uint64_t passed = proc_delta(a->boot_ns, b->boot_ns);
	uint64_t shown = proc_delta(a->wall_ns, b->wall_ns);

	d->suspended_ns = passed == PROC_ABSENT ? PROC_ABSENT :
	    less(passed, ran);
	if (passed == PROC_ABSENT)
		passed = ran;
	/* Back beyond the start: a jump, of unknown size but certainly so. */
	if (shown == PROC_ABSENT)
		d->clock_jump_ns = passed + (a->wall_ns - b->wall_ns);
	else
		d->clock_jump_ns = shown > passed ? shown - passed :
		    passed - shown;
}

static uint64_t
peak_kib(const struct counters *c, const struct counters_reading *a,
    const struct counters_reading *b)
{
	uint64_t before = a->group.peak_bytes, after = b->group.peak_bytes;

	if (after == PROC_ABSENT)
		return PROC_ABSENT;
	/* A peak of the group's whole life may be older than this run. */
	if (!c->peak_reset && (before == PROC_ABSENT || after <= before))
		return PROC_ABSENT;
	return after / 1024;
}

/* The group's counter where it has one, else the machine's. */
static uint64_t
either(uint64_t ga, uint64_t gb, uint64_t a, uint64_t b)
{
	uint64_t d = proc_delta(ga, gb);

	return d != PROC_ABSENT ? d : proc_delta(a, b);
}

/* a - b, no less than 0. */
static uint64_t
less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

double
counters_percent(const struct counters *c, uint64_t ticks, uint64_t elapsed_ns)
{
	double all = (double)elapsed_ns / 1e9 * (double)c->ticks_per_s *
	    (double)c->cpus;

	if (ticks == PROC_ABSENT || all <= 0)
		return NAN;
	/* Not fmin(3): the maths library would slow every start. */
	return (double)ticks < all ? 100 * (double)ticks / all : 100;
}
