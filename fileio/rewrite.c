/* rewrite: the same file from start to end, again and again. */
#include <sys/stat.h>

#include <err.h>
#include <unistd.h>

#include "block.h"
#include "exits.h"
#include "workdir.h"

static int
pass(struct blocks *b, const struct plan *p)
{
	uint32_t version = (uint32_t)b->frame->passes + 1;
	int status;

	if (p->truncate && ftruncate(b->fd, 0) == -1) {
		warn("%s: ftruncate", b->name);
		return EXIT_FAILED;
	}
	status = blocks_write(b, version, 1);
	if (status != EXIT_GOOD || b->frame->done < b->frame->units)
		return status;
	b->frame->passes++;
	b->frame->units = 0;
	if (p->drop)
		status = blocks_drop(b);
	if (status == EXIT_GOOD && p->check)
		status = blocks_read(b, version, 0);
	return status;
}

int
rewrite_run(struct frame *f)
{
	const struct plan *p = f->plan;
	int status = workdir_check(p, p->bytes), fd;
	struct blocks b;

	if (status != EXIT_GOOD)
		return status;
	if ((fd = workdir_create(p, "fileio.data")) == -1)
		return EXIT_FAILED;
	status = blocks_init(&b, f, fd, p->file != NULL ? p->file : p->dir);
	while (status == EXIT_GOOD && frame_next(f, b.count))
		status = pass(&b, p);
	blocks_free(&b);
	return status;
}
