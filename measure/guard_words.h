/*
 * words: lines of words in which a word may hold any byte.
 *
 * Words are separated by blanks.  Inside a word a blank, a newline, a carriage
 * return and the backslash are written \040 (or any \ooo), \t, \n, \r, \\; the
 * empty word is written \e.
 */
#ifndef QS_GUARD_WORDS_H
#define QS_GUARD_WORDS_H

#include <stddef.h>

/*
 * Split line in place into at most max words, undoing the escapes; word[]
 * points into line.  Returns their number; -1 for an unknown escape, a NUL
 * byte, or more than max words.
 */
int words_split(char *line, char **word, int max);

/*
 * The escaped form of text into buf, NUL-terminated.  Returns its length, or
 * -1 when it does not fit.
 */
int words_escape(char *buf, size_t size, const char *text);

#endif
