/* proc: reading the kernel's text files, and numbers out of them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"

#define ABSENT PROC_ABSENT

/* An open unlinked file with that content. */
static int
file_of(const char *content, size_t length)
{
	char name[] = "/tmp/qs-proc.XXXXXX";
	int fd = mkstemp(name);

	ck_assert_int_ge(fd, 0);
	unlink(name);
	ck_assert_int_eq(write(fd, content, length), (ssize_t)length);
	return fd;
}

START_TEST(a_file_is_read_whole_and_ended_by_a_nul)
{
	char buf[8];
	int fd = file_of("1234567", 7);

	ck_assert_int_eq(proc_pread(fd, buf, sizeof(buf)), 7);
	ck_assert_str_eq(buf, "1234567");
	ck_assert_int_eq(proc_pread(fd, buf, sizeof(buf)), 7);
	close(fd);
}
END_TEST

START_TEST(a_file_that_does_not_fit_is_refused)
{
	char buf[7];
	int fd = file_of("1234567", 7);

	ck_assert_int_eq(proc_pread(fd, buf, sizeof(buf)), -1);
	ck_assert_int_eq(errno, EOVERFLOW);
	ck_assert_int_eq(proc_pread(fd, buf, 0), -1);
	ck_assert_int_eq(errno, EOVERFLOW);
	close(fd);
}
END_TEST

static const struct { size_t size; const char *got; } starts[] = {
	{ 20, "cpu 12\nintr 345\n" }, { 17, "cpu 12\nintr 345\n" },
	{ 16, "cpu 12\n" }, { 9, "cpu 12\n" }, { 8, "cpu 12\n" }, { 7, "" },
	{ 1, "" },
};

START_TEST(of_a_longer_file_only_whole_lines_are_given)
{
	char buf[20];
	int fd = file_of("cpu 12\nintr 345\n", 16);

	ck_assert_int_eq(proc_pread_start(fd, buf, starts[_i].size),
	    (ssize_t)strlen(starts[_i].got));
	ck_assert_str_eq(buf, starts[_i].got);
	ck_assert_int_eq(proc_pread_start(fd, buf, 0), 0);
	close(fd);
}
END_TEST

START_TEST(a_last_line_without_newline_that_fits_is_given)
{
	char buf[16];
	int fd = file_of("a 1\nb 2", 7);

	ck_assert_int_eq(proc_pread_start(fd, buf, sizeof(buf)), 7);
	ck_assert_str_eq(buf, "a 1\nb 2");
	close(fd);
}
END_TEST

START_TEST(the_cpu_line_is_found_before_a_very_long_intr_line)
{
	char *big = malloc(2000000), buf[256];
	struct proc_cpu c;
	int fd, n;

	n = sprintf(big, "cpu  10 20 30 40 50 60 70 80 90 0\nintr 1");
	while (n < 1999000)
		n += sprintf(big + n, " %d", n);
	fd = file_of(big, (size_t)n);
	ck_assert_int_eq(proc_pread(fd, buf, sizeof(buf)), -1);
	ck_assert_int_eq(errno, EOVERFLOW);
	ck_assert_int_gt(proc_pread_start(fd, buf, sizeof(buf)), 0);
	proc_cpu_parse(buf, &c);
	ck_assert_uint_eq(c.busy, 10 + 20 + 30 + 60 + 70);
	close(fd);
	free(big);
}
END_TEST

START_TEST(what_cannot_be_opened_or_read_gives_its_errno)
{
	char buf[16], name[5000];

	ck_assert_int_eq(proc_read("", "/nonexistent", buf, sizeof(buf)), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(proc_read("", "/proc", buf, sizeof(buf)), -1);
	ck_assert_int_eq(errno, EISDIR);
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ck_assert_int_eq(proc_read("", name, buf, sizeof(buf)), -1);
	ck_assert_int_eq(errno, ENAMETOOLONG);
	ck_assert_int_eq(proc_pread(-1, buf, sizeof(buf)), -1);
	ck_assert_int_eq(errno, EBADF);
	ck_assert_int_eq(proc_pread_start(-1, buf, sizeof(buf)), -1);
	ck_assert_int_eq(errno, EBADF);
}
END_TEST

/* Numbers. */

static const struct { const char *text; uint64_t value; } numbers[] = {
	{ "0\n", 0 }, { "4096\n", 4096 }, { "4096", 4096 }, { " 7\t", 7 },
	{ "18446744073709551614", UINT64_MAX - 1 },
	{ "18446744073709551615", ABSENT }, { "18446744073709551616", ABSENT },
	{ "99999999999999999999999999999999", ABSENT },
	{ "max\n", ABSENT }, { "-1\n", ABSENT }, { "+1", ABSENT },
	{ "12x", ABSENT }, { "1.5", ABSENT }, { "", ABSENT }, { "\n5", ABSENT },
	{ "0x10", ABSENT },
};

START_TEST(a_one_value_file_holds_a_number_or_nothing)
{
	ck_assert_uint_eq(proc_number(numbers[_i].text), numbers[_i].value);
}
END_TEST

static const struct { const char *text, *key; uint64_t value; } values[] = {
	{ "MemTotal:   255984 kB\nMemFree: 1 kB\n", "MemTotal", 255984 },
	{ "MemTotal:   255984 kB\nMemFree: 1 kB\n", "MemFree", 1 },
	{ "MemTotal:   255984 kB\n", "Mem", ABSENT },
	{ "MemTotal:   255984 kB\n", "MemTotalX", ABSENT },
	{ "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n", "oom_kill", 3 },
	{ "pswpin 5\npswpout 6", "pswpout", 6 },
	{ "pswpin 5\npswpout 6", "pswp", ABSENT },
	{ "xpswpin 5\npswpin 6\n", "pswpin", 6 },
	{ "pswpin\npswpout 6\n", "pswpin", ABSENT },
	{ "pswpin", "pswpin", ABSENT }, { "pswpin ", "pswpin", ABSENT },
	{ "pswpin 1\npswpin 2\n", "pswpin", 1 },
	{ "\n\n\npswpin 1", "pswpin", 1 },
	{ "pswpin 36893488147419103232\n", "pswpin", ABSENT },
	{ "VmHWM:\t    5120 kB\n", "VmHWM", 5120 },
	{ "", "pswpin", ABSENT }, { "5\n", "", ABSENT },
};

START_TEST(a_value_is_that_of_the_whole_key)
{
	ck_assert_uint_eq(proc_value(values[_i].text, values[_i].key),
	    values[_i].value);
}
END_TEST

START_TEST(a_difference_is_known_only_when_the_counter_grew)
{
	ck_assert_uint_eq(proc_delta(3, 10), 7);
	ck_assert_uint_eq(proc_delta(3, 3), 0);
	ck_assert_uint_eq(proc_delta(10, 3), ABSENT);
	ck_assert_uint_eq(proc_delta(ABSENT, 3), ABSENT);
	ck_assert_uint_eq(proc_delta(3, ABSENT), ABSENT);
	ck_assert_uint_eq(proc_delta(ABSENT, ABSENT), ABSENT);
	ck_assert_uint_eq(proc_delta(4294967290, 4294967295), 5);
	ck_assert_uint_eq(proc_delta(4294967290, 4), ABSENT);
	ck_assert_uint_eq(proc_delta(0, UINT64_MAX - 1), UINT64_MAX - 1);
}
END_TEST

START_TEST(text_behind_a_nul_byte_is_not_seen)
{
	char buf[32];
	int fd = file_of("a 1\n\0b 2\n", 9);

	ck_assert_int_eq(proc_pread(fd, buf, sizeof(buf)), 9);
	ck_assert_uint_eq(proc_value(buf, "a"), 1);
	ck_assert_uint_eq(proc_value(buf, "b"), ABSENT);
	close(fd);
}
END_TEST

Suite *
proc_suite(void)
{
	Suite *s = suite_create("proc");
	TCase *t = tcase_create("proc");

	tcase_add_test(t, a_file_is_read_whole_and_ended_by_a_nul);
	tcase_add_test(t, a_file_that_does_not_fit_is_refused);
	tcase_add_loop_test(t, of_a_longer_file_only_whole_lines_are_given, 0,
	    LENGTH(starts));
	tcase_add_test(t, a_last_line_without_newline_that_fits_is_given);
	tcase_add_test(t, the_cpu_line_is_found_before_a_very_long_intr_line);
	tcase_add_test(t, what_cannot_be_opened_or_read_gives_its_errno);
	tcase_add_loop_test(t, a_one_value_file_holds_a_number_or_nothing, 0,
	    LENGTH(numbers));
	tcase_add_loop_test(t, a_value_is_that_of_the_whole_key, 0,
	    LENGTH(values));
	tcase_add_test(t, a_difference_is_known_only_when_the_counter_grew);
	tcase_add_test(t, text_behind_a_nul_byte_is_not_seen);
	suite_add_tcase(s, t);
	return s;
}
