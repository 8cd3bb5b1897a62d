/*
 * keeper: the process between record and the command (see run.h).
 *
 * It may share record's memory (clone(2), CLONE_VM), as a thread would, and
 * then shares errno too.  So it calls nothing but system calls and what is safe
 * in a signal handler, and record does nothing but wait while it lives.
 */
#ifndef QS_RECORD_KEEPER_H
#define QS_RECORD_KEEPER_H

#include <sys/types.h>

#include <signal.h>

#include "record_run.h"

/* How record and the keeper know each other; in memory shared by both. */
struct keeper {
	const struct run_spec *spec;
	pid_t record;		/* its pid */
	pid_t group;		/* its process group */
	pid_t keeper;		/* the keeper's own pid */
	void *command_stack;	/* the upper end of a stack, until the exec */
	int stop_group;		/* nonzero: all of record's group is to stop */
	sigset_t mask;		/* the command's signal mask */
	sigset_t signals;	/* to be handed on to it */
	struct run_result result;
	int fork_error;		/* errno: no process for the command */
	int done;		/* nonzero: result says how the command ended */
};

/* The body of the process, for clone(2); k is a struct keeper. */
int keeper_main(void *k);

#endif
