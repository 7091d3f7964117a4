/* SPDX-License-Identifier: BSD-2-Clause */
/* The states that MIPS cases start from, and what is peculiar to some of them. */
#include "oracle.h"

/* $4, $5, HI, LO, Status */
static const uint32_t values[STARTS_MAX][5] = {
	{5, 5, 0x11111111, 0x22222222, 0x00000001},
	{0xffffffff, 1, 0, 0, 0x20000000},
	{0, 0x80000000, 0xffffffff, 0x80000000, 0x20000001},
	{0x7fffffff, 0x7fffffff, 1, 2, 0x30000001},
	{0x80000001, 0x80000002, 3, 0, 0x00000001},
	{0x12345678, 0xedcba988, 0x7fffffff, 0xffff0000, 0x20000001},
	{1, 0, 0x80000000, 0x7fffffff, 0x20000001},
	{0x80000000, 0xffffffff, 0, 1, 0x00000001},
	{0x7fffffff, 0x80000000, 0xffffffff, 0xffffffff, 0x20000000},
	{0, 0, 0, 0, 0x20000001},
	{0x80000000, 0x80000000, 1, 0xffffffff, 0x20000001},
	{0xffff8000, 0x00007fff, 0xffffffff, 0x00008000, 0x30000000},
	{0x0000ffff, 0xffff0000, 2, 0x55555555, 0x20000001},
	{0x55555555, 0xaaaaaaaa, 0xaaaaaaaa, 0x55555555, 0x20000001},
	{31, 32, 0x0fffffff, 0xf0000000, 0x00000000},
	{0xfffffffe, 0xffffffff, 5, 7, 0x20000001},
};
/* FCR31's eight conditions: bits 23 and 25 to 31. */
static const uint32_t conditions[STARTS_MAX] = {0x02000000, 0x08800000, 0x00000000, 0xfe800000,
						0x00800000, 0x0a800000, 0x04000000, 0xfa000000,
						0x08000000, 0xf6800000, 0x10000000, 0x20000000,
						0x40000000, 0x80000000, 0x55000000, 0xaa800000};

void initial(struct state *s, const struct test_case *c, unsigned v)
{
	uint32_t d = (uint32_t)(uintptr_t)data;
	const uint32_t r[14] = {
		0,          0x01010101, 0x02020202, 0x03030303, values[v][0], values[v][1],
		d + 0x100,  d + 0x200,  8,          HOLE,       d + 0x101,    4,
		0x0c0c0c0c, 0x30000000};

	(void)c;
	for (unsigned i = 0; i < 32; i++)
		s->r[i] = i < 14 ? r[i] : 0x10101010u + i * 0x01000001u;
	s->r[14] = 0x20000002; /* EXL */
	s->r[25] = (uint32_t)(uintptr_t)&code[PAD_AT + 8];
	s->r[29] = d + 0x300;
	s->r[31] = (uint32_t)(uintptr_t)&code[PAD_AT + 16];
	s->hi = values[v][2];
	s->lo = values[v][3];
	s->status = values[v][4] & ~(has_fpu ? 0u : 0x20000000u);
	s->fcr31 = conditions[v];
	for (unsigned i = 0; i < 8; i++)
		s->fp[i] = 0x3f800000u + i * 0x00100000u;
}

void pre_fault(unsigned v)
{
	static const uint32_t where[] = {0xc0001230, 0x00002001, HOLE + 0x1003,
					 0x7ffffffc, 0xe0000000, 0x00000004};
	uint32_t word;

	dp_access_load(where[v % (sizeof(where) / sizeof(where[0]))], 4, &word);
}

uint32_t with_target(uint32_t insn, const uint32_t *target)
{
	return insn | (((uint32_t)(uintptr_t)target >> 2) & 0x03ffffff);
}

bool has_case(const struct test_case *c)
{
	return !(c->flags & CASE_FPU) || has_fpu;
}

static bool is_likely(uint32_t insn)
{
	unsigned opcode = insn >> 26;

	if (opcode == 1)
		return insn >> 17 & 1;
	if (opcode == 0x11)
		return insn >> 17 & 1;
	return opcode >= 0x14 && opcode <= 0x17;
}

static bool sets_exl(const struct test_case *c)
{
	return c->insn[0] == 0x408e6000u;
}

static bool second_ran(const struct test_case *c, const struct state *in, const struct state *end)
{
	bool delay_slot = end->cause >> 31;

	if (c->flags & CASE_JUMP) {
		if (end->pc == in->pc)
			return delay_slot; /* else the jump itself has faulted */
		return !is_likely(c->insn[0]) || end->pc != in->pc + 8;
	}
	return end->pc != in->pc || sets_exl(c);
}

bool second_may_have(const struct test_case *c, const struct state *in, const struct state *end,
		     unsigned count)
{
	return count == second_ran(c, in, end);
}

bool is_refusal(const struct test_case *c, enum dp_err error, enum dp_refusal why)
{
	if (c->flags & CASE_BAD_DELAY)
		return error == DP_ERR_BAD_DELAY_SLOT;
	return (error == DP_ERR_NOT_PROBEABLE || error == DP_ERR_FOREIGN_BREAK) &&
	       why == c->refusal;
}

/* Behind an instruction that sets EXL, EPC is what the probe's trap has left there. */
void settle(const struct test_case *c, const struct state *in, struct state *plain,
	    struct state *probed)
{
	(void)in;
	if (sets_exl(c) && plain->pc == case_address())
		probed->pc = plain->pc;
}

bool is_excused(const struct test_case *c, unsigned mask, enum dp_err error)
{
	if (sets_exl(c) && mask != 1)
		return true; /* with EXL set no probe can be hit */
	/* a jump needs a slot of its own */
	return error == DP_ERR_NO_SLOT && pass == PASS_NO_SLOT && c->flags & CASE_JUMP;
}

bool is_fault_of(const struct dp_frame *frame, dp_addr address)
{
	return dp_port_pc(frame) == address || frame->epc == address;
}
