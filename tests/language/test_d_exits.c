/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of returns: an instruction for each row, as the manuals encode it, and neighbours that
 * are none. */
#include "dp_object.h"
#include "tables/registers.h"
#include "tables/returns.h"

#include "check.h"

enum {
	ALWAYS = DP_CONDITION_NONE,
	FIRES = DP_CONDITION_FIRES,
	TAKEN = DP_CONDITION_TAKEN
};

struct expected {
	const char *cpu;
	unsigned isa, bytes;
	uint32_t opcode;
	enum dph_exit_kind kind;
	uint64_t detail; /* phase, or target from 0x10000 */
	unsigned condition;
};

static const struct expected rows[] = {
	{"arm", DP_ISA_MAIN, 4, 0xe12fff1e, DPH_EXIT_RETURN, DP_PHASE_BEFORE, ALWAYS}, /* bx lr */
	{"arm", DP_ISA_MAIN, 4, 0x012fff1e, DPH_EXIT_RETURN, DP_PHASE_BEFORE, FIRES},  /* bxeq lr */
	{"arm", DP_ISA_MAIN, 4, 0xe12fff13, DPH_EXIT_CALL, 0, ALWAYS},                 /* bx r3 */
	{"arm", DP_ISA_MAIN, 4, 0x112fff13, DPH_EXIT_CALL, 0, FIRES},                  /* bxne r3 */
	{"arm", DP_ISA_MAIN, 4, 0xe12fff1f, DPH_EXIT_BRANCH, 0x10008, ALWAYS},         /* bx pc */
	{"arm", DP_ISA_MAIN, 4, 0xe12fff33, DPH_EXIT_NONE, 0, ALWAYS},                 /* blx r3 */
	{"arm", DP_ISA_MAIN, 4, 0xe1a0f003, DPH_EXIT_CALL, 0, ALWAYS}, /* mov pc, r3 */
	{"arm", DP_ISA_MAIN, 4, 0x979ff100, DPH_EXIT_TABLE, 0,
	 FIRES}, /* ldrls pc, [pc, r0, lsl #2] */
	{"arm", DP_ISA_MAIN, 4, 0x908ff100, DPH_EXIT_TABLE, 0,
	 FIRES}, /* addls pc, pc, r0, lsl #2 */
	{"arm", DP_ISA_MAIN, 4, 0xe793f100, DPH_EXIT_CASE, 0,
	 ALWAYS}, /* ldr pc, [r3, r0, lsl #2] */
	{"arm", DP_ISA_MAIN, 4, 0xe593f008, DPH_EXIT_CALL, 0, ALWAYS}, /* ldr pc, [r3, #8] */
	{"arm", DP_ISA_MAIN, 4, 0xe51ff004, DPH_EXIT_CALL, 0, ALWAYS}, /* ldr pc, [pc, #-4] */
	{"arm", DP_ISA_MAIN, 4, 0xe083f000, DPH_EXIT_CASE, 0, ALWAYS}, /* add pc, r3, r0 */
	{"arm", DP_ISA_MAIN, 4, 0xe5930008, DPH_EXIT_NONE, 0, ALWAYS}, /* ldr r0, [r3, #8] */
	{"arm", DP_ISA_MAIN, 4, 0xe15f0003, DPH_EXIT_NONE, 0, ALWAYS}, /* cmp pc, r3 */
	{"arm", DP_ISA_MAIN, 4, 0xe320f000, DPH_EXIT_PAD, 0, ALWAYS},  /* nop */
	{"arm", DP_ISA_MAIN, 4, 0x0a000002, DPH_EXIT_BRANCH, 0x10010, TAKEN}, /* beq +16 */
	{"arm", DP_ISA_MAIN, 4, 0xe1a0f00e, DPH_EXIT_RETURN, DP_PHASE_BEFORE,
	 ALWAYS}, /* mov pc, lr */
	{"arm", DP_ISA_MAIN, 4, 0xe8bd8010, DPH_EXIT_RETURN, DP_PHASE_BEFORE,
	 ALWAYS}, /* pop {r4, pc} */
	{"arm", DP_ISA_MAIN, 4, 0xe8bd8001, DPH_EXIT_RETURN, DP_PHASE_AFTER,
	 ALWAYS},                                                      /* pop {r0, pc} */
	{"arm", DP_ISA_MAIN, 4, 0xe8bd4010, DPH_EXIT_NONE, 0, ALWAYS}, /* pop {r4, lr} */
	{"arm", DP_ISA_MAIN, 4, 0xe49df004, DPH_EXIT_RETURN, DP_PHASE_BEFORE,
	 ALWAYS},                                                              /* pop {pc} */
	{"arm", DP_ISA_MAIN, 4, 0xea000002, DPH_EXIT_BRANCH, 0x10010, ALWAYS}, /* b +16 */
	{"arm", DP_ISA_MAIN, 4, 0xeafffffe, DPH_EXIT_BRANCH, 0x10000, ALWAYS}, /* b . */
	{"arm", DP_ISA_MAIN, 4, 0xeb000002, DPH_EXIT_NONE, 0, ALWAYS},         /* bl */
	{"arm", DP_ISA_MAIN, 4, 0xfa000002, DPH_EXIT_NONE, 0, ALWAYS}, /* blx label: a call */
	{"arm", DP_ISA_THUMB, 2, 0x4770, DPH_EXIT_RETURN, DP_PHASE_BEFORE, ALWAYS}, /* bx lr */
	{"arm", DP_ISA_THUMB, 2, 0x46f7, DPH_EXIT_RETURN, DP_PHASE_BEFORE, ALWAYS}, /* mov pc, lr */
	{"arm", DP_ISA_THUMB, 2, 0xbdf8, DPH_EXIT_RETURN, DP_PHASE_BEFORE,
	 ALWAYS}, /* pop {r3-r7, pc} */
	{"arm", DP_ISA_THUMB, 2, 0xbd03, DPH_EXIT_RETURN, DP_PHASE_AFTER,
	 ALWAYS},                                                           /* pop {r0, r1, pc} */
	{"arm", DP_ISA_THUMB, 2, 0xbc10, DPH_EXIT_NONE, 0, ALWAYS},         /* pop {r4} */
	{"arm", DP_ISA_THUMB, 2, 0xe7fe, DPH_EXIT_BRANCH, 0x10000, ALWAYS}, /* b . */
	{"arm", DP_ISA_THUMB, 2, 0xe00e, DPH_EXIT_BRANCH, 0x10020, ALWAYS}, /* b +32 */
	{"arm", DP_ISA_THUMB, 2, 0xd00e, DPH_EXIT_BRANCH, 0x10020, TAKEN},  /* beq +32 */
	{"arm", DP_ISA_THUMB, 2, 0xdf00, DPH_EXIT_NONE, 0, ALWAYS},         /* svc */
	{"arm", DP_ISA_THUMB, 2, 0xde00, DPH_EXIT_NONE, 0, ALWAYS},         /* udf */
	{"arm", DP_ISA_THUMB, 2, 0xb170, DPH_EXIT_BRANCH, 0x10020, TAKEN},  /* cbz r0, +32 */
	{"arm", DP_ISA_THUMB, 2, 0xbb70, DPH_EXIT_BRANCH, 0x10060, TAKEN},  /* cbnz r0, +96 */
	{"arm", DP_ISA_THUMB, 2, 0x4778, DPH_EXIT_BRANCH, 0x10004, ALWAYS}, /* bx pc: to A32 code */
	{"arm", DP_ISA_THUMB, 2, 0x4718, DPH_EXIT_CALL, 0, ALWAYS},         /* bx r3 */
	{"arm", DP_ISA_THUMB, 2, 0x4798, DPH_EXIT_NONE, 0, ALWAYS},         /* blx r3 */
	{"arm", DP_ISA_THUMB, 2, 0x469f, DPH_EXIT_CASE, 0, ALWAYS},         /* mov pc, r3 */
	{"arm", DP_ISA_THUMB, 2, 0x449f, DPH_EXIT_TABLE, 0, ALWAYS},        /* add pc, r3 */
	{"arm", DP_ISA_THUMB, 2, 0xbf00, DPH_EXIT_PAD, 0, ALWAYS},          /* nop */
	{"arm", DP_ISA_THUMB, 2, 0xbf18, DPH_EXIT_NONE, 0, ALWAYS},         /* it ne */
	{"arm", DP_ISA_THUMB, 4, 0xe8dff003, DPH_EXIT_TABLE, 0, ALWAYS},    /* tbb [pc, r3] */
	{"arm", DP_ISA_THUMB, 4, 0xe8dff013, DPH_EXIT_TABLE, 0, ALWAYS}, /* tbh [pc, r3, lsl #1] */
	{"arm", DP_ISA_THUMB, 4, 0xf852f023, DPH_EXIT_CASE, 0,
	 ALWAYS}, /* ldr.w pc, [r2, r3, lsl #2] */
	{"arm", DP_ISA_THUMB, 4, 0xf8d3f008, DPH_EXIT_CALL, 0, ALWAYS}, /* ldr.w pc, [r3, #8] */
	{"arm", DP_ISA_THUMB, 4, 0xf8dff000, DPH_EXIT_CALL, 0, ALWAYS}, /* ldr.w pc, [pc] */
	{"arm", DP_ISA_THUMB, 4, 0xf8d30008, DPH_EXIT_NONE, 0, ALWAYS}, /* ldr.w r0, [r3, #8] */
	{"arm", DP_ISA_THUMB, 4, 0xf000800e, DPH_EXIT_BRANCH, 0x10020, TAKEN}, /* beq.w +32 */
	{"arm", DP_ISA_THUMB, 4, 0xf43faffe, DPH_EXIT_BRANCH, 0x10000, TAKEN}, /* beq.w . */
	{"arm", DP_ISA_THUMB, 4, 0xf3bf8f4f, DPH_EXIT_NONE, 0, ALWAYS},        /* dsb */
	{"arm", DP_ISA_THUMB, 4, 0xe8bd8ff8, DPH_EXIT_RETURN, DP_PHASE_BEFORE,
	 ALWAYS}, /* pop.w {r3-fp, pc} */
	{"arm", DP_ISA_THUMB, 4, 0xe8bd8002, DPH_EXIT_RETURN, DP_PHASE_AFTER,
	 ALWAYS}, /* pop.w {r1, pc} */
	{"arm", DP_ISA_THUMB, 4, 0xf85dfb04, DPH_EXIT_RETURN, DP_PHASE_BEFORE,
	 ALWAYS}, /* ldr pc, [sp], #4 */
	{"arm", DP_ISA_THUMB, 4, 0xf000b80e, DPH_EXIT_BRANCH, 0x10020, ALWAYS},        /* b.w +32 */
	{"arm", DP_ISA_THUMB, 4, 0xf7ffbffe, DPH_EXIT_BRANCH, 0x10000, ALWAYS},        /* b.w . */
	{"arm", DP_ISA_THUMB, 4, 0xf000f80e, DPH_EXIT_NONE, 0, ALWAYS},                /* bl */
	{"mips", DP_ISA_MAIN, 4, 0x03e00008, DPH_EXIT_RETURN, DP_PHASE_AFTER, ALWAYS}, /* jr ra */
	{"mips", DP_ISA_MAIN, 4, 0x03e00408, DPH_EXIT_RETURN, DP_PHASE_AFTER,
	 ALWAYS},                                                               /* jr.hb ra */
	{"mips", DP_ISA_MAIN, 4, 0x03200008, DPH_EXIT_CALL, 0, ALWAYS},         /* jr t9 */
	{"mips", DP_ISA_MAIN, 4, 0x00400008, DPH_EXIT_CASE, 0, ALWAYS},         /* jr v0 */
	{"mips", DP_ISA_MAIN, 4, 0x0320f809, DPH_EXIT_NONE, 0, ALWAYS},         /* jalr t9 */
	{"mips", DP_ISA_MAIN, 4, 0x03200009, DPH_EXIT_CALL, 0, ALWAYS},         /* jalr r0, t9 */
	{"mips", DP_ISA_MAIN, 4, 0x00000000, DPH_EXIT_PAD, 0, ALWAYS},          /* nop */
	{"mips", DP_ISA_MAIN, 4, 0x10000007, DPH_EXIT_BRANCH, 0x10020, ALWAYS}, /* b +32 */
	{"mips", DP_ISA_MAIN, 4, 0x10800007, DPH_EXIT_BRANCH, 0x10020, TAKEN},  /* beqz a0 */
	{"mips", DP_ISA_MAIN, 4, 0x54850007, DPH_EXIT_BRANCH, 0x10020, TAKEN},  /* bnel a0, a1 */
	{"mips", DP_ISA_MAIN, 4, 0x14000007, DPH_EXIT_BRANCH, 0x10020, TAKEN},  /* bnez r0: never */
	{"mips", DP_ISA_MAIN, 4, 0x1880ffff, DPH_EXIT_BRANCH, 0x10000, TAKEN},  /* blez a0, . */
	{"mips", DP_ISA_MAIN, 4, 0x04810007, DPH_EXIT_BRANCH, 0x10020, TAKEN},  /* bgez a0 */
	{"mips", DP_ISA_MAIN, 4, 0x04010007, DPH_EXIT_BRANCH, 0x10020,
	 ALWAYS},                                                              /* bgez r0: always */
	{"mips", DP_ISA_MAIN, 4, 0x04110007, DPH_EXIT_NONE, 0, ALWAYS},        /* bal */
	{"mips", DP_ISA_MAIN, 4, 0x04900007, DPH_EXIT_NONE, 0, ALWAYS},        /* bltzal a0 */
	{"mips", DP_ISA_MAIN, 4, 0x45010007, DPH_EXIT_BRANCH, 0x10020, TAKEN}, /* bc1t */
	{"mips", DP_ISA_MAIN, 4, 0x08004008, DPH_EXIT_BRANCH, 0x10020, ALWAYS}, /* j 0x10020 */
	{"mips", DP_ISA_MAIN, 4, 0x0c004008, DPH_EXIT_NONE, 0, ALWAYS},         /* jal */
	{"ppc", DP_ISA_MAIN, 4, 0x4e800020, DPH_EXIT_RETURN, DP_PHASE_BEFORE, ALWAYS}, /* blr */
	{"ppc", DP_ISA_MAIN, 4, 0x4d820020, DPH_EXIT_RETURN, DP_PHASE_BEFORE, TAKEN},  /* beqlr */
	{"ppc", DP_ISA_MAIN, 4, 0x4e000020, DPH_EXIT_RETURN, DP_PHASE_BEFORE, TAKEN},  /* bdnzlr */
	{"ppc", DP_ISA_MAIN, 4, 0x41820020, DPH_EXIT_BRANCH, 0x10020, TAKEN},          /* beq +32 */
	{"ppc", DP_ISA_MAIN, 4, 0x4200fff0, DPH_EXIT_BRANCH, 0xfff0, TAKEN},         /* bdnz -16 */
	{"ppc", DP_ISA_MAIN, 4, 0x42800020, DPH_EXIT_BRANCH, 0x10020, ALWAYS},       /* bc always */
	{"ppc", DP_ISA_MAIN, 4, 0x41820021, DPH_EXIT_NONE, 0, ALWAYS},               /* beql */
	{"ppc", DP_ISA_MAIN, 4, 0x4182002a, DPH_EXIT_BRANCH, 0x28, TAKEN},           /* beqa */
	{"ppc", DP_ISA_MAIN, 4, 0x4d820420, DPH_EXIT_EITHER, 0, TAKEN},              /* beqctr */
	{"ppc", DP_ISA_MAIN, 4, 0x4e800421, DPH_EXIT_NONE, 0, ALWAYS},               /* bctrl */
	{"ppc", DP_ISA_MAIN, 4, 0x60000000, DPH_EXIT_PAD, 0, ALWAYS},                /* nop */
	{"ppc", DP_ISA_MAIN, 4, 0x4e800021, DPH_EXIT_NONE, 0, ALWAYS},               /* blrl */
	{"ppc", DP_ISA_MAIN, 4, 0x4e800420, DPH_EXIT_EITHER, 0, ALWAYS},             /* bctr */
	{"ppc", DP_ISA_MAIN, 4, 0x48000020, DPH_EXIT_BRANCH, 0x10020, ALWAYS},       /* b +32 */
	{"ppc", DP_ISA_MAIN, 4, 0x4bfffff0, DPH_EXIT_BRANCH, 0xfff0, ALWAYS},        /* b -16 */
	{"ppc", DP_ISA_MAIN, 4, 0x48000021, DPH_EXIT_NONE, 0, ALWAYS},               /* bl */
	{"riscv", DP_ISA_MAIN, 2, 0x8082, DPH_EXIT_RETURN, DP_PHASE_BEFORE, ALWAYS}, /* ret */
	{"riscv", DP_ISA_MAIN, 2, 0x8282, DPH_EXIT_RETURN, DP_PHASE_BEFORE, ALWAYS}, /* jr t0 */
	{"riscv", DP_ISA_MAIN, 4, 0x00008067, DPH_EXIT_RETURN, DP_PHASE_BEFORE, ALWAYS},
	{"riscv", DP_ISA_MAIN, 4, 0x00028067, DPH_EXIT_RETURN, DP_PHASE_BEFORE, ALWAYS},
	{"riscv", DP_ISA_MAIN, 4, 0x00018067, DPH_EXIT_EITHER, 0, ALWAYS},       /* jr gp */
	{"riscv", DP_ISA_MAIN, 2, 0x8502, DPH_EXIT_EITHER, 0, ALWAYS},           /* c.jr a0 */
	{"riscv", DP_ISA_MAIN, 4, 0x00078067, DPH_EXIT_EITHER, 0, ALWAYS},       /* jr a5 */
	{"riscv", DP_ISA_MAIN, 2, 0x9502, DPH_EXIT_NONE, 0, ALWAYS},             /* c.jalr a0 */
	{"riscv", DP_ISA_MAIN, 4, 0x000780e7, DPH_EXIT_NONE, 0, ALWAYS},         /* jalr a5 */
	{"riscv", DP_ISA_MAIN, 2, 0x0001, DPH_EXIT_PAD, 0, ALWAYS},              /* c.nop */
	{"riscv", DP_ISA_MAIN, 4, 0x00000013, DPH_EXIT_PAD, 0, ALWAYS},          /* nop */
	{"riscv", DP_ISA_MAIN, 4, 0x0200006f, DPH_EXIT_BRANCH, 0x10020, ALWAYS}, /* j +32 */
	{"riscv", DP_ISA_MAIN, 2, 0xa005, DPH_EXIT_BRANCH, 0x10020, ALWAYS},     /* c.j +32 */
	{"riscv", DP_ISA_MAIN, 4, 0x02b50063, DPH_EXIT_BRANCH, 0x10020, TAKEN},  /* beq a0, a1 */
	{"riscv", DP_ISA_MAIN, 2, 0xc105, DPH_EXIT_BRANCH, 0x10020, TAKEN},      /* c.beqz a0 */
	{"riscv", DP_ISA_MAIN, 4, 0x020000ef, DPH_EXIT_NONE, 0, ALWAYS},         /* jal */
	{"riscv", DP_ISA_MAIN, 2, 0x2005, DPH_EXIT_NONE, 0, ALWAYS},             /* c.jal */
};

/* A little-endian instruction has the bytes of each unit backwards. */
static uint8_t byte_of(const struct dph_isa *isa, const struct dp_insn *insn, uint32_t opcode,
		       unsigned i)
{
	if (!insn->big_endian)
		i ^= isa->unit - 1;
	if (isa->opcode == DPH_OPCODE_LOW)
		i ^= insn->count - isa->unit;
	return (uint8_t)(opcode >> 8 * (insn->count - 1u - i));
}

static void look_up(const struct expected *row)
{
	const struct dph_cpu *cpu = dph_cpu_named(row->cpu);
	const struct dph_isa *isa = dph_isa_numbered(cpu, row->isa);
	struct dp_insn insn = {.address = 0x10000,
			       .count = (uint8_t)row->bytes,
			       .isa = (uint8_t)row->isa,
			       .word_bits = 32,
			       .big_endian = cpu->big};
	for (unsigned i = 0; i < row->bytes; i++)
		insn.bytes[i] = byte_of(isa, &insn, row->opcode, i);
	const struct dph_exit exit = dph_exit_of(isa, &insn);
	const uint64_t detail = exit.kind == DPH_EXIT_BRANCH ? exit.target : exit.phase;
	if (exit.kind == row->kind && detail == row->detail && exit.condition == row->condition)
		return;
	printf("%s %x: %d %llx %d; wanted %d %llx %d\n", row->cpu, row->opcode, (int)exit.kind,
	       (unsigned long long)detail, exit.condition, (int)row->kind,
	       (unsigned long long)row->detail, (int)row->condition);
	check_failures++;
}

enum {
	UNKNOWN = DP_ORIGIN_UNKNOWN,
	SUM = DP_ORIGIN_SUM,
	POINTER = DP_ORIGIN_POINTER,
	LINK = DP_ORIGIN_LINK,
	SEQUENCE_MAX = 7
};

/* Instructions of a function up to an indirect branch. */
struct sequence {
	const char *cpu;
	unsigned isa;
	unsigned origin; /* enum dp_origin */
	uint32_t opcodes[SEQUENCE_MAX];
};

static const struct sequence sequences[] = {
	/* pop {r4}; pop {r3}; bx r3; with add sp, mov r0, r4 between; of other registers */
	{"arm", DP_ISA_THUMB, LINK, {0xbc10, 0xbc08, 0x4718}},
	{"arm", DP_ISA_THUMB, LINK, {0xbc0c, 0x4620, 0xb004, 0x4718}},
	{"arm", DP_ISA_THUMB, LINK, {0xf85d3b04, 0x4718}},        /* ldr.w r3, [sp], #4 */
	{"arm", DP_ISA_THUMB, LINK, {0xe8bd1010, 0x4760}},        /* pop.w {r4, ip}; bx ip */
	{"arm", DP_ISA_THUMB, LINK, {0x46f4, 0xbc10, 0x4760}},    /* mov ip, lr; pop {r4}; bx ip */
	{"arm", DP_ISA_THUMB, LINK, {0xbc08, 0x469f}},            /* pop {r3}; mov pc, r3 */
	{"arm", DP_ISA_THUMB, UNKNOWN, {0xbc08, 0x4720}},         /* pop {r3}; bx r4 */
	{"arm", DP_ISA_THUMB, UNKNOWN, {0xbc08, 0x681b, 0x4718}}, /* ldr r3, [r3] */
	{"arm", DP_ISA_THUMB, UNKNOWN, {0xbc08, 0x4623, 0x4718}}, /* mov r3, r4 */
	{"arm", DP_ISA_THUMB, UNKNOWN, {0xe8bd4010, 0x4718}},     /* pop {r4, lr}; bx r3 */
	{"arm", DP_ISA_THUMB, UNKNOWN, {0xbc08, 0xf852f023}},     /* ldr.w pc, [r2, r3, lsl #2] */
	{"arm", DP_ISA_MAIN, LINK, {0xe49d3004, 0xe12fff13}},     /* ldr r3, [sp], #4; bx r3 */
	{"arm", DP_ISA_MAIN, LINK, {0xe8bd1010, 0xe28dd008, 0xe12fff1c}},    /* pop {r4, ip} */
	{"arm", DP_ISA_MAIN, LINK, {0xe1a0c00e, 0xe49d4004, 0xe1a0f00c}},    /* mov pc, ip */
	{"arm", DP_ISA_MAIN, UNKNOWN, {0xe49d3004, 0xe5933000, 0xe12fff13}}, /* ldr r3, [r3] */
	{"arm", DP_ISA_MAIN, UNKNOWN, {0xe59d3004, 0xe12fff13}}, /* ldr r3, [sp, #4]: spilled */
	{"arm", DP_ISA_MAIN, UNKNOWN, {0xe12fff13}},             /* an argument */
	/* sw ra, 28(sp); lw t9, 28(sp); nop; jr t9 */
	{"mips", DP_ISA_MAIN, LINK, {0xafbf001c, 0x24020001, 0x8fb9001c, 0, 0x03200008}},
	{"mips", DP_ISA_MAIN, LINK, {0xafbf001c, 0x8fa8001c, 0x27bd0020, 0x01000008}}, /* jr t0 */
	{"mips", DP_ISA_MAIN, LINK, {0x03e0c025, 0x8fb00010, 0x03000008}}, /* move t8, ra */
	{"mips", DP_ISA_MAIN, LINK, {0x03e04021, 0x01000008}},             /* move t0, ra */
	{"mips", DP_ISA_MAIN, POINTER, {0xafbf001c, 0x8fb90010, 0x8fbf001c, 0x03200008}},
	{"mips", DP_ISA_MAIN, UNKNOWN, {0xafbf001c, 0x8c990008, 0x03200008}},    /* lw t9, 8(a0) */
	{"mips", DP_ISA_MAIN, UNKNOWN, {0x00431021, 0x8c420000, 0, 0x00400008}}, /* a table */
	/* mflr r0; stw r0, 20(r1); lwz r0, 20(r1); addi r1, r1, 16; mtctr r0; bctr */
	{"ppc",
	 DP_ISA_MAIN,
	 LINK,
	 {0x7c0802a6, 0x90010014, 0x80010014, 0x38210010, 0x7c0903a6, 0x4e800420}},
	{"ppc", DP_ISA_MAIN, LINK, {0x7c0802a6, 0x38210010, 0x80010004, 0x7c0903a6, 0x4e800420}},
	{"ppc", DP_ISA_MAIN, LINK, {0x7d8802a6, 0x7d8903a6, 0x4e800420}}, /* mflr r12 */
	{"ppc",
	 DP_ISA_MAIN,
	 POINTER,
	 {0x7c0802a6, 0x90010014, 0x8181000c, 0x80010014, 0x7d8903a6, 0x4e800420}},
	{"ppc", DP_ISA_MAIN, POINTER, {0x81830008, 0x7d8903a6, 0x4e800420}}, /* lwz r12, 8(r3) */
	{"ppc", DP_ISA_MAIN, POINTER, {0x7c6903a6, 0x4e800420}},             /* an argument */
	{"ppc", DP_ISA_MAIN, SUM, {0x7d295214, 0x7d2903a6, 0x4e800420}},     /* add r9, r9, r10 */
	{"ppc", DP_ISA_MAIN, UNKNOWN, {0x4e800420}},
	{"riscv", DP_ISA_MAIN, LINK, {0x00028067}},                /* jr t0 */
	{"riscv", DP_ISA_MAIN, POINTER, {0x00852783, 0x00078067}}, /* lw a5, 8(a0) */
	{"riscv", DP_ISA_MAIN, POINTER, {0x00852783, 0x00150513, 0x00078067}},
	{"riscv", DP_ISA_MAIN, POINTER, {0x00000317, 0x00030067}}, /* auipc t1; a tail call */
	{"riscv", DP_ISA_MAIN, POINTER, {0x00050067}},             /* an argument */
	{"riscv", DP_ISA_MAIN, SUM, {0x00e787b3, 0x00078067}},     /* add a5, a5, a4 */
	{"riscv", DP_ISA_MAIN, UNKNOWN, {0x00478793, 0x00078067}}, /* addi a5, a5, 4 */
};

static struct dp_insn insn_of(const struct sequence *row, unsigned n)
{
	const uint32_t opcode = row->opcodes[n];
	const struct dph_cpu *cpu = dph_cpu_named(row->cpu);
	struct dp_insn insn = {
		.isa = (uint8_t)row->isa, .word_bits = 32, .big_endian = cpu->big, .count = 4};
	if (row->isa == DP_ISA_THUMB && opcode < 0xe800)
		insn.count = 2;
	for (unsigned i = 0; i < insn.count; i++)
		insn.bytes[i] = byte_of(dph_isa_numbered(cpu, row->isa), &insn, opcode, i);
	return insn;
}

static void find_origin(const struct sequence *row)
{
	const struct dp_decoder *decoder = dph_decoder_of(dph_cpu_named(row->cpu)->number);
	struct dp_insn before[SEQUENCE_MAX], branch;
	unsigned last = SEQUENCE_MAX - 1;
	while (!row->opcodes[last])
		last--;
	branch = insn_of(row, last);
	for (unsigned i = 0; i < last; i++)
		before[i] = insn_of(row, last - 1 - i);
	const unsigned found = decoder->origin(&branch, before, last);
	if (found == row->origin)
		return;
	printf("%s %x: origin %d, wanted %d\n", row->cpu, row->opcodes[last], (int)found,
	       (int)row->origin);
	check_failures++;
}

/* The M profile has Thumb as ARM has it, but for `bx pc`. */
static void of_m_profile(void)
{
	for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
		struct sequence m = sequences[i];

		m.cpu = "cortexm";
		if (m.isa == DP_ISA_THUMB)
			find_origin(&m);
	}
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct expected m = rows[i];

		m.cpu = "cortexm";
		if (m.isa == DP_ISA_THUMB && m.opcode != 0x4778)
			look_up(&m);
	}
}

int main(void)
{
	for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
		find_origin(&sequences[i]);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		look_up(&rows[i]);
	of_m_profile();
	CHECK(!dph_exits_known(dph_isa_usual(dph_cpu_named("s390"))));
	return check_status();
}
