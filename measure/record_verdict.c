/*
 * verdict: how a run ended, in one word, and whether its figures can be
 * believed.
 */
#include <sys/wait.h>

#include <stdio.h>
#include <string.h>

#include "exits.h"
#include "proc.h"
#include "record_verdict.h"

static int any(uint64_t);
static int ended_by_oom(const struct verdict_end *);
static int is_disturbed(const struct verdict_run *, char *, size_t);
static int clock_is_disturbed(const struct verdict_run *, char *, size_t);
static int is_pressed(const struct verdict_run *, char *, size_t);
static int pages_exceed(const struct verdict_run *, uint64_t, double,
    const char *, char *, size_t);

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

const char *
verdict_pressure(const struct verdict_run *r, char *why, size_t size)
{
	why[0] = '\0';
	if (is_disturbed(r, why, size) || clock_is_disturbed(r, why, size))
		return "disturbed";
	if (is_pressed(r, why, size))
		return "pressed";
	if (r->stall_us == PROC_ABSENT && r->swapped_pages == PROC_ABSENT &&
	    r->refault_pages == PROC_ABSENT && r->scanned_pages == PROC_ABSENT)
		return NULL;
	return "slack";
}

/* A comparison with NAN is false. */
static int
is_disturbed(const struct verdict_run *r, char *why, size_t size)
{
	if (r->steal_pct > VERDICT_STEAL_PCT && r->steal_s >= VERDICT_CPU_MIN_S)
		snprintf(why, size, "steal %.1f%% (bound %d%%)", r->steal_pct,
		    VERDICT_STEAL_PCT);
	else if (r->foreign_pct > VERDICT_FOREIGN_PCT &&
	    r->foreign_s >= VERDICT_CPU_MIN_S && !r->beside_load)
		snprintf(why, size, "foreign CPU time %.1f%% (bound %d%%)",
		    r->foreign_pct, VERDICT_FOREIGN_PCT);
	else if (r->missed_pct > VERDICT_MISSED_PCT &&
	    r->missed >= VERDICT_MISSED_MIN)
		snprintf(why, size, "samples missed %.1f%% (bound %d%%)",
		    r->missed_pct, VERDICT_MISSED_PCT);
	else
		return 0;
	return 1;
}

static int
clock_is_disturbed(const struct verdict_run *r, char *why, size_t size)
{
	const uint64_t ms = 1000000;

	if (r->suspended_ns != PROC_ABSENT &&
	    r->suspended_ns > VERDICT_SUSPENDED_MS * ms)
		snprintf(why, size, "machine suspended %.1f s (bound %.1f s)",
		    (double)r->suspended_ns / 1e9, VERDICT_SUSPENDED_MS / 1e3);
	else if (r->clock_jump_ns != PROC_ABSENT &&
	    r->clock_jump_ns > VERDICT_JUMP_MS * ms &&
	    (double)r->clock_jump_ns >
	    (double)r->elapsed_ns * VERDICT_JUMP_PCT / 100)
		snprintf(why, size, "clock jumped %.1f s (bound %.1f s)",
		    (double)r->clock_jump_ns / 1e9, VERDICT_JUMP_MS / 1e3);
	else
		return 0;
	return 1;
}

static int
is_pressed(const struct verdict_run *r, char *why, size_t size)
{
	double stall_pct = r->stall_us == PROC_ABSENT || r->elapsed_ns == 0 ?
	    0 : 100 * (double)r->stall_us * 1e3 / (double)r->elapsed_ns;

	if (stall_pct > VERDICT_STALL_PCT) {
		snprintf(why, size, "memory stall %.1f%% (bound %d%%)",
		    stall_pct, VERDICT_STALL_PCT);
		return 1;
	}
	return pages_exceed(r, r->swapped_pages, VERDICT_MOVED_PCT, "swapped",
	    why, size) ||
	    pages_exceed(r, r->refault_pages, VERDICT_MOVED_PCT, "refaulted",
	    why, size) ||
	    pages_exceed(r, r->scanned_pages, VERDICT_SCANNED_PCT, "scanned",
	    why, size);
}

static int
pages_exceed(const struct verdict_run *r, uint64_t pages, double bound_pct,
    const char *what, char *why, size_t size)
{
	double kib, pct;

	if (pages == PROC_ABSENT || r->footprint_kib == PROC_ABSENT)
		return 0;
	kib = (double)pages * (double)r->page_kib;
	pct = 100 * kib / (r->footprint_kib > 0 ? (double)r->footprint_kib : 1);
	if (kib < VERDICT_MOVED_MIN_KIB || pct <= bound_pct)
		return 0;
	snprintf(why, size, "%s %.0f KiB, %.1f%% of the footprint "
	    "(bound %g%%)", what, kib, pct, bound_pct);
	return 1;
}
