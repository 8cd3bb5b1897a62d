/* sort: every algorithm on every kind of input; bounds of quick and block. */
#include <sys/mman.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "qsbench/sort.h"
#include "qsbench/verify.h"
#include "rng.h"
#include "unit.h"

/* A plain quicksort by the same rule, on values that less() compares. */
struct plain {
	int32_t *a;
	int (*less)(struct plain *p, int32_t x, int32_t y);
	uint64_t partitioned;
	unsigned deepest;
	int32_t *rank;			/* adversary: given to each value */
	int32_t solid, candidate;
};

typedef void make_input(int32_t *a, size_t n);

static void
make_random(int32_t *a, size_t n)
{
	struct rng_rand r;

	rng_rand_seed(&r, 140175100);
	rng_rand_fill(&r, a, n);
}

static void
make_signed(int32_t *a, size_t n)
{
	struct rng_mix r = { 1 };

	for (size_t i = 0; i < n; i++)
		a[i] = (int32_t)(uint32_t)rng_mix_next(&r);
}

static void
make_extremes(int32_t *a, size_t n)
{
	static const int32_t values[] = { INT32_MIN, INT32_MAX, -1, 0, 1 };
	struct rng_mix r = { 2 };

	for (size_t i = 0; i < n; i++)
		a[i] = values[rng_mix_below(&r, 5)];
}

static void
make_equal(int32_t *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] = 7;
}

static void
make_two_values(int32_t *a, size_t n)
{
	struct rng_mix r = { 3 };

	for (size_t i = 0; i < n; i++)
		a[i] = (int32_t)rng_mix_below(&r, 2);
}

static void
make_sorted(int32_t *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] = (int32_t)i;
}

static void
make_reverse(int32_t *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] = (int32_t)(n - i);
}

static void
make_organ_pipe(int32_t *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] = (int32_t)(i < n / 2 ? i : n - i);
}

static void
make_valley(int32_t *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] = (int32_t)(i < n / 2 ? n - i : i);
}

static void
make_saw(int32_t *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] = (int32_t)(i % 1000);
}

static void
make_one_out_of_place(int32_t *a, size_t n)
{
	make_sorted(a, n);
	if (n > 0)
		a[n - 1] = -1;
}

/* Musser's killer of the median of three (Software 27, 1997). */
static void
make_killer(int32_t *a, size_t n)
{
	size_t k = n / 2;

	make_sorted(a, n);
	for (size_t i = 1; i <= k; i++) {
		a[i - 1] = (int32_t)(i % 2 == 1 ? i : k + i - 1);
		a[k + i - 1] = (int32_t)(2 * i);
	}
}

static make_input *const inputs[] = {
	make_random, make_signed, make_extremes, make_equal, make_two_values,
	make_sorted, make_reverse, make_organ_pipe, make_valley, make_saw,
	make_one_out_of_place, make_killer
};
#define INPUTS (sizeof(inputs) / sizeof(*inputs))

static const size_t sizes[] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 31, 127, 128, 129, 130, 255, 256,
	257, 258, 264, 265, 385, 512, 1000, 1023, 1024, 1025, 1026, 2049, 4097,
	30011
};
#define SIZES (sizeof(sizes) / sizeof(*sizes))

static int
ascending(const void *left, const void *right)
{
	int32_t l = *(const int32_t *)left, r = *(const int32_t *)right;

	return (l > r) - (l < r);
}

/* malloc of exactly n elements, so that a sanitizer sees the next one. */
static int32_t *
new_array(size_t n)
{
	int32_t *a = malloc(n > 0 ? n * sizeof(*a) : 1);

	ck_assert_ptr_nonnull(a);
	return a;
}

static unsigned
log2_of(size_t n)
{
	return sort_depth_limit(n) / 4;
}

/* Every comparison that sort_stats stands for, against c n log2 n. */
static void
assert_bounded(const struct sort_stats *s, size_t n)
{
	unsigned log2 = log2_of(n);

	ck_assert_uint_le(s->deepest, sort_depth_limit(n));
	ck_assert_uint_le(s->partitioned, (uint64_t)4 * n * log2);
	ck_assert_uint_le(s->heaped, n);
}

static void
check_algorithm(const struct sort_algorithm *s, make_input *make, size_t n)
{
	int32_t *a = new_array(n), *want = new_array(n);
	int32_t *scratch = s->scratch > 0 ? new_array(n) : NULL;

	make(a, n);
	memcpy(want, a, n * sizeof(*a));
	qsort(want, n, sizeof(*want), ascending);
	s->sort(a, n, scratch);
	ck_assert_msg(memcmp(a, want, n * sizeof(*a)) == 0,
	    "%s failed on %zu elements", s->name, n);
	free(a);
	free(want);
	free(scratch);
}

START_TEST(every_algorithm_sorts_every_input)
{
	const struct sort_algorithm *s = &sort_algorithms[_i];

	for (size_t input = 0; input < INPUTS; input++)
		for (size_t i = 0; i < SIZES; i++)
			check_algorithm(s, inputs[input], sizes[i]);
	check_algorithm(s, make_random, 300007);
	check_algorithm(s, make_signed, 300007);
}
END_TEST

START_TEST(algorithms_are_found_by_their_whole_name)
{
	static const char *const names[] =
	    { "quick", "block", "heap", "merge", "radix", "libc" };

	for (size_t i = 0; i < 6; i++)
		ck_assert_str_eq(sort_find(names[i])->name, names[i]);
	ck_assert_ptr_eq(sort_find("quick"), sort_algorithms);
	ck_assert_ptr_null(sort_find("foo"));
	ck_assert_ptr_null(sort_find("qui"));
	ck_assert_ptr_null(sort_find("quicks"));
	ck_assert_ptr_null(sort_find(""));
}
END_TEST

/* Knuth's zero-one principle: right for 0 and 1 is right for everything. */
START_TEST(networks_sort_all_zeros_and_ones)
{
	for (size_t n = 0; n <= SORT_SMALL; n++) {
		for (unsigned bits = 0; bits < 1U << n; bits++) {
			int32_t a[SORT_SMALL];
			unsigned ones = 0;

			for (size_t i = 0; i < n; i++) {
				a[i] = (int32_t)(bits >> i & 1);
				ones += bits >> i & 1;
			}
			sort_small(a, n);
			for (size_t i = 0; i < n; i++)
				ck_assert_int_eq(a[i], i >= n - ones);
		}
	}
}
END_TEST

START_TEST(depth_limit_is_four_times_the_logarithm)
{
	ck_assert_uint_eq(sort_depth_limit(0), 0);
	ck_assert_uint_eq(sort_depth_limit(1), 0);
	ck_assert_uint_eq(sort_depth_limit(2), 4);
	ck_assert_uint_eq(sort_depth_limit(1023), 36);
	ck_assert_uint_eq(sort_depth_limit(1024), 40);
#if SIZE_MAX > UINT32_MAX
	ck_assert_uint_eq(sort_depth_limit((size_t)1 << 40), 160);
#endif
}
END_TEST

static int
less_by_value(struct plain *p, int32_t x, int32_t y)
{
	(void)p;
	return x < y;
}

/*
 * The adversary of McIlroy (Software 29, 1999): ranks are decided only when
 * asked for, so that the pivot always turns out to be among the least.
 */
static int
less_by_adversary(struct plain *p, int32_t x, int32_t y)
{
	const int32_t gas = INT32_MAX;

	if (p->rank[x] == gas && p->rank[y] == gas)
		p->rank[x == p->candidate ? x : y] = p->solid++;
	if (p->rank[x] == gas)
		p->candidate = x;
	else if (p->rank[y] == gas)
		p->candidate = y;
	return p->rank[x] < p->rank[y];
}

static int32_t
plain_median(struct plain *p, int32_t a, int32_t b, int32_t c)
{
	int32_t lower = p->less(p, a, b) ? a : b, upper = lower == a ? b : a;

	if (p->less(p, c, lower))
		return lower;
	return p->less(p, upper, c) ? upper : c;
}

/* As the textbooks of the time have it. */
static void
plain_quick(struct plain *p, ptrdiff_t lo, ptrdiff_t hi, unsigned depth)
{
	ptrdiff_t i = lo, j = hi;
	int32_t x, t;

	if (depth > p->deepest)
		p->deepest = depth;
	if (hi - lo > 2)
		p->partitioned += (uint64_t)(hi - lo) + 1;
	x = plain_median(p, p->a[lo], p->a[lo + (hi - lo) / 2], p->a[hi]);
	do {
		while (p->less(p, p->a[i], x))
			i++;
		while (p->less(p, x, p->a[j]))
			j--;
		if (i <= j) {
			t = p->a[i];
			p->a[i++] = p->a[j];
			p->a[j--] = t;
		}
	} while (i <= j);
	if (hi - lo <= 2)
		depth--;	/* which is no partition to quick */
	if (lo < j)
		plain_quick(p, lo, j, depth + 1);
	if (i < hi)
		plain_quick(p, i, hi, depth + 1);
}

static const uint32_t seeds[] = { 0, 1, 2, 140175100, 337007780, 1475617586 };
#define SEEDS (sizeof(seeds) / sizeof(*seeds))

static void
check_frozen(size_t n, uint32_t seed)
{
	struct plain p = { .a = new_array(n), .less = less_by_value };
	int32_t *a = new_array(n);
	struct sort_stats s = { 0, 0, 0 };
	struct rng_rand r;

	rng_rand_seed(&r, seed);
	rng_rand_fill(&r, a, n);
	memcpy(p.a, a, n * sizeof(*a));
	sort_quick_within(a, n, sort_depth_limit(n), &s);
	ck_assert_uint_eq(s.heaped, 0);
	if (n > 1)
		plain_quick(&p, 0, (ptrdiff_t)n - 1, 0);
	ck_assert_uint_eq(s.partitioned, p.partitioned);
	ck_assert_mem_eq(a, p.a, n * sizeof(*a));
	free(p.a);
	free(a);
}

START_TEST(frozen_data_takes_the_historical_way_and_needs_no_limit)
{
	uint32_t seed = seeds[_i];

	for (size_t n = 2; n < 200; n++)
		check_frozen(n, seed);
	for (size_t n = 1000; n <= 1000000; n *= 10)
		check_frozen(n, seed);
	check_frozen(1 << 16, seed);
	check_frozen(123457, seed);
}
END_TEST

/* Recorded from this data; another pivot or partition gives another sum. */
START_TEST(work_on_the_reported_seed_is_frozen)
{
	const size_t n = 1000000;
	struct sort_stats s = { 0, 0, 0 };
	int32_t *a = new_array(n);

	make_random(a, n);
	sort_quick_within(a, n, sort_depth_limit(n), &s);
	ck_assert_uint_eq(s.partitioned, 22395164);
	ck_assert_uint_eq(s.deepest, 41);
	free(a);
}
END_TEST

/*
 * Pages by a window of two: all others are closed, so that each return to a
 * page is seen, in the handler of SIGSEGV.  One would not do, as a vector may
 * lie across two.
 */
#define PAGES 16
#define PIECE_BYTES 16384	/* in which verify goes over the array */
static char *pages;
static size_t page_bytes, newer, older;	/* PAGES: none */
static unsigned long touches, first_touch[PAGES], last_touch[PAGES];

static void
open_page(int signo, siginfo_t *info, void *context)
{
	size_t page = (size_t)((char *)info->si_addr - pages) / page_bytes;

	(void)context;
	if ((char *)info->si_addr < pages || page >= PAGES) {
		signal(signo, SIG_DFL);	/* a fault of another kind */
		return;
	}
	if (older < PAGES)
		mprotect(pages + older * page_bytes, page_bytes, PROT_NONE);
	mprotect(pages + page * page_bytes, page_bytes,
	    PROT_READ | PROT_WRITE);
	older = newer;
	newer = page;
	last_touch[page] = ++touches;
	if (first_touch[page] == 0)
		first_touch[page] = touches;
}

/* Close all of them and start to watch. */
static void
watch_pages(void)
{
	touches = 0;
	newer = older = PAGES;
	memset(first_touch, 0, sizeof(first_touch));
	memset(last_touch, 0, sizeof(last_touch));
	ck_assert_int_eq(mprotect(pages, PAGES * page_bytes, PROT_NONE), 0);
}

static size_t
make_pages(void)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO };

	action.sa_sigaction = open_page;
	ck_assert_int_eq(sigaction(SIGSEGV, &action, NULL), 0);
	page_bytes = memory_page_bytes();
	pages = mmap(NULL, PAGES * page_bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(pages, MAP_FAILED);
	return PAGES * page_bytes / sizeof(int32_t);
}

/* No page is returned to after one that is `distance` pages further right. */
static void
assert_finished_in_order(size_t distance)
{
	for (size_t i = distance; i < PAGES; i++)
		ck_assert_uint_lt(last_touch[i - distance], last_touch[i]);
}

START_TEST(left_parts_are_finished_before_right_ones)
{
	size_t n = make_pages();

	make_random((int32_t *)(void *)pages, n);
	watch_pages();
	if (_i == 0)
		sort_quick((int32_t *)(void *)pages, n, NULL);
	else
		sort_block((int32_t *)(void *)pages, n, NULL);
	/* Two neighbours may stay open to the end of both. */
	assert_finished_in_order(2);
	/* The first division begins at both ends, after the middle. */
	for (size_t i = 1; i < PAGES - 1; i++)
		if (i != PAGES / 2 - 1)
			ck_assert_uint_lt(first_touch[PAGES - 1],
			    first_touch[i]);
}
END_TEST

START_TEST(fill_and_verify_go_over_the_pages_once)
{
	struct verify_sums sums = { 0, 0 };
	struct rng_rand r;
	size_t n = make_pages();

	rng_rand_seed(&r, 1);
	watch_pages();
	verify_fill((int32_t *)(void *)pages, n, &r, &sums);
	assert_finished_in_order(2 * PIECE_BYTES / page_bytes + 1);
	ck_assert_uint_le(touches, 4 * PAGES);
	watch_pages();
	verify_order((int32_t *)(void *)pages, n, &sums);
	assert_finished_in_order(2 * PIECE_BYTES / page_bytes + 1);
	ck_assert_uint_le(touches, 3 * PAGES);
}
END_TEST

/* Write the input that makes quick go as deep as it can into a. */
static void
make_adversarial(int32_t *a, size_t n)
{
	struct plain p = { .a = new_array(n), .less = less_by_adversary };

	make_sorted(p.a, n);
	p.rank = a;
	for (size_t i = 0; i < n; i++)
		a[i] = INT32_MAX;
	plain_quick(&p, 0, (ptrdiff_t)n - 1, 0);
	ck_assert_uint_gt(p.deepest, sort_depth_limit(n));
	free(p.a);
}

START_TEST(adversary_meets_the_depth_limit_of_quick)
{
	const size_t n = 10000;
	struct sort_stats s = { 0, 0, 0 };
	int32_t *a = new_array(n);

	make_adversarial(a, n);
	sort_quick_within(a, n, sort_depth_limit(n), &s);
	ck_assert_uint_gt(s.heaped, 0);
	assert_bounded(&s, n);
	for (size_t i = 1; i < n; i++)
		ck_assert_int_le(a[i - 1], a[i]);
	free(a);
}
END_TEST

START_TEST(work_is_bounded_on_any_input)
{
	const size_t n = 50000;
	int32_t *a = new_array(n);

	for (size_t i = 0; i < INPUTS; i++) {
		struct sort_stats quick = { 0, 0, 0 }, block = { 0, 0, 0 };

		inputs[i](a, n);
		sort_quick_within(a, n, sort_depth_limit(n), &quick);
		assert_bounded(&quick, n);
		inputs[i](a, n);
		sort_block_within(a, n, sort_depth_limit(n), &block);
		assert_bounded(&block, n);
	}
	free(a);
}
END_TEST

START_TEST(parts_below_the_limit_are_sorted_by_the_heap)
{
	const size_t n = 30011;
	int32_t *a = new_array(n), *want = new_array(n);

	make_random(want, n);
	qsort(want, n, sizeof(*want), ascending);
	for (unsigned limit = 0; limit <= 12; limit += 3) {
		struct sort_stats s = { 0, 0, 0 };

		make_random(a, n);
		if (_i == 0)
			sort_quick_within(a, n, limit, &s);
		else
			sort_block_within(a, n, limit, &s);
		ck_assert_uint_gt(s.heaped, 0);
		ck_assert_uint_le(s.deepest, limit);
		ck_assert_mem_eq(a, want, n * sizeof(*a));
	}
	free(a);
	free(want);
}
END_TEST

Suite *
sort_suite(void)
{
	Suite *s = suite_create("sort");
	TCase *t = tcase_create("sort");
	int algorithms = 0;

	while (sort_algorithms[algorithms].name != NULL)
		algorithms++;
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, every_algorithm_sorts_every_input, 0,
	    algorithms);
	tcase_add_test(t, algorithms_are_found_by_their_whole_name);
	tcase_add_test(t, networks_sort_all_zeros_and_ones);
	tcase_add_test(t, depth_limit_is_four_times_the_logarithm);
	tcase_add_loop_test(t,
	    frozen_data_takes_the_historical_way_and_needs_no_limit, 0, SEEDS);
	tcase_add_test(t, work_on_the_reported_seed_is_frozen);
	tcase_add_loop_test(t, left_parts_are_finished_before_right_ones,
	    0, 2);
	tcase_add_test(t, fill_and_verify_go_over_the_pages_once);
	tcase_add_test(t, adversary_meets_the_depth_limit_of_quick);
	tcase_add_test(t, work_is_bounded_on_any_input);
	tcase_add_loop_test(t, parts_below_the_limit_are_sorted_by_the_heap,
	    0, 2);
	suite_add_tcase(s, t);
	return s;
}
