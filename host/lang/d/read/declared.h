/* SPDX-License-Identifier: BSD-2-Clause */
/* Types, constants and inlines that the program declares. Its types are of the same kind as the
 * firmware's. */
#ifndef DPH_D_DECLARED_H
#define DPH_D_DECLARED_H

#include "tree.h"

/* A parameter of an inline. */
struct d_parameter {
	struct d_parameter *next;
	const char *name;
	struct d_type_name *type;
};

struct d_inline {
	struct d_inline *next;
	const char *name;
	struct d_type_name *type;
	struct d_parameter *parameters; /* null: no keys */
	struct d_node *value;
};

/* Find a declared type: "struct point", "byte_t". Null: none. */
const struct dph_type *dph_d_declared_type(const struct d_front *d, const char *name);
/* Find an enumerator of the program. */
bool dph_d_declared_constant(const struct d_front *d, const char *name, int64_t *value);
struct d_inline *dph_d_inline_named(const struct d_front *d, const char *name);

/* Begin a struct, union or enum; or find one that is only named so far. */
struct dph_type *dph_d_declare(struct d_front *d, enum dph_type_kind kind, const char *name);
void dph_d_declare_constant(struct d_front *d, const char *name, int64_t value);
void dph_d_declare_typedef(struct d_front *d, const char *name, const struct d_type *type);
void dph_d_declare_inline(struct d_front *d, struct d_inline *made);
/* The type as one of the graph of types. Null: void, or a string. */
const struct dph_type *dph_d_graph_type(struct d_front *d, const struct d_type *type);
/* Give a struct or union its members, each with its type; bits: of a bit-field, or 0. Finds the
 * offsets and the size. Returns false: the size of a member is not known; its number is in *bad. */
bool dph_d_lay_out(struct d_front *d, struct dph_type *type, struct dph_member *members,
		   size_t count, size_t *bad);

void dph_d_declared_free(struct d_front *d);

#endif
