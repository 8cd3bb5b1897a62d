/*
 * options: the command line of record.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "cpus.h"
#include "exits.h"
#include "record_options.h"
#include "units.h"

#define USAGE \
	"usage: record [-hIqV] [-F format] [-f file] [-g group]" \
	" [-i interval]\n" \
	"              [-k grace] [-L label] [-O statuses] [-o folder]\n" \
	"              [-P cpus] [-t limit] [-W limit] [-w condition]\n" \
	"              [--] command [argument ...]\n"

#define HELP \
	"\n" \
	"Runs the command and prints what it cost, as time(1) does; with a\n" \
	"result folder, appends a row to its runs.tsv.\n" \
	"\n" \
	"  -F format     tcsh (default), gnu, gnu-v, posix, bash, ksh,\n" \
	"                zsh, busybox; json or tsv: the whole row\n" \
	"  -f file       append the line to it (default: to stderr)\n" \
	"  -g group      folder of the memory group to run it in (default:\n" \
	"                QS_CGROUP, or none: counters of the machine)\n" \
	"  -h            this help\n" \
	"  -I            INT and QUIT count, even if they were ignored\n" \
	"  -i interval   of samples, such as 100ms (default: none)\n" \
	"  -k grace      from TERM to KILL (default: 5s)\n" \
	"  -L label      of the row (default: QS_LABEL)\n" \
	"  -O statuses   exit statuses that count as success (default: 0)\n" \
	"  -o folder     result folder (default: QS_RESULTS, or no row)\n" \
	"  -P cpus       run the command on these CPUs only, such as 0-3,8\n" \
	"  -q            print no line, unless to a file, and no remarks\n" \
	"  -t limit      time limit, such as 10m (default: none)\n" \
	"  -V            the version of the suite\n" \
	"  -W limit      on the waiting for -w (default: 10m)\n" \
	"  -w condition  start when it first holds: swap>0, available<20%,\n" \
	"                psi.some>10% and others\n"

#define MS		(CLOCK_NS_PER_S / 1000)
#define INTERVAL_MIN_NS	MS
#define DURATION_MAX_NS	(UINT64_C(366) * 86400 * CLOCK_NS_PER_S)

static const char *take(struct options *, int, const char *);
static const char *take_format(struct options *, const char *);
static const char *take_interval(struct options *, const char *);
static const char *take_statuses(struct options *, const char *);
static const char *duration(const char *, uint64_t *);
static int printed(const char *);
static int wrong(void);

int
options_parse(struct options *o, int argc, char **argv)
{
	const char *why;
	int letter;

	*o = (struct options) {
		.format = TIMEFMT_TCSH, .grace_ns = 5 * CLOCK_NS_PER_S,
		.wait_ns = 600 * CLOCK_NS_PER_S, .good = { 1 },
		.folder = getenv("QS_RESULTS"), .label = getenv("QS_LABEL"),
		.group = getenv("QS_CGROUP")
	};
	while ((letter = getopt(argc, argv,
	    "+F:f:g:hIi:k:L:O:o:P:qt:VW:w:")) != -1) {
		if (letter == 'h')
			return printed(NULL);
		if (letter == 'V')
			return printed("record " QS_VERSION);
		if (letter == '?')
			return wrong();
		why = take(o, letter, optarg);
		if (why != NULL) {
			warnx("-%c %s: %s", letter, optarg, why);
			return wrong();
		}
	}
	if (optind == argc) {
		warnx("no command given");
		return wrong();
	}
	if (o->interval_ns != 0 && !options_row(o)) {
		warnx("-i needs a row: give -o, -F tsv or -F json");
		return wrong();
	}
	o->command = argv + optind;
	return OPTIONS_GOOD;
}

int
options_row(const struct options *o)
{
	return o->folder != NULL || options_whole_row(o);
}

int
options_whole_row(const struct options *o)
{
	return o->format == TIMEFMT_TSV || o->format == TIMEFMT_JSON;
}

/* One option; NULL, or what is wrong with it. */
static const char *
take(struct options *o, int letter, const char *arg)
{
	switch (letter) {
	case 'F':
		return take_format(o, arg);
	case 'f':
		o->file = arg;
		return NULL;
	case 'g':
		o->group = arg;
		return NULL;
	case 'I':
		o->heed = 1;
		return NULL;
	case 'i':
		return take_interval(o, arg);
	case 'k':
		return duration(arg, &o->grace_ns);
	case 'L':
		o->label = arg;
		return NULL;
	case 'O':
		return take_statuses(o, arg);
	case 'o':
		o->folder = arg;
		return NULL;
	case 'P':
		o->pinned = 1;
		return cpus_parse(arg, &o->cpus);
	case 'q':
		o->quiet = 1;
		return NULL;
	case 't':
		return duration(arg, &o->limit_ns);
	case 'W':
		return duration(arg, &o->wait_ns);
	default:	/* w */
		o->condition = arg;
		return trigger_parse(arg, &o->trigger);
	}
}

static const char *
take_format(struct options *o, const char *arg)
{
	static char why[160];

	if (timefmt_by_name(arg, &o->format) == 0)
		return NULL;
	snprintf(why, sizeof(why), "not one of %s", timefmt_names());
	return why;
}

static const char *
take_interval(struct options *o, const char *arg)
{
	const char *why = duration(arg, &o->interval_ns);

	if (why == NULL && o->interval_ns < INTERVAL_MIN_NS)
		why = "less than 1ms";
	return why;
}

/* The exit statuses that count as success: a list such as 0,1. */
static const char *
take_statuses(struct options *o, const char *from)
{
	char number[16];
	const char *why;
	uint64_t status;
	size_t length;

	memset(o->good, 0, sizeof(o->good));
	do {
		length = strcspn(from, ",");
		if (length >= sizeof(number))
			return "too large";
		snprintf(number, sizeof(number), "%.*s", (int)length, from);
		why = units_count(number, VERDICT_STATUSES - 1, &status);
		if (why != NULL)
			return why;
		o->good[status] = 1;
		from += length;
	} while (*from++ == ',');
	return NULL;
}

static const char *
duration(const char *arg, uint64_t *ns)
{
	const char *why = units_duration(arg, ns);

	if (why == NULL && *ns > DURATION_MAX_NS)
		why = "more than a year";
	return why;
}

/* The text, or the help, on stdout. */
static int
printed(const char *text)
{
	if (text != NULL)
		puts(text);
	else
		fputs(USAGE HELP, stdout);
	if (exits_flush_stdout() == 0)
		return EXIT_GOOD;
	warn("standard output");
	return EXIT_OWN_FAULT;
}

static int
wrong(void)
{
	fputs(USAGE, stderr);
	return EXIT_USAGE;
}
