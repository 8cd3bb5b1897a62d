/* units: sizes, counts, durations and percentages from text, and back. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"
#include "units.h"

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define TIB (1024 * GIB)
#define UNTOUCHED UINT64_C(0x5a5a5a5a5a5a5a5a)

struct good {
	const char *text;
	uint64_t value;
};

struct bad {
	const char *text, *why;
};

static const struct good good_counts[] = {
	{ "0", 0 }, { "1", 1 }, { "90000000", 90000000 }, { "007", 7 },
	{ "1099511627776", UINT64_C(1) << 40 },
	{ "18446744073709551615", UINT64_MAX },
	{ "0000000000000000000000000000018446744073709551615", UINT64_MAX },
};

static const struct bad bad_counts[] = {
	{ "", "not a number" }, { "-1", "not a number" },
	{ "+1", "not a number" }, { " 1", "not a number" },
	{ "x", "not a number" }, { "\xd9\xa1", "not a number" },
	{ "1.", "not a number" },
	{ "10x", "not a whole number" }, { "1 ", "not a whole number" },
	{ "1e99", "not a whole number" }, { "0x10", "not a whole number" },
	{ "1.5", "not a whole number" }, { "1.0", "not a whole number" },
	{ "1K", "not a whole number" }, { "1,000", "not a whole number" },
	{ "18446744073709551616", "too large" },
	{ "99999999999999999999999999", "too large" },
};

static const struct good good_sizes[] = {	/* bare: bytes; whole: 1000 */
	{ "0", 0 }, { "512", 512 }, { "512B", 512 }, { "512b", 512 },
	{ "1G", GIB }, { "1GiB", GIB }, { "1g", GIB }, { "1gib", GIB },
	{ "1GB", GIB }, { "1gb", GIB }, { "1024M", GIB },
	{ "1073741824", GIB }, { "1048576k", GIB }, { "1048576KiB", GIB },
	{ "5G", UINT64_C(5368709120) }, { "1T", UINT64_C(1099511627776) },
	{ "1.5G", UINT64_C(1610612736) }, { "1.50G", UINT64_C(1610612736) },
	{ "0.5K", 512 }, { "1.5", 1 }, { "0.0001K", 0 },
	{ "4095M", 4095 * MIB }, { "4096M", 4 * GIB }, { "4097M", 4097 * MIB },
	{ "0.1K", 102 }, { "0.0009765625K", 1 }, { "0.0009765624K", 0 },
	{ "0.99999999999999999999999999999999999999999999999999P",
	    1024 * TIB - 1 },
	{ "0.3333333333333333333333333T", TIB / 3 },
	{ "16383P", 16383 * (1024 * TIB) },
	{ "16383.9999999999999999999999P", UINT64_MAX },
	{ "18446744073709551615", UINT64_MAX },
	{ "18446744073709551615.9", UINT64_MAX },
	{ "50%", 500 }, { "110%", 1100 }, { "12.5%", 125 }, { "0%", 0 },
	{ "7%", 70 }, { "0.05%", 0 }, { "0.1%", 1 }, { "100.19%", 1001 },
};

static const struct bad bad_sizes[] = {
	{ "", "not a number" }, { "-1", "not a number" },
	{ "-1G", "not a number" }, { "G", "not a number" },
	{ ".5G", "not a number" }, { "1.G", "not a number" },
	{ "1..5G", "not a number" }, { "%", "not a number" },
	{ "nan", "not a number" }, { "inf", "not a number" },
	{ "1Q", "unknown suffix" }, { "1 G", "unknown suffix" },
	{ "1G ", "unknown suffix" }, { "1Gi", "unknown suffix" },
	{ "1GBB", "unknown suffix" }, { "1iB", "unknown suffix" },
	{ "1e9", "unknown suffix" }, { "0x10", "unknown suffix" },
	{ "1,5G", "unknown suffix" }, { "1.5.5G", "unknown suffix" },
	{ "50%%", "unknown suffix" }, { "50 %", "unknown suffix" },
	{ "99999999999999999999Q", "unknown suffix" },
	{ "16384P", "too large" }, { "18446744073709551616", "too large" },
	{ "17179869184G", "too large" },
	{ "18446744073709551615K", "too large" },
	{ "99999999999999999999999999999%", "too large" },
};

static const struct good good_durations[] = {
	{ "0", 0 }, { "1", UINT64_C(1000000000) }, { "7ns", 7 },
	{ "7us", 7000 }, { "7ms", 7000000 }, { "1.5s", 1500000000 },
	{ "0.000000001", 1 }, { "0.0000000019s", 1 }, { "0.25ms", 250000 },
	{ "2m", UINT64_C(120000000000) }, { "1h", UINT64_C(3600000000000) },
	{ "1.5h", UINT64_C(5400000000000) },
	{ "18446744073.709551615", UINT64_MAX },
};

static const struct bad bad_durations[] = {
	{ "", "not a number" }, { "-1s", "not a number" },
	{ "s", "not a number" }, { "1S", "unknown suffix" },
	{ "1M", "unknown suffix" }, { "1d", "unknown suffix" },
	{ "1:30", "unknown suffix" }, { "1sec", "unknown suffix" },
	{ "18446744073.709551616", "too large" },
	{ "5124096h", "too large" },
};

static const struct good good_percents[] = {	/* up to 200000 */
	{ "0", 0 }, { "100", 100000 }, { "100%", 100000 },
	{ "12.5%", 12500 }, { "12.5", 12500 }, { "0.001%", 1 },
	{ "0.0019", 1 }, { "200%", 200000 }, { "200.0009%", 200000 },
};

static const struct bad bad_percents[] = {
	{ "", "not a number" }, { "-5%", "not a number" },
	{ "5%%", "unknown suffix" }, { "5x", "unknown suffix" },
	{ "5K", "unknown suffix" }, { "200.001%", "too large" },
	{ "99999999999999999999", "too large" },
};

static const struct good printed[] = {
	{ "0 B", 0 }, { "1 B", 1 }, { "512 B", 512 }, { "1023 B", 1023 },
	{ "1 KiB", 1024 }, { "1.00 KiB", 1025 }, { "1.50 KiB", 1536 },
	{ "86 MiB", 86 * MIB },
	{ "1.50 GiB", 3 * GIB / 2 }, { "10.0 KiB", 10 * KIB - 1 },
	{ "15.3 GiB", UINT64_C(16428250317) },
	{ "153.6 MiB", UINT64_C(161061274) }, { "1000 MiB", 1000 * MIB },
	{ "1000 MiB", 1000 * MIB - 1 }, { "1001 KiB", 1000 * KIB + 512 },
	{ "1.00 GiB", GIB - 1 }, { "1.00 TiB", TIB - 1 },
	{ "1 PiB", 1024 * TIB }, { "16.0 EiB", UINT64_MAX },
	{ "8 EiB", UINT64_C(1) << 63 },
};

static const char *
count_any(const char *text, uint64_t *out)
{
	return units_count(text, UINT64_MAX, out);
}

static const char *
size_plain(const char *text, uint64_t *out)
{
	return units_size(text, 1, 1000, out);
}

static const char *
percent_200(const char *text, uint64_t *out)
{
	return units_percent(text, 200000, out);
}

static void
all_good(const struct good *g, size_t n,
    const char *(*read)(const char *, uint64_t *))
{
	const char *why;
	uint64_t v;

	for (; n > 0; n--, g++) {
		why = read(g->text, &v);
		ck_assert_msg(why == NULL, "%s: %s", g->text, why);
		ck_assert_msg(v == g->value, "%s: %llu, not %llu", g->text,
		    (unsigned long long)v, (unsigned long long)g->value);
	}
}

static void
all_bad(const struct bad *b, size_t n,
    const char *(*read)(const char *, uint64_t *))
{
	const char *why;
	uint64_t v = UNTOUCHED;

	for (; n > 0; n--, b++) {
		why = read(b->text, &v);
		ck_assert_msg(why != NULL, "%s: taken", b->text);
		ck_assert_msg(strcmp(why, b->why) == 0, "%s: %s, not %s",
		    b->text, why, b->why);
		ck_assert_uint_eq(v, UNTOUCHED);
	}
}

#define GOOD(table, read) all_good(table, sizeof(table) / sizeof(*table), read)
#define BAD(table, read) all_bad(table, sizeof(table) / sizeof(*table), read)

START_TEST(a_count_is_digits_and_nothing_else)
{
	uint64_t v = UNTOUCHED;

	GOOD(good_counts, count_any);
	BAD(bad_counts, count_any);
	ck_assert_ptr_null(units_count("100", 100, &v));
	ck_assert_uint_eq(v, 100);
	ck_assert_str_eq(units_count("101", 100, &v), "too large");
	ck_assert_uint_eq(v, 100);
	ck_assert_ptr_null(units_count("0", 0, &v));
}
END_TEST

START_TEST(a_size_is_exact_to_the_byte)
{
	GOOD(good_sizes, size_plain);
}
END_TEST

START_TEST(a_malformed_or_too_large_size_is_refused_with_its_reason)
{
	BAD(bad_sizes, size_plain);
}
END_TEST

START_TEST(a_bare_size_counts_in_the_unit_of_its_option)
{
	uint64_t v = UNTOUCHED;

	ck_assert_ptr_null(units_size("86", MIB, 0, &v));
	ck_assert_uint_eq(v, 86 * MIB);
	ck_assert_ptr_null(units_size("1.5", MIB, 0, &v));
	ck_assert_uint_eq(v, 3 * MIB / 2);
	ck_assert_ptr_null(units_size("512B", MIB, 0, &v));
	ck_assert_uint_eq(v, 512);
	ck_assert_str_eq(units_size("17592186044416", MIB, 0, &v),
	    "too large");
	ck_assert_uint_eq(v, 512);
}
END_TEST

START_TEST(a_percentage_is_a_share_of_the_whole)
{
	uint64_t v = UNTOUCHED;

	ck_assert_str_eq(units_size("50%", 1, 0, &v),
	    "a percentage has no meaning here");
	ck_assert_uint_eq(v, UNTOUCHED);
	ck_assert_ptr_null(units_size("100%", MIB, UINT64_MAX, &v));
	ck_assert_uint_eq(v, UINT64_MAX);
	ck_assert_ptr_null(units_size("99.9%", 1, UINT64_MAX, &v));
	ck_assert_uint_eq(v, UINT64_C(18428297329635842063));
	ck_assert_str_eq(units_size("101%", 1, UINT64_MAX, &v), "too large");
	ck_assert_ptr_null(units_size("110%", 1, 10 * GIB, &v));
	ck_assert_uint_eq(v, 11 * GIB);
}
END_TEST

START_TEST(a_duration_is_read_in_nanoseconds)
{
	GOOD(good_durations, units_duration);
	BAD(bad_durations, units_duration);
}
END_TEST

START_TEST(a_percent_is_read_in_thousandths)
{
	GOOD(good_percents, percent_200);
	BAD(bad_percents, percent_200);
}
END_TEST

START_TEST(a_locale_with_a_decimal_comma_changes_nothing)
{
	static const char *const comma[] = { "de_DE.UTF-8", "de_DE.utf8",
	    "fr_FR.UTF-8", "de_DE", "tr_TR.UTF-8" };
	size_t i;

	/* Where none of them is installed, "C" is tested once more. */
	for (i = 0; i < sizeof(comma) / sizeof(*comma); i++)
		if (setlocale(LC_ALL, comma[i]) != NULL)
			break;
	GOOD(good_sizes, size_plain);
	BAD(bad_sizes, size_plain);
	setlocale(LC_ALL, "C");
}
END_TEST

START_TEST(a_size_is_printed_with_at_most_four_digits)
{
	char buf[32];
	size_t i;

	for (i = 0; i < sizeof(printed) / sizeof(*printed); i++)
		ck_assert_str_eq(units_print_size(buf, sizeof(buf),
		    printed[i].value), printed[i].text);
	memset(buf, 'x', sizeof(buf));
	ck_assert_ptr_eq(units_print_size(buf, 4, 86 * MIB), buf);
	ck_assert_str_eq(buf, "86 ");
	ck_assert_int_eq(buf[4], 'x');
}
END_TEST

START_TEST(products_and_sums_that_do_not_fit_are_refused)
{
	uint64_t v = UNTOUCHED;

	ck_assert_int_eq(units_mul(UINT64_C(1) << 32, UINT64_C(1) << 32, &v),
	    -1);
	ck_assert_int_eq(units_mul(UINT64_MAX, 2, &v), -1);
	ck_assert_int_eq(units_add(UINT64_MAX, 1, &v), -1);
	ck_assert_uint_eq(v, UNTOUCHED);
	ck_assert_int_eq(units_mul(UINT64_C(4294967295),
	    UINT64_C(4294967297), &v), 0);
	ck_assert_uint_eq(v, UINT64_MAX);
	ck_assert_int_eq(units_mul(0, UINT64_MAX, &v), 0);
	ck_assert_uint_eq(v, 0);
	ck_assert_int_eq(units_mul(UINT64_MAX, 0, &v), 0);
	ck_assert_uint_eq(v, 0);
	ck_assert_int_eq(units_add(UINT64_MAX - 1, 1, &v), 0);
	ck_assert_uint_eq(v, UINT64_MAX);
}
END_TEST

Suite *
units_suite(void)
{
	Suite *s = suite_create("units");
	TCase *t = tcase_create("units");

	tcase_add_test(t, a_count_is_digits_and_nothing_else);
	tcase_add_test(t, a_size_is_exact_to_the_byte);
	tcase_add_test(t,
	    a_malformed_or_too_large_size_is_refused_with_its_reason);
	tcase_add_test(t, a_bare_size_counts_in_the_unit_of_its_option);
	tcase_add_test(t, a_percentage_is_a_share_of_the_whole);
	tcase_add_test(t, a_duration_is_read_in_nanoseconds);
	tcase_add_test(t, a_percent_is_read_in_thousandths);
	tcase_add_test(t, a_locale_with_a_decimal_comma_changes_nothing);
	tcase_add_test(t, a_size_is_printed_with_at_most_four_digits);
	tcase_add_test(t, products_and_sums_that_do_not_fit_are_refused);
	suite_add_tcase(s, t);
	return s;
}
