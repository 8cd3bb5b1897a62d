/*
 * import_contest: the tables of contest, in all their forms, and vmstat's logs.
 *
 * A table is known by its head: "Kernel [runs] Time CPU% Loads LCPU% Ratio",
 * with or without brackets and the last columns, or "Kernel Time CPU" of 0.20
 * with times as m:ss.cc.  The load stands in a line of its own above it.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import.h"

/* The kinds of columns, as letters in in->contest. */
static char
column_kind(const struct import_token *t)
{
	static const struct {
		const char *name;
		char kind;
	} kinds[] = {
		{ "[runs]", 'r' }, { "runs", 'r' }, { "[n]", 'r' },
		{ "time", 't' }, { "cpu%", 'c' }, { "cpu", 'c' },
		{ "%cpu", 'c' }, { "loads", 'l' }, { "lcpu%", 'p' },
		{ "lcpu", 'p' }, { "%lcpu", 'p' }, { "ratio", 'q' }
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (import_is(t, kinds[i].name))
			return kinds[i].kind;
	return '\0';
}

static int
head(struct import *in, const struct import_line *l)
{
	char kind[IMPORT_COLUMNS] = "";
	size_t n = 0;

	if (l->tokens < 3 || l->tokens >= IMPORT_COLUMNS ||
	    !import_is(&l->token[0], "kernel"))
		return 0;
	for (size_t i = 1; i < l->tokens; i++) {
		kind[n] = column_kind(&l->token[i]);
		if (kind[n++] == '\0')
			return 0;
	}
	if (strchr(kind, 't') == NULL)
		return 0;
	import_flush(in);
	memcpy(in->contest, kind, sizeof kind);
	return 1;
}

/* "[6]" or "6" */
static int
runs_of(const struct import_token *t, double *out)
{
	if (t->n > 2 && t->s[0] == '[' && t->s[t->n - 1] == ']')
		return import_number(t->s + 1, t->n - 2, out);
	return import_number(t->s, t->n, out);
}

static int
value_of(struct import_run *r, char kind, const struct import_token *t)
{
	size_t n = t->n - (t->n > 1 && t->s[t->n - 1] == '%');

	switch (kind) {
	case 'r':
		return runs_of(t, &r->runs);
	case 't':
		r->decimals = import_decimals(t->s, t->n);
		return import_clock(t->s, t->n, &r->elapsed_s);
	case 'c':
		return import_number(t->s, n, &r->cpu_pct);
	case 'l':
		return import_number(t->s, n, &r->loads);
	case 'p':
		return import_number(t->s, n, &r->load_cpu_pct);
	default:
		r->cpu_decimals = import_decimals(t->s, t->n);
		return import_number(t->s, n, &r->ratio);
	}
}

/* "2.5.50 (UP)": the label and, if told, the section. */
static void
name_row(struct import *in, const struct import_line *l, size_t words)
{
	const struct import_token *last = &l->token[words - 1];
	char name[IMPORT_NAME];
	int n = (int)(last->s + last->n - l->text);

	if (*in->section != '\0' && l->text[n - 1] != ')')
		snprintf(name, sizeof name, "%.*s (%s)",
		    n < 200 ? n : 200, l->text, in->section);
	else
		snprintf(name, sizeof name, "%.*s", n < 200 ? n : 200,
		    l->text);
	snprintf(in->label, sizeof in->label, "%s", name);
}

static int
keep_ratio(struct import *in, const struct import_run *r)
{
	struct import_ratio *k;

	if (in->ratios == in->ratio_room) {
		in->ratio_room = in->ratio_room > 0 ? 2 * in->ratio_room : 64;
		k = realloc(in->ratio, in->ratio_room * sizeof *k);
		if (k == NULL) {
			in->failed = 1;
			return -1;
		}
		in->ratio = k;
	}
	k = &in->ratio[in->ratios++];
	*k = (struct import_ratio){ .time = r->elapsed_s, .ratio = r->ratio,
	    .decimals = r->decimals, .ratio_decimals = r->cpu_decimals,
	    .line = r->line };
	snprintf(k->load, sizeof k->load, "%.31s", in->load);
	snprintf(k->label, sizeof k->label, "%.63s", in->label);
	return 0;
}

/* A row: its last words are the columns, what is before them the label. */
static int
row(struct import *in, const struct import_line *l)
{
	size_t columns = strlen(in->contest), words;
	char kinds[IMPORT_COLUMNS];
	struct import_run r;

	memcpy(kinds, in->contest, sizeof kinds);
	/* Heads without "[runs]" have rows with it, and the other way round. */
	if (l->tokens > columns && kinds[0] != 'r' &&
	    *l->token[l->tokens - columns - 1].s == '[' &&
	    l->tokens > columns + 1) {
		memmove(kinds + 1, kinds, columns + 1);
		kinds[0] = 'r';
		columns++;
	}
	if (l->tokens <= columns)
		return 0;
	words = l->tokens - columns;
	import_clear(&r);
	for (size_t i = 0; i < columns; i++)
		if (value_of(&r, kinds[i], &l->token[words + i]) == -1)
			return 0;
	import_flush(in);
	name_row(in, l, words);
	r.format = IMPORT_CONTEST;
	r.line = l->number;
	in->run = r;
	if (in->check && !isnan(r.ratio))
		keep_ratio(in, &r);
	import_flush(in);
	return 1;
}

/* A row that a mailer wrapped: a label and fewer figures than columns. */
static int
hold(struct import *in, const struct import_line *l)
{
	size_t columns = strlen(in->contest);
	double unused;

	if (l->length >= sizeof in->held || l->tokens < 2 ||
	    l->tokens > columns || l->numbers + 2 < l->tokens ||
	    import_number(l->token[0].s, l->token[0].n, &unused) == 0 ||
	    l->numbers == 0)
		return 0;
	memcpy(in->held, l->text, l->length + 1);
	in->held_line = l->number;
	return 1;
}

static int
held_on(struct import *in, const struct import_line *l)
{
	char joined[2 * IMPORT_COMMAND];
	struct import_line both = { .text = joined, .number = in->held_line };

	if (l->length >= IMPORT_COMMAND)
		return 0;
	snprintf(joined, sizeof joined, "%s %s", in->held, l->text);
	both.length = strlen(joined);
	import_split(&both);
	if (!row(in, &both))
		return 0;
	in->held[0] = '\0';
	return 1;
}

void
import_contest_end(struct import *in)
{
	if (in->held[0] == '\0')
		return;
	in->unread++;
	import_fault(in, in->held_line, "not read: %.60s", in->held);
	in->held[0] = '\0';
}

/* "UP:", "SMP results": one of few words, and no figures. */
static int
section(struct import *in, const struct import_line *l)
{
	struct import_token t;

	if (l->tokens > 4 || l->numbers > 0 || strpbrk(l->text, ".,") != NULL)
		return 0;
	for (size_t i = 0; i < l->tokens; i++) {
		t = l->token[i];
		while (t.n > 0 && !isalpha((unsigned char)t.s[t.n - 1]))
			t.n--;
		while (t.n > 0 && !isalpha((unsigned char)*t.s)) {
			t.s++;
			t.n--;
		}
		if (t.n == 2 && memcmp(t.s, "UP", 2) == 0)
			strcpy(in->section, "UP");
		else if (import_is(&t, "uniprocessor"))
			strcpy(in->section, "UP");
		else if (t.n == 3 && memcmp(t.s, "SMP", 3) == 0)
			strcpy(in->section, "SMP");
		else
			continue;
		if (in->check)
			import_check_ratios(in);
		in->contest[0] = in->load[0] = '\0';
		return 1;
	}
	return 0;
}

int
import_contest(struct import *in, const struct import_line *l)
{
	if (in->held[0] != '\0' && held_on(in, l))
		return 1;
	import_contest_end(in);
	if (head(in, l))
		return 1;
	if (in->contest[0] != '\0' && in->load[0] != '\0' &&
	    (row(in, l) || hold(in, l)))
		return 1;
	return section(in, l);
}

static int
vmstat_head(struct import *in, const struct import_line *l)
{
	int swpd = 0, memory = 0;

	if (l->tokens < 6 || l->tokens > IMPORT_COLUMNS)
		return 0;
	for (size_t i = 0; i < l->tokens; i++) {
		swpd |= import_is(&l->token[i], "swpd");
		memory |= import_is(&l->token[i], "free");
	}
	if (!swpd || !memory)
		return 0;
	/* A head that repeats within a log follows a sample at once. */
	if (l->number != in->vmstat_last + 1 && l->number !=
	    in->vmstat_last + 2)
		import_vmstat_end(in);
	if (in->vmstat_samples == 0)
		in->vmstat_first = l->number;
	in->vmstat_last = l->number;
	in->vmstat_columns = l->tokens;
	for (size_t i = 0; i < l->tokens; i++)
		snprintf(in->vmstat[i], sizeof in->vmstat[i], "%.*s",
		    (int)(l->token[i].n < 7 ? l->token[i].n : 7),
		    l->token[i].s);
	return 1;
}

/* The first sample of a log is the average since boot, and is left out. */
static int
vmstat_sample(struct import *in, const struct import_line *l)
{
	double x, busy = 0;
	int has_busy = 0;

	/* -t adds a time stamp behind the columns. */
	if (in->vmstat_columns == 0 || l->tokens < in->vmstat_columns ||
	    l->numbers < in->vmstat_columns)
		return 0;
	in->vmstat_last = l->number;
	if (in->vmstat_samples++ == 0)
		return 1;
	for (size_t i = 0; i < in->vmstat_columns; i++) {
		if (import_number(l->token[i].s, l->token[i].n, &x) == -1)
			return 0;
		if (strcmp(in->vmstat[i], "swpd") == 0 &&
		    !(x <= in->swpd_max))
			in->swpd_max = x;
		if (strcmp(in->vmstat[i], "us") == 0 ||
		    strcmp(in->vmstat[i], "sy") == 0) {
			busy += x;
			has_busy = 1;
		}
		if (strcmp(in->vmstat[i], "st") == 0)
			in->steal_sum = (isnan(in->steal_sum) ? 0 :
			    in->steal_sum) + x;
	}
	if (has_busy)
		in->busy_sum = (isnan(in->busy_sum) ? 0 : in->busy_sum) + busy;
	return 1;
}

void
import_vmstat_end(struct import *in)
{
	double samples = (double)in->vmstat_samples - 1;

	if (in->vmstat_samples > 1) {
		import_flush(in);
		in->run.format = IMPORT_OTHER;
		in->run.swap_max_kib = in->swpd_max;
		in->run.cpu_pct = in->busy_sum / samples;
		in->run.steal_pct = in->steal_sum / samples;
		in->run.line = in->vmstat_first;
		import_flush_as(in, "vmstat");
	}
	in->vmstat_columns = 0;
	in->vmstat_samples = 0;
	in->swpd_max = in->busy_sum = in->steal_sum = NAN;
}

int
import_vmstat(struct import *in, const struct import_line *l)
{
	if (vmstat_head(in, l) || vmstat_sample(in, l))
		return 1;
	/* "procs -----------memory----------" */
	return strncmp(l->text, "procs", 5) == 0 ||
	    strncmp(l->text, "--procs--", 9) == 0;
}
