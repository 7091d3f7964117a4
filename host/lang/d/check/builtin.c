/* SPDX-License-Identifier: BSD-2-Clause */
/* Built-in variables: arguments, the caller, registers, the probe's own name. */
#define _GNU_SOURCE
#include "check.h"

#include "debuginfo/frame.h"
#include "dp_object.h"

#include <ctype.h>
#include <string.h>

enum how {
	ARGUMENT,
	ARGS,
	UREGS,
	RESULT,
	CALLER,
	FAULT,
	TIME,
	TICKS,
	DAY_TIME,
	PID,
	TASK,
	NAME,
	CPU,
	LATER,
	NEVER,
	PART_PROVIDER,
	PART_MODULE,
	PART_FUNCTION,
	PART_NAME,
	PART_WHOLE,
	PART_ID
};

static const struct builtin {
	const char *name;
	enum how how;
	const char *text;
} builtins[] = {
#define BUILTIN(name, how, text) {#name, how, text},
#include "builtins.def"
};

static const struct builtin *builtin_named(const char *name)
{
	for (size_t i = 0; i < sizeof(builtins) / sizeof(*builtins); i++)
		if (strcmp(builtins[i].name, name) == 0)
			return &builtins[i];
	return NULL;
}

/* --- registers ----------------------------------------------------------------------------- */

static void set_register(const struct dph_d_check *c, struct d_node *node, unsigned reg)
{
	node->home = D_HOME_REGISTER;
	node->reg = reg;
	node->type = dph_d_type_integer(c->d, c->d->program->target.word_bytes, false);
}

static bool set_named(const struct dph_d_check *c, struct d_node *node, const char *name)
{
	const struct dp_reg *reg = dph_reg_named(c->d->program->target.cpu, name, strlen(name));
	if (reg && reg->words == 1)
		set_register(c, node, reg->index);
	return reg && reg->words == 1;
}

/* --- arguments ----------------------------------------------------------------------------- */

static bool at_return(const struct dph_d_check *c)
{
	return c->point->kind == D_POINT_RETURN || c->point->kind == D_POINT_TAIL;
}

/* The first fault of the hit: clause, kind, value. */
static void check_fault_argument(const struct dph_d_check *c, struct d_node *node)
{
	const unsigned n = (unsigned)(node->text[3] - '0');
	if (n == 0 || n > 5) {
		dph_d_error(c->d, D_ARGS_IDX, node->place,
			    "ERROR has arg1 (clause), arg4 (kind of the fault) and arg5 (value)");
		dph_d_set_wrong(node);
	} else if (n == 2 || n == 3) { /* an exception of the agent has no code offset */
		dph_d_set_constant(c->d, node, 0, true);
	} else {
		node->home = D_HOME_FAULT;
		node->part = n;
		node->type = dph_d_type_integer(c->d, c->d->program->target.word_bytes, true);
	}
}

/* arg0: a signed word, extended from the parameter's type. */
static void check_argument(const struct dph_d_check *c, struct d_node *node)
{
	const unsigned n = (unsigned)(node->text[3] - '0');
	if (c->point->kind == D_POINT_ERROR)
		check_fault_argument(c, node);
	else if (at_return(c) && n == 0)
		dph_d_set_constant(c->d, node, c->point->offset, false);
	else if (at_return(c) && n == 1)
		dph_d_check_result(c, node);
	else
		dph_d_check_argument(c, node, n);
}

static void check_args(const struct dph_d_check *c, struct d_node *node)
{
	const struct d_node *index = node->list;
	dph_d_check(c, node->list);
	dph_d_set_wrong(node);
	if (dph_d_wrong(index))
		return;
	if (!index->constant || index->next)
		dph_d_error(c->d, D_ARGS_IDX, index->place, "the index of args[] is one constant");
	else if (at_return(c) && index->number == 1)
		dph_d_check_result(c, node);
	else
		dph_d_check_typed_argument(c, node, index->number);
}

/* uregs[R_LR]: the register lr. */
static void check_uregs(const struct dph_d_check *c, struct d_node *node)
{
	const struct d_node *index = node->list;
	char name[24] = "";
	dph_d_set_wrong(node);
	if (index->kind == D_NODE_NAME && strncmp(index->text, "R_", 2) == 0 && !index->next)
		for (size_t i = 2; i < sizeof(name) && index->text[i]; i++)
			name[i - 2] = (char)tolower((unsigned char)index->text[i]);
	if (!set_named(c, node, name))
		dph_d_error(
			c->d, D_IDENT_UNDEF, index->place,
			"no such register; uregs[R_NAME] takes the registers of %s, such as R_SP",
			c->d->program->target.cpu->name);
}

bool dph_d_check_builtin_index(const struct dph_d_check *c, struct d_node *node)
{
	if (node->a->kind != D_NODE_NAME)
		return false;
	const struct builtin *builtin = builtin_named(node->a->text);
	if (!builtin || (builtin->how != ARGS && builtin->how != UREGS))
		return false;
	if (builtin->how == ARGS)
		check_args(c, node);
	else
		check_uregs(c, node);
	return true;
}

/* --- the others ---------------------------------------------------------------------------- */

static void check_caller(const struct dph_d_check *c, struct d_node *node)
{
	struct dph_location *location = dph_pool_take(c->d->pool, sizeof(*location));
	const char *why;
	const struct d_type returned = {.kind = D_TYPE_VOID};
	if (at_return(c) && c->point->phase == DP_PHASE_AFTER && set_named(c, node, "pc")) {
		node->type = dph_d_type_pointer(c->d, &returned); /* it has returned */
		return;
	}
	if (dph_d_is_event(c->point)) {
		dph_d_error(c->d, D_HERE_LOCATION, node->place,
			    "%s is no place in the code; it has no caller",
			    c->point->part[DPH_PROBE_NAME]);
		dph_d_set_wrong(node);
		return;
	}
	if (c->d->debug && dph_frame_caller(c->d->debug, c->point->address, location, &why) &&
	    dph_location_readable(location)) {
		node->home = D_HOME_LOCATION;
		node->location = location;
		node->offset = 0;
	} else if (c->point->kind != D_POINT_ENTRY ||
		   !(set_named(c, node, "lr") || set_named(c, node, "ra"))) {
		dph_d_error(
			c->d, D_HERE_LOCATION, node->place,
			"the caller is not known here: the firmware has no call frame information "
			"for %s",
			c->point->part[DPH_PROBE_FUNCTION]);
		dph_d_set_wrong(node);
		return;
	}
	const struct d_type code = {.kind = D_TYPE_VOID};
	node->type = dph_d_type_pointer(c->d, &code);
}

static void set_field(const struct dph_d_check *c, struct d_node *node, enum dph_format_form form,
		      unsigned part)
{
	node->home = D_HOME_FIELD;
	node->form = form;
	node->part = part;
	node->type = part == DPH_PROBE_ID && form == DPH_FIELD_PROBE
			     ? dph_d_type_int(c->d)
			     : (struct d_type){.kind = D_TYPE_STRING};
}

/* A part of the probe's name. The record is one of the hit, which ERROR follows. */
static void set_probe_part(const struct dph_d_check *c, struct d_node *node, unsigned part)
{
	set_field(c, node, DPH_FIELD_PROBE, part);
	if (c->point->kind != D_POINT_ERROR || part == DPH_PROBE_ID)
		return;
	node->form = DPH_FIELD_TEXT;
	node->other = part == DPH_PROBE_WHOLE ? "dtrace:::ERROR" : c->point->part[part];
}

static void set_system(const struct dph_d_check *c, struct d_node *node, enum rpn_op op)
{
	node->home = D_HOME_SYSTEM;
	node->system = op;
	node->type = dph_d_type_integer(c->d, c->d->program->target.word_bytes, false);
}

/* "struct task *", of the option */
static struct d_type task_type(const struct dph_d_check *c, const struct d_node *node)
{
	const struct d_type code = {.kind = D_TYPE_VOID};
	const char *text = c->d->task_type;
	if (!text)
		return dph_d_type_pointer(c->d, &code);
	size_t bytes = strlen(text);
	struct d_type_name name = {.place = node->place};
	for (; bytes > 0 && (text[bytes - 1] == '*' || text[bytes - 1] == ' '); bytes--)
		name.stars += text[bytes - 1] == '*';
	name.name = dph_pool_copy(c->d->pool, text, bytes);
	return dph_d_type_named(c->d, &name, c->point->address);
}

bool dph_d_is_probe_part(const char *name)
{
	const struct builtin *builtin = builtin_named(name);
	return builtin && builtin->how >= PART_PROVIDER;
}

bool dph_d_check_builtin(const struct dph_d_check *c, struct d_node *node)
{
	const struct builtin *builtin = builtin_named(node->text);
	if (!builtin)
		return false;
	switch (builtin->how) {
	case ARGUMENT:
		check_argument(c, node);
		break;
	case ARGS:
	case UREGS:
		dph_d_error(c->d, D_SYNTAX, node->place, "'%s' needs an index: %s", node->text,
			    builtin->text);
		dph_d_set_wrong(node);
		break;
	case RESULT:
		dph_d_check_result(c, node);
		break;
	case CALLER:
		check_caller(c, node);
		break;
	case FAULT:
		if (!set_named(c, node, "faultaddr")) {
			dph_d_error(c->d, D_IDENT_UNDEF, node->place,
				    "%s has no register 'faultaddr'",
				    c->d->program->target.cpu->name);
			dph_d_set_wrong(node);
		}
		break;
	case TIME:
		set_field(c, node, DPH_FIELD_TIME, 0);
		node->type = dph_d_type_integer(c->d, 8, false);
		break;
	case TICKS:
		set_system(c, node, RPN_PUSH_TICKS);
		node->type = dph_d_type_integer(c->d, sizeof(uint64_t), false);
		break;
	case DAY_TIME:
		node->home = D_HOME_HOST;
		node->function = DPH_FUNCTION_walltimestamp;
		node->type = dph_d_type_integer(c->d, 8, true);
		break;
	case PID:
		set_system(c, node, RPN_PUSH_PID);
		break;
	case TASK:
		set_system(c, node, RPN_PUSH_TASK);
		node->type = task_type(c, node);
		break;
	case NAME:
		node->home = D_HOME_SYSTEM;
		node->system = RPN_PUSH_NAME;
		node->type = (struct d_type){.kind = D_TYPE_STRING};
		break;
	case CPU:
		set_system(c, node, RPN_PUSH_PROCID);
		break;
	case LATER:
	case NEVER:
		dph_d_error(c->d, builtin->how == LATER ? D_HERE_STEP : D_HERE_METAL, node->place,
			    "'%s': %s", node->text, builtin->text);
		dph_d_set_wrong(node);
		break;
	default:
		set_probe_part(c, node, (unsigned)(builtin->how - PART_PROVIDER));
		break;
	}
	return true;
}
