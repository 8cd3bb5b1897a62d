/*
 * runstat: read the figures of runs, and say what they show.
 *
 * Nothing is measured here and nothing is changed; see runstat.1 for the
 * statistics, and the headers stat_*.h for their sources.
 */
#include <err.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exits.h"
#include "runstat.h"
#include "units.h"

#define MARGIN_MAX_MILLI 1000000	/* 1000 % */

struct command {
	const char *name;
	int (*run)(const struct runstat_options *, int, char **);
	const char *letters;	/* for getopt */
	int min, max;		/* file operands; max 0: any number */
};

static const struct command commands[] = {
	{ "import", runstat_import, "hvV", 0, 0 },
	{ "summary", runstat_summary, "c:e:F:hV", 1, 0 },
	{ "compare", runstat_compare, "A:b:c:e:F:hm:V", 1, 2 },
	{ "more", runstat_more, "c:e:F:hm:V", 1, 0 },
	{ "knee", runstat_knee, "c:e:F:hm:V", 1, 0 }
};

static void options(struct runstat_options *, const struct command *, int,
    char **);
static const struct command *find_command(const char *);
static void help(void);
static int flush_stdout(void);
_Noreturn static void usage(void);

int
main(int argc, char **argv)
{
	struct runstat_options o = { .margin = NAN };
	const struct command *c;
	int status;

	if (argc > 1 && strcmp(argv[1], "-h") == 0) {
		help();
		return flush_stdout();
	}
	if (argc > 1 && strcmp(argv[1], "-V") == 0) {
		printf("runstat %s\n", QS_VERSION);
		return flush_stdout();
	}
	if (argc < 2)
		usage();
	c = find_command(argv[1]);
	argc--;
	argv++;
	options(&o, c, argc, argv);
	argc -= optind;
	argv += optind;
	if (argc < c->min || (c->max > 0 && argc > c->max)) {
		warnx("%s takes %d%s", c->name, c->min, c->max == 0 ?
		    " or more files" : " or 2 files");
		usage();
	}
	status = c->run(&o, argc, argv);
	if (exits_flush_stdout() == -1)
		err(EXIT_FAILED, "stdout");
	return status;
}

static int
flush_stdout(void)
{
	if (exits_flush_stdout() == 0)
		return EXIT_GOOD;
	warn("stdout");
	return EXIT_FAILED;
}

static const struct command *
find_command(const char *name)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (strcmp(name, commands[i].name) == 0)
			return &commands[i];
	warnx("%s: no such subcommand", name);
	usage();
}

static enum runstat_format
format(const char *name)
{
	static const char *const names[] = { "text", "md", "csv", "tsv",
	    "json", "ktap" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return (enum runstat_format)i;
	warnx("-F %s: not one of text, md, csv, tsv, json, ktap", name);
	usage();
}

static void
add(const char **list, size_t *n, size_t max, const char *value, char letter)
{
	if (*n == max) {
		warnx("-%c: at most %zu times", letter, max);
		usage();
	}
	list[(*n)++] = value;
}

static double
margin(const char *text)
{
	uint64_t milli;
	const char *why = units_percent(text, MARGIN_MAX_MILLI, &milli);

	if (why == NULL && milli == 0)
		why = "must be more than 0";
	if (why != NULL) {
		warnx("-m %s: %s", text, why);
		usage();
	}
	return (double)milli / 100000;
}

static void
filter(struct runstat_options *o, const char *text)
{
	if (strchr(text, '=') == NULL) {
		warnx("-e %s: not of the form column=value", text);
		usage();
	}
	add(o->filter, &o->filters, ROWS_FILTERS, text, 'e');
}

static void
options(struct runstat_options *o, const struct command *c, int argc,
    char **argv)
{
	static const struct option check[] = {
		{ "check", no_argument, NULL, 'K' }, { NULL, 0, NULL, 0 }
	};
	static const struct option none[] = { { NULL, 0, NULL, 0 } };
	int letter;

	while ((letter = getopt_long(argc, argv, c->letters,
	    strcmp(c->name, "import") == 0 ? check : none, NULL)) != -1) {
		switch (letter) {
		case 'A':
			add(o->decide, &o->decides, 2, optarg, 'A');
			break;
		case 'b':
			o->base = optarg;
			break;
		case 'c':
			/* One place is kept for what adjusts. */
			add(o->column, &o->columns, ROWS_VALUES - 3, optarg,
			    'c');
			break;
		case 'e':
			filter(o, optarg);
			break;
		case 'F':
			o->format = format(optarg);
			break;
		case 'h':
			help();
			exit(flush_stdout());
		case 'K':
			o->check = 1;
			break;
		case 'm':
			o->margin = margin(optarg);
			break;
		case 'v':
			o->verbose = 1;
			break;
		case 'V':
			printf("runstat %s\n", QS_VERSION);
			exit(flush_stdout());
		default:
			usage();
		}
	}
}

static const char synopsis[] =
    "usage: runstat import [-hvV] [--check] [file ...]\n"
    "       runstat summary [-hV] [-c column] [-e column=value] [-F format]"
    " file ...\n"
    "       runstat compare [-hV] [-A column] [-b label] [-c column]\n"
    "               [-e column=value] [-F format] [-m margin] A [B]\n"
    "       runstat more [-hV] [-c column] [-e column=value] [-F format]\n"
    "               [-m margin] file ...\n"
    "       runstat knee [-hV] [-c column] [-e column=value] [-F format]\n"
    "               [-m margin] file ...\n";

static void
help(void)
{
	printf("%s", synopsis);
	printf("  -A column        what it adjusts decides: calib_ms, user_s"
	    " (raw)\n"
	    "  -b label         base: compare the others with this label"
	    " (the first)\n"
	    "  -c column        column to look at; may be repeated"
	    " (elapsed_s)\n"
	    "  --check          list printed figures that do not follow from"
	    " others\n"
	    "  -e column=value  only rows with that value; may be repeated\n"
	    "  -F format        text, md, csv, tsv, json, ktap (text)\n"
	    "  -h               this help\n"
	    "  -m margin        what counts as equal, in percent"
	    " (2%%; knee: 10%%)\n"
	    "  -v               also show the lines that hold no figures\n"
	    "  -V               version\n");
}

static void
usage(void)
{
	fprintf(stderr, "%s", synopsis);
	exit(RUNSTAT_USAGE);
}
