/*
 * processes: who a pid is, so that a reused one is not taken for the old.
 */
#ifndef QS_GUARD_PROCESSES_H
#define QS_GUARD_PROCESSES_H

#include <sys/types.h>

#include <stdint.h>

struct process {
	char state;		/* as in /proc/PID/stat: 'Z' a zombie */
	int exiting;		/* nonzero: going, may hold locks yet */
	pid_t parent, group, session;
	uint64_t start_ticks;	/* since boot: pid and start name a process */
};

/* Read /proc/PID/stat.  Returns 0, or -1 with errno (ENOENT: no such). */
int process_read(pid_t pid, struct process *p);

/* Nonzero while the process pid that started at start_ticks runs on. */
int process_alive(pid_t pid, uint64_t start_ticks);

/* Nonzero when ancestor is pid's parent, grandparent or further up. */
int process_descends(pid_t pid, pid_t ancestor);

/*
 * How many live processes (no zombies) are in the group whose leader started
 * at start_ticks, in that session.  0 when the number names another group now,
 * -1 with errno when /proc cannot be read.
 */
int process_group_count(pid_t group, uint64_t start_ticks, pid_t session);

/* A pid from text of digits; -1 for anything else. */
long process_number(const char *text);

#endif
