/*
 * settings: values of sysctl, sysfs and cgroup files: reading, writing with
 * reading back, comparing.
 */
#ifndef QS_SETTINGS_H
#define QS_SETTINGS_H

#include <stddef.h>

#include "why.h"

/*
 * The value of a file of one line, blanks squeezed, and of a choice such as
 * "always [madvise] never" the chosen word.  0, or -1 and why.
 */
int settings_read(const char *file, char *value, size_t size,
    struct why *why);

/*
 * Write the value and read it back.  0, or -1 and why, with the errno of the
 * writing where that failed.
 */
int settings_write(const char *file, const char *value, struct why *why);

/* In place: squeeze the blanks, and reduce a bracketed choice to its word. */
void settings_chosen(char *text);

/* Nonzero for equal values: as text, as integers, or Y for 1 and N for 0. */
int settings_same(const char *a, const char *b);

#endif
