/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of the debug units, for code that does not know the CPU that it runs on: a host test
 * puts a model in their place. watch.c has the functions. */
#ifndef DP_CORTEXM_UNIT_H
#define DP_CORTEXM_UNIT_H

#include <stdint.h>

/* Read and write a register, or an aligned word of memory. Context: ANY. */
uint32_t dp_unit_get(uint32_t address);
void dp_unit_set(uint32_t address, uint32_t value);

#endif
