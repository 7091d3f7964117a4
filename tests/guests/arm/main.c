/* SPDX-License-Identifier: BSD-2-Clause */
/* Run-twice oracle for the ARM port: every instruction of cases.inc is executed plain and probed
 * from the same state; all registers, flags, memory and the exception that ends it must agree.
 * The core of the agent is replaced by what stands here: one site. */
#include "guest.h"

#include "arm_decode.h"
#include "arm_port.h"
#include "out.h"

#define PRIVILEGED ((uint32_t)RAM_BASE + 0x00e00000u) /* a megabyte; start.S */
#define READ_ONLY  ((uint32_t)RAM_BASE + 0x00f00000u) /* another, from ARMv7 on */

enum {
	PC = 15,
	DATA_WORDS = 256,
	MARGIN_WORDS = 1088, /* what offsets of 12 bits reach */
	CODE_BYTES = 16384,  /* filled anew for every case */
	CODE_AT = CODE_BYTES / 2,
	LITERALS_AT = 0x80, /* on both sides of the instruction */
	OTHER_AT = 0x400,   /* words of the other instruction set, for blx */
	FLAG_STATES = 16,
	STARTS_MAX = 8 * FLAG_STATES + 8
};
/* Where control may end. The ARM word is undefined in Thumb too, seen from its first half. */
#define UNDEFINED_ARM   0xe7f0def0u
#define UNDEFINED_THUMB 0xde00de00u
/* Runs after the instruction in variant SECOND: add r6, r6, #1 */
#define NEXT_ARM   0xe2866001u
#define NEXT_THUMB 0x3601u
#define GUARD      0x9d15c0de9d15c0deu
enum {
	LOST_ROUNDS = 16,
	MODE_SYS = 0x1f,
	MODE_SVC = 0x13,
	PSR_T = 0x20
};

/* What a register holds: HOLDS_* of kinds.inc (shapes.py), and which. */
#include "kinds.inc"
#define HOLDS(number, kind) ((number) | HOLDS_##kind << 4)

/* One line of cases.inc. flags: CASE_* */
struct test_case {
	uint32_t insn;
	uint8_t holds[3];
	uint8_t bytes, flags, refusal;
	const char *text;
};
enum {
	CASE_THUMB = 1,
	CASE_NO_IT = 2,   /* not inside an IT block */
	CASE_LAST_IT = 4, /* only last in an IT block */
	CASE_REFUSED = 8,
	CASE_HALTS = 16,   /* wfi with nothing to wake it: compared with a nop of its size */
	CASE_ALIGNED = 32, /* not at 2 mod 4 */
	CASE_SPSR = 64     /* only in modes that have one */
};
static const struct test_case cases[] = {
#include "cases.inc"
};

/* A section of its own, so that branches by 1, 4, 8 and 16 MiB end where nothing is mapped. */
/* What runs has pages of its own: a store to a page with code in it takes QEMU very long. */
#define CODE_PAGE 4096
static uint8_t section[0x100000] __attribute__((section(".probed"), aligned(4096)));
static uint8_t *const code = section + 0x80000;
static struct {
	uint32_t arm[64], thumb[64];
	uint8_t rest[CODE_PAGE - 512];
} pad __attribute__((section(".fixed.pad"), aligned(CODE_PAGE)));
static uint32_t field[2 * MARGIN_WORDS + DATA_WORDS]
	__attribute__((section(".fixed.field"), aligned(CODE_PAGE)));
static uint32_t *const data = field + MARGIN_WORDS;
static uint32_t patterns[2][DATA_WORDS];

/* A state before the instruction: status word and data, and what came of it unprobed. */
static struct start {
	uint32_t cpsr;
	uint8_t pattern, privileged;
	struct state out;
	uint32_t data[DATA_WORDS];
} starts[STARTS_MAX];
static unsigned start_count;

static union {
	uint8_t bytes[DP_PORT_SLOT_BYTES * (16 + DP_PORT_SLOTS_EXTRA)];
	uint8_t page[CODE_PAGE];
} slots __attribute__((aligned(CODE_PAGE)));
static struct { /* guard: below the stack, where nobody may write */
	uint64_t guard[2 * DP_PORT_STACK_BYTES / 8], stack[DP_PORT_STACK_BYTES / 8];
} private;
static uint64_t *const stack = private.stack;
static struct dp_port_state port;
static struct dp_site site, second;
static unsigned hits, second_hits, stepped, faults, refused;
/* Probed runs, by how (enum variant), at 0 or 2 mod 4, and by flags or ITSTATE. */
static unsigned ran_with_flags[4][2][FLAG_STATES], ran_in_it[4][2][256];
static unsigned nested, missed, left_out;
static struct dp_site inner[3]; /* callee's instructions */
static uint16_t inner_count;
extern char callee[], callee_by_svc[], abt_stack[];

enum variant {
	QUIET,   /* a probe that does nothing */
	PROGRAM, /* one that reads registers and memory, a bad address too */
	WATCH,   /* one that wants to know the end, with a callback that has probes in it */
	SECOND,  /* and a probe on the next instruction */
	LOST,    /* one with a callback that aborts and never comes back */
};
static enum variant variant;
static uint32_t frame_at; /* the last hit's */

/* --- what the core would do --- */

static void program(struct dp_frame *frame)
{
	uint32_t word;
	dp_word value[DP_REG_WORDS_MAX];

	/* A bad address in the handler must leave the abort registers alone. */
	if (dp_port_read(0xdead0000u, &word, 4, 4) != 0 ||
	    dp_port_read((uint32_t)(uintptr_t)data, &word, 4, 4) != 4 || word != data[0])
		failed++;
	for (uint16_t i = 0; i < 16; i++)
		if (dp_port_reg_get(frame, DP_CONTEXT_R, i, 0, value) != 1 ||
		    value[0] != frame->r[i])
			failed++;
}

static void nested_hit(void)
{
	char *const called = nested & 1 ? callee_by_svc : callee;

	nested++;
	if (((uint32_t(*)(uint32_t))(uintptr_t)called)(nested) != nested + 1)
		failed++;
}

/* The site that is there, or null. */
static struct dp_site *site_at(dp_addr address)
{
	if (address == site.address)
		return &site;
	if (variant == SECOND && address == second.address)
		return &second;
	for (unsigned i = 0; i < inner_count; i++)
		if (address == inner[i].address)
			return &inner[i];
	return NULL;
}

static void hit(const struct dp_site *here, struct dp_frame *frame)
{
	if (here == &second) {
		second_hits += dp_port_fires(here, frame);
		return;
	}
	if (variant == WATCH)
		nested_hit();
	if (variant == LOST)
		(void)*(volatile uint32_t *)0xdead0000u;
	if (!dp_port_fires(here, frame))
		return;
	hits++;
	if (variant != QUIET)
		program(frame);
}

enum dp_taken dp_agent_trap(struct dp_frame *frame)
{
	struct dp_site *here = site_at(dp_port_pc(frame));
	bool is_inner = here != &site && here != &second;

	frame_at = (uint32_t)(uintptr_t)frame;
	if (here == NULL || !here->armed)
		return DP_NOT_OURS;
	if (is_inner)
		missed++;
	else
		hit(here, frame);
	switch (dp_port_step(here, frame)) {
	case DP_STEP_FAULT:
		faults++;
		return DP_FIRMWARE;
	case DP_STEP_PENDING:
		stepped += !is_inner;
		return DP_RESUME;
	default:
		return DP_RESUME;
	}
}

static struct dp_site *site_stepped(dp_addr address)
{
	struct dp_site *here = site_at(address);

	if (here == NULL)
		failed++;
	else if (here == &site || here == &second)
		stepped--;
	return here;
}

enum dp_taken dp_agent_stepped(struct dp_frame *frame, dp_addr address)
{
	struct dp_site *here = site_stepped(address);

	if (here != NULL)
		dp_port_stepped(here, frame);
	return DP_RESUME;
}

enum dp_taken dp_agent_fault(struct dp_frame *frame, dp_addr address)
{
	struct dp_site *here = site_stepped(address);

	faults++;
	if (here != NULL)
		dp_port_step_fault(here, frame);
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

/* Where control may be sent. */
static uint32_t target(enum kind kind)
{
	return kind == HOLDS_ARM ? (uint32_t)(uintptr_t)&pad.arm[16]
				 : (uint32_t)(uintptr_t)&pad.thumb[16] | 1;
}

static bool code_is_clean; /* but for the instruction */

/* Around the instruction: undefined words of its instruction set, so that wherever it goes the
 * exception says where; on both sides addresses to load, and words of the other instruction set. */
static void fill_code(const struct test_case *c, uint32_t address)
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
	place(address, c);
	if (variant == SECOND && thumb)
		put16(address + c->bytes, NEXT_THUMB);
	else if (variant == SECOND)
		*(volatile uint32_t *)(uintptr_t)(address + 4) = NEXT_ARM;
}

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

static void copy_words(uint32_t *to, const uint32_t *from, unsigned count)
{
	for (unsigned i = 0; i < count; i += 4) {
		uint32_t a = from[i], b = from[i + 1], c = from[i + 2], d = from[i + 3];

		to[i] = a;
		to[i + 1] = b;
		to[i + 2] = c;
		to[i + 3] = d;
	}
}

static uint32_t held(enum kind kind)
{
	uint32_t d = (uint32_t)(uintptr_t)data;
	const uint32_t value[] = {
		[HOLDS_DATA] = d + 0x180,
		[HOLDS_HOLE] = 0xdead0000u,
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

static void initial(struct state *s, const struct test_case *c, uint32_t address, uint32_t cpsr)
{
	uint32_t *r0 = s->r, d = to_privileged ? PRIVILEGED : (uint32_t)(uintptr_t)data;
	const uint32_t r[13] = {5,
				d + 0x100,
				d + 0x200,
				8,
				0x80000001u,
				0x7fffffff,
				d + 0x180,
				target(HOLDS_ARM),
				target(HOLDS_THUMB),
				0xdead0000u,
				4,
				0xfffffffcu,
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
	for (unsigned i = 0; i < sizeof(c->holds) && c->holds[i] != 0; i++)
		r0[c->holds[i] & 15] = held(c->holds[i] >> 4);
}

/* Of the code around the instruction: stores relative to PC go there, and the trap must be gone. */
static uint32_t code_sum(void)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < CODE_BYTES / 4; i++)
		sum = (sum << 1 | sum >> 31) ^ ((const volatile uint32_t *)code)[i];
	return sum;
}

static bool same(const uint32_t *a, const uint32_t *b, unsigned count)
{
	uint32_t differ = 0;

	for (unsigned i = 0; i < count; i++)
		differ |= a[i] ^ b[i];
	return differ == 0;
}

static void report(const struct test_case *c, const struct state *in, const struct state *plain,
		   const struct state *probed, const char *what)
{
	const uint32_t *w[3] = {(const uint32_t *)in, (const uint32_t *)plain,
				(const uint32_t *)probed};

	say("FAIL ");
	hex(c->insn);
	say(c->text);
	say(": ");
	say(what);
	number(" variant ", variant);
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

static bool prepare_at(struct dp_site *at, uint32_t address, bool thumb, enum dp_err *error,
		       enum dp_refusal *why)
{
	*at = (struct dp_site){.address = address,
			       .extent = address,
			       .extent_bytes = 64,
			       .isa = thumb ? DP_ISA_THUMB : DP_ISA_MAIN,
			       .phases = variant == WATCH ? 7 : 1};
	*why = DP_REFUSE_NOTHING;
	*error = dp_port_fetch(at);
	if (*error == DP_ERR_OK)
		*error = dp_port_prepare(at, original_at, why);
	return *error == DP_ERR_OK;
}

static bool prepare(const struct test_case *c, uint32_t address, enum dp_err *error,
		    enum dp_refusal *why)
{
	bool thumb = c->flags & CASE_THUMB;
	bool good = prepare_at(&site, address, thumb, error, why);

	if (good && (site.original != c->insn || site.insn_bytes != c->bytes))
		*error = DP_ERR_BAD_FIELD;
	if (good && variant == SECOND)
		good = prepare_at(&second, address + c->bytes, thumb, error, why);
	return good && *error == DP_ERR_OK;
}

static const struct test_case nops[3] = {
	{.insn = 0xe320f000u, .bytes = 4},
	{.insn = 0xbf00, .bytes = 2, .flags = CASE_THUMB},
	{.insn = 0xf3af8000u, .bytes = 4, .flags = CASE_THUMB},
};

static uint32_t code_clean, code_plain; /* code_sum before, and after the unprobed runs */

/* Run the instruction unprobed from every step-th start. */
static void run_plain(const struct test_case *c, uint32_t address, unsigned step)
{
	static struct state in; /* static: what no handler writes stays 0 */

	fill_code(c, address);
	if (c->flags & CASE_HALTS)
		place(address, &nops[c->flags & CASE_THUMB ? c->bytes / 2 : 0]);
	else
		code_clean = code_sum();
	for (unsigned i = 0; i < start_count; i += step) {
		to_privileged = starts[i].privileged;
		initial(&in, c, address, starts[i].cpsr);
		to_privileged = false;
		copy_words(data, patterns[starts[i].pattern], DATA_WORDS);
		run(&in, &starts[i].out);
		copy_words(starts[i].data, data, DATA_WORDS);
	}
	place(address, c);
	code_plain = code_sum();
	if (c->flags & CASE_HALTS)
		code_clean = code_plain;
	code_is_clean = code_plain == code_clean;
}

static bool arm(struct dp_site *at)
{
	uint32_t found;

	at->armed = dp_port_arm(at) == DP_ERR_OK && dp_port_is_armed(at, &found);
	return at->armed;
}

static bool disarm(struct dp_site *at)
{
	at->armed = 0;
	return dp_port_disarm(at) == DP_ERR_OK;
}

/* The next instruction runs when r6 says so: it has no other trace. */
static bool second_hit_right(const struct state *in, const struct state *out)
{
	return variant != SECOND || (out->r[6] == in->r[6] + 1 && second_hits == 1) ||
	       (out->r[6] == in->r[6] && second_hits <= 1) ||
	       (out->r[6] != in->r[6] && out->r[6] != in->r[6] + 1);
}

static void count_run(const struct state *in)
{
	unsigned place = in->pc >> 1 & 1;

	ran++;
	ran_with_flags[variant][place][in->cpsr >> 28]++;
	ran_in_it[variant][place][(in->cpsr >> 8 & 0xfc) | (in->cpsr >> 25 & 3)]++;
}

static bool compare(const struct test_case *c, const struct state *in, const struct start *start)
{
	static struct state out;
	const char *what = NULL;

	copy_words(data, patterns[start->pattern], DATA_WORDS);
	hits = second_hits = stepped = faults = 0;
	run(in, &out);
	count_run(in);
	if (!same((const uint32_t *)&out, (const uint32_t *)&start->out, sizeof(out) / 4))
		what = "not the same";
	else if (!same(data, start->data, DATA_WORDS))
		what = "memory is not the same";
	else if (hits != expected_hits(c, in->cpsr) || stepped != 0)
		what = "hit count";
	else if (!second_hit_right(in, &out))
		what = "hit count of the second";
	if (what == NULL)
		return true;
	failed++;
	report(c, in, &start->out, &out, what);
	return false;
}

/* The traps are gone, and what it stores into code is there; who knows what when not all starts
 * were tried. */
static bool code_is_right(unsigned step)
{
	uint32_t sum = code_sum();

	return sum == code_plain || (step > 1 && code_plain != code_clean);
}

/* Run it probed from every step-th start, and compare. */
static void run_probed(const struct test_case *c, uint32_t address, enum variant with,
		       unsigned step)
{
	static struct state in;
	enum dp_err error;
	enum dp_refusal why;

	variant = with;
	if (!code_is_clean)
		fill_code(c, address);
	if (!prepare(c, address, &error, &why)) {
		failed++;
		say("FAIL refused: ");
		hex(c->insn);
		say(c->text);
		number(": error ", error);
		number(" reason ", why);
		say("\n");
		return;
	}
	if (!arm(&site) || (with == SECOND && !arm(&second))) {
		failed++;
		report(c, &in, &in, &in, "not armed");
	} else {
		for (unsigned i = 0; i < start_count; i += step) {
			to_privileged = starts[i].privileged;
			initial(&in, c, address, starts[i].cpsr);
			to_privileged = false;
			if (!compare(c, &in, &starts[i]))
				break;
		}
	}
	code_is_clean = code_plain == code_clean;
	if (!disarm(&site) || (with == SECOND && !disarm(&second)) || !code_is_right(step)) {
		code_is_clean = false;
		failed++;
		report(c, &in, &in, &in, "code is not the same");
	}
	dp_port_release(&site);
	if (with == SECOND)
		dp_port_release(&second);
	dp_port_quiescent();
}

/* Was the port built without this instruction set? */
static bool is_left_out(bool thumb)
{
	return thumb ? !DP_ARM_WITH_THUMB : !DP_ARM_WITH_A32;
}

/* Or without what is rare, and this is? Which those are test_arm_port.py knows from the tables. */
static bool is_rare(const struct test_case *c)
{
	return !DP_ARM_WITH_RARE && !(c->flags & CASE_REFUSED) &&
	       dp_arm_decode(c->insn, c->flags & CASE_THUMB, c->bytes, DP_ARM_ARCHITECTURE)
			       .action == DP_ARM_REFUSE;
}

/* Then it says so, whatever the instruction is. */
static void left_out_case(const struct test_case *c, uint32_t address)
{
	bool rare = !is_left_out(c->flags & CASE_THUMB);
	uint32_t sum = code_sum();
	enum dp_err error;
	enum dp_refusal why;

	if (prepare(c, address, &error, &why) ||
	    error != (rare ? DP_ERR_NOT_PROBEABLE : DP_ERR_LEFT_OUT) ||
	    why != (rare ? DP_REFUSE_UNSUPPORTED : DP_REFUSE_NOTHING) || code_sum() != sum) {
		failed++;
		say("FAIL not left out: ");
		say(c->text);
		number(": error ", error);
		say("\n");
	}
	left_out++;
}

static void refusal_case(const struct test_case *c, uint32_t address)
{
	enum dp_err error;
	enum dp_refusal why;

	if (prepare(c, address, &error, &why) ||
	    (error != DP_ERR_NOT_PROBEABLE && error != DP_ERR_FOREIGN_BREAK) ||
	    (why != c->refusal && (DP_ARM_WITH_RARE || why != DP_REFUSE_UNSUPPORTED))) {
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

static void make_starts(const struct test_case *c)
{
	uint32_t thumb = c->flags & CASE_THUMB ? PSR_T : 0;
	unsigned its = thumb && !(c->flags & CASE_NO_IT) && __ARM_ARCH >= 7 ? sizeof(it_states) : 1;

	if (c->flags & CASE_LAST_IT && its > 4)
		its = 4;
	start_count = 0;
	if (c->flags & CASE_SPSR) {
		for (unsigned flags = 0; flags < FLAG_STATES; flags++)
			add_start(flags << 28 | modes_with_spsr[flags & 3] | thumb);
		return;
	}
	for (unsigned it = 0; it < its; it++)
		for (unsigned flags = 0; flags < FLAG_STATES; flags++)
			add_start(flags << 28 | MODE_SYS | thumb | (it_states[it] & 0xfcu) << 8 |
				  (it_states[it] & 3u) << 25);
	for (unsigned i = 0; i < sizeof(modes) && !(c->flags & CASE_HALTS); i++)
		add_start((i * 5 & 15) << 28 | modes[i] | thumb);
	/* The port works in abort mode: what user mode may not do, it must not do for it. */
	if (!(c->flags & CASE_HALTS)) {
		add_start(0x10 | thumb);
		starts[start_count - 1].privileged = 1;
	}
}

static void one(const struct test_case *c)
{
	unsigned places = c->flags & CASE_THUMB && !(c->flags & CASE_ALIGNED) ? 2 : 1;

	make_starts(c);
	for (unsigned p = 0; p < places; p++) {
		uint32_t address = (uint32_t)(uintptr_t)code + CODE_AT + 2 * p;

		variant = QUIET;
		if (is_left_out(c->flags & CASE_THUMB) || is_rare(c)) {
			fill_code(c, address);
			left_out_case(c, address);
			continue;
		}
		if (c->flags & CASE_REFUSED) {
			fill_code(c, address);
			refusal_case(c, address);
			continue;
		}
		run_plain(c, address, 1);
		run_probed(c, address, QUIET, 1);
		run_probed(c, address, PROGRAM, 1);
		run_probed(c, address, WATCH, 7);
		variant = SECOND;
		run_plain(c, address, 1);
		run_probed(c, address, SECOND, 1);
	}
}

/* The same with no slot left, from a few starts. */
static void one_without_slots(const struct test_case *c)
{
	uint32_t address = (uint32_t)(uintptr_t)code + CODE_AT;

	if (c->flags & CASE_REFUSED || is_left_out(c->flags & CASE_THUMB) || is_rare(c))
		return;
	make_starts(c);
	for (unsigned i = 0; i < 6; i++)
		copy_words((uint32_t *)&starts[i], (const uint32_t *)&starts[i * start_count / 6],
			   4);
	start_count = 6;
	variant = PROGRAM;
	run_plain(c, address, 1);
	run_probed(c, address, PROGRAM, 1);
}

/* --- vectors: what single steps in QEMU have shown (vectors.py) --- */

struct vector {
	struct test_case c;
	uint32_t cpsr;
	uint8_t pattern, place;
	uint32_t after[17]; /* r0 .. r15, cpsr */
	uint8_t changed;
	struct {
		uint32_t index, word;
	} data[16];
};
static const struct vector known[] = {
#include "vectors.inc"
};
static const struct vector questions[] = {
#include "questions.inc"
};
/* Set by tests/tools/arm_vectors.py, which then watches the questions being run. Not in .bss. */
enum {
	CHECK = 2,
	MEASURE = 1
};
static volatile unsigned vector_mode = CHECK;

static uint32_t vector_start(const struct vector *v, struct state *in)
{
	uint32_t address = (uint32_t)(uintptr_t)code + CODE_AT + v->place;

	initial(in, &v->c, address, v->cpsr);
	fill_code(&v->c, address);
	copy_words(data, patterns[v->pattern], DATA_WORDS);
	return address;
}

static void measure_vectors(void)
{
	struct state in, out;

	for (unsigned i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		code_is_clean = false;
		vector_start(&questions[i], &in);
		run(&in, &out);
	}
}

/* After the step: still there, with the undefined word as the next thing to happen; or in the
 * vector of a fault, with its link value. */
static bool as_measured(const struct vector *v, const struct state *out)
{
	uint32_t pc = v->after[PC], cpsr = v->after[16], lr = v->after[14];
	bool data_abort = (cpsr & 0x1f) == 0x17, undefined = (cpsr & 0x1f) == 0x1b;
	unsigned banked = data_abort || undefined ? 13 : 15;

	if (!same(out->r, v->after, banked < 13 ? banked : 13))
		return false;
	if (data_abort || undefined)
		return out->class == (data_abort ? 4 : 1) && out->pc == lr && out->cpsr == v->cpsr;
	return out->sp == v->after[13] && out->lr == lr && out->cpsr == cpsr &&
	       out->pc == pc + (cpsr & PSR_T && out->class == 1 ? 2 : 4);
}

static bool data_as_measured(const struct vector *v)
{
	unsigned next = 0;

	for (unsigned i = 0; i < DATA_WORDS; i++) {
		bool listed = next < v->changed && v->data[next].index == i;

		if (data[i] != (listed ? v->data[next].word : patterns[v->pattern][i]))
			return false;
		next += listed;
	}
	return true;
}

static unsigned vectors_run[2];

static void check_vector(const struct vector *v)
{
	static struct state in, out, measured;
	enum dp_err error;
	enum dp_refusal why;
	uint32_t address;

	variant = PROGRAM;
	code_is_clean = false;
	address = vector_start(v, &in);
	vectors_run[(v->c.flags & CASE_THUMB) != 0]++;
	if (!prepare(&v->c, address, &error, &why) || !arm(&site)) {
		failed++;
		report(&v->c, &in, &in, &in, "vector refused");
		return;
	}
	run(&in, &out);
	if (!as_measured(v, &out) || !data_as_measured(v)) {
		failed++;
		copy_words(measured.r, v->after, 12);
		measured.r[12] = v->after[12];
		measured.sp = v->after[13];
		measured.lr = v->after[14];
		measured.pc = v->after[15];
		measured.cpsr = v->after[16];
		report(&v->c, &in, &measured, &out, "not as measured");
	}
	disarm(&site);
	dp_port_release(&site);
	dp_port_quiescent();
	code_is_clean = false;
}

static void check_vectors(void)
{
	const struct vector *end = known + sizeof(known) / sizeof(known[0]);

	for (const struct vector *v = known; v < end; v++)
		if (!is_left_out(v->c.flags & CASE_THUMB) && !is_rare(&v->c))
			check_vector(v);
}

/* --- what was tried, by row of the decode tables --- */

static unsigned tried[DP_ARM_TABLES][256];
#define ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define GROUP(a, b, c, d, e, f, g, h)
static const char *const a32_names[] = {
#if DP_ARM_WITH_RARE
#include "decode_a32.def"
#else
#include "common_a32.def"
#endif
};
#define ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define GROUP(a, b, c, d, e, f, g, h)
static const char *const t32_names[] = {
#if DP_ARM_WITH_RARE
#include "decode_t32.def"
#else
#include "common_t32.def"
#endif
};
#define ROW16(a, b, c, d, arch, treat, what) what,
#define GROUP16(a, b, c, d)
static const char *const t16_names[] = {
#include "decode_t16.def"
};

static void note_row(const struct test_case *c)
{
	struct dp_arm_plan plan =
		dp_arm_decode(c->insn, c->flags & CASE_THUMB, c->bytes, DP_ARM_ARCHITECTURE);

	if (!(c->flags & CASE_REFUSED))
		tried[plan.table][plan.row]++;
}

static void print_runs(void)
{
	static const char *const with[4] = {"quiet", "program", "watch", "second"};

	for (unsigned v = QUIET; v <= SECOND; v++)
		for (unsigned place = 0; place < 2; place++) {
			say("ran ");
			say(with[v]);
			number(" at ", 2 * place);
			say(": flags");
			for (unsigned i = 0; i < FLAG_STATES; i++)
				number(" ", ran_with_flags[v][place][i]);
			say(" it");
			for (unsigned i = 0; i < sizeof(it_states); i++)
				number(" ", ran_in_it[v][place][it_states[i]]);
			say("\n");
		}
}

static void print_rows(void)
{
	static const char *const tables[DP_ARM_TABLES] = {"row a32 ", "row t16 ", "row t32 "};
	static const char *const *const names[DP_ARM_TABLES] = {a32_names, t16_names, t32_names};
	static const unsigned rows[DP_ARM_TABLES] = {sizeof(a32_names) / sizeof(a32_names[0]),
						     sizeof(t16_names) / sizeof(t16_names[0]),
						     sizeof(t32_names) / sizeof(t32_names[0])};

	for (unsigned t = 0; t < DP_ARM_TABLES; t++)
		for (unsigned row = 0; row < rows[t]; row++)
			if (tried[t][row] != 0) {
				number(tables[t], row);
				number(": ", tried[t][row]);
				say(" ");
				say(names[t][row]);
				say("\n");
			}
}

/* --- fault-safe access --- */

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

extern const char und_handler[], dabt_handler[];
static const struct dp_range ranges[] = {
	{RAM_BASE, 0x01000000u, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
	{0xdead0000u, 0x10000, DP_MEM_READ | DP_MEM_WRITE},
	{0xdeae0000u, 0x10000, DP_MEM_READ | DP_MEM_DEVICE},
	{0xfffffff0u, 0x10, DP_MEM_READ},
};
static const struct dp_board board = {.ranges = ranges, .range_count = 4};
static const struct dp_memory memory = {.slots = slots.bytes,
					.slot_bytes = sizeof(slots.bytes),
					.stack = private.stack,
					.stack_bytes = sizeof(private.stack)};

static const struct dp_memory one_slot = {.slots = slots.bytes,
					  .slot_bytes = DP_PORT_SLOT_BYTES * DP_PORT_SLOTS_EXTRA,
					  .stack = private.stack,
					  .stack_bytes = sizeof(private.stack)};
extern uint32_t vectors[16];

static void probe_callee(void)
{
	enum dp_refusal why;

	inner_count = 0;
	if (is_left_out(false))
		return;
	for (unsigned i = 0; i < 3; i++) {
		inner[i] = (struct dp_site){.address = (uint32_t)(uintptr_t)callee + 4 * i,
					    .extent = (uint32_t)(uintptr_t)callee,
					    .extent_bytes = 12};
		expect("callee",
		       dp_port_fetch(&inner[i]) == DP_ERR_OK &&
			       dp_port_prepare(&inner[i], original_at, &why) == DP_ERR_OK &&
			       arm(&inner[i]));
	}
	inner_count = 3;
}

static void unprobe_callee(void)
{
	for (unsigned i = 0; i < inner_count; i++) {
		expect("callee restored", disarm(&inner[i]));
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

		if (is_left_out(isa == DP_ISA_THUMB))
			continue;
		((volatile uint32_t *)(uintptr_t)far.address)[0] =
			isa == DP_ISA_MAIN ? 0xe1a00000u : 0x46c046c0u;
		for (unsigned ahead = 0; ahead < 2; ahead++, far.extent = far.address + 8) {
			looked_at = 0;
			expect("a function of any length",
			       dp_port_fetch(&far) == DP_ERR_OK &&
				       dp_port_prepare(&far, original_at, &why) == DP_ERR_OK);
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

/* A reset between the two stores of a 32-bit trap at 2 mod 4, at arming or at disarming: the start
 * that follows finds half of it, knows the site from the keep area only, and takes it out. */
static void half_a_trap(void)
{
#if __ARM_ARCH >= 7
	const struct test_case wide = {.insn = 0xf3af8000u, .bytes = 4, .flags = CASE_THUMB};
	uint32_t address = (uint32_t)(uintptr_t)code + CODE_AT + 2, found;
	volatile uint16_t *half = (volatile uint16_t *)(uintptr_t)address;
	enum dp_refusal why;
	enum dp_err error;

	for (unsigned stored = 0; stored < 2; stored++) {
		place(address, &wide);
		expect("half a trap: prepared", prepare(&wide, address, &error, &why));
		expect("the original is no trap", !dp_port_is_armed(&site, &found));
		half[stored] = (uint16_t)(DP_ARM_TRAP_THUMB32 >> (stored == 0 ? 16 : 0));
		dp_port_text_written(address, 4);
		expect("half a trap is found", dp_port_is_armed(&site, &found));
		expect("half a trap is taken out", dp_port_disarm(&site) == DP_ERR_OK &&
							   half[0] == (uint16_t)(wide.insn >> 16) &&
							   half[1] == (uint16_t)wide.insn);
		half[stored] = 0xbf00;
		expect("what else stands there is not ours", !dp_port_is_armed(&site, &found));
		dp_port_release(&site);
	}
	code_is_clean = false;
	dp_port_quiescent();
#endif
}

/* Where the firmware's handler of undefined instructions begins, its lr is what the trap would
 * overwrite. */
static void undefined_handler(void)
{
	uint32_t entry = (uint32_t)(uintptr_t)und_handler;
	enum dp_refusal why;
	enum dp_err error;

	expect("not in the handler of undefined instructions",
	       !prepare_at(&site, entry + 4, false, &error, &why) && error == DP_ERR_IN_AGENT &&
		       why == DP_REFUSE_NOTHING);
	expect("nor at its fifteenth instruction",
	       !prepare_at(&site, entry + 56, false, &error, &why) && error == DP_ERR_IN_AGENT);
	expect("behind its entry", prepare_at(&site, entry + 64, false, &error, &why));
	dp_port_release(&site);
	dp_port_quiescent();
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

/* A callback aborts and the firmware goes on elsewhere, each time from another mode: until the port
 * is told so, hits lie below it; then abort mode has its stack again, and the next hit all of the
 * private one. */
static void lost_callbacks(void)
{
	const struct test_case add = {.insn = 0xe2866001u, .bytes = 4}; /* add r6, r6, #1 */
	uint32_t address = (uint32_t)(uintptr_t)code + CODE_AT;
	uint32_t top = (uint32_t)(uintptr_t)(stack + sizeof(private.stack) / 8), lost;
	static struct state in, out;
	enum dp_refusal why;
	enum dp_err error;

	variant = QUIET;
	code_is_clean = false;
	fill_code(&add, address);
	expect("prepared for a lost callback", prepare(&add, address, &error, &why) && arm(&site));
	for (unsigned i = 0; i < sizeof(private.guard) / 8; i++)
	private.guard[i] = GUARD;
	initial(&in, &add, address, MODE_SYS | 0xc0);
	for (unsigned round = 0; round < LOST_ROUNDS; round++) {
		in.cpsr = (round & 1 ? MODE_SVC : MODE_SYS) | 0xc0;
		variant = LOST;
		run(&in, &out);
		lost = out.abt_sp;
		expect("the callback aborts on the private stack",
		       out.class == 4 && frame_at == top - DP_FRAME_BYTES && lost < frame_at &&
			       lost > top - sizeof(private.stack));
		/* Another task, before anybody knows. */
		variant = QUIET;
		in.abt_sp = lost;
		run(&in, &out);
		expect("a hit below what is lost", out.class == DP_CLASS_UNDEFINED &&
							   out.r[6] == in.r[6] + 1 &&
							   frame_at < lost && out.abt_sp == lost);
		set_abt_sp(lost);
		dp_port_recover();
		in.abt_sp = get_abt_sp();
		expect("abort mode has its stack again",
		       in.abt_sp == (uint32_t)(uintptr_t)abt_stack);
		dp_port_recover();
		expect("and keeps it", get_abt_sp() == in.abt_sp);
		run(&in, &out);
		expect("a hit has the whole private stack again",
		       out.class == DP_CLASS_UNDEFINED && frame_at == top - DP_FRAME_BYTES);
	}
	for (unsigned i = 0; i < sizeof(private.guard) / 8; i++)
		if (private.guard[i] != GUARD) {
			expect("nothing below the private stack is written", false);
			break;
		}
	expect("disarmed after lost callbacks", disarm(&site));
	code_is_clean = false;
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

/* With parts left out not all cases need be tried again. */
#ifndef CASE_STRIDE
#define CASE_STRIDE 1
#endif
enum {
	CASES = sizeof(cases) / sizeof(cases[0])
};

static void prepare_memory(void)
{
	for (unsigned i = 0; i < sizeof(section) / 4; i++)
		((uint32_t *)section)[i] = UNDEFINED_THUMB;
	/* Thumb's too: before v7 some jumps there stay in ARM state. */
	for (unsigned i = 0; i < 64; i++)
		pad.arm[i] = pad.thumb[i] = UNDEFINED_ARM;
	make_patterns();
}

_Noreturn void guest_main(void);
_Noreturn void guest_main(void)
{
	unsigned total, available;

	prepare_memory();
	other_vectors();
	strict_alignment();
	if (vector_mode == MEASURE)
		measure_vectors();
	attach(&memory);
	access_checks();
	function_too_long();
	before_the_agent();
	if (!is_left_out(true)) {
		over_a_page_end();
		half_a_trap();
	}
	if (!is_left_out(false)) {
		undefined_handler();
		late_abort();
		lost_callbacks();
	}
	/* As after a warm restart that left the vectors ours. */
	attach(&memory);
	probe_callee();
	for (unsigned i = 0; i < CASES; i += CASE_STRIDE) {
		one(&cases[i]);
		note_row(&cases[i]);
	}
	unprobe_callee();
	check_vectors();
	dp_port_slots(&total, &available);
	expect("slots come back", total == available && total > 0);
	expect("nested hits", nested != 0 && missed == (is_left_out(false) ? 0 : 3 * nested));
	number("\nstack ", dp_port_stack_used());
	say("\n");
	print_runs(); /* before those without slots */
	attach(&one_slot);
	dp_port_slots(&total, &available);
	expect("no slot", total == 0);
	for (unsigned i = 0; i < CASES; i += CASE_STRIDE)
		one_without_slots(&cases[i]);
	say("\n");
	print_rows();
	number("cases ", CASES);
	number(", vectors a32 ", vectors_run[0]);
	number(" thumb ", vectors_run[1]);
	number(", runs ", ran);
	number(", refused ", refused);
	number(", left out ", left_out);
	number(", nested ", nested);
	number(", failed ", failed);
	finish();
}
