/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of instruction sets holds the rows DP_CODE and DP_INSN of port/ports.def. */
#include "isas.h"

#include "dp_object.h"
#include "registers.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define DP_CODE(isa, name, mapping, align, unit, address_bit, opcode)                              \
	{DP_ROWS_OF, DP_ISA_##isa, name, mapping, align, unit, address_bit, DPH_OPCODE_##opcode},
static const struct dph_isa isas[] = {
#include "ports.def"
};

#define DP_INSN(isa, mask, value, bytes) {DP_ROWS_OF, DP_ISA_##isa, bytes, mask, value},
static const struct length {
	uint8_t cpu, isa, bytes;
	uint32_t mask, value;
} lengths[] = {
#include "ports.def"
};

#define DP_CODE(isa, name, mapping, align, unit, address_bit, opcode)                              \
	_Static_assert((unit) <= DPH_UNIT_MAX, "isas.h");
#include "ports.def"

const struct dph_isa *dph_isa_numbered(const struct dph_cpu *cpu, unsigned number)
{
	for (size_t i = 0; i < COUNT(isas); i++)
		if (isas[i].cpu == cpu->number && isas[i].number == number)
			return &isas[i];
	return NULL;
}

unsigned dph_isas_of(const struct dph_cpu *cpu)
{
	unsigned isas_of = 0;
	for (size_t i = 0; i < COUNT(isas); i++)
		if (isas[i].cpu == cpu->number)
			isas_of |= 1u << isas[i].number;
	return isas_of;
}

const struct dph_isa *dph_isa_usual(const struct dph_cpu *cpu)
{
	size_t i = 0;
	while (isas[i].cpu != cpu->number)
		i++;
	return &isas[i]; /* every CPU has one: kinds.c */
}

/* The instruction set with this letter of mapping symbols. Null: none. */
static const struct dph_isa *of_letter(const struct dph_cpu *cpu, char letter)
{
	for (size_t i = 0; i < COUNT(isas); i++)
		if (isas[i].cpu == cpu->number && letter && isas[i].mapping == letter)
			return &isas[i];
	return NULL;
}

/* Is this the name of an architecture, behind the letter? "rv32i2p1_m2p0" */
static bool is_architecture(const char *tail)
{
	return strncmp(tail, "rv32", 4) == 0 || strncmp(tail, "rv64", 4) == 0;
}

bool dph_isa_mapped(const struct dph_cpu *cpu, const char *name, const struct dph_isa **isa)
{
	const bool plain = name[0] == '$' && name[1] && (!name[2] || name[2] == '.');

	*isa = NULL;
	if (plain || (name[0] == '$' && name[1] && is_architecture(name + 2)))
		*isa = of_letter(cpu, name[1]);
	return *isa || (plain && name[1] == 'd' && dph_isa_usual(cpu)->mapping);
}

const struct dph_isa *dph_isa_addressed(const struct dph_cpu *cpu, uint64_t address)
{
	for (size_t i = 0; i < COUNT(isas); i++)
		if (isas[i].cpu == cpu->number && (isas[i].address_bit & address))
			return &isas[i];
	return NULL;
}

const char *dph_isa_mark(const struct dph_cpu *cpu, unsigned number)
{
	const struct dph_isa *isa = cpu ? dph_isa_numbered(cpu, number) : NULL;
	return isa && isa != dph_isa_usual(cpu) ? isa->name : NULL;
}

static uint32_t unit_at(const struct dph_isa *isa, const uint8_t *bytes, bool big)
{
	uint32_t value = 0;
	for (unsigned i = 0; i < isa->unit; i++)
		value = value << 8 | bytes[big ? i : isa->unit - 1 - i];
	return value;
}

unsigned dph_insn_bytes(const struct dph_isa *isa, const uint8_t *bytes, bool big)
{
	uint32_t first = unit_at(isa, bytes, big);
	for (size_t i = 0; i < COUNT(lengths); i++)
		if (lengths[i].cpu == isa->cpu && lengths[i].isa == isa->number &&
		    (first & lengths[i].mask) == lengths[i].value)
			return lengths[i].bytes;
	return 0;
}

unsigned dph_opcode_bytes(const struct dph_isa *isa, unsigned insn_bytes)
{
	if (isa->opcode == DPH_OPCODE_FIRST || insn_bytes < isa->unit)
		return isa->unit;
	return insn_bytes < DPH_OPCODE_MAX ? insn_bytes : DPH_OPCODE_MAX;
}

bool dph_isa_one_length(const struct dph_cpu *cpu)
{
	unsigned bytes = 0;
	for (size_t i = 0; i < COUNT(lengths); i++) {
		if (lengths[i].cpu != cpu->number)
			continue;
		if (lengths[i].bytes == 0 || (bytes && bytes != lengths[i].bytes))
			return false;
		bytes = lengths[i].bytes;
	}
	return bytes != 0;
}

uint32_t dph_opcode(const struct dph_isa *isa, const uint8_t *bytes, unsigned count, bool big)
{
	uint32_t value = 0;
	for (unsigned at = 0; at + isa->unit <= count; at += isa->unit) {
		uint32_t unit = unit_at(isa, bytes + at, big);
		value = isa->opcode == DPH_OPCODE_LOW ? value | unit << 8 * at
			: at == 0                     ? unit
						      : value << 8 * isa->unit | unit;
	}
	return value;
}
