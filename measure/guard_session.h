/*
 * session: one guard at work: reads actions, does them, answers, and in the
 * end undoes them.
 */
#ifndef QS_GUARD_SESSION_H
#define QS_GUARD_SESSION_H

#include <sys/types.h>

#include "guard_journal.h"

/*
 * Where the pipes of a guard beside a script are: the script opens
 * /proc/PID/fd/4 to write to it and /proc/PID/fd/5 to read from it.
 */
enum session_fd {
	SESSION_FD_IN = 3,
	SESSION_FD_TO_US = 4,	/* the other end of IN */
	SESSION_FD_FROM_US = 5,	/* the other end of OUT */
	SESSION_FD_OUT = 6,
	SESSION_FD_WATCH = 7,
	SESSION_FD_LAST = SESSION_FD_WATCH
};

#define SESSION_LINE_BYTES 32768
#define SESSION_MARKS_MAX 16

struct session {
	int in, out;		/* descriptors */
	pid_t owner;		/* also ends when this process does; 0 none */
	uint64_t owner_start_ticks;
	int watch;		/* its pidfd; -1 where the kernel has none */
	int ended;
	struct journal journal;
	struct journal_list actions;
	uint64_t next_number;
	struct {
		char name[64];
		size_t count;	/* of actions at that time */
	} mark[SESSION_MARKS_MAX];
	size_t marks;
	char line[SESSION_LINE_BYTES];
	size_t length;		/* of what was read */
};

/*
 * Note who the owner is, so that a reused pid is not taken for it.  Returns 0,
 * or -1 with errno.
 */
int session_watch(struct session *s);

/* Begin the journal.  0, or -1 and why. */
int session_begin(struct session *s, struct why *why);

/*
 * Serve until the end, then undo.  Returns 0; or -1 when something was not
 * undone, after telling so on stderr.
 */
int session_run(struct session *s);

#endif
