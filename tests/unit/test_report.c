/* report: the command line as text, and a row as JSON. */
#include <stdlib.h>
#include <string.h>

#include "measure/record_report.h"
#include "fixture.h"

static const struct {
	const char *argv[5], *want;
} lines[] = {
	{ { "qsbench", "-m", "86" }, "qsbench -m 86" },
	{ { "sh", "-c", "a; b" }, "sh -c 'a; b'" },
	{ { "echo", "it's", "" }, "echo 'it'\\''s' ''" },
	{ { "./a-b_c+d", "x=/tmp/f:1,2@h%" }, "./a-b_c+d x=/tmp/f:1,2@h%" },
	{ { "a", "$b", "~", "*" }, "a '$b' '~' '*'" },
	{ { "a", "tab\there", "new\nline" }, "a 'tab\there' 'new\nline'" },
	{ { "''''" }, "''\\'''\\'''\\'''\\'''" },
};

START_TEST(a_command_line_reads_as_the_same_words)
{
	char *line = report_command((char *const *)lines[_i].argv);

	ck_assert_str_eq(line, lines[_i].want);
	free(line);
}
END_TEST

START_TEST(the_figures_are_those_of_wait4)
{
	struct run_result result = {
		.start_ns = 5, .end_ns = 2000000005,
		.usage = {
			.ru_utime = { 1, 500000 }, .ru_stime = { 0, 250000 },
			.ru_majflt = 7, .ru_minflt = 8, .ru_inblock = 9,
			.ru_oublock = 10, .ru_maxrss = 11, .ru_nvcsw = 12,
			.ru_nivcsw = -1
		}
	};
	struct timefmt_run time;
	struct row row;

	row_init(&row);
	report_time(&result, "c", NULL, &time);
	ck_assert_int_eq(report_figures(&row, &time), 0);
	ck_assert_str_eq(row.cell[ROW_ELAPSED], "2.000000");
	ck_assert_str_eq(row.cell[ROW_USER], "1.500000");
	ck_assert_str_eq(row.cell[ROW_CPU], "87.5");
	ck_assert_str_eq(row.cell[ROW_MAJFLT], "7");
	ck_assert_str_eq(row.cell[ROW_MAXRSS], "11");
	ck_assert_str_eq(row.cell[ROW_COMMAND], "c");
	row_free(&row);
	result.end_ns = result.start_ns;
	report_time(&result, "c", NULL, &time);
	report_figures(&row, &time);
	ck_assert_ptr_null(row.cell[ROW_CPU]);
	row_free(&row);
}
END_TEST

START_TEST(a_row_is_one_json_object)
{
	char text[4096] = "";
	struct row row;
	FILE *out = fmemopen(text, sizeof(text), "w");

	row_init(&row);
	row_text(&row, ROW_LABEL, "a\\b\t\"c\"\n");
	row_count(&row, ROW_MAJFLT, 12);
	ck_assert_int_eq(report_json(&row, out), 0);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(text,
	    "{\"started\": null, "
	    "\"label\": \"a\\\\b\\u0009\\\"c\\\"\\u000a\","));
	ck_assert_ptr_nonnull(strstr(text, ", \"majflt\": 12,"));
	ck_assert_str_eq(text + strlen(text) - 2, "}\n");
	row_free(&row);
}
END_TEST

Suite *
report_suite(void)
{
	Suite *s = suite_create("report");
	TCase *t = tcase_create("report");

	tcase_add_loop_test(t, a_command_line_reads_as_the_same_words, 0,
	    LENGTH(lines));
	tcase_add_test(t, the_figures_are_those_of_wait4);
	tcase_add_test(t, a_row_is_one_json_object);
	suite_add_tcase(s, t);
	return s;
}
