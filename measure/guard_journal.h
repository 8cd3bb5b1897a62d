/*
 * journal: what a guard has promised to undo, on disk, so that it can be
 * undone when the guard itself was killed.
 *
 * One file a guard, PID-STARTTIME-RANDOM, in a folder that is the user's own.
 * A guard holds a lock (flock) on its file while it lives.  Lines of words
 * (see words.h):
 *
 *	qsb-journal 1 PID STARTTIME BOOTID
 *	do NUMBER MEMO VERB WORD...	before the change is made
 *	memo NUMBER MEMO		known only after it was made
 *	undone NUMBER
 *
 * A last line without its newline was never acknowledged and counts for
 * nothing.
 */
#ifndef QS_GUARD_JOURNAL_H
#define QS_GUARD_JOURNAL_H

#include <sys/types.h>

#include <stddef.h>
#include <stdint.h>

#include "guard_actions.h"

#define JOURNAL_NAME_BYTES 64

struct journal {
	int fd, folder_fd;
	char folder[512];
	char name[JOURNAL_NAME_BYTES];
};

struct journal_list {		/* the actions of a journal, oldest first */
	struct action **action;
	size_t count, room;
};

/*
 * The i-th folder in which this user's journals may be: $QS_JOURNALS alone
 * where that is set; else /run/qsb for root; $XDG_RUNTIME_DIR/qsb; and
 * /tmp/qsb-UID.  Returns 0, or -1 when there is no i-th.
 */
int journal_folder(int i, char *path, size_t size);

/*
 * Open the folder, making it where make is nonzero.  It must be a real folder,
 * owned by this user, with mode 0700.  Returns its descriptor; -1 and why, with
 * errno ENOENT when it is not there.
 */
int journal_open_folder(const char *path, int make, struct why *why);

/* Begin a journal for this process.  0, or -1 and why. */
int journal_begin(struct journal *j, struct why *why);

/* Each writes one line and syncs it to disk.  0, or -1 with errno. */
int journal_do(struct journal *j, const struct action *a);
int journal_memo(struct journal *j, const struct action *a);
int journal_undone(struct journal *j, const struct action *a);

/* Close it, and remove it unless keep is nonzero. */
void journal_end(struct journal *j, int keep);

/* Remove the folder if no journal is in it, unless it is $QS_JOURNALS. */
void journal_drop_folder(const char *folder);

/* Who wrote a journal, from its first line. */
struct journal_writer {
	pid_t pid;
	uint64_t start_ticks;
	int this_boot;		/* nonzero: written since the last boot */
	size_t whole_bytes;	/* up to the end of the last whole line */
};

/*
 * Read an open journal: its writer and its actions (without those undone).
 * 0; or -1 and why, for a file that is no journal.  A journal without a whole
 * first line has no actions, and its writer's pid is 0.
 */
int journal_load(int fd, struct journal_writer *w, struct journal_list *l,
    struct why *why);

/* Append a to l, which owns it then.  0, or -1 with errno ENOMEM. */
int journal_list_add(struct journal_list *l, struct action *a);
void journal_list_free(struct journal_list *l);

#endif
