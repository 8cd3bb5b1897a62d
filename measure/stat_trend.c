/*
 * stat_trend: Mann-Kendall test and Theil-Sen slope.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat_desc.h"
#include "stat_kth.h"
#include "stat_trend.h"

#define EXACT 30
#define ALL_PAIRS 400

/* Sort x by merging, counting the pairs that stood in falling order. */
static double
count_falling(double *x, double *room, size_t n)
{
	size_t half = n / 2, i = 0, j = half, k = 0;
	double count;

	if (n < 2)
		return 0;
	count = count_falling(x, room, half) +
	    count_falling(x + half, room, n - half);
	while (i < half && j < n) {
		if (x[j] < x[i]) {
			count += (double)(half - i);
			room[k++] = x[j++];
		} else
			room[k++] = x[i++];
	}
	while (i < half)
		room[k++] = x[i++];
	memcpy(x, room, k * sizeof *x);
	return count;
}

/*
 * Two-sided p of `falling` inversions of n values without ties: each value
 * adds 0 .. i - 1 inversions with equal probability (Kendall and Gibbons, Rank
 * Correlation Methods, 1990, section 5.2).
 */
static int
exact_p(struct stat_trend *t, size_t n, size_t falling)
{
	size_t all = n * (n - 1) / 2;
	size_t top = falling < all - falling ? falling : all - falling;
	double *memory = calloc(2 * (top + 1), sizeof *memory), *now, *next;
	double *swap, window, below = 0;

	if (memory == NULL)
		return -1;
	now = memory;
	next = memory + top + 1;
	now[0] = 1;
	for (size_t i = 2; i <= n; i++) {
		window = 0;
		for (size_t k = 0; k <= top; k++) {
			window += now[k] - (k >= i ? now[k - i] : 0);
			next[k] = window / (double)i;
		}
		swap = now;
		now = next;
		next = swap;
	}
	for (size_t k = 0; k <= top; k++)
		below += now[k];
	t->p = 2 * below < 1 ? 2 * below : 1;
	t->exact = 1;
	free(memory);
	return 0;
}

/* Sums over the groups of equal values: pairs, and what the variance loses. */
static void
sum_ties(const double *sorted, size_t n, double *pairs, double *lost)
{
	size_t j;
	double g;

	*pairs = *lost = 0;
	for (size_t i = 0; i < n; i = j) {
		for (j = i; j < n && sorted[j] == sorted[i]; j++)
			;
		g = (double)(j - i);
		*pairs += g * (g - 1) / 2;
		*lost += g * (g - 1) * (2 * g + 5);
	}
}

static double
slope(const double *x, size_t n, double *room)
{
	size_t k = 0, half = n - n / 2;

	if (n > ALL_PAIRS) {
		for (size_t i = 0; i + half < n; i++)
			room[k++] = (x[i + half] - x[i]) / (double)half;
	} else {
		for (size_t i = 0; i < n; i++)
			for (size_t j = i + 1; j < n; j++)
				room[k++] = (x[j] - x[i]) / (double)(j - i);
	}
	stat_sort(room, k);
	return stat_median(room, k);
}

int
stat_trend(struct stat_trend *t, const double *x, size_t n)
{
	double *room, falling, ties, lost, dn = (double)n, all, sd;
	size_t pairs = n > ALL_PAIRS ? n : n * (n > 0 ? n - 1 : 0) / 2;
	int failed = 0;

	*t = (struct stat_trend){ 0, 1, 0, NAN };
	if (n < 2)
		return 0;
	room = malloc((pairs + 2 * n) * sizeof *room);
	if (room == NULL)
		return -1;
	t->slope = slope(x, n, room);
	memcpy(room, x, n * sizeof *x);
	falling = count_falling(room, room + n, n);
	sum_ties(room, n, &ties, &lost);
	all = dn * (dn - 1) / 2;
	t->s = all - ties - 2 * falling;
	sd = sqrt((dn * (dn - 1) * (2 * dn + 5) - lost) / 18);
	/* S moves in steps of 2, hence a correction of 1 = 2 * 0.5. */
	t->p = stat_tails_normal(t->s / 2, 0, sd / 2);
	if (n <= EXACT && ties == 0)
		failed = exact_p(t, n, (size_t)falling);
	free(room);
	return failed;
}
