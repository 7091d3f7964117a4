/* SPDX-License-Identifier: BSD-2-Clause */
/* The search of variables and parameters of the firmware, by name and by scope. */
#ifndef DPH_VARIABLE_H
#define DPH_VARIABLE_H

#include "location.h"
#include "type.h"

struct dph_variable {
	const char *name;
	const struct dph_type *type; /* null: void or not known */
	bool parameter;
	unsigned depth; /* 0: innermost scope; one of the same name hides those of greater depth */
	struct dph_location location;
	uint64_t die;  /* offset of its entry, for dph_variable_set_from */
	bool has_list; /* it has a value at some addresses of the function */
};

/* List the variables in scope at an address: blocks of the innermost function or inlined instance,
 * from the inside out, without globals.
 * outer: inlined instances to leave first, as struct dp_code_place says; 0: none.
 * variables: an array in the pool of the debug information.
 * Returns how many there are; 0 with a reason in *why, or none where the function has none. */
size_t dph_variables_at(struct dp_debuginfo *debug, uint64_t address, unsigned outer,
			const struct dph_variable **variables, const char **why);

/* Find one by name at an address: the innermost. False, and why: none, with the nearest name. */
bool dph_variable_at(struct dp_debuginfo *debug, uint64_t address, unsigned outer, const char *name,
		     struct dph_variable *variable, const char **why);

/* The first address behind `address` in the same function from which the variable has a value.
 * False: there is none. */
bool dph_variable_set_from(struct dp_debuginfo *debug, const struct dph_variable *variable,
			   uint64_t address, uint64_t *from);

/* Find a variable of file scope. One that is static in the unit of the address hides those of other
 * units, as in C.
 * Returns false, and why: none, or several static ones. */
bool dph_variable_global(struct dp_debuginfo *debug, const struct dph_within *within,
			 const char *name, struct dph_variable *variable, const char **why);

/* Is the function that has an address marked noreturn? */
bool dph_function_noreturn(struct dp_debuginfo *debug, uint64_t address);
/* The type of the function that has an address: result, parameters with names. Null: not known. */
const struct dph_type *dph_function_type(struct dp_debuginfo *debug, uint64_t address);

/* Return the variable that an implicit pointer points to (DPH_PIECE_POINTER), at the same
 * address. */
bool dph_variable_pointee(struct dp_debuginfo *debug, const struct dph_piece *piece,
			  uint64_t address, struct dph_variable *variable);

#endif
