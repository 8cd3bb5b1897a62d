/*
 * zram: swap on a compressed memory device: taken only when it is unused,
 * given back as it was.
 *
 * Two runs keep each other off a device by flock(2) on its sysfs file
 * `disksize`; nothing has to be removed afterwards.
 * Source: Documentation/admin-guide/blockdev/zram.rst of the kernel.
 */
#include <sys/file.h>
#include <sys/sysinfo.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "guard_actions.h"
#include "guard_swapfile.h"
#include "memory.h"
#include "proc.h"
#include "settings.h"
#include "units.h"

#define TRIES 30
#define PAUSE_NS 100000000	/* right after modprobe a device may be busy */

static int setup_check(const struct action *, struct why *);
static int setup_perform(struct action *, const struct action_env *,
    struct why *);
static int reset_check(const struct action *, struct why *);
static int prepare(struct action *, struct why *);
static enum undo reset_undo(const struct action *, struct why *);

const struct verb verbs_zram[] = {
	{ "zram setup", 4, 4, 0, 0, setup_check, prepare, setup_perform,
	    reset_undo },
	{ "zram reset", 1, 1, 0, 0, reset_check, prepare, NULL, reset_undo },
	{ .name = NULL }
};

/* "/sys/block/zramN/name" into path; returns path. */
static char *
attribute(const struct action *a, const char *name, char path[128])
{
	snprintf(path, 128, "/sys/block/zram%.9s/%s", a->word[0], name);
	return path;
}

/* The size that the device has now in bytes, 0 while unused; -1 and why. */
static int
read_size(const struct action *a, uint64_t *bytes, struct why *why)
{
	char path[128], text[64];
	const char *bad;

	if (settings_read(attribute(a, "disksize", path), text, sizeof(text),
	    why) == -1)
		return -1;
	bad = units_count(text, UINT64_MAX, bytes);
	return bad == NULL ? 0 : why_error(why, "%s: %s", path, bad);
}

static int
reset_check(const struct action *a, struct why *why)
{
	char path[128];
	uint64_t n, bytes;
	int tries;

	if (units_count(a->word[0], 9999, &n) != NULL)
		return why_error(why, "zram %.20s: not a number",
		    a->word[0]);
	if (access(attribute(a, "disksize", path), F_OK) == -1)
		return why_skip(why, "no zram%s here (modprobe zram)",
		    a->word[0]);
	if (access(path, W_OK) == -1)
		return why_skip(why, "%s: %s", path, strerror(errno));
	for (tries = 0; tries < TRIES; tries++) {
		if (read_size(a, &bytes, why) == -1)
			return -1;
		if (bytes == 0)
			return 0;
		clock_sleep_until(clock_now_ns() + PAUSE_NS);
	}
	return why_skip(why, "zram%s busy", a->word[0]);
}

static int
read_spec(const struct action *a, struct swapfile *s, char path[32],
    struct why *why)
{
	const char *bad;

	snprintf(path, 32, "/dev/zram%.9s", a->word[0]);
	s->path = path;
	bad = units_size(a->word[1], 1, 0, &s->bytes);
	if (bad == NULL)
		bad = units_count(a->word[3], SWAPFILE_PRIORITY_MAX,
		    &s->priority);
	if (bad != NULL)
		return why_error(why, "zram of %s, priority %s: %s",
		    a->word[1], a->word[3], bad);
	s->bytes -= s->bytes % memory_page_bytes();
	if (s->bytes < SWAPFILE_BYTES_MIN)
		return why_error(why, "zram of %s: less than %u bytes",
		    a->word[1], (unsigned)SWAPFILE_BYTES_MIN);
	return 0;
}

/* Is the compression one of those that the device offers? */
static int
check_algorithm(const struct action *a, struct why *why)
{
	char path[128], known[1024];
	const char *word = known;
	size_t n, want = strlen(a->word[2]);

	if (strcmp(a->word[2], "-") == 0)
		return 0;
	if (proc_read("", attribute(a, "comp_algorithm", path), known,
	    sizeof(known)) == -1)
		return why_error(why, "%s: %s", path, strerror(errno));
	for (; *word != '\0'; word += n + (word[n] != '\0')) {
		word += strspn(word, "[");
		n = strcspn(word, " ]\n");
		if (n == want && strncmp(word, a->word[2], n) == 0)
			return 0;
	}
	return why_skip(why, "zram%s: no compression %s here, but %.*s",
	    a->word[0], a->word[2], (int)strcspn(known, "\n"), known);
}

static int
setup_check(const struct action *a, struct why *why)
{
	char path[32];
	struct swapfile s;
	struct sysinfo machine;

	if (read_spec(a, &s, path, why) == -1)
		return -1;
	/* Data that does not compress takes that much memory of the machine. */
	if (sysinfo(&machine) == 0 && s.bytes / machine.mem_unit >
	    machine.totalram / 2)
		return why_error(why, "zram of %s: more than half of this "
		    "machine's memory", a->word[1]);
	if (swapfile_permitted(why) == -1 || reset_check(a, why) == -1 ||
	    check_algorithm(a, why) == -1)
		return -1;
	return swapfile_highest(&s, why);
}

static int
lock(const struct action *a)
{
	char path[128];
	int fd;

	fd = open(attribute(a, "disksize", path), O_RDONLY | O_CLOEXEC);
	if (fd != -1 && flock(fd, LOCK_EX | LOCK_NB) == -1) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Take the lock; the memo is the size we are going to set and the algorithm. */
static int
prepare(struct action *a, struct why *why)
{
	char dev[32], attr[128], algorithm[256];
	struct swapfile s = { .bytes = 0 };
	uint64_t now;
	int tries;

	if (a->words == 4 && read_spec(a, &s, dev, why) == -1)
		return -1;
	for (tries = 0; tries < TRIES; tries++) {
		a->lock_fd = lock(a);
		if (a->lock_fd != -1)
			break;
		clock_sleep_until(clock_now_ns() + PAUSE_NS);
	}
	if (a->lock_fd == -1 || read_size(a, &now, why) == -1 || now != 0)
		return why_skip(why, "zram%s busy", a->word[0]);
	if (settings_read(attribute(a, "comp_algorithm", attr), algorithm,
	    sizeof(algorithm), why) == -1)
		return -1;
	snprintf(a->memo, sizeof(a->memo), "%" PRIu64 ":%s", s.bytes,
	    algorithm);
	return 0;
}

/* Write the size; EBUSY may pass. */
static int
set_size(const struct action *a, uint64_t bytes, struct why *why)
{
	char path[128], text[32];
	uint64_t now = 0;
	int tries;

	snprintf(text, sizeof(text), "%" PRIu64, bytes);
	attribute(a, "disksize", path);
	for (tries = 0; tries < TRIES; tries++) {
		errno = 0;
		if (settings_write(path, text, why) == 0)
			return 0;
		/* EINVAL: no such compression in this kernel; ENOMEM. */
		if (errno != EBUSY)
			return -1;
		/* A size that somebody else set is not to be written over. */
		if (read_size(a, &now, why) == -1 || now != 0)
			break;
		clock_sleep_until(clock_now_ns() + PAUSE_NS);
	}
	return why_skip(why, "zram%s busy", a->word[0]);
}

static int
setup_perform(struct action *a, const struct action_env *env,
    struct why *why)
{
	char path[32], attr[128];
	struct swapfile s;
	int result;

	(void)env;
	if (read_spec(a, &s, path, why) == -1)
		return -1;
	if (strcmp(a->word[2], "-") != 0 && settings_write(attribute(a,
	    "comp_algorithm", attr), a->word[2], why) == -1)
		return -1;
	if (set_size(a, s.bytes, why) == -1)
		return -1;
	s.fd = open(path, O_RDWR | O_CLOEXEC);
	if (s.fd == -1)
		return why_error(why, "%s: %s", path, strerror(errno));
	result = swapfile_header(&s, why);
	close(s.fd);
	if (result == -1 || swapfile_on(&s, why) == -1)
		return -1;
	return swapfile_highest(&s, why);
}

/* Write 1 to `reset`; EBUSY while udev looks at the device passes. */
static int
reset(const struct action *a, struct why *why)
{
	char path[128];
	int fd, tries;
	ssize_t n;

	for (tries = 0; tries < TRIES; tries++) {
		fd = open(attribute(a, "reset", path), O_WRONLY | O_CLOEXEC);
		n = fd == -1 ? -1 : write(fd, "1", 1);
		if (n == -1)
			why_error(why, "%s: %s", path, strerror(errno));
		if (fd != -1)
			close(fd);
		if (n == 1)
			return 0;
		clock_sleep_until(clock_now_ns() + PAUSE_NS);
	}
	return -1;
}

/* A device may show a compression that it would not let anybody set. */
static int
restore_algorithm(const struct action *a, const char *before, struct why *why)
{
	char path[128], now[256];

	if (before[0] == '\0')
		return 0;
	attribute(a, "comp_algorithm", path);
	if (settings_read(path, now, sizeof(now), why) == 0 &&
	    strcmp(now, before) == 0)
		return 0;
	return settings_write(path, before, why);
}

static enum undo
reset_held(const struct action *a, struct why *why)
{
	char path[128], algorithm[256] = "";
	uint64_t ours = 0, now;

	if (access(attribute(a, "disksize", path), F_OK) == -1)
		return UNDO_NOTHING;
	if (read_size(a, &now, why) == -1)
		return UNDO_FAILED;
	sscanf(a->memo, "%" SCNu64 ":%255s", &ours, algorithm);
	if (now != 0 && ours != 0 && now != ours) {
		why_error(why, "zram%s: another size by now, left alone",
		    a->word[0]);
		return UNDO_LEFT;
	}
	if (now != 0) {
		snprintf(path, sizeof(path), "/dev/zram%.9s", a->word[0]);
		if (swapfile_off(path, why) == -1 || reset(a, why) == -1)
			return UNDO_FAILED;
	}
	return restore_algorithm(a, algorithm, why) == 0 ? UNDO_DONE :
	    UNDO_FAILED;
}

static enum undo
reset_undo(const struct action *a, struct why *why)
{
	enum undo result;
	int fd;

	if (a->lock_fd != -1)
		return reset_held(a, why);
	/* A journal of a dead guard: somebody else may use the device now. */
	fd = lock(a);
	if (fd == -1 && errno == ENOENT)
		return UNDO_NOTHING;
	if (fd == -1) {
		why_error(why, "zram%s: another run uses it, left alone",
		    a->word[0]);
		return UNDO_LEFT;
	}
	result = reset_held(a, why);
	close(fd);
	return result;
}
