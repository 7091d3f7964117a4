/* SPDX-License-Identifier: BSD-2-Clause */
/* The row of a port's register table.  The rows come from port/CPU/regs.def, sorted by index:
 *   REG(index, NAME, "name", words, pops, access)
 *   REG_ALIAS("alias", index)
 * access: DP_REG_* joined by |. Names match without regard to case. Only the host links names; the
 * agent keeps index, words, pops and access. */
#ifndef DP_REGS_H
#define DP_REGS_H

#include <stdint.h>

enum dp_context {
	DP_CONTEXT_R,
	DP_CONTEXT_U
}; /* push r / push u: decisions.txt C79 */

enum dp_reg_access {
	DP_REG_PUSH_R = 0x01,
	DP_REG_PUSH_U = 0x02,
	DP_REG_POP_R = 0x04,
	DP_REG_POP_U = 0x08,
	DP_REG_READ = DP_REG_PUSH_R | DP_REG_PUSH_U,
	DP_REG_ALL = 0x0f,
};

enum {
	DP_REG_WORDS_MAX = 4,
	DP_REG_ELSEWHERE = 0xffff /* DP_PORT_REG_AT: not a word of the frame */
};

struct dp_reg {
	uint16_t index;
	uint8_t words; /* stack words that a push leaves, 1..DP_REG_WORDS_MAX */
	uint8_t pops;  /* words that a push pops first: 1 for IA32 cpuid and msr, else 0 */
	uint8_t access;
};

#endif
