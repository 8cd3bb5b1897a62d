/* units: sizes, counts, durations and percentages from text. */
#include "unit.h"
#include "units.h"

START_TEST(a_count_is_read_whole)
{
	uint64_t n = 7;

	ck_assert_ptr_null(units_count("90000000", UINT64_MAX, &n));
	ck_assert_uint_eq(n, 90000000);
	ck_assert_ptr_nonnull(units_count("10x", UINT64_MAX, &n));
	ck_assert_uint_eq(n, 90000000);
}
END_TEST

Suite *
units_suite(void)
{
	Suite *s = suite_create("units");
	TCase *t = tcase_create("units");

	tcase_add_test(t, a_count_is_read_whole);
	suite_add_tcase(s, t);
	return s;
}
