/* workdir: checks before anything is made, files without a name, walking. */
#include <sys/statvfs.h>
#include <sys/vfs.h>

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exits.h"
#include "units.h"
#include "workdir.h"

/* From statfs(2). */
#define TYPE_TMPFS 0x01021994
#define TYPE_RAMFS 0x858458f6u

static const struct {
	uint32_t type;
	const char *name;
} types[] = {
	{ TYPE_TMPFS, "tmpfs" }, { TYPE_RAMFS, "ramfs" }, { 0xef53, "ext4" },
	{ 0x58465342, "xfs" }, { 0x9123683eu, "btrfs" }, { 0x6969, "nfs" },
	{ 0x794c7630, "overlayfs" }, { 0x65735546, "fuse" },
	{ 0x01021997, "9p" }, { 0x73717368, "squashfs" }
};

static uint32_t
type_of(const char *dir)
{
	struct statfs s;

	return statfs(dir, &s) == 0 ? (uint32_t)s.f_type : 0;
}

int
workdir_no_direct(const char *dir)
{
	uint32_t type = type_of(dir);

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (types[i].type == type) {
			warnx("O_DIRECT not supported on %s at %s",
			    types[i].name, dir);
			return EXIT_SKIPPED;
		}
	warnx("O_DIRECT not supported on file system type 0x%" PRIx32 " at %s",
	    type, dir);
	return EXIT_SKIPPED;
}

int
workdir_check(const struct plan *p, uint64_t bytes)
{
	uint32_t type = type_of(p->dir);
	char want[32], have[32];
	struct statvfs s;
	uint64_t free_bytes;

	if (statvfs(p->dir, &s) == -1) {
		warn("%s", p->dir);
		return EXIT_FAILED;
	}
	if (type == TYPE_TMPFS || type == TYPE_RAMFS) {
		if (!p->ram) {
			warnx("%s is in RAM, which it takes from what is "
			    "tested: -R allows it", p->dir);
			return EXIT_FAILED;
		}
		/* Newer ones open it and go through memory all the same. */
		if (p->access == ACCESS_DIRECT)
			return workdir_no_direct(p->dir);
	}
	free_bytes = (uint64_t)(geteuid() == 0 ? s.f_bfree : s.f_bavail) *
	    s.f_frsize;
	/* A tmpfs without a limit has no blocks at all. */
	if (bytes > free_bytes && s.f_blocks > 0) {
		warnx("%s: not enough space: %s wanted, %s free", p->dir,
		    units_print_size(want, sizeof want, bytes),
		    units_print_size(have, sizeof have, free_bytes));
		return EXIT_FAILED;
	}
	return EXIT_GOOD;
}

int
workdir_create(const struct plan *p, const char *name)
{
	int flags = O_RDWR | O_CLOEXEC |
	    (p->access == ACCESS_DIRECT ? O_DIRECT : 0), fd;
	char path[PATH_MAX];

	if (!p->keep) {
		fd = open(p->dir, flags | O_TMPFILE, 0600);
		if (fd != -1)
			return fd;
	}
	if (p->keep && p->file != NULL)
		snprintf(path, sizeof path, "%s", p->file);
	else
		snprintf(path, sizeof path, "%s/%s%s", p->dir, name,
		    p->keep ? "" : ".XXXXXX");
	if (p->keep)
		fd = open(path, flags | O_CREAT | O_EXCL, 0600);
	else
		fd = mkostemp(path, flags & ~O_RDWR);
	if (fd == -1) {
		if (errno == EINVAL && p->access == ACCESS_DIRECT)
			workdir_no_direct(p->dir);
		else
			warn("%s", path);
	}
	if (fd != -1 && !p->keep)
		unlink(path);
	return fd;
}

int
workdir_open(const struct plan *p, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC |
	    (p->access == ACCESS_DIRECT ? O_DIRECT : 0));

	if (fd == -1) {
		if (errno == EINVAL && p->access == ACCESS_DIRECT)
			workdir_no_direct(path);
		else
			warn("%s", path);
	}
	return fd;
}

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *w)
{
	(void)st;
	(void)kind;
	(void)w;
	return remove(path);
}

int
workdir_remove(const char *path)
{
	return nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static int
walk(char *path, size_t length, workdir_visit *fn, void *arg)
{
	DIR *d = opendir(path);
	struct dirent *e;
	struct stat st;
	int status = 0;

	if (d == NULL) {
		warn("%s", path);
		return -1;
	}
	while (status == 0 && frame_stopped() == 0) {
		size_t more;

		errno = 0;
		if ((e = readdir(d)) == NULL) {
			if (errno != 0) {
				warn("%s", path);
				status = -1;
			}
			break;
		}
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		more = strlen(e->d_name) + 1;
		if (length + more >= PATH_MAX) {
			warnx("%s/%s: path is too long", path, e->d_name);
			status = -1;
			break;
		}
		path[length] = '/';
		memcpy(path + length + 1, e->d_name, more);
		if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) ==
		    -1) {
			warn("%s", path);
			status = -1;
		} else {
			status = fn(path, &st, arg);
			if (status == 0 && S_ISDIR(st.st_mode))
				status = walk(path, length + more, fn, arg);
		}
		path[length] = '\0';
	}
	closedir(d);
	return status;
}

int
workdir_walk(const char *path, workdir_visit *fn, void *arg)
{
	char buf[PATH_MAX];
	size_t length = strlen(path);

	if (length >= sizeof buf) {
		warnx("%s: path is too long", path);
		return -1;
	}
	memcpy(buf, path, length + 1);
	return walk(buf, length, fn, arg);
}
