/*
 * killgroup: the verb about process groups: ends one, unless its number belongs
 * to another by then.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "guard_actions.h"
#include "guard_processes.h"

#define PAUSE_NS 2000000

static int killgroup_check(const struct action *, struct why *);
static int killgroup_prepare(struct action *, struct why *);
static enum undo killgroup_undo(const struct action *, struct why *);

const struct verb verbs_processes[] = {
	{ "killgroup", 1, 1, 0, 1, killgroup_check, killgroup_prepare, NULL,
	    killgroup_undo },
	{ .name = NULL }
};

static int
killgroup_check(const struct action *a, struct why *why)
{
	struct process p;
	long pgid;

	pgid = process_number(a->word[0]);
	if (pgid <= 1)
		return why_error(why, "killgroup %s: not a process group",
		    a->word[0]);
	if (pgid == getpgid(0))
		return why_error(why, "killgroup %s: guard's own group",
		    a->word[0]);
	if (process_read((pid_t)pgid, &p) == -1 || p.group != (pid_t)pgid)
		return why_error(why, "killgroup %s: no process leads such "
		    "a group", a->word[0]);
	return 0;
}

static int
killgroup_prepare(struct action *a, struct why *why)
{
	struct process p;

	if (process_read((pid_t)process_number(a->word[0]), &p) == -1)
		return why_error(why, "killgroup %s: %s", a->word[0],
		    strerror(errno));
	snprintf(a->memo, sizeof(a->memo), "%llu:%d",
	    (unsigned long long)p.start_ticks, (int)p.session);
	return 0;
}

/* SIGTERM, a second of grace, SIGKILL, and wait until none is left. */
static enum undo
killgroup_undo(const struct action *a, struct why *why)
{
	pid_t group = (pid_t)process_number(a->word[0]);
	unsigned long long start;
	uint64_t begin = clock_now_ns();
	int session, left, rounds;

	if (sscanf(a->memo, "%llu:%d", &start, &session) != 2) {
		why_error(why, "killgroup %d: no start time", (int)group);
		return UNDO_FAILED;
	}
	for (rounds = 0;; rounds++) {
		left = process_group_count(group, start, (pid_t)session);
		if (left == 0)
			return rounds == 0 ? UNDO_NOTHING : UNDO_DONE;
		if (left == -1 || clock_now_ns() - begin >
		    ACTION_UNDO_SECONDS * CLOCK_NS_PER_S)
			break;
		if (rounds == 0) {
			kill(-group, SIGTERM);
			kill(-group, SIGCONT);
		} else if (clock_now_ns() - begin > CLOCK_NS_PER_S) {
			kill(-group, SIGKILL);
		}
		clock_sleep_until(clock_now_ns() + PAUSE_NS);
	}
	why_error(why, "process group %d: does not end", (int)group);
	return UNDO_FAILED;
}
