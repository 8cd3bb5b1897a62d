/*
 * import_text: from the bytes of a mail to lines, and from lines to words.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import.h"
#include "runstat_rows.h"

struct buffer {			/* the line that is being put together */
	char *s;
	size_t n, room;
};

static int
add(struct buffer *b, const char *s, size_t n)
{
	size_t room = b->room;
	char *p;

	while (b->n + n + 1 > room)
		room = room > 0 ? 2 * room : 4096;
	if (room != b->room) {
		p = realloc(b->s, room);
		if (p == NULL)
			return -1;
		b->s = p;
		b->room = room;
	}
	memcpy(b->s + b->n, s, n);
	b->n += n;
	b->s[b->n] = '\0';
	return 0;
}

static int
hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' :
	    c >= 'A' && c <= 'F' ? c - 'A' + 10 :
	    c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Quoted-printable in place (RFC 2045); 1 when the line goes on below. */
static int
unquote_printable(char *s, size_t *length)
{
	size_t to = 0, n = *length;

	while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t'))
		n--;
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '=' && i + 1 == n) {
			*length = to;
			return 1;
		}
		if (s[i] == '=' && i + 2 < n && hex(s[i + 1]) >= 0 &&
		    hex(s[i + 2]) >= 0) {
			s[to++] = (char)(hex(s[i + 1]) * 16 + hex(s[i + 2]));
			i += 2;
		} else
			s[to++] = s[i];
	}
	*length = to;
	return 0;
}

/* Past quoting marks: "> ", ">> ", "| ", "ab> ". */
static const char *
unquoted(const char *s)
{
	const char *p;

	for (;;) {
		p = s + strspn(s, " \t");
		for (int i = 0; i < 4 && isalpha((unsigned char)*p); i++)
			p++;
		if (*p != '>' && *p != '|')
			return s;
		s = p + 1;
	}
}

void
import_split(struct import_line *l)
{
	const char *s = l->text;
	double unused;

	l->tokens = l->numbers = 0;
	while (l->tokens < IMPORT_TOKENS) {
		s += strspn(s, " \t|");
		if (*s == '\0')
			break;
		l->token[l->tokens].s = s;
		s += strcspn(s, " \t|");
		l->token[l->tokens].n = (size_t)(s - l->token[l->tokens].s);
		l->numbers += import_number(l->token[l->tokens].s,
		    l->token[l->tokens].n, &unused) == 0;
		l->tokens++;
	}
}

int
import_number(const char *s, size_t n, double *out)
{
	char buf[32];
	size_t digits = 0, points = 0;

	if (n == 0 || n >= sizeof buf)
		return -1;
	for (size_t i = 0; i < n; i++) {
		buf[i] = s[i] == ',' ? '.' : s[i];
		digits += s[i] >= '0' && s[i] <= '9';
		points += buf[i] == '.';
	}
	buf[n] = '\0';
	if (digits + points != n - (*s == '-' || *s == '+') || digits == 0 ||
	    points > 1)
		return -1;
	if (*buf != '+')
		return rows_number(buf, n, out);
	return rows_number(buf + 1, n - 1, out);
}

int
import_clock(const char *s, size_t n, double *seconds)
{
	double part, sum = 0;
	const char *colon;
	int parts = 0;

	if (n > 0 && (*s == '-' || *s == '+'))
		return -1;
	while ((colon = memchr(s, ':', n)) != NULL) {
		if (import_number(s, (size_t)(colon - s), &part) == -1 ||
		    ++parts > 2)
			return -1;
		sum = (sum + part) * 60;
		n -= (size_t)(colon - s) + 1;
		s = colon + 1;
	}
	if (import_number(s, n, &part) == -1 || (parts > 0 && part >= 60))
		return -1;
	*seconds = sum + part;
	return 0;
}

int
import_decimals(const char *s, size_t n)
{
	int count = -1;

	for (size_t i = 0; i < n; i++)
		if (s[i] == '.' || s[i] == ',')
			count = 0;
		else if (count >= 0 && isdigit((unsigned char)s[i]))
			count++;
		else if (count >= 0)
			break;
	return count > 0 ? count : 0;
}

int
import_is(const struct import_token *t, const char *word)
{
	return strlen(word) == t->n && strncasecmp(t->s, word, t->n) == 0;
}

int
import_ends(const struct import_token *t, const char *suffix)
{
	size_t n = strlen(suffix);

	return t->n > n && strncmp(t->s + t->n - n, suffix, n) == 0;
}

/* Does it look like figures, though nobody knew it? */
static int
looks_numeric(const struct import_line *l)
{
	return (l->numbers >= 3 && 2 * l->numbers > l->tokens) ||
	    strstr(l->text, "pf+") != NULL ||
	    strstr(l->text, "maxresident") != NULL ||
	    strstr(l->text, "%CPU") != NULL;
}

static void
one_line(struct import *in, struct import_line *l)
{
	import_split(l);
	if (l->tokens == 0) {
		import_contest_end(in);
		return;
	}
	if (import_time(in, l) || import_contest(in, l) ||
	    import_vmstat(in, l) || import_outcome(in, l) ||
	    import_heading(in, l) || import_command(in, l))
		return;
	if (in->check && import_check_line(in, l))
		return;
	if (looks_numeric(l)) {
		in->unread++;
		import_fault(in, l->number, "not read: %.60s", l->text);
	} else if (in->verbose)
		fprintf(in->told, "%s:%llu: no figures: %.60s\n", in->file,
		    (unsigned long long)l->number, l->text);
}

/* A line as it stands in the file: what the mail's transport did is undone. */
static void
raw_line(struct import *in, struct buffer *b, uint64_t number, int *encoded)
{
	static const char field[] = "Content-Transfer-Encoding:";
	struct import_line l = { .number = number };

	while (b->n > 0 && isspace((unsigned char)b->s[b->n - 1]))
		b->n--;
	b->s[b->n] = '\0';
	for (size_t i = 0; i < b->n; i++)
		if (b->s[i] == '\0' || b->s[i] == '\r' || b->s[i] == '\xa0')
			b->s[i] = ' ';
	if (strncasecmp(b->s, field, sizeof field - 1) == 0)
		*encoded = strcasestr(b->s, "quoted-printable") != NULL;
	else if (strncmp(b->s, "From ", 5) == 0)
		*encoded = 0;
	l.text = unquoted(b->s);
	l.text += strspn(l.text, " \t");
	l.length = strlen(l.text);
	one_line(in, &l);
}

/* Nonzero when the line goes on below. */
static int
decode_tail(struct buffer *b, size_t from)
{
	size_t fresh = b->n - from;
	int more;

	if (fresh > 0 && b->s[b->n - 1] == '\r')
		fresh--;
	more = unquote_printable(b->s + from, &fresh);
	b->n = from + fresh;
	b->s[b->n] = '\0';
	return more;
}

void
import_text(struct import *in, const char *text, size_t size)
{
	struct buffer b = { NULL, 0, 0 };
	const char *end = text + size, *stop;
	uint64_t number = 0;
	size_t length, from = 0;
	int encoded = 0;

	while (text < end && !in->failed) {
		stop = memchr(text, '\n', (size_t)(end - text));
		length = (size_t)((stop != NULL ? stop : end) - text);
		number++;
		from = b.n;
		if (add(&b, text, length) == -1) {
			in->failed = 1;
			break;
		}
		text += length + (stop != NULL);
		/* Only what is new is decoded: a long chain stays linear. */
		if (encoded && decode_tail(&b, from))
			continue;
		raw_line(in, &b, number, &encoded);
		b.n = 0;
	}
	if (b.n > 0 && !in->failed)
		raw_line(in, &b, number, &encoded);
	free(b.s);
}
