/*
 * proc_host: the machine as a whole: /proc/vmstat, meminfo, pressure, stat.
 */
#include <errno.h>
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

/* The text behind " name=" in the line at s, or NULL. */
static const char *
behind_name(const char *s, const char *name)
{
	size_t length = strlen(name);

	for (; *s != '\0' && *s != '\n'; s++)
		if (*s == ' ' && strncmp(s + 1, name, length) == 0 &&
		    s[length + 1] == '=')
			return s + length + 2;
	return NULL;
}

/* "12.34" as 1234. */
static uint64_t
hundredths(const char *s)
{
	uint64_t whole, part;
	const char *end = proc_digits(s, &whole);

	if (end == NULL || *end != '.')
		return PROC_ABSENT;
	s = end + 1;
	end = proc_digits(s, &part);
	if (end == NULL || end - s != 2 || whole > UINT64_MAX / 100 - 1)
		return PROC_ABSENT;
	return whole * 100 + part;
}

static void
parse_psi_line(const char *line, uint64_t *total_us, uint64_t *avg10_centi)
{
	const char *total = behind_name(line, "total");
	const char *avg10 = behind_name(line, "avg10");

	*total_us = total != NULL ? proc_number(total) : PROC_ABSENT;
	*avg10_centi = avg10 != NULL ? hundredths(avg10) : PROC_ABSENT;
}

void
proc_psi_parse(const char *text, struct proc_psi *p)
{
	p->some_us = p->full_us = PROC_ABSENT;
	p->some_avg10_centi = p->full_avg10_centi = PROC_ABSENT;
	for (; *text != '\0'; text = proc_next_line(text)) {
		if (proc_line_is(text, "some"))
			parse_psi_line(text, &p->some_us, &p->some_avg10_centi);
		if (proc_line_is(text, "full"))
			parse_psi_line(text, &p->full_us, &p->full_avg10_centi);
	}
}

const char *
proc_psi_reason(int error)
{
	switch (error) {
	case ENOENT:
		return "psi: not built into this kernel";
	case EOPNOTSUPP:
		return "psi: off at boot, boot with psi=1";
	case ENOSYS:
		return "psi: not kept for groups of cgroup version 1";
	case EACCES:
	case EPERM:
		return "psi: not permitted to read it";
	default:
		return "psi: cannot be read";
	}
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
