/* counters: what a run added to the kernel's counters. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "measure/record_counters.h"
#include "fixture.h"

#define A PROC_ABSENT

static struct counters_reading
nothing_known(void)
{
	struct counters_reading r;

	memset(&r, 0xff, sizeof(r));
	r.monotonic_ns = r.boot_ns = r.wall_ns = UINT64_C(1000000000000);
	return r;
}

START_TEST(what_is_not_counted_is_absent_after_a_run_too)
{
	struct counters c = { .ticks_per_s = 100, .cpus = 2 };
	struct counters_reading a = nothing_known(), b = nothing_known();
	struct counters_delta d;

	counters_subtract(&c, &a, &b, 1000000, &d);
	ck_assert_uint_eq(d.pswpin_pages, A);
	ck_assert_uint_eq(d.refault_file, A);
	ck_assert_uint_eq(d.psi_mem_some_us, A);
	ck_assert_uint_eq(d.kswapd_ticks, A);
	ck_assert_uint_eq(d.steal_ticks, A);
	ck_assert_uint_eq(d.foreign_ticks, A);
	ck_assert_uint_eq(d.oom_group, A);
	ck_assert_uint_eq(d.group_peak_kib, A);
	ck_assert(isnan(counters_percent(&c, d.steal_ticks, 1000000000)));
}
END_TEST

START_TEST(the_group_counts_before_the_machine)
{
	struct counters c = { .ticks_per_s = 100, .cpus = 2 };
	struct counters_reading a = nothing_known(), b = nothing_known();
	struct counters_delta d;

	a.vmstat.pswpin_pages = 100, b.vmstat.pswpin_pages = 150;
	a.vmstat.refault_file = 7, b.vmstat.refault_file = 9;
	a.group.refault_file = 40, b.group.refault_file = 41;
	a.mem.some_us = 10, b.mem.some_us = 30;
	a.group_mem.some_us = 5, b.group_mem.some_us = 5;
	counters_subtract(&c, &a, &b, 0, &d);
	ck_assert_uint_eq(d.pswpin_pages, 50);	/* the group has none */
	ck_assert_uint_eq(d.refault_file, 1);
	ck_assert_uint_eq(d.psi_mem_some_us, 0);
	/* a counter that went back is unknown */
	b.vmstat.pswpin_pages = 99;
	counters_subtract(&c, &a, &b, 0, &d);
	ck_assert_uint_eq(d.pswpin_pages, A);
}
END_TEST

/* The machine's leave out what is scanned for the limit of a group. */
START_TEST(scans_for_a_group_are_never_the_machines)
{
	struct counters c = { .ticks_per_s = 100, .cpus = 2 };
	struct counters_reading a = nothing_known(), b = nothing_known();
	struct counters_delta d;

	a.vmstat.scan_direct_pages = 3, b.vmstat.scan_direct_pages = 10;
	counters_subtract(&c, &a, &b, 0, &d);
	ck_assert_uint_eq(d.scan_direct_pages, 7);
	c.group.version = PROC_CGROUP_V1;
	counters_subtract(&c, &a, &b, 0, &d);
	ck_assert_uint_eq(d.scan_direct_pages, A);
	c.group.version = PROC_CGROUP_V2;
	a.group.scan_direct_pages = 100, b.group.scan_direct_pages = 120;
	a.group.scan_kswapd_pages = 0, b.group.scan_kswapd_pages = 5;
	counters_subtract(&c, &a, &b, 0, &d);
	ck_assert_uint_eq(d.scan_direct_pages, 20);
	ck_assert_uint_eq(d.scan_kswapd_pages, 5);
}
END_TEST

START_TEST(foreign_time_is_what_neither_we_nor_the_kernel_used)
{
	struct counters c = { .ticks_per_s = 100, .cpus = 2 };
	struct counters_reading a = nothing_known(), b = nothing_known();
	struct counters_delta d;

	a.cpu.busy = 1000, b.cpu.busy = 1300;
	a.cpu.steal = 5, b.cpu.steal = 9;
	counters_subtract(&c, &a, &b, 1000000, &d);
	ck_assert_uint_eq(d.foreign_ticks, 200);
	ck_assert_uint_eq(d.steal_ticks, 4);
	a.kernel_ticks = 70, b.kernel_ticks = 120;
	a.kswapd_ticks = 10, b.kswapd_ticks = 30;
	counters_subtract(&c, &a, &b, 1000000, &d);
	ck_assert_uint_eq(d.foreign_ticks, 150);
	ck_assert_uint_eq(d.kswapd_ticks, 20);
	ck_assert(fabs(counters_percent(&c, 150, 2000000000) - 37.5) < 1e-9);
	ck_assert(fabs(counters_percent(&c, 15, 50000000) - 100) < 1e-9);
	/* ticks are coarse: it never is negative */
	counters_subtract(&c, &a, &b, 9000000, &d);
	ck_assert_uint_eq(d.foreign_ticks, 0);
	b.kernel_ticks = 60;	/* one that ended took its time away */
	counters_subtract(&c, &a, &b, 1000000, &d);
	ck_assert_uint_eq(d.foreign_ticks, 200);
}
END_TEST

START_TEST(sleeps_and_jumps_of_the_clock_are_seen)
{
	struct counters c = { .ticks_per_s = 100, .cpus = 2 };
	struct counters_reading a = nothing_known(), b = nothing_known();
	struct counters_delta d;

	b.monotonic_ns += 10, b.boot_ns += 10, b.wall_ns += 12;
	counters_subtract(&c, &a, &b, 0, &d);
	ck_assert_uint_eq(d.suspended_ns, 0);
	ck_assert_uint_eq(d.clock_jump_ns, 2);
	b.boot_ns += 500, b.wall_ns += 500;	/* slept: no jump */
	counters_subtract(&c, &a, &b, 0, &d);
	ck_assert_uint_eq(d.suspended_ns, 500);
	ck_assert_uint_eq(d.clock_jump_ns, 2);
	b.wall_ns = a.wall_ns - 90;		/* set back */
	counters_subtract(&c, &a, &b, 0, &d);
	ck_assert_uint_eq(d.clock_jump_ns, 600);
}
END_TEST

START_TEST(a_peak_older_than_the_run_is_not_taken_for_its_own)
{
	struct counters c = { .ticks_per_s = 100, .cpus = 2 };
	struct counters_reading a = nothing_known(), b = nothing_known();
	struct counters_delta d;

	a.group.peak_bytes = b.group.peak_bytes = 8192;
	counters_subtract(&c, &a, &b, 0, &d);
	ck_assert_uint_eq(d.group_peak_kib, A);
	b.group.peak_bytes = 16384;
	counters_subtract(&c, &a, &b, 0, &d);
	ck_assert_uint_eq(d.group_peak_kib, 16);
	b.group.peak_bytes = 8192;
	c.peak_reset = 1;
	counters_subtract(&c, &a, &b, 0, &d);
	ck_assert_uint_eq(d.group_peak_kib, 8);
}
END_TEST

START_TEST(a_tree_is_read)
{
	struct counters_reading r;
	struct counters c;

	ck_assert_int_eq(counters_open(&c, fixture_root("linux-6.12"), NULL),
	    0);
	ck_assert_ptr_null(c.no_psi);
	counters_read(&c, &r);
	ck_assert_uint_eq(r.vmstat.pswpin_pages, 123456789012);
	ck_assert_uint_eq(r.mem.some_us, 555);
	ck_assert_uint_ne(r.cpu.busy, A);
	ck_assert_uint_ne(r.kswapd_ticks, A);
	ck_assert_uint_ge(r.kernel_ticks, r.kswapd_ticks);
	ck_assert_uint_eq(r.group.usage_bytes, A);
	counters_close(&c);
	/* a container: no kernel thread is to be seen */
	ck_assert_int_eq(counters_open(&c, fixture_root("linux-6.1"), NULL), 0);
	counters_read(&c, &r);
	ck_assert_uint_eq(r.kernel_ticks, A);
	ck_assert_uint_eq(r.kswapd_ticks, A);
	counters_close(&c);
	/* no PSI, and why */
	ck_assert_int_eq(counters_open(&c, fixture_root("linux-4.19"), NULL),
	    0);
	ck_assert_str_eq(c.no_psi, "psi: not built into this kernel");
	counters_close(&c);
}
END_TEST

START_TEST(a_folder_that_is_no_group_is_refused)
{
	struct counters c;

	ck_assert_int_eq(counters_open(&c, "", "/proc"), -1);
	ck_assert_int_eq(errno, ENOTSUP);
	ck_assert_int_eq(counters_open(&c, "", "/no/such/group"), -1);
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

Suite *
counters_suite(void)
{
	Suite *s = suite_create("counters");
	TCase *t = tcase_create("counters");

	tcase_add_test(t, what_is_not_counted_is_absent_after_a_run_too);
	tcase_add_test(t, the_group_counts_before_the_machine);
	tcase_add_test(t, scans_for_a_group_are_never_the_machines);
	tcase_add_test(t, foreign_time_is_what_neither_we_nor_the_kernel_used);
	tcase_add_test(t, sleeps_and_jumps_of_the_clock_are_seen);
	tcase_add_test(t, a_peak_older_than_the_run_is_not_taken_for_its_own);
	tcase_add_test(t, a_tree_is_read);
	tcase_add_test(t, a_folder_that_is_no_group_is_refused);
	suite_add_tcase(s, t);
	return s;
}
