/* SPDX-License-Identifier: BSD-2-Clause */
/* The data that survives a warm restart, and random bits of each start. */
#ifndef DEMO_BOOT_H
#define DEMO_BOOT_H

#include <stdint.h>

/* Count this start. context: start-up, once. */
void boot_init(void);

/* 1 after power-on, one more after each restart that keeps RAM. */
uint32_t boot_number(void);

/* 64 random bits, others at each call; 0: there are none. QEMU writes them to the last 8 bytes of
 * the RAM at power-on (boards/run-qemu.sh), in place of the generator of a chip. context: start-up.
 */
uint64_t boot_random(void);

#endif
