/* SPDX-License-Identifier: BSD-2-Clause */
/* The IA32 decoder on the host: any bytes are decided, every row of the table decides something,
 * and the length comes from as few bytes as tell it. With a file of instructions, 16 bytes each:
 * what is decided, and what the host takes for floating point, a line each, for
 * test_ia32_classifier.py. */
#include <stdio.h>
#include <string.h>

#include "../../port/ia32/ia32_decode.h"
#include "check.h"
#include "dp_decoder.h"
#include "dp_errors.h"

extern const struct dp_decoder dp_decoder_ia32;

enum {
	TEXTS = 1000000,
	TRIES = 4000,
	ROOM = 16,
	REFUSALS = DP_REFUSE_USER_MODE
};

static uint32_t random_word(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

static void fill(uint8_t *bytes)
{
	for (unsigned i = 0; i < ROOM; i++)
		bytes[i] = (uint8_t)random_word();
}

/* Decode what lies at the end of memory that may be read: the sanitizer sees a read behind it. */
static struct dp_ia32_insn decode(const uint8_t *bytes, unsigned there)
{
	uint8_t room[ROOM];
	const struct dp_ia32_insn insn =
		dp_ia32_decode(memcpy(room + ROOM - there, bytes, there), there);

	CHECK(insn.row < dp_ia32_row_count && insn.action <= DP_IA32_REFUSE);
	CHECK(insn.bytes <= there && insn.bytes <= DP_IA32_INSN_MAX && !(insn.bytes && insn.cut));
	if (insn.action == DP_IA32_REFUSE)
		CHECK(insn.detail >= 1 && insn.detail <= REFUSALS);
	else if (insn.action == DP_IA32_EMULATE)
		CHECK(insn.detail < DP_IA32_CLASSES);
	else
		CHECK(insn.detail == 0);
	return insn;
}

/* Fewer bytes tell nothing else, and none of them is missing. */
static void lengths(void)
{
	uint8_t bytes[ROOM];

	for (unsigned i = 0; i < TEXTS; i++) {
		struct dp_ia32_insn whole;

		fill(bytes);
		whole = decode(bytes, ROOM);
		CHECK(!whole.cut);
		if (whole.bytes == 0 || i % 8 != 0)
			continue;
		for (unsigned there = 1; there <= whole.bytes; there++) {
			struct dp_ia32_insn part = decode(bytes, there);

			CHECK(part.cut == (there < whole.bytes));
			if (there == whole.bytes)
				CHECK(memcmp(&part, &whole, sizeof part) == 0);
		}
	}
}

/* Does the row decide bytes of its own? */
static bool decides(unsigned row)
{
	static const uint8_t maps[][2] = {{0, 0}, {0x0f, 0}, {0x0f, 0x38}, {0x0f, 0x3a}};
	const struct dp_ia32_row *r = &dp_ia32_rows[row];

	for (unsigned i = 0; i < TRIES; i++) {
		const unsigned map = r->where >> 4;
		uint8_t bytes[ROOM];
		unsigned at = 0;

		fill(bytes);
		if (r->form >> 4 == DP_IA32_F3RM)
			bytes[at++] = 0xf3;
		for (unsigned n = 0; n < 2 && maps[map][n] != 0; n++)
			bytes[at++] = maps[map][n];
		bytes[at] = (uint8_t)((bytes[at] & ~r->mask) | r->value);
		if (decode(bytes, ROOM).row == row)
			return true;
	}
	return false;
}

static void all_rows(void)
{
	for (unsigned row = 0; row < dp_ia32_row_count; row++)
		if (!decides(row)) {
			printf("row %u (0x%02x) never decides\n", row, dp_ia32_rows[row].value);
			CHECK(false);
		}
}

/* Instructions with their plans. SDM 2 */
static const struct {
	const char *bytes; /* count and text */
	unsigned count;
	enum dp_ia32_action action;
	unsigned detail;
} some[] = {
	{"\x55", 1, DP_IA32_MEMORY, 0},                 /* push %ebp */
	{"\x89\xe5", 2, DP_IA32_ONE_TRAP, 0},           /* mov %esp, %ebp */
	{"\x8b\x44\x24\x04", 4, DP_IA32_MEMORY, 0},     /* mov 4(%esp), %eax */
	{"\x8d\x74\x26\x00", 4, DP_IA32_ONE_TRAP, 0},   /* lea 0(%esi,1), %esi */
	{"\xf0\x0f\xc1\x02", 4, DP_IA32_MEMORY, 0},     /* lock xadd %eax, (%edx) */
	{"\xf0\x40", 2, DP_IA32_MEMORY, 0},             /* lock inc %eax: faults */
	{"\x66\x81\x00\x34\x12", 5, DP_IA32_MEMORY, 0}, /* addw $0x1234, (%eax) */
	{"\x67\x8b\x46\x01", 4, DP_IA32_MEMORY, 0},     /* mov 1(%bp), %eax */
	{"\xe8\x00\x00\x00\x00", 5, DP_IA32_EMULATE, DP_IA32_CALL},
	{"\xf3\xc3", 2, DP_IA32_EMULATE, DP_IA32_RET},              /* rep ret */
	{"\x3e\xff\xe0", 3, DP_IA32_EMULATE, DP_IA32_JMP_RM},       /* notrack jmp *%eax */
	{"\x64\xff\x20", 3, DP_IA32_REFUSE, DP_REFUSE_UNSUPPORTED}, /* jmp *%fs:(%eax) */
	{"\x66\xe9\x00\x00", 4, DP_IA32_EMULATE, DP_IA32_JMP},
	{"\x66\xe8\x00\x00", 4, DP_IA32_REFUSE, DP_REFUSE_UNSUPPORTED},
	{"\x67\xe3\x00", 3, DP_IA32_EMULATE, DP_IA32_LOOP}, /* jcxz */
	{"\xf0\xc3", 2, DP_IA32_REFUSE, DP_REFUSE_UNDEFINED},
	{"\x8e\xd0", 2, DP_IA32_REFUSE, DP_REFUSE_SYSTEM_REGISTER},     /* mov %eax, %ss */
	{"\x8e\xd8", 2, DP_IA32_MEMORY, 0},                             /* mov %eax, %ds */
	{"\x0f\x22\xc0", 3, DP_IA32_REFUSE, DP_REFUSE_SYSTEM_REGISTER}, /* mov %eax, %cr0 */
	{"\x0f\x22\x04", 3, DP_IA32_REFUSE, DP_REFUSE_SYSTEM_REGISTER}, /* mod counts for nothing */
	{"\xc5\xf8\x77", 3, DP_IA32_MEMORY, 0},                         /* vzeroupper */
	{"\xc5\x00", 2, DP_IA32_MEMORY, 0},                             /* lds (%eax), %eax */
	{"\xcc", 1, DP_IA32_REFUSE, DP_REFUSE_BREAKPOINT},
	{"\xcf", 1, DP_IA32_REFUSE, DP_REFUSE_EXCEPTION_RETURN},
};

static void plans(void)
{
	for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
		const struct dp_ia32_insn insn =
			decode((const uint8_t *)some[i].bytes, some[i].count);
		const bool same = insn.bytes == some[i].count && insn.action == some[i].action &&
				  insn.detail == some[i].detail;

		if (!same)
			printf("%zu: %u bytes, %u %u\n", i, insn.bytes, insn.action, insn.detail);
		CHECK(same);
	}
}

static uint32_t branch(const char *text, unsigned count, uint32_t address)
{
	const struct dp_ia32_insn insn = decode((const uint8_t *)text, count);

	return dp_ia32_branch((const uint8_t *)text, &insn, address);
}

static void branches(void)
{
	CHECK(branch("\xeb\xfe", 2, 0x400000) == 0x400000);
	CHECK(branch("\x74\x7f", 2, 0) == 129);
	CHECK(branch("\xe8\xfb\xff\xff\xff", 5, 0xfffffff0) == 0xfffffff0);
	CHECK(branch("\x0f\x84\x78\x56\x34\x12", 6, 0xf0000000) == 0x0234567e);
	CHECK(branch("\x2e\xe9\x00\x00\x00\x80", 6, 0x10) == 0x80000016);
	/* of 16 bits */
	CHECK(branch("\x66\xeb\xfe", 3, 0x400000) == 1);
	CHECK(branch("\x66\xe9\x00\x80", 4, 0x12345678) == 0xd67c);
	CHECK(branch("\x66\x0f\x84\xff\xff", 5, 0x1fffb) == 0xffff);
	CHECK(branch("\x66\xe2\x10", 3, 0xfffffff8) == 0x000b);
}

/* 15 bytes are the longest. */
static void prefixes(void)
{
	uint8_t bytes[ROOM];

	memset(bytes, 0x26, sizeof bytes);
	bytes[14] = 0x90;
	CHECK(decode(bytes, ROOM).bytes == 15);
	CHECK(decode(bytes, 14).cut);
	memset(bytes, 0x26, sizeof bytes);
	CHECK(decode(bytes, ROOM).bytes == 0 && !decode(bytes, ROOM).cut);
	bytes[13] = 0x6a; /* push imm8 that ends behind 15 bytes */
	bytes[12] = 0x26;
	bytes[14] = 0;
	CHECK(decode(bytes, ROOM).bytes == 15);
	memmove(bytes + 1, bytes, ROOM - 1);
	CHECK(decode(bytes, ROOM).bytes == 0);
}

static const char *const actions[] = {"one", "memory", "emulate"};
#undef DP_REFUSAL
#define DP_REFUSAL(number, name, sentence) [number] = #name,
static const char *const refusals[] = {
#include "refusals.def"
};

static bool is_float(const uint8_t *bytes, unsigned count)
{
	struct dp_insn insn = {.count = count};

	memcpy(insn.bytes, bytes, count);
	return count > 0 && dp_decoder_ia32.is_float(&insn);
}

static int decide_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t bytes[ROOM];

	if (file == NULL)
		return 1;
	while (fread(bytes, 1, sizeof bytes, file) == sizeof bytes) {
		const struct dp_ia32_insn insn = decode(bytes, ROOM);

		printf("%u %s %s\n", insn.bytes,
		       insn.action == DP_IA32_REFUSE ? refusals[insn.detail] : actions[insn.action],
		       is_float(bytes, insn.bytes) ? "float" : "integer");
	}
	fclose(file);
	return check_status();
}

int main(int argc, char **argv)
{
	if (argc == 2)
		return decide_file(argv[1]);
	lengths();
	all_rows();
	plans();
	branches();
	prefixes();
	return check_status();
}
