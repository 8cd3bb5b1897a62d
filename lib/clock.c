/*
 * clock: monotonic time in nanoseconds.
 */
#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "clock.h"

/* An uninterrupted sleep, short enough for a time_t of 32 bits. */
#define SLICE_NS (86400 * CLOCK_NS_PER_S)

static uint64_t clock_read(clockid_t);

uint64_t
clock_now_ns(void)
{
	return clock_read(CLOCK_MONOTONIC);
}

uint64_t
clock_wall_ns(void)
{
	return clock_read(CLOCK_REALTIME);
}

int
clock_sleep_until(uint64_t deadline_ns)
{
	uint64_t now, until;
	struct timespec ts;
	int error;

	while ((now = clock_now_ns()) < deadline_ns) {
		until = deadline_ns - now > SLICE_NS ? now + SLICE_NS :
		    deadline_ns;
		ts.tv_sec = (time_t)(until / CLOCK_NS_PER_S);
		ts.tv_nsec = (long)(until % CLOCK_NS_PER_S);
		error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts,
		    NULL);
		if (error != 0) {
			errno = error;
			return -1;
		}
	}
	return 0;
}

/*
 * The calendar is computed here because gmtime_r(3) ends in 2038 where time_t
 * has 32 bits.  Years are counted from March, so that the leap day is the last
 * of a year; 1970-01-01 is day 719468 of that count (proleptic Gregorian).
 */
char *
clock_print_utc(char *buf, size_t size, uint64_t wall_ns)
{
	uint64_t seconds = wall_ns / CLOCK_NS_PER_S;
	uint64_t day = seconds / 86400 + 719468;
	unsigned second = (unsigned)(seconds % 86400);
	unsigned era_day = (unsigned)(day % 146097);	/* of 400 years */
	unsigned year, year_day, month;

	year = (era_day - era_day / 1460 + era_day / 36524 -
	    era_day / 146096) / 365;
	year_day = era_day - (365 * year + year / 4 - year / 100);
	month = (5 * year_day + 2) / 153;	/* 0 is March */
	snprintf(buf, size, "%04u-%02u-%02uT%02u:%02u:%02uZ",
	    (unsigned)(day / 146097) * 400 + year + (month >= 10),
	    month < 10 ? month + 3 : month - 9,
	    year_day - (153 * month + 2) / 5 + 1,
	    second / 3600, second / 60 % 60, second % 60);
	return buf;
}

static uint64_t
clock_read(clockid_t id)
{
	struct timespec ts;

	/* Cannot fail: Linux has had both clocks since 2.6. */
	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * CLOCK_NS_PER_S + (uint64_t)ts.tv_nsec;
}
