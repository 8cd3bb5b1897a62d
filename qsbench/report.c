/*
 * report: what qsbench says about its processes.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include "clock.h"
#include "report.h"
#include "units.h"

void
report_seed(const struct job *j)
{
	printf("seed = %" PRIu32 "\n", j->seed);
}

void
report_plan(const struct job *j, uint64_t procs)
{
	uint64_t bytes = (uint64_t)j->n * sizeof(int32_t);
	char size[32];

	warnx("%" PRIu64 " process%s of %zu elements (%s%s), sorted by %s",
	    procs, procs == 1 ? "" : "es", j->n,
	    units_print_size(size, sizeof(size), bytes),
	    j->algorithm->scratch > 0 ? " and as much again" : "",
	    j->algorithm->name);
}

void
report_rows(const struct workers *w, const struct job *j)
{
	const double ns_per_s = (double)CLOCK_NS_PER_S;
	const struct job_result *r;
	const struct worker *p;

	printf("process\tpid\tseed\tfill_s\tsort_s\tverify_s\tmajflt\tminflt\t"
	    "checksum\n");
	for (uint64_t i = 0; i < w->started; i++) {
		r = workers_result(w, i);
		p = &w->worker[i];
		if (!r->verified || !p->ended)
			continue;
		printf("%" PRIu64 "\t%ld\t%" PRIu32 "\t%.3f\t%.3f\t%.3f\t%ld\t"
		    "%ld\t%016" PRIx64 "\n", i + 1, (long)p->pid,
		    job_seed(j, i), (double)r->fill_ns / ns_per_s,
		    (double)r->sort_ns / ns_per_s,
		    (double)r->verify_ns / ns_per_s, p->usage.ru_majflt,
		    p->usage.ru_minflt, r->checksum);
	}
}

void
report_fault(const struct workers *w)
{
	const struct job_result *r;
	char line[256];

	if (w->end == WORKERS_FAILED) {
		r = workers_result(w, w->first);
		if (r->fault[0] != '\0') {
			warnx("worker %" PRIu64 " of %" PRIu64 " (pid %ld): %s",
			    w->first + 1, w->procs,
			    (long)w->worker[w->first].pid, r->fault);
			return;
		}
	}
	warnx("%s", workers_describe(w, line, sizeof(line)));
}
