/* SPDX-License-Identifier: BSD-2-Clause */
/* Random programs that the verifier must accept, with all that surrounds them. A program is made as
 * a list of blocks, so that a failing one can be cut down and put together again. */
#ifndef GENERATE_H
#define GENERATE_H

#include "random.h"
#include "reference.h"

enum {
	GEN_BLOCKS = 96,
	GEN_BLOCK_INSTRUCTIONS = 48,
	GEN_CODE_BYTES = 32768,
	GEN_OBJECT_BYTES = GEN_CODE_BYTES + 512,
	GEN_NO_TARGET = 0xffff,
};

struct gen_instruction {
	uint8_t op;
	uint64_t operand;
	uint16_t target; /* block, for operands LABEL and PROC */
};

struct gen_block {
	uint8_t marker; /* RPN_HANDLER, RPN_PROC, RPN_BLOCK */
	unsigned count;
	struct gen_instruction ins[GEN_BLOCK_INSTRUCTIONS];
};

struct gen_program {
	uint64_t seed;
	struct ref_program header; /* all but the code */
	struct ref_world world;
	uint64_t stack_seed; /* fills the stack before the first run */
	unsigned hits;
	struct gen_block block[GEN_BLOCKS];
	unsigned blocks;
	unsigned entry; /* block */
};

/* The program of a seed for one word size and byte order. */
void gen_make(struct gen_program *gen, uint64_t seed, unsigned word_bits, bool big_endian);

/* The program that the bytes mean, see from_bytes.c; false: too few. */
bool gen_from_bytes(struct gen_program *gen, const uint8_t *data, size_t bytes);

/* A program as a probe object (PROTOCOL.md section 2). Returns its bytes. */
unsigned gen_object(const struct gen_program *gen, uint8_t object[GEN_OBJECT_BYTES]);

/* Fill a world that suits any program. */
void gen_world(struct random *random, struct ref_world *world, unsigned word_bits);

/* A word such as programs meet: small, near a power of two, an address, an index, anything. */
uint64_t gen_value(struct random *random, const struct ref_world *world, unsigned word_bits);
uint64_t gen_address(struct random *random, const struct ref_world *world);

/* --- between generate.c and phrases.c --- */

struct gen_state {
	struct random random;
	struct gen_program *gen;
	bool in_proc;
	unsigned procs;
	bool wants_label; /* this routine has a jump or sx */
};

/* Append an instruction to the last block. */
void gen_emit(struct gen_state *g, uint8_t op, uint64_t operand);

/* A few instructions that make sense together, or one that need not. The last may leave the block.
 */
void gen_phrase(struct gen_state *g);
void gen_push(struct gen_state *g, uint64_t value);
void gen_end(struct gen_state *g); /* an instruction that ends the routine */

#endif
