/* why: the reason that something cannot be done; see why.h. */
#include <stdarg.h>
#include <stdio.h>

#include "why.h"

int
why_error(struct why *why, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(why->text, sizeof(why->text), format, ap);
	va_end(ap);
	why->skip = 0;
	return -1;
}

int
why_skip(struct why *why, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(why->text, sizeof(why->text), format, ap);
	va_end(ap);
	why->skip = 1;
	return -1;
}
