/* memhog's patterns: which pages come, how often and in which order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memhog/hog.h"
#include "memhog/pattern.h"
#include "memhog/shuffle.h"
#include "memhog/zipf.h"
#include "unit.h"

#define LENGTH(a) ((int)(sizeof(a) / sizeof((a)[0])))
#define PAGES_MAX 5000

static uint64_t order[PAGES_MAX];
static unsigned count[PAGES_MAX];

/* One round into order[] and count[]; follows the links of a chase. */
static void
play(struct pattern *p, uint64_t round)
{
	uint64_t n = p->pages;

	memset(count, 0, sizeof count);
	pattern_round(p, round);
	for (uint64_t i = 0; i < n; i++) {
		ck_assert_uint_eq(p->left, n - i);
		order[i] = pattern_next(p);
		ck_assert_uint_lt(order[i], n);
		count[order[i]]++;
		if (p->spec.kind == PATTERN_CHASE)
			pattern_follow(p, pattern_link(p, order[i]));
	}
	ck_assert_uint_eq(p->left, 0);
}

static void
start(struct pattern *p, const char *text, uint64_t pages, uint64_t seed)
{
	struct pattern_spec spec;

	ck_assert_ptr_null(pattern_parse(text, &spec));
	ck_assert_int_eq(pattern_init(p, &spec, pages, seed), 0);
}

static const uint64_t sizes[] =
    { 1, 2, 3, 4, 5, 7, 15, 16, 17, 31, 33, 64, 100, 1000, 4095, 4097 };

START_TEST(shuffle_is_a_permutation_and_is_inverted)
{
	const uint64_t n = sizes[_i];
	struct shuffle s;

	memset(count, 0, sizeof count);
	shuffle_init(&s, n, 42);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t value = shuffle_at(&s, i);

		ck_assert_uint_lt(value, n);
		ck_assert_uint_eq(count[value]++, 0);
		ck_assert_uint_eq(shuffle_find(&s, value), i);
	}
}
END_TEST

START_TEST(shuffle_reaches_far_numbers)
{
	const uint64_t n = (UINT64_C(1) << 60) - 3;
	struct shuffle s;

	shuffle_init(&s, n, 42);
	for (uint64_t i = n - 100; i < n; i++) {
		ck_assert_uint_lt(shuffle_at(&s, i), n);
		ck_assert_uint_eq(shuffle_find(&s, shuffle_at(&s, i)), i);
	}
}
END_TEST

/* Of a good order about 1 in n numbers stays in its place or next to it. */
START_TEST(shuffle_leaves_no_runs)
{
	struct shuffle s;
	unsigned neighbours = 0;

	shuffle_init(&s, 4096, 7);
	for (uint64_t i = 1; i < 4096; i++)
		neighbours += shuffle_at(&s, i) == shuffle_at(&s, i - 1) + 1;
	ck_assert_uint_lt(neighbours, 12);
}
END_TEST

static const char *const once[] = {
	"seq", "reverse", "random", "stride", "stride:1", "stride:3",
	"stride:4294967295", "chase"
};

START_TEST(each_page_comes_once_a_round)
{
	struct pattern p;

	for (int i = 0; i < LENGTH(sizes); i++) {
		start(&p, once[_i], sizes[i], 3);
		for (uint64_t round = 1; round < 4; round++) {
			play(&p, round);
			for (uint64_t page = 0; page < sizes[i]; page++)
				ck_assert_uint_eq(count[page], 1);
		}
		pattern_free(&p);
	}
}
END_TEST

START_TEST(orders_are_what_they_are_called)
{
	static const uint64_t strided[] = { 0, 3, 6, 9, 1, 4, 7, 2, 5, 8 };
	struct pattern p;

	start(&p, "seq", 10, 1);
	play(&p, 1);
	for (uint64_t i = 0; i < 10; i++)
		ck_assert_uint_eq(order[i], i);
	start(&p, "reverse", 10, 1);
	play(&p, 1);
	for (uint64_t i = 0; i < 10; i++)
		ck_assert_uint_eq(order[i], 9 - i);
	start(&p, "stride:3", 10, 1);
	play(&p, 1);
	ck_assert_int_eq(memcmp(order, strided, sizeof strided), 0);
}
END_TEST

START_TEST(random_order_is_another_one_each_round_and_repeatable)
{
	uint64_t first[100];
	struct pattern p;

	start(&p, "random", 100, 5);
	play(&p, 1);
	memcpy(first, order, sizeof first);
	play(&p, 2);
	ck_assert_int_ne(memcmp(first, order, sizeof first), 0);
	play(&p, 1);
	ck_assert_int_eq(memcmp(first, order, sizeof first), 0);
	start(&p, "random", 100, 6);
	play(&p, 1);
	ck_assert_int_ne(memcmp(first, order, sizeof first), 0);
}
END_TEST

/* Frozen: another order is another workload. */
START_TEST(orders_are_the_same_everywhere)
{
	static const char *const texts[] =
	    { "random", "zipf", "zipf:0.7", "hot", "chase" };
	static const uint64_t want[] = {
		UINT64_C(16671215861037199298),
		UINT64_C(5757180105294972200),
		UINT64_C(5564332011355622763),
		UINT64_C(16232897535088500132),
		UINT64_C(5063928622237381072)
	};
	struct pattern p;
	uint64_t sum = 0;

	start(&p, texts[_i], PAGES_MAX, 140175100);
	play(&p, 3);
	for (uint64_t i = 0; i < PAGES_MAX; i++)
		sum = sum * 31 + order[i];
	ck_assert_uint_eq(sum, want[_i]);
	pattern_free(&p);
}
END_TEST

START_TEST(zipf_draws_by_its_law)
{
	static const unsigned exponents[] = { 0, 500, 1000, 1200, 2500 };
	const double s = exponents[_i] / 1000.0;
	const uint64_t n = 1000, draws = 200000;
	struct rng_mix r = { 11 };
	struct zipf z;
	double sum = 0;

	ck_assert_int_eq(zipf_init(&z, n, exponents[_i]), 0);
	memset(count, 0, sizeof count);
	for (uint64_t i = 0; i < draws; i++) {
		uint64_t rank = zipf_next(&z, &r);

		ck_assert_uint_lt(rank, n);
		count[rank]++;
	}
	for (uint64_t k = 1; k <= n; k++)
		sum += pow((double)k, -s);
	/* six standard deviations, and what groups make equal */
	for (uint64_t k = 1; k <= n; k++) {
		double want = (double)draws * pow((double)k, -s) / sum;
		double off = fabs(count[k - 1] - want);

		ck_assert_double_le(off, 6 * sqrt(want) + 2 + 0.06 * want);
	}
	zipf_free(&z);
}
END_TEST

START_TEST(zipf_reaches_first_and_last_rank_of_any_size)
{
	const uint64_t n = sizes[_i];
	struct rng_mix r = { 1 };
	int first = 0, last = 0;
	struct zipf z;

	ck_assert_int_eq(zipf_init(&z, n, 0), 0);
	ck_assert_uint_eq(z.start[0], 0);
	ck_assert_uint_eq(z.start[z.groups], n);
	for (unsigned g = 0; g < z.groups; g++)
		ck_assert_uint_lt(z.start[g], z.start[g + 1]);
	for (unsigned i = 0; i < 200000 && !(first && last); i++) {
		uint64_t rank = zipf_next(&z, &r);

		first |= rank == 0;
		last |= rank == n - 1;
	}
	ck_assert(first && last);
	zipf_free(&z);
}
END_TEST

START_TEST(hot_pages_get_their_share)
{
	unsigned sorted = 0, touches = 0;
	struct pattern p;

	start(&p, "hot:90/10", PAGES_MAX, 8);
	for (uint64_t round = 1; round <= 10; round++) {
		play(&p, round);
		/* the same pages in each round: the first of the order */
		for (uint64_t i = 0; i < PAGES_MAX; i++) {
			touches += count[i];
			if (shuffle_find(&p.order, i) < PAGES_MAX / 10)
				sorted += count[i];
		}
	}
	ck_assert_uint_eq(touches, 10 * PAGES_MAX);
	ck_assert_uint_gt(sorted, touches / 100 * 89);
	ck_assert_uint_lt(sorted, touches / 100 * 91);
}
END_TEST

START_TEST(hot_works_for_few_pages)
{
	struct pattern p;

	start(&p, "hot:50/1", sizes[_i], 8);
	play(&p, 1);
	start(&p, "hot:0/99%", sizes[_i], 8);
	play(&p, 1);
}
END_TEST

static const char *const bad[] = {
	"", "sequential", "se", "seq:1", "hold:", "contest:2", "stride:",
	"stride:0", "stride:-1", "stride:x", "stride:4294967296", "zipf:",
	"zipf:-1", "zipf:11", "zipf:1%", "hot:", "hot:90", "hot:90/",
	"hot:/10", "hot:101/10", "hot:90/0", "hot:90/100", "hot:90/10/5",
	"hot:9000000000000000000000000000000000000000000000000/10", ":"
};

START_TEST(other_names_and_values_are_refused)
{
	struct pattern_spec spec;

	ck_assert_ptr_nonnull(pattern_parse(bad[_i], &spec));
}
END_TEST

START_TEST(contest_leaves_the_blocks_that_it_says)
{
	for (size_t n = 1; n < 100; n++) {
		size_t block[100];

		for (size_t i = 0; i < n; i++)
			block[i] = i;
		for (size_t i = 0; i < n; i++)
			block[i] = block[(i + n / 2) % n];
		for (size_t i = 0; i < n; i++)
			ck_assert_uint_eq(contest_origin(i, n), block[i]);
	}
}
END_TEST

Suite *
memhog_pattern_suite(void)
{
	Suite *s = suite_create("memhog_pattern");
	TCase *t = tcase_create("memhog_pattern");

	tcase_add_loop_test(t, shuffle_is_a_permutation_and_is_inverted, 0,
	    LENGTH(sizes));
	tcase_add_test(t, shuffle_reaches_far_numbers);
	tcase_add_test(t, shuffle_leaves_no_runs);
	tcase_add_loop_test(t, each_page_comes_once_a_round, 0,
	    LENGTH(once));
	tcase_add_test(t, orders_are_what_they_are_called);
	tcase_add_test(t,
	    random_order_is_another_one_each_round_and_repeatable);
	tcase_add_loop_test(t, orders_are_the_same_everywhere, 0, 5);
	tcase_add_loop_test(t, zipf_draws_by_its_law, 0, 5);
	tcase_add_loop_test(t, zipf_reaches_first_and_last_rank_of_any_size,
	    0, LENGTH(sizes));
	tcase_add_test(t, hot_pages_get_their_share);
	tcase_add_loop_test(t, hot_works_for_few_pages, 0, LENGTH(sizes));
	tcase_add_loop_test(t, other_names_and_values_are_refused, 0,
	    LENGTH(bad));
	tcase_add_test(t, contest_leaves_the_blocks_that_it_says);
	suite_add_tcase(s, t);
	return s;
}
