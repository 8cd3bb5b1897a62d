/* mend: undo what guards that were killed had promised; see mend.h. */
#include <sys/file.h>
#include <sys/stat.h>

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "guard_mend.h"
#include "guard_processes.h"
#include "guard_swapfile.h"

#define SWAP_PREFIX "qsb-swap-"
#define TRIES 100
#define PAUSE_NS 20000000

/* What is done with each dead journal; nonzero when not all was good. */
struct visit {
	int (*one)(struct visit *v, struct journal *j,
	    const struct journal_writer *w, struct journal_list *l);
	int quiet;
	int count;		/* of journals with something to undo */
};

/* Undo one; tells what was done on out.  Returns what the verb says. */
static enum undo
mend_one(struct action *a, struct journal *j, FILE *out)
{
	char text[8192];
	struct why why;
	enum undo result = a->verb->undo(a, &why);

	if (result == UNDO_LEFT || result == UNDO_FAILED)
		warnx("not undone: %s: %s", action_print(a, text,
		    sizeof(text)), why.text);
	if (result == UNDO_FAILED)
		return result;
	if (result == UNDO_DONE && out != NULL)
		fprintf(out, "undone: %s\n", action_print(a, text,
		    sizeof(text)));
	a->undone = 1;
	if (journal_undone(j, a) == -1)
		warn("%s/%s", j->folder, j->name);
	return result;
}

/*
 * First whatever ends processes: as long as these run they make more to undo.
 */
int
mend_actions(struct journal_list *l, size_t down_to, struct journal *j,
    FILE *out, int *again)
{
	struct action *a;
	enum undo result;
	int first, bad = 0;
	size_t i;

	*again = 0;
	for (first = 1; first >= 0; first--)
		for (i = l->count; i-- > down_to;) {
			a = l->action[i];
			if (a->undone || a->verb->first != first)
				continue;
			result = mend_one(a, j, out);
			bad += result == UNDO_LEFT || result == UNDO_FAILED;
			*again += result == UNDO_FAILED;
		}
	return bad;
}

/* A guard that has just been killed holds its lock for a moment yet. */
static int
lock_dead(int fd, pid_t pid, uint64_t start_ticks)
{
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		if (process_alive(pid, start_ticks))
			return -1;
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return 0;
		clock_sleep_until(clock_now_ns() + PAUSE_NS);
	}
	return -1;
}

/*
 * A journal is dead when nobody holds its lock and the process that made it
 * (its name tells) has ended.  On success it is open and locked by us.
 */
static int
open_dead(struct journal *j, const char *name)
{
	unsigned long long start;
	struct stat st;
	long pid;
	char end;

	if (strlen(name) >= sizeof(j->name) || sscanf(name,
	    "%ld-%llu-%*8[0-9a-f]%c", &pid, &start, &end) != 2)
		return -1;
	strcpy(j->name, name);
	j->fd = openat(j->folder_fd, name, O_RDWR | O_APPEND | O_NOFOLLOW |
	    O_NONBLOCK | O_CLOEXEC);
	if (j->fd == -1)
		return -1;
	if (fstat(j->fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_uid == geteuid() && st.st_nlink == 1 &&
	    lock_dead(j->fd, (pid_t)pid, start) == 0)
		return 0;
	close(j->fd);
	return -1;
}

/*
 * Changes that a reboot has undone already are not to be undone again.  Files
 * are known by their inode alone then: devices may have got other numbers.
 */
static void
forget_old_boot(struct journal_list *l, const struct journal_writer *w)
{
	char inode[64];
	struct action *a;
	struct stat st;
	size_t i;

	for (i = 0; !w->this_boot && i < l->count; i++) {
		a = l->action[i];
		if (!a->verb->outlives_boot)
			a->undone = 1;
		else if (sscanf(a->memo, "%*[0-9a-f]:%40[0-9a-f]", inode) == 1
		    && lstat(a->word[0], &st) == 0)
			snprintf(a->memo, sizeof(a->memo), "%llx:%s",
			    (unsigned long long)st.st_dev, inode);
	}
}

static int
visit_one(struct visit *v, struct journal *j)
{
	struct journal_writer w;
	struct journal_list l;
	struct why why;
	int bad;

	if (journal_load(j->fd, &w, &l, &why) == -1) {
		warnx("%s/%s: %s, left alone", j->folder, j->name, why.text);
		return 1;
	}
	forget_old_boot(&l, &w);
	bad = v->one(v, j, &w, &l);
	journal_list_free(&l);
	return bad;
}

static int
visit_folder(struct visit *v, struct journal *j)
{
	struct dirent *e;
	int bad = 0, fd = dup(j->folder_fd);
	DIR *d = fd == -1 ? NULL : fdopendir(fd);

	if (d == NULL) {
		warn("%s", j->folder);
		return 1;
	}
	while ((e = readdir(d)) != NULL) {
		if (open_dead(j, e->d_name) == -1)
			continue;
		if (visit_one(v, j))
			bad = 1;
		close(j->fd);
	}
	closedir(d);
	return bad;
}

static int
visit_all(struct visit *v)
{
	struct journal j;
	struct why why;
	int i, bad = 0;

	for (i = 0; journal_folder(i, j.folder, sizeof(j.folder)) == 0; i++) {
		j.folder_fd = journal_open_folder(j.folder, 0, &why);
		if (j.folder_fd == -1 && errno == ENOENT)
			continue;
		if (j.folder_fd == -1) {
			warnx("%s", why.text);
			bad = 1;
			continue;
		}
		if (visit_folder(v, &j))
			bad = 1;
		journal_drop_folder(j.folder);
		close(j.folder_fd);
	}
	return bad;
}

static int
show(struct visit *v, struct journal *j, const struct journal_writer *w,
    struct journal_list *l)
{
	char text[8192];
	struct action *a;
	int is_set;
	size_t i;

	(void)v;
	printf("%s/%s: guard %ld was killed; to undo:\n", j->folder, j->name,
	    (long)w->pid);
	for (i = l->count; i-- > 0;) {
		a = l->action[i];
		is_set = strcmp(a->verb->name, "set") == 0;
		if (!a->undone)
			printf("\t%s%s%s\n", action_print(a, text,
			    sizeof(text)), is_set ? ", was " : "",
			    is_set ? a->memo : "");
	}
	return 0;
}

static int
mend(struct visit *v, struct journal *j, const struct journal_writer *w,
    struct journal_list *l)
{
	int bad, again;

	/* A torn last line would run into the next that is written. */
	if (ftruncate(j->fd, (off_t)w->whole_bytes) == -1)
		warn("%s/%s", j->folder, j->name);
	bad = mend_actions(l, 0, j, v->quiet ? NULL : stdout, &again);
	if (again == 0 && unlinkat(j->folder_fd, j->name, 0) == -1) {
		warn("%s/%s", j->folder, j->name);
		bad = 1;
	}
	return bad;
}

static int
count(struct visit *v, struct journal *j, const struct journal_writer *w,
    struct journal_list *l)
{
	size_t i;

	(void)j;
	(void)w;
	for (i = 0; i < l->count; i++)
		if (!l->action[i]->undone)
			break;
	v->count += i < l->count;
	return 0;
}

int
mend_all(int show_only, int quiet)
{
	struct visit v = { .one = show_only ? show : mend, .quiet = quiet };

	return visit_all(&v) ? -1 : 0;
}

int
mend_count_dead(void)
{
	struct visit v = { .one = count };

	visit_all(&v);
	return v.count;
}

int
mend_folder(const char *dir, int show_only, int quiet)
{
	char path[PATH_MAX];
	struct dirent *e;
	int bad = 0, n;
	DIR *d = opendir(dir);

	if (d == NULL) {
		warn("%s", dir);
		return -1;
	}
	while ((e = readdir(d)) != NULL) {
		n = snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		if (strncmp(e->d_name, SWAP_PREFIX, strlen(SWAP_PREFIX)) != 0 ||
		    n >= (int)sizeof(path) || !swapfile_is_stale(path))
			continue;
		if (show_only) {
			printf("%s: swap file from before the last boot\n",
			    path);
		} else if (unlink(path) == -1) {
			warn("%s", path);
			bad = -1;
		} else if (!quiet) {
			printf("undone: swap file %s\n", path);
		}
	}
	closedir(d);
	return bad;
}
