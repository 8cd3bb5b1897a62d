/* block: writing and reading in blocks, whole ones or with the offset told. */
#include <sys/mman.h>
#include <sys/stat.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "block.h"
#include "clock.h"
#include "exits.h"
#include "permute.h"
#include "workdir.h"

static void
on_bus(int signo)
{
	static const char text[] =
	    "fileio: the disk failed below a mapped page (SIGBUS)\n";
	ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);

	(void)ignored;
	(void)signo;
	_exit(EXIT_FAILED);
}

static int
map(struct blocks *b)
{
	const struct plan *p = b->frame->plan;
	int mode = fcntl(b->fd, F_GETFL), error;

	if (p->bytes > SIZE_MAX) {
		warnx("%s: too large to be mapped", b->name);
		return EXIT_FAILED;
	}
	if ((mode & O_ACCMODE) != O_RDONLY) {
		/* So that a full disk is seen here and is no SIGBUS. */
		error = posix_fallocate(b->fd, 0, (off_t)p->bytes);
		if (error != 0) {
			warnx("%s: %" PRIu64 " bytes wanted: %s", b->name,
			    p->bytes, strerror(error));
			return EXIT_FAILED;
		}
	}
	b->map = mmap(NULL, (size_t)p->bytes, (mode & O_ACCMODE) == O_RDONLY ?
	    PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED, b->fd, 0);
	if (b->map == MAP_FAILED) {
		b->map = NULL;
		warn("%s: mmap", b->name);
		return EXIT_FAILED;
	}
	signal(SIGBUS, on_bus);
	return EXIT_GOOD;
}

int
blocks_init(struct blocks *b, struct frame *f, int fd, const char *name)
{
	const struct plan *p = f->plan;
	void *buf;
	int error = posix_memalign(&buf, 4096, p->block);

	memset(b, 0, sizeof *b);
	b->frame = f;
	b->fd = fd;
	b->name = name;
	b->count = p->bytes / p->block;
	if (error != 0) {
		warnx("a block of %zu bytes: %s", p->block, strerror(error));
		return EXIT_MEMORY;
	}
	b->buf = buf;
	content_fill(b->buf, p->block / CONTENT_BLOCK_BYTES, &p->content, 0,
	    content_version(1, 0));
	return p->access == ACCESS_MMAP ? map(b) : EXIT_GOOD;
}

void
blocks_free(struct blocks *b)
{
	if (b->map != NULL)
		munmap(b->map, (size_t)b->frame->plan->bytes);
	free(b->buf);
	close(b->fd);
}

/* What a failed or short transfer at an offset deserves. */
static int
failed(const struct blocks *b, const char *verb, uint64_t offset, size_t done)
{
	const struct plan *p = b->frame->plan;

	if (errno == EINVAL && p->access == ACCESS_DIRECT && done == 0)
		return workdir_no_direct(p->dir);
	if (errno == ENOSPC || errno == EDQUOT)
		warn("%s: offset %" PRIu64 ": %" PRIu64 " bytes wanted, %"
		    PRIu64 " written", b->name, offset + done, p->bytes,
		    b->frame->bytes < p->bytes ? b->frame->bytes + done :
		    p->bytes);
	else
		warn("%s: %s at offset %" PRIu64, b->name, verb,
		    offset + done);
	return EXIT_FAILED;
}

/* A short transfer goes on where it ended. */
static int
transfer(struct blocks *b, int writing, uint64_t offset)
{
	size_t size = b->frame->plan->block, done = 0;
	ssize_t n;

	if (b->map != NULL) {
		if (writing)
			memcpy(b->map + offset, b->buf, size);
		else
			memcpy(b->buf, b->map + offset, size);
		return EXIT_GOOD;
	}
	while (done < size) {
		n = writing ? pwrite(b->fd, b->buf + done, size - done,
		    (off_t)(offset + done)) : pread(b->fd, b->buf + done,
		    size - done, (off_t)(offset + done));
		if (n == -1 && errno == EINTR)
			continue;
		if (n == 0) {
			warnx("%s: %s at offset %" PRIu64 " gave nothing",
			    b->name, writing ? "write" : "read",
			    offset + done);
			return EXIT_FAILED;
		}
		if (n == -1)
			return failed(b, writing ? "write" : "read", offset,
			    done);
		done += (size_t)n;
	}
	return EXIT_GOOD;
}

static int
flush(struct blocks *b)
{
	const struct plan *p = b->frame->plan;
	int r = b->map != NULL ? msync(b->map, (size_t)p->bytes, MS_SYNC) : 0;

	if (r == 0)
		r = p->sync_data ? fdatasync(b->fd) : fsync(b->fd);
	if (r == -1) {
		warn("%s: %s", b->name, p->sync_data ? "fdatasync" : "fsync");
		return EXIT_FAILED;
	}
	b->frame->syncs++;
	return EXIT_GOOD;
}

/* The seed of a pass's order; reads and writes have the same. */
static void
order(struct permute *o, const struct blocks *b, uint32_t version)
{
	permute_init(o, b->count, b->frame->plan->seed ^
	    (uint64_t)version << 32);
}

int
blocks_write(struct blocks *b, uint32_t version, int counted)
{
	const struct plan *p = b->frame->plan;
	size_t small = p->block / CONTENT_BLOCK_BYTES;
	uint64_t since = clock_now_ns(), k;
	struct permute o;
	int status = EXIT_GOOD;

	order(&o, b, version);
	for (uint64_t i = 0; i < b->count && frame_stopped() == 0; i++) {
		k = p->random ? permute_at(&o, i) : i;
		if (p->check) {
			content_fill(b->buf, small, &p->content, k * small,
			    content_version(version, 0));
			since = clock_now_ns();
		}
		status = transfer(b, 1, k * p->block);
		if (status == EXIT_GOOD && p->sync_every > 0 &&
		    (p->sync_every == UINT64_MAX ? i + 1 == b->count :
		    (i + 1) % p->sync_every == 0))
			status = flush(b);
		if (status != EXIT_GOOD)
			break;
		if (counted)
			frame_count(b->frame, p->block, &since);
	}
	return status;
}

int
blocks_read(struct blocks *b, uint32_t version, int counted)
{
	const struct plan *p = b->frame->plan;
	size_t small = p->block / CONTENT_BLOCK_BYTES;
	uint64_t since = clock_now_ns(), k;
	struct content_fault fault;
	struct permute o;
	char text[200];
	int status;

	order(&o, b, version);
	for (uint64_t i = 0; i < b->count && frame_stopped() == 0; i++) {
		k = p->random ? permute_at(&o, i) : i;
		status = transfer(b, 0, k * p->block);
		if (status != EXIT_GOOD)
			return status;
		if (counted)
			frame_count(b->frame, p->block, &since);
		if (!p->check)
			continue;
		if (content_check(b->buf, small, &p->content, k * small,
		    content_version(version, 0), &fault) == -1) {
			warnx("%s: block %" PRIu64 ": %s", b->name, k,
			    content_describe(text, sizeof text, &fault,
			    k * p->block));
			return EXIT_CORRUPT;
		}
		since = clock_now_ns();
	}
	return EXIT_GOOD;
}

int
blocks_drop(struct blocks *b)
{
	int error;

	/* Dirty pages would stay. */
	if ((fcntl(b->fd, F_GETFL) & O_ACCMODE) != O_RDONLY &&
	    fdatasync(b->fd) == -1) {
		warn("%s: fdatasync", b->name);
		return EXIT_FAILED;
	}
	if (b->map != NULL &&
	    madvise(b->map, (size_t)b->frame->plan->bytes, MADV_DONTNEED) ==
	    -1) {
		warn("%s: madvise", b->name);
		return EXIT_FAILED;
	}
	error = posix_fadvise(b->fd, 0, 0, POSIX_FADV_DONTNEED);
	if (error != 0) {
		warnx("%s: posix_fadvise: %s", b->name, strerror(error));
		return EXIT_FAILED;
	}
	return EXIT_GOOD;
}
