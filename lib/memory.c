/*
 * memory: mappings for workloads: how they are made, advised, touched, freed.
 */
#include <sys/mman.h>
#include <sys/types.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "memory.h"
#include "proc.h"
#include "units.h"

static int file_make(uint64_t, const char *);
static int file_open(const char *);
static int file_reserve(int, off_t);
static int file_write_zeros(int, off_t);
static void close_kept(int);

size_t
memory_page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

int
memory_map(struct memory_map *m, uint64_t bytes, enum memory_kind kind,
    enum memory_thp thp, const char *dir)
{
	int flags = kind == MEMORY_ANON ? MAP_PRIVATE | MAP_ANONYMOUS :
	    kind == MEMORY_SHARED ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED;
	int fd = -1, error;

	m->base = NULL;
	m->bytes = 0;
	m->kind = kind;
	if (bytes == 0)
		return 0;
	if (bytes > SIZE_MAX) {
		errno = EOVERFLOW;
		return -1;
	}
	if (kind == MEMORY_FILE && (fd = file_make(bytes, dir)) == -1)
		return -1;
	m->base = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, flags, fd,
	    0);
	if (fd != -1)
		close_kept(fd);
	if (m->base == MAP_FAILED) {
		m->base = NULL;
		return -1;
	}
	m->bytes = (size_t)bytes;
	if (thp != MEMORY_THP_ASIS && madvise(m->base, m->bytes,
	    thp == MEMORY_THP_ON ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) == -1) {
		error = errno;
		memory_unmap(m);
		errno = error;
		return -1;
	}
	return 0;
}

void
memory_unmap(struct memory_map *m)
{
	if (m->base != NULL)
		munmap(m->base, m->bytes);
	m->base = NULL;
	m->bytes = 0;
}

int
memory_effective_bytes(uint64_t *bytes)
{
	return memory_effective_bytes_at("", bytes);
}

int
memory_effective_bytes_at(const char *root, uint64_t *bytes)
{
	struct proc_meminfo info;
	struct proc_cgroup group;
	char text[16384];
	uint64_t total, limit = PROC_ABSENT;

	if (proc_read(root, "/proc/meminfo", text, sizeof(text)) == -1)
		return -1;
	proc_meminfo_parse(text, &info);
	if (info.total_kib == PROC_ABSENT ||
	    units_mul(info.total_kib, 1024, &total) == -1) {
		errno = ENODATA;
		return -1;
	}
	/* Without a memory controller there is no limit but the machine's. */
	if (proc_cgroup_find(root, "self", &group) == 0)
		limit = proc_cgroup_limit_bytes(&group);
	*bytes = limit < total ? limit : total;
	return 0;
}

/* A descriptor of a file of that size that has no name any more. */
static int
file_make(uint64_t bytes, const char *dir)
{
	int fd;

	if (dir == NULL) {
		errno = EINVAL;
		return -1;
	}
	if (bytes > INT64_MAX) {	/* off_t has 64 bits here */
		errno = EOVERFLOW;
		return -1;
	}
	if ((fd = file_open(dir)) == -1)
		return -1;
	if (file_reserve(fd, (off_t)bytes) == -1) {
		close_kept(fd);
		return -1;
	}
	return fd;
}

/*
 * O_TMPFILE never gives the file a name.  Kernels before 3.11 take it for an
 * attempt to open a folder (EISDIR); file systems without it say EOPNOTSUPP.
 */
static int
file_open(const char *dir)
{
	char *path;
	int fd;

	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd != -1 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd;
	if (asprintf(&path, "%s/qsXXXXXX", dir) == -1)
		return -1;
	if ((fd = mkostemp(path, O_CLOEXEC)) != -1 && unlink(path) == -1) {
		close_kept(fd);
		fd = -1;
	}
	free(path);
	return fd;
}

/*
 * posix_fallocate(3) is left out because libcs differ: where the file system
 * cannot reserve blocks, glibc writes into each of them and musl gives up.
 * Here zeros are written then, whatever the libc.
 */
static int
file_reserve(int fd, off_t bytes)
{
	int result;

	do
		result = fallocate(fd, 0, 0, bytes);
	while (result == -1 && errno == EINTR);
	if (result == -1 && errno == EOPNOTSUPP)
		result = file_write_zeros(fd, bytes);
	return result;
}

static int
file_write_zeros(int fd, off_t bytes)
{
	static const char zeros[65536];
	off_t left = bytes;
	ssize_t n;

	while (left > 0) {
		n = write(fd, zeros, left < (off_t)sizeof(zeros) ?
		    (size_t)left : sizeof(zeros));
		if (n == -1 && errno != EINTR)
			return -1;
		if (n > 0)
			left -= n;
	}
	return 0;
}

/* close(2) that leaves the errno of what went wrong before. */
static void
close_kept(int fd)
{
	int error = errno;

	close(fd);
	errno = error;
}
