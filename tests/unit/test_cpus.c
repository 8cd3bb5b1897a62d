/* cpus: sets of CPUs as text. */
#include "measure/cpus.h"
#include "fixture.h"

static const struct {
	const char *text, *printed;
} good[] = {
	{ "0", "0" }, { "3,1,2", "1-3" }, { "0-3,8", "0-3,8" },
	{ "5-5", "5" }, { "0-1,1-2", "0-2" }, { "0,2,4-5", "0,2,4-5" },
	{ "1023", "1023" }, { "0-1023", "0-1023" }, { "007", "7" }
};

START_TEST(a_list_is_read_and_printed)
{
	cpu_set_t set;
	char text[64];

	ck_assert_ptr_null(cpus_parse(good[_i].text, &set));
	ck_assert_str_eq(cpus_print(text, sizeof(text), &set),
	    good[_i].printed);
}
END_TEST

static const char *const bad[] = {
	"", ",", "0,", ",0", "-1", "1-", "3-1", "1024", "99999999999999999999",
	"0-1024", "a", "0x1", "0 1", "0-1-2", "0,,1", "+1"
};

START_TEST(what_is_no_list_is_refused)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(5, &set);
	ck_assert_ptr_nonnull(cpus_parse(bad[_i], &set));
	ck_assert_int_eq(CPU_COUNT(&set), 1);
}
END_TEST

START_TEST(a_list_that_does_not_fit_is_not_cut)
{
	cpu_set_t set;
	char text[8];

	cpus_parse("0,2,4", &set);
	ck_assert_str_eq(cpus_print(text, sizeof(text), &set), "0,2,4");
	cpus_parse("0,2,4,6,8", &set);
	ck_assert_str_eq(cpus_print(text, sizeof(text), &set), "");
	CPU_ZERO(&set);
	ck_assert_str_eq(cpus_print(text, sizeof(text), &set), "");
}
END_TEST

Suite *
cpus_suite(void)
{
	Suite *s = suite_create("cpus");
	TCase *t = tcase_create("cpus");

	tcase_add_loop_test(t, a_list_is_read_and_printed, 0, LENGTH(good));
	tcase_add_loop_test(t, what_is_no_list_is_refused, 0, LENGTH(bad));
	tcase_add_test(t, a_list_that_does_not_fit_is_not_cut);
	suite_add_tcase(s, t);
	return s;
}
