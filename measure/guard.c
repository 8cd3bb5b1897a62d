/*
 * guard: undoes what a script changed, however the script ends.
 *
 * It reads actions from a pipe, writes each into a journal before it makes or
 * acknowledges the change, and when the pipe ends (or the process it watches)
 * it undoes them all, the last first.  It starts no other program and no
 * shell.  Left out on purpose: changes that cannot be undone.
 */
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exits.h"
#include "guard_mend.h"
#include "guard_processes.h"
#include "guard_session.h"

static struct options {
	int show_only;		/* -N */
	int quiet;		/* -q */
} options;

static int guard_stdin(void);
static int guard_for(const char *pid_text);
static int mend(int dirs, char **dir);
static int flush_stdout(void);
static _Noreturn void usage(void);
static void help(void);

int
main(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "+NVhq")) != -1)
		switch (c) {
		case 'N':
			options.show_only = 1;
			break;
		case 'V':
			printf("guard %s\n", QS_VERSION);
			return flush_stdout();
		case 'h':
			help();
			return flush_stdout();
		case 'q':
			options.quiet = 1;
			break;
		default:
			usage();
		}
	argc -= optind;
	argv += optind;
	if (getenv("QS_JOURNALS") != NULL && getenv("QS_JOURNALS")[0] != '/')
		errx(EXIT_USAGE, "QS_JOURNALS: not an absolute path");
	if (argc > 0 && strcmp(argv[0], "mend") == 0)
		return mend(argc - 1, argv + 1);
	if (options.show_only)
		usage();
	if (argc == 0)
		return guard_stdin();
	if (argc == 2 && strcmp(argv[0], "for") == 0)
		return guard_for(argv[1]);
	usage();
}

static int
flush_stdout(void)
{
	if (exits_flush_stdout() == 0)
		return EXIT_GOOD;
	warn("stdout");
	return EXIT_FAILED;
}

/* Whatever asks us to end: we end when the pipe does. */
static void
ignore_signals(void)
{
	static const int ignored[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM,
	    SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU, SIGUSR1, SIGUSR2, SIGXCPU,
	    SIGXFSZ };
	size_t i;

	for (i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
}

/*
 * Own session, no paging, no OOM killer, as far as this user may: without root
 * the last two are often refused, and the guard works all the same.
 */
static void
protect(void)
{
	int fd;

	setsid();
	mlockall(MCL_CURRENT | MCL_FUTURE);
	fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (fd != -1) {
		if (write(fd, "-1000", 5) == -1)
			errno = 0;
		close(fd);
	}
	if (chdir("/") == -1)
		warn("/");
	umask(077);
}

static void
tell_of_dead(void)
{
	int dead = mend_count_dead();

	if (dead > 0 && !options.quiet)
		warnx("%d earlier run%s left changes behind: `undo -N` shows "
		    "and `undo` mends them", dead, dead == 1 ? "" : "s");
}

static int
guard_stdin(void)
{
	struct session s = { .in = STDIN_FILENO, .out = STDOUT_FILENO,
	    .watch = -1 };
	struct why why;

	ignore_signals();
	protect();
	tell_of_dead();
	if (session_begin(&s, &why) == -1)
		errx(EXIT_FAILED, "%s", why.text);
	return session_run(&s) == 0 ? EXIT_GOOD : EXIT_FAILED;
}

/* Everything that was inherited, but stderr and what the session uses. */
static void
close_others(int from)
{
	long max = sysconf(_SC_OPEN_MAX);
	int fd;

	if (max < 0 || max > 65536)
		max = 65536;
	for (fd = from; fd < max; fd++)
		close(fd);
}

/* The daemon: its pipes have fixed numbers, for /proc/PID/fd/N. */
static _Noreturn void
daemon_run(struct session *s, int ready)
{
	struct why why;
	char word = 'y';
	int null;

	protect();
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null == -1 || dup2(null, STDIN_FILENO) == -1 ||
	    dup2(null, STDOUT_FILENO) == -1)
		err(EXIT_FAILED, "/dev/null");
	close_others(ready + 1);
	tell_of_dead();
	if (session_begin(s, &why) == -1)
		errx(EXIT_FAILED, "%s", why.text);
	if (write(ready, &word, 1) != 1)
		warn("pipe");
	close(ready);
	exit(session_run(s) == 0 ? EXIT_GOOD : EXIT_FAILED);
}

/* A pipe with both ends far above the numbers that a session uses. */
static void
high_pipe(int end[2])
{
	enum { ABOVE = 40 };
	int low[2], i;

	if (pipe(low) == -1)
		err(EXIT_FAILED, "pipe");
	for (i = 0; i < 2; i++) {
		end[i] = fcntl(low[i], F_DUPFD, ABOVE);
		if (end[i] == -1)
			err(EXIT_FAILED, "pipe");
		close(low[i]);
	}
}

static void
place(int fd, int wanted)
{
	if (dup2(fd, wanted) == -1)
		err(EXIT_FAILED, "dup2");
}

/* In the child: put the ends of the three pipes where they belong, and go. */
static _Noreturn void
child_run(struct session *s, const int to[2], const int from[2],
    const int ready[2])
{
	enum { READY = SESSION_FD_LAST + 1 };
	int watch = s->watch == -1 ? -1 : fcntl(s->watch, F_DUPFD, ready[1]);

	place(to[0], SESSION_FD_IN);
	place(to[1], SESSION_FD_TO_US);
	place(from[0], SESSION_FD_FROM_US);
	place(from[1], SESSION_FD_OUT);
	place(ready[1], READY);
	s->watch = watch == -1 ? -1 : SESSION_FD_WATCH;
	if (watch != -1)
		place(watch, SESSION_FD_WATCH);
	daemon_run(s, READY);
}

/*
 * Start a guard that ends with the process pid_text (the script that calls),
 * print its pid and return.  The script then opens its two pipes.
 */
static int
guard_for(const char *pid_text)
{
	struct session s = { .in = SESSION_FD_IN, .out = SESSION_FD_OUT,
	    .owner = (pid_t)process_number(pid_text) };
	int to[2], from[2], ready[2], status;
	pid_t child;
	char word;

	if (s.owner <= 0)
		usage();
	if (session_watch(&s) == -1)
		err(EXIT_FAILED, "process %s", pid_text);
	if (!process_descends(getpid(), s.owner))
		errx(EXIT_USAGE, "process %s did not start this guard",
		    pid_text);
	high_pipe(to);
	high_pipe(from);
	high_pipe(ready);
	ignore_signals();
	fflush(NULL);
	child = fork();
	if (child == -1)
		err(EXIT_FAILED, "fork");
	if (child == 0)
		child_run(&s, to, from, ready);
	close(ready[1]);
	if (read(ready[0], &word, 1) != 1) {
		/* It has said why on stderr. */
		if (waitpid(child, &status, 0) == -1)
			warn("waitpid");
		return EXIT_FAILED;
	}
	printf("%ld\n", (long)child);
	return exits_flush_stdout() == 0 ? EXIT_GOOD : EXIT_FAILED;
}

static int
mend(int dirs, char **dir)
{
	int i, bad = 0;

	ignore_signals();
	if (mend_all(options.show_only, options.quiet) == -1)
		bad = 1;
	for (i = 0; i < dirs; i++)
		if (mend_folder(dir[i], options.show_only, options.quiet) == -1)
			bad = 1;
	if (exits_flush_stdout() == -1)
		err(EXIT_FAILED, "stdout");
	return bad ? EXIT_FAILED : EXIT_GOOD;
}

static const char synopsis[] =
    "usage: guard [-hqV]\n"
    "       guard [-q] for PID\n"
    "       guard [-Nq] mend [FOLDER ...]\n";

static void
help(void)
{
	printf("%s\n"
	    "Undoes changes of the system when its input ends.  Actions are\n"
	    "read from stdin, one a line, and each is answered by a line\n"
	    "`ok', `error: REASON' or `skip: REASON':\n\n"
	    "  set FILE VALUE            mkcgroup GROUP    unlink FILE\n"
	    "  swapon FILE BYTES PRIO    rmcgroup GROUP    rmdir FOLDER\n"
	    "  swapoff FILE              killgroup PGID    zram reset N\n"
	    "  zram setup N BYTES ALGORITHM PRIO           "
	    "enable GROUP CONTROLLER\n"
	    "  put FILE VALUE   check ACTION   mark NAME   back NAME   end\n\n"
	    "  for PID   run beside the script PID, print the guard's pid\n"
	    "  mend      undo what guards that were killed had left;\n"
	    "            in each FOLDER, swap files of an earlier boot too\n\n"
	    "  -N  with mend: only show what would be undone\n"
	    "  -V  show the version\n"
	    "  -h  show this\n"
	    "  -q  quiet\n", synopsis);
}

static _Noreturn void
usage(void)
{
	fputs(synopsis, stderr);
	exit(EXIT_USAGE);
}
