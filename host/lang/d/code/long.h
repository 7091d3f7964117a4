/* SPDX-License-Identifier: BSD-2-Clause */
/* Integers wider than the target's word: a pair on the stack, as `push mem, u64` leaves it. */
#ifndef DPH_D_LONG_H
#define DPH_D_LONG_H

#include "lower.h"

/* Is the value of the node that of its low word, the high one being 0? */
bool dph_d_is_low(const struct d_lower *l, const struct d_node *node);
/* Push the low word of a node that has two words. */
void dph_d_lower_low(struct d_lower *l, struct d_node *node);
/* Push a word that is 0 when the value of the node is 0. */
void dph_d_lower_any(struct d_lower *l, struct d_node *node);
/* Push the value of + - * / % & | ^ of two pairs. */
void dph_d_lower_long(struct d_lower *l, struct d_node *node);
/* Push the value of << or >> as a pair; value or count has two words. */
void dph_d_lower_long_shift(struct d_lower *l, struct d_node *node);
/* Push the value of - or ~ of a pair. */
void dph_d_lower_long_unary(struct d_lower *l, struct d_node *node);
/* Push 1 when the comparison of two pairs holds, else 0. type: in which they are compared. */
void dph_d_lower_long_comparison(struct d_lower *l, struct d_node *node, const struct d_type *type);

#endif
