/* proc_cgroup: finding the memory group of a process, and its limits. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"

#define ABSENT PROC_ABSENT

static struct proc_cgroup g;

static const struct {
	const char *tree, *pid;
	enum proc_cgroup_version version;
	const char *mount, *below;
	uint64_t limit;
} found[] = {
	{ "linux-2.6.32", "self", PROC_CGROUP_V1, "/cgroup/memory", "/lab/run",
	    134217728 },
	/* use_hierarchy 0: the parent's limit is not the child's. */
	{ "linux-2.6.32", "77", PROC_CGROUP_V1, "/cgroup/memory", "/plain/run",
	    ABSENT },
	{ "linux-3.10", "self", PROC_CGROUP_V1, "/sys/fs/cgroup/memory", "",
	    268435456 },
	{ "linux-4.19", "self", PROC_CGROUP_V1, "/sys/fs/cgroup/memory",
	    "/user.slice/user-1000.slice/session-2.scope", 1073741824 },
	{ "linux-5.10", "self", PROC_CGROUP_V2, "/sys/fs/cgroup",
	    "/user.slice/user-1000.slice/user@1000.service/app.slice/run.scope",
	    3221225472 },
	{ "linux-6.1", "self", PROC_CGROUP_V2, "/sys/fs/cgroup", "",
	    536870912 },
	{ "linux-6.12", "self", PROC_CGROUP_V2, "/sys/fs/cgroup",
	    "/system.slice/qsb.service", 268435456 },
};

START_TEST(the_group_and_its_least_limit_are_found)
{
	char root[160], mount[256], dir[512];

	strcpy(root, fixture_root(found[_i].tree));
	snprintf(mount, sizeof(mount), "%s%s", root, found[_i].mount);
	snprintf(dir, sizeof(dir), "%s%s", mount, found[_i].below);
	ck_assert_int_eq(proc_cgroup_find(root, found[_i].pid, &g), 0);
	ck_assert_int_eq(g.version, found[_i].version);
	ck_assert_ptr_null(g.reason);
	ck_assert_str_eq(g.mount, mount);
	ck_assert_str_eq(g.dir, dir);
	ck_assert_int_eq(access(g.dir, F_OK), 0);
	ck_assert_uint_eq(proc_cgroup_limit_bytes(&g), found[_i].limit);
}
END_TEST

START_TEST(a_group_outside_the_namespace_is_not_guessed)
{
	ck_assert_int_eq(proc_cgroup_find(fixture_root("linux-6.1"), "9", &g),
	    0);
	ck_assert_int_eq(g.version, PROC_CGROUP_NONE);
	ck_assert_str_eq(g.reason, "the group of this process lies outside "
	    "the mounted group tree");
	ck_assert_uint_eq(proc_cgroup_limit_bytes(&g), ABSENT);
}
END_TEST

START_TEST(a_memory_controller_off_at_boot_is_explained)
{
	ck_assert_int_eq(proc_cgroup_find(fixture_root("linux-6.1-pi"), "self",
	    &g), 0);
	ck_assert_int_eq(g.version, PROC_CGROUP_NONE);
	ck_assert_str_eq(g.reason, "memory controller not enabled: "
	    "boot with cgroup_enable=memory");
	ck_assert_uint_eq(proc_cgroup_limit_bytes(&g), ABSENT);
}
END_TEST

START_TEST(a_process_that_is_not_there_is_an_error)
{
	ck_assert_int_eq(proc_cgroup_find(fixture_root("linux-6.12"), "123456",
	    &g), -1);
	ck_assert_int_eq(errno, ESRCH);
}
END_TEST

START_TEST(a_kernel_without_cgroups_is_explained)
{
	ck_assert_int_eq(proc_cgroup_find(fixture_root("linux-6.12"), "4711",
	    &g), 0);
	ck_assert_int_eq(g.version, PROC_CGROUP_NONE);
	ck_assert_str_eq(g.reason, "cgroups not built into this kernel");
}
END_TEST

/* Trees made here, for what is rarer. */

#define V1_MOUNT(root, point) \
	"35 31 0:32 " root " " point " rw shared:1 - cgroup cgroup rw,memory\n"
#define V2_MOUNT(root, point) \
	"41 31 0:38 " root " " point " rw - cgroup2 cgroup2 rw,nsdelegate\n"

static const struct {
	const char *cgroup, *mountinfo;
	enum proc_cgroup_version version;
	const char *dir;	/* NULL: none */
} maps[] = {
	/* The mount's root is cut off the group's path ... */
	{ "4:memory:/docker/abc/run\n", V1_MOUNT("/docker/abc", "/m"),
	    PROC_CGROUP_V1, "/m/run" },
	{ "4:memory:/docker/abc\n", V1_MOUNT("/docker/abc", "/m"),
	    PROC_CGROUP_V1, "/m" },
	/* ... at whole names only. */
	{ "4:memory:/docker/abcd\n", V1_MOUNT("/docker/abc", "/m"),
	    PROC_CGROUP_NONE, NULL },
	{ "4:memory:/\n", V1_MOUNT("/docker/abc", "/m"), PROC_CGROUP_NONE,
	    NULL },
	/* A second mount may show what the first does not. */
	{ "4:memory:/x\n", V1_MOUNT("/docker/abc", "/m") V1_MOUNT("/", "/n"),
	    PROC_CGROUP_V1, "/n/x" },
	/* Paths with blanks, in mountinfo escaped, in PID/cgroup not. */
	{ "4:memory:/a b\n", V1_MOUNT("/", "/my\\040mount"), PROC_CGROUP_V1,
	    "/my mount/a b" },
	{ "4:memory:/a b/c\n", V1_MOUNT("/a\\040b", "/m"), PROC_CGROUP_V1,
	    "/m/c" },
	{ "4:memory:/a\\040b\n", V1_MOUNT("/", "/m"), PROC_CGROUP_V1,
	    "/m/a\\040b" },
	/* A colon belongs to the path; controllers come in lists. */
	{ "4:cpuset,memory,pids:/a:b\n", V1_MOUNT("/", "/m"), PROC_CGROUP_V1,
	    "/m/a:b" },
	{ "4:memoryx:/a\n5:xmemory:/b\n0::/c\n", V2_MOUNT("/", "/u"),
	    PROC_CGROUP_V2, "/u/c" },
	{ "3:name=memory:/a\n0::/c\n", V2_MOUNT("/", "/u"), PROC_CGROUP_V2,
	    "/u/c" },
	/* Namespaces: the mount may begin above the reader's root. */
	{ "0::/../x\n", V2_MOUNT("/..", "/u"), PROC_CGROUP_V2, "/u/x" },
	{ "0::/..\n", V2_MOUNT("/..", "/u"), PROC_CGROUP_V2, "/u" },
	{ "0::/../../x\n", V2_MOUNT("/..", "/u"), PROC_CGROUP_NONE, NULL },
	{ "0::/x\n", V2_MOUNT("/..", "/u"), PROC_CGROUP_NONE, NULL },
	{ "0::/..\n", V2_MOUNT("/", "/u"), PROC_CGROUP_NONE, NULL },
	{ "0::/..x/y..\n", V2_MOUNT("/", "/u"), PROC_CGROUP_V2, "/u/..x/y.." },
	/* Version 1 has the controller: version 2 is not asked. */
	{ "4:memory:/a\n0::/c\n", V2_MOUNT("/", "/u") V1_MOUNT("/", "/m"),
	    PROC_CGROUP_V1, "/m/a" },
	{ "4:memory:/a\n0::/c\n", V2_MOUNT("/", "/u"), PROC_CGROUP_NONE, NULL },
	/* Torn and foreign lines. */
	{ "\n:\n4\n4:memory\n0::/c", "1 2 3\n\n35 31 0:32 / /m rw - cgroup2\n"
	    V2_MOUNT("/", "/u"), PROC_CGROUP_V2, "/u/c" },
	{ "", V2_MOUNT("/", "/u"), PROC_CGROUP_NONE, NULL },
	{ "0::/c\n", "", PROC_CGROUP_NONE, NULL },
	{ "0::/c\n", "41 31 0:38 / /u rw a:1 b:2 c - cgroup2 none rw\n",
	    PROC_CGROUP_V2, "/u/c" },
};

START_TEST(paths_are_mapped_through_the_mount)
{
	char dir[256];

	fixture_put("proc/self/cgroup", maps[_i].cgroup);
	fixture_put("proc/self/mountinfo", maps[_i].mountinfo);
	fixture_put("u/cgroup.controllers", "cpu io memory pids\n");
	ck_assert_int_eq(proc_cgroup_find(fixture_made, "self", &g), 0);
	ck_assert_int_eq(g.version, maps[_i].version);
	if (maps[_i].dir == NULL) {
		ck_assert_ptr_nonnull(g.reason);
		return;
	}
	ck_assert_ptr_null(g.reason);
	snprintf(dir, sizeof(dir), "%s%s", fixture_made, maps[_i].dir);
	ck_assert_str_eq(g.dir, dir);
}
END_TEST

static const struct { const char *controllers, *type, *cgroups, *reason; }
reasons[] = {
	{ "cpu io pids\n", NULL, NULL, "memory controller not enabled: "
	    "boot with cgroup_enable=memory" },
	{ "\n", NULL, NULL, "memory controller not enabled: "
	    "boot with cgroup_enable=memory" },
	{ "memoryx xmemory\n", NULL, NULL, "memory controller not enabled: "
	    "boot with cgroup_enable=memory" },
	{ "pids\n", "domain\n", "memory\t0\t80\t1\n", "memory controller not "
	    "delegated to this part of the group tree" },
	{ "pids\n", "domain\n", NULL, "memory controller not "
	    "delegated to this part of the group tree" },
	{ "pids\n", "domain\n", "cpu\t0\t80\t1\nmemory\t0\t80\t0\n",
	    "memory controller not enabled: boot with cgroup_enable=memory" },
	{ "memory\n", "domain\n", NULL, NULL },
	{ "cpu memory\n", NULL, NULL, NULL },
	{ "cpu memory", NULL, NULL, NULL },
};

START_TEST(why_there_is_no_memory_controller_is_told)
{
	fixture_put("proc/self/cgroup", "0::/c\n");
	fixture_put("proc/self/mountinfo", V2_MOUNT("/", "/u"));
	fixture_put("u/cgroup.controllers", reasons[_i].controllers);
	if (reasons[_i].type != NULL)
		fixture_put("u/cgroup.type", reasons[_i].type);
	if (reasons[_i].cgroups != NULL)
		fixture_put("proc/cgroups", reasons[_i].cgroups);
	ck_assert_int_eq(proc_cgroup_find(fixture_made, "self", &g), 0);
	if (reasons[_i].reason == NULL)
		ck_assert_int_eq(g.version, PROC_CGROUP_V2);
	else
		ck_assert_str_eq(g.reason, reasons[_i].reason);
}
END_TEST

START_TEST(without_mountinfo_there_is_an_error)
{
	fixture_put("proc/self/cgroup", "0::/c\n");
	ck_assert_int_eq(proc_cgroup_find(fixture_made, "self", &g), -1);
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

static const struct { const char *own, *parent, *top; uint64_t limit; }
v2_limits[] = {
	{ "max\n", "max\n", NULL, ABSENT },
	{ "1000\n", "max\n", NULL, 1000 },
	{ "max\n", "1000\n", NULL, 1000 },
	{ "2000\n", "1000\n", "500\n", 500 },
	{ NULL, "1000\n", NULL, 1000 },
	{ NULL, NULL, NULL, ABSENT },
	{ "0\n", "1000\n", NULL, 0 },
};

static void
put_if(const char *path, const char *content)
{
	if (content != NULL)
		fixture_put(path, content);
}

START_TEST(the_least_limit_up_to_the_mount_counts_in_version_2)
{
	fixture_put("proc/self/cgroup", "0::/p/c\n");
	fixture_put("proc/self/mountinfo", V2_MOUNT("/", "/u"));
	fixture_put("u/cgroup.controllers", "memory\n");
	fixture_put("memory.max", "1\n");	/* above the mount: no group */
	put_if("u/p/c/memory.max", v2_limits[_i].own);
	put_if("u/p/memory.max", v2_limits[_i].parent);
	put_if("u/memory.max", v2_limits[_i].top);
	ck_assert_int_eq(proc_cgroup_find(fixture_made, "self", &g), 0);
	ck_assert_uint_eq(proc_cgroup_limit_bytes(&g), v2_limits[_i].limit);
}
END_TEST

static const struct {
	const char *own, *parent, *use_hierarchy, *hierarchical;
	uint64_t limit;
} v1_limits[] = {
	{ "1000\n", "2000\n", "1\n", NULL, 1000 },
	{ "2000\n", "1000\n", "1\n", NULL, 1000 },
	{ "2000\n", "1000\n", NULL, NULL, 1000 },
	{ "2000\n", "1000\n", "0\n", NULL, 2000 },
	{ "2000\n", "1000\n", "1\n", "500", 500 },
	{ "2000\n", "1000\n", "0\n", "2000", 2000 },
	/* No limit: 4, 16, 64 KiB pages; 32 bit; res_counter's two. */
	{ "9223372036854771712\n", NULL, NULL, "9223372036854771712", ABSENT },
	{ "9223372036854759424\n", NULL, NULL, "9223372036854759424", ABSENT },
	{ "9223372036854710272\n", NULL, NULL, "9223372036854710272", ABSENT },
	{ "8796093018112\n", NULL, NULL, NULL, ABSENT },
	{ "9223372036854775807\n", NULL, NULL, NULL, ABSENT },
	{ "18446744073709551615\n", NULL, NULL, NULL, ABSENT },
	{ "8796093022208\n", NULL, NULL, NULL, UINT64_C(8796093022208) },
	{ "9223372036854771712\n", NULL, NULL, "4096", 4096 },
};

START_TEST(the_least_limit_counts_in_version_1_where_it_is_inherited)
{
	char stat[64];

	fixture_put("proc/self/cgroup", "4:memory:/p/c\n");
	fixture_put("proc/self/mountinfo", V1_MOUNT("/", "/m"));
	fixture_put("m/p/c/memory.limit_in_bytes", v1_limits[_i].own);
	put_if("m/p/memory.limit_in_bytes", v1_limits[_i].parent);
	put_if("m/p/memory.use_hierarchy", v1_limits[_i].use_hierarchy);
	if (v1_limits[_i].hierarchical != NULL) {
		snprintf(stat, sizeof(stat), "hierarchical_memory_limit %s\n",
		    v1_limits[_i].hierarchical);
		fixture_put("m/p/c/memory.stat", stat);
	}
	ck_assert_int_eq(proc_cgroup_find(fixture_made, "self", &g), 0);
	ck_assert_uint_eq(proc_cgroup_limit_bytes(&g), v1_limits[_i].limit);
}
END_TEST

START_TEST(this_process_is_found_or_the_reason_told)
{
	ck_assert_int_eq(proc_cgroup_find("", "self", &g), 0);
	ck_assert((g.version == PROC_CGROUP_NONE) == (g.reason != NULL));
	if (g.version != PROC_CGROUP_NONE)
		ck_assert_int_eq(access(g.mount, F_OK), 0);
}
END_TEST

static TCase *
made_trees(void)
{
	TCase *t = tcase_create("made trees");

	tcase_add_checked_fixture(t, fixture_make, fixture_remove);
	tcase_add_loop_test(t, paths_are_mapped_through_the_mount, 0,
	    LENGTH(maps));
	tcase_add_loop_test(t, why_there_is_no_memory_controller_is_told, 0,
	    LENGTH(reasons));
	tcase_add_test(t, without_mountinfo_there_is_an_error);
	tcase_add_loop_test(t,
	    the_least_limit_up_to_the_mount_counts_in_version_2, 0,
	    LENGTH(v2_limits));
	tcase_add_loop_test(t,
	    the_least_limit_counts_in_version_1_where_it_is_inherited, 0,
	    LENGTH(v1_limits));
	return t;
}

Suite *
proc_cgroup_suite(void)
{
	Suite *s = suite_create("proc_cgroup");
	TCase *t = tcase_create("fixture trees");

	tcase_add_loop_test(t, the_group_and_its_least_limit_are_found, 0,
	    LENGTH(found));
	tcase_add_test(t, a_group_outside_the_namespace_is_not_guessed);
	tcase_add_test(t, a_memory_controller_off_at_boot_is_explained);
	tcase_add_test(t, a_process_that_is_not_there_is_an_error);
	tcase_add_test(t, a_kernel_without_cgroups_is_explained);
	tcase_add_test(t, this_process_is_found_or_the_reason_told);
	suite_add_tcase(s, t);
	suite_add_tcase(s, made_trees());
	return s;
}
