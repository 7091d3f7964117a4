/* SPDX-License-Identifier: BSD-2-Clause */
/* Run-twice oracle for the ARM port: what the port is given, the order of the checks, the figures.
 */
#include "checks.h"
#include "gates.h"
#include "nested.h"
#include "out.h"
#include "special.h"
#include "twice.h"

/* With parts left out not all cases need be tried again. */
#ifndef CASE_STRIDE
#define CASE_STRIDE 1
#endif

/* Thumb code jumps back from a slot by an instruction of ARMv7. */
enum {
	HAS_ONE_TRAP = DP_ARM_WITH_A32 || DP_ARM_ARCHITECTURE >= 7
};

static uint8_t slots[4096] __attribute__((aligned(4096)));
struct private_stack private_stack;
static struct dp_port_state port;
extern const char dabt_handler[];
extern uint32_t vectors[16];

static const struct dp_range ranges[] = {
	{RAM_BASE, RAM_BYTES, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
	{HOLE, 0x10000, DP_MEM_READ | DP_MEM_WRITE},
	{HOLE + 0x10000, 0x10000, DP_MEM_READ | DP_MEM_DEVICE},
	{0xfffffff0u, 0x10, DP_MEM_READ},
};
static const struct dp_board board = {.ranges = ranges, .range_count = 4};
static const struct dp_memory memory = {.slots = slots,
					.slot_bytes = (DP_PORT_SLOT_BYTES + 1) *
						      (16 + DP_PORT_SLOTS_EXTRA),
					.stack = private_stack.stack,
					.stack_bytes = sizeof(private_stack.stack)};
static const struct dp_memory one_slot = {.slots = slots,
					  .slot_bytes =
						  (DP_PORT_SLOT_BYTES + 1) * DP_PORT_SLOTS_EXTRA,
					  .stack = private_stack.stack,
					  .stack_bytes = sizeof(private_stack.stack)};

static void attach(const struct dp_memory *with)
{
	for (unsigned i = 0; i < sizeof(port); i++)
		((volatile uint8_t *)&port)[i] = 0;
	if (dp_port_attach(&board, with, &port) != DP_ERR_OK) {
		say("FAIL attach\n");
		stop(3);
	}
}

/* Where unaligned words fault, an agent compiled with them must not start. */
/* proves: P7.6 */
static void strict_alignment(void)
{
#ifdef __ARM_FEATURE_UNALIGNED
	struct dp_port_state state;
	uint32_t sctlr;

	__asm__ volatile("mrc p15, 0, %0, c1, c0, 0" : "=r"(sctlr));
	__asm__ volatile("mcr p15, 0, %0, c1, c0, 0\n\tisb" ::"r"(sctlr | 2));
	expect("strict alignment", dp_port_attach(&board, &memory, &state) == DP_ERR_BAD_TARGET);
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
	static const struct dp_memory no_slots = {.slots = slots,
						  .stack = private_stack.stack,
						  .stack_bytes = sizeof(private_stack.stack)};
	volatile uint32_t *at = vector_table();
	const uint32_t data_abort = at[4];

	expect("no slot memory", dp_port_attach(&board, &no_slots, &port) == DP_ERR_NO_SLOT);
	at[4] = 0xe1a00000u; /* mov r0, r0: neither a load nor a branch */
	expect("an unknown vector", dp_port_attach(&board, &memory, &port) == DP_ERR_NOT_PATCHABLE);
	expect("the vector stays", at[4] == 0xe1a00000u && at[1] == 0xe59ff018u);
	at[4] = data_abort;
}

/* The start redirects three vectors and no other. The literal that FIQ shares stays, so the
 * prefetch abort becomes a branch. */
/* proves: A4.3 A4.4 */
static void other_vectors_stay(void)
{
	static const uint8_t others[] = {2, 6, 7, 10, 11, 14}; /* SVC, IRQ, FIQ, their literals */
	volatile uint32_t *at = vector_table();
	uint32_t before[sizeof(others)];

	for (unsigned i = 0; i < sizeof(others); i++)
		before[i] = at[others[i]];
	attach(&memory);
	for (unsigned i = 0; i < sizeof(others); i++)
		expect("the other vectors stay", at[others[i]] == before[i]);
	expect("a shared literal", at[3] >> 24 == 0xea);
}

/* With this memory every one of 16 probes has a slot. */
/* proves: P1.4 */
static void slot_each(void)
{
	unsigned total, available;

	dp_port_slots(&total, &available);
	expect("a slot for each probe", total >= 16 && available == total);
}

static void all_vectors(void)
{
	for (unsigned i = 0; i < vector_count; i++)
		if (has_vector(i))
			vector_holds(i);
}

void guest_main(void);
void guest_main(void)
{
	unsigned total, available;

	prepare_memory();
	other_vectors();
	strict_alignment();
	measure_vectors();
	refused_starts();
	other_vectors_stay();
	special_checks();
	if (!is_left_out(false))
		abort_checks();
	/* As after a warm restart that left the vectors ours. */
	attach(&memory);
	slot_each();
	probe_callee();
	for (unsigned i = 0; i < case_count; i += CASE_STRIDE) {
		one(&cases[i]);
		note_row(&cases[i]);
	}
	unprobe_callee();
	all_vectors();
	dp_port_slots(&total, &available);
	expect("slots come back", total == available && total > 0);
	expect("nested hits", callee_was_hit());
	expect("faults in one-trap slots", (withdrawn > 0) == HAS_ONE_TRAP);
	number("\nstack ", dp_port_stack_used());
	say("\n");
	print_runs(); /* before those without slots */
	attach(&one_slot);
	dp_port_slots(&total, &available);
	expect("no slot", total == 0);
	for (unsigned i = 0; i < case_count; i += CASE_STRIDE)
		one_without_slots(&cases[i]);
	say("\n");
	print_rows();
	number("cases ", case_count);
	number(", vectors a32 ", vectors_run[0]);
	number(" thumb ", vectors_run[1]);
	number(", runs ", ran);
	number(", refused ", refused);
	number(", left out ", left_out);
	number(", nested ", nested);
	number(", failed ", failed);
	finish();
}
