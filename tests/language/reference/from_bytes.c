/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes as a program that the verifier must accept: for fuzzing, where most changes to a real
 * object would only be refused. Opcodes as they come, operands big-endian; what means nothing is
 * left out, targets are taken modulo what there is, ends are added. */
#include <string.h>

#include "dp_bytes.h"
#include "generate.h"

enum {
	HEADER_BYTES = 16,
	BLOCK_FULL = GEN_BLOCK_INSTRUCTIONS - 2,
	BLOCKS_FULL = GEN_BLOCKS - 6,
	SMALL_VARS = 24,
};

static struct gen_block *last_block(struct gen_program *gen)
{
	return &gen->block[gen->blocks - 1];
}

static void add_block(struct gen_program *gen, uint8_t marker)
{
	gen->blocks++;
	last_block(gen)->marker = marker;
	last_block(gen)->count = 0;
}

static void add(struct gen_program *gen, uint8_t op, uint64_t operand)
{
	struct gen_block *block = last_block(gen);

	block->ins[block->count++] = (struct gen_instruction){op, operand, GEN_NO_TARGET};
}

static enum rpn_flow last_flow(struct gen_program *gen)
{
	const struct gen_block *block = last_block(gen);

	return block->count ? ref_op(block->ins[block->count - 1].op)->flow : RPN_FLOW_NEXT;
}

/* Give the routine that begins at block `first` an end and its labels. */
static void close_routine(struct gen_program *gen, unsigned first)
{
	bool wants_label = false;
	unsigned labels;

	if (last_flow(gen) == RPN_FLOW_COND || last_flow(gen) == RPN_FLOW_CALL)
		add_block(gen, RPN_BLOCK);
	if (last_flow(gen) == RPN_FLOW_NEXT)
		add(gen, gen->block[first].marker == RPN_PROC ? RPN_RET : RPN_EXIT, 0);
	for (unsigned b = first; b < gen->blocks; b++)
		for (unsigned i = 0; i < gen->block[b].count; i++)
			wants_label |= ref_op(gen->block[b].ins[i].op)->operand == RPN_ARG_LABEL;
	if (wants_label && gen->blocks == first + 1) {
		add_block(gen, RPN_BLOCK);
		add(gen, RPN_EXIT, 0);
	}
	labels = gen->blocks - first - 1;
	for (unsigned b = first; b < gen->blocks; b++) {
		for (unsigned i = 0; i < gen->block[b].count; i++) {
			struct gen_instruction *ins = &gen->block[b].ins[i];

			if (labels > 0 && ref_op(ins->op)->operand == RPN_ARG_LABEL)
				ins->target = (uint16_t)(first + 1 + ins->operand % labels);
		}
	}
}

/* The n-th procedure, modulo how many there are; without any, one is added. */
static void choose_procs(struct gen_program *gen)
{
	uint16_t procs[GEN_BLOCKS];
	unsigned count = 0;

	for (unsigned b = 0; b < gen->blocks; b++)
		if (gen->block[b].marker == RPN_PROC)
			procs[count++] = (uint16_t)b;
	if (count == 0) {
		procs[count++] = (uint16_t)gen->blocks;
		add_block(gen, RPN_PROC);
		add(gen, RPN_RET, 0);
	}
	for (unsigned b = 0; b < gen->blocks; b++) {
		for (unsigned i = 0; i < gen->block[b].count; i++) {
			struct gen_instruction *ins = &gen->block[b].ins[i];

			if (ref_op(ins->op)->operand == RPN_ARG_PROC)
				ins->target = procs[ins->operand % count];
		}
	}
}

static bool fit_register(const struct ref_world *world, uint8_t op, uint64_t *operand)
{
	unsigned access = op == RPN_PUSH_R   ? DP_REG_PUSH_R
			  : op == RPN_PUSH_U ? DP_REG_PUSH_U
			  : op == RPN_POP_R  ? DP_REG_POP_R
					     : DP_REG_POP_U;

	for (unsigned i = 0; i < world->regs; i++) {
		const struct dp_reg *reg = &world->reg[(*operand + i) % world->regs];

		if (reg->access & access) {
			*operand = reg->index;
			return true;
		}
	}
	return false;
}

/* Make the operand one that the verifier accepts; false: there is none. marker: of the routine. */
static bool fit(const struct gen_program *gen, uint8_t marker, uint8_t op, uint64_t *operand)
{
	unsigned limit;

	if (op == RPN_RETURN) { /* takes the words of 64 bits at most */
		*operand %= 64 / gen->header.word_bits + 1;
		return marker == RPN_HANDLER;
	}

	switch (ref_op(op)->operand) {
	case RPN_ARG_LV:
	case RPN_ARG_GV:
		limit = ref_op(op)->operand == RPN_ARG_LV ? gen->header.vars : gen->header.gvars;
		*operand = limit ? *operand % limit : 0;
		return limit > 0;
	case RPN_ARG_MAP: /* the program has no maps */
		return false;
	case RPN_ARG_REG:
		return fit_register(&gen->world, op, operand);
	default:
		return true;
	}
}

static void read_header(struct gen_program *gen, const uint8_t *data)
{
	struct ref_program *header = &gen->header;
	struct random random = {dp_get_u32(data)};

	memset(header, 0, sizeof *header);
	header->word_bits = data[4] & 1 ? 64 : 32;
	header->big_endian = data[4] & 2;
	header->autostacktrace = data[4] & 4;
	gen->hits = data[4] & 8 ? 2 : 1;
	header->vars = data[5] % SMALL_VARS;
	header->gvars = data[6] % SMALL_VARS;
	header->jmpmax = data[7];
	header->logmax = data[8] * 2u;
	header->excpt_log = data[9] * 2u;
	header->excpt_mask = dp_get_u16(data + 10);
	header->major = dp_get_u16(data + 12);
	header->minor = dp_get_u16(data + 14);
	header->name[0] = 'f';
	header->name_bytes = 1;
	gen->stack_seed = gen->seed = random.state;
	gen_world(&random, &gen->world, header->word_bits);
}

static void read_code(struct gen_program *gen, const uint8_t *data, size_t bytes)
{
	unsigned first = 0;

	gen->blocks = 0;
	gen->entry = 0;
	add_block(gen, RPN_HANDLER);
	for (size_t at = 0; at < bytes && gen->blocks < BLOCKS_FULL;) {
		uint8_t code = data[at++];
		const struct ref_op *op = ref_op(code);
		uint64_t operand = 0;

		if (!op)
			continue;
		if (op->marker && code != RPN_BLOCK) {
			close_routine(gen, first);
			first = gen->blocks;
			add_block(gen, code);
			continue;
		}
		if (op->marker) {
			if (last_block(gen)->count > 0)
				add_block(gen, RPN_BLOCK);
			continue;
		}
		for (unsigned n = rpn_operand_bytes(op->operand, ref_word_bytes(&gen->header));
		     n > 0; n--)
			operand = operand << 8 | (at < bytes ? data[at++] : 0);
		if (!fit(gen, gen->block[first].marker, code, &operand))
			continue;
		if (last_flow(gen) != RPN_FLOW_NEXT || last_block(gen)->count >= BLOCK_FULL)
			add_block(gen, RPN_BLOCK);
		add(gen, code, operand);
	}
	close_routine(gen, first);
	choose_procs(gen);
}

bool gen_from_bytes(struct gen_program *gen, const uint8_t *data, size_t bytes)
{
	if (bytes < HEADER_BYTES)
		return false;
	read_header(gen, data);
	read_code(gen, data + HEADER_BYTES, bytes - HEADER_BYTES);
	return true;
}
