/* content: blocks compress as asked, are checked, and faults are named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "content.h"
#include "unit.h"

#define BLOCKS 64
#define SEED 140175100
#define LENGTH(a) ((int)(sizeof(a) / sizeof((a)[0])))

static _Alignas(16) uint64_t data[BLOCKS * CONTENT_BLOCK_WORDS];
static struct content content;
static struct content_fault fault;

static uint64_t *
block(size_t i)
{
	return data + i * CONTENT_BLOCK_WORDS;
}

static void
set_up(void)
{
	content_init(&content, SEED, 2000);
	content_fill(data, BLOCKS, &content, 100, content_version(3, 7));
}

static int
check(void)
{
	memset(&fault, 0, sizeof fault);
	return content_check(data, BLOCKS, &content, 100,
	    content_version(3, 7), &fault);
}

/* Words that are not zero: what a compressor has to keep. */
static size_t
dense_words(const uint64_t *b)
{
	size_t n = 0;

	for (size_t i = 0; i < CONTENT_BLOCK_WORDS; i++)
		n += b[i] != 0;
	return n;
}

static const struct {
	const char *text;
	enum content_kind kind;
	unsigned ratio_milli, twins_milli;
} good[] = {
	{ "1", CONTENT_RATIO, 1000, 0 },
	{ "1.000", CONTENT_RATIO, 1000, 0 },
	{ "2.5", CONTENT_RATIO, 2500, 0 },
	{ "64", CONTENT_RATIO, 64000, 0 },
	{ "3,twins=12.5%", CONTENT_RATIO, 3000, 12500 },
	{ "3,twins=100", CONTENT_RATIO, 3000, 100000 },
	{ "zero", CONTENT_ZERO, 1000, 0 },
	{ "same", CONTENT_SAME, 1000, 0 }
};

START_TEST(texts_are_understood)
{
	struct content c;

	ck_assert_ptr_null(content_parse(good[_i].text, 5, &c));
	ck_assert_int_eq(c.kind, good[_i].kind);
	ck_assert_uint_eq(c.seed, 5);
	ck_assert_uint_eq(c.ratio_milli, good[_i].ratio_milli);
	ck_assert_uint_eq(c.twins_milli, good[_i].twins_milli);
}
END_TEST

static const char *const bad[] = {
	"", "0", "0.999", "64.001", "-1", "2%", "x", "2x", " 2", "zeros",
	"sam", "2,", "2,twin=3", "2,twins=", "2,twins=101%", "2,twins=-1",
	"zero,twins=5", ",twins=5", "1e1", "inf",
	"1.0000000000000000000000000000000000000000000000"
};

START_TEST(other_texts_are_refused)
{
	struct content c;

	ck_assert_ptr_nonnull(content_parse(bad[_i], 5, &c));
}
END_TEST

/* Frozen: another order of pages or bytes is another workload. */
START_TEST(bytes_are_the_same_everywhere)
{
	uint64_t sum = 0;

	ck_assert_uint_eq(block(0)[CONTENT_SEED], SEED ^ CONTENT_MAGIC);
	ck_assert_uint_eq(block(0)[CONTENT_NUMBER], 100);
	ck_assert_uint_eq(block(0)[CONTENT_VERSION], 7 * (UINT64_C(1) << 32) +
	    3);
	ck_assert_uint_eq(block(0)[CONTENT_USER], 0);
	for (size_t i = 0; i < BLOCKS * CONTENT_BLOCK_WORDS; i++)
		sum = sum * 31 + data[i];
	ck_assert_uint_eq(sum, UINT64_C(13032429318927954796));
}
END_TEST

static const unsigned ratios[] = {
	1000, 1001, 1100, 1333, 2000, 2500, 3000, 4000, 7999, 8000, 10000,
	31000, 64000
};

START_TEST(every_block_has_the_share_of_random_words)
{
	unsigned ratio = ratios[_i];
	double want;

	content_init(&content, SEED, ratio);
	content_fill(data, BLOCKS, &content, 0, 1);
	want = ratio == 1000 ? CONTENT_BLOCK_WORDS : CONTENT_BLOCK_WORDS *
	    1000.0 / ratio - content.parts;
	for (size_t i = 0; i < BLOCKS; i++) {
		/* block 0 and the user's word are zeros in the header */
		ck_assert_double_ge((double)dense_words(block(i)), want - 4);
		ck_assert_double_le((double)dense_words(block(i)), want + 1);
	}
}
END_TEST

START_TEST(random_bytes_are_of_all_values_alike)
{
	const unsigned char *bytes = (const unsigned char *)data;
	size_t count[256] = { 0 };

	content_init(&content, SEED, 1000);
	content_fill(data, BLOCKS, &content, 0, 1);
	for (size_t i = 0; i < sizeof data; i++)
		count[bytes[i]]++;
	/* 1024 expected, standard deviation 32; the headers have zeros */
	for (int v = 1; v < 256; v++) {
		ck_assert_uint_gt(count[v], 1024 - 220);
		ck_assert_uint_lt(count[v], 1024 + 220);
	}
}
END_TEST

static int
compare_words(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

START_TEST(no_word_of_random_blocks_comes_twice)
{
	content_init(&content, SEED, 1000);
	content_fill(data, BLOCKS, &content, 0, 1);
	for (size_t i = 0; i < BLOCKS; i++)
		memset(block(i), 0, CONTENT_HEADER_WORDS * sizeof *data);
	qsort(data, BLOCKS * CONTENT_BLOCK_WORDS, sizeof *data, compare_words);
	for (size_t i = 1; i < BLOCKS * CONTENT_BLOCK_WORDS; i++)
		ck_assert(data[i] == 0 || data[i] != data[i - 1]);
}
END_TEST

START_TEST(seed_number_and_generation_change_the_body)
{
	uint64_t other[CONTENT_BLOCK_WORDS], seed = SEED + (_i == 0);
	size_t same = 0;

	content_init(&content, seed, 1000);
	content_fill(other, 1, &content, 100 + (_i == 1), content_version(
	    3 + (_i == 2), 7));
	content_init(&content, SEED, 1000);
	content_fill(data, 1, &content, 100, content_version(3, 7));
	for (size_t i = CONTENT_HEADER_WORDS; i < CONTENT_BLOCK_WORDS; i++)
		same += other[i] == data[i];
	ck_assert_uint_eq(same, 0);
}
END_TEST

START_TEST(stamp_changes_one_word)
{
	uint64_t other[CONTENT_BLOCK_WORDS];

	content_fill(other, 1, &content, 100, content_version(3, 8));
	ck_assert_int_ne(memcmp(other, data, sizeof other), 0);
	content_stamp(data, content_version(3, 8));
	ck_assert_int_eq(memcmp(other, data, sizeof other), 0);
}
END_TEST

static const char *const kinds[] = {
	"1", "2", "3.7", "10", "64", "2,twins=30%", "same", "zero"
};

START_TEST(what_was_filled_passes)
{
	ck_assert_ptr_null(content_parse(kinds[_i], SEED, &content));
	content_fill(data, BLOCKS, &content, 100, content_version(3, 7));
	ck_assert_int_eq(check(), 0);
}
END_TEST

START_TEST(any_flipped_bit_is_found_with_place_and_values)
{
	ck_assert_ptr_null(content_parse(kinds[_i], SEED, &content));
	content_fill(data, BLOCKS, &content, 100, content_version(3, 7));
	for (size_t i = 0; i < CONTENT_BLOCK_WORDS; i++) {
		size_t word = (i % BLOCKS) * CONTENT_BLOCK_WORDS + i;
		uint64_t was = data[word], is = was ^ UINT64_C(1) << i % 64;

		data[word] = is;
		ck_assert_int_eq(check(), -1);
		ck_assert_uint_eq(fault.offset, word * sizeof *data);
		ck_assert_uint_eq(fault.want, was);
		ck_assert_uint_eq(fault.got, is);
		ck_assert_int_eq(fault.kind, CONTENT_FLIPPED);
		ck_assert_uint_eq(fault.bits, 1);
		data[word] = was;
	}
	ck_assert_int_eq(check(), 0);
}
END_TEST

START_TEST(block_of_an_older_version_is_stale)
{
	static const struct {
		uint32_t generation, stamp;
	} old[] = { { 2, 7 }, { 2, 0 }, { 3, 6 }, { 0, 0 } };

	content_fill(block(5), 1, &content, 105,
	    content_version(old[_i].generation, old[_i].stamp));
	ck_assert_int_eq(check(), -1);
	ck_assert_int_eq(fault.kind, CONTENT_STALE);
	ck_assert_uint_eq(fault.offset, 5 * CONTENT_BLOCK_BYTES + 16);
	ck_assert_uint_eq(fault.version,
	    content_version(old[_i].generation, old[_i].stamp));
}
END_TEST

START_TEST(block_of_another_place_is_misplaced)
{
	memcpy(block(9), block(4), CONTENT_BLOCK_BYTES);
	ck_assert_int_eq(check(), -1);
	ck_assert_int_eq(fault.kind, CONTENT_MISPLACED);
	ck_assert_uint_eq(fault.offset, 9 * CONTENT_BLOCK_BYTES + 8);
	ck_assert_uint_eq(fault.number, 104);
	ck_assert_uint_eq(fault.seed, SEED);
}
END_TEST

START_TEST(block_of_another_process_is_misplaced)
{
	struct content other;

	content_init(&other, SEED + 1, 2000);
	content_fill(block(9), 1, &other, 109, content_version(3, 7));
	ck_assert_int_eq(check(), -1);
	ck_assert_int_eq(fault.kind, CONTENT_MISPLACED);
	ck_assert_uint_eq(fault.number, 109);
	ck_assert_uint_eq(fault.seed, SEED + 1);
}
END_TEST

/* New bytes up to somewhere, old ones behind; and the other way round. */
START_TEST(half_written_block_is_torn)
{
	static const size_t at[] = { 64, 512, 1024, 3584, 4088 };
	uint64_t old[CONTENT_BLOCK_WORDS], new[CONTENT_BLOCK_WORDS];
	size_t bytes = at[_i / 2];
	int reverse = _i % 2;

	content_init(&content, SEED, 1000);
	content_fill(data, BLOCKS, &content, 100, content_version(3, 7));
	memcpy(new, block(2), sizeof new);
	content_fill(old, 1, &content, 102, reverse ? content_version(1, 5) :
	    content_version(2, 7));
	memcpy(block(2), reverse ? old : new, sizeof old);
	memcpy((char *)block(2) + bytes, (reverse ? (char *)new :
	    (char *)old) + bytes, sizeof old - bytes);
	ck_assert_int_eq(check(), -1);
	/* few bits differ where only the last word does */
	ck_assert_int_eq(fault.kind, CONTENT_TORN);
	ck_assert_uint_eq(fault.version, reverse ? content_version(1, 5) :
	    content_version(2, 7));
}
END_TEST

START_TEST(zeros_and_rubbish_are_told_apart)
{
	memset(block(3), 0, CONTENT_BLOCK_BYTES);
	ck_assert_int_eq(check(), -1);
	ck_assert_int_eq(fault.kind, CONTENT_ZEROED);
	ck_assert_uint_eq(fault.offset, 3 * CONTENT_BLOCK_BYTES);
	memset(block(3), 0x5a, CONTENT_BLOCK_BYTES);
	ck_assert_int_eq(check(), -1);
	ck_assert_int_eq(fault.kind, CONTENT_DAMAGED);
	ck_assert_uint_gt(fault.bits, 8);
}
END_TEST

START_TEST(user_word_is_checked_unless_it_is_his)
{
	block(1)[CONTENT_USER] = 77;
	ck_assert_int_eq(check(), -1);
	ck_assert_int_eq(content_check_header(block(1), &content, 101,
	    content_version(3, 7)), -1);
	content.linked = 1;
	ck_assert_int_eq(check(), 0);
	ck_assert_int_eq(content_check_header(block(1), &content, 101,
	    content_version(3, 7)), 0);
	block(1)[CONTENT_HEADER_WORDS] ^= 1;
	ck_assert_int_eq(check(), -1);
}
END_TEST

START_TEST(header_alone_is_checked)
{
	const uint64_t version = content_version(3, 7);

	ck_assert_int_eq(content_check_header(data, &content, 100, version),
	    0);
	ck_assert_int_eq(content_check_header(data, &content, 101, version),
	    -1);
	ck_assert_int_eq(content_check_header(data, &content, 100,
	    content_version(3, 8)), -1);
	data[0] ^= 1;
	ck_assert_int_eq(content_check_header(data, &content, 100, version),
	    -1);
}
END_TEST

/* Of 4000 blocks a quarter, of which there are 16 different ones. */
START_TEST(twins_are_as_many_as_asked_and_alike)
{
	uint64_t first[16][CONTENT_BLOCK_WORDS], b[CONTENT_BLOCK_WORDS];
	size_t twins = 0;
	int seen[16] = { 0 };

	ck_assert_ptr_null(content_parse("2,twins=25%", SEED, &content));
	for (uint64_t i = 0; i < 4000; i++) {
		size_t which;

		content_fill(b, 1, &content, i, 1);
		if (b[CONTENT_NUMBER] == i)
			continue;
		twins++;
		which = b[CONTENT_NUMBER] % 16;
		if (seen[which]++ == 0)
			memcpy(first[which], b, sizeof b);
		else
			ck_assert_int_eq(memcmp(first[which], b, sizeof b), 0);
	}
	ck_assert_uint_gt(twins, 900);
	ck_assert_uint_lt(twins, 1100);
	for (int i = 0; i < 16; i++)
		ck_assert_int_gt(seen[i], 0);
}
END_TEST

START_TEST(same_is_one_word_a_block_another_in_each)
{
	ck_assert_ptr_null(content_parse("same", SEED, &content));
	content_fill(data, BLOCKS, &content, 0, 1);
	for (size_t i = 0; i < BLOCKS; i++) {
		ck_assert_uint_eq(block(i)[0] >> 32, (uint32_t)block(i)[0]);
		for (size_t k = 1; k < CONTENT_BLOCK_WORDS; k++)
			ck_assert_uint_eq(block(i)[k], block(i)[0]);
		if (i > 0)
			ck_assert_uint_ne(block(i)[0], block(i - 1)[0]);
	}
}
END_TEST

START_TEST(faults_are_described)
{
	char text[300];

	block(2)[9] ^= 4;
	check();
	content_describe(text, sizeof text, &fault, 1000000);
	ck_assert_ptr_nonnull(strstr(text, "offset 1008264: 0x"));
	ck_assert_ptr_nonnull(strstr(text, "(flipped, 1 bit of the block)"));
	content_fill(block(2), 1, &content, 102, content_version(2, 6));
	check();
	content_describe(text, sizeof text, &fault, 0);
	ck_assert_ptr_nonnull(strstr(text, "0x0000000600000002 instead of "
	    "0x0000000700000003 (stale, block of generation 2 stamp 6)"));
	memcpy(block(2), block(1), CONTENT_BLOCK_BYTES);
	check();
	content_describe(text, sizeof text, &fault, 0);
	ck_assert_ptr_nonnull(strstr(text, "(misplaced, block 101 of seed "
	    "140175100)"));
}
END_TEST

Suite *
content_suite(void)
{
	Suite *s = suite_create("content");
	TCase *t = tcase_create("content");

	tcase_add_checked_fixture(t, set_up, NULL);
	tcase_add_loop_test(t, texts_are_understood, 0, LENGTH(good));
	tcase_add_loop_test(t, other_texts_are_refused, 0, LENGTH(bad));
	tcase_add_test(t, bytes_are_the_same_everywhere);
	tcase_add_loop_test(t, every_block_has_the_share_of_random_words, 0,
	    LENGTH(ratios));
	tcase_add_test(t, random_bytes_are_of_all_values_alike);
	tcase_add_test(t, no_word_of_random_blocks_comes_twice);
	tcase_add_loop_test(t, seed_number_and_generation_change_the_body, 0,
	    3);
	tcase_add_test(t, stamp_changes_one_word);
	tcase_add_loop_test(t, what_was_filled_passes, 0, LENGTH(kinds));
	tcase_add_loop_test(t, any_flipped_bit_is_found_with_place_and_values,
	    0, LENGTH(kinds));
	tcase_add_loop_test(t, block_of_an_older_version_is_stale, 0, 4);
	tcase_add_test(t, block_of_another_place_is_misplaced);
	tcase_add_test(t, block_of_another_process_is_misplaced);
	tcase_add_loop_test(t, half_written_block_is_torn, 0, 10);
	tcase_add_test(t, zeros_and_rubbish_are_told_apart);
	tcase_add_test(t, user_word_is_checked_unless_it_is_his);
	tcase_add_test(t, header_alone_is_checked);
	tcase_add_test(t, twins_are_as_many_as_asked_and_alike);
	tcase_add_test(t, same_is_one_word_a_block_another_in_each);
	tcase_add_test(t, faults_are_described);
	suite_add_tcase(s, t);
	return s;
}
