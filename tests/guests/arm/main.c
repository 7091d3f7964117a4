/* SPDX-License-Identifier: BSD-2-Clause */
/* Run-twice oracle for the ARM port: every instruction of cases.inc is executed plain and probed
 * from the same state; all registers, flags, memory and the exception that ends it must agree.
 * spec/stepping.md 1.10. The core of the agent is replaced by what stands here: one site. */
#include "guest.h"

#include "arm_decode.h"
#include "arm_port.h"

#define PRIVILEGED ((uint32_t)RAM_BASE + 0x00e00000u) /* a megabyte; start.S */
#define READ_ONLY  ((uint32_t)RAM_BASE + 0x00f00000u) /* another, from ARMv7 on */

enum {
	PC = 15,
	DATA_WORDS = 256,
	CODE_BYTES = 8192,
	CODE_AT = 4096
};
/* Where control may end. The ARM word is undefined in Thumb too, seen from its first half. */
#define UNDEFINED_ARM   0xe7f0def0u
#define UNDEFINED_THUMB 0xde00de00u
enum {
	MODE_SYS = 0x1f,
	MODE_SVC = 0x13,
	PSR_T = 0x20
};

/* One line of cases.inc. flags: CASE_* */
struct test_case {
	uint32_t insn;
	uint8_t bytes, flags, refusal, end;
	const char *text;
};
enum {
	CASE_THUMB = 1,
	CASE_NO_IT = 2,   /* not inside an IT block */
	CASE_LAST_IT = 4, /* only last in an IT block */
	CASE_REFUSED = 8,
	CASE_HALTS = 16, /* wfi with nothing to wake it: compared with a nop of its size */
};
static const struct test_case cases[] = {
#include "cases.inc"
};

static uint8_t code[CODE_BYTES] __attribute__((aligned(4096)));
static struct {
	uint32_t arm[64], thumb[64], end[64];
} pad;
static uint32_t data[DATA_WORDS] __attribute__((aligned(1024)));
static uint32_t data_plain[DATA_WORDS];
static uint8_t slots[DP_PORT_SLOT_BYTES * (16 + DP_PORT_SLOTS_EXTRA)] __attribute__((aligned(64)));
static uint64_t stack[DP_PORT_STACK_BYTES / 8];
static struct dp_port_state port;
static struct dp_site site;
static unsigned hits, stepped, faults, refused, ran, failed;
static unsigned nested, missed;
static struct dp_site inner[3]; /* callee's instructions */
static uint16_t inner_count;
extern char callee[], abt_stack[];

enum pass {
	PASS_PLAIN,   /* a probe before the instruction */
	PASS_WATCH,   /* one that wants to know its end, and a callback with probes in it */
	PASS_NO_SLOT, /* no slot left: the one of last resort */
	PASSES
};
static enum pass pass;

/* --- what the core would do --- */

enum dp_taken dp_agent_trap(struct dp_frame *frame)
{
	uint32_t word;

	for (unsigned i = 0; i < inner_count; i++)
		if (dp_port_pc(frame) == inner[i].address) {
			missed++;
			dp_port_step(&inner[i], frame);
			return DP_RESUME;
		}
	if (!site.armed || dp_port_pc(frame) != site.address)
		return DP_NOT_OURS;
	if (inner_count != 0) {
		nested++;
		if (((uint32_t(*)(uint32_t))(uintptr_t)callee)(nested) != nested + 1)
			failed++;
	}
	if (dp_port_fires(&site, frame))
		hits++;
	/* A bad address in the handler must leave the abort registers alone. */
	if (dp_port_read(0xdead0000u, &word, 4, 4) != 0)
		failed++;
	switch (dp_port_step(&site, frame)) {
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
	for (unsigned i = 0; i < inner_count; i++)
		if (address == inner[i].address) {
			dp_port_stepped(&inner[i], frame);
			return DP_RESUME;
		}
	stepped--;
	if (address != site.address)
		failed++;
	dp_port_stepped(&site, frame);
	return DP_RESUME;
}

enum dp_taken dp_agent_fault(struct dp_frame *frame, dp_addr address)
{
	stepped--;
	faults++;
	if (address != site.address)
		failed++;
	dp_port_step_fault(&site, frame);
	return DP_FIRMWARE;
}

static unsigned looked_at;

static bool original_at(dp_addr address, uint8_t *bytes, unsigned count)
{
	looked_at++;
	for (unsigned i = 0; i < count; i++)
		bytes[i] = ((const uint8_t *)(uintptr_t)address)[i];
	return true;
}

/* For what gcc makes of struct assignments here; the port must do without (test_freestanding.py).
 */
void *memset(void *to, int value, size_t bytes);
void *memset(void *to, int value, size_t bytes)
{
	for (volatile uint8_t *p = to; bytes-- > 0; p++)
		*p = (uint8_t)value;
	return to;
}

/* --- printing --- */

static void hex(uint32_t value)
{
	char text[10];

	for (unsigned i = 0; i < 8; i++)
		text[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
	text[8] = ' ';
	text[9] = 0;
	say(text);
}

static void number(const char *name, unsigned value)
{
	char text[12], *p = text + 11;

	*p = 0;
	say(name);
	do {
		unsigned quotient = 0, rest = value;

		while (rest >= 10) {
			rest -= 10;
			quotient++;
		}
		*--p = (char)('0' + rest);
		value = quotient;
	} while (value != 0);
	say(p);
}

/* --- one case --- */

static void put16(uint32_t address, uint32_t half)
{
	*(volatile uint16_t *)(uintptr_t)address = (uint16_t)half;
}

static void place(uint32_t address, const struct test_case *c)
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

/* Around the instruction: undefined words of its instruction set, so that wherever it goes the
 * exception says where; at +0x80 addresses to load, on both sides. */
static void fill_code(const struct test_case *c, uint32_t address, const uint32_t targets[4])
{
	uint32_t *word = (uint32_t *)code;

	for (unsigned i = 0; i < CODE_BYTES / 4; i++)
		word[i] = c->flags & CASE_THUMB ? UNDEFINED_THUMB : UNDEFINED_ARM;
	for (unsigned i = 0; i < 16; i++)
		word[(CODE_AT + 0x80) / 4 + i] = word[(CODE_AT - 0x80) / 4 + i] = targets[i & 3];
	for (unsigned i = 0; i < 16; i++) /* of the other instruction set, for blx */
		word[(CODE_AT + 0x100) / 4 + i] =
			c->flags & CASE_THUMB ? UNDEFINED_ARM : UNDEFINED_THUMB;
	place(address, c);
}

/* Bit 1 without bit 0 would be an UNPREDICTABLE address to load into PC. */
static void fill_data(unsigned pattern, const uint32_t targets[4])
{
	for (unsigned i = 0; i < DATA_WORDS; i++)
		data[i] = pattern ? targets[i & 3] : (0x80818283u + i * 0x01030507u) & ~2u;
}

/* All registers that point to data point to memory that user mode may not touch. */
static bool to_privileged;

static void initial(struct state *s, uint32_t address, uint32_t cpsr, const uint32_t targets[4])
{
	uint32_t d = to_privileged ? PRIVILEGED : (uint32_t)(uintptr_t)data;
	const uint32_t r[13] = {5,          d + 0x100,   d + 0x200,  8,          0x80000001u,
				0x7fffffff, d + 0x180,   targets[0], targets[2], 0xdead0000u,
				4,          0xfffffffcu, d + 0x280};

	for (unsigned i = 0; i < 13; i++)
		s->r[i] = r[i];
	s->sp = d + 0x300;
	s->lr = targets[1];
	s->pc = address;
	s->cpsr = cpsr;
	s->abt_sp = (uint32_t)(uintptr_t)abt_stack;
	s->abt_lr = 0x1234abcd;
	s->abt_spsr = 0x600000df;
	for (unsigned i = 0; i < 8; i++)
		s->vfp[i] = 0x3f800000u + i * 0x00100000u;
}

/* Of the code around the instruction: stores relative to PC go there, and the trap must be gone. */
static uint32_t code_sum(void)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < CODE_BYTES / 4; i++)
		sum = (sum << 1 | sum >> 31) ^ ((const volatile uint32_t *)code)[i];
	return sum;
}

static bool same_state(const struct state *a, const struct state *b)
{
	const uint32_t *x = (const uint32_t *)a, *y = (const uint32_t *)b;
	bool same = true;

	for (unsigned i = 0; i < sizeof(*a) / 4; i++)
		same &= x[i] == y[i];
	for (unsigned i = 0; i < DATA_WORDS; i++)
		same &= data[i] == data_plain[i];
	return same;
}

static void report(const struct test_case *c, const struct state *in, const struct state *plain,
		   const struct state *probed, const char *what)
{
	const uint32_t *w[3] = {(const uint32_t *)in, (const uint32_t *)plain,
				(const uint32_t *)probed};

	say("FAIL ");
	say(c->text);
	say(": ");
	say(what);
	number(" hits ", hits);
	number(" stepped ", stepped);
	number(" address ", in->pc & 3);
	number(" it ", (in->cpsr >> 8 & 0xfc) | (in->cpsr >> 25 & 3));
	number(" pattern ", in->cpsr >> 28 & 1);
	say("\n");
	if (failed > 20)
		return;
	for (unsigned i = 0; i < sizeof(*in) / 4; i++) {
		if (i < 20 ? w[1][i] == w[2][i] && i != 15 && i != 16 && i != 17
			   : w[1][i] == w[2][i])
			continue;
		number("  word ", i);
		say(": ");
		hex(w[0][i]);
		hex(w[1][i]);
		hex(w[2][i]);
		say("\n");
	}
}

/* Conditions that pass, by NZCV: DDI 0406C table A8-1, written out. */
static const uint16_t passes[16] = {0xf0f0, 0x0f0f, 0xcccc, 0x3333, 0xff00, 0x00ff, 0xaaaa, 0x5555,
				    0x0c0c, 0xf3f3, 0xaa55, 0x55aa, 0x0a05, 0xf5fa, 0xffff, 0xffff};

static unsigned expected_hits(const struct test_case *c, uint32_t cpsr)
{
	unsigned it = (cpsr >> 8 & 0xfc) | (cpsr >> 25 & 3), condition = 14;

	if (!(c->flags & CASE_THUMB))
		condition = c->insn >> 28;
	else if (it & 15)
		condition = it >> 4;
	else if (c->bytes == 2 && (c->insn & 0xf000) == 0xd000)
		condition = c->insn >> 8 & 15;
	else if (c->bytes == 4 && (c->insn & 0xf800d000u) == 0xf0008000u &&
		 (c->insn & 0x03800000u) != 0x03800000u)
		condition = c->insn >> 22 & 15;
	return passes[condition] >> (cpsr >> 28) & 1;
}

static bool prepare(const struct test_case *c, uint32_t address, enum dp_err *error,
		    enum dp_refusal *why)
{
	site = (struct dp_site){.address = address,
				.extent = address,
				.extent_bytes = 64,
				.isa = c->flags & CASE_THUMB ? DP_ISA_THUMB : DP_ISA_MAIN};
	*why = DP_REFUSE_NOTHING;
	*error = dp_port_fetch(&site);
	if (*error == DP_ERR_OK && (site.original != c->insn || site.insn_bytes != c->bytes))
		*error = DP_ERR_BAD_FIELD;
	if (*error == DP_ERR_OK)
		*error = dp_port_prepare(&site, pass == PASS_WATCH ? 7 : 1, original_at, why);
	return *error == DP_ERR_OK;
}

static const struct test_case nops[3] = {
	{.insn = 0xe320f000u, .bytes = 4},
	{.insn = 0xbf00, .bytes = 2, .flags = CASE_THUMB},
	{.insn = 0xf3af8000u, .bytes = 4, .flags = CASE_THUMB},
};

/* whole: compare the code as well (the first time; it takes long). */
static void compare(const struct test_case *c, uint32_t address, uint32_t cpsr, bool whole,
		    unsigned pattern, const uint32_t targets[4])
{
	static struct state in, plain, probed; /* static: what no handler writes stays 0 */
	uint32_t found, sum;

	initial(&in, address, cpsr, targets);
	fill_data(pattern, targets);
	if (c->flags & CASE_HALTS)
		place(address, &nops[c->flags & CASE_THUMB ? c->bytes / 2 : 0]);
	run(&in, &plain);
	place(address, c);
	for (unsigned i = 0; i < DATA_WORDS; i++)
		data_plain[i] = data[i];
	sum = whole ? code_sum() : 0;
	if (whole)
		fill_code(c, address, targets);
	fill_data(pattern, targets);
	hits = stepped = faults = 0;
	if (dp_port_arm(&site) != DP_ERR_OK || !dp_port_is_armed(&site, &found)) {
		report(c, &in, &in, &in, "not armed");
		failed++;
		return;
	}
	site.armed = 1;
	run(&in, &probed);
	site.armed = 0;
	ran++;
	if (dp_port_disarm(&site) != DP_ERR_OK || (whole && code_sum() != sum) ||
	    !same_state(&plain, &probed)) {
		failed++;
		report(c, &in, &plain, &probed, "not the same");
	} else if (hits != expected_hits(c, cpsr) || stepped != 0) {
		failed++;
		report(c, &in, &plain, &probed, "hit count");
	}
}

static void refusal_case(const struct test_case *c, uint32_t address)
{
	enum dp_err error;
	enum dp_refusal why;

	if (prepare(c, address, &error, &why) ||
	    (error != DP_ERR_NOT_PROBEABLE && error != DP_ERR_FOREIGN_BREAK) || why != c->refusal) {
		failed++;
		say("FAIL not refused as it should be: ");
		say(c->text);
		number(": error ", error);
		number(" reason ", why);
		say("\n");
	}
	refused++;
}

/* IT states to try: none; last EQ, NE; in the middle, condition true or false by the flags. */
static const uint8_t it_states[] = {0x00, 0x08, 0x18, 0xa8, 0x04, 0x0c, 0x15, 0xe4};

static const uint8_t modes[] = {0x10, 0x11, 0x12, 0x13, 0x17};

static void states(const struct test_case *c, uint32_t address, const uint32_t targets[4])
{
	bool thumb = c->flags & CASE_THUMB;
	unsigned its = thumb && !(c->flags & CASE_NO_IT) && __ARM_ARCH >= 7 ? sizeof(it_states) : 1;

	unsigned before = failed;

	if (c->flags & CASE_LAST_IT && its > 4)
		its = 4;
	/* In every mode: what is banked must come back. */
	for (unsigned i = 0; i < sizeof(modes) && !(c->flags & CASE_HALTS) && failed == before; i++)
		compare(c, address, modes[i] | (thumb ? PSR_T : 0), false, i & 1, targets);
	/* The port works in abort mode: what user mode may not do, it must not do for it. */
	to_privileged = true;
	if (!(c->flags & CASE_HALTS) && failed == before)
		compare(c, address, 0x10 | (thumb ? PSR_T : 0), false, 0, targets);
	to_privileged = false;
	for (unsigned it = 0; it < its; it++)
		for (unsigned flags = 0; flags < 16 && failed == before;
		     flags += pass == PASS_PLAIN ? 1 : 5)
			compare(c, address,
				flags << 28 | MODE_SYS | (thumb ? PSR_T : 0) |
					(it_states[it] & 0xfcu) << 8 | (it_states[it] & 3u) << 25,
				it + flags == 0, flags & 1, targets);
}

static void one(const struct test_case *c)
{
	const uint32_t targets[4] = {(uint32_t)(uintptr_t)pad.arm, (uint32_t)(uintptr_t)pad.arm + 8,
				     (uint32_t)(uintptr_t)pad.thumb | 1,
				     ((uint32_t)(uintptr_t)pad.thumb + 8) | 1};
	unsigned places = c->flags & CASE_THUMB ? 2 : 1;
	enum dp_err error;
	enum dp_refusal why;

	for (unsigned p = 0; p < places; p++) {
		uint32_t address = (uint32_t)(uintptr_t)code + CODE_AT + 2 * p;

		fill_code(c, address, targets);
		if (c->flags & CASE_REFUSED) {
			refusal_case(c, address);
			continue;
		}
		if (!prepare(c, address, &error, &why)) {
			failed++;
			say("FAIL refused: ");
			say(c->text);
			number(": error ", error);
			number(" reason ", why);
			say("\n");
			continue;
		}
		states(c, address, targets);
		dp_port_release(&site);
		dp_port_quiescent();
	}
}

/* --- fault-safe access --- */

static void expect(const char *what, bool ok)
{
	ran++;
	if (ok)
		return;
	failed++;
	say("FAIL ");
	say(what);
	say("\n");
}

static void access_checks(void)
{
	uint8_t buffer[64];
	uint32_t last = (uint32_t)RAM_BASE + 0x01000000u - 4, word = 0x11223344;

	expect("word", dp_port_read((uint32_t)(uintptr_t)&data[0], buffer, 4, 4) == 4);
	data[0] = 0x44332211;
	expect("unaligned word",
	       dp_port_read((uint32_t)(uintptr_t)&data[0] + 1, buffer, 2, 2) == 2 &&
		       buffer[0] == 0x22 && buffer[1] == 0x33);
	expect("double", dp_port_read((uint32_t)(uintptr_t)&data[0], buffer, 8, 8) == 8);
	expect("hole", dp_port_read(0xdead0000u, buffer, 4, 4) == 0);
	expect("no row", dp_port_read(0x40000000u, buffer, 4, 4) == 0);
	expect("last word", dp_port_read(last, buffer, 4, 4) == 4);
	expect("block over the end", dp_port_read(last - 8, buffer, 32, 0) == 12);
	expect("unaligned block",
	       dp_port_read((uint32_t)(uintptr_t)&data[1] + 1, buffer, 17, 0) == 17);
	expect("wrap", dp_port_read(0xfffffffcu, buffer, 8, 8) == 0);
	expect("write to a hole", dp_port_write(0xdead0000u, &word, 4, 4) == 0);
	expect("write",
	       dp_port_write((uint32_t)(uintptr_t)&data[4], &word, 4, 4) == 4 && data[4] == word);
	expect("unaligned write",
	       dp_port_write((uint32_t)(uintptr_t)&data[6] + 3, &word, 4, 4) == 4 &&
		       ((uint8_t *)&data[6])[3] == 0x44);
	expect("readable", dp_port_readable((uint32_t)(uintptr_t)data));
	expect("not readable", !dp_port_readable(0xdead0000u) && !dp_port_readable(0x40000000u));
	expect("device: no access asked", dp_port_readable(0xdeae0000u));
	expect("device: bytewise refused", dp_port_read(0xdeae0001u, buffer, 4, 4) == 0);
}

static const struct dp_range ranges[] = {
	{RAM_BASE, 0x01000000u, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
	{0xdead0000u, 0x10000, DP_MEM_READ | DP_MEM_WRITE},
	{0xdeae0000u, 0x10000, DP_MEM_READ | DP_MEM_DEVICE},
	{0xfffffff0u, 0x10, DP_MEM_READ},
};
static const struct dp_board board = {.ranges = ranges, .range_count = 4};
static const struct dp_memory memory = {
	.slots = slots, .slot_bytes = sizeof(slots), .stack = stack, .stack_bytes = sizeof(stack)};

static const struct dp_memory one_slot = {.slots = slots,
					  .slot_bytes = DP_PORT_SLOT_BYTES * DP_PORT_SLOTS_EXTRA,
					  .stack = stack,
					  .stack_bytes = sizeof(stack)};
extern uint32_t vectors[16];
extern const char dabt_handler[];

static void probe_callee(void)
{
	enum dp_refusal why;

	inner_count = 0;
	for (unsigned i = 0; i < 3; i++) {
		inner[i] = (struct dp_site){.address = (uint32_t)(uintptr_t)callee + 4 * i,
					    .extent = (uint32_t)(uintptr_t)callee,
					    .extent_bytes = 12};
		expect("callee",
		       dp_port_fetch(&inner[i]) == DP_ERR_OK &&
			       dp_port_prepare(&inner[i], 1, original_at, &why) == DP_ERR_OK &&
			       dp_port_arm(&inner[i]) == DP_ERR_OK);
	}
	inner_count = 3;
}

static void unprobe_callee(void)
{
	for (unsigned i = 0; i < 3; i++) {
		expect("callee restored", dp_port_disarm(&inner[i]) == DP_ERR_OK);
		dp_port_release(&inner[i]);
	}
	inner_count = 0;
	dp_port_quiescent();
}

/* A function that begins far away, or behind the site, as no compiler says it: interrupts are
 * masked while the port looks at it. */
static void function_too_long(void)
{
	for (uint8_t isa = DP_ISA_MAIN; isa <= DP_ISA_THUMB; isa++) {
		struct dp_site far = {.address = (uint32_t)(uintptr_t)code,
				      .isa = isa,
				      .extent = RAM_BASE,
				      .extent_bytes = 0xffffffffu};
		enum dp_refusal why;

		((volatile uint32_t *)(uintptr_t)far.address)[0] =
			isa == DP_ISA_MAIN ? 0xe1a00000u : 0x46c046c0u;
		for (unsigned ahead = 0; ahead < 2; ahead++, far.extent = far.address + 8) {
			looked_at = 0;
			expect("a function of any length",
			       dp_port_fetch(&far) == DP_ERR_OK &&
				       dp_port_prepare(&far, 1, original_at, &why) == DP_ERR_OK);
			expect("a short look", looked_at < 0x8000);
			dp_port_release(&far);
		}
	}
	dp_port_quiescent();
}

/* A 32-bit instruction whose second half lies in a page that cannot be written: refused, and the
 * first half is as it was. */
static void over_a_page_end(void)
{
#if __ARM_ARCH >= 7
	const struct test_case wide = {.insn = 0xf3af8000u, .bytes = 4, .flags = CASE_THUMB};
	volatile uint16_t *half = (volatile uint16_t *)(uintptr_t)(READ_ONLY - 2);
	enum dp_refusal why;
	enum dp_err error;

	half[0] = (uint16_t)(wide.insn >> 16);
	expect("prepared over a page end",
	       half[1] == (uint16_t)wide.insn && prepare(&wide, READ_ONLY - 2, &error, &why));
	expect("both halves or none", dp_port_arm(&site) == DP_ERR_NOT_PATCHABLE &&
					      half[0] == (uint16_t)(wide.insn >> 16));
	dp_port_release(&site);
	dp_port_quiescent();
#endif
}

/* An abort that comes late, when the copy has done its work and the second trap is next: it is not
 * the copy's, which must not be done again. */
static void late_abort(void)
{
	const struct test_case store = {.insn = 0xe881000cu, .bytes = 4}; /* stm r1, {r2, r3} */
	uint32_t address = (uint32_t)(uintptr_t)code + CODE_AT;
	struct dp_frame frame = {.cpsr = MODE_SYS};
	enum dp_refusal why;
	enum dp_err error;

	place(address, &store);
	stepped = faults = 0;
	expect("prepared for a late abort", prepare(&store, address, &error, &why));
	expect("two traps", dp_port_step(&site, &frame) == DP_STEP_PENDING);
	stepped = 1;
	frame.r[PC] += 4; /* the copy is done */
	expect("a late abort is the firmware's",
	       dp_port_exception(DP_CLASS_DATA, &frame) == DP_FIRMWARE);
	expect("a late abort is not the copy's",
	       stepped == 0 && faults == 0 && frame.r[PC] == address + 4 && frame.cpsr == MODE_SYS);
	dp_port_release(&site);
	dp_port_quiescent();
}

/* After a warm restart the vectors may lead to us before there is an agent. */
static void before_the_agent(void)
{
	struct state in = {.pc = (uint32_t)(uintptr_t)code,
			   .cpsr = 0xdf,
			   .abt_sp = (uint32_t)(uintptr_t)abt_stack};
	struct state out;
	struct dp_port_state *agent = dp_arm;

	*(volatile uint32_t *)(uintptr_t)in.pc = UNDEFINED_ARM;
	dp_port_text_written(in.pc, 4);
	dp_arm = 0;
	run(&in, &out);
	expect("undefined before the agent",
	       out.class == DP_CLASS_UNDEFINED && out.pc == in.pc + 4);
	dp_arm = agent;
}

/* Where unaligned words fault, an agent compiled with them must not start. */
static void strict_alignment(void)
{
#ifdef __ARM_FEATURE_UNALIGNED
	struct dp_port_state state;
	uint32_t sctlr;

	__asm__ volatile("mrc p15, 0, %0, c1, c0, 0" : "=r"(sctlr));
	__asm__ volatile("mcr p15, 0, %0, c1, c0, 0\n\tisb" ::"r"(sctlr | 2));
	expect("strict alignment", dp_port_attach(&board, &memory, &state) == DP_ERR_BAD_TARGET);
	__asm__ volatile("mcr p15, 0, %0, c1, c0, 0\n\tisb" ::"r"(sctlr));
#endif
}

/* Vectors as other firmware has them: a branch, and two through one literal. */
static void other_vectors(void)
{
#if __ARM_ARCH >= 7
	static volatile uintptr_t base = (uintptr_t)vectors;
#else
	static volatile uintptr_t base; /* 0: volatile, or gcc takes it for a null pointer */
#endif
	volatile uint32_t *at = (volatile uint32_t *)base;

	at[4] = 0xea000000u |
		(((uint32_t)(uintptr_t)dabt_handler - (uint32_t)(uintptr_t)&at[4] - 8) >> 2 &
		 0xffffff);
	at[7] = 0xe59ff008u;
}

static void attach(const struct dp_memory *with)
{
	for (unsigned i = 0; i < sizeof(port); i++)
		((volatile uint8_t *)&port)[i] = 0;
	if (dp_port_attach(&board, with, &port) != DP_ERR_OK) {
		say("FAIL attach\n");
		stop(3);
	}
}

static void all_cases(void)
{
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		one(&cases[i]);
}

_Noreturn void guest_main(void);
_Noreturn void guest_main(void)
{
	unsigned total, available;

	for (unsigned i = 0; i < 64; i++) {
		pad.arm[i] = pad.end[i] = UNDEFINED_ARM;
		pad.thumb[i] = UNDEFINED_THUMB;
	}
	other_vectors();
	strict_alignment();
	attach(&memory);
	access_checks();
	function_too_long();
	before_the_agent();
	over_a_page_end();
	late_abort();
	all_cases();
	/* As after a warm restart that left the vectors ours. */
	attach(&memory);
	pass = PASS_WATCH;
	probe_callee();
	all_cases();
	unprobe_callee();
	dp_port_slots(&total, &available);
	expect("slots come back", total == available && total > 0);
	expect("nested hits", nested != 0 && missed == 3 * nested);
	attach(&one_slot);
	pass = PASS_NO_SLOT;
	dp_port_slots(&total, &available);
	expect("no slot", total == 0);
	all_cases();
	number("cases ", sizeof(cases) / sizeof(cases[0]));
	number(", runs ", ran);
	number(", refused ", refused);
	number(", nested ", nested);
	number(", stack ", dp_port_stack_used());
	number(", failed ", failed);
	say(failed ? "\nFAILED\n" : "\nPASS\n");
	stop(failed ? 1 : 42);
}
