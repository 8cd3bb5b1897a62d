/*
 * tree: all files of a tree are copied into one archive, which is then read
 * again and checked; as tar making and reading one.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "digest.h"
#include "exits.h"
#include "workdir.h"

/* Before the data of each file; it is for this process alone. */
struct entry {
	uint64_t number, bytes;
	uint32_t crc, unused;
};

struct tree {
	struct frame *frame;
	int fd;
	char *buf;
	uint64_t n, at, bytes;
};

static int
count(const char *path, const struct stat *st, void *arg)
{
	struct tree *t = arg;

	(void)path;
	if (S_ISREG(st->st_mode)) {
		t->n++;
		t->bytes += (uint64_t)st->st_size + sizeof(struct entry);
	}
	return 0;
}

/* All n bytes at an offset of the archive, or -1, told. */
static int
put(const struct tree *t, const void *data, size_t n, uint64_t at)
{
	const char *p = data;
	ssize_t r;

	for (; n > 0; n -= (size_t)r, p += r, at += (uint64_t)r) {
		r = pwrite(t->fd, p, n, (off_t)at);
		if (r == -1 && errno == EINTR)
			r = 0;
		else if (r <= 0) {
			warn("%s: archive, offset %" PRIu64 " of %" PRIu64
			    " bytes", t->frame->plan->dir, at, t->bytes);
			return -1;
		}
	}
	return 0;
}

static int
get(const struct tree *t, void *data, size_t n, uint64_t at)
{
	char *p = data;
	ssize_t r;

	for (; n > 0; n -= (size_t)r, p += r, at += (uint64_t)r) {
		r = pread(t->fd, p, n, (off_t)at);
		if (r == -1 && errno == EINTR) {
			r = 0;
		} else if (r <= 0) {
			warnx("%s: archive, read at offset %" PRIu64 ": %s",
			    t->frame->plan->dir, at, r == 0 ? "nothing there" :
			    strerror(errno));
			return -1;
		}
	}
	return 0;
}

static int
pack(const char *path, const struct stat *st, void *arg)
{
	struct tree *t = arg;
	struct entry e = { .number = t->n };
	uint64_t since = clock_now_ns();
	ssize_t n = 1;
	int fd;

	if (!S_ISREG(st->st_mode))
		return 0;
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) == -1) {
		warn("%s", path);
		return -1;
	}
	while (n != 0 && frame_stopped() == 0) {
		n = read(fd, t->buf, t->frame->plan->block);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			warn("%s: read at offset %" PRIu64, path, e.bytes);
		if (n == -1 || put(t, t->buf, (size_t)n,
		    t->at + sizeof e + e.bytes) == -1) {
			close(fd);
			return -1;
		}
		e.crc = digest_crc32c(e.crc, t->buf, (size_t)n);
		e.bytes += (uint64_t)n;
	}
	close(fd);
	if (n != 0)
		return 1;
	if (put(t, &e, sizeof e, t->at) == -1)
		return -1;
	t->at += sizeof e + e.bytes;
	t->n++;
	frame_count(t->frame, e.bytes, &since);
	return 0;
}

/* One file of the archive; EXIT_GOOD, or what is wrong. */
static int
unpack(struct tree *t, uint64_t number)
{
	uint64_t since = clock_now_ns(), left;
	uint32_t crc = 0;
	struct entry e;
	size_t n;

	if (get(t, &e, sizeof e, t->at) == -1)
		return EXIT_FAILED;
	if (e.number != number || e.bytes > t->bytes) {
		warnx("archive: offset %" PRIu64 ": not the head of file %"
		    PRIu64, t->at, number);
		return EXIT_CORRUPT;
	}
	t->at += sizeof e;
	for (left = e.bytes; left > 0; left -= n, t->at += n) {
		n = left < t->frame->plan->block ? (size_t)left :
		    t->frame->plan->block;
		if (get(t, t->buf, n, t->at) == -1)
			return EXIT_FAILED;
		crc = digest_crc32c(crc, t->buf, n);
	}
	if (crc != e.crc) {
		warnx("archive: file %" PRIu64 ": CRC-32C %08" PRIx32
		    " instead of %08" PRIx32, number, crc, e.crc);
		return EXIT_CORRUPT;
	}
	frame_count(t->frame, e.bytes, &since);
	return EXIT_GOOD;
}

static int
pass(struct tree *t)
{
	const struct plan *p = t->frame->plan;
	uint64_t files;
	int status = EXIT_GOOD;

	t->n = 0;
	t->at = 0;
	if (ftruncate(t->fd, 0) == -1) {
		warn("%s: archive", p->dir);
		return EXIT_FAILED;
	}
	if (workdir_walk(p->file, pack, t) == -1)
		return EXIT_FAILED;
	if (p->sync_every > 0 && frame_stopped() == 0) {
		if ((p->sync_data ? fdatasync(t->fd) : fsync(t->fd)) == -1) {
			warn("%s: archive", p->dir);
			return EXIT_FAILED;
		}
		t->frame->syncs++;
	}
	files = t->n;
	t->at = 0;
	for (uint64_t i = 0; i < files && status == EXIT_GOOD &&
	    frame_stopped() == 0; i++)
		status = unpack(t, i);
	if (status == EXIT_GOOD && frame_stopped() == 0) {
		t->frame->passes++;
		t->frame->units = 0;
	}
	return status;
}

int
tree_run(struct frame *f)
{
	const struct plan *p = f->plan;
	struct tree t = { .frame = f, .fd = -1 };
	uint64_t units;
	int status;

	if (workdir_walk(p->file, count, &t) == -1)
		return EXIT_FAILED;
	units = 2 * t.n;
	status = workdir_check(p, t.bytes);
	if (status != EXIT_GOOD)
		return status;
	if ((t.buf = malloc(p->block)) == NULL) {
		warn("a block of %zu bytes", p->block);
		return EXIT_MEMORY;
	}
	if ((t.fd = workdir_create(p, "fileio.archive")) == -1)
		status = EXIT_FAILED;
	while (status == EXIT_GOOD && frame_next(f, units))
		status = pass(&t);
	if (t.fd != -1)
		close(t.fd);
	free(t.buf);
	return status;
}
