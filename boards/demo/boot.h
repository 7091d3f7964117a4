/* SPDX-License-Identifier: BSD-2-Clause */
/* The data that survives a warm restart. */
#ifndef DEMO_BOOT_H
#define DEMO_BOOT_H

#include <stdint.h>

/* Count this start. context: start-up, once. */
void boot_init(void);

/* 1 after power-on, one more after each restart that keeps RAM. */
uint32_t boot_number(void);

#endif
