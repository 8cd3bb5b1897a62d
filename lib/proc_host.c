/*
 * proc_host: the machine as a whole: /proc/vmstat, meminfo, stat.
 */
#include <string.h>

#include "proc_text.h"

struct vmstat_fields {
	struct proc_vmstat v;
	uint64_t refault;	/* 3.15 to 5.8 */
	uint64_t kswapd_steal;	/* before 3.5 */
};

#define VMSTAT(key, field, zones) \
	{ key, offsetof(struct vmstat_fields, field), zones }
static const struct proc_field vmstat_fields[] = {
	VMSTAT("pswpin", v.pswpin_pages, 0),
	VMSTAT("pswpout", v.pswpout_pages, 0),
	VMSTAT("pgmajfault", v.pgmajfault, 0),
	VMSTAT("workingset_refault_anon", v.refault_anon, 0),
	VMSTAT("workingset_refault_file", v.refault_file, 0),
	VMSTAT("workingset_refault", refault, 0),
	VMSTAT("pgscan_direct", v.scan_direct_pages, 1),
	VMSTAT("pgscan_kswapd", v.scan_kswapd_pages, 1),
	VMSTAT("pgsteal_direct", v.steal_direct_pages, 1),
	VMSTAT("pgsteal_kswapd", v.steal_kswapd_pages, 1),
	VMSTAT("kswapd_steal", kswapd_steal, 0),
	VMSTAT("allocstall", v.allocstall, 1),
	VMSTAT("oom_kill", v.oom_kill, 0),
};

#define MEMINFO(key, field) { key, offsetof(struct proc_meminfo, field), 0 }
static const struct proc_field meminfo_fields[] = {
	MEMINFO("MemTotal", total_kib),
	MEMINFO("MemFree", free_kib),
	MEMINFO("MemAvailable", available_kib),
	MEMINFO("Dirty", dirty_kib),
	MEMINFO("Writeback", writeback_kib),
	MEMINFO("SwapTotal", swap_total_kib),
	MEMINFO("SwapFree", swap_free_kib),
};

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

void
proc_vmstat_parse(const char *text, struct proc_vmstat *v)
{
	struct vmstat_fields f;

	proc_fields(text, vmstat_fields, LENGTH(vmstat_fields), &f);
	*v = f.v;
	if (v->refault_file == PROC_ABSENT)
		v->refault_file = f.refault;
	if (v->steal_kswapd_pages == PROC_ABSENT)
		v->steal_kswapd_pages = f.kswapd_steal;
}

/* No KiB that are more than the whole, or more than 2^64 bytes. */
static void
drop_above(uint64_t *part_kib, uint64_t whole_kib)
{
	if (*part_kib > whole_kib || *part_kib > UINT64_MAX / 1024)
		*part_kib = PROC_ABSENT;
}

void
proc_meminfo_parse(const char *text, struct proc_meminfo *m)
{
	proc_fields(text, meminfo_fields, LENGTH(meminfo_fields), m);
	drop_above(&m->total_kib, PROC_ABSENT);
	drop_above(&m->free_kib, m->total_kib);
	drop_above(&m->available_kib, m->total_kib);
	drop_above(&m->dirty_kib, m->total_kib);
	drop_above(&m->writeback_kib, m->total_kib);
	drop_above(&m->swap_total_kib, PROC_ABSENT);
	drop_above(&m->swap_free_kib, m->swap_total_kib);
}

void
proc_cpu_parse(const char *text, struct proc_cpu *c)
{
	enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };
	uint64_t v[FIELDS];
	const char *s = NULL;

	while (*text != '\0' && !proc_line_is(text, "cpu"))
		text = proc_next_line(text);
	if (*text != '\0')
		s = text + strlen("cpu");
	for (int i = 0; i < FIELDS; i++) {
		v[i] = PROC_ABSENT;
		if (s != NULL)
			s = proc_word_number(s, &v[i]);
	}
	c->steal = v[STEAL];
	c->iowait = v[IOWAIT];
	c->busy = proc_sum(proc_sum(v[USER], v[NICE]), v[SYSTEM]);
	c->busy = proc_sum(c->busy, proc_sum(v[IRQ], v[SOFTIRQ]));
	c->idle = proc_sum(v[IDLE], v[IOWAIT]);
}
