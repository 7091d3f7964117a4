/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up, address map and timer that the PowerPC boards share. README.md: the picture. */
#ifndef PPC_BOARD_H
#define PPC_BOARD_H

#include <stddef.h>
#include <stdint.h>

#include "board.h"

/* --- start.S, which has board_restart_warm too, and board_restart_cold on BookE --- */

/* Write back data lines, throw away instruction lines. */
void ppc_cache_sync(uintptr_t address, size_t bytes);

/* --- the address map: mmu_440.S, mmu_e500.S write these entries at start; what is in none of them
 * faults. The board supplies ppc_tlb and ppc_tlb_count. The first entry is RAM, with this code in
 * it. --- */

/* 440: the words of tlbwe.  PPC440x5 user's manual 5.3 */
struct tlb440 {
	uint32_t page;       /* word 0: effective page, V, size */
	uint32_t real;       /* word 1: real page, its upper 4 bits in the lowest */
	uint32_t attributes; /* word 2: WIMG, supervisor rights */
};
#define TLB440_64K     0x00000230u
#define TLB440_16M     0x00000270u
#define TLB440_MEMORY  0x00000007u /* cached, read, write, execute */
#define TLB440_DEVICES 0x00000503u /* uncached, guarded, read, write */

/* e500: the MAS registers.  EREF 5.5 */
struct tlb500 {
	uint32_t mas1; /* valid, protected, size */
	uint32_t mas2; /* effective page, WIMGE */
	uint32_t mas3; /* real page, rights */
	uint32_t mas7; /* upper bits of the real page */
};
#define TLB500_1M      0xc0000500u
#define TLB500_16M     0xc0000700u
#define TLB500_CACHED  0x00000000u
#define TLB500_GUARDED 0x0000000au
#define TLB500_MEMORY  0x00000015u /* supervisor read, write, execute */
#define TLB500_DEVICES 0x00000005u

/* Classic (mmu_bat.S): two block translations, RAM and devices, upper and lower half of each.  PEM
 * 7.4.3 */
struct bat {
	uint32_t upper; /* effective block, size, valid in supervisor mode */
	uint32_t lower; /* real block, WIMG, rights */
};
#define BAT_128K    0x00000002u
#define BAT_16M     0x000001feu
#define BAT_MEMORY  0x00000002u /* cached, read and write */
#define BAT_DEVICES 0x0000002au /* uncached, guarded, read and write */

/* pages_440.c, pages_e500.c, pages_bat.c: one more page of 4 KiB at `page`, which is memory at
 * `real`: read, write, execute. n: 0..PPC_PAGES - 1; valid false takes it away. For tests that want
 * their own map. */
#define PPC_PAGES 8u
void ppc_page_put(unsigned n, uintptr_t page, uintptr_t real, bool valid);

/* --- what else the board supplies --- */

extern const unsigned ppc_tlb_count;         /* BookE */
extern const uintptr_t ppc_uart[BOARD_COMS]; /* 16550s */
extern const uint32_t ppc_timebase_hz;

/* --- decrementer.c: the tick and the sensor share it --- */

/* context: board_init. */
void decrementer_init(void);

/* Call timer_isr and sensor_isr if it is time. context: board_irq. */
void decrementer_irq(void);

#endif
