/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A flat map of 1 MiB sections: RAM cached, devices not, holes elsewhere. Without the MMU these
 * QEMU boards read 0 from addresses where nothing is; with it a stray access aborts as on hardware.
 */
#include <stddef.h>

#include "arm_board.h"
#include "board.h"

#define SECTION_BYTES 0x100000u

/* First-level section descriptor, short format. ARM ARM v7-A B3.5, ARMv5 ARM B4.7. */
#define SECTION       0x00000002u
#define SECTION_B     0x00000004u
#define SECTION_C     0x00000008u
#define SECTION_AP_RW 0x00000c00u /* AP = 11: read and write */
#if __ARM_ARCH >= 7
#define SECTION_SBO 0u
#define SECTION_XN  0x00000010u
#define SECTION_TEX 0x00001000u /* TEX = 001 with C, B: write-back, write-allocate */
#else
#define SECTION_SBO 0x00000010u /* bit 4 should be one before ARMv6 */
#define SECTION_XN  0u
#define SECTION_TEX 0u
#endif

#define DESCRIPTOR_RAM    (SECTION | SECTION_SBO | SECTION_AP_RW | SECTION_TEX | SECTION_C | SECTION_B)
#define DESCRIPTOR_DEVICE (SECTION | SECTION_SBO | SECTION_AP_RW | SECTION_XN | SECTION_B)

static uint32_t table[4096] __attribute__((aligned(16384)));

static void map(const struct board_range *r)
{
	uint32_t attributes = r->kind == BOARD_RAM ? DESCRIPTOR_RAM : DESCRIPTOR_DEVICE;
	uint32_t first = r->base / SECTION_BYTES;
	uint32_t count = (r->bytes + SECTION_BYTES - 1) / SECTION_BYTES;

	for (uint32_t i = first; i < first + count; i++)
		table[i] = i * SECTION_BYTES | attributes;
}

/* Domain 0 is checked against AP; then caches and MMU go on. */
static void switch_on(void)
{
	uint32_t sctlr;

	__asm__ volatile("mcr p15, 0, %0, c2, c0, 0" ::"r"(table));
	__asm__ volatile("mcr p15, 0, %0, c3, c0, 0" ::"r"(1u));
	__asm__ volatile("mcr p15, 0, %0, c8, c7, 0" ::"r"(0u));
#if __ARM_ARCH >= 7
	__asm__ volatile("mcr p15, 0, %0, c2, c0, 2" ::"r"(0u)); /* TTBCR: TTBR0 for all */
	__asm__ volatile("dsb\n\tisb" ::: "memory");
#endif
	__asm__ volatile("mrc p15, 0, %0, c1, c0, 0" : "=r"(sctlr));
	sctlr |= 0x00001005u; /* I, C, M */
#if __ARM_ARCH < 6
	sctlr &= ~0x00000300u; /* S and R modify AP */
#else
	sctlr &= ~0x30000000u; /* no access flag, no TEX remap */
#endif
	__asm__ volatile("mcr p15, 0, %0, c1, c0, 0" ::"r"(sctlr) : "memory");
#if __ARM_ARCH >= 7
	__asm__ volatile("isb");
#endif
}

void arm_mmu_on(void)
{
	for (size_t i = 0; i < board_range_count; i++)
		map(&board_ranges[i]);
	switch_on();
}
