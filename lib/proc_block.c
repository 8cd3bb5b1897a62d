/*
 * proc_block: swap devices, and the request queue under a file system.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proc_text.h"

/* The next word of the line: its length, 0 when there is none left. */
static size_t
next_word(const char **s)
{
	*s += strspn(*s, " \t");
	return strcspn(*s, " \t\n");
}

/* The kernel's \040 and its like; returns 0, or -1 when it does not fit. */
static int
copy_unescaped(char *to, size_t size, const char *s, size_t length)
{
	size_t n = 0;

	for (size_t i = 0; i < length; i++, n++) {
		if (n + 1 >= size)
			return -1;
		to[n] = s[i];
		if (s[i] == '\\' && s[i + 1] <= '3' &&
		    strspn(s + i + 1, "01234567") >= 3) {
			to[n] = (char)((s[i + 1] - '0') << 6 |
			    (s[i + 2] - '0') << 3 | (s[i + 3] - '0'));
			i += 3;
		}
	}
	to[n] = '\0';
	return 0;
}

/* d_path() of the kernel marks a file that was unlinked while in use. */
static int
cut_deleted(char *name)
{
	static const char mark[] = " (deleted)";
	size_t length = strlen(name), own = sizeof(mark) - 1;

	if (length <= own || strcmp(name + length - own, mark) != 0)
		return 0;
	name[length - own] = '\0';
	return 1;
}

/* "name type size used priority"; 0, or -1 when the line is not like that. */
static int
parse_swap(const char *line, struct proc_swap *s)
{
	size_t length = next_word(&line);
	uint64_t priority;
	int minus;

	if (length == 0 ||
	    copy_unescaped(s->name, sizeof(s->name), line, length) == -1)
		return -1;
	line += length;
	length = next_word(&line);
	if (length == 0 || length >= sizeof(s->type))
		return -1;
	memcpy(s->type, line, length);
	s->type[length] = '\0';
	line = proc_word_number(line + length, &s->size_kib);
	line = line != NULL ? proc_word_number(line, &s->used_kib) : NULL;
	if (line == NULL)
		return -1;
	next_word(&line);
	minus = *line == '-';
	line = proc_word_number(line + minus, &priority);
	if (line == NULL || priority > INT_MAX || *line == '\0')
		return -1;	/* a line of the kernel's ends in a newline */
	s->priority = minus ? -(int)priority : (int)priority;
	s->deleted = cut_deleted(s->name);
	return 0;
}

const char *
proc_swaps_next(const char *text, struct proc_swap *s)
{
	while (*text != '\0') {
		int parsed = parse_swap(text, s);

		text = proc_next_line(text);
		if (parsed == 0)
			return text;
	}
	return NULL;
}

static int
exists_in(const char *dir, const char *name)
{
	char path[PATH_MAX];

	return proc_join(path, sizeof(path), dir, name) == 0 &&
	    access(path, F_OK) == 0;
}

int
proc_queue_of_dev(const char *root, unsigned major, unsigned minor, char *buf,
    size_t size)
{
	char path[PATH_MAX], link[64], *device, *name;
	int n;

	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major, minor);
	if (proc_join(path, sizeof(path), root, link) == -1)
		return -1;
	device = realpath(path, NULL);
	if (device == NULL) {
		errno = errno == ENOENT ? ENODEV : errno;
		return -1;
	}
	if (exists_in(device, "partition"))
		*strrchr(device, '/') = '\0';
	name = strrchr(device, '/') + 1;
	n = snprintf(buf, size, "%s/sys/block/%s/queue", root, name);
	free(device);
	if (n < 0 || (size_t)n >= size) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return access(buf, F_OK);
}

static int
is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int
proc_queue_slaves(const char *queue, char *buf, size_t size)
{
	char path[PATH_MAX];
	struct dirent **names;
	size_t length = 0;
	int n, count, fits = 1;

	if (size == 0 ||
	    proc_join(path, sizeof(path), queue, "../slaves") == -1)
		return -1;
	buf[0] = '\0';
	count = scandir(path, &names, is_visible, alphasort);
	if (count == -1)
		return errno == ENOENT ? 0 : -1;
	for (int i = 0; i < count; i++) {
		n = snprintf(buf + length, size - length, "%s%s",
		    i > 0 ? " " : "", names[i]->d_name);
		fits = fits && n >= 0 && (size_t)n < size - length;
		length += fits ? (size_t)n : 0;
		free(names[i]);
	}
	free(names);
	errno = ENAMETOOLONG;
	return fits ? count : -1;
}
