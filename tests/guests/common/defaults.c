/* SPDX-License-Identifier: BSD-2-Clause */
/* A CPU without peculiarities: each function gives way to one of the CPU's own. */
#include "checks.h"
#include "oracle.h"
#include "rows.h"

#define DP_WEAK __attribute__((weak))

/* --- oracle.h --- */

#ifdef END /* cases of whole words */
DP_WEAK void put_insn(uint32_t at, const struct test_case *c, unsigned which)
{
	*(volatile uint32_t *)(uintptr_t)at = which == 0 && c->flags & CASE_TARGET
						      ? with_target(c->insn[0], &code[PAD_AT + 4])
						      : c->insn[which];
}

DP_WEAK uint32_t with_target(uint32_t insn, const uint32_t *target)
{
	(void)target;
	return insn;
}

DP_WEAK unsigned case_bytes(const struct test_case *c, unsigned which)
{
	(void)c;
	(void)which;
	return 4;
}

DP_WEAK const struct test_case *nop_for(const struct test_case *c)
{
	static const struct test_case nop = {.insn = {NOP}};

	(void)c;
	return &nop;
}

DP_WEAK uint32_t end_for(const struct test_case *c)
{
	(void)c;
	return END;
}
#endif

DP_WEAK void fill_elsewhere(const struct test_case *c, bool all)
{
	(void)c;
	(void)all;
}

/* QEMU sees at once what is written. */
DP_WEAK void code_written(uint32_t at, unsigned bytes)
{
	(void)at;
	(void)bytes;
}

DP_WEAK unsigned places_of(const struct test_case *c)
{
	(void)c;
	return 1;
}

DP_WEAK uint32_t place_of(unsigned place)
{
	(void)place;
	return case_address();
}

DP_WEAK uint8_t isa_of(const struct test_case *c)
{
	(void)c;
	return DP_ISA_MAIN;
}

DP_WEAK unsigned starts_of(const struct test_case *c)
{
	(void)c;
	return STARTS_MAX;
}

DP_WEAK void fill_data(unsigned v)
{
	(void)v;
	for (unsigned i = 0; i < DATA_WORDS; i++)
		data[i] = 0x80818283u + i * 0x01030507u;
}

DP_WEAK void pre_fault(unsigned v)
{
	(void)v;
}

DP_WEAK bool has_case(const struct test_case *c)
{
	(void)c;
	return true;
}

DP_WEAK bool is_refused(const struct test_case *c)
{
	return c->flags & CASE_REFUSED;
}

DP_WEAK bool is_refusal(const struct test_case *c, enum dp_err error, enum dp_refusal why)
{
	return (error == DP_ERR_NOT_PROBEABLE || error == DP_ERR_FOREIGN_BREAK) &&
	       why == c->refusal;
}

DP_WEAK bool is_hit(const struct test_case *c, const struct state *in)
{
	(void)c;
	(void)in;
	return true;
}

DP_WEAK bool may_be_taken(const struct test_case *c, const struct state *in, unsigned count)
{
	(void)c;
	(void)in;
	return count <= 1;
}

DP_WEAK void settle(const struct test_case *c, const struct state *in, struct state *plain,
		    struct state *probed)
{
	(void)c;
	(void)in;
	(void)plain;
	(void)probed;
}

DP_WEAK bool is_excused(const struct test_case *c, unsigned mask, enum dp_err error)
{
	(void)c;
	(void)mask;
	(void)error;
	return false;
}

DP_WEAK void note_run(const struct state *in, unsigned mask)
{
	(void)in;
	(void)mask;
}

/* --- handlers.h, core.h --- */

DP_WEAK bool has_callbacks(void)
{
	return true;
}

DP_WEAK bool is_fault_of(const struct dp_frame *frame, dp_addr address)
{
	return dp_port_pc(frame) == address;
}

/* --- checks.h --- */

DP_WEAK void cpu_access_checks(void)
{
}

DP_WEAK bool has_vector_of(const uint32_t *insn, unsigned count)
{
	(void)insn;
	(void)count;
	return true;
}

DP_WEAK void before_start(void)
{
}

DP_WEAK void pass_checks(void)
{
}

DP_WEAK void cpu_figures(void)
{
}

/* --- rows.h --- */

DP_WEAK void row_wants(unsigned row, struct row_wants *wants)
{
	(void)row;
	wants->value = wants->classes = 0;
	wants->executed = wants->refused = wants->checked = false;
}
