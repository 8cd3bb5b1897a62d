/*
 * exits: the exit statuses of the suite, and the two ways a program may end
 * that need more than exit(3).
 */
#ifndef QS_EXITS_H
#define QS_EXITS_H

enum exit_status {
	EXIT_GOOD = 0,
	EXIT_FAILED = 1,	/* failed at run time */
	EXIT_USAGE = 2,		/* wrong use */
	EXIT_CORRUPT = 3,	/* data verification failed */
	EXIT_MEMORY = 4,	/* out of memory, or a worker was killed */
	EXIT_SKIPPED = 77,	/* not possible here; the reason was printed */
	EXIT_TIMEOUT = 124,	/* wrappers: the command's time limit passed */
	EXIT_OWN_FAULT = 125,	/* wrappers: the wrapper itself failed */
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NOT_FOUND = 127,
	EXIT_SIGNAL_BASE = 128	/* wrappers: 128 + signal of the command */
};

/*
 * Flush stdout and look whether everything reached it; a full disk or a closed
 * stdout must not pass for success.  Returns 0, or -1 with errno set.
 */
int exits_flush_stdout(void);

/*
 * End this process by the signal that asked it to end, so that its parent sees
 * the truth: restore the default action, unblock, raise.  Does not return.
 */
_Noreturn void exits_by_signal(int signo);

/*
 * The exit status a wrapper passes on for a wait status as wait(2) gives it:
 * the command's own exit status, or EXIT_SIGNAL_BASE + signal.
 */
int exits_from_wait(int wait_status);

#endif
