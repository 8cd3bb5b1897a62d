/*
 * timefmt: the goldens are what tcsh 6.24, GNU time 1.9, bash 5.2, ksh93u+m,
 * zsh 5.9 and BusyBox 1.35 printed when they were made to see these figures.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/timefmt.h"
#include "unit.h"

#define NELEM(a)	((int)(sizeof(a) / sizeof((a)[0])))
#define STATUS_EXIT_3	(3 << 8)
#define STATUS_KILLED	9

static char *words[] = { "sh", "-c", "exit 3", NULL };

static struct timefmt_run
run_of(uint64_t elapsed_us, uint64_t user_us, uint64_t sys_us)
{
	struct timefmt_run run = {
		.elapsed_ns = elapsed_us * 1000, .user_us = user_us,
		.sys_us = sys_us, .majflt = 10652, .minflt = 71,
		.inblock = 8, .oublock = 16, .maxrss_kib = 1964,
		.nvcsw = 3, .nivcsw = 4, .command = "sh -c 'exit 3'",
		.argv = words
	};

	return run;
}

static char *
printed(enum timefmt f, const struct timefmt_run *run)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(timefmt_print(out, f, run), 0);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

static const struct golden {
	enum timefmt format;
	uint64_t elapsed_us, user_us, sys_us;
	const char *text;
} goldens[] = {
	/* The reports of 2001; the percent is truncated to a tenth. */
	{ TIMEFMT_TCSH, 140740000, 71020000, 1650000,
	    "71.020u 1.650s 2:20.74 51.6%\t0+0k 8+16io 10652pf+0w\n" },
	{ TIMEFMT_TCSH, 140680000, 71260000, 2150000,
	    "71.260u 2.150s 2:20.68 52.1%\t0+0k 8+16io 10652pf+0w\n" },
	{ TIMEFMT_TCSH, 138780000, 71020000, 2050000,
	    "71.020u 2.050s 2:18.78 52.6%\t0+0k 8+16io 10652pf+0w\n" },
	{ TIMEFMT_TCSH, 0, 0, 0,
	    "0.000u 0.000s 0:00.00 0.0%\t0+0k 8+16io 10652pf+0w\n" },
	{ TIMEFMT_TCSH, 9999, 5000, 4999,
	    "0.005u 0.004s 0:00.00 0.0%\t0+0k 8+16io 10652pf+0w\n" },
	{ TIMEFMT_TCSH, 7690000, 0, 0,
	    "0.000u 0.000s 0:07.69 0.0%\t0+0k 8+16io 10652pf+0w\n" },
	{ TIMEFMT_TCSH, 3599999999, 59999999, 3599999999,
	    "59.999u 3599.999s 59:59.99 101.6%\t0+0k 8+16io 10652pf+0w\n" },
	{ TIMEFMT_TCSH, 6259609999, 5447968500, 621333999,
	    "5447.968u 621.333s 1:44:19.60 96.9%\t0+0k 8+16io 10652pf+0w\n" },
	{ TIMEFMT_TCSH, 360000000000, 360000000000, 1,
	    "360000.000u 0.000s 100:00:00.00 100.0%\t"
	    "0+0k 8+16io 10652pf+0w\n" },

	{ TIMEFMT_GNU, 140749999, 71020999, 1650999,
	    "71.02user 1.65system 2:20.74elapsed 51%CPU "
	    "(0avgtext+0avgdata 1964maxresident)k\n"
	    "8inputs+16outputs (10652major+71minor)pagefaults 0swaps\n" },
	{ TIMEFMT_GNU, 0, 0, 0,
	    "0.00user 0.00system 0:00.00elapsed ?%CPU "
	    "(0avgtext+0avgdata 1964maxresident)k\n"
	    "8inputs+16outputs (10652major+71minor)pagefaults 0swaps\n" },
	{ TIMEFMT_GNU, 665, 253, 280,
	    "0.00user 0.00system 0:00.00elapsed 80%CPU "
	    "(0avgtext+0avgdata 1964maxresident)k\n"
	    "8inputs+16outputs (10652major+71minor)pagefaults 0swaps\n" },
	{ TIMEFMT_GNU, 6259609999, 5447968500, 621333999,
	    "5447.96user 621.33system 1:44:19elapsed 96%CPU "
	    "(0avgtext+0avgdata 1964maxresident)k\n"
	    "8inputs+16outputs (10652major+71minor)pagefaults 0swaps\n" },

	{ TIMEFMT_POSIX, 140749999, 71020999, 1650999,
	    "real 140.74\nuser 71.02\nsys 1.65\n" },
	{ TIMEFMT_POSIX, 6259609999, 5447968500, 621333999,
	    "real 6259.60\nuser 5447.96\nsys 621.33\n" },

	/* bash rounds, half up, and carries. */
	{ TIMEFMT_BASH, 140749999, 71020999, 1650999,
	    "\nreal\t2m20.750s\nuser\t1m11.021s\nsys\t0m1.651s\n" },
	{ TIMEFMT_BASH, 59999499, 999500, 999499,
	    "\nreal\t0m59.999s\nuser\t0m1.000s\nsys\t0m0.999s\n" },
	{ TIMEFMT_BASH, 6259609999, 5447968500, 621333999,
	    "\nreal\t104m19.610s\nuser\t90m47.969s\nsys\t10m21.334s\n" },

	{ TIMEFMT_KSH, 140749999, 71020999, 1650999,
	    "\nreal\t2m20.74s\nuser\t1m11.02s\nsys\t0m01.65s\n" },
	{ TIMEFMT_KSH, 3600000000, 3605000000, 605000000,
	    "\nreal\t1h0m00.00s\nuser\t1h0m05.00s\nsys\t10m05.00s\n" },

	/* zsh rounds as printf does, without a carry to the minutes. */
	{ TIMEFMT_ZSH, 140749999, 71020999, 1650999,
	    "sh -c 'exit 3'  71.02s user 1.65s system 51% cpu "
	    "2:20.75 total\n" },
	{ TIMEFMT_ZSH, 1000, 0, 0,
	    "sh -c 'exit 3'  0.00s user 0.00s system 0% cpu 0.001 total\n" },
	{ TIMEFMT_ZSH, 59999600, 15000, 5000,
	    "sh -c 'exit 3'  0.01s user 0.01s system 0% cpu 60.000 total\n" },
	{ TIMEFMT_ZSH, 6259609999, 5447968500, 621333999,
	    "sh -c 'exit 3'  5447.97s user 621.33s system 96% cpu "
	    "1:44:19.61 total\n" },
	/* Ours alone: zsh divides by zero here. */
	{ TIMEFMT_ZSH, 0, 0, 0,
	    "sh -c 'exit 3'  0.00s user 0.00s system 0% cpu 0.000 total\n" },

	{ TIMEFMT_BUSYBOX, 0, 0, 0,
	    "real\t0m 0.00s\nuser\t0m 0.00s\nsys\t0m 0.00s\n" },
	{ TIMEFMT_BUSYBOX, 140749999, 71020999, 1650999,
	    "real\t2m 20.74s\nuser\t1m 11.02s\nsys\t0m 1.65s\n" },
	{ TIMEFMT_BUSYBOX, 3600000000, 7690000000, 605000000,
	    "real\t1h 0m 00s\nuser\t2h 8m 10s\nsys\t10m 5.00s\n" },

	{ TIMEFMT_TSV, 140749999, 71020999, 1650999,
	    "outcome\telapsed_s\tuser_s\tsys_s\tcpu_pct\tmajflt\tminflt\t"
	    "nswap\tinblock\toublock\tmaxrss_kib\tnvcsw\tnivcsw\tcommand\n"
	    "ok\t140.749999\t71.020999\t1.650999\t51.6\t10652\t71\t"
	    "0\t8\t16\t1964\t3\t4\tsh -c 'exit 3'\n" },
	{ TIMEFMT_JSON, 140749999, 71020999, 1650999,
	    "{\"outcome\": \"ok\", \"elapsed_s\": 140.749999, "
	    "\"user_s\": 71.020999, \"sys_s\": 1.650999, "
	    "\"cpu_pct\": 51.6, \"majflt\": 10652, \"minflt\": 71, "
	    "\"nswap\": 0, \"inblock\": 8, \"oublock\": 16, "
	    "\"maxrss_kib\": 1964, \"nvcsw\": 3, \"nivcsw\": 4, "
	    "\"command\": \"sh -c 'exit 3'\"}\n" },
};

START_TEST(a_format_is_the_programs_own_to_the_byte)
{
	const struct golden *g = &goldens[_i];
	struct timefmt_run run = run_of(g->elapsed_us, g->user_us, g->sys_us);
	char *text = printed(g->format, &run);

	ck_assert_str_eq(text, g->text);
	free(text);
}
END_TEST

START_TEST(gnu_verbose_lists_every_line)
{
	struct timefmt_run run = run_of(140749999, 71020999, 1650999);
	char *text = printed(TIMEFMT_GNU_VERBOSE, &run);
	char want[2048];

	snprintf(want, sizeof want,
	    "\tCommand being timed: \"sh -c exit 3\"\n"
	    "\tUser time (seconds): 71.02\n"
	    "\tSystem time (seconds): 1.65\n"
	    "\tPercent of CPU this job got: 51%%\n"
	    "\tElapsed (wall clock) time (h:mm:ss or m:ss): 2:20.74\n"
	    "\tAverage shared text size (kbytes): 0\n"
	    "\tAverage unshared data size (kbytes): 0\n"
	    "\tAverage stack size (kbytes): 0\n"
	    "\tAverage total size (kbytes): 0\n"
	    "\tMaximum resident set size (kbytes): 1964\n"
	    "\tAverage resident set size (kbytes): 0\n"
	    "\tMajor (requiring I/O) page faults: 10652\n"
	    "\tMinor (reclaiming a frame) page faults: 71\n"
	    "\tVoluntary context switches: 3\n"
	    "\tInvoluntary context switches: 4\n"
	    "\tSwaps: 0\n"
	    "\tFile system inputs: 8\n"
	    "\tFile system outputs: 16\n"
	    "\tSocket messages sent: 0\n"
	    "\tSocket messages received: 0\n"
	    "\tSignals delivered: 0\n"
	    "\tPage size (bytes): %ld\n"
	    "\tExit status: 0\n", sysconf(_SC_PAGESIZE));
	ck_assert_str_eq(text, want);
	free(text);
}
END_TEST

static const struct {
	enum timefmt format;
	int wait_status;
	const char *start;
} failures[] = {
	{ TIMEFMT_GNU, STATUS_KILLED,
	    "Command terminated by signal 9\n0.00user " },
	{ TIMEFMT_GNU, STATUS_EXIT_3,
	    "Command exited with non-zero status 3\n0.00user " },
	{ TIMEFMT_GNU_VERBOSE, STATUS_KILLED,
	    "Command terminated by signal 9\n\tCommand being timed: " },
	{ TIMEFMT_GNU_VERBOSE, STATUS_EXIT_3,
	    "Command exited with non-zero status 3\n\tCommand being timed: " },
	{ TIMEFMT_BUSYBOX, STATUS_KILLED,
	    "Command terminated by signal 9\nreal\t" },
	{ TIMEFMT_BUSYBOX, STATUS_EXIT_3,
	    "Command exited with non-zero status 3\nreal\t" },
	{ TIMEFMT_POSIX, STATUS_KILLED, "real 0.00\n" },
	{ TIMEFMT_BASH, STATUS_KILLED, "\nreal\t" },
	{ TIMEFMT_TCSH, STATUS_KILLED, "0.000u " },
	{ TIMEFMT_JSON, STATUS_KILLED, "{\"outcome\": \"signal:9\", " },
	{ TIMEFMT_JSON, STATUS_EXIT_3, "{\"outcome\": \"exit:3\", " },
};

START_TEST(a_failure_is_told_where_the_program_tells_it)
{
	struct timefmt_run run = run_of(0, 0, 0);
	char *text;

	run.wait_status = failures[_i].wait_status;
	text = printed(failures[_i].format, &run);
	text[strlen(failures[_i].start)] = '\0';
	ck_assert_str_eq(text, failures[_i].start);
	free(text);
}
END_TEST

START_TEST(gnu_verbose_ends_with_the_exit_status)
{
	struct timefmt_run run = run_of(0, 0, 0);
	char *text;

	run.wait_status = STATUS_EXIT_3;
	text = printed(TIMEFMT_GNU_VERBOSE, &run);
	ck_assert_ptr_nonnull(strstr(text, "\n\tExit status: 3\n"));
	free(text);
	run.wait_status = STATUS_KILLED;
	text = printed(TIMEFMT_GNU_VERBOSE, &run);
	ck_assert_ptr_nonnull(strstr(text, "\n\tExit status: 0\n"));
	free(text);
}
END_TEST

START_TEST(no_percentage_is_made_up_for_a_run_of_no_length)
{
	struct timefmt_run run = run_of(0, 0, 0);
	char *text = printed(TIMEFMT_JSON, &run);

	ck_assert_ptr_nonnull(strstr(text, "\"cpu_pct\": null, "));
	free(text);
	text = printed(TIMEFMT_TSV, &run);
	ck_assert_ptr_nonnull(strstr(text, "\t0.000000\t-\t10652\t"));
	free(text);
}
END_TEST

START_TEST(any_command_line_makes_good_json_and_tsv)
{
	struct timefmt_run run = run_of(0, 0, 0);
	char *text;

	run.command = "a \"b\"\\\tc\n\x01 \xc3\xa9 \xff \xe2\x82";
	text = printed(TIMEFMT_JSON, &run);
	ck_assert_ptr_nonnull(strstr(text, "\"command\": \"a \\\"b\\\"\\\\"
	    "\\u0009c\\u000a\\u0001 \xc3\xa9 \\ufffd \\ufffd\\ufffd\"}\n"));
	free(text);
	text = printed(TIMEFMT_TSV, &run);
	ck_assert_ptr_nonnull(strstr(text, "\ta \"b\"\\\\\\tc\\n\x01 "));
	free(text);
}
END_TEST

START_TEST(a_time_of_years_does_not_overflow)
{
	struct timefmt_run run = run_of(3 * UINT64_C(31536000000000),
	    96 * UINT64_C(31536000000000), 0);
	char *text = printed(TIMEFMT_TCSH, &run);

	ck_assert_str_eq(text, "3027456000.000u 0.000s 26280:00:00.00 3200.0%\t"
	    "0+0k 8+16io 10652pf+0w\n");
	free(text);
}
END_TEST

START_TEST(every_listed_name_is_a_format)
{
	char *names = strdup(timefmt_names()), *rest = names, *name;
	enum timefmt f;
	int count = 0;

	while ((name = strsep(&rest, ",")) != NULL) {
		name += strspn(name, " ");
		ck_assert_int_eq(timefmt_by_name(name, &f), 0);
		ck_assert_int_eq((int)f, count);
		count++;
	}
	ck_assert_int_eq(count, TIMEFMT_TSV + 1);
	free(names);
}
END_TEST

START_TEST(an_unknown_name_is_refused)
{
	enum timefmt f = TIMEFMT_ZSH;

	ck_assert_int_eq(timefmt_by_name("GNU", &f), -1);
	ck_assert_int_eq(timefmt_by_name("", &f), -1);
	ck_assert_int_eq(timefmt_by_name("tcsh ", &f), -1);
	ck_assert_int_eq((int)f, TIMEFMT_ZSH);
}
END_TEST

START_TEST(a_full_disk_is_told)
{
	struct timefmt_run run = run_of(0, 0, 0);
	FILE *full = fopen("/dev/full", "w");

	ck_assert_ptr_nonnull(full);
	ck_assert_int_eq(timefmt_print(full, TIMEFMT_TCSH, &run), -1);
	fclose(full);
}
END_TEST

Suite *
timefmt_suite(void)
{
	Suite *s = suite_create("timefmt");
	TCase *t = tcase_create("timefmt");

	tcase_add_loop_test(t, a_format_is_the_programs_own_to_the_byte, 0,
	    NELEM(goldens));
	tcase_add_test(t, gnu_verbose_lists_every_line);
	tcase_add_loop_test(t, a_failure_is_told_where_the_program_tells_it, 0,
	    NELEM(failures));
	tcase_add_test(t, gnu_verbose_ends_with_the_exit_status);
	tcase_add_test(t, no_percentage_is_made_up_for_a_run_of_no_length);
	tcase_add_test(t, any_command_line_makes_good_json_and_tsv);
	tcase_add_test(t, a_time_of_years_does_not_overflow);
	tcase_add_test(t, every_listed_name_is_a_format);
	tcase_add_test(t, an_unknown_name_is_refused);
	tcase_add_test(t, a_full_disk_is_told);
	suite_add_tcase(s, t);
	return s;
}
