/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder finds the length of an IA32 instruction, and the plan for a displaced one. Pure C,
 * target and host. port/README.md 4 Source: Intel SDM 2A, chapter 2; 2D, appendix A. Code segments
 * of 32 bits. */
#ifndef DP_IA32_DECODE_H
#define DP_IA32_DECODE_H

#include <stdbool.h>
#include <stdint.h>

enum {
	DP_IA32_INSN_MAX = 15 /* bytes. SDM 2A 2.3.11 */
};

enum dp_ia32_action {
	DP_IA32_ONE_TRAP, /* copy and jump back: can neither fault nor leave the slot */
	DP_IA32_MEMORY,   /* may fault: ONE_TRAP if the hit can be withdrawn, else two traps */
	DP_IA32_EMULATE,  /* in C; detail: enum dp_ia32_class */
	DP_IA32_REFUSE,   /* detail: enum dp_refusal */
	DP_IA32_PLAIN,    /* of a row alone: ONE_TRAP, or MEMORY with an operand in memory */
};

enum dp_ia32_class {
	DP_IA32_PUSHF,
	DP_IA32_POPF,
	DP_IA32_CLI,
	DP_IA32_STI,
	DP_IA32_JMP, /* from here on: control goes elsewhere */
	DP_IA32_JCC,
	DP_IA32_LOOP, /* loopne loope loop jecxz */
	DP_IA32_CALL,
	DP_IA32_JMP_RM,
	DP_IA32_CALL_RM,
	DP_IA32_RET,
	DP_IA32_CLASSES,
};

/* Prefixes of an instruction. SDM 2A 2.1.1 */
enum dp_ia32_prefix {
	DP_IA32_LOCK = 0x01,
	DP_IA32_REPNE = 0x02,
	DP_IA32_REP = 0x04,
	DP_IA32_SEGMENT = 0x08, /* es, ss, fs or gs */
	DP_IA32_FLAT = 0x10,    /* cs or ds: hints in front of a branch */
	DP_IA32_OPERAND = 0x20,
	DP_IA32_ADDRESS = 0x40,
};

struct dp_ia32_insn {
	uint8_t bytes;  /* of the instruction; 0: see `cut`, or no instruction begins so */
	bool cut;       /* the bytes that are there do not tell the length */
	uint8_t action; /* enum dp_ia32_action */
	uint8_t detail;
	uint8_t prefixes;  /* enum dp_ia32_prefix */
	uint8_t opcode;    /* where its last byte is */
	uint8_t modrm;     /* where ModRM is; 0: there is none */
	uint8_t immediate; /* where the immediate or the distance is, if there is any */
	uint8_t row;       /* that decided: for tests */
};

/* Return what a byte is as a prefix (enum dp_ia32_prefix); 0: none. */
unsigned dp_ia32_prefix_of(uint8_t byte);

/* Decode one instruction.
 * there: bytes that may be read, at least 1. */
struct dp_ia32_insn dp_ia32_decode(const uint8_t *bytes, unsigned there);

/* Return where a relative jump or call at the address leads to. */
uint32_t dp_ia32_branch(const uint8_t *bytes, const struct dp_ia32_insn *insn, uint32_t address);

/* The table, for tests. */
struct dp_ia32_row {
	uint8_t mask, value; /* of the last byte of the opcode */
	uint8_t where;       /* enum dp_ia32_map << 4 | /digit in ModRM, 8: any */
	uint8_t form;        /* enum dp_ia32_operands << 4 | enum dp_ia32_immediate */
	uint8_t treat;       /* action << 5 | detail */
};
enum dp_ia32_map {
	DP_IA32_MAP_1,    /* one byte */
	DP_IA32_MAP_0F,   /* 0f */
	DP_IA32_MAP_0F38, /* 0f 38 */
	DP_IA32_MAP_0F3A, /* 0f 3a */
	DP_IA32_MAP_VEX,  /* behind c4 or c5: SDM 2A 2.3 */
};
enum dp_ia32_operands {
	DP_IA32_NONE,
	DP_IA32_RM,   /* ModRM */
	DP_IA32_MEM,  /* ModRM with an operand in memory; other encodings do not match */
	DP_IA32_REG,  /* ModRM with a register; other encodings do not match */
	DP_IA32_CR,   /* ModRM that always means a register */
	DP_IA32_F3RM, /* ModRM, behind the prefix f3; other encodings do not match */
};
enum dp_ia32_immediate {
	DP_IA32_0,
	DP_IA32_B,  /* 1 byte */
	DP_IA32_W,  /* 2 */
	DP_IA32_Z,  /* the size of the operand: 4, or 2 */
	DP_IA32_WB, /* 3 */
	DP_IA32_ZW, /* a far address: 6, or 4 */
	DP_IA32_O,  /* the size of an address: 4, or 2 */
};
extern const struct dp_ia32_row dp_ia32_rows[];
extern const uint8_t dp_ia32_row_count;

#endif
