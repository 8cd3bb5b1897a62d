/*
 * unit: the themes of the unit tests.  Each file tests/unit/test_NAME.c defines
 * `Suite *NAME_suite(void)`; the Makefile lists the names in themes.h.
 */
#ifndef QS_UNIT_H
#define QS_UNIT_H

#include <check.h>

#include "themes.h"	/* made by the Makefile: UNIT_THEMES(X) */

#define UNIT_DECLARE(name) Suite *name##_suite(void);
UNIT_THEMES(UNIT_DECLARE)
#undef UNIT_DECLARE

#endif
