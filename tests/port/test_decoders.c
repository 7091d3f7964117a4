/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoders of the ports, on the host: each says of bytes what its port's table says of the same
 * instruction as a number, and a decoder of another kind fits too: instructions of 1 to 15 bytes,
 * and one that another word size makes another instruction. */
#include <stdio.h>
#include <string.h>

#include "../../port/mips/mips_decode.h"
#include "../../port/ppc/ppc_decode.h"
#include "arm_rows.h"
#include "check.h"
#include "dp_object.h"
#include "tables/kinds.h"
#include "tables/refuse.h"
#include "tables/registers.h"

enum {
	TRIES = 20000,
	TEXT = 0x10000
};

static uint32_t random_word(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

/* --- the ports' decoders against their tables --- */

/* An opcode as it lies in memory: units of that many bytes, the highest first. */
static struct dp_insn insn_of(uint32_t opcode, unsigned bytes, unsigned unit, unsigned isa,
			      bool big)
{
	struct dp_insn insn = {.address = TEXT,
			       .count = (uint8_t)bytes,
			       .isa = (uint8_t)isa,
			       .word_bits = 32,
			       .big_endian = big};

	for (unsigned i = 0; i < bytes; i++) {
		const unsigned in_unit = i % unit;
		const unsigned at = i - in_unit + (big ? in_unit : unit - 1 - in_unit);
		insn.bytes[at] = (uint8_t)(opcode >> 8 * (bytes - 1 - i));
	}
	return insn;
}

/* refusal: what the table gives as a reason; slot: whether a copy runs in a slot. */
static void agrees(unsigned cpu, uint32_t opcode, unsigned bytes, unsigned unit, unsigned isa,
		   unsigned architecture, unsigned refusal, bool slot)
{
	const struct dp_decoder *decoder = dph_decoder_of(cpu);

	for (unsigned big = 0; big < 2; big++) {
		const struct dp_insn insn = insn_of(opcode, bytes, unit, isa, big);
		const bool same = decoder->length(&insn) == bytes &&
				  (unsigned)decoder->refusal(&insn, architecture) == refusal &&
				  decoder->in_slot(&insn, architecture) == slot;
		if (!same)
			printf("cpu %u isa %u %08x\n", cpu, isa, opcode);
		CHECK(same);
	}
}

static void arm_row(enum dp_arm_table table, unsigned row, const struct row *r)
{
	const bool thumb = table != DP_ARM_TABLE_A32, half = table == DP_ARM_TABLE_T16;

	for (unsigned i = 0; i < TRIES; i++) {
		uint32_t word = (random_word() & ~r->mask) | r->value;
		const unsigned architecture = 5 + i % 3;
		struct dp_arm_plan plan;

		if (half)
			word >>= 16;
		if (thumb && dp_thumb_bytes(half ? word : word >> 16) != (half ? 2 : 4))
			continue;
		plan = dp_arm_decode(word, thumb, half ? 2 : 4, architecture);
		agrees(DP_CPU_ARM, word, half ? 2 : 4, thumb ? 2 : 4,
		       thumb ? DP_ISA_THUMB : DP_ISA_MAIN, architecture,
		       plan.action == DP_ARM_REFUSE ? plan.detail : DP_REFUSE_NOTHING,
		       plan.action <= DP_ARM_REWRITE);
		if (i > 50 && plan.table == table && plan.row == row)
			return;
	}
	CHECK(row_of(dp_arm_table[table], row).mask == 0); /* only the last row need not decide */
}

static void arm_rows(void)
{
	for (unsigned table = 0; table < DP_ARM_TABLES; table++)
		for (unsigned row = 0;; row++) {
			const struct row r = row_of(dp_arm_table[table], row);

			arm_row(table, row, &r);
			if (r.mask == 0)
				break;
		}
}

static void mips_rows(void)
{
	for (unsigned row = 0; row < dp_mips_row_count; row++) {
		const uint32_t mask = dp_mips_row_mask(&dp_mips_rows[row]);
		bool decides = false;

		for (unsigned i = 0; i < TRIES && (i <= 50 || !decides); i++) {
			const uint32_t word = (random_word() & ~mask) | dp_mips_rows[row].value;
			const unsigned release = 1 + i % 5;
			const struct dp_mips_plan plan = dp_mips_decode(word, release);

			agrees(DP_CPU_MIPS, word, 4, 4, DP_ISA_MAIN, release,
			       plan.action == DP_MIPS_REFUSE ? plan.detail : DP_REFUSE_NOTHING,
			       plan.action <= DP_MIPS_TWO_TRAP);
			decides |= plan.row == row;
		}
		CHECK(decides || mask == 0);
	}
}

static void ppc_rows(void)
{
	static const unsigned sprgs[] = {0xffff, 272, 279};

	for (unsigned row = 0; row < dp_ppc_row_count; row++) {
		const uint32_t mask = dp_ppc_row_mask(&dp_ppc_rows[row]);
		bool decides = false;

		for (unsigned i = 0; i < TRIES && (i <= 50 || !decides); i++) {
			const uint32_t word = (random_word() & ~mask) | dp_ppc_rows[row].value;
			const unsigned sprg = sprgs[i % 3];
			const struct dp_ppc_plan plan = dp_ppc_decode(word, sprg);

			agrees(DP_CPU_PPC, word, 4, 4, DP_ISA_MAIN, sprg,
			       plan.action == DP_PPC_REFUSE ? plan.detail : DP_REFUSE_NOTHING,
			       plan.action <= DP_PPC_TWO_TRAP);
			decides |= plan.row == row;
		}
		CHECK(decides || mask == 0);
	}
}

/* Instructions that open and close windows, and neighbours that do neither. */
static const struct {
	unsigned cpu, isa, bytes, unit;
	uint32_t opcode;
	int window;
} windows[] = {
	{DP_CPU_ARM, DP_ISA_MAIN, 4, 4, 0xe1923f9f, 1},   /* ldrex r3, [r2] */
	{DP_CPU_ARM, DP_ISA_MAIN, 4, 4, 0xe1821f93, -1},  /* strex r1, r3, [r2] */
	{DP_CPU_ARM, DP_ISA_MAIN, 4, 4, 0xf57ff01f, -1},  /* clrex */
	{DP_CPU_ARM, DP_ISA_MAIN, 4, 4, 0xe5923000, 0},   /* ldr r3, [r2] */
	{DP_CPU_ARM, DP_ISA_THUMB, 4, 2, 0xe8523f00, 1},  /* ldrex r3, [r2] */
	{DP_CPU_ARM, DP_ISA_THUMB, 4, 2, 0xe8423100, -1}, /* strex r1, r3, [r2] */
	{DP_CPU_ARM, DP_ISA_THUMB, 4, 2, 0xf3bf8f2f, -1}, /* clrex */
	{DP_CPU_ARM, DP_ISA_THUMB, 2, 2, 0x6813, 0},      /* ldr r3, [r2] */
	{DP_CPU_MIPS, DP_ISA_MAIN, 4, 4, 0xc0430000, 1},  /* ll v1, 0(v0) */
	{DP_CPU_MIPS, DP_ISA_MAIN, 4, 4, 0xe0430000, -1}, /* sc v1, 0(v0) */
	{DP_CPU_MIPS, DP_ISA_MAIN, 4, 4, 0x8c430000, 0},  /* lw v1, 0(v0) */
	{DP_CPU_PPC, DP_ISA_MAIN, 4, 4, 0x7c601828, 1},   /* lwarx r3, 0, r3 */
	{DP_CPU_PPC, DP_ISA_MAIN, 4, 4, 0x7c60192d, -1},  /* stwcx. r3, 0, r3 */
	{DP_CPU_PPC, DP_ISA_MAIN, 4, 4, 0x80630000, 0},   /* lwz r3, 0(r3) */
};

static void test_windows(void)
{
	for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++)
		for (unsigned big = 0; big < 2; big++) {
			const struct dp_insn insn = insn_of(windows[i].opcode, windows[i].bytes,
							    windows[i].unit, windows[i].isa, big);
			CHECK(dph_decoder_of(windows[i].cpu)->window(&insn) == windows[i].window);
		}
}

/* The rows of cpu.def tell the same lengths; a byte alone tells no Thumb length. */
static void test_lengths(void)
{
	const struct dph_isa *thumb = dph_isa_numbered(dph_cpu_numbered(DP_CPU_ARM), DP_ISA_THUMB);
	const struct dp_decoder *arm = dph_decoder_of(DP_CPU_ARM);

	for (uint32_t half = 0; half < 0x10000; half++) {
		const struct dp_insn insn = insn_of(half, 2, 2, DP_ISA_THUMB, half & 1);
		CHECK(arm->length(&insn) == dph_insn_bytes(thumb, insn.bytes, half & 1));
	}
	CHECK(arm->length(&(struct dp_insn){.isa = DP_ISA_THUMB, .count = 1}) == 0);
}

/* `bx pc` in a halfword that is not a word's first is unpredictable. */
static void test_address(void)
{
	const struct dp_decoder *arm = dph_decoder_of(DP_CPU_ARM);
	struct dp_insn insn = insn_of(0x4778, 2, 2, DP_ISA_THUMB, false);

	CHECK(arm->refusal(&insn, 7) == DP_REFUSE_NOTHING);
	insn.address += 2;
	CHECK(arm->refusal(&insn, 7) == DP_REFUSE_UNPREDICTABLE);
}

/* Only MIPS has delay slots. */
static void test_delay_slots(void)
{
	const struct dp_decoder *mips = dph_decoder_of(DP_CPU_MIPS);
	static const struct {
		uint32_t opcode;
		enum dp_delay delay;
	} some[] = {
		{0x10000003, DP_DELAY_STEPPED},  /* b */
		{0x24420001, DP_DELAY_FITS},     /* addiu v0, v0, 1 */
		{0x0000000d, DP_DELAY_FITS_NOT}, /* break */
		{0x49000003, DP_DELAY_OTHER},    /* bc2f */
	};

	CHECK(dph_decoder_of(DP_CPU_ARM)->delay == NULL);
	CHECK(dph_decoder_of(DP_CPU_PPC)->delay == NULL);
	for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
		const struct dp_insn insn = insn_of(some[i].opcode, 4, 4, DP_ISA_MAIN, true);
		CHECK(mips->delay(&insn, mips->architecture) == some[i].delay);
	}
}

/* A CPU has a decoder, or a reason to have none. */
static void test_absent(void)
{
	unsigned found = 0;

	for (unsigned number = 0; number < 256; number++) {
		const struct dph_cpu *cpu = dph_cpu_numbered(number);

		if (cpu == NULL)
			continue;
		CHECK(!dph_decoder_of(number) == !!dph_absent(cpu, DPH_ROW_DECODER));
		found += dph_decoder_of(number) != NULL;
	}
	CHECK(found >= 3);
}

/* --- a decoder of this test: the low nibble of the first byte is the length --- */

enum {
	TOY_OPEN = 0x10,
	TOY_CLOSE = 0x20,
	TOY_REFUSED = 0x30,
	TOY_UNDEFINED = 0x60, /* and no length */
	TOY_JUMP = 0x40,      /* with words of 32 bits; else nothing (as c.jal, which is c.addiw) */
	TOY_PREFIX = 0xf0     /* the next byte decides */
};

static unsigned toy_length(const struct dp_insn *insn)
{
	if (insn->bytes[0] != TOY_PREFIX)
		return insn->bytes[0] & 15;
	return insn->count < 2 ? 0 : insn->bytes[1] & 15;
}

static enum dp_refusal toy_refusal(const struct dp_insn *insn, unsigned architecture)
{
	CHECK(architecture == 3);
	if (insn->bytes[0] == TOY_UNDEFINED)
		return DP_REFUSE_UNDEFINED;
	return (insn->bytes[0] & 0xf0) == TOY_REFUSED ? DP_REFUSE_SYSTEM_CALL : DP_REFUSE_NOTHING;
}

static int toy_window(const struct dp_insn *insn)
{
	return ((insn->bytes[0] & 0xf0) == TOY_OPEN) - ((insn->bytes[0] & 0xf0) == TOY_CLOSE);
}

static bool toy_jump(const struct dp_insn *insn, uint64_t *target)
{
	*target = insn->address + insn->count + insn->bytes[insn->count - 1];
	return insn->word_bits == 32 && (insn->bytes[0] & 0xf0) == TOY_JUMP;
}

/* The last byte of a copy that runs in a slot is even. */
static bool toy_in_slot(const struct dp_insn *insn, unsigned architecture)
{
	(void)architecture;
	return insn->bytes[insn->count - 1] % 2 == 0;
}

static const struct dp_decoder toy = {
	.architecture = 3,
	.length = toy_length,
	.refusal = toy_refusal,
	.window = toy_window,
	.in_slot = toy_in_slot,
	.jump = toy_jump,
};

static uint8_t memory[512];
static unsigned used;

static bool read_memory(void *context, uint64_t address, uint8_t *bytes, unsigned count)
{
	(void)context;
	if (address < TEXT || address - TEXT + count > used)
		return false;
	memcpy(bytes, memory + (address - TEXT), count);
	return true;
}

/* Append an instruction; its address. */
static uint64_t put(unsigned kind, unsigned bytes, uint8_t last)
{
	const uint64_t at = TEXT + used;

	memset(memory + used, 0x55, bytes);
	memory[used + bytes - 1] = last;
	memory[used] = (uint8_t)(kind | bytes);
	used += bytes;
	return at;
}

static struct dph_code toy_code(void)
{
	return (struct dph_code){.isa = dph_isa_usual(dph_cpu_numbered(DP_CPU_IA32)),
				 .decoder = &toy,
				 .from = TEXT,
				 .word_bits = 64,
				 .read = read_memory};
}

/* One instruction of each length, read as so many bytes; then the same behind a prefix. */
static void test_every_length(void)
{
	struct dph_code code = toy_code();
	struct dp_insn insn;

	for (unsigned bytes = 1; bytes <= DP_INSN_MAX; bytes++) {
		const uint64_t at = put(0x50, bytes, (uint8_t)(0x50 | bytes));
		CHECK(dph_insn_read(&code, at, &insn) && insn.count == bytes &&
		      insn.address == at && insn.bytes[0] == (0x50 | bytes));
		CHECK(dph_runs_in_slot(&code, at) == (bytes % 2 == 0));
	}
	for (unsigned bytes = 2; bytes <= DP_INSN_MAX; bytes++) {
		const uint64_t at = put(TOY_PREFIX, bytes, 0);
		memory[at - TEXT] = TOY_PREFIX;
		memory[at - TEXT + 1] = (uint8_t)bytes;
		CHECK(dph_insn_read(&code, at, &insn) && insn.count == bytes);
	}
	used -= DP_INSN_MAX - 1; /* the last one reaches beyond the end */
	CHECK(!dph_insn_read(&code, TEXT + used - 1, &insn));
	code.decoder = NULL; /* nobody knows a length then */
	CHECK(!dph_insn_read(&code, TEXT, &insn));
}

/* The walk to an address goes by these lengths: what looks like an instruction inside another one
 * opens nothing. */
static void test_walk(void)
{
	const struct dph_code code = toy_code();
	enum dp_refusal why = DP_REFUSE_UNDEFINED;
	uint64_t at, opened, behind, refused;

	used = 0;
	put(0x50, 11, TOY_OPEN | 1);
	at = put(0x50, 1, 0x51);
	opened = put(TOY_OPEN, 3, 0);
	behind = put(0x50, 14, 0);
	put(TOY_CLOSE, 7, 0);
	refused = put(TOY_REFUSED, 15, 0);
	CHECK(dph_refuse_at(&code, at, &why) == DP_ERR_OK && why == DP_REFUSE_NOTHING);
	CHECK(dph_refuse_at(&code, opened, &why) == DP_ERR_OK);
	CHECK(dph_refuse_at(&code, behind, &why) == DP_ERR_IN_ATOMIC);
	CHECK(dph_refuse_at(&code, put(0x50, 2, 0), &why) == DP_ERR_OK);
	CHECK(dph_refuse_at(&code, refused, &why) == DP_ERR_NOT_PROBEABLE &&
	      why == DP_REFUSE_SYSTEM_CALL);
}

/* An instruction without a length has a reason too, also as the last byte that is there. Bytes that
 * decide nothing, and an instruction whose end is not there, have none. */
static void test_no_length(void)
{
	struct dph_code code = toy_code();
	enum dp_refusal why = DP_REFUSE_NOTHING;
	struct dp_insn insn;

	code.from = TEXT + used;
	memory[used++] = TOY_UNDEFINED;
	CHECK(!dph_insn_read(&code, code.from, &insn) && insn.count == 1);
	CHECK(dph_refuse_at(&code, code.from, &why) == DP_ERR_NOT_PROBEABLE &&
	      why == DP_REFUSE_UNDEFINED);
	memory[used - 1] = TOY_PREFIX;
	CHECK(dph_refuse_at(&code, code.from, &why) == DP_ERR_OK && why == DP_REFUSE_NOTHING);
	memory[used - 1] = TOY_REFUSED | 2;
	CHECK(!dph_insn_read(&code, code.from, &insn) && insn.count == 0);
	CHECK(dph_refuse_at(&code, code.from, &why) == DP_ERR_OK && why == DP_REFUSE_NOTHING);
	CHECK(dph_refuse_at(&code, TEXT + used, &why) == DP_ERR_OK && why == DP_REFUSE_NOTHING);
	code.decoder = NULL;
	CHECK(dph_refuse_at(&code, code.from, &why) == DP_ERR_OK && why == DP_REFUSE_NOTHING);
}

static void test_word_size(void)
{
	struct dph_code code = toy_code();
	struct dp_insn insn;
	uint64_t target = 0, at;

	at = put(TOY_JUMP, 6, 0x10);
	CHECK(dph_insn_read(&code, at, &insn) && !toy.jump(&insn, &target));
	code.word_bits = 32;
	CHECK(dph_insn_read(&code, at, &insn) && toy.jump(&insn, &target) &&
	      target == at + 6 + 0x10);
}

int main(void)
{
	arm_rows();
	mips_rows();
	ppc_rows();
	test_windows();
	test_lengths();
	test_address();
	test_delay_slots();
	test_absent();
	test_every_length();
	test_walk();
	test_no_length();
	test_word_size();
	return check_status();
}
