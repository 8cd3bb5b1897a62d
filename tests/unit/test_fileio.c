/* fileio: its histogram, its orders and its digest. */
#include <string.h>

#include "fileio/digest.h"
#include "fileio/histogram.h"
#include "fileio/permute.h"
#include "unit.h"

/* RFC 3720, appendix B.4, and the check value of the catalogues of CRCs. */
START_TEST(digest_gives_published_values)
{
	unsigned char b[32];

	ck_assert_uint_eq(digest_crc32c(0, "123456789", 9), 0xe3069283u);
	ck_assert_uint_eq(digest_crc32c(0, "", 0), 0);
	memset(b, 0, sizeof b);
	ck_assert_uint_eq(digest_crc32c(0, b, 32), 0x8a9136aau);
	memset(b, 255, sizeof b);
	ck_assert_uint_eq(digest_crc32c(0, b, 32), 0x62a8ab43u);
	for (int i = 0; i < 32; i++)
		b[i] = (unsigned char)i;
	ck_assert_uint_eq(digest_crc32c(0, b, 32), 0x46dd794eu);
	for (size_t cut = 0; cut <= 32; cut++)
		ck_assert_uint_eq(digest_crc32c(digest_crc32c(0, b, cut),
		    b + cut, 32 - cut), 0x46dd794eu);
}
END_TEST

START_TEST(order_has_each_number_once)
{
	static const uint64_t sizes[] = { 1, 2, 3, 4, 5, 64, 1000, 4097 };
	static unsigned char seen[4097];
	struct permute p;

	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		memset(seen, 0, sizeof seen);
		permute_init(&p, sizes[s], s);
		for (uint64_t i = 0; i < sizes[s]; i++) {
			uint64_t k = permute_at(&p, i);

			ck_assert_uint_lt(k, sizes[s]);
			ck_assert_int_eq(seen[k]++, 0);
		}
	}
}
END_TEST

START_TEST(order_depends_on_the_seed)
{
	struct permute a, b;
	int same = 0;

	permute_init(&a, 1000, 1);
	permute_init(&b, 1000, 2);
	for (uint64_t i = 0; i < 1000; i++)
		same += permute_at(&a, i) == permute_at(&b, i);
	ck_assert_int_lt(same, 20);
}
END_TEST

START_TEST(quantiles_are_near_from_above)
{
	static struct histogram h, twice;
	uint64_t q;

	ck_assert_uint_eq(histogram_quantile(&h, 500), 0);
	for (uint64_t i = 1; i <= 100000; i++)
		histogram_add(&h, i * 10);
	for (unsigned m = 1; m <= 1000; m += 37) {
		q = histogram_quantile(&h, m);
		ck_assert_uint_ge(q, m * 1000);
		ck_assert_uint_le(q, m * 1000 + m * 1000 / 31);
	}
	ck_assert_uint_eq(histogram_quantile(&h, 1000), 1000000);
	histogram_merge(&twice, &h);
	histogram_merge(&twice, &h);
	ck_assert_uint_eq(twice.count, 200000);
	ck_assert_uint_eq(histogram_quantile(&twice, 900),
	    histogram_quantile(&h, 900));
}
END_TEST

START_TEST(histogram_takes_every_duration)
{
	static const uint64_t ns[] = { 0, 1, 31, 32, 33, 63, 64, UINT32_MAX,
	    UINT64_MAX };
	static struct histogram h;

	for (size_t i = 0; i < sizeof ns / sizeof *ns; i++) {
		memset(&h, 0, sizeof h);
		histogram_add(&h, ns[i]);
		ck_assert_uint_eq(histogram_quantile(&h, 1), ns[i]);
		ck_assert_uint_eq(histogram_quantile(&h, 1000), ns[i]);
	}
}
END_TEST

Suite *
fileio_suite(void)
{
	Suite *s = suite_create("fileio");
	TCase *t = tcase_create("fileio");

	tcase_add_test(t, digest_gives_published_values);
	tcase_add_test(t, order_has_each_number_once);
	tcase_add_test(t, order_depends_on_the_seed);
	tcase_add_test(t, quantiles_are_near_from_above);
	tcase_add_test(t, histogram_takes_every_duration);
	suite_add_tcase(s, t);
	return s;
}
