/* journal: what a guard has promised to undo, on disk; see journal.h. */
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guard_journal.h"
#include "guard_processes.h"
#include "guard_words.h"
#include "units.h"

#define LINE_BYTES 40000
#define JOURNAL_BYTES_MAX (8 << 20)
#define TRIES 20

int
journal_folder(int i, char *path, size_t size)
{
	const char *own = getenv("QS_JOURNALS");
	const char *xdg = getenv("XDG_RUNTIME_DIR");

	if (own != NULL && own[0] == '/') {
		snprintf(path, size, "%s", own);
		return i == 0 ? 0 : -1;
	}
	if (geteuid() == 0 && i-- == 0) {
		snprintf(path, size, "/run/qsb");
		return 0;
	}
	if (geteuid() != 0 && xdg != NULL && xdg[0] == '/' && i-- == 0) {
		snprintf(path, size, "%s/qsb", xdg);
		return 0;
	}
	snprintf(path, size, "/tmp/qsb-%lu", (unsigned long)geteuid());
	return i == 0 ? 0 : -1;
}

int
journal_open_folder(const char *path, int make, struct why *why)
{
	struct stat st;
	int fd, error;

	if (make && mkdir(path, 0700) == -1 && errno != EEXIST)
		return why_error(why, "%s: %s", path, strerror(errno));
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd == -1 || fstat(fd, &st) == -1) {
		error = errno;
		why_error(why, "%s: %s", path, strerror(error));
		if (fd != -1)
			close(fd);
		errno = error;
		return -1;
	}
	if (st.st_uid != geteuid() || (st.st_mode & 077) != 0) {
		why_error(why, "%s: not private to this user (owner %lu, "
		    "mode %04o)", path, (unsigned long)st.st_uid,
		    (unsigned)(st.st_mode & 07777));
		close(fd);
		errno = EPERM;
		return -1;
	}
	return fd;
}

/* One line by one write, then to the disk; all of it or nothing. */
static int
put_line(int fd, const char *line)
{
	size_t n = strlen(line);
	off_t before = lseek(fd, 0, SEEK_END);
	int error;

	errno = ENOSPC;		/* of a write that was only short */
	if (write(fd, line, n) == (ssize_t)n && fsync(fd) == 0)
		return 0;
	error = errno;
	if (before != -1 && ftruncate(fd, before) == -1)
		error = errno;
	errno = error;
	return -1;
}

static void
boot_id(char *text, size_t size)
{
	ssize_t n;
	int fd;

	fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	n = fd == -1 ? -1 : read(fd, text, size - 1);
	if (fd != -1)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	if (text[0] == '\0')
		snprintf(text, size, "-");
}

static int
create(struct journal *j, struct why *why)
{
	struct process self;
	char line[256], boot[64];
	uint32_t random;
	int error;

	if (process_read(getpid(), &self) == -1 ||
	    getrandom(&random, sizeof(random), 0) != sizeof(random))
		return why_error(why, "/proc/self/stat: %s",
		    strerror(errno));
	snprintf(j->name, sizeof(j->name), "%ld-%" PRIu64 "-%08" PRIx32,
	    (long)getpid(), self.start_ticks, random);
	j->fd = openat(j->folder_fd, j->name, O_RDWR | O_CREAT | O_EXCL |
	    O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (j->fd == -1) {
		error = errno;
		why_error(why, "%s/%s: %s", j->folder, j->name,
		    strerror(error));
		errno = error;
		return -1;
	}
	boot_id(boot, sizeof(boot));
	snprintf(line, sizeof(line), "qsb-journal 1 %ld %" PRIu64 " %s\n",
	    (long)getpid(), self.start_ticks, boot);
	if (flock(j->fd, LOCK_EX | LOCK_NB) == -1 ||
	    put_line(j->fd, line) == -1) {
		why_error(why, "%s/%s: %s", j->folder, j->name,
		    strerror(errno));
		unlinkat(j->folder_fd, j->name, 0);
		close(j->fd);
		return -1;
	}
	fsync(j->folder_fd);
	return 0;
}

int
journal_begin(struct journal *j, struct why *why)
{
	struct why first = { .text = "" };
	int i, tries, gone;

	for (i = 0; journal_folder(i, j->folder, sizeof(j->folder)) == 0;
	    i++) {
		for (tries = 0; tries < TRIES; tries++) {
			j->folder_fd = journal_open_folder(j->folder, 1, why);
			if (j->folder_fd == -1)
				break;
			if (create(j, why) == 0)
				return 0;
			/* Another guard may have dropped it in between. */
			gone = errno == ENOENT;
			close(j->folder_fd);
			if (!gone)
				break;
		}
		if (i == 0)
			first = *why;
	}
	*why = first;
	return -1;
}

/* "KIND NUMBER" and, where they are not NULL, the escaped memo and the rest. */
static int
put_entry(struct journal *j, const char *kind, const struct action *a,
    const char *memo, int whole)
{
	char line[LINE_BYTES];
	size_t n;

	snprintf(line, sizeof(line), "%s %" PRIu64, kind, a->number);
	n = strlen(line);
	if (memo != NULL) {
		line[n++] = ' ';
		if (words_escape(line + n, sizeof(line) - n, memo) == -1)
			goto too_long;
		n += strlen(line + n);
	}
	if (whole) {
		line[n++] = ' ';
		action_print(a, line + n, sizeof(line) - n);
		n += strlen(line + n);
	}
	if (n + 6 > sizeof(line))
		goto too_long;
	line[n++] = '\n';
	line[n] = '\0';
	return put_line(j->fd, line);
too_long:
	errno = ENAMETOOLONG;
	return -1;
}

int
journal_do(struct journal *j, const struct action *a)
{
	return put_entry(j, "do", a, a->memo, 1);
}

int
journal_memo(struct journal *j, const struct action *a)
{
	return put_entry(j, "memo", a, a->memo, 0);
}

int
journal_undone(struct journal *j, const struct action *a)
{
	return put_entry(j, "undone", a, NULL, 0);
}

void
journal_end(struct journal *j, int keep)
{
	if (!keep) {
		unlinkat(j->folder_fd, j->name, 0);
		journal_drop_folder(j->folder);
	}
	close(j->fd);
	close(j->folder_fd);
}

void
journal_drop_folder(const char *folder)
{
	if (getenv("QS_JOURNALS") == NULL && rmdir(folder) == -1)
		errno = 0;	/* most often: another journal is in it */
}

int
journal_list_add(struct journal_list *l, struct action *a)
{
	struct action **grown;

	if (l->count == l->room) {
		grown = realloc(l->action, (l->room + 64) * sizeof(*grown));
		if (grown == NULL)
			return -1;
		l->action = grown;
		l->room += 64;
	}
	l->action[l->count++] = a;
	return 0;
}

void
journal_list_free(struct journal_list *l)
{
	size_t i;

	for (i = 0; i < l->count; i++)
		action_free(l->action[i]);
	free(l->action);
	*l = (struct journal_list){ .action = NULL };
}

/* The words of the first line; 0, or -1 when it is none of ours. */
static int
read_header(char *line, struct journal_writer *w)
{
	char *word[8], boot[64];
	long pid;

	if (words_split(line, word, 8) != 5 ||
	    strcmp(word[0], "qsb-journal") != 0 || strcmp(word[1], "1") != 0)
		return -1;
	pid = process_number(word[2]);
	if (pid <= 0 ||
	    units_count(word[3], UINT64_MAX, &w->start_ticks) != NULL)
		return -1;
	w->pid = (pid_t)pid;
	boot_id(boot, sizeof(boot));
	w->this_boot = strcmp(boot, word[4]) == 0;
	return 0;
}

static struct action *
by_number(const struct journal_list *l, uint64_t number)
{
	size_t i;

	for (i = l->count; i-- > 0;)
		if (l->action[i]->number == number)
			return l->action[i];
	return NULL;
}

/* One entry; 0, or -1 and why. */
static int
read_entry(char *line, struct journal_list *l, struct why *why)
{
	char *word[ACTION_WORDS_MAX + 5];
	struct action *a;
	uint64_t number;
	int n;

	n = words_split(line, word, ACTION_WORDS_MAX + 5);
	if (n < 2 || units_count(word[1], UINT64_MAX, &number) != NULL)
		return why_error(why, "a line that is no entry");
	if (n >= 4 && strcmp(word[0], "do") == 0) {
		a = action_new(word + 3, n - 3, why);
		if (a == NULL)
			return -1;
		a->number = number;
		snprintf(a->memo, sizeof(a->memo), "%s", word[2]);
		if (journal_list_add(l, a) == 0)
			return 0;
		action_free(a);
		return why_error(why, "%s", strerror(errno));
	}
	a = by_number(l, number);
	if (a != NULL && n == 3 && strcmp(word[0], "memo") == 0)
		snprintf(a->memo, sizeof(a->memo), "%s", word[2]);
	else if (a != NULL && n == 2 && strcmp(word[0], "undone") == 0)
		a->undone = 1;
	else
		return why_error(why, "a line that is no entry");
	return 0;
}

/* The whole file, NUL-terminated, to be freed; NULL with errno. */
static char *
read_all(int fd, size_t *length)
{
	off_t end = lseek(fd, 0, SEEK_END);
	char *text;
	ssize_t n;

	if (end == -1 || end > JOURNAL_BYTES_MAX) {
		errno = end == -1 ? errno : EFBIG;
		return NULL;
	}
	text = malloc((size_t)end + 1);
	if (text == NULL)
		return NULL;
	n = pread(fd, text, (size_t)end, 0);
	if (n == -1) {
		free(text);
		return NULL;
	}
	text[n] = '\0';
	*length = (size_t)n;
	return text;
}

int
journal_load(int fd, struct journal_writer *w, struct journal_list *l,
    struct why *why)
{
	char *text, *line, *end;
	size_t length;
	int first = 1, result = 0;

	*w = (struct journal_writer){ .pid = 0 };
	*l = (struct journal_list){ .action = NULL };
	text = read_all(fd, &length);
	if (text == NULL)
		return why_error(why, "%s", strerror(errno));
	for (line = text; result == 0; line = end + 1, first = 0) {
		end = memchr(line, '\n', length - (size_t)(line - text));
		if (end == NULL)	/* the torn last line, or nothing */
			break;
		*end = '\0';
		if (first && read_header(line, w) == -1)
			result = why_error(why, "not a journal");
		else if (!first)
			result = read_entry(line, l, why);
		w->whole_bytes = (size_t)(end + 1 - text);
	}
	free(text);
	if (result == -1)
		journal_list_free(l);
	return result;
}
