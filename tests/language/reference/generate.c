/* SPDX-License-Identifier: BSD-2-Clause */
/* Routines and blocks (PROTOCOL.md 2.1), and the header of a program. */
#include "generate.h"

#include <string.h>

#define RANDOM(limit) random_below(&g->random, (limit))
#define ONE_IN(n)     random_one_in(&g->random, (n))

enum {
	LONGEST_PHRASE = 8
};

static void open_block(struct gen_state *g, uint8_t marker)
{
	struct gen_block *block = &g->gen->block[g->gen->blocks++];

	block->marker = marker;
	block->count = 0;
	if (ONE_IN(4)) /* or most programs would end at their first exception */
		gen_emit(g, RPN_SX, 0);
}

void gen_emit(struct gen_state *g, uint8_t op, uint64_t operand)
{
	struct gen_block *block = &g->gen->block[g->gen->blocks - 1];

	if (ref_op(op)->operand == RPN_ARG_LABEL)
		g->wants_label = true;
	block->ins[block->count++] = (struct gen_instruction){op, operand, GEN_NO_TARGET};
}

/* How the last block goes on. */
static enum rpn_flow last_flow(const struct gen_program *gen)
{
	const struct gen_block *block = &gen->block[gen->blocks - 1];

	if (block->count == 0)
		return RPN_FLOW_NEXT;
	return ref_op(block->ins[block->count - 1].op)->flow;
}

static void fill_block(struct gen_state *g, unsigned phrases)
{
	const struct gen_block *block = &g->gen->block[g->gen->blocks - 1];

	while (phrases-- > 0 && block->count < GEN_BLOCK_INSTRUCTIONS - LONGEST_PHRASE &&
	       last_flow(g->gen) == RPN_FLOW_NEXT)
		gen_phrase(g);
	if (block->count == 0)
		gen_emit(g, RPN_NOP, 0);
}

static bool ends_routine(enum rpn_flow flow)
{
	return flow == RPN_FLOW_JUMP || flow == RPN_FLOW_END;
}

/* Jumps and sx get a block of their routine, more often one further on; loops their own. */
static void choose_labels(struct gen_state *g, unsigned first)
{
	struct gen_program *gen = g->gen;
	unsigned labels = gen->blocks - first - 1;

	for (unsigned b = first; b < gen->blocks; b++) {
		for (unsigned i = 0; i < gen->block[b].count; i++) {
			struct gen_instruction *ins = &gen->block[b].ins[i];

			if (ref_op(ins->op)->operand != RPN_ARG_LABEL ||
			    ins->target != GEN_NO_TARGET)
				continue;
			do {
				ins->target = (uint16_t)(first + 1 + RANDOM(labels));
			} while (ins->target <= b && !ONE_IN(4) && first + 1 + labels > b + 1);
		}
	}
}

/* push n; block: ...; loop block */
static void counted_loop(struct gen_state *g)
{
	gen_push(g, 1 + RANDOM(6));
	open_block(g, RPN_BLOCK);
	fill_block(g, 1 + RANDOM(3));
	if (last_flow(g->gen) == RPN_FLOW_NEXT) {
		struct gen_block *block = &g->gen->block[g->gen->blocks - 1];

		gen_emit(g, RPN_LOOP, 0);
		block->ins[block->count - 1].target = (uint16_t)(g->gen->blocks - 1);
	}
}

static void make_routine(struct gen_state *g, uint8_t marker)
{
	unsigned first = g->gen->blocks, blocks;

	g->in_proc = marker == RPN_PROC;
	blocks = 1 + RANDOM(g->in_proc ? 4 : 8);
	g->wants_label = false;
	open_block(g, marker);
	for (;;) {
		fill_block(g, 1 + RANDOM(5));
		if (last_flow(g->gen) == RPN_FLOW_NEXT && ONE_IN(7))
			counted_loop(g);
		if (g->gen->blocks - first >= blocks)
			break;
		open_block(g, RPN_BLOCK);
	}
	if (last_flow(g->gen) == RPN_FLOW_NEXT)
		gen_end(g);
	if (!ends_routine(last_flow(g->gen)) || (g->wants_label && g->gen->blocks == first + 1)) {
		open_block(g, RPN_BLOCK);
		gen_end(g);
	}
	if (g->gen->blocks > first + 1)
		choose_labels(g, first);
}

/* Calls get any of the procedures, the own one included. */
static void choose_procs(struct gen_state *g)
{
	struct gen_program *gen = g->gen;
	uint16_t procs[GEN_BLOCKS];
	unsigned count = 0;

	for (unsigned b = 0; b < gen->blocks; b++)
		if (gen->block[b].marker == RPN_PROC)
			procs[count++] = (uint16_t)b;
	for (unsigned b = 0; b < gen->blocks; b++) {
		for (unsigned i = 0; i < gen->block[b].count; i++) {
			struct gen_instruction *ins = &gen->block[b].ins[i];

			if (count > 0 && ref_op(ins->op)->operand == RPN_ARG_PROC)
				ins->target = procs[RANDOM(count)];
		}
	}
}

static unsigned usual_or(struct gen_state *g, unsigned usual, unsigned limit)
{
	return ONE_IN(4) ? RANDOM(limit + 1) : RANDOM(usual);
}

static void make_header(struct gen_state *g, unsigned word_bits, bool big_endian)
{
	struct ref_program *header = &g->gen->header;

	memset(header, 0, sizeof *header);
	header->word_bits = word_bits;
	header->big_endian = big_endian;
	header->vars = usual_or(g, 6, RPN_VARS_MAX);
	header->gvars = usual_or(g, 6, RPN_VARS_MAX);
	header->jmpmax = ONE_IN(10) ? 65535 : RANDOM(ONE_IN(3) ? 10 : 100);
	header->logmax = usual_or(g, 80, 1024);
	header->excpt_log = usual_or(g, 250, 1024);
	header->excpt_mask = DP_RPN_EXCPT_MASK_DEFAULT;
	if (ONE_IN(3))
		header->excpt_mask = 0xffff;
	else if (ONE_IN(3))
		header->excpt_mask = (uint16_t)(0xffff & ~(1u << RANDOM(16)));
	else if (ONE_IN(8))
		header->excpt_mask = (uint16_t)random_bits(&g->random);
	header->major = (uint16_t)RANDOM(65536);
	header->minor = (uint16_t)RANDOM(65536);
	header->id = (uint32_t)random_bits(&g->random);
	header->offset = (uint32_t)random_bits(&g->random);
	if (word_bits == 64)
		header->offset = random_bits(&g->random);
	header->name_bytes = 1 + RANDOM(REF_NAME_BYTES);
	for (unsigned i = 0; i < header->name_bytes; i++)
		header->name[i] = (char)('!' + RANDOM('~' - '!' + 1));
	header->autostacktrace = ONE_IN(4);
}

void gen_make(struct gen_program *gen, uint64_t seed, unsigned word_bits, bool big_endian)
{
	struct gen_state state = {.random = {seed}, .gen = gen};
	struct gen_state *g = &state;
	unsigned procs, before;

	gen->seed = seed;
	gen->blocks = 0;
	gen_world(&g->random, &gen->world, word_bits);
	make_header(g, word_bits, big_endian);
	gen->stack_seed = random_bits(&g->random);
	gen->hits = 1 + RANDOM(2);
	procs = ONE_IN(3) ? 0 : RANDOM(4);
	before = RANDOM(procs + 1);
	g->procs = procs;
	for (unsigned i = 0; i < before; i++)
		make_routine(g, RPN_PROC);
	if (ONE_IN(8)) /* of another probe point */
		make_routine(g, RPN_HANDLER);
	gen->entry = gen->blocks;
	make_routine(g, RPN_HANDLER);
	for (unsigned i = before; i < procs; i++)
		make_routine(g, RPN_PROC);
	if (procs > 0)
		choose_procs(g);
}
