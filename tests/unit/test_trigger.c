/* trigger: conditions on the machine's memory. */
#include "measure/record_trigger.h"
#include "clock.h"
#include "fixture.h"

static const struct {
	const char *text;
	struct trigger t;
} good[] = {
	{ "swap>0", { TRIGGER_SWAP, 1, 0, 0 } },
	{ "swap>64M", { TRIGGER_SWAP, 1, 0, 67108864 } },
	{ "swap<1.5%", { TRIGGER_SWAP, 0, 1, 1500 } },
	{ "available<20%", { TRIGGER_AVAILABLE, 0, 1, 20000 } },
	{ "available<512MiB", { TRIGGER_AVAILABLE, 0, 0, 536870912 } },
	{ "free<1G", { TRIGGER_FREE, 0, 0, 1073741824 } },
	{ "psi.some>10%", { TRIGGER_PSI_SOME, 1, 1, 10000 } },
	{ "psi.some>10", { TRIGGER_PSI_SOME, 1, 1, 10000 } },
	{ "psi.full>0", { TRIGGER_PSI_FULL, 1, 1, 0 } },
	{ "psi.io.some>0.01%", { TRIGGER_PSI_IO_SOME, 1, 1, 10 } },
	{ "psi.io.full<100%", { TRIGGER_PSI_IO_FULL, 0, 1, 100000 } },
};

START_TEST(a_condition_is_read)
{
	const struct trigger *want = &good[_i].t;
	struct trigger t;

	ck_assert_ptr_null(trigger_parse(good[_i].text, &t));
	ck_assert_int_eq(t.what, want->what);
	ck_assert_int_eq(t.above, want->above);
	ck_assert_int_eq(t.percent, want->percent);
	ck_assert_uint_eq(t.bound, want->bound);
}
END_TEST

static const char *const bad[] = {
	"", "swap", "swap>", "swap=0", "swap>=0", "swap>>0", ">0", "swa>0",
	"swaps>0", "Swap>0", " swap>0", "swap >0", "swap> 0", "swap>-1",
	"swap>101%", "swap>1Q", "psi>10%", "psi.some>1M", "psi.some>101",
	"psi.cpu.some>1%", "swap>%", "available<20%%"
};

START_TEST(a_condition_that_makes_no_sense_is_refused)
{
	struct trigger t;

	ck_assert_ptr_nonnull(trigger_parse(bad[_i], &t));
}
END_TEST

static const struct {
	const char *tree, *text;
	int holds;
} cases[] = {
	/* 3554428 of 33554428 KiB of swap in use: 10.59% */
	{ "linux-6.12", "swap>0", 1 },
	{ "linux-6.12", "swap>3554427K", 1 },
	{ "linux-6.12", "swap>3554428K", 0 },
	{ "linux-6.12", "swap>10.5%", 1 },
	{ "linux-6.12", "swap>10.6%", 0 },
	{ "linux-6.12", "swap<10.6%", 1 },
	/* 90100200 of 131899468 KiB available: 68.3%; 1204120 free */
	{ "linux-6.12", "available<68%", 0 },
	{ "linux-6.12", "available<69%", 1 },
	{ "linux-6.12", "free<1204121K", 1 },
	{ "linux-6.12", "free<1204120K", 0 },
	{ "linux-6.12", "psi.some>0", 1 },	/* 0.01 */
	{ "linux-6.12", "psi.some>0.01", 0 },
	{ "linux-6.12", "psi.full>0", 0 },
	/* no swap at all: no share of it is in use */
	{ "linux-6.1", "swap>0", 0 },
	{ "linux-6.1", "swap>0%", 0 },
	{ "linux-6.1", "swap<50%", 0 },
	/* not told there */
	{ "linux-2.6.32", "available<50%", -1 },
	{ "linux-4.19", "psi.some>0", -1 },
	{ "no-such-tree", "swap>0", -1 },
};

START_TEST(a_condition_holds_or_not_or_cannot_be_known)
{
	const char *why = NULL;
	struct trigger t;

	ck_assert_ptr_null(trigger_parse(cases[_i].text, &t));
	ck_assert_int_eq(trigger_holds(&t, fixture_root(cases[_i].tree), &why),
	    cases[_i].holds);
	ck_assert_int_eq(why != NULL, cases[_i].holds == -1);
}
END_TEST

START_TEST(waiting_ends_at_once_or_at_its_limit)
{
	const char *why = NULL;
	struct trigger t;
	uint64_t start = clock_now_ns();

	trigger_parse("swap>0", &t);
	ck_assert_int_eq(trigger_wait(&t, fixture_root("linux-6.12"),
	    UINT64_MAX / 4, &why), 1);
	trigger_parse("psi.some>0", &t);
	ck_assert_int_eq(trigger_wait(&t, fixture_root("linux-4.19"),
	    UINT64_MAX / 4, &why), -1);
	trigger_parse("swap>0", &t);
	ck_assert_int_eq(trigger_wait(&t, fixture_root("linux-6.1"),
	    30000000, &why), 0);
	ck_assert(clock_now_ns() - start >= 30000000);
	ck_assert_int_eq(trigger_wait(&t, fixture_root("linux-6.1"), 0, &why),
	    0);
}
END_TEST

Suite *
trigger_suite(void)
{
	Suite *s = suite_create("trigger");
	TCase *t = tcase_create("trigger");

	tcase_add_loop_test(t, a_condition_is_read, 0, LENGTH(good));
	tcase_add_loop_test(t, a_condition_that_makes_no_sense_is_refused, 0,
	    LENGTH(bad));
	tcase_add_loop_test(t, a_condition_holds_or_not_or_cannot_be_known, 0,
	    LENGTH(cases));
	tcase_add_test(t, waiting_ends_at_once_or_at_its_limit);
	suite_add_tcase(s, t);
	return s;
}
