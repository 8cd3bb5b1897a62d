/*
 * trigger: conditions on the machine's memory, such as "swap>0".
 */
#ifndef QS_RECORD_TRIGGER_H
#define QS_RECORD_TRIGGER_H

#include <stdint.h>

enum trigger_what {
	TRIGGER_SWAP,		/* swap in use, KiB or % of all swap */
	TRIGGER_AVAILABLE,	/* MemAvailable, KiB or % of MemTotal */
	TRIGGER_FREE,		/* MemFree, the same */
	TRIGGER_PSI_SOME,	/* memory stall of the last 10 s, % */
	TRIGGER_PSI_FULL,
	TRIGGER_PSI_IO_SOME,	/* the same of I/O */
	TRIGGER_PSI_IO_FULL
};

struct trigger {
	enum trigger_what what;
	int above;		/* nonzero: > ; else < */
	int percent;		/* nonzero: bound is thousandths of a % */
	uint64_t bound;		/* else bytes */
};

/*
 * "NAME>VALUE" or "NAME<VALUE": swap, available, free with a size or a
 * percentage; psi.some, psi.full, psi.io.some, psi.io.full with a percentage.
 * Returns NULL, or a static text that says what is wrong with it.
 */
const char *trigger_parse(const char *text, struct trigger *t);

/*
 * Whether it holds now.  Returns 1 or 0, or -1 when that cannot be known, with
 * *why a static text.
 */
int trigger_holds(const struct trigger *t, const char *root, const char **why);

/*
 * Wait until it holds, looking every 20 ms, at most limit_ns.  Returns 1 when
 * it does, 0 when the limit passed, -1 as trigger_holds.
 */
int trigger_wait(const struct trigger *t, const char *root, uint64_t limit_ns,
    const char **why);

#endif
