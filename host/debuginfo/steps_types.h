/* SPDX-License-Identifier: BSD-2-Clause */
/* Types of the numbers on the stack of a DWARF expression under translation. */
#ifndef DPH_STEPS_TYPES_H
#define DPH_STEPS_TYPES_H

#include "steps.h"

/* What a step takes off the stack, and puts there. */
struct dph_step_row {
	const char *text;
	unsigned pops, pushes;
};
extern const struct dph_step_row dph_step_rows[]; /* by enum dph_step_op */

/* Follow the types of the numbers on the stack through a step. Steps without operands are refused
 * at the end. */
void dph_follow_types(struct dph_expression *e, enum dph_step_op op, int64_t value);

/* Add the steps of an operator without an operand in the expression, for the types of its numbers.
 */
void dph_emit_operator(struct dph_expression *e, enum dph_step_op op);

/* Turn the top into a value of the base type that the operation names. */
void dph_emit_conversion(struct dph_expression *e, const Dwarf_Op *op);

/* Push the constant of an operation that names its base type. */
void dph_emit_typed_constant(struct dph_expression *e, const Dwarf_Op *op);

#endif
