/* SPDX-License-Identifier: BSD-2-Clause */
/* Names and sentences for the numbers of errors.def, refusals.def, notices.def, parts.def,
 * exceptions.def and port/ports.def. The strings are constants: the caller does not free them. */
#ifndef DP_ERRORS_TEXT_H
#define DP_ERRORS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Return the name or sentence that the host prints for a number. Only dp_part_feature may return
 * null: the other functions return a text also for an unknown number. */
const char *dp_error_sentence(unsigned error);
const char *dp_error_name(unsigned error); /* "BAD_MAGIC" */
const char *dp_refusal_sentence(unsigned refusal);
const char *dp_notice_sentence(unsigned notice);
const char *dp_part_sentence(unsigned part); /* names the function that needs the part */
/* Return the feature of a part: "LANGUAGE" is DP_WITH_LANGUAGE in agent/dp_config.h. For a part
 * that only older agents may lack, return the name of the part. Returns null for an unknown number.
 */
const char *dp_part_feature(unsigned part);
const char *dp_exception_name(unsigned bit);   /* "INVALID_ADDR" */
bool dp_exception_has_parameter(unsigned bit); /* a first one with a meaning */
const char *dp_cpu_text(unsigned cpu);         /* "arm" */

#ifdef __cplusplus
}
#endif

#endif
