/*
 * checksum: every file of a tree is read and checked against a list, as debsums
 * does.  A line of the list: CRC-32C in 8 digits, bytes, path.
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "digest.h"
#include "exits.h"
#include "workdir.h"

struct item {
	uint32_t crc;
	uint64_t bytes;
	char *path;
};

struct list {
	struct frame *frame;
	struct item *item;
	size_t n, room;
	char *buf;
};

static int
add(struct list *l, uint32_t crc, uint64_t bytes, const char *path)
{
	size_t room = l->room > 0 ? 2 * l->room : 64;
	struct item *more;

	if (l->n == l->room) {
		more = realloc(l->item, room * sizeof *more);
		if (more == NULL)
			return -1;
		l->item = more;
		l->room = room;
	}
	l->item[l->n] = (struct item){ crc, bytes, strdup(path) };
	if (l->item[l->n].path == NULL)
		return -1;
	l->n++;
	return 0;
}

/* The digest of a file; 0, -1 told, or 1 when asked to end. */
static int
digest(struct list *l, const char *path, struct item *got, int counted)
{
	const struct plan *p = l->frame->plan;
	uint64_t since = clock_now_ns();
	int fd = workdir_open(p, path);
	ssize_t n = 1;

	if (fd == -1)
		return -1;
	got->crc = 0;
	got->bytes = 0;
	while (n != 0 && frame_stopped() == 0) {
		n = read(fd, l->buf, p->block);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1) {
			warn("%s: read at offset %" PRIu64, path, got->bytes);
			close(fd);
			return -1;
		}
		got->crc = digest_crc32c(got->crc, l->buf, (size_t)n);
		got->bytes += (uint64_t)n;
	}
	close(fd);
	if (n != 0)
		return 1;
	if (counted)
		frame_count(l->frame, got->bytes, &since);
	return 0;
}

static int
learn(const char *path, const struct stat *st, void *arg)
{
	struct list *l = arg;
	struct item got;
	int r;

	if (!S_ISREG(st->st_mode))
		return 0;
	if ((r = digest(l, path, &got, 0)) != 0)
		return r;
	if (add(l, got.crc, got.bytes, path) == -1) {
		warn("list of files");
		return -1;
	}
	return 0;
}

static int
load(struct list *l, const char *path)
{
	char line[PATH_MAX + 40], name[PATH_MAX];
	FILE *in = fopen(path, "re");
	uint64_t bytes, number = 0;
	uint32_t crc;
	int status = EXIT_GOOD;

	if (in == NULL) {
		warn("%s", path);
		return EXIT_FAILED;
	}
	while (status == EXIT_GOOD && fgets(line, sizeof line, in) != NULL) {
		int at = 0;

		number++;
		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%8" SCNx32 " %" SCNu64 " %n", &crc, &bytes,
		    &at) != 2 || at == 0 || line[at] == '\0' ||
		    strlen(line + at) >= sizeof name) {
			warnx("%s: line %" PRIu64 " is not a checksum, a size "
			    "and a path", path, number);
			status = EXIT_FAILED;
		} else {
			snprintf(name, sizeof name, "%s", line + at);
			if (add(l, crc, bytes, name) == -1) {
				warn("list of files");
				status = EXIT_MEMORY;
			}
		}
	}
	if (ferror(in) && status == EXIT_GOOD) {
		warn("%s", path);
		status = EXIT_FAILED;
	}
	fclose(in);
	return status;
}

static int
save(const struct list *l, const char *path)
{
	FILE *out = fopen(path, "wxe");
	int bad;

	if (out == NULL) {
		warn("%s", path);
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < l->n; i++)
		fprintf(out, "%08" PRIx32 " %" PRIu64 " %s\n", l->item[i].crc,
		    l->item[i].bytes, l->item[i].path);
	bad = ferror(out);
	if (fclose(out) != 0 || bad) {
		warn("%s", path);
		unlink(path);
		return EXIT_FAILED;
	}
	return EXIT_GOOD;
}

static int
prepare(struct list *l)
{
	const struct plan *p = l->frame->plan;

	if (p->file != NULL && (!p->keep || access(p->file, F_OK) == 0))
		return load(l, p->file);
	if (workdir_walk(p->dir, learn, l) == -1)
		return EXIT_FAILED;
	if (p->keep && p->file != NULL && frame_stopped() == 0)
		return save(l, p->file);
	return EXIT_GOOD;
}

static int
pass(struct list *l)
{
	struct item got, *want;
	int r;

	for (size_t i = 0; i < l->n && frame_stopped() == 0; i++) {
		want = &l->item[i];
		r = digest(l, want->path, &got, 1);
		if (r != 0)
			return r == 1 ? EXIT_GOOD : EXIT_FAILED;
		if (got.crc != want->crc || got.bytes != want->bytes) {
			warnx("%s: CRC-32C %08" PRIx32 " of %" PRIu64
			    " bytes instead of %08" PRIx32 " of %" PRIu64,
			    want->path, got.crc, got.bytes, want->crc,
			    want->bytes);
			return EXIT_CORRUPT;
		}
	}
	if (frame_stopped() == 0) {
		l->frame->passes++;
		l->frame->units = 0;
	}
	return EXIT_GOOD;
}

int
checksum_run(struct frame *f)
{
	struct list l = { .frame = f };
	int status;

	if ((l.buf = malloc(f->plan->block)) == NULL) {
		warn("a block of %zu bytes", f->plan->block);
		return EXIT_MEMORY;
	}
	status = prepare(&l);
	if (status == EXIT_GOOD && l.n == 0 && frame_stopped() == 0) {
		warnx("%s: no files", f->plan->dir);
		status = EXIT_FAILED;
	}
	while (status == EXIT_GOOD && frame_next(f, l.n))
		status = pass(&l);
	while (l.n > 0)
		free(l.item[--l.n].path);
	free(l.item);
	free(l.buf);
	return status;
}
