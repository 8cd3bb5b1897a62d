/* list: everything in a tree is listed and looked at, as by ls -lR. */
#include "clock.h"
#include "exits.h"
#include "workdir.h"

struct walk {
	struct frame *frame;
	uint64_t since, n;
};

static int
look(const char *path, const struct stat *st, void *arg)
{
	struct walk *w = arg;

	(void)path;
	(void)st;
	w->n++;
	frame_count(w->frame, 0, &w->since);
	return 0;
}

static int
count(const char *path, const struct stat *st, void *arg)
{
	struct walk *w = arg;

	(void)path;
	(void)st;
	w->n++;
	return 0;
}

int
list_run(struct frame *f)
{
	struct walk w = { .frame = f };

	/* What a fraction is a fraction of. */
	if (workdir_walk(f->plan->dir, count, &w) != 0)
		return EXIT_FAILED;
	while (frame_next(f, w.n)) {
		w.n = 0;
		w.since = clock_now_ns();
		if (workdir_walk(f->plan->dir, look, &w) != 0)
			return EXIT_FAILED;
		if (frame_stopped() != 0)
			break;
		f->passes++;
		f->units = 0;
	}
	return EXIT_GOOD;
}
