/*
 * runstat_import: rows out of mails, logs and tables.
 */
#include <sys/stat.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exits.h"
#include "import.h"
#include "row.h"
#include "runstat.h"

#define PRINTED_FAULTS 100	/* a file; the rest is counted */

void
import_clear(struct import_run *r)
{
	*r = (struct import_run){ IMPORT_NONE, 0, 0, NAN, NAN, NAN, NAN, NAN,
	    NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
	    NAN, 0, 0 };
}

void
import_fault(struct import *in, uint64_t line, const char *format, ...)
{
	va_list args;

	if (in->told == NULL || in->unread + in->faults > PRINTED_FAULTS)
		return;
	fprintf(in->told, "%s:%llu: ", in->file, (unsigned long long)line);
	va_start(args, format);
	vfprintf(in->told, format, args);
	va_end(args);
	putc('\n', in->told);
}

void
import_header(FILE *out)
{
#define NAME(id, name) name "\t"
	fputs(ROW_COLUMNS(NAME) "runs\tratio\tsource\n", out);
#undef NAME
}

/*
 * Printed figures have few digits: up to six decimals are written without
 * printf, which would take most of the time of an import.
 */
static void
put_number(FILE *out, double x)
{
	char buf[32], *p = buf + sizeof buf;
	double scaled = x * 1e6;
	uint64_t u;
	int digits;

	if (isnan(x)) {
		fputs("-\t", out);
		return;
	}
	u = x >= 0 && x < 1e9 ? (uint64_t)(scaled + 0.5) : 0;
	if (!(x >= 0 && x < 1e9) || fabs((double)u - scaled) > 1e-3) {
		fprintf(out, "%.12g\t", x);
		return;
	}
	*--p = '\t';
	for (digits = 6; digits > 0 && u % 10 == 0; digits--)
		u /= 10;
	for (int i = digits; i > 0; i--, u /= 10)
		*--p = (char)('0' + u % 10);
	if (digits > 0)
		*--p = '.';
	do
		*--p = (char)('0' + u % 10);
	while ((u /= 10) > 0);
	fwrite(p, 1, (size_t)(buf + sizeof buf - p), out);
}

static void
put_text(FILE *out, const char *s)
{
	if (*s == '\0')
		putc('-', out);
	for (; *s != '\0'; s++) {
		if (*s == '\t' || *s == '\\' || *s == '\n' || *s == '\r')
			fprintf(out, "\\%c", *s == '\t' ? 't' :
			    *s == '\n' ? 'n' : *s == '\r' ? 'r' : '\\');
		else
			putc(*s, out);
	}
	putc('\t', out);
}

/* Where the run has what a column wants; 0: nowhere. */
static const size_t field[ROW_COUNT] = {
#define AT(field) offsetof(struct import_run, field)
	[ROW_ELAPSED] = AT(elapsed_s), [ROW_USER] = AT(user_s),
	[ROW_SYS] = AT(sys_s), [ROW_CPU] = AT(cpu_pct),
	[ROW_MAJFLT] = AT(majflt), [ROW_MINFLT] = AT(minflt),
	[ROW_NSWAP] = AT(nswap), [ROW_INBLOCK] = AT(inblock),
	[ROW_OUBLOCK] = AT(oublock), [ROW_MAXRSS] = AT(maxrss_kib),
	[ROW_NVCSW] = AT(nvcsw), [ROW_NIVCSW] = AT(nivcsw),
	[ROW_SWAP_MAX] = AT(swap_max_kib), [ROW_KSWAPD] = AT(kswapd_s),
	[ROW_STEAL] = AT(steal_pct), [ROW_LOADS] = AT(loads),
	[ROW_LOAD_CPU] = AT(load_cpu_pct)
#undef AT
};

static void
put_column(const struct import *in, enum row_column c)
{
	const struct import_run *r = &in->run;
	int contest = r->format == IMPORT_CONTEST;

	switch (c) {
	case ROW_LABEL:
		put_text(in->out, in->label);
		break;
	case ROW_LOAD:
		put_text(in->out, contest ? in->load : "");
		break;
	case ROW_JOB:
		put_text(in->out, contest ? "" : in->job);
		break;
	case ROW_OUTCOME:
		put_text(in->out, *in->outcome != '\0' ? in->outcome : "ok");
		break;
	case ROW_COMMAND:
		put_text(in->out, contest ? "" : in->command);
		break;
	case ROW_RUN:
		put_number(in->out, contest || r->format == IMPORT_OTHER ?
		    (double)NAN : in->count);
		break;
	default:
		put_number(in->out, field[c] == 0 ? (double)NAN :
		    *(const double *)(const void *)((const char *)r +
		    field[c]));
	}
}

/* A peak beyond the machine's memory was counted in other units. */
static void
check_peak(struct import *in)
{
	if (!(in->run.maxrss_kib > in->mem_kib))
		return;
	in->unread++;
	import_fault(in, in->run.line, "implausible maxrss: %.0f KiB of a "
	    "machine with %.0f, left out", in->run.maxrss_kib, in->mem_kib);
	in->run.maxrss_kib = NAN;
}

void
import_flush(struct import *in)
{
	struct import_run *r = &in->run;

	if (r->format == IMPORT_NONE)
		return;
	if (r->format != IMPORT_OTHER && r->format != IMPORT_CONTEST) {
		in->count++;
		if (*in->outcome == '\0' && !isnan(r->elapsed_s)) {
			in->sum += r->elapsed_s;
			in->summed++;
		}
	}
	check_peak(in);
	if (in->check)
		import_check_run(in, r);
	if (in->out != NULL) {
		for (int c = 0; c < ROW_COUNT; c++)
			put_column(in, (enum row_column)c);
		put_number(in->out, r->runs);
		put_number(in->out, r->ratio);
		fprintf(in->out, "%s:%llu\n", in->file,
		    (unsigned long long)r->line);
		in->failed |= ferror(in->out) != 0;
	}
	in->rows++;
	in->outcome[0] = '\0';
	import_clear(r);
}

void
import_flush_as(struct import *in, const char *job)
{
	char kept[sizeof in->job], first = in->command[0];

	memcpy(kept, in->job, sizeof kept);
	snprintf(in->job, sizeof in->job, "%s", job);
	in->command[0] = '\0';
	import_flush(in);
	in->command[0] = first;
	memcpy(in->job, kept, sizeof kept);
}

void
import_begin(struct import *in, const char *file)
{
	FILE *out = in->out, *told = in->told;
	int check = in->check, verbose = in->verbose;
	uint64_t rows = in->rows;

	memset(in, 0, sizeof *in);
	in->out = out;
	in->told = told;
	in->check = check;
	in->verbose = verbose;
	in->rows = rows;
	in->file = file;
	in->mem_kib = in->swpd_max = in->busy_sum = in->steal_sum = NAN;
	import_clear(&in->run);
}

void
import_end(struct import *in)
{
	import_contest_end(in);
	import_flush(in);
	import_vmstat_end(in);
	if (in->check)
		import_check_ratios(in);
	free(in->ratio);
	in->ratio = NULL;
	if (in->told != NULL && in->unread + in->faults > PRINTED_FAULTS)
		fprintf(in->told, "%s: %llu lines like these in all\n",
		    in->file, (unsigned long long)(in->unread + in->faults));
}

/* The whole file; a mail box is a few hundred MB at most. */
static char *
slurp(int fd, size_t *size)
{
	size_t room = 1 << 16;
	char *buf = malloc(room), *p;
	ssize_t got;

	*size = 0;
	while (buf != NULL) {
		if (*size == room) {
			p = realloc(buf, room *= 2);
			if (p == NULL)
				break;
			buf = p;
		}
		got = read(fd, buf + *size, room - *size);
		if (got == 0)
			return buf;
		if (got == -1 && errno == EINTR)
			continue;
		if (got == -1)
			break;
		*size += (size_t)got;
	}
	free(buf);
	return NULL;
}

static int
import_file(struct import *in, const char *path)
{
	int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) :
	    open(path, O_RDONLY | O_CLOEXEC);
	size_t size;
	char *text = fd == -1 ? NULL : slurp(fd, &size);

	if (text == NULL) {
		warn("%s", path);
		if (fd != -1)
			close(fd);
		return -1;
	}
	close(fd);
	import_begin(in, path);
	import_text(in, text, size);
	import_end(in);
	free(text);
	if (in->failed && in->out != NULL && ferror(in->out))
		err(EXIT_FAILED, "stdout");
	if (in->failed)
		err(EXIT_MEMORY, "%s", path);
	return 0;
}

int
runstat_import(const struct runstat_options *o, int n, char **files)
{
	static char *standard_input[] = { "-" };
	struct import in = { .check = o->check, .verbose = o->verbose };
	int status = RUNSTAT_GOOD;
	uint64_t faults = 0;

	in.out = o->check ? NULL : stdout;
	in.told = o->check ? stdout : stderr;
	if (!o->check)
		import_header(stdout);
	if (n == 0) {
		n = 1;
		files = standard_input;
	}
	for (int i = 0; i < n; i++) {
		if (import_file(&in, files[i]) == -1)
			status = RUNSTAT_WORSE;
		faults += in.faults + in.unread;
	}
	if (o->check)
		printf("%llu figure%s checked, %llu %s\n",
		    (unsigned long long)in.rows, in.rows == 1 ? "" : "s",
		    (unsigned long long)faults,
		    faults == 1 ? "fault" : "faults");
	if (status == RUNSTAT_GOOD && in.rows == 0 && !o->check) {
		warnx("no figures found");
		status = RUNSTAT_NOT_COMPARABLE;
	}
	return status != RUNSTAT_GOOD ? status :
	    o->check && faults > 0 ? RUNSTAT_WORSE : RUNSTAT_GOOD;
}
