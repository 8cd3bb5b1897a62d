/*
 * workdir: the work directory and the files in it, which do not outlive us.
 * Private to fileio.
 */
#ifndef QS_WORKDIR_H
#define QS_WORKDIR_H

#include <sys/stat.h>

#include <stdint.h>

#include "frame.h"

/*
 * Refuse what would not be what was asked for: a directory in RAM without -R,
 * O_DIRECT on one, too little space for so many bytes.  Returns EXIT_GOOD, or
 * the exit status, told on stderr.
 */
int workdir_check(const struct plan *p, uint64_t bytes);

/*
 * A new file in the directory, unlinked already unless it is to be kept under
 * path, that has a name then.  A descriptor, or -1, told.
 */
int workdir_create(const struct plan *p, const char *name);

/* Open an existing file for reading as the plan says; the same. */
int workdir_open(const struct plan *p, const char *path);

/* Tell that this file system has no O_DIRECT; returns EXIT_SKIPPED. */
int workdir_no_direct(const char *dir);

/* Remove a directory and all in it.  0, or -1 with errno. */
int workdir_remove(const char *path);

/*
 * Call fn for everything below a directory, folders before what is in them,
 * symbolic links not followed; until it returns other than 0 or we are asked to
 * end.  Returns what fn returned, or -1 with the cause told.
 */
typedef int workdir_visit(const char *path, const struct stat *st, void *arg);
int workdir_walk(const char *path, workdir_visit *fn, void *arg);

#endif
