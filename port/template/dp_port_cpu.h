/* SPDX-License-Identifier: BSD-2-Clause */
/* The empty port is a folder to copy and fill. port/dp_port.h explains each name. The numbers here
 * are examples. */
#ifndef DP_PORT_CPU_H
#define DP_PORT_CPU_H

#include <stdint.h>

#include "dp_object.h"
#include "dp_rpn.h"
#include "dp_slots.h"
#include "dp_stretch.h"
#include "dprobes_cpu.h"
#include "dprobes_frame.h"

/* Add the CPU to protocol/cpus.def and port/ports.def first; the host finds its registers by that
 * name. */
#define DP_PORT_CPU        DP_CPU_SIM
#define DP_PORT_ISAS       (1u << DP_ISA_MAIN)
#define DP_PORT_BIG_ENDIAN 0

#define DP_PORT_IS_NOOP(site) ((site)->original == 0)

/* RPN_GROUP_IO only with port space, RPN_GROUP_SEG only with segments. */
#define DP_PORT_GROUPS (RPN_GROUP_WRITE | RPN_GROUP_HOOK)

/* AFTER and FAULT need a second trap behind the copied instruction. */
#define DP_PORT_PHASES (1u << DP_PHASE_BEFORE)

#if DP_PORT_CPUS != 1
#error "one CPU, until the port can do more"
#endif

#define DP_PORT_TRAP_STORES 1
#define DP_PORT_ACCESS_MAX  4

/* The frame's words in the order of regs.def, as far as it goes. */
#define DP_PORT_REG_AT(index)                                                                      \
	((index) < 32 ? (unsigned)sizeof(uint32_t) * (index) : DP_REG_ELSEWHERE)
#define DP_PORT_PC(frame)        ((frame)->pc)
#define DP_PORT_SP(frame)        ((frame)->r[1])
#define DP_PORT_PLAIN(frame)     ((void)(frame), true)
#define DP_PORT_RESULT(frame, n) ((frame)->r[3 + (n)])
#define DP_PORT_RETURN(frame)    ((void)((frame)->pc = (frame)->r[2]))
#define DP_PORT_FRAME(frame, address, sp, ra)                                                      \
	((frame)->pc = (address), (frame)->r[1] = (sp), (frame)->r[2] = (ra))

/* At most 8 bytes. */
enum dp_action {
	DP_ONE_TRAP,
	DP_TWO_TRAP
};
struct dp_port_site {
	uint8_t action; /* verdict of decode.c: enum dp_action */
	uint8_t slot;   /* number, DP_SLOT_SCRATCH or DP_SLOT_NONE */
	uint8_t zero[2];
};

/* The registers that a caught abort overwrites. */
struct dp_fault_status {
	uint32_t status;
};

/* All other memory of the port. A pointer to this structure is the only static variable. */
struct dp_port_state {
	const struct dp_board *board;
	const struct dp_memory *memory;
	struct dp_slot_pool slots;
	struct {
		uint32_t address; /* of the original; the state that stepping changed follows */
		uint32_t status;
	} pending[DP_PORT_CPUS];
	struct dp_stretch recent[DP_PORT_CPUS]; /* dp_port_load */
};
extern struct dp_port_state *dp_template; /* null before dp_port_attach */

/* The CPU's program counter; here the nearest that C has. */
#define DP_PORT_HERE(place) ((place) = (uintptr_t)__builtin_return_address(0))

typedef uint32_t dp_irq;

#endif
