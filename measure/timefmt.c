/*
 * timefmt: what the time(1) programs and shells print for a run, byte for byte.
 *
 * How each rounds was found by running the program itself with every figure
 * that it reads replaced by a chosen one (tests/shell/timefmt.t does it again):
 * tcsh 6.24, GNU time 1.9, bash 5.2, ksh93u+m 1.0.4, zsh 5.9, BusyBox 1.35.
 * All but bash and zsh truncate.  Left out: what a shell itself says about a
 * command that was killed ("Killed"), since it is no part of the time.
 */
#include <sys/wait.h>

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "timefmt.h"

#define NS_PER_US	1000
#define US_PER_MS	1000
#define US_PER_CS	10000		/* cs: hundredths of a second */
#define US_PER_S	1000000

static const struct {
	const char *name;
	enum timefmt format;
} formats[] = {
	{ "tcsh", TIMEFMT_TCSH }, { "gnu", TIMEFMT_GNU },
	{ "gnu-v", TIMEFMT_GNU_VERBOSE }, { "posix", TIMEFMT_POSIX },
	{ "bash", TIMEFMT_BASH }, { "ksh", TIMEFMT_KSH },
	{ "zsh", TIMEFMT_ZSH }, { "busybox", TIMEFMT_BUSYBOX },
	{ "json", TIMEFMT_JSON }, { "tsv", TIMEFMT_TSV }
};

/* A duration as most formats print it. */
struct parts {
	uint64_t hours, all_minutes, minutes, seconds, us;
};

static void print_tcsh(FILE *, const struct timefmt_run *);
static void print_gnu(FILE *, const struct timefmt_run *);
static void print_gnu_verbose(FILE *, const struct timefmt_run *);
static void print_posix(FILE *, const struct timefmt_run *);
static void print_bash(FILE *, const struct timefmt_run *);
static void print_ksh(FILE *, const struct timefmt_run *);
static void print_zsh(FILE *, const struct timefmt_run *);
static void print_busybox(FILE *, const struct timefmt_run *);

int
timefmt_by_name(const char *name, enum timefmt *f)
{
	size_t i;

	for (i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		if (strcmp(formats[i].name, name) == 0) {
			*f = formats[i].format;
			return 0;
		}
	}
	return -1;
}

const char *
timefmt_names(void)
{
	return "tcsh, gnu, gnu-v, posix, bash, ksh, zsh, busybox, json, tsv";
}

int
timefmt_print(FILE *out, enum timefmt f, const struct timefmt_run *run)
{
	switch (f) {
	case TIMEFMT_TCSH:		print_tcsh(out, run);		break;
	case TIMEFMT_GNU:		print_gnu(out, run);		break;
	case TIMEFMT_GNU_VERBOSE:	print_gnu_verbose(out, run);	break;
	case TIMEFMT_POSIX:		print_posix(out, run);		break;
	case TIMEFMT_BASH:		print_bash(out, run);		break;
	case TIMEFMT_KSH:		print_ksh(out, run);		break;
	case TIMEFMT_ZSH:		print_zsh(out, run);		break;
	case TIMEFMT_BUSYBOX:		print_busybox(out, run);	break;
	case TIMEFMT_JSON:		timefmt_json(out, run);	break;
	case TIMEFMT_TSV:		timefmt_tsv(out, run);		break;
	}
	return fflush(out) == 0 && !ferror(out) ? 0 : -1;
}

static uint64_t
elapsed_us(const struct timefmt_run *run)
{
	return run->elapsed_ns / NS_PER_US;
}

static struct parts
parts_of(uint64_t us)
{
	struct parts p;

	p.us = us % US_PER_S;
	p.seconds = us / US_PER_S % 60;
	p.all_minutes = us / US_PER_S / 60;
	p.minutes = p.all_minutes % 60;
	p.hours = p.all_minutes / 60;
	return p;
}

/* Seconds with two decimals, truncated. */
static void
put_seconds(FILE *out, uint64_t us)
{
	fprintf(out, "%" PRIu64 ".%02" PRIu64, us / US_PER_S,
	    us % US_PER_S / US_PER_CS);
}

static void
print_tcsh(FILE *out, const struct timefmt_run *run)
{
	struct parts e = parts_of(elapsed_us(run));
	uint64_t elapsed_cs = elapsed_us(run) / US_PER_CS;
	uint64_t cpu_cs = run->user_us / US_PER_CS + run->sys_us / US_PER_CS;
	uint64_t tenths = elapsed_cs == 0 ? 0 : cpu_cs * 1000 / elapsed_cs;

	fprintf(out, "%" PRIu64 ".%03" PRIu64 "u %" PRIu64 ".%03" PRIu64 "s ",
	    run->user_us / US_PER_S, run->user_us % US_PER_S / US_PER_MS,
	    run->sys_us / US_PER_S, run->sys_us % US_PER_S / US_PER_MS);
	if (e.hours > 0)
		fprintf(out, "%" PRIu64 ":%02" PRIu64, e.hours, e.minutes);
	else
		fprintf(out, "%" PRIu64, e.minutes);
	fprintf(out, ":%02" PRIu64 ".%02" PRIu64 " %" PRIu64 ".%" PRIu64 "%%",
	    e.seconds, e.us / US_PER_CS, tenths / 10, tenths % 10);
	/* Linux keeps no average sizes: tcsh prints 0+0k there. */
	fprintf(out, "\t0+0k %" PRIu64 "+%" PRIu64 "io %" PRIu64 "pf+%" PRIu64
	    "w\n", run->inblock, run->oublock, run->majflt, run->nswap);
}

/* The line that GNU time and BusyBox put before the figures. */
static void
put_failure(FILE *out, int wait_status)
{
	if (WIFSIGNALED(wait_status))
		fprintf(out, "Command terminated by signal %d\n",
		    WTERMSIG(wait_status));
	else if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) != 0)
		fprintf(out, "Command exited with non-zero status %d\n",
		    WEXITSTATUS(wait_status));
}

/* GNU time drops the hundredths once there are hours. */
static void
put_gnu_elapsed(FILE *out, const struct timefmt_run *run)
{
	struct parts e = parts_of(elapsed_us(run));

	if (e.hours > 0)
		fprintf(out, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, e.hours,
		    e.minutes, e.seconds);
	else
		fprintf(out, "%" PRIu64 ":%02" PRIu64 ".%02" PRIu64, e.minutes,
		    e.seconds, e.us / US_PER_CS);
}

/* GNU time counts in whole milliseconds, in microseconds below one. */
static void
put_gnu_percent(FILE *out, const struct timefmt_run *run)
{
	uint64_t unit = elapsed_us(run) < US_PER_MS ? 1 : US_PER_MS;
	uint64_t elapsed = elapsed_us(run) / unit;
	uint64_t cpu = run->user_us / unit + run->sys_us / unit;

	if (elapsed == 0)
		fputs("?%", out);
	else
		fprintf(out, "%" PRIu64 "%%", cpu * 100 / elapsed);
}

static void
print_gnu(FILE *out, const struct timefmt_run *run)
{
	put_failure(out, run->wait_status);
	put_seconds(out, run->user_us);
	fputs("user ", out);
	put_seconds(out, run->sys_us);
	fputs("system ", out);
	put_gnu_elapsed(out, run);
	fputs("elapsed ", out);
	put_gnu_percent(out, run);
	fprintf(out, "CPU (0avgtext+0avgdata %" PRIu64 "maxresident)k\n",
	    run->maxrss_kib);
	fprintf(out, "%" PRIu64 "inputs+%" PRIu64 "outputs (%" PRIu64 "major+%"
	    PRIu64 "minor)pagefaults %" PRIu64 "swaps\n", run->inblock,
	    run->oublock, run->majflt, run->minflt, run->nswap);
}

static void
put_command(FILE *out, const struct timefmt_run *run)
{
	char *const *word;

	if (run->argv == NULL) {
		fputs(run->command, out);
		return;
	}
	for (word = run->argv; *word != NULL; word++)
		fprintf(out, "%s%s", word == run->argv ? "" : " ", *word);
}

static void
print_gnu_verbose(FILE *out, const struct timefmt_run *run)
{
	static const char count[] = "\t%s: %" PRIu64 "\n";

	put_failure(out, run->wait_status);
	fputs("\tCommand being timed: \"", out);
	put_command(out, run);
	fputs("\"\n\tUser time (seconds): ", out);
	put_seconds(out, run->user_us);
	fputs("\n\tSystem time (seconds): ", out);
	put_seconds(out, run->sys_us);
	fputs("\n\tPercent of CPU this job got: ", out);
	put_gnu_percent(out, run);
	fputs("\n\tElapsed (wall clock) time (h:mm:ss or m:ss): ", out);
	put_gnu_elapsed(out, run);
	fputs("\n\tAverage shared text size (kbytes): 0\n"
	    "\tAverage unshared data size (kbytes): 0\n"
	    "\tAverage stack size (kbytes): 0\n"
	    "\tAverage total size (kbytes): 0\n", out);
	fprintf(out, count, "Maximum resident set size (kbytes)",
	    run->maxrss_kib);
	fputs("\tAverage resident set size (kbytes): 0\n", out);
	fprintf(out, count, "Major (requiring I/O) page faults", run->majflt);
	fprintf(out, count, "Minor (reclaiming a frame) page faults",
	    run->minflt);
	fprintf(out, count, "Voluntary context switches", run->nvcsw);
	fprintf(out, count, "Involuntary context switches", run->nivcsw);
	fprintf(out, count, "Swaps", run->nswap);
	fprintf(out, count, "File system inputs", run->inblock);
	fprintf(out, count, "File system outputs", run->oublock);
	/* Linux counts neither messages nor signals. */
	fputs("\tSocket messages sent: 0\n\tSocket messages received: 0\n"
	    "\tSignals delivered: 0\n", out);
	fprintf(out, "\tPage size (bytes): %ld\n\tExit status: %d\n",
	    sysconf(_SC_PAGESIZE), WEXITSTATUS(run->wait_status));
}

/* The three lines of POSIX, as GNU time -p prints them. */
static void
print_posix(FILE *out, const struct timefmt_run *run)
{
	fputs("real ", out);
	put_seconds(out, elapsed_us(run));
	fputs("\nuser ", out);
	put_seconds(out, run->user_us);
	fputs("\nsys ", out);
	put_seconds(out, run->sys_us);
	fputc('\n', out);
}

/* bash rounds to milliseconds, half up, and never counts hours. */
static void
put_bash(FILE *out, const char *what, uint64_t us)
{
	struct parts p = parts_of((us + US_PER_MS / 2) / US_PER_MS * US_PER_MS);

	fprintf(out, "%s\t%" PRIu64 "m%" PRIu64 ".%03" PRIu64 "s\n", what,
	    p.all_minutes, p.seconds, p.us / US_PER_MS);
}

static void
print_bash(FILE *out, const struct timefmt_run *run)
{
	fputc('\n', out);
	put_bash(out, "real", elapsed_us(run));
	put_bash(out, "user", run->user_us);
	put_bash(out, "sys", run->sys_us);
}

static void
put_ksh(FILE *out, const char *what, uint64_t us)
{
	struct parts p = parts_of(us);

	fprintf(out, "%s\t", what);
	if (p.hours > 0)
		fprintf(out, "%" PRIu64 "h", p.hours);
	fprintf(out, "%" PRIu64 "m%02" PRIu64 ".%02" PRIu64 "s\n", p.minutes,
	    p.seconds, p.us / US_PER_CS);
}

static void
print_ksh(FILE *out, const struct timefmt_run *run)
{
	fputc('\n', out);
	put_ksh(out, "real", elapsed_us(run));
	put_ksh(out, "user", run->user_us);
	put_ksh(out, "sys", run->sys_us);
}

/*
 * zsh counts in floating point and lets printf round, so we do the same; hence
 * "60.000" for 59.9996 s.  Without elapsed time it divides by zero and prints
 * what the processor makes of it; we print 0%.
 */
static void
print_zsh(FILE *out, const struct timefmt_run *run)
{
	double seconds = (double)elapsed_us(run) / US_PER_S;
	double user = (double)run->user_us / US_PER_S;
	double sys = (double)run->sys_us / US_PER_S;
	struct parts e = parts_of(elapsed_us(run));
	double rest = seconds - (double)(e.all_minutes * 60);
	uint64_t percent = 0;

	if (seconds > 0)
		percent = (uint64_t)(100.0 * (user + sys) / seconds);
	fprintf(out, "%s  %.2fs user %.2fs system %" PRIu64 "%% cpu ",
	    run->command, user, sys, percent);
	if (e.hours > 0)
		fprintf(out, "%" PRIu64 ":%02" PRIu64 ":%05.2f", e.hours,
		    e.minutes, rest);
	else if (e.minutes > 0)
		fprintf(out, "%" PRIu64 ":%05.2f", e.minutes, rest);
	else
		fprintf(out, "%.3f", rest);
	fputs(" total\n", out);
}

/* BusyBox drops the hundredths once there are hours. */
static void
put_busybox(FILE *out, const char *what, uint64_t us)
{
	struct parts p = parts_of(us);

	fprintf(out, "%s\t", what);
	if (p.hours > 0)
		fprintf(out, "%" PRIu64 "h %" PRIu64 "m %02" PRIu64 "s\n",
		    p.hours, p.minutes, p.seconds);
	else
		fprintf(out, "%" PRIu64 "m %" PRIu64 ".%02" PRIu64 "s\n",
		    p.minutes, p.seconds, p.us / US_PER_CS);
}

static void
print_busybox(FILE *out, const struct timefmt_run *run)
{
	put_failure(out, run->wait_status);
	put_busybox(out, "real", elapsed_us(run));
	put_busybox(out, "user", run->user_us);
	put_busybox(out, "sys", run->sys_us);
}
