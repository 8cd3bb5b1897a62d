/*
 * mapping: the memory that memhog holds: made, locked, advised.
 */
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "exits.h"
#include "mapping.h"
#include "proc.h"
#include "units.h"

/* Of Linux 5.14 and 4.4; older headers lack them. */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#define LOCK_ON_FAULT 1

static int open_file(struct plan *p, char *fault, size_t size);
static int map(struct memory_map *m, const struct plan *p, uint64_t offset,
    uint64_t bytes);
static int memfd(uint64_t bytes);
static int populate_late(const struct plan *p);
static int lock(const struct memory_map *m, char *fault, size_t size);
static int refuse(const char *what, uint64_t bytes, char *fault, size_t size);
static const char *why_no_memory(char *buf, size_t size);

uint64_t
mapping_huge_bytes(void)
{
	char text[16384];
	uint64_t kib;

	if (proc_read("", "/proc/meminfo", text, sizeof text) == -1 ||
	    (kib = proc_value(text, "Hugepagesize")) == PROC_ABSENT)
		return 0;
	return kib * 1024;
}

int
mapping_prepare(struct plan *p, char *fault, size_t size)
{
	char text[256];

	if (p->kind == PLAN_HUGE && mapping_huge_bytes() == 0) {
		snprintf(fault, size, "this kernel has no hugetlb pages");
		return EXIT_FAILED;
	}
	if (p->thp == MEMORY_THP_ON && proc_read("",
	    "/sys/kernel/mm/transparent_hugepage/enabled", text,
	    sizeof text) > 0 && strstr(text, "[never]") != NULL) {
		snprintf(fault, size, "-T: transparent huge pages are off in "
		    "this system (/sys/kernel/mm/transparent_hugepage/"
		    "enabled)");
		return EXIT_FAILED;
	}
	return p->kind == PLAN_FILE ? open_file(p, fault, size) : EXIT_GOOD;
}

/*
 * Blocks are reserved, so that a full disk is told here; else it would be a
 * SIGBUS in the midst.
 */
static int
open_file(struct plan *p, char *fault, size_t size)
{
	struct stat st;

	p->fd = open(p->file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (p->fd == -1 || fstat(p->fd, &st) == -1) {
		snprintf(fault, size, "%s: %s", p->file, strerror(errno));
		return EXIT_FAILED;
	}
	if (!S_ISREG(st.st_mode)) {
		snprintf(fault, size, "%s: not a regular file", p->file);
		return EXIT_FAILED;
	}
	if (p->bytes > INT64_MAX ||
	    fallocate(p->fd, 0, 0, (off_t)p->bytes) == -1) {
		snprintf(fault, size, "%s: cannot reserve %" PRIu64
		    " bytes: %s", p->file, p->bytes, strerror(errno));
		return EXIT_FAILED;
	}
	return EXIT_GOOD;
}

int
mapping_make(struct memory_map *m, const struct plan *p, uint64_t index,
    char *fault, size_t size)
{
	uint64_t bytes = plan_share_bytes(p, index);
	int status = EXIT_GOOD;

	if (map(m, p, plan_share_offset(p, index), bytes) == -1)
		return refuse(p->kind == PLAN_HUGE ? "not enough huge pages "
		    "(vm.nr_hugepages) for" : "cannot map", bytes, fault, size);
	if (p->thp != MEMORY_THP_ASIS && madvise(m->base, m->bytes,
	    p->thp == MEMORY_THP_ON ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) == -1)
		status = refuse("the advice on transparent huge pages for",
		    bytes, fault, size);
	else if (p->policy.set &&
	    policy_apply(&p->policy, m->base, m->bytes) == -1)
		status = refuse(errno == ENOSYS ? "this kernel has no NUMA "
		    "policy for" : "the NUMA policy for", bytes, fault, size);
	/* On a page that is not there yet the advice does nothing. */
	else if (p->advice != 0 &&
	    madvise(m->base, memory_page_bytes(), p->advice) == -1)
		status = refuse(p->advice_name, bytes, fault, size);
	else if (p->lock)
		status = lock(m, fault, size);
	if (status == EXIT_GOOD && p->populate && populate_late(p) &&
	    madvise(m->base, m->bytes, MADV_POPULATE_WRITE) == -1)
		status = refuse("cannot populate", bytes, fault, size);
	if (status != EXIT_GOOD)
		memory_unmap(m);
	return status;
}

void
mapping_fault_in(void *start, size_t bytes)
{
	static int missing;

	if (!missing && madvise(start, bytes, MADV_POPULATE_WRITE) == -1 &&
	    errno == EINVAL)
		missing = 1;
}

static int
map(struct memory_map *m, const struct plan *p, uint64_t offset,
    uint64_t bytes)
{
	int flags = p->kind == PLAN_ANON || p->kind == PLAN_HUGE ?
	    MAP_PRIVATE : MAP_SHARED;
	int fd = -1, error;

	memset(m, 0, sizeof *m);
	if (p->kind == PLAN_FILE)
		fd = p->fd;
	else if (p->kind == PLAN_MEMFD && (fd = memfd(bytes)) == -1)
		return -1;
	else if (p->kind != PLAN_MEMFD)
		flags |= MAP_ANONYMOUS;
	if (p->kind == PLAN_HUGE)
		flags |= MAP_HUGETLB;
	if (p->populate && !populate_late(p))
		flags |= MAP_POPULATE;
	m->base = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, flags, fd,
	    p->kind == PLAN_FILE ? (off_t)offset : 0);
	error = errno;
	if (p->kind == PLAN_MEMFD)
		close(fd);
	errno = error;
	if (m->base == MAP_FAILED) {
		m->base = NULL;
		return -1;
	}
	m->bytes = (size_t)bytes;
	return 0;
}

/* memfd_create(2), which older C libraries lack. */
static int
memfd(uint64_t bytes)
{
	int fd = (int)syscall(SYS_memfd_create, "memhog", 1U), error;

	if (fd != -1 && ftruncate(fd, (off_t)bytes) == -1) {
		error = errno;
		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

/* Whether there is advice that must come before the pages. */
static int
populate_late(const struct plan *p)
{
	return p->policy.set || p->thp != MEMORY_THP_ASIS;
}

/*
 * The limit is compared with all of it at once, the pages are locked as they
 * are touched: to lock them now would populate all of it in one go.
 */
static int
lock(const struct memory_map *m, char *fault, size_t size)
{
	char whole[32], limit[64] = "";
	struct rlimit r;
	int error;

	if (syscall(SYS_mlock2, m->base, m->bytes, LOCK_ON_FAULT) == 0)
		return EXIT_GOOD;
	error = errno;
	if (getrlimit(RLIMIT_MEMLOCK, &r) == 0 && r.rlim_cur != RLIM_INFINITY)
		snprintf(limit, sizeof limit, " (ulimit -l is %" PRIu64
		    " KiB)", (uint64_t)r.rlim_cur / 1024);
	snprintf(fault, size, "locked 0 of %s: %s%s",
	    units_print_size(whole, sizeof whole, m->bytes), strerror(error),
	    limit);
	return error == ENOSYS ? EXIT_FAILED : EXIT_MEMORY;
}

static int
refuse(const char *what, uint64_t bytes, char *fault, size_t size)
{
	char text[32], why[160] = "";
	int error = errno;

	if (error == ENOMEM)
		why_no_memory(why, sizeof why);
	snprintf(fault, size, "%s %s: %s%s", what,
	    units_print_size(text, sizeof text, bytes), strerror(error), why);
	return error == ENOMEM ? EXIT_MEMORY : EXIT_FAILED;
}

/* What a person would look at next, " (...)". */
static const char *
why_no_memory(char *buf, size_t size)
{
	char mode[32];
	struct rlimit r;

	if (getrlimit(RLIMIT_AS, &r) == 0 && r.rlim_cur != RLIM_INFINITY)
		snprintf(buf, size, " (ulimit -v is %" PRIu64 " KiB)",
		    (uint64_t)r.rlim_cur / 1024);
	else if (proc_read("", "/proc/sys/vm/overcommit_memory", mode,
	    sizeof mode) > 0 && proc_number(mode) == 2)
		snprintf(buf, size, " (vm.overcommit_memory is 2)");
	return buf;
}
