/* proc_block: swap devices, and the request queue under a file system. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"

static struct proc_swap swap;

static void
check_swap(const char *name, const char *type, uint64_t size_kib,
    uint64_t used_kib, int priority, int deleted)
{
	ck_assert_str_eq(swap.name, name);
	ck_assert_str_eq(swap.type, type);
	ck_assert_uint_eq(swap.size_kib, size_kib);
	ck_assert_uint_eq(swap.used_kib, used_kib);
	ck_assert_int_eq(swap.priority, priority);
	ck_assert_int_eq(swap.deleted, deleted);
}

START_TEST(all_swaps_are_listed_with_their_names_unescaped)
{
	const char *p = fixture("linux-6.12", "proc/swaps");

	ck_assert_ptr_nonnull(p = proc_swaps_next(p, &swap));
	check_swap("/dev/zram0", "partition", 16777212, 3000000, 100, 0);
	ck_assert_ptr_nonnull(p = proc_swaps_next(p, &swap));
	check_swap("/dev/nvme0n1p3", "partition", 8388604, 554428, -2, 0);
	ck_assert_ptr_nonnull(p = proc_swaps_next(p, &swap));
	check_swap("/var/swap files/a\\b", "file", 8388604, 0, -3, 0);
	ck_assert_ptr_nonnull(p = proc_swaps_next(p, &swap));
	check_swap("/var/old.swap", "file", 8, 0, 32767, 1);
	ck_assert_ptr_null(proc_swaps_next(p, &swap));
}
END_TEST

START_TEST(the_narrow_columns_of_old_kernels_are_read_too)
{
	const char *p = fixture("linux-2.6.32", "proc/swaps");

	ck_assert_ptr_nonnull(p = proc_swaps_next(p, &swap));
	check_swap("/dev/sda2", "partition", 2097144, 396796, -1, 0);
	ck_assert_ptr_null(proc_swaps_next(p, &swap));
}
END_TEST

START_TEST(without_swap_there_is_none)
{
	ck_assert_ptr_null(proc_swaps_next(fixture("linux-6.1", "proc/swaps"),
	    &swap));
	ck_assert_ptr_null(proc_swaps_next("", &swap));
}
END_TEST

static const char *const no_swaps[] = {
	"/dev/sda2 partition 10 5", "/dev/sda2 partition 10 5 -",
	"/dev/sda2 partition 10 5 -2", "/dev/sda2 partition 10 5 -2x\n",
	"/dev/sda2 partition 10 x -2\n", "/dev/sda2 partition\n", "/dev/sda2\n",
	"/dev/sda2 a_type_of_sixteen_letters 10 5 -2\n", " \n", "\n\n",
	"/dev/sda2 partition 10 5 4294967296\n",
};

START_TEST(a_torn_line_is_no_swap_and_hides_no_other)
{
	char both[256];
	const char *p;

	snprintf(both, sizeof(both), "%s\n/dev/sdb1 partition 10 5 -2\n",
	    no_swaps[_i]);
	ck_assert_ptr_null(proc_swaps_next(no_swaps[_i], &swap));
	/* What lacked but the newline is whole now. */
	if (strcmp(no_swaps[_i], "/dev/sda2 partition 10 5 -2") == 0)
		return;
	ck_assert_ptr_nonnull(p = proc_swaps_next(both, &swap));
	ck_assert_str_eq(swap.name, "/dev/sdb1");
	ck_assert_ptr_null(proc_swaps_next(p, &swap));
}
END_TEST

static const struct { const char *escaped, *name; int deleted; } escapes[] = {
	{ "/a\\040b", "/a b", 0 }, { "/a\\011b\\012c", "/a\tb\nc", 0 },
	{ "/a\\134040", "/a\\040", 0 }, { "/a\\04", "/a\\04", 0 },
	{ "/a\\777", "/a\\777", 0 }, { "/a\\", "/a\\", 0 },
	{ "/a\\08b", "/a\\08b", 0 },
	{ "/a\\040(deleted)", "/a", 1 }, { "/a(deleted)", "/a(deleted)", 0 },
	{ "\\040(deleted)", " (deleted)", 0 },
};

START_TEST(only_the_kernel_s_escapes_are_undone)
{
	char line[128];

	snprintf(line, sizeof(line), "%s file 1 0 0\n", escapes[_i].escaped);
	ck_assert_ptr_nonnull(proc_swaps_next(line, &swap));
	ck_assert_str_eq(swap.name, escapes[_i].name);
	ck_assert_int_eq(swap.deleted, escapes[_i].deleted);
}
END_TEST

START_TEST(a_name_longer_than_any_path_is_passed_over)
{
	static char line[6000];

	memset(line, 'x', sizeof(line));
	strcpy(line + 5000, " file 1 0 0\n/ok file 1 0 0\n");
	ck_assert_ptr_nonnull(proc_swaps_next(line, &swap));
	ck_assert_str_eq(swap.name, "/ok");
}
END_TEST

static const struct {
	const char *tree;
	unsigned major, minor;
	const char *disk;
} devices[] = {
	{ "linux-6.12", 259, 0, "nvme0n1" },
	{ "linux-6.12", 259, 2, "nvme0n1" },
	{ "linux-6.12", 8, 0, "sda" }, { "linux-6.12", 8, 1, "sda" },
	{ "linux-6.12", 253, 0, "dm-0" },
	{ "linux-6.12", 104, 0, "cciss!c0d0" },
	{ "linux-6.1-pi", 179, 2, "mmcblk0" },
};

START_TEST(a_partition_has_the_queue_of_its_disk)
{
	char root[160], queue[256], want[256];

	strcpy(root, fixture_root(devices[_i].tree));
	snprintf(want, sizeof(want), "%s/sys/block/%s/queue", root,
	    devices[_i].disk);
	ck_assert_int_eq(proc_queue_of_dev(root, devices[_i].major,
	    devices[_i].minor, queue, sizeof(queue)), 0);
	ck_assert_str_eq(queue, want);
	ck_assert_int_eq(access(queue, X_OK), 0);
}
END_TEST

START_TEST(what_is_no_block_device_has_no_queue)
{
	char queue[256];

	ck_assert_int_eq(proc_queue_of_dev(fixture_root("linux-6.12"), 0, 55,
	    queue, sizeof(queue)), -1);
	ck_assert_int_eq(errno, ENODEV);
	ck_assert_int_eq(proc_queue_of_dev(fixture_root("linux-6.12"), 8, 1,
	    queue, 10), -1);
	ck_assert_int_eq(errno, ENAMETOOLONG);
}
END_TEST

START_TEST(a_device_mapper_lists_what_lies_under_it)
{
	char queue[256], slaves[64];

	ck_assert_int_eq(proc_queue_of_dev(fixture_root("linux-6.12"), 253, 0,
	    queue, sizeof(queue)), 0);
	ck_assert_int_eq(proc_queue_slaves(queue, slaves, sizeof(slaves)), 2);
	ck_assert_str_eq(slaves, "nvme0n1p2 sda1");
	ck_assert_int_eq(proc_queue_slaves(queue, slaves, 10), -1);
	ck_assert_int_eq(errno, ENAMETOOLONG);
	ck_assert_int_eq(proc_queue_of_dev(fixture_root("linux-6.12"), 8, 1,
	    queue, sizeof(queue)), 0);
	ck_assert_int_eq(proc_queue_slaves(queue, slaves, sizeof(slaves)), 0);
	ck_assert_str_eq(slaves, "");
}
END_TEST

Suite *
proc_block_suite(void)
{
	Suite *s = suite_create("proc_block");
	TCase *t = tcase_create("proc_block");

	tcase_add_test(t, all_swaps_are_listed_with_their_names_unescaped);
	tcase_add_test(t, the_narrow_columns_of_old_kernels_are_read_too);
	tcase_add_test(t, without_swap_there_is_none);
	tcase_add_loop_test(t, a_torn_line_is_no_swap_and_hides_no_other, 0,
	    LENGTH(no_swaps));
	tcase_add_loop_test(t, only_the_kernel_s_escapes_are_undone, 0,
	    LENGTH(escapes));
	tcase_add_test(t, a_name_longer_than_any_path_is_passed_over);
	tcase_add_loop_test(t, a_partition_has_the_queue_of_its_disk, 0,
	    LENGTH(devices));
	tcase_add_test(t, what_is_no_block_device_has_no_queue);
	tcase_add_test(t, a_device_mapper_lists_what_lies_under_it);
	suite_add_tcase(s, t);
	return s;
}
