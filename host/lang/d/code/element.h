/* SPDX-License-Identifier: BSD-2-Clause */
/* Variables in maps of the target: elements of the program's arrays, and variables of a task. */
#ifndef DPH_D_ELEMENT_H
#define DPH_D_ELEMENT_H

#include "lower.h"

/* Push the value of a node in a map. */
void dph_d_lower_element(struct d_lower *l, struct d_node *node);
/* Store the value of an assignment, or of ++ and --. used: push the expression's value. */
void dph_d_lower_element_assign(struct d_lower *l, struct d_node *node, bool used);
void dph_d_lower_element_step(struct d_lower *l, struct d_node *node, bool used);

#endif
