/*
 * block: passes over one file, block by block.  Private to fileio.
 */
#ifndef QS_BLOCK_H
#define QS_BLOCK_H

#include "frame.h"

struct blocks {
	struct frame *frame;
	const char *name;	/* for messages */
	int fd;
	char *buf;		/* one block, aligned for O_DIRECT */
	char *map;		/* the file, with mmap */
	uint64_t count;
};

/* The file is open; 0, or an exit status, told.  Free with blocks_free. */
int blocks_init(struct blocks *b, struct frame *f, int fd, const char *name);
void blocks_free(struct blocks *b);

/*
 * Write, or read, every block once; those that are written are of that version.
 * Reads are checked against it if the plan says so.  With counted 0 nothing is
 * counted.  Returns EXIT_GOOD (also when asked to end), or the exit status.
 */
int blocks_write(struct blocks *b, uint32_t version, int counted);
int blocks_read(struct blocks *b, uint32_t version, int counted);

/* Give the cached pages of the file back, what is dirty being written first. */
int blocks_drop(struct blocks *b);

#endif
