/* SPDX-License-Identifier: BSD-2-Clause */
/* The states that RISC-V cases start from, and what is peculiar to some of them. */
#include "oracle.h"

#define MPIE  DP_STATUS_MPIE
#define FS(n) ((n) << 13)

/* a0, a1 */
static const uint32_t values[STARTS_MAX][2] = {
	{5, 5},
	{0xffffffff, 1},
	{0, 0x80000000},
	{0x7fffffff, 0x7fffffff},
	{0x80000001, 0x80000002},
	{0x12345678, 0xedcba988},
	{0x80000000, 0xffffffff},
	{1, 0},
	{0x7fffffff, 0x80000000},
	{0, 0},
	{0x80000000, 0x80000000},
	{0xffff8000, 0x00007fff},
	{0x0000ffff, 0xffff0000},
	{0x55555555, 0xaaaaaaaa},
	{31, 32},
	{0xfffffffe, 0xffffffff},
};
static const uint32_t contexts[STARTS_MAX] = {
	MPIE | FS(3), MPIE,         FS(1),        FS(3), MPIE | FS(2), MPIE | FS(1), 0,
	FS(3),        MPIE | FS(3), MPIE | FS(3), FS(2), MPIE,         MPIE | FS(1), FS(3),
	MPIE | FS(2), FS(3)};

DPROBES_WORD firmware_mtvec;

/* A value of 32 bits as one of the CPU: with its sign, or with other bits above. */
static DPROBES_WORD widened(uint32_t value, unsigned v)
{
#if DP_WORD_BITS == 64
	return v & 1 ? (uint64_t)(int64_t)(int32_t)value
		     : (uint64_t)(v * 0x01234567u) << 32 | value;
#else
	(void)v;
	return value;
#endif
}

void initial(struct state *s, const struct test_case *c, unsigned v)
{
	const DPROBES_WORD d = (uintptr_t)data, pad = (uintptr_t)&code[PAD_AT];
	const DPROBES_WORD x[16] = {0,
				    pad + 24,
				    d + 0x300,
				    0x03030303,
				    0x04040404,
				    (pad + 16) | (v & 1),
				    HOLE,
				    d + 0x101,
				    d + 0x180,
				    (pad + 8) | (v & 1),
				    widened(values[v][0], v),
				    widened(values[v][1], v / 2),
				    d + 0x100,
				    d + 0x200,
				    8,
				    HOLE + 0x100};

	(void)c;
	for (unsigned i = 0; i < 32; i++)
		s->x[i] = i < 16 ? x[i] : widened(0x10101010u + i * 0x01000001u, i);
	s->mstatus = contexts[v] | DP_STATUS_MPP;
	s->mcause = s->mtval = s->unused = 0;
	s->fcsr = (v & 3) << 5 | (v & 1);
	for (unsigned i = 0; i < 8; i++)
		s->fp[i] = i & 1 ? 0xffffffff3f800000u + i * 0x00100000u
				 : 0x3ff0000000000000u + ((uint64_t)i << 48);
}

/* mcause, mtval and mepc hold something before each run. */
void pre_fault(unsigned v)
{
	uint32_t word;

	dp_access_load(HOLE + 0x2000 + 4 * v, 4, &word);
}

unsigned case_bytes(const struct test_case *c, unsigned which)
{
	return dp_riscv_bytes(c->insn[which]);
}

void put_insn(uint32_t at, const struct test_case *c, unsigned which)
{
	volatile uint16_t *half = (volatile uint16_t *)(uintptr_t)at;

	half[0] = (uint16_t)c->insn[which];
	if (case_bytes(c, which) == 4)
		half[1] = (uint16_t)(c->insn[which] >> 16);
}

/* At a word, and between two. */
unsigned places_of(const struct test_case *c)
{
	(void)c;
	return pass == PASS_PLAIN ? 2 : 1;
}

uint32_t place_of(unsigned place)
{
	return case_address() + 2 * place;
}

/* The guest writes code only here: the port's own fence.i is not what makes it work. */
void code_written(uint32_t at, unsigned bytes)
{
	dp_port_text_written(at, bytes);
}

/* Each is an addition to s8. */
bool second_may_have(const struct test_case *c, const struct state *in, const struct state *end,
		     unsigned count)
{
	(void)c;
	return count == (end->x[24] == in->x[24] + 1);
}

void settle(const struct test_case *c, const struct state *in, struct state *plain,
	    struct state *probed)
{
	unsigned rd = c->insn[0] >> 7 & 31;

	if ((c->flags & CASE_TIME) && plain->x[rd] != in->x[rd] && probed->x[rd] != in->x[rd])
		plain->x[rd] = probed->x[rd];
	if ((c->flags & CASE_VECTOR) && hits[0] != 0 && probed->x[rd] == firmware_mtvec)
		probed->x[rd] = plain->x[rd];
}
