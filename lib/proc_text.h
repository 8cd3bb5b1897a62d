/*
 * proc_text: what the readers of proc share; programs use proc.h.
 */
#ifndef QS_PROC_TEXT_H
#define QS_PROC_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "proc.h"

/*
 * "root/path" into buf, with one slash between.  Returns 0, or -1 with errno
 * ENAMETOOLONG.
 */
int proc_join(char *buf, size_t size, const char *root, const char *path);

/*
 * Decimal digits at s into *value, PROC_ABSENT when they do not fit.  Returns
 * where they end, NULL when there is none.
 */
const char *proc_digits(const char *s, uint64_t *value);

/* As proc_digits, but behind blanks, and followed by blanks or the end. */
const char *proc_word_number(const char *s, uint64_t *value);

/* The start of the next line, or the end of the text. */
const char *proc_next_line(const char *s);

/* Nonzero when the line at s begins with the word. */
int proc_line_is(const char *s, const char *word);

/* a + b; PROC_ABSENT when either is or when it does not fit. */
uint64_t proc_sum(uint64_t a, uint64_t b);

/* One counter of a text of "key value" lines, and where it goes. */
struct proc_field {
	const char *key;
	size_t offset;		/* of an uint64_t in the struct filled */
	int zones;		/* nonzero: also key_dma ..., summed */
};

/*
 * Fill the fields of *out from the text in one pass; what is not there is
 * PROC_ABSENT.  Of two lines with one key the first counts.  At most
 * PROC_FIELDS_MAX fields.
 */
#define PROC_FIELDS_MAX 32
void proc_fields(const char *text, const struct proc_field *fields, size_t n,
    void *out);

#endif
