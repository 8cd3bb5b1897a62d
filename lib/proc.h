/*
 * proc: readers of /proc, /sys and cgroup files.
 *
 * Every reader takes the root under which "proc" and "sys" lie ("" for the
 * running system, a fixture folder in tests) where it opens files, and parsers
 * take the text, so that both are tested on fixture trees.  A counter that is
 * not there is PROC_ABSENT, never 0.  Values are in the unit of their names.
 */
#ifndef QS_PROC_H
#define QS_PROC_H

#include <sys/types.h>

#include <stddef.h>
#include <stdint.h>

#define PROC_ABSENT UINT64_MAX

/*
 * Read a whole small file into buf (always NUL-terminated; at most size - 1
 * bytes).  Returns the number of bytes, or -1 with errno; EOVERFLOW when the
 * file does not fit.  With proc_pread the file is open already and is read
 * from its start by pread(2): allocates nothing, for the sampler.
 */
ssize_t proc_read(const char *root, const char *path, char *buf, size_t size);
ssize_t proc_pread(int fd, char *buf, size_t size);

/*
 * The value of `key` in text of "key value" or "Key:  value kB" lines; the key
 * is given without its colon.  PROC_ABSENT when there is no such line or no
 * number.
 */
uint64_t proc_value(const char *text, const char *key);

/* b - a of two readings of a counter that only grows: PROC_ABSENT when either
 * is absent or when it went back (reset or wrapped). */
uint64_t proc_delta(uint64_t a, uint64_t b);

struct proc_vmstat {		/* /proc/vmstat, host-wide, since boot */
	uint64_t pswpin_pages, pswpout_pages;
	uint64_t pgmajfault;
	uint64_t refault_anon, refault_file;	/* before 5.9 only one sum: file */
	uint64_t scan_direct_pages, scan_kswapd_pages;
	uint64_t steal_direct_pages, steal_kswapd_pages;
	uint64_t allocstall;			/* all zones */
	uint64_t oom_kill;
};
void proc_vmstat_parse(const char *text, struct proc_vmstat *v);

struct proc_meminfo {		/* /proc/meminfo, KiB */
	uint64_t total_kib, free_kib, available_kib;
	uint64_t dirty_kib, writeback_kib;
	uint64_t swap_total_kib, swap_free_kib;
};
void proc_meminfo_parse(const char *text, struct proc_meminfo *m);

struct proc_psi {		/* /proc/pressure/NAME or NAME.pressure */
	uint64_t some_us, full_us;		/* totals */
	uint64_t some_avg10_centi, full_avg10_centi;	/* hundredths of a % */
};
void proc_psi_parse(const char *text, struct proc_psi *p);

/*
 * Why there is no PSI, for people, from the errno of open or read:
 * "psi: not built into this kernel" or "psi: off at boot, boot with psi=1".
 */
const char *proc_psi_reason(int error);

struct proc_cpu {		/* the "cpu" line of /proc/stat, clock ticks */
	uint64_t busy, idle, steal;	/* busy without steal and guest twice */
};
void proc_cpu_parse(const char *text, struct proc_cpu *c);

/* How a cgroup memory controller can be reached, if at all. */
enum proc_cgroup_version {
	PROC_CGROUP_NONE, PROC_CGROUP_V1, PROC_CGROUP_V2
};

struct proc_cgroup {
	enum proc_cgroup_version version;	/* that has the memory controller */
	char dir[4096];		/* folder of the process's group in it */
	char mount[4096];	/* where that hierarchy is mounted */
};

/*
 * The memory cgroup of the process ("self" or a pid), from PID/cgroup and
 * self/mountinfo.  On a hybrid machine the hierarchy that really has the
 * memory controller.  Returns 0 (also for PROC_CGROUP_NONE), -1 with errno.
 */
int proc_cgroup_find(const char *root, const char *pid, struct proc_cgroup *g);

/*
 * The least memory limit in bytes of the group and all of its ancestors up to
 * the mount; PROC_ABSENT when none is set.  Values of "max" and of v1's
 * PAGE_COUNTER_MAX count as none.
 */
uint64_t proc_cgroup_limit_bytes(const struct proc_cgroup *g);

#endif
