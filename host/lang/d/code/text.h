/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts on the target. A text that can only be a constant or a part of the probe's name is the
 * number of the text in the formats: one word. Any other text is `keysize` bytes, in the words that
 * `push str` pushes. */
#ifndef DPH_D_TEXT_H
#define DPH_D_TEXT_H

#include "lower.h"

enum {
	D_FIND_BYTES = 64 /* that strlen, strchr and index look at */
};

/* A string constant, or a part of the probe's name: the target keeps its number. Null: another
 * node. */
const char *dph_d_text_of(const struct d_lower *l, const struct d_node *node);
/* Push the bytes of a text. */
void dph_d_lower_text(struct d_lower *l, struct d_node *node);
/* Push the address of a text of the firmware. */
void dph_d_lower_text_address(struct d_lower *l, struct d_node *node);
/* Push the value of strlen or index. */
void dph_d_lower_search(struct d_lower *l, struct d_node *node);
/* Push a word that is negative, 0 or positive: how two texts compare; for == and != not its sign.
 */
void dph_d_lower_text_difference(struct d_lower *l, struct d_node *node);

#endif
