/*
 * report: what is written about a run: the line for people, and the cells of
 * the row that come from wait4(2).
 */
#ifndef QS_RECORD_REPORT_H
#define QS_RECORD_REPORT_H

#include <stdio.h>

#include "record_run.h"
#include "row.h"
#include "timefmt.h"

/*
 * The words as a command line that a shell reads as the same words: with single
 * quotes where they are needed.  NULL with errno ENOMEM; free(3) it.
 */
char *report_command(char *const *argv);

/* The figures of the run as timefmt_print wants them; keeps the pointers. */
void report_time(const struct run_result *result, const char *command,
    char *const *argv, struct timefmt_run *time);

/* Its cells elapsed_s to nivcsw, and command.  0, or -1 with errno ENOMEM. */
int report_figures(struct row *row, const struct timefmt_run *time);

/*
 * The whole row as one JSON object on a line; unknown is null.  Numbers are
 * numbers, text is text.  0, or -1 with errno.
 */
int report_json(const struct row *row, FILE *out);

#endif
