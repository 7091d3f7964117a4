/* SPDX-License-Identifier: BSD-2-Clause */
/* Clauses of a point become one handler, in the order of the program. A false predicate skips its
 * clause. A hit in which no clause recorded sends nothing. */
#define _GNU_SOURCE
#include "handler.h"

#include <stdlib.h>
#include <string.h>

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

/* A handler in the making. */
struct handler {
	struct d_lower lower;
	struct dph_format_clause *clauses; /* segments */
	size_t clause_count, recording;    /* segments that record */
	uint64_t bytes;       /* the most data so far; texts of the target count as empty */
	unsigned nested;      /* `if` around the statement */
	bool exits, exits_if; /* the clause says exit: at its top, inside of an `if` */
	bool flagged;         /* whether a clause has recorded is known at run time only */
};

/* --- what records ------------------------------------------------------------------------- */

static bool statement_records(const struct d_statement *s)
{
	bool string;
	return s->kind == D_STATEMENT_EXPRESSION &&
	       (s->expression->kind == D_NODE_CALL || dph_d_wrapped(s->expression, &string));
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

/* Does a hit that has passed the predicate record something, whatever its conditions are? */
static bool body_records(const struct d_clause *clause)
{
	bool records = clause->empty;
	for (const struct d_statement *s = clause->body; s; s = s->next)
		records = records || statement_records(s);
	return records;
}

/* Does an `if` of the list say exit? inside: the list is in an `if`. */
static bool says_exit(const struct d_statement *list, bool inside)
{
	bool says = false;
	for (; list; list = list->next)
		if (list->kind == D_STATEMENT_IF)
			says = says || says_exit(list->yes, true) || says_exit(list->no, true);
		else
			says = says || (inside && list->expression->kind == D_NODE_CALL &&
					strcmp(list->expression->text, "exit") == 0);
	return says;
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
	settle(h->lower.check.d, record);
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

/* The number of the segment stands in front of its data. Returns the bytes of the number. */
static uint64_t begin_segment(struct handler *h)
{
	if (h->recording < 2)
		return 0;
	dph_d_push(h->lower.code, h->clause_count);
	dph_d_emit(h->lower.code, RPN_LOG_N, 1);
	return h->lower.code->word_bytes;
}

static void end_segment(struct handler *h, struct d_record *record)
{
	dph_d_record_flush(record);
	h->bytes += dph_d_record_bytes_least(record);
	if (h->flagged)
		set_flag(h, D_TEMP_RECORDED, 1);
	if (record->exits && h->nested)
		set_flag(h, D_TEMP_EXITS, 1);
	h->exits = h->exits || (record->exits && !h->nested);
	keep_layout(h, record);
}

/* Statements up to the next `if`. Returns what follows. */
static struct d_statement *segment(struct handler *h, struct d_statement *list)
{
	struct d_record record = {.lower = &h->lower};
	struct d_statement *s;
	bool records = false;
	for (s = list; s && s->kind != D_STATEMENT_IF; s = s->next)
		records = records || statement_records(s);
	if (records)
		h->bytes += begin_segment(h);
	for (s = list; s && s->kind != D_STATEMENT_IF; s = s->next)
		dph_d_action(&record, s->expression);
	if (records)
		end_segment(h, &record);
	return s;
}

static void statements(struct handler *h, struct d_statement *list);

static void condition(struct handler *h, struct d_statement *s)
{
	struct d_lower *l = &h->lower;
	const size_t no = dph_d_label(l->code), end = dph_d_label(l->code);
	if (!dph_d_check_scalar(&l->check, s->expression, D_OP_SCALAR, "the condition"))
		return;
	dph_d_lower_branch(l, s->expression, false, no);
	h->nested++;
	const uint64_t before = h->bytes;
	statements(h, s->yes);
	const uint64_t yes = h->bytes;
	h->bytes = before;
	if (s->no)
		dph_d_emit(l->code, RPN_JMP, end);
	dph_d_put(l->code, no);
	statements(h, s->no);
	h->bytes = yes > h->bytes ? yes : h->bytes;
	h->nested--;
	dph_d_put(l->code, end);
}

static void statements(struct handler *h, struct d_statement *list)
{
	while (list)
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
	struct d_record record = {.lower = &h->lower};
	h->bytes += begin_segment(h);
	dph_d_record_firing(&record);
	end_segment(h, &record);
}

/* A clause that has said exit goes on to its end; no later clause runs. */
static void leave(struct handler *h, size_t end)
{
	struct d_code *code = h->lower.code;
	if (h->exits) {
		dph_d_emit(code, RPN_JMP, end);
	} else if (h->exits_if) {
		const size_t on = dph_d_label(code);
		dph_d_emit(code, RPN_PUSH_LV_N, dph_d_temp(&h->lower, D_TEMP_EXITS));
		dph_d_emit(code, RPN_JZ, on);
		dph_d_emit(code, RPN_JMP, end);
		dph_d_put(code, on);
	}
}

/* out: where a false predicate leads. */
static void clause(struct handler *h, struct d_clause *c, size_t out, size_t end)
{
	struct d_lower *l = &h->lower;
	l->check.clause = c;
	l->depth = 0;
	l->code->place = c->place;
	h->exits = false;
	h->exits_if = says_exit(c->body, false);
	if (h->exits_if)
		set_flag(h, D_TEMP_EXITS, 0);
	if (c->predicate) {
		if (!dph_d_check_scalar(&l->check, c->predicate, D_PRED_SCALAR, "the predicate"))
			return;
		dph_d_lower_branch(l, c->predicate, false, out);
	}
	l->code->place = c->place;
	const uint64_t earlier = h->bytes;
	if (c->empty)
		firing(h);
	statements(h, c->body);
	leave(h, end);
	dph_d_record_fits(l->check.d, earlier, h->bytes - earlier, c->place);
}

/* --- handlers ------------------------------------------------------------------------------ */

/* A clause without a predicate records at each hit. */
static bool always_records(const struct d_point *point)
{
	for (const struct d_match *m = point->matches; m; m = m->next)
		if (body_records(m->clause) && !m->clause->predicate)
			return true;
	return false;
}

static size_t count_clauses(const struct d_point *point, size_t *recording)
{
	size_t count = 0;
	*recording = 0;
	for (const struct d_match *m = point->matches; m; m = m->next) {
		count++;
		*recording += clause_segments(m->clause);
	}
	return count;
}

/* Send the record, where a clause has recorded. */
static void finish(struct handler *h, bool always)
{
	struct d_code *code = h->lower.code;
	if (h->flagged) {
		const size_t none = dph_d_label(code);
		dph_d_emit(code, RPN_PUSH_LV_N, dph_d_temp(&h->lower, D_TEMP_RECORDED));
		dph_d_emit(code, RPN_JZ, none);
		dph_d_emit(code, RPN_EXIT, 0);
		dph_d_put(code, none);
		dph_d_emit(code, RPN_ABORT, 0);
	} else {
		dph_d_emit(code, always ? RPN_EXIT : RPN_ABORT, 0);
	}
}

static void make(struct handler *h, const struct d_point *point)
{
	struct d_code *code = h->lower.code;
	const size_t clauses = count_clauses(point, &h->recording), end = dph_d_label(code);
	const bool always = always_records(point);
	/* With one clause, where the handler goes says whether it has recorded. */
	const bool one = clauses == 1 && body_records(point->matches->clause);
	h->flagged = h->recording && !always && !one;
	h->clauses =
		dph_pool_take(h->lower.check.d->pool, (h->recording + 1) * sizeof(*h->clauses));
	code->place = point->place;
	if (h->flagged)
		set_flag(h, D_TEMP_RECORDED, 0);
	for (const struct d_match *m = point->matches; m; m = m->next) {
		const size_t next = dph_d_label(code);
		clause(h, m->clause, next, end);
		if (one)
			dph_d_put(code, end);
		if (one && m->clause->predicate)
			dph_d_emit(code, RPN_EXIT, 0);
		dph_d_put(code, next);
	}
	code->place = point->place;
	if (!one)
		dph_d_put(code, end);
	finish(h, always);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_field(const struct dph_format_field *a, const struct dph_format_field *b)
{
	return a->form == b->form && a->type == b->type && a->bytes == b->bytes &&
	       a->is_signed == b->is_signed && a->place == b->place && same_text(a->text, b->text);
}

static bool same_action(const struct dph_format_action *a, const struct dph_format_action *b)
{
	bool same = a->kind == b->kind && a->field_count == b->field_count &&
		    same_text(a->text, b->text);
	for (size_t i = 0; same && i < a->field_count; i++)
		same = a->fields[i] == b->fields[i];
	return same;
}

static bool same_clause(const struct dph_format_clause *a, const struct dph_format_clause *b)
{
	bool same = a->field_count == b->field_count && a->action_count == b->action_count;
	for (size_t i = 0; same && i < a->field_count; i++)
		same = same_field(&a->fields[i], &b->fields[i]);
	for (size_t i = 0; same && i < a->action_count; i++)
		same = same_action(&a->actions[i], &b->actions[i]);
	return same;
}

static bool same_layout(const struct dph_format_layout *a, const struct dph_format_layout *b)
{
	bool same = a->tagged == b->tagged && a->clause_count == b->clause_count;
	for (size_t i = 0; same && i < a->clause_count; i++)
		same = same_clause(&a->clauses[i], &b->clauses[i]);
	return same;
}

/* Find the layout of the handler's records, or add it. Equal code may record other texts and
 * types: the layout is found by itself, and not with the code. */
static uint32_t layout_of(struct d_front *d, const struct handler *h)
{
	struct d_format_table *f = d->formats;
	const struct dph_format_layout layout = {
		.tagged = h->recording > 1, .clauses = h->clauses, .clause_count = h->clause_count};
	for (size_t i = 0; i < f->layout_count; i++)
		if (same_layout(&f->layouts[i], &layout))
			return (uint32_t)i;
	f->layouts =
		dph_grow(f->layouts, &f->layout_capacity, f->layout_count, sizeof(*f->layouts));
	f->layouts[f->layout_count] = layout;
	return (uint32_t)f->layout_count++;
}

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

static void hand_over(struct handlers *all, struct handler *h, const struct d_point *point,
		      unsigned number)
{
	struct d_front *d = all->d;
	struct d_format_table *f = d->formats;
	struct dph_format_point named = {.layout = layout_of(d, h)};
	memcpy(named.part, point->part, sizeof(named.part));
	f->points = dph_grow(f->points, &f->point_capacity, f->point_count, sizeof(*f->points));
	f->points[f->point_count++] = named;
	dph_ir_point(d->program, &(struct dph_point){
					 .keyword = point->place,
					 .place = point->place,
					 .kind = DP_PROBE_BREAK,
					 .phase = point->phase,
					 .address = point->address,
					 .last = point->address,
					 .symbolic = point->symbolic,
					 .symbol_isa = point->isa,
					 .minor = (uint16_t)number,
					 .routine = routine_of(all, h, point),
				 });
}

void dph_d_handlers(struct d_front *d)
{
	struct handlers all = {.d = d};
	unsigned number = 0;
	for (const struct d_point *point = d->points; point && !dph_report_full(&d->report);
	     point = point->next) {
		struct d_code code = {.word_bytes = d->program->target.word_bytes};
		struct handler h = {.lower = {.check = {d, point, NULL}, .code = &code}};
		const size_t errors = d->report.messages->errors;
		make(&h, point);
		if (d->report.messages->errors == errors)
			hand_over(&all, &h, point, ++number);
		else
			dph_d_code_free(&code);
		if (d->report.messages->errors != errors)
			break; /* other points would say the same again */
	}
	for (size_t i = 0; i < all.count; i++)
		dph_d_code_free(&all.list[i].code);
	free(all.list);
}
