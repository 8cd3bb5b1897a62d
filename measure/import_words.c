/*
 * import_words: the lines between the figures: which kernel, which command, and
 * how it ended.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "import.h"

static void
set_outcome(struct import *in, const char *outcome)
{
	snprintf(in->outcome, sizeof in->outcome, "%s", outcome);
}

/* A row without figures, for a run of which only the outcome was told. */
static void
outcome_alone(struct import *in, const struct import_line *l,
    const char *outcome)
{
	import_flush(in);
	in->run.format = IMPORT_OTHER;
	in->run.line = l->number;
	set_outcome(in, outcome);
	import_flush(in);
}

static int
starts(const char *s, const char *with)
{
	return strncasecmp(s, with, strlen(with)) == 0;
}

/* The number behind a text, as "signal:9". */
static int
numbered(struct import *in, const char *s, const char *before,
    const char *outcome)
{
	char text[64];
	int n;

	if (!starts(s, before))
		return 0;
	s += strlen(before);
	n = (int)strspn(s, "0123456789");
	if (n == 0 || n > 9)
		return 0;
	import_flush(in);
	snprintf(text, sizeof text, "%s:%.*s", outcome, n, s);
	set_outcome(in, text);
	return 1;
}

/* "Out of Memory: Killed process 123 (qsbench)." of the job at hand. */
static int
out_of_memory(struct import *in, const char *s)
{
	const char *killed = strcasestr(s, "killed process "), *name;
	size_t n;

	if (strcasestr(s, "out of memory") == NULL || killed == NULL)
		return 0;
	name = strchr(killed, '(');
	n = name != NULL ? strcspn(name + 1, ")") : 0;
	/* Another victim than the job does not tell how the job ended. */
	if (name != NULL && *in->job != '\0' &&
	    (strlen(in->job) != n || memcmp(name + 1, in->job, n) != 0))
		return 1;
	import_flush(in);
	set_outcome(in, "oom");
	return 1;
}

/* What shells print about a child, alone on a line. */
static int
shell_word(struct import *in, const char *s)
{
	static const struct {
		const char *word, *outcome;
	} words[] = {
		{ "Killed", "signal:9" }, { "Terminated", "signal:15" },
		{ "Segmentation fault", "signal:11" },
		{ "Segmentation fault (core dumped)", "signal:11" },
		{ "Aborted", "signal:6" }, { "Aborted (core dumped)",
		    "signal:6" }, { "Bus error", "signal:7" }
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(s, words[i].word) == 0) {
			import_flush(in);
			set_outcome(in, words[i].outcome);
			return 1;
		}
	return 0;
}

/* How a kernel's run ended that has no figures; NULL when s tells no end. */
static const char *
end_of(const char *s)
{
	int na = starts(s, "n/a");

	if (starts(s, "not tested"))
		return "skipped:not tested";
	if (na && strcasestr(s, "livelock") != NULL)
		return "livelock";
	if (na && strcasestr(s, "deadlock") != NULL)
		return "deadlock";
	if (starts(s, "livelock") || starts(s, "deadlock"))
		return *s == 'l' || *s == 'L' ? "livelock" : "deadlock";
	if (starts(s, "hang") || starts(s, "hung"))
		return "hang";
	if (starts(s, "thrash"))
		return "thrash-stopped";
	return na ? "n/a" : NULL;
}

/* "1 minute 35 seconds", "356 s", "5:56", the first in the text. */
static int
duration(const struct import_line *l, size_t from, double *out)
{
	double x, sum = 0;
	int found = 0;

	for (size_t i = from; i < l->tokens; i++) {
		struct import_token t = l->token[i];

		while (t.n > 0 && strchr(".,;)", t.s[t.n - 1]) != NULL)
			t.n--;
		if (memchr(t.s, ':', t.n) != NULL &&
		    import_clock(t.s, t.n, out) == 0)
			return 0;
		if (i + 1 < l->tokens &&
		    import_number(t.s, t.n, &x) == 0) {
			const char *unit = l->token[++i].s;

			sum += x * (*unit == 'h' ? 3600 : *unit == 'm' ? 60 :
			    1);
			if (strchr("hms", *unit) == NULL)
				return -1;
			found = 1;
		} else if (found && !import_is(&t, "and"))
			break;
	}
	*out = sum;
	return found ? 0 : -1;
}

/* What stands behind "label:" on the same line. */
static int
rest_of_heading(struct import *in, const struct import_line *l, size_t from)
{
	const char *s = l->token[from].s, *end = end_of(s);
	double seconds;

	if (end != NULL) {
		outcome_alone(in, l, end);
		return 1;
	}
	if ((starts(s, "average") || starts(s, "mean")) &&
	    duration(l, from, &seconds) == 0) {
		import_flush(in);
		in->run.format = IMPORT_OTHER;
		in->run.line = l->number;
		in->run.elapsed_s = seconds;
		import_flush(in);
		return 1;
	}
	if ((starts(s, "abandoned") || starts(s, "given up") ||
	    starts(s, "aborted") || starts(s, "stopped")) &&
	    duration(l, from, &seconds) == 0) {
		import_flush(in);
		in->run.format = IMPORT_OTHER;
		in->run.line = l->number;
		in->run.elapsed_s = seconds;
		set_outcome(in, "timeout");
		import_flush(in);
		return 1;
	}
	return 0;
}

/* "0:08 kswapd", "5 ? SW 0:08 [kswapd]": all runs of this kernel together. */
static int
kswapd(struct import *in, const struct import_line *l)
{
	const struct import_token *last = &l->token[l->tokens - 1];
	double seconds;

	if (l->tokens < 2 || l->tokens > 12 ||
	    (!import_is(last, "kswapd") && !import_is(last, "[kswapd]") &&
	    !import_is(last, "kswapd0") && !import_is(last, "[kswapd0]")) ||
	    import_clock(last[-1].s, last[-1].n, &seconds) == -1)
		return 0;
	import_flush(in);
	in->run.format = IMPORT_OTHER;
	in->run.line = l->number;
	in->run.kswapd_s = seconds;
	import_flush_as(in, "kswapd");
	return 1;
}

/* "max swap: 700 kB": the most swap in use beside the runs of this label. */
static int
most_swap(struct import *in, const struct import_line *l)
{
	double kib = NAN, factor;
	size_t n;

	if (!starts(l->text, "max swap") && !starts(l->text, "maximum swap") &&
	    !starts(l->text, "max. swap"))
		return 0;
	for (size_t i = 2; i < l->tokens && isnan(kib); i++) {
		n = strspn(l->token[i].s, "0123456789.,");
		factor = strcasestr(l->token[i].s, "mb") != NULL ? 1024 : 1;
		if (n > 0 && import_number(l->token[i].s, n, &kib) == 0)
			kib *= factor;
	}
	if (isnan(kib))
		return 0;
	import_flush(in);
	in->run.format = IMPORT_OTHER;
	in->run.line = l->number;
	in->run.swap_max_kib = kib;
	import_flush_as(in, "");
	return 1;
}

/* "MemTotal: 255984 kB", or "Mem: 255984 ..." of free(1): for plausibility. */
static int
memory(struct import *in, const struct import_line *l)
{
	double kib;

	if (l->tokens < 2 || (!import_is(&l->token[0], "MemTotal:") &&
	    !(import_is(&l->token[0], "Mem:") && l->numbers >= 3)) ||
	    import_number(l->token[1].s, l->token[1].n, &kib) == -1)
		return 0;
	in->mem_kib = kib;
	return 1;
}

int
import_outcome(struct import *in, const struct import_line *l)
{
	const char *s = l->text, *end;

	if (numbered(in, s, "Command terminated by signal ", "signal") ||
	    numbered(in, s, "Command exited with non-zero status ", "exit") ||
	    shell_word(in, s) || kswapd(in, l) || memory(in, l) ||
	    most_swap(in, l))
		return 1;
	if ((*s == 'O' || *s == 'o' || strstr(s, "illed process") != NULL) &&
	    out_of_memory(in, s))
		return 1;
	if (l->length > 80 || *in->label == '\0' || (end = end_of(s)) == NULL)
		return 0;
	if (!starts(s, "n/a") && l->tokens > 3)
		return 0;	/* a sentence that begins so */
	outcome_alone(in, l, end);
	return 1;
}

/* A kernel's name has a version in it, a setting's an equals sign. */
static int
is_label(const char *s, size_t n)
{
	if (n == 0 || n >= IMPORT_NAME - 2)
		return 0;
	for (size_t i = 1; i + 1 < n; i++) {
		if (isdigit((unsigned char)s[i - 1]) && s[i] == '.' &&
		    isdigit((unsigned char)s[i + 1]))
			return 1;
		if (s[i] == '=' && isalpha((unsigned char)s[i - 1]) &&
		    isalnum((unsigned char)s[i + 1]))
			return 1;
	}
	return 0;
}

void
import_set_label(struct import *in, const char *s, size_t n)
{
	import_flush(in);
	if (n > 6 && (strncasecmp(s, "Linux-", 6) == 0 ||
	    strncasecmp(s, "Linux ", 6) == 0)) {
		s += 6;
		n -= 6;
	}
	snprintf(in->label, sizeof in->label, "%.*s", (int)n, s);
	in->contest[0] = in->outcome[0] = '\0';
	in->count = 0;
	in->sum = in->summed = 0;
}

/* "noload:", "IO Full Load:": one to three words that name a load. */
static int
load_heading(struct import *in, const char *s, size_t n)
{
	static const char *const other[] = { "cacherun", "noload", "io_other" };
	char name[64];
	int known = 0;

	if (n == 0 || n >= sizeof name)
		return 0;
	for (size_t i = 0; i < n; i++)
		name[i] = s[i] == ' ' ? '_' : (char)tolower((unsigned char)
		    s[i]);
	name[n] = '\0';
	if (strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789") != n)
		return 0;
	known = n > 4 && strcmp(name + n - 4, "load") == 0;
	known |= strstr(name, "_load_") != NULL;
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		known |= strcmp(name, other[i]) == 0;
	if (!known)
		return 0;
	import_flush(in);
	/* Two words in the heading, one in the tables' own name. */
	if (strcmp(name, "no_load") == 0 && memchr(s, ' ', n) != NULL)
		strcpy(name, "noload");
	memcpy(in->load, name, sizeof name);
	return 1;
}

int
import_heading(struct import *in, const struct import_line *l)
{
	const char *colon = strchr(l->text, ':'), *s = l->text;
	size_t n, words = 0;

	if (l->tokens > 24 || l->length > 200)
		return 0;
	n = colon != NULL ? (size_t)(colon - s) : l->length;
	while (words < l->tokens && l->token[words].s < s + n)
		words++;
	if (words > 3)
		return 0;
	if (colon != NULL && colon[1] == '\0' && load_heading(in, s, n))
		return 1;
	if ((words == 1 || (words == 2 && (starts(s, "linux ") ||
	    s[n - 1] == ')'))) && is_label(s, n)) {
		/* A label alone on a line needs its colon or a setting. */
		if (colon == NULL && strchr(s, '=') == NULL)
			return 0;
		import_set_label(in, s, n);
		return words == l->tokens || rest_of_heading(in, l, words);
	}
	if (words == 1 && l->tokens == 1 && colon != NULL &&
	    colon[1] == '\0' && n < sizeof in->job && islower(
	    (unsigned char)*s)) {
		import_flush(in);	/* "patch:" names the job */
		snprintf(in->job, sizeof in->job, "%.*s", (int)n, s);
		in->command[0] = '\0';
		in->count = 0;
		in->sum = in->summed = 0;
		return 1;
	}
	return 0;
}

void
import_set_command(struct import *in, const char *s, size_t n)
{
	size_t word, from;

	if (n >= sizeof in->command)
		n = sizeof in->command - 1;
	while (n > 0 && s[n - 1] == ' ')
		n--;
	if (strlen(in->command) != n || memcmp(in->command, s, n) != 0) {
		memcpy(in->command, s, n);
		in->command[n] = '\0';
		in->count = 0;
		in->sum = in->summed = 0;
	}
	word = strcspn(in->command, " ");
	for (from = word; from > 0 && in->command[from - 1] != '/'; from--)
		;
	snprintf(in->job, sizeof in->job, "%.*s",
	    (int)(word - from < 63 ? word - from : 63), in->command + from);
}

static int
is_workload(const struct import_line *l, size_t at)
{
	static const char *const names[] = { "qsbench", "qs", "bsbench",
	    "memhog", "fileio" };
	struct import_token t = l->token[at];
	const char *slash = memrchr(t.s, '/', t.n);

	if (slash != NULL) {
		t.n -= (size_t)(slash + 1 - t.s);
		t.s = slash + 1;
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (import_is(&t, names[i]) && at + 1 < l->tokens &&
		    (*l->token[at + 1].s == '-' ||
		    isdigit((unsigned char)*l->token[at + 1].s)))
			return 1;
	return 0;
}

/*
 * A command line: a known workload with its options, or what stands behind
 * "time", at the start of the line or behind a prompt.
 */
int
import_command(struct import *in, const struct import_line *l)
{
	size_t i = 0;
	int prompt = 0, time = 0;

	if (l->length >= sizeof in->command)
		return 0;
	if (l->tokens > 1 && strchr("$%#>", l->token[0].s[l->token[0].n - 1]) !=
	    NULL) {
		prompt = *l->token[0].s == '$' || l->token[0].n > 1;
		i = 1;
	}
	if (i < l->tokens && (import_is(&l->token[i], "time") ||
	    import_ends(&l->token[i], "/time"))) {
		time = i + 1 < l->tokens;
		for (i++; i < l->tokens && *l->token[i].s == '-'; i++)
			;
	}
	if (i >= l->tokens || !(is_workload(l, i) || (time && (prompt ||
	    l->token[0].s == l->text)) || (prompt && *l->token[0].s == '$')))
		return 0;
	/* "time goes by" is no command: sentences end in a full stop. */
	if (time && !prompt && !is_workload(l, i) &&
	    (l->text[l->length - 1] == '.' || l->tokens > 12))
		return 0;
	import_flush(in);
	import_set_command(in, l->token[i].s,
	    l->length - (size_t)(l->token[i].s - l->text));
	return 1;
}
