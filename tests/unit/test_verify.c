/* verify: disorder and lost values are found and named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exits.h"
#include "qsbench/job.h"
#include "qsbench/sort.h"
#include "qsbench/verify.h"
#include "unit.h"

#define N 20000
#define SEED 140175100
#define BIAS UINT64_C(2147483648)

/* Filled from SEED and sorted, with the sums of the fill. */
static int32_t sorted[N];
static struct verify_sums filled;

static void
set_up(void)
{
	struct rng_rand r;

	memset(&filled, 0, sizeof(filled));
	rng_rand_seed(&r, SEED);
	verify_fill(sorted, N, &r, &filled);
	sort_block(sorted, N, NULL);
}

static int
same(const struct verify_sums *a, const struct verify_sums *b)
{
	return a->first == b->first && a->second == b->second;
}

static int
still_good(void)
{
	struct verify_sums s = { 0, 0 };

	return verify_order(sorted, N, &s) == N && same(&s, &filled);
}

static int
fault(struct job_result *r)
{
	memset(r, 0, sizeof(*r));
	return job_verify(sorted, N, SEED, &filled, r);
}

START_TEST(fill_is_the_sequence_of_rand_whatever_the_length)
{
	static const size_t lengths[] = { 0, 1, 2, 4095, 4096, 4097, N };
	int32_t *a = calloc(N, sizeof(*a));

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		struct verify_sums s = { 0, 0 }, want = { 0, 0 };
		struct rng_rand r, each;

		rng_rand_seed(&r, 7);
		rng_rand_seed(&each, 7);
		verify_fill(a, lengths[i], &r, &s);
		for (size_t k = 0; k < lengths[i]; k++) {
			int32_t value = rng_rand_next(&each);
			uint64_t v = (uint64_t)value + BIAS;

			ck_assert_int_eq(a[k], value);
			want.first += v;
			want.second += v * v;
		}
		ck_assert(same(&s, &want));
	}
	free(a);
}
END_TEST

START_TEST(good_data_passes_and_its_checksum_ignores_the_order)
{
	struct verify_sums s = { 0, 0 };
	struct job_result r;

	ck_assert_int_eq(fault(&r), EXIT_GOOD);
	ck_assert_str_eq(r.fault, "");
	ck_assert_uint_eq(r.checksum, verify_checksum(&filled));
	for (size_t i = 0; i < N / 2; i++)
		sort_swap(&sorted[i], &sorted[N - 1 - i]);
	verify_order(sorted, N, &s);
	ck_assert_uint_eq(verify_checksum(&s), verify_checksum(&filled));
}
END_TEST

START_TEST(empty_and_tiny_arrays_are_in_order)
{
	struct verify_sums s = { 0, 0 };
	int32_t two[2] = { -5, 3 };

	ck_assert_uint_eq(verify_order(NULL, 0, &s), 0);
	ck_assert_uint_eq(verify_order(two, 1, &s), 1);
	ck_assert_uint_eq(verify_order(two, 2, &s), 2);
	ck_assert_uint_eq(s.first, 3 * BIAS - 5 - 5 + 3);
	ck_assert_uint_eq(s.second, 2 * (BIAS - 5) * (BIAS - 5) +
	    (BIAS + 3) * (BIAS + 3));
}
END_TEST

START_TEST(first_descent_is_named_wherever_it_is)
{
	static const size_t where[] =
	    { 1, 2, 4095, 4096, 4097, 8191, 8192, 12288, N - 1 };
	struct verify_sums s = { 0, 0 };

	for (size_t i = 0; i < sizeof(where) / sizeof(*where); i++) {
		set_up();
		sorted[where[i]] = sorted[where[i] - 1] - 1;
		ck_assert_uint_eq(verify_order(sorted, N, &s), where[i]);
		sorted[N - 2] = -1;	/* a later one changes nothing */
		ck_assert_uint_le(verify_order(sorted, N, &s), where[i]);
	}
}
END_TEST

START_TEST(disorder_is_reported_with_index_and_values)
{
	char want[200];
	struct job_result r;

	snprintf(want, sizeof(want), "not sorted: element 4096 is %d, "
	    "element 4097 is -3", sorted[4096]);
	sorted[4097] = -3;
	ck_assert_int_eq(fault(&r), EXIT_CORRUPT);
	ck_assert_str_eq(r.fault, want);
}
END_TEST

START_TEST(duplicate_in_place_of_a_value_is_found)
{
	for (size_t i = 1; i < N; i += 7) {
		int32_t kept = sorted[i];

		if (kept == sorted[i - 1])
			continue;
		sorted[i] = sorted[i - 1];
		ck_assert(!still_good());
		sorted[i] = kept;
	}
	ck_assert(still_good());
}
END_TEST

/* Two changes that leave the plain sum as it was. */
START_TEST(changes_that_outweigh_each_other_are_found)
{
	struct job_result r;

	sorted[10]++;
	sorted[N - 10]--;
	ck_assert_int_eq(fault(&r), EXIT_CORRUPT);
	ck_assert_ptr_nonnull(strstr(r.fault, "changed"));
}
END_TEST

START_TEST(sign_of_a_value_counts)
{
	int32_t one = 12345, other = -12345;
	struct verify_sums a = { 0, 0 }, b = { 0, 0 };

	verify_order(&one, 1, &a);
	verify_order(&other, 1, &b);
	ck_assert_uint_ne(verify_checksum(&a), verify_checksum(&b));
}
END_TEST

/* Where value stands among the values filled in. */
static size_t
place_of(int32_t value)
{
	struct rng_rand r;
	size_t i = 0;

	rng_rand_seed(&r, SEED);
	while (rng_rand_next(&r) != value)
		i++;
	return i;
}

START_TEST(changed_value_is_named_with_its_origin)
{
	const size_t i = 12345;
	int32_t was = sorted[i], is = was - 1;	/* differs in low bits only */
	char want[300];
	struct job_result r;

	ck_assert_int_gt(is, sorted[i - 1]);
	sorted[i] = is;
	snprintf(want, sizeof(want), "changed while it was sorted: element %zu "
	    "is %d, more of them than were filled in; %d, filled in as element "
	    "%zu, is lost", i, is, was, place_of(was));
	ck_assert_int_eq(fault(&r), EXIT_CORRUPT);
	ck_assert_str_eq(r.fault, want);
}
END_TEST

/* A page of zeros, or of ones, in place of the first or the last values. */
START_TEST(lost_page_is_named)
{
	const size_t page = 1024, from = _i == 0 ? 0 : N - page;
	const int32_t alien = _i == 0 ? 0 : INT32_MAX;
	struct verify_difference d;
	struct rng_rand r;
	int32_t values[1024];
	int among = 0;

	memcpy(values, sorted + from, sizeof(values));
	for (size_t i = 0; i < page; i++)
		sorted[from + i] = alien;
	rng_rand_seed(&r, SEED);
	ck_assert_int_eq(verify_diagnose(sorted, N, &r, &d), 0);
	ck_assert(d.has_alien && d.has_lost);
	ck_assert_uint_eq(d.alien_index, from);
	ck_assert_int_eq(d.alien, alien);
	for (size_t i = 0; i < page; i++)
		among |= values[i] == d.lost;
	ck_assert(among);
	ck_assert_uint_eq(d.lost_index, place_of(d.lost));
}
END_TEST

START_TEST(right_array_has_no_difference)
{
	struct verify_difference d;
	struct rng_rand r;

	rng_rand_seed(&r, SEED);
	ck_assert_int_eq(verify_diagnose(sorted, N, &r, &d), 0);
	ck_assert(!d.has_alien && !d.has_lost);
}
END_TEST

/* The sums themselves were hit: still said, though nothing can be named. */
START_TEST(wrong_sums_over_right_data_are_reported)
{
	struct job_result r;

	filled.first ^= 1;
	ck_assert_int_eq(fault(&r), EXIT_CORRUPT);
	ck_assert_ptr_nonnull(strstr(r.fault, "checksum"));
}
END_TEST

START_TEST(seeds_are_one_for_all_or_one_each)
{
	struct job j = { .seed = 5 };

	ck_assert_uint_eq(job_seed(&j, 0), 5);
	ck_assert_uint_eq(job_seed(&j, 9), 5);
	j.unique = 1;
	ck_assert_uint_eq(job_seed(&j, 0), 5);
	ck_assert_uint_eq(job_seed(&j, 9), 14);
}
END_TEST

Suite *
verify_suite(void)
{
	Suite *s = suite_create("verify");
	TCase *t = tcase_create("verify");

	tcase_add_checked_fixture(t, set_up, NULL);
	tcase_add_test(t, fill_is_the_sequence_of_rand_whatever_the_length);
	tcase_add_test(t, good_data_passes_and_its_checksum_ignores_the_order);
	tcase_add_test(t, empty_and_tiny_arrays_are_in_order);
	tcase_add_test(t, first_descent_is_named_wherever_it_is);
	tcase_add_test(t, disorder_is_reported_with_index_and_values);
	tcase_add_test(t, duplicate_in_place_of_a_value_is_found);
	tcase_add_test(t, changes_that_outweigh_each_other_are_found);
	tcase_add_test(t, sign_of_a_value_counts);
	tcase_add_test(t, changed_value_is_named_with_its_origin);
	tcase_add_loop_test(t, lost_page_is_named, 0, 2);
	tcase_add_test(t, right_array_has_no_difference);
	tcase_add_test(t, wrong_sums_over_right_data_are_reported);
	tcase_add_test(t, seeds_are_one_for_all_or_one_each);
	suite_add_tcase(s, t);
	return s;
}
