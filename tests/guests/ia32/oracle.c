/* SPDX-License-Identifier: BSD-2-Clause */
/* The states that IA32 cases start from, and what is peculiar to some of them. */
#include "oracle.h"

#include "rows.h"

/* eax, ecx */
static const uint32_t values[STARTS_MAX][2] = {
	{5, 5},
	{0xffffffff, 1},
	{0, 0x80000000},
	{0x7fffffff, 0x7fffffff},
	{0x80000001, 0x80000002},
	{0x12345678, 0xedcba988},
	{0x80000000, 0xffffffff},
	{1, 0},
	{0x7fffffff, 0x00010000},
	{0, 0},
	{0x80000000, 3},
	{0xffff8000, 0x00007fff},
	{0x0000ffff, 0xffff0001},
	{0x55555555, 0xaaaaaaaa},
	{31, 32},
	{0xfffffffe, 2},
};
/* CF PF AF ZF SF DF OF, IF every second time. */
static const uint32_t flags[STARTS_MAX] = {0x002, 0x246, 0x082, 0x243, 0x802, 0xac6, 0x017, 0x697,
					   0x402, 0x203, 0x886, 0x282, 0x042, 0xa02, 0x8c7, 0xed7};

static uint32_t pad(void)
{
	return case_address() + 0x200;
}

/* esi and edi go over the data; edx, and words of stack and data, lead to ends. */
void initial(struct state *s, const struct test_case *c, unsigned v)
{
	const uint32_t d = (uintptr_t)data;

	s->eax = values[v][0];
	s->ecx = c && c->flags & CASE_COUNT ? values[v][1] % 9 : values[v][1];
	s->edx = pad() + 4 * v;
	s->ebx = d + 0x100;
	s->esi = d + 0x80;
	s->edi = d + 0x180;
	s->ebp = 0x10 + v;
	s->esp = (uintptr_t)&case_stack[STACK_WORDS / 2];
	s->eflags = flags[v];
	/* Exceptions masked, and 1 and 2.5 on the stack of the unit; in some states nothing masked.
	 */
	s->x87[0] = v % 4 == 3 ? 0x340 : 0x37f;
	s->x87[1] = 6 << 11;
	s->x87[2] = 0x0fff;
	s->x87[8] = 0x80000000;
	s->x87[9] = 0x00003fff;
	s->x87[10] = 0;
	s->x87[11] = 0x4000a000;
	for (unsigned i = 0; i < 8; i++)
		s->xmm[i] = 0x3f800000u + i * 0x00500000u + v;
	for (unsigned i = 0; i < STACK_WORDS; i++)
		case_stack[i] = pad() + 16 + 4 * v;
}

void fill_data(unsigned v)
{
	for (unsigned i = 0; i < DATA_WORDS; i++)
		data[i] = 0x80818283u + i * 0x01030507u;
	data[64] = pad() + 64 + v; /* at ebx */
	data[65] = pad() + 128 + v;
}

/* cr2 holds something before each run. */
void pre_fault(unsigned v)
{
	uint32_t word;

	dp_access_load(HOLE + 0x2000 + 4 * v, 4, &word);
}

unsigned case_bytes(const struct test_case *c, unsigned which)
{
	return c->insn[which].count;
}

void put_insn(uint32_t at, const struct test_case *c, unsigned which)
{
	volatile uint8_t *byte = (volatile uint8_t *)(uintptr_t)at;

	for (unsigned i = 0; i < c->insn[which].count; i++)
		byte[i] = c->insn[which].bytes[i];
}

const struct test_case *nop_for(const struct test_case *c)
{
	return c;
}

uint32_t end_for(const struct test_case *c)
{
	(void)c;
	return END_BYTE * 0x01010101u;
}

/* At four places of a word. */
unsigned places_of(const struct test_case *c)
{
	(void)c;
	return pass == PASS_PLAIN ? 2 : 1;
}

uint32_t place_of(unsigned place)
{
	return case_address() + 3 * place;
}

/* Each is an addition to ebp. An instruction that writes ebp says nothing. */
bool second_may_have(const struct test_case *c, const struct state *in, const struct state *end,
		     unsigned count)
{
	if (c->flags & CASE_EBP)
		return count <= 1;
	return count == (end->ebp == in->ebp + 1);
}

/* The CPU sets RF in what it pushes at a fault, and int1 sets it not. SDM 3B 17.3.1.1 */
void settle(const struct test_case *c, const struct state *in, struct state *plain,
	    struct state *probed)
{
	for (unsigned i = 0; c->flags & CASE_BELOW && i < STACK_KEPT; i++)
		if (plain->esp + 4 * i < in->esp)
			plain->stack[i] = probed->stack[i];
	/* Where the last instruction of the unit was: the slot. */
	for (unsigned i = 3; i < 7; i++)
		plain->x87[i] = probed->x87[i];
	plain->eflags &= ~(uint32_t)DP_FLAG_RF;
	probed->eflags &= ~(uint32_t)DP_FLAG_RF;
	if (c->flags & CASE_TIME) {
		plain->eax = probed->eax;
		plain->edx = probed->edx;
	}
}

/* --- coverage: rows of the decode table --- */

static unsigned row_of(const struct test_case *c)
{
	return dp_ia32_decode(c->insn[0].bytes, DP_IA32_INSN_MAX).row;
}

void row_wants(unsigned row, struct row_wants *wants)
{
	const struct dp_ia32_row *r = &dp_ia32_rows[row];
	const bool refuses = r->treat >> 5 == DP_IA32_REFUSE;

	wants->value = (uint32_t)r->where << 8 | r->value;
	wants->classes = 0;
	wants->executed = !refuses;
	wants->refused = refuses && row + 1u < dp_ia32_row_count;
	wants->checked = false;
}

void note_refusal(const struct test_case *c, enum dp_refusal why)
{
	(void)why;
	note_refused(row_of(c));
}

void note_case(const struct test_case *c)
{
	note_executed(row_of(c), 0);
}
