/*
 * units: sizes, counts, durations and percentages from text, and back.
 *
 * Everything is integer arithmetic on the decimal digits, so that no value is
 * rounded on the way and no locale has a say; strtod(3) is left out for both
 * reasons.
 */
#include <stdio.h>

#include "units.h"

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define TIB (1024 * GIB)
#define PIB (1024 * TIB)

struct suffix {
	const char *text;
	uint64_t times;
};

/* The digits of a number in its text, and what follows them. */
struct number {
	const char *digits;	/* a point may follow the first `whole` */
	size_t whole;		/* digits before the point */
	size_t all;		/* digits before and after it */
	const char *suffix;
};

static const char not_a_number[] = "not a number";
static const char not_whole[] = "not a whole number";
static const char unknown_suffix[] = "unknown suffix";
static const char too_large[] = "too large";
static const char no_percentage[] = "a percentage has no meaning here";

static const struct suffix size_suffixes[] = {	/* in upper case */
	{ "B", 1 },
	{ "K", KIB }, { "KB", KIB }, { "KIB", KIB },
	{ "M", MIB }, { "MB", MIB }, { "MIB", MIB },
	{ "G", GIB }, { "GB", GIB }, { "GIB", GIB },
	{ "T", TIB }, { "TB", TIB }, { "TIB", TIB },
	{ "P", PIB }, { "PB", PIB }, { "PIB", PIB },
	{ NULL, 0 }
};

static const struct suffix duration_suffixes[] = {
	{ "", UINT64_C(1000000000) },
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", UINT64_C(1000000000) },
	{ "m", 60 * UINT64_C(1000000000) },
	{ "h", 3600 * UINT64_C(1000000000) },
	{ NULL, 0 }
};

static const struct suffix percent_suffixes[] = {
	{ "", 1000 },
	{ "%", 1000 },
	{ NULL, 0 }
};

static void print_fixed(char *, size_t, uint64_t, unsigned, const char *);
static int number_split(const char *, struct number *);
static int number_value(const struct number *, uint64_t, size_t, uint64_t *);
static const struct suffix *suffix_find(const struct suffix *, const char *,
    int);

const char *
units_count(const char *text, uint64_t max, uint64_t *out)
{
	struct number n;
	uint64_t v;

	if (number_split(text, &n) == -1)
		return not_a_number;
	if (n.all != n.whole || *n.suffix != '\0')
		return not_whole;
	if (number_value(&n, 1, 0, &v) == -1 || v > max)
		return too_large;
	*out = v;
	return NULL;
}

const char *
units_size(const char *text, uint64_t bare_bytes, uint64_t whole_bytes,
    uint64_t *out_bytes)
{
	const struct suffix *s;
	struct number n;
	uint64_t times;
	size_t shift = 0;

	if (number_split(text, &n) == -1)
		return not_a_number;
	if (*n.suffix == '\0') {
		times = bare_bytes;
	} else if (n.suffix[0] == '%' && n.suffix[1] == '\0') {
		if (whole_bytes == 0)
			return no_percentage;
		times = whole_bytes;
		shift = 2;
	} else {
		if ((s = suffix_find(size_suffixes, n.suffix, 1)) == NULL)
			return unknown_suffix;
		times = s->times;
	}
	return number_value(&n, times, shift, out_bytes) == -1 ?
	    too_large : NULL;
}

const char *
units_duration(const char *text, uint64_t *out_ns)
{
	const struct suffix *s;
	struct number n;

	if (number_split(text, &n) == -1)
		return not_a_number;
	if ((s = suffix_find(duration_suffixes, n.suffix, 0)) == NULL)
		return unknown_suffix;
	return number_value(&n, s->times, 0, out_ns) == -1 ? too_large : NULL;
}

const char *
units_percent(const char *text, uint64_t max_milli, uint64_t *out_milli)
{
	const struct suffix *s;
	struct number n;
	uint64_t v;

	if (number_split(text, &n) == -1)
		return not_a_number;
	if ((s = suffix_find(percent_suffixes, n.suffix, 0)) == NULL)
		return unknown_suffix;
	if (number_value(&n, s->times, 0, &v) == -1 || v > max_milli)
		return too_large;
	*out_milli = v;
	return NULL;
}

/*
 * Three or four digits are enough for people: two decimals below 10, one below
 * 1000, none above.  Decimals come from long division, where the remainder of
 * at most 2^60 times ten still fits.
 */
char *
units_print_size(char *buf, size_t size, uint64_t bytes)
{
	static const char *const name[] =
	    { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	unsigned unit = 0, decimals, i;
	uint64_t v, rest, one;

	while (unit < 6 && bytes >> (10 * (unit + 1)) != 0)
		unit++;
	one = UINT64_C(1) << (10 * unit);
	v = bytes / one;
	rest = bytes % one;
	if (rest == 0) {
		snprintf(buf, size, "%llu %s", (unsigned long long)v,
		    name[unit]);
		return buf;
	}
	decimals = v < 10 ? 2 : v < 1000 ? 1 : 0;
	for (i = 0; i < decimals; i++, rest = rest * 10 % one)
		v = v * 10 + rest * 10 / one;
	v += rest >= one / 2;
	/* Rounding up may have made one digit more, or a whole next unit. */
	if ((decimals == 2 && v == 1000) || (decimals == 1 && v == 10000)) {
		v /= 10;
		decimals--;
	} else if (decimals == 0 && v == 1024 && unit < 6) {
		v = 100;
		decimals = 2;
		unit++;
	}
	print_fixed(buf, size, v, decimals, name[unit]);
	return buf;
}

int
units_mul(uint64_t a, uint64_t b, uint64_t *out)
{
	if (a != 0 && b > UINT64_MAX / a)
		return -1;
	*out = a * b;
	return 0;
}

int
units_add(uint64_t a, uint64_t b, uint64_t *out)
{
	if (b > UINT64_MAX - a)
		return -1;
	*out = a + b;
	return 0;
}

/* v / 10^decimals with its unit; not "%.*f", whose point has a locale. */
static void
print_fixed(char *buf, size_t size, uint64_t v, unsigned decimals,
    const char *unit)
{
	unsigned long long n = v;

	if (decimals == 2)
		snprintf(buf, size, "%llu.%02llu %s", n / 100, n % 100, unit);
	else if (decimals == 1)
		snprintf(buf, size, "%llu.%llu %s", n / 10, n % 10, unit);
	else
		snprintf(buf, size, "%llu %s", n, unit);
}

static size_t
digits_span(const char *text)
{
	size_t n = 0;

	while (text[n] >= '0' && text[n] <= '9')
		n++;
	return n;
}

/* Find the parts of a number; -1 when it does not begin with one. */
static int
number_split(const char *text, struct number *n)
{
	size_t decimals;

	n->digits = text;
	n->whole = n->all = digits_span(text);
	if (n->whole == 0)
		return -1;
	n->suffix = text + n->whole;
	if (*n->suffix == '.') {
		if ((decimals = digits_span(n->suffix + 1)) == 0)
			return -1;
		n->all += decimals;
		n->suffix += 1 + decimals;
	}
	return 0;
}

static unsigned
number_digit(const struct number *n, size_t i)
{
	return (unsigned)(n->digits[i < n->whole ? i : i + 1] - '0');
}

/* (digit * times + v) / 10 for v < times, where the sum may not fit. */
static uint64_t
fraction_step(unsigned digit, uint64_t times, uint64_t v)
{
	return digit * (times / 10) + v / 10 +
	    (digit * (times % 10) + v % 10) / 10;
}

/*
 * The number times `times`, its point moved `shift` places to the left, rounded
 * down; -1 when that does not fit.  The fraction is taken from its last digit
 * to its first; as floor((floor(x) + k) / 10) = floor((x + k) / 10) for whole
 * k, rounding down at every step is exact for any number of digits.
 */
static int
number_value(const struct number *n, uint64_t times, size_t shift,
    uint64_t *out)
{
	size_t point = n->whole > shift ? n->whole - shift : 0;
	size_t zeros = shift > n->whole ? shift - n->whole : 0;
	uint64_t fraction = 0, v = 0;
	size_t i;

	for (i = n->all; i > point; i--)
		fraction = fraction_step(number_digit(n, i - 1), times,
		    fraction);
	for (; zeros > 0; zeros--)
		fraction /= 10;
	for (i = 0; i < point; i++)
		if (units_mul(v, 10, &v) == -1 ||
		    units_add(v, number_digit(n, i), &v) == -1)
			return -1;
	if (units_mul(v, times, &v) == -1 || units_add(v, fraction, &v) == -1)
		return -1;
	*out = v;
	return 0;
}

/*
 * The entry of a table for the whole of text.  With fold, small letters match
 * the capitals of the table; toupper(3) is left out for its locale.
 */
static const struct suffix *
suffix_find(const struct suffix *table, const char *text, int fold)
{
	const struct suffix *s;
	const char *t, *u;

	for (s = table; s->text != NULL; s++) {
		for (t = s->text, u = text; *t != '\0'; t++, u++)
			if (*u != *t && !(fold && *u >= 'a' && *u <= 'z' &&
			    *u - 'a' + 'A' == *t))
				break;
		if (*t == '\0' && *u == '\0')
			return s;
	}
	return NULL;
}
