/* SPDX-License-Identifier: BSD-2-Clause */
/* Run-twice oracle: each case of cases.inc is executed plain and probed from the same states; all
 * registers, memory, code and the exception that ends it must agree. Probes on its first
 * instruction, on the second, on both. port/README.md, "The test kit" */
#ifndef ORACLE_H
#define ORACLE_H

#include "handlers.h"

/* guest.h of a CPU chooses, where these do not fit. */
#ifndef CASE_INSN /* a number of 4 bytes, or what the CPU's put_insn and case_bytes know */
#define CASE_INSN uint32_t
#endif
#ifndef CASE_MEMBERS /* what else a row of cases.inc has, behind the text */
#define CASE_MEMBERS
#endif
#ifndef SECOND_STAYS /* 0: the second instruction stands there only when a probe is on it */
#define SECOND_STAYS 1
#endif
#ifndef TAKES_AWAY /* 1: a hit may take the second site away */
#define TAKES_AWAY 0
#endif
#ifndef EXTENT_BYTES /* of the case's function before a site */
#define EXTENT_BYTES 64
#endif
#ifndef STARTS_MAX /* states that a case starts from, at most */
#define STARTS_MAX 16
#endif
#ifndef FEW_STARTS /* of so many, how many in the later passes */
#define FEW_STARTS(all) ((all) < 6 ? (all) : 6u)
#endif
#ifndef CODE_WORDS /* CODE_FILLED: words with CODE_AT in their middle that each case finds anew */
#define CODE_WORDS  1024
#define CODE_FILLED 1024
#define CODE_AT     512
#endif
/* Pages of their own: QEMU is slow where code and data share one. */
#ifndef CODE_PLACE
#define CODE_PLACE __attribute__((aligned(4096)))
#define DATA_PLACE __attribute__((aligned(4096)))
#endif
#ifndef DATA_MARGIN /* words on both sides of the data */
#define DATA_MARGIN 0
#endif

struct test_case {
	CASE_INSN insn[2];
	uint16_t flags;
	uint8_t refusal;
	const char *text;
	CASE_MEMBERS
};
enum {
	CASE_HALTS = 1, /* compared with a nop */
	CASE_REFUSED = 2,
	CASE_TARGET = 4, /* where the first instruction leads to is filled in here */
			 /* 8 and more: guest.h */
};
extern const struct test_case cases[];
extern const unsigned case_count;

enum {
	DATA_WORDS = 256,
	PAD_AT = CODE_WORDS - 64 /* where branches may lead to */
};
extern uint32_t code[CODE_WORDS]; /* CODE_FILLED of them: ends all over but for the case */
extern uint32_t field[DATA_WORDS + 2 * DATA_MARGIN];
static uint32_t *const data = field + DATA_MARGIN;
/* False: checks of the CPU's own have written more than the case. */
extern bool code_is_clean;

/* What a run leaves. */
struct ending {
	struct state state;
	uint32_t data[DATA_WORDS];
};

extern unsigned refused, probed_cases, starts_most;

/* Supplied by the CPU. */

/* Start v of a case, less than starts_of: everything but pc. */
void initial(struct state *s, const struct test_case *c, unsigned v);
/* With the first instruction, is its probe hit once? */
bool is_hit(const struct test_case *c, const struct state *in);
/* The probe was hit. May it have been taken so many times, by the flag TAKEN? */
bool may_be_taken(const struct test_case *c, const struct state *in, unsigned count);
/* The plain run began at the first instruction. May a probe on the second have had so many hits? */
bool second_may_have(const struct test_case *c, const struct state *in, const struct state *end,
		     unsigned count);

/* Supplied by the CPU, where it is not as defaults.c has it. */

/* One of the case's instructions: write it; its length. */
void put_insn(uint32_t at, const struct test_case *c, unsigned which);
unsigned case_bytes(const struct test_case *c, unsigned which);
/* The first word with its target. */
uint32_t with_target(uint32_t insn, const uint32_t *target);
/* A case whose first instruction does nothing, and is as long. */
const struct test_case *nop_for(const struct test_case *c);
/* What control meets wherever it goes: a word of ends. */
uint32_t end_for(const struct test_case *c);
/* Fill where control may go besides `code`, and what else is to lie around the case. all: the ends
 * around the case have been written anew. */
void fill_elsewhere(const struct test_case *c, bool all);
/* Code has been written. */
void code_written(uint32_t at, unsigned bytes);
/* Where a case may stand: how many places, and the address of each. */
unsigned places_of(const struct test_case *c);
uint32_t place_of(unsigned place);
/* The instruction set, for the site. */
uint8_t isa_of(const struct test_case *c);
/* How many starts the case has; called before the others are asked for. */
unsigned starts_of(const struct test_case *c);
/* The data of a start. */
void fill_data(unsigned v);
/* The fault registers hold something before each run. */
void pre_fault(unsigned v);
/* Has this CPU what the case needs? */
bool has_case(const struct test_case *c);
/* Is the case refused, and is this how? */
bool is_refused(const struct test_case *c);
bool is_refusal(const struct test_case *c, enum dp_err error, enum dp_refusal why);
/* Make equal what may differ between the plain run and the probed one. */
void settle(const struct test_case *c, const struct state *in, struct state *plain,
	    struct state *probed);
/* No probe can be hit with this mask of probes, or preparing them must end in this error. */
bool is_excused(const struct test_case *c, unsigned mask, enum dp_err error);
/* For the coverage gate: a probed run; the case was executed; was refused. */
void note_run(const struct state *in, unsigned mask);
void note_case(const struct test_case *c);
void note_refusal(const struct test_case *c, enum dp_refusal why);

/* For checks that make states of their own. */

static inline uint32_t case_address(void)
{
	return (uint32_t)(uintptr_t)&code[CODE_AT];
}
/* The instruction at an address, and the second behind it, with ends around. */
void fill_code(const struct test_case *c, uint32_t at, bool second);
/* The same with one word at case_address; a case to name it by. */
const struct test_case *fill_word(uint32_t insn);
uint32_t code_sum(void);
/* What is in data, into an ending. */
void keep_data(struct ending *end);
/* count: a multiple of four */
void copy_words(uint32_t *to, const uint32_t *from, unsigned count);
bool same_words(const uint32_t *a, const uint32_t *b, unsigned count);
/* Place and prepare a site in `code`; the sites of a case by mask. */
enum dp_err prepare(struct dp_site *s, uint32_t address, enum dp_refusal *why);
enum dp_err prepare_case(const struct test_case *c, uint32_t at, unsigned mask,
			 enum dp_refusal *why);
/* Are both ends, settled, the same, and is data? */
bool same_end(const struct test_case *c, const struct state *in, struct ending *plain,
	      struct state *probed);
void report(const struct test_case *c, const struct state *in, const struct ending *plain,
	    const struct state *probed, const char *what, unsigned mask);
/* All of one case in this pass. */
void one(const struct test_case *c);

#endif
