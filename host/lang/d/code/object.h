/* SPDX-License-Identifier: BSD-2-Clause */
/* Structs and unions as values: kept in variables of the program, and recorded from where they are
 * no memory. */
#ifndef DPH_D_OBJECT_H
#define DPH_D_OBJECT_H

#include "lower.h"

enum {
	D_OBJECT_BYTES_MAX = DPH_FORMAT_OBJECT_MAX
};

/* The size of a struct that a variable keeps; 0: another type, or a larger struct. */
unsigned dph_d_object_bytes(const struct d_front *d, const struct d_type *type);
unsigned dph_d_object_words(const struct d_front *d, const struct d_type *type);

/* The node is a variable of the program that keeps a struct: members are parts of its words. */
void dph_d_set_object(const struct dph_d_check *c, struct d_node *node,
		      struct d_variable *variable);
/* Check the assignment of a struct; the value has been checked. */
void dph_d_check_object_assign(const struct dph_d_check *c, struct d_node *node);

/* Copy a struct into the words of a variable. */
void dph_d_lower_object_assign(struct d_lower *l, struct d_node *node);
/* Push the words of a struct, the one of the lowest address on top. */
void dph_d_push_object(struct d_lower *l, struct d_node *node);

#endif
