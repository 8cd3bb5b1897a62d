/*
 * proc: reading the kernel's text files whole, and numbers out of them.
 *
 * What is read from them lies in proc_host.c (the machine), proc_psi.c
 * (pressure), proc_task.c (a process), proc_cgroup.c (groups) and proc_block.c
 * (swap and disks).
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proc_text.h"

/* Read until the end of the file or size bytes; the count, or -1 and errno. */
static ssize_t
read_up_to(int fd, char *buf, size_t size)
{
	size_t have = 0;
	ssize_t n;

	while (have < size) {
		n = pread(fd, buf + have, size - have, (off_t)have);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			return -1;
		if (n == 0)
			break;
		have += (size_t)n;
	}
	return (ssize_t)have;
}

ssize_t
proc_pread(int fd, char *buf, size_t size)
{
	ssize_t n = read_up_to(fd, buf, size);

	if (n == -1)
		return -1;
	if ((size_t)n == size) {	/* no room for the NUL, or even more */
		if (size > 0)
			buf[size - 1] = '\0';
		errno = EOVERFLOW;
		return -1;
	}
	buf[n] = '\0';
	return n;
}

ssize_t
proc_pread_start(int fd, char *buf, size_t size)
{
	ssize_t n = read_up_to(fd, buf, size);

	if (n == -1)
		return -1;
	if (size == 0)
		return 0;
	if ((size_t)n == size) {
		do
			n--;
		while (n > 0 && buf[n - 1] != '\n');
	}
	buf[n] = '\0';
	return n;
}

int
proc_join(char *buf, size_t size, const char *root, const char *path)
{
	int n = snprintf(buf, size, "%s%s%s", root, *path == '/' ? "" : "/",
	    path);

	if (n >= 0 && (size_t)n < size)
		return 0;
	errno = ENAMETOOLONG;
	return -1;
}

ssize_t
proc_read(const char *root, const char *path, char *buf, size_t size)
{
	char name[PATH_MAX];
	int fd, saved;
	ssize_t n;

	if (proc_join(name, sizeof(name), root, path) == -1)
		return -1;
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return -1;
	n = proc_pread(fd, buf, size);
	saved = errno;
	close(fd);
	errno = saved;
	return n;
}

static int
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

const char *
proc_digits(const char *s, uint64_t *value)
{
	uint64_t v = 0, digit;

	if (!is_digit(*s))
		return NULL;
	for (; is_digit(*s); s++) {
		digit = (uint64_t)(*s - '0');
		if (v == PROC_ABSENT || v > (UINT64_MAX - digit) / 10)
			v = PROC_ABSENT;
		else
			v = v * 10 + digit;
	}
	*value = v;
	return s;
}

const char *
proc_word_number(const char *s, uint64_t *value)
{
	uint64_t v;

	while (is_blank(*s))
		s++;
	s = proc_digits(s, &v);
	if (s == NULL || !(is_blank(*s) || *s == '\n' || *s == '\0'))
		return NULL;
	*value = v;
	return s;
}

uint64_t
proc_number(const char *text)
{
	uint64_t value;

	return proc_word_number(text, &value) != NULL ? value : PROC_ABSENT;
}

const char *
proc_next_line(const char *s)
{
	s += strcspn(s, "\n");
	return *s == '\n' ? s + 1 : s;
}

int
proc_line_is(const char *s, const char *word)
{
	size_t length = strlen(word);

	return strncmp(s, word, length) == 0 && is_blank(s[length]);
}

/* The length of the key that the line at s begins with. */
static size_t
key_length(const char *s)
{
	return strcspn(s, ": \t\n");
}

static uint64_t
value_behind_key(const char *s)
{
	return proc_number(*s == ':' ? s + 1 : s);
}

uint64_t
proc_value(const char *text, const char *key)
{
	size_t length = strlen(key);

	for (; *text != '\0'; text = proc_next_line(text))
		if (length > 0 && strncmp(text, key, length) == 0 &&
		    key_length(text) == length)
			return value_behind_key(text + length);
	return PROC_ABSENT;
}

uint64_t
proc_delta(uint64_t a, uint64_t b)
{
	if (a == PROC_ABSENT || b == PROC_ABSENT || b < a)
		return PROC_ABSENT;
	return b - a;
}

uint64_t
proc_sum(uint64_t a, uint64_t b)
{
	if (a == PROC_ABSENT || b == PROC_ABSENT || a > UINT64_MAX - b)
		return PROC_ABSENT;
	return a + b;
}

/* Nonzero for "_dma", "_normal" and so on: the zones of all kernels. */
static int
is_zone_suffix(const char *s, size_t length)
{
	static const char *const zones[] = { "_dma", "_dma32", "_normal",
	    "_high", "_movable", "_device" };

	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++)
		if (strlen(zones[i]) == length &&
		    memcmp(zones[i], s, length) == 0)
			return 1;
	return 0;
}

/* Nonzero when the key belongs to the field; *add when it is one of a sum. */
static int
field_has(const struct proc_field *f, const char *key, size_t length, int *add)
{
	size_t own = strlen(f->key);

	if (length < own || memcmp(f->key, key, own) != 0)
		return 0;
	*add = length > own;
	return !*add || (f->zones && is_zone_suffix(key + own, length - own));
}

/* Take the value of one key into a slot that was or was not written before. */
static void
take_value(uint64_t *slot, uint64_t value, int add, unsigned char *seen)
{
	if (!*seen)
		*slot = value;
	else if (add)
		*slot = proc_sum(*slot, value);
	*seen = 1;
}

void
proc_fields(const char *text, const struct proc_field *fields, size_t n,
    void *out)
{
	unsigned char seen[PROC_FIELDS_MAX] = { 0 };
	uint64_t *slot;
	size_t length, i;
	int add;

	for (i = 0; i < n; i++)
		*(uint64_t *)((char *)out + fields[i].offset) = PROC_ABSENT;
	for (; *text != '\0'; text = proc_next_line(text)) {
		length = key_length(text);
		for (i = 0; i < n; i++) {
			if (!field_has(&fields[i], text, length, &add))
				continue;
			slot = (uint64_t *)((char *)out + fields[i].offset);
			take_value(slot, value_behind_key(text + length), add,
			    &seen[i]);
		}
	}
}
