/* SPDX-License-Identifier: BSD-2-Clause */
/* The C library in full: floating point, formats, sorting and memory, for sweeps of code that was
 * not written here. Only a kernel with DEMO_WITH_LIBRARY has it. */
#ifndef DEMO_LIBRARY_H
#define DEMO_LIBRARY_H

#include <stdint.h>

#ifdef DEMO_WITH_LIBRARY
#define LIBRARY_STACK_WORDS 4096u /* of the shell's stack: doublewords */

/* Continue a checksum with the results. Interrupts are masked for parts of it: the kernel does not
 * save floating point registers. context: a task. */
uint32_t library_full(uint32_t crc);
#else
#define LIBRARY_STACK_WORDS 512u

static inline uint32_t library_full(uint32_t crc)
{
	return crc;
}
#endif

#endif
