/*
 * fakeusage: preloaded into a time(1) program or a shell, makes it see chosen
 * figures for the command that it times, so that its output can be compared
 * byte for byte.  For the tests; needs a dynamic linker with LD_PRELOAD.
 *
 * The clocks stand still until the command has made the file FAKE_ENDED, then
 * show FAKE_ELAPSED_NS more.
 */
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define START_S		1000000000	/* what the still clocks show */
#define NS_PER_S	1000000000

#ifdef __GLIBC__
typedef __rusage_who_t who_type;
#else
typedef int who_type;
#endif

static int reaped;

static int64_t
figure(const char *name)
{
	const char *text = getenv(name);

	return text == NULL ? 0 : strtoll(text, NULL, 10);
}

static int64_t
fake_ns(void)
{
	const char *ended = getenv("FAKE_ENDED");

	if (ended == NULL || access(ended, F_OK) != 0)
		return 0;
	return figure("FAKE_ELAPSED_NS");
}

static void
fake_usage(struct rusage *r)
{
	memset(r, 0, sizeof *r);
	r->ru_utime.tv_sec = figure("FAKE_USER_US") / 1000000;
	r->ru_utime.tv_usec = figure("FAKE_USER_US") % 1000000;
	r->ru_stime.tv_sec = figure("FAKE_SYS_US") / 1000000;
	r->ru_stime.tv_usec = figure("FAKE_SYS_US") % 1000000;
	r->ru_majflt = (long)figure("FAKE_MAJFLT");
	r->ru_minflt = (long)figure("FAKE_MINFLT");
	r->ru_nswap = (long)figure("FAKE_NSWAP");
	r->ru_inblock = (long)figure("FAKE_INBLOCK");
	r->ru_oublock = (long)figure("FAKE_OUBLOCK");
	r->ru_maxrss = (long)figure("FAKE_MAXRSS_KIB");
	r->ru_nvcsw = (long)figure("FAKE_NVCSW");
	r->ru_nivcsw = (long)figure("FAKE_NIVCSW");
}

pid_t
wait4(pid_t pid, int *status, int options, struct rusage *r)
{
	struct rusage real;
	pid_t got = (pid_t)syscall(SYS_wait4, pid, status, options, &real);

	if (got > 0) {
		reaped = 1;
		if (r != NULL)
			fake_usage(r);
	}
	return got;
}

pid_t
wait3(int *status, int options, struct rusage *r)
{
	return wait4(-1, status, options, r);
}

pid_t
waitpid(pid_t pid, int *status, int options)
{
	return wait4(pid, status, options, NULL);
}

pid_t
wait(int *status)
{
	return wait4(-1, status, 0, NULL);
}

int
getrusage(who_type who, struct rusage *r)
{
	memset(r, 0, sizeof *r);
	if (who == RUSAGE_CHILDREN && reaped)
		fake_usage(r);
	return 0;
}

clock_t
times(struct tms *t)
{
	memset(t, 0, sizeof *t);
	if (reaped) {
		t->tms_cutime = figure("FAKE_USER_US") / 10000;
		t->tms_cstime = figure("FAKE_SYS_US") / 10000;
	}
	return START_S + fake_ns() / 10000000;
}

int
clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	t->tv_sec = START_S + fake_ns() / NS_PER_S;
	t->tv_nsec = fake_ns() % NS_PER_S;
	return 0;
}

int
gettimeofday(struct timeval *t, void *zone)
{
	(void)zone;
	t->tv_sec = START_S + fake_ns() / NS_PER_S;
	t->tv_usec = fake_ns() % NS_PER_S / 1000;
	return 0;
}

time_t
time(time_t *t)
{
	time_t now = START_S + fake_ns() / NS_PER_S;

	if (t != NULL)
		*t = now;
	return now;
}
