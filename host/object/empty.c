/* SPDX-License-Identifier: BSD-2-Clause */
/* This file follows every path through the handlers with two facts: the most words pushed, and
 * whether the log may still be empty. A procedure is followed once, with an empty log. */
#include "empty.h"

#include "base/pool.h"
#include "dp_bytes.h"
#include "dp_object.h"
#include "dp_rpn.h"
#include "tables/ops.h"
#include "tables/registers.h"

#include <stdlib.h>

enum {
	MANY = 0xffff,  /* words: the number is not known */
	VISITS_MAX = 4, /* then a way that comes again and pushes is a loop */
};

/* The facts known before an instruction. */
struct fact {
	uint16_t words;
	bool seen, nothing;
	uint8_t visits;
};

/* Of a procedure. */
enum effect {
	NEW,
	OPEN,
	LOGS, /* before it returns */
	SILENT,
};

struct follower {
	struct dp_program_info program;
	struct fact *facts;   /* by code offset */
	enum effect *effects; /* by code offset of the procedure */
	bool *silent_exits;   /* by code offset */
	bool returns_silent;  /* the procedure that is followed */
	uint32_t *waiting;    /* offsets with a changed fact */
	size_t waiting_count, waiting_capacity;
};

struct insn {
	const struct dph_op *op;
	uint32_t value, next;
};

static struct insn decode(const struct follower *f, uint32_t at)
{
	struct insn i = {.op = dph_op_find(f->program.code[at])};
	const unsigned bytes = rpn_operand_bytes(i.op->operand, f->program.word_bytes);
	const uint8_t *b = f->program.code + at + 1;
	if (bytes == 1)
		i.value = *b;
	else if (bytes == 2)
		i.value = f->program.big_endian ? dp_get_u16(b) : (uint32_t)(b[1] << 8 | b[0]);
	i.next = at + 1 + bytes;
	return i;
}

/* --- the two facts ------------------------------------------------------------------------- */

static unsigned register_words(const struct follower *f, uint32_t index)
{
	size_t count;
	const struct dp_reg *regs = dph_cpu_regs(dph_cpu_numbered(f->program.cpu), &count);
	for (size_t i = 0; i < count; i++)
		if (regs[i].index == index)
			return regs[i].words;
	return MANY;
}

static uint16_t words_after(const struct follower *f, const struct insn *i, uint16_t words)
{
	unsigned pops = i->op->pops, pushes = i->op->pushes;
	switch (i->op->code) {
	case RPN_LOG_N:
	case RPN_ROS_N:
	case RPN_RETURN:
		pops = i->value;
		break;
	case RPN_LOG:
		pops = 1; /* and as many as that word says */
		break;
	case RPN_DUP_N:
		pushes = i->value + 1;
		break;
	case RPN_PUSH_MEM_64:
		pushes = 8 / f->program.word_bytes;
		break;
	case RPN_PUSH_R:
	case RPN_PUSH_U:
		pops = 0;
		pushes = register_words(f, i->value);
		break;
	default:
		break;
	}
	if (words == MANY || pops == DPH_VARIES || pushes == DPH_VARIES)
		return MANY;
	const unsigned after = (words > pops ? words - pops : 0) + pushes;
	return after < MANY ? (uint16_t)after : MANY;
}

/* Return whether the record may have data after this instruction. A code that was set counts,
 * too. */
static bool says_something(const struct insn *i)
{
	switch (i->op->code) {
	case RPN_LOG_N:
		return i->value != 0;
	case RPN_LOG:
	case RPN_LOG_STR:
	case RPN_LOG_MRF:
	case RPN_LOG_LV:
	case RPN_LOG_GV:
	case RPN_LOG_ST:
	case RPN_SETMIN:
	case RPN_SETMIN_N:
	case RPN_SETMAJ:
	case RPN_SETMAJ_N:
		return true;
	default:
		return false;
	}
}

/* --- the ways ------------------------------------------------------------------------------ */

static void reach(struct follower *f, uint32_t at, struct fact fact)
{
	struct fact *known = &f->facts[at];
	const bool more =
		!known->seen || fact.words > known->words || (fact.nothing && !known->nothing);
	if (!more)
		return;
	if (known->seen && fact.words > known->words && ++known->visits > VISITS_MAX)
		fact.words = MANY;
	known->words = fact.words > known->words ? fact.words : known->words;
	known->nothing |= fact.nothing;
	known->seen = true;
	f->waiting =
		dph_grow(f->waiting, &f->waiting_capacity, f->waiting_count, sizeof(*f->waiting));
	f->waiting[f->waiting_count++] = at;
}

static bool may_return_silent(struct follower *f, uint32_t proc);

static void step(struct follower *f, uint32_t at)
{
	const struct insn i = decode(f, at);
	const struct fact before = f->facts[at];
	struct fact after = {.words = words_after(f, &i, before.words),
			     .nothing = before.nothing && !says_something(&i)};
	if (i.op->code == RPN_EXIT)
		f->silent_exits[at] |= before.nothing;
	if (i.op->code == RPN_RET)
		f->returns_silent |= before.nothing;
	if (i.op->flow == RPN_FLOW_CALL) {
		after.words = MANY;
		after.nothing = before.nothing && may_return_silent(f, i.value);
	}
	if (i.op->code == RPN_SX) /* an exception leads there, from anywhere behind */
		reach(f, i.value, (struct fact){.words = MANY, .nothing = before.nothing});
	if (i.op->flow == RPN_FLOW_JUMP || i.op->flow == RPN_FLOW_COND)
		reach(f, i.value, after);
	if (i.op->flow != RPN_FLOW_JUMP && i.op->flow != RPN_FLOW_END)
		reach(f, i.next, after);
}

static void follow(struct follower *f, uint32_t at, uint16_t words)
{
	const size_t floor = f->waiting_count;
	reach(f, at, (struct fact){.words = words, .nothing = true});
	while (f->waiting_count > floor)
		step(f, f->waiting[--f->waiting_count]);
}

/* A procedure that calls itself is taken for one that logs. */
static bool may_return_silent(struct follower *f, uint32_t proc)
{
	const bool outer = f->returns_silent;
	if (f->effects[proc] == NEW) {
		f->effects[proc] = OPEN;
		f->returns_silent = false;
		follow(f, proc, MANY);
		f->effects[proc] = f->returns_silent ? SILENT : LOGS;
		f->returns_silent = outer;
	}
	return f->effects[proc] == SILENT;
}

static void follow_all(struct follower *f, const struct dp_object_file *object)
{
	*f = (struct follower){0};
	dp_object_program(object, &f->program);
	f->facts = dph_malloc(f->program.code_bytes * sizeof(*f->facts));
	f->effects = dph_malloc(f->program.code_bytes * sizeof(*f->effects));
	f->silent_exits = dph_malloc(f->program.code_bytes * sizeof(*f->silent_exits));
	for (uint32_t at = 0; at < f->program.code_bytes; at = decode(f, at).next)
		if (f->program.code[at] == RPN_HANDLER)
			follow(f, at, 0);
}

static void done(struct follower *f)
{
	free(f->facts);
	free(f->effects);
	free(f->silent_exits);
	free(f->waiting);
}

static void add(struct dph_empty *found, uint32_t at)
{
	found->offsets =
		dph_grow(found->offsets, &found->capacity, found->count, sizeof(*found->offsets));
	found->offsets[found->count++] = at;
}

/* The least number of words that a `log` takes from the stack: a stack operand is one. */
static uint32_t words_logged(const struct insn *i)
{
	return i->op->code == RPN_LOG_N ? i->value : i->op->code == RPN_LOG ? 1 : 0;
}

void dph_find_unpushed(const struct dp_object_file *object, struct dph_empty *found)
{
	struct follower f;
	follow_all(&f, object);
	*found = (struct dph_empty){0};
	for (uint32_t at = 0; at < f.program.code_bytes;) {
		const struct insn i = decode(&f, at);
		if (f.facts[at].seen && f.facts[at].words < words_logged(&i))
			add(found, at);
		at = i.next;
	}
	done(&f);
}

void dph_find_silent(const struct dp_object_file *object, struct dph_empty *found)
{
	struct follower f;
	follow_all(&f, object);
	*found = (struct dph_empty){0};
	for (uint32_t at = 0; at < f.program.code_bytes; at++)
		if (f.silent_exits[at])
			add(found, at);
	done(&f);
}

void dph_empty_free(struct dph_empty *found)
{
	free(found->offsets);
	*found = (struct dph_empty){0};
}
