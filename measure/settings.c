/*
 * settings: the verb "set FILE VALUE": writes a value to a sysctl, a sysfs or
 * a cgroup file, reads it back, and restores the old value later.
 *
 * The old value is restored only while the file still holds what was set: who
 * changed it since did so on purpose.  Files with more than one line are
 * refused, they are not settings.
 */
#include <sys/stat.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guard_actions.h"
#include "settings.h"

static int set_check(const struct action *, struct why *);
static int set_prepare(struct action *, struct why *);
static int set_perform(struct action *, const struct action_env *,
    struct why *);
static enum undo set_undo(const struct action *, struct why *);

const struct verb verbs_settings[] = {
	{ "set", 2, 2, 0, 0, set_check, set_prepare, set_perform, set_undo },
	{ .name = NULL }
};

/* Runs of blanks become one space, those at the ends go. */
static void
squeeze(char *text)
{
	char *in = text, *out = text;

	for (; *in != '\0'; in++)
		if (!isspace((unsigned char)*in))
			*out++ = *in;
		else if (out > text && out[-1] != ' ')
			*out++ = ' ';
	if (out > text && out[-1] == ' ')
		out--;
	*out = '\0';
}

void
settings_chosen(char *text)
{
	char *open, *end, *w;
	size_t n;

	squeeze(text);
	open = NULL;
	for (w = text; *w != '\0'; w += n + (w[n] == ' ')) {
		n = strcspn(w, " ");
		if (w[0] != '[' || w[n - 1] != ']' || n < 3)
			continue;
		if (open != NULL)
			return;
		open = w;
	}
	if (open == NULL)
		return;
	end = open + strcspn(open, " ") - 1;
	n = (size_t)(end - open) - 1;
	memmove(text, open + 1, n);
	text[n] = '\0';
}

/* "Y" and "N" are how boolean module parameters show 1 and 0. */
static const char *
plain(const char *text)
{
	if (strcmp(text, "Y") == 0 || strcmp(text, "y") == 0)
		return "1";
	if (strcmp(text, "N") == 0 || strcmp(text, "n") == 0)
		return "0";
	return text;
}

int
settings_same(const char *a, const char *b)
{
	long long x, y;
	char *end;

	a = plain(a);
	b = plain(b);
	if (strcmp(a, b) == 0)
		return 1;
	if (*a == '\0' || *b == '\0')
		return 0;
	errno = 0;
	x = strtoll(a, &end, 10);
	if (*end != '\0' || errno != 0)
		return 0;
	y = strtoll(b, &end, 10);
	return *end == '\0' && errno == 0 && x == y;
}

int
settings_read(const char *file, char *value, size_t size, struct why *why)
{
	ssize_t n;
	char *newline;
	int fd;

	fd = open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd == -1)
		return why_error(why, "%s: %s", file, strerror(errno));
	n = read(fd, value, size - 1);
	if (n == -1) {
		why_error(why, "%s: %s", file, strerror(errno));
		close(fd);
		return -1;
	}
	close(fd);
	value[n] = '\0';
	newline = strchr(value, '\n');
	if ((size_t)n == size - 1 || (newline != NULL && newline[1] != '\0'))
		return why_error(why, "%s: holds more than one value", file);
	settings_chosen(value);
	return 0;
}

int
settings_write(const char *file, const char *value, struct why *why)
{
	char now[1024], line[1026];
	ssize_t got;
	int fd, n, error;

	fd = open(file, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_NONBLOCK |
	    O_CLOEXEC);
	if (fd == -1)
		return why_error(why, "%s: %s", file, strerror(errno));
	/* One write: these files take every write as a whole value. */
	n = snprintf(line, sizeof(line), "%s\n", value);
	got = write(fd, line, (size_t)n);
	if (got == -1 || got < n - 1) {
		error = got == -1 ? errno : EIO;
		why_error(why, "%s: %s: %s", file, value, strerror(error));
		close(fd);
		errno = error;
		return -1;
	}
	if (close(fd) == -1)
		return why_error(why, "%s: %s: %s", file, value,
		    strerror(errno));
	if (settings_read(file, now, sizeof(now), why) == -1)
		return -1;
	if (!settings_same(now, value))
		return why_error(why, "%s: reads %s after %s was written",
		    file, now, value);
	return 0;
}

static int
set_check(const struct action *a, struct why *why)
{
	char now[1024];
	struct stat st;
	const char *file = a->word[0];

	if (file[0] != '/')
		return why_error(why, "%s: not an absolute path", file);
	if (strchr(a->word[1], '\n') != NULL ||
	    strlen(a->word[1]) >= sizeof(now))
		return why_error(why, "%s: not a value of one line", file);
	if (lstat(file, &st) == -1)
		return why_error(why, "%s: %s", file, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return why_error(why, "%s: not an ordinary file", file);
	if (access(file, R_OK | W_OK) == -1)
		return why_error(why, "%s: %s", file, strerror(errno));
	return settings_read(file, now, sizeof(now), why);
}

/*
 * The file that the kernel zeroes when this one is written, into other; NULL
 * when it has no such twin.  Sources: mm/page-writeback.c and mm/util.c.
 */
static const char *
twin(const char *file, char other[64])
{
	static const char folder[] = "/proc/sys/vm/";
	static const char *const twins[][2] = {
		{ "dirty_bytes", "dirty_ratio" },
		{ "dirty_background_bytes", "dirty_background_ratio" },
		{ "overcommit_kbytes", "overcommit_ratio" },
	};
	const char *name = file + strlen(folder);
	size_t i, k;

	if (strncmp(file, folder, strlen(folder)) != 0)
		return NULL;
	for (i = 0; i < sizeof(twins) / sizeof(*twins); i++)
		for (k = 0; k < 2; k++)
			if (strcmp(name, twins[i][k]) == 0) {
				snprintf(other, 64, "%s%s", folder,
				    twins[i][1 - k]);
				return other;
			}
	return NULL;
}

/* The memo is the old value; of twins "OLD:OLD-OF-THE-OTHER", both numbers. */
static int
set_prepare(struct action *a, struct why *why)
{
	char other[64], value[64];

	if (settings_read(a->word[0], a->memo, sizeof(a->memo), why) == -1)
		return -1;
	if (twin(a->word[0], other) == NULL ||
	    settings_read(other, value, sizeof(value), why) == -1)
		return 0;
	if (strlen(a->memo) < 64)
		snprintf(a->memo + strlen(a->memo), 66, ":%s", value);
	return 0;
}

/*
 * Of twins the one that was in force is written: a 0 means that the other was,
 * and cannot be written, or would not bring that one back.
 */
static int
restore(const struct action *a, struct why *why)
{
	char old[sizeof(a->memo)], other[64], *colon;

	strcpy(old, a->memo);
	if (twin(a->word[0], other) == NULL ||
	    (colon = strchr(old, ':')) == NULL)
		return settings_write(a->word[0], old, why);
	*colon++ = '\0';
	if (settings_same(old, "0") && !settings_same(colon, "0"))
		return settings_write(other, colon, why);
	return settings_write(a->word[0], old, why);
}

static int
set_perform(struct action *a, const struct action_env *env, struct why *why)
{
	struct why ignored;

	(void)env;
	squeeze(a->word[1]);
	if (settings_write(a->word[0], a->word[1], why) == 0)
		return 0;
	/* A value that was taken but changed is not one set_undo expects. */
	restore(a, &ignored);
	return -1;
}

static enum undo
set_undo(const struct action *a, struct why *why)
{
	char now[1024], old[sizeof(a->memo)], other[64];

	if (access(a->word[0], F_OK) == -1 && errno == ENOENT)
		return UNDO_NOTHING;
	if (settings_read(a->word[0], now, sizeof(now), why) == -1)
		return UNDO_FAILED;
	strcpy(old, a->memo);
	if (twin(a->word[0], other) != NULL)
		old[strcspn(old, ":")] = '\0';
	if (settings_same(now, old))
		return UNDO_NOTHING;
	/* An ordinary file is empty between its truncation and the write. */
	if (now[0] != '\0' && !settings_same(now, a->word[1])) {
		why_error(why, "%s: is %s by now, was set to %s, before "
		    "that %s; left alone", a->word[0], now, a->word[1], old);
		return UNDO_LEFT;
	}
	return restore(a, why) == 0 ? UNDO_DONE : UNDO_FAILED;
}
