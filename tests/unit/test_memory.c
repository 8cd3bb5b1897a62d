/* memory: mappings of every kind, refusals, and what is left behind. */
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "unit.h"

#define BYTES (3 * 1024 * 1024 + 5)

static char dir[4096];

static void
dir_make(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%s/qs-memory.XXXXXX",
	    tmp != NULL ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void
dir_remove(void)
{
	nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static int
dir_entries(void)
{
	int n = -2;	/* . and .. */
	DIR *d;

	ck_assert_ptr_nonnull(d = opendir(dir));
	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n;
}

/* The lowest free descriptor: grows when one is left open. */
static int
lowest_fd(void)
{
	int fd = open("/dev/null", O_RDONLY);

	ck_assert_int_ne(fd, -1);
	close(fd);
	return fd;
}

/* Whether "FLAG" stands in the VmFlags of the mapping that begins at base. */
static int
vm_flag(const void *base, const char *flag)
{
	char line[4096], start[40];
	int inside = 0, found = 0;
	FILE *f = fopen("/proc/self/smaps", "r");

	ck_assert_ptr_nonnull(f);
	snprintf(start, sizeof(start), "%08lx-", (unsigned long)base);
	while (fgets(line, sizeof(line), f) != NULL) {
		if (strncmp(line, start, strlen(start)) == 0)
			inside = 1;
		if (inside && strncmp(line, "VmFlags:", 8) == 0) {
			found = strstr(line, flag) != NULL;
			break;
		}
	}
	fclose(f);
	return found;
}

static void
write_and_read(const struct memory_map *m)
{
	unsigned char *p = m->base;
	size_t i;

	for (i = 0; i < m->bytes; i += 4093) {
		ck_assert_uint_eq(p[i], 0);
		p[i] = (unsigned char)(i % 251 + 1);
	}
	p[m->bytes - 1] = 77;
	for (i = 0; i + 1 < m->bytes; i += 4093)
		ck_assert_uint_eq(p[i], i % 251 + 1);
	ck_assert_uint_eq(p[m->bytes - 1], 77);
}

START_TEST(a_mapping_is_zeroed_writable_and_freed)
{
	struct memory_map m;
	int fd = lowest_fd();

	ck_assert_int_eq(memory_map(&m, BYTES, (enum memory_kind)_i,
	    MEMORY_THP_ASIS, dir), 0);
	ck_assert_ptr_nonnull(m.base);
	ck_assert_uint_eq(m.bytes, BYTES);
	ck_assert_int_eq((int)m.kind, _i);
	ck_assert_int_eq(dir_entries(), 0);
	ck_assert_int_eq(lowest_fd(), fd);
	write_and_read(&m);
	memory_unmap(&m);
	ck_assert_ptr_null(m.base);
	memory_unmap(&m);
}
END_TEST

START_TEST(shared_kinds_are_shared_with_a_child_and_others_are_not)
{
	struct memory_map m;
	unsigned char *p;
	pid_t pid;

	ck_assert_int_eq(memory_map(&m, BYTES, (enum memory_kind)_i,
	    MEMORY_THP_ASIS, dir), 0);
	p = m.base;
	if ((pid = fork()) == 0) {
		p[BYTES - 1] = 5;
		_exit(0);
	}
	ck_assert_int_ne(pid, -1);
	while (waitpid(pid, NULL, 0) == -1)
		ck_assert_int_eq(errno, EINTR);
	ck_assert_uint_eq(p[BYTES - 1], _i == MEMORY_ANON ? 0 : 5);
	memory_unmap(&m);
}
END_TEST

START_TEST(no_bytes_are_no_mapping)
{
	struct memory_map m;

	ck_assert_int_eq(memory_map(&m, 0, (enum memory_kind)_i,
	    MEMORY_THP_ASIS, dir), 0);
	ck_assert_ptr_null(m.base);
	ck_assert_uint_eq(m.bytes, 0);
	memory_unmap(&m);
}
END_TEST

START_TEST(advice_on_huge_pages_reaches_the_kernel)
{
	struct memory_map m;

	if (memory_map(&m, BYTES, MEMORY_ANON, MEMORY_THP_ON, NULL) == -1) {
		/* A kernel without huge pages refuses it, and so do we. */
		ck_assert_int_eq(errno, EINVAL);
		ck_assert_ptr_null(m.base);
		return;
	}
	ck_assert_int_ne(vm_flag(m.base, " hg"), 0);
	memory_unmap(&m);
	ck_assert_int_eq(memory_map(&m, BYTES, MEMORY_ANON, MEMORY_THP_OFF,
	    NULL), 0);
	ck_assert_int_ne(vm_flag(m.base, " nh"), 0);
	memory_unmap(&m);
	ck_assert_int_eq(memory_map(&m, BYTES, MEMORY_ANON, MEMORY_THP_ASIS,
	    NULL), 0);
	ck_assert_int_eq(vm_flag(m.base, " hg"), 0);
	ck_assert_int_eq(vm_flag(m.base, " nh"), 0);
	memory_unmap(&m);
}
END_TEST

START_TEST(a_size_that_cannot_be_is_refused)
{
	struct memory_map m;
	int error = sizeof(size_t) == 4 ? EOVERFLOW : ENOMEM;

	errno = 0;
	ck_assert_int_eq(memory_map(&m, UINT64_C(1) << 62,
	    (enum memory_kind)_i, MEMORY_THP_ASIS, dir), -1);
	if (_i != MEMORY_FILE || error == EOVERFLOW)
		ck_assert_int_eq(errno, error);
	else	/* beyond the free space, or beyond the largest file */
		ck_assert(errno == ENOSPC || errno == EFBIG);
	ck_assert_ptr_null(m.base);
	if (_i == MEMORY_FILE) {
		errno = 0;
		ck_assert_int_eq(memory_map(&m, UINT64_MAX, MEMORY_FILE,
		    MEMORY_THP_ASIS, dir), -1);
		ck_assert_int_eq(errno, EOVERFLOW);
	}
	ck_assert_int_eq(dir_entries(), 0);
}
END_TEST

START_TEST(a_folder_that_cannot_be_used_is_named_by_errno)
{
	struct memory_map m;

	errno = 0;
	ck_assert_int_eq(memory_map(&m, BYTES, MEMORY_FILE, MEMORY_THP_ASIS,
	    "/nonexistent/folder"), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(memory_map(&m, BYTES, MEMORY_FILE, MEMORY_THP_ASIS,
	    "/dev/null"), -1);
	ck_assert_int_eq(errno, ENOTDIR);
	ck_assert_int_eq(memory_map(&m, BYTES, MEMORY_FILE, MEMORY_THP_ASIS,
	    NULL), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_null(m.base);
}
END_TEST

START_TEST(blocks_that_cannot_be_reserved_leave_nothing_behind)
{
	struct rlimit small = { 65536, 65536 };
	struct memory_map m;
	int fd = lowest_fd();

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	errno = 0;
	ck_assert_int_eq(memory_map(&m, BYTES, MEMORY_FILE, MEMORY_THP_ASIS,
	    dir), -1);
	ck_assert_int_eq(errno, EFBIG);
	ck_assert_ptr_null(m.base);
	ck_assert_int_eq(dir_entries(), 0);
	ck_assert_int_eq(lowest_fd(), fd);
}
END_TEST

#define ARG(n) (offsetof(struct seccomp_data, args[n]) + \
	(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0))
#ifndef SYS_open
#define SYS_open SYS_openat	/* some machines never had it */
#endif

/*
 * Make this process's kernel one that knows neither O_TMPFILE nor fallocate:
 * both fail with EOPNOTSUPP from now on.  Libcs open by openat or by open.
 */
static int
forget_new_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fallocate, 6, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_open, 0, 5),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARG(1)),
		BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARG(2)),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY,
		    0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(filter) / sizeof(*filter), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

START_TEST(a_file_system_without_nameless_files_serves_as_well)
{
	struct rlimit small = { 65536, 65536 };
	struct memory_map m;
	int fd = lowest_fd();

	ck_assert_int_eq(forget_new_calls(), 0);
	ck_assert_int_eq(open(dir, O_TMPFILE | O_RDWR, 0600), -1);
	ck_assert_int_eq(errno, EOPNOTSUPP);
	ck_assert_int_eq(memory_map(&m, BYTES, MEMORY_FILE, MEMORY_THP_ASIS,
	    dir), 0);
	ck_assert_int_eq(dir_entries(), 0);
	ck_assert_int_eq(lowest_fd(), fd);
	write_and_read(&m);
	memory_unmap(&m);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	errno = 0;
	ck_assert_int_eq(memory_map(&m, BYTES, MEMORY_FILE, MEMORY_THP_ASIS,
	    dir), -1);
	ck_assert_int_eq(errno, EFBIG);
	ck_assert_int_eq(dir_entries(), 0);
	ck_assert_int_eq(lowest_fd(), fd);
}
END_TEST

START_TEST(a_page_is_a_power_of_two_of_at_least_4_kib)
{
	size_t page = memory_page_bytes();

	ck_assert_uint_ge(page, 4096);
	ck_assert_uint_eq(page & (page - 1), 0);
}
END_TEST

/* A file below dir, with the folders on its way. */
static void
fixture_file(const char *name, const char *text)
{
	char path[8192], *slash;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	for (slash = path + strlen(dir) + 1;
	    (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
		*slash = '\0';
		ck_assert(mkdir(path, 0700) == 0 || errno == EEXIST);
	}
	ck_assert_ptr_nonnull(f = fopen(path, "w"));
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

/* A machine of 1 GiB whose process is in group /a/b, of version 2. */
static void
fixture_machine(void)
{
	fixture_file("proc/meminfo", "MemTotal:        1048576 kB\n"
	    "MemFree:          524288 kB\n");
	fixture_file("proc/self/cgroup", "0::/a/b\n");
	fixture_file("proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup "
	    "rw,nosuid - cgroup2 cgroup2 rw\n");
	fixture_file("sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
	fixture_file("sys/fs/cgroup/a/memory.max", "max\n");
	fixture_file("sys/fs/cgroup/a/b/memory.max", "max\n");
}

START_TEST(effective_memory_is_the_machines_or_the_least_limit)
{
	uint64_t bytes = 0;

	fixture_machine();
	ck_assert_int_eq(memory_effective_bytes_at(dir, &bytes), 0);
	ck_assert_uint_eq(bytes, UINT64_C(1) << 30);
	fixture_file("sys/fs/cgroup/a/b/memory.max", "2147483648\n");
	ck_assert_int_eq(memory_effective_bytes_at(dir, &bytes), 0);
	ck_assert_uint_eq(bytes, UINT64_C(1) << 30);
	fixture_file("sys/fs/cgroup/a/b/memory.max", "268435456\n");
	ck_assert_int_eq(memory_effective_bytes_at(dir, &bytes), 0);
	ck_assert_uint_eq(bytes, 268435456);
	fixture_file("sys/fs/cgroup/a/memory.max", "134217728\n");
	ck_assert_int_eq(memory_effective_bytes_at(dir, &bytes), 0);
	ck_assert_uint_eq(bytes, 134217728);
}
END_TEST

START_TEST(effective_memory_needs_memtotal_and_no_more)
{
	uint64_t bytes = 7;

	errno = 0;
	ck_assert_int_eq(memory_effective_bytes_at(dir, &bytes), -1);
	ck_assert_int_eq(errno, ENOENT);
	fixture_file("proc/meminfo", "MemFree:          524288 kB\n");
	ck_assert_int_eq(memory_effective_bytes_at(dir, &bytes), -1);
	ck_assert_int_eq(errno, ENODATA);
	ck_assert_uint_eq(bytes, 7);
	fixture_file("proc/meminfo", "MemTotal:           2048 kB\n");
	ck_assert_int_eq(memory_effective_bytes_at(dir, &bytes), 0);
	ck_assert_uint_eq(bytes, 2 * 1024 * 1024);
}
END_TEST

START_TEST(effective_memory_of_this_machine_is_not_more_than_it_has)
{
	uint64_t bytes = 0, total = (uint64_t)sysconf(_SC_PHYS_PAGES) *
	    memory_page_bytes();

	ck_assert_int_eq(memory_effective_bytes(&bytes), 0);
	ck_assert_uint_gt(bytes, 0);
	ck_assert_uint_le(bytes, total);
}
END_TEST

Suite *
memory_suite(void)
{
	Suite *s = suite_create("memory");
	TCase *t = tcase_create("memory");

	tcase_add_checked_fixture(t, dir_make, dir_remove);
	tcase_add_loop_test(t, a_mapping_is_zeroed_writable_and_freed,
	    MEMORY_ANON, MEMORY_FILE + 1);
	tcase_add_loop_test(t,
	    shared_kinds_are_shared_with_a_child_and_others_are_not,
	    MEMORY_ANON, MEMORY_FILE + 1);
	tcase_add_loop_test(t, no_bytes_are_no_mapping,
	    MEMORY_ANON, MEMORY_FILE + 1);
	tcase_add_loop_test(t, a_size_that_cannot_be_is_refused,
	    MEMORY_ANON, MEMORY_FILE + 1);
	tcase_add_test(t, advice_on_huge_pages_reaches_the_kernel);
	tcase_add_test(t, a_folder_that_cannot_be_used_is_named_by_errno);
	tcase_add_test(t, blocks_that_cannot_be_reserved_leave_nothing_behind);
	tcase_add_test(t, a_file_system_without_nameless_files_serves_as_well);
	tcase_add_test(t, a_page_is_a_power_of_two_of_at_least_4_kib);
	tcase_add_test(t, effective_memory_is_the_machines_or_the_least_limit);
	tcase_add_test(t, effective_memory_needs_memtotal_and_no_more);
	tcase_add_test(t,
	    effective_memory_of_this_machine_is_not_more_than_it_has);
	suite_add_tcase(s, t);
	return s;
}
