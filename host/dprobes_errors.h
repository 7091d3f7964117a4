/* SPDX-License-Identifier: BSD-2-Clause */
/* What the numbers of errors.def, refusals.def, notices.def, exceptions.def and cpus.def say. */
#ifndef DP_ERRORS_TEXT_H
#define DP_ERRORS_TEXT_H

#include <stddef.h>

/* Never null: an unknown number has a sentence of its own. */
const char *dp_error_sentence(unsigned error);
const char *dp_error_name(unsigned error); /* "BAD_MAGIC" */
const char *dp_refusal_sentence(unsigned refusal);
const char *dp_notice_sentence(unsigned notice);
const char *dp_part_sentence(unsigned part); /* what is missing without it */
const char *dp_part_name(unsigned part);     /* "TRACES"; null: there is no part of that number */
const char *dp_exception_name(unsigned bit); /* "INVALID_ADDR" */
const char *dp_cpu_text(unsigned cpu);       /* "arm" */

#endif
