/*
 * verdict: how a run ended, in one word, and whether its figures can be
 * believed.
 */
#include <sys/wait.h>

#include <stdio.h>
#include <string.h>

#include "exits.h"
#include "proc.h"
#include "verdict.h"

static int any(uint64_t);
static int ended_by_oom(const struct verdict_end *);

char *
verdict_outcome(char *buf, size_t size, const struct verdict_end *e)
{
	int exited = WIFEXITED(e->status), code = WEXITSTATUS(e->status);

	if (e->timed_out)
		snprintf(buf, size, "timeout");
	else if (e->asked != 0)
		snprintf(buf, size, "signal:%d", e->asked);
	else if (ended_by_oom(e))
		snprintf(buf, size, "oom");
	else if (!exited)
		snprintf(buf, size, "signal:%d", WTERMSIG(e->status));
	else if (e->good[code])
		snprintf(buf, size, "ok");
	else if (code == EXIT_MEMORY && !e->kill_seen)
		snprintf(buf, size, "enomem");
	else if (code == EXIT_CORRUPT)
		snprintf(buf, size, "corrupt");
	else
		snprintf(buf, size, "exit:%d", code);
	return buf;
}

static int
any(uint64_t count)
{
	return count != PROC_ABSENT && count > 0;
}

/*
 * A kill inside the command's own group tells enough, even when the rest of the
 * command went on and ended well.  One on the host may have met somebody else,
 * so it counts only where the command lost a process.
 */
static int
ended_by_oom(const struct verdict_end *e)
{
	if (any(e->oom_group))
		return 1;
	return any(e->oom_host) && (e->kill_seen || (WIFEXITED(e->status) &&
	    WEXITSTATUS(e->status) == EXIT_MEMORY));
}
