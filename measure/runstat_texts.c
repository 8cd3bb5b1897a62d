/*
 * runstat_texts: each distinct text of a table once, and numbers from text.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runstat_rows.h"

#define FIRST_SLOTS 256
#define EMPTY UINT32_MAX
#define EXACT_POWER 22		/* 10^22 is the last that a double holds */
#define EXACT_DIGITS 15

static size_t
hash(const char *s, size_t length)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);	/* FNV-1a */

	for (size_t i = 0; i < length; i++)
		h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
	return (size_t)(h ^ h >> 29);
}

static int
grow(struct rows_texts *t)
{
	size_t slots = t->slots > 0 ? t->slots * 2 : FIRST_SLOTS, at;
	uint32_t *slot = malloc(slots * sizeof *slot);
	char **text = realloc(t->text, slots * sizeof *text);

	if (text != NULL)
		t->text = text;
	if (slot == NULL || text == NULL) {
		free(slot);
		return -1;
	}
	memset(slot, 0xff, slots * sizeof *slot);
	for (size_t i = 0; i < t->n; i++) {
		at = hash(text[i], strlen(text[i])) & (slots - 1);
		while (slot[at] != EMPTY)
			at = (at + 1) & (slots - 1);
		slot[at] = (uint32_t)i;
	}
	free(t->slot);
	t->slot = slot;
	t->slots = slots;
	return 0;
}

static char *
copy(const char *s, size_t length)
{
	char *c = malloc(length + 1);

	if (c == NULL)
		return NULL;
	memcpy(c, s, length);
	c[length] = '\0';
	/* Texts are C strings from here on: a NUL byte shows as "?". */
	for (size_t i = 0; i < length; i++)
		if (c[i] == '\0')
			c[i] = '?';
	return c;
}

uint32_t
rows_intern(struct rows_texts *t, const char *s, size_t length)
{
	char *clean = NULL;
	uint32_t at;
	size_t slot;

	if (memchr(s, '\0', length) != NULL) {
		clean = copy(s, length);
		if (clean == NULL)
			return EMPTY;
		s = clean;
	}
	if (2 * t->n >= t->slots && grow(t) == -1) {
		free(clean);
		return EMPTY;
	}
	slot = hash(s, length) & (t->slots - 1);
	while ((at = t->slot[slot]) != EMPTY) {
		if (strncmp(t->text[at], s, length) == 0 &&
		    t->text[at][length] == '\0') {
			free(clean);
			return at;
		}
		slot = (slot + 1) & (t->slots - 1);
	}
	t->text[t->n] = clean != NULL ? clean : copy(s, length);
	if (t->text[t->n] == NULL)
		return EMPTY;
	t->slot[slot] = (uint32_t)t->n;
	return (uint32_t)t->n++;
}

/* What strtod(3) reads beyond plain numbers (inf, nan, 0x) is refused. */
static int
slow_number(const char *s, size_t length, double *out)
{
	char buf[64], *end;

	if (length >= sizeof buf)
		return -1;
	memcpy(buf, s, length);
	buf[length] = '\0';
	if (strspn(buf, "0123456789.+-eE") != length)
		return -1;
	*out = strtod(buf, &end);
	return end == buf + length && isfinite(*out) ? 0 : -1;
}

/*
 * Up to 15 digits and 22 decimals, one division rounds right (Clinger, PLDI
 * 1990); the rest goes to strtod(3).
 */
int
rows_number(const char *s, size_t length, double *out)
{
	static const double power[EXACT_POWER + 1] = { 1e0, 1e1, 1e2, 1e3, 1e4,
	    1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	    1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	uint64_t digits = 0;
	size_t i = 0, count = 0, decimals = 0;
	int negative, point = 0;

	*out = NAN;
	if (length == 0 || (length == 1 && *s == '-') ||
	    (length == 2 && s[0] == 'N' && s[1] == 'A'))
		return 0;
	negative = *s == '-';
	for (i = (size_t)negative; i < length; i++) {
		if (s[i] == '.' && !point)
			point = 1;
		else if (s[i] >= '0' && s[i] <= '9' &&
		    ++count <= EXACT_DIGITS) {
			digits = digits * 10 + (uint64_t)(s[i] - '0');
			decimals += (size_t)point;
		} else
			return slow_number(s, length, out);
	}
	if (count == 0)
		return -1;
	*out = (double)digits / power[decimals];
	if (negative)
		*out = -*out;
	return 0;
}
