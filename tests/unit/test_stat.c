/*
 * test_stat: the statistics of runstat against published values.
 *
 * Sources: A&S: Abramowitz and Stegun, Handbook of Mathematical Functions
 * (1964).  H&W: Hollander and Wolfe, Nonparametric Statistical Methods (1999),
 * whose examples are also those of R's wilcox.test.  StRD: the certified values
 * of NIST's Statistical Reference Datasets.  Fisher: The Design of Experiments
 * (1935).  Probabilities of rank statistics are ratios of whole numbers, so the
 * printed digits are checked and the ratio to 1e-9.
 */
#include <math.h>
#include <stdlib.h>

#include "measure/stat_adjust.h"
#include "measure/stat_desc.h"
#include "measure/stat_dist.h"
#include "measure/stat_knee.h"
#include "measure/stat_rank.h"
#include "measure/stat_trend.h"
#include "unit.h"

#define LENGTH(a) (sizeof(a) / sizeof *(a))
#define near(x, y) ck_assert_double_eq_tol(x, y, 1e-9)

START_TEST(normal_distribution_agrees_with_table_26_1)
{
	near(stat_norm_cdf(0), 0.5);
	near(stat_norm_cdf(1), 0.841344746068543);
	near(stat_norm_cdf(2), 0.977249868051821);
	near(stat_norm_cdf(3), 0.998650101968370);
	near(stat_norm_cdf(-1), 1 - 0.841344746068543);
	near(stat_norm_quantile(0.975), 1.959963984540054);
	near(stat_norm_quantile(0.025), -1.959963984540054);
	ck_assert(isnan(stat_norm_quantile(0)));
	ck_assert(isnan(stat_norm_quantile(1)));
}
END_TEST

/* A&S 26.7.3 and 26.7.4 have closed forms for few degrees of freedom. */
START_TEST(student_t_agrees_with_its_closed_forms)
{
	const double pi = acos(-1), at[] = { -9, -1, -0.1, 0, 0.3, 2, 12, 1e5 };
	double t;

	for (size_t i = 0; i < LENGTH(at); i++) {
		t = at[i];
		near(stat_t_cdf(t, 1), 0.5 + atan(t) / pi);
		near(stat_t_cdf(t, 2), 0.5 + t / (2 * sqrt(2 + t * t)));
		near(stat_t_cdf(t, 4), 0.5 + t * (t * t + 6) /
		    (2 * pow(t * t + 4, 1.5)));
	}
	near(stat_t_quantile(0.975, 1), tan(pi * 0.475));
	near(stat_t_quantile(0.975, 2), sqrt(2 * 0.95 * 0.95 /
	    (1 - 0.95 * 0.95)));
	near(stat_t_quantile(0.025, 2), -stat_t_quantile(0.975, 2));
	/* A&S table 26.10, three decimals. */
	ck_assert_double_eq_tol(stat_t_quantile(0.975, 9), 2.262, 5e-4);
	ck_assert_double_eq_tol(stat_t_quantile(0.95, 18), 1.734, 5e-4);
}
END_TEST

START_TEST(f_and_binomial_agree_with_their_closed_forms)
{
	near(stat_f_tail(4, 2, 10), pow(1 + 0.8, -5));
	near(stat_f_tail(0.5, 2, 7), pow(1 + 1.0 / 7, -3.5));
	near(stat_f_tail(0, 2, 7), 1);
	near(stat_binom_cdf(1, 10, 0.5), 11.0 / 1024);
	near(stat_binom_cdf(4, 5, 0.5), 31.0 / 32);
	near(stat_binom_cdf(-1, 5, 0.5), 0);
	near(stat_binom_cdf(5, 5, 0.5), 1);
	near(stat_beta(0.25, 1, 1), 0.25);
	near(stat_beta(0.25, 2, 1), 0.0625);
}
END_TEST

/* Fisher (1935), the lady tasting tea: 3 of 4 right. */
START_TEST(fisher_exact_test_judges_the_lady_tasting_tea)
{
	near(stat_fisher(3, 4, 1, 4), 34.0 / 70);
	near(stat_fisher(4, 4, 0, 4), 2.0 / 70);
	near(stat_fisher(3, 3, 3, 3), 1);
	near(stat_fisher(0, 0, 3, 3), 1);
}
END_TEST

/* StRD NumAcc1 to NumAcc3: certified mean and standard deviation. */
START_TEST(mean_and_deviation_reach_the_certified_values)
{
	const double one[] = { 10000001, 10000003, 10000002 };
	double x[1001];

	near(stat_mean(one, 3), 10000002);
	near(stat_sd(one, 3), 1);
	for (int i = 0; i < 1001; i++)
		x[i] = i == 0 ? 1.2 : i % 2 == 1 ? 1.1 : 1.3;
	near(stat_mean(x, 1001), 1.2);
	near(stat_sd(x, 1001), 0.1);
	for (int i = 0; i < 1001; i++)
		x[i] = i == 0 ? 1000000.2 : i % 2 == 1 ? 1000000.1 : 1000000.3;
	near(stat_mean(x, 1001), 1000000.2);
	near(stat_sd(x, 1001), 0.1);
}
END_TEST

START_TEST(the_reported_runs_of_2001_give_the_reported_summary)
{
	const double ac4[] = { 184.15, 193.90, 183.54 };
	const double linus[] = { 140.68, 138.78, 139.50 };
	double room[3];
	struct stat_desc d, e;

	stat_describe(&d, ac4, room, 3);
	ck_assert_double_eq_tol(d.mean, 187.197, 5e-4);
	near(d.median, 184.15);
	ck_assert_double_eq_tol(d.sd, 5.813, 5e-4);
	stat_describe(&e, linus, room, 3);
	ck_assert_double_eq_tol(e.mean, 139.653, 5e-4);
	ck_assert_double_eq_tol(e.sd, 0.959, 5e-4);
	ck_assert_double_eq_tol(100 * (e.mean / d.mean - 1), -25.4, 0.05);
	ck_assert(isnan(d.median_lo));
}
END_TEST

START_TEST(median_of_even_and_odd_samples)
{
	const double x[] = { 4, 1, 3, 2 };
	double room[4];
	struct stat_desc d;

	stat_describe(&d, x, room, 4);
	near(d.median, 2.5);
	near(d.mad, 1);
	stat_describe(&d, x, room, 3);
	near(d.median, 3);
	near(d.mad, 1);
	stat_describe(&d, x, room, 1);
	near(d.median, 4);
	ck_assert(isnan(d.sd));
	stat_describe(&d, x, room, 0);
	ck_assert(isnan(d.median));
}
END_TEST

/* Conover, Practical Nonparametric Statistics (1999), table A3. */
START_TEST(median_interval_takes_the_exact_order_statistics)
{
	size_t lo, hi;

	near(stat_median_ranks(10, 0.95, &lo, &hi), 1 - 2 * 11.0 / 1024);
	ck_assert_uint_eq(lo, 2);
	ck_assert_uint_eq(hi, 9);
	near(stat_median_ranks(6, 0.95, &lo, &hi), 1 - 2 / 64.0);
	ck_assert_uint_eq(lo, 1);
	ck_assert_uint_eq(hi, 6);
	near(stat_median_ranks(5, 0.95, &lo, &hi), 0);
	near(stat_median_ranks(0, 0.95, &lo, &hi), 0);
	/* 1.96 sqrt(n) / 2 for large n */
	ck_assert(stat_median_ranks(1000000, 0.95, &lo, &hi) >= 0.95);
	ck_assert_uint_eq(lo, 499020);
}
END_TEST

START_TEST(outliers_by_the_modified_z_score)
{
	/* Iglewicz and Hoaglin (1993): their example, 9.8 is no outlier */
	const double x[] = { 2.1, 2.6, 2.4, 2.5, 2.3, 2.1, 2.3, 2.6, 8.2, 8.3 };
	double room[10];
	struct stat_desc d;

	stat_describe(&d, x, room, 10);
	near(d.median, 2.45);
	near(d.mad, 0.15);
	ck_assert(stat_outlier(&d, 8.2));
	ck_assert(stat_outlier(&d, 8.3));
	ck_assert(!stat_outlier(&d, 2.1));
}
END_TEST

START_TEST(sorting_withstands_hostile_orders)
{
	enum { N = 5000 };
	double *x = malloc(N * sizeof *x);

	for (int kind = 0; kind < 5; kind++) {
		for (int i = 0; i < N; i++)
			x[i] = kind == 0 ? i : kind == 1 ? -i : kind == 2 ? 7 :
			    kind == 3 ? (i < N / 2 ? i : N - i) : i % 3;
		stat_sort(x, N);
		for (int i = 1; i < N; i++)
			ck_assert(x[i - 1] <= x[i]);
	}
	free(x);
}
END_TEST

/* H&W table 4.1, permeability of membranes. */
START_TEST(rank_sum_agrees_with_hollander_and_wolfe)
{
	double x[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73,
	    1.46 };
	double y[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	struct stat_shift s;

	stat_sort(x, 10);
	stat_sort(y, 5);
	ck_assert_int_eq(stat_rank_sum(&s, x, 10, y, 5), 0);
	ck_assert(s.exact);
	ck_assert_double_eq_tol(s.p / 2, 0.1272, 5e-5);
	near(s.p, 764.0 / 3003);
	near(s.shift, -0.305);
	near(s.lo95, -0.76);
	near(s.hi95, 0.15);
}
END_TEST

/* H&W table 3.1, depression before and after treatment. */
START_TEST(signed_rank_agrees_with_hollander_and_wolfe)
{
	const double x[] = { 1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06,
	    1.30 };
	const double y[] = { 0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14,
	    1.29 };
	double d[9];
	struct stat_shift s;

	for (int i = 0; i < 9; i++)
		d[i] = y[i] - x[i];
	stat_sort(d, 9);
	ck_assert_int_eq(stat_signed_rank(&s, d, 9), 0);
	near(s.p, 20.0 / 512);
	ck_assert_double_eq_tol(s.p / 2, 0.01953, 5e-6);
	near(s.shift, -0.46);
	near(s.lo95, -0.786);
	near(s.hi95, -0.010);
}
END_TEST

/* Tables of critical values: Mann and Whitney (1947), Wilcoxon (1945). */
START_TEST(rank_distributions_agree_with_the_tables)
{
	double count[101], sum = 0, all = 0;

	stat_rank_sum_counts(count, 10, 10);
	for (int u = 0; u <= 100; u++) {
		all += count[u];
		sum += u <= 23 ? count[u] : 0;
	}
	near(all, 184756);		/* 20 over 10 */
	ck_assert_double_eq_tol(sum / all, 0.0216, 5e-5);
	stat_rank_sum_counts(count, 3, 4);
	near(count[0], 1);
	near(count[6], 5);
	near(count[12], 1);
	stat_signed_rank_counts(count, 10);
	for (sum = 0, all = 0; all <= 8; all++)
		sum += count[(int)all];
	near(sum, 25);			/* of 1024: 0.0244 */
}
END_TEST

START_TEST(ties_take_the_permutation_distribution_of_midranks)
{
	/* all 10 ways to put 2 of 5 midranks 1, 2.5, 2.5, 4.5, 4.5 aside */
	const double x[] = { 1, 2, 2 }, y[] = { 3, 3 };
	const double same[] = { 5, 5, 5 };
	struct stat_shift s;

	stat_rank_sum(&s, x, 3, y, 2);
	near(s.p, 0.2);
	near(s.shift, 1);
	stat_rank_sum(&s, same, 3, same, 3);
	near(s.p, 1);
	near(s.shift, 0);
	stat_rank_sum(&s, same, 0, same, 3);
	near(s.p, 1);
	ck_assert(isnan(s.shift));
	stat_signed_rank(&s, (const double[]){ 0, 0, 0 }, 3);
	near(s.p, 1);
	near(s.shift, 0);
}
END_TEST

START_TEST(large_samples_agree_with_brute_force)
{
	enum { N = 60, M = 45 };
	double x[N], y[M], *all = malloc(N * M * sizeof *all);
	struct stat_shift s;
	int k = 0;

	for (int i = 0; i < N; i++)
		x[i] = i * 37 % 61 + 0.25 * i;
	for (int i = 0; i < M; i++)
		y[i] = i * 17 % 53 + 0.125 * i;
	stat_sort(x, N);
	stat_sort(y, M);
	stat_rank_sum(&s, x, N, y, M);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			all[k++] = y[j] - x[i];
	stat_sort(all, N * M);
	near(s.shift, stat_median(all, N * M));
	ck_assert(s.lo95 < s.lo90 && s.lo90 < s.shift);
	ck_assert(!s.exact);
	free(all);
}
END_TEST

/* Holm (1979): the step-down of four tests. */
START_TEST(holm_adjusts_step_by_step)
{
	double p[] = { 0.01, 0.04, NAN, 0.03, 0.005 };

	ck_assert_int_eq(stat_holm(p, 5), 0);
	near(p[0], 0.03);
	near(p[1], 0.06);
	ck_assert(isnan(p[2]));
	near(p[3], 0.06);
	near(p[4], 0.02);
}
END_TEST

/* Kendall and Gibbons (1990), appendix table 1: P(S >= s). */
START_TEST(trend_agrees_with_kendalls_table)
{
	const double up[] = { 1, 2, 3, 4 };
	const double ten[] = { 1, 2, 3, 4, 5, 10, 9, 8, 7, 6 };
	struct stat_trend t;
	double x[40];

	stat_trend(&t, up, 4);
	near(t.s, 6);
	near(t.p, 2.0 / 24);
	near(t.slope, 1);
	stat_trend(&t, ten, 10);
	near(t.s, 25);			/* table: P(S >= 25) = 0.014 */
	ck_assert_double_eq_tol(t.p / 2, 0.014, 5e-4);
	stat_trend(&t, up, 1);
	near(t.p, 1);
	for (int i = 0; i < 40; i++)
		x[i] = 3 - 0.5 * i;
	stat_trend(&t, x, 40);
	ck_assert(!t.exact && t.p < 1e-9);
	near(t.slope, -0.5);
}
END_TEST

/* StRD Norris: the certified line, and its residual deviation. */
START_TEST(adjustment_reaches_the_certified_regression)
{
	const double y[] = { 0.1, 338.8, 118.1, 888.0, 9.2, 228.1, 668.5,
	    998.5, 449.1, 778.9, 559.2, 0.3, 0.1, 778.1, 668.8, 339.3, 448.9,
	    10.8, 557.7, 228.3, 998.0, 888.8, 119.6, 0.3, 0.6, 557.6, 339.3,
	    888.0, 998.5, 778.9, 10.2, 117.6, 228.9, 668.4, 449.2, 0.2 };
	const double x[] = { 0.2, 337.4, 118.2, 884.6, 10.1, 226.5, 666.3,
	    996.3, 448.6, 777.0, 558.2, 0.4, 0.6, 775.5, 666.9, 338.0, 447.5,
	    11.6, 556.0, 228.1, 995.8, 887.6, 120.2, 0.3, 0.3, 556.8, 339.1,
	    887.2, 999.0, 779.0, 11.1, 118.3, 229.2, 669.1, 448.9, 0.5 };
	const double *columns[] = { x };
	struct stat_adjust a;

	ck_assert_int_eq(stat_adjust(&a, y, NULL, columns, 1, 36, 1), 0);
	near(a.effect, -0.262323073774029);
	near(a.slope[0], 1.00211681802045);
	near(a.sd, 0.884796396144373);
}
END_TEST

/* Fisher (1935), section 21: Darwin's maize, 863 of 32768 in each tail. */
START_TEST(sign_permutation_agrees_with_fisher)
{
	const double d[] = { 49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75,
	    60, -48 };
	struct stat_adjust a;

	ck_assert_int_eq(stat_adjust(&a, d, NULL, NULL, 0, 15, 1), 0);
	near(a.p, 2 * 863.0 / 32768);
	near(a.effect, 314.0 / 15);
}
END_TEST

START_TEST(adjustment_takes_out_what_the_covariate_explains)
{
	double y[40], side[40], x[40], flat[40];
	const double *columns[] = { x, x }, *none[] = { flat };
	struct stat_adjust a;

	for (int i = 0; i < 40; i++) {
		side[i] = i % 2;
		x[i] = i * 13 % 17;
		flat[i] = 3;
		y[i] = 10 + 2 * x[i] + 0.5 * side[i] + 0.1 * (i * 7 % 5 - 2);
	}
	ck_assert_int_eq(stat_adjust(&a, y, side, columns, 1, 40, 1), 0);
	ck_assert_double_eq_tol(a.effect, 0.5, 0.15);
	ck_assert_double_eq_tol(a.slope[0], 2, 0.02);
	ck_assert(a.p < 0.001);
	ck_assert(a.lo95 < a.lo90 && a.hi90 < a.hi95);
	ck_assert(a.runs < 0.01);
	ck_assert_int_eq(stat_adjust(&a, y, side, none, 1, 40, 1), 1);
	ck_assert_int_eq(stat_adjust(&a, y, side, columns, 2, 40, 1), 1);
}
END_TEST

/* contest tables posted on 2002-12-27 and 2002-12-28 */
START_TEST(knee_finds_the_bend_of_the_swappiness_table)
{
	const double x[] = { 0, 20, 40, 60, 80, 100 };
	const double dbench[] = { 191.6, 195.5, 197.9, 331.4, 439.4, 883.6 };
	const double cache[] = { 68.4, 68.8, 68.7, 68.6, 68.5, 68.7 };
	const double x7[] = { 0, 20, 40, 50, 60, 80, 100 };
	const double again[] = { 185.1, 199.9, 210.5, 199.7, 190.3, 196.1,
	    198.7 };
	struct stat_knee k;

	ck_assert_int_eq(stat_knee(&k, x, dbench, 6, 0.1), 0);
	ck_assert_int_eq(k.shape, STAT_BENDS);
	ck_assert(k.at > 40 && k.at < 60);
	ck_assert(k.lo < k.at && k.at < k.hi);
	ck_assert_int_eq(stat_knee(&k, x, cache, 6, 0.1), 0);
	ck_assert_int_eq(k.shape, STAT_FLAT);
	ck_assert_int_eq(stat_knee(&k, x7, again, 7, 0.1), 0);
	ck_assert_int_eq(k.shape, STAT_FLAT);
}
END_TEST

START_TEST(knee_recovers_a_known_bend_and_a_known_line)
{
	double x[40], y[40];
	struct stat_knee k;

	for (int i = 0; i < 40; i++) {
		x[i] = 10 * (i % 10);
		y[i] = exp(4 + (x[i] > 47 ? 0.02 * (x[i] - 47) : 0) +
		    0.001 * (i * 7 % 11 - 5));
	}
	ck_assert_int_eq(stat_knee(&k, x, y, 40, 0.1), 0);
	ck_assert_int_eq(k.shape, STAT_BENDS);
	ck_assert_double_eq_tol(k.at, 47, 0.5);
	ck_assert_double_eq_tol(k.after, expm1(0.02), 1e-3);
	for (int i = 0; i < 40; i++)
		y[i] = exp(4 - 0.02 * x[i] + 0.01 * (i * 7 % 11 - 5));
	ck_assert_int_eq(stat_knee(&k, x, y, 40, 0.1), 0);
	ck_assert_int_eq(k.shape, STAT_FALLING);
	ck_assert_int_eq(stat_knee(&k, x, y, 2, 0.1), 1);
	ck_assert_int_eq(stat_knee(&k, x, y, 0, 0.1), 1);
}
END_TEST

Suite *
stat_suite(void)
{
	Suite *s = suite_create("stat");
	TCase *t = tcase_create("values");

	tcase_add_test(t, normal_distribution_agrees_with_table_26_1);
	tcase_add_test(t, student_t_agrees_with_its_closed_forms);
	tcase_add_test(t, f_and_binomial_agree_with_their_closed_forms);
	tcase_add_test(t, fisher_exact_test_judges_the_lady_tasting_tea);
	tcase_add_test(t, mean_and_deviation_reach_the_certified_values);
	tcase_add_test(t, the_reported_runs_of_2001_give_the_reported_summary);
	tcase_add_test(t, median_of_even_and_odd_samples);
	tcase_add_test(t, median_interval_takes_the_exact_order_statistics);
	tcase_add_test(t, outliers_by_the_modified_z_score);
	tcase_add_test(t, sorting_withstands_hostile_orders);
	tcase_add_test(t, rank_sum_agrees_with_hollander_and_wolfe);
	tcase_add_test(t, signed_rank_agrees_with_hollander_and_wolfe);
	tcase_add_test(t, rank_distributions_agree_with_the_tables);
	tcase_add_test(t, ties_take_the_permutation_distribution_of_midranks);
	tcase_add_test(t, large_samples_agree_with_brute_force);
	tcase_add_test(t, holm_adjusts_step_by_step);
	tcase_add_test(t, trend_agrees_with_kendalls_table);
	tcase_add_test(t, adjustment_reaches_the_certified_regression);
	tcase_add_test(t, sign_permutation_agrees_with_fisher);
	tcase_add_test(t, adjustment_takes_out_what_the_covariate_explains);
	tcase_add_test(t, knee_finds_the_bend_of_the_swappiness_table);
	tcase_add_test(t, knee_recovers_a_known_bend_and_a_known_line);
	suite_add_tcase(s, t);
	return s;
}
