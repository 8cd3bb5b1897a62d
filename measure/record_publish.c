/*
 * publish: what record says and writes when the command has ended.
 */
#include <sys/wait.h>

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "record_job.h"
#include "record_report.h"
#include "record_verdict.h"
#include "timefmt.h"

static void tell_verdict(const struct job *, const char *);
static int write_line(struct job *);

void
job_tell_end(const struct job *job)
{
	const struct run_result *r = &job->run;
	const char *name = job->opt->command[0];

	if (r->stuck > 0)
		warnx("%s: %u processes cannot be ended", name, r->stuck);
	if (job->opt->quiet)
		return;
	if (r->timed_out)
		warnx("%s: time limit of %g s passed%s", name,
		    (double)job->opt->limit_ns / 1e9,
		    r->killed ? ", killed" : "");
	else if (WIFSIGNALED(r->status))
		warnx("%s: killed by signal %d (%s)", name,
		    WTERMSIG(r->status), strsignal(WTERMSIG(r->status)));
	if (r->stopped > 0)
		warnx("%s: left %u processes behind, ended now", name,
		    r->stopped);
}

int
job_fill_row(struct job *job)
{
	const struct run_result *r = &job->run;
	struct verdict_end end = {
		.status = r->status, .timed_out = r->timed_out,
		.asked = r->asked, .kill_seen = r->kill_seen,
		.oom_group = job->measure.delta.oom_group,
		.oom_host = job->measure.delta.oom_host,
		.good = job->opt->good
	};
	struct timefmt_run time;
	char outcome[64], why[128];

	report_time(r, job->command, job->opt->command, &time);
	verdict_outcome(outcome, sizeof(outcome), &end);
	if (report_figures(&job->row, &time) == -1 ||
	    row_text(&job->row, ROW_OUTCOME, outcome) == -1 ||
	    job_fill_names(job) == -1 ||
	    measure_row(&job->measure, r, &job->row, why, sizeof(why)) == -1) {
		warn(NULL);
		return -1;
	}
	if (!job->opt->quiet)
		tell_verdict(job, why);
	return 0;
}

static void
tell_verdict(const struct job *job, const char *why)
{
	const char *pressure = job->row.cell[ROW_PRESSURE];

	if (strcmp(job->row.cell[ROW_OUTCOME], "oom") == 0)
		warnx("%s: met the OOM killer", job->opt->command[0]);
	if (pressure != NULL && strcmp(pressure, "disturbed") == 0)
		warnx("disturbed: %s", why);
}

/* When this run began, and what those above us call it; -1: ENOMEM. */
int
job_fill_names(struct job *job)
{
	const struct {
		enum row_column column;
		const char *text;
	} names[] = {
		{ ROW_STARTED, job->started }, { ROW_LABEL, job->opt->label },
		{ ROW_LOAD, getenv("QS_LOAD") }, { ROW_JOB, getenv("QS_JOB") },
		{ ROW_RUN, getenv("QS_RUN") },
		{ ROW_SAMPLES, job->samples == NULL ? NULL :
		    job->samples + strlen(job->opt->folder) + 1 }
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].text != NULL && row_text(&job->row,
		    names[i].column, names[i].text) == -1)
			return -1;
	}
	return 0;
}

int
job_print_line(struct job *job)
{
	const char *file = job->opt->file;
	int status;

	if (job->opt->quiet && file == NULL)
		return 0;
	status = write_line(job);
	if (file != NULL && fclose(job->line) == EOF)
		status = -1;
	if (status == -1)
		warn("%s", file != NULL ? file : "standard error");
	return status;
}

static int
write_line(struct job *job)
{
	const struct options *opt = job->opt;
	struct timefmt_run time;

	if (opt->format == TIMEFMT_JSON)
		return report_json(&job->row, job->line);
	if (opt->format == TIMEFMT_TSV) {
		if (opt->file != NULL)
			return row_append(&job->row, opt->file);
		if (row_write_header(job->line) == -1)
			return -1;
		return row_write(&job->row, job->line);
	}
	report_time(&job->run, job->command, opt->command, &time);
	return timefmt_print(job->line, opt->format, &time);
}

int
job_append_row(struct job *job)
{
	if (job->rows == NULL || row_append(&job->row, job->rows) == 0)
		return 0;
	warn("%s: the row of this run is lost", job->rows);
	return -1;
}
