/* SPDX-License-Identifier: BSD-2-Clause */
/* What a C test needs: CHECK says what was false and where; check_status() is main's result. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdio.h>

static int check_failures;

#define CHECK(condition) check_that((condition), #condition, __FILE__, __LINE__)

static inline void check_that(bool holds, const char *what, const char *file, int line)
{
	if (holds)
		return;
	printf("%s:%d: not true: %s\n", file, line, what);
	check_failures++;
}

static inline int check_status(void)
{
	return check_failures == 0 ? 0 : 1;
}

#endif
