/*
 * import_time: what the time(1) programs and shells print.
 *
 * Lines may have been wrapped: tcsh's and GNU's words are taken one by one, so
 * it does not matter where the break came.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "import.h"

static void
begin(struct import *in, const struct import_line *l, enum import_format f)
{
	import_flush(in);
	in->run.format = f;
	in->run.line = l->number;
}

/* A number with a suffix: "71.020u". */
static int
suffixed(const struct import_token *t, const char *suffix, double *out)
{
	return import_ends(t, suffix) ?
	    import_number(t->s, t->n - strlen(suffix), out) : -1;
}

/* Two numbers with suffixes about a plus: "10652pf+0w". */
static int
sum_of(const struct import_token *t, const char *first, const char *second,
    double *a, double *b)
{
	const char *plus = memchr(t->s, '+', t->n);
	struct import_token x, y;

	if (plus == NULL)
		return -1;
	x = (struct import_token){ t->s, (size_t)(plus - t->s) };
	y = (struct import_token){ plus + 1, t->n - x.n - 1 };
	if (*first != '\0' ? suffixed(&x, first, a) == -1 :
	    import_number(x.s, x.n, a) == -1)
		return -1;
	return suffixed(&y, second, b);
}

/* The part of a tcsh line that stage says; 0 when the word is it. */
static int
tcsh_word(struct import_run *r, const struct import_token *t)
{
	double unused;

	switch (r->stage) {
	case 0:
		return suffixed(t, "u", &r->user_s);
	case 1:
		return suffixed(t, "s", &r->sys_s);
	case 2:
		r->decimals = import_decimals(t->s, t->n);
		return memchr(t->s, ':', t->n) == NULL ? -1 :
		    import_clock(t->s, t->n, &r->elapsed_s);
	case 3:
		r->cpu_decimals = import_decimals(t->s, t->n);
		return suffixed(t, "%", &r->cpu_pct);
	case 4:
		return sum_of(t, "", "k", &unused, &unused);
	case 5:
		return sum_of(t, "", "io", &r->inblock, &r->oublock);
	case 6:
		return sum_of(t, "pf", "w", &r->majflt, &r->nswap);
	default:
		return -1;
	}
}

static int
tcsh(struct import *in, const struct import_line *l)
{
	struct import_run try = in->run;
	double unused;
	size_t i;

	if (in->run.format != IMPORT_TCSH || in->run.stage == 7 ||
	    suffixed(&l->token[0], "u", &unused) == 0) {
		if (suffixed(&l->token[0], "u", &unused) == -1 ||
		    l->tokens < 2 ||
		    suffixed(&l->token[1], "s", &unused) == -1)
			return 0;
		begin(in, l, IMPORT_TCSH);
		try = in->run;
	}
	for (i = 0; i < l->tokens; i++) {
		if (tcsh_word(&try, &l->token[i]) == -1)
			break;
		try.stage++;
	}
	/* What follows the figures is a remark; before stage 4, nonsense. */
	if (i == 0 || (i < l->tokens && try.stage < 4)) {
		if (in->run.stage == 0)
			import_clear(&in->run);
		return 0;
	}
	in->run = try;
	if (in->run.stage == 7)
		import_flush(in);
	return 1;
}

/* "(0avgtext+0avgdata" and "1964maxresident)k" and the like. */
static int
gnu_word(struct import_run *r, const struct import_token *t)
{
	struct import_token in;
	double unused;

	if (suffixed(t, "user", &r->user_s) == 0 ||
	    suffixed(t, "system", &r->sys_s) == 0 ||
	    suffixed(t, "maxresident)k", &r->maxrss_kib) == 0 ||
	    suffixed(t, "swaps", &r->nswap) == 0 ||
	    sum_of(t, "inputs", "outputs", &r->inblock, &r->oublock) == 0)
		return 0;
	if (import_ends(t, "elapsed")) {
		r->decimals = import_decimals(t->s, t->n);
		return import_clock(t->s, t->n - 7, &r->elapsed_s);
	}
	if (import_is(t, "?%CPU") || suffixed(t, "%CPU", &r->cpu_pct) == 0)
		return 0;
	if (t->n < 2 || *t->s != '(')
		return -1;
	in = (struct import_token){ t->s + 1, t->n - 1 };
	if (sum_of(&in, "avgtext", "avgdata", &unused, &unused) == 0 ||
	    sum_of(&in, "major", "minor)pagefaults", &r->majflt,
	    &r->minflt) == 0)
		return 0;
	return -1;
}

static int
gnu(struct import *in, const struct import_line *l)
{
	struct import_run try;
	double unused;
	size_t i;

	if (suffixed(&l->token[0], "user", &unused) == 0)
		begin(in, l, IMPORT_GNU);
	else if (in->run.format != IMPORT_GNU)
		return 0;
	try = in->run;
	for (i = 0; i < l->tokens; i++)
		if (gnu_word(&try, &l->token[i]) == -1)
			break;
	if (i == 0) {
		if (isnan(in->run.user_s))
			import_clear(&in->run);
		return 0;
	}
	in->run = try;
	if (!isnan(in->run.nswap))
		import_flush(in);
	return 1;
}

/* The lines of GNU time -v: "\tUser time (seconds): 0.00". */
static int
verbose(struct import *in, const struct import_line *l)
{
	static const struct {
		const char *key;
		size_t offset;
	} keys[] = {
#define AT(field) offsetof(struct import_run, field)
		{ "User time (seconds): ", AT(user_s) },
		{ "System time (seconds): ", AT(sys_s) },
		{ "Percent of CPU this job got: ", AT(cpu_pct) },
		{ "Elapsed (wall clock) time (h:mm:ss or m:ss): ",
		    AT(elapsed_s) },
		{ "Maximum resident set size (kbytes): ", AT(maxrss_kib) },
		{ "Major (requiring I/O) page faults: ", AT(majflt) },
		{ "Minor (reclaiming a frame) page faults: ", AT(minflt) },
		{ "Voluntary context switches: ", AT(nvcsw) },
		{ "Involuntary context switches: ", AT(nivcsw) },
		{ "Swaps: ", AT(nswap) },
		{ "File system inputs: ", AT(inblock) },
		{ "File system outputs: ", AT(oublock) }
#undef AT
	};
	static const char being[] = "Command being timed: \"";
	const char *value;
	size_t n;

	if (strncmp(l->text, being, sizeof being - 1) == 0) {
		begin(in, l, IMPORT_VERBOSE);
		value = l->text + sizeof being - 1;
		n = strlen(value);
		import_set_command(in, value, n - (n > 0 &&
		    value[n - 1] == '"'));
		return 1;
	}
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		n = strlen(keys[i].key);
		if (strncmp(l->text, keys[i].key, n) != 0)
			continue;
		if (in->run.format != IMPORT_VERBOSE)
			begin(in, l, IMPORT_VERBOSE);
		value = l->text + n;
		n = strcspn(value, "%");
		return import_clock(value, n, (double *)(void *)
		    ((char *)&in->run + keys[i].offset)) == 0;
	}
	/* Lines of this form that hold nothing we keep, and the last one. */
	if (in->run.format != IMPORT_VERBOSE ||
	    strstr(l->text, "): ") == NULL) {
		if (in->run.format != IMPORT_VERBOSE)
			return 0;
		if (strncmp(l->text, "Exit status: ", 13) == 0) {
			import_flush(in);
			return 1;
		}
		return strncmp(l->text, "Signals delivered: ", 19) == 0 ||
		    strncmp(l->text, "Socket messages ", 16) == 0;
	}
	return 1;
}

/* "0m1.021s", "1h2m3.4s", "1.02", "0m" and "1.02s": seconds, or -1. */
static int
shell_time(const char *s, size_t n, double *out)
{
	double part, sum = 0;
	size_t i, from = 0;

	for (i = 0; i < n; i++) {
		if (s[i] != 'h' && s[i] != 'm')
			continue;
		if (import_number(s + from, i - from, &part) == -1)
			return -1;
		sum += part * (s[i] == 'h' ? 3600 : 60);
		from = i + 1;
	}
	if (from == n) {
		*out = sum;
		return from > 0 ? 0 : -1;
	}
	if (s[n - 1] == 's')
		n--;
	if (import_number(s + from, n - from, &part) == -1 || part < 0)
		return -1;
	*out = sum + part;
	return 0;
}

static double *
shell_field(struct import_run *r, const struct import_token *t)
{
	return import_is(t, "real") ? &r->elapsed_s :
	    import_is(t, "user") ? &r->user_s :
	    import_is(t, "sys") || import_is(t, "system") ? &r->sys_s : NULL;
}

/* One word and its time, in either order: "real 0m1.021s", "0.12 real". */
static size_t
shell_pair(struct import *in, const struct import_line *l, size_t i)
{
	const struct import_token *t = &l->token[i];
	size_t left = l->tokens - i, used = 2;
	double seconds, more;
	double *field;
	const struct import_token *value = NULL;

	if (left < 2)
		return 0;
	if (shell_field(&in->run, t) != NULL)
		value = t + 1;
	else if (shell_field(&in->run, t + 1) != NULL) {
		value = t;
		t++;
	} else
		return 0;
	if (shell_time(value->s, value->n, &seconds) == -1)
		return 0;
	/* BusyBox and mksh: "0m 1.02s" */
	if (value == t + 1 && left > 2 && value->s[value->n - 1] == 'm' &&
	    shell_time(t[2].s, t[2].n, &more) == 0) {
		seconds += more;
		used = 3;
	}
	field = shell_field(&in->run, t);
	if (in->run.format != IMPORT_SHELL || !isnan(*field))
		begin(in, l, IMPORT_SHELL);
	field = shell_field(&in->run, t);
	*field = seconds;
	if (field == &in->run.elapsed_s)
		in->run.decimals = import_decimals(value->s, value->n);
	return used;
}

static int
shell(struct import *in, const struct import_line *l)
{
	size_t i = 0, used;

	if (l->tokens > 9)
		return 0;
	while (i < l->tokens && (used = shell_pair(in, l, i)) > 0)
		i += used;
	if (in->run.format == IMPORT_SHELL && !isnan(in->run.elapsed_s) &&
	    !isnan(in->run.user_s) && !isnan(in->run.sys_s))
		import_flush(in);
	return i > 0;
}

/* "job text  0.00s user 0.00s system 0% cpu 0.001 total" */
static int
zsh(struct import *in, const struct import_line *l)
{
	const struct import_token *t;
	size_t at;

	if (l->tokens < 8 || !import_is(&l->token[l->tokens - 1], "total"))
		return 0;
	at = l->tokens - 8;
	t = &l->token[at];
	if (!import_is(&t[1], "user") || !import_is(&t[3], "system") ||
	    !import_is(&t[5], "cpu"))
		return 0;
	begin(in, l, IMPORT_ZSH);
	in->run.decimals = import_decimals(t[6].s, t[6].n);
	if (suffixed(&t[0], "s", &in->run.user_s) == -1 ||
	    suffixed(&t[2], "s", &in->run.sys_s) == -1 ||
	    suffixed(&t[4], "%", &in->run.cpu_pct) == -1 ||
	    import_clock(t[6].s, t[6].n, &in->run.elapsed_s) == -1) {
		import_clear(&in->run);
		return 0;
	}
	if (at > 0)
		import_set_command(in, l->text, (size_t)(l->token[at - 1].s +
		    l->token[at - 1].n - l->text));
	import_flush(in);
	return 1;
}

int
import_time(struct import *in, const struct import_line *l)
{
	return tcsh(in, l) || gnu(in, l) || verbose(in, l) || zsh(in, l) ||
	    shell(in, l);
}
