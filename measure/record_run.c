/*
 * run: run one command, learn what it cost, and leave nothing of it behind.
 *
 * The part that runs in record itself.  The command has a process group of its
 * own, so that one which signals its whole group (`kill 0` in a trap) does not
 * end the instrument.  It starts in the background of our terminal, so that ^C
 * and ^Z reach us, and what is in our group, as they would without us; when it
 * reads the terminal, it is handed over (keeper.c).
 */
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "record_keeper.h"
#include "record_remains.h"
#include "record_run.h"

#define STACK_BYTES	(64 * 1024)

static sigset_t old_mask;
static int on_terminal;		/* nonzero: it was handed over */

static struct keeper *shared(void);
static void take_signals(sigset_t *);
static int start_keeper(struct keeper *, pid_t *);
static int attend(const struct run_spec *, struct keeper *, pid_t);
static int next_signal(const struct run_spec *, const sigset_t *, pid_t *);
static void handle(struct keeper *, pid_t, int, pid_t);
static void stop_with_command(const struct keeper *);

int
run_command(const struct run_spec *spec, struct run_result *result)
{
	static struct keeper common;
	struct keeper *k;
	pid_t keeper;
	int status;

	memset(result, 0, sizeof(*result));
	k = spec->copy ? shared() : &common;
	if (k == NULL)
		return -1;
	memset(k, 0, sizeof(*k));
	take_signals(&k->signals);
	k->mask = old_mask;
	k->spec = spec;
	k->record = getpid();
	k->group = getpgrp();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	status = start_keeper(k, &keeper);
	if (status == 0)
		status = attend(spec, k, keeper);
	*result = k->result;
	on_terminal = k->result.on_terminal;
	return status;
}

/* Memory that stays common to us and a keeper with a copy of ours. */
static struct keeper *
shared(void)
{
	void *k = mmap(NULL, sizeof(struct keeper), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return k == MAP_FAILED ? NULL : k;
}

int
run_clear(const struct run_spec *spec, struct run_result *result)
{
	struct remains r;
	int status;

	/* The usual case is that there is nothing; then this costs one call. */
	status = remains_end(spec->grace_ns, &r);
	result->stopped = r.ended;
	result->stuck = r.stuck;
	/* What was in the group that we killed has died of that. */
	if (r.kill_seen && !result->killed)
		result->kill_seen = 1;
	return status;
}

void
run_restore(void)
{
	int tty = on_terminal ?
	    open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY) : -1;

	/* SIGTTOU is blocked: we are in the background. */
	if (tty != -1) {
		tcsetpgrp(tty, getpgrp());
		close(tty);
	}
	sigprocmask(SIG_SETMASK, &old_mask, NULL);
}

/*
 * Block what is to be handed on.  What was ignored when we were started
 * (nohup(1), a shell's background) stays so; blocked it would be kept for us.
 */
static void
take_signals(sigset_t *signals)
{
	static const int handed_on[] = {
		SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT
	};
	struct sigaction action;
	sigset_t blocked;
	size_t i;

	sigemptyset(signals);
	for (i = 0; i < sizeof(handed_on) / sizeof(handed_on[0]); i++) {
		if (sigaction(handed_on[i], NULL, &action) == 0 &&
		    action.sa_handler != SIG_IGN)
			sigaddset(signals, handed_on[i]);
	}
	signal(SIGCHLD, SIG_DFL);	/* ignored, children leave no status */
	blocked = *signals;
	sigaddset(&blocked, SIGCHLD);
	sigaddset(&blocked, SIGTERM);	/* the keeper is told so of our end */
	sigaddset(&blocked, SIGTTOU);	/* for tcsetpgrp */
	sigprocmask(SIG_BLOCK, &blocked, &old_mask);
}

static int
start_keeper(struct keeper *k, pid_t *keeper)
{
	size_t words = 0, bytes;
	int flags = SIGCHLD;
	char *stack;

	/* execvp(3) copies argv onto the stack for a script without "#!". */
	while (k->spec->argv[words] != NULL)
		words++;
	bytes = STACK_BYTES + words * sizeof(char *);
	bytes += (size_t)-bytes % 64;
	stack = mmap(NULL, STACK_BYTES + bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (stack == MAP_FAILED)
		return -1;
	k->command_stack = stack + STACK_BYTES + bytes;
	/* Sharing saves about a tenth of the time that `true` takes. */
	if (!k->spec->copy)
		flags |= CLONE_VM;
	*keeper = clone(keeper_main, stack + STACK_BYTES, flags, k);
	return *keeper == -1 ? -1 : 0;
}

/* Hand signals on until the keeper has ended. */
static int
attend(const struct run_spec *spec, struct keeper *k, pid_t keeper)
{
	sigset_t signals;
	pid_t sender, pid;
	int signo, status;

	signals = k->signals;
	sigaddset(&signals, SIGCHLD);
	while ((pid = waitpid(keeper, &status, WNOHANG)) == 0) {
		signo = next_signal(spec, &signals, &sender);
		if (signo > 0)
			handle(k, keeper, signo, sender);
		else if (spec->idle != NULL)
			spec->idle(spec->arg);
	}
	if (pid == -1)
		return -1;
	if (k->done && k->fork_error == 0)
		return 0;
	errno = k->done ? k->fork_error : ECHILD;
	return -1;
}

/*
 * The next signal, or -1 after idle_ns.  errno is left alone where the keeper
 * may be using it, except when we were stopped and continued.
 */
static int
next_signal(const struct run_spec *spec, const sigset_t *signals, pid_t *sender)
{
	struct timespec wait;
	siginfo_t info;
	int signo;

	if (spec->idle != NULL) {
		wait.tv_sec = (time_t)(spec->idle_ns / CLOCK_NS_PER_S);
		wait.tv_nsec = (long)(spec->idle_ns % CLOCK_NS_PER_S);
		signo = sigtimedwait(signals, &info, &wait);
	} else {
		signo = sigwaitinfo(signals, &info);
	}
	if (signo > 0)
		*sender = info.si_pid;
	return signo;
}

static void
handle(struct keeper *k, pid_t keeper, int signo, pid_t sender)
{
	switch (signo) {
	case SIGCHLD:
		return;
	case SIGTSTP:
		if (sender != keeper)
			break;
		stop_with_command(k);
		kill(keeper, SIGCONT);
		return;
	case SIGCONT:
		break;
	default:
		k->result.asked = signo;
	}
	kill(keeper, signo);
}

/*
 * The command has stopped, so we do, with those above us when ^Z would have
 * reached them too.  SIGTSTP and not SIGSTOP: where nobody could continue us
 * (an orphaned process group) the kernel ignores it, and all goes on.
 */
static void
stop_with_command(const struct keeper *k)
{
	sigset_t stop;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	kill(k->stop_group ? 0 : getpid(), SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, NULL);
	sigprocmask(SIG_BLOCK, &stop, NULL);
}
