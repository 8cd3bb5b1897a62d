/*
 * swaps: swap areas of our own, in a file or on zram: made, switched on with a
 * priority above all others, verified, switched off, removed.
 *
 * mkswap, swapon and swapoff of util-linux or BusyBox are not needed.  A file
 * on btrfs or tmpfs, or where it would fill the disk beyond 80%, is refused.
 */
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/swap.h>
#include <sys/vfs.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guard_actions.h"
#include "guard_swapfile.h"
#include "units.h"

static int swapon_check(const struct action *, struct why *);
static int swapon_perform(struct action *, const struct action_env *,
    struct why *);
static enum undo swapon_undo(const struct action *, struct why *);
static int swapoff_check(const struct action *, struct why *);
static enum undo swapoff_undo(const struct action *, struct why *);

const struct verb verbs_swaps[] = {
	{ "swapon", 3, 3, 1, 0, swapon_check, NULL, swapon_perform,
	    swapon_undo },
	{ "swapoff", 1, 1, 0, 0, swapoff_check, NULL, NULL, swapoff_undo },
	{ .name = NULL }
};

/* The size and priority words of an action; -1 and why. */
static int
read_numbers(const char *bytes_text, const char *priority_text,
    struct swapfile *s, struct why *why)
{
	const char *bad;

	bad = units_size(bytes_text, 1, 0, &s->bytes);
	if (bad != NULL)
		return why_error(why, "swap of %s: %s", bytes_text, bad);
	if (s->bytes < SWAPFILE_BYTES_MIN)
		return why_error(why, "swap of %s: less than %u bytes",
		    bytes_text, (unsigned)SWAPFILE_BYTES_MIN);
	bad = units_count(priority_text, SWAPFILE_PRIORITY_MAX, &s->priority);
	if (bad != NULL)
		return why_error(why, "swap priority %s: %s",
		    priority_text, bad);
	return 0;
}

static int
swapon_check(const struct action *a, struct why *why)
{
	struct swapfile s = { .path = a->word[0] };

	if (s.path[0] != '/')
		return why_error(why, "%s: not an absolute path", s.path);
	if (access(s.path, F_OK) == 0)
		return why_error(why, "%s: is there already", s.path);
	if (read_numbers(a->word[1], a->word[2], &s, why) == -1 ||
	    swapfile_fits(&s, why) == -1 || swapfile_permitted(why) == -1)
		return -1;
	return swapfile_highest(&s, why);
}

static int
swapon_perform(struct action *a, const struct action_env *env,
    struct why *why)
{
	struct swapfile s = { .path = a->word[0] };

	if (read_numbers(a->word[1], a->word[2], &s, why) == -1)
		return -1;
	s.fd = open(s.path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
	    0600);
	if (s.fd == -1)
		return why_error(why, "%s: %s", s.path, strerror(errno));
	if (action_identity(s.path, a->memo, sizeof(a->memo)) == -1) {
		why_error(why, "%s: %s", s.path, strerror(errno));
		close(s.fd);
		return -1;
	}
	if (swapfile_fill(&s, 0, env, why) == -1) {
		close(s.fd);
		return -1;
	}
	/* Some file systems take reserved but unwritten blocks for holes. */
	if (swapfile_on(&s, why) == -1 && (errno != EINVAL ||
	    swapfile_fill(&s, 1, env, why) == -1 ||
	    swapfile_on(&s, why) == -1)) {
		close(s.fd);
		return -1;
	}
	close(s.fd);
	return swapfile_highest(&s, why);
}

static enum undo
swapon_undo(const struct action *a, struct why *why)
{
	const char *path = a->word[0];
	struct stat st;

	if (lstat(path, &st) == -1)
		return UNDO_NOTHING;
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    action_is_other(a, path)) {
		why_error(why, "%s: another one by now, left alone", path);
		return UNDO_LEFT;
	}
	if (swapfile_off(path, why) == -1)
		return UNDO_FAILED;
	if (unlink(path) == 0 || errno == ENOENT)
		return UNDO_DONE;
	why_error(why, "%s: %s", path, strerror(errno));
	return UNDO_FAILED;
}

/*
 * What is swapped on already is not ours to switch off.  The name may be given
 * before the file is made.
 */
static int
swapoff_check(const struct action *a, struct why *why)
{
	int on;

	if (a->word[0][0] != '/')
		return why_error(why, "%s: not an absolute path",
		    a->word[0]);
	on = swapfile_is_on(a->word[0]);
	if (on == -1)
		return why_error(why, "/proc/swaps: %s", strerror(errno));
	if (on)
		return why_error(why, "%s: swapped on already, not by us",
		    a->word[0]);
	return swapfile_permitted(why);
}

static enum undo
swapoff_undo(const struct action *a, struct why *why)
{
	int on = swapfile_is_on(a->word[0]);

	if (on == 0)
		return UNDO_NOTHING;
	return swapfile_off(a->word[0], why) == 0 ? UNDO_DONE : UNDO_FAILED;
}
