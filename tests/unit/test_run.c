/*
 * run: a command, what it cost, and nothing left of it.  Each test runs in a
 * process of its own (CK_FORK), which becomes a subreaper.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/record_run.h"
#include "clock.h"
#include "fixture.h"

#define MS UINT64_C(1000000)

/* Both ways of starting the keeper, by the loop's number. */
static struct run_result
run(const char *script, struct run_spec spec, int copy)
{
	char *const argv[] = { "sh", "-c", (char *)script, NULL };
	struct run_result r;

	if (spec.argv == NULL)
		spec.argv = argv;
	spec.copy = copy;
	ck_assert_int_eq(run_command(&spec, &r), 0);
	ck_assert_int_eq(run_clear(&spec, &r), 0);
	ck_assert_int_eq(waitpid(-1, NULL, 0), -1);
	ck_assert_int_eq(errno, ECHILD);
	run_restore();
	return r;
}

static struct run_spec
plain(void)
{
	return (struct run_spec) {
		.grace_ns = 200 * MS, .oom_adj = RUN_OOM_ADJ_KEEP
	};
}

START_TEST(the_status_and_the_time_are_the_commands)
{
	struct run_result r = run("sleep 0.05; exit 9", plain(), _i);

	ck_assert(WIFEXITED(r.status) && WEXITSTATUS(r.status) == 9);
	ck_assert_uint_ge(r.end_ns - r.start_ns, 50 * MS);
	ck_assert_int_gt(r.usage.ru_maxrss, 0);
	ck_assert_int_eq(r.exec_error, 0);
	ck_assert_int_eq(r.timed_out, 0);
	ck_assert_int_eq(r.asked, 0);
	ck_assert_uint_eq(r.stopped, 0);
}
END_TEST

START_TEST(a_command_that_cannot_be_executed_says_why)
{
	char *const missing[] = { "no-such-command", NULL };
	char *const plain_file[] = { "/dev/null", NULL };
	struct run_spec spec = plain();

	/* A folder in PATH that this user may not enter would decide else. */
	setenv("PATH", "/usr/bin:/bin", 1);
	spec.argv = missing;
	ck_assert_int_eq(run(NULL, spec, _i).exec_error, ENOENT);
	spec.argv = plain_file;
	ck_assert_int_eq(run(NULL, spec, _i).exec_error, EACCES);
}
END_TEST

START_TEST(many_words_reach_a_script_without_an_interpreter)
{
	enum { WORDS = 20000 };
	static char *argv[WORDS + 2];
	char name[] = "/tmp/qs-run.XXXXXX", script[] = "exit $(($# / 1000))\n";
	struct run_spec spec = plain();
	struct run_result r;
	int fd = mkstemp(name), i;

	ck_assert_int_ne(fd, -1);
	ck_assert_int_eq(write(fd, script, sizeof(script) - 1),
	    sizeof(script) - 1);
	fchmod(fd, 0700);
	close(fd);
	argv[0] = name;
	for (i = 1; i <= WORDS; i++)
		argv[i] = "w";
	spec.argv = argv;
	r = run(NULL, spec, _i);
	unlink(name);
	ck_assert_int_eq(r.exec_error, 0);
	ck_assert(WIFEXITED(r.status) && WEXITSTATUS(r.status) == 20);
}
END_TEST

START_TEST(what_detached_itself_and_ignores_term_is_killed)
{
	struct run_result r = run("exec 2>/dev/null; (setsid sh -c "
	    "'trap \"\" TERM; sleep 60 & sleep 60 & echo >&3; wait' "
	    ">/dev/null &) 3>&1 | read -r x", plain(), _i);

	ck_assert_uint_ge(r.stopped, 3);
	ck_assert_uint_eq(r.stuck, 0);
	ck_assert_int_eq(r.kill_seen, 0);
}
END_TEST

START_TEST(a_time_limit_is_term_and_then_kill)
{
	struct run_spec spec = plain();
	struct run_result r;

	spec.limit_ns = 50 * MS;
	r = run("exec 2>/dev/null; trap 'exit 5' TERM; "
	    "while :; do sleep 0.01; done", spec, _i);
	ck_assert_int_eq(r.timed_out, 1);
	ck_assert_int_eq(r.killed, 0);
	ck_assert(WIFEXITED(r.status) && WEXITSTATUS(r.status) == 5);
	spec.grace_ns = 50 * MS;
	r = run("trap '' TERM; while :; do sleep 0.01; done", spec, _i);
	ck_assert_int_eq(r.timed_out, 1);
	ck_assert_int_eq(r.killed, 1);
	ck_assert(WIFSIGNALED(r.status) && WTERMSIG(r.status) == SIGKILL);
	ck_assert_int_eq(r.kill_seen, 0);
}
END_TEST

START_TEST(a_kill_from_elsewhere_is_seen)
{
	ck_assert_int_eq(run("kill -9 $$", plain(), _i).kill_seen, 1);
	ck_assert_int_eq(run("kill -15 $$", plain(), _i).kill_seen, 0);
	/* of an orphan, which is ours to wait for */
	ck_assert_int_eq(run("(sh -c 'sleep 0.05; kill -9 $$' &); sleep 0.2",
	    plain(), _i).kill_seen, 1);
}
END_TEST

START_TEST(the_mask_of_signals_is_given_back)
{
	sigset_t before, after;
	int signo;

	sigprocmask(SIG_BLOCK, NULL, &before);
	run("exit 0", plain(), _i);
	sigprocmask(SIG_BLOCK, NULL, &after);
	for (signo = 1; signo < NSIG; signo++)
		ck_assert_int_eq(sigismember(&before, signo),
		    sigismember(&after, signo));
}
END_TEST

static void
count(void *calls)
{
	++*(int *)calls;
}

START_TEST(there_is_something_to_do_meanwhile)
{
	struct run_spec spec = plain();
	uint64_t began = clock_now_ns();
	int calls = 0;

	spec.idle = count;
	spec.idle_ns = 10 * MS;
	spec.arg = &calls;
	run("sleep 0.2", spec, 1);
	ck_assert_int_ge(calls, 1);
	/* never more often than asked for, however long it took */
	ck_assert_uint_le((uint64_t)calls,
	    (clock_now_ns() - began) / spec.idle_ns + 1);
}
END_TEST

Suite *
run_suite(void)
{
	Suite *s = suite_create("run");
	TCase *t = tcase_create("run");

	tcase_add_loop_test(t, the_status_and_the_time_are_the_commands, 0, 2);
	tcase_add_loop_test(t, a_command_that_cannot_be_executed_says_why, 0,
	    2);
	tcase_add_loop_test(t,
	    many_words_reach_a_script_without_an_interpreter, 0, 2);
	if (system("command -v setsid >/dev/null") == 0)
		tcase_add_loop_test(t,
		    what_detached_itself_and_ignores_term_is_killed, 0, 2);
	tcase_add_loop_test(t, a_time_limit_is_term_and_then_kill, 0, 2);
	tcase_add_loop_test(t, a_kill_from_elsewhere_is_seen, 0, 2);
	tcase_add_loop_test(t, the_mask_of_signals_is_given_back, 0, 2);
	tcase_add_test(t, there_is_something_to_do_meanwhile);
	suite_add_tcase(s, t);
	return s;
}
