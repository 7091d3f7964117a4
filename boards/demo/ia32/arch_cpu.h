/* SPDX-License-Identifier: BSD-2-Clause */
/* A task's registers on IA32, and where arch_ia32.S finds them. */
#ifndef DEMO_ARCH_CPU_H
#define DEMO_ARCH_CPU_H

/* In bytes: as pusha has them, then the frame of an exception. */
#define CONTEXT_EDI    0
#define CONTEXT_ESI    4
#define CONTEXT_EBP    8
#define CONTEXT_ESP    12
#define CONTEXT_EBX    16
#define CONTEXT_EDX    20
#define CONTEXT_ECX    24
#define CONTEXT_EAX    28
#define CONTEXT_PC     32
#define CONTEXT_CS     36
#define CONTEXT_EFLAGS 40
#define CONTEXT_LR     44 /* the word on top of the stack: where a function that waits returns */
#define CONTEXT_BYTES  48

/* Interrupts have the vectors of the 8259s, in boards/cpu/pc/i8259.h. */
#define VECTOR_INTERRUPT 0x20
#define VECTOR_TRAP      0x30
#define VECTORS          0x31
#define VECTOR_BYTES     16 /* of code */
#define SEGMENT_CODE     8

#ifndef __ASSEMBLER__
#include <stdint.h>

struct arch_context {
	uint32_t edi, esi, ebp, esp, ebx, edx, ecx, eax;
	uint32_t pc, cs, eflags, lr;
};
#endif
#endif
