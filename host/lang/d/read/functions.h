/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of D: actions, subroutines, and those that are refused. */
#ifndef DPH_D_FUNCTIONS_H
#define DPH_D_FUNCTIONS_H

#include "tree.h"

enum d_how {
#define CALL(how, check, code, record) D_CALL_##how,
#include "calls.def"
	D_CALLS
};

/* A row of actions.def. */
struct d_function {
	const char *name;
	enum d_how how;
	unsigned least, most; /* arguments */
	const char *text;
};
extern const struct d_function dph_d_functions[];
extern const size_t dph_d_function_count;

/* Find a function; null: none. */
const struct d_function *dph_d_function_named(const char *name);
/* The function that the node calls; null: another node, or no function. */
const struct d_function *dph_d_called(const struct d_node *node);
/* Does the node call a function of this kind? */
bool dph_d_calls(const struct d_node *node, enum d_how how);

unsigned dph_d_argument_count(const struct d_node *call);
/* stringof(e), sym(e): the call's argument; null: another node. */
struct d_node *dph_d_wrapped(struct d_node *node, bool *string);
/* How the host shows the address of uaddr(e), sym(e), mod(e). */
enum dph_format_type_kind dph_d_address_kind(const struct d_node *call);

/* Does the evaluation of the node, or of one behind it in its list, change a variable? */
bool dph_d_changes(const struct d_node *node);

#endif
