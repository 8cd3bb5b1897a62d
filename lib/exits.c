/*
 * exits: the two ways a program may end that need more than exit(3).
 */
#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "exits.h"

int
exits_flush_stdout(void)
{
	/* A failure before this flush has left its mark, but not its errno. */
	int failed = ferror(stdout);

	if (fflush(stdout) == EOF)
		return -1;
	if (failed) {
		errno = EIO;
		return -1;
	}
	return 0;
}

void
exits_by_signal(int signo)
{
	sigset_t set;

	signal(signo, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signo);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(signo);
	/* Still here: process 1, or a signal that ends nothing by default. */
	_exit(EXIT_SIGNAL_BASE + signo);
}

int
exits_from_wait(int wait_status)
{
	if (WIFEXITED(wait_status))
		return WEXITSTATUS(wait_status);
	if (WIFSIGNALED(wait_status))
		return EXIT_SIGNAL_BASE + WTERMSIG(wait_status);
	return EXIT_OWN_FAULT;	/* stopped or continued: it has not ended */
}
