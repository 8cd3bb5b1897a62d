/* proc: damaged files: every parser gets through, and no value grows. */
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "rng.h"

#define ABSENT PROC_ABSENT

static const char *const trees[] = { "linux-2.6.32", "linux-3.10",
	"linux-4.19", "linux-5.10", "linux-6.1", "linux-6.12" };

static void
check_no_growth(const uint64_t *now, const uint64_t *whole, size_t bytes)
{
	for (size_t i = 0; i < bytes / sizeof(uint64_t); i++)
		ck_assert(now[i] == ABSENT || now[i] <= whole[i]);
}

START_TEST(a_file_cut_anywhere_never_gives_a_larger_value)
{
	static char whole[65536];
	struct proc_vmstat a, b;
	struct proc_meminfo m, n;
	size_t length;

	strcpy(whole, fixture(trees[_i], "proc/vmstat"));
	proc_vmstat_parse(whole, &a);
	for (length = strlen(whole); length-- > 0; ) {
		whole[length] = '\0';
		proc_vmstat_parse(whole, &b);
		check_no_growth((uint64_t *)&b, (uint64_t *)&a, sizeof(a));
	}
	strcpy(whole, fixture(trees[_i], "proc/meminfo"));
	proc_meminfo_parse(whole, &m);
	for (length = strlen(whole); length-- > 0; ) {
		whole[length] = '\0';
		proc_meminfo_parse(whole, &n);
		check_no_growth((uint64_t *)&n, (uint64_t *)&m, sizeof(m));
	}
}
END_TEST

static void
parse_with_all(const char *s)
{
	static struct proc_swap swap;
	struct proc_vmstat v;
	struct proc_meminfo m;
	struct proc_psi p;
	struct proc_cpu c;
	struct proc_task t;

	proc_vmstat_parse(s, &v);
	proc_meminfo_parse(s, &m);
	proc_psi_parse(s, &p);
	proc_cpu_parse(s, &c);
	if (proc_task_parse(s, &t) == 0)
		ck_assert_uint_lt(strlen(t.comm), sizeof(t.comm));
	ck_assert(m.free_kib == ABSENT || m.free_kib <= m.total_kib);
	while ((s = proc_swaps_next(s, &swap)) != NULL)
		ck_assert_uint_lt(strlen(swap.name), sizeof(swap.name));
}

static const char *const damaged[] = { "proc/vmstat", "proc/meminfo",
	"proc/stat", "proc/swaps", "proc/pressure/memory", "proc/4712/stat",
	"proc/self/mountinfo" };

/* A copy of exact size on the heap, so that a sanitizer sees a step beyond. */
START_TEST(damaged_files_are_survived)
{
	static const char bytes[] = "\0\n\t :()-=.\\0x9\xff";
	struct rng_mix r = { .state = (uint64_t)_i };
	size_t length;
	char *text, *copy;

	for (int round = 0; round < 300; round++) {
		text = fixture("linux-6.12", damaged[_i]);
		length = strlen(text);
		length = (size_t)rng_mix_below(&r, length + 1);
		copy = malloc(length + 1);
		memcpy(copy, text, length);
		copy[length] = '\0';
		for (uint64_t k = rng_mix_below(&r, 20); k > 0 && length > 0;
		    k--)
			copy[rng_mix_below(&r, length)] =
			    bytes[rng_mix_below(&r, sizeof(bytes))];
		parse_with_all(copy);
		free(copy);
	}
}
END_TEST

START_TEST(a_very_long_line_is_survived)
{
	size_t length = 1 << 20;
	char *line = malloc(length + 1);

	memset(line, '9', length);
	line[length] = '\0';
	parse_with_all(line);
	memcpy(line, "cpu ", 4);
	parse_with_all(line);
	memcpy(line, "pswpin ", 7);
	parse_with_all(line);
	ck_assert_uint_eq(proc_value(line, "pswpin"), ABSENT);
	memset(line, 'x', length);
	line[length - 2] = ' ';
	parse_with_all(line);
	free(line);
}
END_TEST

Suite *
proc_damage_suite(void)
{
	Suite *s = suite_create("proc_damage");
	TCase *t = tcase_create("proc_damage");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t,
	    a_file_cut_anywhere_never_gives_a_larger_value, 0,
	    LENGTH(trees));
	tcase_add_loop_test(t, damaged_files_are_survived, 0, LENGTH(damaged));
	tcase_add_test(t, a_very_long_line_is_survived);
	suite_add_tcase(s, t);
	return s;
}
