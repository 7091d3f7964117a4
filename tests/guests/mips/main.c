/* SPDX-License-Identifier: BSD-2-Clause */
/* Run-twice oracle for the MIPS port: every pair of instructions of cases.inc is executed plain and
 * probed from the same state; all registers, memory, code and the exception that ends it must
 * agree. Probes on the first word, on the second, on both: a jump's delay slot is the second.
 * spec/stepping.md 1.10. The core of the agent is replaced by what stands here: three sites. */
#include "guest.h"

#include "dp_access.h"
#include "dp_agent.h"
#include "mips_port.h"

enum {
	DATA_WORDS = 256,
	CODE_WORDS = 1024,
	CODE_AT = 512,
	SITES = 2,
	TOUCHED_WORDS = 16,
	VALUES = 16,
	FEW_VALUES = 6 /* in the later passes */
};
#define END 0x0000000cu /* syscall: what control meets wherever it goes */
#ifndef HOLE            /* where an access fails */
#define HOLE 0xdead0000u
#endif
#define NOP   0u
#define ADDED 0x27180001u /* addiu $24, $24, 1 */

struct test_case {
	uint32_t insn[2];
	uint16_t flags;
	uint8_t refusal;
	const char *text;
};
enum {
	CASE_JUMP = 1,
	CASE_J = 2, /* j, jal: the target is filled in here */
	CASE_FPU = 4,
	CASE_HALTS = 8, /* compared with a nop */
	CASE_REFUSED = 16,
	CASE_BAD_DELAY = 32,
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
static uint32_t data[DATA_WORDS] __attribute__((aligned(1024)));
static uint32_t data_plain[DATA_WORDS];
static uint8_t slots[4096] __attribute__((aligned(4096)));
static uint64_t stack[DP_PORT_STACK_BYTES / 8];
static struct dp_port_state port;
static struct dp_site site[SITES + 1]; /* the last: in a callback of the core */
static unsigned hits[SITES + 1], stepped, faults, refused, ran, failed, probed_cases, strays;
static unsigned pass;
static unsigned with, without; /* hits that ran a program, and that did not */
static bool access_in_hit;
static void access_checks(void);
static uint8_t rows[255], refused_rows[255], unpredictable_rows[255];
static uint16_t classes[255]; /* of operands, by row: enum operand_class */

/* --- what the core would do --- */

/* A callback of the board that has a probe in it. */
__attribute__((noinline, aligned(16))) static uint32_t callback(uint32_t x)
{
	__asm__ volatile("addiu %0, %0, 3" : "+r"(x));
	return x;
}

static struct dp_site *find(dp_addr address)
{
	for (unsigned i = 0; i < SITES + 1; i++)
		if (site[i].address == address && site[i].insn_bytes != 0)
			return &site[i];
	return NULL;
}

static void disturb(void)
{
	uint32_t word;

	/* Every second run is that of a probe whose handlers do nothing. */
	if (pass == 0 && !access_in_hit && ran & 1) {
		without++;
		return;
	}
	with++;
	if (access_in_hit)
		access_checks();
	/* A bad address in the handler must leave the fault registers alone: no mapping, odd. */
	if (ran & 2 ? dp_port_read(HOLE + 0x4000, &word, 4, 4) : dp_port_read(0x1231u, &word, 2, 2))
		failed++;
	if (pass == 1 && callback(4) != 7)
		failed++;
}

/* A request that the hit of the first site serves takes the second site away. */
static bool take_away;

enum dp_taken dp_agent_trap(struct dp_frame *frame)
{
	struct dp_site *s = find(dp_port_pc(frame));
	enum dp_step step;
	uint32_t found;

	if (s == NULL) {
		if (!dp_port_trap_at(frame, &found))
			return DP_RESUME;
		strays++;
		return DP_NOT_OURS;
	}
	if (s->armed && dp_port_fires(s, frame))
		hits[s - site]++;
	if (s != &site[SITES])
		disturb();
	else if (access_in_hit)
		access_checks();
	step = dp_port_step(s, frame);
	if (take_away && s == &site[0]) {
		if (dp_port_disarm(&site[1]) != DP_ERR_OK)
			failed++;
		site[1].insn_bytes = 0;
	}
	switch (step) {
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
	if (dp_port_pc(frame) != address && frame->epc != address)
		failed++;
	if (pass > 0)
		disturb(); /* a handler of the fault phase: Cause is lost */
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

/* --- one case --- */

static uint32_t word_of(const struct test_case *c, unsigned i)
{
	if (i == 0 && (c->flags & CASE_J))
		return c->insn[0] | (((uint32_t)(uintptr_t)&pad[4] >> 2) & 0x03ffffff);
	return c->insn[i];
}

static void fill_code(const struct test_case *c)
{
	for (unsigned i = 0; i < CODE_WORDS; i++)
		code[i] = END;
	code[CODE_AT] = word_of(c, 0);
	code[CODE_AT + 1] = word_of(c, 1);
}

static void fill_data(void)
{
	for (unsigned i = 0; i < DATA_WORDS; i++)
		data[i] = 0x80818283u + i * 0x01030507u;
}

/* $4, $5, HI, LO, Status */
static const uint32_t values[VALUES][5] = {
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
static const uint32_t conditions[VALUES] = {0x02000000, 0x08800000, 0x00000000, 0xfe800000,
					    0x00800000, 0x0a800000, 0x04000000, 0xfa000000,
					    0x08000000, 0xf6800000, 0x10000000, 0x20000000,
					    0x40000000, 0x80000000, 0x55000000, 0xaa800000};

static void initial(struct state *s, unsigned v)
{
	uint32_t d = (uint32_t)(uintptr_t)data;
	const uint32_t r[14] = {
		0,          0x01010101, 0x02020202, 0x03030303, values[v][0], values[v][1],
		d + 0x100,  d + 0x200,  8,          HOLE,       d + 0x101,    4,
		0x0c0c0c0c, 0x30000000};

	for (unsigned i = 0; i < 32; i++)
		s->r[i] = i < 14 ? r[i] : 0x10101010u + i * 0x01000001u;
	s->r[14] = 0x20000002; /* EXL */
	s->r[25] = (uint32_t)(uintptr_t)&pad[8];
	s->r[29] = d + 0x300;
	s->r[31] = (uint32_t)(uintptr_t)&pad[16];
	s->hi = values[v][2];
	s->lo = values[v][3];
	s->status = values[v][4] & ~(has_fpu ? 0u : 0x20000000u);
	s->fcr31 = conditions[v];
	for (unsigned i = 0; i < 8; i++)
		s->fp[i] = 0x3f800000u + i * 0x00100000u;
}

static void pre_fault(unsigned v)
{
	static const uint32_t where[FEW_VALUES] = {0xc0001230, 0x00002001, HOLE + 0x1003,
						   0x7ffffffc, 0xe0000000, 0x00000004};
	uint32_t word;

	dp_access_load(where[v % FEW_VALUES], 4, &word);
}

static uint32_t code_sum(void)
{
	uint32_t sum = 0;

	for (unsigned i = CODE_AT - 32; i < CODE_AT + 32; i++)
		sum = (sum << 1 | sum >> 31) ^ ((const volatile uint32_t *)code)[i];
	return sum;
}

/* pref, cache and the rest may not change what the CPU says about itself. */
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
		if (w[1][i] == w[2][i] && (i < 34 || i > 36))
			continue;
		number("  word ", i);
		say(": ");
		hex(w[0][i]);
		hex(w[1][i]);
		hex(w[2][i]);
		say("\n");
	}
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

/* From the plain run alone: did control pass the second word? */
static bool second_ran(const struct test_case *c, const struct state *end, uint32_t address)
{
	bool delay_slot = end->cause >> 31;

	if (c->flags & CASE_JUMP) {
		if (end->pc == address)
			return delay_slot; /* else the jump itself has faulted */
		return !is_likely(c->insn[0]) || end->pc != address + 8;
	}
	return end->pc != address || sets_exl(c);
}

/* Run plain and probed. mask: bit 0 a probe on the first word, bit 1 on the second. from: the word
 * that is entered. */
static void compare(const struct test_case *c, unsigned mask, unsigned from, unsigned v)
{
	static struct state in, plain, probed;
	uint32_t address = (uint32_t)(uintptr_t)&code[CODE_AT], sum, found;
	unsigned expected[2];

	initial(&in, v);
	in.pc = address + 4 * from;
	fill_data();
	if (c->flags & CASE_HALTS)
		code[CODE_AT] = NOP;
	pre_fault(v);
	run(&in, &plain);
	code[CODE_AT] = word_of(c, 0);
	for (unsigned i = 0; i < DATA_WORDS; i++)
		data_plain[i] = data[i];
	sum = code_sum();
	fill_data();
	expected[0] = (mask & 1) && from == 0;
	expected[1] = (mask & 2) && (from == 1 || second_ran(c, &plain, address));
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
	/* Behind an instruction that sets EXL, EPC is what the probe's trap has left there. */
	if (sets_exl(c) && plain.pc == address)
		probed.pc = address;
	for (unsigned i = 0; i < SITES; i++) {
		site[i].armed = 0;
		if ((mask >> i & 1) && dp_port_disarm(&site[i]) != DP_ERR_OK)
			fail(c, "not disarmed\n");
	}
	if (code_sum() != sum || !same_state(&plain, &probed))
		report(c, &in, &plain, &probed, "not the same", mask);
	else if (take_away ? hits[0] < expected[0] || hits[1] != 0
			   : hits[0] != expected[0] || hits[1] != expected[1])
		report(c, &in, &plain, &probed, "hit count", mask);
	else if (stepped != 0)
		report(c, &in, &plain, &probed, "hit count", mask);
}

/* Field by field: an initialiser would be a call of memset. */
static void place(struct dp_site *s, uint32_t address, uint32_t extent)
{
	s->address = address;
	s->extent = extent;
	s->extent_bytes = 256;
	s->isa = s->armed = s->chain = 0;
	s->phases = pass == 1 ? 3 : 1;
	s->port = (struct dp_port_site){0};
}

static enum dp_err prepare(struct dp_site *s, uint32_t address, enum dp_refusal *why)
{
	enum dp_err error;

	place(s, address, (uint32_t)(uintptr_t)&code[CODE_AT - 16]);
	*why = DP_REFUSE_NOTHING;
	error = dp_port_fetch(s);
	if (error == DP_ERR_OK)
		error = dp_port_prepare(s, original_at, why);
	if (error != DP_ERR_OK)
		s->insn_bytes = 0;
	return error;
}

static void refusal_case(const struct test_case *c, uint32_t address)
{
	enum dp_refusal why;
	uint32_t sum = code_sum();
	enum dp_err error = prepare(&site[0], address, &why);
	bool ok = c->flags & CASE_BAD_DELAY
			  ? error == DP_ERR_BAD_DELAY_SLOT
			  : (error == DP_ERR_NOT_PROBEABLE || error == DP_ERR_FOREIGN_BREAK) &&
				    why == c->refusal;

	refused += pass == 0;
	if (why == DP_REFUSE_UNPREDICTABLE)
		unpredictable_rows[dp_mips_decode(c->insn[0], port.release).row] = 1;
	else if (!(c->flags & CASE_BAD_DELAY))
		refused_rows[dp_mips_decode(c->insn[0], port.release).row] = 1;
	if (ok && code_sum() == sum)
		return;
	fail(c, "not refused as it should be");
	number(": error ", error);
	number(" reason ", why);
	say(" word ");
	hex(site[0].original);
	hex(code[CODE_AT]);
	say("\n");
}

/* --- which operands have been tried --- */

enum operand_class {
	RS_ZERO = 1,
	RS_OTHER = 2,
	RT_ZERO = 4,
	RT_OTHER = 8,
	RD_ZERO = 16,
	RD_OTHER = 32,
	RS_IS_RT = 64, /* and not zero */
	RS_IS_RD = 128,
	RT_IS_RD = 256
};

/* Which of rs, rt and rd (bits 0, 1, 2) name general registers, by the opcode map's outline. */
static unsigned operands(uint32_t insn)
{
	unsigned opcode = insn >> 26, function = insn & 63;

	if (opcode == 0 || opcode == 0x1c)
		return function >= 0x30 && opcode == 0 ? 3 : 7; /* traps: a code in place of rd */
	if (opcode == 0x1f)
		return function <= 4 ? 3 : function == 0x3b ? 2 : 6;
	if (opcode == 1 || opcode == 6 || opcode == 7 || opcode == 0x16 || opcode == 0x17)
		return 1;
	if (opcode == 0x0f)
		return 2;
	if (opcode == 2 || opcode == 3 || opcode == 0x2f || opcode == 0x33 ||
	    (opcode >= 0x10 && opcode <= 0x13) || (opcode & 0x33) == 0x31 ||
	    (opcode & 0x37) == 0x35)
		return 0;
	return 3;
}

static unsigned operand_classes(uint32_t insn)
{
	unsigned rs = insn >> 21 & 31, rt = insn >> 16 & 31, rd = insn >> 11 & 31, found = 0;

	found |= rs ? RS_OTHER : RS_ZERO;
	found |= rt ? RT_OTHER : RT_ZERO;
	found |= rd ? RD_OTHER : RD_ZERO;
	found |= rs && rs == rt ? RS_IS_RT : 0u;
	found |= rs && rs == rd ? RS_IS_RD : 0u;
	found |= rt && rt == rd ? RT_IS_RD : 0u;
	return found;
}

/* All classes that the row's fixed bits and checks permit. */
static unsigned classes_of(const struct dp_mips_row *r)
{
	uint32_t mask = dp_mips_row_mask(r);
	unsigned named = operands(r->value), wanted = 0;
	bool rs = (named & 1) && (mask >> 21 & 31) == 0, rt = (named & 2) && (mask >> 16 & 31) == 0,
	     rd = (named & 4) && (mask >> 11 & 31) == 0;

	wanted |= rs ? RS_ZERO | RS_OTHER : 0u;
	wanted |= rt ? RT_ZERO | RT_OTHER : 0u;
	wanted |= rd ? RD_ZERO | RD_OTHER : 0u;
	wanted |= rs && rt ? RS_IS_RT : 0u;
	wanted |= rs && rd && r->check != DP_MIPS_RS_NOT_RD ? RS_IS_RD : 0u;
	wanted |= rt && rd ? RT_IS_RD : 0u;
	return wanted;
}

static unsigned class_gate(unsigned row)
{
	unsigned missing = classes_of(&dp_mips_rows[row]) & ~classes[row];

	if (missing == 0)
		return 0;
	number("operands never tried: row ", row);
	say(" ");
	hex(dp_mips_rows[row].value);
	hex(missing);
	say("\n");
	return 1;
}

/* A row that refuses what it matches, or some of it, has refused it. */
static unsigned refusal_gate(unsigned row)
{
	const struct dp_mips_row *r = &dp_mips_rows[row];
	bool here = dp_mips_decode(r->value, port.release).row == row;
	unsigned missing = 0;

	if (here && r->treat >> 5 == DP_MIPS_REFUSE)
		missing += !refused_rows[row];
	if (here && r->check != DP_MIPS_ANY)
		missing += !unpredictable_rows[row];
	if (missing) {
		number("row never refused: ", row);
		say(" ");
		hex(r->value);
		say("\n");
	}
	return missing;
}

static void one(const struct test_case *c)
{
	uint32_t address = (uint32_t)(uintptr_t)&code[CODE_AT];
	unsigned before = failed;

	if ((c->flags & CASE_FPU) && !has_fpu)
		return;
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
		if (((c->flags & CASE_HALTS) && mask == 2) || (sets_exl(c) && mask != 1)) {
			/* the first word would halt; with EXL set no probe can be hit */
		} else if (error == DP_ERR_NO_SLOT && pass == 2 && (c->flags & CASE_JUMP)) {
			/* a jump needs a slot of its own */
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
				if (mask != 3)
					continue;
				take_away = true;
				compare(c, mask, 0, v);
				take_away = false;
				site[1].insn_bytes = 4;
			}
		}
		for (unsigned i = 0; i < SITES; i++) {
			if (site[i].insn_bytes != 0)
				dp_port_release(&site[i]);
			site[i].insn_bytes = 0;
		}
		dp_port_quiescent();
	}
	for (unsigned i = 0; i < 2; i++) {
		unsigned row = dp_mips_decode(c->insn[i], port.release).row;

		rows[row] = 1;
		classes[row] |= (uint16_t)operand_classes(c->insn[i]);
	}
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
	static uint32_t touched[TOUCHED_WORDS];
	uint8_t buffer[64];
	uint32_t last = 0x80fffffc, word = 0x11223344, d = (uint32_t)(uintptr_t)touched;
	const uint8_t *byte = (const uint8_t *)touched;

	for (unsigned i = 0; i < TOUCHED_WORDS; i++)
		touched[i] = 0x80818283u + i * 0x01030507u;
	expect("word", dp_port_read(d, buffer, 4, 4) == 4 && buffer[1] == byte[1]);
	expect("unaligned half", dp_port_read(d + 1, buffer, 2, 2) == 2 && buffer[0] == byte[1] &&
					 buffer[1] == byte[2]);
	expect("unaligned word", dp_port_read(d + 3, buffer, 4, 4) == 4 && buffer[3] == byte[6]);
	expect("double", dp_port_read(d, buffer, 8, 8) == 8 && buffer[7] == byte[7]);
	expect("hole", dp_port_read(HOLE, buffer, 4, 4) == 0);
	expect("null", dp_port_read(0, buffer, 4, 4) == 0);
	expect("no row", dp_port_read(0xc0000000u, buffer, 4, 4) == 0);
	expect("last word", dp_port_read(last, buffer, 4, 4) == 4);
	expect("block over the end", dp_port_read(last - 8, buffer, 32, 0) == 12);
	expect("unaligned block",
	       dp_port_read(d + 5, buffer, 17, 0) == 17 && buffer[16] == byte[21]);
	expect("wrap", dp_port_read(0xfffffffcu, buffer, 8, 8) == 0);
	expect("write to a hole", dp_port_write(HOLE, &word, 4, 4) == 0);
	expect("write", dp_port_write(d + 16, &word, 4, 4) == 4 && touched[4] == word);
	expect("unaligned write",
	       dp_port_write(d + 27, &word, 4, 4) == 4 && byte[27] == *(const uint8_t *)&word);
	expect("readable", dp_port_readable(d));
	expect("not readable", !dp_port_readable(HOLE) && !dp_port_readable(0xc0000000u));
	expect("device: no access asked", dp_port_readable(HOLE + 0x10000));
	expect("device: bytewise refused", dp_port_read(HOLE + 0x10001, buffer, 4, 4) == 0);
}

/* The same in a hit: behind a plain instruction, a jump, in a delay slot, before a fault; in a
 * callback that is hit inside a hit. */
static void context_checks(void)
{
	static const struct test_case contexts[] = {
		{{0x00851021, ADDED}, 0, 0, "addu: accesses in the hit"},
		{{0x8cc20000, ADDED}, 0, 0, "lw: accesses in the hit"},
		{{0x8d220000, ADDED}, 0, 0, "lw of nothing: accesses in the hit"},
		{{0x10000010, 0x00851021}, CASE_JUMP, 0, "b; addu: accesses in the hit"},
		{{0x10000010, 0x8d220000}, CASE_JUMP, 0, "b; lw of nothing: accesses in the hit"},
		{{0x03200008, 0xacc40000}, CASE_JUMP, 0, "jr; sw: accesses in the hit"},
	};

	access_in_hit = true;
	for (unsigned i = 0; i < sizeof(contexts) / sizeof(contexts[0]); i++)
		one(&contexts[i]);
	access_in_hit = false;
}

/* --- the TLB's instructions: what they write is no register of a run --- */

struct tlb_entry {
	uint32_t index, hi, lo0, lo1, mask;
};

static void tlb_put(const struct tlb_entry *e)
{
	DP_MIPS_PUT(e->index, "$0");
	DP_MIPS_PUT(e->lo0, "$2");
	DP_MIPS_PUT(e->lo1, "$3");
	DP_MIPS_PUT(e->mask, "$5");
	DP_MIPS_PUT(e->hi, "$10");
}

static void tlb_get(struct tlb_entry *e)
{
	DP_MIPS_GET(e->index, "$0");
	DP_MIPS_GET(e->lo0, "$2");
	DP_MIPS_GET(e->lo1, "$3");
	DP_MIPS_GET(e->mask, "$5");
	DP_MIPS_GET(e->hi, "$10");
}

static void tlb_entry_get(uint32_t index, struct tlb_entry *e)
{
	DP_MIPS_PUT(index, "$0");
	__asm__ volatile("tlbr" DP_MIPS_HAZARD ::: "memory");
	tlb_get(e);
}

/* A page of kseg0, which no access meets. */
static void clear_entry(uint32_t index)
{
	struct tlb_entry e = {index, 0x80000000 + (index << 13), 0, 0, 0};

	tlb_put(&e);
	__asm__ volatile("tlbwi" DP_MIPS_HAZARD ::: "memory");
}

static bool same_entry(const struct tlb_entry *a, const struct tlb_entry *b)
{
	return a->index == b->index && a->hi == b->hi && a->lo0 == b->lo0 && a->lo1 == b->lo1 &&
	       a->mask == b->mask;
}

/* Run one instruction from `before`; what the registers and entry 5 hold then. */
static void tlb_run(uint32_t insn, const struct tlb_entry *before, bool probed,
		    struct tlb_entry *registers, struct tlb_entry *entry)
{
	static struct state in, end;
	static const struct tlb_entry other = {5, 0x00600000, 0x00010007, 0x00010047, 0};
	uint32_t at = (uint32_t)(uintptr_t)&code[CODE_AT];
	enum dp_refusal why;

	tlb_put(&other);
	__asm__ volatile("tlbwi" DP_MIPS_HAZARD ::: "memory");
	fill_code(&cases[0]);
	code[CODE_AT] = insn;
	code[CODE_AT + 1] = END;
	initial(&in, 0);
	in.pc = at;
	if (probed) {
		expect("TLB instruction prepared", prepare(&site[0], at, &why) == DP_ERR_OK &&
							   dp_port_arm(&site[0]) == DP_ERR_OK);
		site[0].armed = 1;
	}
	tlb_put(before);
	run(&in, &end);
	tlb_get(registers);
	tlb_entry_get(5, entry);
	if (!probed)
		return;
	site[0].armed = 0;
	dp_port_disarm(&site[0]);
	dp_port_release(&site[0]);
	site[0].insn_bytes = 0;
	dp_port_quiescent();
}

/* tlbwr takes the last entry when all others are wired. */
static void tlb_checks(void)
{
	static const uint32_t insns[] = {0x42000001, 0x42000002, 0x42000006, 0x42000008};
	static const struct tlb_entry before = {5, 0x00400000, 0x00020007, 0x00020047, 0};
	static struct tlb_entry plain[2], probed[2];
	uint32_t config, last;

	__asm__ volatile("mfc0 %0, $16, 1" : "=r"(config));
	last = config >> 25 & 63;
	for (unsigned i = 0; i < sizeof(insns) / sizeof(insns[0]); i++) {
		clear_entry(last);
		DP_MIPS_PUT(insns[i] == 0x42000006 ? last : 0, "$6");
		tlb_run(insns[i], &before, false, &plain[0], &plain[1]);
		if (insns[i] == 0x42000006)
			tlb_entry_get(last, &plain[1]);
		clear_entry(last);
		hits[0] = 0;
		tlb_run(insns[i], &before, true, &probed[0], &probed[1]);
		if (insns[i] == 0x42000006)
			tlb_entry_get(last, &probed[1]);
		expect("TLB instruction: the registers", same_entry(&plain[0], &probed[0]));
		expect("TLB instruction: the entry", same_entry(&plain[1], &probed[1]));
		expect("TLB instruction: hit", hits[0] == 1);
		if (insns[i] != 0x42000008 && insns[i] != 0x42000001)
			expect("TLB instruction: written", plain[1].hi == before.hi);
		rows[dp_mips_decode(insns[i], port.release).row] = 1;
	}
	DP_MIPS_PUT(0, "$6");
	clear_entry(last);
	clear_entry(5);
	DP_MIPS_PUT(0, "$10");
}

/* A probe between LL and SC is refused; behind SC it is not. A prober of the word before the first
 * instruction of a function does not see a branch there. */
static void window_checks(void)
{
	enum dp_refusal why;
	uint32_t at = (uint32_t)(uintptr_t)&code[CODE_AT];

	fill_code(&cases[0]);
	code[CODE_AT] = 0xc0c20000; /* ll $2, 0($6) */
	code[CODE_AT + 1] = ADDED;
	code[CODE_AT + 2] = 0xe0c20000; /* sc $2, 0($6) */
	code[CODE_AT + 3] = ADDED;
	expect("in a window", prepare(&site[0], at + 4, &why) == DP_ERR_IN_ATOMIC);
	expect("behind it", prepare(&site[0], at + 12, &why) == DP_ERR_OK);
	dp_port_release(&site[0]);
	site[0].insn_bytes = 0;
	site[0] = (struct dp_site){.address = 0x00400000, .original = ADDED, .insn_bytes = 4};
	expect("where user mode runs",
	       dp_port_prepare(&site[0], original_at, &why) == DP_ERR_NOT_PROBEABLE &&
		       why == DP_REFUSE_USER_MODE);
	site[0].insn_bytes = 0;
	expect("odd address", prepare(&site[0], at + 2, &why) == DP_ERR_NOT_BOUNDARY);
	expect("no memory", prepare(&site[0], HOLE, &why) == DP_ERR_NOT_TEXT);
}

/* Where a pc in a slot belongs. */
static void origin_checks(void)
{
	enum dp_refusal why;
	uint32_t at = (uint32_t)(uintptr_t)&code[CODE_AT], slot;

	code[CODE_AT] = code[CODE_AT + 1] = ADDED;
	expect("prepared",
	       prepare(&site[0], at, &why) == DP_ERR_OK && dp_port_arm(&site[0]) == DP_ERR_OK);
	slot = (uint32_t)(uintptr_t)(port.slots.word + site[0].port.slot * 4u);
	expect("before the copy",
	       dp_port_slot_origin(slot) == at && dp_port_slot_origin(slot + 4) == at);
	expect("behind the copy", dp_port_slot_origin(slot + 8) == at + 4);
	expect("elsewhere", dp_port_slot_origin(at) == at);
	expect("disarmed", dp_port_disarm(&site[0]) == DP_ERR_OK);
	dp_port_release(&site[0]);
	site[0].insn_bytes = 0;
	dp_port_quiescent();
}

/* A break with EXL set leaves EPC alone: reported, and given to the firmware. Breaks of the
 * firmware's own are not touched. */
static void stray_checks(void)
{
	static struct state in, end;

	initial(&in, 0);
	code[CODE_AT] = 0x408e6000; /* mtc0 $14, $12: EXL */
	code[CODE_AT + 1] = 0x0000000d;
	in.pc = (uint32_t)(uintptr_t)&code[CODE_AT];
	strays = 0;
	run(&in, &end);
	expect("a trap with EXL set is reported",
	       strays == 1 && end.pc == in.pc && end.cause == 9 << 2);
	code[CODE_AT] = 0x000001cd; /* break 7 */
	run(&in, &end);
	expect("break 7 is the firmware's", strays == 1 && end.pc == in.pc && end.cause == 9 << 2);
}

/* After a warm restart the vectors are still the port's, and there is no agent yet: all exceptions
 * are the firmware's, with every register as it was. cleared: start-up has cleared the port's
 * state, too. */
static void restart_checks(bool cleared)
{
	static struct state in, plain, end;
	static struct dp_port_state saved;
	static const uint32_t insns[] = {
		0x0000000d, /* break 0 */
		0x0000014d, /* break 5 */
		0x8d220000, /* lw $2, 0($9): a hole */
		0x8d420000, /* lw $2, 0($10): odd */
		ADDED,
	};

	for (unsigned i = 0; i < sizeof(insns) / sizeof(insns[0]); i++) {
		initial(&in, 2);
		in.pc = (uint32_t)(uintptr_t)&code[CODE_AT];
		fill_code(&cases[0]);
		code[CODE_AT] = insns[i];
		code[CODE_AT + 1] = END;
		run(&in, &plain);
		for (unsigned w = 0; w < sizeof(port) / 4; w++) {
			((uint32_t *)&saved)[w] = ((uint32_t *)&port)[w];
			if (cleared)
				((uint32_t *)&port)[w] = 0;
		}
		dp_mips = NULL;
		run(&in, &end);
		dp_mips = &port;
		for (unsigned w = 0; w < sizeof(port) / 4; w++)
			((uint32_t *)&port)[w] = ((uint32_t *)&saved)[w];
		fill_data();
		for (unsigned w = 0; w < DATA_WORDS; w++)
			data_plain[w] = data[w];
		expect("before dp_init, after a restart", same_state(&plain, &end));
	}
}

/* --- independent vectors: tests/vectors/mips.txt --- */

enum {
	VECTOR_WORDS = 16,
	PC = 34,
	SR,
	CAUSE,
	BAD,
	FORCED_EXL = 2
};
struct vector {
	const char *name;
	uint32_t insn[2];
	unsigned count;
	uint32_t before[BAD + 1], after[BAD + 1];
	uint32_t fcr31, fcr31_after;
	unsigned bad_named;
	uint32_t memory[VECTOR_WORDS];
};
#include "vectors.inc"

static bool fpu_insn(uint32_t insn)
{
	return insn >> 26 == 0x11 || (insn & 0xfc00003f) == 1;
}

/* Can this CPU run it: no FPU, no release 2, and a Status without CU1 on the others? */
static bool has_vector(const struct vector *v)
{
	for (unsigned i = 0; i < v->count; i++) {
		if (!has_fpu && (fpu_insn(v->insn[i]) || v->insn[i] >> 26 == 0x10))
			return false;
		if (dp_mips_decode(v->insn[i], port.release).action == DP_MIPS_REFUSE)
			return false;
	}
	return true;
}

static bool fill_vector(const struct vector *v)
{
	volatile uint32_t *at = (volatile uint32_t *)VECTOR_CODE,
			  *d = (volatile uint32_t *)VECTOR_DATA;

	for (int i = -512; i < 512; i++)
		at[i] = END;
	for (unsigned i = 0; i < v->count; i++)
		at[i] = v->insn[i];
	for (unsigned i = 0; i < VECTOR_WORDS; i++)
		d[i] = vector_memory[i];
	return true;
}

static bool vector_holds(const struct vector *v, const struct state *end)
{
	const volatile uint32_t *d = (const volatile uint32_t *)VECTOR_DATA;
	bool fault = (v->after[PC] & ~0x180u) == 0x80000000u, ok = true;
	const uint32_t *word = (const uint32_t *)end;
	uint32_t unit = has_fpu ? 0 : 0x20000000u;

	for (unsigned i = 0; i < PC; i++)
		ok &= word[i] == v->after[i];
	for (unsigned i = 0; i < VECTOR_WORDS; i++)
		ok &= d[i] == v->memory[i];
	ok &= end->status == ((v->after[SR] & ~unit) | FORCED_EXL);
	ok &= !has_fpu || end->fcr31 == v->fcr31_after;
	/* A fault's EPC is the instruction, or the branch before it; else control met END. */
	ok &= end->pc == (fault ? VECTOR_CODE : v->after[PC]);
	ok &= end->cause == (fault ? v->after[CAUSE] : 8u << 2);
	ok &= !v->bad_named || end->badvaddr == v->after[BAD];
	return ok;
}

static void one_vector(const struct vector *v, unsigned mask)
{
	static struct state in, end;
	enum dp_refusal why;
	bool ok = fill_vector(v);

	for (unsigned i = 0; i < PC; i++)
		((uint32_t *)&in)[i] = v->before[i];
	in.pc = VECTOR_CODE;
	in.status = v->before[SR] & ~(has_fpu ? 0u : 0x20000000u);
	in.fcr31 = v->fcr31;
	hits[0] = hits[1] = 0;
	for (unsigned i = 0; i < SITES; i++) {
		site[i].insn_bytes = 0;
		if (!(mask >> i & 1))
			continue;
		place(&site[i], VECTOR_CODE + 4 * i, VECTOR_CODE);
		ok &= dp_port_fetch(&site[i]) == DP_ERR_OK &&
		      dp_port_prepare(&site[i], original_at, &why) == DP_ERR_OK &&
		      dp_port_arm(&site[i]) == DP_ERR_OK;
		site[i].armed = 1;
	}
	if (ok)
		run(&in, &end);
	for (unsigned i = 0; i < SITES; i++) {
		site[i].armed = 0;
		if (mask >> i & 1) {
			ok &= dp_port_disarm(&site[i]) == DP_ERR_OK;
			dp_port_release(&site[i]);
		}
		site[i].insn_bytes = 0;
	}
	dp_port_quiescent();
	ran++;
	if (ok && vector_holds(v, &end) && hits[0] == (mask & 1))
		return;
	failed++;
	say("FAIL vector ");
	say(v->name);
	number(" probes ", mask);
	number(" hits ", hits[0]);
	number(" pass ", pass);
	say("\n");
	for (unsigned i = 0; i <= BAD; i++) {
		if (((uint32_t *)&end)[i] == v->after[i])
			continue;
		number("  word ", i);
		say(": ");
		hex(((uint32_t *)&end)[i]);
		hex(v->after[i]);
		say("\n");
	}
}

/* Also plain: what was measured is what this CPU does. Returns how many there are. */
static unsigned vector_checks(void)
{
	unsigned done = 0;

	for (unsigned i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		if (!has_vector(&vectors[i]))
			continue;
		done++;
		for (unsigned mask = 0; mask < 1u << vectors[i].count; mask++)
			if (pass != 2 || mask == 0 || vectors[i].count == 1)
				one_vector(&vectors[i], mask);
	}
	return done;
}

static const struct dp_range ranges[] = {
	{0x80000000u, 0x01000000u, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
	{HOLE, 0x10000, DP_MEM_READ | DP_MEM_WRITE},
	{HOLE + 0x10000, 0x10000, DP_MEM_READ | DP_MEM_DEVICE},
	{0, 0x10000, DP_MEM_READ},
	{0xfffffff0u, 0x10, DP_MEM_READ},
};
static const struct dp_board board = {.ranges = ranges, .range_count = 5};
static const struct dp_memory memory = {.slots = slots,
					.slot_bytes =
						DP_PORT_SLOT_BYTES * (16 + DP_PORT_SLOTS_EXTRA),
					.stack = stack,
					.stack_bytes = sizeof(stack)};

/* Nothing but the slot of last resort is left. */
static void take_all_slots(void)
{
	uint32_t content[3] = {1, 2, 3};

	while (dp_slots_take(&port.slots, 0x80000000u, content) != DP_SLOT_SCRATCH)
		;
}

void guest_main(void);
void guest_main(void)
{
	enum dp_refusal why;
	unsigned reached = 0, missing = 0, vector_count = 0;

	expect("attached", dp_port_attach(&board, &memory, &port) == DP_ERR_OK);
	if (failed)
		stop(1);
	access_checks();
	window_checks();
	origin_checks();
	stray_checks();
	restart_checks(false);
	restart_checks(true);
	for (pass = 0; pass < 3 && failed == 0; pass++) {
		if (pass == 1) {
			/* the callback's first instruction, too */
			expect("nested site", prepare(&site[SITES], (uint32_t)(uintptr_t)callback,
						      &why) == DP_ERR_OK &&
						      dp_port_arm(&site[SITES]) == DP_ERR_OK);
			site[SITES].armed = 1;
		}
		if (pass == 2)
			take_all_slots();
		for (unsigned i = 0; i < CASES; i++)
			one(&cases[i]);
		vector_count = vector_checks();
		context_checks();
		if (pass == 0)
			tlb_checks();
		number("pass ", pass);
		number(" runs ", ran);
		say("\n");
	}
	expect("the callback was hit", hits[SITES] > 100);
	/* Every row that does not refuse must have been executed, as far as this CPU has it. */
	for (unsigned i = 0; i < dp_mips_row_count; i++) {
		const struct dp_mips_row *r = &dp_mips_rows[i];

		reached += rows[i];
		missing += refusal_gate(i);
		if (rows[i]) {
			missing += class_gate(i);
			continue;
		}
		if (r->treat >> 5 == DP_MIPS_REFUSE || r->arch > port.release ||
		    (!has_fpu && fpu_insn(r->value)) ||
		    (!has_fpu && (r->value >> 26 & 0x33) >= 0x11 && (r->value >> 26 != 0x33)))
			continue;
		missing++;
		number("row never executed: ", i);
		say("\n");
	}
	number("cases ", probed_cases);
	number(" states ", VALUES);
	number(" with ", with);
	number(" without ", without);
	number(" refused ", refused);
	number(" vectors ", vector_count);
	number(" runs ", ran);
	number(" nested hits ", hits[SITES]);
	number(" rows ", reached);
	number(" of ", dp_mips_row_count);
	number(" missing ", missing);
	number(" stack ", dp_port_stack_used());
	number(" failed ", failed);
	say(failed ? "\nFAIL\n" : "\nPASS\n");
	stop(failed ? 1 : 42);
}
