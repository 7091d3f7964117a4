/* SPDX-License-Identifier: BSD-2-Clause */
/* Run-twice oracle for the ARM port: the board, and starts that are refused. */
#include "checks.h"
#include "out.h"
#include "special.h"
#include "states.h"

extern const char dabt_handler[];
extern uint32_t vectors[16];

static const struct dp_range ranges[] = {
	{RAM_BASE, RAM_BYTES, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
	{HOLE, 0x10000, DP_MEM_READ | DP_MEM_WRITE},
	{HOLE + 0x10000, 0x10000, DP_MEM_READ | DP_MEM_DEVICE},
	{0xfffffff0u, 0x10, DP_MEM_READ},
};
const struct dp_board guest_board = {.ranges = ranges, .range_count = 4};

/* Where unaligned words fault, an agent compiled with them must not start. */
/* proves: P7.6 */
static void strict_alignment(void)
{
#ifdef __ARM_FEATURE_UNALIGNED
	uint32_t sctlr;

	__asm__ volatile("mrc p15, 0, %0, c1, c0, 0" : "=r"(sctlr));
	__asm__ volatile("mcr p15, 0, %0, c1, c0, 0\n\tisb" ::"r"(sctlr | 2));
	expect("strict alignment", start() == DP_ERR_BAD_TARGET);
	__asm__ volatile("mcr p15, 0, %0, c1, c0, 0\n\tisb" ::"r"(sctlr));
#endif
}

static volatile uint32_t *vector_table(void)
{
#if __ARM_ARCH >= 7
	static volatile uintptr_t base = (uintptr_t)vectors;
#else
	static volatile uintptr_t base; /* 0: volatile, or gcc takes it for a null pointer */
#endif
	return (volatile uint32_t *)base;
}

/* Vectors as other firmware has them: a branch, and two through one literal. */
static void other_vectors(void)
{
	volatile uint32_t *at = vector_table();

	at[4] = 0xea000000u |
		(((uint32_t)(uintptr_t)dabt_handler - (uint32_t)(uintptr_t)&at[4] - 8) >> 2 &
		 0xffffff);
	at[7] = 0xe59ff008u;
}

/* A refused start changes no vector. */
/* proves: P7.4 P7.5 A4.1 */
static void refused_starts(void)
{
	volatile uint32_t *at = vector_table();
	const uint32_t data_abort = at[4];

	expect("no slot memory", start_with(guest_slots, 0) == DP_ERR_NO_SLOT);
	at[4] = 0xe1a00000u; /* mov r0, r0: neither a load nor a branch */
	expect("an unknown vector", start() == DP_ERR_BAD_VECTOR);
	expect("the vector stays", at[4] == 0xe1a00000u && at[1] == 0xe59ff018u);
	at[4] = data_abort;
}

/* The start redirects three vectors and no other. One may lead to 0, until the firmware has a
 * handler for it. The literal that FIQ shares stays, so the prefetch abort becomes a branch. */
/* proves: A4.3 A4.4 */
static void other_vectors_stay(void)
{
	static const uint8_t others[] = {2, 6, 7, 10, 11, 14}; /* SVC, IRQ, FIQ, their literals */
	volatile uint32_t *at = vector_table();
	const uint32_t undefined = at[9]; /* a literal */
	uint32_t before[sizeof(others)];

	for (unsigned i = 0; i < sizeof(others); i++)
		before[i] = at[others[i]];
	at[9] = 0;
	expect("started", start() == DP_ERR_OK && at[9] != 0);
	at[9] = undefined;
	for (unsigned i = 0; i < sizeof(others); i++)
		expect("the other vectors stay", at[others[i]] == before[i]);
	expect("a shared literal", at[3] >> 24 == 0xea);
}

/* Memory for the slots of last resort alone. */
static void no_slot(void)
{
	unsigned total, available;

	expect("started without slots",
	       start_with(guest_slots, (DP_PORT_SLOT_BYTES + 1) * DP_PORT_SLOTS_EXTRA) ==
		       DP_ERR_OK);
	dp_port_slots(&total, &available);
	expect("no slot", total == 0);
}

void before_start(void)
{
	prepare_memory();
	other_vectors();
	strict_alignment();
	measure_vectors();
	refused_starts();
	other_vectors_stay();
	no_slot();
}
