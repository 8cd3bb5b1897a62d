/*
 * workers_report: how a run of workers ended, for people and for programs.
 */
#include <sys/mman.h>
#include <sys/wait.h>

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exits.h"
#include "workers.h"

static void describe_failed(const struct workers *, char *, size_t);
static uint64_t stopped_count(const struct workers *);

void *
workers_result(const struct workers *w, uint64_t i)
{
	if (w->results == NULL)
		return NULL;
	return (char *)w->results + (size_t)i * w->result_bytes;
}

void
workers_free(struct workers *w)
{
	if (w->results != NULL)
		munmap(w->results, (size_t)w->procs * w->result_bytes);
	free(w->worker);
	w->results = NULL;
	w->worker = NULL;
}

char *
workers_describe(const struct workers *w, char *buf, size_t size)
{
	switch (w->end) {
	case WORKERS_OK:
		snprintf(buf, size, "all %" PRIu64 " workers ended well",
		    w->procs);
		break;
	case WORKERS_FORK:
		snprintf(buf, size, "started %" PRIu64 " of %" PRIu64
		    ": fork: %s", w->started, w->procs, strerror(w->error));
		break;
	case WORKERS_FAILED:
		describe_failed(w, buf, size);
		break;
	case WORKERS_SIGNAL:
		snprintf(buf, size, "asked to end by signal %d, stopped %"
		    PRIu64 " of %" PRIu64 " workers", w->signo,
		    stopped_count(w), w->procs);
		break;
	case WORKERS_TIMEOUT:
		snprintf(buf, size, "time limit reached, stopped %" PRIu64
		    " of %" PRIu64 " workers", stopped_count(w), w->procs);
		break;
	}
	return buf;
}

int
workers_exit_status(const struct workers *w)
{
	int status;

	if (w->end == WORKERS_OK)
		return EXIT_GOOD;
	if (w->end == WORKERS_FORK && w->error == ENOMEM)
		return EXIT_MEMORY;
	if (w->end != WORKERS_FAILED || w->error != 0)
		return EXIT_FAILED;
	status = w->worker[w->first].status;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return WTERMSIG(status) == SIGKILL ? EXIT_MEMORY : EXIT_FAILED;
}

static void
describe_failed(const struct workers *w, char *buf, size_t size)
{
	const struct worker *worker = &w->worker[w->first];
	char how[128];

	if (w->error != 0)
		snprintf(how, sizeof(how), "wait: %s", strerror(w->error));
	else if (WIFEXITED(worker->status))
		snprintf(how, sizeof(how), "exit status %d",
		    WEXITSTATUS(worker->status));
	else if (WTERMSIG(worker->status) == SIGKILL)
		snprintf(how, sizeof(how), "killed by signal %d, "
		    "out of memory?", SIGKILL);
	else
		snprintf(how, sizeof(how), "killed by signal %d, %s",
		    WTERMSIG(worker->status),
		    strsignal(WTERMSIG(worker->status)));
	snprintf(buf, size, "worker %" PRIu64 " of %" PRIu64 " (pid %ld): %s",
	    w->first + 1, w->procs, (long)worker->pid, how);
}

static uint64_t
stopped_count(const struct workers *w)
{
	uint64_t i, n = 0;

	for (i = 0; i < w->started; i++)
		n += w->worker[i].stopped != 0;
	return n;
}
