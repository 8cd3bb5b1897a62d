/*
 * stat_desc: describe one sample.
 */
#include <math.h>
#include <string.h>

#include "stat_desc.h"
#include "stat_dist.h"

#define LEVEL 0.95
#define OUTLIER_MIN 5	/* below this every spread is guesswork */

static void
sift(double *x, size_t root, size_t n)
{
	size_t child;
	double v = x[root];

	while ((child = 2 * root + 1) < n) {
		if (child + 1 < n && x[child] < x[child + 1])
			child++;
		if (!(v < x[child]))
			break;
		x[root] = x[child];
		root = child;
	}
	x[root] = v;
}

static void
heap_sort(double *x, size_t n)
{
	double v;

	for (size_t i = n / 2; i-- > 0;)
		sift(x, i, n);
	for (size_t i = n; i-- > 1;) {
		v = x[0];
		x[0] = x[i];
		x[i] = v;
		sift(x, 0, i);
	}
}

static void
insertion_sort(double *x, size_t n)
{
	double v;
	size_t j;

	for (size_t i = 1; i < n; i++) {
		v = x[i];
		for (j = i; j > 0 && v < x[j - 1]; j--)
			x[j] = x[j - 1];
		x[j] = v;
	}
}

static double
median_of_three(double a, double b, double c)
{
	if (a < b)
		return b < c ? b : (a < c ? c : a);
	return a < c ? a : (b < c ? c : b);
}

/* Quicksort that becomes heapsort when an input defeats its pivots. */
static void
intro_sort(double *x, size_t n, int depth)
{
	size_t i, j;
	double pivot, v;

	while (n > 24) {
		if (depth-- == 0) {
			heap_sort(x, n);
			return;
		}
		pivot = median_of_three(x[0], x[n / 2], x[n - 1]);
		for (i = 0, j = n - 1;; i++, j--) {
			while (x[i] < pivot)
				i++;
			while (pivot < x[j])
				j--;
			if (i >= j)
				break;
			v = x[i];
			x[i] = x[j];
			x[j] = v;
		}
		intro_sort(x + j + 1, n - j - 1, depth);
		n = j + 1;
	}
	insertion_sort(x, n);
}

void
stat_sort(double *x, size_t n)
{
	int depth = 8;

	for (size_t m = n; m > 1; m /= 2)
		depth += 2;
	intro_sort(x, n, depth);
}

double
stat_median(const double *sorted, size_t n)
{
	if (n == 0)
		return NAN;
	if (n % 2 == 1)
		return sorted[n / 2];
	return sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

/*
 * The second pass takes back the rounding of the first: Chan, Golub and
 * LeVeque, The American Statistician 37 (1983).
 */
double
stat_mean(const double *x, size_t n)
{
	double sum = 0, rest = 0, mean;

	if (n == 0)
		return NAN;
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		rest += x[i] - mean;
	return mean + rest / (double)n;
}

static double
sd_about(const double *x, size_t n, double mean)
{
	double squares = 0, rest = 0, d;

	if (n < 2)
		return NAN;
	for (size_t i = 0; i < n; i++) {
		d = x[i] - mean;
		squares += d * d;
		rest += d;
	}
	squares -= rest * rest / (double)n;
	return sqrt(fmax(squares, 0) / (double)(n - 1));
}

double
stat_sd(const double *x, size_t n)
{
	return sd_about(x, n, stat_mean(x, n));
}

static double
tail(size_t below, size_t n)
{
	return stat_binom_cdf((double)below, (double)n, 0.5);
}

double
stat_median_ranks(size_t n, double level, size_t *lo, size_t *hi)
{
	double room = (1 - level) / 2;
	size_t a = 0, b = n / 2, mid;

	/* The greatest lo with P(fewer than lo values below) <= room. */
	while (a < b) {
		mid = a + (b - a + 1) / 2;
		if (tail(mid - 1, n) <= room)
			a = mid;
		else
			b = mid - 1;
	}
	if (a == 0)
		return 0;
	*lo = a;
	*hi = n + 1 - a;
	return 1 - 2 * tail(a - 1, n);
}

/*
 * The deviations from the median, in ascending order, are a merge of what lies
 * to its left, read backwards, and what lies to its right.
 */
static void
deviations(struct stat_desc *d, const double *sorted)
{
	size_t n = d->n, right = n / 2, left = right, k;
	double sum = 0, dev[2] = { 0, 0 };

	for (k = 0; k <= n / 2; k++) {
		dev[0] = dev[1];
		if (left > 0 && (right == n || d->median - sorted[left - 1] <=
		    sorted[right] - d->median))
			dev[1] = d->median - sorted[--left];
		else
			dev[1] = sorted[right++] - d->median;
	}
	for (size_t i = 0; i < n; i++)
		sum += fabs(sorted[i] - d->median);
	d->mad = n % 2 == 1 ? dev[1] : dev[0] + (dev[1] - dev[0]) / 2;
	d->mean_ad = sum / (double)n;
}

void
stat_describe(struct stat_desc *d, const double *x, double *room, size_t n)
{
	size_t lo, hi;
	double half;

	*d = (struct stat_desc){ n, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
	    NAN, NAN, 0, NAN, NAN };
	if (n == 0)
		return;
	memcpy(room, x, n * sizeof *x);
	stat_sort(room, n);
	d->min = room[0];
	d->max = room[n - 1];
	d->median = stat_median(room, n);
	d->mean = stat_mean(x, n);
	d->sd = sd_about(x, n, d->mean);
	if (d->mean != 0)
		d->cv = d->sd / fabs(d->mean);
	d->median_level = stat_median_ranks(n, LEVEL, &lo, &hi);
	if (d->median_level > 0) {
		d->median_lo = room[lo - 1];
		d->median_hi = room[hi - 1];
	}
	if (n > 1) {
		half = d->sd / sqrt((double)n) *
		    stat_t_quantile(0.5 + LEVEL / 2, (double)n - 1);
		d->mean_lo = d->mean - half;
		d->mean_hi = d->mean + half;
	}
	deviations(d, room);
}

/* The two scale factors make both deviations estimate the normal sd. */
int
stat_outlier(const struct stat_desc *d, double x)
{
	double scale;

	if (d->n < OUTLIER_MIN)
		return 0;
	scale = d->mad > 0 ? d->mad / 0.6745 : d->mean_ad * 1.253314;
	return scale > 0 && fabs(x - d->median) > 3.5 * scale;
}
