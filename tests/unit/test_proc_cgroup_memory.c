/* proc_cgroup_memory: the counters of a memory group, both versions. */
#include <errno.h>
#include <string.h>

#include "fixture.h"

#define ABSENT PROC_ABSENT

static struct proc_cgroup g;

static const struct { const char *tree; struct proc_cgroup_memory m; }
groups[] = {
	{ "linux-2.6.32", { .usage_bytes = 110002176, .peak_bytes = 130002944,
	    .limit_bytes = ABSENT, .high_bytes = ABSENT, .swap_bytes = 405504,
	    .swap_peak_bytes = ABSENT, .swap_max_bytes = ABSENT,
	    .swappiness = 60, .limit_hits = 3, .oom_events = ABSENT,
	    .oom_kill = ABSENT, .pgmajfault = ABSENT, .refault_anon = ABSENT,
	    .refault_file = ABSENT, .scan_pages = ABSENT,
	    .scan_direct_pages = ABSENT, .scan_kswapd_pages = ABSENT,
	    .pswpin_pages = ABSENT, .pswpout_pages = ABSENT,
	    .zswpin_pages = ABSENT, .zswpout_pages = ABSENT } },
	{ "linux-3.10", { .usage_bytes = 200003584, .peak_bytes = 268435456,
	    .limit_bytes = 268435456, .high_bytes = ABSENT,
	    .swap_bytes = 30003200 + 4096, .swap_peak_bytes = ABSENT,
	    .swap_max_bytes = 268435456, .swappiness = 30, .limit_hits = 4711,
	    .oom_events = ABSENT, .oom_kill = ABSENT, .pgmajfault = 5511,
	    .refault_anon = ABSENT, .refault_file = ABSENT,
	    .scan_pages = ABSENT, .scan_direct_pages = ABSENT,
	    .scan_kswapd_pages = ABSENT, .pswpin_pages = ABSENT,
	    .pswpout_pages = ABSENT, .zswpin_pages = ABSENT,
	    .zswpout_pages = ABSENT } },
	{ "linux-4.19", { .usage_bytes = 800002048, .peak_bytes = 900001792,
	    .limit_bytes = 2147483648, .high_bytes = ABSENT,
	    .swap_bytes = 40960 + 4096, .swap_peak_bytes = ABSENT,
	    .swap_max_bytes = ABSENT, .swappiness = 30, .limit_hits = 0,
	    .oom_events = ABSENT, .oom_kill = 3, .pgmajfault = 5511,
	    .refault_anon = ABSENT, .refault_file = ABSENT,
	    .scan_pages = ABSENT, .scan_direct_pages = ABSENT,
	    .scan_kswapd_pages = ABSENT, .pswpin_pages = ABSENT,
	    .pswpout_pages = ABSENT, .zswpin_pages = ABSENT,
	    .zswpout_pages = ABSENT } },
	{ "linux-5.10", { .usage_bytes = 700055552, .peak_bytes = ABSENT,
	    .limit_bytes = 4294967296, .high_bytes = 805306368,
	    .swap_bytes = 131072, .swap_peak_bytes = ABSENT,
	    .swap_max_bytes = ABSENT, .swappiness = ABSENT, .limit_hits = 34,
	    .oom_events = 5, .oom_kill = 1, .pgmajfault = 83,
	    .refault_anon = 61, .refault_file = 72, .scan_pages = 9400,
	    .scan_direct_pages = ABSENT, .scan_kswapd_pages = ABSENT,
	    .pswpin_pages = ABSENT, .pswpout_pages = ABSENT,
	    .zswpin_pages = ABSENT, .zswpout_pages = ABSENT } },
	{ "linux-6.1", { .usage_bytes = 500006912, .peak_bytes = 536870912,
	    .limit_bytes = 536870912, .high_bytes = ABSENT, .swap_bytes = 0,
	    .swap_peak_bytes = ABSENT, .swap_max_bytes = 0,
	    .swappiness = ABSENT, .limit_hits = 910, .oom_events = 3,
	    .oom_kill = 3, .pgmajfault = 3, .refault_anon = 1,
	    .refault_file = 2, .scan_pages = 110, .scan_direct_pages = 100,
	    .scan_kswapd_pages = 10, .pswpin_pages = ABSENT,
	    .pswpout_pages = ABSENT, .zswpin_pages = 12,
	    .zswpout_pages = 13 } },
	{ "linux-6.12", { .usage_bytes = 260001792, .peak_bytes = 268435456,
	    .limit_bytes = 268435456, .high_bytes = 260046848,
	    .swap_bytes = 100003840, .swap_peak_bytes = 200003584,
	    .swap_max_bytes = 536870912, .swappiness = ABSENT,
	    .limit_hits = 333, .oom_events = 4, .oom_kill = 2,
	    .pgmajfault = 303, .refault_anon = 101, .refault_file = 202,
	    .scan_pages = 11100, .scan_direct_pages = 10000,
	    .scan_kswapd_pages = 1000, .pswpin_pages = 404,
	    .pswpout_pages = 505, .zswpin_pages = 606,
	    .zswpout_pages = 707 } },
};

static void
check_sizes(const struct proc_cgroup_memory *m,
    const struct proc_cgroup_memory *want)
{
	ck_assert_uint_eq(m->usage_bytes, want->usage_bytes);
	ck_assert_uint_eq(m->peak_bytes, want->peak_bytes);
	ck_assert_uint_eq(m->limit_bytes, want->limit_bytes);
	ck_assert_uint_eq(m->high_bytes, want->high_bytes);
	ck_assert_uint_eq(m->swap_bytes, want->swap_bytes);
	ck_assert_uint_eq(m->swap_peak_bytes, want->swap_peak_bytes);
	ck_assert_uint_eq(m->swap_max_bytes, want->swap_max_bytes);
	ck_assert_uint_eq(m->swappiness, want->swappiness);
}

static void
check_counts(const struct proc_cgroup_memory *m,
    const struct proc_cgroup_memory *want)
{
	ck_assert_uint_eq(m->limit_hits, want->limit_hits);
	ck_assert_uint_eq(m->oom_events, want->oom_events);
	ck_assert_uint_eq(m->oom_kill, want->oom_kill);
	ck_assert_uint_eq(m->pgmajfault, want->pgmajfault);
	ck_assert_uint_eq(m->refault_anon, want->refault_anon);
	ck_assert_uint_eq(m->refault_file, want->refault_file);
	ck_assert_uint_eq(m->scan_pages, want->scan_pages);
	ck_assert_uint_eq(m->scan_direct_pages, want->scan_direct_pages);
	ck_assert_uint_eq(m->scan_kswapd_pages, want->scan_kswapd_pages);
	ck_assert_uint_eq(m->pswpin_pages, want->pswpin_pages);
	ck_assert_uint_eq(m->pswpout_pages, want->pswpout_pages);
	ck_assert_uint_eq(m->zswpin_pages, want->zswpin_pages);
	ck_assert_uint_eq(m->zswpout_pages, want->zswpout_pages);
}

START_TEST(a_group_of_every_kernel_series_is_read)
{
	struct proc_cgroup_memory m;

	ck_assert_int_eq(proc_cgroup_find(fixture_root(groups[_i].tree),
	    "self", &g), 0);
	ck_assert_int_eq(proc_cgroup_memory(&g, &m), 0);
	check_sizes(&m, &groups[_i].m);
	check_counts(&m, &groups[_i].m);
}
END_TEST

START_TEST(the_root_group_has_statistics_and_no_limits)
{
	struct proc_cgroup_memory m;

	ck_assert_int_eq(proc_cgroup_find(fixture_root("linux-6.12"), "self",
	    &g), 0);
	strcpy(g.dir, g.mount);
	ck_assert_int_eq(proc_cgroup_memory(&g, &m), 0);
	ck_assert_uint_ne(m.pgmajfault, ABSENT);
	ck_assert_uint_eq(m.usage_bytes, ABSENT);
	ck_assert_uint_eq(m.limit_bytes, ABSENT);
	ck_assert_uint_eq(m.oom_kill, ABSENT);
}
END_TEST

START_TEST(a_group_that_is_gone_is_an_error)
{
	struct proc_cgroup_memory m;

	ck_assert_int_eq(proc_cgroup_find(fixture_root("linux-6.12"), "self",
	    &g), 0);
	strcat(g.dir, "/gone");
	ck_assert_int_eq(proc_cgroup_memory(&g, &m), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_uint_eq(m.usage_bytes, ABSENT);
}
END_TEST

START_TEST(without_a_memory_controller_nothing_is_read)
{
	struct proc_cgroup_memory m;
	struct proc_psi p;

	ck_assert_int_eq(proc_cgroup_find(fixture_root("linux-6.1-pi"), "self",
	    &g), 0);
	ck_assert_int_eq(proc_cgroup_memory(&g, &m), -1);
	ck_assert_int_eq(errno, ENOTSUP);
	ck_assert_uint_eq(m.oom_kill, ABSENT);
	ck_assert_int_eq(proc_cgroup_psi(&g, &p), -1);
	ck_assert_ptr_null(proc_cgroup_file_name(g.version, PROC_CGROUP_USAGE));
}
END_TEST

START_TEST(a_version_2_group_has_its_own_pressure)
{
	struct proc_psi p;

	ck_assert_int_eq(proc_cgroup_find(fixture_root("linux-6.12"), "self",
	    &g), 0);
	ck_assert_int_eq(proc_cgroup_psi(&g, &p), 0);
	ck_assert_uint_eq(p.some_us, 80808080);
	ck_assert_uint_eq(p.full_us, 40404040);
	ck_assert_uint_eq(p.some_avg10_centi, 3000);
}
END_TEST

START_TEST(a_version_1_group_has_none_and_says_so)
{
	struct proc_psi p;

	ck_assert_int_eq(proc_cgroup_find(fixture_root("linux-4.19"), "self",
	    &g), 0);
	ck_assert_int_eq(proc_cgroup_psi(&g, &p), -1);
	ck_assert_str_eq(proc_psi_reason(errno),
	    "psi: not kept for groups of cgroup version 1");
	ck_assert_uint_eq(p.some_us, ABSENT);
}
END_TEST

static const struct {
	enum proc_cgroup_version version;
	enum proc_cgroup_file file;
	const char *name;
} files[] = {
	{ PROC_CGROUP_V1, PROC_CGROUP_USAGE, "memory.usage_in_bytes" },
	{ PROC_CGROUP_V1, PROC_CGROUP_PEAK, "memory.max_usage_in_bytes" },
	{ PROC_CGROUP_V1, PROC_CGROUP_STAT, "memory.stat" },
	{ PROC_CGROUP_V1, PROC_CGROUP_PRESSURE, NULL },
	{ PROC_CGROUP_V2, PROC_CGROUP_USAGE, "memory.current" },
	{ PROC_CGROUP_V2, PROC_CGROUP_PEAK, "memory.peak" },
	{ PROC_CGROUP_V2, PROC_CGROUP_STAT, "memory.stat" },
	{ PROC_CGROUP_V2, PROC_CGROUP_PRESSURE, "memory.pressure" },
};

START_TEST(files_are_named_after_the_version)
{
	const char *name = proc_cgroup_file_name(files[_i].version,
	    files[_i].file);

	if (files[_i].name == NULL)
		ck_assert_ptr_null(name);
	else
		ck_assert_str_eq(name, files[_i].name);
}
END_TEST

Suite *
proc_cgroup_memory_suite(void)
{
	Suite *s = suite_create("proc_cgroup_memory");
	TCase *t = tcase_create("proc_cgroup_memory");

	tcase_add_loop_test(t, a_group_of_every_kernel_series_is_read, 0,
	    LENGTH(groups));
	tcase_add_test(t, the_root_group_has_statistics_and_no_limits);
	tcase_add_test(t, a_group_that_is_gone_is_an_error);
	tcase_add_test(t, without_a_memory_controller_nothing_is_read);
	tcase_add_test(t, a_version_2_group_has_its_own_pressure);
	tcase_add_test(t, a_version_1_group_has_none_and_says_so);
	tcase_add_loop_test(t, files_are_named_after_the_version, 0,
	    LENGTH(files));
	suite_add_tcase(s, t);
	return s;
}
