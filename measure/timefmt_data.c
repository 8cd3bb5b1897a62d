/*
 * timefmt_data: a run as JSON and as TSV, for other programs.
 *
 * Left out: what only record can know (label, pressure, counters); its row in
 * runs.tsv has all that.
 */
#include <sys/wait.h>

#include <inttypes.h>
#include <stddef.h>

#include "timefmt.h"

#define US_PER_S	1000000

enum kind { SECONDS, COUNT };

struct figure {
	const char *name;
	enum kind kind;
	uint64_t value;
};

#define FIGURES_BEFORE_PERCENT	3
#define FIGURES			11

static void
figures_of(const struct timefmt_run *run, struct figure f[FIGURES])
{
	const struct figure all[FIGURES] = {
		{ "elapsed_s", SECONDS, run->elapsed_ns / 1000 },
		{ "user_s", SECONDS, run->user_us },
		{ "sys_s", SECONDS, run->sys_us },
		{ "majflt", COUNT, run->majflt },
		{ "minflt", COUNT, run->minflt },
		{ "nswap", COUNT, run->nswap },
		{ "inblock", COUNT, run->inblock },
		{ "oublock", COUNT, run->oublock },
		{ "maxrss_kib", COUNT, run->maxrss_kib },
		{ "nvcsw", COUNT, run->nvcsw },
		{ "nivcsw", COUNT, run->nivcsw }
	};
	int i;

	for (i = 0; i < FIGURES; i++)
		f[i] = all[i];
}

static void
put_figure(FILE *out, const struct figure *f)
{
	if (f->kind == SECONDS)
		fprintf(out, "%" PRIu64 ".%06" PRIu64, f->value / US_PER_S,
		    f->value % US_PER_S);
	else
		fprintf(out, "%" PRIu64, f->value);
}

/* Tenths of a percent, rounded; unknown is for runs of no length. */
static void
put_percent(FILE *out, const struct timefmt_run *run, const char *unknown)
{
	uint64_t elapsed_us = run->elapsed_ns / 1000;
	uint64_t cpu_us = run->user_us + run->sys_us;
	uint64_t tenths;

	if (elapsed_us == 0) {
		fputs(unknown, out);
		return;
	}
	tenths = (cpu_us * 1000 + elapsed_us / 2) / elapsed_us;
	fprintf(out, "%" PRIu64 ".%" PRIu64, tenths / 10, tenths % 10);
}

static void
put_outcome(FILE *out, int wait_status)
{
	if (WIFSIGNALED(wait_status))
		fprintf(out, "signal:%d", WTERMSIG(wait_status));
	else if (WEXITSTATUS(wait_status) != 0)
		fprintf(out, "exit:%d", WEXITSTATUS(wait_status));
	else
		fputs("ok", out);
}

/* The length of the UTF-8 character at s (RFC 3629), or 0 if it is none. */
static size_t
utf8_length(const unsigned char *s)
{
	size_t length, i;
	unsigned char low = 0x80, high = 0xbf;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	length = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (s[0] == 0xe0)
		low = 0xa0;	/* shorter forms exist */
	else if (s[0] == 0xed)
		high = 0x9f;	/* halves of surrogate pairs */
	else if (s[0] == 0xf0)
		low = 0x90;
	else if (s[0] == 0xf4)
		high = 0x8f;	/* beyond U+10FFFF */
	for (i = 1; i < length; i++, low = 0x80, high = 0xbf)
		if (s[i] < low || s[i] > high)
			return 0;
	return length;
}

/* A command line may hold any byte; what is no UTF-8 becomes U+FFFD. */
void
timefmt_json_text(FILE *out, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t length;

	fputc('"', out);
	for (; *s != '\0'; s += length) {
		length = utf8_length(s);
		if (length == 0) {
			fputs("\\ufffd", out);
			length = 1;
		} else if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if (*s < 0x20)
			fprintf(out, "\\u%04x", (unsigned)*s);
		else
			fwrite(s, 1, length, out);
	}
	fputc('"', out);
}

void
timefmt_json(FILE *out, const struct timefmt_run *run)
{
	struct figure f[FIGURES];
	int i;

	figures_of(run, f);
	fputs("{\"outcome\": \"", out);
	put_outcome(out, run->wait_status);
	fputc('"', out);
	for (i = 0; i < FIGURES; i++) {
		if (i == FIGURES_BEFORE_PERCENT) {
			fputs(", \"cpu_pct\": ", out);
			put_percent(out, run, "null");
		}
		fprintf(out, ", \"%s\": ", f[i].name);
		put_figure(out, &f[i]);
	}
	fputs(", \"command\": ", out);
	timefmt_json_text(out, run->command);
	fputs("}\n", out);
}

/* The escapes of runs.tsv. */
static void
put_tsv_text(FILE *out, const char *s)
{
	if (*s == '\0')
		fputc('-', out);
	for (; *s != '\0'; s++) {
		switch (*s) {
		case '\t':	fputs("\\t", out);	break;
		case '\n':	fputs("\\n", out);	break;
		case '\r':	fputs("\\r", out);	break;
		case '\\':	fputs("\\\\", out);	break;
		default:	fputc(*s, out);		break;
		}
	}
}

void
timefmt_tsv(FILE *out, const struct timefmt_run *run)
{
	struct figure f[FIGURES];
	int i;

	figures_of(run, f);
	fputs("outcome", out);
	for (i = 0; i < FIGURES; i++) {
		if (i == FIGURES_BEFORE_PERCENT)
			fputs("\tcpu_pct", out);
		fprintf(out, "\t%s", f[i].name);
	}
	fputs("\tcommand\n", out);
	put_outcome(out, run->wait_status);
	for (i = 0; i < FIGURES; i++) {
		if (i == FIGURES_BEFORE_PERCENT) {
			fputc('\t', out);
			put_percent(out, run, "-");
		}
		fputc('\t', out);
		put_figure(out, &f[i]);
	}
	fputc('\t', out);
	put_tsv_text(out, run->command);
	fputc('\n', out);
}
