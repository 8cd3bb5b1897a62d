/*
 * mapping: the memory that memhog holds: made, locked, advised.
 *
 * What the kernel does not have is refused and named; nothing stands in for it.
 */
#ifndef QS_MAPPING_H
#define QS_MAPPING_H

#include <stddef.h>
#include <stdint.h>

#include "memory.h"
#include "plan.h"

/* The default huge page of this system in bytes; 0 when it has none. */
uint64_t mapping_huge_bytes(void);

/*
 * Open the file of the plan, which gets the size it needs, and look at what
 * needs no mapping to be refused.  Returns EXIT_GOOD, or another exit status
 * and the reason in fault.
 */
int mapping_prepare(struct plan *p, char *fault, size_t size);

/*
 * Map the share of process `index`, unpopulated unless asked for.  Returns as
 * above.  The caller frees it by memory_unmap.
 */
int mapping_make(struct memory_map *m, const struct plan *p, uint64_t index,
    char *fault, size_t size);

/*
 * Fault pages in for writing, without the cost of an exception for each, where
 * the kernel can (5.14 and later).  Where not, they come when they are touched.
 */
void mapping_fault_in(void *start, size_t bytes);

#endif
