/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up of the IA32 boards (start.S). Also for the assembler. */
#ifndef IA32_BOARD_H
#define IA32_BOARD_H

/* The one page of a device that is mapped. IA-PC HPET specification 1.0a, 3.2.4; QEMU hw/i386/pc.c
 */
#define IA32_HPET 0xfed00000

#ifndef __ASSEMBLER__
/* Enter the image again. context: any. */
_Noreturn void ia32_restart(void);
#endif
#endif
