/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the interpreter: one run, shared by its files alone. */
#ifndef DP_RUN_H
#define DP_RUN_H

#include "dp_memory.h"
#include "dp_vm.h"

#define dp_log_memory  DP_VM_NAME(dp_log_memory)
#define dp_log_string  DP_VM_NAME(dp_log_string)
#define dp_log_words   DP_VM_NAME(dp_log_words)
#define dp_access_step DP_VM_NAME(dp_access_step)
#define dp_string_step DP_VM_NAME(dp_string_step)
#define dp_trace_write DP_VM_NAME(dp_trace_write)

enum {
	DP_WORD_BYTES = DP_WORD_BITS / 8,
	DP_STACK_MASK = DP_STACK_WORDS - 1
};

struct dp_run {
	struct dp_vm *vm;
	struct dp_activation *active; /* &vm->activation[vm->depth] */
	const struct dp_program_view *program;
	struct dp_frame *frame;
	const struct dp_vm_hooks *hooks;
	uint32_t left;      /* of the step budget */
	int32_t jumps_left; /* of jmpmax */
	dp_word raised[3];  /* code, parm1, parm2 for DP_NEXT_RAISE */
#ifdef DP_VM_ASSERT
	int in_block; /* instructions the current block still has */
#endif
};

/* The continuation after an instruction. */
enum dp_next {
	DP_NEXT_GO,
	DP_NEXT_RAISE,
	DP_NEXT_BUDGET,
	DP_NEXT_EXIT
};

/* Ports with rows of pops = 1 in the register table define the number. */
#ifndef DP_PORT_REG_ARGUMENTS
#define DP_PORT_REG_ARGUMENTS(index) 0
#endif

/* The verifier's claims: checked in the debug build, believed in every other. */
#ifdef DP_VM_ASSERT
#define DP_CLAIM(claim)             ((claim) ? (void)0 : __builtin_trap())
#define DP_BLOCK_BEGINS(run, count) ((run)->in_block = (count))
#else
#define DP_CLAIM(claim)             ((void)0)
#define DP_BLOCK_BEGINS(run, count) ((void)0)
#endif

static inline enum dp_next dp_raise_next(struct dp_run *run, dp_word code, dp_word parm1,
					 dp_word parm2)
{
	run->raised[0] = code;
	run->raised[1] = parm1;
	run->raised[2] = parm2;
	return DP_NEXT_RAISE;
}

/* Take `steps` from the budget. Returns false, and takes none, when the budget is smaller. */
static inline bool dp_charge(struct dp_run *run, dp_word steps)
{
	if (steps > run->left)
		return false;
	run->left -= (uint32_t)steps;
	return true;
}

/* Write the prefix of log data: token and 16-bit count. Returns the address behind the prefix. */
static inline uint8_t *dp_put_prefix(uint8_t *p, unsigned token, size_t count)
{
	p[0] = (uint8_t)token;
	dp_store_u16(p + 1, (uint16_t)count);
	return p + RPN_PREFIX_BYTES;
}

/* log mrf: n bytes at address. decisions.txt C44-C51. */
enum dp_next dp_log_memory(struct dp_run *run, dp_addr address, dp_word n);

/* log str: the bytes at address up to a NUL, at most n. decisions.txt C44-C49. */
enum dp_next dp_log_string(struct dp_run *run, dp_addr address, dp_word n);

/* Words of an array, from[first] upward, under a token; DP_NO_TOKEN: no prefix. With it and with
 * RPN_TOKEN_WORDS the array is the stack, which goes round. Words that do not fit are LOG_OVERFLOW,
 * the others stay; each of those is one step. decisions.txt C50-C52 */
enum {
	DP_NO_TOKEN = 0x100
};
enum dp_next dp_log_words(struct dp_run *run, unsigned token, const dp_word *from, uint32_t first,
			  dp_word count);

/* log st: append a record to the trace buffer, whole or not at all. Charges one step per started
 * word of the record. False: the budget is used up. RPN.md 9 */
bool dp_trace_write(struct dp_run *run);

/* Execute an instruction of the part STRINGS: strings are words on the stack, so that equal strings
 * are equal words. count: its operand. */
enum dp_next dp_string_step(struct dp_run *run, unsigned op, unsigned count);

/* Execute an instruction of the part WATCHED. */
enum dp_next dp_access_step(struct dp_run *run, unsigned op);

#endif
