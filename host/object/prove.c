/* SPDX-License-Identifier: BSD-2-Clause */
/* The prover finds the longest path through a program. A node is a block together with the
 * exception handler that is set at its entry (dispatch clears the handler: decisions.txt C104,
 * C105). Edges are jumps, falls and exceptions. Only the step budget bounds a path that returns to
 * one of its nodes. Each procedure is measured once. */
#include "prove.h"

#include "dp_bytes.h"
#include "dp_config.h"
#include "object_read.h"
#include "dp_rpn.h"
#include "tables/ops.h"
#include "base/pool.h"

#include <stdlib.h>

enum {
	NODES_MAX = 1 << 20,
	DEPTH_MAX = 20000
};

struct bound {
	uint32_t steps, log;
};

enum state {
	NEW,
	OPEN,
	DONE
};

struct node {
	enum state state;
	struct bound bound; /* from the begin of this block to the end of the handler */
};

struct prover {
	struct dp_program_info program;
	const uint8_t *maps; /* rows of the section MAPS */
	uint32_t *blocks;    /* code offsets of markers */
	size_t block_count, block_capacity;
	uint32_t *block_of; /* by code offset of a marker */
	uint32_t *handlers; /* block indices that an sx names; the handler numbered i + 1 */
	size_t handler_count, handler_capacity;
	struct node *nodes;
	unsigned depth;
	struct dph_proof *proof;
};

struct insn {
	const struct dph_op *op;
	uint32_t value, next;
};

static struct insn decode(const struct prover *p, uint32_t at)
{
	struct insn i = {.op = dph_op_find(p->program.code[at])};
	unsigned bytes = rpn_operand_bytes(i.op->operand, p->program.word_bytes);
	const uint8_t *b = p->program.code + at + 1;
	if (bytes == 1)
		i.value = *b;
	else if (bytes == 2)
		i.value = p->program.big_endian ? dp_get_u16(b) : (uint32_t)(b[1] << 8 | b[0]);
	i.next = at + 1 + bytes;
	return i;
}

/* --- bounds -------------------------------------------------------------------------------- */

static uint32_t plus(uint32_t a, uint32_t b)
{
	return a == DPH_UNBOUNDED || b == DPH_UNBOUNDED || a + b < a ? DPH_UNBOUNDED : a + b;
}

static struct bound both(struct bound a, struct bound b)
{
	return (struct bound){plus(a.steps, b.steps), plus(a.log, b.log)};
}

static struct bound larger(struct bound a, struct bound b)
{
	return (struct bound){a.steps > b.steps ? a.steps : b.steps, a.log > b.log ? a.log : b.log};
}

static uint32_t trace_words(const struct prover *p)
{
	return (p->program.excpt_log + p->program.word_bytes - 1) / p->program.word_bytes;
}

/* Steps of an instruction with a map, at most: an entry that is freed may move all others. */
static uint32_t map_steps(const struct prover *p, const struct insn *i)
{
	const uint8_t *row = p->maps + (size_t)i->value * DP_MAP_BYTES;
	const uint8_t *of =
		row[DP_MAP_KIND] == DP_MAP_VIEW ? p->maps + row[DP_MAP_OF] * DP_MAP_BYTES : row;
	const uint32_t places = dp_get_u16(of + DP_MAP_PLACES);
	const uint32_t looks = places < DP_MAP_LOOKS ? places : DP_MAP_LOOKS;
	if (i->op->code == RPN_BUCKET)
		return dp_get_u32(row + DP_MAP_A) == DP_SCALE_POWERS   ? RPN_POWERS_STEPS
		       : dp_get_u32(row + DP_MAP_A) == DP_SCALE_LINEAR ? RPN_LINEAR_STEPS
								       : RPN_MAGNITUDES_STEPS;
	return RPN_MAP_STEPS + row[DP_MAP_KEYS] + row[DP_MAP_VALUES] + looks +
	       (i->op->code == RPN_POP_MAP ? places + looks : 0);
}

/* The words that one instruction adds to the count of its block's marker, and to the log. */
static struct bound cost_of(const struct prover *p, const struct insn *i)
{
	uint32_t word = p->program.word_bytes, room = (p->program.logmax + word - 1) / word;
	switch (i->op->code) {
	case RPN_LOG_N:
		return (struct bound){i->value < room ? i->value : room, i->value * word};
	case RPN_DUP_N:
	case RPN_ROS_N:
		return (struct bound){i->value, 0};
	case RPN_LOG:
	case RPN_LOG_STR:
	case RPN_LOG_MRF:
	case RPN_LOG_LV:
	case RPN_LOG_GV:
		return (struct bound){room, DPH_UNBOUNDED};
	case RPN_LOG_ST:
		return (struct bound){trace_words(p), 0};
	case RPN_DUP:
		return (struct bound){DPH_UNBOUNDED, 0};
	case RPN_PUSH_SPEC:
		return (struct bound){DP_SPEC_BUFFERS_MAX, 0};
	case RPN_LOG_SPEC:
		return (struct bound){2 * ((p->program.logmax + 3u) / 4 + DP_SPEC_HEAD_BYTES / 4),
				      0};
	case RPN_PUSH_MAP:
	case RPN_POP_MAP:
	case RPN_ADD_MAP:
	case RPN_BUCKET:
		return (struct bound){map_steps(p, i), 0};
	default:
		if (i->op->code >= RPN_LADD && i->op->code <= RPN_PUSH_NS)
			return (struct bound){rpn_long_steps(i->op->code), 0};
		if (i->op->code >= RPN_PUSH_NAME && i->op->code <= RPN_FIND)
			return (struct bound){rpn_string_steps(i->op->code, i->value) +
						      (i->op->code == RPN_FIND ? i->value : 0),
					      0};
		return (struct bound){0, 0};
	}
}

/* --- the walk ------------------------------------------------------------------------------ */

static struct bound measure(struct prover *p, uint32_t block, uint32_t handler);

static uint32_t handler_number(const struct prover *p, uint32_t block)
{
	for (size_t i = 0; i < p->handler_count; i++)
		if (p->handlers[i] == block)
			return (uint32_t)i + 1;
	return 0;
}

/* An exception: on with the handler, which is cleared. */
static struct bound dispatched(struct prover *p, uint32_t handler)
{
	struct bound trace = {p->program.autostacktrace ? trace_words(p) : 0, 0};
	if (!handler)
		return trace;
	return both(trace, measure(p, p->handlers[handler - 1], 0));
}

static struct bound leave(struct prover *p, const struct insn *last, uint32_t block,
			  uint32_t handler)
{
	struct bound bound = {0, 0};
	enum rpn_flow flow = last->op->flow;
	if (flow == RPN_FLOW_JUMP || flow == RPN_FLOW_COND)
		bound = measure(p, p->block_of[last->value], handler);
	if (flow == RPN_FLOW_COND || flow == RPN_FLOW_NEXT || flow == RPN_FLOW_CALL)
		bound = larger(bound, measure(p, block + 1, handler));
	return bound;
}

/* Walk the instructions of a block, then the next blocks. */
static struct bound walk(struct prover *p, uint32_t block, uint32_t handler)
{
	struct insn i = decode(p, p->blocks[block]);
	struct bound own = {i.value, 0}, after;
	uint32_t end = block + 1 < p->block_count ? p->blocks[block + 1] : p->program.code_bytes;
	after = dispatched(p, handler);
	while (i.next < end) {
		i = decode(p, i.next);
		own = both(own, cost_of(p, &i));
		if (i.op->code == RPN_SX)
			handler = handler_number(p, p->block_of[i.value]);
		else if (i.op->code == RPN_UX)
			handler = 0;
		else if (i.op->code == RPN_CALL)
			own = both(own, measure(p, p->block_of[i.value], 0));
		after = larger(after, dispatched(p, handler));
	}
	p->proof->calls |= i.op->flow == RPN_FLOW_CALL;
	return both(own, larger(after, leave(p, &i, block, handler)));
}

static struct bound measure(struct prover *p, uint32_t block, uint32_t handler)
{
	struct node *node = &p->nodes[block * (p->handler_count + 1) + handler];
	if (node->state == DONE)
		return node->bound;
	if (node->state == OPEN || p->depth >= DEPTH_MAX) {
		p->proof->loops = true;
		return (struct bound){DPH_UNBOUNDED, DPH_UNBOUNDED};
	}
	node->state = OPEN;
	p->depth++;
	node->bound = walk(p, block, handler);
	p->depth--;
	node->state = DONE;
	return node->bound;
}

/* --- blocks -------------------------------------------------------------------------------- */

static void find_blocks(struct prover *p)
{
	for (uint32_t at = 0; at < p->program.code_bytes;) {
		struct insn i = decode(p, at);
		if (i.op->operand == RPN_ARG_COUNT) {
			p->block_of[at] = (uint32_t)p->block_count;
			p->blocks = dph_grow(p->blocks, &p->block_capacity, p->block_count,
					     sizeof(*p->blocks));
			p->blocks[p->block_count++] = at;
		}
		at = i.next;
	}
}

static void find_handlers(struct prover *p)
{
	for (uint32_t at = 0; at < p->program.code_bytes;) {
		struct insn i = decode(p, at);
		if (i.op->code == RPN_SX && !handler_number(p, p->block_of[i.value])) {
			p->handlers = dph_grow(p->handlers, &p->handler_capacity, p->handler_count,
					       sizeof(*p->handlers));
			p->handlers[p->handler_count++] = p->block_of[i.value];
		}
		at = i.next;
	}
}

void dph_prove(const struct dp_object_file *object, struct dph_proof *proof)
{
	struct prover p = {.proof = proof};
	struct bound bound = {0, 0};
	*proof = (struct dph_proof){0};
	struct dph_section maps;
	dp_object_program(object, &p.program);
	dph_section(object, DP_SECTION_MAPS, &maps);
	p.maps = maps.data;
	p.block_of = dph_malloc(p.program.code_bytes * sizeof(*p.block_of));
	find_blocks(&p);
	find_handlers(&p);
	size_t nodes = p.block_count * (p.handler_count + 1);
	if (nodes > NODES_MAX) {
		bound = (struct bound){DPH_UNBOUNDED, DPH_UNBOUNDED};
		proof->loops = true;
	} else {
		p.nodes = dph_malloc(nodes * sizeof(*p.nodes));
		for (uint32_t i = 0; i < p.block_count; i++)
			if (p.program.code[p.blocks[i]] == RPN_HANDLER)
				bound = larger(bound, measure(&p, i, 0));
	}
	proof->steps_max = bound.steps;
	proof->log_max = bound.log;
	free(p.blocks);
	free(p.block_of);
	free(p.handlers);
	free(p.nodes);
}
