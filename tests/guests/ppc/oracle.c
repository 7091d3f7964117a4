/* SPDX-License-Identifier: BSD-2-Clause */
/* The states that PowerPC cases start from, and what is peculiar to some of them. */
#include "oracle.h"

enum {
	LOW_WORDS = 64
};

/* r4, r5 */
static const uint32_t values[8][2] = {
	{5, 5},
	{0xffffffff, 1},
	{0, 0x80000000},
	{0x7fffffff, 0x7fffffff},
	{0x80000001, 0x80000002},
	{0x12345678, 0xedcba988},
	{0x80000000, 0xffffffff},
	{1, 0},
};
static const uint32_t conditions[STARTS_MAX] = {0x00000000, 0xffffffff, 0x84218421, 0x12481248,
						0x48214821, 0x0f0f0f0f, 0xf0f0f0f0, 0x55555555,
						0xaaaaaaaa, 0x20000000, 0x00000004, 0x00000002,
						0x80000000, 0x2fffffff, 0xd0000000, 0x00000001};
/* Not MSR[CE]: after a trap QEMU shows it set whether it was or not. */
static const uint32_t contexts[STARTS_MAX] = {
	DP_MSR_EE,
	DP_MSR_EE | DP_MSR_FP,
	0,
	DP_MSR_EE | DP_MSR_PR,
	DP_MSR_FP | DP_MSR_ME,
	DP_MSR_EE | DP_MSR_FP,
	DP_MSR_EE | DP_MSR_PR | DP_MSR_FP,
	DP_MSR_EE | DP_MSR_ME,
	DP_MSR_EE,
	DP_MSR_FP,
	DP_MSR_PR,
	DP_MSR_EE | DP_MSR_FP | 0x0900, /* FE0 FE1 */
	DP_MSR_EE,
	DP_MSR_EE | DP_MSR_ME,
	DP_MSR_PR | DP_MSR_FP | DP_MSR_EE,
	DP_MSR_FP,
};

void initial(struct state *s, const struct test_case *c, unsigned v)
{
	uint32_t d = (uint32_t)(uintptr_t)data;
	const uint32_t r[15] = {0x0a0a0a0a,
				d + 0x380,
				0x02020202,
				0x03030303,
				values[v & 7][0],
				values[v & 7][1],
				d + 0x100,
				d + 0x200,
				8,
				HOLE,
				d + 0x101,
				4,
				READ_ONLY + 16,
				TRANSLATION | DP_MSR_FP,
				TRANSLATION | DP_MSR_EE | DP_MSR_PR};
	static const uint32_t counts[8] = {0, 1, 2, 0x80000000, 0xffffffff, 0, 1, 7};

	/* MAS 0 1 2 3 6 7 */
	static const uint32_t mas[6] = {0x10020000, 0x80010200, 0x30000002,
					0x3000000f, 0x00050000, 0};

	(void)c;
	for (unsigned i = 0; i < 32; i++)
		s->r[i] = i < 15 ? r[i] : 0x10101010u + i * 0x01000001u;
	s->r[15] = TRANSLATION | DP_MSR_ME | DP_MSR_EE;
	s->r[25] = (uint32_t)(uintptr_t)&code[PAD_AT + 8];
	s->r[29] = d + 0x300;
	s->cr = conditions[v];
	/* SO OV CA and the length for lswx */
	s->xer = (v & 7) << 29 | (v * 5 & 31);
	s->lr = (uint32_t)(uintptr_t)&code[PAD_AT + 16] | (v & 3);
	s->ctr = v & 8 ? (uint32_t)(uintptr_t)&code[PAD_AT + 24] | (v & 3) : counts[v & 7];
	s->msr = contexts[v] | TRANSLATION;
	s->fpscr = has_fpu ? (v & 1 ? 0x00000001 : 0x00000080) : 0;
	for (unsigned i = 0; i < 6; i++)
		s->mas[i] = IS_E500 ? mas[i] : 0;
	for (unsigned i = 0; i < 16; i++)
		s->fp[i] = i & 1 ? 0x10000000u * (i >> 1)
				 : 0x3ff00000u + (v & 4 ? 0x80000000u : 0) + i * 0x00080000u;
}

/* The fault registers hold something before each run. */
void pre_fault(unsigned v)
{
	uint32_t word;

	dp_access_load(HOLE + 0x2000 + 4 * v, 4, &word);
}

uint32_t with_target(uint32_t insn, const uint32_t *target)
{
	return insn | (uint32_t)(uintptr_t)target;
}

/* Some cases store there, too. */
void fill_elsewhere(const struct test_case *c, bool all)
{
	(void)c;
	(void)all;
	for (unsigned i = 0; i < LOW_WORDS; i++)
		((volatile uint32_t *)LOW_CODE)[i] = END;
}

/* The guest writes code only here: the port's own cache maintenance is not what makes it work. */
void code_written(uint32_t at, unsigned bytes)
{
	dp_port_text_written(at, bytes);
}

/* Each is an addition to r24. */
bool second_may_have(const struct test_case *c, const struct state *in, const struct state *end,
		     unsigned count)
{
	(void)c;
	return count == (end->r[24] == in->r[24] + 1);
}

void settle(const struct test_case *c, const struct state *in, struct state *plain,
	    struct state *probed)
{
	unsigned target = c->insn[0] >> 21 & 31;

	if ((c->flags & CASE_TIME) && plain->r[target] != in->r[target] &&
	    probed->r[target] != in->r[target])
		plain->r[target] = probed->r[target];
	/* Which TLB entry is the next victim depends on how many misses there were. */
	if (IS_E500 && ((c->flags & CASE_VICTIM) || plain->vector == VECTOR_TLB ||
			plain->vector == VECTOR_FETCH))
		probed->mas[0] = (probed->mas[0] & 0xf0000000) | (plain->mas[0] & 0x0fffffff);
#if DP_PPC_BOOKE
	/* A trap leaves its mark in ESR; only an exception that sets it shows it. */
	if (plain->vector == VECTOR_SC || plain->vector == VECTOR_FLOAT ||
	    plain->vector == VECTOR_FETCH)
		probed->syndrome = plain->syndrome;
#endif
}
