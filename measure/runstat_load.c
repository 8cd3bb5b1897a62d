/*
 * runstat_load: read the files of a subcommand.
 */
#include <err.h>
#include <math.h>
#include <string.h>

#include "exits.h"
#include "runstat.h"
#include "runstat_machine.h"

static void
add_value(struct rows_spec *spec, const char *name)
{
	for (size_t i = 0; i < spec->values; i++)
		if (strcmp(spec->value[i], name) == 0)
			return;
	spec->value[spec->values++] = name;
}

/* A peak beyond the machine's memory was counted in another unit. */
static void
drop_implausible(struct rows *r, size_t from, const char *path)
{
	double mem = machine_mem_kib(path);
	size_t dropped = 0;

	for (size_t v = 0; v < r->spec.values; v++) {
		if (strcmp(r->spec.value[v], "maxrss_kib") != 0)
			continue;
		for (size_t i = from; i < r->n; i++)
			if (r->value[v][i] > mem) {
				r->value[v][i] = NAN;
				dropped++;
			}
	}
	if (dropped > 0)
		warnx("%s: implausible maxrss: more than the machine's %.0f "
		    "KiB in %zu rows, taken as missing", path, mem, dropped);
}

int
runstat_load(struct rows *r, const struct runstat_options *o, int n,
    char **files, const char *const *extra, size_t extras)
{
	struct rows_spec spec = { .filters = o->filters, .pool = o->pool };

	for (size_t i = 0; i < o->columns; i++)
		add_value(&spec, o->column[i]);
	if (o->columns == 0)
		add_value(&spec, "elapsed_s");
	spec.required = spec.values;
	for (size_t i = 0; i < extras; i++)
		add_value(&spec, extra[i]);
	for (size_t i = 0; i < o->filters; i++)
		spec.filter[i] = o->filter[i];
	if (rows_init(r, &spec) == -1)
		err(EXIT_MEMORY, NULL);
	for (int i = 0; i < n; i++) {
		size_t from = r->n;

		if (rows_read(r, files[i]) == -1)
			return -1;
		drop_implausible(r, from, files[i]);
	}
	if (rows_sort(r) == -1)
		err(EXIT_MEMORY, NULL);
	return 0;
}

int
runstat_higher_is_better(const char *column)
{
	static const char *const higher[] = { "loads", "cpu_pct",
	    "load_cpu_pct" };

	for (size_t i = 0; i < sizeof higher / sizeof *higher; i++)
		if (strcmp(column, higher[i]) == 0)
			return 1;
	return 0;
}
