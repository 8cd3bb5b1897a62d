/*
 * units: sizes, counts, durations and percentages from text, and back.
 *
 * One engine reads them all: digits, an optional decimal fraction, and a suffix
 * from a table.  The whole string must match; a sign, an exponent, spaces,
 * an unknown suffix or a value that does not fit is an error.  The decimal
 * point is "." in every locale.
 */
#ifndef QS_UNITS_H
#define QS_UNITS_H

#include <stddef.h>
#include <stdint.h>

/*
 * All readers return NULL on success and else a static text that says what is
 * wrong with the string ("not a number", "unknown suffix", "too large", ...),
 * for messages such as  errx(2, "-n %s: %s", text, why).  *out is written on
 * success only.
 */

/* A count: decimal digits only, no suffix, 0 to max inclusive. */
const char *units_count(const char *text, uint64_t max, uint64_t *out);

/*
 * A size in bytes.  Suffixes K M G T P (powers of 1024, either case, each
 * optionally followed by B or iB) and B; a fraction is allowed where the result
 * is rounded down to whole bytes.  A number without a suffix counts in units
 * of bare_bytes (1 for most options, 1 MiB for qsbench -m).  A percentage
 * ("50%", "110%", "12.5%") means that share of whole_bytes; when whole_bytes
 * is 0 a percentage is refused.
 */
const char *units_size(const char *text, uint64_t bare_bytes,
    uint64_t whole_bytes, uint64_t *out_bytes);

/* A duration in ns; suffixes ns us ms s m h, none means seconds. */
const char *units_duration(const char *text, uint64_t *out_ns);

/*
 * A percentage with or without "%", in thousandths of a percent
 * ("12.5%" gives 12500), 0 to max_milli inclusive.
 */
const char *units_percent(const char *text, uint64_t max_milli,
    uint64_t *out_milli);

/*
 * A size for people: "86 MiB", "1.50 GiB", "512 B"; at most four significant
 * digits.  Writes at most size bytes with the final NUL; returns buf.
 */
char *units_print_size(char *buf, size_t size, uint64_t bytes);

/* a * b, or a + b, into *out: returns 0, or -1 (*out untouched) on overflow. */
int units_mul(uint64_t a, uint64_t b, uint64_t *out);
int units_add(uint64_t a, uint64_t b, uint64_t *out);

#endif
