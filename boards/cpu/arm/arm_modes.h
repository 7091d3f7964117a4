/* SPDX-License-Identifier: BSD-2-Clause */
/* Processor modes and fault kinds, for C and assembler. ARM ARM, "Program status registers". */
#ifndef ARM_MODES_H
#define ARM_MODES_H

#define MODE_FIQ  0x11
#define MODE_IRQ  0x12
#define MODE_SVC  0x13
#define MODE_ABT  0x17
#define MODE_UND  0x1b
#define MODE_SYS  0x1f
#define MODE_MASK 0x1f
#define PSR_T     0x20
#define PSR_F     0x40
#define PSR_I     0x80

#define FAULT_UNDEF    0
#define FAULT_PREFETCH 1
#define FAULT_DATA     2
#define FAULT_FIQ      3

#endif
