/* proc_psi: pressure stall information, and why there is none. */
#include <errno.h>
#include <string.h>

#include "fixture.h"

#define ABSENT PROC_ABSENT

static const struct { const char *tree, *file; struct proc_psi p; } psis[] = {
	{ "linux-5.10", "cpu", { 123456789, ABSENT, 150, ABSENT } },
	{ "linux-5.10", "memory", { 987654321, 400500600, 1234, 700 } },
	{ "linux-5.10", "io", { 1111, 999, 0, 0 } },
	{ "linux-6.1", "cpu", { 1234, 0, 50, 0 } },
	{ "linux-6.1", "io", { 66, 60, 10000, 9950 } },
	{ "linux-6.12", "memory", { 555, 444, 1, 0 } },
	{ "linux-6.12", "irq", { ABSENT, 77, ABSENT, 10 } },
	{ "linux-4.19", "memory", { ABSENT, ABSENT, ABSENT, ABSENT } },
};

static void
check_psi(const struct proc_psi *p, const struct proc_psi *want)
{
	ck_assert_uint_eq(p->some_us, want->some_us);
	ck_assert_uint_eq(p->full_us, want->full_us);
	ck_assert_uint_eq(p->some_avg10_centi, want->some_avg10_centi);
	ck_assert_uint_eq(p->full_avg10_centi, want->full_avg10_centi);
}

START_TEST(pressure_of_every_kernel_series_is_read)
{
	char path[64];
	struct proc_psi p;

	snprintf(path, sizeof(path), "proc/pressure/%s", psis[_i].file);
	proc_psi_parse(fixture(psis[_i].tree, path), &p);
	check_psi(&p, &psis[_i].p);
}
END_TEST

static const struct { const char *text; struct proc_psi p; } torn_psis[] = {
	{ "some avg10=0.1 total=5\n", { 5, ABSENT, ABSENT, ABSENT } },
	{ "some avg10=1.000 total=5x\n", { ABSENT, ABSENT, ABSENT, ABSENT } },
	{ "some avg10=0.10 avg60=0.00", { ABSENT, ABSENT, 10, ABSENT } },
	{ "some\nfull total=9\n", { ABSENT, 9, ABSENT, ABSENT } },
	{ "some avg60=1.00\nfull total=9 avg10=2.00\n",
	    { ABSENT, 9, ABSENT, 200 } },
	{ "someavg10=1.00 total=3\n", { ABSENT, ABSENT, ABSENT, ABSENT } },
	{ "some avg10=99999999999999999999.00 total=18446744073709551616\n",
	    { ABSENT, ABSENT, ABSENT, ABSENT } },
};

START_TEST(a_torn_pressure_line_gives_what_is_whole)
{
	struct proc_psi p;

	proc_psi_parse(torn_psis[_i].text, &p);
	check_psi(&p, &torn_psis[_i].p);
}
END_TEST

START_TEST(not_built_and_off_at_boot_are_told_apart)
{
	ck_assert_str_eq(proc_psi_reason(ENOENT),
	    "psi: not built into this kernel");
	ck_assert_str_eq(proc_psi_reason(EOPNOTSUPP),
	    "psi: off at boot, boot with psi=1");
	ck_assert_str_ne(proc_psi_reason(ENOSYS), proc_psi_reason(ENOENT));
	ck_assert_str_ne(proc_psi_reason(ENODATA), proc_psi_reason(ENOENT));
	ck_assert_str_ne(proc_psi_reason(EACCES), proc_psi_reason(ENOENT));
	ck_assert_str_ne(proc_psi_reason(EIO), proc_psi_reason(ENOENT));
}
END_TEST

static const struct {
	const char *cmdline, *kallsyms;
	int error;
} kernels[] = {
	{ "quiet psi=0\n", NULL, EOPNOTSUPP },
	{ "psi=off quiet\n", NULL, EOPNOTSUPP },
	{ "psi=n\n", NULL, EOPNOTSUPP },
	{ "psi=0 psi=1\n", NULL, ENOENT },
	{ "xpsi=0 apsi=0\n", NULL, ENOENT },
	{ "psi=", NULL, ENOENT }, { "psi=on\n", NULL, ENOENT },
	{ NULL, NULL, ENOENT },
	/* Built, with CONFIG_PSI_DEFAULT_DISABLED. */
	{ "quiet\n", "0000000000000000 T a\n0000000000000000 T "
	    "psi_task_change\n0000000000000000 T b\n", EOPNOTSUPP },
	{ NULL, "0000000000000000 T psi_task_change\n", EOPNOTSUPP },
	{ "quiet\n", "0000000000000000 T psi_task_change_x\n"
	    "0000000000000000 T xpsi_task_change\n\n", ENOENT },
	{ "quiet\n", "0000000000000000 t psi_task_change\t[m]\n", ENOENT },
};

START_TEST(a_kernel_that_hides_its_files_is_found_out)
{
	if (kernels[_i].cmdline != NULL)
		fixture_put("proc/cmdline", kernels[_i].cmdline);
	if (kernels[_i].kallsyms != NULL)
		fixture_put("proc/kallsyms", kernels[_i].kallsyms);
	ck_assert_int_eq(proc_psi_error(fixture_made, ENOENT),
	    kernels[_i].error);
	ck_assert_int_eq(proc_psi_error(fixture_made, EOPNOTSUPP), EOPNOTSUPP);
	ck_assert_int_eq(proc_psi_error(fixture_made, EACCES), EACCES);
}
END_TEST

START_TEST(a_group_without_pressure_on_a_machine_with_it_is_told_apart)
{
	ck_assert_int_eq(proc_psi_error(fixture_root("linux-6.12"), ENOENT),
	    ENODATA);
	ck_assert_int_eq(proc_psi_error(fixture_root("linux-4.19"), ENOENT),
	    ENOENT);
}
END_TEST

Suite *
proc_psi_suite(void)
{
	Suite *s = suite_create("proc_psi");
	TCase *t = tcase_create("proc_psi"), *made = tcase_create("made trees");

	tcase_add_loop_test(t, pressure_of_every_kernel_series_is_read, 0,
	    LENGTH(psis));
	tcase_add_loop_test(t, a_torn_pressure_line_gives_what_is_whole, 0,
	    LENGTH(torn_psis));
	tcase_add_test(t, not_built_and_off_at_boot_are_told_apart);
	tcase_add_test(t,
	    a_group_without_pressure_on_a_machine_with_it_is_told_apart);
	tcase_add_checked_fixture(made, fixture_make, fixture_remove);
	tcase_add_loop_test(made, a_kernel_that_hides_its_files_is_found_out, 0,
	    LENGTH(kernels));
	suite_add_tcase(s, t);
	suite_add_tcase(s, made);
	return s;
}
