/* SPDX-License-Identifier: BSD-2-Clause */
/* Run-twice oracle: every instruction of cases.inc is executed plain and probed from the same
 * state; all registers, flags, memory and the exception that ends it must agree. Not that of
 * common/oracle.h: a case has up to 136 starts, so that it runs plain once, for all variants. */
#ifndef TWICE_H
#define TWICE_H

#include "core.h"
#include "states.h"

extern unsigned refused, left_out;

/* Was the port built without this instruction set? */
bool is_left_out(bool thumb);
/* Or without what is rare, and this is? Which those are test_arm_port.py knows from the tables. */
bool is_rare(const struct test_case *c);
/* Place and prepare a site as its own function. */
enum dp_err prepare_at(struct dp_site *s, uint32_t address, bool thumb, enum dp_refusal *why);
/* The site of the case, in variant SECOND the one behind it too. */
enum dp_err prepare_case(const struct test_case *c, uint32_t address, enum dp_refusal *why);
bool same_words(const uint32_t *a, const uint32_t *b, unsigned count);
/* Count and print a failure. */
void report(const struct test_case *c, const struct state *in, const struct state *plain,
	    const struct state *probed, const char *what);

/* All of one case. */
void one(const struct test_case *c);
/* The same with no slot left, from a few starts. */
void one_without_slots(const struct test_case *c);

#endif
