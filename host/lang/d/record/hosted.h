/* SPDX-License-Identifier: BSD-2-Clause */
/* Values that the host computes when it prints a record: subroutines of strings, and arithmetic
 * that costs the target much. The target records the operands. */
#ifndef DPH_D_RECORD_HOSTED_H
#define DPH_D_RECORD_HOSTED_H

#include "record.h"

/* Does the host compute the value, when it is recorded? */
bool dph_d_is_hosted(const struct d_lower *l, const struct d_node *node);
/* Record the operands. Returns the number of the field that has the result. */
uint32_t dph_d_record_hosted(struct d_record *record, struct d_node *node);

#endif
