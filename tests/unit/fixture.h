/*
 * fixture: the trees under tests/fixtures, and trees that tests make.
 */
#ifndef QS_FIXTURE_H
#define QS_FIXTURE_H

#include <sys/stat.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Trees that a test makes, for what is rarer: a checked fixture of its own. */
static char fixture_made[64];	/* the root */

static inline void
fixture_make(void)
{
	strcpy(fixture_made, "/tmp/qs-fixture.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(fixture_made));
}

static inline void
fixture_remove(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", fixture_made);
	ck_assert_int_eq(system(command), 0);
}

/* Write a file of the tree, its folders with it. */
static inline void
fixture_put(const char *path, const char *content)
{
	char name[512], *slash;
	FILE *f;

	snprintf(name, sizeof(name), "%s/%s", fixture_made, path);
	slash = name + strlen(fixture_made) + 1;
	for (; (slash = strchr(slash, '/')) != NULL; slash++) {
		*slash = '\0';
		if (mkdir(name, 0777) == -1)
			ck_assert_int_eq(errno, EEXIST);
		*slash = '/';
	}
	f = fopen(name, "w");
	ck_assert_ptr_nonnull(f);
	fputs(content, f);
	ck_assert_int_eq(fclose(f), 0);
}

#endif
