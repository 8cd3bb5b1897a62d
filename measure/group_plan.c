/*
 * plan: how a command can be confined on this machine; see plan.h.
 *
 * In cgroup version 2 a group that holds processes cannot have groups with
 * controllers below it (but for the root), so the new group is made beside our
 * own: below the nearest ancestor that hands out the memory controller.
 * Source: Documentation/admin-guide/cgroup-v2.rst of the kernel.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "group_plan.h"
#include "memory.h"
#include "units.h"

#define TEXT_BYTES 65536

int
plan_machine(struct plan *p, const char *root, struct why *why)
{
	struct proc_meminfo m;
	char text[8192];

	if (proc_read(root, "/proc/meminfo", text, sizeof(text)) == -1)
		return why_error(why, "/proc/meminfo: %s", strerror(errno));
	proc_meminfo_parse(text, &m);
	if (m.total_kib == PROC_ABSENT)
		return why_error(why, "/proc/meminfo: no MemTotal");
	p->machine_bytes = m.total_kib * 1024;
	p->least_bytes = PROC_ABSENT;
	return 0;
}

/* A size option, rounded down to whole pages. */
static int
read_size(const char *letter, const char *text, uint64_t whole,
    uint64_t *bytes, struct why *why)
{
	const char *bad = units_size(text, 1, whole, bytes);

	if (bad != NULL)
		return why_error(why, "%s %s: %s", letter, text, bad);
	*bytes -= *bytes % memory_page_bytes();
	return 0;
}

/* The folder of a swap file, absolute. */
static int
read_folder(struct plan *p, const char *text, struct why *why)
{
	char *real;

	if (text == NULL)
		text = getenv("TMPDIR");
	if (text == NULL || text[0] == '\0')
		text = "/var/tmp";
	real = realpath(text, NULL);
	if (real == NULL || strlen(real) + 64 > sizeof(p->swap_dir) ||
	    strchr(real, '\n') != NULL) {
		why_error(why, "-S: %s: %s", text, real == NULL ?
		    strerror(errno) : "not a name for a swap file's folder");
		free(real);
		return -1;
	}
	strcpy(p->swap_dir, real);
	free(real);
	return 0;
}

static int
read_swap(struct plan *p, const char *text, uint64_t whole, struct why *why)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
	char size[64];
	const char *rest, *bad;
	size_t n;

	if (text == NULL || strcmp(text, "asis") == 0)
		return 0;
	p->swap = PLAN_SWAP_NONE;
	if (strcmp(text, "none") == 0)
		return 0;
	if (strncmp(text, "file:", 5) == 0)
		p->swap = PLAN_SWAP_FILE;
	else if (strncmp(text, "zram:", 5) == 0)
		p->swap = PLAN_SWAP_ZRAM;
	else
		return why_error(why, "-S %s: not asis, none, "
		    "file:SIZE[:FOLDER] or zram:SIZE[:ALGORITHM]", text);
	n = strcspn(text + 5, ":");
	rest = text[5 + n] == ':' ? text + 5 + n + 1 : NULL;
	if (n >= sizeof(size))
		return why_error(why, "-S %s: not a size", text);
	memcpy(size, text + 5, n);
	size[n] = '\0';
	bad = units_size(size, 1, whole, &p->swap_bytes);
	if (bad != NULL)
		return why_error(why, "-S %s: the size: %s", text, bad);
	p->swap_bytes -= p->swap_bytes % memory_page_bytes();
	if (p->swap_bytes < 65536)
		return why_error(why, "-S %s: less than 64 KiB", text);
	if (p->swap == PLAN_SWAP_FILE)
		return read_folder(p, rest, why);
	if (rest != NULL && (rest[0] == '\0' || rest[0] == '-' ||
	    strspn(rest, letters) != strlen(rest) ||
	    strlen(rest) >= sizeof(p->swap_algorithm)))
		return why_error(why, "-S %s: not a name of a compression",
		    text);
	strcpy(p->swap_algorithm, rest != NULL ? rest : "-");
	return 0;
}

int
plan_sizes(struct plan *p, const char *memory, const char *brake,
    const char *swap, struct why *why)
{
	uint64_t whole = p->machine_bytes;

	if (p->least_bytes < whole)
		whole = p->least_bytes;
	p->memory_bytes = p->brake_bytes = p->swap_bytes = PROC_ABSENT;
	if (memory != NULL && read_size("-m", memory, whole, &p->memory_bytes,
	    why) == -1)
		return -1;
	if (memory != NULL && p->memory_bytes < PLAN_MEMORY_MIN)
		return why_error(why, "-m %s: less than 4 MiB, in which "
		    "nothing runs", memory);
	if (memory != NULL && p->memory_bytes >= p->machine_bytes)
		return why_error(why, "-m %s: this machine has %" PRIu64
		    " MiB, so that would limit nothing", memory,
		    p->machine_bytes >> 20);
	if (p->memory_bytes < whole)
		whole = p->memory_bytes;
	if (brake != NULL && read_size("-B", brake, whole, &p->brake_bytes,
	    why) == -1)
		return -1;
	if (brake != NULL && p->brake_bytes < PLAN_MEMORY_MIN)
		return why_error(why, "-B %s: less than 4 MiB", brake);
	if (brake != NULL && p->brake_bytes >= whole)
		return why_error(why, "-B %s: not below the memory limit",
		    brake);
	return read_swap(p, swap, whole, why);
}

/* Nonzero when dir/name holds the word. */
static int
holds_word(const char *dir, const char *name, const char *word)
{
	char text[4096];
	const char *at = text;
	size_t n;

	if (proc_read(dir, name, text, sizeof(text)) == -1)
		return 0;
	for (; *at != '\0'; at += n + (at[n] != '\0')) {
		n = strcspn(at, " \n");
		if (n == strlen(word) && strncmp(at, word, n) == 0)
			return 1;
	}
	return 0;
}

static int
has_file(const char *dir, const char *name, int mode)
{
	char path[8192];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return access(path, mode) == 0;
}

/* No process is in the group itself. */
static int
is_empty(const char *dir)
{
	char text[TEXT_BYTES];
	ssize_t n = proc_read(dir, "cgroup.procs", text, sizeof(text));

	return n == 0;
}

/*
 * Can a group with a memory limit be made in dir (v2), and must the controller
 * be enabled for it first?  Only a root group has no cgroup.type.
 */
static int
is_parent(const char *dir, int *enable)
{
	if (access(dir, W_OK) == -1 || !has_file(dir, "cgroup.procs", W_OK))
		return 0;
	*enable = !holds_word(dir, "cgroup.subtree_control", "memory");
	if (!*enable)
		return 1;
	return holds_word(dir, "cgroup.controllers", "memory") &&
	    (!has_file(dir, "cgroup.type", F_OK) || is_empty(dir));
}

static int
find_parent_v2(struct plan *p, struct why *why)
{
	const struct proc_cgroup *g = &p->group;
	char *slash;

	strcpy(p->parent, g->dir);
	for (;;) {
		if (is_parent(p->parent, &p->enable))
			return 0;
		if (strcmp(p->parent, g->mount) == 0)
			break;
		slash = strrchr(p->parent, '/');
		if (slash == NULL || slash == p->parent)
			break;
		*slash = '\0';
	}
	if (access(g->mount, W_OK) == -1 && errno == EROFS)
		return why_skip(why, "%s: read-only: let the container have "
		    "its groups writable (--privileged), or run outside of it",
		    g->mount);
	if (geteuid() != 0)
		return why_skip(why, "no memory group can be made by this "
		    "user: run as root, or where `systemd-run --user --scope' "
		    "works");
	return why_skip(why, "%s: holds processes, so no group below it "
	    "gets the memory controller: run outside of the container, or "
	    "move its processes into a group of their own", g->mount);
}

static int
find_parent_v1(struct plan *p, struct why *why)
{
	strcpy(p->parent, p->group.dir);
	p->enable = 0;
	if (access(p->parent, W_OK) == 0)
		return 0;
	if (errno == EROFS)
		return why_skip(why, "%s: read-only: let the container have "
		    "its groups writable (--privileged), or run outside of it",
		    p->parent);
	if (errno != EACCES && errno != EPERM)
		return why_skip(why, "%s: no memory group can be made there: "
		    "%s", p->parent, strerror(errno));
	return why_skip(why, "%s: no memory group can be made there by this "
	    "user: run as root", p->parent);
}

/* Whether any swap area is on already. */
static int
any_swap(const char *root)
{
	struct proc_swap s;
	char *text = calloc(1, TEXT_BYTES);
	int found;

	if (text == NULL)
		return 1;
	found = proc_read(root, "/proc/swaps", text, TEXT_BYTES) > 0 &&
	    proc_swaps_next(text, &s) != NULL;
	free(text);
	return found;
}

int
plan_place(struct plan *p, const char *root, struct why *why)
{
	struct proc_cgroup at;
	int v2, found;

	if (proc_cgroup_find(root, "self", &p->group) == -1)
		return why_error(why, "/proc/self/cgroup: %s",
		    strerror(errno));
	if (p->group.version == PROC_CGROUP_NONE)
		return why_skip(why, "%s", p->group.reason);
	v2 = p->group.version == PROC_CGROUP_V2;
	found = v2 ? find_parent_v2(p, why) : find_parent_v1(p, why);
	if (found == -1)
		return -1;
	at = p->group;
	strcpy(at.dir, p->parent);
	p->least_bytes = proc_cgroup_limit_bytes(&at);
	/* The root group of v2 has no limit files, but groups below it have. */
	p->swap_limit = v2 ? !has_file(p->group.dir, "cgroup.type", F_OK) ||
	    !has_file(p->group.dir, "memory.max", F_OK) ||
	    has_file(p->group.dir, "memory.swap.max", F_OK) :
	    has_file(p->parent, "memory.memsw.limit_in_bytes", F_OK);
	p->other_swap = any_swap(root);
	return 0;
}

int
plan_agree(const struct plan *p, struct why *why)
{
	if (p->brake_bytes != PROC_ABSENT &&
	    p->group.version == PROC_CGROUP_V1)
		return why_skip(why, "-B: cgroup version 1 has no "
		    "memory.high: boot with cgroup_no_v1=memory or "
		    "systemd.unified_cgroup_hierarchy=1");
	if (p->swap != PLAN_SWAP_ASIS && !p->swap_limit && p->other_swap)
		return why_skip(why, "-S: the swap of a group cannot be "
		    "limited here, and other swap is on: boot with "
		    "swapaccount=1, or swapoff that");
	return 0;
}
