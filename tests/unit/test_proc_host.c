/* proc_host: /proc/vmstat, meminfo and stat of many kernels. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"

#define ABSENT PROC_ABSENT

/* /proc/vmstat. */

static const struct { const char *tree; struct proc_vmstat v; } vmstats[] = {
	{ "linux-2.6.32", { 41231, 98765, 10652, ABSENT, ABSENT,
	    7500, 80064, ABSENT, 52000, 321, ABSENT } },
	{ "linux-3.10", { 7, 4294967297, 2233, ABSENT, ABSENT,
	    68, 432, 54, 321, 12, ABSENT } },
	{ "linux-4.19", { 1001, 2002, 3003, ABSENT, 4004,
	    80, 700, 60, 500, 321, 5 } },
	{ "linux-5.10", { 333, 444, 555, 666, 777,
	    1000, 10000, 700, 9000, 88, 0 } },
	{ "linux-6.1", { 21, 32, 43, 54, 65, 400, 2500, 200, 2000, 18, 2 } },
	{ "linux-6.12", { 123456789012, 234567890123, 345678901234, 456, 567,
	    1000, 10000, 970, 9700, 10, 6 } },
};

START_TEST(vmstat_of_every_kernel_series_is_read)
{
	const struct proc_vmstat *want = &vmstats[_i].v;
	struct proc_vmstat v;

	proc_vmstat_parse(fixture(vmstats[_i].tree, "proc/vmstat"), &v);
	ck_assert_uint_eq(v.pswpin_pages, want->pswpin_pages);
	ck_assert_uint_eq(v.pswpout_pages, want->pswpout_pages);
	ck_assert_uint_eq(v.pgmajfault, want->pgmajfault);
	ck_assert_uint_eq(v.refault_anon, want->refault_anon);
	ck_assert_uint_eq(v.refault_file, want->refault_file);
	ck_assert_uint_eq(v.scan_direct_pages, want->scan_direct_pages);
	ck_assert_uint_eq(v.scan_kswapd_pages, want->scan_kswapd_pages);
	ck_assert_uint_eq(v.steal_direct_pages, want->steal_direct_pages);
	ck_assert_uint_eq(v.steal_kswapd_pages, want->steal_kswapd_pages);
	ck_assert_uint_eq(v.allocstall, want->allocstall);
	ck_assert_uint_eq(v.oom_kill, want->oom_kill);
}
END_TEST

/* Absent parts count 0 here: the shares that are known must hold anyway. */
static uint64_t
or_zero(uint64_t v)
{
	return v == ABSENT ? 0 : v;
}

START_TEST(no_more_is_reclaimed_than_was_scanned)
{
	struct proc_vmstat v;
	uint64_t steal, scan;

	proc_vmstat_parse(fixture(vmstats[_i].tree, "proc/vmstat"), &v);
	ck_assert_uint_ne(v.scan_direct_pages, ABSENT);
	ck_assert_uint_ne(v.scan_kswapd_pages, ABSENT);
	steal = or_zero(v.steal_direct_pages) + or_zero(v.steal_kswapd_pages);
	scan = v.scan_direct_pages + v.scan_kswapd_pages;
	ck_assert_uint_gt(steal, 0);
	ck_assert_uint_le(100 * steal / scan, 100);
	ck_assert_uint_le(or_zero(v.steal_direct_pages), v.scan_direct_pages);
	ck_assert_uint_le(v.steal_kswapd_pages, v.scan_kswapd_pages);
}
END_TEST

START_TEST(families_that_count_the_same_pages_are_not_added)
{
	struct proc_vmstat v;

	proc_vmstat_parse("pgsteal_kswapd 97\npgsteal_anon 50\n"
	    "pgsteal_file 47\npgscan_kswapd 100\npgscan_anon 60\n"
	    "pgscan_file 40\npgscan_direct 0\npgsteal_direct 0\n"
	    "pgscan_direct_throttle 1000\npgsteal_proactive 9\n"
	    "pgscan_proactive 9\npgscan_khugepaged 9\npgsteal_khugepaged 9\n",
	    &v);
	ck_assert_uint_eq(v.steal_kswapd_pages, 97);
	ck_assert_uint_eq(v.scan_kswapd_pages, 100);
	ck_assert_uint_eq(v.scan_direct_pages, 0);
	ck_assert_uint_eq(v.steal_direct_pages, 0);
	ck_assert_uint_eq(v.allocstall, ABSENT);
}
END_TEST

START_TEST(a_throttle_count_alone_is_no_scan)
{
	struct proc_vmstat v;

	proc_vmstat_parse("pgscan_direct_throttle 1000\n", &v);
	ck_assert_uint_eq(v.scan_direct_pages, ABSENT);
}
END_TEST

START_TEST(a_sum_over_zones_that_does_not_fit_is_absent)
{
	struct proc_vmstat v;

	proc_vmstat_parse("allocstall_dma 18446744073709551614\n"
	    "allocstall_normal 2\nallocstall_movable 1\n"
	    "pgscan_direct_dma 99999999999999999999\n"
	    "pgscan_direct_normal 5\n", &v);
	ck_assert_uint_eq(v.allocstall, ABSENT);
	ck_assert_uint_eq(v.scan_direct_pages, ABSENT);
}
END_TEST

/* /proc/meminfo. */

static const struct { const char *tree; struct proc_meminfo m; } meminfos[] = {
	{ "linux-2.6.32", { 1033552, 41236, ABSENT, 1204, 88, 2097144,
	    1700348 } },
	{ "linux-3.10", { 65841236, 1204120, ABSENT, 2040, 0, 4194300,
	    4190204 } },
	{ "linux-4.19", { 8167340, 204080, 1020400, 816, 16, 2097148,
	    1048576 } },
	{ "linux-5.10", { 16334680, 408128, 2040832, 1600, 64, 8388544,
	    8388544 } },
	{ "linux-6.1", { 4016200, 120040, 801020, 400, 0, 0, 0 } },
	{ "linux-6.1-pi", { 8245424, 4080160, 6120240, 160, 0, 204784,
	    204784 } },
	{ "linux-6.12", { 131899468, 1204120, 90100200, 40800, 160, 33554428,
	    30000000 } },
};

START_TEST(meminfo_of_every_kernel_series_is_read)
{
	const struct proc_meminfo *want = &meminfos[_i].m;
	struct proc_meminfo m;

	proc_meminfo_parse(fixture(meminfos[_i].tree, "proc/meminfo"), &m);
	ck_assert_uint_eq(m.total_kib, want->total_kib);
	ck_assert_uint_eq(m.free_kib, want->free_kib);
	ck_assert_uint_eq(m.available_kib, want->available_kib);
	ck_assert_uint_eq(m.dirty_kib, want->dirty_kib);
	ck_assert_uint_eq(m.writeback_kib, want->writeback_kib);
	ck_assert_uint_eq(m.swap_total_kib, want->swap_total_kib);
	ck_assert_uint_eq(m.swap_free_kib, want->swap_free_kib);
}
END_TEST

static const struct {
	const char *text;
	uint64_t total, free, swap_total, swap_free;
} nonsense[] = {
	{ "MemTotal: 262144 kB\nMemFree: 1000 kB\nSwapTotal: 0 kB\n"
	    "SwapFree: 18446744073709551496 kB\n", 262144, 1000, 0, ABSENT },
	{ "MemTotal: 10 kB\nMemFree: 11 kB\nSwapTotal: 5 kB\nSwapFree: 6 kB\n",
	    10, ABSENT, 5, ABSENT },
	{ "SwapFree: 18446744073709551496 kB\n", ABSENT, ABSENT, ABSENT,
	    ABSENT },
	{ "SwapTotal: 18446744073709551496 kB\nSwapFree: 7 kB\n", ABSENT,
	    ABSENT, ABSENT, 7 },
	{ "MemTotal:\nMemFree: kB\nSwapTotal: -4 kB\n", ABSENT, ABSENT, ABSENT,
	    ABSENT },
	{ "", ABSENT, ABSENT, ABSENT, ABSENT },
};

START_TEST(nonsense_of_a_container_s_meminfo_is_absent)
{
	struct proc_meminfo m;

	proc_meminfo_parse(nonsense[_i].text, &m);
	ck_assert_uint_eq(m.total_kib, nonsense[_i].total);
	ck_assert_uint_eq(m.free_kib, nonsense[_i].free);
	ck_assert_uint_eq(m.swap_total_kib, nonsense[_i].swap_total);
	ck_assert_uint_eq(m.swap_free_kib, nonsense[_i].swap_free);
	ck_assert_uint_eq(m.available_kib, ABSENT);
}
END_TEST

/* /proc/stat. */

static const struct { const char *tree; struct proc_cpu c; } cpus[] = {
	{ "linux-2.6.32", { 500100 + 2040 + 80080 + 1001 + 2002,
	    9000900 + 12012, 0, 12012 } },
	{ "linux-3.10", { 70700700 + 80800 + 9090900 + 20200,
	    900900900 + 101010, 30303, 101010 } },
	{ "linux-6.1", { 300301 + 402 + 50503 + 86, 60060064 + 7075, 97,
	    7075 } },
	{ "linux-6.12", { 70700701 + 80802 + 9090903 + 20206,
	    900900904 + 101015, 0, 101015 } },
};

static void
check_cpu(const struct proc_cpu *c, const struct proc_cpu *want)
{
	ck_assert_uint_eq(c->busy, want->busy);
	ck_assert_uint_eq(c->idle, want->idle);
	ck_assert_uint_eq(c->steal, want->steal);
	ck_assert_uint_eq(c->iowait, want->iowait);
}

START_TEST(busy_time_counts_guests_once_and_steal_not)
{
	struct proc_cpu c;

	proc_cpu_parse(fixture(cpus[_i].tree, "proc/stat"), &c);
	check_cpu(&c, &cpus[_i].c);
}
END_TEST

static const struct { const char *text; struct proc_cpu c; } cpu_lines[] = {
	{ "cpu  1 2 3 4 5 6 7\ncpu0 1 2 3 4 5 6 7\n",
	    { 19, 9, ABSENT, 5 } },
	{ "cpu0 1 2 3 4 5 6 7 8\ncpu  10 20 30 40 50 60 70 80\n",
	    { 190, 90, 80, 50 } },
	{ "cpu  1 2 3\n", { ABSENT, ABSENT, ABSENT, ABSENT } },
	{ "cpu  1 2 3 4 5 6 7 8x\n", { 19, 9, ABSENT, 5 } },
	{ "cpu  1 2 x 4 5 6 7 8\n", { ABSENT, ABSENT, ABSENT, ABSENT } },
	{ "cpu  1 18446744073709551616 3 4 5 6 7 8\n", { ABSENT, 9, 8, 5 } },
	{ "cpu", { ABSENT, ABSENT, ABSENT, ABSENT } },
	{ "cpuinfo 1 2 3 4 5 6 7 8\n", { ABSENT, ABSENT, ABSENT, ABSENT } },
	{ "", { ABSENT, ABSENT, ABSENT, ABSENT } },
};

START_TEST(a_short_or_torn_cpu_line_leaves_the_rest_absent)
{
	struct proc_cpu c;

	proc_cpu_parse(cpu_lines[_i].text, &c);
	check_cpu(&c, &cpu_lines[_i].c);
}
END_TEST

START_TEST(the_running_kernel_is_read)
{
	static char text[65536];
	struct proc_vmstat v;
	struct proc_meminfo m;
	struct proc_cpu c;
	int fd;

	ck_assert_int_gt(proc_read("", "/proc/vmstat", text, sizeof(text)), 0);
	proc_vmstat_parse(text, &v);
	ck_assert_uint_ne(v.pgmajfault, ABSENT);
	ck_assert_int_gt(proc_read("", "proc/meminfo", text, sizeof(text)), 0);
	proc_meminfo_parse(text, &m);
	ck_assert_uint_ne(m.total_kib, ABSENT);
	ck_assert_uint_ne(m.free_kib, ABSENT);
	fd = open("/proc/stat", O_RDONLY);
	ck_assert_int_gt(proc_pread_start(fd, text, 1024), 0);
	close(fd);
	proc_cpu_parse(text, &c);
	ck_assert_uint_ne(c.busy, ABSENT);
	ck_assert_uint_ne(c.idle, ABSENT);
}
END_TEST

static void
add_vmstat(TCase *t)
{
	tcase_add_loop_test(t, vmstat_of_every_kernel_series_is_read, 0,
	    LENGTH(vmstats));
	tcase_add_loop_test(t, no_more_is_reclaimed_than_was_scanned, 0,
	    LENGTH(vmstats));
	tcase_add_test(t, families_that_count_the_same_pages_are_not_added);
	tcase_add_test(t, a_throttle_count_alone_is_no_scan);
	tcase_add_test(t, a_sum_over_zones_that_does_not_fit_is_absent);
}

static void
add_others(TCase *t)
{
	tcase_add_loop_test(t, meminfo_of_every_kernel_series_is_read, 0,
	    LENGTH(meminfos));
	tcase_add_loop_test(t, nonsense_of_a_container_s_meminfo_is_absent, 0,
	    LENGTH(nonsense));
	tcase_add_loop_test(t, busy_time_counts_guests_once_and_steal_not, 0,
	    LENGTH(cpus));
	tcase_add_loop_test(t,
	    a_short_or_torn_cpu_line_leaves_the_rest_absent, 0,
	    LENGTH(cpu_lines));
	tcase_add_test(t, the_running_kernel_is_read);
}

Suite *
proc_host_suite(void)
{
	Suite *s = suite_create("proc_host");
	TCase *t = tcase_create("proc_host");

	add_vmstat(t);
	add_others(t);
	suite_add_tcase(s, t);
	return s;
}
