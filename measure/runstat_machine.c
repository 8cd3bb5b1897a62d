/*
 * runstat_machine: compare what two machine.txt say.
 */
#include <sys/stat.h>

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runstat_machine.h"
#include "runstat_rows.h"

#define LINES 512
#define VALUE 256

struct facts {
	char text[64 * 1024];
	char *key[LINES], *value[LINES];
	size_t n;
};

static int
locate(char *out, size_t size, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return snprintf(out, size, "%s/machine.txt", path) < (int)size;
	if (slash == NULL)
		return snprintf(out, size, "machine.txt") < (int)size;
	return snprintf(out, size, "%.*s/machine.txt", (int)(slash - path),
	    path) < (int)size;
}

/* Keys in lower case, without what only people need to tell words apart. */
static void
plain(char *key)
{
	char *to = key;

	for (; *key != '\0'; key++)
		if (isalnum((unsigned char)*key))
			*to++ = (char)tolower((unsigned char)*key);
	*to = '\0';
}

static int
read_facts(struct facts *f, const char *path)
{
	char name[PATH_MAX], *line, *next, *colon;
	FILE *in;
	size_t n;

	f->n = 0;
	if (!locate(name, sizeof name, path) ||
	    (in = fopen(name, "re")) == NULL)
		return -1;
	n = fread(f->text, 1, sizeof f->text - 1, in);
	fclose(in);
	f->text[n] = '\0';
	for (line = f->text; line != NULL && f->n < LINES; line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		colon = strchr(line, ':');
		if (colon == NULL)
			continue;
		*colon++ = '\0';
		plain(line);
		f->key[f->n] = line;
		f->value[f->n++] = colon + strspn(colon, " \t");
	}
	return 0;
}

static const char *
fact(const struct facts *f, const char *key)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->key[i], key) == 0)
			return f->value[i];
	return NULL;
}

int
machine_unlike(const char *a, const char *b, char *unlike, size_t size,
    char *workload, size_t workload_size)
{
	static const struct {
		const char *key, *name;
	} hardware[] = {
		{ "cpu", "CPU" }, { "cpumodel", "CPU" }, { "cores", "cores" },
		{ "cpus", "CPUs" }, { "memtotal", "MemTotal" },
		{ "memtotalkib", "MemTotal" },
		{ "pagesizebytes", "page size" },
		{ "memlimitkib", "memory limit" },
		{ "architecture", "architecture" }
	};
	static struct facts fa, fb;
	const char *x, *y;
	size_t at = 0;

	unlike[0] = workload[0] = '\0';
	if (read_facts(&fa, a) == -1 || read_facts(&fb, b) == -1)
		return 0;
	for (size_t i = 0; i < sizeof hardware / sizeof *hardware; i++) {
		x = fact(&fa, hardware[i].key);
		y = fact(&fb, hardware[i].key);
		if (x == NULL || y == NULL || strcmp(x, y) == 0 || at >= size)
			continue;
		at += (size_t)snprintf(unlike + at, size - at, "%s%s",
		    at > 0 ? ", " : "", hardware[i].name);
	}
	x = fact(&fa, "workloadversion");
	y = fact(&fb, "workloadversion");
	if (x == NULL || y == NULL || strcmp(x, y) == 0)
		return 0;
	snprintf(workload, workload_size, "workload %.60s against %.60s", y, x);
	return 1;
}

double
machine_mem_kib(const char *path)
{
	static struct facts f;
	const char *text;
	double kib;

	if (read_facts(&f, path) == -1 ||
	    (text = fact(&f, "memtotalkib")) == NULL ||
	    rows_number(text, strlen(text), &kib) == -1)
		return NAN;
	return kib;
}
