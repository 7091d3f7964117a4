/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds the callers of a function in recorded registers and stack memory. */
#include "unwind.h"

#include "debuginfo.h"
#include "frame.h"
#include "steps_run.h"

#include "tables/isas.h"

#include <stdlib.h>
#include <string.h>

/* A register by its name in every CPU's table; UINT32_MAX: none. */
static uint32_t register_named(const struct dph_unwind *u, const char *name)
{
	const struct dp_reg *reg =
		u->debug->cpu ? dph_reg_named(u->debug->cpu, name, strlen(name)) : NULL;
	return reg && reg->index < DPH_UNWIND_REGISTERS ? reg->index : UINT32_MAX;
}

/* The bit that names an instruction set is no part of the address. */
static uint64_t plain_address(const struct dph_unwind *u, uint64_t address)
{
	const struct dph_isa *isa =
		u->debug->cpu ? dph_isa_addressed(u->debug->cpu, address) : NULL;
	return isa ? address & ~isa->address_bit : address;
}

bool dph_unwind_begin(struct dph_unwind *u)
{
	const uint32_t pc = register_named(u, "pc"), sp = register_named(u, "sp");
	if (pc == UINT32_MAX || sp == UINT32_MAX || !u->known[pc] || !u->known[sp])
		return dph_unwind_fail(u, "the program counter is not recorded");
	u->pc = plain_address(u, u->values[pc]);
	u->depth = 0;
	u->called = false;
	return true;
}

uint64_t dph_unwind_place(const struct dph_unwind *u)
{
	return u->called && u->pc ? u->pc - 1 : u->pc;
}

/* A register of the caller. Returns false: it is not known, or with `why` damaged. */
static bool caller_value(struct dph_unwind *u, const struct dph_frame_rule *rule, uint32_t own,
			 uint64_t cfa, uint64_t *value)
{
	const uint32_t reg = rule->kind == DPH_FRAME_REGISTER ? rule->reg : own;
	const unsigned bytes = u->debug->word_bytes;
	switch (rule->kind) {
	case DPH_FRAME_UNDEFINED:
		return false;
	case DPH_FRAME_SAVED:
		return dph_unwind_word(u, cfa + (uint64_t)rule->offset, bytes, value);
	case DPH_FRAME_OFFSET:
		*value = cfa + (uint64_t)rule->offset;
		return true;
	case DPH_FRAME_MEMORY:
		return rule->steps.count && dph_steps_run(u, rule->steps, value) &&
		       dph_unwind_word(u, *value, bytes, value);
	case DPH_FRAME_VALUE:
		return rule->steps.count && dph_steps_run(u, rule->steps, value);
	default:
		if (reg >= DPH_UNWIND_REGISTERS || !u->known[reg])
			return false;
		*value = u->values[reg];
		return true;
	}
}

/* The address that the function returns to. Returns false: none, or with `why` not known. */
static bool return_address(struct dph_unwind *u, const struct dph_frame *frame, uint64_t cfa,
			   uint64_t *address)
{
	if (frame->return_column >= DPH_FRAME_REGISTERS)
		return dph_unwind_fail(u, "the call frame information is damaged");
	const struct dph_frame_rule *rule = &frame->rules[frame->return_column];
	const uint32_t own = dph_dwarf_register(u->debug, frame->return_column);
	if (rule->kind == DPH_FRAME_UNDEFINED)
		return false;
	if ((rule->kind == DPH_FRAME_UNKNOWN || rule->kind == DPH_FRAME_SAME) && u->called)
		return dph_unwind_fail(u, "the function has called another one, and has not saved "
					  "its own return address");
	if (!caller_value(u, rule, own, cfa, address))
		return u->why[0] ? false
				 : dph_unwind_fail(u, "the register of its return address is not "
						      "recorded");
	*address = plain_address(u, *address);
	return *address != 0;
}

/* Registers of the caller by the rules. One that is not in the recorded memory is not known. */
static void take_registers(struct dph_unwind *u, const struct dph_frame *frame, uint64_t cfa)
{
	struct dph_unwind *old = dph_malloc(sizeof(*old));
	const uint32_t sp = register_named(u, "sp");
	*old = *u;
	for (unsigned number = 0; number < DPH_FRAME_REGISTERS; number++) {
		const uint32_t own = dph_dwarf_register(u->debug, number);
		if (own >= DPH_UNWIND_REGISTERS)
			continue;
		const struct dph_frame_rule *rule = &frame->rules[number];
		const bool plain = rule->kind == DPH_FRAME_UNKNOWN || rule->kind == DPH_FRAME_SAME;
		uint64_t value = cfa;
		u->known[own] = (own == sp && plain) || caller_value(old, rule, own, cfa, &value);
		u->values[own] = value;
	}
	free(old);
}

static bool next(struct dph_unwind *u)
{
	struct dph_frame frame;
	const char *why = "";
	const uint32_t sp = register_named(u, "sp");
	uint64_t cfa = 0, address = 0;
	if (!dph_is_code(u->debug, u->pc))
		return dph_unwind_fail(u, "0x%llx is not code of the firmware",
				       (unsigned long long)u->pc);
	if (!dph_frame_at(u->debug, dph_unwind_place(u), &frame, &why))
		return dph_unwind_fail(u, "%s", why);
	if (!dph_steps_run(u, frame.cfa, &cfa) || !return_address(u, &frame, cfa, &address))
		return false;
	if (u->called && cfa <= u->values[sp])
		return dph_unwind_fail(u, "its frame ends at 0x%llx, and does not grow",
				       (unsigned long long)cfa);
	take_registers(u, &frame, cfa);
	u->pc = address;
	u->called = !frame.signal;
	u->depth++;
	return true;
}

bool dph_unwind_next(struct dph_unwind *u)
{
	/* Rules are made anew for each frame, and not kept. */
	struct dph_pool kept = u->debug->pool;
	u->debug->pool = (struct dph_pool){0};
	u->why[0] = '\0';
	u->wanted = 0;
	const bool found = next(u);
	dph_pool_free(&u->debug->pool);
	u->debug->pool = kept;
	return found;
}
