/*
 * job: what one process of qsbench does.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "exits.h"
#include "job.h"
#include "units.h"

static int map_arrays(const struct job *j, struct memory_map *data,
    struct memory_map *scratch, struct job_result *r);
static int map_array(const struct job *j, struct memory_map *m,
    struct job_result *r);
static void explain(const int32_t *a, size_t n, uint32_t seed,
    const struct verify_sums *filled, const struct verify_sums *found,
    struct job_result *r);
static void sleep_for(uint64_t ns);

uint32_t
job_seed(const struct job *j, uint64_t index)
{
	return j->unique ? j->seed + (uint32_t)index : j->seed;
}

int
job_run(uint64_t index, void *result, void *arg)
{
	const struct job *j = arg;
	struct job_result *r = result;
	struct memory_map data, scratch;
	struct verify_sums filled = { 0, 0 };
	struct rng_rand rng;
	uint64_t start, sorted;
	int status;

	if ((status = map_arrays(j, &data, &scratch, r)) != EXIT_GOOD)
		return status;
	start = clock_now_ns();
	rng_rand_seed(&rng, job_seed(j, index));
	verify_fill(data.base, j->n, &rng, &filled);
	r->fill_ns = clock_now_ns() - start;

	start += r->fill_ns;
	j->algorithm->sort(data.base, j->n, scratch.base);
	sorted = clock_now_ns();
	r->sort_ns = sorted - start;

	status = job_verify(data.base, j->n, job_seed(j, index), &filled, r);
	r->verify_ns = clock_now_ns() - sorted;
	if (status == EXIT_GOOD) {
		r->verified = 1;
		sleep_for(j->sleep_ns);
	}
	memory_unmap(&scratch);
	memory_unmap(&data);
	return status;
}

int
job_verify(const int32_t *a, size_t n, uint32_t seed,
    const struct verify_sums *filled, struct job_result *r)
{
	struct verify_sums found = { 0, 0 };
	size_t i = verify_order(a, n, &found);

	if (i < n) {
		snprintf(r->fault, sizeof(r->fault), "not sorted: element %zu "
		    "is %" PRId32 ", element %zu is %" PRId32, i - 1, a[i - 1],
		    i, a[i]);
		return EXIT_CORRUPT;
	}
	r->checksum = verify_checksum(&found);
	if (found.first != filled->first || found.second != filled->second) {
		explain(a, n, seed, filled, &found, r);
		return EXIT_CORRUPT;
	}
	return EXIT_GOOD;
}

/* Data and scratch, or EXIT_MEMORY or EXIT_FAILED with the fault. */
static int
map_arrays(const struct job *j, struct memory_map *data,
    struct memory_map *scratch, struct job_result *r)
{
	int status;

	memset(scratch, 0, sizeof(*scratch));
	if ((status = map_array(j, data, r)) != EXIT_GOOD)
		return status;
	if (j->algorithm->scratch == 0)
		return EXIT_GOOD;
	if ((status = map_array(j, scratch, r)) != EXIT_GOOD)
		memory_unmap(data);
	return status;
}

static int
map_array(const struct job *j, struct memory_map *m, struct job_result *r)
{
	uint64_t bytes = (uint64_t)j->n * sizeof(int32_t);
	char size[32];
	int error;

	if (memory_map(m, bytes, j->kind, j->thp, j->dir) == 0)
		return EXIT_GOOD;
	error = errno;
	snprintf(r->fault, sizeof(r->fault), "cannot map %s%s%.300s: %s",
	    units_print_size(size, sizeof(size), bytes),
	    j->kind == MEMORY_FILE ? " of a file in " :
	    j->thp == MEMORY_THP_ASIS ? "" : " with the advice on huge pages",
	    j->kind == MEMORY_FILE ? j->dir : "", strerror(error));
	return error == ENOMEM ? EXIT_MEMORY : EXIT_FAILED;
}

/* In order, but not what was filled in: name what is and what is missing. */
static void
explain(const int32_t *a, size_t n, uint32_t seed,
    const struct verify_sums *filled, const struct verify_sums *found,
    struct job_result *r)
{
	struct verify_difference d;
	struct rng_rand rng;

	rng_rand_seed(&rng, seed);
	if (verify_diagnose(a, n, &rng, &d) == -1 || !d.has_alien ||
	    !d.has_lost) {
		/* Also when the array is right and the sums are not. */
		snprintf(r->fault, sizeof(r->fault), "changed while it was "
		    "sorted: checksum %016" PRIx64 ", was %016" PRIx64,
		    verify_checksum(found), verify_checksum(filled));
		return;
	}
	snprintf(r->fault, sizeof(r->fault), "changed while it was sorted: "
	    "element %zu is %" PRId32 ", more of them than were filled in; %"
	    PRId32 ", filled in as element %zu, is lost", d.alien_index,
	    d.alien, d.lost, d.lost_index);
}

static void
sleep_for(uint64_t ns)
{
	uint64_t end;

	if (units_add(clock_now_ns(), ns, &end) == -1)
		end = UINT64_MAX;
	while (ns > 0 && clock_sleep_until(end) == -1)
		continue;
}
