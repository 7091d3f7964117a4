/* SPDX-License-Identifier: BSD-2-Clause */
/* Encoding and decoding of the simulated CPU's instructions. In the usual form an instruction is
 * a word of 4 bytes in the CPU's byte order. In the wide form an instruction begins with a byte
 * of enum sim_length, its length, and a byte of enum sim_insn. Every other byte of the wide form
 * is the top byte of a big-endian word of 4 bytes. */
#ifndef DP_SIM_INSN_H
#define DP_SIM_INSN_H

#include "dp_port_cpu.h"
#include "sim.h"

enum sim_length {
	SIM_2_BYTES = 0xe2,
	SIM_6_BYTES = 0xe6,
	SIM_15_BYTES = 0xef
};

enum {
	SIM_UNIT = DP_SIM_WIDE
			   ? 2
			   : 4, /* bytes that decide length and kind, also the bytes of a trap */
	SIM_ALIGN = DP_SIM_WIDE ? 1 : 4, /* of instructions */
};

/* The number that `count` bytes of code are, at most 4. */
static inline uint32_t sim_number(const uint8_t *code, unsigned count)
{
	uint32_t number = 0;

	for (unsigned i = 0; i < count; i++)
		number = number << 8 | code[DP_PORT_BIG_ENDIAN ? i : count - 1 - i];
	return number;
}

static inline void sim_put_number(uint8_t *code, uint32_t number)
{
	for (unsigned i = 0; i < 4; i++)
		code[i] = (uint8_t)(number >> 8 * (DP_PORT_BIG_ENDIAN ? 3 - i : i));
}

/* Length of the instruction that begins with these SIM_UNIT bytes. */
static inline unsigned sim_bytes(const uint8_t *code)
{
	if (!DP_SIM_WIDE)
		return 4;
	switch (code[0]) {
	case SIM_2_BYTES:
		return 2;
	case SIM_6_BYTES:
		return 6;
	case SIM_15_BYTES:
		return 15;
	default:
		return 4;
	}
}

/* Return the effect of the instruction that begins with these SIM_UNIT bytes. */
static inline enum sim_insn sim_kind(const uint8_t *code)
{
	if (!DP_SIM_WIDE)
		return sim_insn(sim_number(code, SIM_UNIT));
	return sim_insn((uint32_t)code[sim_bytes(code) != 4] << 24);
}

/* A trap is the bytes of DP_SIM_TRAP_WORD over and over, as long as the instruction. Do these
 * SIM_UNIT bytes begin one? */
static inline bool sim_is_trap(const uint8_t *code)
{
	return sim_number(code, SIM_UNIT) == DP_SIM_TRAP_WORD >> 8 * (4 - SIM_UNIT);
}

static inline void sim_put_trap(uint8_t *code, unsigned count)
{
	uint8_t trap[4];

	sim_put_number(trap, DP_SIM_TRAP_WORD);
	for (unsigned i = 0; i < count; i++)
		code[i] = trap[i % 4];
}

#endif
