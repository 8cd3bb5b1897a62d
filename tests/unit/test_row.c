/* row: the columns of runs.tsv, their writing and appending. */
#include <sys/file.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "row.h"
#include "unit.h"

static struct row row;
static char dir[64], path[96];

static void
setup(void)
{
	row_init(&row);
	strcpy(dir, "/tmp/qs-row.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/runs.tsv", dir);
}

static void
teardown(void)
{
	row_free(&row);
	unlink(path);
	rmdir(dir);
}

/* The file at path as a string of a static buffer. */
static const char *
file_text(void)
{
	static char text[65536];
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, text, sizeof(text) - 1);

	ck_assert_int_ge(n, 0);
	text[n] = '\0';
	close(fd);
	return text;
}

static void
write_file(const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	ck_assert_int_eq(fclose(f), 0);
}

static const char *
header(void)
{
	static char text[2048];
	FILE *f = fmemopen(text, sizeof(text), "w");

	ck_assert_int_eq(row_write_header(f), 0);
	fclose(f);
	return text;
}

static size_t
count(const char *text, char byte)
{
	size_t n = 0;

	for (; *text != '\0'; text++)
		n += *text == byte;
	return n;
}

START_TEST(the_header_names_every_column_once)
{
	const char *at = header();

	for (int c = 0; c < ROW_COUNT; c++) {
		size_t length = strlen(row_name((enum row_column)c));

		ck_assert_msg(strncmp(at, row_name((enum row_column)c),
		    length) == 0, "%s", at);
		at += length;
		ck_assert_int_eq(*at++, c == ROW_COUNT - 1 ? '\n' : '\t');
	}
	ck_assert_int_eq(*at, '\0');
}
END_TEST

START_TEST(a_value_never_set_is_a_dash)
{
	char text[2048], *at = text;
	FILE *f = fmemopen(text, sizeof(text), "w");

	ck_assert_int_eq(row_write(&row, f), 0);
	fclose(f);
	for (int c = 0; c < ROW_COUNT; c++) {
		ck_assert_int_eq(*at++, '-');
		ck_assert_int_eq(*at++, c == ROW_COUNT - 1 ? '\n' : '\t');
	}
}
END_TEST

static const struct { const char *text, *cell; } texts[] = {
	{ "plain text", "plain text" },
	{ "a\tb\nc\rd\\e", "a\\tb\\nc\\rd\\\\e" },
	{ "\t", "\\t" },
	{ "\\\\", "\\\\\\\\" },
	{ "za\xc5\xbc\xc3\xb3\xc5\x82", "za\xc5\xbc\xc3\xb3\xc5\x82" },
	{ "", NULL },
};

START_TEST(text_is_escaped_so_that_a_row_stays_one_line)
{
	ck_assert_int_eq(row_text(&row, ROW_LABEL, "before"), 0);
	ck_assert_int_eq(row_text(&row, ROW_LABEL, texts[_i].text), 0);
	if (texts[_i].cell == NULL)
		ck_assert_ptr_null(row.cell[ROW_LABEL]);
	else
		ck_assert_str_eq(row.cell[ROW_LABEL], texts[_i].cell);
}
END_TEST

START_TEST(a_long_text_is_kept_whole)
{
	char *text = malloc(200001);

	memset(text, '\n', 200000);
	text[200000] = '\0';
	ck_assert_int_eq(row_text(&row, ROW_COMMAND, text), 0);
	ck_assert_uint_eq(strlen(row.cell[ROW_COMMAND]), 400000);
	free(text);
}
END_TEST

static const struct { uint64_t value; const char *count, *us, *ns; }
wholes[] = {
	{ 0, "0", "0.000000", "0.000000" },
	{ 1, "1", "0.000001", "0.000000" },
	{ 499, "499", "0.000499", "0.000000" },
	{ 500, "500", "0.000500", "0.000001" },
	{ 999999500, "999999500", "999.999500", "1.000000" },
	{ 140740000000, "140740000000", "140740.000000", "140.740000" },
	{ UINT64_MAX - 1, "18446744073709551614", "18446744073709.551614",
	    "18446744073.709552" },
	{ UINT64_MAX, NULL, NULL, NULL },
};

static void
check_cell(enum row_column c, const char *want)
{
	if (want == NULL)
		ck_assert_ptr_null(row.cell[c]);
	else
		ck_assert_str_eq(row.cell[c], want);
}

START_TEST(counts_and_seconds_are_exact)
{
	ck_assert_int_eq(row_count(&row, ROW_MAJFLT, wholes[_i].value), 0);
	check_cell(ROW_MAJFLT, wholes[_i].count);
	ck_assert_int_eq(row_seconds_us(&row, ROW_USER, wholes[_i].value), 0);
	check_cell(ROW_USER, wholes[_i].us);
	ck_assert_int_eq(row_seconds_ns(&row, ROW_ELAPSED, wholes[_i].value),
	    0);
	check_cell(ROW_ELAPSED, wholes[_i].ns);
}
END_TEST

static const struct { double value; int decimals; const char *cell; }
fixed[] = {
	{ 51.64, 1, "51.6" },
	{ 0, 2, "0.00" },
	{ -1.5, 1, "-1.5" },
	{ 14.2, 0, "14" },
	{ 2.5, -3, "2" },
	{ NAN, 1, NULL },
	{ INFINITY, 1, NULL },
	{ -INFINITY, 1, NULL },
};

START_TEST(fixed_point_values_have_the_decimals_asked_for)
{
	ck_assert_int_eq(row_fixed(&row, ROW_CPU, fixed[_i].value,
	    fixed[_i].decimals), 0);
	check_cell(ROW_CPU, fixed[_i].cell);
}
END_TEST

START_TEST(the_largest_double_with_100_decimals_fits)
{
	ck_assert_int_eq(row_fixed(&row, ROW_CPU, 1.7e308, 1000), 0);
	ck_assert_uint_eq(strlen(row.cell[ROW_CPU]), 309 + 1 + 100);
}
END_TEST

/* Sets a locale whose decimal point is a comma; 0 where none is installed. */
static int
set_comma_locale(void)
{
	static const char *const comma[] = { "pl_PL.UTF-8", "de_DE.UTF-8",
	    "fr_FR.UTF-8", "pl_PL.utf8", "de_DE.utf8", "fr_FR.utf8" };

	for (size_t i = 0; i < sizeof(comma) / sizeof(comma[0]); i++)
		if (setlocale(LC_ALL, comma[i]) != NULL)
			return 1;
	return 0;
}

START_TEST(the_decimal_point_is_a_dot_in_a_comma_locale)
{
	ck_assert(set_comma_locale());
	row_fixed(&row, ROW_CPU, 1234.56, 2);
	row_seconds_us(&row, ROW_USER, 1500000);
	setlocale(LC_ALL, "C");
	ck_assert_str_eq(row.cell[ROW_CPU], "1234.56");
	ck_assert_str_eq(row.cell[ROW_USER], "1.500000");
}
END_TEST

START_TEST(a_full_disk_is_seen_when_a_row_is_written)
{
	FILE *f = fopen("/dev/full", "w");

	ck_assert_int_eq(row_write_header(f), -1);
	ck_assert_int_eq(errno, ENOSPC);
	ck_assert_int_eq(row_write(&row, f), -1);
	ck_assert_int_ne(errno, 0);
	fclose(f);
	ck_assert_int_eq(row_append(&row, "/dev/full"), -1);
	ck_assert_int_eq(errno, ENOSPC);
}
END_TEST

START_TEST(the_first_append_writes_the_header_and_later_ones_do_not)
{
	const char *text;

	row_text(&row, ROW_LABEL, "2.4.13");
	ck_assert_int_eq(row_append(&row, path), 0);
	ck_assert_int_eq(row_append(&row, path), 0);
	text = file_text();
	ck_assert_int_eq(strncmp(text, header(), strlen(header())), 0);
	ck_assert_uint_eq(count(text, '\n'), 3);
	ck_assert_uint_eq(count(text, '\t'), 3 * (ROW_COUNT - 1));
}
END_TEST

START_TEST(an_empty_file_is_given_its_header)
{
	write_file("");
	ck_assert_int_eq(row_append(&row, path), 0);
	ck_assert_int_eq(strncmp(file_text(), header(), strlen(header())), 0);
}
END_TEST

START_TEST(a_torn_last_line_is_ended_before_the_row)
{
	char torn[4096];
	const char *text;

	snprintf(torn, sizeof(torn), "%s2026-11-30T23:20:48Z\t2.4.1", header());
	write_file(torn);
	ck_assert_int_eq(row_append(&row, path), 0);
	text = file_text();
	ck_assert_int_eq(strncmp(text, torn, strlen(torn)), 0);
	ck_assert_int_eq(strncmp(text + strlen(torn), "\n-\t-\t", 5), 0);
	ck_assert_uint_eq(count(text, '\n'), 3);
}
END_TEST

START_TEST(a_torn_header_is_written_anew)
{
	char torn[32];

	snprintf(torn, sizeof(torn), "%.20s", header());
	write_file(torn);
	ck_assert_int_eq(row_append(&row, path), 0);
	ck_assert_int_eq(strncmp(file_text(), header(), strlen(header())), 0);
	ck_assert_uint_eq(count(file_text(), '\n'), 2);
}
END_TEST

static const char *const foreign[] = {
	"some other file\n", "x", "started\tlabel\tload\n", "\n",
};

START_TEST(a_file_with_another_header_is_refused_and_left_alone)
{
	write_file(foreign[_i]);
	errno = 0;
	ck_assert_int_eq(row_append(&row, path), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(file_text(), foreign[_i]);
}
END_TEST

START_TEST(a_path_that_cannot_be_opened_gives_its_errno)
{
	ck_assert_int_eq(row_append(&row, "/nonexistent/runs.tsv"), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(row_append(&row, dir), -1);
	ck_assert_int_eq(errno, EISDIR);
}
END_TEST

START_TEST(many_writers_at_once_give_one_header_and_whole_rows)
{
	enum { WRITERS = 8, ROWS = 10 };
	int status;
	const char *text;

	row_text(&row, ROW_COMMAND, "qsbench -m 86");
	for (int i = 0; i < WRITERS; i++)
		if (fork() == 0) {
			for (int k = 0; k < ROWS; k++)
				if (row_append(&row, path) == -1)
					_exit(1);
			_exit(0);
		}
	for (int i = 0; i < WRITERS; i++) {
		ck_assert_int_ne(wait(&status), -1);
		ck_assert_int_eq(status, 0);
	}
	text = file_text();
	ck_assert_int_eq(strncmp(text, header(), strlen(header())), 0);
	ck_assert_ptr_null(strstr(text + 1, "started\tlabel"));
	ck_assert_uint_eq(count(text, '\n'), WRITERS * ROWS + 1);
	ck_assert_uint_eq(count(text, '\t'),
	    (WRITERS * ROWS + 1) * (ROW_COUNT - 1));
}
END_TEST

START_TEST(a_writer_waits_for_the_one_before_and_then_sees_its_header)
{
	char line[4096];
	int fd, status;
	pid_t pid;

	snprintf(line, sizeof(line), "%sours\n", header());
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	pid = fork();
	if (pid == 0) {
		close(fd);
		_exit(row_append(&row, path) == 0 ? 0 : 1);
	}
	usleep(50000);	/* one that does not wait has written by now */
	ck_assert_int_eq(write(fd, line, strlen(line)), (ssize_t)strlen(line));
	close(fd);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(strncmp(file_text(), line, strlen(line)), 0);
	ck_assert_uint_eq(count(file_text(), '\n'), 3);
}
END_TEST

#define LENGTH(a) ((int)(sizeof(a) / sizeof((a)[0])))

static void
add_append(TCase *t)
{
	tcase_add_test(t, a_full_disk_is_seen_when_a_row_is_written);
	tcase_add_test(t,
	    the_first_append_writes_the_header_and_later_ones_do_not);
	tcase_add_test(t, an_empty_file_is_given_its_header);
	tcase_add_test(t, a_torn_last_line_is_ended_before_the_row);
	tcase_add_test(t, a_torn_header_is_written_anew);
	tcase_add_loop_test(t,
	    a_file_with_another_header_is_refused_and_left_alone, 0,
	    LENGTH(foreign));
	tcase_add_test(t, a_path_that_cannot_be_opened_gives_its_errno);
	tcase_add_test(t,
	    a_writer_waits_for_the_one_before_and_then_sees_its_header);
	tcase_add_test(t, many_writers_at_once_give_one_header_and_whole_rows);
}

Suite *
row_suite(void)
{
	Suite *s = suite_create("row");
	TCase *t = tcase_create("row");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, the_header_names_every_column_once);
	tcase_add_test(t, a_value_never_set_is_a_dash);
	tcase_add_loop_test(t, text_is_escaped_so_that_a_row_stays_one_line, 0,
	    LENGTH(texts));
	tcase_add_test(t, a_long_text_is_kept_whole);
	tcase_add_loop_test(t, counts_and_seconds_are_exact, 0, LENGTH(wholes));
	tcase_add_loop_test(t, fixed_point_values_have_the_decimals_asked_for,
	    0, LENGTH(fixed));
	tcase_add_test(t, the_largest_double_with_100_decimals_fits);
	if (set_comma_locale())
		tcase_add_test(t, the_decimal_point_is_a_dot_in_a_comma_locale);
	setlocale(LC_ALL, "C");
	add_append(t);
	suite_add_tcase(s, t);
	return s;
}
