/*
 * import: hostile mails for the recognisers of runstat import.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
import_once(const char *text, size_t size, FILE *out, int check)
{
	struct import in = { .out = check ? NULL : out, .told = out,
	    .check = check, .verbose = 1 };

	import_begin(&in, "fuzz");
	import_text(&in, text, size);
	import_end(&in);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *out;

	if (out == NULL && (out = fopen("/dev/null", "we")) == NULL)
		abort();
	import_once((const char *)data, size, out, 0);
	import_once((const char *)data, size, out, 1);
	return 0;
}
