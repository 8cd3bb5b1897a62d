/*
 * swapfile: a swap area in a file or on a device.
 */
#ifndef QS_GUARD_SWAPFILE_H
#define QS_GUARD_SWAPFILE_H

#include <stddef.h>
#include <stdint.h>

#include "guard_actions.h"

#define SWAPFILE_BYTES_MIN 65536U	/* the kernel wants ten pages */
#define SWAPFILE_PRIORITY_MAX 32767	/* SWAP_FLAG_PRIO_MASK */
#define SWAPFILE_LABEL "qsb"		/* the volume name in its header */

struct swapfile {
	const char *path;
	int fd;
	uint64_t bytes;
	uint64_t priority;
};

/*
 * All return 0, or -1 and why.
 *
 * permitted: may this process call swapon(2) at all?
 * fits: does the file system take swap files, and has it room: no more than
 *	80% of it may be used afterwards.
 * fill: reserve the blocks (write: as zeros, not only reserved) and write the
 *	header.
 * on: swapon(2) with the priority; errno is kept.
 * highest: no other swap area has the same or a higher priority, and where
 *	ours is on, it has the priority it was given.
 * off: swapoff(2); not being on is no error.
 */
int swapfile_permitted(struct why *why);
int swapfile_fits(const struct swapfile *s, struct why *why);
int swapfile_fill(const struct swapfile *s, int write_blocks,
    const struct action_env *env, struct why *why);
int swapfile_header(const struct swapfile *s, struct why *why);
int swapfile_on(const struct swapfile *s, struct why *why);
int swapfile_highest(const struct swapfile *s, struct why *why);
int swapfile_off(const char *path, struct why *why);

/* Whether path stands in /proc/swaps: 1, 0, or -1 with errno. */
int swapfile_is_on(const char *path);

/*
 * Nonzero when the file is a swap area with our label that was made before the
 * last boot, so that nobody can be using it.
 */
int swapfile_is_stale(const char *path);

/* This boot's id as 16 bytes, from /proc; 0, or -1 with errno. */
int swapfile_boot_id(unsigned char id[16]);

#endif
