/* clock: monotonic and wall time, sleeping, time stamps. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "clock.h"
#include "unit.h"

static void
on_alarm(int signo)
{
	(void)signo;
}

START_TEST(monotonic_time_never_goes_back)
{
	uint64_t last = clock_now_ns(), now;
	int i;

	ck_assert_uint_gt(last, 0);
	for (i = 0; i < 100000; i++, last = now) {
		now = clock_now_ns();
		ck_assert_uint_ge(now, last);
	}
}
END_TEST

START_TEST(wall_time_agrees_with_time_of_day)
{
	uint64_t before = (uint64_t)time(NULL);
	uint64_t wall = clock_wall_ns();
	uint64_t after = (uint64_t)time(NULL);

	/* time(2) reads a coarse clock, behind by up to a tick. */
	ck_assert_uint_ge(wall / CLOCK_NS_PER_S, before);
	ck_assert_uint_le(wall / CLOCK_NS_PER_S, after + 1);
}
END_TEST

START_TEST(sleep_ends_at_the_deadline_and_not_before)
{
	uint64_t deadline = clock_now_ns() + 20000000;

	ck_assert_int_eq(clock_sleep_until(deadline), 0);
	ck_assert_uint_ge(clock_now_ns(), deadline);
	ck_assert_int_eq(clock_sleep_until(deadline), 0);
	ck_assert_int_eq(clock_sleep_until(0), 0);
}
END_TEST

START_TEST(a_signal_ends_the_sleep_early)
{
	struct itimerval soon = { { 0, 10000 }, { 0, 10000 } };
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = on_alarm;
	ck_assert_int_eq(sigaction(SIGALRM, &sa, NULL), 0);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &soon, NULL), 0);
	errno = 0;
	ck_assert_int_eq(clock_sleep_until(UINT64_MAX), -1);
	ck_assert_int_eq(errno, EINTR);
	memset(&soon, 0, sizeof(soon));
	setitimer(ITIMER_REAL, &soon, NULL);
}
END_TEST

START_TEST(a_time_stamp_is_utc_to_the_second)
{
	static const struct {
		uint64_t seconds;
		const char *text;
	} stamps[] = {
		{ 0, "1970-01-01T00:00:00Z" },
		{ 951782399, "2000-02-28T23:59:59Z" },
		{ 951782400, "2000-02-29T00:00:00Z" },
		{ 951868800, "2000-03-01T00:00:00Z" },
		{ 1004486400, "2001-10-31T00:00:00Z" },
		{ UINT64_C(2147483648), "2038-01-19T03:14:08Z" },
		{ UINT64_C(4107542400), "2100-03-01T00:00:00Z" },
		{ UINT64_C(4107542399), "2100-02-28T23:59:59Z" },
		{ UINT64_C(18446744073), "2554-07-21T23:34:33Z" },
	};
	char buf[21];
	size_t i;

	for (i = 0; i < sizeof(stamps) / sizeof(*stamps); i++) {
		ck_assert_str_eq(clock_print_utc(buf, sizeof(buf),
		    stamps[i].seconds * CLOCK_NS_PER_S), stamps[i].text);
		ck_assert_str_eq(clock_print_utc(buf, sizeof(buf),
		    stamps[i].seconds * CLOCK_NS_PER_S + 709551615),
		    stamps[i].text);
	}
}
END_TEST

START_TEST(time_stamps_agree_with_gmtime_for_a_century)
{
	uint64_t seconds, end = UINT64_C(4102444800);
	char ours[21], libcs[21];
	struct tm tm;
	time_t t;

	if (sizeof(time_t) < 8)
		end = INT32_MAX;
	for (seconds = 1; seconds < end; seconds += 86400 * 3 / 4 + 1) {
		t = (time_t)seconds;
		ck_assert_ptr_nonnull(gmtime_r(&t, &tm));
		strftime(libcs, sizeof(libcs), "%Y-%m-%dT%H:%M:%SZ", &tm);
		clock_print_utc(ours, sizeof(ours), seconds * CLOCK_NS_PER_S);
		ck_assert_str_eq(ours, libcs);
	}
}
END_TEST

Suite *
clock_suite(void)
{
	Suite *s = suite_create("clock");
	TCase *t = tcase_create("clock");

	tcase_add_test(t, monotonic_time_never_goes_back);
	tcase_add_test(t, wall_time_agrees_with_time_of_day);
	tcase_add_test(t, sleep_ends_at_the_deadline_and_not_before);
	tcase_add_test(t, a_signal_ends_the_sleep_early);
	tcase_add_test(t, a_time_stamp_is_utc_to_the_second);
	tcase_add_test(t, time_stamps_agree_with_gmtime_for_a_century);
	suite_add_tcase(s, t);
	return s;
}
