/* SPDX-License-Identifier: BSD-2-Clause */
/* Run-twice oracle: each case of cases.inc is executed plain and probed from the same state; all
 * registers, memory, code and the exception that ends it must agree. Probes on its first word, on
 * the second, on both. port/README.md, "The test kit" */
#ifndef ORACLE_H
#define ORACLE_H

#include "handlers.h"

struct test_case {
	uint32_t insn[2];
	uint16_t flags;
	uint8_t refusal;
	const char *text;
};
enum {
	CASE_HALTS = 1, /* compared with a nop */
	CASE_REFUSED = 2,
	CASE_BAD_DELAY = 4, /* refused with DP_ERR_BAD_DELAY_SLOT */
	CASE_TARGET = 8,    /* where the first word leads to is filled in here */
			    /* 16 and more: guest.h */
};
extern const struct test_case cases[];
extern const unsigned case_count;

enum {
	DATA_WORDS = 256,
	CODE_WORDS = 1024,
	CODE_AT = 512,
	PAD_AT = CODE_WORDS - 64, /* where branches may lead to */
	VALUES = 16               /* states that a case starts from */
};
extern uint32_t code[CODE_WORDS]; /* END all over but for the case */
extern uint32_t data[DATA_WORDS], data_plain[DATA_WORDS];

extern unsigned refused, probed_cases;

/* Supplied by the CPU. */

/* State v, less than VALUES, with everything but pc. */
void initial(struct state *s, unsigned v);
/* The fault registers hold something before each run. */
void pre_fault(unsigned v);
/* The first word with its target. */
uint32_t with_target(uint32_t insn, const uint32_t *target);
/* Fill with END where control may go besides `code`. */
void fill_elsewhere(void);
/* The words at CODE_AT have been written. */
void code_written(void);
/* Has this CPU what the case needs? */
bool has_case(const struct test_case *c);
/* From the plain run alone, which began at the first word: did control pass the second? */
bool second_ran(const struct test_case *c, const struct state *in, const struct state *end);
/* Make equal what may differ between the plain run and the probed one. */
void settle(const struct test_case *c, const struct state *in, struct state *plain,
	    struct state *probed);
/* No probe can be hit with this mask of probes, or preparing them must end in this error. */
bool is_excused(const struct test_case *c, unsigned mask, enum dp_err error);
/* For the coverage gate: the case was executed; was refused. */
void note_case(const struct test_case *c);
void note_refusal(const struct test_case *c, enum dp_refusal why);

/* For checks that make states of their own. */

void fill_code(const struct test_case *c);
/* The same with one word of text, then END. */
void fill_word(uint32_t insn);
void fill_data(void);
/* data_plain is what data holds. */
void keep_data(void);
uint32_t code_sum(void);
/* Place and prepare a site in `code`. */
enum dp_err prepare(struct dp_site *s, uint32_t address, enum dp_refusal *why);
/* Are both ends, settled, the same, and data what data_plain holds? */
bool same_state(const struct test_case *c, const struct state *in, struct state *plain,
		struct state *probed);
void report(const struct test_case *c, const struct state *in, const struct state *plain,
	    const struct state *probed, const char *what, unsigned mask);
/* All of one case in this pass. */
void one(const struct test_case *c);

#endif
