/* SPDX-License-Identifier: BSD-2-Clause */
#include "states.h"

#include "kinds.inc"

const struct test_case cases[] = {
#include "cases.inc"
};
const unsigned case_count = sizeof(cases) / sizeof(cases[0]);
enum variant variant;

enum {
	MARGIN_WORDS = 1088, /* what offsets of 12 bits reach */
	LITERALS_AT = 0x80,  /* on both sides of the instruction */
	OTHER_AT = 0x400,    /* words of the other instruction set, for blx */
	FEW_STARTS = 6,
	MASKS = 0x1c0, /* A, I, F of CPSR */
	MODE_FIQ = 0x11
};
/* Of the pairs of flags and ITSTATE, a case begins in every STATE_STRIDE-th, with each value of
 * each flag; all cases together meet each pair. */
#ifndef STATE_STRIDE
#define STATE_STRIDE 1
#endif
/* Runs after the instruction in variant SECOND: add r6, r6, #1 */
#define NEXT_ARM   0xe2866001u
#define NEXT_THUMB 0x3601u

/* A section of its own, so that branches by 1, 4, 8 and 16 MiB end where nothing is mapped. What
 * runs has pages of its own: a store to a page with code in it takes QEMU very long. */
#define CODE_PAGE 4096
static uint8_t section[0x100000] __attribute__((section(".probed"), aligned(4096)));
uint8_t *const code = section + 0x80000;
static struct {
	uint32_t arm[64], thumb[64];
	uint8_t rest[CODE_PAGE - 512];
} pad __attribute__((section(".fixed.pad"), aligned(CODE_PAGE)));
static uint32_t field[2 * MARGIN_WORDS + DATA_WORDS]
	__attribute__((section(".fixed.field"), aligned(CODE_PAGE)));
uint32_t *const data = field + MARGIN_WORDS;
uint32_t patterns[2][DATA_WORDS];
bool code_is_clean;
struct start starts[STARTS_MAX];
unsigned start_count;
extern char abt_stack[];

/* --- code --- */

static void put16(uint32_t address, uint32_t half)
{
	*(volatile uint16_t *)(uintptr_t)address = (uint16_t)half;
}

void put_insn(uint32_t address, const struct test_case *c)
{
	if (!(c->flags & CASE_THUMB)) {
		*(volatile uint32_t *)(uintptr_t)address = c->insn;
	} else if (c->bytes == 2) {
		put16(address, c->insn);
	} else {
		put16(address, c->insn >> 16);
		put16(address + 2, c->insn);
	}
}

/* Where control may be sent. */
static uint32_t target(enum kind kind)
{
	return kind == HOLDS_ARM ? (uint32_t)(uintptr_t)&pad.arm[16]
				 : (uint32_t)(uintptr_t)&pad.thumb[16] | 1;
}

/* Around the instruction: undefined words of its instruction set, so that wherever it goes the
 * exception says where; on both sides addresses to load, and words of the other instruction set. */
void fill_code(const struct test_case *c, uint32_t address)
{
	bool thumb = c->flags & CASE_THUMB;
	uint32_t *word = (uint32_t *)code, other = thumb ? UNDEFINED_ARM : UNDEFINED_THUMB;
	const uint32_t targets[4] = {target(HOLDS_ARM), target(HOLDS_ARM) + 8, target(HOLDS_THUMB),
				     target(HOLDS_THUMB) + 8};

	static bool filled_for_thumb;
	unsigned first = 0, end = CODE_BYTES / 4;

	if (code_is_clean && thumb == filled_for_thumb) {
		first = CODE_AT / 4;
		end = first + 4;
	}
	code_is_clean = true;
	filled_for_thumb = thumb;
	for (unsigned i = first; i < end; i++)
		word[i] = thumb ? UNDEFINED_THUMB : UNDEFINED_ARM;
	for (unsigned i = 0; i < 16 && first == 0; i++) {
		word[(CODE_AT + LITERALS_AT) / 4 + i] = word[(CODE_AT - LITERALS_AT) / 4 + i] =
			targets[i & 3];
		word[(CODE_AT + OTHER_AT) / 4 + i] = word[(CODE_AT - OTHER_AT) / 4 + i] = other;
	}
	put_insn(address, c);
	if (variant == SECOND && thumb)
		put16(address + c->bytes, NEXT_THUMB);
	else if (variant == SECOND)
		*(volatile uint32_t *)(uintptr_t)(address + 4) = NEXT_ARM;
}

uint32_t code_sum(void)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < CODE_BYTES / 4; i++)
		sum = (sum << 1 | sum >> 31) ^ ((const volatile uint32_t *)code)[i];
	return sum;
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
	for (unsigned i = 0; i < sizeof(section) / 4; i++)
		((uint32_t *)section)[i] = UNDEFINED_THUMB;
	/* Thumb's too: before v7 some jumps there stay in ARM state. */
	for (unsigned i = 0; i < 64; i++)
		pad.arm[i] = pad.thumb[i] = UNDEFINED_ARM;
	make_patterns();
}

void copy_words(uint32_t *to, const uint32_t *from, unsigned count)
{
	for (unsigned i = 0; i < count; i += 4) {
		uint32_t a = from[i], b = from[i + 1], c = from[i + 2], d = from[i + 3];

		to[i] = a;
		to[i + 1] = b;
		to[i + 2] = c;
		to[i + 3] = d;
	}
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

/* All registers that point to data point to memory that user mode may not touch. */
static bool to_privileged;

void initial(struct state *s, const struct test_case *c, uint32_t address, uint32_t cpsr)
{
	uint32_t *r0 = s->r, d = to_privileged ? PRIVILEGED : (uint32_t)(uintptr_t)data;
	const uint32_t r[13] = {
		5,         d + 0x100,         d + 0x200,           8,    0x80000001u, 0x7fffffff,
		d + 0x180, target(HOLDS_ARM), target(HOLDS_THUMB), HOLE, 4,           0xfffffffcu,
		d + 0x280};

	for (unsigned i = 0; i < 13; i++)
		s->r[i] = r[i];
	s->sp = d + 0x300;
	s->lr = target(HOLDS_ARM) + 8;
	s->pc = address;
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

void initial_of(struct state *s, const struct test_case *c, uint32_t address,
		const struct start *start)
{
	to_privileged = start->privileged;
	initial(s, c, address, start->cpsr);
	to_privileged = false;
	copy_words(data, patterns[start->pattern], DATA_WORDS);
}

/* --- starts --- */

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

void make_starts(const struct test_case *c)
{
	uint32_t thumb = c->flags & CASE_THUMB ? DP_PSR_T : 0;
	unsigned its = thumb && !(c->flags & CASE_NO_IT) && __ARM_ARCH >= 7 ? IT_STATES : 1;

	if (c->flags & CASE_LAST_IT && its > 4)
		its = 4;
	start_count = 0;
	if (c->flags & CASE_SPSR) {
		for (unsigned flags = 0; flags < FLAG_STATES; flags++)
			add_start(flags << 28 | modes_with_spsr[flags & 3] | thumb);
		return;
	}
	for (unsigned it = 0; it < its; it++)
		for (unsigned flags = 0; flags < FLAG_STATES; flags++) {
			if ((flags + flags / 4 + it + c->insn) % STATE_STRIDE != 0)
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
}

void keep_few_starts(void)
{
	for (unsigned i = 0; i < FEW_STARTS; i++)
		copy_words((uint32_t *)&starts[i],
			   (const uint32_t *)&starts[i * start_count / FEW_STARTS], 4);
	start_count = FEW_STARTS;
}
