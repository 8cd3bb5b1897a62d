/* memhog: shares, conflicts of options, policies, smaps, faults of pages. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exits.h"
#include "fixture.h"
#include "memhog/hog.h"
#include "memhog/plan.h"
#include "memhog/policy.h"
#include "memhog/residency.h"
#include "memhog/settle.h"
#include "unit.h"

static struct plan plan;
static struct given given;
static char fault[512];

static void
set_up(void)
{
	memset(&plan, 0, sizeof plan);
	memset(&given, 0, sizeof given);
	plan.procs = 1;
	plan.write_milli = PLAN_ALL;
	plan.content_text = "2";
	content_init(&plan.content, 1, 2000);
	given.size = "64m";
	fault[0] = '\0';
}

static int
settled(void)
{
	return settle(&plan, &given, fault, sizeof fault);
}

START_TEST(shares_add_up_and_follow_each_other)
{
	uint64_t procs = (uint64_t)_i + 1, sum = 0;

	plan.bytes = memory_page_bytes() * 1000;
	plan.procs = procs;
	for (uint64_t i = 0; i < procs; i++) {
		ck_assert_uint_eq(plan_share_offset(&plan, i), sum);
		sum += plan_share_bytes(&plan, i);
		ck_assert_uint_ge(plan_share_bytes(&plan, i),
		    plan_share_bytes(&plan, procs - 1));
	}
	ck_assert_uint_eq(sum, plan.bytes);
}
END_TEST

static const struct {
	const char *size;
	uint64_t bytes;
} sizes[] = {
	{ "1g", 1073741824 }, { "1G", 1073741824 }, { "1GiB", 1073741824 },
	{ "1024M", 1073741824 }, { "1073741824", 1073741824 },
	{ "1.5k", 4096 }, { "1", 4096 }, { "64m", 67108864 }
};

START_TEST(sizes_are_bytes_and_whole_pages)
{
	uint64_t page = memory_page_bytes();

	given.size = sizes[_i].size;
	ck_assert_int_eq(settled(), EXIT_GOOD);
	ck_assert_uint_eq(plan.bytes, (sizes[_i].bytes + page - 1) / page *
	    page);
}
END_TEST

START_TEST(percentages_are_of_the_memory_there_is)
{
	uint64_t whole;

	ck_assert_int_eq(memory_effective_bytes(&whole), 0);
	given.size = "50%";
	ck_assert_int_eq(settled(), EXIT_GOOD);
	ck_assert_uint_ge(plan.bytes, whole / 2);
	ck_assert_uint_lt(plan.bytes, whole / 2 + memory_page_bytes());
	given.size = "110%";
	ck_assert_int_eq(settled(), EXIT_USAGE);
	given.pattern = "contest";
	if (sizeof(void *) > 4)
		ck_assert_int_eq(settled(), EXIT_GOOD);
}
END_TEST

/* All of it wrong use. */
static const struct wrong {
	struct given given;
	struct plan plan;
	const char *named;
} wrongs[] = {
	{ { .size = "0" }, { .procs = 1 }, "size 0" },
	{ { .size = "-1" }, { .procs = 1 }, "size -1" },
	{ { .size = "1Q" }, { .procs = 1 }, "1Q" },
	{ { .size = "" }, { .procs = 1 }, "size" },
	{ { .size = "101%" }, { .procs = 1 }, "more than 100%" },
	{ { .size = "8192P" }, { .procs = 1 }, "8192P" },
	{ { .size = "512T" }, { .procs = 1 }, "can address" },
	{ { .size = "4k" }, { .procs = 100000 }, "too small" },
	{ { .size = "1m", .pattern = "contest" }, { .procs = 1 },
	    "too small" },
	{ { .size = "1m", .pattern = "x" }, { .procs = 1 }, "-a x" },
	{ { .size = "1m", .leave = "x" }, { .procs = 1 }, "-D x" },
	{ { .size = "1m", .grow_rate = "0" }, { .procs = 1 }, "-G 0" },
	{ { .size = "1m", .grow_step = "1m" }, { .procs = 1 }, "-j" },
	{ { .size = "1m", .kind = "anon" }, { .procs = 1, .kind = PLAN_FILE },
	    "-f and -y" },
	{ { .size = "1m" }, { .procs = 1, .kind = PLAN_HUGE,
	    .thp = MEMORY_THP_ON }, "-y huge" },
	{ { .size = "1m", .leave = "1m" }, { .procs = 1, .populate = 1 },
	    "-E" },
	{ { .size = "1m" }, { .procs = 1, .lock = 1, .advice = 20 }, "-l" },
	{ { .size = "8m", .pattern = "contest", .core = "1m" },
	    { .procs = 1 }, "contest" },
	{ { .size = "8m", .pattern = "contest" },
	    { .procs = 1, .sawtooth = 1 }, "contest" },
	{ { .size = "8m", .rate = "1m" }, { .procs = 1, .limit_ns = 1 },
	    "-R" },
	{ { .size = "8m", .pattern = "chase" },
	    { .procs = 1, .content.kind = CONTENT_ZERO }, "chase" },
	{ { .size = "8m", .policy = "bind" }, { .procs = 1 }, "bind" },
	{ { .size = "8m", .policy = "x" }, { .procs = 1 }, "x" }
};

START_TEST(wrong_use_is_refused_and_named)
{
	struct plan p = wrongs[_i].plan;

	ck_assert_int_eq(settle(&p, &wrongs[_i].given, fault, sizeof fault),
	    EXIT_USAGE);
	ck_assert_msg(strstr(fault, wrongs[_i].named) != NULL, "%s", fault);
}
END_TEST

START_TEST(pattern_and_rounds_follow_from_what_is_given)
{
	ck_assert_int_eq(settled(), EXIT_GOOD);
	ck_assert_uint_eq(plan.rounds, 1);
	set_up();
	plan.rounds = 3;
	ck_assert_int_eq(settled(), EXIT_GOOD);
	ck_assert_int_eq(plan.pattern.kind, PATTERN_SEQ);
	set_up();
	plan.limit_ns = 5;
	ck_assert_int_eq(settled(), EXIT_GOOD);
	ck_assert_int_eq(plan.pattern.kind, PATTERN_HOLD);
	ck_assert_uint_eq(plan.rounds, 0);
	set_up();
	given.pattern = "zipf:1.5";
	ck_assert_int_eq(settled(), EXIT_GOOD);
	ck_assert_int_eq(plan.pattern.kind, PATTERN_ZIPF);
	ck_assert_uint_eq(plan.pattern.exponent_milli, 1500);
	ck_assert_uint_eq(plan.rounds, 0);
}
END_TEST

static const struct {
	const char *name, *nodes;
	int mode;
	unsigned long mask;	/* of nodes 0 to 31 */
} policies[] = {
	{ "default", NULL, 0, 0 },
	{ "preferred", "3", 1, 8 },
	{ "preferred", NULL, 1, 0 },
	{ "membind", "0-2,5", 2, 39 },
	{ "bind", "1", 2, 2 },
	{ "--membind", "0", 2, 1 },
	{ "interleave", "0,1,31", 3, 0x80000003UL },
	{ "local", NULL, 4, 0 },
	{ "preferred-many", "0-3", 5, 15 },
	{ "weighted-interleave", "2-2", 6, 4 }
};

START_TEST(policies_have_the_numbers_of_the_kernel)
{
	struct policy p;

	ck_assert_ptr_null(policy_parse(&p, policies[_i].name,
	    policies[_i].nodes));
	ck_assert_int_eq(p.set, 1);
	ck_assert_int_eq(p.mode, policies[_i].mode);
	ck_assert_uint_eq(p.mask[0] & 0xffffffffUL, policies[_i].mask);
}
END_TEST

START_TEST(last_node_is_known)
{
	const size_t width = 8 * sizeof(unsigned long);
	struct policy p;

	ck_assert_ptr_null(policy_parse(&p, "membind", "1023"));
	ck_assert_uint_eq(p.mask[1023 / width], 1UL << 1023 % width);
}
END_TEST

static const char *const bad_policies[][2] = {
	{ "", "0" }, { "membin", "0" }, { "membind", NULL }, { "membind", "" },
	{ "membind", "1024" }, { "membind", "0-" }, { "membind", "2-1" },
	{ "membind", "0," }, { "membind", ",0" }, { "membind", "x" },
	{ "membind", "-1" }, { "default", "0" }, { "local", "0" },
	{ "preferred", "0,1" }, { "---membind", "0" },
	{ "membind", "99999999999999999999" }
};

START_TEST(other_policies_are_refused)
{
	struct policy p;

	ck_assert_ptr_nonnull(policy_parse(&p, bad_policies[_i][0],
	    bad_policies[_i][1]));
}
END_TEST

static const char smaps[] =
    "00400000-00500000 r-xp 00000000 fe:00 12      /bin/a file: Rss: 7 kB\n"
    "Size:               1024 kB\n"
    "Rss:                 500 kB\n"
    "Swap:                  9 kB\n"
    "7f0000000000-7f0000100000 rw-p 00000000 00:00 0 \n"
    "Size:               1024 kB\n"
    "Rss:                 600 kB\n"
    "Pss:                 300 kB\n"
    "Swap:                 40 kB\n"
    "SwapPss:              20 kB\n"
    "Locked:                8 kB\n"
    "VmFlags: rd wr mr mw me ac\n"
    "7f0000100000-7f0000200000 rw-p 00000000 00:00 0 \n"
    "Rss:                   4 kB\n"
    "Private_Hugetlb:    2048 kB\n"
    "Swap:                  0 kB\n"
    "7f0000200000-7f0000300000 rw-p 00000000 00:00 0 \n"
    "Rss:                  77 kB\n";

START_TEST(smaps_are_added_up_within_the_mapping)
{
	FILE *f = fmemopen((void *)(uintptr_t)smaps, sizeof smaps - 1, "r");
	struct residency r;

	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(residency_parse(f, UINT64_C(0x7f0000000000),
	    UINT64_C(0x7f0000200000), &r), 0);
	ck_assert_uint_eq(r.resident_bytes, (600 + 4 + 2048) * 1024);
	ck_assert_uint_eq(r.swapped_bytes, 40 * 1024);
	ck_assert_uint_eq(r.locked_bytes, 8 * 1024);
	rewind(f);
	ck_assert_int_eq(residency_parse(f, 0, 4096, &r), -1);
	ck_assert_int_eq(errno, ENODATA);
	fclose(f);
}
END_TEST

START_TEST(own_mapping_is_resident_once_it_is_touched)
{
	struct memory_map m;
	struct residency r;

	ck_assert_int_eq(memory_map(&m, 1 << 20, MEMORY_ANON,
	    MEMORY_THP_OFF, NULL), 0);
	memset(m.base, 1, m.bytes / 2);
	ck_assert_int_eq(residency_read(m.base, m.bytes, &r), 0);
	ck_assert_uint_eq(r.resident_bytes + r.swapped_bytes, m.bytes / 2);
	memory_unmap(&m);
}
END_TEST

START_TEST(available_is_the_less_of_machine_and_group)
{
	static const char *const trees[] = {
		"linux-3.10", "linux-4.19", "linux-5.10", "linux-6.1",
		"linux-6.12"
	};
	struct proc_meminfo info;
	uint64_t bytes;

	proc_meminfo_parse(fixture(trees[_i], "/proc/meminfo"), &info);
	if (info.available_kib == PROC_ABSENT) {
		ck_assert_int_eq(residency_available_at(fixture_root(
		    trees[_i]), &bytes), -1);
		ck_assert_int_eq(errno, ENODATA);
		return;
	}
	ck_assert_int_eq(residency_available_at(fixture_root(trees[_i]),
	    &bytes), 0);
	ck_assert_uint_le(bytes, info.available_kib * 1024);
}
END_TEST

/* A hog of 8 pages of its own, as hog_run makes it. */
static struct hog hog;
static struct hog_result result;

static void
make_hog(void)
{
	memset(&hog, 0, sizeof hog);
	memset(&result, 0, sizeof result);
	hog.plan = &plan;
	hog.result = &result;
	hog.content = plan.content;
	hog.deadline_ns = UINT64_MAX;
	hog.page_bytes = memory_page_bytes();
	hog.page_blocks = hog.page_bytes / CONTENT_BLOCK_BYTES;
	hog.pages = 8;
	ck_assert_int_eq(memory_map(&hog.map, hog.pages * hog.page_bytes,
	    MEMORY_ANON, MEMORY_THP_ASIS, NULL), 0);
	ck_assert_int_eq(memory_map(&hog.counts, hog.pages *
	    sizeof(uint32_t), MEMORY_ANON, MEMORY_THP_ASIS, NULL), 0);
	ck_assert_int_eq(grow_all(&hog), EXIT_GOOD);
	ck_assert_uint_eq(hog.filled, 8);
}

static const char *const contents[] =
    { "1", "2", "16", "2,twins=40%", "same", "zero" };

START_TEST(pages_pass_however_often_they_were_written)
{
	plan.whole = _i % 2;
	ck_assert_ptr_null(content_parse(contents[_i / 2], 9, &plan.content));
	make_hog();
	for (size_t i = 0; i < 8; i++) {
		for (size_t k = 0; k < i; k++)
			touch_write(&hog, i);
		ck_assert_int_eq(verify_page(&hog, i), EXIT_GOOD);
	}
	ck_assert_int_eq(verify_all(&hog), EXIT_GOOD);
	ck_assert_uint_eq(result.checked_pages, 16);
}
END_TEST

START_TEST(flipped_bit_is_reported_with_address_and_values)
{
	char want[200];
	uint64_t *word;

	make_hog();
	touch_write(&hog, 5);
	word = hog_page(&hog, 5) + 7;
	*word ^= 1024;
	snprintf(want, sizeof want, "address 0x%llx, offset %zu: 0x%016llx "
	    "instead of 0x%016llx (flipped, 1 bit of the block)",
	    (unsigned long long)(uintptr_t)word, 5 * hog.page_bytes + 56,
	    (unsigned long long)*word, (unsigned long long)(*word ^ 1024));
	ck_assert_int_eq(verify_all(&hog), EXIT_CORRUPT);
	ck_assert_str_eq(result.fault, want);
}
END_TEST

START_TEST(page_that_lost_its_last_write_is_stale)
{
	char kept[65536];

	plan.whole = _i;
	make_hog();
	ck_assert_uint_le(hog.page_bytes, sizeof kept);
	touch_write(&hog, 3);
	memcpy(kept, hog_page(&hog, 3), hog.page_bytes);
	touch_write(&hog, 3);
	memcpy(hog_page(&hog, 3), kept, hog.page_bytes);
	ck_assert_int_eq(verify_page(&hog, 3), EXIT_CORRUPT);
	ck_assert_ptr_nonnull(strstr(result.fault, "(stale, "));
}
END_TEST

START_TEST(chase_goes_round_and_a_broken_link_is_found)
{
	struct pattern_spec chase = { .kind = PATTERN_CHASE };
	uint64_t *link;

	make_hog();
	plan.check = 1;
	ck_assert_int_eq(pattern_init(&hog.pattern, &chase, 6, 1), 0);
	ck_assert_int_eq(touch_link(&hog), EXIT_GOOD);
	hog.round = 1;
	result.done = 0;
	ck_assert_int_eq(touch_round(&hog), EXIT_GOOD);
	ck_assert_uint_eq(result.done, 6);
	ck_assert_int_eq(verify_all(&hog), EXIT_GOOD);
	link = hog_page(&hog, 2) + CONTENT_USER;
	*link ^= 1;
	ck_assert_int_eq(verify_page(&hog, 2), EXIT_CORRUPT);
	ck_assert_ptr_nonnull(strstr(result.fault, "leads to"));
	/* out of range, and nobody checks: still not followed */
	plan.check = 0;
	*link = 6;
	hog.round = 2;
	ck_assert_int_eq(touch_round(&hog), EXIT_CORRUPT);
	ck_assert_ptr_nonnull(strstr(result.fault, "page 2 leads to page 6"));
}
END_TEST

START_TEST(share_of_touches_writes)
{
	struct pattern_spec seq = { .kind = PATTERN_SEQ };

	make_hog();
	result.written_pages = 0;
	plan.write_milli = 25000;
	ck_assert_int_eq(pattern_init(&hog.pattern, &seq, 8, 1), 0);
	for (hog.round = 1; hog.round <= 1000; hog.round++)
		ck_assert_int_eq(touch_round(&hog), EXIT_GOOD);
	ck_assert_uint_eq(result.read_pages + result.written_pages, 8000);
	ck_assert_uint_gt(result.written_pages, 1800);
	ck_assert_uint_lt(result.written_pages, 2200);
	ck_assert_int_eq(verify_all(&hog), EXIT_GOOD);
}
END_TEST

Suite *
memhog_suite(void)
{
	Suite *s = suite_create("memhog");
	TCase *t = tcase_create("memhog");

	tcase_add_checked_fixture(t, set_up, NULL);
	tcase_add_loop_test(t, shares_add_up_and_follow_each_other, 0, 40);
	tcase_add_loop_test(t, sizes_are_bytes_and_whole_pages, 0,
	    LENGTH(sizes));
	tcase_add_test(t, percentages_are_of_the_memory_there_is);
	tcase_add_loop_test(t, wrong_use_is_refused_and_named, 0,
	    LENGTH(wrongs));
	tcase_add_test(t, pattern_and_rounds_follow_from_what_is_given);
	tcase_add_loop_test(t, policies_have_the_numbers_of_the_kernel, 0,
	    LENGTH(policies));
	tcase_add_test(t, last_node_is_known);
	tcase_add_loop_test(t, other_policies_are_refused, 0,
	    LENGTH(bad_policies));
	tcase_add_test(t, smaps_are_added_up_within_the_mapping);
	tcase_add_test(t, own_mapping_is_resident_once_it_is_touched);
	tcase_add_loop_test(t, available_is_the_less_of_machine_and_group, 0,
	    5);
	tcase_add_loop_test(t, pages_pass_however_often_they_were_written, 0,
	    2 * LENGTH(contents));
	tcase_add_test(t, flipped_bit_is_reported_with_address_and_values);
	tcase_add_loop_test(t, page_that_lost_its_last_write_is_stale, 0, 2);
	tcase_add_test(t, chase_goes_round_and_a_broken_link_is_found);
	tcase_add_test(t, share_of_touches_writes);
	suite_add_tcase(s, t);
	return s;
}
