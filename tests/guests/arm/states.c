/* SPDX-License-Identifier: BSD-2-Clause */
/* What ARM cases start from: the code around an instruction, memory, registers, status words; and
 * what becomes of conditions and parts that are left out. */
#include "states.h"

#include "checks.h"
#include "kinds.inc"

enum {
	LITERALS_AT = 0x80, /* on both sides of the instruction */
	OTHER_AT = 0x400,   /* words of the other instruction set, for blx */
	FLAG_STATES = 16,
	MASKS = 0x1c0, /* A, I, F of CPSR */
	MODE_FIQ = 0x11
};
/* Of the pairs of flags and ITSTATE, a case begins in every STATE_STRIDE-th, with each value of
 * each flag; all cases together meet each pair. */
#ifndef STATE_STRIDE
#define STATE_STRIDE 1
#endif

#define UNDEFINED_THUMB 0xde00de00u

/* What runs has pages of its own: a store to a page with code in it takes QEMU very long. */
#define CODE_PAGE 4096
static struct {
	uint32_t arm[64], thumb[64];
	uint8_t rest[CODE_PAGE - 512];
} pad __attribute__((section(".fixed.pad"), aligned(CODE_PAGE)));
static uint32_t patterns[2][DATA_WORDS]; /* what data may hold */
extern char abt_stack[];

/* --- code --- */

static void put16(uint32_t address, uint32_t half)
{
	*(volatile uint16_t *)(uintptr_t)address = (uint16_t)half;
}

unsigned case_bytes(const struct test_case *c, unsigned which)
{
	if (!(c->flags & CASE_THUMB))
		return 4;
	return which == 0 ? c->bytes : 2;
}

void put_insn(uint32_t at, const struct test_case *c, unsigned which)
{
	if (!(c->flags & CASE_THUMB)) {
		*(volatile uint32_t *)(uintptr_t)at = c->insn[which];
	} else if (case_bytes(c, which) == 2) {
		put16(at, c->insn[which]);
	} else {
		put16(at, c->insn[which] >> 16);
		put16(at + 2, c->insn[which]);
	}
}

const struct test_case *nop_for(const struct test_case *c)
{
	static const struct test_case nops[3] = {
		{.insn = {0xe320f000u}},
		{.insn = {0xbf00}, .bytes = 2, .flags = CASE_THUMB},
		{.insn = {0xf3af8000u}, .bytes = 4, .flags = CASE_THUMB},
	};

	return &nops[c->flags & CASE_THUMB ? c->bytes / 2 : 0];
}

/* Undefined words of its instruction set, so that wherever it goes the exception says where. */
uint32_t end_for(const struct test_case *c)
{
	return c->flags & CASE_THUMB ? UNDEFINED_THUMB : UNDEFINED_ARM;
}

/* Where control may be sent. */
static uint32_t target(enum kind kind)
{
	return kind == HOLDS_ARM ? (uint32_t)(uintptr_t)&pad.arm[16]
				 : (uint32_t)(uintptr_t)&pad.thumb[16] | 1;
}

/* On both sides addresses to load, and words of the other instruction set. */
void fill_elsewhere(const struct test_case *c, bool all)
{
	uint32_t other = c->flags & CASE_THUMB ? UNDEFINED_ARM : UNDEFINED_THUMB;
	const uint32_t targets[4] = {target(HOLDS_ARM), target(HOLDS_ARM) + 8, target(HOLDS_THUMB),
				     target(HOLDS_THUMB) + 8};

	for (unsigned i = 0; i < 16 && all; i++) {
		uint32_t *word = &code[CODE_AT + i];

		word[LITERALS_AT / 4] = word[-LITERALS_AT / 4] = targets[i & 3];
		word[OTHER_AT / 4] = word[-OTHER_AT / 4] = other;
	}
}

unsigned places_of(const struct test_case *c)
{
	return c->flags & CASE_THUMB && !(c->flags & CASE_ALIGNED) ? 2 : 1;
}

uint32_t place_of(unsigned place)
{
	return case_address() + 2 * place;
}

uint8_t isa_of(const struct test_case *c)
{
	return c->flags & CASE_THUMB ? DP_ISA_THUMB : DP_ISA_MAIN;
}

/* --- data and registers --- */

/* Pattern 0: numbers; 1: addresses to go to. Bit 1 without bit 0 would be an UNPREDICTABLE address
 * to load into PC. */
static void make_patterns(void)
{
	const uint32_t targets[4] = {target(HOLDS_ARM), target(HOLDS_ARM) + 8, target(HOLDS_THUMB),
				     target(HOLDS_THUMB) + 8};

	for (unsigned i = 0; i < DATA_WORDS; i++) {
		patterns[0][i] = (0x80818283u + i * 0x01030507u) & ~2u;
		patterns[1][i] = targets[i & 3];
	}
}

void prepare_memory(void)
{
	for (unsigned i = 0; i < CODE_WORDS; i++)
		code[i] = UNDEFINED_THUMB;
	/* Thumb's too: before v7 some jumps there stay in ARM state. */
	for (unsigned i = 0; i < 64; i++)
		pad.arm[i] = pad.thumb[i] = UNDEFINED_ARM;
	make_patterns();
}

void fill_pattern(unsigned pattern)
{
	copy_words(data, patterns[pattern], DATA_WORDS);
}

uint32_t pattern_word(unsigned pattern, unsigned i)
{
	return patterns[pattern][i];
}

/* A status word to write: other masks, another mode. cpsr: of the start. */
static uint32_t status_held(enum kind kind, uint32_t cpsr)
{
	if (kind == HOLDS_SHUT)
		return (cpsr ^ 0xf0000000u) | MASKS;
	if (kind == HOLDS_OPEN)
		return cpsr & ~(uint32_t)MASKS;
	if (kind == HOLDS_TO_SYS)
		return 0x80000000u | DP_PSR_I | DP_MODE_SYS;
	return DP_PSR_F | DP_MODE_ABT;
}

static uint32_t held(enum kind kind)
{
	uint32_t d = (uint32_t)(uintptr_t)data;
	const uint32_t value[] = {
		/* Complete: what is missing would be a call of memset. */
		[HOLDS_NONE] = 0,
		[HOLDS_ZERO] = 0,
		[HOLDS_DATA] = d + 0x180,
		[HOLDS_HOLE] = HOLE,
		[HOLDS_ODD] = d + 0x181,
		[HOLDS_EIGHT] = 8,
		[HOLDS_MINUS4] = 0xfffffffcu,
		[HOLDS_ARM] = target(HOLDS_ARM),
		[HOLDS_THUMB] = target(HOLDS_THUMB),
		[HOLDS_N32] = 32,
		[HOLDS_N33] = 33,
		[HOLDS_FAR] = 0x80,
		[HOLDS_BACK] = 0xffffff80u,
		[HOLDS_NOT_ARM] = ~target(HOLDS_ARM),
		[HOLDS_LOW3] = 3,
		[HOLDS_N256] = 256,
	};

	return value[kind];
}

void initial_as(struct state *s, const struct test_case *c, uint32_t cpsr, bool privileged)
{
	uint32_t *r0 = s->r, d = privileged ? PRIVILEGED : (uint32_t)(uintptr_t)data;
	const uint32_t r[13] = {
		5,         d + 0x100,         d + 0x200,           8,    0x80000001u, 0x7fffffff,
		d + 0x180, target(HOLDS_ARM), target(HOLDS_THUMB), HOLE, 4,           0xfffffffcu,
		d + 0x280};

	for (unsigned i = 0; i < 13; i++)
		s->r[i] = r[i];
	s->sp = d + 0x300;
	s->lr = target(HOLDS_ARM) + 8;
	s->cpsr = cpsr;
	s->abt_sp = (uint32_t)(uintptr_t)abt_stack;
	s->abt_lr = 0x1234abcd;
	s->abt_spsr = 0x600000df;
	for (unsigned i = 0; i < 16; i++)
		s->vfp[i] = 0x3f800000u + i * 0x00100000u;
	for (unsigned i = 0; i < sizeof(c->holds) / sizeof(c->holds[0]) && c->holds[i] != 0; i++)
		r0[c->holds[i] & 15] = c->holds[i] >> 4 >= HOLDS_SHUT
					       ? status_held(c->holds[i] >> 4, cpsr)
					       : held(c->holds[i] >> 4);
}

/* --- starts --- */

/* A state before the instruction: status word and data. privileged: all registers that point to
 * data point to memory that user mode may not touch. */
static struct start {
	uint32_t cpsr;
	uint8_t pattern, privileged;
} starts[STARTS_MAX];
static unsigned start_count;

/* IT states to try: none; last EQ, NE; in the middle, condition true or false by the flags. */
const uint8_t it_states[IT_STATES] = {0x00, 0x08, 0x18, 0xa8, 0x04, 0x0c, 0x15, 0xe4};

/* Modes, and the mask bits: what is banked must come back, and what reads the mask see it. */
static const uint8_t modes[] = {0x10, 0x91, 0xd2, 0x13, 0x57, 0x9f, 0x17};
static const uint8_t modes_with_spsr[4] = {0x11, 0x12, 0x13, 0x17};

static void add_start(uint32_t cpsr)
{
	struct start *s = &starts[start_count++];

	s->cpsr = cpsr;
	s->privileged = 0;
	s->pattern = (cpsr >> 28 ^ cpsr >> 29 ^ cpsr >> 30 ^ cpsr >> 31) & 1;
}

unsigned starts_of(const struct test_case *c)
{
	uint32_t thumb = c->flags & CASE_THUMB ? DP_PSR_T : 0;
	unsigned its = thumb && !(c->flags & CASE_NO_IT) && __ARM_ARCH >= 7 ? IT_STATES : 1;

	if (c->flags & CASE_LAST_IT && its > 4)
		its = 4;
	start_count = 0;
	if (c->flags & CASE_SPSR) {
		for (unsigned flags = 0; flags < FLAG_STATES; flags++)
			add_start(flags << 28 | modes_with_spsr[flags & 3] | thumb);
		return start_count;
	}
	for (unsigned it = 0; it < its; it++)
		for (unsigned flags = 0; flags < FLAG_STATES; flags++) {
			if ((flags + flags / 4 + it + c->insn[0]) % STATE_STRIDE != 0)
				continue;
			add_start(flags << 28 | DP_MODE_SYS | thumb | (it_states[it] & 0xfcu) << 8 |
				  (it_states[it] & 3u) << 25);
		}
	for (unsigned i = 0; i < sizeof(modes) && !(c->flags & CASE_HALTS); i++)
		if (!(c->flags & CASE_NO_FIQ) || (modes[i] & DP_PSR_MODE) != MODE_FIQ)
			add_start((i * 5 & 15) << 28 | modes[i] | thumb);
	/* The port works in abort mode: what user mode may not do, it must not do for it. */
	if (!(c->flags & CASE_HALTS)) {
		add_start(0x10 | thumb);
		starts[start_count - 1].privileged = 1;
	}
	return start_count;
}

void initial(struct state *s, const struct test_case *c, unsigned v)
{
	initial_as(s, c, starts[v].cpsr, starts[v].privileged);
}

void fill_data(unsigned v)
{
	fill_pattern(starts[v].pattern);
}

/* --- what comes of it --- */

/* Conditions that pass, by NZCV: DDI 0406C table A8-1, written out. */
static const uint16_t passes[16] = {0xf0f0, 0x0f0f, 0xcccc, 0x3333, 0xff00, 0x00ff, 0xaaaa, 0x5555,
				    0x0c0c, 0xf3f3, 0xaa55, 0x55aa, 0x0a05, 0xf5fa, 0xffff, 0xffff};

static bool holds(unsigned condition, const struct state *in)
{
	return passes[condition] >> (in->cpsr >> 28) & 1;
}

/* b<c>, bl<c> of A32; b<c> of Thumb. */
static bool is_conditional_branch(const struct test_case *c, uint32_t insn)
{
	if (!(c->flags & CASE_THUMB))
		return (insn & 0x0e000000) == 0x0a000000 && insn >> 28 < 14;
	return c->bytes == 2
		       ? (insn & 0xf000) == 0xd000
		       : (insn & 0xf800d000u) == 0xf0008000u && (insn & 0x03800000u) != 0x03800000u;
}

/* A conditional branch is hit whether it is taken or not. */
bool is_hit(const struct test_case *c, const struct state *in)
{
	unsigned it = it_of(in->cpsr);

	if (is_conditional_branch(c, c->insn[0]))
		return true;
	if (!(c->flags & CASE_THUMB))
		return holds(c->insn[0] >> 28, in);
	return !(it & 15) || holds(it >> 4, in);
}

bool may_be_taken(const struct test_case *c, const struct state *in, unsigned count)
{
	uint32_t insn = c->insn[0];
	bool thumb = c->flags & CASE_THUMB;

	if (is_conditional_branch(c, insn))
		return count == holds(!thumb          ? insn >> 28
				      : c->bytes == 2 ? insn >> 8 & 15
						      : insn >> 22 & 15,
				      in);
	if (thumb && c->bytes == 2 && (insn & 0xf500) == 0xb100) /* cbz, cbnz */
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

/* --- parts that are left out --- */

unsigned left_out;

bool is_left_out(bool thumb)
{
	return thumb ? !DP_ARM_WITH_THUMB : !DP_ARM_WITH_A32;
}

bool is_rare(const struct test_case *c)
{
	return !DP_ARM_WITH_RARE && !(c->flags & CASE_REFUSED) &&
	       dp_arm_decode(c->insn[0], c->flags & CASE_THUMB, case_bytes(c, 0),
			     DP_ARM_ARCHITECTURE)
			       .action == DP_ARM_REFUSE;
}

bool is_refused(const struct test_case *c)
{
	return c->flags & CASE_REFUSED || is_left_out(c->flags & CASE_THUMB) || is_rare(c);
}

bool is_refusal(const struct test_case *c, enum dp_err error, enum dp_refusal why)
{
	if (is_left_out(c->flags & CASE_THUMB))
		return error == DP_ERR_LEFT_OUT && why == DP_REFUSE_NOTHING;
	if (is_rare(c))
		return error == DP_ERR_NOT_PROBEABLE && why == DP_REFUSE_UNSUPPORTED;
	return (error == DP_ERR_NOT_PROBEABLE || error == DP_ERR_FOREIGN_BREAK) &&
	       (why == c->refusal || (!DP_ARM_WITH_RARE && why == DP_REFUSE_UNSUPPORTED));
}

void note_refusal(const struct test_case *c, enum dp_refusal why)
{
	(void)why;
	left_out += pass == PASS_PLAIN && (is_left_out(c->flags & CASE_THUMB) || is_rare(c));
}
