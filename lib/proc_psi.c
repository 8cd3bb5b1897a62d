/*
 * proc_psi: pressure stall information, and why there is none.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "proc_text.h"

/* The text behind " name=" in the line at s, or NULL. */
static const char *
behind_name(const char *s, const char *name)
{
	size_t length = strlen(name);

	for (; *s != '\0' && *s != '\n'; s++)
		if (*s == ' ' && strncmp(s + 1, name, length) == 0 &&
		    s[length + 1] == '=')
			return s + length + 2;
	return NULL;
}

/* "12.34" as 1234. */
static uint64_t
hundredths(const char *s)
{
	uint64_t whole, part;
	const char *end = proc_digits(s, &whole);

	if (end == NULL || *end != '.')
		return PROC_ABSENT;
	s = end + 1;
	end = proc_digits(s, &part);
	if (end == NULL || end - s != 2 || whole > UINT64_MAX / 100 - 1)
		return PROC_ABSENT;
	return whole * 100 + part;
}

static void
parse_psi_line(const char *line, uint64_t *total_us, uint64_t *avg10_centi)
{
	const char *total = behind_name(line, "total");
	const char *avg10 = behind_name(line, "avg10");

	*total_us = total != NULL ? proc_number(total) : PROC_ABSENT;
	*avg10_centi = avg10 != NULL ? hundredths(avg10) : PROC_ABSENT;
}

void
proc_psi_parse(const char *text, struct proc_psi *p)
{
	p->some_us = p->full_us = PROC_ABSENT;
	p->some_avg10_centi = p->full_avg10_centi = PROC_ABSENT;
	for (; *text != '\0'; text = proc_next_line(text)) {
		if (proc_line_is(text, "some"))
			parse_psi_line(text, &p->some_us, &p->some_avg10_centi);
		if (proc_line_is(text, "full"))
			parse_psi_line(text, &p->full_us, &p->full_avg10_centi);
	}
}

const char *
proc_psi_reason(int error)
{
	switch (error) {
	case ENOENT:
		return "psi: not built into this kernel";
	case EOPNOTSUPP:
		return "psi: off at boot, boot with psi=1";
	case ENOSYS:
		return "psi: not kept for groups of cgroup version 1";
	case ENODATA:
		return "psi: switched off for this group";
	case EACCES:
	case EPERM:
		return "psi: not permitted to read it";
	default:
		return "psi: cannot be read";
	}
}

/*
 * Nonzero when a function that only a kernel with PSI has is among the symbols.
 * Their addresses are hidden from users, not their names.
 */
static int
is_built(const char *root)
{
	static const char symbol[] = " psi_task_change\n";
	char path[PATH_MAX], *line = NULL;
	size_t size = 0, length = sizeof(symbol) - 1;
	ssize_t n;
	int found = 0;
	FILE *f;

	if (proc_join(path, sizeof(path), root, "/proc/kallsyms") == -1 ||
	    (f = fopen(path, "re")) == NULL)
		return 0;
	while (!found && (n = getline(&line, &size, f)) != -1)
		found = (size_t)n >= length &&
		    strcmp(line + (size_t)n - length, symbol) == 0;
	free(line);
	fclose(f);
	return found;
}

/* Nonzero when the last "psi=" of the kernel's command line means off. */
static int
is_switched_off(const char *root)
{
	char text[16384];	/* more than any COMMAND_LINE_SIZE */
	const char *s = text, *value = "";

	if (proc_read(root, "/proc/cmdline", text, sizeof(text)) == -1)
		return 0;
	for (; (s = strstr(s, "psi=")) != NULL; s += 4)
		if (s == text || s[-1] == ' ')
			value = s + 4;
	/* As kstrtobool() reads it. */
	return (*value != '\0' && strchr("0nNfF", *value) != NULL) ||
	    strncasecmp(value, "of", 2) == 0;
}

int
proc_psi_error(const char *root, int error)
{
	char path[PATH_MAX];

	if (error != ENOENT ||
	    proc_join(path, sizeof(path), root, "/proc/pressure/memory") == -1)
		return error;
	if (access(path, F_OK) == 0)
		return ENODATA;
	return is_switched_off(root) || is_built(root) ? EOPNOTSUPP : ENOENT;
}
