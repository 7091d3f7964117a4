/* SPDX-License-Identifier: BSD-2-Clause */
/* Integers wider than the target's word: a pair on the stack, as `push mem, u64` leaves it. */
#ifndef DPH_D_LONG_H
#define DPH_D_LONG_H

#include "lower.h"

/* Is the type an integer of two words? */
bool dph_d_is_long(const struct dph_d_check *c, const struct d_type *type);

/* Push a constant as a pair. */
void dph_d_push_long(struct d_lower *l, uint64_t value);
/* word -- pair, by the type of the word */
void dph_d_word_to_long(struct d_lower *l, const struct d_type *from);
/* pair -- its low word */
void dph_d_long_to_word(struct d_lower *l);
/* Push the value of + - * / % & | ^ of two pairs. */
void dph_d_lower_long(struct d_lower *l, struct d_node *node);
/* Push the value of << or >> as a pair; value or count has two words. */
void dph_d_lower_long_shift(struct d_lower *l, struct d_node *node);
/* Push the value of - or ~ of a pair. */
void dph_d_lower_long_unary(struct d_lower *l, struct d_node *node);
/* pair -- pair + 1, or pair - 1 */
void dph_d_long_step(struct d_lower *l, bool up);
/* Push 1 when the comparison of two pairs holds, else 0. type: in which they are compared. */
void dph_d_lower_long_comparison(struct d_lower *l, struct d_node *node, const struct d_type *type);

#endif
