/* SPDX-License-Identifier: BSD-2-Clause */
/* How the target keeps a value: words, the bytes of a text, the words of a struct. */
#ifndef DPH_D_WORDS_H
#define DPH_D_WORDS_H

#include "tree.h"

enum {
	D_KEY_SIZE_MAX = 32, /* most bytes of a text on the target */
	D_OBJECT_BYTES_MAX = DPH_FORMAT_OBJECT_MAX,
	D_RECORD_BYTES_MAX = RPN_LOGMAX_DEFAULT - RPN_PREFIX_BYTES /* of one object */
};

/* Keys of an aggregation that are bytes where they are texts, a bit each. */
struct d_key_texts {
	struct d_key_texts *next;
	const char *name;
	unsigned bytes;
};

/* Is the type an integer of two words? */
bool dph_d_is_long(const struct d_front *d, const struct d_type *type);

/* Is the checked node a text? */
bool dph_d_is_text(const struct d_node *node);
/* Is it a text, or does it point to characters? */
bool dph_d_is_string(const struct d_front *d, const struct d_node *node);
/* Has the target its bytes, and not its number? */
bool dph_d_is_bytes(const struct d_node *node);
/* Are the texts of key `n` of the aggregation bytes? */
bool dph_d_key_is_bytes(const struct d_front *d, const char *aggregation, unsigned n);
/* Has key `n` of the array 64 bits? */
bool dph_d_key_is_wide(const struct d_variable *array, unsigned n);

/* The size of a struct that a variable keeps; 0: another type, or a larger struct. */
unsigned dph_d_object_bytes(const struct d_front *d, const struct d_type *type);
unsigned dph_d_object_words(const struct d_front *d, const struct d_type *type);
/* Words that hold so many bytes. */
unsigned dph_d_words_of(const struct d_front *d, uint64_t bytes);
/* Words of a text's bytes; words of a variable, of a checked node. */
unsigned dph_d_text_words(const struct d_front *d);
unsigned dph_d_variable_words(const struct d_front *d, const struct d_variable *variable);
unsigned dph_d_value_words(const struct d_front *d, const struct d_node *node);

#endif
