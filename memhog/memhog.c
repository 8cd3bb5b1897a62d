/*
 * memhog: hold memory, touch it as asked, and see that it stays what it was.
 *
 * The command lines of the memhog of numactl work as they do there, and with -a
 * contest it is the memory load of contest.  Left out on purpose: the dots that
 * numactl's prints, and measuring; that is what record and timed are for.
 */
#include <sys/mman.h>
#include <sys/time.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exits.h"
#include "hog.h"
#include "mapping.h"
#include "plan.h"
#include "report.h"
#include "settle.h"
#include "units.h"
#include "workers.h"

/* Of Linux 5.4; older headers lack them. */
#ifndef MADV_COLD
#define MADV_COLD 20
#define MADV_PAGEOUT 21
#endif

#define WORKLOAD_VERSION 1
#define DEFAULT_CONTENT "2"
/* After SIGTERM we are gone within a second, however long freeing takes. */
#define FAREWELL_US 700000

static struct options {
	struct plan plan;
	struct given given;
	int quiet, row, failed;
} options = {
	.plan = { .procs = 1, .seed = 1, .fd = -1, .write_milli = PLAN_ALL,
	    .content_text = DEFAULT_CONTENT }
};

static void parse(int argc, char *argv[]);
static void parse_option(int letter, const char *value);
static int is_argument(const char *s);
static void parse_argument(const char *value);
static uint64_t number(int letter, const char *value, uint64_t least,
    uint64_t most);
static uint64_t duration(int letter, const char *value);
static unsigned share(int letter, const char *value);
static void set_kind(const char *value);
static void set_advice(const char *value);
static void set_format(const char *value);
static void set_thp(enum memory_thp thp);
static void check(void);
static int run(void);
static void asked(int signo, void *arg);
static void farewell(int signo);
static int conclude(const struct workers *w);
static int worst(const struct workers *w);
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

/*
 * numactl's takes options behind the size too, and policies as "--membind", on
 * any libc: getopt(3) is not left alone with either.
 */
static void
parse(int argc, char *argv[])
{
	int c;

	while (optind < argc) {
		if (is_argument(argv[optind])) {
			parse_argument(argv[optind++]);
			continue;
		}
		c = getopt(argc, argv,
		    "+:a:C:cD:Ef:F:G:HhJj:K:lp:qR:r:s:Tt:uVvXY:y:Z:");
		if (c == -1)
			continue;
		if (c == ':')
			errx(EXIT_USAGE, "-%c needs a value", optopt);
		if (c == '?') {
			warnx("unknown option -%c", optopt);
			usage();
		}
		parse_option(c, optarg);
	}
	if (options.given.size == NULL) {
		warnx("no size is given");
		usage();
	}
}

/* Also a size below 0, so that it is refused as what it is. */
static int
is_argument(const char *s)
{
	return s[0] != '-' || s[1] == '\0' || (s[1] >= '0' && s[1] <= '9') ||
	    (s[1] == '-' && s[2] != '\0');
}

static void
parse_argument(const char *value)
{
	struct given *g = &options.given;

	if (g->size == NULL)
		g->size = value;
	else if (g->policy == NULL)
		g->policy = value;
	else if (g->nodes == NULL)
		g->nodes = value;
	else
		errx(EXIT_USAGE, "%s: there is nothing behind the nodes",
		    value);
}

static void
parse_option(int letter, const char *value)
{
	struct plan *p = &options.plan;
	struct given *g = &options.given;

	switch (letter) {
	case 'a': g->pattern = value; break;
	case 'C': p->content_text = value; break;
	case 'c': p->check = 1; break;
	case 'D': g->leave = value; break;
	case 'E': p->populate = 1; break;
	case 'f': p->file = value; p->kind = PLAN_FILE; break;
	case 'F': set_format(value); break;
	case 'G': g->grow_rate = value; break;
	case 'H': set_thp(MEMORY_THP_OFF); break;
	case 'h': help(); exit(EXIT_GOOD);
	case 'J': p->sawtooth = 1; break;
	case 'j': g->grow_step = value; break;
	case 'K': g->core = value; break;
	case 'l': p->lock = 1; break;
	case 'p': p->procs = number('p', value, 1, INT32_MAX); break;
	case 'q': options.quiet = 1; break;
	case 'R': g->rate = value; break;
	case 'r': p->rounds = number('r', value, 1, SIZE_MAX); break;
	case 's': p->seed = number('s', value, 0, UINT32_MAX); break;
	case 'T': set_thp(MEMORY_THP_ON); break;
	case 't': p->limit_ns = duration('t', value); break;
	case 'u': p->unique = 1; break;
	case 'V': print_version(); exit(EXIT_GOOD);
	case 'v': p->verbose = 1; break;
	case 'X': p->whole = 1; g->written = 1; break;
	case 'Y': p->write_milli = share('Y', value); g->written = 1; break;
	case 'y': set_kind(value); break;
	case 'Z': set_advice(value); break;
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
	if (ns == 0)
		errx(EXIT_USAGE, "-%c %s: no time", letter, value);
	return ns;
}

static unsigned
share(int letter, const char *value)
{
	uint64_t milli;
	const char *why = units_percent(value, PLAN_ALL, &milli);

	if (why != NULL)
		errx(EXIT_USAGE, "-%c %s: %s", letter, value, why);
	return (unsigned)milli;
}

static void
set_kind(const char *value)
{
	static const struct {
		const char *name;
		enum plan_kind kind;
	} kinds[] = {
		{ "anon", PLAN_ANON }, { "shared", PLAN_SHARED },
		{ "memfd", PLAN_MEMFD }, { "huge", PLAN_HUGE }
	};
	size_t i = 0, n = sizeof kinds / sizeof *kinds;

	while (i < n && strcmp(kinds[i].name, value) != 0)
		i++;
	if (i == n)
		errx(EXIT_USAGE, "-y %s: not one of anon shared memfd huge",
		    value);
	options.given.kind = value;
	if (options.plan.kind != PLAN_FILE)
		options.plan.kind = kinds[i].kind;
}

static void
set_advice(const char *value)
{
	struct plan *p = &options.plan;

	if (strcmp(value, "cold") == 0) {
		p->advice = MADV_COLD;
		p->advice_name = "-Z cold (madvise) for";
	} else if (strcmp(value, "pageout") == 0) {
		p->advice = MADV_PAGEOUT;
		p->advice_name = "-Z pageout (madvise) for";
	} else {
		errx(EXIT_USAGE, "-Z %s: not one of cold pageout", value);
	}
}

static void
set_format(const char *value)
{
	if (strcmp(value, "tsv") != 0 && strcmp(value, "text") != 0)
		errx(EXIT_USAGE, "-F %s: not one of text tsv", value);
	options.row = value[1] == 's';
}

static void
set_thp(enum memory_thp thp)
{
	if (options.plan.thp != MEMORY_THP_ASIS && options.plan.thp != thp)
		errx(EXIT_USAGE, "-H and -T exclude each other");
	options.plan.thp = thp;
}

/* What depends on more than one option, or on the machine. */
static void
check(void)
{
	struct plan *p = &options.plan;
	char fault[512];
	const char *why;
	int status;

	why = content_parse(p->content_text, p->seed, &p->content);
	if (why != NULL)
		errx(EXIT_USAGE, "-C %s: %s", p->content_text, why);
	status = settle(p, &options.given, fault, sizeof fault);
	if (status == EXIT_GOOD)
		status = mapping_prepare(p, fault, sizeof fault);
	if (status != EXIT_GOOD)
		errx(status, "%s", fault);
}

static int
run(void)
{
	struct plan *p = &options.plan;
	struct workers w;
	struct workers_spec spec = {
		.procs = p->procs,
		.body = hog_run,
		.arg = p,
		.result_bytes = sizeof(struct hog_result),
		.gate = 1,
		.asked = asked,
		.asked_arg = &w
	};
	int status;

	if (p->verbose)
		memhog_plan(p);
	if (workers_run(&w, &spec) == -1)
		err(EXIT_MEMORY, "cannot start %" PRIu64 " processes",
		    p->procs);
	status = conclude(&w);
	workers_free(&w);
	return status;
}

/*
 * SIGTERM has come: whoever sent it wants to know the loads now.  The processes
 * may be in the midst of swapping, so they are not waited for here, and not for
 * long afterwards: they end with us.
 */
static void
asked(int signo, void *arg)
{
	const struct itimerval when = { .it_value.tv_usec = FAREWELL_US };
	sigset_t set;

	if (signo != SIGTERM)
		return;
	memhog_print_loads(arg);
	if (exits_flush_stdout() == -1) {
		warn("stdout");
		options.failed = 1;
	}
	signal(SIGALRM, farewell);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	setitimer(ITIMER_REAL, &when, NULL);
}

static void
farewell(int signo)
{
	(void)signo;
	_exit(options.failed ? EXIT_FAILED : EXIT_GOOD);
}

/* The exit status, and what is to be said. */
static int
conclude(const struct workers *w)
{
	int status = worst(w);

	if (w->end == WORKERS_SIGNAL && w->signo != SIGTERM) {
		fflush(stdout);
		exits_by_signal(w->signo);
	}
	memhog_notes(w);
	if (status != EXIT_GOOD)
		return status;
	if (options.plan.pattern.kind == PATTERN_CONTEST &&
	    w->end == WORKERS_OK)
		memhog_print_loads(w);
	if (options.row)
		memhog_print_row(w, &options.plan);
	else if (!options.quiet)
		memhog_print_sizes(w, &options.plan);
	return options.failed ? EXIT_FAILED : EXIT_GOOD;
}

/* The status that fits, and the line that explains it. */
static int
worst(const struct workers *w)
{
	const struct hog_result *r;

	for (uint64_t i = 0; i < w->started; i++) {
		r = workers_result(w, i);
		if (w->end == WORKERS_SIGNAL && r->fault[0] != '\0') {
			memhog_print_fault(w, i);
			return EXIT_CORRUPT;
		}
		if (w->end == WORKERS_OK && r->stopped) {
			warnx("process %" PRIu64 " (pid %ld) was asked to end, "
			    "not we", i + 1, (long)w->worker[i].pid);
			return EXIT_FAILED;
		}
	}
	if (w->end == WORKERS_OK || w->end == WORKERS_SIGNAL)
		return EXIT_GOOD;
	memhog_print_fault(w, w->first);
	return workers_exit_status(w);
}

static void
print_version(void)
{
	printf("memhog %s, workload %d\n", QS_VERSION, WORKLOAD_VERSION);
	if (exits_flush_stdout() == -1)
		err(EXIT_FAILED, "stdout");
}

static const char usage_text[] =
    "usage: memhog [-cEHJlqTuvX] [-a pattern] [-C content] [-D size]\n"
    "              [-f file | -y kind] [-F format] [-G rate] [-j size]\n"
    "              [-K size] [-p processes] [-r rounds] [-R rate] [-s seed]\n"
    "              [-t time] [-Y share] [-Z advice] size [policy [nodes]]\n"
    "       memhog -h | -V\n";

static void
help(void)
{
	const struct pattern_name *n;

	printf("%s\n"
	    "Take memory, fill it, touch it again, check it, give it back.\n\n"
	    "  -a pattern    how pages are touched again, see below\n"
	    "  -c            check each page before it is touched, and all at "
	    "the end\n"
	    "  -C content    compresses to 1/N, 1 is random; or zero, same; "
	    "default %s\n"
	    "  -D size       stop before less than that is left available\n"
	    "  -E            populate all at once, not in steps\n"
	    "  -f file       map this file, which is overwritten\n"
	    "  -F format     of the sizes: text, tsv; default text\n"
	    "  -G rate       grow by that much a second; default at once\n"
	    "  -H, -T        transparent huge pages off, on; default as the "
	    "system has it\n"
	    "  -J            sawtooth: free all after a round and grow anew\n"
	    "  -j size       grow in jumps of that size; default smoothly\n"
	    "  -K size       touch only that much again, from the start on\n"
	    "  -l            lock the memory\n"
	    "  -p processes  that share the size; default 1\n"
	    "  -q            do not print the sizes\n"
	    "  -r rounds     filling is the first; default 1, no limit with "
	    "-a, -J, -t\n"
	    "  -R rate       touch at most that much a second\n"
	    "  -s seed       of contents and orders; default 1\n"
	    "  -t time       to go on or to hold for; default no limit\n"
	    "  -u            an order of its own for each process\n"
	    "  -v            say what is going to be done\n"
	    "  -X            writes make whole pages anew, not a word of them\n"
	    "  -y kind       of memory: anon, shared, memfd, huge; default "
	    "anon\n"
	    "  -Y share      of the touches that write; default 100%%\n"
	    "  -Z advice     after each round: cold, pageout\n"
	    "  -h, -V        this help, the version of suite and workload\n\n",
	    usage_text, DEFAULT_CONTENT);
	for (n = pattern_names; n->name != NULL; n++)
		printf("  %-8s %s\n", n->name, n->text);
	printf("\nPolicies: %s\n", policy_names);
	if (exits_flush_stdout() == -1)
		err(EXIT_FAILED, "stdout");
}

static _Noreturn void
usage(void)
{
	fputs(usage_text, stderr);
	exit(EXIT_USAGE);
}
