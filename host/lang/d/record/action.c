/* SPDX-License-Identifier: BSD-2-Clause */
/* Actions of D. */
#include "aggregation.h"
#include "speculate.h"
#include "lang/d/check/call.h"

#include "base/exit_status.h"
#include "format/compute.h"

#include <string.h>

/* Check a value that is recorded. Returns false: said. */
static bool check(struct d_record *record, struct d_node *node)
{
	const struct dph_d_check *c = record->check;
	dph_d_check(c, node);
	if (dph_d_wrong(node))
		return false;
	if (node->is.type.kind != D_TYPE_VOID)
		return true;
	dph_d_error(c->d, D_OP_INCOMPLETE, node->place, "a value of type void cannot be recorded");
	return false;
}

bool dph_d_string_bytes(struct d_record *record, struct d_node *bytes, uint64_t *most)
{
	const struct dph_d_check *c = record->check;
	if (!bytes)
		return true;
	dph_d_check(c, bytes);
	if (dph_d_wrong(bytes))
		return false;
	*most = bytes->is.number;
	if (bytes->is.constant && *most && *most <= c->d->string_bytes)
		return true;
	dph_d_error(c->d, D_PROTO_ARG, bytes->place, "the size is a constant from 1 to %u",
		    c->d->string_bytes);
	return false;
}

bool dph_d_record_any(struct d_record *record, struct d_node *node, uint32_t *field, bool *address)
{
	bool string = false;
	struct d_node *inner = dph_d_wrapped(node, &string);
	const struct dph_d_check *c = record->check;
	*address = inner && dph_d_address_kind(node) == DPH_FORMAT_FUNCTION && !string;
	if (!inner) {
		if (!check(record, node))
			return false;
		const bool characters = node->is.type.kind == D_TYPE_ARRAY &&
					dph_d_is_string(c->d, node) && !c->d->raw_bytes;
		*field = characters ? dph_d_record_string(record, node, c->d->string_bytes)
				    : dph_d_record_value(record, node);
		return true;
	}
	if (string ? !check(record, inner)
		   : !dph_d_check_scalar(c, inner, D_OP_SCALAR, "the address"))
		return false;
	if (string && !(inner = dph_d_text_operand(c, inner)))
		return false;
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
	if (!dph_d_record_any(record, node->list, &field, &address))
		return;
	const bool raw = record->check->d->raw_bytes && field < record->field_count &&
			 record->fields[field].form == DPH_FIELD_BYTES;
	dph_d_record_action(record, raw ? DPH_ACTION_TRACEMEM : DPH_ACTION_TRACE, "", &field, 1);
}

static void print(struct d_record *record, struct d_node *node)
{
	uint32_t fields[1 + DPH_FORMAT_POINTED_MAX];
	if (!check(record, node->list))
		return;
	fields[0] = dph_d_record_value(record, node->list);
	const size_t texts = dph_d_record_pointed(record, node->list, fields[0], fields + 1);
	dph_d_record_action(record, DPH_ACTION_PRINT, "", fields, 1 + texts);
}

static void tracemem(struct d_record *record, struct d_node *node)
{
	const struct dph_d_check *c = record->check;
	struct d_node *address = node->list, *bytes = address->next, *shown = bytes->next;
	const bool good = dph_d_check_scalar(c, address, D_TRACEMEM_ADDR, "the address");
	dph_d_check(c, bytes);
	if (!good || dph_d_wrong(bytes) ||
	    (shown && !dph_d_check_number(c, shown, D_TRACEMEM_SIZE, "the number of bytes")))
		return;
	if (!bytes->is.constant || !bytes->is.number || bytes->is.number > D_RECORD_BYTES_MAX) {
		dph_d_error(c->d, D_TRACEMEM_SIZE, bytes->place,
			    "the size is a constant from 1 to %d: a record has %d bytes, and %d of "
			    "them say how many follow",
			    D_RECORD_BYTES_MAX, RPN_LOGMAX_DEFAULT, RPN_PREFIX_BYTES);
		return;
	}
	uint32_t fields[2];
	fields[0] =
		dph_d_record_bytes(record, address, false, bytes->is.number, DPH_FORMAT_NO_TYPE);
	if (shown)
		fields[1] = dph_d_record_value(record, shown);
	dph_d_record_action(record, DPH_ACTION_TRACEMEM, "", fields, shown ? 2 : 1);
}

/* stack(), stack(5) */
unsigned dph_d_stack_frames(struct d_record *record, struct d_node *node)
{
	const struct dph_d_check *c = record->check;
	struct d_node *most = node->list;
	uint64_t frames = c->d->stack_frames;
	if (dph_d_is_event(c->point)) {
		dph_d_error(c->d, D_HERE_LOCATION, node->place,
			    "%s is no place in the code; it has no call stack",
			    c->point->part[DPH_PROBE_NAME]);
		return 0;
	}
	if (most) {
		dph_d_check(c, most);
		if (dph_d_wrong(most))
			return 0;
		frames = most->is.constant ? most->is.number : 0;
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
				    dph_pool_print(record->check->d->pool, "%u", frames), fields,
				    count);
}

static void leave(struct d_record *record, struct d_node *node)
{
	const struct dph_d_check *c = record->check;
	if (!dph_d_check_scalar(c, node->list, D_PROTO_ARG, "the status"))
		return;
	if (node->list->is.constant && node->list->is.number > DPH_EXIT_STATUS_MAX) {
		dph_d_error(c->d, D_PROTO_ARG, node->list->place,
			    "the status is a number from 0 to %d", DPH_EXIT_STATUS_MAX);
		return;
	}
	const uint32_t field = dph_d_record_value(record, node->list);
	dph_d_record_action(record, DPH_ACTION_EXIT, "", &field, 1);
	record->exits = true;
}

/* What the names of these actions mean. */
static const struct {
	const char *name;
	enum d_break bit;
	bool stops;
} breaks[] = {
	{"breakpoint", D_BREAK_BREAKPOINT, true},
	{"panic", D_BREAK_PANIC, true},
	{"core", D_BREAK_CORE, false},
};

/* Why no clause of the point may do that; null: one may. */
static const char *unbreakable(const struct dph_d_check *c, const char *name, bool stops)
{
	const bool watched = stops && c->point->kind == D_POINT_WATCH;

	if ((c->point->kind > D_POINT_PLACE && !watched) || c->point->phase != DP_PHASE_BEFORE)
		return dph_pool_print(
			c->d->pool,
			"'%s' %s before an instruction: at entry, return, offsets and lines of "
			"functions%s",
			name, stops ? "stops" : "records", stops ? "; or at a watchpoint" : "");
	if (stops && !c->d->writes)
		return dph_pool_print(
			c->d->pool, "'%s' stops the firmware: permit that with -w (--write)", name);
	if (stops && c->d->lacks >> DP_PART_HALT & 1)
		return "this agent cannot stop the firmware; build the firmware with "
		       "DP_PROFILE=DP_PROFILE_FULL and DP_WITH_HALT";
	if (strcmp(name, "breakpoint") != 0 && c->d->lacks >> DP_PART_DUMP & 1)
		return "this agent writes no cores; build the firmware with DP_WITH_HISTORY";
	return NULL;
}

/* The handler ends with `exit n`: handler.c. */
static void breakpoint(struct d_record *record, struct d_node *node)
{
	struct d_code *code = record->lower->code;
	const unsigned flags = dph_d_temp(record->lower, D_TEMP_BREAKS);
	const char *why;
	size_t i = 0;

	while (strcmp(breaks[i].name, node->text) != 0)
		i++;
	why = unbreakable(record->check, node->text, breaks[i].stops);
	if (why) {
		dph_d_error(record->check->d, D_HERE_STEP, node->place, "%s", why);
		return;
	}
	dph_d_emit(code, RPN_PUSH_LV_N, flags);
	dph_d_push(code, breaks[i].bit);
	dph_d_emit(code, RPN_OR, 0);
	dph_d_emit(code, RPN_POP_LV_N, flags);
}

/* --- return -------------------------------------------------------------------------------- */

/* The words go to the registers of a result when the handlers of the hit have run. */
static void give_back(struct d_record *record, struct d_node *node)
{
	const struct dph_d_check *c = record->check;
	const struct d_type type = dph_d_result_type(c);
	unsigned words = 0;
	if (!dph_d_check_return(c, node))
		return;
	if (node->list) {
		dph_d_lower_as(record->lower, node->list, &type);
		words = dph_d_is_long(c->d, &type) ? 2 : 1;
	}
	dph_d_emit(record->lower->code, RPN_RETURN, words);
}

/* --- only ----------------------------------------------------------------------------------- */

static bool is_comparison(enum d_operator op)
{
	return op == D_OP_EQ || op == D_OP_NE || op == D_OP_LT || op == D_OP_LE || op == D_OP_GT ||
	       op == D_OP_GE;
}

bool dph_d_is_text_field(const struct dph_format_field *field)
{
	return field->form == DPH_FIELD_STRING || field->form == DPH_FIELD_TEXT ||
	       field->form == DPH_FIELD_CHARACTERS || field->form == DPH_FIELD_PROBE ||
	       field->form == DPH_FIELD_NUMBER ||
	       (field->form == DPH_FIELD_COMPUTED && dph_function_is_text(field->function));
}

static bool is_byte_field(const struct dph_format_field *field)
{
	return field->form == DPH_FIELD_BYTES || field->form == DPH_FIELD_OBJECT;
}

/* A value that conditions compare: a number, a pointer, a text, or an address by its name. Returns
 * false: said. */
static bool record_compared(struct d_record *record, struct d_node *node, uint32_t *field,
			    bool *text)
{
	const struct dph_d_check *c = record->check;
	bool address;
	if (!dph_d_record_any(record, node, field, &address))
		return false;
	*text = dph_d_is_text_field(&record->fields[*field]) || dph_d_calls(node, D_CALL_SYMBOL) ||
		dph_d_calls(node, D_CALL_MODULE);
	if (*text || (!address && !is_byte_field(&record->fields[*field]) &&
		      dph_d_type_scalar(&node->is.type)))
		return true;
	dph_d_error(c->d, D_OP_SCALAR, node->place,
		    "only() compares numbers and strings; this is %s",
		    node->is.type.kind == D_TYPE_NONE || dph_d_type_scalar(&node->is.type)
			    ? "neither"
			    : dph_d_type_text(c->d, &node->is.type));
	return false;
}

/* The type that C gives both operands, behind the operator. */
static const char *comparison_text(const struct d_front *d, const struct d_node *node)
{
	const struct d_type word = dph_d_type_integer(d, d->program->target.word_bytes, false);
	const struct d_type *const of[] = {&node->a->is.type, &node->b->is.type};
	struct d_type both[2];
	for (size_t i = 0; i < 2; i++)
		both[i] = of[i]->kind == D_TYPE_INTEGER ? dph_d_type_promoted(d, of[i]) : word;
	const struct d_type common = dph_d_type_common(d, &both[0], &both[1]);
	return dph_pool_print(d->pool, "%s %u%s", dph_d_operators[node->op].text, common.bytes,
			      common.is_signed ? "" : "u");
}

static void only_comparison(struct d_record *record, struct d_node *node)
{
	uint32_t fields[2];
	bool text[2];
	if (!record_compared(record, node->a, &fields[0], &text[0]) ||
	    !record_compared(record, node->b, &fields[1], &text[1]))
		return;
	if (text[0] == text[1])
		dph_d_record_action(record, DPH_ACTION_ONLY,
				    text[0] ? dph_d_operators[node->op].text
					    : comparison_text(record->check->d, node),
				    fields, 2);
	else
		dph_d_error(record->check->d, D_OP_INCOMPAT, node->place,
			    "one of the operands is a string, and the other a number");
}

static bool has_host(const struct d_node *node)
{
	return node && (dph_d_calls(node, D_CALL_HOST) || has_host(node->a) || has_host(node->b) ||
			has_host(node->c) || has_host(node->list) || has_host(node->next));
}

/* The host compares, and joins nothing. Returns false: said. */
static bool is_plain(struct d_record *record, const struct d_node *node)
{
	const bool joins = (node->kind == D_NODE_BINARY &&
			    (node->op == D_OP_OR_OR || node->op == D_OP_XOR_XOR)) ||
			   (node->kind == D_NODE_UNARY && node->op == D_OP_NOT) ||
			   node->kind == D_NODE_CHOICE;
	if (!joins || !(has_host(node->a) || has_host(node->b) || has_host(node->c)))
		return true;
	dph_d_error(
		record->check->d, D_HOST_ONLY, node->place,
		"only() joins what the host compares by && alone; write a clause for each case");
	return false;
}

/* Each part of a && b is a condition of its own. */
static void only_part(struct d_record *record, struct d_node *node)
{
	uint32_t field;
	bool text;
	if (node->kind == D_NODE_BINARY && node->op == D_OP_AND_AND) {
		only_part(record, node->a);
		only_part(record, node->b);
	} else if (node->kind == D_NODE_BINARY && is_comparison(node->op)) {
		only_comparison(record, node);
	} else if (is_plain(record, node) && record_compared(record, node, &field, &text)) {
		dph_d_record_action(record, DPH_ACTION_ONLY, "", &field, 1);
	}
}

static void only(struct d_record *record, struct d_node *node)
{
	const size_t others = record->action_count;
	if (!record->only && others)
		dph_d_error(record->check->d, D_SYNTAX, node->place,
			    "only() stands before the actions whose record it decides");
	only_part(record, node->list);
	record->only = true;
}

/* What the target does itself cannot wait for the host. */
static void refuse_with_only(const struct d_record *record, const struct d_node *node)
{
	const bool counts = dph_d_is_aggregation(node) && !dph_d_has_stack_key(node->a);
	if (record->only && (counts || dph_d_calls(node, D_CALL_EXIT)))
		dph_d_error(record->check->d, D_HOST_ONLY, node->place,
			    "the host decides only(), and the target %s; use a predicate",
			    counts ? "updates aggregations" : "ends the program");
}

/* The recorder stops behind the record of the handler. */
static void freeze(struct d_record *record, struct d_node *node)
{
	const struct dph_d_check *c = record->check;
	struct d_node *count = node->list;

	if (c->d->lacks >> DP_PART_FLIGHT & 1) {
		dph_d_error(c->d, D_HERE_STEP, node->place,
			    "this agent has no flight recorder; build the firmware with "
			    "DP_WITH_HISTORY");
		return;
	}
	if (count &&
	    (!dph_d_check_scalar(c, count, D_PROTO_ARG, "the number of records") ||
	     !count->is.constant || count->is.number < 1 || count->is.number > INT32_MAX)) {
		dph_d_error(c->d, D_PROTO_ARG, count->place,
			    "the number of records until the flight recorder freezes is a "
			    "constant from 1 on");
		return;
	}
	dph_d_push(record->lower->code, count ? (int64_t)count->is.number : 0);
	dph_d_emit(record->lower->code, RPN_FREEZE, 0);
}

/* sym(e) alone is trace(sym(e)). */
static void alone(struct d_record *record, struct d_node *node)
{
	uint32_t field;
	bool address;
	if (dph_d_record_any(record, node, &field, &address))
		dph_d_record_action(record, address ? DPH_ACTION_SYM : DPH_ACTION_TRACE, "", &field,
				    1);
}

static void act_printa(struct d_record *record, struct d_node *node)
{
	dph_d_act(record, node, DPH_ACTION_PRINTA);
}

static void act_clear(struct d_record *record, struct d_node *node)
{
	dph_d_act(record, node, DPH_ACTION_CLEAR);
}

static void act_trunc(struct d_record *record, struct d_node *node)
{
	dph_d_act(record, node, DPH_ACTION_TRUNC);
}

static void act_normalize(struct d_record *record, struct d_node *node)
{
	dph_d_act(record, node, DPH_ACTION_NORMALIZE);
}

static void act_denormalize(struct d_record *record, struct d_node *node)
{
	dph_d_act(record, node, DPH_ACTION_DENORMALIZE);
}

static void (*const calls[D_CALLS])(struct d_record *, struct d_node *) = {
#define CALL(how, check, code, record) record,
#include "lang/d/read/calls.def"
};

static void call(struct d_record *record, struct d_node *node)
{
	const struct d_function *function = dph_d_check_function(record->check, node);
	if (function)
		calls[function->how](record, node);
}

void dph_d_action(struct d_record *record, struct d_node *node)
{
	const struct dph_place outer = record->lower->code->place;
	record->lower->code->place = node->place;
	refuse_with_only(record, node);
	if (dph_d_is_aggregation(node)) {
		dph_d_aggregate(record, node);
	} else if (node->kind == D_NODE_CALL) {
		call(record, node);
	} else {
		dph_d_check(record->check, node);
		if (!dph_d_wrong(node) && node->is.home != D_HOME_FIELD)
			dph_d_lower_effect(record->lower, node);
	}
	record->lower->code->place = outer;
}
