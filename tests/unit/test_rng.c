/* rng: the sequence of glibc's rand(3), and the mixing generator. */
#include <stdint.h>
#include <stdlib.h>

#include "rng.h"
#include "unit.h"

#define VALUES 1000000

#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

/*
 * FNV-1a over a million values of glibc 2.36's rand(), four bytes a value,
 * lowest first, after srand(seed).
 */
static const struct {
	uint32_t seed;
	int32_t first, last;
	uint64_t sum;
} recorded[] = {
	{ UINT32_C(0), 1804289383, 429357853, UINT64_C(0xb1ea41d3e4fd8893) },
	{ UINT32_C(1), 1804289383, 429357853, UINT64_C(0xb1ea41d3e4fd8893) },
	{ UINT32_C(2), 1505335290, 1845463363, UINT64_C(0xa587dfa65e4f2057) },
	{ UINT32_C(127773), 493846017, 1457663931,
	    UINT64_C(0x40e1572f03c80bdb) },
	{ UINT32_C(140175100), 831930048, 1681580331,
	    UINT64_C(0x62149209815ad405) },
	{ UINT32_C(20011031), 1070931773, 1117807590,
	    UINT64_C(0xc50533d5c865f817) },
	{ UINT32_C(2147483647), 1065668062, 2070068422,
	    UINT64_C(0x78c478f81dc40e2a) },
	{ UINT32_C(2147483648), 1336741213, 1026566857,
	    UINT64_C(0x89c4ee487f73ab77) },
	{ UINT32_C(3735928559), 352217057, 1404821069,
	    UINT64_C(0x6b756db03bbac204) },
	{ UINT32_C(4294967295), 254925627, 949151631,
	    UINT64_C(0x45cacd0a9245299d) },
};

#define SEEDS (int)(sizeof(recorded) / sizeof(*recorded))

static int32_t *values;

static void
values_make(void)
{
	values = calloc(VALUES, sizeof(*values));
	ck_assert_ptr_nonnull(values);
}

static void
values_free(void)
{
	free(values);
}

static uint64_t
fnv(const int32_t *v, size_t n)
{
	uint64_t sum = FNV_BASIS;
	unsigned shift;

	for (; n > 0; n--, v++)
		for (shift = 0; shift < 32; shift += 8)
			sum = (sum ^ ((uint32_t)*v >> shift & 0xff)) *
			    FNV_PRIME;
	return sum;
}

START_TEST(a_million_values_have_the_checksum_of_glibcs)
{
	struct rng_rand r;

	rng_rand_seed(&r, recorded[_i].seed);
	rng_rand_fill(&r, values, VALUES);
	ck_assert_int_eq(values[0], recorded[_i].first);
	ck_assert_int_eq(values[VALUES - 1], recorded[_i].last);
	ck_assert_uint_eq(fnv(values, VALUES), recorded[_i].sum);
}
END_TEST

#ifdef __GLIBC__
START_TEST(a_million_values_equal_those_of_this_glibc)
{
	struct rng_rand r;
	int i, value;

	rng_rand_seed(&r, recorded[_i].seed);
	rng_rand_fill(&r, values, VALUES);
	srand(recorded[_i].seed);
	for (i = 0; i < VALUES; i++)
		if ((value = rand()) != values[i])
			ck_abort_msg("value %d is %d, not %d", i, values[i],
			    value);
}
END_TEST
#endif

START_TEST(values_one_by_one_are_the_same_sequence)
{
	struct rng_rand r;
	int i;

	rng_rand_seed(&r, recorded[_i].seed);
	for (i = 0; i < VALUES; i++)
		values[i] = rng_rand_next(&r);
	ck_assert_uint_eq(fnv(values, VALUES), recorded[_i].sum);
}
END_TEST

START_TEST(single_values_and_fills_of_any_size_mix)
{
	struct rng_mix sizes = { 7 };
	size_t done = 0, n, i;
	struct rng_rand r;

	rng_rand_seed(&r, recorded[_i].seed);
	while (done < VALUES) {
		n = (size_t)rng_mix_below(&sizes,
		    UINT64_C(1) << rng_mix_below(&sizes, 14));
		if (n > VALUES - done)
			n = VALUES - done;
		rng_rand_fill(&r, values + done, n);
		done += n;
		n = (size_t)rng_mix_below(&sizes, 40);
		for (i = 0; i < n && done < VALUES; i++)
			values[done++] = rng_rand_next(&r);
	}
	ck_assert_uint_eq(fnv(values, VALUES), recorded[_i].sum);
}
END_TEST

START_TEST(a_fill_of_every_small_size_writes_that_many_values)
{
	struct rng_rand r, s;
	size_t n, i;

	for (n = 0; n <= 200; n++) {
		rng_rand_seed(&r, (uint32_t)n);
		s = r;
		values[n] = -1;
		rng_rand_fill(&r, values, n);
		for (i = 0; i < n; i++)
			ck_assert_int_eq(values[i], rng_rand_next(&s));
		ck_assert_int_eq(values[n], -1);
		ck_assert_int_eq(rng_rand_next(&r), rng_rand_next(&s));
	}
}
END_TEST

START_TEST(the_mixing_generator_is_splitmix64)
{
	struct rng_mix r = { 1234567 };

	ck_assert_uint_eq(rng_mix_next(&r), UINT64_C(6457827717110365317));
	ck_assert_uint_eq(rng_mix_next(&r), UINT64_C(3203168211198807973));
	ck_assert_uint_eq(rng_mix_next(&r), UINT64_C(9817491932198370423));
}
END_TEST

/* From a computation with integers of any length. */
START_TEST(a_bounded_value_is_the_high_half_of_a_product)
{
	static const struct {
		uint64_t below, value[3];
	} expected[] = {
		{ 1, { 0, 0, 0 } }, { 2, { 0, 0, 1 } }, { 10, { 2, 8, 3 } },
		{ 1000003, { 618483, 204902, 492990 } },
		{ UINT64_C(4294967296), { UINT64_C(2205019529),
		    UINT64_C(2233440115), UINT64_C(2856837916) } },
		{ UINT64_C(9223372036854775809), {
		    UINT64_C(955303709102791994), UINT64_C(4570168467872796430),
		    UINT64_C(861718023853323523) } },
		{ UINT64_C(18446744073709551615), {
		    UINT64_C(12708817412199463007),
		    UINT64_C(17659533654446416871),
		    UINT64_C(1347604182271487640) } },
	};
	struct rng_mix r = { 42 };
	size_t i, k;

	for (i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		for (k = 0; k < 3; k++)
			ck_assert_uint_eq(rng_mix_below(&r, expected[i].below),
			    expected[i].value[k]);
}
END_TEST

START_TEST(bounded_values_are_below_the_bound_and_spread_evenly)
{
	struct rng_mix r = { 1 };
	unsigned count[6] = { 0 };
	uint64_t v;
	int i;

	for (i = 0; i < 60000; i++) {
		v = rng_mix_below(&r, 6);
		ck_assert_uint_lt(v, 6);
		count[v]++;
	}
	/* The seed is fixed; 5 standard deviations are 457. */
	for (i = 0; i < 6; i++) {
		ck_assert_uint_gt(count[i], 10000 - 457);
		ck_assert_uint_lt(count[i], 10000 + 457);
	}
}
END_TEST

Suite *
rng_suite(void)
{
	Suite *s = suite_create("rng");
	TCase *t = tcase_create("rng");

	tcase_add_checked_fixture(t, values_make, values_free);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, a_million_values_have_the_checksum_of_glibcs,
	    0, SEEDS);
#ifdef __GLIBC__
	tcase_add_loop_test(t, a_million_values_equal_those_of_this_glibc,
	    0, SEEDS);
#endif
	tcase_add_loop_test(t, values_one_by_one_are_the_same_sequence,
	    0, SEEDS);
	tcase_add_loop_test(t, single_values_and_fills_of_any_size_mix,
	    0, SEEDS);
	tcase_add_test(t, a_fill_of_every_small_size_writes_that_many_values);
	tcase_add_test(t, the_mixing_generator_is_splitmix64);
	tcase_add_test(t, a_bounded_value_is_the_high_half_of_a_product);
	tcase_add_test(t,
	    bounded_values_are_below_the_bound_and_spread_evenly);
	suite_add_tcase(s, t);
	return s;
}
