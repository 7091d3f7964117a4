/* SPDX-License-Identifier: BSD-2-Clause */
/* What ARM cases start from, for the checks of ARM's own. An instruction has 2 or 4 bytes, of two
 * instruction sets, at 0 or 2 mod 4; what registers hold and which status words there are depends
 * on it. */
#ifndef STATES_H
#define STATES_H

#include "oracle.h"

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
/* Registers before a case, with this status word. */
void initial_as(struct state *s, const struct test_case *c, uint32_t cpsr, bool privileged);
/* What data holds. */
void fill_pattern(unsigned pattern);
uint32_t pattern_word(unsigned pattern, unsigned i);

extern unsigned left_out; /* cases that the build refuses */
/* Was the port built without this instruction set? */
bool is_left_out(bool thumb);
/* Or without what is rare, and this is? Which those are test_arm_port.py knows from the tables. */
bool is_rare(const struct test_case *c);

#endif
