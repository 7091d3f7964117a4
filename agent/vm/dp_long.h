/* SPDX-License-Identifier: BSD-2-Clause */
/* 64-bit numbers of handlers. Written without 64-bit multiplication, division and variable shifts
 * of the compiler: small cores would call a library for them. */
#ifndef DP_LONG_H
#define DP_LONG_H

#include "dp_run.h"

#define dp_long_step     DP_VM_NAME(dp_long_step)
#define dp_long_pop      DP_VM_NAME(dp_long_pop)
#define dp_long_divide   DP_VM_NAME(dp_long_divide)
#define dp_long_multiply DP_VM_NAME(dp_long_multiply)
#define dp_long_ticks    DP_VM_NAME(dp_long_ticks)
#define dp_ns_scale      DP_VM_NAME(dp_ns_scale)

/* Execute an instruction of the part LONG. */
enum dp_next dp_long_step(struct dp_run *run, unsigned op);

/* Pop a pair; with 64-bit words a word. */
uint64_t dp_long_pop(struct dp_vm *vm);

/* The product, modulo 2^64. */
uint64_t dp_long_multiply(uint64_t a, uint64_t b);
/* Quotient and remainder; the divisor is not 0. */
uint64_t dp_long_divide(uint64_t dividend, uint64_t divisor, uint64_t *remainder);

/* The clock. */
uint64_t dp_long_ticks(const struct dp_run *run);

/* The factor and shift that make nanoseconds of ticks, for `push ns`; hz 0: both are 0. */
void dp_ns_scale(uint32_t hz, struct dp_program_view *view);

#endif
