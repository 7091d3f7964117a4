/* SPDX-License-Identifier: BSD-2-Clause */
/* A guest that runs single instructions: what start.S and the C files share, and what common/ must
 * know of the CPU. RAM_BASE says where RAM begins. */
#ifndef GUEST_H
#define GUEST_H

/* Offsets in struct state. */
#define STATE_SP       52
#define STATE_LR       56
#define STATE_PC       60
#define STATE_CPSR     64
#define STATE_CLASS    68
#define STATE_DFSR     72
#define STATE_DFAR     76
#define STATE_UND_SP   80
#define STATE_ABT_SP   84
#define STATE_ABT_LR   88
#define STATE_ABT_SPSR 92
#define STATE_VFP      96
#define STATE_FPSCR    160
#define STATE_BYTES    168
/* Failures tell the words from STATE_PC to here in any case. */
#define STATE_TOLD_LAST STATE_CLASS

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stdint.h>

#include "arm_port.h"

#define GUEST_AGENT dp_arm      /* the port's pointer to its state, null before it is attached */
#define HOLE        0xdead0000u /* where an access fails */
/* For sites.c. */
#define SAMPLE_ADD         0xe2866001u /* add r6, r6, #1 */
#define SAMPLE_LOAD        0xe5962000u /* ldr r2, [r6] */
#define SAMPLE_RETURN      0xe12fff1eu /* bx lr */
#define SAMPLE_LINKED      0xe1962f9fu /* ldrex r2, [r6] */
#define SAMPLE_CONDITIONAL 0xe1863f92u /* strex r3, r2, [r6] */
#define RAM_BYTES          0x01000000u
#define LAST_WORD          ((uint32_t)RAM_BASE + RAM_BYTES - 4)
/* Two megabytes of start.S. */
#define PRIVILEGED ((uint32_t)RAM_BASE + 0x00e00000u)
#define READ_ONLY  ((uint32_t)RAM_BASE + 0x00f00000u) /* from ARMv7 on */
enum {
	NESTED_SITES = 3 /* callee's instructions */
};

/* For common/oracle.h. holds: a register, and 16 times what it holds, HOLDS_* of kinds.inc
 * (shapes.py); bytes: of a Thumb instruction. */
#define CASE_MEMBERS                                                                               \
	uint16_t holds[3];                                                                         \
	uint8_t bytes;
#define SECOND_STAYS    0
#define EXTENT_BYTES    0
#define STARTS_MAX      (8 * 16 + 8) /* pairs of ITSTATE and flags; modes */
#define FEW_STARTS(all) ((all) < 6 ? (all) : (all) < 42 ? 6u : (all) / 7 + 1)
/* Branches by 1, 4, 8 and 16 MiB end where nothing is mapped; the vectors know these addresses. */
#define CODE_WORDS  0x40000
#define CODE_FILLED 4096
#define CODE_AT     0x20800
#define CODE_PLACE  __attribute__((section(".probed"), aligned(4096)))
#define DATA_PLACE  __attribute__((section(".fixed.field"), aligned(4096)))
#define DATA_MARGIN 1088 /* what offsets of 12 bits reach */
/* Thumb code jumps back from a slot by an instruction of ARMv7. */
#define HAS_ONE_TRAP (DP_ARM_WITH_A32 || DP_ARM_ARCHITECTURE >= 7)

/* Flags of a case, behind those of oracle.h. */
enum {
	CASE_THUMB = 8,
	CASE_NO_IT = 16,   /* not inside an IT block */
	CASE_LAST_IT = 32, /* only last in an IT block */
	CASE_ALIGNED = 64, /* not at 2 mod 4 */
	CASE_SPSR = 128,   /* only in modes that have one */
	CASE_NO_FIQ = 256  /* leaves its mode: nobody knows the r8 to r12 below those of FIQ */
};
#define UNDEFINED_ARM 0xe7f0def0u /* in Thumb too, seen from its first half */

/* Registers before an instruction, and at the exception that ended it. pc: before, the address;
 * after, the raw link value the handler was given. */
struct state {
	uint32_t r[13], sp, lr, pc, cpsr, class, dfsr, dfar;
	uint32_t und_sp, abt_sp, abt_lr, abt_spsr;
	uint32_t vfp[16], fpscr, zero;
};
_Static_assert(sizeof(struct state) == STATE_BYTES, "start.S");

/* Load the registers from `in`, go to in->pc in system mode (bit 5 of cpsr: Thumb), and come back
 * with the state at the next exception in *out. */
void run(const struct state *in, struct state *out);
/* Abort mode's stack pointer. */
uint32_t get_abt_sp(void);
void set_abt_sp(uint32_t sp);
#endif
#endif
