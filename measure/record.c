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
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "cpus.h"
#include "exits.h"
#include "report.h"
#include "row.h"
#include "run.h"
#include "units.h"
#include "verdict.h"

#define USAGE \
	"usage: record [-hIqV] [-F format] [-f file] [-k grace] [-L label]\n" \
	"              [-O statuses] [-o folder] [-P cpus] [-t limit]\n" \
	"              [--] command [argument ...]\n"

static struct options {
	enum timefmt format;
	const char *file;	/* -f: where the line goes; NULL stderr */
	const char *label;
	const char *folder;	/* -o: NULL no row there */
	int quiet;
	int pinned;		/* -P was given: cpus */
	cpu_set_t cpus;
	uint64_t limit_ns, grace_ns;
	unsigned char good[VERDICT_STATUSES];
	char *const *command;
} opt = {
	.format = TIMEFMT_TCSH,
	.grace_ns = 5 * CLOCK_NS_PER_S,
	.good = { 1 }
};

/* One run, and what is known about it. */
struct job {
	char started[32];
	char *command;		/* as typed */
	char *rows;		/* path of runs.tsv, or NULL */
	FILE *line;		/* where the line goes */
	struct run_result run;
	struct row row;
};

static void options_parse(int, char **);
static void option(int, const char *);
static uint64_t duration(int, const char *);
static void statuses(const char *);
_Noreturn static void bad(int, const char *, const char *);
static int wants_row(void);
static int wants_whole_row(void);
static void prepare(struct job *);
static void run(struct job *);
static void cannot_start(const struct job *);
static void tell_end(const struct job *);
static void fill_row(struct job *);
static void fill_names(struct row *);
static int print_line(struct job *);
static int write_line(struct job *);
static int append_row(struct job *);
static int status_of(const struct job *);
static void help(void);
_Noreturn static void usage(void);

static char talk[BUFSIZ];

int
main(int argc, char **argv)
{
	struct job job;
	int failed = 0;

	/* Without a buffer a line would leave in pieces. */
	setvbuf(stderr, talk, _IOLBF, sizeof(talk));
	options_parse(argc, argv);
	prepare(&job);
	run(&job);
	tell_end(&job);
	if (wants_row())
		fill_row(&job);
	failed |= print_line(&job);
	failed |= append_row(&job);
	row_free(&job.row);
	run_restore();
	if (failed)
		return EXIT_OWN_FAULT;
	/* Interrupted: so that a loop of the shell above us ends as well. */
	if (job.run.asked == SIGINT || (job.run.on_terminal &&
	    WIFSIGNALED(job.run.status) && WTERMSIG(job.run.status) == SIGINT))
		exits_by_signal(SIGINT);
	return status_of(&job);
}

static void
options_parse(int argc, char **argv)
{
	int letter;

	opt.folder = getenv("QS_RESULTS");
	opt.label = getenv("QS_LABEL");
	while ((letter = getopt(argc, argv, "+F:f:hIk:L:O:o:P:qt:V")) != -1)
		option(letter, optarg);
	if (optind == argc) {
		warnx("no command given");
		usage();
	}
	opt.command = argv + optind;
}

static void
option(int letter, const char *arg)
{
	const char *why = NULL;

	switch (letter) {
	case 'F':
		if (timefmt_by_name(arg, &opt.format) == -1) {
			warnx("-F %s: not one of %s", arg, timefmt_names());
			usage();
		}
		break;
	case 'f':
		opt.file = arg;
		break;
	case 'h':
		help();
		exit(exits_flush_stdout() == 0 ? EXIT_GOOD : EXIT_OWN_FAULT);
	case 'I':
		/* A shell has both ignored in what it runs with "&". */
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		break;
	case 'k':
		opt.grace_ns = duration(letter, arg);
		break;
	case 'L':
		opt.label = arg;
		break;
	case 'O':
		statuses(arg);
		break;
	case 'o':
		opt.folder = arg;
		break;
	case 'P':
		why = cpus_parse(arg, &opt.cpus);
		opt.pinned = 1;
		break;
	case 'q':
		opt.quiet = 1;
		break;
	case 't':
		opt.limit_ns = duration(letter, arg);
		break;
	case 'V':
		puts("record " QS_VERSION);
		exit(exits_flush_stdout() == 0 ? EXIT_GOOD : EXIT_OWN_FAULT);
	default:
		usage();
	}
	if (why != NULL)
		bad(letter, arg, why);
}

static uint64_t
duration(int letter, const char *arg)
{
	const char *why;
	uint64_t ns = 0;

	why = units_duration(arg, &ns);
	if (why == NULL && ns > (uint64_t)INT64_MAX / 4)
		why = "too large";
	if (why != NULL)
		bad(letter, arg, why);
	return ns;
}

/* The exit statuses that count as success: a list such as 0,1. */
static void
statuses(const char *arg)
{
	char number[16];
	const char *from = arg, *why;
	uint64_t status;
	size_t length;

	memset(opt.good, 0, sizeof(opt.good));
	do {
		length = strcspn(from, ",");
		snprintf(number, sizeof(number), "%.*s", (int)length, from);
		why = length >= sizeof(number) ? "too large" :
		    units_count(number, VERDICT_STATUSES - 1, &status);
		if (why != NULL)
			bad('O', arg, why);
		opt.good[status] = 1;
		from += length;
	} while (*from++ == ',');
}

static void
bad(int letter, const char *arg, const char *why)
{
	warnx("-%c %s: %s", letter, arg, why);
	usage();
}

static int
wants_whole_row(void)
{
	return opt.format == TIMEFMT_TSV || opt.format == TIMEFMT_JSON;
}

static int
wants_row(void)
{
	return opt.folder != NULL || wants_whole_row();
}

/* Open what is written to at the end: a bad path must not cost a run. */
static void
prepare(struct job *job)
{
	int fd;

	memset(job, 0, sizeof(*job));
	job->line = stderr;
	row_init(&job->row);
	job->command = report_command(opt.command);
	if (job->command == NULL)
		err(EXIT_OWN_FAULT, NULL);
	if (opt.pinned && sched_setaffinity(0, sizeof(opt.cpus),
	    &opt.cpus) == -1)
		err(EXIT_OWN_FAULT, "-P: cannot run on these CPUs");
	if (opt.file != NULL) {
		job->line = fopen(opt.file, "ae");
		if (job->line == NULL)
			err(EXIT_OWN_FAULT, "%s", opt.file);
	}
	if (opt.folder == NULL)
		return;
	if (asprintf(&job->rows, "%s/runs.tsv", opt.folder) == -1)
		err(EXIT_OWN_FAULT, NULL);
	fd = open(job->rows, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd == -1)
		err(EXIT_OWN_FAULT, "%s", job->rows);
	close(fd);
}

static void
run(struct job *job)
{
	struct run_spec spec = {
		.argv = opt.command,
		.limit_ns = opt.limit_ns, .grace_ns = opt.grace_ns,
		.cpus = opt.pinned ? &opt.cpus : NULL,
		.oom_adj = RUN_OOM_ADJ_KEEP, .copy = wants_row()
	};
	int status, error;

	clock_print_utc(job->started, sizeof(job->started), clock_wall_ns());
	status = run_command(&spec, &job->run);
	error = errno;
	if (run_clear(&spec, &job->run) == -1)
		err(EXIT_OWN_FAULT, "cannot find what %s left behind",
		    opt.command[0]);
	if (status == -1) {
		run_restore();
		if (error == ECHILD)
			errx(EXIT_OWN_FAULT, "%s: was killed with the process "
			    "that watched it", opt.command[0]);
		errno = error;
		err(EXIT_OWN_FAULT, "cannot start %s", opt.command[0]);
	}
	if (job->run.exec_error != 0)
		cannot_start(job);
}

static void
cannot_start(const struct job *job)
{
	run_restore();
	errno = job->run.exec_error;
	err(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE, "%s",
	    opt.command[0]);
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
	struct verdict_end end = {
		.status = job->run.status, .timed_out = job->run.timed_out,
		.asked = job->run.asked, .kill_seen = job->run.kill_seen,
		.oom_group = UINT64_MAX, .oom_host = UINT64_MAX,
		.good = opt.good
	};
	struct timefmt_run time;
	struct row *row = &job->row;
	char text[8192];
	cpu_set_t cpus;

	report_time(&job->run, job->command, opt.command, &time);
	if (report_figures(row, &time) == -1)
		err(EXIT_OWN_FAULT, NULL);
	fill_names(row);
	row_text(row, ROW_STARTED, job->started);
	row_text(row, ROW_OUTCOME, verdict_outcome(text, sizeof(text), &end));
	if (sched_getaffinity(0, sizeof(cpus), &cpus) == 0)
		row_text(row, ROW_CPUS, cpus_print(text, sizeof(text), &cpus));
}

/* What those above us call this run. */
static void
fill_names(struct row *row)
{
	static const struct {
		enum row_column column;
		const char *variable;
	} names[] = {
		{ ROW_LOAD, "QS_LOAD" }, { ROW_JOB, "QS_JOB" },
		{ ROW_RUN, "QS_RUN" }
	};
	const char *text;
	size_t i;

	if (opt.label != NULL)
		row_text(row, ROW_LABEL, opt.label);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		text = getenv(names[i].variable);
		if (text != NULL)
			row_text(row, names[i].column, text);
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

static void
help(void)
{
	fputs(USAGE
	    "\n"
	    "Runs the command and prints what it cost, as time(1) does;\n"
	    "with a result folder, appends a row to its runs.tsv.\n"
	    "\n"
	    "  -F format    tcsh (default), gnu, gnu-v, posix, bash, ksh,\n"
	    "               zsh, busybox; json or tsv: the whole row\n"
	    "  -f file      append the line to it (default: to stderr)\n"
	    "  -h           this help\n"
	    "  -I           INT and QUIT count, even if they were ignored\n"
	    "  -k grace     from TERM to KILL (default: 5s)\n"
	    "  -L label     of the row (default: QS_LABEL)\n"
	    "  -O statuses  exit statuses of success (default: 0)\n"
	    "  -o folder    result folder (default: QS_RESULTS, or no row)\n"
	    "  -P cpus      run the command on these only, such as 0-3,8\n"
	    "  -q           no line, unless to a file, and no remarks\n"
	    "  -t limit     time limit, such as 10m (default: none)\n"
	    "  -V           the version of the suite\n", stdout);
}

static void
usage(void)
{
	fputs(USAGE, stderr);
	exit(EXIT_USAGE);
}
