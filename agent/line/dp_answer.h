/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of answers, notices, items and sync lines, packed in wire order. */
#ifndef DP_ANSWER_H
#define DP_ANSWER_H

#include "dp_state.h"

void dp_give_bytes(struct dp_answer *answer, const void *bytes, unsigned count);
/* Append a number that stands in `width` bytes of memory. */
void dp_give_number(struct dp_answer *answer, const void *number, unsigned width);
/* Append the fields of the form (dp_form.h), from the structs that the form names by number. */
void dp_give(struct dp_answer *answer, const uint8_t *form, const void *const *bases);

#endif
