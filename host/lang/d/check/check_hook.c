/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments of static hooks, where the note of the hook says that they are. */
#define _GNU_SOURCE
#include "check.h"

#include "symbols/hooks.h"
#include "tables/kinds.h"

static unsigned word_bytes(const struct dph_d_check *c)
{
	return c->d->program->target.word_bytes;
}

/* The registers of the argument, of which a wider one has two. Null: it has none that D knows. */
static const struct dph_piece *in_registers(const struct dph_d_check *c,
					    const struct dph_hook_argument *argument, size_t *count)
{
	const bool wide = argument->bytes > word_bytes(c);
	struct dph_piece *pieces = dph_pool_take(c->d->pool, 2 * sizeof(*pieces));
	*count = wide ? 2 : 1;
	if (wide && argument->operand.kind != DPH_OPERAND_REGISTERS)
		return NULL;
	for (unsigned i = 0; i < *count; i++)
		pieces[i] = (struct dph_piece){.kind = DPH_PIECE_REGISTER,
					       .reg = argument->operand.reg + i,
					       .bits = wide ? word_bytes(c) * 8 : 0};
	return pieces;
}

static const struct dph_piece *in_memory(const struct dph_d_check *c,
					 const struct dph_operand *operand)
{
	struct dph_step *steps = dph_pool_take(c->d->pool, 3 * sizeof(*steps));
	struct dph_piece *piece = dph_pool_take(c->d->pool, sizeof(*piece));
	steps[0] = (struct dph_step){DPH_STEP_REG, operand->reg};
	steps[1] = (struct dph_step){DPH_STEP_CONST, operand->number};
	steps[2] = (struct dph_step){DPH_STEP_ADD, 0};
	*piece = (struct dph_piece){.kind = DPH_PIECE_MEMORY, .steps = {steps, 3}};
	return piece;
}

static bool can_read_register(const struct dph_d_check *c, const struct dph_operand *operand,
			      size_t count)
{
	for (unsigned i = 0; i < count; i++) {
		const struct dp_reg *reg =
			dph_reg_numbered(c->d->program->target.cpu, operand->reg + i);
		if (!reg || !(reg->access & DP_REG_PUSH_R))
			return false;
	}
	return true;
}

/* Returns false: no instruction of a handler reads it. */
static bool set_place(const struct dph_d_check *c, struct d_node *node,
		      const struct dph_hook_argument *argument)
{
	struct dph_location *location = dph_pool_take(c->d->pool, sizeof(*location));
	location->count = 1;
	location->pieces = argument->operand.kind == DPH_OPERAND_MEMORY
				   ? in_memory(c, &argument->operand)
				   : in_registers(c, argument, &location->count);
	node->is.home = D_HOME_LOCATION;
	node->is.location = location;
	node->is.offset = 0;
	return location->pieces && can_read_register(c, &argument->operand, location->count);
}

static void refuse_number(const struct dph_d_check *c, struct d_node *node)
{
	const struct dph_hook *hook = c->point->hook;
	dph_d_error(c->d, D_ARGS_IDX, node->list ? node->list->place : node->place,
		    hook->argument_count ? "hook '%s:::%s' has %u argument(s) here"
					 : "hook '%s:::%s' has no arguments here",
		    hook->provider, hook->name, hook->argument_count);
}

static void refuse_operand(const struct dph_d_check *c, struct d_node *node,
			   const struct dph_hook_argument *argument, unsigned n)
{
	const struct dph_hook *hook = c->point->hook;
	const char *absent = dph_absent(c->d->program->target.cpu, DPH_ROW_OPERAND);
	dph_d_error(c->d, D_ARGS_TYPE, node->place,
		    "argument %u of hook '%s:::%s' cannot be read: its note has '%s'%s%s; give the "
		    "hook a copy of it in a variable",
		    n, hook->provider, hook->name, argument->text, absent ? ", and " : "",
		    absent ? absent : "");
}

void dph_d_check_hook_argument(const struct dph_d_check *c, struct d_node *node, uint64_t n)
{
	const struct dph_hook *hook = c->point->hook;
	dph_d_set_wrong(node);
	if (n >= hook->argument_count) {
		refuse_number(c, node);
		return;
	}
	const struct dph_hook_argument *argument = &hook->arguments[n];
	const struct d_type type = dph_d_type_integer(c->d, argument->bytes, argument->is_signed);
	if (argument->bytes && argument->operand.kind == DPH_OPERAND_CONSTANT) {
		dph_d_set_fixed(node, type, (uint64_t)argument->operand.number);
	} else if (argument->bytes && set_place(c, node, argument)) {
		node->is.type = type;
	} else {
		dph_d_set_wrong(node);
		refuse_operand(c, node, argument, (unsigned)n);
	}
}
