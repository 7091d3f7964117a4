/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of returns: an instruction for each row, as the manuals encode it, and neighbours that
 * are none. */
#include "dp_object.h"
#include "tables/registers.h"
#include "tables/returns.h"

#include "check.h"

struct expected {
	const char *cpu;
	unsigned isa, bytes;
	uint32_t opcode;
	enum dph_exit_kind kind;
	uint64_t detail; /* phase, or target from 0x10000 */
};

static const struct expected rows[] = {
	{"arm", DP_ISA_MAIN, 4, 0xe12fff1e, DPH_EXIT_RETURN, DP_PHASE_BEFORE}, /* bx lr */
	{"arm", DP_ISA_MAIN, 4, 0x012fff1e, DPH_EXIT_RETURN, DP_PHASE_BEFORE}, /* bxeq lr */
	{"arm", DP_ISA_MAIN, 4, 0xe12fff13, DPH_EXIT_NONE, 0},                 /* bx r3 */
	{"arm", DP_ISA_MAIN, 4, 0xe1a0f00e, DPH_EXIT_RETURN, DP_PHASE_BEFORE}, /* mov pc, lr */
	{"arm", DP_ISA_MAIN, 4, 0xe8bd8010, DPH_EXIT_RETURN, DP_PHASE_BEFORE}, /* pop {r4, pc} */
	{"arm", DP_ISA_MAIN, 4, 0xe8bd8001, DPH_EXIT_RETURN, DP_PHASE_AFTER},  /* pop {r0, pc} */
	{"arm", DP_ISA_MAIN, 4, 0xe8bd4010, DPH_EXIT_NONE, 0},                 /* pop {r4, lr} */
	{"arm", DP_ISA_MAIN, 4, 0xe49df004, DPH_EXIT_RETURN, DP_PHASE_BEFORE}, /* pop {pc} */
	{"arm", DP_ISA_MAIN, 4, 0xea000002, DPH_EXIT_BRANCH, 0x10010},         /* b +16 */
	{"arm", DP_ISA_MAIN, 4, 0xeafffffe, DPH_EXIT_BRANCH, 0x10000},         /* b . */
	{"arm", DP_ISA_MAIN, 4, 0xeb000002, DPH_EXIT_NONE, 0},                 /* bl */
	{"arm", DP_ISA_MAIN, 4, 0xfa000002, DPH_EXIT_NONE, 0},              /* blx label: a call */
	{"arm", DP_ISA_THUMB, 2, 0x4770, DPH_EXIT_RETURN, DP_PHASE_BEFORE}, /* bx lr */
	{"arm", DP_ISA_THUMB, 2, 0x46f7, DPH_EXIT_RETURN, DP_PHASE_BEFORE}, /* mov pc, lr */
	{"arm", DP_ISA_THUMB, 2, 0xbdf8, DPH_EXIT_RETURN, DP_PHASE_BEFORE}, /* pop {r3-r7, pc} */
	{"arm", DP_ISA_THUMB, 2, 0xbd03, DPH_EXIT_RETURN, DP_PHASE_AFTER},  /* pop {r0, r1, pc} */
	{"arm", DP_ISA_THUMB, 2, 0xbc10, DPH_EXIT_NONE, 0},                 /* pop {r4} */
	{"arm", DP_ISA_THUMB, 2, 0xe7fe, DPH_EXIT_BRANCH, 0x10000},         /* b . */
	{"arm", DP_ISA_THUMB, 2, 0xe00e, DPH_EXIT_BRANCH, 0x10020},         /* b +32 */
	{"arm", DP_ISA_THUMB, 4, 0xe8bd8ff8, DPH_EXIT_RETURN,
	 DP_PHASE_BEFORE}, /* pop.w {r3-fp, pc} */
	{"arm", DP_ISA_THUMB, 4, 0xe8bd8002, DPH_EXIT_RETURN, DP_PHASE_AFTER}, /* pop.w {r1, pc} */
	{"arm", DP_ISA_THUMB, 4, 0xf85dfb04, DPH_EXIT_RETURN,
	 DP_PHASE_BEFORE},                                              /* ldr pc, [sp], #4 */
	{"arm", DP_ISA_THUMB, 4, 0xf000b80e, DPH_EXIT_BRANCH, 0x10020}, /* b.w +32 */
	{"arm", DP_ISA_THUMB, 4, 0xf7ffbffe, DPH_EXIT_BRANCH, 0x10000}, /* b.w . */
	{"arm", DP_ISA_THUMB, 4, 0xf000f80e, DPH_EXIT_NONE, 0},         /* bl */
	{"mips", DP_ISA_MAIN, 4, 0x03e00008, DPH_EXIT_RETURN, DP_PHASE_AFTER}, /* jr ra */
	{"mips", DP_ISA_MAIN, 4, 0x03e00408, DPH_EXIT_RETURN, DP_PHASE_AFTER}, /* jr.hb ra */
	{"mips", DP_ISA_MAIN, 4, 0x03200008, DPH_EXIT_NONE, 0},                /* jr t9 */
	{"mips", DP_ISA_MAIN, 4, 0x08004008, DPH_EXIT_BRANCH, 0x10020},        /* j 0x10020 */
	{"mips", DP_ISA_MAIN, 4, 0x0c004008, DPH_EXIT_NONE, 0},                /* jal */
	{"ppc", DP_ISA_MAIN, 4, 0x4e800020, DPH_EXIT_RETURN, DP_PHASE_BEFORE}, /* blr */
	{"ppc", DP_ISA_MAIN, 4, 0x4d820020, DPH_EXIT_RETURN, DP_PHASE_BEFORE}, /* beqlr */
	{"ppc", DP_ISA_MAIN, 4, 0x4e800021, DPH_EXIT_NONE, 0},                 /* blrl */
	{"ppc", DP_ISA_MAIN, 4, 0x4e800420, DPH_EXIT_NONE, 0},                 /* bctr */
	{"ppc", DP_ISA_MAIN, 4, 0x48000020, DPH_EXIT_BRANCH, 0x10020},         /* b +32 */
	{"ppc", DP_ISA_MAIN, 4, 0x4bfffff0, DPH_EXIT_BRANCH, 0xfff0},          /* b -16 */
	{"ppc", DP_ISA_MAIN, 4, 0x48000021, DPH_EXIT_NONE, 0},                 /* bl */
};

static void look_up(const struct expected *row)
{
	const struct dph_cpu *cpu = dph_cpu_named(row->cpu);
	const struct dph_isa *isa = dph_isa_numbered(cpu, row->isa);
	unsigned phase = 0;
	uint64_t target = 0;
	struct dp_insn insn = {.address = 0x10000,
			       .count = (uint8_t)row->bytes,
			       .isa = (uint8_t)row->isa,
			       .word_bits = 32,
			       .big_endian = true};
	for (unsigned i = 0; i < row->bytes; i++)
		insn.bytes[i] = (uint8_t)(row->opcode >> 8 * (row->bytes - 1 - i));
	const enum dph_exit_kind kind = dph_exit_of(isa, &insn, &phase, &target);
	const uint64_t detail = kind == DPH_EXIT_BRANCH ? target : phase;
	if (kind == row->kind && detail == row->detail)
		return;
	printf("%s %x: %d %llx; wanted %d %llx\n", row->cpu, row->opcode, kind,
	       (unsigned long long)detail, row->kind, (unsigned long long)row->detail);
	check_failures++;
}

int main(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		look_up(&rows[i]);
	CHECK(!dph_exits_known(dph_isa_usual(dph_cpu_named("s390"))));
	return check_status();
}
