/* SPDX-License-Identifier: BSD-2-Clause */
/* Assignments, ++ and --. */
#include "element.h"
#include "long.h"
#include "object.h"
#include "part.h"
#include "text.h"

/* Push the new value of the variable. */
void dph_d_lower_new_value(struct d_lower *l, struct d_node *node)
{
	struct d_node *to = node->a;
	struct d_node operation = {.kind = D_NODE_BINARY,
				   .op = node->op,
				   .place = node->place,
				   .a = to,
				   .b = node->b,
				   .is.type = to->is.type};
	uint64_t scale = 1;
	if (node->op == D_OP_NONE) {
		dph_d_lower_chosen(l, node->b, &to->is.type, dph_d_is_bytes(to));
		return;
	}
	if (to->is.type.kind == D_TYPE_POINTER) {
		const struct d_type target = dph_d_type_target(l->d, &to->is.type);
		dph_d_type_bytes(l->d, &target, &scale);
		operation.is.scale = (unsigned)(scale ? scale : 1);
	} else if (node->op == D_OP_SHL || node->op == D_OP_SHR) {
		operation.is.type = dph_d_type_promoted(l->d, &to->is.type);
	} else { /* the common type of both, as in C */
		operation.is.type = dph_d_type_common(l->d, &to->is.type, &node->b->is.type);
	}
	dph_d_lower_as(l, &operation, &to->is.type);
}

void dph_d_lower_assign(struct d_lower *l, struct d_node *node, bool used)
{
	if (node->a->is.home == D_HOME_ELEMENT) {
		dph_d_lower_element_assign(l, node, used);
		return;
	}
	if (node->is.type.kind == D_TYPE_STRUCT) {
		dph_d_lower_object_assign(l, node);
		return;
	}
	if (dph_d_is_part(node->a)) {
		dph_d_lower_part_assign(l, node, used);
		return;
	}
	dph_d_lower_new_value(l, node);
	if (dph_d_value_words(l->d, node->a) > 1) {
		dph_d_pop_variable(l, node->a->is.variable);
		if (used)
			dph_d_lower_value(l, node->a);
		return;
	}
	dph_d_emit(l->code, used ? RPN_MOVE_LV_N : RPN_POP_LV_N,
		   dph_d_variable_index(l, node->a->is.variable));
}

void dph_d_lower_step_value(struct d_lower *l, const struct d_node *node)
{
	const struct d_type *type = &node->a->is.type;
	uint64_t scale = 1;
	if (dph_d_is_long(l->d, type)) {
		dph_d_long_step(l, node->op == D_OP_ADD);
		return;
	}
	if (type->kind == D_TYPE_POINTER) {
		const struct d_type target = dph_d_type_target(l->d, type);
		if (!dph_d_type_bytes(l->d, &target, &scale) || !scale)
			scale = 1;
	}
	dph_d_add_constant(l, node->op == D_OP_ADD ? scale : 0 - scale);
	if (type->is_bool)
		dph_d_truth(l, true);
	else
		dph_d_normalize(l, type);
}

static void lower_long_step(struct d_lower *l, struct d_node *node, bool used)
{
	if (used && node->postfix)
		dph_d_lower_value(l, node->a);
	dph_d_lower_value(l, node->a);
	dph_d_lower_step_value(l, node);
	dph_d_pop_variable(l, node->a->is.variable);
	if (used && !node->postfix)
		dph_d_lower_value(l, node->a);
}

void dph_d_lower_step(struct d_lower *l, struct d_node *node, bool used)
{
	const struct d_type *type = &node->a->is.type;
	if (node->a->is.home == D_HOME_ELEMENT) {
		dph_d_lower_element_step(l, node, used);
		return;
	}
	if (dph_d_is_part(node->a)) {
		dph_d_lower_part_step(l, node, used);
		return;
	}
	if (dph_d_is_long(l->d, type)) {
		lower_long_step(l, node, used);
		return;
	}
	const unsigned index = dph_d_variable_index(l, node->a->is.variable);
	const bool plain = type->kind == D_TYPE_INTEGER && type->bytes == l->code->word_bytes &&
			   !type->is_bool;
	if (used && node->postfix)
		dph_d_emit(l->code, RPN_PUSH_LV_N, index);
	if (plain) {
		dph_d_emit(l->code, node->op == D_OP_ADD ? RPN_INC_LV_N : RPN_DEC_LV_N, index);
	} else {
		dph_d_emit(l->code, RPN_PUSH_LV_N, index);
		dph_d_lower_step_value(l, node);
		dph_d_emit(l->code, RPN_POP_LV_N, index);
	}
	if (used && !node->postfix)
		dph_d_emit(l->code, RPN_PUSH_LV_N, index);
}
