/*
 * workers_run: what workers.c, which starts workers, and workers_watch.c, which
 * watches them, share.  Nobody else needs it.
 */
#ifndef QS_WORKERS_RUN_H
#define QS_WORKERS_RUN_H

#include <sys/types.h>

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "workers.h"

#define RUN_NEVER UINT64_MAX

struct run {
	struct workers *w;
	const struct workers_spec *spec;
	pid_t parent;
	int gate[2];		/* workers read it until all writers are gone */
	size_t *slots;		/* hash of pids: index + 1, or 0 */
	size_t slots_mask;
	uint64_t ended;
	uint64_t deadline_ns;	/* when the limit, or the grace, is over */
	int stopping;
	sigset_t requests;	/* signals that ask us to end */
	sigset_t taken;		/* those and SIGCHLD */
	sigset_t old_mask;
	struct sigaction old_chld;
};

/*
 * Take over the signals; give them back, in the parent; have default actions
 * instead, in a worker.
 */
void workers_signals_take(struct run *r);
void workers_signals_return(struct run *r);
void workers_signals_drop(const struct run *r);

/* Know worker `index` by its pid from now on. */
void workers_pid_add(struct run *r, uint64_t index);

/*
 * Wait until something happens and see to it; or until until_ns or the
 * deadline.  An until_ns that has passed sees to what has happened already.
 */
void workers_event_wait(struct run *r, uint64_t until_ns);

/* End it all for this reason, unless that is being done already. */
void workers_stop(struct run *r, enum workers_end end);

#endif
