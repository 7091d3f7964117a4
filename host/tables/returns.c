/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of returns. */
#include "returns.h"

#include "dp_object.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum form {
	FORM_A24,
	FORM_T11,
	FORM_T24,
	FORM_J26,
	FORM_I24
};

#define DP_RETURN(isa, bytes, mask, value, phase)                                                  \
	{DP_ROWS_OF, DP_ISA_##isa, bytes, mask, value, true, DP_PHASE_##phase},
#define DP_LEAVE(isa, bytes, mask, value, form)                                                    \
	{DP_ROWS_OF, DP_ISA_##isa, bytes, mask, value, false, FORM_##form},
static const struct row {
	uint8_t cpu, isa, bytes;
	uint32_t mask, value;
	bool returns;
	unsigned detail; /* phase or form */
} rows[] = {
#include "ports.def"
};

#define DP_THROUGH(isa, begin, end) {DP_ROWS_OF, DP_ISA_##isa, begin, end},
static const struct routine {
	unsigned cpu, isa;
	const char *begin, *end;
} routines[] = {
#include "ports.def"
};

/* The low `bits` bits of a number, with their sign. */
static int64_t signed_bits(uint32_t value, unsigned bits)
{
	const uint64_t sign = (uint64_t)1 << (bits - 1);
	const uint64_t low = value & (((uint64_t)1 << bits) - 1);
	return (int64_t)((low ^ sign) - sign);
}

/* Imm25 of T4's B: S:I1:I2:imm10:imm11:0 with I = NOT(J EOR S). DDI 0406, A8.8.18. */
static int64_t thumb_offset(uint32_t opcode)
{
	const uint32_t s = opcode >> 26 & 1, j1 = opcode >> 13 & 1, j2 = opcode >> 11 & 1;
	const uint32_t i1 = !(j1 ^ s), i2 = !(j2 ^ s);
	return signed_bits(s << 24 | i1 << 23 | i2 << 22 | (opcode >> 16 & 0x3ff) << 12 |
				   (opcode & 0x7ff) << 1,
			   25);
}

static uint64_t target_of(enum form form, uint32_t opcode, uint64_t address)
{
	switch (form) {
	case FORM_A24:
		return address + 8 + (uint64_t)(signed_bits(opcode, 24) * 4);
	case FORM_T11:
		return address + 4 + (uint64_t)(signed_bits(opcode, 11) * 2);
	case FORM_T24:
		return address + 4 + (uint64_t)thumb_offset(opcode);
	case FORM_J26:
		return ((address + 4) & ~(uint64_t)0x0fffffff) | (opcode & 0x03ffffff) << 2;
	case FORM_I24:
		return address + (uint64_t)signed_bits(opcode & 0x03fffffc, 26);
	}
	return address;
}

enum dph_exit_kind dph_exit_of(const struct dph_isa *isa, uint32_t opcode, unsigned bytes,
			       uint64_t address, unsigned *phase, uint64_t *target)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct row *row = &rows[i];
		if (row->cpu != isa->cpu || row->isa != isa->number || row->bytes != bytes ||
		    (opcode & row->mask) != row->value)
			continue;
		if (row->returns)
			*phase = row->detail;
		else
			*target = target_of((enum form)row->detail, opcode, address);
		return row->returns ? DPH_EXIT_RETURN : DPH_EXIT_BRANCH;
	}
	return DPH_EXIT_NONE;
}

bool dph_exits_known(const struct dph_isa *isa)
{
	for (size_t i = 0; i < COUNT(rows); i++)
		if (rows[i].cpu == isa->cpu && rows[i].isa == isa->number)
			return true;
	return false;
}

bool dph_exit_returns(const struct dph_isa *isa, const char *name)
{
	const size_t bytes = strlen(name);
	for (size_t i = 0; i < COUNT(routines); i++) {
		const struct routine *routine = &routines[i];
		const size_t begin = strlen(routine->begin), end = strlen(routine->end);
		if (routine->cpu == isa->cpu && routine->isa == isa->number &&
		    bytes > begin + end && strncmp(name, routine->begin, begin) == 0 &&
		    strcmp(name + bytes - end, routine->end) == 0)
			return true;
	}
	return false;
}
