/*
 * memory: mappings for workloads: how they are made, advised, touched, freed.
 *
 * What the kernel does not offer is refused with errno; nothing is replaced by
 * something else.
 */
#ifndef QS_MEMORY_H
#define QS_MEMORY_H

#include <stddef.h>
#include <stdint.h>

enum memory_kind {
	MEMORY_ANON,		/* private anonymous */
	MEMORY_SHARED,		/* shared anonymous */
	MEMORY_FILE		/* shared mapping of an unlinked file */
};

enum memory_thp {
	MEMORY_THP_ASIS,	/* the system's setting */
	MEMORY_THP_OFF,		/* MADV_NOHUGEPAGE */
	MEMORY_THP_ON		/* MADV_HUGEPAGE */
};

struct memory_map {
	void *base;
	size_t bytes;		/* as asked */
	enum memory_kind kind;
};

/* The page size in bytes. */
size_t memory_page_bytes(void);

/*
 * Map bytes of memory, unpopulated.  For MEMORY_FILE a temporary file is made
 * in dir, its blocks are reserved (so that a full disk is ENOSPC here and not
 * SIGBUS later) and it is unlinked before this returns.  Returns 0; or -1 with
 * errno (ENOMEM, EOVERFLOW when bytes does not fit a size_t, EINVAL when thp
 * advice is not supported by this kernel, or what open(2) says about dir), with
 * nothing left behind.  0 bytes are a base of NULL and no file.  Free with
 * memory_unmap.
 */
int memory_map(struct memory_map *m, uint64_t bytes, enum memory_kind kind,
    enum memory_thp thp, const char *dir);

void memory_unmap(struct memory_map *m);

/*
 * MemTotal or the least memory limit of this process's cgroup and its
 * ancestors, whichever is less, in bytes: what a percentage refers to.
 * Returns 0, or -1 with errno where not even MemTotal can be read.  The second
 * one reads below root, as the readers of proc.h do.
 */
int memory_effective_bytes(uint64_t *bytes);
int memory_effective_bytes_at(const char *root, uint64_t *bytes);

#endif
