/*
 * proc_cgroup: where the memory group of a process is, and what limits it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proc_text.h"

/* What PID/cgroup says: "4:memory:/path" and "0::/path". */
struct membership {
	int has_v1, has_v2;
	char v1[4096], v2[4096];
};

struct mount {			/* a line of mountinfo, pointing into it */
	char *root, *point, *type, *options;
};

static const char not_enabled[] =
    "memory controller not enabled: boot with cgroup_enable=memory";
static const char not_delegated[] =
    "memory controller not delegated to this part of the group tree";
static const char not_mounted[] =
    "no cgroup file system with the memory controller is mounted";
static const char outside[] =
    "the group of this process lies outside the mounted group tree";
static const char not_built[] = "cgroups not built into this kernel";

static FILE *
open_under(const char *root, const char *path)
{
	char name[4096];

	if (proc_join(name, sizeof(name), root, path) == -1)
		return NULL;
	return fopen(name, "re");
}

/* Nonzero when the list holds the word; words end at the separator. */
static int
lists(const char *list, const char *word, char separator)
{
	const char stop[] = { separator, '\n', '\0' };
	size_t length;

	for (;;) {
		length = strcspn(list, stop);
		if (length == strlen(word) && memcmp(list, word, length) == 0)
			return 1;
		if (list[length] == '\0')
			return 0;
		list += length + 1;
	}
}

/* Returns -1 with ENAMETOOLONG rather than a path that was cut. */
static int
copy_path(char *to, size_t size, const char *a, const char *b)
{
	int n = snprintf(to, size, "%s%s", a, b);

	if (n >= 0 && (size_t)n < size)
		return 0;
	errno = ENAMETOOLONG;
	return -1;
}

static int
note_membership(struct membership *m, char *line)
{
	char *controllers, *path;

	line[strcspn(line, "\n")] = '\0';
	controllers = strchr(line, ':');
	path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
	if (path == NULL)
		return 0;
	*controllers++ = '\0';
	*path++ = '\0';
	if (strcmp(line, "0") == 0 && *controllers == '\0') {
		m->has_v2 = 1;
		return copy_path(m->v2, sizeof(m->v2), path, "");
	}
	if (!lists(controllers, "memory", ','))
		return 0;
	m->has_v1 = 1;
	return copy_path(m->v1, sizeof(m->v1), path, "");
}

/*
 * Returns 0, or -1 with errno: ESRCH without that process, ENOSYS when the
 * kernel has no cgroups.
 */
static int
read_membership(const char *root, const char *pid, struct membership *m)
{
	char name[4096], path[64], *line = NULL;
	size_t size = 0;
	int result = 0;
	FILE *f;

	memset(m, 0, sizeof(*m));
	snprintf(path, sizeof(path), "/proc/%.32s/cgroup", pid);
	f = open_under(root, path);
	if (f == NULL && errno == ENOENT) {
		snprintf(path, sizeof(path), "/proc/%.32s", pid);
		if (proc_join(name, sizeof(name), root, path) == -1)
			return -1;
		errno = access(name, F_OK) == 0 ? ENOSYS : ESRCH;
	}
	if (f == NULL)
		return -1;
	while (result == 0 && getline(&line, &size, f) != -1)
		result = note_membership(m, line);
	free(line);
	fclose(f);
	return result;
}

/* Undo the kernel's \040 and its like, in place. */
static void
unescape(char *s)
{
	char *to = s;

	for (; *s != '\0'; s++, to++) {
		*to = *s;
		if (s[0] == '\\' && strspn(s + 1, "01234567") >= 3 &&
		    s[1] <= '3') {
			*to = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 |
			    (s[3] - '0'));
			s += 3;
		}
	}
	*to = '\0';
}

/*
 * "36 35 98:0 /root /point rw,noatime shared:1 - type source options", with any
 * number of optional fields before the dash (proc(5)).  0, or -1 when the line
 * is not like that.
 */
static int
parse_mount(char *line, struct mount *m)
{
	enum { ROOT = 3, POINT = 4 };
	char *save, *word = strtok_r(line, " \n", &save);

	memset(m, 0, sizeof(*m));
	for (int i = 0; word != NULL; i++) {
		if (i == ROOT)
			m->root = word;
		if (i == POINT)
			m->point = word;
		if (strcmp(word, "-") == 0)
			break;
		word = strtok_r(NULL, " \n", &save);
	}
	if (word == NULL || m->point == NULL)
		return -1;
	m->type = strtok_r(NULL, " \n", &save);
	if (strtok_r(NULL, " \n", &save) == NULL)	/* the source */
		return -1;
	m->options = strtok_r(NULL, " \n", &save);
	if (m->options == NULL)
		return -1;
	unescape(m->root);
	unescape(m->point);
	return 0;
}

static int
climbs(const char *path)
{
	for (; (path = strstr(path, "/..")) != NULL; path += 3)
		if (path[3] == '/' || path[3] == '\0')
			return 1;
	return 0;
}

/*
 * The part of the group's path that lies below the mount's root, or NULL when
 * the group is not below it.  Both are relative to the root of the reader's
 * cgroup namespace and begin with "/.." when they are outside of it.
 */
static const char *
below_mount(const char *mount_root, const char *path)
{
	size_t length = strlen(mount_root);

	if (length > 0 && mount_root[length - 1] == '/')
		length--;
	if (strncmp(mount_root, path, length) != 0 ||
	    (path[length] != '/' && path[length] != '\0'))
		return NULL;
	path += length;
	if (climbs(path))
		return NULL;
	return strcmp(path, "/") == 0 ? "" : path;
}

/*
 * Look for the mount of the hierarchy: of version 1 with the memory controller,
 * or of version 2.  When the group can be reached, *g is filled.  Otherwise
 * the reason is noted.  Returns 0, or -1 and errno.
 */
static int
find_mount(const char *root, enum proc_cgroup_version version,
    const char *path, struct proc_cgroup *g)
{
	const char *type = version == PROC_CGROUP_V1 ? "cgroup" : "cgroup2";
	FILE *f = open_under(root, "/proc/self/mountinfo");
	const char *below;
	struct mount m;
	char *line = NULL;
	size_t size = 0;
	int result = 0;

	if (f == NULL)
		return -1;
	while (g->version == PROC_CGROUP_NONE && result == 0 &&
	    getline(&line, &size, f) != -1) {
		if (parse_mount(line, &m) == -1 || strcmp(m.type, type) != 0 ||
		    (version == PROC_CGROUP_V1 &&
		    !lists(m.options, "memory", ',')))
			continue;
		below = below_mount(m.root, path);
		g->reason = below == NULL ? outside : NULL;
		if (below == NULL)
			continue;
		g->version = version;
		result = copy_path(g->mount, sizeof(g->mount), root, m.point);
		if (result == 0)
			result = copy_path(g->dir, sizeof(g->dir), g->mount,
			    below);
	}
	free(line);
	fclose(f);
	return result;
}

/* The last column of /proc/cgroups: "memory 4 80 1". */
static int
disabled_at_boot(const char *root)
{
	char text[4096];
	const char *s = text;
	uint64_t value = 1;

	if (proc_read(root, "/proc/cgroups", text, sizeof(text)) == -1)
		return 0;
	while (*s != '\0' && !proc_line_is(s, "memory"))
		s = proc_next_line(s);
	if (*s == '\0')
		return 0;
	s += strlen("memory");
	for (int column = 0; column < 3 && s != NULL; column++)
		s = proc_word_number(s, &value);
	return s != NULL && value == 0;
}

/*
 * The version 2 hierarchy is there; does it have the memory controller?  Only a
 * group that is not the very root has a cgroup.type.
 */
static void
check_v2(const char *root, struct proc_cgroup *g)
{
	char text[4096];

	if (proc_read(g->mount, "cgroup.controllers", text,
	    sizeof(text)) != -1 && lists(text, "memory", ' '))
		return;
	g->version = PROC_CGROUP_NONE;
	g->reason = !disabled_at_boot(root) &&
	    proc_read(g->mount, "cgroup.type", text, sizeof(text)) != -1 ?
	    not_delegated : not_enabled;
}

int
proc_cgroup_find(const char *root, const char *pid, struct proc_cgroup *g)
{
	struct membership m;

	memset(g, 0, sizeof(*g));
	if (read_membership(root, pid, &m) == -1) {
		g->reason = not_built;
		return errno == ENOSYS ? 0 : -1;
	}
	g->reason = m.has_v1 || m.has_v2 ? not_mounted : not_enabled;
	if (m.has_v1)
		return find_mount(root, PROC_CGROUP_V1, m.v1, g);
	if (!m.has_v2)
		return 0;
	if (find_mount(root, PROC_CGROUP_V2, m.v2, g) == -1)
		return -1;
	if (g->version == PROC_CGROUP_V2)
		check_v2(root, g);
	return 0;
}
