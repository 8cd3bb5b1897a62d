/* session: one guard at work; see session.h. */
#include <sys/syscall.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guard_mend.h"
#include "guard_processes.h"
#include "guard_session.h"
#include "guard_words.h"
#include "settings.h"

/* How often to look at the owner where the kernel has no pidfd (before 5.3). */
#define LOOK_MS 200

int
session_watch(struct session *s)
{
	struct process p;

	if (process_read(s->owner, &p) == -1)
		return -1;
	s->owner_start_ticks = p.start_ticks;
	s->watch = -1;
#ifdef SYS_pidfd_open
	s->watch = (int)syscall(SYS_pidfd_open, s->owner, 0);
	if (s->watch == -1 && errno == ESRCH)
		return -1;
#endif
	return 0;
}

int
session_begin(struct session *s, struct why *why)
{
	s->next_number = 1;
	return journal_begin(&s->journal, why);
}

static int
owner_gone(struct session *s)
{
	return s->owner != 0 &&
	    !process_alive(s->owner, s->owner_start_ticks);
}

static int
cancelled(void *session)
{
	struct session *s = session;
	struct pollfd p = { .fd = s->in, .events = 0 };

	if (owner_gone(s))
		return 1;
	return poll(&p, 1, 0) == 1 && (p.revents & POLLHUP) != 0;
}

static void
answer(const struct session *s, const char *kind, const char *text)
{
	char line[1200];
	size_t n;

	snprintf(line, sizeof(line) - 1, "%s%s%s", kind,
	    text != NULL ? ": " : "", text != NULL ? text : "");
	for (n = 0; line[n] != '\0'; n++)
		if (line[n] == '\n')
			line[n] = ' ';
	line[n++] = '\n';
	/* A caller who is gone or does not listen is no reason to end. */
	if (write(s->out, line, n) != (ssize_t)n)
		errno = 0;
}

static void
answer_result(const struct session *s, int result, const struct why *why)
{
	if (result == 0)
		answer(s, "ok", NULL);
	else
		answer(s, why->skip ? "skip" : "error", why->text);
}

/* What has failed half-way is undone at once. */
static void
take_back(struct session *s)
{
	struct action *a = s->actions.action[--s->actions.count];
	struct why why;
	enum undo result = a->verb->undo(a, &why);

	if (result == UNDO_FAILED) {
		s->actions.count++;	/* it is tried again in the end */
		return;
	}
	if (journal_undone(&s->journal, a) == -1)
		warn("%s/%s", s->journal.folder, s->journal.name);
	action_free(a);
}

static int
act(struct session *s, struct action *a, struct why *why)
{
	const struct action_env env = { cancelled, s };
	char memo[sizeof(a->memo)];

	if (a->verb->check(a, why) == -1 || (a->verb->prepare != NULL &&
	    a->verb->prepare(a, why) == -1)) {
		action_free(a);
		return -1;
	}
	a->number = s->next_number++;
	if (journal_list_add(&s->actions, a) == -1) {
		action_free(a);
		return why_error(why, "%s", strerror(errno));
	}
	if (journal_do(&s->journal, a) == -1) {
		why_error(why, "%s/%s: %s", s->journal.folder,
		    s->journal.name, strerror(errno));
		s->actions.count--;
		action_free(a);
		return -1;
	}
	strcpy(memo, a->memo);
	if (a->verb->perform != NULL && a->verb->perform(a, &env, why) == -1) {
		take_back(s);
		return -1;
	}
	if (strcmp(memo, a->memo) != 0 &&
	    journal_memo(&s->journal, a) == -1) {
		why_error(why, "%s/%s: %s", s->journal.folder,
		    s->journal.name, strerror(errno));
		take_back(s);
		return -1;
	}
	return 0;
}

static int
check_only(char **word, int words, struct why *why)
{
	struct action *a = action_new(word, words, why);
	int result;

	if (a == NULL)
		return -1;
	result = a->verb->check(a, why);
	action_free(a);
	return result;
}

/*
 * put FILE VALUE: as set, without undoing; only for the files of a group that
 * this guard has made, which go with it.
 */
static int
put(struct session *s, char **word, int words, struct why *why)
{
	struct action *a;
	const char *slash;
	size_t i, n;

	if (words != 2 || (slash = strrchr(word[0], '/')) == NULL)
		return why_error(why, "put: needs a file and a value");
	n = (size_t)(slash - word[0]);
	for (i = 0; i < s->actions.count; i++) {
		a = s->actions.action[i];
		if (strcmp(a->verb->name, "mkcgroup") == 0 &&
		    strlen(a->word[0]) == n &&
		    strncmp(a->word[0], word[0], n) == 0)
			return settings_write(word[0], word[1], why);
	}
	return why_error(why, "put: %s: not in a group made here", word[0]);
}

static int
set_mark(struct session *s, char **word, int words, struct why *why)
{
	if (words != 1 || strlen(word[0]) >= sizeof(s->mark[0].name))
		return why_error(why, "mark: needs a short name");
	if (s->marks == SESSION_MARKS_MAX)
		return why_error(why, "mark: too many");
	strcpy(s->mark[s->marks].name, word[0]);
	s->mark[s->marks++].count = s->actions.count;
	return 0;
}

/* Undo all that was done since the mark, which is gone then. */
static int
back(struct session *s, char **word, int words, struct why *why)
{
	size_t i = s->marks, down_to;
	int bad, again;

	while (words == 1 && i > 0 && strcmp(s->mark[i - 1].name, word[0]) != 0)
		i--;
	if (words != 1 || i == 0)
		return why_error(why, "back: no such mark");
	s->marks = i - 1;
	down_to = s->mark[s->marks].count;
	bad = mend_actions(&s->actions, down_to, &s->journal, NULL, &again);
	/* What may be tried again stays in the list until the end. */
	while (s->actions.count > down_to &&
	    s->actions.action[s->actions.count - 1]->undone)
		action_free(s->actions.action[--s->actions.count]);
	return bad == 0 ? 0 : why_error(why, "%d not undone", bad);
}

/* "ready": the script has opened both pipes, so drop our copies of its ends. */
static int
drop_ends(const struct session *s)
{
	if (s->in == SESSION_FD_IN) {
		close(SESSION_FD_TO_US);
		close(SESSION_FD_FROM_US);
	}
	return 0;
}

static void
serve(struct session *s, char *line)
{
	char *word[ACTION_WORDS_MAX + 2];
	struct why why = { .text = "" };
	struct action *a;
	int n, result;

	n = words_split(line, word, ACTION_WORDS_MAX + 2);
	if (n == -1)
		result = why_error(&why, "bad escape, or too many words");
	else if (n == 0)
		result = why_error(&why, "an empty line");
	else if (n == 1 && strcmp(word[0], "ready") == 0)
		result = drop_ends(s);
	else if (n == 1 && strcmp(word[0], "end") == 0)
		result = s->ended = 1;
	else if (strcmp(word[0], "check") == 0)
		result = check_only(word + 1, n - 1, &why);
	else if (strcmp(word[0], "put") == 0)
		result = put(s, word + 1, n - 1, &why);
	else if (strcmp(word[0], "mark") == 0)
		result = set_mark(s, word + 1, n - 1, &why);
	else if (strcmp(word[0], "back") == 0)
		result = back(s, word + 1, n - 1, &why);
	else if ((a = action_new(word, n, &why)) == NULL)
		result = -1;
	else
		result = act(s, a, &why);
	if (!s->ended)
		answer_result(s, result, &why);
}

/* Serve the whole lines read so far; keep the rest. */
static void
serve_lines(struct session *s)
{
	char *newline, *at = s->line;
	size_t left = s->length;

	while (!s->ended && !owner_gone(s) &&
	    (newline = memchr(at, '\n', left)) != NULL) {
		*newline = '\0';
		if (memchr(at, '\0', (size_t)(newline - at)) != NULL)
			answer(s, "error", "a NUL byte");
		else
			serve(s, at);
		left -= (size_t)(newline + 1 - at);
		at = newline + 1;
	}
	memmove(s->line, at, left);
	s->length = left;
	if (left == sizeof(s->line)) {
		answer(s, "error", "line too long");
		s->ended = 1;
	}
}

/* Wait for input or the end of the owner; nonzero when there is input. */
static int
wait_for_input(struct session *s)
{
	struct pollfd p[2] = { { .fd = s->in, .events = POLLIN },
	    { .fd = s->watch, .events = POLLIN } };
	int timeout = s->owner != 0 && s->watch == -1 ? LOOK_MS : -1;

	if (poll(p, s->watch != -1 ? 2 : 1, timeout) == -1)
		return 0;
	if ((s->watch != -1 && p[1].revents != 0) || owner_gone(s)) {
		s->ended = 1;
		return 0;
	}
	return p[0].revents != 0;
}

int
session_run(struct session *s)
{
	ssize_t n;
	int bad, again;

	while (!s->ended) {
		if (!wait_for_input(s))
			continue;
		n = read(s->in, s->line + s->length,
		    sizeof(s->line) - s->length);
		if (n == 0 || (n == -1 && errno != EINTR && errno != EAGAIN))
			break;
		if (n > 0)
			s->length += (size_t)n;
		serve_lines(s);
	}
	bad = mend_actions(&s->actions, 0, &s->journal, NULL, &again);
	journal_end(&s->journal, again > 0);
	if (again > 0)
		warnx("%s/%s keeps what was not undone: `undo` tries again",
		    s->journal.folder, s->journal.name);
	journal_list_free(&s->actions);
	if (bad == 0)
		answer(s, "done", NULL);
	else
		answer(s, "error", "not all was undone");
	return bad == 0 ? 0 : -1;
}
