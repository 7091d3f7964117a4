/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of returns. */
#include "returns.h"

#include "dp_object.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* In the order of cpu.def: the first row that matches decides. */
#define DP_RETURN(isa, bytes, mask, value, phase)                                                  \
	{DP_ROWS_OF, DP_ISA_##isa, bytes, mask, value, DPH_EXIT_RETURN, DP_PHASE_##phase},
#define DP_AWAY(isa, bytes, mask, value, way)                                                      \
	{DP_ROWS_OF, DP_ISA_##isa, bytes, mask, value, DPH_EXIT_##way, DP_PHASE_BEFORE},
static const struct row {
	uint8_t cpu, isa, bytes;
	uint32_t mask, value;
	enum dph_exit_kind kind;
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

/* The number of the rows. An opcode of the first unit alone does not tell an instruction. */
static uint32_t number_of(const struct dph_isa *isa, const struct dp_insn *insn)
{
	const unsigned all = isa->opcode == DPH_OPCODE_FIRST ? insn->count : 0;
	uint32_t number = 0;
	for (unsigned i = 0; i < all && i < sizeof number; i++)
		number = number << 8 | insn->bytes[i];
	return all ? number
		   : dph_opcode(isa, insn->bytes, dph_opcode_bytes(isa, insn->count),
				insn->big_endian);
}

static const struct row *row_of(const struct dph_isa *isa, const struct dp_insn *insn)
{
	const uint32_t opcode = number_of(isa, insn);
	for (size_t i = 0; i < COUNT(rows); i++)
		if (rows[i].cpu == isa->cpu && rows[i].isa == isa->number &&
		    rows[i].bytes == insn->count && (opcode & rows[i].mask) == rows[i].value)
			return &rows[i];
	return NULL;
}

static uint64_t in_words_of(const struct dp_insn *insn, uint64_t address)
{
	return insn->word_bits == 32 ? (uint32_t)address : address;
}

struct dph_exit dph_exit_of(const struct dph_isa *isa, const struct dp_insn *insn)
{
	const struct dp_decoder *decoder = dph_decoder_of(isa->cpu);
	const struct row *row = row_of(isa, insn);
	struct dph_exit exit = {.kind = DPH_EXIT_NONE};
	uint64_t target;
	if (decoder && decoder->jump(insn, &target)) {
		exit.kind = DPH_EXIT_BRANCH;
		exit.target = in_words_of(insn, target);
	} else if (row) {
		exit.kind = row->kind;
		exit.phase = row->phase;
	}
	if (decoder && decoder->condition && exit.kind != DPH_EXIT_NONE)
		exit.condition = decoder->condition(insn);
	return exit;
}

bool dph_exits_known(const struct dph_isa *isa)
{
	for (size_t i = 0; i < COUNT(rows); i++)
		if (rows[i].cpu == isa->cpu && rows[i].isa == isa->number &&
		    rows[i].kind == DPH_EXIT_RETURN)
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
