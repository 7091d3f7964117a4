/* SPDX-License-Identifier: BSD-2-Clause */
/* Structs and unions as values: kept in variables of the program, and recorded from where they are
 * no memory. */
#ifndef DPH_D_OBJECT_H
#define DPH_D_OBJECT_H

#include "lower.h"

/* Copy a struct into the words of a variable. */
void dph_d_lower_object_assign(struct d_lower *l, struct d_node *node);
/* Push the words of a struct, the one of the lowest address on top. */
void dph_d_push_object(struct d_lower *l, struct d_node *node);

#endif
