/*
 * plan: how the memory is shared among the processes.
 */
#include "mapping.h"
#include "plan.h"

uint64_t
plan_unit_bytes(const struct plan *p)
{
	uint64_t huge;

	if (p->kind == PLAN_HUGE && (huge = mapping_huge_bytes()) > 0)
		return huge;
	if (p->pattern.kind == PATTERN_CONTEST)
		return PLAN_CONTEST_BLOCK;
	return memory_page_bytes();
}

uint64_t
plan_share_bytes(const struct plan *p, uint64_t index)
{
	uint64_t unit = plan_unit_bytes(p), units = p->bytes / unit;

	return (units / p->procs + (index < units % p->procs)) * unit;
}

uint64_t
plan_share_offset(const struct plan *p, uint64_t index)
{
	uint64_t unit = plan_unit_bytes(p), units = p->bytes / unit;
	uint64_t more = units % p->procs;

	return (units / p->procs * index + (index < more ? index : more)) *
	    unit;
}
