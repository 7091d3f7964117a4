/* SPDX-License-Identifier: BSD-2-Clause */
/* The types of a Cortex-M3, as far as the interpreter alone needs them. Not a port yet. */
#ifndef DP_PORT_CPU_H
#define DP_PORT_CPU_H

#include <stdint.h>

#define DP_WORD_BITS           32
#define DP_PORT_CPU            DP_CPU_ARM
#define DP_PORT_ISAS           (1u << DP_ISA_MAIN)
#define DP_PORT_BIG_ENDIAN     0
#define DP_PORT_GROUPS         (RPN_GROUP_WRITE | RPN_GROUP_HOOK)
#define DP_PORT_PHASES         1
#define DP_PORT_CPUS           1
#define DP_PORT_STACK_BYTES    512
#define DP_PORT_INSN_BYTES_MAX 4
#define DP_PORT_SLOT_BYTES     8

struct dp_frame {
	uint32_t r[16];
	uint32_t xpsr;
};

#define DP_PORT_REG_AT(index) (4u * (index))                  /* r0 to r15 */
#define DP_PORT_PLAIN(frame)  (!((frame)->xpsr & 0x0600fc00)) /* no IT block */

struct dp_port_site {
	uint8_t plan;
};

struct dp_port_state {
	uint8_t attached;
};

typedef uint32_t dp_irq;

#endif
