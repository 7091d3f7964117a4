/* SPDX-License-Identifier: BSD-2-Clause */
/* What Cortex-M cases start from: the code around an instruction, memory, registers, levels. */
#include "checks.h"
#include "kinds.inc"
#include "oracle.h"
#include "states.h"
#include "thumb/it_state.h"

enum {
	LITERALS_AT = 0x80, /* on both sides of the instruction */
	FLAG_STATES = 16,
	IT_STATES = 8,
	FRAME_MOST = 26 * 4 + 8 /* what an exception stores below sp */
};
/* Of the pairs of flags and ITSTATE, a case begins in every STATE_STRIDE-th. */
#ifndef STATE_STRIDE
#define STATE_STRIDE 1
#endif

static struct {
	uint32_t thumb[64];
	uint8_t rest[4096 - 256];
} pad __attribute__((section(".fixed.pad"), aligned(4096)));
static uint32_t patterns[2][DATA_WORDS]; /* what data may hold */

/* --- code --- */

static void put16(uint32_t address, uint32_t half)
{
	*(volatile uint16_t *)(uintptr_t)address = (uint16_t)half;
}

unsigned case_bytes(const struct test_case *c, unsigned which)
{
	return which == 0 ? c->bytes : 2;
}

void put_insn(uint32_t at, const struct test_case *c, unsigned which)
{
	if (case_bytes(c, which) == 2) {
		put16(at, c->insn[which]);
	} else {
		put16(at, c->insn[which] >> 16);
		put16(at + 2, c->insn[which]);
	}
}

const struct test_case *nop_for(const struct test_case *c)
{
	static const struct test_case nops[2] = {
		{.insn = {0xbf00}, .bytes = 2},
		{.insn = {0xf3af8000u}, .bytes = 4},
	};

	return &nops[c->bytes / 2 - 1];
}

/* Undefined halfwords, so that wherever control goes the exception says where. */
uint32_t end_for(const struct test_case *c)
{
	(void)c;
	return VECTOR_END;
}

/* Where control may be sent; HOLDS_ARM: with bit 0 clear, which is a fault. */
static uint32_t target(enum kind kind)
{
	return (uint32_t)(uintptr_t)&pad.thumb[16] | (kind != HOLDS_ARM);
}

void fill_elsewhere(const struct test_case *c, bool all)
{
	(void)c;
	for (unsigned i = 0; i < 16 && all; i++) {
		uint32_t *word = &code[CODE_AT + i];

		word[LITERALS_AT / 4] = word[-LITERALS_AT / 4] =
			target(i & 2 ? HOLDS_THUMB : HOLDS_ARM) + 8 * (i & 1);
	}
}

unsigned places_of(const struct test_case *c)
{
	return c->flags & CASE_ALIGNED ? 1 : 2;
}

uint32_t place_of(unsigned place)
{
	return case_address() + 2 * place;
}

uint8_t isa_of(const struct test_case *c)
{
	(void)c;
	return DP_ISA_THUMB;
}

/* --- data and registers --- */

/* A number that is no address of code. QEMU's Cortex-M0 executes what devices read as, so there it
 * is none of a device either. */
static uint32_t number_at(unsigned i)
{
	uint32_t number = (0x80818283u + i * 0x01030507u) & ~2u;

#if !DP_CORTEXM_HAS_FAULTS
	number = (number & 0x0fffffff) + ((number >> 28) % 8 + 6) * 0x10000000u;
#endif
	return number;
}

void prepare_memory(void)
{
	for (unsigned i = 0; i < CODE_WORDS; i++)
		code[i] = VECTOR_END;
	for (unsigned i = 0; i < 64; i++)
		pad.thumb[i] = VECTOR_END;
	/* Pattern 0: numbers; 1: addresses to go to. */
	for (unsigned i = 0; i < DATA_WORDS; i++) {
		patterns[0][i] = number_at(i);
		patterns[1][i] = target(i & 2 ? HOLDS_THUMB : HOLDS_ARM) + 8 * (i & 1);
	}
}

static uint32_t held(enum kind kind)
{
	uint32_t d = (uint32_t)(uintptr_t)data;

	switch (kind) {
	case HOLDS_DATA:
		return d + 0x180;
	case HOLDS_HOLE:
		return HOLE;
	case HOLDS_ODD:
		return d + 0x181;
	case HOLDS_EIGHT:
		return 8;
	case HOLDS_MINUS4:
		return 0xfffffffcu;
	case HOLDS_ARM:
	case HOLDS_THUMB:
		return target(kind);
	case HOLDS_N32:
		return 32;
	case HOLDS_N33:
		return 33;
	case HOLDS_N256:
		return 256;
	default:
		return 0;
	}
}

/* --- starts --- */

/* The levels that instructions run at: which stack, privileged or not, masked how, in a handler;
 * and which faults have handlers of their own. */
static const struct level {
	uint8_t primask, basepri, control, handler;
	uint32_t enabled, priorities;
} levels[] = {
#if DP_CORTEXM_HAS_FAULTS
	{0, 0, 0, 0, 0, 0},          {0, 0, 2, 0, 0x70000, 0},
	{0, 0, 3, 0, 0x70000, 0},    {0, 0, 3, 0, 0, 0},
	{1, 0, 0, 0, 0x70000, 0},    {1, 0, 2, 0, 0, 0},
	{0, 0x40, 2, 0, 0x70000, 0}, {0, 0x40, 0, 0, 0x70000, 0x00808080},
	{0, 0, 0, 1, 0x70000, 0},    {1, 0, 0, 1, 0, 0},
	{0, 0, 2, 0, 0x30000, 0},
#else /* a Cortex-M0 is always privileged */
	{0, 0, 0, 0, 0, 0}, {0, 0, 2, 0, 0, 0}, {1, 0, 0, 0, 0, 0},
	{1, 0, 2, 0, 0, 0}, {0, 0, 0, 1, 0, 0}, {1, 0, 0, 1, 0, 0},
#endif
};
enum {
	LEVELS = sizeof(levels) / sizeof(levels[0])
};

static struct start {
	uint32_t xpsr;
	uint8_t pattern, level;
} starts[STARTS_MAX];
static unsigned start_count;

/* IT states to try: none; last EQ, NE, GE; in the middle, condition true or false by the flags. */
static const uint8_t it_states[IT_STATES] = {0x00, 0x08, 0x18, 0xa8, 0x04, 0x0c, 0x15, 0xe4};

static void add_start(uint32_t flags, uint32_t it, unsigned level)
{
	struct start *s = &starts[start_count++];

	s->xpsr = dp_thumb_with_it(flags << 28 | DP_XPSR_T, it);
	s->level = (uint8_t)level;
	s->pattern = (flags ^ flags >> 1 ^ flags >> 2 ^ flags >> 3) & 1;
}

unsigned starts_of(const struct test_case *c)
{
	unsigned its = c->flags & CASE_NO_IT || !DP_CORTEXM_HAS_FAULTS ? 1 : IT_STATES, count = 0;

	if (c->flags & CASE_LAST_IT && its > 4)
		its = 4;
	start_count = 0;
	for (unsigned it = 0; it < its; it++)
		for (unsigned flags = 0; flags < FLAG_STATES; flags++)
			if ((flags + flags / 4 + it + c->insn[0]) % STATE_STRIDE == 0)
				add_start(flags, it_states[it], count++ % LEVELS);
	for (unsigned i = 0; i < LEVELS && !(c->flags & CASE_HALTS); i++)
		add_start(i * 5 & 15, 0, i);
	return start_count;
}

void initial(struct state *s, const struct test_case *c, unsigned v)
{
	uint32_t d = (uint32_t)(uintptr_t)data, *r0 = s->r;
	const struct level *level = &levels[starts[v].level];
	const uint32_t r[13] = {
		5,         d + 0x100,         d + 0x200,           8,    0x80000001u, 0x7fffffff,
		d + 0x180, target(HOLDS_ARM), target(HOLDS_THUMB), HOLE, 4,           0xfffffffcu,
		d + 0x280};

	for (unsigned i = 0; i < 13; i++)
		s->r[i] = r[i];
	s->sp = d + 0x300 + (v & 1 ? 4 : 0);
	s->lr = target(HOLDS_THUMB) + 8;
	s->xpsr = starts[v].xpsr;
	s->primask = level->primask;
	s->basepri = level->basepri;
	s->control = level->control;
	s->handler = level->handler;
	s->enabled = level->enabled;
	s->priorities = level->priorities;
	s->fp_active = v >> 1 & 1;
	s->fpscr = 0;
	for (unsigned i = 0; i < 16; i++)
		s->s[i] = 0x3f800000u + i * 0x00100000u;
	for (unsigned i = 0; i < sizeof(c->holds) / sizeof(c->holds[0]) && c->holds[i] != 0; i++)
		r0[c->holds[i] & 15] = held(c->holds[i] >> 4);
}

void fill_data(unsigned v)
{
	copy_words(data, patterns[starts[v].pattern], DATA_WORDS);
}

/* --- what comes of it --- */

/* Words of the data that hold frames of exceptions: how far down is not the instruction's. */
static void forget(uint32_t *words, uint32_t from, uint32_t end)
{
	uint32_t d = (uint32_t)(uintptr_t)data;

	for (uint32_t at = from; at < end; at += 4)
		if (at - d < 4 * DATA_WORDS)
			words[(at - d) / 4] = 0;
}

/* push, stm, str, vpush: they write what they take of the stack. */
static bool stores(const struct test_case *c)
{
	unsigned top = c->insn[0] >> (c->bytes == 2 ? 9 : 25);

	return c->bytes == 2 ? top == 0xb4 >> 1
			     : top == 0xe8 >> 1 || top == 0xf8 >> 1 || top == 0xec >> 1;
}

/* Memory below sp is destroyed by the frame of a trap: neither run keeps it. What was pushed is
 * above. */
void settle(const struct test_case *c, const struct state *in, struct state *plain,
	    struct state *probed)
{
	uint32_t *const both[2] = {((struct ending *)(void *)plain)->data, data};
	uint32_t before = in->sp, after = plain->sp;

	for (unsigned i = 0; i < 2; i++) {
		forget(both[i], (after & ~3u) - FRAME_MOST, after);
		if (after >= before || before - after > 64 || !stores(c))
			forget(both[i], before - FRAME_MOST,
			       after > before && after - before <= 64 ? after : before);
	}
	(void)probed;
}

/* Conditions that pass, by NZCV: DDI 0403E A7.3, written out. */
static const uint16_t passes[16] = {0xf0f0, 0x0f0f, 0xcccc, 0x3333, 0xff00, 0x00ff, 0xaaaa, 0x5555,
				    0x0c0c, 0xf3f3, 0xaa55, 0x55aa, 0x0a05, 0xf5fa, 0xffff, 0xffff};

static bool holds(unsigned condition, const struct state *in)
{
	return passes[condition] >> (in->xpsr >> 28) & 1;
}

static bool is_conditional_branch(const struct test_case *c, uint32_t insn)
{
	return c->bytes == 2
		       ? (insn & 0xf000) == 0xd000
		       : (insn & 0xf800d000u) == 0xf0008000u && (insn & 0x03800000u) != 0x03800000u;
}

/* A conditional branch is hit whether it is taken or not. */
bool is_hit(const struct test_case *c, const struct state *in)
{
	unsigned it = dp_thumb_it(in->xpsr);

	return is_conditional_branch(c, c->insn[0]) || !(it & 15) || holds(it >> 4, in);
}

bool may_be_taken(const struct test_case *c, const struct state *in, unsigned count)
{
	uint32_t insn = c->insn[0];

	if (is_conditional_branch(c, insn))
		return count == holds(c->bytes == 2 ? insn >> 8 & 15 : insn >> 22 & 15, in);
	if (c->bytes == 2 && (insn & 0xf500) == 0xb100) /* cbz, cbnz */
		return count == ((in->r[insn & 7] != 0) == (insn >> 11 & 1));
	return count == 1;
}

/* The next instruction runs when r6 says so: it has no other trace. */
bool second_may_have(const struct test_case *c, const struct state *in, const struct state *end,
		     unsigned count)
{
	(void)c;
	if (end->r[6] == in->r[6] + 1)
		return count == 1;
	return end->r[6] != in->r[6] || count <= 1;
}
