/* guard's settings and journals: comparing, torn lines, foreign files. */
#include <sys/stat.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/guard_journal.h"
#include "measure/guard_processes.h"
#include "measure/settings.h"
#include "unit.h"

static const struct {
	const char *text, *value;
} chosen[] = {
	{ "60", "60" }, { " 60\n", "60" }, { "", "" }, { "\n", "" },
	{ "always [madvise] never\n", "madvise" },
	{ "[always] madvise never", "always" },
	{ "a b [c]", "c" }, { "[none]", "none" },
	{ "[lzo-rle] lzo lz4 \n", "lzo-rle" },
	{ "256\t256\t32\t0\n", "256 256 32 0" },
	{ "[a] [b]", "[a] [b]" }, { "[]", "[]" }, { "[a b]", "[a b]" },
};

static const struct {
	const char *a, *b;
	int same;
} compared[] = {
	{ "60", "60", 1 }, { "60", "060", 1 }, { "60", "61", 0 },
	{ "Y", "1", 1 }, { "N", "0", 1 }, { "Y", "0", 0 }, { "n", "N", 1 },
	{ "max", "max", 1 }, { "", "", 1 }, { "", "0", 0 }, { "0", "", 0 },
	{ "1 2", "1", 0 }, { "-1", "18446744073709551615", 0 },
	{ "99999999999999999999", "99999999999999999998", 0 },
};

START_TEST(a_bracketed_choice_has_the_value_of_its_word)
{
	char text[64];
	size_t i;

	for (i = 0; i < sizeof(chosen) / sizeof(*chosen); i++) {
		strcpy(text, chosen[i].text);
		settings_chosen(text);
		ck_assert_str_eq(text, chosen[i].value);
	}
}
END_TEST

START_TEST(values_are_equal_as_numbers_text_or_booleans)
{
	size_t i;

	for (i = 0; i < sizeof(compared) / sizeof(*compared); i++)
		ck_assert_msg(settings_same(compared[i].a, compared[i].b) ==
		    compared[i].same, "%s, %s", compared[i].a, compared[i].b);
}
END_TEST

#define HEAD "qsb-journal 1 99 1234 some-boot\n"
#define ONE "do 1 60 set /proc/sys/vm/swappiness 10\n"
#define TWO "do 2 - unlink /tmp/a\\040b\n"

static const struct {
	const char *text;
	int actions;		/* not undone; -1: refused */
	size_t whole;
} journals[] = {
	{ "", 0, 0 },
	{ "qsb-jour", 0, 0 },
	{ HEAD, 0, sizeof(HEAD) - 1 },
	{ HEAD ONE, 1, sizeof(HEAD ONE) - 1 },
	{ HEAD ONE TWO, 2, sizeof(HEAD ONE TWO) - 1 },
	{ HEAD ONE "do 2 - unl", 1, sizeof(HEAD ONE) - 1 },
	{ HEAD ONE "do 2 - unlink /tmp/a", 1, sizeof(HEAD ONE) - 1 },
	{ HEAD ONE TWO "undone 2\n", 1, sizeof(HEAD ONE TWO) + 8 },
	{ HEAD ONE TWO "undone 2\nundone 1\n", 0, sizeof(HEAD ONE TWO) + 17 },
	{ HEAD ONE TWO "undone 2", 2, sizeof(HEAD ONE TWO) - 1 },
	{ HEAD ONE "undone 7\n", -1, 0 },
	{ HEAD "do 1 - format /dev/sda\n", -1, 0 },
	{ HEAD "do 1 - unlink\n", -1, 0 },
	{ HEAD "do x - unlink /a\n", -1, 0 },
	{ HEAD "\n", -1, 0 },
	{ "#!/bin/sh\nrm\n", -1, 0 },
	{ "qsb-journal 2 99 1234 b\n", -1, 0 },
	{ "qsb-journal 1 -5 1234 b\n", -1, 0 },
};

static int
memory_file(const char *text)
{
	FILE *f = tmpfile();
	int fd;

	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fflush(f), 0);
	fd = dup(fileno(f));
	fclose(f);
	return fd;
}

START_TEST(a_torn_last_line_counts_for_nothing_and_nonsense_is_refused)
{
	struct journal_writer w;
	struct journal_list l;
	struct why why;
	size_t i, k;
	int fd, got, left;

	for (i = 0; i < sizeof(journals) / sizeof(*journals); i++) {
		fd = memory_file(journals[i].text);
		got = journal_load(fd, &w, &l, &why);
		for (k = 0, left = 0; got == 0 && k < l.count; k++)
			left += !l.action[k]->undone;
		ck_assert_msg((got == 0 ? left : -1) == journals[i].actions,
		    "%s: %d, %d left", journals[i].text, got, left);
		if (got == 0)
			ck_assert_uint_eq(w.whole_bytes, journals[i].whole);
		journal_list_free(&l);
		close(fd);
	}
}
END_TEST

START_TEST(what_a_journal_says_is_read_back_as_it_was_written)
{
	struct journal_writer w;
	struct journal_list l;
	struct why why;
	int fd = memory_file(HEAD ONE TWO "memo 2 1f:2e\n");

	ck_assert_int_eq(journal_load(fd, &w, &l, &why), 0);
	ck_assert_int_eq(w.pid, 99);
	ck_assert_uint_eq(w.start_ticks, 1234);
	ck_assert_int_eq(w.this_boot, 0);
	ck_assert_uint_eq(l.count, 2);
	ck_assert_str_eq(l.action[0]->verb->name, "set");
	ck_assert_str_eq(l.action[0]->memo, "60");
	ck_assert_str_eq(l.action[0]->word[1], "10");
	ck_assert_str_eq(l.action[1]->word[0], "/tmp/a b");
	ck_assert_str_eq(l.action[1]->memo, "1f:2e");
	journal_list_free(&l);
	close(fd);
}
END_TEST

START_TEST(a_process_is_known_by_its_pid_and_its_start)
{
	struct process p;

	ck_assert_int_eq(process_read(getpid(), &p), 0);
	ck_assert_int_eq(p.parent, getppid());
	ck_assert_int_eq(p.group, getpgrp());
	ck_assert_int_eq(p.session, getsid(0));
	ck_assert(process_alive(getpid(), p.start_ticks));
	ck_assert(!process_alive(getpid(), p.start_ticks + 1));
	ck_assert(process_descends(getpid(), getppid()));
	ck_assert(!process_descends(getppid(), getpid()));
	ck_assert_int_ge(process_group_count(getpgrp(), 0, getsid(0)), 0);
	ck_assert_int_eq(process_number("4711"), 4711);
	ck_assert_int_eq(process_number("-1"), -1);
	ck_assert_int_eq(process_number("2147483648"), -1);
	ck_assert_int_eq(process_number(""), -1);
}
END_TEST

Suite *
guard_journal_suite(void)
{
	Suite *s = suite_create("guard_journal");
	TCase *t = tcase_create("guard_journal");

	tcase_add_test(t, a_bracketed_choice_has_the_value_of_its_word);
	tcase_add_test(t, values_are_equal_as_numbers_text_or_booleans);
	tcase_add_test(t,
	    a_torn_last_line_counts_for_nothing_and_nonsense_is_refused);
	tcase_add_test(t,
	    what_a_journal_says_is_read_back_as_it_was_written);
	tcase_add_test(t, a_process_is_known_by_its_pid_and_its_start);
	suite_add_tcase(s, t);
	return s;
}
