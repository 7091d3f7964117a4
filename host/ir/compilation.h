/* SPDX-License-Identifier: BSD-2-Clause */
/* struct dph_compilation is one run of the compiler: the input of a front end and its result. */
#ifndef DPH_COMPILATION_H
#define DPH_COMPILATION_H

#include "probe_program.h"
#include "source/report.h"
#include "symbols/images.h"

#include "dp_rpn.h"

struct dph_compilation {
	struct dph_source source; /* its lines, behind the preprocessor */
	struct dph_report report;
	const struct dp_build_options *options;
	struct dph_images images;
	struct dph_program program; /* the target is known; the rest is the front end's to build */
};

/* logmax or excpt_log where a program has none: min(1024, limit of the target), RPN.md 2.
 * limit: of the target; 0: not known. */
static inline uint64_t dph_default_buffer(unsigned limit)
{
	return limit && limit < RPN_LOGMAX_DEFAULT ? limit : RPN_LOGMAX_DEFAULT;
}

#endif
