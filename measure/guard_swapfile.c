/*
 * swapfile: a swap area in a file or on a device; see swapfile.h.
 *
 * Sources: swapon(2); include/linux/swap.h of the kernel (union swap_header);
 * proc_swaps(5).
 */
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/swap.h>
#include <sys/vfs.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guard_swapfile.h"
#include "memory.h"
#include "proc.h"
#include "units.h"

#define FULL_PCT 80
#define BLOCK_BYTES (1 << 20)
#define SWAPOFF_SECONDS 60
#define SWAPS_BYTES 65536

struct header {			/* from byte 1024 of the first page */
	uint32_t version, last_page, bad_pages;
	unsigned char uuid[16];
	char volume[16];
};

/* File systems on which swapon(2) fails or is not what a person expects. */
static const struct {
	unsigned long magic;
	const char *name;
} no_swap_on[] = {
	{ 0x01021994, "tmpfs" }, { 0x858458f6, "ramfs" },
	{ 0x9123683e, "btrfs" }, { 0x794c7630, "overlayfs" },
	{ 0x2fc12fc1, "zfs" }, { 0xca451a4e, "bcachefs" },
	{ 0x65735546, "fuse" }, { 0x01021997, "9p" },
	{ 0xf15f, "ecryptfs" }, { 0x6969, "nfs" }, { 0xff534d42, "cifs" },
	{ 0xfe534d42, "smb2" },
};

/*
 * The kernel looks at the right first and at the path then: with an empty
 * path, ENOENT means that it would be permitted, and nothing has changed.
 */
int
swapfile_permitted(struct why *why)
{
	if (swapon("", 0) == -1 && errno != ENOENT)
		return why_skip(why, errno == ENOSYS ?
		    "swapon: this kernel has no swap" :
		    "swapon: %s (root with CAP_SYS_ADMIN is needed, outside "
		    "of a container)", strerror(errno));
	return 0;
}

int
swapfile_fits(const struct swapfile *s, struct why *why)
{
	char dir[4096];
	struct statvfs vfs;
	struct statfs fs;
	uint64_t used, room;
	size_t i;

	if (strlen(s->path) >= sizeof(dir))
		return why_error(why, "%s: %s", s->path,
		    strerror(ENAMETOOLONG));
	strcpy(dir, s->path);
	strrchr(dir, '/')[1] = '\0';
	if (statfs(dir, &fs) == -1 || statvfs(dir, &vfs) == -1 ||
	    access(dir, W_OK) == -1)
		return why_error(why, "%s: %s", dir, strerror(errno));
	for (i = 0; i < sizeof(no_swap_on) / sizeof(*no_swap_on); i++)
		if ((unsigned long)fs.f_type == no_swap_on[i].magic)
			return why_skip(why, "%s: no swap file on %s; name "
			    "a folder on ext4 or xfs", dir, no_swap_on[i].name);
	used = (uint64_t)(vfs.f_blocks - vfs.f_bfree) * vfs.f_frsize;
	room = (uint64_t)vfs.f_bavail * vfs.f_frsize;
	if (s->bytes > room || (used + s->bytes) / 100 >
	    (used + room) / 100 * FULL_PCT / 100)
		return why_skip(why, "%s: a swap file of %" PRIu64 " MiB "
		    "would fill the disk beyond %d%% (%" PRIu64 " MiB free)",
		    dir, s->bytes >> 20, FULL_PCT, room >> 20);
	return 0;
}

static int
write_zeros(const struct swapfile *s, const struct action_env *env,
    struct why *why)
{
	uint64_t at;
	size_t n;
	ssize_t got;
	char *zeros = calloc(1, BLOCK_BYTES);

	if (zeros == NULL)
		return why_error(why, "%s: %s", s->path, strerror(errno));
	for (at = 0; at < s->bytes; at += (uint64_t)got) {
		n = BLOCK_BYTES;
		if (s->bytes - at < n)
			n = (size_t)(s->bytes - at);
		got = pwrite(s->fd, zeros, n, (off_t)at);
		if (got <= 0 || env->cancelled(env->cancelled_arg))
			break;
	}
	free(zeros);
	if (at < s->bytes)
		return why_error(why, "%s: %s", s->path,
		    strerror(errno != 0 ? errno : ECANCELED));
	return 0;
}

int
swapfile_fill(const struct swapfile *s, int write_blocks,
    const struct action_env *env, struct why *why)
{
	errno = 0;
	if (!write_blocks && fallocate(s->fd, 0, 0, (off_t)s->bytes) == -1) {
		if (errno != EOPNOTSUPP && errno != ENOSYS)
			return why_error(why, "%s: %s", s->path,
			    strerror(errno));
		write_blocks = 1;
		errno = 0;
	}
	if (write_blocks && write_zeros(s, env, why) == -1)
		return -1;
	return swapfile_header(s, why);
}

int
swapfile_header(const struct swapfile *s, struct why *why)
{
	size_t page = memory_page_bytes();
	struct header h = { .version = 1 };
	uint64_t pages = s->bytes / page;
	char *first;

	/* Beyond that, last_page does not fit; the kernel's limit is less. */
	if (pages < 10 || pages > UINT32_MAX)
		return why_error(why, "%s: %" PRIu64 " pages of swap",
		    s->path, pages);
	h.last_page = (uint32_t)(pages - 1);
	memcpy(h.volume, SWAPFILE_LABEL, sizeof(SWAPFILE_LABEL));
	first = calloc(1, page);
	if (first == NULL || swapfile_boot_id(h.uuid) == -1)
		goto bad;
	memcpy(first + 1024, &h, sizeof(h));
	memcpy(first + page - 10, "SWAPSPACE2", 10);
	if (pwrite(s->fd, first, page, 0) != (ssize_t)page ||
	    fsync(s->fd) == -1)
		goto bad;
	free(first);
	return 0;
bad:
	why_error(why, "%s: %s", s->path, strerror(errno));
	free(first);
	return -1;
}

int
swapfile_on(const struct swapfile *s, struct why *why)
{
	int error;

	if (swapon(s->path, SWAP_FLAG_PREFER | (int)s->priority) == 0)
		return 0;
	error = errno;
	why_error(why, "swapon %s: %s", s->path, strerror(error));
	errno = error;
	return -1;
}

static int
same_file(const char *a, const char *b)
{
	struct stat x, y;

	if (strcmp(a, b) == 0)
		return 1;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
	    x.st_ino == y.st_ino;
}

/* All of /proc/swaps, to be freed; NULL with errno.  No swap built in: "". */
static char *
read_swaps(void)
{
	char *text = calloc(1, SWAPS_BYTES);

	if (text == NULL)
		return NULL;
	if (proc_read("", "/proc/swaps", text, SWAPS_BYTES) == -1 &&
	    errno != ENOENT) {
		free(text);
		return NULL;
	}
	return text;
}

int
swapfile_highest(const struct swapfile *s, struct why *why)
{
	struct proc_swap on;
	char *text = read_swaps();
	const char *p = text;
	int bad = 0;

	if (text == NULL)
		return why_error(why, "/proc/swaps: %s", strerror(errno));
	while (!bad && (p = proc_swaps_next(p, &on)) != NULL) {
		if (same_file(on.name, s->path))
			bad = on.priority == (int)s->priority ? 0 :
			    why_error(why, "%.500s: has swap priority %d, "
			    "was given %" PRIu64, on.name, on.priority,
			    s->priority);
		else if (on.priority >= (int)s->priority)
			bad = why_skip(why, "%.500s: another swap area has "
			    "priority %d, not below our %" PRIu64, on.name,
			    on.priority, s->priority);
	}
	free(text);
	return bad;
}

int
swapfile_is_on(const char *path)
{
	struct proc_swap on;
	char *text = read_swaps();
	const char *p = text;
	int found = 0;

	if (text == NULL)
		return -1;
	while (!found && (p = proc_swaps_next(p, &on)) != NULL)
		found = same_file(on.name, path);
	free(text);
	return found;
}

static void
on_alarm(int signo)
{
	(void)signo;
}

/* A swapoff(2) that takes too long ends with EINTR by the alarm. */
int
swapfile_off(const char *path, struct why *why)
{
	struct sigaction alarmed = { .sa_handler = on_alarm }, before;
	int result, error;

	sigaction(SIGALRM, &alarmed, &before);
	alarm(SWAPOFF_SECONDS);
	result = swapoff(path);
	error = errno;
	alarm(0);
	sigaction(SIGALRM, &before, NULL);
	/* EINVAL: not on; it may also never have become a swap area. */
	if (result == 0 || error == EINVAL || error == ENOENT)
		return 0;
	return why_error(why, "swapoff %s: %s", path, error == EINTR ?
	    "took too long, given up" : strerror(error));
}

int
swapfile_boot_id(unsigned char id[16])
{
	char text[64];
	const char *in = text;
	unsigned v;
	ssize_t n;
	int fd, i;

	fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return -1;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	for (i = 0; i < 16; i++, in += 2) {
		if (*in == '-')
			in++;
		if (sscanf(in, "%2x", &v) != 1) {
			errno = EINVAL;
			return -1;
		}
		id[i] = (unsigned char)v;
	}
	return 0;
}

int
swapfile_is_stale(const char *path)
{
	size_t page = memory_page_bytes();
	unsigned char now[16];
	char first[1024 + sizeof(struct header)], end[10];
	struct header h;
	struct stat st;
	int fd, stale;

	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd == -1)
		return 0;
	stale = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_uid == geteuid() && swapfile_boot_id(now) == 0 &&
	    pread(fd, first, sizeof(first), 0) == sizeof(first) &&
	    pread(fd, end, sizeof(end), (off_t)page - 10) == sizeof(end);
	close(fd);
	if (!stale || memcmp(end, "SWAPSPACE2", sizeof(end)) != 0)
		return 0;
	memcpy(&h, first + 1024, sizeof(h));
	return strncmp(h.volume, SWAPFILE_LABEL, sizeof(h.volume)) == 0 &&
	    memcmp(h.uuid, now, sizeof(now)) != 0;
}
