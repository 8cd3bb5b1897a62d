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
 * The same for a file that may be longer than is wanted, such as /proc/stat
 * with the lines of thousands of CPUs: as many whole lines from its start as
 * fit.  A line that does not fit whole is left out, so that no number is cut.
 */
ssize_t proc_pread_start(int fd, char *buf, size_t size);

/*
 * The number that a one-value file holds; PROC_ABSENT for "max", for anything
 * else that is no number, and for a number that does not fit.
 */
uint64_t proc_number(const char *text);

/*
 * The value of `key` in text of "key value" or "Key:  value kB" lines; the key
 * is given without its colon.  PROC_ABSENT when there is no such line or no
 * number.
 */
uint64_t proc_value(const char *text, const char *key);

/* b - a of two readings of a counter that only grows: PROC_ABSENT when either
 * is absent or when it went back (reset or wrapped). */
uint64_t proc_delta(uint64_t a, uint64_t b);

/*
 * /proc/vmstat, host-wide, since boot.  Its names changed: reclaim was counted
 * once a zone, later once; workingset_refault came in 3.15 and was split into
 * anon and file in 5.9; allocstall was one counter and is one a zone now.
 * pgscan_anon and pgscan_file count the same pages as pgscan_kswapd, _direct,
 * _khugepaged and _proactive do, and pgsteal alike, so one family is read
 * here.  pgscan_direct_throttle counts sleeps, not pages.  Kernels before 3.5
 * say how much kswapd reclaimed, but not the rest of global reclaim.
 */
struct proc_vmstat {
	uint64_t pswpin_pages, pswpout_pages;
	uint64_t pgmajfault;
	uint64_t refault_anon, refault_file;	/* before 5.9 one sum: file */
	uint64_t scan_direct_pages, scan_kswapd_pages;
	uint64_t steal_direct_pages, steal_kswapd_pages;
	uint64_t allocstall;			/* all zones */
	uint64_t oom_kill;
};
void proc_vmstat_parse(const char *text, struct proc_vmstat *v);

/*
 * /proc/meminfo, KiB.  A part that is larger than its whole is absent: a
 * container's lxcfs is known to show SwapFree as 2^64 - 120.
 */
struct proc_meminfo {
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
 * Why there is no PSI, for people: a static text.
 *	ENOENT		psi: not built into this kernel
 *	EOPNOTSUPP	psi: off at boot, boot with psi=1
 *	ENOSYS		psi: not kept for groups of cgroup version 1
 *	ENODATA		psi: switched off for this group
 *	others		psi: not permitted to read it, or cannot be read
 * error is what proc_psi_error makes of the errno of open or read: a newer
 * kernel that has PSI, but off, shows no file at all (seen with 6.1), as one
 * does that lacks it.  For ENOENT it looks into the kernel's command line and
 * its list of symbols, up to 0.1 s of work.
 */
const char *proc_psi_reason(int error);
int proc_psi_error(const char *root, int error);

/*
 * The "cpu" line of /proc/stat, all CPUs, clock ticks (sysconf(_SC_CLK_TCK) a
 * second).  busy is user, nice, system, irq and softirq; guests' time is in
 * user and nice already.  idle includes iowait.  iowait is known to go back
 * (proc(5)), so the idle of two readings may do so too.
 */
struct proc_cpu {
	uint64_t busy, idle, steal;
	uint64_t iowait;
};
void proc_cpu_parse(const char *text, struct proc_cpu *c);

struct proc_task {		/* PID/stat, proc(5) */
	char comm[64];
	uint64_t ppid;
	uint64_t flags;		/* PROC_TASK_KTHREAD: made by the kernel */
	uint64_t majflt;
	uint64_t cpu_ticks;	/* user and system, of ended threads too */
	uint64_t start_ticks;	/* since boot: tells a pid used again */
};
#define PROC_TASK_KTHREAD UINT64_C(0x00200000)

/* From the text of PID/stat; 0, or -1 when it is not such a text. */
int proc_task_parse(const char *text, struct proc_task *t);

/* The CPU ticks, or the peak of resident memory (VmHWM), of a process. */
uint64_t proc_task_cpu(const char *root, pid_t pid);
uint64_t proc_task_hwm_kib(const char *root, pid_t pid);

/*
 * The kernel's page-out threads, kswapd0 and on: at most max pids into pids.
 * Returns how many there are (none is to be seen from inside a container), or
 * -1 with errno.
 */
int proc_kswapd(const char *root, pid_t *pids, int max);

/* How a cgroup memory controller can be reached, if at all. */
enum proc_cgroup_version {
	PROC_CGROUP_NONE, PROC_CGROUP_V1, PROC_CGROUP_V2
};

struct proc_cgroup {
	enum proc_cgroup_version version;	/* with the memory controller */
	char dir[4096];		/* folder of the process's group in it */
	char mount[4096];	/* where that hierarchy is mounted */
	const char *reason;	/* of PROC_CGROUP_NONE, for people, else NULL */
};

/*
 * The memory cgroup of the process ("self" or a pid), from PID/cgroup and
 * self/mountinfo (cgroups(7), proc(5)).  On a hybrid machine the hierarchy that
 * really has the memory controller.  Returns 0 (also for PROC_CGROUP_NONE, with
 * the reason, a static text), -1 with errno, ESRCH when there is no such
 * process.
 */
int proc_cgroup_find(const char *root, const char *pid, struct proc_cgroup *g);

/*
 * The least memory limit in bytes of the group and all of its ancestors up to
 * the mount; PROC_ABSENT when none is set.  Values of "max" and of v1's
 * PAGE_COUNTER_MAX count as none.  In version 1 an ancestor counts only where
 * its memory.use_hierarchy is not 0, and the kernel's own answer
 * (hierarchical_memory_limit, which sees beyond the mount of a container) is
 * heeded too.
 */
uint64_t proc_cgroup_limit_bytes(const struct proc_cgroup *g);

/*
 * One memory group, its descendants included unless said otherwise; from
 * Documentation/admin-guide/cgroup-v1/memory.rst and cgroup-v2.rst.  A limit
 * that is not set is PROC_ABSENT, as what this kernel or version does not have.
 */
struct proc_cgroup_memory {
	uint64_t usage_bytes, peak_bytes;	/* v2 peak: since 5.19 */
	uint64_t limit_bytes;			/* of this group alone */
	uint64_t high_bytes;			/* v2 */
	uint64_t swap_bytes;
	uint64_t swap_peak_bytes;		/* v2, newer than 6.1 */
	uint64_t swap_max_bytes;		/* v1: memsw limit - limit */
	uint64_t swappiness;		/* v1: its own, not vm.swappiness */
	uint64_t limit_hits;		/* v1: failcnt; v2: "max" events */
	uint64_t oom_events;		/* v2 */
	uint64_t oom_kill;		/* v1: its own tasks, since 4.13 */
	uint64_t pgmajfault;
	uint64_t refault_anon, refault_file;	/* as in struct proc_vmstat */
	uint64_t scan_pages;			/* v2, all reclaimers */
	uint64_t scan_direct_pages, scan_kswapd_pages;	/* v2, since 6.0 */
	uint64_t pswpin_pages, pswpout_pages;	/* v2, newer than 6.1 */
	uint64_t zswpin_pages, zswpout_pages;	/* v2, since 5.19 */
};

/*
 * Read them all.  Returns 0 (each may be absent), or -1 with errno: ENOENT
 * when the group is gone, ENOTSUP for PROC_CGROUP_NONE.
 */
int proc_cgroup_memory(const struct proc_cgroup *g,
    struct proc_cgroup_memory *m);

/* The files of a group that a sampler keeps open. */
enum proc_cgroup_file {
	PROC_CGROUP_USAGE,	/* one number, bytes */
	PROC_CGROUP_PEAK,	/* one number, bytes */
	PROC_CGROUP_STAT,	/* "key value" lines */
	PROC_CGROUP_PRESSURE	/* v2: for proc_psi_parse */
};

/*
 * The name of that file in the group's folder, such as "memory.current"; NULL
 * where the version has none.
 */
const char *proc_cgroup_file_name(enum proc_cgroup_version v,
    enum proc_cgroup_file f);

/*
 * The group's memory pressure.  Returns 0, or -1 with an errno that
 * proc_psi_reason explains (ENOSYS for version 1).
 */
int proc_cgroup_psi(const struct proc_cgroup *g, struct proc_psi *p);

struct proc_swap {		/* one line of /proc/swaps */
	char name[4096];	/* as swapon was given it, unescaped */
	char type[16];		/* "partition", "file", "virtual" (lxcfs) */
	uint64_t size_kib, used_kib;
	int priority;
	int deleted;		/* nonzero: its file was unlinked meanwhile */
};

/*
 * The next swap of the text of /proc/swaps into *s.  Returns where to go on, or
 * NULL when there is none left:
 *	for (p = text; (p = proc_swaps_next(p, &s)) != NULL; )
 * The heading, a torn line and one of another form are passed over.
 */
const char *proc_swaps_next(const char *text, struct proc_swap *s);

/*
 * The request queue of the disk under a block device, for a partition that of
 * the disk it is on: "ROOT/sys/block/nvme0n1/queue".  A device mapper has its
 * own; see proc_queue_slaves.  Returns 0, or -1 with errno: ENODEV when it is
 * no block device (major 0: tmpfs, btrfs, overlay, network).
 */
int proc_queue_of_dev(const char *root, unsigned major, unsigned minor,
    char *buf, size_t size);

/*
 * The devices right under that queue's disk (dm, md, bcache), as a list of
 * names with blanks between, sorted: "sda2 sdb1".  Returns their number, 0 for
 * a plain disk, or -1 with errno (ENAMETOOLONG: they do not fit).
 */
int proc_queue_slaves(const char *queue, char *buf, size_t size);

#endif
