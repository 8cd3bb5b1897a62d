/*
 * runstat_rows: read runs.tsv.
 */
#include <sys/stat.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runstat_rows.h"

#define FIRST_BUFFER ((size_t)1 << 16)
#define FIRST_ROWS 1024
#define MAX_COLUMNS 256
#define MAX_FAULTS_SHOWN 20
#define EMPTY UINT32_MAX

/* What is done with a column. */
enum use {
	USE_NOTHING, USE_KEY, USE_OUTCOME, USE_PRESSURE, USE_STARTED, USE_VALUE
};

struct column {
	enum use use;
	unsigned at;		/* which key or value */
	int filter;		/* which filter, or -1 */
};

struct reader {
	struct rows *rows;
	const char *path;
	uint64_t line;
	struct column column[MAX_COLUMNS];
	size_t columns, used;	/* used: after it nothing is of interest */
	int has_outcome;
	char first[64];		/* the header's first name, to know it again */
	struct {		/* the last text of each key, found at once */
		uint32_t id;
		const char *text;
		size_t length;
	} last[ROWS_KEYS + 2];
};

static const char *const key_names[ROWS_KEYS] = {
	"label", "load", "job", "command", "id", "cpu", "mem_kb", "swap_kb",
	"workload", "host"
};

/* The names that tables of reported figures use for the same things. */
static const struct {
	const char *from, *to;
} aliases[] = {
	{ "kernel", "label" }, { "args", "command" }, { "time_s", "elapsed_s" },
	{ "lcpu_pct", "load_cpu_pct" }
};

static void
fault(struct reader *in, const char *what)
{
	if (in->rows->faults++ < MAX_FAULTS_SHOWN)
		warnx("%s:%llu: %s", in->path, (unsigned long long)in->line,
		    what);
}

static int
resize(void *field, size_t count, size_t size)
{
	void **p = field, *q = realloc(*p, count * size);

	if (q == NULL)
		return -1;
	*p = q;
	return 0;
}

static int
more_rows(struct rows *r)
{
	size_t room = r->room > 0 ? r->room + r->room / 2 : FIRST_ROWS;

	if (room >= UINT32_MAX ||
	    resize(&r->cell, room, sizeof *r->cell) == -1 ||
	    resize(&r->outcome, room, sizeof *r->outcome) == -1 ||
	    resize(&r->pressure, room, sizeof *r->pressure) == -1 ||
	    resize(&r->started, room, sizeof *r->started) == -1)
		return -1;
	for (size_t i = 0; i < r->spec.values; i++)
		if (resize(&r->value[i], room, sizeof *r->value[i]) == -1)
			return -1;
	r->room = room;
	return 0;
}

static int
named(const char *s, size_t length, const char *name)
{
	return strlen(name) == length && memcmp(s, name, length) == 0;
}

static void
use_column(struct reader *in, const char *s, size_t length, struct column *c)
{
	const struct rows_spec *spec = &in->rows->spec;
	const char *equals;

	*c = (struct column){ USE_NOTHING, 0, -1 };
	for (size_t i = 0; i < spec->filters; i++) {
		equals = strchr(spec->filter[i], '=');
		if ((size_t)(equals - spec->filter[i]) == length &&
		    memcmp(s, spec->filter[i], length) == 0)
			c->filter = (int)i;
	}
	for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
		if (named(s, length, aliases[i].from)) {
			s = aliases[i].to;
			length = strlen(s);
		}
	for (unsigned i = 0; i < ROWS_KEYS; i++)
		if (named(s, length, key_names[i]))
			*c = (struct column){ USE_KEY, i, c->filter };
	for (unsigned i = 0; i < spec->values; i++)
		if (named(s, length, spec->value[i]))
			*c = (struct column){ USE_VALUE, i, c->filter };
	if (named(s, length, "outcome"))
		c->use = USE_OUTCOME;
	else if (named(s, length, "pressure"))
		c->use = USE_PRESSURE;
	else if (named(s, length, "started"))
		c->use = USE_STARTED;
}

/* Look that every column asked for is there. */
static int
header_complete(const struct reader *in)
{
	const struct rows_spec *spec = &in->rows->spec;
	int seen[ROWS_VALUES] = { 0 }, filtered[ROWS_FILTERS] = { 0 };

	for (size_t i = 0; i < in->columns; i++) {
		if (in->column[i].use == USE_VALUE)
			seen[in->column[i].at] = 1;
		if (in->column[i].filter >= 0)
			filtered[in->column[i].filter] = 1;
	}
	for (size_t i = 0; i < spec->required; i++)
		if (!seen[i]) {
			warnx("%s: no column named %s", in->path,
			    spec->value[i]);
			return 0;
		}
	for (size_t i = 0; i < spec->filters; i++)
		if (!filtered[i]) {
			warnx("%s: no column for -e %s", in->path,
			    spec->filter[i]);
			return 0;
		}
	return 1;
}

static int
read_header(struct reader *in, const char *s, size_t length)
{
	const char *end = s + length, *tab;
	size_t width;

	if (length > 0 && *s == '#')
		s++;
	in->columns = in->used = 0;
	in->has_outcome = 0;
	for (; in->columns < MAX_COLUMNS; s = tab + 1) {
		tab = memchr(s, '\t', (size_t)(end - s));
		width = (size_t)((tab != NULL ? tab : end) - s);
		if (in->columns == 0)
			snprintf(in->first, sizeof in->first, "%.*s",
			    (int)(width < 60 ? width : 60), s);
		use_column(in, s, width, &in->column[in->columns]);
		if (in->column[in->columns].use == USE_OUTCOME)
			in->has_outcome = 1;
		in->columns++;
		if (in->column[in->columns - 1].use != USE_NOTHING ||
		    in->column[in->columns - 1].filter >= 0)
			in->used = in->columns;
		if (tab == NULL)
			break;
	}
	if (header_complete(in))
		return 0;
	errno = 0;	/* the message is out */
	return -1;
}

/* A text that is the same as in the row before needs no search. */
static uint32_t
text_of(struct reader *in, unsigned at, const char *s, size_t length)
{
	struct rows_texts *t = &in->rows->texts;

	if (in->last[at].text != NULL && in->last[at].length == length &&
	    memcmp(in->last[at].text, s, length) == 0)
		return in->last[at].id;
	in->last[at].id = length == 0 ? in->rows->missing :
	    rows_intern(t, s, length);
	if (in->last[at].id == EMPTY)
		return EMPTY;
	in->last[at].text = t->text[in->last[at].id];
	in->last[at].length = length;
	if (length == 0)
		in->last[at].text = NULL;
	return in->last[at].id;
}

/* "2026-11-30T23:20:48.5Z" as the number 20261130232048 50000. */
static uint64_t
stamp(const char *s, size_t length)
{
	uint64_t t = 0;
	int digits = 0;

	for (size_t i = 0; i < length && digits < 19; i++)
		if (s[i] >= '0' && s[i] <= '9') {
			t = t * 10 + (uint64_t)(s[i] - '0');
			digits++;
		}
	for (; digits > 0 && digits < 19; digits++)
		t *= 10;
	return t;
}

struct parsed {
	uint32_t key[ROWS_KEYS], outcome, pressure;
	uint64_t started;
	double value[ROWS_VALUES];
	int wanted;		/* zero: a filter leaves it out */
};

static int
take(struct reader *in, struct parsed *p, const struct column *c,
    const char *s, size_t length)
{
	const char *want;

	if (c->filter >= 0) {
		want = strchr(in->rows->spec.filter[c->filter], '=') + 1;
		if (!named(s, length, want))
			p->wanted = 0;
	}
	switch (c->use) {
	case USE_NOTHING:
		return 0;
	case USE_KEY:
		p->key[c->at] = text_of(in, c->at, s, length);
		return p->key[c->at] == EMPTY ? -1 : 0;
	case USE_OUTCOME:
		p->outcome = text_of(in, ROWS_KEYS, s, length);
		return p->outcome == EMPTY ? -1 : 0;
	case USE_PRESSURE:
		p->pressure = text_of(in, ROWS_KEYS + 1, s, length);
		return p->pressure == EMPTY ? -1 : 0;
	case USE_STARTED:
		p->started = stamp(s, length);
		return 0;
	case USE_VALUE:
		if (rows_number(s, length, &p->value[c->at]) == -1)
			fault(in, "not a number: taken as missing");
		return 0;
	}
	return 0;
}

/* 1: a row; 0: too few columns; -1: no memory. */
static int
split(struct reader *in, struct parsed *p, const char *s, size_t length)
{
	const char *end = s + length, *tab;
	size_t i = 0;

	for (;; s = tab + 1) {
		tab = memchr(s, '\t', (size_t)(end - s));
		if (take(in, p, &in->column[i], s,
		    (size_t)((tab != NULL ? tab : end) - s)) == -1)
			return -1;
		if (++i == in->used)
			return 1;
		if (tab == NULL)
			return 0;
	}
}

static int
store(struct rows *r, const struct parsed *p)
{
	if (r->n == r->room && more_rows(r) == -1)
		return -1;
	r->cell[r->n] = rows_cell_of(r, p->key, r->spec.pool ? 0 : r->files);
	if (r->cell[r->n] == EMPTY)
		return -1;
	r->outcome[r->n] = p->outcome;
	r->pressure[r->n] = p->pressure;
	r->started[r->n] = p->started;
	for (size_t i = 0; i < r->spec.values; i++)
		r->value[i][r->n] = p->value[i];
	r->n++;
	return 0;
}

static int
read_line(struct reader *in, const char *s, size_t length)
{
	struct rows *r = in->rows;
	size_t first = strlen(in->first);
	struct parsed p;
	int status;

	in->line++;
	if (length > 0 && s[length - 1] == '\r')
		length--;
	if (in->columns == 0)
		return read_header(in, s, length);
	if (length == 0)
		return 0;
	/* Files put behind one another repeat the header. */
	if (s[*s == '#'] == in->first[0] && length > first + 1 &&
	    memcmp(s + (*s == '#'), in->first, first) == 0 &&
	    s[first + (*s == '#')] == '\t')
		return read_header(in, s, length);
	for (size_t i = 0; i < ROWS_KEYS; i++)
		p.key[i] = r->missing;
	p.pressure = r->missing;
	p.outcome = in->has_outcome ? r->missing : r->ok;
	p.started = 0;
	p.wanted = 1;
	for (size_t i = 0; i < ROWS_VALUES; i++)
		p.value[i] = NAN;
	status = split(in, &p, s, length);
	if (status == 0)
		fault(in, "fewer columns than the header: left out");
	if (status != 1 || !p.wanted)
		return status == -1 ? -1 : 0;
	return store(r, &p);
}

static void
hash_bytes(struct rows *r, const char *s, size_t n)
{
	uint64_t h = r->hash[r->files], word;
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		memcpy(&word, s + i, 8);
		h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	for (; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
	r->hash[r->files] = h;
	r->bytes[r->files] += n;
}

static ssize_t
read_full(int fd, char *buf, size_t size)
{
	size_t have = 0;
	ssize_t got;

	while (have < size) {
		got = read(fd, buf + have, size - have);
		if (got == -1 && errno == EINTR)
			continue;
		if (got == -1)
			return -1;
		if (got == 0)
			break;
		have += (size_t)got;
	}
	return (ssize_t)have;
}

/* All lines of fd; the buffer grows with the longest. */
static int
read_all(struct reader *in, int fd)
{
	size_t size = FIRST_BUFFER, have = 0, at, start;
	char *buf = malloc(size), *end;
	ssize_t got = 0;
	int status = buf == NULL ? -1 : 0;

	while (status == 0) {
		if (have == size && (size *= 2,
		    resize(&buf, size, 1) == -1)) {
			status = -1;
			break;
		}
		got = read_full(fd, buf + have, size - have);
		if (got <= 0)
			break;
		hash_bytes(in->rows, buf + have, (size_t)got);
		at = have;
		have += (size_t)got;
		for (start = 0; status == 0 && (end = memchr(buf + at, '\n',
		    have - at)) != NULL; start = at) {
			status = read_line(in, buf + start,
			    (size_t)(end - buf) - start);
			at = (size_t)(end - buf) + 1;
		}
		memmove(buf, buf + start, have - start);
		have -= start;
	}
	if (status == 0 && got == -1)
		status = -1;
	if (status == 0 && have > 0) {
		in->line++;
		fault(in, "torn last line (no newline): left out");
	}
	free(buf);
	return status;
}

/* A folder stands for its runs.tsv. */
static int
open_table(const char *path)
{
	char inside[PATH_MAX];
	struct stat st;

	if (strcmp(path, "-") == 0)
		return dup(STDIN_FILENO);
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
		if ((size_t)snprintf(inside, sizeof inside, "%s/runs.tsv",
		    path) >= sizeof inside) {
			errno = ENAMETOOLONG;
			return -1;
		}
		path = inside;
		return open(path, O_RDONLY | O_CLOEXEC);
	}
	return open(path, O_RDONLY | O_CLOEXEC);
}

int
rows_read(struct rows *r, const char *path)
{
	struct reader in = { .rows = r, .path = path };
	int fd, status;

	if (r->files == ROWS_FILES) {
		warnx("%s: more than %d files", path, ROWS_FILES);
		return -1;
	}
	fd = open_table(path);
	if (fd == -1) {
		warn("%s", path);
		return -1;
	}
	errno = 0;
	status = read_all(&in, fd);
	if (status == -1 && errno != 0)
		warn("%s", path);
	close(fd);
	if (status == 0 && in.columns == 0) {
		warnx("%s: no header line", path);
		status = -1;
	}
	if (r->faults > MAX_FAULTS_SHOWN)
		warnx("%s: %d lines with faults in all", path, r->faults);
	r->files++;
	return status;
}
