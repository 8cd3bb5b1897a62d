/* exits: flushing stdout, ending by a signal, statuses of wrappers. */
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "exits.h"
#include "unit.h"

/* Run body in a process of its own; its wait status. */
static int
in_child(void (*body)(void))
{
	int status;
	pid_t pid;

	fflush(NULL);
	ck_assert_int_ne(pid = fork(), -1);
	if (pid == 0) {
		body();
		_exit(99);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

static void
replace_stdout(const char *path)
{
	int fd = open(path, O_WRONLY);

	if (fd == -1 || dup2(fd, STDOUT_FILENO) == -1)
		_exit(98);
}

static void
print_to_full(void)
{
	replace_stdout("/dev/full");
	printf("lost");
	_exit(exits_flush_stdout() == -1 && errno == ENOSPC ? 0 : 1);
}

static void
print_to_full_long_ago(void)
{
	replace_stdout("/dev/full");
	setvbuf(stdout, NULL, _IONBF, 0);
	printf("lost");
	errno = 0;
	_exit(exits_flush_stdout() == -1 && errno != 0 ? 0 : 1);
}

static void
print_to_closed(void)
{
	close(STDOUT_FILENO);
	printf("lost");
	_exit(exits_flush_stdout() == -1 && errno == EBADF ? 0 : 1);
}

static void
print_to_null(void)
{
	replace_stdout("/dev/null");
	printf("kept");
	_exit(exits_flush_stdout());
}

static void
say_nothing(void)
{
	_exit(exits_flush_stdout());
}

START_TEST(stdout_that_was_lost_is_noticed)
{
	ck_assert_int_eq(in_child(print_to_full), 0);
	ck_assert_int_eq(in_child(print_to_full_long_ago), 0);
	ck_assert_int_eq(in_child(print_to_closed), 0);
}
END_TEST

START_TEST(stdout_that_arrived_is_good)
{
	ck_assert_int_eq(in_child(print_to_null), 0);
	ck_assert_int_eq(in_child(say_nothing), 0);
}
END_TEST

static void
end_by_term_blocked_and_ignored(void)
{
	sigset_t set;

	signal(SIGTERM, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	exits_by_signal(SIGTERM);
}

static void
end_by_int(void)
{
	exits_by_signal(SIGINT);
}

static void
end_by_harmless(void)
{
	exits_by_signal(SIGURG);
}

START_TEST(a_process_ends_by_the_signal_itself)
{
	int status;

	status = in_child(end_by_int);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGINT);
	status = in_child(end_by_term_blocked_and_ignored);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGTERM);
}
END_TEST

START_TEST(a_signal_that_ends_nothing_still_ends_the_process)
{
	int status = in_child(end_by_harmless);

	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 128 + SIGURG);
}
END_TEST

static void exit_0(void) { _exit(0); }
static void exit_3(void) { _exit(3); }
static void exit_255(void) { _exit(255); }
static void die_by_kill(void) { raise(SIGKILL); }

START_TEST(wrappers_pass_statuses_and_signals_on)
{
	ck_assert_int_eq(exits_from_wait(in_child(exit_0)), 0);
	ck_assert_int_eq(exits_from_wait(in_child(exit_3)), 3);
	ck_assert_int_eq(exits_from_wait(in_child(exit_255)), 255);
	ck_assert_int_eq(exits_from_wait(in_child(die_by_kill)), 137);
	ck_assert_int_eq(exits_from_wait(in_child(end_by_int)), 130);
}
END_TEST

Suite *
exits_suite(void)
{
	Suite *s = suite_create("exits");
	TCase *t = tcase_create("exits");

	tcase_add_test(t, stdout_that_was_lost_is_noticed);
	tcase_add_test(t, stdout_that_arrived_is_good);
	tcase_add_test(t, a_process_ends_by_the_signal_itself);
	tcase_add_test(t, a_signal_that_ends_nothing_still_ends_the_process);
	tcase_add_test(t, wrappers_pass_statuses_and_signals_on);
	suite_add_tcase(s, t);
	return s;
}
