/* proc_task: one process, and the kernel's page-out threads. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"

#define ABSENT PROC_ABSENT
/* The fields from the state to the start time. */
#define TAIL " S 2 0 0 0 -1 2097152 1 0 7 0 11 22 0 0 -20 -5 1 0 99"

static const struct { const char *text, *comm; } names[] = {
	{ "1 (plain)" TAIL "\n", "plain" },
	{ "1 (two words)" TAIL "\n", "two words" },
	{ "1 (a) R 1 (b c)" TAIL "\n", "a) R 1 (b c" },
	{ "1 ())" TAIL "\n", ")" },
	{ "1 ()" TAIL "\n", "" },
	{ "1 (line\nbreak)" TAIL "\n", "line\nbreak" },
	{ "1 (no newline at the end)" TAIL, "no newline at the end" },
	{ "1 (0123456789012345678901234567890123456789012345678901234567890123"
	    "456789)" TAIL "\n",
	    "012345678901234567890123456789012345678901234567890123456789012" },
};

START_TEST(a_name_may_hold_blanks_and_parentheses)
{
	struct proc_task t;

	ck_assert_int_eq(proc_task_parse(names[_i].text, &t), 0);
	ck_assert_str_eq(t.comm, names[_i].comm);
	ck_assert_uint_eq(t.ppid, 2);
	ck_assert_uint_eq(t.flags, PROC_TASK_KTHREAD);
	ck_assert_uint_eq(t.majflt, 7);
	ck_assert_uint_eq(t.cpu_ticks, 33);
	ck_assert_uint_eq(t.start_ticks, 99);
}
END_TEST

static const char *const broken[] = {
	"", "1", "1 (", "1 )(", "1 (x)", "1 (x) ", "1 (x) S", "1 (x) S 2 0 0",
	"1 (x) S 2 0 0 0 -1 2097152 1 0 7 0 11 22 0 0 20 0 1 0\n",
	"1 (x) S 2 0 0 0 -1 2097152 1 0 7 0 11 2z 0 0 20 0 1 0 99\n",
	"1 (x)S 2 0 0 0 -1 2097152 1 0 7 0 11 22 0 0 20 0 1 0 99\n",
};

START_TEST(a_torn_stat_is_refused)
{
	struct proc_task t;

	ck_assert_int_eq(proc_task_parse(broken[_i], &t), -1);
}
END_TEST

START_TEST(the_cpu_time_and_the_peak_of_a_process_are_read)
{
	const char *root = fixture_root("linux-6.12");

	ck_assert_uint_eq(proc_task_cpu(root, 4712), 1234 + 4321);
	ck_assert_uint_eq(proc_task_hwm_kib(root, 4712), 612352);
	ck_assert_uint_eq(proc_task_cpu(root, 4713), ABSENT);
	ck_assert_uint_eq(proc_task_hwm_kib(root, 4713), ABSENT);
	/* A thread of the kernel has no memory of its own. */
	ck_assert_uint_eq(proc_task_hwm_kib(root, 87), ABSENT);
}
END_TEST

START_TEST(this_process_is_read)
{
	ck_assert_uint_ne(proc_task_cpu("", getpid()), ABSENT);
	ck_assert_uint_gt(proc_task_hwm_kib("", getpid()), 0);
	ck_assert_uint_ne(proc_task_hwm_kib("", getpid()), ABSENT);
}
END_TEST

static int
has(const pid_t *pids, int n, pid_t pid)
{
	for (int i = 0; i < n; i++)
		if (pids[i] == pid)
			return 1;
	return 0;
}

START_TEST(kswapd_is_found_on_every_node_and_no_namesake)
{
	const char *root = fixture_root("linux-6.12");
	pid_t pids[8];

	ck_assert_int_eq(proc_kswapd(root, pids, 8), 2);
	ck_assert(has(pids, 2, 87));
	ck_assert(has(pids, 2, 88));
}
END_TEST

START_TEST(more_kswapd_threads_than_asked_for_are_counted)
{
	pid_t pids[2] = { -1, -1 };

	ck_assert_int_eq(proc_kswapd(fixture_root("linux-3.10"), pids, 1), 2);
	ck_assert(pids[0] == 120 || pids[0] == 121);
	ck_assert_int_eq(pids[1], -1);
	ck_assert_int_eq(proc_kswapd(fixture_root("linux-3.10"), NULL, 0), 2);
}
END_TEST

START_TEST(without_kswapd_none_is_found)
{
	ck_assert_int_eq(proc_kswapd(fixture_root("linux-6.1"), NULL, 0), 0);
	ck_assert_int_eq(proc_kswapd("/nonexistent", NULL, 0), -1);
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

Suite *
proc_task_suite(void)
{
	Suite *s = suite_create("proc_task");
	TCase *t = tcase_create("proc_task");

	tcase_add_loop_test(t, a_name_may_hold_blanks_and_parentheses, 0,
	    LENGTH(names));
	tcase_add_loop_test(t, a_torn_stat_is_refused, 0, LENGTH(broken));
	tcase_add_test(t, the_cpu_time_and_the_peak_of_a_process_are_read);
	tcase_add_test(t, this_process_is_read);
	tcase_add_test(t, kswapd_is_found_on_every_node_and_no_namesake);
	tcase_add_test(t, more_kswapd_threads_than_asked_for_are_counted);
	tcase_add_test(t, without_kswapd_none_is_found);
	suite_add_tcase(s, t);
	return s;
}
