/* SPDX-License-Identifier: BSD-2-Clause */
/* Run-twice oracle for the PowerPC port: every instruction of cases.inc is executed plain and
 * probed from the same state; all registers, memory, code and the exception that ends it must
 * agree. Probes on it, on the next instruction, on both. spec/stepping.md 1.10. The core of the
 * agent is replaced by what stands here: three sites. */
#include "guest.h"

#include "dp_access.h"
#include "dp_agent.h"
#include "ppc_port.h"

enum {
	DATA_WORDS = 256,
	CODE_WORDS = 1024,
	CODE_AT = 512,
	LOW_WORDS = 64,
	SITES = 2,
	VALUES = 16,
	FEW_VALUES = 4
};
#define END  0x44000002u /* sc: what control meets wherever it goes */
#define HOLE 0xdead0000u
#ifndef GUEST_SWEEP /* 1: only the interrupts */
#define GUEST_SWEEP 0
#endif
#define FAR_CODE  0x03000000u
#define LAST_WORD 0x00fffffcu /* mapped: 16 MB */
#define ADDED     0x3b180001u /* addi r24, r24, 1: the next instruction of every case */
#define NOP       0x60000000u

#if defined(GUEST_BAMBOO)
#define UART   0xef600300u
#define QUIRKS (DP_QUIRK_TRAP_SETS_CE | DP_QUIRK_MTMSR_KEEPS_ME)
#elif defined(GUEST_E500)
#define UART   0xe0004500u
#define QUIRKS (DP_QUIRK_TRAP_SETS_CE | DP_QUIRK_MTMSR_KEEPS_ME)
#else
#define UART   0x800003f8u
#define QUIRKS DP_QUIRK_MTMSR_KEEPS_ME
#endif
#if DP_PPC_BOOKE
enum {
	VECTOR_MACHINE = 1,
	VECTOR_PROGRAM = 6,
	VECTOR_FLOAT = 7,
	VECTOR_SC = 8,
	VECTOR_TLB = 13,
	VECTOR_FETCH = 14
};
#define TRANSLATION 0u
#else
enum {
	VECTOR_MACHINE = 2,
	VECTOR_PROGRAM = 7,
	VECTOR_SC = 12,
	VECTOR_TLB = 0xff,
	VECTOR_FETCH = 0xff
};
#define TRANSLATION 0x30u
#endif

#ifdef GUEST_E500
#define IS_E500 true
#else
#define IS_E500 false
#endif

struct test_case {
	uint32_t insn;
	uint16_t flags;
	uint8_t refusal;
	const char *text;
};
enum {
	CASE_ABSOLUTE = 1, /* ba, bla: the target is filled in here */
	CASE_TIME = 2,     /* rt gets a value that is never the same twice */
	CASE_HALTS = 4,    /* compared with a nop */
	CASE_REFUSED = 8,
	CASE_VICTIM = 16, /* reads which TLB entry is next to go */
	CASE_TWO = 32,    /* takes two traps: no interrupt comes between */
};
static const struct test_case cases[] = {
#include "cases.inc"
};
enum {
	CASES = sizeof(cases) / sizeof(cases[0])
};

/* Pages of their own: QEMU is slow where code and data share one. pad is in that of code. */
static uint32_t code[CODE_WORDS] __attribute__((aligned(4096)));
static uint32_t *const pad = &code[CODE_WORDS - 64];
static uint32_t data[DATA_WORDS] __attribute__((aligned(4096)));
static uint32_t data_plain[DATA_WORDS];
static uint8_t slots[4096] __attribute__((aligned(4096)));
static uint64_t stack[DP_PORT_STACK_BYTES / 8] __attribute__((aligned(16)));
static struct dp_port_state port;
enum {
	FRAMES = 4,
	ALL_SITES = SITES + 1 + FRAMES
};
static struct dp_site site[ALL_SITES]; /* the last ones: in callbacks of the core */
static unsigned hits[ALL_SITES], stepped, faults, refused, ran, failed, probed_cases, strays;
static unsigned pass;
static uint8_t rows[255], refused_rows[255], checked_rows[255];
static uint16_t classes[255];       /* of operands, by row: enum operand_class */
static uint32_t conditions_seen[3]; /* BO, of bc, bclr and bcctr */
static unsigned with, without;      /* hits that ran a program, and that did not */

/* --- printing --- */

static void put(char c)
{
	volatile uint8_t *uart = (volatile uint8_t *)UART;

	while (!(uart[5] & 0x20))
		;
	uart[0] = (uint8_t)c;
}

static void say(const char *text)
{
	while (*text)
		put(*text++);
}

static void hex(uint32_t value)
{
	for (unsigned i = 0; i < 8; i++)
		put("0123456789abcdef"[value >> (28 - 4 * i) & 15]);
	put(' ');
}

static void number(const char *name, unsigned value)
{
	char text[12], *p = text + 11;

	*p = 0;
	say(name);
	do {
		*--p = (char)('0' + value % 10);
		value /= 10;
	} while (value != 0);
	say(p);
}

static void fail(const struct test_case *c, const char *what)
{
	failed++;
	say("FAIL ");
	say(c ? c->text : "-");
	say(": ");
	say(what);
}

_Noreturn static void stop(void)
{
	say(failed ? "\nFAIL\nEXIT 1\n" : "\nPASS\nEXIT 42\n");
	for (;;)
		;
}

/* --- what the core would do --- */

/* A callback of the board that has a probe in it. */
__attribute__((noinline, aligned(16))) static uint32_t callback(uint32_t x)
{
	__asm__ volatile("addi %0, %0, 3" : "+r"(x));
	return x;
}

/* Callbacks that begin with a store below their stack pointer, where the frames of the hit that
 * steps it are: written too early, it would cost the hit its registers, or the callback its way
 * back. */
#define FRAME_CALLBACK(name, bytes)                                                                \
	uint32_t name(uint32_t x);                                                                 \
	__asm__(".text\n.balign 16\n" #name ":\n\tstwu 1, -" #bytes                                \
		"(1)\n\tstw 3, 8(1)\n\tlwz 3, 8(1)\n\taddi 3, 3, 3\n\tlwz 1, 0(1)\n\tblr\n")
FRAME_CALLBACK(frame_16, 16);
FRAME_CALLBACK(frame_96, 96);
FRAME_CALLBACK(frame_224, 224);
FRAME_CALLBACK(frame_400, 400);
static uint32_t (*const frame_callback[FRAMES])(uint32_t) = {frame_16, frame_96, frame_224,
							     frame_400};

static struct dp_site *find(dp_addr address)
{
	for (unsigned i = 0; i < ALL_SITES; i++)
		if (site[i].address == address && site[i].insn_bytes != 0)
			return &site[i];
	return NULL;
}

static void disturb(void)
{
	uint32_t word;

	/* Every second run is that of a probe whose handlers do nothing. */
	if (pass == 0 && ran & 1) {
		without++;
		return;
	}
	with++;

	/* A bad address in the handler must leave the fault registers alone. */
	if (dp_port_read(HOLE + (ran & 2 ? 0x4000 : 0x1002), &word, ran & 2 ? 4 : 2,
			 ran & 2 ? 4 : 2))
		failed++;
	if (pass == 1 && (callback(4) != 7 || frame_callback[ran % FRAMES](4) != 7))
		failed++;
}

enum dp_taken dp_agent_trap(struct dp_frame *frame)
{
	struct dp_site *s = find(dp_port_pc(frame));
	uint32_t found;

	if (s == NULL) {
		if (!dp_port_trap_at(frame, &found))
			return DP_RESUME;
		strays++;
		return DP_NOT_OURS;
	}
	if (s->armed && dp_port_fires(s, frame))
		hits[s - site]++;
	if (s < &site[SITES])
		disturb();
	switch (dp_port_step(s, frame)) {
	case DP_STEP_FAULT:
		faults++;
		return DP_FIRMWARE;
	case DP_STEP_PENDING:
		stepped++;
		return DP_RESUME;
	default:
		return DP_RESUME;
	}
}

enum dp_taken dp_agent_stepped(struct dp_frame *frame, dp_addr address)
{
	stepped--;
	if (find(address) == NULL)
		failed++;
	dp_port_stepped(find(address), frame);
	return DP_RESUME;
}

enum dp_taken dp_agent_fault(struct dp_frame *frame, dp_addr address)
{
	stepped--;
	faults++;
	dp_port_step_fault(find(address), frame);
	if (dp_port_pc(frame) != address)
		failed++;
	if (pass > 0)
		disturb(); /* a handler of the fault phase */
	return DP_FIRMWARE;
}

static bool original_at(dp_addr address, uint8_t *bytes, unsigned count)
{
	struct dp_site *s = find(address & ~3u);
	const uint8_t *from = s ? (const uint8_t *)&s->original + (address & 3)
				: (const uint8_t *)(uintptr_t)address;

	for (unsigned i = 0; i < count; i++)
		bytes[i] = from[i];
	return true;
}

/* --- one case --- */

static uint32_t word_of(const struct test_case *c)
{
	if (c->flags & CASE_ABSOLUTE)
		return c->insn | (uint32_t)(uintptr_t)&pad[4];
	return c->insn;
}

/* The guest writes code only here: the port's own cache maintenance is not what makes it work. */
static void code_written(void)
{
	dp_port_text_written((uintptr_t)&code[CODE_AT], 8);
}

static void fill_code(const struct test_case *c)
{
	for (unsigned i = 0; i < CODE_WORDS; i++)
		code[i] = END;
	code[CODE_AT] = word_of(c);
	code[CODE_AT + 1] = ADDED;
	for (unsigned i = 0; i < LOW_WORDS; i++)
		((volatile uint32_t *)LOW_CODE)[i] = END;
	code_written();
}

static void fill_data(void)
{
	for (unsigned i = 0; i < DATA_WORDS; i++)
		data[i] = 0x80818283u + i * 0x01030507u;
}

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
static const uint32_t conditions[VALUES] = {0x00000000, 0xffffffff, 0x84218421, 0x12481248,
					    0x48214821, 0x0f0f0f0f, 0xf0f0f0f0, 0x55555555,
					    0xaaaaaaaa, 0x20000000, 0x00000004, 0x00000002,
					    0x80000000, 0x2fffffff, 0xd0000000, 0x00000001};
/* Not MSR[CE]: after a trap QEMU shows it set whether it was or not. */
static const uint32_t contexts[VALUES] = {
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

static void initial(struct state *s, unsigned v)
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

	for (unsigned i = 0; i < 32; i++)
		s->r[i] = i < 15 ? r[i] : 0x10101010u + i * 0x01000001u;
	s->r[15] = TRANSLATION | DP_MSR_ME | DP_MSR_EE;
	s->r[25] = (uint32_t)(uintptr_t)&pad[8];
	s->r[29] = d + 0x300;
	s->cr = conditions[v];
	/* SO OV CA and the length for lswx */
	s->xer = (v & 7) << 29 | (v * 5 & 31);
	s->lr = (uint32_t)(uintptr_t)&pad[16] | (v & 3);
	s->ctr = v & 8 ? (uint32_t)(uintptr_t)&pad[24] | (v & 3) : counts[v & 7];
	s->msr = contexts[v] | TRANSLATION;
	s->fpscr = has_fpu ? (v & 1 ? 0x00000001 : 0x00000080) : 0;
	for (unsigned i = 0; i < 6; i++)
		s->mas[i] = IS_E500 ? mas[i] : 0;
	for (unsigned i = 0; i < 16; i++)
		s->fp[i] = i & 1 ? 0x10000000u * (i >> 1)
				 : 0x3ff00000u + (v & 4 ? 0x80000000u : 0) + i * 0x00080000u;
}

/* The fault registers hold something before each run. */
static void pre_fault(unsigned v)
{
	uint32_t word;

	dp_access_load(HOLE + 0x2000 + 4 * v, 4, &word);
}

static uint32_t code_sum(void)
{
	uint32_t sum = 0;

	for (unsigned i = CODE_AT - 32; i < CODE_AT + 32; i++)
		sum = (sum << 1 | sum >> 31) ^ ((const volatile uint32_t *)code)[i];
	return sum;
}

/* A trap leaves its mark in ESR; only an exception that sets it shows it. */
static bool same_state(const struct test_case *c, const struct state *a, struct state *b)
{
	const uint32_t *x = (const uint32_t *)a, *y = (const uint32_t *)b;
	bool same = true;

	/* Which TLB entry is the next victim depends on how many misses there were. */
	if (IS_E500 &&
	    ((c->flags & CASE_VICTIM) || a->vector == VECTOR_TLB || a->vector == VECTOR_FETCH))
		b->mas[0] = (b->mas[0] & 0xf0000000) | (a->mas[0] & 0x0fffffff);
#if DP_PPC_BOOKE
	if (a->vector == VECTOR_SC || a->vector == VECTOR_FLOAT || a->vector == VECTOR_FETCH)
		b->syndrome = a->syndrome;
#endif
	for (unsigned i = 0; i < sizeof(*a) / 4; i++)
		same &= x[i] == y[i];
	for (unsigned i = 0; i < DATA_WORDS; i++)
		same &= data[i] == data_plain[i];
	return same;
}

static void report(const struct test_case *c, const struct state *in, const struct state *plain,
		   const struct state *probed, const char *what, unsigned mask)
{
	const uint32_t *w[3] = {(const uint32_t *)in, (const uint32_t *)plain,
				(const uint32_t *)probed};

	fail(c, what);
	number(" pass ", pass);
	number(" probes ", mask);
	number(" hits ", hits[0]);
	number(" ", hits[1]);
	number(" stepped ", stepped);
	number(" faults ", faults);
	say("\n");
	if (failed > 20)
		return;
	for (unsigned i = 0; i < sizeof(*in) / 4; i++) {
		if (w[1][i] == w[2][i] && (i < 36 || i > 40))
			continue;
		number("  word ", i);
		say(": ");
		hex(w[0][i]);
		hex(w[1][i]);
		hex(w[2][i]);
		say("\n");
	}
	for (unsigned i = 0; i < DATA_WORDS; i++)
		if (data[i] != data_plain[i])
			number("  data ", i);
}

/* Run plain and probed. mask: bit 0 a probe on the first word, bit 1 on the second. from: the word
 * that is entered. */
static void compare(const struct test_case *c, unsigned mask, unsigned from, unsigned v)
{
	static struct state in, plain, probed;
	uint32_t sum, found;
	unsigned expected[2], target = c->insn >> 21 & 31;

	initial(&in, v);
	in.pc = (uint32_t)(uintptr_t)&code[CODE_AT + from];
	fill_data();
	if (c->flags & CASE_HALTS) {
		code[CODE_AT] = NOP;
		code_written();
	}
	pre_fault(v);
	run(&in, &plain);
	if (c->flags & CASE_HALTS) {
		code[CODE_AT] = word_of(c);
		code_written();
	}
	for (unsigned i = 0; i < DATA_WORDS; i++)
		data_plain[i] = data[i];
	sum = code_sum();
	fill_data();
	expected[0] = (mask & 1) && from == 0;
	expected[1] = (mask & 2) && plain.r[24] == in.r[24] + 1;
	hits[0] = hits[1] = stepped = faults = 0;
	for (unsigned i = 0; i < SITES; i++) {
		if (!(mask >> i & 1))
			continue;
		if (dp_port_arm(&site[i]) != DP_ERR_OK || !dp_port_is_armed(&site[i], &found)) {
			fail(c, "not armed\n");
			return;
		}
		site[i].armed = 1;
	}
	pre_fault(v);
	run(&in, &probed);
	ran++;
	if ((c->flags & CASE_TIME) && plain.r[target] != in.r[target] &&
	    probed.r[target] != in.r[target])
		plain.r[target] = probed.r[target];
	for (unsigned i = 0; i < SITES; i++) {
		site[i].armed = 0;
		if ((mask >> i & 1) && dp_port_disarm(&site[i]) != DP_ERR_OK)
			fail(c, "not disarmed\n");
	}
	if (code_sum() != sum || !same_state(c, &plain, &probed))
		report(c, &in, &plain, &probed, "not the same", mask);
	else if (hits[0] != expected[0] || hits[1] != expected[1] || stepped != 0)
		report(c, &in, &plain, &probed, "hit count", mask);
}

static enum dp_err prepare(struct dp_site *s, uint32_t address, enum dp_refusal *why)
{
	enum dp_err error;

	s->address = address;
	s->extent = (uint32_t)(uintptr_t)&code[CODE_AT - 16];
	s->extent_bytes = 256;
	s->isa = s->armed = s->chain = 0;
	s->phases = pass == 1 ? 3 : 1;
	*why = DP_REFUSE_NOTHING;
	error = dp_port_fetch(s);
	if (error == DP_ERR_OK)
		error = dp_port_prepare(s, original_at, why);
	if (error != DP_ERR_OK)
		s->insn_bytes = 0;
	return error;
}

/* --- which operands have been tried --- */

enum operand_class {
	RT_ZERO = 1,
	RT_OTHER = 2,
	RA_ZERO = 4,
	RA_OTHER = 8,
	RB_ZERO = 16,
	RB_OTHER = 32,
	RT_IS_RA = 64, /* and not zero */
	RT_IS_RB = 128,
	RA_IS_RB = 256,
	LAST_SET = 512, /* bit 0: Rc, LK */
	LAST_CLEAR = 1024,
	OE_SET = 2048,
	OE_CLEAR = 4096,
	AA_SET = 8192,
	AA_CLEAR = 16384,
};
enum {
	NAMES_RT = 1,
	NAMES_RA = 2,
	NAMES_RB = 4,
	NAMES_LAST = 8,
	NAMES_OE = 16,
	NAMES_AA = 32
};

/* Opcode 31: what else than three registers the fields that a mask leaves open may be. */
static unsigned operands_31(unsigned extended)
{
	static const uint16_t two[] = {4,   22,  134, 166, 230, 246, 278, 390, 486,
				       535, 567, 599, 631, 663, 695, 727, 759, 983};
	static const uint16_t one[] = {323, 334, 339, 371, 451, 462, 467};

	for (unsigned i = 0; i < sizeof(two) / sizeof(two[0]); i++)
		if (extended == two[i]) /* a level, a condition, a floating point register */
			return NAMES_RA | NAMES_RB;
	for (unsigned i = 0; i < sizeof(one) / sizeof(one[0]); i++)
		if (extended == one[i]) /* the number of a special register */
			return NAMES_RT;
	switch (extended) {
	case 597: /* lswi, stswi: a count */
	case 725:
		return NAMES_RT | NAMES_RA;
	case 824: /* srawi: an amount */
		return NAMES_RT | NAMES_RA | NAMES_LAST;
	case 131: /* wrtee, mtmsr: what is in r0 is no MSR to run with */
	case 146:
	case 854: /* mbar */
	case 914: /* tlbsx, tlbre: differ from core to core */
	case 946:
		return 0;
	default:
		return NAMES_RT | NAMES_RA | NAMES_RB | NAMES_LAST | NAMES_OE;
	}
}

/* Which fields name general registers, and which bits choose a form: by the opcode map's outline.
 */
static unsigned operands(uint32_t insn)
{
	unsigned opcode = insn >> 26;

	if (opcode == 31)
		return operands_31(insn >> 1 & 1023);
	if (opcode == 16 || opcode == 18)
		return NAMES_LAST | NAMES_AA;
	if (opcode == 19 || opcode == 59 || opcode == 63)
		return NAMES_LAST;
	if (opcode == 20 || opcode == 21)
		return NAMES_RT | NAMES_RA | NAMES_LAST;
	if (opcode == 23)
		return NAMES_RT | NAMES_RA | NAMES_RB | NAMES_LAST;
	if (opcode == 3 || opcode == 10 || opcode == 11 || (opcode >= 48 && opcode <= 55))
		return NAMES_RA;
	return NAMES_RT | NAMES_RA;
}

static unsigned operand_classes(uint32_t insn)
{
	unsigned rt = insn >> 21 & 31, ra = insn >> 16 & 31, rb = insn >> 11 & 31, found = 0;

	found |= rt ? RT_OTHER : RT_ZERO;
	found |= ra ? RA_OTHER : RA_ZERO;
	found |= rb ? RB_OTHER : RB_ZERO;
	found |= rt && rt == ra ? RT_IS_RA : 0u;
	found |= rt && rt == rb ? RT_IS_RB : 0u;
	found |= ra && ra == rb ? RA_IS_RB : 0u;
	found |= insn & 1 ? LAST_SET : LAST_CLEAR;
	found |= insn >> 10 & 1 ? OE_SET : OE_CLEAR;
	found |= insn >> 1 & 1 ? AA_SET : AA_CLEAR;
	return found;
}

/* All classes that the row's fixed bits and checks permit. */
static unsigned classes_of(const struct dp_ppc_row *r)
{
	uint32_t open = ~dp_ppc_row_mask(r);
	unsigned named = operands(r->value), wanted = 0;
	bool rt = (named & NAMES_RT) && (open >> 21 & 31) == 31,
	     ra = (named & NAMES_RA) && (open >> 16 & 31) == 31,
	     rb = (named & NAMES_RB) && (open >> 11 & 31) == 31;
	bool no_base = r->check == DP_PPC_UPDATE || r->check == DP_PPC_UPDATE_BASE;
	bool apart = r->check == DP_PPC_UPDATE || r->check == DP_PPC_MULTIPLE ||
		     r->check == DP_PPC_STRING || r->check == DP_PPC_STRING_X;

	wanted |= rt ? RT_OTHER : 0u;
	/* With rt 0 lmw would load its base. */
	wanted |= rt && r->check != DP_PPC_MULTIPLE ? RT_ZERO : 0u;
	wanted |= ra ? RA_OTHER : 0u;
	wanted |= ra && !no_base ? RA_ZERO : 0u;
	wanted |= rb ? RB_ZERO | RB_OTHER : 0u;
	wanted |= rt && ra && !apart ? RT_IS_RA : 0u;
	wanted |= rt && rb && r->check != DP_PPC_STRING_X ? RT_IS_RB : 0u;
	wanted |= ra && rb ? RA_IS_RB : 0u;
	wanted |= (named & NAMES_LAST) && (open & 1) ? LAST_SET | LAST_CLEAR : 0u;
	wanted |= (named & NAMES_OE) && (open >> 10 & 1) ? OE_SET | OE_CLEAR : 0u;
	wanted |= (named & NAMES_AA) ? AA_SET | AA_CLEAR : 0u;
	return wanted;
}

static unsigned class_gate(unsigned row)
{
	unsigned missing = classes_of(&dp_ppc_rows[row]) & ~classes[row];

	if (missing == 0)
		return 0;
	number("operands never tried: row ", row);
	say(" ");
	hex(dp_ppc_rows[row].value);
	hex(missing);
	say("\n");
	return 1;
}

/* A row that refuses what it matches, or some of it, has refused it. */
static unsigned refusal_gate(unsigned row)
{
	const struct dp_ppc_row *r = &dp_ppc_rows[row];
	bool refuses = r->treat >> 5 == DP_PPC_REFUSE;

	if (refuses ? refused_rows[row] : r->check == DP_PPC_ANY || checked_rows[row])
		return 0;
	number("row never refused: ", row);
	say(" ");
	hex(r->value);
	say("\n");
	return 1;
}

static void note_refusal(uint32_t insn)
{
	unsigned row = dp_ppc_decode(insn, DP_PPC_SPRG).row;

	refused_rows[row] = checked_rows[row] = 1;
}

/* Every BO of bc and bclr, every one of bcctr that does not count. */
static void note_condition(uint32_t insn)
{
	uint32_t form = insn & 0xfc0007fe, bit = 1u << (insn >> 21 & 31);

	if (insn >> 26 == 16)
		conditions_seen[0] |= bit;
	else if (form == 0x4c000020)
		conditions_seen[1] |= bit;
	else if (form == 0x4c000420)
		conditions_seen[2] |= bit;
}

static unsigned condition_gate(void)
{
	if (conditions_seen[0] == 0xffffffffu && conditions_seen[1] == 0xffffffffu &&
	    conditions_seen[2] == 0xf0f0f0f0u)
		return 0;
	say("a BO was never tried\n");
	return 1;
}

static void note_row(uint32_t insn)
{
	unsigned row = dp_ppc_decode(insn, DP_PPC_SPRG).row;

	rows[row] = 1;
	classes[row] |= (uint16_t)operand_classes(insn);
	note_condition(insn);
}

static void refusal_case(const struct test_case *c, uint32_t address)
{
	enum dp_refusal why;
	enum dp_err error = prepare(&site[0], address, &why);

	refused += pass == 0;
	if ((error == DP_ERR_NOT_PROBEABLE || error == DP_ERR_FOREIGN_BREAK) && why == c->refusal &&
	    code[CODE_AT] == word_of(c)) {
		note_refusal(c->insn);
		return;
	}
	fail(c, "not refused as it should be");
	number(": error ", error);
	number(" reason ", why);
	say(" word ");
	hex(code[CODE_AT]);
	say("\n");
}

static void one(const struct test_case *c)
{
	uint32_t address = (uint32_t)(uintptr_t)&code[CODE_AT];
	unsigned before = failed;

	fill_code(c);
	if (c->flags & CASE_REFUSED) {
		refusal_case(c, address);
		return;
	}
	probed_cases += pass == 0;
	for (unsigned mask = 1; mask <= 3; mask++) {
		enum dp_refusal why;
		enum dp_err error = DP_ERR_OK;

		for (unsigned i = 0; i < SITES && error == DP_ERR_OK; i++)
			if (mask >> i & 1)
				error = prepare(&site[i], address + 4 * i, &why);
		if ((c->flags & CASE_HALTS) && mask == 2) {
			/* the first word would halt */
		} else if (error != DP_ERR_OK) {
			fail(c, "refused");
			number(": error ", error);
			number(" reason ", why);
			say("\n");
		} else {
			unsigned count = pass == 0 ? VALUES : FEW_VALUES;

			for (unsigned v = 0; v < count && failed == before; v++) {
				compare(c, mask, 0, v);
				if (mask != 1 && v < FEW_VALUES)
					compare(c, mask, 1, v);
			}
		}
		for (unsigned i = 0; i < SITES; i++) {
			if (site[i].insn_bytes != 0)
				dp_port_release(&site[i]);
			site[i].insn_bytes = 0;
		}
		dp_port_quiescent();
	}
	note_row(c->insn);
}

/* --- what single instructions do, measured elsewhere --- */

/* Word of struct state, or 1000 + n for word n of the data. */
struct effect {
	uint16_t word;
	uint32_t value;
};
struct vector {
	uint32_t insn;
	uint16_t before, before_count, after, after_count; /* in effects */
	const char *text;
};
static const struct effect effects[] = {
#include "effects.inc"
};
static const struct vector vectors[] = {
#include "vectors.inc"
};
enum {
	VECTORS = sizeof(vectors) / sizeof(vectors[0]),
	VECTOR_WORDS = 64,
	VECTOR_AROUND = 512,
	EFFECT_DATA = 1000,
};

static void vector_state(const struct vector *v, struct state *s)
{
	uint32_t *word = (uint32_t *)s;

	for (unsigned i = 0; i < sizeof(*s) / 4; i++)
		word[i] = 0;
	for (unsigned i = 0; i < v->before_count; i++)
		word[effects[v->before + i].word] = effects[v->before + i].value;
	s->pc = VECTOR_CODE;
	s->msr |= TRANSLATION;
}

/* Execute it with a probe on it; everything must be as the file says. */
static bool vector_holds(const struct vector *v)
{
	static struct state in, end;
	volatile uint32_t *at = (volatile uint32_t *)VECTOR_CODE;
	volatile uint32_t *memory = (volatile uint32_t *)VECTOR_DATA;
	uint32_t *expect = (uint32_t *)&in, found;
	const uint32_t *now = (const uint32_t *)&end;
	bool good = true;

	for (int i = -VECTOR_AROUND; i < VECTOR_AROUND; i++)
		at[i] = END;
	for (unsigned i = 0; i < VECTOR_WORDS; i++)
		memory[i] = 0x80818283u + i * 0x01030507u;
	at[0] = v->insn;
	dp_port_text_written(VECTOR_CODE - 4 * VECTOR_AROUND, 8 * VECTOR_AROUND);
	vector_state(v, &in);
	if (dp_port_arm(&site[0]) != DP_ERR_OK || !dp_port_is_armed(&site[0], &found))
		return false;
	site[0].armed = 1;
	hits[0] = 0;
	run(&in, &end);
	site[0].armed = 0;
	good = dp_port_disarm(&site[0]) == DP_ERR_OK && hits[0] == 1 && end.vector == VECTOR_SC;
	end.pc -= 4; /* of sc */
	end.msr &= ~TRANSLATION;
	vector_state(v, &in);
	in.msr &= ~TRANSLATION;
	for (unsigned i = 0; i < v->after_count; i++)
		if (effects[v->after + i].word < EFFECT_DATA)
			expect[effects[v->after + i].word] = effects[v->after + i].value;
	/* registers, and what follows them up to the MSR */
	for (unsigned i = 0; i <= STATE_MSR / 4; i++)
		good &= expect[i] == now[i];
	for (unsigned i = 0; i < VECTOR_WORDS; i++) {
		uint32_t value = 0x80818283u + i * 0x01030507u;

		for (unsigned e = 0; e < v->after_count; e++)
			if (effects[v->after + e].word == EFFECT_DATA + i)
				value = effects[v->after + e].value;
		good &= memory[i] == value;
	}
	return good;
}

/* In a mapping of one to one, MSR[IR] and [DR] are set all the while. */
static bool shows_translation(const struct vector *v)
{
	return TRANSLATION != 0 && (v->insn & 0xfc0007fe) == 0x7c0000a6;
}

static bool is_not_here(const struct vector *v)
{
	uint32_t form = v->insn & 0xfc0007fe;

	if (IS_E500 && (v->insn & 0xfc00067f) == 0x7c00042a) /* lswi lswx stswi stswx */
		return true;
	return TRANSLATION != 0 && (form == 0x7c000106 || form == 0x7c000146 || form == 0x7c000124);
}

static void all_vectors(void)
{
	unsigned held = 0;

	for (unsigned i = 0; i < VECTORS; i++) {
		const struct vector *v = &vectors[i];
		enum dp_refusal why;

		if (shows_translation(v) || is_not_here(v))
			continue;
		*(volatile uint32_t *)VECTOR_CODE = v->insn;
		dp_port_text_written(VECTOR_CODE, 4);
		if (prepare(&site[0], VECTOR_CODE, &why) != DP_ERR_OK || !vector_holds(v)) {
			failed++;
			say("FAIL vector ");
			say(v->text);
			say("\n");
		} else {
			held++;
		}
		if (site[0].insn_bytes != 0)
			dp_port_release(&site[0]);
		site[0].insn_bytes = 0;
		dp_port_quiescent();
	}
	number("vectors ", held);
	number(" of ", VECTORS);
	say("\n");
}

/* --- the rest --- */

static void expect(const char *what, bool ok)
{
	ran++;
	if (ok)
		return;
	fail(NULL, what);
	say("\n");
}

static void access_checks(void)
{
	uint8_t buffer[64];
	uint32_t word = 0x11223344, d = (uint32_t)(uintptr_t)data;
	const uint8_t *byte = (const uint8_t *)data;

	fill_data();
	expect("word", dp_port_read(d, buffer, 4, 4) == 4 && buffer[1] == byte[1]);
	expect("unaligned half", dp_port_read(d + 1, buffer, 2, 2) == 2 && buffer[0] == byte[1] &&
					 buffer[1] == byte[2]);
	expect("unaligned word", dp_port_read(d + 3, buffer, 4, 4) == 4 && buffer[3] == byte[6]);
	expect("double", dp_port_read(d, buffer, 8, 8) == 8 && buffer[7] == byte[7]);
	expect("hole", dp_port_read(HOLE, buffer, 4, 4) == 0);
	expect("no row", dp_port_read(0xc0000000u, buffer, 4, 4) == 0);
#ifndef GUEST_E500 /* 64 MB are mapped */
	expect("last word", dp_port_read(LAST_WORD, buffer, 4, 4) == 4);
	expect("block over the end", dp_port_read(LAST_WORD - 8, buffer, 32, 0) == 12);
#endif
	expect("unaligned block",
	       dp_port_read(d + 5, buffer, 17, 0) == 17 && buffer[16] == byte[21]);
	expect("wrap", dp_port_read(0xfffffffcu, buffer, 8, 8) == 0);
	expect("write to a hole", dp_port_write(HOLE, &word, 4, 4) == 0);
	expect("write to what is read only", dp_port_read(READ_ONLY, buffer, 4, 4) == 4 &&
						     dp_port_write(READ_ONLY, &word, 4, 4) == 0);
	expect("write", dp_port_write(d + 16, &word, 4, 4) == 4 && data[4] == word);
	expect("unaligned write",
	       dp_port_write(d + 27, &word, 4, 4) == 4 && byte[27] == *(const uint8_t *)&word);
	expect("readable", dp_port_readable(d));
	expect("not readable", !dp_port_readable(HOLE) && !dp_port_readable(0xc0000000u));
	expect("device: no access asked", dp_port_readable(HOLE + 0x10000));
	expect("device: bytewise refused", dp_port_read(HOLE + 0x10001, buffer, 4, 4) == 0);
}

/* A probe between lwarx and stwcx. is refused; behind stwcx. it is not. */
static void window_checks(void)
{
	enum dp_refusal why;
	uint32_t at = (uint32_t)(uintptr_t)&code[CODE_AT];

	fill_code(&cases[0]);
	code[CODE_AT] = 0x7c403028; /* lwarx r2, 0, r6 */
	code[CODE_AT + 1] = ADDED;
	code[CODE_AT + 2] = 0x7c40312d; /* stwcx. r2, 0, r6 */
	code[CODE_AT + 3] = ADDED;
	expect("in a window", prepare(&site[0], at + 4, &why) == DP_ERR_IN_ATOMIC);
	expect("behind it", prepare(&site[0], at + 12, &why) == DP_ERR_OK);
	dp_port_release(&site[0]);
	site[0].insn_bytes = 0;
	expect("odd address", prepare(&site[0], at + 2, &why) == DP_ERR_NOT_BOUNDARY);
	expect("no memory", prepare(&site[0], HOLE, &why) == DP_ERR_NOT_TEXT);
	expect("not writable", prepare(&site[0], READ_ONLY + 0x100, &why) == DP_ERR_NOT_PROBEABLE ||
				       dp_port_arm(&site[0]) == DP_ERR_NOT_PATCHABLE);
	if (site[0].insn_bytes != 0)
		dp_port_release(&site[0]);
	site[0].insn_bytes = 0;
	dp_port_quiescent();
}

/* Where a pc in a slot belongs. */
static void origin_checks(void)
{
	enum dp_refusal why;
	uint32_t at = (uint32_t)(uintptr_t)&code[CODE_AT], slot, used;
	unsigned total, before, after;

	code[CODE_AT] = code[CODE_AT + 1] = ADDED;
	expect("prepared", prepare(&site[0], at, &why) == DP_ERR_OK);
	expect("armed and disarmed",
	       dp_port_arm(&site[0]) == DP_ERR_OK && dp_port_disarm(&site[0]) == DP_ERR_OK);
	used = site[0].port.slot;
	slot = (uint32_t)(uintptr_t)dp_slots_words(&port.slots, site[0].port.slot);
	expect("before the copy", dp_port_slot_origin(slot) == at);
	expect("behind the copy", dp_port_slot_origin(slot + 4) == at + 4);
	expect("elsewhere", dp_port_slot_origin(at) == at);
	dp_port_release(&site[0]);
	dp_port_slots(&total, &before);
	expect("prepared again", prepare(&site[0], at, &why) == DP_ERR_OK);
	expect("the same slot", site[0].port.slot == used);
	dp_port_slots(&total, &after);
	expect("no other slot", before == after);
	dp_port_release(&site[0]);
	site[0].insn_bytes = 0;
	dp_port_quiescent();
}

/* Traps that are nobody's: reported, and given to the firmware. Those of the firmware's own are not
 * touched. */
static void stray_checks(void)
{
	static const struct {
		uint32_t insn;
		unsigned strays;
		const char *what;
	} traps[] = {
		{0x7fe00008, 1, "a stray trap is reported"},
		{0x0fe00005, 1, "a stray second trap is reported"},
		{0x0fe00000, 0, "twi 31, r0, 0 is the firmware's"},
		{0x7c840008, 0, "a trap whose condition holds is the firmware's"},
		{0x00000000, 0, "an illegal instruction is the firmware's"},
	};
	static struct state in, end;

	for (unsigned i = 0; i < sizeof(traps) / sizeof(traps[0]); i++) {
		initial(&in, 0);
		code[CODE_AT] = traps[i].insn;
		if (traps[i].insn == 0x7c840008)
			code[CODE_AT] = 0x7c842008; /* tweq r4, r4 */
		code_written();
		in.pc = (uint32_t)(uintptr_t)&code[CODE_AT];
		strays = 0;
		run(&in, &end);
		expect(traps[i].what, strays == traps[i].strays && end.pc == in.pc &&
					      end.vector == VECTOR_PROGRAM && end.r[4] == in.r[4]);
	}
}

/* After a warm restart the vectors are still the port's, and there is no agent yet: all exceptions
 * are the firmware's, with every register as it was. cleared: start-up has cleared the port's
 * state, too. */
static void restart_checks(bool cleared)
{
	static struct state in, plain, end;
	static struct dp_port_state saved;
	static const uint32_t insns[] = {
		0x7fe00008, /* trap */
		0x0fe00005, /* the second trap */
		0x00000000, /* undefined */
		0x80490000, /* lwz r2, 0(r9): a hole */
		0x7c405028, /* lwarx r2, 0, r10: odd */
		ADDED,
	};

	for (unsigned i = 0; i < sizeof(insns) / sizeof(insns[0]); i++) {
		initial(&in, 2);
		in.pc = (uint32_t)(uintptr_t)&code[CODE_AT];
		fill_code(&cases[0]);
		code[CODE_AT] = insns[i];
		code[CODE_AT + 1] = END;
		code_written();
		run(&in, &plain);
		for (unsigned w = 0; w < sizeof(port) / 4; w++) {
			((uint32_t *)&saved)[w] = ((uint32_t *)&port)[w];
			if (cleared)
				((uint32_t *)&port)[w] = 0;
		}
		dp_ppc = NULL;
		run(&in, &end);
		dp_ppc = &port;
		for (unsigned w = 0; w < sizeof(port) / 4; w++)
			((uint32_t *)&port)[w] = ((uint32_t *)&saved)[w];
		fill_data();
		for (unsigned w = 0; w < DATA_WORDS; w++)
			data_plain[w] = data[w];
		expect("before dp_init, after a restart", same_state(&cases[0], &plain, &end));
	}
}

/* Where the branch back does not reach, the slot ends in the second trap. */
static void far_checks(void)
{
	static struct state in, end;
	volatile uint32_t *at = (volatile uint32_t *)FAR_CODE;
	enum dp_refusal why;

	at[0] = ADDED;
	at[1] = END;
	dp_port_text_written(FAR_CODE, 8);
	expect("prepared far away", prepare(&site[0], FAR_CODE, &why) == DP_ERR_OK);
	expect("two traps", !(site[0].port.flags & DP_PPC_SITE_LEAVES));
	expect("armed far away", dp_port_arm(&site[0]) == DP_ERR_OK);
	site[0].armed = 1;
	hits[0] = stepped = 0;
	initial(&in, 0);
	in.pc = FAR_CODE;
	run(&in, &end);
	expect("hit far away",
	       hits[0] == 1 && stepped == 0 && end.r[24] == in.r[24] + 1 && end.pc == FAR_CODE + 8);
	expect("disarmed far away", dp_port_disarm(&site[0]) == DP_ERR_OK && at[0] == ADDED);
	site[0].armed = 0;
	dp_port_release(&site[0]);
	site[0].insn_bytes = 0;
	dp_port_quiescent();
}

/* --- an interrupt at every point of a hit --- */

enum {
	SWEEP_TICKS = 6000,
	SWEEP_STEP = 2
};
#define NEVER (TRANSLATION ? 0x7fffffffu : 0)

static const struct test_case swept[] = {
	{0x7c842a14, 0, 0, "add r4, r4, r5: one trap"},
	{0x9421ffe0, 0, 0, "stwu r1, -32(r1): emulated"},
	{0xbfa60000, CASE_TWO, 0, "stmw r29, 0(r6): two traps"},
	{0x429f0005, 0, 0, "bcl 20, 31, $+4: emulated"},
	{0x80490000, 0, 0, "lwz r2, 0(r9): faults"},
	{0x7c4000a6, 0, 0, "mfmsr r2: shows EE"},
};
enum {
	SWEPT = sizeof(swept) / sizeof(swept[0])
};

static void sweep_one(const struct test_case *c, unsigned *arrived, unsigned *in_slots)
{
	static struct state in, plain, probed;
	uint32_t at = (uint32_t)(uintptr_t)&code[CODE_AT], origin;

	initial(&in, 0);
	in.pc = at;
	decrementer_start = NEVER;
	fill_data();
	pre_fault(0);
	run(&in, &plain);
	for (unsigned i = 0; i < DATA_WORDS; i++)
		data_plain[i] = data[i];
	for (unsigned i = 0; i < SITES; i++) {
		site[i].armed = 1;
		expect("armed", dp_port_arm(&site[i]) == DP_ERR_OK);
	}
	/* On a classic CPU one that came after the run before is still waiting. */
	for (uint32_t ticks = 1; ticks < SWEEP_TICKS; ticks += SWEEP_STEP) {
		fill_data();
		decrementer_count = decrementer_pc = 0;
		hits[0] = hits[1] = stepped = faults = 0;
		pre_fault(0);
		decrementer_start = ticks;
		run(&in, &probed);
		ran++;
		*arrived += decrementer_count;
		origin = dp_port_slot_origin(decrementer_pc);
		*in_slots += decrementer_count && origin != decrementer_pc;
		if (origin != decrementer_pc && origin != at && origin != at + 4 &&
		    origin != at + 8)
			fail(c, "interrupted in a slot of nobody\n");
		if ((c->flags & CASE_TWO) && origin != decrementer_pc &&
		    dp_slots_at(&port.slots, decrementer_pc)[DP_PPC_SLOT_WORDS - 1] == at)
			fail(c, "interrupted between the traps\n");
		if (!same_state(c, &plain, &probed) || hits[0] != 1 ||
		    hits[1] != (plain.r[24] != in.r[24]) || decrementer_count > 2 || stepped != 0) {
			report(c, &in, &plain, &probed, "interrupted", 3);
			number("  after ticks ", ticks);
			number(" interrupts ", decrementer_count);
			say(" pc ");
			hex(decrementer_pc);
			say("\n");
			break;
		}
	}
	decrementer_start = NEVER;
	for (unsigned i = 0; i < SITES; i++) {
		site[i].armed = 0;
		expect("disarmed", dp_port_disarm(&site[i]) == DP_ERR_OK);
	}
}

static void sweep(void)
{
	unsigned arrived = 0, in_slots = 0;

	for (unsigned i = 0; i < SWEPT; i++) {
		enum dp_refusal why;

		fill_code(&swept[i]);
		for (unsigned n = 0; n < SITES; n++)
			expect("prepared",
			       prepare(&site[n], (uint32_t)(uintptr_t)&code[CODE_AT + n], &why) ==
				       DP_ERR_OK);
		sweep_one(&swept[i], &arrived, &in_slots);
		for (unsigned n = 0; n < SITES; n++) {
			dp_port_release(&site[n]);
			site[n].insn_bytes = 0;
		}
		dp_port_quiescent();
	}
	number("sweep: interrupts ", arrived);
	number(" in slots ", in_slots);
	number(" runs ", ran);
	say("\n");
}

/* No bus of QEMU's reports errors: the exception is made up, at the vector. */
static void machine_checks(void)
{
	static struct state end;
	uint32_t begin = (uint32_t)(uintptr_t)dp_ppc_access_begin;
	uint32_t last = (uint32_t)(uintptr_t)dp_ppc_access_end - 4;

	if (!IS_E500) /* QEMU's e500 has no rfmci */
		expect("machine check at an access",
		       !fake_machine_check(begin) && !fake_machine_check(last));
	machine_check_elsewhere(&end);
	expect("machine check elsewhere", end.vector == VECTOR_MACHINE && end.r[3] == 55);
}

static const struct dp_range ranges[] = {
	{0, 0x01000000u, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
	{HOLE, 0x10000, DP_MEM_READ | DP_MEM_WRITE},
	{HOLE + 0x10000, 0x10000, DP_MEM_READ | DP_MEM_DEVICE},
	{READ_ONLY, 0x1000, DP_MEM_READ | DP_MEM_WRITE},
	{0x01000000u, 0x10000, DP_MEM_READ},
	{0xfffffff0u, 0x10, DP_MEM_READ},
};
static const struct dp_board board = {
	.ranges = ranges, .range_count = sizeof(ranges) / sizeof(ranges[0]), .quirks = QUIRKS};
static const struct dp_memory memory = {.slots = slots,
					.slot_bytes =
						DP_PORT_SLOT_BYTES * (16 + DP_PORT_SLOTS_EXTRA),
					.stack = stack,
					.stack_bytes = sizeof(stack)};

/* Nothing but the slot of last resort is left. */
static void take_all_slots(void)
{
	uint32_t content[2] = {1, 2};

	while (dp_slots_take(&port.slots, 0x80000000u, content) != DP_SLOT_SCRATCH)
		;
}

/* Does floating point work? Then its registers are looked at as well. */
static void find_fpu(void)
{
	static struct state in, end;

	initial(&in, 1);
	code[CODE_AT] = 0xfc000890; /* fmr f0, f1 */
	code[CODE_AT + 1] = END;
	code_written();
	in.pc = (uint32_t)(uintptr_t)&code[CODE_AT];
	run(&in, &end);
	has_fpu = end.vector == VECTOR_SC;
	number("fpu ", has_fpu);
	say("\n");
}

void guest_main(void);
void guest_main(void)
{
	enum dp_refusal why;
	unsigned reached = 0, missing = 0;

#ifdef GUEST_40P
	/* No interrupts: the timer runs from the start. */
	*(volatile uint8_t *)0x80000021u = 0xff;
	*(volatile uint8_t *)0x800000a1u = 0xff;
#endif
#if DP_PPC_BOOKE
	/* IDM and TRAP: whoever has set these takes the traps for itself. */
	DP_PPC_PUT(0x41000000, 308);
	expect("traps are debug events",
	       dp_port_attach(&board, &memory, &port) == DP_ERR_BAD_TARGET);
	DP_PPC_PUT(0, 308);
#endif
	expect("attached", dp_port_attach(&board, &memory, &port) == DP_ERR_OK);
	if (failed)
		stop();
	decrementer_start = NEVER;
	find_fpu();
	if (GUEST_SWEEP) {
		sweep();
		stop();
	}
	access_checks();
	window_checks();
	origin_checks();
	stray_checks();
	machine_checks();
	restart_checks(false);
	restart_checks(true);
	if (IS_E500) /* 64 MB are mapped */
		far_checks();
	for (pass = 0; pass < 3 && failed == 0; pass++) {
		if (pass == 1) {
			/* the callback's first instruction, too */
			expect("nested site", prepare(&site[SITES], (uint32_t)(uintptr_t)callback,
						      &why) == DP_ERR_OK &&
						      dp_port_arm(&site[SITES]) == DP_ERR_OK);
			site[SITES].armed = 1;
			for (unsigned i = 0; i < FRAMES; i++) {
				struct dp_site *s = &site[SITES + 1 + i];

				expect("nested frame",
				       prepare(s, (uint32_t)(uintptr_t)frame_callback[i], &why) ==
						       DP_ERR_OK &&
					       dp_port_arm(s) == DP_ERR_OK);
				s->armed = 1;
			}
		}
		if (pass == 2)
			take_all_slots();
		for (unsigned i = 0; i < CASES; i++)
			one(&cases[i]);
		all_vectors();
		number("pass ", pass);
		number(" runs ", ran);
		say("\n");
	}
	for (unsigned i = SITES; i < ALL_SITES; i++)
		expect("the callbacks were hit", hits[i] > 100);
	/* Every row that does not refuse must have been executed. */
	for (unsigned i = 0; i < dp_ppc_row_count; i++) {
		const struct dp_ppc_row *r = &dp_ppc_rows[i];

		reached += rows[i];
		missing += refusal_gate(i);
		if (rows[i])
			missing += class_gate(i);
		if (rows[i] || r->treat >> 5 == DP_PPC_REFUSE)
			continue;
		missing++;
		number("row never executed: ", i);
		say("\n");
	}
	missing += condition_gate();
	number("cases ", probed_cases);
	number(" states ", VALUES);
	number(" with ", with);
	number(" without ", without);
	number(" refused ", refused);
	number(" runs ", ran);
	number(" nested hits ", hits[SITES]);
	number(" rows ", reached);
	number(" of ", dp_ppc_row_count);
	number(" missing ", missing);
	number(" stack ", dp_port_stack_used());
	number(" failed ", failed);
	stop();
}
