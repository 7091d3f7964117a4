/* SPDX-License-Identifier: BSD-2-Clause */
/* What a port knows of instructions, in one constant: pure C, for the host and for tests. The
 * target has the instruction as a number, and calls what the functions of the constant call:
 * decode.c, and for the scan the length and the window of its header (dp_scan_cpu.h). An
 * instruction is its bytes, as they lie in memory: one to fifteen. A CPU whose row in cpu.def is
 * DP_ABSENT(DECODER, ...) has none. */
#ifndef DP_DECODER_H
#define DP_DECODER_H

#include <stdbool.h>
#include <stdint.h>

#include "dp_errors.h"

enum {
	DP_INSN_MAX = 15 /* bytes */
};

/* An instruction, and what its meaning depends on. */
struct dp_insn {
	uint64_t address;
	uint8_t bytes[DP_INSN_MAX];
	uint8_t count;     /* bytes of the instruction; for `length`: bytes that are there */
	uint8_t isa;       /* enum dp_isa */
	uint8_t word_bits; /* of the target: the same bytes can be another instruction */
	bool big_endian;   /* byte order of code */
};

/* What an instruction has to do with delay slots. */
enum dp_delay {
	DP_DELAY_FITS, /* can be stepped in a delay slot */
	DP_DELAY_FITS_NOT,
	DP_DELAY_STEPPED, /* has a delay slot; the port steps both */
	DP_DELAY_OTHER,   /* has a delay slot; the port does not step the instruction */
};

/* The condition under which a jump, or a return, leaves the next instruction behind. */
enum dp_condition {
	DP_CONDITION_NONE,  /* always */
	DP_CONDITION_FIRES, /* a condition code: dp_port_fires tests it for each probe */
	DP_CONDITION_TAKEN, /* the branch's own: a probe needs the flag TAKEN */
};

/* Where an indirect branch has its address from. */
enum dp_origin {
	DP_ORIGIN_UNKNOWN,
	DP_ORIGIN_SUM,     /* the address of a table and a distance that stands in the table */
	DP_ORIGIN_POINTER, /* a pointer in memory or in a register */
	DP_ORIGIN_LINK     /* the function's return address, which the function has saved */
};

/* Return the windows without probes that are open behind an instruction, a bit for each kind.
 * open: those before it.
 * window: 1: the instruction opens a window of exclusive access, -1: it closes one; 2, -2: the same
 * for a port's window of another kind; 0: neither. */
static inline unsigned dp_windows_behind(unsigned open, int window)
{
	return window > 0 ? open | 1u << window : open & ~(1u << -window);
}

struct dp_decoder {
	/* The architecture that refuses least, in the port's own numbers: for the functions below.
	 * A target may have an earlier one, and refuse more. */
	unsigned architecture;

	/* Return the length of the instruction that begins with insn->count bytes, 0: these do not
	 * decide, or no instruction begins so. Give an undefined instruction a length where the
	 * manual tells it: a walk stops at an instruction without one. */
	unsigned (*length)(const struct dp_insn *insn);

	/* Return why no target steps the instruction, DP_REFUSE_NOTHING: a target may step the
	 * instruction. Neighbours count by `window` and `delay`. The host also asks about bytes
	 * to which `length` gives no length: they are UNDEFINED where no instruction begins so. */
	enum dp_refusal (*refusal)(const struct dp_insn *insn, unsigned architecture);

	/* Return whether the instruction opens a window without probes, closes a window, or
	 * neither: dp_windows_behind. */
	int (*window)(const struct dp_insn *insn);

	/* Return whether a copy of the instruction runs in a slot. False where the port emulates
	 * the instruction or refuses it. */
	bool (*in_slot)(const struct dp_insn *insn, unsigned architecture);

	/* Return whether the instruction is a jump to a fixed address that keeps no return address,
	 * with or without a condition. target: receives the address. */
	bool (*jump)(const struct dp_insn *insn, uint64_t *target);

	/* Return the condition of a jump or return. */
	enum dp_condition (*condition)(const struct dp_insn *insn);

	/* Return the number of instructions behind this one that this one makes conditional (IT of
	 * Thumb). Null: no instruction does. */
	unsigned (*covers)(const struct dp_insn *insn);

	/* Return the origin of the address of an indirect branch. LINK makes the branch a return;
	 * the other answers count where a row of cpu.def says EITHER.
	 * before: the instructions of the function in front of the branch, the nearest first.
	 * Null: not known; no row says EITHER. */
	enum dp_origin (*origin)(const struct dp_insn *branch, const struct dp_insn *before,
				 unsigned count);

	/* Return what the instruction does otherwise under a probe, as the end of a sentence about
	 * it; null: it does the same. The user reads it as a warning. Null: no instruction does. */
	const char *(*caveat)(const struct dp_insn *insn);

	/* Return whether the instruction is a call of a fixed address. target: receives the
	 * address. Null: not known. */
	bool (*call)(const struct dp_insn *insn, uint64_t *target);

	/* Return whether the instruction uses a register of the floating point or vector unit.
	 * Null: not known. */
	bool (*is_float)(const struct dp_insn *insn);

	/* Null: the CPU has no delay slots. */
	enum dp_delay (*delay)(const struct dp_insn *insn, unsigned architecture);
};

/* Return the number that `count` bytes from `at` on are, at most four. */
static inline uint32_t dp_insn_number(const struct dp_insn *insn, unsigned at, unsigned count)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < count; i++)
		value = value << 8 | insn->bytes[at + (insn->big_endian ? i : count - 1 - i)];
	return value;
}

/* Return the low bits of a number with their sign. */
static inline uint64_t dp_insn_signed(uint32_t value, unsigned bits)
{
	const uint64_t sign = (uint64_t)1 << (bits - 1);

	return ((value & (2 * sign - 1)) ^ sign) - sign;
}

#endif
