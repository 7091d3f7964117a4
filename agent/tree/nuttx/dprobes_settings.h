/* SPDX-License-Identifier: BSD-2-Clause */
/* The settings of glue/nuttx.c for a flat build of NuttX: each is known from its configuration. */
#include <nuttx/config.h>

#include <stddef.h>
#include <stdint.h>

#define DPROBES_NAME "nuttx"

/* Symbols of NuttX's linker scripts. No header of NuttX for applications declares them. The text
 * of ARMv7-A and ARMv7-R begins with the vectors, which the agent changes, and ends with the room
 * up to a page, which no file has. */
extern const uint8_t _stext[], _etext[], _vector_end[], _sinit[];
#define DPROBES_DECLARED
#if defined(CONFIG_ARCH_ARMV7A) || defined(CONFIG_ARCH_ARMV7R)
#define DPROBES_TEXT     _vector_end
#define DPROBES_TEXT_END _sinit
#else
#define DPROBES_TEXT     _stext
#define DPROBES_TEXT_END _etext
#endif
#define DPROBES_NOTE    NULL /* the identity is a checksum of the text */
#define DPROBES_RAM     ((const void *)CONFIG_RAM_START)
#define DPROBES_RAM_END ((const void *)(CONFIG_RAM_START + (uintptr_t)CONFIG_RAM_SIZE))

/* The exception entries, in the one file arm_vectors.S: registers of exceptions are in use. */
#if defined(CONFIG_ARCH_ARMV7A) || defined(CONFIG_ARCH_ARMV7R)
extern const uint8_t arm_vectorirq[], arm_vectoraddrexcptn[];
#define DPROBES_LOCKED     arm_vectorirq
#define DPROBES_LOCKED_END (arm_vectoraddrexcptn + 4)
#endif
