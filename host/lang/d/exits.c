/* SPDX-License-Identifier: BSD-2-Clause */
/* Probe points where a function is left: its returns, and branches to another function. The walk
 * goes from instruction to instruction; data among the code is passed. */
#include "exits.h"

#include "symbols/elf_image.h"
#include "symbols/insn_walk.h"
#include "tables/returns.h"

/* Is this the set of the instruction at the address, and no data? */
static bool is_code(const struct dp_image *image, const struct dph_isa *isa, uint64_t address)
{
	const struct dph_isa *found = NULL;
	uint64_t start;
	return dph_image_code(image, address, &start, &found) == DPH_CODE_INSNS &&
	       (!found || found->number == isa->number);
}

bool dph_d_exits(const struct d_front *d, const struct dp_symbol *function, dph_d_exit *visit,
		 void *context)
{
	const struct dph_cpu *cpu = d->cpu;
	const struct dph_isa *isa = cpu ? dph_isa_numbered(cpu, function->isa) : NULL;
	const uint64_t end = function->value + function->bytes;
	struct dp_image_info info;
	dp_image_info(d->image, &info);
	if (!isa || !dph_exits_known(isa))
		return false;
	for (uint64_t at = function->value; at < end;) {
		uint32_t opcode = 0;
		uint64_t target = at - info.moved; /* the file has linked addresses */
		unsigned phase = 0;
		const unsigned bytes =
			is_code(d->image, isa, at) ? dph_opcode_at(d->image, isa, at, &opcode) : 0;
		const enum dph_exit_kind kind =
			bytes ? dph_exit_of(isa, opcode, bytes, at - info.moved, &phase, &target)
			      : DPH_EXIT_NONE;
		const bool away = target - (function->value - info.moved) >= function->bytes;
		if (kind == DPH_EXIT_RETURN || (kind == DPH_EXIT_BRANCH && away))
			visit(context, at, kind == DPH_EXIT_BRANCH, phase);
		at += bytes ? bytes : isa->align;
	}
	return true;
}
