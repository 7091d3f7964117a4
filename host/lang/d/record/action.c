/* SPDX-License-Identifier: BSD-2-Clause */
/* Actions of D, and calls in expressions. */
#include "aggregation.h"
#include "lang/d/check/copyin.h"
#include "lang/d/check/hosted.h"
#include "lang/d/code/random.h"
#include "lang/d/code/swap.h"
#include "lang/d/code/text.h"

#include "base/exit_status.h"

#include <string.h>

enum how {
	TRACE,
	PRINTF,
	PRINT,
	TRACEMEM,
	STACK,
	EXIT,
	PRINTA,
	CLEAR,
	TRUNC,
	NORMALIZE,
	DENORMALIZE,
	ADDRESS,
	SYMBOL,
	MODULE,
	STRING,
	SEARCH,
	HOST,
	SWAP,
	RANDOM,
	COPY,
	AGGREGATE,
	LATER,
	NEVER
};

static const struct action {
	const char *name;
	enum how how;
	unsigned least, most;
	const char *text;
} actions[] = {
#define ACTION(name, how, least, most, text) {#name, how, least, most, text},
#include "lang/d/check/actions.def"
};

static const struct action *action_named(const char *name)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (strcmp(actions[i].name, name) == 0)
			return &actions[i];
	return NULL;
}

bool dph_d_is_swap(const struct d_node *node)
{
	const struct action *action = action_named(node->text);
	return action && action->how == SWAP;
}

bool dph_d_is_host_function(const char *name)
{
	const struct action *action = action_named(name);
	return action && action->how == HOST;
}

bool dph_d_is_recording(const char *name)
{
	const struct action *action = action_named(name);
	return action && (action->how == TRACE || action->how == PRINTF || action->how == PRINT);
}

static unsigned argument_count(const struct d_node *node)
{
	unsigned count = 0;
	for (const struct d_node *argument = node->list; argument; argument = argument->next)
		count++;
	return count;
}

/* Does the function exist, with this number of arguments? */
static const struct action *find(const struct dph_d_check *c, const struct d_node *node)
{
	const struct action *action = action_named(node->text);
	const unsigned count = argument_count(node);
	struct dph_place place = node->place;
	struct dph_closest closest = dph_closest(node->text, strlen(node->text));
	place.bytes = strlen(node->text);
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (actions[i].how < LATER)
			dph_closest_try(&closest, actions[i].name);
	if (!action) {
		dph_d_error(c->d, D_FUNC_UNDEF, place,
			    closest.best ? "unknown function '%s'; did you mean '%s'?"
					 : "unknown function '%s'; D has no functions of its own%s",
			    node->text, closest.best ? closest.best : "");
		return NULL;
	}
	if (action->how == AGGREGATE) {
		dph_d_error(c->d, D_AGG_NULL, place,
			    "'%s' has no value; assign it to an aggregation: @name = %s(...)",
			    node->text, node->text);
		return NULL;
	}
	if (action->how == LATER || action->how == NEVER) {
		dph_d_error(c->d, action->how == LATER ? D_HERE_STEP : D_HERE_METAL, place,
			    "'%s': %s", node->text, action->text);
		return NULL;
	}
	if (count >= action->least && count <= action->most)
		return action;
	if (action->least == action->most)
		dph_d_error(c->d, D_PROTO_LEN, node->place, "'%s' has %u argument(s), not %u",
			    node->text, action->least, count);
	else
		dph_d_error(c->d, D_PROTO_LEN, node->place, "'%s' has %u to %u arguments, not %u",
			    node->text, action->least, action->most, count);
	return NULL;
}

static bool is_address(enum how how)
{
	return how == ADDRESS || how == SYMBOL || how == MODULE;
}

enum dph_format_type_kind dph_d_address_kind(const struct d_node *call)
{
	const struct action *action = call->kind == D_NODE_CALL ? action_named(call->text) : NULL;
	if (action && action->how == SYMBOL)
		return DPH_FORMAT_SYMBOL;
	return action && action->how == MODULE ? DPH_FORMAT_MODULE : DPH_FORMAT_FUNCTION;
}

/* In an expression only a function that wraps a value is allowed. */
void dph_d_check_call(const struct dph_d_check *c, struct d_node *node)
{
	const struct action *action = find(c, node);
	dph_d_set_wrong(node);
	if (!action)
		return;
	if (action->how == STRING)
		dph_d_check_stringof(c, node);
	else if (action->how == SEARCH)
		dph_d_check_search(c, node);
	else if (action->how == SWAP)
		dph_d_check_swap(c, node);
	else if (action->how == RANDOM)
		dph_d_check_random(c, node);
	else if (action->how == COPY)
		dph_d_check_copyin(c, node);
	else if (action->how == HOST)
		dph_d_check_hosted(c, node);
	else if (is_address(action->how))
		dph_d_error(c->d, D_STRINGOF_TYPE, node->place,
			    "the result of '%s' can be recorded, and not computed with",
			    node->text);
	else if (action->how == STACK)
		dph_d_error(c->d, D_HERE_STEP, node->place,
			    "agents cannot walk the stack yet; '%s' can be recorded alone, or with "
			    "printf(\"%%k\")",
			    node->text);
	else
		dph_d_error(c->d, D_OP_SCALAR, node->place, "'%s' is an action, which has no value",
			    node->text);
}

struct d_node *dph_d_wrapped(struct d_node *node, bool *string)
{
	const struct action *action = node->kind == D_NODE_CALL ? action_named(node->text) : NULL;
	if (!action || !(is_address(action->how) || action->how == STRING))
		return NULL;
	*string = action->how == STRING;
	return argument_count(node) >= action->least && argument_count(node) <= action->most
		       ? node->list
		       : NULL;
}

bool dph_d_is_string(const struct dph_d_check *c, const struct d_node *node)
{
	if (node->type.kind == D_TYPE_STRING)
		return true;
	const struct d_type target = dph_d_type_target(c->d, &node->type);
	return target.kind == D_TYPE_INTEGER && target.is_char;
}

/* --- the actions --------------------------------------------------------------------------- */

/* Check a value that is recorded. Returns false: said. */
static bool check(struct d_record *record, struct d_node *node)
{
	const struct dph_d_check *c = &record->lower->check;
	dph_d_check(c, node);
	if (dph_d_wrong(node))
		return false;
	if (node->type.kind != D_TYPE_VOID)
		return true;
	dph_d_error(c->d, D_OP_INCOMPLETE, node->place, "a value of type void cannot be recorded");
	return false;
}

bool dph_d_string_bytes(struct d_record *record, struct d_node *bytes, uint64_t *most)
{
	const struct dph_d_check *c = &record->lower->check;
	if (!bytes)
		return true;
	dph_d_check(c, bytes);
	if (dph_d_wrong(bytes))
		return false;
	*most = bytes->number;
	if (bytes->constant && *most && *most <= c->d->string_bytes)
		return true;
	dph_d_error(c->d, D_PROTO_ARG, bytes->place, "the size is a constant from 1 to %u",
		    c->d->string_bytes);
	return false;
}

/* stringof(e) and sym(e), or a plain value. Returns false: said. */
static bool record_any(struct d_record *record, struct d_node *node, uint32_t *field, bool *address)
{
	bool string = false;
	struct d_node *inner = dph_d_wrapped(node, &string);
	const struct dph_d_check *c = &record->lower->check;
	*address = inner && dph_d_address_kind(node) == DPH_FORMAT_FUNCTION && !string;
	if (!inner) {
		if (!check(record, node))
			return false;
		const bool characters = node->type.kind == D_TYPE_ARRAY &&
					dph_d_is_string(c, node) && !c->d->raw_bytes;
		*field = characters ? dph_d_record_string(record, node, c->d->string_bytes)
				    : dph_d_record_value(record, node);
		return true;
	}
	if (string ? !check(record, inner)
		   : !dph_d_check_scalar(c, inner, D_OP_SCALAR, "the address"))
		return false;
	if (string && !dph_d_type_pointed(&inner->type) && inner->home != D_HOME_FIELD) {
		dph_d_error(c->d, D_STRINGOF_TYPE, inner->place,
			    "%s is no string; stringof takes a pointer",
			    dph_d_type_text(c->d, &inner->type));
		return false;
	}
	uint64_t most = c->d->string_bytes;
	if (!string)
		*field = dph_d_record_address(record, inner, dph_d_address_kind(node));
	else if (!dph_d_string_bytes(record, inner->next, &most))
		return false;
	else
		*field = dph_d_record_string(record, inner, most);
	return true;
}

static void trace(struct d_record *record, struct d_node *node)
{
	uint32_t field;
	bool address;
	if (!record_any(record, node->list, &field, &address))
		return;
	const bool raw =
		record->lower->check.d->raw_bytes && record->fields[field].form == DPH_FIELD_BYTES;
	dph_d_record_action(record, raw ? DPH_ACTION_TRACEMEM : DPH_ACTION_TRACE, "", &field, 1);
}

static void print(struct d_record *record, struct d_node *node)
{
	uint32_t field;
	if (!check(record, node->list))
		return;
	field = dph_d_record_value(record, node->list);
	dph_d_record_action(record, DPH_ACTION_PRINT, "", &field, 1);
}

static void tracemem(struct d_record *record, struct d_node *node)
{
	const struct dph_d_check *c = &record->lower->check;
	struct d_node *address = node->list, *bytes = address->next, *shown = bytes->next;
	const bool good = dph_d_check_scalar(c, address, D_TRACEMEM_ADDR, "the address");
	dph_d_check(c, bytes);
	if (!good || dph_d_wrong(bytes) ||
	    (shown && !dph_d_check_number(c, shown, D_TRACEMEM_SIZE, "the number of bytes")))
		return;
	if (!bytes->constant || !bytes->number || bytes->number > D_RECORD_BYTES_MAX) {
		dph_d_error(c->d, D_TRACEMEM_SIZE, bytes->place,
			    "the size is a constant from 1 to %d: a record has %d bytes, and %d of "
			    "them say how many follow",
			    D_RECORD_BYTES_MAX, RPN_LOGMAX_DEFAULT, RPN_PREFIX_BYTES);
		return;
	}
	uint32_t fields[2];
	fields[0] = dph_d_record_bytes(record, address, false, bytes->number, DPH_FORMAT_NO_TYPE);
	if (shown)
		fields[1] = dph_d_record_value(record, shown);
	dph_d_record_action(record, DPH_ACTION_TRACEMEM, "", fields, shown ? 2 : 1);
}

/* stack(), stack(5) */
unsigned dph_d_stack_frames(struct d_record *record, struct d_node *node)
{
	const struct dph_d_check *c = &record->lower->check;
	struct d_node *most = node->list;
	uint64_t frames = c->d->stack_frames;
	if (most) {
		dph_d_check(c, most);
		if (dph_d_wrong(most))
			return 0;
		frames = most->constant ? most->number : 0;
	}
	if (!frames || frames > D_STACK_FRAMES_MAX) {
		dph_d_error(c->d, D_STACK_SIZE, most ? most->place : node->place,
			    "the number of functions is a constant from 1 to %d",
			    D_STACK_FRAMES_MAX);
		return 0;
	}
	return (unsigned)frames;
}

static void stack(struct d_record *record, struct d_node *node)
{
	const unsigned frames = dph_d_stack_frames(record, node);
	uint32_t fields[D_STACK_FIELDS_MAX];
	const size_t count = frames ? dph_d_record_stack(record, node->place, fields) : 0;
	if (count)
		dph_d_record_action(record, DPH_ACTION_STACK,
				    dph_pool_print(record->lower->check.d->pool, "%u", frames),
				    fields, count);
}

static void leave(struct d_record *record, struct d_node *node)
{
	const struct dph_d_check *c = &record->lower->check;
	if (!dph_d_check_scalar(c, node->list, D_PROTO_ARG, "the status"))
		return;
	if (node->list->constant && node->list->number > DPH_EXIT_STATUS_MAX) {
		dph_d_error(c->d, D_PROTO_ARG, node->list->place,
			    "the status is a number from 0 to %d", DPH_EXIT_STATUS_MAX);
		return;
	}
	const uint32_t field = dph_d_record_value(record, node->list);
	dph_d_record_action(record, DPH_ACTION_EXIT, "", &field, 1);
	record->exits = true;
}

/* sym(e) alone is trace(sym(e)). */
static void alone(struct d_record *record, struct d_node *node)
{
	uint32_t field;
	bool address;
	if (record_any(record, node, &field, &address))
		dph_d_record_action(record, address ? DPH_ACTION_SYM : DPH_ACTION_TRACE, "", &field,
				    1);
}

static void call(struct d_record *record, struct d_node *node)
{
	const struct action *action = find(&record->lower->check, node);
	if (!action)
		return;
	switch (action->how) {
	case TRACE:
		trace(record, node);
		break;
	case PRINTF:
		dph_d_printf(record, node);
		break;
	case PRINT:
		print(record, node);
		break;
	case TRACEMEM:
		tracemem(record, node);
		break;
	case STACK:
		stack(record, node);
		break;
	case EXIT:
		leave(record, node);
		break;
	case PRINTA:
		dph_d_act(record, node, DPH_ACTION_PRINTA);
		break;
	case CLEAR:
		dph_d_act(record, node, DPH_ACTION_CLEAR);
		break;
	case TRUNC:
		dph_d_act(record, node, DPH_ACTION_TRUNC);
		break;
	case NORMALIZE:
		dph_d_act(record, node, DPH_ACTION_NORMALIZE);
		break;
	case DENORMALIZE:
		dph_d_act(record, node, DPH_ACTION_DENORMALIZE);
		break;
	default:
		alone(record, node);
		break;
	}
}

void dph_d_action(struct d_record *record, struct d_node *node)
{
	const struct dph_place outer = record->lower->code->place;
	record->lower->code->place = node->place;
	if (dph_d_is_aggregation(node)) {
		dph_d_aggregate(record->lower, node);
	} else if (node->kind == D_NODE_CALL) {
		call(record, node);
	} else {
		dph_d_check(&record->lower->check, node);
		if (!dph_d_wrong(node) && node->home != D_HOME_FIELD)
			dph_d_lower_effect(record->lower, node);
	}
	record->lower->code->place = outer;
}
