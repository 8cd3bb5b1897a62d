/*
 * printfmt FORMAT WAIT_STATUS COMMAND [WORD...]: prints a run in a format; the
 * figures come from the environment variables of fakeusage.c.  For the tests.
 */
#include <err.h>
#include <stdlib.h>

#include "timefmt.h"

static uint64_t
figure(const char *name)
{
	const char *text = getenv(name);

	return text == NULL ? 0 : strtoull(text, NULL, 10);
}

int
main(int argc, char *argv[])
{
	struct timefmt_run run = {
		.elapsed_ns = figure("FAKE_ELAPSED_NS"),
		.user_us = figure("FAKE_USER_US"),
		.sys_us = figure("FAKE_SYS_US"),
		.majflt = figure("FAKE_MAJFLT"),
		.minflt = figure("FAKE_MINFLT"),
		.nswap = figure("FAKE_NSWAP"),
		.inblock = figure("FAKE_INBLOCK"),
		.oublock = figure("FAKE_OUBLOCK"),
		.maxrss_kib = figure("FAKE_MAXRSS_KIB"),
		.nvcsw = figure("FAKE_NVCSW"),
		.nivcsw = figure("FAKE_NIVCSW"),
	};
	enum timefmt format;

	if (argc < 4 || timefmt_by_name(argv[1], &format) != 0)
		errx(2, "usage: printfmt FORMAT WAIT_STATUS COMMAND [WORD...]");
	run.wait_status = atoi(argv[2]);
	run.command = argv[3];
	run.argv = argc > 4 ? argv + 4 : NULL;
	if (timefmt_print(stdout, format, &run) != 0)
		err(1, "stdout");
	return 0;
}
