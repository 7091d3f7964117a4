/* SPDX-License-Identifier: BSD-2-Clause */
/* Guards of clauses. The data of a fault is words: all ones in place of a clause's number, the
 * number of the place that faulted, the exception, and its first parameter. */
#include "guard.h"

#include "dp_rpn.h"
#include "fault_place.h"
#include "format/format.h"

#include <stdlib.h>
#include <string.h>

/* Exceptions that instructions of D raise by what they find. The compiler excludes the others. */
enum {
	FAULTS = RPN_X_INVALID_ADDR | RPN_X_DIVIDE_BY_ZERO | RPN_X_LOG_OVERFLOW,
	WORDS_ALONE = 3, /* of the data; the record says that it is a fault */
	WORDS = 4
};

static unsigned exceptions_of(enum rpn_op op)
{
	switch ((unsigned)op) {
#define DP_OP(code, name, text, operand, pops, pushes, flow, group, exceptions, cost, part)        \
	case code:                                                                                 \
		return (exceptions);
#include "rpn_ops.def"
	default:
		return 0;
	}
}

static bool logs(const struct d_insn *insn)
{
	return exceptions_of(insn->op) & RPN_X_LOG_OVERFLOW;
}

static bool faults(const struct d_insn *insn, bool overflows)
{
	unsigned found = exceptions_of(insn->op) & FAULTS;
	if (!overflows)
		found &= ~(unsigned)RPN_X_LOG_OVERFLOW;
	return found && !insn->caught;
}

static bool range_faults(const struct d_code *code, size_t from, size_t to, bool overflows)
{
	bool found = false;
	for (size_t i = from; i < to; i++)
		found = found || faults(&code->insns[i], overflows);
	return found;
}

bool dph_d_can_fault(const struct d_code *code, bool overflows)
{
	return range_faults(code, 0, code->count, overflows);
}

static bool range_logs(const struct d_code *code, size_t from, size_t to)
{
	bool found = false;
	for (size_t i = from; i < to; i++)
		found = found || logs(&code->insns[i]);
	return found;
}

/* May data of the clause be in the log when it faults? Jumps lead forward. */
static bool leaves_data(const struct d_code *code, size_t from, bool overflows)
{
	bool logged = false, leaves = false;
	for (size_t i = from; i < code->count; i++) {
		logged = logged || logs(&code->insns[i]);
		leaves = leaves || (logged && faults(&code->insns[i], overflows));
	}
	return leaves;
}

/* --- the code of a fault: parm2 parm1 exception -- ------------------------------------------ */

/* The first fault of the hit stays for ERROR clauses. On the stack: the number of the place. */
static void remember(struct d_lower *l)
{
	const unsigned fault = dph_d_temp(l, D_TEMP_FAULT);
	const size_t later = dph_d_label(l->code);
	dph_d_emit(l->code, RPN_PUSH_LV_N, fault);
	dph_d_emit(l->code, RPN_JNZ, later);
	dph_d_emit(l->code, RPN_ROS_N, 1);
	dph_d_emit(l->code, RPN_DUP_N, 1);
	dph_d_add_constant(l, 1);
	dph_d_emit(l->code, RPN_POP_LV_N, fault);
	dph_d_emit(l->code, RPN_PUSH_X, 0);
	dph_d_emit(l->code, RPN_POP_LV_N, dph_d_temp(l, D_TEMP_FAULT_KIND));
	dph_d_emit(l->code, RPN_POP_LV_N, dph_d_temp(l, D_TEMP_FAULT_VALUE));
	dph_d_put(l->code, later);
	dph_d_emit(l->code, RPN_ROS_N, 1);
}

/* Give back the log as the clause found it. */
static void restore(struct d_lower *l, bool saved)
{
	if (saved)
		dph_d_emit(l->code, RPN_PUSH_LV_N, dph_d_temp(l, D_TEMP_LOGGED));
	else
		dph_d_push(l->code, 0);
	dph_d_emit(l->code, RPN_POP_LP, 0);
}

/* The exception ends the handler, behind the data. */
static void end_alone(struct d_lower *l)
{
	dph_d_emit(l->code, RPN_LOG_N, WORDS_ALONE);
	dph_d_emit(l->code, RPN_PUSH_X, 0);
	dph_d_emit(l->code, RPN_RX, 0);
}

static void tell(struct d_lower *l, const struct d_guard *guard)
{
	if (guard->errors)
		remember(l);
	dph_d_push(l->code, UINT64_MAX);
	dph_d_emit(l->code, RPN_LOG_N, WORDS);
	if (!guard->flagged)
		return;
	dph_d_push(l->code, 1);
	dph_d_emit(l->code, RPN_POP_LV_N, dph_d_temp(l, D_TEMP_RECORDED));
}

/* A run of instructions that have one place. */
struct run {
	size_t at;       /* its first instruction */
	unsigned number; /* of its place */
	size_t label;    /* of the code of its faults */
	bool asks;
};

/* Runs of a clause, in the order of the code. */
struct runs {
	struct run *list;
	size_t count, capacity;
};

static bool is_labelled(const struct d_code *code, size_t from, size_t to)
{
	bool found = false;
	for (size_t i = 0; i < code->label_count; i++)
		found = found || (code->labels[i] != SIZE_MAX && code->labels[i] > from &&
				  code->labels[i] <= to);
	return found;
}

/* Begin a run at the instruction, unless the one before goes on: control comes here from it alone,
 * and its place is the same. */
static void add_run(struct d_lower *l, struct runs *runs, struct run made, size_t last)
{
	const struct run *before = runs->count ? &runs->list[runs->count - 1] : NULL;
	if (before && before->asks == made.asks && before->number == made.number &&
	    !is_labelled(l->code, last, made.at))
		return;
	made.label = SIZE_MAX;
	for (size_t i = 0; i < runs->count; i++)
		if (runs->list[i].number == made.number && runs->list[i].asks == made.asks)
			made.label = runs->list[i].label;
	if (made.label == SIZE_MAX)
		made.label = dph_d_label(l->code);
	runs->list = dph_grow(runs->list, &runs->capacity, runs->count, sizeof(*runs->list));
	runs->list[runs->count++] = made;
}

static void find_runs(struct d_lower *l, const struct d_guard *guard, struct runs *runs)
{
	size_t last = guard->start;
	for (size_t i = guard->start; i < l->code->count; i++) {
		const bool asks = i < guard->body;
		if (!faults(&l->code->insns[i], guard->overflows))
			continue;
		add_run(l, runs,
			(struct run){.at = i,
				     .asks = asks,
				     .number = dph_d_fault_place(l->d, guard->clause, asks,
								 l->code->insns[i].place)},
			last);
		last = i;
	}
}

/* Does the clause take faults that are none of the clause? They leave no handler behind. */
static bool catches(const struct d_code *code, const struct d_guard *guard)
{
	bool found = false;
	for (size_t i = guard->start; i < code->count; i++)
		found = found || code->insns[i].caught;
	return found;
}

/* The handler of the first run of the part, from the begin of the part on. */
static void add_first(struct runs *runs, size_t at, struct run first)
{
	runs->list = dph_grow(runs->list, &runs->capacity, runs->count, sizeof(*runs->list));
	memmove(runs->list + at + 1, runs->list + at, (runs->count++ - at) * sizeof(first));
	runs->list[at] = first;
}

/* A part of the clause with one place has its handler from the begin on. */
static void spread(const struct d_code *code, struct runs *runs, const struct d_guard *guard,
		   bool asks)
{
	const bool caught = catches(code, guard);
	size_t first = SIZE_MAX;
	bool others = caught;
	for (size_t i = 0; i < runs->count; i++) {
		const struct run *run = &runs->list[i];
		if (run->asks != asks)
			continue;
		first = first == SIZE_MAX ? i : first;
		others = others || run->number != runs->list[first].number;
	}
	if (first == SIZE_MAX)
		return;
	if (caught)
		add_first(runs, first, runs->list[first]);
	runs->list[first].at = asks ? guard->start : guard->body;
	if (others)
		return;
	size_t kept = 0;
	for (size_t i = 0; i < runs->count; i++)
		if (runs->list[i].asks != asks || i == first)
			runs->list[kept++] = runs->list[i];
	runs->count = kept;
}

/* The number that the record has. ERROR clauses also take the clause from it. */
static uint64_t told_number(const struct d_guard *guard, const struct run *run)
{
	const uint64_t clause = 2 * (uint64_t)guard->clause + !run->asks;
	return guard->errors ? (uint64_t)run->number << DPH_FAULT_CLAUSE_BITS | clause
			     : run->number;
}

/* Push the number of the place. */
static void push_place(struct d_lower *l, const struct d_guard *guard, const struct runs *runs)
{
	const size_t common = dph_d_label(l->code);
	bool open = false;
	for (size_t i = 0; i < runs->count; i++) {
		bool there = false;
		for (size_t k = 0; k < i; k++)
			there = there || runs->list[k].label == runs->list[i].label;
		if (there)
			continue;
		if (open)
			dph_d_emit(l->code, RPN_JMP, common);
		dph_d_put(l->code, runs->list[i].label);
		dph_d_push(l->code, told_number(guard, &runs->list[i]));
		open = true;
	}
	dph_d_put(l->code, common);
}

/* --- the clause ---------------------------------------------------------------------------- */

/* Where exceptions of the code from instruction `at` on lead. */
static void set_handler(struct d_lower *l, size_t at, size_t label, bool save)
{
	const struct dph_place place = l->code->place;
	const struct d_insn insns[] = {
		{.op = RPN_SX, .value = label, .place = place},
		{.op = RPN_PUSH_LP, .value = 0, .place = place},
		{.op = RPN_POP_LV_N,
		 .value = save ? dph_d_temp(l, D_TEMP_LOGGED) : 0,
		 .place = place},
	};
	dph_d_insert(l->code, at, insns, save ? 3 : 1);
}

static void set_handlers(struct d_lower *l, const struct runs *runs, bool save)
{
	for (size_t i = runs->count; i-- > 0;)
		set_handler(l, runs->list[i].at, runs->list[i].label, save && i == 0);
}

bool dph_d_guard(struct d_lower *l, const struct d_guard *guard, size_t next)
{
	struct d_code *code = l->code;
	struct runs runs = {0};
	const bool leaves = leaves_data(code, guard->start, guard->overflows);
	const bool save = leaves && range_logs(code, 0, guard->start);
	find_runs(l, guard, &runs);
	if (!runs.count)
		return false;
	spread(code, &runs, guard, true);
	spread(code, &runs, guard, false);
	set_handlers(l, &runs, save);
	if (dph_op_find((uint8_t)code->insns[code->count - 1].op)->flow != RPN_FLOW_END)
		dph_d_emit(code, RPN_JMP, next);
	push_place(l, guard, &runs);
	free(runs.list);
	if (leaves)
		restore(l, save);
	if (guard->alone)
		end_alone(l);
	else
		tell(l, guard);
	return true;
}

/* --- a fault that is none of the clause ------------------------------------------------------- */

void dph_d_log_caught(struct d_lower *l)
{
	struct d_code *code = l->code;
	const size_t fault = dph_d_label(code), next = dph_d_label(code);
	dph_d_emit(code, RPN_SX, fault);
	dph_d_emit(code, RPN_LOG_STR, 0);
	code->insns[code->count - 1].caught = true;
	dph_d_emit(code, RPN_JMP, next);
	dph_d_put(code, fault);
	dph_d_emit(code, RPN_ROS_N, WORDS_ALONE);
	dph_d_put(code, next);
}

/* --- ERROR --------------------------------------------------------------------------------- */

enum {
	KIND_BAD_ADDRESS = 1, /* DTRACEFLT_BADADDR */
	KIND_DIVISION = 4     /* DTRACEFLT_DIVZERO */
};
_Static_assert((int)RPN_X_INVALID_ADDR == (int)KIND_BAD_ADDRESS &&
		       (int)RPN_X_DIVIDE_BY_ZERO >> 3 == (int)KIND_DIVISION,
	       "bits of the exception are the kind");

void dph_d_fault_argument(struct d_lower *l, unsigned n)
{
	struct d_code *code = l->code;
	switch (n) {
	case 1: /* two numbers for each clause, counted from 1 */
		dph_d_emit(code, RPN_PUSH_LV_N, dph_d_temp(l, D_TEMP_FAULT));
		dph_d_push(code, (1u << DPH_FAULT_CLAUSE_BITS) - 1);
		dph_d_emit(code, RPN_AND, 0);
		dph_d_add_constant(l, 1);
		dph_d_emit(code, RPN_SHR_N, 1);
		break;
	case 4:
		dph_d_emit(code, RPN_PUSH_LV_N, dph_d_temp(l, D_TEMP_FAULT_KIND));
		dph_d_emit(code, RPN_DUP_N, 1);
		dph_d_push(code, KIND_BAD_ADDRESS);
		dph_d_emit(code, RPN_AND, 0);
		dph_d_emit(code, RPN_XCHG, 0);
		dph_d_emit(code, RPN_SHR_N, 3);
		dph_d_push(code, KIND_DIVISION);
		dph_d_emit(code, RPN_AND, 0);
		dph_d_emit(code, RPN_OR, 0);
		break;
	default:
		dph_d_emit(code, RPN_PUSH_LV_N, dph_d_temp(l, D_TEMP_FAULT_VALUE));
		break;
	}
}
