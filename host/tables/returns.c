/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of returns. */
#include "returns.h"

#include "dp_object.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define DP_RETURN(isa, bytes, mask, value, phase)                                                  \
	{DP_ROWS_OF, DP_ISA_##isa, bytes, mask, value, DP_PHASE_##phase},
static const struct row {
	uint8_t cpu, isa, bytes;
	uint32_t mask, value;
	unsigned phase;
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

enum dph_exit_kind dph_exit_of(const struct dph_isa *isa, const struct dp_insn *insn,
			       unsigned *phase, uint64_t *target)
{
	const struct dp_decoder *decoder = dph_decoder_of(isa->cpu);
	const unsigned count = dph_opcode_bytes(isa, insn->count);
	const uint32_t opcode = dph_opcode(isa, insn->bytes, count, insn->big_endian);
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct row *row = &rows[i];
		if (row->cpu != isa->cpu || row->isa != isa->number || row->bytes != insn->count ||
		    (opcode & row->mask) != row->value)
			continue;
		*phase = row->phase;
		return DPH_EXIT_RETURN;
	}
	return decoder && decoder->jump(insn, target) ? DPH_EXIT_BRANCH : DPH_EXIT_NONE;
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
