/*
 * cpus: sets of CPUs as text, "0-3,8".
 *
 * CPUs from CPUS_END (1024) on are refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpus.h"

static const char *number(const char **, int *);
static int next_set(const cpu_set_t *, int, int);

const char *
cpus_parse(const char *text, cpu_set_t *set)
{
	const char *why;
	cpu_set_t parsed;
	int first, last;

	CPU_ZERO(&parsed);
	for (;;) {
		if ((why = number(&text, &first)) != NULL)
			return why;
		last = first;
		if (*text == '-') {
			text++;
			if ((why = number(&text, &last)) != NULL)
				return why;
		}
		if (last < first)
			return "a range that goes down";
		for (; first <= last; first++)
			CPU_SET((size_t)first, &parsed);
		if (*text == '\0')
			break;
		if (*text++ != ',')
			return "not a list such as 0-3,8";
	}
	*set = parsed;
	return NULL;
}

char *
cpus_print(char *buf, size_t size, const cpu_set_t *set)
{
	size_t used = 0;
	int first, last, n;

	buf[0] = '\0';
	for (first = next_set(set, 0, 1); first < CPUS_END;
	    first = next_set(set, last, 1)) {
		last = next_set(set, first, 0);	/* the first that is not */
		n = last - first == 1 ?
		    snprintf(buf + used, size - used, ",%d", first) :
		    snprintf(buf + used, size - used, ",%d-%d", first,
		    last - 1);
		if (n < 0 || (size_t)n >= size - used) {
			buf[0] = '\0';
			return buf;
		}
		used += (size_t)n;
	}
	if (used > 0)
		memmove(buf, buf + 1, used);	/* the leading comma */
	return buf;
}

static const char *
number(const char **text, int *out)
{
	size_t digits = strspn(*text, "0123456789");
	long value;

	if (digits == 0)
		return "not a list such as 0-3,8";
	value = strtol(*text, NULL, 10);
	if (digits > 9 || value >= CPUS_END)
		return "no such CPU";
	*out = (int)value;
	*text += digits;
	return NULL;
}

/* The first CPU from here on that is in the set, or is not; or CPUS_END. */
static int
next_set(const cpu_set_t *set, int from, int wanted)
{
	while (from < CPUS_END &&
	    (CPU_ISSET((size_t)from, set) != 0) != wanted)
		from++;
	return from;
}
