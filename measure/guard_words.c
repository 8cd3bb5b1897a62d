/* words: lines of words in which a word may hold any byte; see words.h. */
#include <stdio.h>
#include <string.h>

#include "guard_words.h"

static const char escaped_as[] = "tnr\\";
static const char escaped[] = "\t\n\r\\";

/* The value of three octal digits, or -1; \000 is refused: it ends a string. */
static int
octal(const char *s)
{
	int i, v = 0;

	for (i = 0; i < 3; i++) {
		if (s[i] < '0' || s[i] > '7')
			return -1;
		v = v * 8 + (s[i] - '0');
	}
	return v > 0 && v < 256 ? v : -1;
}

/*
 * Undo one escape: *in stands behind the backslash and is moved behind the
 * escape; the byte is put to *out.  -1 for an unknown one.
 */
static int
unescape(const char **in, char **out)
{
	const char *which = **in != '\0' ? strchr(escaped_as, **in) : NULL;
	int v;

	if (which != NULL) {
		*(*out)++ = escaped[which - escaped_as];
		(*in)++;
		return 0;
	}
	if (**in == 'e') {
		(*in)++;
		return 0;
	}
	v = octal(*in);
	if (v == -1)
		return -1;
	*(*out)++ = (char)v;
	*in += 3;
	return 0;
}

int
words_split(char *line, char **word, int max)
{
	const char *in = line;
	char *out;
	int n = 0, last;

	for (;;) {
		while (*in == ' ' || *in == '\t')
			in++;
		if (*in == '\0')
			return n;
		if (n == max)
			return -1;
		/* out never overtakes in: an escape is longer than its byte. */
		word[n++] = out = line + (in - line);
		while (*in != '\0' && *in != ' ' && *in != '\t') {
			if (*in != '\\')
				*out++ = *in++;
			else if (in++, unescape(&in, &out) == -1)
				return -1;
		}
		last = *in == '\0';
		*out = '\0';
		if (last)
			return n;
		in++;
	}
}

int
words_escape(char *buf, size_t size, const char *text)
{
	const char *which;
	size_t n = 0;

	if (*text == '\0')
		return snprintf(buf, size, "\\e") < (int)size ? 2 : -1;
	for (; *text != '\0'; text++) {
		if (n + 5 > size)
			return -1;
		which = strchr(escaped, *text);
		if (which != NULL) {
			buf[n++] = '\\';
			buf[n++] = escaped_as[which - escaped];
		} else if (*text == ' ') {
			memcpy(buf + n, "\\040", 4);
			n += 4;
		} else {
			buf[n++] = *text;
		}
	}
	buf[n] = '\0';
	return (int)n;
}
