/* SPDX-License-Identifier: BSD-2-Clause */
/* The interpreter does what RPN.md says, in all four forms; every opcode is executed. The
 * conformance suite says much more; here is what needs no compiler. */
#define _DEFAULT_SOURCE
#include <inttypes.h>

#include "rpn_asm.h"
#include "simulate/simulate.h"

enum {
	RAM = 0x2000,
	ROM = 0x3000
};
static const uint8_t ram[16] = {0x61, 0x62, 0x63, 0x00, 0x11, 0x22, 0x33, 0x44,
				0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc};

struct run {
	struct sim_result result;
	enum dph_hit hit;
	struct dp_verdict verdict;
	struct dph_simulation *simulation;
};

static const char *current;
static struct rpn_asm assembler;
static uint8_t object[70000];

static struct dph_simulation *open_source(const char *source, const struct rpn_facts *facts,
					  unsigned word_bytes, bool big)
{
	static const struct rpn_facts none;
	struct dp_verdict verdict;
	struct dph_simulation *s;
	unsigned bytes;

	current = source;
	rpn_assemble(&assembler, source, word_bytes, big);
	bytes = rpn_object(object, &assembler, facts ? facts : &none);
	s = dph_simulation_open(object, bytes, true, &verdict);
	if (!s) {
		printf("refused (%d at %" PRIu32 ", found %" PRIu32 "): %s\n", verdict.error,
		       verdict.where, verdict.found, source);
		check_failures++;
		return NULL;
	}
	CHECK(dph_simulation_map(s, RAM, ram, sizeof ram, true));
	CHECK(dph_simulation_map(s, ROM, ram, 4, false));
	return s;
}

static uint64_t word_at(const uint8_t *p, unsigned bytes, bool big)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)p[i] << 8 * (big ? bytes - 1 - i : i);
	return value;
}

/* Words in the log after one hit, in every form; values are compared modulo the word. */
static void expect_words(const char *source, const struct rpn_facts *facts, enum rpn_end end,
			 unsigned count, const int64_t *words)
{
	for (unsigned form = 0; form < 4; form++) {
		unsigned bytes = form & 2 ? 8 : 4;
		bool big = form & 1;
		struct dph_simulation *s = open_source(source, facts, bytes, big);
		struct sim_result r;
		bool good;

		if (!s)
			return;
		CHECK(dph_simulation_hit(s, 0, &r) == DPH_HIT_RAN);
		good = r.end == end && r.log_bytes == (size_t)count * bytes;
		for (unsigned i = 0; good && i < count; i++)
			good = word_at(r.log + (size_t)i * bytes, bytes, big) ==
			       (bytes == 8 ? (uint64_t)words[i] : (uint32_t)words[i]);
		if (!good) {
			printf("%u-bit %s: %s\n  end %d, %zu bytes:", bytes * 8,
			       big ? "big" : "little", source, r.end, r.log_bytes);
			for (size_t i = 0; i < r.log_bytes; i++)
				printf(" %02x", r.log[i]);
			printf("\n");
			check_failures++;
		}
		dph_simulation_close(s);
	}
}

#define EXPECT(source, facts, ...)                                                                 \
	expect_words(source, facts, RPN_END_EXIT,                                                  \
		     sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (int64_t[]){__VA_ARGS__})

/* Log bytes of one hit on 32-bit little-endian, as hex. */
static void expect_hex(const char *source, const struct rpn_facts *facts, enum rpn_end end,
		       const char *log, const char *trace)
{
	struct dph_simulation *s = open_source(source, facts, 4, false);
	struct sim_result r;
	char text[4096];
	size_t n = 0;

	if (!s)
		return;
	CHECK(dph_simulation_hit(s, 0, &r) == DPH_HIT_RAN);
	text[0] = 0;
	for (size_t i = 0; i < r.log_bytes; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%02x", r.log[i]);
	if (strcmp(text, log) != 0 || r.end != end) {
		printf("%s\n  end %d log %s\n  expected %s\n", source, r.end, text, log);
		check_failures++;
	}
	text[n = 0] = 0;
	for (size_t i = 0; i < r.trace_bytes; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%02x", r.trace[i]);
	if (strcmp(text, trace) != 0) {
		printf("%s\n  trace    %s\n  expected %s\n", source, text, trace);
		check_failures++;
	}
	dph_simulation_close(s);
}

static void test_arithmetic(void)
{
	EXPECT("push 5; push 7; add; log 1; exit", NULL, 12);
	EXPECT("push 5; push 7; sub; log 1; exit", NULL, 2); /* C68 */
	EXPECT("push -3; push 7; mul; log 1; exit", NULL, -21);
	EXPECT("push 7; push 2; div; log 2; exit", NULL, 3, 1); /* C69 */
	EXPECT("push 3; push 7; div; log 2; exit", NULL, 0, 3);
	EXPECT("push 0x12345678; push 0x1000; div; log 2; exit", NULL, 0x12345, 0x678);
	EXPECT("push -1; push 1; div; log 2; exit", NULL, -1, 0);
	EXPECT("push -1; push -1; div; log 2; exit", NULL, 1, 0);
	EXPECT("push -7; push 2; idiv; log 2; exit", NULL, -3, -1); /* C70 */
	EXPECT("push 7; push -2; idiv; log 2; exit", NULL, -3, 1);
	EXPECT("push -7; push -2; idiv; log 2; exit", NULL, 3, -1);
	EXPECT("push 1; ror 1; push -1; idiv; push 1; ror 1; sub; log 2; exit", NULL, 0, 0);
	EXPECT("push 5; neg; log 1; exit", NULL, ~5); /* C71 */
	EXPECT("push 6; push 3; and; log 1; exit", NULL, 2);
	EXPECT("push 6; push 3; or; log 1; exit", NULL, 7);
	EXPECT("push 6; push 3; xor; log 1; exit", NULL, 5);
	EXPECT("push -1; shl 63; shl 63; log 1; exit", NULL, 0); /* C72 */
	EXPECT("push 1; shl 4; log 1; push 200; push 1; shl; log 1; exit", NULL, 16, 0);
	EXPECT("push -1; shr 200; log 1; push 3; push 64; shr; log 1; exit", NULL, 0, 8);
	EXPECT("push 3; rol 0; log 1; push 1; push 3; rol; log 1; exit", NULL, 3, 6);
	EXPECT("push 6; ror 1; log 1; push 2; push 8; ror; log 1; exit", NULL, 3, 2);
	EXPECT("push 5; rol 128; ror 128; log 1; exit", NULL, 5); /* C73 */
	EXPECT("push 0x1ff; pbl 8; log 1; push 0x80; push 7; pbl; log 1; exit", NULL, -1, 0);
	EXPECT("push 0x100; pbr 9; log 1; push 0x1f; push 3; pbr; log 1; exit", NULL, 0x1ff, 0x1f);
	EXPECT("push 1; pbr 2; log 1; push -1; pbl 1; log 1; exit", NULL, 0, -1);
	EXPECT("push 1; push 2; xchg; log 2; exit", NULL, 1, 2);
	EXPECT("push 7; dup 2; log 3; exit", NULL, 7, 7, 7);
	EXPECT("push 9; push 2; push 7; dup; log 4; exit", NULL, 7, 7, 7, 9); /* C76 */
	EXPECT("push 1; push 2; push 3; ros 2; log 1; exit", NULL, 1);
	EXPECT("push 0x1234; push 0x12345678; push -2; log 3; exit", NULL, -2, 0x12345678, 0x1234);
}

static void test_jumps(void)
{
	EXPECT("push -1; jlt a; exit; a: jle b; exit; b: log 1; exit", NULL, -1);
	EXPECT("push 1; jgt a; exit; a: jge b; exit; b: log 1; exit", NULL, 1);
	EXPECT("push 0; jz a; exit; a: jnz b; push 3; log 1; exit; b: exit", NULL, 3);
	EXPECT("push 0; jlt a; jgt a; push 4; log 1; exit; a: exit", NULL, 4);
	EXPECT("push 3; a: push 7; log 1; loop a; log 1; exit", NULL, 7, 7, 7, 0);
	EXPECT("jmp a; push 1; log 1; exit; a: nop; exit", NULL, );
	EXPECT("push 1; call p; log 2; exit; proc p; push 2; ret", NULL, 2, 1);
	EXPECT("exit; push 1; log 1; exit", NULL, );
	EXPECT("push 1; log 1; remove", NULL, 1);
	/* jmpmax taken branches succeed, the next raises: C26 */
	EXPECT("sx h; push 9; a: loop a; exit; h: log 3; exit",
	       (&(struct rpn_facts){.jmpmax = 4, .jmpmax_given = true}), 4, 4, 0);
	EXPECT("sx h; call p; exit; h: log 3; exit; proc p; call p; ret", NULL, 0x10, 32, 0);
	EXPECT("sx h; ret; h: log 3; exit", NULL, 0x10, 0, 0);
	expect_words("push 1; log 1; a: push -2; loop a; exit",
		     &(struct rpn_facts){.jmpmax = 65535, .jmpmax_given = true}, RPN_END_BUDGET, 1,
		     (int64_t[]){1});
	expect_words("push 1; log 1; abort", NULL, RPN_END_ABORT, 0, NULL);
}

static void test_variables(void)
{
	const struct rpn_facts two = {.vars = 2, .gvars = 2};

	EXPECT("push 5; pop lv, 0; push lv, 0; log 1; inc lv, 0; push 0; push lv; log 1; exit",
	       &two, 5, 6);
	EXPECT("push 5; move lv, 1; dec lv, 1; push lv, 1; log 2; exit", &two, 4, 5);
	EXPECT("push 1; push 8; pop lv; push 7; push 1; move lv; push 1; inc lv; push 0; dec lv; "
	       "push lv, 0; push lv, 1; log 3; exit",
	       &two, 8, -1, 7);
	EXPECT("push 5; pop gv, 0; push gv, 0; log 1; inc gv, 0; push 0; push gv; log 1; exit",
	       &two, 5, 6);
	EXPECT("push 5; move gv, 1; dec gv, 1; push gv, 1; log 2; exit", &two, 4, 5);
	EXPECT("push 1; push 8; pop gv; push 7; push 1; move gv; push 1; inc gv; push 0; dec gv; "
	       "push gv, 0; push gv, 1; log 3; exit",
	       &two, 8, -1, 7);
	EXPECT("sx h; push 2; push lv; exit; h: log 3; exit", &two, 0x40, 1, 2);
	EXPECT("sx h; push -1; push 3; pop gv; exit; h: log 3; exit", &two, 0x40, 2, -1);
}

static void test_logs(void)
{
	expect_hex("push 16; push 0x2000; log str; exit", NULL, RPN_END_EXIT, "010300616263", "");
	expect_hex("push 2; push 0x2000; log str; push 3; push 0x2001; log mrf; exit", NULL,
		   RPN_END_EXIT,
		   "0102006162"
		   "000300626300",
		   "");
	expect_hex("push 9; push 0x200c; log mrf; exit", NULL, RPN_END_EXCEPTION, "ff040010200000",
		   "");
	expect_hex("push 9; push 0x200d; log str; exit", NULL, RPN_END_EXCEPTION, "ff040010200000",
		   "");
	expect_hex("push 1; push 2; push 3; push 2; log; log 1; exit", NULL, RPN_END_EXIT,
		   "0702000300000002000000"
		   "01000000",
		   "");
	expect_hex("push 0; push 2; log lv; push 1; push 1; log gv; exit",
		   &(struct rpn_facts){.vars = 2, .gvars = 2}, RPN_END_EXIT,
		   "0502000000000000000000"
		   "06010000000000",
		   "");
	expect_hex("setmin 5; push 6; setmaj; push 7; setmin; setmaj 8; exit", NULL, RPN_END_EXIT,
		   "", "");
	EXPECT("push lp; push plp; push stp; log 3; exit", NULL, 0, 0, 0);
	EXPECT("push 5; dup 3; log 2; push 0; pop lp; push 6; log 1; push 0; pop stp; exit", NULL,
	       6);
}

/* A string does not go on at address 0. */
static void test_end_of_address_space(void)
{
	const uint8_t end[] = {0x61, 0x62}, begin[] = {0x63, 0x00};
	struct dph_simulation *s = open_source("push 9; push -2; log str; exit", NULL, 4, false);
	struct sim_result r;

	CHECK(dph_simulation_map(s, 0xfffffffe, end, sizeof end, false));
	CHECK(dph_simulation_map(s, 0, begin, sizeof begin, false));
	CHECK(dph_simulation_hit(s, 0, &r) == DPH_HIT_RAN && r.end == RPN_END_EXCEPTION);
	CHECK(r.exception[0] == RPN_X_INVALID_ADDR && r.exception[1] == 0);
	dph_simulation_close(s);
}

static void test_memory(void)
{
	EXPECT("push 0x2000; push mem, u8; log 1; exit", NULL, 0x61);
	EXPECT("push 0x2000; push 0x77; pop mem, u8; push 0x2000; push mem, u8; log 1; exit", NULL,
	       0x77);
	EXPECT("push 0x2001; push 0x1234; pop mem, u16; push 0x2001; push mem, u16; log 1; exit",
	       NULL, 0x1234);
	EXPECT("push 0x2003; push 0x12345678; pop mem, u32; push 0x2003; push mem, u32; log 1; "
	       "exit",
	       NULL, 0x12345678);
	expect_hex("push 0x2004; push mem, u64; log 2; exit", NULL, RPN_END_EXIT,
		   "1122334455667788", "");
	expect_hex("push 0x2008; push 2; push 1; pop mem, u64; push 8; push 0x2008; log mrf; exit",
		   NULL, RPN_END_EXIT, "0008000100000002000000", "");
	EXPECT("sx h; push 0x3000; push 1; pop mem, u8; exit; h: log 3; exit", NULL, 1, 0x3000, 0);
	EXPECT("sx h; push 0x200f; push mem, u16; exit; h: log 3; exit", NULL, 1, 0x200f, 0);
	EXPECT("push 0x2000; vfyr; push 0x3000; vfyrw; push 0x2000; vfyrw; push 9; vfyr; log 4; "
	       "exit",
	       NULL, 1, 0, 1, 0);
	EXPECT("push r, 15; push pid; push procid; push task; log 4; exit", NULL, 0, 0, 0, 0x1000);
	EXPECT("push 5; pop r, 3; push 6; pop u, 4; push u, 4; push r, 3; log 2; exit", NULL, 5, 6);
	EXPECT("callk; push 1; log 1; exit", NULL, 1);
}

/* proves: P2.3 */
static void test_ia32(void)
{
	const struct rpn_facts ia32 = {.cpu = DP_CPU_IA32};

	expect_hex("push 3; push 0x1234; pop io, u16; push 3; push io, u16; push 3; push io, u8; "
		   "log 2; "
		   "exit",
		   &ia32, RPN_END_EXIT, "3400000034120000", "");
	expect_hex("push 3; push 0x12345678; pop io, u32; push 3; push io, u32; push 3; push 1; "
		   "pop io, u8; push 3; push io, u32; log 2; exit",
		   &ia32, RPN_END_EXIT, "0156341278563412", "");
	expect_hex(
		"push 8; push 0x10; seg2lin; log 1; sx h; push 0; push 1; seg2lin; exit; h: log 3; "
		"exit",
		&ia32, RPN_END_EXIT, "10000000020000000000000000000000", "");
	expect_hex("push 77; push 0; push r, 0x3c; log 5; exit", &ia32, RPN_END_EXIT,
		   "000000000000000000000000000000004d000000", "");
}

static void test_stack_registers(void)
{
	EXPECT("push 5; push 6; save tsp; restore sbp; push sbp, 0; push sbp, 1; log 2; exit", NULL,
	       5, 6);
	EXPECT("push 5; save sbp; restore sbp; save tsp; restore tsp; log 1; exit", NULL, 5);
	EXPECT("push 5; push 6; push -1; push sbp; push -2; push sbp; log 2; exit", NULL, 6, 5);
	EXPECT("push 1; push 2; push 9; pop sbp, -1; push -2; push 8; pop sbp; log 2; exit", NULL,
	       8, 9);
	EXPECT("push 1; push 2; push 9; copy sbp, -1; push -2; copy sbp; log 3; exit", NULL, 9, 9,
	       9);
	EXPECT("push 1; push 2; push tsp, 1; push 1; push tsp; log 4; exit", NULL, 2, 1, 2, 1);
	EXPECT("push 1; push 2; push 3; pop tsp, 2; push 0; push 9; pop tsp; log 2; exit", NULL, 9,
	       3);
	EXPECT("push 1; push 2; copy tsp, 1; log 2; push 1; push 2; push 1; copy tsp; log 2; exit",
	       NULL, 2, 2, 2, 2);
	EXPECT("push 5; push 6; ros 1; push tsp, -1; log 2; exit", NULL, 6, 5);
	EXPECT("push 5; pop tsp, 0; push tsp, -1; log 1; exit", NULL, 5);
}

static void test_exceptions(void)
{
	EXPECT("sx h; ux; sx h; push 7; push 0; div; exit; h: push x; log 6; exit", NULL, 0x20, 0,
	       0, 0x20, 0, 0);
	EXPECT("push 77; sx h; call p; exit; h: log 4; exit; proc p; push 0x9000; push mem, u8; "
	       "ret",
	       NULL, 1, 0x9000, 0, 77);
	EXPECT("push 3; push 2; push 0x8000; sx h; rx; exit; h: log 3; exit",
	       (&(struct rpn_facts){.mask = 0xffff, .mask_given = true}), 0x8000, 2, 3);
	EXPECT("push 3; push 2; push 0x8000; sx h; rx; push 1; log 1; exit; h: log 3; exit", NULL,
	       1);
	EXPECT("sx h; push 1; exit 4; h: log 4; exit", NULL, 0x40, 4, 4, 1);
	EXPECT("push 1; log 1; exit 2", NULL, 1);
	EXPECT("push 1; push 7; freeze; log 1; exit", NULL, 1); /* takes the number of records */
	EXPECT("sx h; push 4; pbl 65; exit; h: log 4; exit", NULL, 0x40, 3, 65, 4);
}

static void test_trace(void)
{
	/* RPN.md 9, bit for bit */
	const struct rpn_facts ab = {.name = "ab", .id = 7, .vars = 1, .address = 0x40};
#define AB_HEAD                                                                                    \
	"010200"                                                                                   \
	"6162"                                                                                     \
	"4000000000000000"                                                                         \
	"07000000"                                                                                 \
	"01000200"                                                                                 \
	"020100"                                                                                   \
	"00000000"                                                                                 \
	"ffffffff"                                                                                 \
	"00000000"                                                                                 \
	"00000000"

	expect_hex("setmaj 1; setmin 2; log st; exit", &ab, RPN_END_EXIT, "", AB_HEAD "030000");
	/* handler 2, setmaj 3, setmin 3, push 2, pop lv 2, call 3: PROC at 18, back at 15 */
	expect_hex(
		"setmaj 1; setmin 2; push 0x11; pop lv, 0; call p; exit; proc p; push 0; push 1; "
		"trace lv; log st; ret",
		&ab, RPN_END_EXIT, "",
		AB_HEAD "030100"
			"12000000"
			"0f000000"
			"040000"
			"050100"
			"11000000"
			"060000");
	expect_hex("call p; exit; proc p; push 1; save tsp; push 1; trace pv; push 0; push 9; "
		   "trace gv; "
		   "log st; purge st; ret",
		   &ab, RPN_END_EXIT, "", "");
	/* header 22 + 3 + record 19: one byte short leaves nothing, and says so */
	expect_hex("setmaj 1; setmin 2; log st; exit",
		   &(struct rpn_facts){.name = "ab",
				       .id = 7,
				       .address = 0x40,
				       .excpt_log = 43,
				       .excpt_log_given = true},
		   RPN_END_EXIT, "", AB_HEAD "030000");
	expect_hex("setmaj 1; setmin 2; log st; exit",
		   &(struct rpn_facts){.name = "ab",
				       .id = 7,
				       .address = 0x40,
				       .excpt_log = 42,
				       .excpt_log_given = true},
		   RPN_END_EXIT, "", "");
	expect_hex("setmaj 1; setmin 2; log st; abort", &ab, RPN_END_ABORT, "", "");
}

static uint32_t steps_of(const char *source, const struct rpn_facts *facts)
{
	struct dph_simulation *s = open_source(source, facts, 4, false);
	struct sim_result r = {0};

	if (s)
		dph_simulation_hit(s, 0, &r);
	dph_simulation_close(s);
	return r.steps;
}

/* proves: R2.23 R2.24 R2.38 */
static void test_steps(void)
{
	const struct rpn_facts vars = {.vars = 3, .logmax = 10, .logmax_given = true};

	CHECK(steps_of("nop; nop; exit", NULL) == 3);
	CHECK(steps_of("push 2; a: nop; loop a; exit", NULL) == 1 + 2 + 2 + 1);
	CHECK(steps_of("push 1; dup 9; ros 9; exit", NULL) == 4 + 18);
	CHECK(steps_of("push 9; push 1; dup; exit", NULL) == 4 + 9);
	CHECK(steps_of("push 5; push 0x2000; log mrf; exit", NULL) == 4 + 2);
	CHECK(steps_of("push 16; push 0x2000; log str; exit", NULL) == 4 + 1);
	CHECK(steps_of("push 500; push 0x2000; log mrf; exit", &vars) == 4 + 2);
	CHECK(steps_of("push 0; push 9; log lv; exit", &vars) == 4 + 1);
	CHECK(steps_of("log 3; exit", &vars) == 2 + 2);
	CHECK(steps_of("log st; exit", NULL) == 2 + 5); /* 19 bytes of record */
	CHECK(steps_of("push name 3; exit", NULL) == 2 + 3);
	CHECK(steps_of("push 0x2000; push str 2; push 0x2000; push str 2; cmp str 2; exit", NULL) ==
	      6 + 2 * (3 + 6 * 2) + 2 * 2);
	CHECK(steps_of("push 0x2000; push 0; find 0; exit", NULL) == 4 + 3);
	CHECK(steps_of("push 0x2000; push 0; find 1; exit", NULL) == 4 + 3 + 1);
	/* what does not fit is not charged */
	CHECK(steps_of("nop; push 4096; push 1; dup; exit", NULL) == 5);
	CHECK(steps_of("nop; push 4091; push 1; dup; exit", NULL) == 4096);
	CHECK(steps_of("nop; push 4092; push 1; dup; exit", NULL) == 5);
}

static void test_hits(void)
{
	struct dph_simulation *s =
		open_source("inc lv, 0; push lv, 0; log 1; exit; handler; remove",
			    &(struct rpn_facts){.vars = 1, .ignore = 1, .maxhits = 2}, 4, false);
	struct sim_result r;

	CHECK(dph_simulation_point(s, 1) == 1 && dph_simulation_point(s, 2) == -1);
	CHECK(dph_simulation_hit(s, 0, &r) == DPH_HIT_IGNORED); /* C120 */
	CHECK(dph_simulation_hit(s, 0, &r) == DPH_HIT_RAN && r.log[0] == 1);
	CHECK(dph_simulation_hit(s, 0, &r) == DPH_HIT_RAN && r.log[0] == 2); /* C66 */
	CHECK(dph_simulation_hit(s, 0, &r) == DPH_HIT_DISABLED);
	CHECK(dph_simulation_hit(s, 1, &r) == DPH_HIT_IGNORED);
	CHECK(dph_simulation_hit(s, 1, &r) == DPH_HIT_RAN && r.remove);
	CHECK(dph_simulation_hit(s, 1, &r) == DPH_HIT_DISABLED);
	dph_simulation_close(s);
}

static void test_stop(void)
{
	struct dph_simulation *s =
		open_source("stop; push 7; log 1; exit; handler; exit", NULL, 4, false);
	struct sim_result r;

	CHECK(dph_simulation_hit(s, 0, &r) == DPH_HIT_RAN && r.stop && r.log[0] == 7);
	CHECK(dph_simulation_hit(s, 1, &r) == DPH_HIT_DISABLED);
	dph_simulation_close(s);
}

/* Each kind: conformance/maps, test_maps.c. */
static void test_maps(void)
{
	static const uint8_t rows[2 * DP_MAP_BYTES] = {
		[DP_MAP_KEYS] = 1,
		[DP_MAP_VALUES] = 1,
		[DP_MAP_PLACES + 1] = 4,
		[DP_MAP_BYTES + DP_MAP_KIND] = DP_MAP_SCALE,
	};
	const struct rpn_facts facts = {.maps = rows, .map_count = 2};
	struct dph_simulation *s =
		open_source("push 7; push 5; pop map 0; push 7; push 9; bucket 1; "
			    "add map 0; push 7; push map 0; log 1; exit",
			    &facts, 4, false);
	struct sim_result r;

	CHECK(dph_simulation_hit(s, 0, &r) == DPH_HIT_RAN && r.log[0] == 9);
	dph_simulation_close(s);
}

/* Both policies, and more: test_speculation.c. */
static void test_speculation(void)
{
	static const uint8_t row[DP_MAP_BYTES] = {
		[DP_MAP_KIND] = DP_MAP_SPECULATION,
		[DP_MAP_VALUES] = 2,
		[DP_MAP_PLACES + 1] = 1,
		[DP_MAP_A + 3] = 64,
		[DP_MAP_B + 3] = 2,
	};
	const struct rpn_facts facts = {.maps = row, .map_count = 1};
	struct dph_simulation *s =
		open_source("push spec 0; push 7; log 1; push 0; push 1; log spec 0; push 1; "
			    "commit 0; push spec 0; log 1; push 2; discard 0; exit",
			    &facts, 4, false);
	struct sim_speculated record;
	struct sim_result r;

	CHECK(dph_simulation_hit(s, 0, &r) == DPH_HIT_RAN && r.log_bytes == 4 && r.log[0] == 2);
	CHECK(dph_simulation_speculated(s, &record) && record.bytes == 4 && record.log[0] == 7);
	CHECK(!dph_simulation_speculated(s, &record));
	dph_simulation_close(s);
}

/* Shifts, division, comparison and the clock: conformance/long, test_differential.c. */
static void test_long(void)
{
	struct dph_simulation *s = open_source(
		"push 3; lext; push 40; lext; lmul; push 2; lext; ladd; push 4; lext; lsub; "
		"push 1; lext; lshl; push 1; lext; lshr; push 1; lext; lsar; push 5; lext; ldiv; "
		"lidiv; llt; push ticks; push ns; lltu; exit",
		NULL, 4, false);
	struct sim_result r;

	CHECK(dph_simulation_hit(s, 0, &r) == DPH_HIT_RAN && r.end == RPN_END_EXCEPTION);
	dph_simulation_close(s);
	s = open_source(
		"push 1; lext; push 1; lext; lidiv; push 1; lext; llt; push ticks; push ns; "
		"lltu; exit",
		NULL, 4, false);
	CHECK(dph_simulation_hit(s, 0, &r) == DPH_HIT_RAN && r.end == RPN_END_EXIT);
	dph_simulation_close(s);
}

/* The values of a watchpoint: conformance/system/watched-access.t. */
static void test_watched(void)
{
	const struct rpn_facts facts = {.address = RAM, .watchpoint = DP_PROBE_WATCH_W};

	EXPECT("push wpaddr; push wpold; push wpnew; sub; log 2; exit", &facts, 0, RAM);
}

static void test_return(void)
{
	const struct rpn_facts facts = {.function = true};

	EXPECT("push 3; push 5; return 1; log 1; exit", &facts, 3);
}

#ifdef DP_VM_ASSERT
extern unsigned long dp_vm_executed[256];

static void test_every_opcode_ran(void)
{
	for (unsigned i = 0; i < RPN_ROWS; i++) {
		if (rpn_rows[i].code == RPN_HANDLER || rpn_rows[i].code == RPN_PROC)
			continue; /* entered, never dispatched */
		if (dp_vm_executed[rpn_rows[i].code] == 0) {
			printf("never executed: %s\n", rpn_rows[i].name);
			check_failures++;
		}
	}
}
#endif

int main(void)
{
	test_arithmetic();
	test_jumps();
	test_variables();
	test_logs();
	test_memory();
	test_end_of_address_space();
	test_ia32();
	test_stack_registers();
	test_exceptions();
	test_trace();
	test_steps();
	test_hits();
	test_stop();
	test_maps();
	test_speculation();
	test_long();
	test_watched();
	test_return();
#ifdef DP_VM_ASSERT
	test_every_opcode_ran();
#endif
	return check_status();
}
