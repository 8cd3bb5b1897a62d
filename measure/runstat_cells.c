/*
 * runstat_cells: sort the rows of a table into cells.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runstat_rows.h"

#define EMPTY UINT32_MAX

int
rows_init(struct rows *r, const struct rows_spec *spec)
{
	memset(r, 0, sizeof *r);
	r->spec = *spec;
	r->ok = rows_intern(&r->texts, "ok", 2);
	r->missing = rows_intern(&r->texts, "-", 1);
	return r->ok == EMPTY || r->missing == EMPTY ? -1 : 0;
}

void
rows_free(struct rows *r)
{
	for (size_t i = 0; i < r->texts.n; i++)
		free(r->texts.text[i]);
	free(r->texts.text);
	free(r->texts.slot);
	free(r->cell);
	free(r->outcome);
	free(r->pressure);
	free(r->started);
	for (size_t i = 0; i < ROWS_VALUES; i++)
		free(r->value[i]);
	free(r->cells);
	free(r->cell_slot);
	free(r->order);
	memset(r, 0, sizeof *r);
}

static int
resize(void *field, size_t count, size_t size)
{
	void **p = field, *q = realloc(*p, count * size);

	if (q == NULL)
		return -1;
	*p = q;
	return 0;
}

static size_t
cell_hash(const uint32_t *key, int file)
{
	uint64_t h = (uint64_t)file + 1;

	for (size_t i = 0; i < ROWS_KEYS; i++)
		h = (h ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(h ^ h >> 32);
}

static int
more_cells(struct rows *r)
{
	size_t slots = r->cell_slots > 0 ? r->cell_slots * 2 : 64, at;
	uint32_t *slot = malloc(slots * sizeof *slot);

	if (slot == NULL || resize(&r->cells, slots, sizeof *r->cells) == -1) {
		free(slot);
		return -1;
	}
	memset(slot, 0xff, slots * sizeof *slot);
	for (size_t i = 0; i < r->cell_count; i++) {
		at = cell_hash(r->cells[i].key, r->cells[i].file) & (slots - 1);
		while (slot[at] != EMPTY)
			at = (at + 1) & (slots - 1);
		slot[at] = (uint32_t)i;
	}
	free(r->cell_slot);
	r->cell_slot = slot;
	r->cell_slots = slots;
	return 0;
}

uint32_t
rows_cell_of(struct rows *r, const uint32_t *key, int file)
{
	struct rows_cell *c;
	size_t at;

	if (2 * r->cell_count >= r->cell_slots && more_cells(r) == -1)
		return EMPTY;
	at = cell_hash(key, file) & (r->cell_slots - 1);
	while (r->cell_slot[at] != EMPTY) {
		c = &r->cells[r->cell_slot[at]];
		if (c->file == file && memcmp(c->key, key, sizeof c->key) == 0)
			return r->cell_slot[at];
		at = (at + 1) & (r->cell_slots - 1);
	}
	c = &r->cells[r->cell_count];
	memset(c, 0, sizeof *c);
	memcpy(c->key, key, sizeof c->key);
	c->file = file;
	r->cell_slot[at] = (uint32_t)r->cell_count;
	return (uint32_t)r->cell_count++;
}

int
rows_sort(struct rows *r)
{
	size_t at = 0;

	r->order = malloc((r->n > 0 ? r->n : 1) * sizeof *r->order);
	if (r->order == NULL)
		return -1;
	for (size_t i = 0; i < r->cell_count; i++)
		r->cells[i].n = 0;
	for (size_t i = 0; i < r->n; i++)
		r->cells[r->cell[i]].n++;
	for (size_t i = 0; i < r->cell_count; i++) {
		r->cells[i].first = at;
		at += r->cells[i].n;
		r->cells[i].n = 0;
	}
	for (size_t i = 0; i < r->n; i++) {
		struct rows_cell *c = &r->cells[r->cell[i]];

		r->order[c->first + c->n++] = (uint32_t)i;
	}
	return 0;
}

const char *
rows_text(const struct rows *r, const struct rows_cell *c, enum rows_key k)
{
	return r->texts.text[c->key[k]];
}

int
rows_good(const struct rows *r, size_t row, size_t value)
{
	return r->outcome[row] == r->ok && !isnan(r->value[value][row]);
}

int
rows_skipped(const struct rows *r, size_t row)
{
	return strncmp(r->texts.text[r->outcome[row]], "skipped", 7) == 0;
}

size_t
rows_values(const struct rows *r, const struct rows_cell *c, size_t value,
    double *out, uint32_t *where)
{
	size_t n = 0;
	uint32_t row;

	for (size_t i = 0; i < c->n; i++) {
		row = r->order[c->first + i];
		if (!rows_good(r, row, value))
			continue;
		if (where != NULL)
			where[n] = row;
		out[n++] = r->value[value][row];
	}
	return n;
}

int
rows_group(struct rows_group *g, const struct rows *r, int ignore)
{
	struct rows by = { 0 };
	uint32_t key[ROWS_KEYS];
	size_t cell;

	g->of = malloc((r->cell_count + 1) * sizeof *g->of);
	if (g->of == NULL)
		return -1;
	for (size_t i = 0; i < r->cell_count; i++) {
		memcpy(key, r->cells[i].key, sizeof key);
		if (ignore & ROWS_IGNORE_LABEL)
			key[ROWS_LABEL] = 0;
		cell = rows_cell_of(&by, key, ignore & ROWS_IGNORE_FILE ? 0 :
		    r->cells[i].file);
		if (cell == EMPTY) {
			free(g->of);
			rows_free(&by);
			return -1;
		}
		g->of[i] = cell;
	}
	g->groups = by.cell_count;
	rows_free(&by);
	return 0;
}
