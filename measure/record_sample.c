/*
 * sample: one reading of the machine's memory, and the files it comes from.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "record_sample.h"

static const char header[] =
#define SAMPLE_NAME(id, name) "\t" name
    SAMPLE_COLUMNS(SAMPLE_NAME) "\n";
#undef SAMPLE_NAME

/* The columns that count since the boot in their source. */
static const enum sample_column counters[] = {
	SAMPLE_PSWPIN, SAMPLE_PSWPOUT, SAMPLE_MEM_SOME, SAMPLE_MEM_FULL,
	SAMPLE_IO_FULL
};

static int open_at(const char *, const char *);
static void open_group_swap(struct sample_files *, const struct proc_cgroup *);
static uint64_t read_meminfo(const struct sample_files *, uint64_t *, char *,
    size_t);
static void read_group(const struct sample_files *, uint64_t *, char *, size_t);

void
sample_open(struct sample_files *f, const char *root,
    const struct proc_cgroup *group)
{
	const char *name;

	f->meminfo = open_at(root, "/proc/meminfo");
	f->vmstat = open_at(root, "/proc/vmstat");
	f->psi_io = open_at(root, "/proc/pressure/io");
	f->group = f->group_swap = -1;
	if (group->version == PROC_CGROUP_V2)
		f->psi_mem = open_at(group->dir, proc_cgroup_file_name(
		    group->version, PROC_CGROUP_PRESSURE));
	else
		f->psi_mem = open_at(root, "/proc/pressure/memory");
	if (group->version == PROC_CGROUP_NONE)
		return;
	name = proc_cgroup_file_name(group->version, PROC_CGROUP_USAGE);
	f->group = open_at(group->dir, name);
	open_group_swap(f, group);
}

static void
open_group_swap(struct sample_files *f, const struct proc_cgroup *group)
{
	if (group->version == PROC_CGROUP_V2) {
		f->swap_kind = SAMPLE_OF_SWAP;
		f->group_swap = open_at(group->dir, "memory.swap.current");
		return;
	}
	/* Half as dear as memory.stat, but not there with swapaccount=0. */
	f->swap_kind = SAMPLE_OF_BOTH;
	f->group_swap = open_at(group->dir, "memory.memsw.usage_in_bytes");
	if (f->group_swap == -1) {
		f->swap_kind = SAMPLE_OF_STAT;
		f->group_swap = open_at(group->dir, "memory.stat");
	}
}

void
sample_close(const struct sample_files *f)
{
	const int all[] = {
		f->meminfo, f->vmstat, f->psi_mem, f->psi_io, f->group,
		f->group_swap
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (all[i] != -1)
			close(all[i]);
	}
}

static int
open_at(const char *folder, const char *name)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >=
	    (int)sizeof(path))
		return -1;
	return open(path, O_RDONLY | O_CLOEXEC);
}

uint64_t
sample_read(const struct sample_files *f, struct sample *row, char *text,
    size_t size)
{
	uint64_t *cell = row->cell, total_kib;
	struct proc_vmstat v;
	struct proc_psi p;

	memset(row, 0xff, sizeof(*row));	/* all PROC_ABSENT */
	total_kib = read_meminfo(f, cell, text, size);
	if (proc_pread(f->vmstat, text, size) != -1) {
		proc_vmstat_parse(text, &v);
		cell[SAMPLE_PSWPIN] = v.pswpin_pages;
		cell[SAMPLE_PSWPOUT] = v.pswpout_pages;
	}
	if (proc_pread(f->psi_mem, text, size) != -1) {
		proc_psi_parse(text, &p);
		cell[SAMPLE_MEM_SOME] = p.some_us;
		cell[SAMPLE_MEM_FULL] = p.full_us;
	}
	if (proc_pread(f->psi_io, text, size) != -1) {
		proc_psi_parse(text, &p);
		cell[SAMPLE_IO_FULL] = p.full_us;
	}
	read_group(f, cell, text, size);
	return total_kib;
}

static uint64_t
read_meminfo(const struct sample_files *f, uint64_t *cell, char *text,
    size_t size)
{
	struct proc_meminfo m;

	if (proc_pread(f->meminfo, text, size) == -1)
		return PROC_ABSENT;
	proc_meminfo_parse(text, &m);
	cell[SAMPLE_FREE] = m.free_kib;
	cell[SAMPLE_AVAILABLE] = m.available_kib;
	cell[SAMPLE_SWAP] = proc_delta(m.swap_free_kib, m.swap_total_kib);
	cell[SAMPLE_DIRTY] = m.dirty_kib;
	cell[SAMPLE_WRITEBACK] = m.writeback_kib;
	return m.total_kib;
}

static void
read_group(const struct sample_files *f, uint64_t *cell, char *text,
    size_t size)
{
	uint64_t used = PROC_ABSENT, swap = PROC_ABSENT;

	if (proc_pread(f->group, text, size) != -1)
		used = proc_number(text);
	if (proc_pread(f->group_swap, text, size) != -1)
		swap = f->swap_kind == SAMPLE_OF_STAT ?
		    proc_value(text, "total_swap") : proc_number(text);
	/* The two are not read at once: memory may have grown meanwhile. */
	if (f->swap_kind == SAMPLE_OF_BOTH && swap != PROC_ABSENT)
		swap = used == PROC_ABSENT ? PROC_ABSENT :
		    swap > used ? swap - used : 0;
	if (used != PROC_ABSENT)
		cell[SAMPLE_GROUP] = used / 1024;
	if (swap != PROC_ABSENT)
		cell[SAMPLE_GROUP_SWAP] = swap / 1024;
}

void
sample_since(const struct sample *first, struct sample *row)
{
	size_t i;

	for (i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		row->cell[counters[i]] = proc_delta(
		    first->cell[counters[i]], row->cell[counters[i]]);
}

void
sample_print_header(FILE *out)
{
	fputs(header + 1, out);
}

void
sample_print(FILE *out, const struct sample *row)
{
	int c;

	for (c = 0; c < SAMPLE_COUNT; c++) {
		if (c > 0)
			putc('\t', out);
		if (row->cell[c] == PROC_ABSENT)
			putc('-', out);
		else
			fprintf(out, "%" PRIu64, row->cell[c]);
	}
	putc('\n', out);
}
