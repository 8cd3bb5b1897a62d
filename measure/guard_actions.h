/*
 * actions: what guard can do and undo.
 *
 * An action is a verb with words.  Some verbs make a change themselves and
 * undo it later (set, mkcgroup, enable, swapon, zram); the others are told
 * before the caller makes the change, and only undo (unlink, rmdir, rmcgroup,
 * swapoff, killgroup, zram reset).  The order is always: check, prepare (what
 * the undoing needs is remembered in the memo), journal, perform.
 */
#ifndef QS_GUARD_ACTIONS_H
#define QS_GUARD_ACTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "why.h"

#define ACTION_WORDS_MAX 6

enum undo {
	UNDO_DONE,
	UNDO_NOTHING,		/* it was not there, or as before already */
	UNDO_LEFT,		/* somebody changed it since; why tells */
	UNDO_FAILED		/* why tells; may be tried again */
};

struct action_env {		/* what performing may need from guard */
	int (*cancelled)(void *);	/* nonzero: the caller is gone, stop */
	void *cancelled_arg;
};

struct action;

struct verb {
	const char *name;
	int words_min, words_max;	/* without the verb */
	int outlives_boot;	/* what it made is there after a reboot */
	int first;		/* ends processes: undone before all others */
	/* Can it be done?  Changes nothing.  0, or -1 and why. */
	int (*check)(const struct action *, struct why *);
	/* Remember what the undoing needs.  0, or -1 and why.  May be NULL. */
	int (*prepare)(struct action *, struct why *);
	/* Make the change.  0, or -1 and why.  May be NULL. */
	int (*perform)(struct action *, const struct action_env *,
	    struct why *);
	enum undo (*undo)(const struct action *, struct why *);
};

struct action {
	uint64_t number;
	const struct verb *verb;
	int words;
	char *word[ACTION_WORDS_MAX];	/* in one allocation, owned */
	char memo[1024];		/* "" for none */
	int undone;
	int lock_fd;			/* held while it stands; -1 for none */
};

/*
 * The action that a verb and its words mean, newly allocated; NULL and why for
 * an unknown verb or a wrong number of words.  Free with action_free.
 */
struct action *action_new(char *const *word, int words, struct why *why);
void action_free(struct action *a);

/* "set /proc/sys/vm/swappiness 10", escaped; returns buf. */
char *action_print(const struct action *a, char *buf, size_t size);

/*
 * "device:inode" of path (not followed) into buf; "-" when it is not there.
 * Returns 0, or -1 with errno.
 */
int action_identity(const char *path, char *buf, size_t size);

/*
 * Nonzero when path is there but not what the memo remembers.  An empty memo,
 * or "-", remembers nothing and agrees with anything.
 */
int action_is_other(const struct action *a, const char *path);

/* The verbs of the other files; action_new finds them. */
extern const struct verb verbs_settings[], verbs_groups[], verbs_processes[],
    verbs_swaps[], verbs_zram[];

/* Undo gives up on one action after that long, where the kernel lets it. */
#define ACTION_UNDO_SECONDS 20

#endif
