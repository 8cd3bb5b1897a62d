/*
 * group: tells where a command can be confined and how, and runs a command
 * inside a memory group.
 *
 * It changes nothing itself: the group is made, and removed, by guard(1).  The
 * command replaces this program, so that nothing of the harness is inside.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpus.h"
#include "exits.h"
#include "group_plan.h"
#include "settings.h"
#include "units.h"

/* The kernel's choice of a victim, were the whole machine to run out. */
#define VICTIM "500"

static struct options {
	const char *brake;	/* -B */
	const char *cpus;	/* -P */
	const char *folder;	/* -g */
	int interrupts;		/* -I */
	const char *memory;	/* -m */
	const char *swap;	/* -S */
} options;

static void pin(void);
static int show_plan(void);
static int show_group(void);
static int enter(char **command);
static int finish(void);
static _Noreturn void usage(void);
static void help(void);

int
main(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "+B:IP:S:Vg:hm:")) != -1)
		switch (c) {
		case 'B':
			options.brake = optarg;
			break;
		case 'I':
			options.interrupts = 1;
			break;
		case 'P':
			options.cpus = optarg;
			break;
		case 'S':
			options.swap = optarg;
			break;
		case 'V':
			printf("group %s\n", QS_VERSION);
			return finish();
		case 'g':
			options.folder = optarg;
			break;
		case 'h':
			help();
			return finish();
		case 'm':
			options.memory = optarg;
			break;
		default:
			usage();
		}
	argc -= optind;
	argv += optind;
	if (options.folder != NULL && (options.memory != NULL ||
	    options.brake != NULL || options.swap != NULL))
		usage();
	if (options.folder != NULL)
		return argc == 0 ? show_group() : enter(argv);
	if (argc > 0)
		usage();
	return show_plan();
}

static int
finish(void)
{
	if (exits_flush_stdout() == 0)
		return EXIT_GOOD;
	warn("stdout");
	return EXIT_FAILED;
}

static void
show_bytes(const char *key, uint64_t bytes)
{
	if (bytes == PROC_ABSENT)
		printf("%s: -\n", key);
	else
		printf("%s: %" PRIu64 "\n", key, bytes);
}

static int
show_plan(void)
{
	static const char *const kinds[] = { "asis", "none", "file", "zram" };
	const char *root = getenv("QS_ROOT");
	struct plan p = { .enable = 0 };
	struct why why;

	if (root == NULL)
		root = "";
	pin();
	/* Wrong use is told first, also where nothing can be done. */
	if (plan_machine(&p, root, &why) == -1)
		errx(EXIT_FAILED, "%s", why.text);
	if (plan_sizes(&p, options.memory, options.brake, options.swap,
	    &why) == -1)
		errx(EXIT_USAGE, "%s", why.text);
	if (plan_place(&p, root, &why) == -1)
		errx(why.skip ? EXIT_SKIPPED : EXIT_FAILED, "%s", why.text);
	if (plan_sizes(&p, options.memory, options.brake, options.swap,
	    &why) == -1)
		errx(EXIT_USAGE, "%s", why.text);
	if (plan_agree(&p, &why) == -1)
		errx(why.skip ? EXIT_SKIPPED : EXIT_FAILED, "%s", why.text);
	printf("version: %d\nown: %s\nparent: %s\nenable: %s\n",
	    p.group.version == PROC_CGROUP_V1 ? 1 : 2, p.group.dir, p.parent,
	    p.enable ? "memory" : "-");
	show_bytes("memory_bytes", p.memory_bytes);
	show_bytes("brake_bytes", p.brake_bytes);
	printf("swap: %s\n", kinds[p.swap]);
	show_bytes("swap_bytes", p.swap_bytes);
	printf("swap_folder: %s\nswap_algorithm: %s\nswap_limit: %s\n",
	    p.swap == PLAN_SWAP_FILE ? p.swap_dir : "-",
	    p.swap == PLAN_SWAP_ZRAM ? p.swap_algorithm : "-",
	    p.swap_limit ? "yes" : "no");
	show_bytes("least_bytes", p.least_bytes);
	show_bytes("machine_bytes", p.machine_bytes);
	return finish();
}

/* What a group has now: the least limit, swap, swappiness, OOM kills. */
static int
show_group(void)
{
	struct proc_cgroup g;
	struct proc_cgroup_memory m;

	if (proc_cgroup_find("", "self", &g) == -1)
		err(EXIT_FAILED, "/proc/self/cgroup");
	if (strlen(options.folder) >= sizeof(g.dir))
		errx(EXIT_USAGE, "%s: too long", options.folder);
	strcpy(g.dir, options.folder);
	if (proc_cgroup_memory(&g, &m) == -1)
		err(EXIT_FAILED, "%s", g.dir);
	show_bytes("limit_bytes", m.limit_bytes);
	show_bytes("least_bytes", proc_cgroup_limit_bytes(&g));
	show_bytes("brake_bytes", m.high_bytes);
	show_bytes("swap_max_bytes", m.swap_max_bytes);
	show_bytes("swappiness", m.swappiness);
	show_bytes("oom_kill", m.oom_kill);
	return finish();
}

/* Write text to a file; 0, or -1 with errno. */
static int
put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd == -1)
		return -1;
	n = write(fd, text, strlen(text));
	close(fd);
	return n == -1 ? -1 : 0;
}

/* Rather this command than the harness or the machine's services. */
static void
become_victim(void)
{
	static const char path[] = "/proc/self/oom_score_adj";
	struct why why;
	char now[32];

	if (settings_read(path, now, sizeof(now), &why) == 0 &&
	    atoi(now) < atoi(VICTIM) && put(path, VICTIM) == -1)
		warn("%s", path);
}

/* Also when only planning: it tells whether such CPUs are there. */
static void
pin(void)
{
	const char *bad;
	cpu_set_t set;

	if (options.cpus == NULL)
		return;
	bad = cpus_parse(options.cpus, &set);
	if (bad != NULL)
		errx(EXIT_USAGE, "-P %s: %s", options.cpus, bad);
	if (sched_setaffinity(0, sizeof(set), &set) == -1)
		errx(EXIT_USAGE, "-P %s: %s", options.cpus, errno == EINVAL ?
		    "none of these CPUs can be used here" : strerror(errno));
}

static int
enter(char **command)
{
	char path[8192];

	pin();
	snprintf(path, sizeof(path), "%s/cgroup.procs", options.folder);
	if (put(path, "0") == -1)
		err(EXIT_OWN_FAULT, "%s", path);
	become_victim();
	/* A shell starts its background commands with these ignored. */
	if (options.interrupts) {
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
	}
	execvp(command[0], command);
	warn("%s", command[0]);
	return errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

static const char synopsis[] =
    "usage: group [-hV] [-B brake] [-m memory] [-P cpus] [-S swap]\n"
    "       group -g folder [-I] [-P cpus] [--] [command [argument ...]]\n";

static void
help(void)
{
	printf("%s\n"
	    "Tells where and how a command can be confined, or runs a command\n"
	    "in the memory group of that folder.\n\n"
	    "  -B brake   throttle above that size (memory.high)\n"
	    "  -g folder  the memory group; without a command, show it\n"
	    "  -h         show this\n"
	    "  -I         INT and QUIT count, even if they were ignored\n"
	    "  -m memory  the limit of memory\n"
	    "  -P cpus    run the command on these only, such as 0-3,8\n"
	    "  -S swap    asis, none, file:SIZE[:FOLDER],\n"
	    "             zram:SIZE[:ALGORITHM]\n"
	    "  -V         show the version\n", synopsis);
}

static _Noreturn void
usage(void)
{
	fputs(synopsis, stderr);
	exit(EXIT_USAGE);
}
