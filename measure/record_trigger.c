/*
 * trigger: conditions on the machine's memory, such as "swap>0".
 *
 * The PSI conditions use the kernel's own average over ten seconds, which it
 * renews every two seconds.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "clock.h"
#include "proc.h"
#include "record_trigger.h"
#include "units.h"

#define POLL_NS		(20 * CLOCK_NS_PER_S / 1000)
#define PERCENT_MAX	100000	/* in thousandths */

static const struct {
	const char *name;
	enum trigger_what what;
	int percent_only;
} names[] = {
	{ "swap", TRIGGER_SWAP, 0 },
	{ "available", TRIGGER_AVAILABLE, 0 },
	{ "free", TRIGGER_FREE, 0 },
	{ "psi.some", TRIGGER_PSI_SOME, 1 },
	{ "psi.full", TRIGGER_PSI_FULL, 1 },
	{ "psi.io.some", TRIGGER_PSI_IO_SOME, 1 },
	{ "psi.io.full", TRIGGER_PSI_IO_FULL, 1 }
};

static const char *parse_bound(const char *, int, struct trigger *);
static int read_memory(const struct trigger *, const char *, uint64_t *,
    uint64_t *, const char **);
static int read_psi(const struct trigger *, const char *, uint64_t *,
    const char **);

const char *
trigger_parse(const char *text, struct trigger *t)
{
	size_t length = strcspn(text, "<>"), i;

	if (text[length] == '\0')
		return "not NAME>VALUE or NAME<VALUE";
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i].name) == length &&
		    memcmp(names[i].name, text, length) == 0)
			break;
	}
	if (i == sizeof(names) / sizeof(names[0]))
		return "not one of swap, available, free, psi.some, psi.full, "
		    "psi.io.some, psi.io.full";
	t->what = names[i].what;
	t->above = text[length] == '>';
	return parse_bound(text + length + 1, names[i].percent_only, t);
}

static const char *
parse_bound(const char *text, int percent_only, struct trigger *t)
{
	size_t length = strlen(text);

	t->percent = percent_only || (length > 0 && text[length - 1] == '%');
	if (t->percent)
		return units_percent(text, PERCENT_MAX, &t->bound);
	return units_size(text, 1, 0, &t->bound);
}

int
trigger_holds(const struct trigger *t, const char *root, const char **why)
{
	uint64_t value, whole = 0, bound = t->bound;
	int status;

	if (t->what < TRIGGER_PSI_SOME)
		status = read_memory(t, root, &value, &whole, why);
	else
		status = read_psi(t, root, &value, why);
	if (status == -1)
		return -1;
	/* Sizes are compared in thousandths of a percent of the whole. */
	if (t->percent && t->what < TRIGGER_PSI_SOME) {
		if (whole == 0)
			return 0;	/* no swap: no share of it is used */
		value = (uint64_t)((double)value / (double)whole * PERCENT_MAX);
	}
	return t->above ? value > bound : value < bound;
}

/* The value and what a percentage refers to, in bytes. */
static int
read_memory(const struct trigger *t, const char *root, uint64_t *value,
    uint64_t *whole, const char **why)
{
	static char text[16384];
	struct proc_meminfo m;
	uint64_t kib;

	if (proc_read(root, "/proc/meminfo", text, sizeof(text)) == -1) {
		*why = "cannot read /proc/meminfo";
		return -1;
	}
	proc_meminfo_parse(text, &m);
	*whole = t->what == TRIGGER_SWAP ? m.swap_total_kib : m.total_kib;
	if (t->what == TRIGGER_SWAP)
		kib = proc_delta(m.swap_free_kib, m.swap_total_kib);
	else
		kib = t->what == TRIGGER_FREE ? m.free_kib : m.available_kib;
	if (kib == PROC_ABSENT || *whole == PROC_ABSENT) {
		*why = "this kernel's /proc/meminfo does not tell it";
		return -1;
	}
	*value = kib * 1024;
	*whole *= 1024;
	return 0;
}

/* In thousandths of a percent. */
static int
read_psi(const struct trigger *t, const char *root, uint64_t *value,
    const char **why)
{
	const char *path = t->what < TRIGGER_PSI_IO_SOME ?
	    "/proc/pressure/memory" : "/proc/pressure/io";
	struct proc_psi psi;
	char text[512];
	uint64_t centi;

	if (proc_read(root, path, text, sizeof(text)) == -1) {
		*why = proc_psi_reason(proc_psi_error(root, errno));
		return -1;
	}
	proc_psi_parse(text, &psi);
	centi = t->what == TRIGGER_PSI_SOME || t->what == TRIGGER_PSI_IO_SOME ?
	    psi.some_avg10_centi : psi.full_avg10_centi;
	if (centi == PROC_ABSENT) {
		*why = "this kernel's PSI does not tell it";
		return -1;
	}
	*value = centi * 10;
	return 0;
}

int
trigger_wait(const struct trigger *t, const char *root, uint64_t limit_ns,
    const char **why)
{
	uint64_t now = clock_now_ns(), end = now + limit_ns;
	int holds;

	while ((holds = trigger_holds(t, root, why)) == 0) {
		now = clock_now_ns();
		if (now >= end)
			return 0;
		clock_sleep_until(now + POLL_NS < end ? now + POLL_NS : end);
	}
	return holds;
}
