/* guard's lines: splitting, escaping, and words of any bytes. */
#include <stdlib.h>
#include <string.h>

#include "measure/guard_words.h"
#include "unit.h"

#define MAX 4

static const struct {
	const char *line;
	int words;		/* -1: refused */
	const char *word[MAX];
} lines[] = {
	{ "", 0, { NULL } },
	{ " \t ", 0, { NULL } },
	{ "a", 1, { "a" } },
	{ "  set\t/proc/x  10 ", 3, { "set", "/proc/x", "10" } },
	{ "a\\040b", 1, { "a b" } },
	{ "\\t\\n\\r\\\\", 1, { "\t\n\r\\" } },
	{ "a \\e b", 3, { "a", "", "b" } },
	{ "\\e", 1, { "" } },
	{ "\\303\\251", 1, { "\303\251" } },
	{ "1 2 3 4", 4, { "1", "2", "3", "4" } },
	{ "1 2 3 4 5", -1, { NULL } },
	{ "a\\", -1, { NULL } },
	{ "a\\x", -1, { NULL } },
	{ "\\000", -1, { NULL } },
	{ "\\04", -1, { NULL } },
	{ "\\400", -1, { NULL } },
	{ "\\089", -1, { NULL } },
};

static const char *const any_words[] = { "", "a", "a b", "\t", "\n\n",
    "/a\\040b", "\\e", "\r\\", "tab\tnew\nline ", "\xff\x01" };

START_TEST(a_line_is_split_at_blanks_and_its_escapes_are_undone)
{
	char line[64], *word[MAX];
	size_t i;
	int n, w;

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		strcpy(line, lines[i].line);
		n = words_split(line, word, MAX);
		ck_assert_msg(n == lines[i].words, "%s: %d words",
		    lines[i].line, n);
		for (w = 0; w < n; w++)
			ck_assert_str_eq(word[w], lines[i].word[w]);
	}
}
END_TEST

START_TEST(what_is_escaped_is_one_word_and_comes_back_as_it_was)
{
	char buf[64], *word[MAX];
	size_t i;
	int n;

	for (i = 0; i < sizeof(any_words) / sizeof(*any_words); i++) {
		n = words_escape(buf, sizeof(buf), any_words[i]);
		ck_assert_int_eq(n, (int)strlen(buf));
		ck_assert_ptr_null(strpbrk(buf, " \t\n\r"));
		ck_assert_int_eq(words_split(buf, word, MAX), 1);
		ck_assert_str_eq(word[0], any_words[i]);
	}
}
END_TEST

START_TEST(an_escaped_word_that_does_not_fit_is_refused)
{
	char buf[8];

	ck_assert_int_eq(words_escape(buf, 2, ""), -1);
	ck_assert_int_eq(words_escape(buf, 3, ""), 2);
	ck_assert_int_eq(words_escape(buf, sizeof(buf), "12345678"), -1);
	ck_assert_int_eq(words_escape(buf, sizeof(buf), "  "), -1);
	ck_assert_int_eq(words_escape(buf, sizeof(buf), " "), 4);
}
END_TEST

Suite *
guard_words_suite(void)
{
	Suite *s = suite_create("guard_words");
	TCase *t = tcase_create("guard_words");

	tcase_add_test(t,
	    a_line_is_split_at_blanks_and_its_escapes_are_undone);
	tcase_add_test(t,
	    what_is_escaped_is_one_word_and_comes_back_as_it_was);
	tcase_add_test(t, an_escaped_word_that_does_not_fit_is_refused);
	suite_add_tcase(s, t);
	return s;
}
