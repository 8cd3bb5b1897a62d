/*
 * runstat_compare: find what can be compared, compare it, tell.
 */
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exits.h"
#include "runstat.h"
#include "runstat_machine.h"
#include "runstat_pair.h"
#include "stat_rank.h"

#define MARGIN 0.02
#define MAX_LONELY_SHOWN 20
#define MANY 100	/* so many p values after Holm need finer ones */

struct matches {
	struct runstat_pair *pair;
	size_t n;
	size_t lonely;		/* cells without a counterpart */
};

static void
add_pair(struct matches *m, const struct rows *r, size_t a, size_t b)
{
	size_t columns = r->spec.required;

	if (m->n % (64 * columns) == 0) {
		m->pair = realloc(m->pair,
		    (m->n + 64 * columns) * sizeof *m->pair);
		if (m->pair == NULL)
			err(EXIT_MEMORY, NULL);
	}
	for (size_t v = 0; v < columns; v++) {
		memset(&m->pair[m->n], 0, sizeof *m->pair);
		m->pair[m->n].cell[0] = &r->cells[a];
		m->pair[m->n].cell[1] = &r->cells[b];
		m->pair[m->n++].value = v;
	}
}

/* Whether all cells of the file have one label. */
static int
one_label(const struct rows *r, int file)
{
	uint32_t label = UINT32_MAX;

	for (size_t i = 0; i < r->cell_count; i++) {
		if (r->cells[i].file != file)
			continue;
		if (label != UINT32_MAX && r->cells[i].key[ROWS_LABEL] != label)
			return 0;
		label = r->cells[i].key[ROWS_LABEL];
	}
	return 1;
}

/* The label to compare with; UINT32_MAX after a message. */
static uint32_t
base_label(const struct rows *r, const char *base)
{
	if (base == NULL && r->cell_count > 0)
		return r->cells[0].key[ROWS_LABEL];
	for (size_t i = 0; base != NULL && i < r->cell_count; i++)
		if (strcmp(rows_text(r, &r->cells[i], ROWS_LABEL), base) == 0)
			return r->cells[i].key[ROWS_LABEL];
	if (base != NULL)
		warnx("-b %s: no such label", base);
	return UINT32_MAX;
}

static void
lonely(struct matches *m, const struct rows *r, size_t cell)
{
	char name[4096];

	if (m->lonely++ < MAX_LONELY_SHOWN)
		warnx("%s %s: nothing to compare it with",
		    rows_text(r, &r->cells[cell], ROWS_LABEL),
		    out_cell_name(name, sizeof name, r, &r->cells[cell]));
}

/*
 * Two files: the cells of the first are the base, and labels must agree unless
 * either file has only one.  One file or -b: the base label is the base.
 */
static int
match(struct matches *m, const struct rows *r, const char *base, int by_label)
{
	uint32_t label = by_label ? base_label(r, base) : 0;
	size_t *of_base = malloc((r->cell_count + 1) * sizeof *of_base);
	char *is_base = calloc(r->cell_count + 1, 2), *used;
	struct rows_group g;
	int ignore = ROWS_IGNORE_FILE;

	if (by_label || (one_label(r, 0) && one_label(r, 1)))
		ignore |= ROWS_IGNORE_LABEL;
	if (of_base == NULL || is_base == NULL ||
	    rows_group(&g, r, ignore) == -1)
		err(EXIT_MEMORY, NULL);
	used = is_base + r->cell_count;
	for (size_t i = 0; i < g.groups; i++)
		of_base[i] = SIZE_MAX;
	for (size_t i = 0; i < r->cell_count; i++) {
		is_base[i] = by_label ? r->cells[i].key[ROWS_LABEL] == label :
		    r->cells[i].file == 0;
		if (is_base[i])
			of_base[g.of[i]] = i;
	}
	for (size_t i = 0; i < r->cell_count; i++)
		if (!is_base[i] && of_base[g.of[i]] != SIZE_MAX) {
			add_pair(m, r, of_base[g.of[i]], i);
			used[i] = used[of_base[g.of[i]]] = 1;
		}
	for (size_t i = 0; i < r->cell_count; i++)
		if (!used[i])
			lonely(m, r, i);
	free(g.of);
	free(of_base);
	free(is_base);
	return by_label && label == UINT32_MAX ? -1 : 0;
}

/* Holm's adjustment, of the raw and of the adjusted p values by themselves. */
static void
adjust_all(struct matches *m)
{
	double *p = malloc((m->n + 1) * sizeof *p);
	const struct stat_compared *c;

	if (p == NULL)
		err(EXIT_MEMORY, NULL);
	for (int which = 0; which < 2; which++) {
		for (size_t i = 0; i < m->n; i++) {
			c = &m->pair[i].c;
			p[i] = c->n[0] == 0 || c->n[1] == 0 ||
			    (which == 1 && !c->adjusted) ? NAN :
			    which == 0 ? c->raw.p : c->adj.p;
		}
		if (stat_holm(p, m->n) == -1)
			err(EXIT_MEMORY, NULL);
		for (size_t i = 0; i < m->n; i++)
			m->pair[i].p[which] = p[i];
	}
	free(p);
}

static int
exit_status(const struct matches *m, size_t count[])
{
	for (size_t i = 0; i < m->n; i++)
		count[m->pair[i].verdict]++;
	if (count[STAT_WORSE] > 0)
		return RUNSTAT_WORSE;
	if (count[STAT_NOT_COMPARABLE] > 0 || m->lonely > 0 || m->n == 0)
		return RUNSTAT_NOT_COMPARABLE;
	return count[STAT_INCONCLUSIVE] > 0 ? RUNSTAT_INCONCLUSIVE :
	    RUNSTAT_GOOD;
}

static void
text_end(const struct matches *m, const size_t count[])
{
	static const char *const names[] = { "better", "worse", "equivalent",
	    "inconclusive", "not comparable" };
	const char *before = ": ";

	if (m->n < 2 && m->lonely == 0)
		return;
	printf("%zu comparison%s", m->n, m->n == 1 ? "" : "s");
	for (int i = 0; i < 5; i++)
		if (count[i] > 0) {
			printf("%s%zu %s", before, count[i], names[i]);
			before = ", ";
		}
	if (m->lonely > 0)
		printf("%s%zu cell%s without a counterpart", before,
		    m->lonely, m->lonely == 1 ? "" : "s");
	putchar('\n');
}

static int
tell(const struct matches *m, const struct runstat_job *j)
{
	size_t count[5] = { 0 };
	int status = exit_status(m, count);
	struct out out;

	out_begin(&out, j->o->format);
	if (j->o->format == RUNSTAT_KTAP)
		out_ktap_plan(m->n);
	for (size_t i = 0; i < m->n; i++) {
		if (j->o->format == RUNSTAT_TEXT)
			pair_text(&m->pair[i], j);
		else if (j->o->format == RUNSTAT_KTAP)
			pair_ktap(&out, &m->pair[i], j);
		else
			pair_record(&out, &m->pair[i], j);
	}
	out_end(&out);
	if (j->o->format == RUNSTAT_TEXT)
		text_end(m, count);
	return status;
}

static void
covariates(struct runstat_job *j)
{
	const struct runstat_options *o = j->o;
	const char *name;

	j->covers = 0;
	for (size_t i = 0; i < (o->decides > 0 ? o->decides : 1); i++) {
		name = o->decides > 0 ? o->decide[i] : "calib_ms";
		for (size_t v = 0; v < j->r->spec.values; v++)
			if (strcmp(j->r->spec.value[v], name) == 0)
				j->cover[j->covers++] = v;
	}
}

static int
check_covariates(const struct runstat_options *o)
{
	for (size_t i = 0; i < o->decides; i++)
		if (strcmp(o->decide[i], "calib_ms") != 0 &&
		    strcmp(o->decide[i], "user_s") != 0) {
			warnx("-A %s: calib_ms and user_s can adjust",
			    o->decide[i]);
			return -1;
		}
	if (o->decides == 2 && strcmp(o->decide[0], o->decide[1]) == 0) {
		warnx("-A %s: given twice", o->decide[0]);
		return -1;
	}
	return 0;
}

static int
compare_all(struct runstat_job *j, int n)
{
	const struct rows *r = j->r;
	struct matches m = { NULL, 0, 0 };
	int status, by_label = n == 1 || j->o->base != NULL;

	j->same_file = n == 2 && r->hash[0] == r->hash[1] &&
	    r->bytes[0] == r->bytes[1];
	covariates(j);
	if (match(&m, r, j->o->base, by_label) == -1) {
		free(m.pair);
		return RUNSTAT_NOT_COMPARABLE;
	}
	if (m.n == 0)
		warnx("no two cells can be compared: label, load, job and "
		    "command line must fit");
	j->many = m.n > MANY;
	for (size_t i = 0; i < m.n; i++)
		pair_compare(&m.pair[i], j);
	adjust_all(&m);
	for (size_t i = 0; i < m.n; i++)
		pair_judge(&m.pair[i], j, m.n);
	status = tell(&m, j);
	free(m.pair);
	return status;
}

int
runstat_compare(const struct runstat_options *given, int n, char **files)
{
	struct runstat_options o = *given;
	const char *const extra[] = { "calib_ms", "user_s" };
	char machine[256] = "", workload[256] = "";
	struct rows r;
	struct runstat_job j = { .o = &o, .r = &r, .files = files,
	    .machine = machine, .workload = workload };
	int status = RUNSTAT_USAGE;

	if (check_covariates(&o) == -1)
		return RUNSTAT_USAGE;
	j.margin = isnan(o.margin) ? MARGIN : o.margin;
	o.pool = o.base != NULL;
	if (n == 2)
		machine_unlike(files[0], files[1], machine, sizeof machine,
		    workload, sizeof workload);
	if (runstat_load(&r, &o, n, files, extra, 2) == 0)
		status = compare_all(&j, n);
	else
		status = RUNSTAT_NOT_COMPARABLE;
	rows_free(&r);
	return status;
}
