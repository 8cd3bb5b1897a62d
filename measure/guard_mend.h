/*
 * mend: undo what guards that were killed had promised to undo.
 */
#ifndef QS_GUARD_MEND_H
#define QS_GUARD_MEND_H

#include <stdio.h>

#include "guard_journal.h"

/*
 * Undo the actions of l from number down_to on, the last first, but before all
 * others those that end processes; mark each in j's file, and tell on
 * `out` what was done (NULL: nothing of that) and on stderr what was not.
 * Returns how many could not be undone or were left alone; *again is how many
 * of these may be tried again.
 */
int mend_actions(struct journal_list *l, size_t down_to, struct journal *j,
    FILE *out, int *again);

/* How many journals of this user have no living guard any more. */
int mend_count_dead(void);

/*
 * Mend all dead journals of this user, or with show_only list them on stdout.
 * Returns 0; or -1 when something could not be undone, after telling so.
 */
int mend_all(int show_only, int quiet);

/*
 * Remove the swap files (qsb-swap-*) in dir that were made before the last
 * boot, when their journal went with /run.  Returns as mend_all.
 */
int mend_folder(const char *dir, int show_only, int quiet);

#endif
