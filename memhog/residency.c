/*
 * residency: where the pages of a mapping are, and how much memory is left.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "proc.h"
#include "residency.h"
#include "units.h"

static void add(const char *line, struct residency *r);
static void add_kib(const char *line, const char *key, uint64_t *bytes);

int
residency_read(const void *start, size_t bytes, struct residency *r)
{
	FILE *smaps = fopen("/proc/self/smaps", "re");
	int result, error;

	if (smaps == NULL)
		return -1;
	result = residency_parse(smaps, (uintptr_t)start,
	    (uint64_t)(uintptr_t)start + bytes, r);
	error = errno;
	fclose(smaps);
	errno = error;
	return result;
}

int
residency_parse(FILE *smaps, uint64_t start, uint64_t end,
    struct residency *r)
{
	uint64_t first, last;
	char line[512], colon;
	int inside = 0, found = 0, whole = 1, begins;

	memset(r, 0, sizeof *r);
	while (fgets(line, sizeof line, smaps) != NULL) {
		/* A long path makes a line of several pieces. */
		begins = whole;
		whole = strchr(line, '\n') != NULL;
		if (!begins)
			continue;
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 "%c", &first, &last,
		    &colon) == 3 && colon == ' ') {
			inside = first >= start && last <= end;
			found |= inside;
		} else if (inside) {
			add(line, r);
		}
	}
	if (ferror(smaps))
		return -1;
	if (!found) {
		errno = ENODATA;
		return -1;
	}
	return 0;
}

/* hugetlb pages are not in Rss. */
static void
add(const char *line, struct residency *r)
{
	add_kib(line, "Rss:", &r->resident_bytes);
	add_kib(line, "Private_Hugetlb:", &r->resident_bytes);
	add_kib(line, "Shared_Hugetlb:", &r->resident_bytes);
	add_kib(line, "Swap:", &r->swapped_bytes);
	add_kib(line, "Locked:", &r->locked_bytes);
}

static void
add_kib(const char *line, const char *key, uint64_t *bytes)
{
	size_t length = strlen(key);
	uint64_t kib;

	if (strncmp(line, key, length) == 0 &&
	    sscanf(line + length, "%" SCNu64 " kB", &kib) == 1)
		*bytes += kib * 1024;
}

int
residency_available(uint64_t *bytes)
{
	return residency_available_at("", bytes);
}

int
residency_available_at(const char *root, uint64_t *bytes)
{
	struct proc_meminfo info;
	struct proc_cgroup group;
	struct proc_cgroup_memory memory;
	char text[16384];
	uint64_t limit, left;

	if (proc_read(root, "/proc/meminfo", text, sizeof text) == -1)
		return -1;
	proc_meminfo_parse(text, &info);
	if (info.available_kib == PROC_ABSENT ||
	    units_mul(info.available_kib, 1024, bytes) == -1) {
		errno = ENODATA;
		return -1;
	}
	if (proc_cgroup_find(root, "self", &group) == -1 ||
	    group.version == PROC_CGROUP_NONE)
		return 0;
	limit = proc_cgroup_limit_bytes(&group);
	if (limit == PROC_ABSENT || proc_cgroup_memory(&group, &memory) == -1 ||
	    memory.usage_bytes == PROC_ABSENT)
		return 0;
	left = memory.usage_bytes < limit ? limit - memory.usage_bytes : 0;
	if (left < *bytes)
		*bytes = left;
	return 0;
}
