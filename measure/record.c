/*
 * record: run one command, write down what it cost.
 *
 * Prints a line as time(1) does and, on request, appends a row to runs.tsv.
 * Left out on purpose: repeats, statistics and the making of memory groups;
 * the scripts do that.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "exits.h"
#include "measure.h"
#include "options.h"
#include "proc.h"
#include "report.h"
#include "row.h"
#include "run.h"
#include "trigger.h"
#include "verdict.h"

static struct options opt;

/* One run, and what is known about it. */
struct job {
	char started[32];
	char *command;		/* as typed */
	char *enter;		/* cgroup.procs to enter by, or NULL */
	char *rows;		/* path of runs.tsv, or NULL */
	char *samples;		/* path of the samples, or NULL */
	FILE *line;		/* where the line goes */
	struct run_result run;
	struct measure measure;
	struct row row;
};

static void hold_standard_files(void);
static void prepare(struct job *);
static void prepare_cpus(void);
static void prepare_folder(struct job *);
static void prepare_group(struct job *);
static int await_condition(struct job *);
static int skipped(struct job *);
static void begin(struct job *);
static void run(struct job *);
static void drain(void *);
static void cannot_start(const struct job *, int, int);
static int finish(struct job *);
static void tell_end(const struct job *);
static void fill_row(struct job *);
static void fill_names(struct job *);
static int print_line(struct job *);
static int write_line(struct job *);
static int append_row(struct job *);
static int status_of(const struct job *);

static char talk[BUFSIZ];

int
main(int argc, char **argv)
{
	static struct job job;
	int failed = 0, status;

	hold_standard_files();
	/* Without a buffer a line would leave in pieces. */
	setvbuf(stderr, talk, _IOLBF, sizeof(talk));
	status = options_parse(&opt, argc, argv);
	if (status != OPTIONS_GOOD)
		return status;
	prepare(&job);
	if (opt.condition != NULL && !await_condition(&job))
		return skipped(&job);
	begin(&job);
	run(&job);
	failed |= finish(&job);
	failed |= print_line(&job);
	failed |= append_row(&job);
	run_restore();
	if (failed)
		return EXIT_OWN_FAULT;
	/* Interrupted: so that a loop of the shell above us ends as well. */
	if (job.run.asked == SIGINT || (job.run.on_terminal &&
	    WIFSIGNALED(job.run.status) && WTERMSIG(job.run.status) == SIGINT))
		exits_by_signal(SIGINT);
	return status_of(&job);
}

/*
 * Where one of the first three files is closed, the next that is opened would
 * take its number, and get what is meant for people.  The command finds it
 * closed as we did; writing to it fails, as it should.
 */
static void
hold_standard_files(void)
{
	int fd;

	for (fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) == -1)
			open("/dev/null", O_RDONLY | O_CLOEXEC);
	}
}

/* Open what is written to at the end: a bad path must not cost a run. */
static void
prepare(struct job *job)
{
	row_init(&job->row);
	job->line = stderr;
	job->command = report_command(opt.command);
	if (job->command == NULL)
		err(EXIT_OWN_FAULT, NULL);
	if (opt.heed) {
		/* A shell has both ignored in what it runs with "&". */
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
	}
	if (opt.pinned)
		prepare_cpus();
	if (opt.file != NULL) {
		job->line = fopen(opt.file, "ae");
		if (job->line == NULL)
			err(EXIT_OWN_FAULT, "%s", opt.file);
	}
	if (opt.folder != NULL)
		prepare_folder(job);
	if (opt.group != NULL)
		prepare_group(job);
	if (options_row(&opt) && measure_open(&job->measure, &opt) == -1) {
		if (errno == ENOTSUP)
			errx(EXIT_OWN_FAULT, "%s: not a memory group",
			    opt.group);
		err(EXIT_OWN_FAULT, "%s", opt.group);
	}
}

/* The command enters the group, unless we are in it ourselves. */
static void
prepare_group(struct job *job)
{
	static struct proc_cgroup own;
	char *group = realpath(opt.group, NULL);
	size_t length;
	int fd;

	if (group == NULL)
		err(EXIT_OWN_FAULT, "%s", opt.group);
	length = strlen(group);
	if (proc_cgroup_find("", "self", &own) == 0 &&
	    own.version != PROC_CGROUP_NONE &&
	    strncmp(own.dir, group, length) == 0 &&
	    (own.dir[length] == '/' || own.dir[length] == '\0')) {
		free(group);
		return;
	}
	free(group);
	if (asprintf(&job->enter, "%s/cgroup.procs", opt.group) == -1)
		err(EXIT_OWN_FAULT, NULL);
	fd = open(job->enter, O_WRONLY | O_CLOEXEC);
	if (fd == -1)
		err(EXIT_OWN_FAULT, "%s: cannot enter", opt.group);
	close(fd);
}

/* The kernel would leave out without a word what is not there. */
static void
prepare_cpus(void)
{
	cpu_set_t before, now;

	if (sched_getaffinity(0, sizeof(before), &before) == -1 ||
	    sched_setaffinity(0, sizeof(opt.cpus), &opt.cpus) == -1 ||
	    sched_getaffinity(0, sizeof(now), &now) == -1)
		err(EXIT_OWN_FAULT, "-P: cannot run on these CPUs");
	if (!CPU_EQUAL(&now, &opt.cpus))
		errx(EXIT_OWN_FAULT, "-P: not all of these CPUs can be used");
	sched_setaffinity(0, sizeof(before), &before);
}

static void
prepare_folder(struct job *job)
{
	char *samples;
	int fd;

	if (asprintf(&job->rows, "%s/runs.tsv", opt.folder) == -1 ||
	    asprintf(&samples, "%s/samples", opt.folder) == -1)
		err(EXIT_OWN_FAULT, NULL);
	fd = open(job->rows, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd == -1)
		err(EXIT_OWN_FAULT, "%s", job->rows);
	close(fd);
	if (opt.interval_ns != 0 && mkdir(samples, 0777) == -1 &&
	    errno != EEXIST)
		err(EXIT_OWN_FAULT, "%s", samples);
	free(samples);
}

/* Returns nonzero when the command is to be started; else the row says why. */
static int
await_condition(struct job *job)
{
	const char *why = NULL;
	char *outcome;
	int held, n;

	held = trigger_wait(&opt.trigger, "", opt.wait_ns, &why);
	if (held == 1)
		return 1;
	n = held == -1 ? asprintf(&outcome, "skipped:%s: %s", opt.condition,
	    why) : asprintf(&outcome, "skipped:%s did not hold within %g s",
	    opt.condition, (double)opt.wait_ns / 1e9);
	if (n == -1)
		err(EXIT_OWN_FAULT, NULL);
	warnx("%s", outcome);
	clock_print_utc(job->started, sizeof(job->started), clock_wall_ns());
	fill_names(job);
	if (row_text(&job->row, ROW_OUTCOME, outcome) == -1 ||
	    row_text(&job->row, ROW_COMMAND, job->command) == -1)
		err(EXIT_OWN_FAULT, NULL);
	free(outcome);
	return 0;
}

static int
skipped(struct job *job)
{
	int failed = append_row(job);

	if (options_whole_row(&opt))
		failed |= print_line(job);
	return failed ? EXIT_OWN_FAULT : EXIT_SKIPPED;
}

/* All that is done for a row before the command starts. */
static void
begin(struct job *job)
{
	FILE *samples = NULL;

	clock_print_utc(job->started, sizeof(job->started), clock_wall_ns());
	if (!options_row(&opt))
		return;
	if (opt.interval_ns != 0 && opt.folder != NULL) {
		if (asprintf(&job->samples, "%s/samples/%s-%ld.tsv",
		    opt.folder, job->started, (long)getpid()) == -1)
			err(EXIT_OWN_FAULT, NULL);
		samples = fopen(job->samples, "wxe");
		if (samples == NULL)
			err(EXIT_OWN_FAULT, "%s", job->samples);
	}
	if (measure_begin(&job->measure, samples) == -1)
		err(EXIT_OWN_FAULT, "cannot take samples");
}

static void
run(struct job *job)
{
	struct run_spec spec = {
		.argv = opt.command,
		.limit_ns = opt.limit_ns, .grace_ns = opt.grace_ns,
		.cpus = opt.pinned ? &opt.cpus : NULL,
		.oom_adj = RUN_OOM_ADJ_KEEP, .enter = job->enter
	};
	int status, error;

	if (options_row(&opt)) {
		spec.copy = 1;
		spec.oom_adj = job->measure.oom_adj;
	}
	if (opt.group != NULL)
		spec.oom_adj = measure_victim(spec.oom_adj);
	if (job->measure.sampler != NULL) {
		spec.idle = drain;
		spec.idle_ns = SAMPLER_DRAIN_NS;
		spec.arg = job->measure.sampler;
	}
	status = run_command(&spec, &job->run);
	error = errno;
	if (options_row(&opt))
		measure_end(&job->measure);
	if (run_clear(&spec, &job->run) == -1)
		err(EXIT_OWN_FAULT, "cannot find what %s left behind",
		    opt.command[0]);
	if (status == -1 || job->run.exec_error != 0)
		cannot_start(job, status, error);
}

static void
drain(void *sampler)
{
	sampler_drain(sampler);
}

/* Nothing was run, so there is no row either. */
static void
cannot_start(const struct job *job, int status, int error)
{
	const char *name = opt.command[0];

	if (job->samples != NULL)
		unlink(job->samples);
	run_restore();
	errno = error;
	if (status == -1 && error == ECHILD)
		errx(EXIT_OWN_FAULT, "%s: was killed with the process that "
		    "watched it", name);
	if (status == -1)
		err(EXIT_OWN_FAULT, "cannot start %s", name);
	errno = job->run.enter_error;
	if (errno != 0)
		err(EXIT_OWN_FAULT, "%s: cannot enter", opt.group);
	errno = job->run.exec_error;
	err(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE, "%s", name);
}

/* Returns nonzero, having said so, when samples could not be written. */
static int
finish(struct job *job)
{
	int failed = 0;
	FILE *samples = job->measure.samples_file;

	tell_end(job);
	if (!options_row(&opt))
		return 0;
	if (measure_finish(&job->measure) == -1)
		failed = 1;
	if (samples != NULL && fclose(samples) == EOF)
		failed = 1;
	if (failed)
		warn("%s: samples of this run are lost", job->samples);
	fill_row(job);
	return failed;
}

/* What a person must know beside the figures. */
static void
tell_end(const struct job *job)
{
	const struct run_result *r = &job->run;
	const char *name = opt.command[0];

	if (r->stuck > 0)
		warnx("%s: %u processes cannot be ended", name, r->stuck);
	if (opt.quiet)
		return;
	if (r->timed_out)
		warnx("%s: time limit of %g s passed%s", name,
		    (double)opt.limit_ns / 1e9, r->killed ? ", killed" : "");
	else if (WIFSIGNALED(r->status))
		warnx("%s: killed by signal %d (%s)", name,
		    WTERMSIG(r->status), strsignal(WTERMSIG(r->status)));
	if (r->stopped > 0)
		warnx("%s: left %u processes behind, ended now", name,
		    r->stopped);
}

static void
fill_row(struct job *job)
{
	const struct counters_delta *delta = &job->measure.delta;
	struct verdict_end end = {
		.status = job->run.status, .timed_out = job->run.timed_out,
		.asked = job->run.asked, .kill_seen = job->run.kill_seen,
		.oom_group = delta->oom_group, .oom_host = delta->oom_host,
		.good = opt.good
	};
	struct timefmt_run time;
	struct row *row = &job->row;
	char outcome[64], why[128];

	report_time(&job->run, job->command, opt.command, &time);
	fill_names(job);
	verdict_outcome(outcome, sizeof(outcome), &end);
	if (report_figures(row, &time) == -1 ||
	    row_text(row, ROW_OUTCOME, outcome) == -1 ||
	    measure_row(&job->measure, &job->run, row, why, sizeof(why)) == -1)
		err(EXIT_OWN_FAULT, NULL);
	if (opt.quiet)
		return;
	if (strcmp(outcome, "oom") == 0)
		warnx("%s: met the OOM killer", opt.command[0]);
	if (row->cell[ROW_PRESSURE] != NULL &&
	    strcmp(row->cell[ROW_PRESSURE], "disturbed") == 0)
		warnx("disturbed: %s", why);
}

/* When this run began, and what those above us call it. */
static void
fill_names(struct job *job)
{
	const struct {
		enum row_column column;
		const char *text;
	} names[] = {
		{ ROW_STARTED, job->started }, { ROW_LABEL, opt.label },
		{ ROW_LOAD, getenv("QS_LOAD") }, { ROW_JOB, getenv("QS_JOB") },
		{ ROW_RUN, getenv("QS_RUN") },
		{ ROW_SAMPLES, job->samples == NULL ? NULL :
		    job->samples + strlen(opt.folder) + 1 }
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].text != NULL && row_text(&job->row,
		    names[i].column, names[i].text) == -1)
			err(EXIT_OWN_FAULT, NULL);
	}
}

/* Returns nonzero, having said so, when it could not be written. */
static int
print_line(struct job *job)
{
	int status;

	if (opt.quiet && opt.file == NULL)
		return 0;
	status = write_line(job);
	if (opt.file != NULL && fclose(job->line) == EOF)
		status = -1;
	if (status == -1)
		warn("%s", opt.file != NULL ? opt.file : "standard error");
	return status == -1;
}

static int
write_line(struct job *job)
{
	struct timefmt_run time;

	if (opt.format == TIMEFMT_JSON)
		return report_json(&job->row, job->line);
	if (opt.format == TIMEFMT_TSV) {
		if (opt.file != NULL)
			return row_append(&job->row, opt.file);
		if (row_write_header(job->line) == -1)
			return -1;
		return row_write(&job->row, job->line);
	}
	report_time(&job->run, job->command, opt.command, &time);
	return timefmt_print(job->line, opt.format, &time);
}

static int
append_row(struct job *job)
{
	if (job->rows == NULL || row_append(&job->row, job->rows) == 0)
		return 0;
	warn("%s: the row of this run is lost", job->rows);
	return 1;
}

static int
status_of(const struct job *job)
{
	if (job->run.timed_out)
		return EXIT_TIMEOUT;
	if (job->run.asked != 0)
		return EXIT_SIGNAL_BASE + job->run.asked;
	return exits_from_wait(job->run.status);
}
