/*
 * main: runs every theme of the unit tests.
 *
 *	unit			all
 *	CK_RUN_SUITE=units unit	one theme (see check's manual for more)
 */
#include <stdlib.h>

#include "unit.h"

int
main(void)
{
	SRunner *runner = srunner_create(NULL);
	int failed;

#define UNIT_ADD(name) srunner_add_suite(runner, name##_suite());
	UNIT_THEMES(UNIT_ADD)
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
