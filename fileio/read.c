/* read: one file from start to end, again and again; made first if absent. */
#include <sys/stat.h>

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "block.h"
#include "exits.h"
#include "workdir.h"

static int
run(struct blocks *b)
{
	struct frame *f = b->frame;
	int status = EXIT_GOOD;

	while (status == EXIT_GOOD && frame_next(f, b->count)) {
		status = blocks_read(b, 1, 1);
		if (status != EXIT_GOOD || f->done < f->units)
			break;
		f->passes++;
		f->units = 0;
		if (f->plan->drop)
			status = blocks_drop(b);
	}
	return status;
}

/* A file of somebody's, as long as asked at least. */
static int
open_given(const struct plan *p, const struct stat *st)
{
	if (!S_ISREG(st->st_mode) || (uint64_t)st->st_size < p->bytes) {
		warnx("%s: not a file of %" PRIu64 " bytes", p->file, p->bytes);
		return -1;
	}
	return workdir_open(p, p->file);
}

int
read_run(struct frame *f)
{
	const struct plan *p = f->plan;
	int given, status = EXIT_GOOD, fd;
	struct blocks b;
	struct stat st;

	given = p->file != NULL && stat(p->file, &st) == 0;
	if (!given)
		status = workdir_check(p, p->bytes);
	if (status != EXIT_GOOD)
		return status;
	fd = given ? open_given(p, &st) : workdir_create(p, "fileio.data");
	if (fd == -1)
		return EXIT_FAILED;
	status = blocks_init(&b, f, fd, p->file != NULL ? p->file : p->dir);
	if (status == EXIT_GOOD && !given)
		status = blocks_write(&b, 1, 0);
	if (status == EXIT_GOOD && p->drop)
		status = blocks_drop(&b);
	if (status == EXIT_GOOD)
		status = run(&b);
	blocks_free(&b);
	return status;
}
