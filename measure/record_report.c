/*
 * report: what is written about a run: the line for people, and the cells of
 * the row that come from wait4(2).
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record_report.h"

/* What a shell takes literally, outside quotes. */
#define PLAIN	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" \
		"0123456789%+,-./:=@_"

static size_t quoted_length(const char *);
static char *quote(char *, const char *);
static uint64_t microseconds(struct timeval);
static uint64_t count(long);
static int is_text(enum row_column);
static int put_unescaped(const char *, FILE *);

char *
report_command(char *const *argv)
{
	size_t bytes = 1, i;
	char *line, *to;

	for (i = 0; argv[i] != NULL; i++)
		bytes += quoted_length(argv[i]) + 1;
	line = malloc(bytes);
	if (line == NULL)
		return NULL;
	for (to = line, i = 0; argv[i] != NULL; i++) {
		if (i > 0)
			*to++ = ' ';
		to = quote(to, argv[i]);
	}
	*to = '\0';
	return line;
}

/* At most: every quote character of the word becomes four. */
static size_t
quoted_length(const char *word)
{
	size_t length = 2;

	for (; *word != '\0'; word++)
		length += *word == '\'' ? 4 : 1;
	return length;
}

static char *
quote(char *to, const char *word)
{
	if (*word != '\0' && word[strspn(word, PLAIN)] == '\0')
		return stpcpy(to, word);
	*to++ = '\'';
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			to = stpcpy(to, "'\\''");
		else
			*to++ = *word;
	}
	*to++ = '\'';
	return to;
}

void
report_time(const struct run_result *result, const char *command,
    char *const *argv, struct timefmt_run *time)
{
	const struct rusage *u = &result->usage;

	*time = (struct timefmt_run) {
		.elapsed_ns = result->end_ns - result->start_ns,
		.user_us = microseconds(u->ru_utime),
		.sys_us = microseconds(u->ru_stime),
		.majflt = count(u->ru_majflt), .minflt = count(u->ru_minflt),
		.nswap = count(u->ru_nswap),
		.inblock = count(u->ru_inblock),
		.oublock = count(u->ru_oublock),
		.maxrss_kib = count(u->ru_maxrss),
		.nvcsw = count(u->ru_nvcsw), .nivcsw = count(u->ru_nivcsw),
		.wait_status = result->status,
		.command = command, .argv = argv
	};
}

static uint64_t
microseconds(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_usec;
}

/* The kernel's counters are unsigned; a long of 32 bits shows them wrapped. */
static uint64_t
count(long n)
{
	return (unsigned long)n;
}

int
report_figures(struct row *row, const struct timefmt_run *t)
{
	double elapsed_us = (double)t->elapsed_ns / 1e3;
	double percent = elapsed_us > 0 ?
	    100.0 * (double)(t->user_us + t->sys_us) / elapsed_us : NAN;

	if (row_seconds_ns(row, ROW_ELAPSED, t->elapsed_ns) == -1 ||
	    row_seconds_us(row, ROW_USER, t->user_us) == -1 ||
	    row_seconds_us(row, ROW_SYS, t->sys_us) == -1 ||
	    row_fixed(row, ROW_CPU, percent, 1) == -1 ||
	    row_count(row, ROW_MAJFLT, t->majflt) == -1 ||
	    row_count(row, ROW_MINFLT, t->minflt) == -1 ||
	    row_count(row, ROW_NSWAP, t->nswap) == -1 ||
	    row_count(row, ROW_INBLOCK, t->inblock) == -1 ||
	    row_count(row, ROW_OUBLOCK, t->oublock) == -1 ||
	    row_count(row, ROW_MAXRSS, t->maxrss_kib) == -1 ||
	    row_count(row, ROW_NVCSW, t->nvcsw) == -1 ||
	    row_count(row, ROW_NIVCSW, t->nivcsw) == -1)
		return -1;
	return row_text(row, ROW_COMMAND, t->command);
}

int
report_json(const struct row *row, FILE *out)
{
	const char *cell;
	int c;

	for (c = 0; c < ROW_COUNT; c++) {
		cell = row->cell[c];
		fprintf(out, "%s\"%s\": ", c == 0 ? "{" : ", ",
		    row_name((enum row_column)c));
		if (cell == NULL)
			fputs("null", out);
		else if (!is_text((enum row_column)c))
			fputs(cell, out);
		else if (put_unescaped(cell, out) == -1)
			return -1;
	}
	fputs("}\n", out);
	return fflush(out) == 0 && !ferror(out) ? 0 : -1;
}

static int
is_text(enum row_column c)
{
	switch (c) {
	case ROW_STARTED: case ROW_LABEL: case ROW_LOAD: case ROW_JOB:
	case ROW_RUN: case ROW_OUTCOME: case ROW_PRESSURE: case ROW_CPUS:
	case ROW_COMMAND: case ROW_SAMPLES:
		return 1;
	default:
		return 0;
	}
}

/* A cell has the escapes of runs.tsv; JSON puts in its own. */
static int
put_unescaped(const char *cell, FILE *out)
{
	char *text = malloc(strlen(cell) + 1), *to = text;

	if (text == NULL)
		return -1;
	for (; *cell != '\0'; cell++) {
		if (*cell != '\\') {
			*to++ = *cell;
			continue;
		}
		cell++;
		*to++ = *cell == 't' ? '\t' : *cell == 'n' ? '\n' :
		    *cell == 'r' ? '\r' : *cell;
	}
	*to = '\0';
	timefmt_json_text(out, text);
	free(text);
	return 0;
}
