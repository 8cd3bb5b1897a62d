/*
 * prepare: all that record does before the command starts.
 */
#include <sys/prctl.h>
#include <sys/stat.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "proc.h"
#include "record_job.h"
#include "record_report.h"
#include "record_trigger.h"

static int prepare_cpus(const struct options *);
static int prepare_line(struct job *);
static int prepare_folder(struct job *);
static int prepare_group(struct job *);
static int is_inside(const char *);
static int prepare_measure(struct job *);
static FILE *open_samples(struct job *);

int
job_prepare(struct job *job, const struct options *opt)
{
	job->opt = opt;
	row_init(&job->row);
	job->command = report_command(opt->command);
	if (job->command == NULL) {
		warn(NULL);
		return -1;
	}
	if (opt->heed) {
		/* A shell has both ignored in what it runs with "&". */
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		/* Nobody would wait for the command of a dead script. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	}
	if ((opt->pinned && prepare_cpus(opt) == -1) ||
	    prepare_line(job) == -1 ||
	    (opt->folder != NULL && prepare_folder(job) == -1) ||
	    (opt->group != NULL && prepare_group(job) == -1))
		return -1;
	return options_row(opt) ? prepare_measure(job) : 0;
}

/* The kernel would leave out without a word what is not there. */
static int
prepare_cpus(const struct options *opt)
{
	cpu_set_t before, now;

	if (sched_getaffinity(0, sizeof(before), &before) == -1 ||
	    sched_setaffinity(0, sizeof(opt->cpus), &opt->cpus) == -1 ||
	    sched_getaffinity(0, sizeof(now), &now) == -1) {
		warn("-P: cannot run on these CPUs");
		return -1;
	}
	sched_setaffinity(0, sizeof(before), &before);
	if (CPU_EQUAL(&now, &opt->cpus))
		return 0;
	warnx("-P: not all of these CPUs can be used");
	return -1;
}

static int
prepare_line(struct job *job)
{
	job->line = stderr;
	if (job->opt->file == NULL)
		return 0;
	job->line = fopen(job->opt->file, "ae");
	if (job->line != NULL)
		return 0;
	warn("%s", job->opt->file);
	return -1;
}

static int
prepare_folder(struct job *job)
{
	char *samples = NULL;
	int fd, status = 0;

	if (asprintf(&job->rows, "%s/runs.tsv", job->opt->folder) == -1 ||
	    asprintf(&samples, "%s/samples", job->opt->folder) == -1) {
		warn(NULL);
		return -1;
	}
	fd = open(job->rows, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd == -1) {
		warn("%s", job->rows);
		status = -1;
	} else if (job->opt->interval_ns != 0 &&
	    mkdir(samples, 0777) == -1 && errno != EEXIST) {
		warn("%s", samples);
		status = -1;
	}
	if (fd != -1)
		close(fd);
	free(samples);
	return status;
}

/* The command enters the group, unless we are in it ourselves. */
static int
prepare_group(struct job *job)
{
	const char *group = job->opt->group;
	int fd, inside = is_inside(group);

	if (inside != 0)
		return inside == 1 ? 0 : -1;
	if (asprintf(&job->enter, "%s/cgroup.procs", group) == -1) {
		warn(NULL);
		return -1;
	}
	fd = open(job->enter, O_WRONLY | O_CLOEXEC);
	if (fd == -1) {
		warn("%s: cannot enter", group);
		return -1;
	}
	close(fd);
	return 0;
}

/* Whether we are in the group or below it; -1 when there is no such folder. */
static int
is_inside(const char *folder)
{
	static struct proc_cgroup own;
	char *group = realpath(folder, NULL);
	size_t length;
	int inside;

	if (group == NULL) {
		warn("%s", folder);
		return -1;
	}
	length = strlen(group);
	inside = proc_cgroup_find("", "self", &own) == 0 &&
	    own.version != PROC_CGROUP_NONE &&
	    strncmp(own.dir, group, length) == 0 &&
	    (own.dir[length] == '/' || own.dir[length] == '\0');
	free(group);
	return inside;
}

static int
prepare_measure(struct job *job)
{
	if (measure_open(&job->measure, job->opt) == 0)
		return 0;
	if (errno == ENOTSUP)
		warnx("%s: not a memory group", job->opt->group);
	else
		warn("%s", job->opt->group);
	return -1;
}

int
job_await(struct job *job)
{
	const struct options *opt = job->opt;
	const char *why = NULL;
	char *outcome;
	int held, n, status;

	held = trigger_wait(&opt->trigger, "", opt->wait_ns, &why);
	if (held == 1)
		return 1;
	clock_print_utc(job->started, sizeof(job->started), clock_wall_ns());
	n = held == -1 ? asprintf(&outcome, "skipped:%s: %s", opt->condition,
	    why) : asprintf(&outcome, "skipped:%s did not hold within %g s",
	    opt->condition, (double)opt->wait_ns / 1e9);
	if (n == -1) {
		warn(NULL);
		return -1;
	}
	warnx("%s", outcome);
	status = row_text(&job->row, ROW_OUTCOME, outcome) == -1 ||
	    row_text(&job->row, ROW_COMMAND, job->command) == -1 ||
	    job_fill_names(job) == -1 ? -1 : 0;
	if (status == -1)
		warn(NULL);
	free(outcome);
	return status;
}

int
job_begin(struct job *job)
{
	FILE *samples = NULL;

	clock_print_utc(job->started, sizeof(job->started), clock_wall_ns());
	if (!options_row(job->opt))
		return 0;
	if (job->opt->interval_ns != 0 && job->opt->folder != NULL) {
		samples = open_samples(job);
		if (samples == NULL)
			return -1;
	}
	if (measure_begin(&job->measure, samples) == 0)
		return 0;
	warn("cannot take samples");
	return -1;
}

static FILE *
open_samples(struct job *job)
{
	FILE *file;

	if (asprintf(&job->samples, "%s/samples/%s-%ld.tsv", job->opt->folder,
	    job->started, (long)getpid()) == -1) {
		warn(NULL);
		return NULL;
	}
	file = fopen(job->samples, "wxe");
	if (file == NULL)
		warn("%s", job->samples);
	return file;
}
