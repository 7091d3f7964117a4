/* SPDX-License-Identifier: BSD-2-Clause */
/* The interrupted context of the IA32 port: dprobes_hit.h. Also for the assembler. */
#ifndef DPROBES_FRAME_H
#define DPROBES_FRAME_H

#ifndef __ASSEMBLER__
#include <stdint.h>

/* The interrupted context in ring 0. */
struct dp_frame {
	uint32_t gs, fs, es, ds;
	uint32_t edi, esi, ebp, esp, ebx, edx, ecx, eax;
	uint32_t gate;  /* struct dp_ia32_gate of the exception */
	uint32_t error; /* the CPU's error code, 0 where the exception has none */
	uint32_t eip, cs, eflags, ss;
	uint32_t stack[6]; /* what lies at esp, where the agent has read it */
};
#endif
#endif
