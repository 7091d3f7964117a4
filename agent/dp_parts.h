/* SPDX-License-Identifier: BSD-2-Clause */
/* Which parts this build has.  dp_config.h, protocol/parts.def
 * Code of a part stands behind if (DP_WITH_NAME), which the compiler removes, or in a file that
 * sources.mk lists under its name. */
#ifndef DP_PARTS_H
#define DP_PARTS_H

#include "dp_config.h"

#define DP_WITH_CORE 1

/* DP_IF(DP_WITH_NAME, code,): only with the part, where no if can stand. */
#define DP_IF(with, ...)  DP_IF_(with, __VA_ARGS__)
#define DP_IF_(with, ...) DP_IF_##with(__VA_ARGS__)
#define DP_IF_1(...)      __VA_ARGS__
#define DP_IF_0(...)

/* A function that makes the code smaller where it is not inlined: measured. */
#define DP_APART __attribute__((noinline))

enum {
#define PART(number, name, sentence) +(1 << (number))
	DP_PARTS_ALL = 0
#include "parts.def"
		,
#define PART(number, name, sentence) +(DP_WITH_##name ? 1 << (number) : 0)
	DP_PARTS = 0
#include "parts.def"
		,
};

#endif
