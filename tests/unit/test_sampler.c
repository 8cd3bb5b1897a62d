/* sampler: a time series while something else runs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/record_sample.h"
#include "measure/record_sampler.h"
#include "clock.h"
#include "fixture.h"

#define MS UINT64_C(1000000)

static const struct proc_cgroup no_group = { .version = PROC_CGROUP_NONE };

START_TEST(a_sample_is_read_from_a_tree)
{
	static char text[32768];
	struct sample_files f;
	struct sample first, row;

	sample_open(&f, fixture_root("linux-6.12"), &no_group);
	ck_assert_uint_eq(sample_read(&f, &first, text, sizeof(text)),
	    131899468);
	ck_assert_uint_eq(first.cell[SAMPLE_AVAILABLE], 90100200);
	ck_assert_uint_eq(first.cell[SAMPLE_SWAP], 3554428);
	ck_assert_uint_eq(first.cell[SAMPLE_DIRTY], 40800);
	ck_assert_uint_eq(first.cell[SAMPLE_PSWPIN], 123456789012);
	ck_assert_uint_eq(first.cell[SAMPLE_MEM_FULL], 444);
	ck_assert_uint_eq(first.cell[SAMPLE_GROUP], PROC_ABSENT);
	row = first;
	row.cell[SAMPLE_PSWPIN] += 5;
	sample_since(&first, &row);
	ck_assert_uint_eq(row.cell[SAMPLE_PSWPIN], 5);
	ck_assert_uint_eq(row.cell[SAMPLE_MEM_FULL], 0);
	ck_assert_uint_eq(row.cell[SAMPLE_SWAP], 3554428);
	sample_close(&f);
}
END_TEST

START_TEST(what_a_tree_lacks_is_unknown)
{
	static char text[32768], line[512];
	FILE *out = fmemopen(line, sizeof(line), "w");
	struct sample_files f;
	struct sample row;

	sample_open(&f, fixture_root("linux-2.6.32"), &no_group);
	sample_read(&f, &row, text, sizeof(text));
	ck_assert_uint_ne(row.cell[SAMPLE_FREE], PROC_ABSENT);
	ck_assert_uint_eq(row.cell[SAMPLE_AVAILABLE], PROC_ABSENT);
	ck_assert_uint_eq(row.cell[SAMPLE_MEM_SOME], PROC_ABSENT);
	sample_close(&f);
	sample_open(&f, fixture_root("no-such-tree"), &no_group);
	ck_assert_uint_eq(sample_read(&f, &row, text, sizeof(text)),
	    PROC_ABSENT);
	sample_print(out, &row);
	fclose(out);
	ck_assert_str_eq(line, "-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\n");
	sample_close(&f);
}
END_TEST

START_TEST(a_group_is_sampled_in_both_versions)
{
	static char text[32768];
	struct proc_cgroup v1 = { .version = PROC_CGROUP_V1 };
	struct proc_cgroup v2 = { .version = PROC_CGROUP_V2 };
	struct sample_files f;
	struct sample row;

	snprintf(v1.dir, sizeof(v1.dir), "%s/cgroup/memory/lab",
	    fixture_root("linux-2.6.32"));
	sample_open(&f, fixture_root("linux-2.6.32"), &v1);
	sample_read(&f, &row, text, sizeof(text));
	ck_assert_uint_eq(row.cell[SAMPLE_GROUP], 117188);
	ck_assert_uint_eq(row.cell[SAMPLE_GROUP_SWAP], 396);
	sample_close(&f);
	snprintf(v2.dir, sizeof(v2.dir), "%s/sys/fs/cgroup/user.slice/"
	    "user-1000.slice/user@1000.service/app.slice/run.scope",
	    fixture_root("linux-5.10"));
	sample_open(&f, fixture_root("linux-5.10"), &v2);
	sample_read(&f, &row, text, sizeof(text));
	ck_assert_uint_eq(row.cell[SAMPLE_GROUP], 683648);
	ck_assert_uint_eq(row.cell[SAMPLE_GROUP_SWAP], 128);
	ck_assert_uint_eq(row.cell[SAMPLE_MEM_SOME], 707070);
	sample_close(&f);
}
END_TEST

static void
write_file(const char *folder, const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

START_TEST(swap_of_a_group_is_known_without_swapaccount)
{
	static char text[32768];
	char folder[] = "/tmp/qs-group.XXXXXX", path[128];
	struct proc_cgroup g = { .version = PROC_CGROUP_V1 };
	struct sample_files f;
	struct sample row;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	write_file(folder, "memory.usage_in_bytes", "8192\n");
	write_file(folder, "memory.stat", "swap 4096\ntotal_swap 12288\n");
	snprintf(g.dir, sizeof(g.dir), "%s", folder);
	sample_open(&f, "", &g);
	sample_read(&f, &row, text, sizeof(text));
	sample_close(&f);
	snprintf(path, sizeof(path), "%s/memory.usage_in_bytes", folder);
	unlink(path);
	snprintf(path, sizeof(path), "%s/memory.stat", folder);
	unlink(path);
	rmdir(folder);
	ck_assert_uint_eq(row.cell[SAMPLE_GROUP], 8);
	ck_assert_uint_eq(row.cell[SAMPLE_GROUP_SWAP], 12);
}
END_TEST

/* Lines of the file, without the last, which is a comment. */
static uint64_t
lines_before_comment(FILE *file, char *last, size_t size)
{
	uint64_t lines = 0;

	rewind(file);
	while (fgets(last, (int)size, file) != NULL)
		lines++;
	ck_assert_int_eq(last[0], '#');
	return lines - 1;
}

START_TEST(every_tick_is_a_row_or_counted_as_missed)
{
	struct sampler_summary sum;
	FILE *out = tmpfile();
	struct sampler *s;
	char last[256], want[64];
	int unlocked;

	s = sampler_start(fixture_root("linux-6.12"), &no_group, MS, out,
	    &unlocked);
	ck_assert_ptr_nonnull(s);
	clock_sleep_until(clock_now_ns() + 50 * MS);
	sampler_drain(s);
	ck_assert_int_eq(sampler_stop(s, &sum), 0);
	/* 50 of them, and the last, which is taken at the end */
	ck_assert_uint_ge(sum.ticks + sum.missed, 50);
	ck_assert_uint_ge(sum.ticks, 2);
	ck_assert_uint_eq(sum.swap_max_kib, 3554428);
	ck_assert_uint_eq(sum.used_max_kib, 131899468 - 90100200);
	/* the header is a line too */
	ck_assert_uint_eq(lines_before_comment(out, last, sizeof(last)),
	    sum.ticks + 1);
	snprintf(want, sizeof(want), "# ticks %u, missed %u (",
	    (unsigned)sum.ticks, (unsigned)sum.missed);
	ck_assert_int_eq(strncmp(last, want, strlen(want)), 0);
	fclose(out);
}
END_TEST

START_TEST(samples_that_cannot_be_written_are_told)
{
	FILE *full = fopen("/dev/full", "w");
	struct sampler_summary sum;
	struct sampler *s;
	int unlocked;

	s = sampler_start("", &no_group, MS, full, &unlocked);
	ck_assert_ptr_nonnull(s);
	ck_assert_int_eq(sampler_stop(s, &sum), -1);
	ck_assert_int_eq(errno, ENOSPC);
	fclose(full);
}
END_TEST

START_TEST(without_a_file_there_is_a_summary)
{
	struct sampler_summary sum;
	struct sampler *s;
	int unlocked;

	s = sampler_start("", &no_group, MS, NULL, &unlocked);
	ck_assert_ptr_nonnull(s);
	ck_assert_int_eq(sampler_stop(s, &sum), 0);
	ck_assert_uint_ge(sum.ticks, 1);
	ck_assert_uint_ne(sum.used_max_kib, 0);
	ck_assert(sampler_missed_percent(&sum) >= 0);
	ck_assert(sampler_missed_percent(&sum) < 100);
}
END_TEST

START_TEST(the_share_of_missed_ticks_is_of_all)
{
	struct sampler_summary sum = { .ticks = 3, .missed = 1 };

	ck_assert(sampler_missed_percent(&sum) == 25);
	sum.ticks = sum.missed = 0;
	ck_assert(sampler_missed_percent(&sum) == 0);
}
END_TEST

Suite *
sampler_suite(void)
{
	Suite *s = suite_create("sampler");
	TCase *t = tcase_create("sampler");

	tcase_add_test(t, a_sample_is_read_from_a_tree);
	tcase_add_test(t, what_a_tree_lacks_is_unknown);
	tcase_add_test(t, a_group_is_sampled_in_both_versions);
	tcase_add_test(t, swap_of_a_group_is_known_without_swapaccount);
	tcase_add_test(t, every_tick_is_a_row_or_counted_as_missed);
	tcase_add_test(t, samples_that_cannot_be_written_are_told);
	tcase_add_test(t, without_a_file_there_is_a_summary);
	tcase_add_test(t, the_share_of_missed_ticks_is_of_all);
	suite_add_tcase(s, t);
	return s;
}
