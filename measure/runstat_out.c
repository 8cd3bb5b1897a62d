/*
 * runstat_out: records and numbers, in the formats that runstat writes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runstat.h"

#define WIDTH 80

void
out_begin(struct out *o, enum runstat_format f)
{
	o->format = f;
	o->records = 0;
	if (f == RUNSTAT_JSON)
		printf("[");
}

static void
put_csv(const struct out_field *f)
{
	if (f->text == NULL && isnan(f->number))
		printf("NA");
	else if (f->text == NULL)
		printf("%.15g", f->number);
	else if (strpbrk(f->text, ",\"\r\n") != NULL) {
		putchar('"');
		for (const char *s = f->text; *s != '\0'; s++)
			printf("%s%c", *s == '"' ? "\"" : "", *s);
		putchar('"');
	} else
		printf("%s", f->text);
}

static void
put_json_text(const char *s)
{
	putchar('"');
	for (; *s != '\0'; s++) {
		if (*s == '"' || *s == '\\')
			printf("\\%c", *s);
		else if ((unsigned char)*s < 0x20)
			printf("\\u%04x", (unsigned)*s);
		else
			putchar(*s);
	}
	putchar('"');
}

static void
put_json(const struct out_field *f)
{
	put_json_text(f->name);
	printf(": ");
	if (f->text != NULL)
		put_json_text(f->text);
	else if (!isfinite(f->number))
		printf("null");
	else
		printf("%.15g", f->number);
}

static void
put_markdown(const struct out_field *f)
{
	char buf[OUT_NUMBER];

	if (f->text == NULL) {
		printf(" %s |", out_number(buf, f->number));
		return;
	}
	putchar(' ');
	for (const char *s = f->text; *s != '\0'; s++) {
		if (*s == '|' || *s == '\\')
			putchar('\\');
		putchar(*s);
	}
	printf(" |");
}

static void
put_names(const struct out *o, const struct out_field *f, size_t n)
{
	if (o->format == RUNSTAT_MARKDOWN) {
		putchar('|');
		for (size_t i = 0; i < n; i++)
			if (f[i].brief)
				printf(" %s |", f[i].name);
		printf("\n|");
		for (size_t i = 0; i < n; i++)
			if (f[i].brief)
				printf("%s|", f[i].text ? "---" : "--:");
		putchar('\n');
		return;
	}
	for (size_t i = 0; i < n; i++)
		printf("%s%s", i == 0 ? "" :
		    o->format == RUNSTAT_TSV ? "\t" : ",", f[i].name);
	putchar('\n');
}

static void
put_tsv(const struct out_field *f)
{
	if (f->text != NULL)
		printf("%s", *f->text != '\0' ? f->text : "-");
	else if (isnan(f->number))
		putchar('-');
	else
		printf("%.15g", f->number);
}

void
out_record(struct out *o, const struct out_field *f, size_t n)
{
	if (o->format != RUNSTAT_JSON && o->records == 0)
		put_names(o, f, n);
	if (o->format == RUNSTAT_JSON)
		printf("%s{", o->records > 0 ? ",\n " : "");
	if (o->format == RUNSTAT_MARKDOWN)
		putchar('|');
	for (size_t i = 0; i < n; i++) {
		switch (o->format) {
		case RUNSTAT_MARKDOWN:
			if (f[i].brief)
				put_markdown(&f[i]);
			break;
		case RUNSTAT_JSON:
			printf("%s", i > 0 ? ", " : "");
			put_json(&f[i]);
			break;
		case RUNSTAT_TSV:
			printf("%s", i > 0 ? "\t" : "");
			put_tsv(&f[i]);
			break;
		default:
			printf("%s", i > 0 ? "," : "");
			put_csv(&f[i]);
		}
	}
	printf("%s", o->format == RUNSTAT_JSON ? "}" : "\n");
	o->records++;
}

void
out_end(struct out *o)
{
	if (o->format == RUNSTAT_JSON)
		printf("]\n");
}

void
out_ktap_plan(size_t n)
{
	printf("KTAP version 1\n1..%zu\n", n);
}

void
out_ktap(struct out *o, int good, const char *skip, const char *what)
{
	printf("%s %zu ", good ? "ok" : "not ok", ++o->records);
	/* "#" would begin a directive. */
	for (; *what != '\0'; what++)
		putchar(*what == '#' || *what == '\n' ? '_' : *what);
	printf("%s%s\n", skip != NULL ? " # SKIP " : "",
	    skip != NULL ? skip : "");
}

const char *
out_number(char *buf, double x)
{
	double size = fabs(x);

	if (isnan(x))
		return "-";
	if (size >= 1e15)
		snprintf(buf, OUT_NUMBER, "%.6g", x);
	else
		snprintf(buf, OUT_NUMBER, "%.*f", size >= 1e5 ? 0 :
		    size >= 1e4 ? 1 : size >= 1e3 ? 2 :
		    size >= 0.1 || size == 0 ? 3 : 6, x);
	return buf;
}

const char *
out_percent(char *buf, double share)
{
	double percent = 100 * share;

	if (isnan(share))
		return "-";
	if (fabs(percent) >= 1e6)
		snprintf(buf, OUT_NUMBER, "%+.3g%%", percent);
	else
		snprintf(buf, OUT_NUMBER, "%+.*f%%",
		    fabs(percent) >= 1 || percent == 0 ? 1 : 2, percent);
	return buf;
}

const char *
out_p(char *buf, double p)
{
	if (isnan(p))
		return "-";
	if (p < 0.0001)
		return "<0.0001";
	snprintf(buf, OUT_NUMBER, "%.*f", p < 0.001 ? 4 : 3, p);
	return buf;
}

void
out_fold(const char *text, int indent)
{
	int at = 0;
	size_t word;

	while (*(text += strspn(text, " ")) != '\0') {
		word = strcspn(text, " ");
		if (at > 0 && at + 1 + (int)(word < WIDTH ? word : WIDTH) >
		    WIDTH) {
			putchar('\n');
			at = 0;
		}
		if (at == 0)
			at = printf("%*s", indent, "");
		else
			at += printf(" ");
		at += printf("%.*s", (int)(word < 4096 ? word : 4096), text);
		text += word < 4096 ? word : 4096;
	}
	putchar('\n');
}

char *
out_cell_name(char *buf, size_t size, const struct rows *r,
    const struct rows_cell *c)
{
	static const enum rows_key order[] = { ROWS_ID, ROWS_HOST, ROWS_LOAD,
	    ROWS_JOB, ROWS_CPU, ROWS_MEM, ROWS_SWAP, ROWS_WORKLOAD,
	    ROWS_COMMAND };
	static const char *const before[] = { "", "host ", "", "", "cpu ",
	    "mem_kb ", "swap_kb ", "workload ", "" };
	size_t at = 0;
	const char *text;

	buf[0] = '\0';
	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		text = rows_text(r, c, order[i]);
		if (strcmp(text, "-") == 0 || at >= size)
			continue;
		at += (size_t)snprintf(buf + at, size - at, "%s%s%s",
		    at > 0 ? ", " : "", before[i], text);
	}
	return buf;
}
