/* SPDX-License-Identifier: BSD-2-Clause */
/* Integers wider than the target's word: a pair on the stack, as `push mem, u64` leaves it. */
#ifndef DPH_D_LONG_H
#define DPH_D_LONG_H

#include "lower.h"

/* Push the value of + - * / % & | ^ of two pairs. */
void dph_d_lower_long(struct d_lower *l, struct d_node *node);
/* Push the value of << or >> as a pair; value or count has two words. */
void dph_d_lower_long_shift(struct d_lower *l, struct d_node *node);
/* Push the value of - or ~ of a pair. */
void dph_d_lower_long_unary(struct d_lower *l, struct d_node *node);
/* Push 1 when the comparison of two pairs holds, else 0. type: in which they are compared. */
void dph_d_lower_long_comparison(struct d_lower *l, struct d_node *node, const struct d_type *type);

#endif
