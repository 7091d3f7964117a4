/* SPDX-License-Identifier: BSD-2-Clause */
/* Clauses of a point become one handler, in the order of the program. A false predicate skips its
 * clause. A hit in which no clause recorded sends nothing. */
#define _GNU_SOURCE
#include "handler.h"

#include "aggregation.h"
#include "lang/d/code/moment.h"
#include "lang/d/read/provided.h"

#include "fresh.h"
#include "lang/d/check/speculation.h"
#include "lang/d/code/speculation.h"
#include "lang/d/code/guard.h"

#include <stdlib.h>
#include <string.h>

enum {
	EXCEPTIONS = DP_RPN_EXCPT_MASK_DEFAULT | RPN_X_LOG_OVERFLOW
};

/* Code that several points may share. */
struct shared {
	struct d_code code;
	size_t routine;
};

struct handlers {
	struct d_front *d;
	struct shared *list;
	size_t count, capacity;
};

/* Data of a handler, in bytes. */
struct amount {
	uint64_t least, most; /* of the longest path; texts of the target are empty, or full */
};

/* A handler in the making. */
struct handler {
	struct dph_d_check check;
	struct d_lower lower;
	struct dph_format_clause *clauses; /* segments */
	size_t clause_count, recording;    /* segments that record */
	struct amount bytes;               /* so far */
	uint64_t sure;                     /* least bytes of the clauses that every hit runs */
	unsigned nested;                   /* `if` around the statement */
	bool exits, exits_if;              /* the clause says exit: at its top, inside of an `if` */
	bool flagged;                 /* whether a clause has recorded is known at run time only */
	bool speculates;              /* the record of the clause goes to a speculation */
	bool breaks;                  /* a clause may say breakpoint, panic or core */
	bool guarded;                 /* a clause may fault: */
	const struct d_point *errors; /* runs the ERROR clauses; null: there are none */
	struct d_guard guard;         /* of the clause at work */
};

/* --- what records ------------------------------------------------------------------------- */

static bool statement_records(const struct d_statement *s)
{
	bool string;
	return s->kind == D_STATEMENT_EXPRESSION && !dph_d_calls(s->expression, D_CALL_RETURN) &&
	       !dph_d_calls(s->expression, D_CALL_COMMIT) &&
	       !dph_d_calls(s->expression, D_CALL_DISCARD) &&
	       (s->expression->kind == D_NODE_CALL || dph_d_wrapped(s->expression, &string) ||
		(dph_d_is_aggregation(s->expression) && dph_d_has_stack_key(s->expression->a)));
}

/* Statements up to the next `if` are a segment. The data of a segment is there as a whole, or not
 * at all: the formats have a clause for each. */
static size_t count_segments(const struct d_statement *list)
{
	size_t count = 0;
	bool records = false;
	for (; list; list = list->next)
		if (list->kind == D_STATEMENT_IF) {
			count += records + count_segments(list->yes) + count_segments(list->no);
			records = false;
		} else {
			records = records || statement_records(list);
		}
	return count + records;
}

static size_t clause_segments(const struct d_clause *clause)
{
	return clause->empty ? 1 : count_segments(clause->body);
}

/* Does a hit that has passed the predicate send a record, whatever its conditions are? */
static bool body_records(const struct d_clause *clause)
{
	bool records = clause->empty;
	if (dph_d_speculates(clause))
		return false;
	for (const struct d_statement *s = clause->body; s; s = s->next)
		records = records || statement_records(s);
	return records;
}

/* Does the list call the action? inside: the list is in an `if`, or that does not count. */
static bool says(const struct d_statement *list, const char *action, bool inside)
{
	bool found = false;
	for (; list; list = list->next)
		if (list->kind == D_STATEMENT_IF)
			found = found || says(list->yes, action, true) ||
				says(list->no, action, true);
		else
			found = found || (inside && list->expression->kind == D_NODE_CALL &&
					  strcmp(list->expression->text, action) == 0);
	return found;
}

/* Does a clause of the point call one of the actions of enum d_break? */
static bool breaks(const struct d_point *point)
{
	static const char *const names[] = {"breakpoint", "panic", "core"};
	bool found = false;

	for (const struct d_match *m = point->matches; m; m = m->next)
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			found = found || says(m->clause->body, names[i], true);
	return found;
}

/* --- segments ------------------------------------------------------------------------------ */

/* A record's lists move to the pool. */
static void settle(struct d_front *d, struct d_record *record)
{
	struct dph_format_field *fields =
		dph_pool_take(d->pool, (record->field_count + 1) * sizeof(*fields));
	struct dph_format_action *actions =
		dph_pool_take(d->pool, (record->action_count + 1) * sizeof(*actions));
	if (record->field_count)
		memcpy(fields, record->fields, record->field_count * sizeof(*fields));
	if (record->action_count)
		memcpy(actions, record->actions, record->action_count * sizeof(*actions));
	free(record->fields);
	free(record->actions);
	record->fields = fields;
	record->actions = actions;
}

static void keep_layout(struct handler *h, struct d_record *record)
{
	settle(h->check.d, record);
	h->clauses[h->clause_count++] = (struct dph_format_clause){
		.fields = record->fields,
		.field_count = record->field_count,
		.actions = record->actions,
		.action_count = record->action_count,
	};
}

static void set_flag(struct handler *h, enum d_temp flag, uint64_t value)
{
	dph_d_push(h->lower.code, value);
	dph_d_emit(h->lower.code, RPN_POP_LV_N, dph_d_temp(&h->lower, flag));
}

static void add_bytes(struct handler *h, uint64_t least, uint64_t most)
{
	h->bytes.least += least;
	h->bytes.most += most;
}

static bool is_tagged(const struct handler *h)
{
	return h->recording > 1 || (h->guarded && !h->guard.alone);
}

/* The number of the segment stands in front of its data. */
static void begin_segment(struct handler *h)
{
	const unsigned word = h->lower.code->word_bytes;
	if (!is_tagged(h))
		return;
	dph_d_push(h->lower.code, h->clause_count);
	dph_d_emit(h->lower.code, RPN_LOG_N, 1);
	add_bytes(h, word, word);
}

static void end_segment(struct handler *h, struct d_record *record)
{
	dph_d_record_flush(record);
	add_bytes(h, dph_d_record_bytes_least(record), dph_d_record_bytes_most(record));
	if (h->flagged && !h->speculates)
		set_flag(h, D_TEMP_RECORDED, 1);
	if (record->exits && h->nested)
		set_flag(h, D_TEMP_EXITS, 1);
	h->exits = h->exits || (record->exits && !h->nested);
	keep_layout(h, record);
}

/* Statements up to the next `if`. Returns what follows. */
static struct d_statement *segment(struct handler *h, struct d_statement *list)
{
	struct d_record record = {.check = &h->check, .lower = &h->lower};
	struct d_statement *s;
	bool records = false;
	for (s = list; s && s->kind != D_STATEMENT_IF; s = s->next)
		records = records || statement_records(s);
	if (records)
		begin_segment(h);
	for (s = list; s && s->kind != D_STATEMENT_IF; s = s->next)
		dph_d_action(&record, s->expression);
	if (record.only && (s || h->nested)) /* the data behind the `if` is another segment */
		dph_d_error(
			h->check.d, D_SYNTAX, list->expression->place,
			"only() and 'if' do not go together; write a clause with a predicate for "
			"each case");
	if (records)
		end_segment(h, &record);
	return s;
}

static void statements(struct handler *h, struct d_statement *list);

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void condition(struct handler *h, struct d_statement *s)
{
	struct d_lower *l = &h->lower;
	const size_t no = dph_d_label(l->code), end = dph_d_label(l->code);
	if (!dph_d_check_number(&h->check, s->expression, D_OP_SCALAR, "the condition"))
		return;
	dph_d_lower_branch(l, s->expression, false, no);
	h->nested++;
	const struct amount before = h->bytes;
	statements(h, s->yes);
	const struct amount yes = h->bytes;
	h->bytes = before;
	if (s->no)
		dph_d_emit(l->code, RPN_JMP, end);
	dph_d_put(l->code, no);
	statements(h, s->no);
	h->bytes.least = larger(yes.least, h->bytes.least);
	h->bytes.most = larger(yes.most, h->bytes.most);
	h->nested--;
	dph_d_put(l->code, end);
}

static void statements(struct handler *h, struct d_statement *list)
{
	const struct dph_report *report = &h->check.d->report;
	while (list && !dph_report_full(report))
		if (list->kind == D_STATEMENT_IF) {
			condition(h, list);
			list = list->next;
		} else {
			list = segment(h, list);
		}
}

/* --- clauses ------------------------------------------------------------------------------- */

static void firing(struct handler *h)
{
	struct d_record record = {.check = &h->check, .lower = &h->lower};
	begin_segment(h);
	dph_d_record_firing(&record);
	end_segment(h, &record);
}

/* No other probe of the program runs. The host stops the program of an agent without `stop`. */
static void stop(struct handler *h)
{
	if (h->check.d->stops)
		dph_d_emit(h->lower.code, RPN_STOP, 0);
}

/* A clause that has said exit goes on to its end; no later clause runs. */
static void leave(struct handler *h, size_t end)
{
	struct d_code *code = h->lower.code;
	if (h->exits) {
		stop(h);
		dph_d_emit(code, RPN_JMP, end);
	} else if (h->exits_if) {
		const size_t on = dph_d_label(code);
		dph_d_emit(code, RPN_PUSH_LV_N, dph_d_temp(&h->lower, D_TEMP_EXITS));
		dph_d_emit(code, RPN_JZ, on);
		stop(h);
		dph_d_emit(code, RPN_JMP, end);
		dph_d_put(code, on);
	}
}

/* The predicate of the probe's declaration in a provider file; null: none. */
static struct d_node *declared_predicate(const struct d_point *point)
{
	return point->provided ? point->provided->predicate : NULL;
}

/* May a hit of the point pass the clause by? */
static bool is_conditional(const struct d_point *point, const struct d_clause *c)
{
	return c->predicate || c->there || declared_predicate(point);
}

/* out: where a false predicate leads. Returns false: the error is said. */
static bool ask(struct handler *h, struct d_node *predicate, size_t out)
{
	if (!predicate)
		return true;
	if (!dph_d_check_number(&h->check, predicate, D_PRED_SCALAR, "the predicate"))
		return false;
	dph_d_lower_branch(&h->lower, predicate, false, out);
	return true;
}

static void clause(struct handler *h, struct d_clause *c, size_t out, size_t end)
{
	struct d_lower *l = &h->lower;
	const struct amount earlier = h->bytes;
	l->depth = 0;
	h->guard.clause = c->number;
	h->guard.start = l->code->count;
	l->code->place = c->place;
	h->exits = false;
	h->exits_if = says(c->body, "exit", false);
	if (h->exits_if)
		set_flag(h, D_TEMP_EXITS, 0);
	h->speculates = dph_d_speculates(c);
	if (!dph_d_check_speculation(l->d, c))
		return;
	dph_d_moment_begin(l, h->check.point->provided, c);
	if (!ask(h, c->there, out) || !ask(h, declared_predicate(h->check.point), out) ||
	    !ask(h, c->predicate, out))
		return;
	l->code->place = c->place;
	h->guard.body = l->code->count;
	if (h->speculates)
		dph_d_speculation_begin(l);
	if (c->empty)
		firing(h);
	statements(h, c->body);
	const uint64_t bytes = h->bytes.least - earlier.least;
	if (h->speculates) {
		dph_d_speculation_end(l);
		h->bytes.least = earlier.least;
		dph_d_speculation_fits(l->d, bytes, c->place);
		return;
	}
	leave(h, end);
	dph_d_record_fits(l->d, h->sure, bytes, c->place);
	h->sure += is_conditional(h->check.point, c) ? 0 : bytes;
}

/* --- handlers ------------------------------------------------------------------------------ */

/* A clause without a predicate records at each hit. */
static bool always_records(const struct d_point *point)
{
	for (const struct d_match *m = point->matches; m; m = m->next)
		if (body_records(m->clause) && !is_conditional(point, m->clause))
			return true;
	return false;
}

/* The segments that record; those of ERROR clauses where the handler has them. sent: without those
 * of speculations. */
static size_t count_recording(const struct handler *h, const struct d_point *point, bool sent)
{
	size_t count = 0;
	for (const struct d_match *m = point->matches; m; m = m->next)
		count += sent && dph_d_speculates(m->clause) ? 0 : clause_segments(m->clause);
	return h->errors && h->errors != point ? count + count_recording(h, h->errors, sent)
					       : count;
}

/* Send the record, and end the handler as clauses have said. */
static void send(struct handler *h)
{
	static const struct {
		enum d_break bit;
		unsigned exit;
	} ends[] = {{D_BREAK_PANIC, 2}, {D_BREAK_BREAKPOINT, 1}, {D_BREAK_CORE, 3}};
	struct d_code *code = h->lower.code;
	for (size_t i = 0; h->breaks && i < sizeof(ends) / sizeof(*ends); i++) {
		const size_t none = dph_d_label(code);
		dph_d_emit(code, RPN_PUSH_LV_N, dph_d_temp(&h->lower, D_TEMP_BREAKS));
		dph_d_push(code, ends[i].bit);
		dph_d_emit(code, RPN_AND, 0);
		dph_d_emit(code, RPN_JZ, none);
		dph_d_emit(code, RPN_EXIT_N, ends[i].exit);
		dph_d_put(code, none);
	}
	dph_d_emit(code, RPN_EXIT, 0);
}

/* Send the record, where a clause has recorded. */
static void finish(struct handler *h, bool always)
{
	struct d_code *code = h->lower.code;
	if (h->flagged) {
		const size_t none = dph_d_label(code);
		dph_d_emit(code, RPN_PUSH_LV_N, dph_d_temp(&h->lower, D_TEMP_RECORDED));
		dph_d_emit(code, RPN_JZ, none);
		send(h);
		dph_d_put(code, none);
		dph_d_emit(code, RPN_ABORT, 0);
	} else if (always) {
		send(h);
	} else {
		dph_d_emit(code, RPN_ABORT, 0);
	}
}

/* The clauses of a point, each with its guard. end: behind them all. */
static void clauses(struct handler *h, const struct d_point *point, size_t end)
{
	struct d_code *code = h->lower.code;
	h->check.point = h->lower.point = point;
	for (const struct d_match *m = point->matches; m; m = m->next) {
		const size_t next = dph_d_label(code);
		clause(h, m->clause, next, end);
		if (h->guarded)
			dph_d_guard(&h->lower, &h->guard, next);
		dph_d_put(code, next);
	}
}

/* The ERROR clauses run once, behind a hit with faults. */
static void error_clauses(struct handler *h)
{
	struct d_code *code = h->lower.code;
	const size_t none = dph_d_label(code);
	dph_d_emit(code, RPN_PUSH_LV_N, dph_d_temp(&h->lower, D_TEMP_FAULT));
	dph_d_emit(code, RPN_JZ, none);
	h->guard.errors = false;
	clauses(h, h->errors, none);
	dph_d_put(code, none);
}

/* One clause that records: where the handler goes says whether it has recorded. */
static void only_clause(struct handler *h, const struct d_point *point)
{
	struct d_code *code = h->lower.code;
	const size_t next = dph_d_label(code), end = dph_d_label(code);
	clause(h, point->matches->clause, next, end);
	dph_d_put(code, end);
	if (is_conditional(point, point->matches->clause) || h->guarded)
		send(h);
	if (h->guarded)
		dph_d_guard(&h->lower, &h->guard, next);
	dph_d_put(code, next);
}

static void all_clauses(struct handler *h, const struct d_point *point)
{
	const size_t end = dph_d_label(h->lower.code);
	if (h->flagged)
		set_flag(h, D_TEMP_RECORDED, 0);
	if (h->errors)
		set_flag(h, D_TEMP_FAULT, 0);
	clauses(h, point, end);
	h->lower.code->place = point->place;
	dph_d_put(h->lower.code, end);
	if (h->errors)
		error_clauses(h);
}

static void make(struct handler *h, const struct d_point *point)
{
	const bool always = always_records(point);
	const bool alone = !point->matches->next && !h->errors;
	const bool one = alone && body_records(point->matches->clause);
	h->recording = count_recording(h, point, false);
	h->flagged = (count_recording(h, point, true) || (h->guarded && !alone)) && !always && !one;
	h->guard.alone = alone;
	h->guard.flagged = h->flagged;
	h->guard.errors = h->errors;
	h->clauses = dph_pool_take(h->check.d->pool, (h->recording + 1) * sizeof(*h->clauses));
	h->lower.code->place = point->place;
	dph_d_fresh(&h->check, &h->lower, point->matches);
	h->breaks = breaks(point) || (h->errors && breaks(h->errors));
	if (h->breaks)
		set_flag(h, D_TEMP_BREAKS, 0);
	if (h->errors)
		dph_d_fresh(&h->check, &h->lower, h->errors->matches);
	if (one)
		only_clause(h, point);
	else
		all_clauses(h, point);
	h->lower.code->place = point->place;
	finish(h, always);
}

/* --- the hand-over ------------------------------------------------------------------------- */

/* Hand over the code, or find an equal one. The handler's code is freed or kept.
 * Returns the routine. */
static size_t routine_of(struct handlers *all, struct handler *h, const struct d_point *point)
{
	for (size_t i = 0; i < all->count; i++)
		if (dph_d_code_same(&all->list[i].code, h->lower.code)) {
			dph_d_code_free(h->lower.code);
			return all->list[i].routine;
		}
	all->list = dph_grow(all->list, &all->capacity, all->count, sizeof(*all->list));
	all->list[all->count] = (struct shared){
		.code = *h->lower.code,
		.routine = dph_d_code_routine(all->d, h->lower.code, point->place),
	};
	return all->list[all->count++].routine;
}

/* The part that the agent lacks for an instruction, or for its map; DPH_CORE: none. */
static unsigned part_missing(const struct d_front *d, const struct d_insn *insn)
{
	const struct dph_op *op = dph_op_find((uint8_t)insn->op);
	const unsigned part = op->operand == RPN_ARG_MAP
				      ? dph_map_part(d->program->maps[insn->value].kind)
				      : DPH_CORE;
	if (op->part != DPH_CORE && d->lacks >> op->part & 1)
		return op->part;
	return part != DPH_CORE && d->lacks >> part & 1 ? part : DPH_CORE;
}

/* Has the agent what each instruction needs? Complains about the first one. */
static bool has_parts(struct d_front *d, const struct d_code *code)
{
	for (size_t i = 0; i < code->count; i++) {
		const unsigned part = part_missing(d, &code->insns[i]);
		if (part == DPH_CORE)
			continue;
		dph_d_error(d, D_HERE_STEP, code->insns[i].place,
			    "this agent was built without %s, which this needs; build the firmware "
			    "with DP_WITH_%s",
			    dp_part_sentence(part), dp_part_feature(part));
		return false;
	}
	return true;
}

/* The number of point_kinds.def. */
static unsigned kind_of(const struct d_point *point)
{
	if (point->watched)
		return point->watched->kind;
	if (point->timer)
		return DP_PROBE_TIMER;
	return dph_d_is_event(point) ? DP_PROBE_EVENT : DP_PROBE_BREAK;
}

/* Of a timer the seconds of its period, and how it runs. */
static uint64_t address_of(const struct d_point *point)
{
	if (point->watched)
		return point->watched->address;
	if (point->timer)
		return point->timer->seconds | (point->timer->sampled ? DP_TIMER_SAMPLED : 0);
	return point->address;
}

static void hand_over(struct handlers *all, struct handler *h, const struct d_point *point,
		      unsigned number)
{
	struct d_front *d = all->d;
	struct d_format_table *f = d->formats;
	const struct d_watched *watched = point->watched;
	const uint64_t address = address_of(point);
	const struct dph_format_layout layout = {
		.tagged = is_tagged(h),
		.guarded = h->guarded && h->guard.alone,
		.clauses = h->clauses,
		.clause_count = h->clause_count,
	};
	struct dph_format_point named = {.layout = dph_d_layout(d, &layout),
					 .optional = point->optional};
	memcpy(named.part, point->part, sizeof(named.part));
	f->points = dph_grow(f->points, &f->point_capacity, f->point_count, sizeof(*f->points));
	f->points[f->point_count++] = named;
	dph_ir_point(d->program, &(struct dph_point){
					 .keyword = point->place,
					 .place = point->place,
					 .kind = kind_of(point),
					 .phase = point->phase,
					 .address = address,
					 .last = watched ? address + watched->bytes - 1 : address,
					 .extent = point->timer ? point->timer->nanoseconds : 0,
					 .symbolic = point->symbolic,
					 .symbol_isa = point->isa,
					 .taken = point->taken,
					 .minor = (uint16_t)number,
					 .excpt_mask = {.given = true, .value = EXCEPTIONS},
					 .routine = routine_of(all, h, point),
					 .hook = point->hook,
				 });
}

/* A handler that may fault is made a second time, with guards. Returns false: an error is said. */
static bool make_guarded(struct handler *h, const struct d_point *point)
{
	struct d_front *d = h->check.d;
	const size_t errors = d->report.messages->errors;
	make(h, point);
	const bool overflows = h->bytes.most > d->log_max;
	if (d->report.messages->errors == errors && d->guards &&
	    dph_d_can_fault(h->lower.code, overflows)) {
		struct d_code *code = h->lower.code;
		dph_d_code_free(code);
		code->word_bytes = d->program->target.word_bytes;
		*h = (struct handler){
			.check = {d, point},
			.lower = {.d = d, .point = point, .code = code, .no_room = overflows},
			.guarded = true,
			.guard.overflows = overflows,
			.errors = d->errors};
		make(h, point);
	}
	return d->report.messages->errors == errors;
}

static void count_jumps(struct d_front *d, const struct d_code *code)
{
	unsigned count = 0;
	for (size_t i = 0; i < code->count; i++)
		count += dph_op_find((uint8_t)code->insns[i].op)->operand == RPN_ARG_LABEL;
	d->jumps = d->jumps > count ? d->jumps : count;
}

void dph_d_handlers(struct d_front *d)
{
	struct handlers all = {.d = d};
	unsigned number = 0;
	for (struct d_point *point = d->points; point; point = point->next)
		point->number = ++number;
	number = 0;
	for (const struct d_point *point = d->points; point && !dph_report_full(&d->report);
	     point = point->next) {
		struct d_code code = {.word_bytes = d->program->target.word_bytes};
		struct handler h = {.check = {d, point},
				    .lower = {.d = d, .point = point, .code = &code}};
		const bool good = make_guarded(&h, point) && has_parts(d, &code);
		count_jumps(d, &code);
		if (good)
			hand_over(&all, &h, point, ++number);
		else
			dph_d_code_free(&code);
		if (!good)
			break; /* other points would say the same again */
	}
	for (size_t i = 0; i < all.count; i++)
		dph_d_code_free(&all.list[i].code);
	free(all.list);
}
