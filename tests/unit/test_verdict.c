/* verdict: the word for how a run ended, and whether it can be believed. */
#include <math.h>
#include <string.h>

#include "measure/record_verdict.h"
#include "fixture.h"

#define A PROC_ABSENT
#define EXITED(n) ((n) << 8)

static const struct {
	const char *want;
	struct verdict_end end;
} ends[] = {
	{ "ok", { .status = EXITED(0), .oom_group = A, .oom_host = A } },
	{ "ok", { .status = EXITED(0), .oom_group = 0, .oom_host = 9 } },
	{ "exit:1", { .status = EXITED(1), .oom_group = 0 } },
	{ "corrupt", { .status = EXITED(3) } },
	{ "enomem", { .status = EXITED(4), .oom_group = A, .oom_host = A } },
	{ "exit:4", { .status = EXITED(4), .kill_seen = 1 } },
	{ "signal:9", { .status = 9, .kill_seen = 1 } },
	{ "signal:11", { .status = 11 | 0x80 } },
	/* the group's own OOM kills count whatever the command made of it */
	{ "oom", { .status = 9, .oom_group = 1, .oom_host = A } },
	{ "oom", { .status = EXITED(0), .oom_group = 2 } },
	{ "oom", { .status = EXITED(4), .oom_group = 1 } },
	/* the host's count where the command lost a process */
	{ "oom", { .status = 9, .kill_seen = 1, .oom_group = A,
	    .oom_host = 1 } },
	{ "oom", { .status = EXITED(4), .oom_host = 1 } },
	{ "oom", { .status = EXITED(1), .kill_seen = 1, .oom_host = 1 } },
	{ "exit:1", { .status = EXITED(1), .oom_host = 1 } },
	/* what we did to it comes first */
	{ "timeout", { .status = 9, .timed_out = 1, .oom_group = 1 } },
	{ "timeout", { .status = EXITED(0), .timed_out = 1 } },
	{ "signal:2", { .status = EXITED(0), .asked = 2 } },
	{ "signal:15", { .status = 9, .asked = 15, .oom_group = 1 } },
};

START_TEST(an_end_has_its_word)
{
	unsigned char good[VERDICT_STATUSES] = { 1 };
	struct verdict_end end = ends[_i].end;
	char word[32];

	end.good = good;
	ck_assert_str_eq(verdict_outcome(word, sizeof(word), &end),
	    ends[_i].want);
}
END_TEST

START_TEST(a_status_of_success_is_ok_whatever_else_it_means)
{
	unsigned char good[VERDICT_STATUSES] = { [3] = 1, [4] = 1 };
	struct verdict_end end = { .status = EXITED(3), .good = good };
	char word[32];

	ck_assert_str_eq(verdict_outcome(word, sizeof(word), &end), "ok");
	end.status = EXITED(4);
	ck_assert_str_eq(verdict_outcome(word, sizeof(word), &end), "ok");
	end.status = EXITED(0);
	ck_assert_str_eq(verdict_outcome(word, sizeof(word), &end), "exit:0");
}
END_TEST

/* Ten seconds, 100 MiB, nothing of interest: each case changes a little. */
static struct verdict_run
quiet_run(void)
{
	return (struct verdict_run) {
		.elapsed_ns = UINT64_C(10000000000),
		.footprint_kib = 102400, .page_kib = 4
	};
}

#define CASE(...) { struct verdict_run r = quiet_run(); \
	const char *got; char why[128]; __VA_ARGS__; \
	got = verdict_pressure(&r, why, sizeof(why)); \
	ck_assert_str_eq(got != NULL ? got : "NULL", want); \
	ck_assert_int_eq(why[0] == '\0', strcmp(want, "slack") == 0 || \
	    got == NULL); }

START_TEST(a_run_without_pressure_is_slack)
{
	const char *want = "slack";

	CASE()
	CASE(r.stall_us = 100000)		/* 1% is not above 1% */
	CASE(r.swapped_pages = 256)		/* 1% of 100 MiB */
	CASE(r.refault_pages = 256)
	CASE(r.scanned_pages = 2560)
	CASE(r.footprint_kib = 1024; r.swapped_pages = 255)
	CASE(r.steal_pct = 2; r.steal_s = 1)
	CASE(r.steal_pct = 90; r.steal_s = 0.09)	/* a few ticks */
	CASE(r.foreign_pct = 90; r.foreign_s = 0.09)
	CASE(r.foreign_pct = 90; r.foreign_s = 9; r.beside_load = 1)
	CASE(r.missed_pct = 50; r.missed = 1)
	CASE(r.suspended_ns = 100000000)
	CASE(r.clock_jump_ns = 1000000000)
	CASE(r.elapsed_ns *= 1000; r.clock_jump_ns = 5000000000)
	CASE(r.steal_pct = r.steal_s = NAN; r.foreign_pct = NAN)
	CASE(r.stall_us = r.swapped_pages = r.refault_pages = A)
}
END_TEST

START_TEST(a_run_under_pressure_is_pressed)
{
	const char *want = "pressed";

	CASE(r.stall_us = 100001)
	CASE(r.swapped_pages = 257)
	CASE(r.refault_pages = 257)
	CASE(r.scanned_pages = 2561)
	CASE(r.page_kib = 64; r.swapped_pages = 17)
	CASE(r.footprint_kib = 0; r.swapped_pages = 256)
}
END_TEST

START_TEST(a_disturbed_run_is_so_before_all_else)
{
	const char *want = "disturbed";

	CASE(r.steal_pct = 2.1; r.steal_s = 0.1)
	CASE(r.foreign_pct = 10.1; r.foreign_s = 0.1)
	CASE(r.foreign_pct = 90; r.foreign_s = 9; r.stall_us = 9000000)
	CASE(r.steal_pct = 90; r.steal_s = 9; r.beside_load = 1)
	CASE(r.missed_pct = 1.1; r.missed = 2)
	CASE(r.suspended_ns = 100000001)
	CASE(r.clock_jump_ns = 1000000001)
}
END_TEST

START_TEST(a_run_without_counters_has_no_verdict)
{
	const char *want = "NULL";

	CASE(r.stall_us = r.swapped_pages = r.refault_pages =
	    r.scanned_pages = A)
}
END_TEST

START_TEST(the_reason_names_the_bound)
{
	struct verdict_run r = quiet_run();
	char why[128];

	r.steal_pct = 5.06;
	r.steal_s = 1;
	verdict_pressure(&r, why, sizeof(why));
	ck_assert_str_eq(why, "steal 5.1% (bound 2%)");
	r = quiet_run();
	r.swapped_pages = 2560;
	verdict_pressure(&r, why, sizeof(why));
	ck_assert_str_eq(why,
	    "swapped 10240 KiB, 10.0% of the footprint (bound 1%)");
}
END_TEST

Suite *
verdict_suite(void)
{
	Suite *s = suite_create("verdict");
	TCase *t = tcase_create("verdict");

	tcase_add_loop_test(t, an_end_has_its_word, 0, LENGTH(ends));
	tcase_add_test(t, a_status_of_success_is_ok_whatever_else_it_means);
	tcase_add_test(t, a_run_without_pressure_is_slack);
	tcase_add_test(t, a_run_under_pressure_is_pressed);
	tcase_add_test(t, a_disturbed_run_is_so_before_all_else);
	tcase_add_test(t, a_run_without_counters_has_no_verdict);
	tcase_add_test(t, the_reason_names_the_bound);
	suite_add_tcase(s, t);
	return s;
}
