/*
 * fixture: the files of the trees under tests/fixtures.
 */
#ifndef QS_FIXTURE_H
#define QS_FIXTURE_H

#include <errno.h>
#include <stdio.h>

#include "proc.h"
#include "unit.h"

#define LENGTH(a) ((int)(sizeof(a) / sizeof((a)[0])))

static inline const char *
fixture_root(const char *tree)
{
	static char root[128];

	snprintf(root, sizeof(root), "tests/fixtures/%s", tree);
	return root;
}

/* The text of a file; "" when the tree lacks it. */
static inline char *
fixture(const char *tree, const char *path)
{
	static char text[65536];

	if (proc_read(fixture_root(tree), path, text, sizeof(text)) == -1) {
		ck_assert_int_eq(errno, ENOENT);
		text[0] = '\0';
	}
	return text;
}

#endif
