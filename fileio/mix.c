/*
 * mix: clients, each a process in a folder of its own, doing in turn what a
 * file server does.  One round: create a file, write 4 to 256 KiB in pieces of
 * 4 KiB, flush, read and check it, stat, rename, list the folder, unlink.
 */
#include <sys/stat.h>

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "exits.h"
#include "rng.h"
#include "workdir.h"
#include "workers.h"

#define PIECES_MAX 64
#define PIECE CONTENT_BLOCK_BYTES

enum kind { CREATE, WRITE, FLUSH, READ, STAT, RENAME, LIST, UNLINK, KINDS };

static const char *const names[KINDS] = {
	"create", "write", "flush", "read", "stat", "rename", "list", "unlink"
};

/* Of one client, in memory shared with the parent. */
struct result {
	uint64_t rounds, bytes;
	struct histogram kind[KINDS];
};

struct client {
	const struct plan *plan;
	struct result *r;
	uint64_t since;
	char *buf;
	char dir[PATH_MAX - 40], a[PATH_MAX], b[PATH_MAX];
};

struct job {
	const struct plan *plan;
	const char *dir;
};

static void
count(struct client *c, enum kind k)
{
	uint64_t now = clock_now_ns();

	histogram_add(&c->r->kind[k], now - c->since);
	c->since = now;
}

static int
fails(const char *path, enum kind k, size_t offset)
{
	if (errno == 0)
		warnx("%s: short %s at offset %zu", path, names[k], offset);
	else
		warn("%s: %s at offset %zu", path, names[k], offset);
	return EXIT_FAILED;
}

static int
write_file(struct client *c, int fd, size_t pieces, uint32_t version)
{
	ssize_t n;

	content_fill(c->buf, pieces, &c->plan->content, 0,
	    content_version(version, 0));
	c->since = clock_now_ns();
	for (size_t i = 0; i < pieces; i++) {
		errno = 0;
		n = pwrite(fd, c->buf + i * PIECE, PIECE, (off_t)(i * PIECE));
		if (n != PIECE)
			return fails(c->a, WRITE, i * PIECE);
		c->r->bytes += PIECE;
		count(c, WRITE);
	}
	if ((c->plan->sync_data ? fdatasync(fd) : fsync(fd)) == -1)
		return fails(c->a, FLUSH, 0);
	count(c, FLUSH);
	return EXIT_GOOD;
}

static int
read_file(struct client *c, int fd, size_t pieces, uint32_t version)
{
	struct content_fault fault;
	char text[200];
	ssize_t n;

	for (size_t i = 0; i < pieces; i++) {
		errno = 0;
		n = pread(fd, c->buf + i * PIECE, PIECE, (off_t)(i * PIECE));
		if (n != PIECE)
			return fails(c->a, READ, i * PIECE);
		c->r->bytes += PIECE;
		count(c, READ);
	}
	if (c->plan->check && content_check(c->buf, pieces, &c->plan->content,
	    0, content_version(version, 0), &fault) == -1) {
		warnx("%s: %s", c->a, content_describe(text, sizeof text,
		    &fault, 0));
		return EXIT_CORRUPT;
	}
	c->since = clock_now_ns();
	return EXIT_GOOD;
}

static int
list_dir(struct client *c)
{
	DIR *d = opendir(c->dir);

	if (d == NULL)
		return fails(c->dir, LIST, 0);
	errno = 0;
	while (readdir(d) != NULL)
		continue;
	if (errno != 0) {
		closedir(d);
		return fails(c->dir, LIST, 0);
	}
	closedir(d);
	count(c, LIST);
	return EXIT_GOOD;
}

static int
names_of_it(struct client *c)
{
	struct stat st;
	int status;

	if (stat(c->a, &st) == -1)
		return fails(c->a, STAT, 0);
	count(c, STAT);
	if (rename(c->a, c->b) == -1)
		return fails(c->a, RENAME, 0);
	count(c, RENAME);
	if ((status = list_dir(c)) != EXIT_GOOD)
		return status;
	if (unlink(c->b) == -1)
		return fails(c->b, UNLINK, 0);
	count(c, UNLINK);
	return EXIT_GOOD;
}

static int
round_once(struct client *c, size_t pieces, uint32_t version)
{
	int fd, status;

	c->since = clock_now_ns();
	fd = open(c->a, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd == -1)
		return fails(c->a, CREATE, 0);
	count(c, CREATE);
	status = write_file(c, fd, pieces, version);
	if (status == EXIT_GOOD)
		status = read_file(c, fd, pieces, version);
	close(fd);
	return status == EXIT_GOOD ? names_of_it(c) : status;
}

static int
client(uint64_t index, void *result, void *arg)
{
	const struct job *job = arg;
	struct client c = { .plan = job->plan, .r = result };
	struct rng_mix rng = { job->plan->seed + index };
	uint32_t version = 0;
	int status = EXIT_GOOD;
	void *buf;

	if (posix_memalign(&buf, PIECE, PIECE * PIECES_MAX) != 0) {
		warnx("out of memory");
		return EXIT_MEMORY;
	}
	c.buf = buf;
	snprintf(c.dir, sizeof c.dir, "%s/%" PRIu64, job->dir, index);
	snprintf(c.a, sizeof c.a, "%s/file", c.dir);
	snprintf(c.b, sizeof c.b, "%s/renamed", c.dir);
	if (mkdir(c.dir, 0700) == -1)
		status = fails(c.dir, CREATE, 0);
	while (status == EXIT_GOOD && (job->plan->passes == 0 ||
	    c.r->rounds < job->plan->passes)) {
		status = round_once(&c, 1 + (size_t)rng_mix_below(&rng,
		    PIECES_MAX), ++version);
		if (status == EXIT_GOOD)
			c.r->rounds++;
	}
	free(buf);
	return status;
}

/* The sums of all clients; a line for each kind of operation. */
static void
sum(struct frame *f, const struct workers *w)
{
	static struct histogram h;
	uint64_t rounds = 0;

	for (int k = 0; k < KINDS; k++) {
		memset(&h, 0, sizeof h);
		for (uint64_t i = 0; i < w->started; i++) {
			const struct result *r = workers_result(w, i);

			histogram_merge(&h, &r->kind[k]);
		}
		histogram_merge(&f->ops, &h);
		f->kinds[k].name = names[k];
		f->kinds[k].count = h.count;
		f->kinds[k].max_ns = h.max_ns;
		if (k == FLUSH)
			f->syncs = h.count;
	}
	for (uint64_t i = 0; i < w->started; i++) {
		const struct result *r = workers_result(w, i);

		rounds += r->rounds;
		f->bytes += r->bytes;
	}
	/* A pass is a round by every client. */
	f->passes = rounds / f->plan->procs;
	f->done = rounds % f->plan->procs;
	f->units = f->plan->procs;
}

int
mix_run(struct frame *f)
{
	const struct plan *p = f->plan;
	char dir[PATH_MAX - 80], text[200];
	struct job job = { p, dir };
	struct workers_spec spec = { .procs = p->procs, .body = client,
	    .arg = &job, .result_bytes = sizeof(struct result), .gate = 1,
	    .limit_ns = p->limit_ns };
	int status = workdir_check(p, p->procs * PIECE * PIECES_MAX);
	struct workers w;

	if (status != EXIT_GOOD)
		return status;
	if (snprintf(dir, sizeof dir, "%s/fileio.XXXXXX", p->dir) >=
	    (int)sizeof dir) {
		warnx("%s: path is too long", p->dir);
		return EXIT_FAILED;
	}
	if (mkdtemp(dir) == NULL) {
		warn("%s", dir);
		return EXIT_FAILED;
	}
	if (workers_run(&w, &spec) == -1) {
		warn("clients");
		status = EXIT_FAILED;
	} else {
		f->signo = w.signo;
		if (w.end != WORKERS_OK && w.end != WORKERS_TIMEOUT &&
		    w.end != WORKERS_SIGNAL) {
			warnx("%s", workers_describe(&w, text, sizeof text));
			status = workers_exit_status(&w);
		}
		sum(f, &w);
		workers_free(&w);
	}
	if (!p->keep && workdir_remove(dir) == -1) {
		warn("%s: not removed", dir);
		status = EXIT_FAILED;
	}
	return status;
}
