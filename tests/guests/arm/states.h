/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases, and what they start from: the code around an instruction, memory, registers, status words.
 * Not those of common/oracle.h: an instruction has 2 or 4 bytes, of two instruction sets, at 0 or 2
 * mod 4; what registers hold and which status words there are depends on it. */
#ifndef STATES_H
#define STATES_H

#include "guest.h"

/* What a register holds: HOLDS_* of kinds.inc (shapes.py), and which. */
#define HOLDS(number, kind) ((number) | HOLDS_##kind << 4)

/* One line of cases.inc. flags: CASE_* */
struct test_case {
	uint32_t insn;
	uint16_t holds[3];
	uint16_t bytes : 3, flags : 8, refusal : 5; /* a larger structure is cleared by memset */
	const char *text;
};
enum {
	CASE_THUMB = 1,
	CASE_NO_IT = 2,   /* not inside an IT block */
	CASE_LAST_IT = 4, /* only last in an IT block */
	CASE_REFUSED = 8,
	CASE_HALTS = 16,   /* wfi with nothing to wake it: compared with a nop of its size */
	CASE_ALIGNED = 32, /* not at 2 mod 4 */
	CASE_SPSR = 64,    /* only in modes that have one */
	CASE_NO_FIQ = 128  /* leaves its mode: nobody knows the r8 to r12 below those of FIQ */
};
extern const struct test_case cases[];
extern const unsigned case_count;

/* How a case is tried. */
extern enum variant {
	QUIET,   /* a probe that does nothing */
	PROGRAM, /* one that reads registers and memory, a bad address too */
	WATCH,   /* one that wants to know the end, with a callback that has probes in it */
	SECOND,  /* and a probe on the next instruction */
	LOST,    /* one with a callback that aborts and never comes back */
	VARIANTS = LOST
} variant;

enum {
	DATA_WORDS = 256,
	CODE_BYTES = 16384, /* filled anew for every case */
	CODE_AT = CODE_BYTES / 2,
	FLAG_STATES = 16,
	STARTS_MAX = 8 * FLAG_STATES + 8
};
/* Where control may end. The ARM word is undefined in Thumb too, seen from its first half. */
#define UNDEFINED_ARM   0xe7f0def0u
#define UNDEFINED_THUMB 0xde00de00u

extern uint8_t *const code;
extern uint32_t *const data;
extern uint32_t patterns[2][DATA_WORDS]; /* what data may hold */
extern bool code_is_clean;               /* but for the instruction */

/* A state before the instruction: status word and data, and what came of it unprobed. */
struct start {
	uint32_t cpsr;
	uint8_t pattern, privileged;
	struct state out;
	uint32_t data[DATA_WORDS];
};
extern struct start starts[STARTS_MAX];
extern unsigned start_count;

/* ITSTATE that are tried. */
enum {
	IT_STATES = 8
};
extern const uint8_t it_states[IT_STATES];
static inline unsigned it_of(uint32_t cpsr)
{
	return (cpsr >> 8 & 0xfc) | (cpsr >> 25 & 3);
}

/* Once: memory that no case changes. */
void prepare_memory(void);
/* Only the instruction. */
void put_insn(uint32_t address, const struct test_case *c);
/* And what is around it. */
void fill_code(const struct test_case *c, uint32_t address);
/* Of the code around the instruction: stores relative to PC go there, and the trap must be gone. */
uint32_t code_sum(void);
void initial(struct state *s, const struct test_case *c, uint32_t address, uint32_t cpsr);
/* The same from a start of the case, data filled. */
void initial_of(struct state *s, const struct test_case *c, uint32_t address,
		const struct start *start);
void make_starts(const struct test_case *c);
/* A few of them instead of all. */
void keep_few_starts(void);

/* count: a multiple of four */
void copy_words(uint32_t *to, const uint32_t *from, unsigned count);

#endif
