/*
 * why: the reason that something cannot be done, for people.
 */
#ifndef QS_WHY_H
#define QS_WHY_H

struct why {
	int skip;		/* nonzero: impossible here, not a failure */
	char text[1024];
};

/* Fill why and return -1; why_skip for what cannot be done here at all. */
int why_error(struct why *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int why_skip(struct why *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
