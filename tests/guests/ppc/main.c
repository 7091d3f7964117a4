/* SPDX-License-Identifier: BSD-2-Clause */
/* Run-twice oracle for the PowerPC port: what the port is given, and the order of the checks. The
 * second word of a case is the next instruction of all. */
#include "checks.h"
#include "oracle.h"
#include "out.h"
#include "rows.h"
#include "special.h"

#ifndef GUEST_SWEEP /* 1: only the interrupts */
#define GUEST_SWEEP 0
#endif
#if DP_PPC_BOOKE
#define QUIRKS (DP_QUIRK_TRAP_SETS_CE | DP_QUIRK_MTMSR_KEEPS_ME)
#else
#define QUIRKS DP_QUIRK_MTMSR_KEEPS_ME
#endif

static uint8_t slots[4096] __attribute__((aligned(4096)));
static uint64_t stack[DP_PORT_STACK_BYTES / 8] __attribute__((aligned(16)));
static struct dp_port_state port;
static const struct dp_range ranges[] = {
	{0, 0x01000000u, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
	{HOLE, 0x10000, DP_MEM_READ | DP_MEM_WRITE},
	{HOLE + 0x10000, 0x10000, DP_MEM_READ | DP_MEM_DEVICE},
	{READ_ONLY, 0x1000, DP_MEM_READ | DP_MEM_WRITE},
	{0x01000000u, 0x10000, DP_MEM_READ},
	{0xfffffff0u, 0x10, DP_MEM_READ},
};
static const struct dp_board board = {
	.ranges = ranges, .range_count = sizeof(ranges) / sizeof(ranges[0]), .quirks = QUIRKS};
static const struct dp_memory memory = {.slots = slots,
					.slot_bytes = (DP_PORT_SLOT_BYTES + 1) *
						      (16 + DP_PORT_SLOTS_EXTRA),
					.stack = stack,
					.stack_bytes = sizeof(stack)};

/* Does floating point work? Then its registers are looked at as well. */
static void find_fpu(void)
{
	static struct state in, end;

	initial(&in, 1);
	code[CODE_AT] = 0xfc000890; /* fmr f0, f1 */
	code[CODE_AT + 1] = END;
	code_written();
	in.pc = (uint32_t)(uintptr_t)&code[CODE_AT];
	run(&in, &end);
	has_fpu = end.vector == VECTOR_SC;
	number("fpu ", has_fpu);
	say("\n");
}

#if DP_PPC_BOOKE
static void refused_vector(const char *name, volatile uint32_t *vector, uint32_t word)
{
	const uint32_t first = *vector;

	*vector = word;
	expect(name, dp_port_attach(&board, &memory, &port) == DP_ERR_NOT_PATCHABLE);
	expect("the vector stays", *vector == word);
	*vector = first;
}

/* A branch that the port cannot move refuses the start. */
/* proves: P7.5 A4.1 A4.7 */
static void refused_vectors(void)
{
	uint32_t base, offset;

	DP_PPC_GET(base, 63);    /* IVPR */
	DP_PPC_GET(offset, 406); /* IVOR6: program */
	base = (base & 0xffff0000u) | (offset & 0xfff0u);
	refused_vector("a conditional branch in a vector", (volatile uint32_t *)base, 0x41820008);
	refused_vector("a linking branch in a vector", (volatile uint32_t *)base, 0x48000009);
}
#endif

/* Before any probe. */
/* proves: P7.6 A4.8 */
static void prepare_board(void)
{
#ifdef GUEST_40P
	/* No interrupts: the timer runs from the start. */
	*(volatile uint8_t *)0x80000021u = 0xff;
	*(volatile uint8_t *)0x800000a1u = 0xff;
#endif
#if DP_PPC_BOOKE
	/* IDM and TRAP: whoever has set these takes the traps for itself. */
	DP_PPC_PUT(0x41000000, 308);
	expect("traps are debug events",
	       dp_port_attach(&board, &memory, &port) == DP_ERR_BAD_TARGET);
	DP_PPC_PUT(0, 308);
	refused_vectors();
#endif
}

void guest_main(void);
void guest_main(void)
{
	prepare_board();
	expect("attached", dp_port_attach(&board, &memory, &port) == DP_ERR_OK);
	if (failed)
		stop(1);
	decrementer_start = NEVER;
	find_fpu();
	if (GUEST_SWEEP) {
		sweep();
		finish();
	}
	special_checks();
	run_passes();
	conclude(dp_ppc_row_count, row_gate(dp_ppc_row_count) + condition_gate());
}
