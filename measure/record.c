/*
 * record: run one command, write down what it cost.
 *
 * Prints a line as time(1) does and, on request, appends a row to runs.tsv.
 * Left out on purpose: repeats, statistics and the making of memory groups;
 * the scripts do that.
 */
#include <sys/wait.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "exits.h"
#include "record_job.h"

static struct options opt;

static void hold_standard_files(void);
static int record(struct job *);
static int skip(struct job *);
static void run(struct job *);
static void drain(void *);
static void cannot_start(const struct job *, int, int);
static int finish(struct job *);
static int end_status(const struct job *);

int
main(int argc, char **argv)
{
	static char talk[BUFSIZ];
	static struct job job;
	int status;

	hold_standard_files();
	/* Without a buffer a line would leave in pieces. */
	setvbuf(stderr, talk, _IOLBF, sizeof(talk));
	status = options_parse(&opt, argc, argv);
	if (status != OPTIONS_GOOD)
		return status;
	if (job_prepare(&job, &opt) == -1)
		return EXIT_OWN_FAULT;
	return record(&job);
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

static int
record(struct job *job)
{
	int failed = 0, held = 1;

	if (opt.condition != NULL)
		held = job_await(job);
	if (held == 0)
		return skip(job);
	if (held == -1 || job_begin(job) == -1)
		return EXIT_OWN_FAULT;
	run(job);
	job_tell_end(job);
	/* Whatever cannot be written, the rest is. */
	failed |= finish(job);
	failed |= job_print_line(job);
	failed |= job_append_row(job);
	run_restore();
	return failed ? EXIT_OWN_FAULT : end_status(job);
}

/* The condition did not hold: the row says so. */
static int
skip(struct job *job)
{
	int failed = job_append_row(job);

	if (options_whole_row(&opt))
		failed |= job_print_line(job);
	return failed ? EXIT_OWN_FAULT : EXIT_SKIPPED;
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

/* Returns -1, having said so, when something of the run is lost. */
static int
finish(struct job *job)
{
	FILE *samples = job->measure.samples_file;
	int failed = 0;

	if (!options_row(&opt))
		return 0;
	if (measure_finish(&job->measure) == -1)
		failed = -1;
	if (samples != NULL && fclose(samples) == EOF)
		failed = -1;
	if (failed)
		warn("%s: samples of this run are lost", job->samples);
	return job_fill_row(job) == -1 ? -1 : failed;
}

static int
end_status(const struct job *job)
{
	const struct run_result *r = &job->run;

	if (r->timed_out)
		return EXIT_TIMEOUT;
	/* Interrupted: so that a loop of the shell above us ends as well. */
	if (r->asked == SIGINT || (r->on_terminal && WIFSIGNALED(r->status) &&
	    WTERMSIG(r->status) == SIGINT))
		exits_by_signal(SIGINT);
	return r->asked != 0 ? EXIT_SIGNAL_BASE + r->asked :
	    exits_from_wait(r->status);
}
