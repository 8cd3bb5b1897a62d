/*
 * report: what memhog says about its processes.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include "hog.h"
#include "report.h"
#include "units.h"

/* Sums over the processes; UINT64_MAX where one of them does not know. */
struct sums {
	int told;
	uint64_t mapped, filled, resident, swapped, locked;
	uint64_t reads, writes, checks;
};

static struct sums add_up(const struct workers *w);
static void add(uint64_t *sum, uint64_t value);
static const char *size_text(char *buf, size_t size, uint64_t bytes);
static void cell(uint64_t value);

double
memhog_loads(const struct workers *w)
{
	const struct hog_result *r;
	double sum = 0;
	size_t whole;

	for (uint64_t i = 0; i < w->started; i++) {
		r = workers_result(w, i);
		whole = r->whole;
		sum += (double)r->rounds;
		if (whole > 0)
			sum += (double)r->done / (double)whole;
	}
	return sum / (double)w->procs;
}

void
memhog_plan(const struct plan *p)
{
	char size[32];

	warnx("%s in %" PRIu64 " process%s, content %s, pattern %s%s",
	    units_print_size(size, sizeof size, p->bytes), p->procs,
	    p->procs == 1 ? "" : "es", p->content_text,
	    pattern_names[p->pattern.kind].name,
	    p->check ? ", checked" : "");
}

void
memhog_notes(const struct workers *w)
{
	const struct hog_result *r;

	for (uint64_t i = 0; i < w->started; i++) {
		r = workers_result(w, i);
		if (r->note[0] != '\0')
			warnx("process %" PRIu64 " (pid %ld): %s", i + 1,
			    (long)w->worker[i].pid, r->note);
	}
}

void
memhog_print_loads(const struct workers *w)
{
	printf("loads %.2f\n", memhog_loads(w));
}

void
memhog_print_sizes(const struct workers *w, const struct plan *p)
{
	struct sums s = add_up(w);
	char asked[32], mapped[32], resident[32], swapped[32], locked[32];

	if (!s.told)
		return;
	printf("asked %s, mapped %s, resident %s, swapped %s",
	    size_text(asked, sizeof asked, p->bytes),
	    size_text(mapped, sizeof mapped, s.mapped),
	    size_text(resident, sizeof resident, s.resident),
	    size_text(swapped, sizeof swapped, s.swapped));
	if (p->lock)
		printf(", locked %s", size_text(locked, sizeof locked,
		    s.locked));
	putchar('\n');
}

void
memhog_print_row(const struct workers *w, const struct plan *p)
{
	struct sums s = add_up(w);

	printf("processes\tasked_bytes\tmapped_bytes\tfilled_bytes\t"
	    "resident_bytes\tswapped_bytes\tlocked_bytes\tloads\tread_pages\t"
	    "written_pages\tchecked_pages\tseed\tpattern\tcontent\n");
	printf("%" PRIu64 "\t%" PRIu64, p->procs, p->bytes);
	cell(s.mapped);
	cell(s.filled);
	cell(s.resident);
	cell(s.swapped);
	cell(s.locked);
	printf("\t%.2f", memhog_loads(w));
	cell(s.reads);
	cell(s.writes);
	cell(s.checks);
	printf("\t%" PRIu64 "\t%s\t%s\n", p->seed,
	    pattern_names[p->pattern.kind].name, p->content_text);
}

void
memhog_print_fault(const struct workers *w, uint64_t index)
{
	const struct hog_result *r = workers_result(w, index);
	char line[256];

	if (r->fault[0] != '\0')
		warnx("process %" PRIu64 " of %" PRIu64 " (pid %ld): %s",
		    index + 1, w->procs, (long)w->worker[index].pid, r->fault);
	else
		warnx("%s", workers_describe(w, line, sizeof line));
}

static struct sums
add_up(const struct workers *w)
{
	struct sums s = { .told = 1 };
	const struct hog_result *r;

	for (uint64_t i = 0; i < w->started; i++) {
		r = workers_result(w, i);
		s.told &= r->told;
		add(&s.mapped, r->mapped_bytes);
		add(&s.filled, r->told ? r->filled_bytes : UINT64_MAX);
		add(&s.resident, r->told ? r->resident_bytes : UINT64_MAX);
		add(&s.swapped, r->told ? r->swapped_bytes : UINT64_MAX);
		add(&s.locked, r->told ? r->locked_bytes : UINT64_MAX);
		add(&s.reads, r->read_pages);
		add(&s.writes, r->written_pages);
		add(&s.checks, r->checked_pages);
	}
	return s;
}

static void
add(uint64_t *sum, uint64_t value)
{
	if (*sum == UINT64_MAX || units_add(*sum, value, sum) == -1 ||
	    value == UINT64_MAX)
		*sum = UINT64_MAX;
}

static const char *
size_text(char *buf, size_t size, uint64_t bytes)
{
	return bytes == UINT64_MAX ? "unknown" :
	    units_print_size(buf, size, bytes);
}

static void
cell(uint64_t value)
{
	if (value == UINT64_MAX)
		fputs("\t-", stdout);
	else
		printf("\t%" PRIu64, value);
}
