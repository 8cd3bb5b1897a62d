/*
 * row: one line of runs.tsv: the columns, their order, writing and appending.
 */
#include <sys/file.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "row.h"

static const char *const names[ROW_COUNT] = {
#define ROW_NAME(id, name) name,
	ROW_COLUMNS(ROW_NAME)
#undef ROW_NAME
};

/* The header line behind a leading tab. */
static const char header[] =
#define ROW_HEADER(id, name) "\t" name
    ROW_COLUMNS(ROW_HEADER) "\n";
#undef ROW_HEADER

static int append_locked(int fd, const struct row *r);

const char *
row_name(enum row_column c)
{
	return names[c];
}

void
row_init(struct row *r)
{
	for (size_t i = 0; i < ROW_COUNT; i++)
		r->cell[i] = NULL;
}

void
row_free(struct row *r)
{
	for (size_t i = 0; i < ROW_COUNT; i++)
		free(r->cell[i]);
	row_init(r);
}

/* The letter behind the backslash for a byte that a cell cannot hold, or 0. */
static char
escape_letter(char byte)
{
	switch (byte) {
	case '\t':
		return 't';
	case '\n':
		return 'n';
	case '\r':
		return 'r';
	case '\\':
		return '\\';
	default:
		return 0;
	}
}

/* The cell takes over text, which may be NULL: unknown. */
static int
set_cell(struct row *r, enum row_column c, char *text)
{
	free(r->cell[c]);
	r->cell[c] = text;
	return 0;
}

int
row_text(struct row *r, enum row_column c, const char *text)
{
	char *copy, *to, letter;

	if (*text == '\0')
		return set_cell(r, c, NULL);
	copy = malloc(2 * strlen(text) + 1);
	if (copy == NULL)
		return -1;
	for (to = copy; *text != '\0'; text++) {
		letter = escape_letter(*text);
		if (letter != 0)
			*to++ = '\\';
		*to++ = letter != 0 ? letter : *text;
	}
	*to = '\0';
	return set_cell(r, c, copy);
}

int
row_count(struct row *r, enum row_column c, uint64_t value)
{
	char text[24];

	if (value == UINT64_MAX)
		return set_cell(r, c, NULL);
	snprintf(text, sizeof(text), "%" PRIu64, value);
	return row_text(r, c, text);
}

/*
 * Printf takes the decimal point from the locale, where it may be several
 * bytes: whatever stands between the digits becomes a ".".
 */
static void
point_to_dot(char *text, size_t decimals)
{
	size_t whole = strspn(text, "-0123456789"), length = strlen(text);

	if (decimals == 0 || whole + decimals >= length)
		return;
	text[whole] = '.';
	memmove(text + whole + 1, text + length - decimals, decimals + 1);
}

int
row_fixed(struct row *r, enum row_column c, double value, int decimals)
{
	char text[512];		/* the largest double has 309 digits */
	int places = decimals < 0 ? 0 : decimals > 100 ? 100 : decimals;

	if (!isfinite(value))
		return set_cell(r, c, NULL);
	snprintf(text, sizeof(text), "%.*f", places, value);
	point_to_dot(text, (size_t)places);
	return row_text(r, c, text);
}

int
row_seconds_us(struct row *r, enum row_column c, uint64_t us)
{
	char text[32];

	if (us == UINT64_MAX)
		return set_cell(r, c, NULL);
	snprintf(text, sizeof(text), "%" PRIu64 ".%06" PRIu64, us / 1000000,
	    us % 1000000);
	return row_text(r, c, text);
}

int
row_seconds_ns(struct row *r, enum row_column c, uint64_t ns)
{
	if (ns == UINT64_MAX)
		return set_cell(r, c, NULL);
	return row_seconds_us(r, c, ns / 1000 + (ns % 1000 >= 500));
}

static int
flush_line(FILE *out)
{
	errno = 0;
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	if (errno == 0)		/* an earlier write failed */
		errno = EIO;
	return -1;
}

int
row_write_header(FILE *out)
{
	fputs(header + 1, out);
	return flush_line(out);
}

int
row_write(const struct row *r, FILE *out)
{
	for (size_t i = 0; i < ROW_COUNT; i++)
		fprintf(out, "%s%s", i > 0 ? "\t" : "",
		    r->cell[i] != NULL ? r->cell[i] : "-");
	putc('\n', out);
	return flush_line(out);
}

int
row_append(const struct row *r, const char *path)
{
	int fd, result, saved;

	fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd == -1)
		return -1;
	while ((result = flock(fd, LOCK_EX)) == -1 && errno == EINTR)
		continue;
	if (result == 0)
		result = append_locked(fd, r);
	saved = errno;
	if (close(fd) == -1 && result == 0)
		return -1;
	errno = saved;
	return result;
}

/* pread(2) that is not cut short by a signal; returns 0, or -1 and errno. */
static int
read_at(int fd, char *buf, size_t count, off_t offset)
{
	ssize_t n;

	while (count > 0) {
		n = pread(fd, buf, count, offset);
		if (n == -1 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n == 0 ? EIO : errno;
			return -1;
		}
		buf += n;
		offset += n;
		count -= (size_t)n;
	}
	return 0;
}

/*
 * What must be written before the row, into *before: the header, a newline
 * that ends a torn line, or nothing.  A torn header is removed.  *size becomes
 * the file's size.  Returns 0, or -1 and errno.
 */
static int
look_at_file(int fd, const struct stat *st, const char **before, off_t *size)
{
	const size_t full = sizeof(header) - 2;
	char start[sizeof(header)], last;
	size_t have;

	*before = header + 1;
	*size = S_ISREG(st->st_mode) ? st->st_size : 0;
	if (*size == 0)
		return 0;
	have = (uintmax_t)*size < full ? (size_t)*size : full;
	if (read_at(fd, start, have, 0) == -1)
		return -1;
	if (memcmp(start, header + 1, have) != 0) {
		errno = EINVAL;
		return -1;
	}
	if (have < full) {
		*size = 0;
		return ftruncate(fd, 0);
	}
	if (read_at(fd, &last, 1, *size - 1) == -1)
		return -1;
	*before = last == '\n' ? "" : "\n";
	return 0;
}

/* The lines to write as one text, to be freed; NULL with errno. */
static char *
lines_of(const char *before, const struct row *r, size_t *length)
{
	char *text = NULL;
	int written;
	FILE *out = open_memstream(&text, length);

	if (out == NULL)
		return NULL;
	fputs(before, out);
	written = row_write(r, out);
	if (fclose(out) == 0 && written == 0)
		return text;
	free(text);
	errno = ENOMEM;
	return NULL;
}

static int
append_locked(int fd, const struct row *r)
{
	const char *before;
	struct stat st;
	size_t length;
	ssize_t n;
	off_t size;
	char *text;

	if (fstat(fd, &st) == -1 || look_at_file(fd, &st, &before, &size) == -1)
		return -1;
	text = lines_of(before, r, &length);
	if (text == NULL)
		return -1;
	while ((n = write(fd, text, length)) == -1 && errno == EINTR)
		continue;
	free(text);
	if (n == -1)
		return -1;
	if ((size_t)n < length) {	/* no torn line stays behind */
		if (S_ISREG(st.st_mode) && ftruncate(fd, size) == -1)
			return -1;
		errno = ENOSPC;
		return -1;
	}
	return S_ISREG(st.st_mode) ? fsync(fd) : 0;
}
