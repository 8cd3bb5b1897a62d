/*
 * actions: what guard can do and undo: the verbs about files, and what all
 * verbs share.  The others are in settings.c, groups.c,
 * killgroup.c, swaps.c and zram.c.
 */
#include <sys/stat.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guard_actions.h"
#include "guard_words.h"

static int file_check(const struct action *, struct why *);
static int file_prepare(struct action *, struct why *);
static enum undo unlink_undo(const struct action *, struct why *);
static enum undo rmdir_undo(const struct action *, struct why *);

static const struct verb verbs_files[] = {
	{ "unlink", 1, 1, 1, 0, file_check, file_prepare, NULL, unlink_undo },
	{ "rmdir", 1, 1, 1, 0, file_check, file_prepare, NULL, rmdir_undo },
	{ .name = NULL }
};

static const struct verb *const all_verbs[] = {
	verbs_files, verbs_settings, verbs_groups, verbs_processes, verbs_swaps,
	verbs_zram
};

/* The verb called name; a name of two words ("zram reset") is tried first. */
static const struct verb *
find_verb(char *const *word, int words, int *used)
{
	const struct verb *v;
	size_t i, n;

	for (i = 0; i < sizeof(all_verbs) / sizeof(*all_verbs); i++)
		for (v = all_verbs[i]; v->name != NULL; v++) {
			n = strcspn(v->name, " ");
			*used = 1;
			if (strlen(word[0]) != n ||
			    strncmp(v->name, word[0], n) != 0)
				continue;
			if (v->name[n] == '\0')
				return v;
			*used = 2;
			if (words > 1 && strcmp(v->name + n + 1, word[1]) == 0)
				return v;
		}
	return NULL;
}

struct action *
action_new(char *const *word, int words, struct why *why)
{
	const struct verb *v;
	struct action *a;
	size_t bytes = 0;
	char *text;
	int i, used;

	v = words > 0 ? find_verb(word, words, &used) : NULL;
	if (v == NULL) {
		why_error(why, "no such action: %.100s",
		    words > 0 ? word[0] : "");
		return NULL;
	}
	if (words - used < v->words_min || words - used > v->words_max) {
		why_error(why, "%s: wrong number of words", v->name);
		return NULL;
	}
	for (i = used; i < words; i++)
		bytes += strlen(word[i]) + 1;
	a = calloc(1, sizeof(*a) + bytes);
	if (a == NULL) {
		why_error(why, "%s: %s", v->name, strerror(errno));
		return NULL;
	}
	a->verb = v;
	a->lock_fd = -1;
	text = (char *)(a + 1);
	for (i = used; i < words; i++) {
		a->word[a->words++] = strcpy(text, word[i]);
		text += strlen(word[i]) + 1;
	}
	return a;
}

void
action_free(struct action *a)
{
	if (a == NULL)
		return;
	if (a->lock_fd != -1)
		close(a->lock_fd);
	free(a);
}

char *
action_print(const struct action *a, char *buf, size_t size)
{
	size_t n;
	int i, got;

	snprintf(buf, size, "%s", a->verb->name);
	for (i = 0; i < a->words; i++) {
		n = strlen(buf);
		if (n + 2 > size)
			break;
		buf[n++] = ' ';
		got = words_escape(buf + n, size - n, a->word[i]);
		if (got == -1) {
			buf[n] = '\0';
			break;
		}
	}
	return buf;
}

int
action_identity(const char *path, char *buf, size_t size)
{
	struct stat st;

	if (lstat(path, &st) == -1) {
		snprintf(buf, size, "-");
		return errno == ENOENT ? 0 : -1;
	}
	snprintf(buf, size, "%llx:%llx", (unsigned long long)st.st_dev,
	    (unsigned long long)st.st_ino);
	return 0;
}

int
action_is_other(const struct action *a, const char *path)
{
	char now[64];

	if (a->memo[0] == '\0' || strcmp(a->memo, "-") == 0)
		return 0;
	return action_identity(path, now, sizeof(now)) == 0 &&
	    strcmp(now, "-") != 0 && strcmp(now, a->memo) != 0;
}

static int
file_check(const struct action *a, struct why *why)
{
	struct stat st;
	const char *path = a->word[0];

	if (path[0] != '/')
		return why_error(why, "%s: not an absolute path", path);
	if (lstat(path, &st) == -1)
		return errno == ENOENT ? 0 :
		    why_error(why, "%s: %s", path, strerror(errno));
	if (st.st_uid != geteuid())
		return why_error(why, "%s: belongs to another user", path);
	if (S_ISDIR(st.st_mode) != (strcmp(a->verb->name, "rmdir") == 0))
		return why_error(why, "%s: %s", path,
		    S_ISDIR(st.st_mode) ? "a folder" : "not a folder");
	return 0;
}

static int
file_prepare(struct action *a, struct why *why)
{
	if (action_identity(a->word[0], a->memo, sizeof(a->memo)) == -1)
		return why_error(why, "%s: %s", a->word[0],
		    strerror(errno));
	return 0;
}

static enum undo
file_undo(const struct action *a, struct why *why, int (*take)(const char *))
{
	if (action_is_other(a, a->word[0])) {
		why_error(why, "%s: another one by now, left alone",
		    a->word[0]);
		return UNDO_LEFT;
	}
	if (take(a->word[0]) == 0)
		return UNDO_DONE;
	if (errno == ENOENT)
		return UNDO_NOTHING;
	why_error(why, "%s: %s", a->word[0], strerror(errno));
	return UNDO_FAILED;
}

static enum undo
unlink_undo(const struct action *a, struct why *why)
{
	return file_undo(a, why, unlink);
}

static enum undo
rmdir_undo(const struct action *a, struct why *why)
{
	return file_undo(a, why, rmdir);
}
