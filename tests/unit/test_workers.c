/*
 * workers: processes started together and watched one by one.
 *
 * Workers that wait for something wait without end; the time limit that Check
 * sets on a test is all that would end them.
 */
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "exits.h"
#include "unit.h"
#include "workers.h"

#define MS UINT64_C(1000000)

static int
wait_for_ever(void)
{
	while (pause() == -1)
		continue;
	return 99;
}

/* A counter that all processes see. */
static volatile int *
shared_counter(void)
{
	int *p = mmap(NULL, sizeof(*p), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	ck_assert(p != MAP_FAILED);
	return p;
}

static void
wait_until_set(const volatile int *flag)
{
	while (*flag == 0)
		clock_sleep_until(clock_now_ns() + MS);
}

/* Run procs of body; the outcome is to be freed. */
static struct workers
run(uint64_t procs, workers_body *body, void *arg, size_t result_bytes)
{
	struct workers_spec spec = { .procs = procs, .body = body,
	    .arg = arg, .result_bytes = result_bytes, .gate = 1 };
	struct workers w;

	ck_assert_int_eq(workers_run(&w, &spec), 0);
	return w;
}

static void
none_is_left(const struct workers *w)
{
	uint64_t i;

	for (i = 0; i < w->started; i++) {
		ck_assert_int_ne(w->worker[i].ended, 0);
		ck_assert_int_eq(kill(w->worker[i].pid, 0), -1);
		ck_assert_int_eq(errno, ESRCH);
	}
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}

/* All but the first that failed were ended by our SIGTERM. */
static void
others_were_stopped(const struct workers *w)
{
	uint64_t i;

	for (i = 0; i < w->started; i++) {
		if (w->end == WORKERS_FAILED && i == w->first) {
			ck_assert_int_eq(w->worker[i].stopped, 0);
			continue;
		}
		ck_assert_int_ne(w->worker[i].stopped, 0);
		ck_assert(WIFSIGNALED(w->worker[i].status));
		ck_assert_int_eq(WTERMSIG(w->worker[i].status), SIGTERM);
	}
}

static void
says(const struct workers *w, const char *text)
{
	char buf[200];

	ck_assert_str_eq(workers_describe(w, buf, sizeof(buf)), text);
}

/* The same with the pid of worker `first` for the "%ld" in text. */
static void
says_pid(const struct workers *w, const char *before, const char *after)
{
	char text[200];

	snprintf(text, sizeof(text), "%s (pid %ld): %s", before,
	    (long)w->worker[w->first].pid, after);
	says(w, text);
}

struct answer {
	uint64_t index;
	long pid;
	int zeroed;
};

static int
body_answer(uint64_t index, void *result, void *arg)
{
	struct answer *a = result;

	a->zeroed = a->index == 0 && a->pid == 0;
	a->index = index + *(uint64_t *)arg;
	a->pid = getpid();
	return 0;
}

START_TEST(results_of_all_workers_reach_the_parent)
{
	uint64_t base = 1000, i;
	struct workers w = run(10, body_answer, &base, sizeof(struct answer));
	const struct answer *a;

	ck_assert_int_eq(w.end, WORKERS_OK);
	ck_assert_uint_eq(w.procs, 10);
	ck_assert_uint_eq(w.started, 10);
	for (i = 0; i < 10; i++) {
		a = workers_result(&w, i);
		ck_assert_uint_eq(a->index, 1000 + i);
		ck_assert_int_eq(a->pid, w.worker[i].pid);
		ck_assert_int_ne(a->zeroed, 0);
		ck_assert_int_eq(w.worker[i].status, 0);
		ck_assert_int_eq(w.worker[i].stopped, 0);
	}
	none_is_left(&w);
	ck_assert_int_eq(workers_exit_status(&w), EXIT_GOOD);
	says(&w, "all 10 workers ended well");
	workers_free(&w);
	workers_free(&w);
}
END_TEST

static int
body_no_result(uint64_t index, void *result, void *arg)
{
	(void)index;
	(void)arg;
	return result == NULL ? 0 : 9;
}

START_TEST(workers_without_results_need_no_memory_for_them)
{
	struct workers w = run(3, body_no_result, NULL, 0);

	ck_assert_int_eq(w.end, WORKERS_OK);
	ck_assert_ptr_null(workers_result(&w, 2));
	workers_free(&w);
}
END_TEST

START_TEST(a_thousand_workers_are_told_apart)
{
	uint64_t base = 0, i;
	struct workers w = run(1000, body_answer, &base,
	    sizeof(struct answer));

	ck_assert_int_eq(w.end, WORKERS_OK);
	for (i = 0; i < 1000; i++)
		ck_assert_int_eq(((struct answer *)workers_result(&w, i))->pid,
		    w.worker[i].pid);
	none_is_left(&w);
	workers_free(&w);
}
END_TEST

static int
body_use_cpu(uint64_t index, void *result, void *arg)
{
	struct rusage usage;

	(void)arg;
	(void)result;
	do {
		if (getrusage(RUSAGE_SELF, &usage) == -1)
			return 1;
	} while (index == 1 && usage.ru_utime.tv_sec == 0 &&
	    usage.ru_utime.tv_usec + usage.ru_stime.tv_usec < 100000);
	return 0;
}

START_TEST(the_usage_of_each_worker_is_its_own)
{
	struct workers w = run(3, body_use_cpu, NULL, 0);
	const struct rusage *u = &w.worker[1].usage;

	ck_assert_int_eq(w.end, WORKERS_OK);
	ck_assert(u->ru_utime.tv_sec + u->ru_stime.tv_sec > 0 ||
	    u->ru_utime.tv_usec + u->ru_stime.tv_usec >= 100000);
	ck_assert_int_gt(w.worker[0].usage.ru_minflt, 0);
	ck_assert_int_gt(w.worker[2].usage.ru_minflt, 0);
	workers_free(&w);
}
END_TEST

static int
body_tell_start(uint64_t index, void *result, void *arg)
{
	(void)index;
	(void)arg;
	*(uint64_t *)result = clock_now_ns();
	return 0;
}

START_TEST(behind_a_gate_nobody_starts_before_the_last_is_there)
{
	struct workers_spec spec = { .procs = 4, .body = body_tell_start,
	    .result_bytes = sizeof(uint64_t), .gate = 1,
	    .stagger_ns = 20 * MS };
	uint64_t start = clock_now_ns(), i;
	struct workers w;

	ck_assert_int_eq(workers_run(&w, &spec), 0);
	ck_assert_int_eq(w.end, WORKERS_OK);
	for (i = 0; i < 4; i++)
		ck_assert_uint_ge(*(uint64_t *)workers_result(&w, i),
		    start + 3 * 20 * MS);
	workers_free(&w);
}
END_TEST

START_TEST(staggered_workers_start_one_after_the_other)
{
	struct workers_spec spec = { .procs = 4, .body = body_tell_start,
	    .result_bytes = sizeof(uint64_t), .stagger_ns = 20 * MS };
	uint64_t start = clock_now_ns(), i;
	struct workers w;

	ck_assert_int_eq(workers_run(&w, &spec), 0);
	ck_assert_int_eq(w.end, WORKERS_OK);
	for (i = 0; i < 4; i++)
		ck_assert_uint_ge(*(uint64_t *)workers_result(&w, i),
		    start + i * 20 * MS);
	workers_free(&w);
}
END_TEST

static int
body_first_ends_before_second_starts(uint64_t index, void *result, void *arg)
{
	volatile int *done = arg;

	(void)result;
	if (index == 0)
		*done = 1;
	else
		wait_until_set(done);
	return 0;
}

START_TEST(without_a_gate_a_worker_need_not_wait_for_others)
{
	struct workers_spec spec = { .procs = 2, .stagger_ns = MS,
	    .body = body_first_ends_before_second_starts };
	struct workers w;

	spec.arg = (void *)shared_counter();
	ck_assert_int_eq(workers_run(&w, &spec), 0);
	ck_assert_int_eq(w.end, WORKERS_OK);
	workers_free(&w);
}
END_TEST

static int
body_third_is_killed(uint64_t index, void *result, void *arg)
{
	(void)arg;
	(void)result;
	if (index == 2)
		kill(getpid(), SIGKILL);
	return wait_for_ever();
}

START_TEST(a_killed_worker_is_named_and_the_others_are_stopped)
{
	struct workers w = run(10, body_third_is_killed, NULL, 0);

	ck_assert_int_eq(w.end, WORKERS_FAILED);
	ck_assert_uint_eq(w.first, 2);
	ck_assert_uint_eq(w.started, 10);
	ck_assert(WIFSIGNALED(w.worker[2].status));
	ck_assert_int_eq(WTERMSIG(w.worker[2].status), SIGKILL);
	others_were_stopped(&w);
	none_is_left(&w);
	ck_assert_int_eq(workers_exit_status(&w), EXIT_MEMORY);
	says_pid(&w, "worker 3 of 10", "killed by signal 9, out of memory?");
	workers_free(&w);
}
END_TEST

static int
body_last_returns(uint64_t index, void *result, void *arg)
{
	(void)result;
	return index == 3 ? *(int *)arg : wait_for_ever();
}

START_TEST(the_exit_status_of_a_failed_worker_is_passed_on)
{
	int status = 3;
	struct workers w = run(4, body_last_returns, &status, 0);

	ck_assert_int_eq(w.end, WORKERS_FAILED);
	ck_assert_uint_eq(w.first, 3);
	ck_assert_int_eq(workers_exit_status(&w), EXIT_CORRUPT);
	others_were_stopped(&w);
	says_pid(&w, "worker 4 of 4", "exit status 3");
	workers_free(&w);
}
END_TEST

START_TEST(an_exit_status_that_wraps_round_to_0_is_a_failure)
{
	int status = 256;
	struct workers w = run(4, body_last_returns, &status, 0);

	ck_assert_int_eq(w.end, WORKERS_FAILED);
	ck_assert_int_eq(workers_exit_status(&w), EXIT_FAILED);
	workers_free(&w);
	status = -1;
	w = run(4, body_last_returns, &status, 0);
	ck_assert_int_eq(workers_exit_status(&w), EXIT_FAILED);
	workers_free(&w);
}
END_TEST

static int
body_dies_by_usr1(uint64_t index, void *result, void *arg)
{
	(void)index;
	(void)arg;
	(void)result;
	raise(SIGUSR1);
	return 0;
}

START_TEST(another_deadly_signal_is_a_failure_but_not_of_memory)
{
	struct workers w = run(1, body_dies_by_usr1, NULL, 0);

	ck_assert_int_eq(w.end, WORKERS_FAILED);
	ck_assert_int_eq(workers_exit_status(&w), EXIT_FAILED);
	says_pid(&w, "worker 1 of 1",
	    "killed by signal 10, User defined signal 1");
	workers_free(&w);
}
END_TEST

static int
body_first_is_deaf(uint64_t index, void *result, void *arg)
{
	volatile int *deaf = arg;

	(void)result;
	if (index == 0) {
		signal(SIGTERM, SIG_IGN);
		*deaf = 1;
		return wait_for_ever();
	}
	wait_until_set(deaf);
	return 1;
}

START_TEST(a_worker_that_ignores_sigterm_is_killed)
{
	struct workers w = run(2, body_first_is_deaf,
	    (void *)shared_counter(), 0);

	ck_assert_int_eq(w.end, WORKERS_FAILED);
	ck_assert_uint_eq(w.first, 1);
	ck_assert_int_ne(w.worker[0].stopped, 0);
	ck_assert(WIFSIGNALED(w.worker[0].status));
	ck_assert_int_eq(WTERMSIG(w.worker[0].status), SIGKILL);
	none_is_left(&w);
	ck_assert_int_eq(workers_exit_status(&w), EXIT_FAILED);
	workers_free(&w);
}
END_TEST

static int
body_waits(uint64_t index, void *result, void *arg)
{
	(void)index;
	(void)arg;
	(void)result;
	return wait_for_ever();
}

START_TEST(the_time_limit_stops_all)
{
	struct workers_spec spec = { .procs = 5, .body = body_waits,
	    .limit_ns = 50 * MS, .gate = _i };
	uint64_t start = clock_now_ns();
	struct workers w;

	ck_assert_int_eq(workers_run(&w, &spec), 0);
	ck_assert_uint_ge(clock_now_ns(), start + 50 * MS);
	ck_assert_int_eq(w.end, WORKERS_TIMEOUT);
	none_is_left(&w);
	ck_assert_int_eq(workers_exit_status(&w), EXIT_FAILED);
	if (w.started == 5) {
		others_were_stopped(&w);
		says(&w, "time limit reached, stopped 5 of 5 workers");
	}
	workers_free(&w);
}
END_TEST

START_TEST(the_time_limit_holds_between_staggered_starts)
{
	struct workers_spec spec = { .procs = 5, .body = body_waits,
	    .limit_ns = 50 * MS, .stagger_ns = UINT64_MAX, .gate = _i };
	struct workers w;

	ck_assert_int_eq(workers_run(&w, &spec), 0);
	ck_assert_int_eq(w.end, WORKERS_TIMEOUT);
	ck_assert_uint_eq(w.started, 1);
	none_is_left(&w);
	workers_free(&w);
}
END_TEST

START_TEST(a_limit_that_never_comes_does_not_matter)
{
	struct workers_spec spec = { .procs = 2, .body = body_no_result,
	    .limit_ns = UINT64_MAX };
	struct workers w;

	ck_assert_int_eq(workers_run(&w, &spec), 0);
	ck_assert_int_eq(w.end, WORKERS_OK);
	workers_free(&w);
}
END_TEST

static int
body_second_signals_parent(uint64_t index, void *result, void *arg)
{
	(void)result;
	if (index == 1)
		kill(getppid(), *(int *)arg);
	return wait_for_ever();
}

static volatile sig_atomic_t handled;

static void
handler(int signo)
{
	(void)signo;
	handled++;
}

static int told_signo, told_times;

/* All workers are still there: nobody was stopped yet. */
static void
tell(int signo, void *arg)
{
	const struct workers *w = arg;

	told_signo = signo;
	told_times++;
	for (uint64_t i = 0; i < w->started; i++)
		ck_assert(!w->worker[i].stopped && !w->worker[i].ended);
}

START_TEST(the_caller_is_told_of_the_first_signal_before_any_is_stopped)
{
	int signo = SIGTERM;
	struct workers w;
	struct workers_spec spec = { .procs = 3,
	    .body = body_second_signals_parent, .arg = &signo, .gate = 1,
	    .asked = tell, .asked_arg = &w };

	ck_assert_int_eq(workers_run(&w, &spec), 0);
	ck_assert_int_eq(w.end, WORKERS_SIGNAL);
	ck_assert_int_eq(told_signo, SIGTERM);
	ck_assert_int_eq(told_times, 1);
	workers_free(&w);
}
END_TEST

START_TEST(a_signal_that_asks_to_end_stops_all_and_is_reported)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	int signo = signals[_i];
	struct sigaction before, after;
	sigset_t mask_before, mask_after;
	struct workers w;
	char text[80];
	int i;

	ck_assert(signal(signo, handler) != SIG_ERR);
	sigaction(signo, NULL, &before);
	sigprocmask(SIG_SETMASK, NULL, &mask_before);
	w = run(4, body_second_signals_parent, &signo, 0);
	ck_assert_int_eq(w.end, WORKERS_SIGNAL);
	ck_assert_int_eq(w.signo, signo);
	others_were_stopped(&w);
	none_is_left(&w);
	snprintf(text, sizeof(text),
	    "asked to end by signal %d, stopped 4 of 4 workers", signo);
	says(&w, text);
	sigaction(signo, NULL, &after);
	sigprocmask(SIG_SETMASK, NULL, &mask_after);
	ck_assert(before.sa_handler == after.sa_handler);
	for (i = 1; i < SIGRTMAX; i++)
		ck_assert_int_eq(sigismember(&mask_before, i),
		    sigismember(&mask_after, i));
	ck_assert_int_eq(handled, 0);
	workers_free(&w);
}
END_TEST

static int
body_interrupts_both(uint64_t index, void *result, void *arg)
{
	(void)arg;
	(void)result;
	if (index != 8)		/* something to reap at the same time */
		return 0;
	kill(getppid(), SIGINT);	/* what a terminal does on ^C */
	kill(getpid(), SIGINT);
	return wait_for_ever();
}

START_TEST(a_worker_interrupted_together_with_the_parent_has_not_failed)
{
	struct workers w;
	int i;

	signal(SIGINT, handler);
	for (i = 0; i < 60; i++) {	/* the order of events is by chance */
		w = run(16, body_interrupts_both, NULL, 0);
		ck_assert_int_eq(w.end, WORKERS_SIGNAL);
		ck_assert_int_eq(w.signo, SIGINT);
		none_is_left(&w);
		workers_free(&w);
	}
}
END_TEST

static int
body_signals_parent_and_ends(uint64_t index, void *result, void *arg)
{
	struct sigaction action;

	(void)index;
	(void)result;
	kill(getppid(), *(int *)arg);
	sigaction(*(int *)arg, NULL, &action);
	return action.sa_handler == SIG_IGN ? 0 : 9;
}

START_TEST(an_ignored_signal_stays_ignored)
{
	int signo = SIGHUP;
	struct workers w;

	signal(SIGHUP, SIG_IGN);
	w = run(3, body_signals_parent_and_ends, &signo, 0);
	ck_assert_int_eq(w.end, WORKERS_OK);
	ck_assert_int_eq(w.signo, 0);
	workers_free(&w);
}
END_TEST

START_TEST(statuses_are_seen_even_if_the_caller_ignores_children)
{
	int status = 7;
	struct workers w;

	signal(SIGCHLD, SIG_IGN);
	w = run(4, body_last_returns, &status, 0);
	ck_assert_int_eq(w.end, WORKERS_FAILED);
	ck_assert_int_eq(workers_exit_status(&w), 7);
	workers_free(&w);
	ck_assert(signal(SIGCHLD, SIG_DFL) == SIG_IGN);
}
END_TEST

START_TEST(other_children_of_the_caller_are_no_workers)
{
	uint64_t base = 0;
	struct workers w;
	pid_t pid;

	if ((pid = fork()) == 0)
		_exit(5);
	ck_assert_int_ne(pid, -1);
	w = run(20, body_answer, &base, sizeof(struct answer));
	ck_assert_int_eq(w.end, WORKERS_OK);
	workers_free(&w);
}
END_TEST

START_TEST(what_cannot_be_started_is_refused)
{
	struct workers_spec spec = { .procs = 0, .body = body_waits };
	struct workers w;

	errno = 0;
	ck_assert_int_eq(workers_run(&w, &spec), -1);
	ck_assert_int_eq(errno, EINVAL);
	spec.procs = UINT64_MAX;
	ck_assert_int_eq(workers_run(&w, &spec), -1);
	ck_assert_int_eq(errno, ENOMEM);
	spec.procs = 3;
	spec.result_bytes = SIZE_MAX / 2;
	ck_assert_int_eq(workers_run(&w, &spec), -1);
	ck_assert_int_eq(errno, ENOMEM);
	spec.procs = 1;
	spec.result_bytes = SIZE_MAX - 65536;
	ck_assert_int_eq(workers_run(&w, &spec), -1);
	ck_assert_int_eq(errno, ENOMEM);
	ck_assert_int_eq(waitpid(-1, NULL, 0), -1);
	ck_assert_int_eq(errno, ECHILD);
}
END_TEST

static int
body_lowers_limit(uint64_t index, void *result, void *arg)
{
	struct rlimit none = { 0, 0 };

	(void)arg;
	(void)result;
	if (index == 3 && prlimit(getppid(), RLIMIT_NPROC, &none, NULL) == -1)
		return 1;
	return wait_for_ever();
}

/*
 * In a process of its own, as an ordinary user because the superuser is exempt
 * from the limit: worker 4 takes the right to fork from the parent.
 */
static int
fork_fails_midway(void)
{
	struct workers_spec spec = { .procs = 10000,
	    .body = body_lowers_limit, .stagger_ns = MS };
	char text[80], buf[200];
	struct workers w;

	if (geteuid() == 0 && setresuid(64321, 64321, 64321) == -1)
		return 10;
	if (workers_run(&w, &spec) == -1)
		return 11;
	if (w.end != WORKERS_FORK || w.error != EAGAIN)
		return 12;
	if (w.started < 4 || w.started >= 10000)
		return 13;
	snprintf(text, sizeof(text), "started %d of 10000: fork: "
	    "Resource temporarily unavailable", (int)w.started);
	if (strcmp(workers_describe(&w, buf, sizeof(buf)), text) != 0)
		return 14;
	if (workers_exit_status(&w) != EXIT_FAILED)
		return 15;
	if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
		return 16;
	workers_free(&w);
	return 0;
}

START_TEST(workers_started_before_fork_failed_are_stopped)
{
	int status;
	pid_t pid;

	if ((pid = fork()) == 0)
		_exit(fork_fails_midway());
	ck_assert_int_ne(pid, -1);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

static int
body_reports_and_waits(uint64_t index, void *result, void *arg)
{
	(void)index;
	(void)result;
	if (write(*(int *)arg, "x", 1) != 1)
		return 1;
	return wait_for_ever();
}

/*
 * A parent of five workers in a process of its own is sent signo.  All of them
 * hold the writing end of a pipe, whose end of file says that all are gone.
 */
static int
parent_is_sent(int signo)
{
	struct workers_spec spec = { .procs = 5, .gate = 1,
	    .body = body_reports_and_waits };
	int ends[2], status, n;
	struct workers w;
	char byte;
	pid_t pid;

	ck_assert_int_eq(pipe(ends), 0);
	if ((pid = fork()) == 0) {
		close(ends[0]);
		spec.arg = &ends[1];
		if (workers_run(&w, &spec) == 0 && w.end == WORKERS_SIGNAL)
			exits_by_signal(w.signo);
		_exit(9);
	}
	ck_assert_int_ne(pid, -1);
	close(ends[1]);
	for (n = 0; n < 5; n++)
		ck_assert_int_eq((int)read(ends[0], &byte, 1), 1);
	ck_assert_int_eq(kill(pid, signo), 0);
	ck_assert_int_eq((int)read(ends[0], &byte, 1), 0);
	close(ends[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

START_TEST(no_worker_outlives_its_parent)
{
	static const int signals[] = { SIGKILL, SIGTERM, SIGINT };
	int status = parent_is_sent(signals[_i]);

	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), signals[_i]);
}
END_TEST

static int
body_prints(uint64_t index, void *result, void *arg)
{
	(void)index;
	(void)arg;
	(void)result;
	printf("worker\n");
	return 0;
}

static int
print_to(int fd)
{
	struct workers_spec spec = { .procs = 3, .body = body_prints };
	struct workers w;

	if (dup2(fd, STDOUT_FILENO) == -1)
		return 20;
	printf("parent\n");
	if (workers_run(&w, &spec) == -1)
		return 21;
	return workers_exit_status(&w);
}

START_TEST(what_was_printed_before_is_printed_once)
{
	char text[200];
	int status, lines = 0;
	ssize_t i, n;
	pid_t pid;
	FILE *f;

	ck_assert_ptr_nonnull(f = tmpfile());
	fflush(NULL);
	if ((pid = fork()) == 0)
		_exit(print_to(fileno(f)));
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	n = pread(fileno(f), text, sizeof(text), 0);
	ck_assert_int_eq((int)n, 4 * 7);
	ck_assert_int_eq(memcmp(text, "parent\n", 7), 0);
	for (i = 0; i < n; i++)
		lines += text[i] == '\n';
	ck_assert_int_eq(lines, 4);
	fclose(f);
}
END_TEST

START_TEST(nobody_starts_when_earlier_output_cannot_be_written)
{
	int status, fd = open("/dev/full", O_WRONLY);
	pid_t pid;

	ck_assert_int_ne(fd, -1);
	fflush(NULL);
	if ((pid = fork()) == 0)
		_exit(print_to(fd));
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 21);
	close(fd);
}
END_TEST

static int
body_prints_to_full(uint64_t index, void *result, void *arg)
{
	int fd = open("/dev/full", O_WRONLY);

	(void)index;
	(void)arg;
	(void)result;
	if (fd == -1 || dup2(fd, STDOUT_FILENO) == -1)
		return 20;
	dup2(fd, STDERR_FILENO);	/* it has something to say there */
	printf("lost\n");
	return 0;
}

START_TEST(a_worker_whose_output_is_lost_has_failed)
{
	struct workers w = run(1, body_prints_to_full, NULL, 0);

	ck_assert_int_eq(w.end, WORKERS_FAILED);
	ck_assert_int_eq(workers_exit_status(&w), EXIT_FAILED);
	workers_free(&w);
}
END_TEST

static void
add_signal_tests(TCase *t)
{
	tcase_add_loop_test(t, the_time_limit_stops_all, 0, 2);
	tcase_add_loop_test(t, the_time_limit_holds_between_staggered_starts,
	    0, 2);
	tcase_add_test(t, a_limit_that_never_comes_does_not_matter);
	tcase_add_loop_test(t,
	    a_signal_that_asks_to_end_stops_all_and_is_reported, 0, 3);
	tcase_add_test(t,
	    a_worker_interrupted_together_with_the_parent_has_not_failed);
	tcase_add_test(t, an_ignored_signal_stays_ignored);
	tcase_add_test(t,
	    statuses_are_seen_even_if_the_caller_ignores_children);
	tcase_add_test(t, other_children_of_the_caller_are_no_workers);
	tcase_add_loop_test(t, no_worker_outlives_its_parent, 0, 3);
}

Suite *
workers_suite(void)
{
	Suite *s = suite_create("workers");
	TCase *t = tcase_create("workers");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, results_of_all_workers_reach_the_parent);
	tcase_add_test(t, workers_without_results_need_no_memory_for_them);
	tcase_add_test(t, a_thousand_workers_are_told_apart);
	tcase_add_test(t, the_usage_of_each_worker_is_its_own);
	tcase_add_test(t, behind_a_gate_nobody_starts_before_the_last_is_there);
	tcase_add_test(t, staggered_workers_start_one_after_the_other);
	tcase_add_test(t, without_a_gate_a_worker_need_not_wait_for_others);
	tcase_add_test(t, a_killed_worker_is_named_and_the_others_are_stopped);
	tcase_add_test(t, the_exit_status_of_a_failed_worker_is_passed_on);
	tcase_add_test(t, an_exit_status_that_wraps_round_to_0_is_a_failure);
	tcase_add_test(t, another_deadly_signal_is_a_failure_but_not_of_memory);
	tcase_add_test(t, a_worker_that_ignores_sigterm_is_killed);
	tcase_add_test(t,
	    the_caller_is_told_of_the_first_signal_before_any_is_stopped);
	tcase_add_test(t, what_cannot_be_started_is_refused);
	tcase_add_test(t, workers_started_before_fork_failed_are_stopped);
	tcase_add_test(t, what_was_printed_before_is_printed_once);
	tcase_add_test(t, nobody_starts_when_earlier_output_cannot_be_written);
	tcase_add_test(t, a_worker_whose_output_is_lost_has_failed);
	add_signal_tests(t);
	suite_add_tcase(s, t);
	return s;
}
