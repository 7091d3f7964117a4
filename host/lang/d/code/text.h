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

/* Find the variables and keys of the program whose texts are bytes on the target. */
void dph_d_texts(struct d_front *d);

/* The variable of the program that the node names, or whose element it is; null: none. */
struct d_variable *dph_d_variable_of(const struct d_front *d, const struct d_node *node);

/* Is the checked node a text? */
bool dph_d_is_text(const struct d_node *node);
/* Has the target its bytes, and not its number? */
bool dph_d_is_bytes(const struct d_node *node);
/* Are the texts of key `n` of the aggregation bytes? */
bool dph_d_key_is_bytes(const struct d_front *d, const char *aggregation, unsigned n);
/* Words of a text's bytes; words of a variable, of a checked node. */
unsigned dph_d_text_words(const struct d_front *d);
unsigned dph_d_variable_words(const struct dph_d_check *c, const struct d_variable *variable);
unsigned dph_d_value_words(const struct dph_d_check *c, const struct d_node *node);

/* A string constant, or a part of the probe's name: the target keeps its number. Null: another
 * node. */
const char *dph_d_text_of(const struct dph_d_check *c, const struct d_node *node);
/* The number of a text. */
uint32_t dph_d_text_number(struct d_front *d, const char *text);

/* The text where a checked pointer to characters points: stringof(node). */
struct d_node *dph_d_text_at(const struct d_front *d, struct d_node *node);

/* Check stringof(e), copyinstr(e, n), strchr(e, c), strlen(e), index(e, c). */
void dph_d_check_stringof(const struct dph_d_check *c, struct d_node *node);
void dph_d_check_search(const struct dph_d_check *c, struct d_node *node);

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
