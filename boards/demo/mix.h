/* SPDX-License-Identifier: BSD-2-Clause */
/* Small functions with many kinds of instructions, for selftest. mix.c is compiled to the CPU's
 * other instruction set where it has one (sources.mk). */
#ifndef DEMO_MIX_H
#define DEMO_MIX_H

#include <stdint.h>

uint32_t mix_branches(uint32_t x);                      /* a jump table */
uint32_t mix_recursion(uint32_t n);                     /* Fibonacci the slow way */
uint32_t mix_bytes(uint8_t *p, uint32_t n, uint32_t x); /* byte, halfword, word accesses */
uint64_t mix_long(uint64_t a, uint32_t b);              /* 64 bits, divisions */
uint32_t mix_calls(uint32_t x, uint32_t (*f)(uint32_t));
uint32_t mix_conditions(int32_t a, int32_t b); /* short forward conditions */

#endif
