/* SPDX-License-Identifier: BSD-2-Clause */
/* Members of a struct that a variable of the program keeps. */
#ifndef DPH_D_PART_H
#define DPH_D_PART_H

#include "lower.h"

/* Is the node a member, or a struct as a whole, in a variable of the program? */
bool dph_d_is_part(const struct d_node *node);
/* Store the value of an assignment, or of ++ and --, in the member. used: push the expression's
 * value. */
void dph_d_lower_part_assign(struct d_lower *l, struct d_node *node, bool used);
void dph_d_lower_part_step(struct d_lower *l, struct d_node *node, bool used);

#endif
