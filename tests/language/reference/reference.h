/* SPDX-License-Identifier: BSD-2-Clause */
/* The second interpreter: RPN.md once more, written without a look at agent/rpn_*.c. Slow, and
 * simple enough to be read beside the text. Words are uint64_t, cut to the word size where they are
 * made; memory, stack and log are arrays with bounds. tests/language/test_differential.c compares
 * the two.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_regs.h"
#include "dp_rpn.h"

enum {
	REF_STACK_WORDS = 1024, /* as DP_STACK_WORDS of the build it is compared with */
	REF_BUFFER_BYTES = 2048,
	REF_RANGES = 6,
	REF_RANGE_BYTES = 96,
	REF_REGS = 24,
	REF_PORTS = 256,
	REF_NAME_BYTES = 16,
	REF_TICK_HZ = 1000000,
	REF_NO_HANDLER = -1,
	REF_TASK_NAME_BYTES = 16,
};

/* What surrounds a program: memory, registers, port space, hooks. */
struct ref_range {
	uint64_t address;
	unsigned bytes;
	bool writable;
	uint8_t data[REF_RANGE_BYTES];
};

struct ref_world {
	struct ref_range range[REF_RANGES];
	unsigned ranges;
	struct dp_reg reg[REF_REGS];
	unsigned regs;
	uint64_t value[REF_REGS][DP_REG_WORDS_MAX]; /* [0] is what a push leaves on top */
	uint32_t port[REF_PORTS];
	bool has_hooks; /* pid, task, task_name and callk are registered */
	uint32_t pid;
	uint64_t task;
	char task_name[REF_TASK_NAME_BYTES]; /* with its NUL */
	uint64_t ticks;
};

struct ref_program {
	const uint8_t *code;
	unsigned code_bytes;
	unsigned word_bits; /* 32, 64 */
	bool big_endian;
	uint32_t budget;
	unsigned vars, gvars, jmpmax, logmax, excpt_log;
	uint16_t excpt_mask, major, minor;
	uint32_t id;
	uint64_t offset;
	char name[REF_NAME_BYTES];
	unsigned name_bytes;
	bool autostacktrace;
};

struct ref_frame {
	unsigned called, back; /* code offsets */
	int handler;           /* code offset or REF_NO_HANDLER */
	uint64_t sbp;          /* of the caller */
	uint64_t trace[3][2];  /* pv, lv, gv: index, range */
};

/* A byte buffer of a run: the user log, the stack trace. */
struct ref_buffer {
	uint8_t data[REF_BUFFER_BYTES];
	unsigned limit; /* logmax, excpt_log */
	unsigned used;  /* LP, STP */
	unsigned most;  /* the highest value `used` had in this run */
	/* Above `used`, and touched by an instruction that failed: pop lp and pop stp can bring
	 * these bytes back, and the text does not say what they are then. */
	bool unsure[REF_BUFFER_BYTES];
};

struct ref_machine {
	const struct ref_program *program;
	struct ref_world *world;
	/* kept between runs */
	uint64_t stack[REF_STACK_WORDS];
	uint64_t lv[RPN_VARS_MAX], gv[RPN_VARS_MAX];
	/* of one run */
	unsigned pc;
	uint64_t tsp, sbp; /* slot numbers */
	struct ref_frame frame[RPN_CALL_DEPTH + 1];
	unsigned depth;
	unsigned jumps;
	uint32_t steps;
	struct ref_buffer log, trace;
	unsigned plp;
	bool truncated;
	uint64_t last[3]; /* last exception: code, parm1, parm2 */
	int last_handler;
	/* results */
	uint64_t reported[3]; /* the last exception, or the masked one that ended the run */
	/* Code offsets: of the instruction that ran last, and behind it. The agent has one alone:
	 * behind the part of the instruction that it had read when an exception ended the run. */
	unsigned at, behind;
	bool ended;
	enum rpn_end end;
	bool removed, stopped, codes_set;
	bool frozen; /* freeze ran, for the last time with: */
	uint64_t freeze;
	bool returns; /* the function returns so many words, by the first `return`: */
	unsigned words;
	uint64_t word[2];
	uint8_t exit_number;
	uint16_t major, minor;
	uint32_t executed[256]; /* how often each opcode ran, over all runs */
};

/* Run the handler at `entry` to its end. */
void ref_run(struct ref_machine *m, unsigned entry);

/* callk of worlds with hooks: pops one word and pushes two. Both sides call it by its meaning:
 * a -- a^0x5a5a 7. */
enum {
	REF_CALLK_XOR = 0x5a5a,
	REF_CALLK_PUSH = 7
};

/* --- for the parts of the reference itself --- */

/* What rpn_ops.def says about an opcode; null when it is none. */
struct ref_op {
	const char *text;
	enum rpn_operand operand;
	enum rpn_flow flow;
	unsigned group;
	bool marker;
};
const struct ref_op *ref_op(uint8_t code);

unsigned ref_word_bytes(const struct ref_program *program);
uint64_t ref_cut(const struct ref_program *program, uint64_t value);  /* modulo 2^W */
int64_t ref_signed(const struct ref_program *program, uint64_t word); /* two's complement */

/* The operand of the instruction at `at`, extended to the word if it is signed. */
uint64_t ref_operand(const struct ref_program *program, unsigned at);

/* A number of `bytes` bytes in the program's byte order. */
uint64_t ref_get(const struct ref_program *program, const uint8_t *from, unsigned bytes);
void ref_put(const struct ref_program *program, uint8_t *to, uint64_t value, unsigned bytes);

void ref_push(struct ref_machine *m, uint64_t value);
uint64_t ref_pop(struct ref_machine *m);
uint64_t *ref_slot(struct ref_machine *m, uint64_t number); /* any number: modulo the size */

/* Take steps from the budget; false: it has not that many, the run has ended. */
bool ref_charge(struct ref_machine *m, uint64_t steps);
void ref_end(struct ref_machine *m, enum rpn_end end);
/* An exception the interpreter generates. Nothing may follow it in the instruction. */
void ref_raise(struct ref_machine *m, unsigned code, uint64_t parm1, uint64_t parm2);
void ref_rx(struct ref_machine *m);

bool ref_long(struct ref_machine *m, uint8_t op);
bool ref_string(struct ref_machine *m, uint8_t op, uint64_t n);

/* All bytes above buffer->used have become unsure. */
void ref_unsure(struct ref_buffer *buffer);

/* Memory. The first looks at a byte; the others are all or nothing. */
bool ref_byte(const struct ref_world *world, uint64_t address, uint8_t *byte, bool *writable);
bool ref_read(const struct ref_machine *m, uint64_t address, uint8_t *to, unsigned bytes);
bool ref_write(struct ref_machine *m, uint64_t address, const uint8_t *from, unsigned bytes);

/* Groups of instructions; false: the opcode is none of this group. */
bool ref_flow(struct ref_machine *m, uint8_t op, uint64_t operand, unsigned at);
bool ref_logging(struct ref_machine *m, uint8_t op, uint64_t operand);
bool ref_variables(struct ref_machine *m, uint8_t op, uint64_t operand);
bool ref_arithmetic(struct ref_machine *m, uint8_t op, uint64_t operand);
bool ref_data(struct ref_machine *m, uint8_t op, uint64_t operand);
bool ref_internal(struct ref_machine *m, uint8_t op, uint64_t operand);

/* log st, also on behalf of autostacktrace. */
void ref_trace(struct ref_machine *m);

#endif
