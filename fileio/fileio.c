/*
 * fileio: the file loads: a file rewritten or read, a tree listed, checked or
 * archived, clients of a file server.
 *
 * Left out on purpose: asynchronous input and output, and measuring the machine
 * meanwhile; that is what record and timed are for.
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "exits.h"
#include "frame.h"
#include "memory.h"
#include "units.h"

#define WORKLOAD_VERSION 1
#define BLOCK_MAX (UINT64_C(1) << 30)

struct mode {
	const char *name, *letters;
	mode_run *run;
};

/* The letters that have a use, beside those of all: d F n q t v. */
static const struct mode modes[] = {
	{ "rewrite", "abcCfKmQRsXyZ", rewrite_run },
	{ "read", "abcCfKmRsyZ", read_run },
	{ "list", "", list_run },
	{ "checksum", "bfK", checksum_run },
	{ "tree", "bfKQR", tree_run },
	{ "mix", "cCKpQRs", mix_run }
};

static struct options {
	const struct mode *mode;
	struct plan plan;
	const char *content, *size;
	int quiet, verbose, row;
} options = {
	.plan = { .dir = ".", .block = 1 << 20, .seed = 1, .procs = 1 },
	.content = "2", .size = "64M"
};

static struct frame frame;

static void parse(int argc, char *argv[]);
static void set_option(int letter, const char *value);
static void set_words(int letter, const char *value);
static void check(void);
static uint64_t number(int letter, const char *value, uint64_t most);
static void set_sync(const char *value);
static void report(double seconds);
static void print_row(double seconds);
static void help(void);
static _Noreturn void usage(void);

int
main(int argc, char *argv[])
{
	uint64_t loads;
	int status, signo;

	if (fcntl(STDOUT_FILENO, F_GETFD) == -1)
		err(EXIT_FAILED, "stdout");
	parse(argc, argv);
	check();
	frame_start(&frame, &options.plan);
	status = options.mode->run(&frame);
	frame.end_ns = clock_now_ns();
	report((double)(frame.end_ns - frame.start_ns) / 1e9);
	loads = frame_loads(&frame);
	printf("loads %" PRIu64 ".%03" PRIu64 "\n", loads / 1000,
	    loads % 1000);
	if (exits_flush_stdout() == -1) {
		warn("stdout");
		if (status == EXIT_GOOD)
			status = EXIT_FAILED;
	}
	signo = frame.signo != 0 ? frame.signo : frame_stopped();
	if (status == EXIT_GOOD && (signo == SIGINT || signo == SIGHUP))
		exits_by_signal(signo);
	return status;
}

static void
parse(int argc, char *argv[])
{
	int c;

	if (argc < 2)
		usage();
	if (argv[1][0] != '-') {
		for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
			if (strcmp(argv[1], modes[i].name) == 0)
				options.mode = &modes[i];
		if (options.mode == NULL) {
			warnx("%s: not a mode", argv[1]);
			usage();
		}
		argc--;
		argv++;
	}
	while ((c = getopt(argc, argv,
	    "+:a:b:cC:d:f:F:hKm:n:p:qQ:Rs:t:vVXy:Z:")) != -1) {
		if (c == ':')
			errx(EXIT_USAGE, "-%c needs a value", optopt);
		if (c == '?') {
			warnx("unknown option -%c", optopt);
			usage();
		}
		if (options.mode != NULL && strchr("dFhnqtvV", c) == NULL &&
		    strchr(options.mode->letters, c) == NULL)
			errx(EXIT_USAGE, "-%c has no use in mode %s", c,
			    options.mode->name);
		set_option(c, optarg);
	}
	if (options.mode == NULL) {
		warnx("no mode is given");
		usage();
	}
	if (optind < argc)
		errx(EXIT_USAGE, "%s: nothing stands behind the options",
		    argv[optind]);
}

static void
set_option(int letter, const char *value)
{
	struct plan *p = &options.plan;
	const char *why = NULL;
	uint64_t n = 0;

	switch (letter) {
	case 'b':
		why = units_size(value, 1, 0, &n);
		if (why == NULL && (n == 0 || n % CONTENT_BLOCK_BYTES != 0 ||
		    n > BLOCK_MAX))
			why = "not a multiple of 4096, up to 1 GiB";
		p->block = (size_t)n;
		break;
	case 'c': p->check = 1; break;
	case 'C': options.content = value; break;
	case 'd': p->dir = value; break;
	case 'f': p->file = value; break;
	case 'K': p->keep = 1; break;
	case 'm': options.size = value; break;
	case 'n': p->passes = number('n', value, UINT32_MAX - 1); break;
	case 'p':
		p->procs = number('p', value, 65536);
		if (p->procs == 0)
			why = "at least 1";
		break;
	case 'q': options.quiet = 1; break;
	case 'R': p->ram = 1; break;
	case 's': p->seed = number('s', value, UINT64_MAX); break;
	case 't':
		why = units_duration(value, &p->limit_ns);
		if (why == NULL && p->limit_ns == 0)
			why = "not a time to run for";
		break;
	case 'v': options.verbose = 1; break;
	case 'X': p->truncate = 1; break;
	default: set_words(letter, value);
	}
	if (why != NULL)
		errx(EXIT_USAGE, "-%c %s: %s", letter, value, why);
}

static void
set_words(int letter, const char *value)
{
	struct plan *p = &options.plan;
	const char *why = NULL;

	switch (letter) {
	case 'a':
		p->random = strcmp(value, "random") == 0;
		if (!p->random && strcmp(value, "seq") != 0)
			why = "neither seq nor random";
		break;
	case 'F':
		options.row = strcmp(value, "tsv") == 0;
		if (!options.row && strcmp(value, "text") != 0)
			why = "neither text nor tsv";
		break;
	case 'h':
		help();
		exit(exits_flush_stdout() == 0 ? EXIT_GOOD : EXIT_FAILED);
	case 'Q': set_sync(value); break;
	case 'V':
		printf("fileio %s, workload %d\n", QS_VERSION,
		    WORKLOAD_VERSION);
		exit(exits_flush_stdout() == 0 ? EXIT_GOOD : EXIT_FAILED);
	case 'y':
		p->access = strcmp(value, "direct") == 0 ? ACCESS_DIRECT :
		    strcmp(value, "mmap") == 0 ? ACCESS_MMAP : ACCESS_BUFFERED;
		if (p->access == ACCESS_BUFFERED &&
		    strcmp(value, "buffered") != 0)
			why = "none of buffered, direct, mmap";
		break;
	case 'Z':
		p->drop = 1;
		if (strcmp(value, "dontneed") != 0)
			why = "not dontneed";
	}
	if (why != NULL)
		errx(EXIT_USAGE, "-%c %s: %s", letter, value, why);
}

static uint64_t
number(int letter, const char *value, uint64_t most)
{
	uint64_t n = 0;
	const char *why = units_count(value, most, &n);

	if (why != NULL)
		errx(EXIT_USAGE, "-%c %s: %s", letter, value, why);
	return n;
}

/* [data:]never, pass, or a number of blocks */
static void
set_sync(const char *value)
{
	struct plan *p = &options.plan;

	p->sync_data = strncmp(value, "data:", 5) == 0;
	if (p->sync_data)
		value += 5;
	if (strcmp(value, "never") == 0)
		p->sync_every = 0;
	else if (strcmp(value, "pass") == 0)
		p->sync_every = UINT64_MAX;
	else if ((p->sync_every = number('Q', value, INT64_MAX)) == 0)
		errx(EXIT_USAGE, "-Q 0: never, pass or a number of blocks");
}

/* What depends on more than one option. */
static void
check(void)
{
	struct plan *p = &options.plan;
	uint64_t memory = 0, bytes = 0;
	const char *why;

	why = content_parse(options.content, p->seed, &p->content);
	if (why != NULL)
		errx(EXIT_USAGE, "-C %s: %s", options.content, why);
	if (strchr(options.size, '%') != NULL &&
	    memory_effective_bytes(&memory) == -1)
		err(EXIT_FAILED, "-m %s: size of memory", options.size);
	why = units_size(options.size, 1, memory, &bytes);
	if (why == NULL && bytes == 0)
		why = "nothing to do";
	if (why == NULL && bytes > INT64_MAX - BLOCK_MAX)
		why = "too large";
	if (why != NULL)
		errx(EXIT_USAGE, "-m %s: %s", options.size, why);
	p->bytes = (bytes + p->block - 1) / p->block * p->block;
	if (p->truncate && p->access == ACCESS_MMAP)
		errx(EXIT_USAGE, "-X and -y mmap exclude each other");
	if (options.mode->run == tree_run && p->file == NULL)
		errx(EXIT_USAGE, "tree needs -f, the tree to copy");
	if (options.mode->run == rewrite_run && p->file != NULL && !p->keep)
		errx(EXIT_USAGE, "-f needs -K: other files have no name");
	if (options.mode->run == tree_run && p->keep)
		errx(EXIT_USAGE, "the archive of tree is not kept");
}

static void
report(double seconds)
{
	static const unsigned quantiles[] = { 500, 900, 990 };

	if (options.row) {
		print_row(seconds);
		return;
	}
	if (options.quiet)
		return;
	printf("%s: %" PRIu64 " operations in %.3f s, %.1f/s, %.1f MiB/s\n",
	    options.mode->name, frame.ops.count, seconds,
	    (double)frame.ops.count / seconds,
	    (double)frame.bytes / 1048576 / seconds);
	printf("latency us:");
	for (int i = 0; i < 3; i++)
		printf(" p%u %.1f", quantiles[i] / 10,
		    (double)histogram_quantile(&frame.ops, quantiles[i]) / 1e3);
	printf(" max %.1f\n", (double)frame.ops.max_ns / 1e3);
	for (int i = 0; i < FRAME_KINDS && frame.kinds[i].name != NULL; i++)
		printf("%s: %" PRIu64 ", slowest %.1f us\n",
		    frame.kinds[i].name, frame.kinds[i].count,
		    (double)frame.kinds[i].max_ns / 1e3);
	if (options.verbose)
		printf("flushes: %" PRIu64 "\n", frame.syncs);
}

static void
print_row(double seconds)
{
	const struct histogram *h = &frame.ops;

	printf("mode\tpasses\toperations\tbytes\telapsed_s\tmib_s\tp50_us\t"
	    "p90_us\tp99_us\tmax_us\tflushes\n");
	printf("%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%.6f\t%.3f\t%.3f\t"
	    "%.3f\t%.3f\t%.3f\t%" PRIu64 "\n", options.mode->name,
	    frame.passes, h->count, frame.bytes, seconds,
	    (double)frame.bytes / 1048576 / seconds,
	    (double)histogram_quantile(h, 500) / 1e3,
	    (double)histogram_quantile(h, 900) / 1e3,
	    (double)histogram_quantile(h, 990) / 1e3,
	    (double)h->max_ns / 1e3, frame.syncs);
}

#define USAGE \
	"usage: fileio mode [-cKqRvX] [-a order] [-b size] [-C content]" \
	" [-d dir]\n" \
	"              [-f file] [-F format] [-m size] [-n passes]" \
	" [-p clients]\n" \
	"              [-Q flush] [-s seed] [-t time] [-y access]" \
	" [-Z advice]\n" \
	"       fileio -h | -V\n"

static void
help(void)
{
	printf("%s"
	    "  -a order    of the blocks: seq, random (seq)\n"
	    "  -b size     of a block, whole 4 KiB (1M)\n"
	    "  -c          check what is read again\n"
	    "  -C content  zero, same, or a ratio 1 to 64 (2)\n"
	    "  -d dir      work directory; the tree of list and checksum (.)\n"
	    "  -f file     to use; the list of checksum, the tree of tree\n"
	    "  -F format   text or tsv (text)\n"
	    "  -h          this help\n"
	    "  -K          keep the file that was made\n"
	    "  -m size     of the file; 50%% is half of memory (64M)\n"
	    "  -n passes   0: no limit (0)\n"
	    "  -p clients  of mix (1)\n"
	    "  -q          print the loads only\n"
	    "  -Q flush    never, pass, or each so many blocks;\n"
	    "              data:... by fdatasync (never)\n"
	    "  -R          allow a work directory in RAM\n"
	    "  -s seed     of orders and contents (1)\n"
	    "  -t time     stop after it\n"
	    "  -v          print the number of flushes, too\n"
	    "  -V          version\n"
	    "  -X          truncate the file before each pass\n"
	    "  -y access   buffered, direct, mmap (buffered)\n"
	    "  -Z advice   dontneed: drop cached pages between passes\n"
	    "modes: rewrite, read, list, checksum, tree, mix\n",
	    USAGE);
}

static _Noreturn void
usage(void)
{
	fputs(USAGE, stderr);
	exit(EXIT_USAGE);
}
