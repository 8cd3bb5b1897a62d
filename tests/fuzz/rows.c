/*
 * rows: hostile tables for the reader of runs.tsv, and what is worked out from
 * them by every subcommand.
 */
#include <sys/mman.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "measure/runstat.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* The subcommands read files: one in memory. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct runstat_options o = { .margin = 0.02 };
	static char path[64];
	char *files[] = { path, path };

	if (fd == -1) {
		fd = memfd_create("table", MFD_CLOEXEC);
		if (fd == -1)
			abort();
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	}
	/* The first byte chooses the output format and the subcommand. */
	if (size < 1)
		return 0;
	o.format = (enum runstat_format)(data[0] % 6);
	if (ftruncate(fd, 0) == -1 ||
	    pwrite(fd, data + 1, size - 1, 0) != (ssize_t)(size - 1))
		abort();
	switch (data[0] / 6) {	/* what resamples is slow, so rare */
	case 0:
		runstat_knee(&o, 1, files);
		break;
	case 1:
		runstat_compare(&o, 2, files);
		break;
	case 2:
	case 3:
		runstat_compare(&o, 1, files);
		break;
	case 4:
		runstat_more(&o, 1, files);
		break;
	default:
		runstat_summary(&o, 1, files);
	}
	return 0;
}
