/*
 * qsbench: sort large arrays of integers in some processes, and see that they
 * come out right.
 *
 * With the options of the qsbench of 2001 to 2009 it does what that did: the
 * same data, the same order of page accesses, the same output.  Left out on
 * purpose: any measuring beyond -v; that is what record and timed are for.
 */
#include <sys/types.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exits.h"
#include "job.h"
#include "memory.h"
#include "report.h"
#include "sort.h"
#include "units.h"
#include "workers.h"

#define MIB UINT64_C(1048576)
#define DEFAULT_COUNT 1000000

static struct options {
	struct job job;
	uint64_t procs;
	uint64_t stagger_ns;
	const char *count, *size, *dir;	/* as given, NULL if not */
	int verbose;
} options = { .procs = 1, .job.seed = 1 };

static void parse(int argc, char *argv[]);
static void parse_option(int letter, const char *value);
static uint64_t number(int letter, const char *value, uint64_t least,
    uint64_t most);
static uint64_t duration(int letter, const char *value);
static const struct sort_algorithm *algorithm(const char *name);
static void advise(enum memory_thp thp);
static void check(void);
static void set_elements(void);
static uint64_t size_elements(const char *value);
static void set_dir(void);
static int run(void);
static int conclude(const struct workers *w);
static void print_version(void);
static void help(void);
static _Noreturn void usage(void);

int
main(int argc, char *argv[])
{
	int status;

	/* A file that is opened later would become a closed stdout. */
	if (fcntl(STDOUT_FILENO, F_GETFD) == -1)
		err(EXIT_FAILED, "stdout");
	if (argc < 2)
		usage();
	parse(argc, argv);
	check();
	status = run();
	if (exits_flush_stdout() == -1) {
		warn("stdout");
		if (status == EXIT_GOOD)
			status = EXIT_FAILED;
	}
	return status;
}

static void
parse(int argc, char *argv[])
{
	int c;

	options.job.algorithm = sort_algorithms;
	while ((c = getopt(argc, argv, ":a:d:HhMm:n:p:s:TuVvw:z:")) != -1) {
		if (c == ':')
			errx(EXIT_USAGE, "-%c needs a value", optopt);
		if (c == '?') {
			warnx("unknown option -%c", optopt);
			usage();
		}
		parse_option(c, optarg);
	}
	if (optind < argc)
		errx(EXIT_USAGE, "%s: there are no arguments but options",
		    argv[optind]);
}

static void
parse_option(int letter, const char *value)
{
	struct options *o = &options;

	switch (letter) {
	case 'a': o->job.algorithm = algorithm(value); break;
	case 'd': o->dir = value; break;
	case 'H': advise(MEMORY_THP_OFF); break;
	case 'h': help(); exit(EXIT_GOOD);
	case 'M': o->job.kind = MEMORY_FILE; break;
	case 'm': o->size = value; break;
	case 'n': o->count = value; break;
	case 'p': o->procs = number('p', value, 1, INT32_MAX); break;
	case 's': o->job.seed = (uint32_t)number('s', value, 0, UINT32_MAX);
		break;
	case 'T': advise(MEMORY_THP_ON); break;
	case 'u': o->job.unique = 1; break;
	case 'V': print_version(); exit(EXIT_GOOD);
	case 'v': o->verbose = 1; break;
	case 'w': o->stagger_ns = duration('w', value); break;
	case 'z': o->job.sleep_ns = duration('z', value); break;
	}
}

static uint64_t
number(int letter, const char *value, uint64_t least, uint64_t most)
{
	uint64_t n;
	const char *why = units_count(value, most, &n);

	if (why != NULL)
		errx(EXIT_USAGE, "-%c %s: %s", letter, value, why);
	if (n < least)
		errx(EXIT_USAGE, "-%c %s: less than %" PRIu64, letter, value,
		    least);
	return n;
}

static uint64_t
duration(int letter, const char *value)
{
	uint64_t ns;
	const char *why = units_duration(value, &ns);

	if (why != NULL)
		errx(EXIT_USAGE, "-%c %s: %s", letter, value, why);
	return ns;
}

static const struct sort_algorithm *
algorithm(const char *name)
{
	const struct sort_algorithm *s = sort_find(name);
	char names[80] = "";
	size_t length;

	if (s != NULL)
		return s;
	for (s = sort_algorithms; s->name != NULL; s++) {
		length = strlen(names);
		snprintf(names + length, sizeof(names) - length, " %s",
		    s->name);
	}
	errx(EXIT_USAGE, "-a %s: not one of%s", name, names);
}

static void
advise(enum memory_thp thp)
{
	if (options.job.thp != MEMORY_THP_ASIS && options.job.thp != thp)
		errx(EXIT_USAGE, "-H and -T exclude each other");
	options.job.thp = thp;
}

/* What depends on more than one option. */
static void
check(void)
{
	const struct options *o = &options;

	if (o->count != NULL && o->size != NULL)
		errx(EXIT_USAGE, "-n %s and -m %s exclude each other",
		    o->count, o->size);
	if (o->dir != NULL && o->job.kind != MEMORY_FILE)
		errx(EXIT_USAGE, "-d %s: only with -M", o->dir);
	if (o->job.unique && o->procs - 1 > UINT32_MAX - o->job.seed)
		errx(EXIT_USAGE, "-u: seed %" PRIu32 " + %" PRIu64
		    " is too large", o->job.seed, o->procs - 1);
	set_elements();
	if (o->job.kind == MEMORY_FILE)
		set_dir();
}

static void
set_elements(void)
{
	struct options *o = &options;
	uint64_t n = DEFAULT_COUNT, arrays = 1 + o->job.algorithm->scratch;

	if (o->count != NULL)
		n = number('n', o->count, 0, UINT64_MAX);
	if (o->size != NULL)
		n = size_elements(o->size);
	/* Pointers within an array must be able to be subtracted. */
	if (n > PTRDIFF_MAX / sizeof(int32_t) / arrays)
		errx(EXIT_USAGE, "-%c %s: more than a %zu-bit program can "
		    "address", o->size != NULL ? 'm' : 'n',
		    o->size != NULL ? o->size : o->count, 8 * sizeof(void *));
	o->job.n = (size_t)n;
}

static uint64_t
size_elements(const char *value)
{
	uint64_t whole = 0, bytes;
	const char *why;

	if (strchr(value, '%') != NULL && memory_effective_bytes(&whole) == -1)
		err(EXIT_FAILED, "-m %s: cannot tell the size of memory",
		    value);
	if ((why = units_size(value, MIB, whole, &bytes)) != NULL)
		errx(EXIT_USAGE, "-m %s: %s", value, why);
	if (whole > 0 && bytes > whole)
		errx(EXIT_USAGE, "-m %s: more than 100%%", value);
	return bytes / sizeof(int32_t);
}

/* Whether files can be made there is found out before any process starts. */
static void
set_dir(void)
{
	struct memory_map page;
	const char *dir = options.dir;

	if (dir == NULL)
		dir = getenv("TMPDIR");
	if (dir == NULL || *dir == '\0')
		dir = "/tmp";
	if (memory_map(&page, memory_page_bytes(), MEMORY_FILE,
	    MEMORY_THP_ASIS, dir) == -1)
		err(EXIT_FAILED, "-M: cannot map a file in %s", dir);
	memory_unmap(&page);
	options.job.dir = dir;
}

static int
run(void)
{
	struct options *o = &options;
	struct workers_spec spec = {
		.procs = o->procs,
		.body = job_run,
		.arg = &o->job,
		.result_bytes = sizeof(struct job_result),
		.gate = o->stagger_ns == 0,
		.stagger_ns = o->stagger_ns
	};
	struct workers w;
	int status;

	if (o->procs == 1 || o->verbose)
		report_seed(&o->job);
	/* Nobody wants to wait for a result that cannot be written. */
	if (exits_flush_stdout() == -1)
		err(EXIT_FAILED, "stdout");
	if (o->verbose)
		report_plan(&o->job, o->procs);
	if (workers_run(&w, &spec) == -1)
		err(EXIT_MEMORY, "cannot start %" PRIu64 " processes",
		    o->procs);
	if (o->verbose)
		report_rows(&w, &o->job);
	status = conclude(&w);
	workers_free(&w);
	return status;
}

/* The exit status, and the line that explains it. */
static int
conclude(const struct workers *w)
{
	if (w->end == WORKERS_OK)
		return EXIT_GOOD;
	if (w->end == WORKERS_SIGNAL) {
		fflush(stdout);
		exits_by_signal(w->signo);
	}
	report_fault(w);
	return workers_exit_status(w);
}

static void
print_version(void)
{
	printf("qsbench %s, workload %d\n", QS_VERSION, SORT_WORKLOAD_VERSION);
	if (exits_flush_stdout() == -1)
		err(EXIT_FAILED, "stdout");
}

static const char usage_text[] =
    "usage: qsbench [-HMTuv] [-a algorithm] [-d directory] "
    "[-m size | -n count]\n"
    "               [-p processes] [-s seed] [-w time] [-z time]\n"
    "       qsbench -h | -V\n";

static void
help(void)
{
	const struct sort_algorithm *s;

	printf("%s\n"
	    "Fill arrays of 4-byte integers, sort them, check them.\n\n"
	    "  -a algorithm  how to sort; default quick\n"
	    "  -d directory  where the file of -M is; default $TMPDIR or /tmp\n"
	    "  -H, -T        transparent huge pages off, on; default as the "
	    "system has it\n"
	    "  -M            share the array by a mapped, unlinked file\n"
	    "  -m size       of the array of each process: MiB, or 1.5G, or "
	    "50%% of memory\n"
	    "  -n count      of elements of each process; default %d\n"
	    "  -p processes  at once; default 1\n"
	    "  -s seed       of the data; default 1\n"
	    "  -u            process i uses seed + i - 1; default the same for "
	    "all\n"
	    "  -v            a line for each process: times, faults, checksum\n"
	    "  -w time       between two starts; default 0, all at once\n"
	    "  -z time       to sleep before the memory is freed; default 0\n"
	    "  -h, -V        this help, the version of suite and workload\n\n",
	    usage_text, DEFAULT_COUNT);
	for (s = sort_algorithms; s->name != NULL; s++)
		printf("  %-6s  %s\n", s->name, s->pattern);
	if (exits_flush_stdout() == -1)
		err(EXIT_FAILED, "stdout");
}

static _Noreturn void
usage(void)
{
	fputs(usage_text, stderr);
	exit(EXIT_USAGE);
}
