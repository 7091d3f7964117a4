/* SPDX-License-Identifier: BSD-2-Clause */
/* Lengths and opcodes of instructions, as port/CPU/cpu.def and the rows of test_cpu_rows.py give
 * them: the expected values are written out from the manuals. */
#include <stdio.h>
#include <string.h>

#include "dp_object.h"
#include "tables/isas.h"
#include "tables/registers.h"
#include "thumb/thumb_decode.h"

static int failures;

static void expect(const char *what, unsigned long found, unsigned long expected)
{
	if (found == expected)
		return;
	printf("%s: 0x%lx, expected 0x%lx\n", what, found, expected);
	failures++;
}

/* Instructions as they lie in memory. bytes 0: the first unit does not tell. */
static const struct {
	const char *what, *cpu;
	unsigned isa;
	bool big;
	uint8_t code[6];
	unsigned bytes;
	uint32_t opcode;
} instructions[] = {
	{"A32 nop", "arm", 0, false, {0x00, 0xf0, 0x20, 0xe3}, 4, 0xe320f000},
	{"A32 nop, BE-32", "arm", 0, true, {0xe3, 0x20, 0xf0, 0x00}, 4, 0xe320f000},
	{"T16 nop", "arm", 1, false, {0x00, 0xbf}, 2, 0xbf00},
	{"T32 nop.w", "arm", 1, false, {0xaf, 0xf3, 0x00, 0x80}, 4, 0xf3af8000},
	{"T16 b", "arm", 1, false, {0xfe, 0xe7}, 2, 0xe7fe},
	{"T32 ldmia", "arm", 1, false, {0x90, 0xe8, 0x06, 0x00}, 4, 0xe8900006},
	{"MIPS jr ra, little", "mips", 0, false, {0x08, 0x00, 0xe0, 0x03}, 4, 0x03e00008},
	{"PowerPC blr", "ppc", 0, true, {0x4e, 0x80, 0x00, 0x20}, 4, 0x4e800020},
	{"IA32 push ebp", "ia32", 0, false, {0x55, 0x89, 0xe5}, 0, 0x55},
	{"S/390 bcr", "s390", 0, true, {0x07, 0xfe}, 2, 0x07fe},
	{"S/390 st", "s390", 0, true, {0x50, 0x10, 0xf0, 0x00}, 4, 0x5010},
	{"S/390 larl", "s390", 0, true, {0xc0, 0x10, 0, 0, 0, 8}, 6, 0xc010},
	{"Cortex-M bl", "cortexm", 1, false, {0x00, 0xf0, 0x00, 0xf8}, 4, 0xf000f800},
	{"RISC-V c.ebreak", "riscv", 0, false, {0x02, 0x90}, 2, 0x9002},
	{"RISC-V ebreak", "riscv", 0, false, {0x73, 0x00, 0x10, 0x00}, 4, 0x00100073},
	{"RISC-V addi", "riscv", 0, false, {0x13, 0x05, 0x05, 0x01}, 4, 0x01050513},
	{"AArch64 ret", "aarch64", 0, false, {0xc0, 0x03, 0x5f, 0xd6}, 4, 0xd65f03c0},
	{"z/Architecture lg", "s390x", 0, true, {0xe3, 0x10, 0xf0, 0x08, 0, 4}, 6, 0xe310},
	{"x86-64 push rbp", "x86-64", 0, false, {0x55}, 0, 0x55},
};

static void test_instructions(void)
{
	for (size_t i = 0; i < sizeof instructions / sizeof instructions[0]; i++) {
		const char *what = instructions[i].what;
		const struct dph_cpu *cpu = dph_cpu_named(instructions[i].cpu);
		const struct dph_isa *isa = cpu ? dph_isa_numbered(cpu, instructions[i].isa) : NULL;
		const uint8_t *code = instructions[i].code;
		bool big = instructions[i].big;
		unsigned bytes;

		if (!isa) {
			expect(what, 0, 1);
			continue;
		}
		bytes = dph_insn_bytes(isa, code, big);
		expect(what, bytes, instructions[i].bytes);
		expect(what, dph_opcode(isa, code, dph_opcode_bytes(isa, bytes), big),
		       instructions[i].opcode);
	}
}

/* The port measures Thumb instructions by itself, once a hit and without a table. */
static void test_thumb_of_the_port(void)
{
	const struct dph_isa *thumb = dph_isa_numbered(dph_cpu_named("arm"), DP_ISA_THUMB);

	for (unsigned half = 0; half <= 0xffff; half++) {
		uint8_t code[2] = {(uint8_t)half, (uint8_t)(half >> 8)};

		if (dph_insn_bytes(thumb, code, false) != dp_thumb_bytes(half))
			expect("Thumb halfword", half, 0);
	}
}

static void test_elf_files(void)
{
	static const struct {
		unsigned machine, word_bits;
		const char *cpu;
	} files[] = {
		{40, 32, "arm"},    {8, 32, "mips"},      {20, 32, "ppc"},    {3, 32, "ia32"},
		{22, 32, "s390"},   {22, 64, "s390x"},    {243, 32, "riscv"}, {243, 64, "riscv"},
		{62, 64, "x86-64"}, {183, 64, "aarch64"}, {8, 64, "mips"},
	};

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		const struct dph_elf_kind kind = {.machine = files[i].machine,
						  .word_bits = files[i].word_bits};
		const struct dph_cpu *cpu = dph_cpu_of_elf(&kind);

		expect(files[i].cpu, cpu ? cpu->number : 0, dph_cpu_named(files[i].cpu)->number);
	}
	expect("no e_machine", dph_cpu_of_elf(&(struct dph_elf_kind){.word_bits = 32}) != NULL, 0);
	expect("an unknown e_machine",
	       dph_cpu_of_elf(&(struct dph_elf_kind){.machine = 9999, .word_bits = 32}) != NULL, 0);
}

/* An ELF file with one attribute: Tag_CPU_arch_profile, 7. */
static bool profile(void *context, const char *vendor, unsigned strings, unsigned tag,
		    unsigned *value)
{
	(void)strings;
	*value = *(const unsigned char *)context;
	return strcmp(vendor, "aeabi") == 0 && tag == 7;
}

/* Cortex-M and ARM share an e_machine. */
static void test_elf_attributes(void)
{
	static const struct {
		char profile;
		const char *cpu;
	} files[] = {{'A', "arm"}, {'R', "arm"}, {'S', "arm"}, {0, "arm"}, {'M', "cortexm"}};

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		unsigned char value = (unsigned char)files[i].profile;
		const struct dph_elf_kind kind = {
			.machine = 40, .word_bits = 32, .attribute = profile, .context = &value};

		expect(files[i].cpu, dph_cpu_of_elf(&kind) == dph_cpu_named(files[i].cpu), 1);
		expect("its text", strcmp(dph_cpu_text_of_elf(&kind), files[i].cpu), 0);
		expect("arm takes it", dph_cpu_takes_elf(dph_cpu_named("arm"), &kind),
		       files[i].profile != 'M');
		expect("no CPU", dph_cpu_takes_elf(dph_cpu_named("mips"), &kind), 0);
		expect("sim takes all", dph_cpu_takes_elf(dph_cpu_named("sim"), &kind), 1);
	}
}

static void expect_mapped(const char *cpu, const char *name, bool known, const char *isa)
{
	const struct dph_isa *found;

	expect(name, dph_isa_mapped(dph_cpu_named(cpu), name, &found), known);
	expect(name, found != NULL, isa != NULL);
	if (found && isa)
		expect(name, strcmp(found->name, isa), 0);
}

static void test_mapping_symbols(void)
{
	expect_mapped("arm", "$t", true, "thumb");
	expect_mapped("arm", "$a.12", true, "arm");
	expect_mapped("arm", "$d", true, NULL);
	expect_mapped("arm", "$table", false, NULL);
	expect_mapped("arm", "$", false, NULL);
	expect_mapped("arm", "data", false, NULL);
	expect_mapped("arm", "$x", false, NULL);
	expect_mapped("mips", "$t", false, NULL);
	expect_mapped("mips", "$d", false, NULL);
	expect_mapped("riscv", "$x", true, "riscv");
	expect_mapped("riscv", "$x.3", true, "riscv");
	expect_mapped("riscv", "$xrv32i2p1_m2p0_c2p0", true, "riscv");
	expect_mapped("riscv", "$xrv64i2p1", true, "riscv");
	expect_mapped("riscv", "$d.7", true, NULL);
	expect_mapped("riscv", "$xray", false, NULL);
}

static void test_addresses(void)
{
	const struct dph_cpu *arm = dph_cpu_named("arm"), *mips = dph_cpu_named("mips");

	expect("odd on arm", dph_isa_addressed(arm, 0x1001)->number, DP_ISA_THUMB);
	expect("even on arm", dph_isa_addressed(arm, 0x1000) != NULL, 0);
	expect("odd on mips", dph_isa_addressed(mips, 0x1001) != NULL, 0);
	expect("usual on Cortex-M", dph_isa_usual(dph_cpu_named("cortexm"))->number, DP_ISA_THUMB);
	expect("instruction sets of arm", dph_isas_of(arm), 3);
	expect("instruction sets of mips", dph_isas_of(mips), 1);
	expect("instruction sets of Cortex-M", dph_isas_of(dph_cpu_named("cortexm")), 2);
}

int main(void)
{
	test_instructions();
	test_thumb_of_the_port();
	test_elf_files();
	test_elf_attributes();
	test_mapping_symbols();
	test_addresses();
	return failures != 0;
}
