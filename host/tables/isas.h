/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of instruction sets answers questions of compiler and reports from the DP_CODE rows of
 * port/ports.def. */
#ifndef DPH_ISAS_H
#define DPH_ISAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dph_cpu;

/* How an opcode is made of an instruction's units: DP_CODE, column opcode. */
enum dph_opcode_form {
	DPH_OPCODE_FIRST,
	DPH_OPCODE_HIGH,
	DPH_OPCODE_LOW
};

enum {
	DPH_UNIT_MAX = 4,   /* bytes */
	DPH_OPCODE_MAX = 4, /* bytes of an opcode */
};

struct dph_isa {
	unsigned cpu, number; /* enum dp_cpu, enum dp_isa */
	const char *name;
	char mapping;         /* letter of its ELF mapping symbols, or 0 */
	unsigned align, unit; /* bytes */
	uint64_t address_bit; /* set in its code addresses, or 0 */
	enum dph_opcode_form opcode;
};

/* The instruction set of the CPU with this number (enum dp_isa). Null: the CPU has no such one. */
const struct dph_isa *dph_isa_numbered(const struct dph_cpu *cpu, unsigned number);

/* Return the instruction sets of the CPU. Bit n: number n (enum dp_isa). */
unsigned dph_isas_of(const struct dph_cpu *cpu);

/* The instruction set of an address that nothing else is known of. */
const struct dph_isa *dph_isa_usual(const struct dph_cpu *cpu);

/* Return whether the name is that of a mapping symbol of the CPU: "$t", "$d.17", "$xrv32i2p1".
 * isa: receives the instruction set that follows the symbol; null: data. */
bool dph_isa_mapped(const struct dph_cpu *cpu, const char *name, const struct dph_isa **isa);

/* The instruction set that a bit of the code address names. Null: the address names none. */
const struct dph_isa *dph_isa_addressed(const struct dph_cpu *cpu, uint64_t address);

/* Return the name of an instruction set for reports. Null: the CPU's usual one, or unknown.
 * cpu: may be null. */
const char *dph_isa_mark(const struct dph_cpu *cpu, unsigned number);

/* Return the bytes of the instruction that begins with these isa->unit bytes; 0: the first unit
 * does not decide.
 * big: byte order of the code. */
unsigned dph_insn_bytes(const struct dph_isa *isa, const uint8_t *bytes, bool big);

/* Return whether every instruction of the CPU has the same length, so that alignment alone tells
 * where instructions begin. */
bool dph_isa_one_length(const struct dph_cpu *cpu);

/* Bytes of the opcode of an instruction of insn_bytes (0: unknown) bytes. */
unsigned dph_opcode_bytes(const struct dph_isa *isa, unsigned insn_bytes);

/* The opcode that `count` bytes of code are; count: dph_opcode_bytes. */
uint32_t dph_opcode(const struct dph_isa *isa, const uint8_t *bytes, unsigned count, bool big);

#endif
