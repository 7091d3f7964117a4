/* SPDX-License-Identifier: BSD-2-Clause */
/* Every function of the C library's libm, for sweeps of code that was not written here. */
#ifndef DEMO_LIBM_H
#define DEMO_LIBM_H

#include <stdint.h>

/* Continue a checksum with a number. All NaNs are one: the sign of a NaN is no result. */
uint32_t libm_add(uint32_t crc, double value);

/* Continue a checksum with the results of every function. Interrupts are masked for parts of it:
 * the kernel does not save floating point registers. context: a task. */
uint32_t libm_full(uint32_t crc);

#endif
