/*
 * groups: memory groups (cgroups v1 and v2): made, emptied, removed.
 */
#include <sys/stat.h>
#include <sys/vfs.h>

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "guard_actions.h"

/* Filesystem magics, from linux/magic.h, which old systems lack in part. */
#define MAGIC_CGROUP1 0x27e0eb
#define MAGIC_CGROUP2 0x63677270
#define PAUSE_NS 2000000

static int mkcgroup_check(const struct action *, struct why *);
static int mkcgroup_perform(struct action *, const struct action_env *,
    struct why *);
static int rmcgroup_check(const struct action *, struct why *);
static enum undo rmcgroup_undo(const struct action *, struct why *);
static int enable_check(const struct action *, struct why *);
static int enable_prepare(struct action *, struct why *);
static int enable_perform(struct action *, const struct action_env *,
    struct why *);
static enum undo enable_undo(const struct action *, struct why *);

const struct verb verbs_groups[] = {
	{ "mkcgroup", 1, 1, 0, 1, mkcgroup_check, NULL, mkcgroup_perform,
	    rmcgroup_undo },
	{ "rmcgroup", 1, 1, 0, 1, rmcgroup_check, NULL, NULL, rmcgroup_undo },
	{ "enable", 2, 2, 0, 0, enable_check, enable_prepare, enable_perform,
	    enable_undo },
	{ .name = NULL }
};

static int
is_cgroup(const char *dir)
{
	struct statfs fs;

	return statfs(dir, &fs) == 0 &&
	    ((unsigned long)fs.f_type == MAGIC_CGROUP1 ||
	    (unsigned long)fs.f_type == MAGIC_CGROUP2);
}

/* A group may only be made or removed in a tree of groups, and not yet be. */
static int
rmcgroup_check(const struct action *a, struct why *why)
{
	const char *dir = a->word[0];
	char parent[PATH_MAX];
	char *slash;

	if (dir[0] != '/' || strlen(dir) + 64 > sizeof(parent))
		return why_error(why, "%s: not an absolute path, or too "
		    "long", dir);
	strcpy(parent, dir);
	slash = strrchr(parent, '/');
	*slash = '\0';
	if (!is_cgroup(parent))
		return why_error(why, "%s: not in a tree of groups "
		    "(cgroups)", dir);
	if (access(dir, F_OK) == 0)
		return why_error(why, "%s: is there already, and not ours",
		    dir);
	if (access(parent, W_OK) == -1)
		return why_skip(why, "no group can be made in %s: %s",
		    parent, strerror(errno));
	return 0;
}

static int
mkcgroup_check(const struct action *a, struct why *why)
{
	return rmcgroup_check(a, why);
}

static int
has_file(const char *dir, const char *name)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return access(path, F_OK) == 0;
}

static int
mkcgroup_perform(struct action *a, const struct action_env *env,
    struct why *why)
{
	const char *dir = a->word[0];

	(void)env;
	if (mkdir(dir, 0755) == -1)
		return why_error(why, "%s: %s", dir, strerror(errno));
	if (action_identity(dir, a->memo, sizeof(a->memo)) == -1)
		return why_error(why, "%s: %s", dir, strerror(errno));
	if (!has_file(dir, "memory.max") &&
	    !has_file(dir, "memory.limit_in_bytes"))
		return why_skip(why, "%s: no memory controller there", dir);
	return 0;
}

/* SIGKILL to every member; returns their number, -1 with errno. */
static int
kill_members(const char *dir)
{
	char path[PATH_MAX + 64];
	long pid;
	FILE *f;
	int n = 0;

	snprintf(path, sizeof(path), "%s/cgroup.procs", dir);
	f = fopen(path, "re");
	if (f == NULL)
		return errno == ENOENT ? 0 : -1;
	while (fscanf(f, "%ld", &pid) == 1) {
		/* 0 is a process of another pid namespace. */
		if (pid > 1 && pid != getpid())
			kill((pid_t)pid, SIGKILL);
		n++;
	}
	fclose(f);
	return n;
}

/* Kill and wait until the group is gone, or the deadline has passed. */
static int
remove_one(const char *dir, uint64_t deadline_ns)
{
	int left;

	for (;;) {
		left = kill_members(dir);
		if (left <= 0 && rmdir(dir) == 0)
			return 0;
		if (left <= 0 && errno == ENOENT)
			return 0;
		if (left <= 0 && errno != EBUSY)
			return -1;
		if (clock_now_ns() > deadline_ns) {
			errno = EBUSY;
			return -1;
		}
		clock_sleep_until(clock_now_ns() + PAUSE_NS);
	}
}

/* The groups below dir first, then dir itself; path is the buffer for it. */
static int
remove_tree(char *path, size_t size, uint64_t deadline_ns)
{
	size_t n = strlen(path);
	struct dirent *e;
	DIR *d;
	int bad = 0;

	d = opendir(path);
	if (d == NULL)
		return errno == ENOENT ? 0 : -1;
	while ((e = readdir(d)) != NULL) {
		if (e->d_type != DT_DIR || e->d_name[0] == '.')
			continue;
		if (n + 1 + strlen(e->d_name) + 1 > size)
			continue;
		sprintf(path + n, "/%s", e->d_name);
		if (remove_tree(path, size, deadline_ns) == -1)
			bad = 1;
		path[n] = '\0';
	}
	closedir(d);
	return bad ? -1 : remove_one(path, deadline_ns);
}

static enum undo
rmcgroup_undo(const struct action *a, struct why *why)
{
	char path[PATH_MAX];
	const char *dir = a->word[0];

	if (access(dir, F_OK) == -1 && errno == ENOENT)
		return UNDO_NOTHING;
	if (!is_cgroup(dir) || action_is_other(a, dir)) {
		why_error(why, "%s: another one by now, left alone", dir);
		return UNDO_LEFT;
	}
	snprintf(path, sizeof(path), "%s", dir);
	if (remove_tree(path, sizeof(path), clock_now_ns() +
	    ACTION_UNDO_SECONDS * CLOCK_NS_PER_S) == 0)
		return UNDO_DONE;
	why_error(why, "%s: group not removed: %s", dir, strerror(errno));
	return UNDO_FAILED;
}

/*
 * enable DIR CONTROLLER: cgroup v2 hands a controller to the groups below DIR
 * only when it stands in DIR/cgroup.subtree_control.
 */
static int
enable_file(const struct action *a, char *path, size_t size, char *text,
    size_t text_size)
{
	ssize_t n;
	int fd;

	snprintf(path, size, "%s/cgroup.subtree_control", a->word[0]);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return -1;
	n = read(fd, text, text_size - 1);
	close(fd);
	if (n == -1)
		return -1;
	text[n] = '\0';
	return 0;
}

/* Nonzero when word stands among the words of text. */
static int
has_word(const char *text, const char *word)
{
	size_t n, want = strlen(word);

	for (; *text != '\0'; text += n + (text[n] != '\0')) {
		n = strcspn(text, " \n");
		if (n == want && strncmp(text, word, n) == 0)
			return 1;
	}
	return 0;
}

static int
enable_check(const struct action *a, struct why *why)
{
	char path[PATH_MAX], text[256];

	if (a->word[0][0] != '/' ||
	    strspn(a->word[1], "abcdefghijklmnopqrstuvwxyz_") !=
	    strlen(a->word[1]))
		return why_error(why, "enable: not a group's path and a "
		    "controller");
	if (enable_file(a, path, sizeof(path), text, sizeof(text)) == -1)
		return why_error(why, "%s: %s", path, strerror(errno));
	if (!has_word(text, a->word[1]) && access(path, W_OK) == -1)
		return why_skip(why, "%s: %s", path, strerror(errno));
	return 0;
}

static int
enable_prepare(struct action *a, struct why *why)
{
	char path[PATH_MAX], text[256];

	if (enable_file(a, path, sizeof(path), text, sizeof(text)) == -1)
		return why_error(why, "%s: %s", path, strerror(errno));
	snprintf(a->memo, sizeof(a->memo), "%s",
	    has_word(text, a->word[1]) ? "on" : "off");
	return 0;
}

/* Write "+memory" or "-memory"; 0, or -1 with errno. */
static int
switch_controller(const struct action *a, char sign)
{
	char path[PATH_MAX], text[256], order[64];
	ssize_t n;
	int fd;

	if (enable_file(a, path, sizeof(path), text, sizeof(text)) == -1)
		return -1;
	if (has_word(text, a->word[1]) == (sign == '+'))
		return 0;
	n = snprintf(order, sizeof(order), "%c%s", sign, a->word[1]);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd == -1)
		return -1;
	n = write(fd, order, (size_t)n);
	close(fd);
	return n == -1 ? -1 : 0;
}

static int
enable_perform(struct action *a, const struct action_env *env,
    struct why *why)
{
	(void)env;
	if (switch_controller(a, '+') == 0)
		return 0;
	if (errno == EBUSY)
		return why_skip(why, "%s: holds processes itself, so "
		    "groups below it get no %s limit", a->word[0],
		    a->word[1]);
	return why_error(why, "%s: +%s: %s", a->word[0], a->word[1],
	    strerror(errno));
}

/* Another run's group may have come to rely on the controller meanwhile. */
static int
has_our_groups(const char *dir)
{
	struct dirent *e;
	DIR *d = opendir(dir);
	int found = 0;

	if (d == NULL)
		return 0;
	while ((e = readdir(d)) != NULL)
		if (strncmp(e->d_name, "qsb-", 4) == 0 &&
		    isdigit((unsigned char)e->d_name[4]))
			found = 1;
	closedir(d);
	return found;
}

static enum undo
enable_undo(const struct action *a, struct why *why)
{
	if (strcmp(a->memo, "off") != 0)
		return UNDO_NOTHING;
	if (access(a->word[0], F_OK) == -1 && errno == ENOENT)
		return UNDO_NOTHING;
	if (has_our_groups(a->word[0])) {
		why_error(why, "%s: %s stays enabled, another run uses it",
		    a->word[0], a->word[1]);
		return UNDO_LEFT;
	}
	if (switch_controller(a, '-') == 0)
		return UNDO_DONE;
	why_error(why, "%s: -%s: %s", a->word[0], a->word[1],
	    strerror(errno));
	return UNDO_FAILED;
}
