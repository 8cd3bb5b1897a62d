/*
 * proc_cgroup_memory: limits and counters of a memory group, both versions.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proc_text.h"

/* memory.stat of the newest kernels: some 90 lines. */
enum { STAT_BYTES = 16384, VALUE_BYTES = 4096 };

struct stat_fields {
	uint64_t pgmajfault;
	uint64_t refault_anon, refault_file, refault;
	uint64_t pgscan, pgscan_direct, pgscan_kswapd;
	uint64_t pswpin, pswpout, zswpin, zswpout;
	uint64_t swap_bytes;		/* v1 */
	uint64_t hierarchical_limit;	/* v1 */
};

/*
 * Version 1 counts the descendants in total_*; its pgpgin and pgpgout are
 * charges, not swap, so no swap traffic is read from it.
 */
#define STAT(key, field) { key, offsetof(struct stat_fields, field), 0 }
static const struct proc_field v1_fields[] = {
	STAT("total_pgmajfault", pgmajfault),
	STAT("total_workingset_refault_anon", refault_anon),
	STAT("total_workingset_refault_file", refault_file),
	STAT("total_workingset_refault", refault),
	STAT("total_swap", swap_bytes),
	STAT("hierarchical_memory_limit", hierarchical_limit),
};
static const struct proc_field v2_fields[] = {
	STAT("pgmajfault", pgmajfault),
	STAT("workingset_refault_anon", refault_anon),
	STAT("workingset_refault_file", refault_file),
	STAT("workingset_refault", refault),
	STAT("pgscan", pgscan),
	STAT("pgscan_direct", pgscan_direct),
	STAT("pgscan_kswapd", pgscan_kswapd),
	STAT("pswpin", pswpin),
	STAT("pswpout", pswpout),
	STAT("zswpin", zswpin),
	STAT("zswpout", zswpout),
};

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static uint64_t
read_number(const char *dir, const char *name)
{
	char text[VALUE_BYTES];

	if (proc_read(dir, name, text, sizeof(text)) == -1)
		return PROC_ABSENT;
	return proc_number(text);
}

/* One value of a file of "key value" lines. */
static uint64_t
read_value(const char *dir, const char *name, const char *key)
{
	char text[VALUE_BYTES];

	if (proc_read(dir, name, text, sizeof(text)) == -1)
		return PROC_ABSENT;
	return proc_value(text, key);
}

static void
read_stat(const struct proc_cgroup *g, struct stat_fields *f)
{
	char text[STAT_BYTES];

	memset(f, 0xff, sizeof(*f));	/* all PROC_ABSENT */
	if (proc_read(g->dir, "memory.stat", text, sizeof(text)) == -1)
		return;
	if (g->version == PROC_CGROUP_V1)
		proc_fields(text, v1_fields, LENGTH(v1_fields), f);
	else
		proc_fields(text, v2_fields, LENGTH(v2_fields), f);
}

/*
 * Version 1 writes "no limit" as the largest number of whole pages that fit a
 * long, in bytes: near 2^63 whatever the page size, 2^43 less a page on 32-bit
 * kernels; kernels before 3.19 used 2^63 - 1 or 2^64 - 1.
 */
static uint64_t
v1_limit(uint64_t bytes)
{
	const uint64_t max_64bit = UINT64_C(1) << 62;
	const uint64_t max_32bit = UINT64_C(0x7fffffff) * 4096;

	return bytes >= max_64bit || bytes == max_32bit ? PROC_ABSENT : bytes;
}

/* Cut the last name off dir; 0 when dir is the mount already. */
static int
go_up(char *dir, const char *mount)
{
	char *slash = strrchr(dir, '/');

	if (slash == NULL || (size_t)(slash - dir) < strlen(mount))
		return 0;
	*slash = '\0';
	return 1;
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;	/* PROC_ABSENT is the largest */
}

static uint64_t
v1_least_limit(const struct proc_cgroup *g)
{
	char dir[sizeof(g->dir)];
	struct stat_fields f;
	uint64_t limit;

	read_stat(g, &f);
	limit = v1_limit(f.hierarchical_limit);
	memcpy(dir, g->dir, sizeof(dir));
	do
		limit = least(limit,
		    v1_limit(read_number(dir, "memory.limit_in_bytes")));
	while (go_up(dir, g->mount) &&
	    read_number(dir, "memory.use_hierarchy") != 0);
	return limit;
}

uint64_t
proc_cgroup_limit_bytes(const struct proc_cgroup *g)
{
	char dir[sizeof(g->dir)];
	uint64_t limit = PROC_ABSENT;

	if (g->version == PROC_CGROUP_NONE)
		return PROC_ABSENT;
	if (g->version == PROC_CGROUP_V1)
		return v1_least_limit(g);
	memcpy(dir, g->dir, sizeof(dir));
	do
		limit = least(limit, read_number(dir, "memory.max"));
	while (go_up(dir, g->mount));
	return limit;
}

static void
read_v1(const struct proc_cgroup *g, struct proc_cgroup_memory *m,
    uint64_t swap_bytes)
{
	uint64_t memsw;

	m->usage_bytes = read_number(g->dir, "memory.usage_in_bytes");
	m->peak_bytes = read_number(g->dir, "memory.max_usage_in_bytes");
	m->limit_bytes = v1_limit(read_number(g->dir, "memory.limit_in_bytes"));
	m->swap_bytes = swap_bytes;
	memsw = v1_limit(read_number(g->dir, "memory.memsw.limit_in_bytes"));
	m->swap_max_bytes = proc_delta(m->limit_bytes, memsw);
	m->swappiness = read_number(g->dir, "memory.swappiness");
	m->limit_hits = read_number(g->dir, "memory.failcnt");
	m->oom_kill = read_value(g->dir, "memory.oom_control", "oom_kill");
}

static void
read_v2(const struct proc_cgroup *g, struct proc_cgroup_memory *m)
{
	m->usage_bytes = read_number(g->dir, "memory.current");
	m->peak_bytes = read_number(g->dir, "memory.peak");
	m->limit_bytes = read_number(g->dir, "memory.max");
	m->high_bytes = read_number(g->dir, "memory.high");
	m->swap_bytes = read_number(g->dir, "memory.swap.current");
	m->swap_peak_bytes = read_number(g->dir, "memory.swap.peak");
	m->swap_max_bytes = read_number(g->dir, "memory.swap.max");
	m->limit_hits = read_value(g->dir, "memory.events", "max");
	m->oom_events = read_value(g->dir, "memory.events", "oom");
	m->oom_kill = read_value(g->dir, "memory.events", "oom_kill");
}

int
proc_cgroup_memory(const struct proc_cgroup *g, struct proc_cgroup_memory *m)
{
	struct stat_fields f;

	memset(m, 0xff, sizeof(*m));	/* all PROC_ABSENT */
	if (g->version == PROC_CGROUP_NONE) {
		errno = ENOTSUP;
		return -1;
	}
	if (access(g->dir, F_OK) == -1)
		return -1;
	read_stat(g, &f);
	if (g->version == PROC_CGROUP_V1)
		read_v1(g, m, f.swap_bytes);
	else
		read_v2(g, m);
	m->pgmajfault = f.pgmajfault;
	m->refault_anon = f.refault_anon;
	m->refault_file = f.refault_file != PROC_ABSENT ? f.refault_file :
	    f.refault;
	m->scan_pages = f.pgscan;
	m->scan_direct_pages = f.pgscan_direct;
	m->scan_kswapd_pages = f.pgscan_kswapd;
	m->pswpin_pages = f.pswpin;
	m->pswpout_pages = f.pswpout;
	m->zswpin_pages = f.zswpin;
	m->zswpout_pages = f.zswpout;
	return 0;
}

const char *
proc_cgroup_file_name(enum proc_cgroup_version v, enum proc_cgroup_file f)
{
	static const char *const names[][PROC_CGROUP_PRESSURE + 1] = {
		[PROC_CGROUP_V1] = { "memory.usage_in_bytes",
		    "memory.max_usage_in_bytes", "memory.stat", NULL },
		[PROC_CGROUP_V2] = { "memory.current", "memory.peak",
		    "memory.stat", "memory.pressure" },
	};

	return v == PROC_CGROUP_NONE ? NULL : names[v][f];
}

int
proc_cgroup_psi(const struct proc_cgroup *g, struct proc_psi *p)
{
	char text[VALUE_BYTES];

	proc_psi_parse("", p);
	if (g->version != PROC_CGROUP_V2) {
		errno = ENOSYS;
		return -1;
	}
	if (proc_read(g->dir, "memory.pressure", text, sizeof(text)) == -1)
		return -1;
	proc_psi_parse(text, p);
	return 0;
}
