/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of the ports' decoders. If targets differ, the decoder that refuses least decides. */
#include "refuse.h"

#include "arm/arm_decode.h"
#include "dp_object.h"
#include "mips/mips_decode.h"
#include "ppc/ppc_decode.h"

enum {
	ARM_ARCHITECTURE = 7,
	MIPS_RELEASE = 5,
	NO_SPRG = 0xffff,
	WORD = 4
};

/* The instruction at a place. */
struct insn {
	uint64_t address;
	uint32_t opcode;
	unsigned bytes;
};

static bool fetch(const struct dph_code *code, uint64_t address, struct insn *insn)
{
	insn->address = address;
	insn->bytes = code->opcode(code->context, address, &insn->opcode);
	return insn->bytes != 0;
}

static enum dp_err refused(bool is, unsigned reason, enum dp_refusal *why)
{
	if (!is)
		return DP_ERR_OK;
	*why = (enum dp_refusal)reason;
	return DP_ERR_NOT_PROBEABLE;
}

/* --- one function a port ------------------------------------------------------------------- */

static enum dp_err refuse_arm(const struct dph_code *code, const struct insn *insn,
			      enum dp_refusal *why)
{
	const bool thumb = code->isa->number == DP_ISA_THUMB;
	const struct dp_arm_plan plan =
		dp_arm_decode(insn->opcode, thumb, insn->bytes, ARM_ARCHITECTURE);
	if (thumb && dp_thumb_leaves_for_half_a_word(insn->opcode, (uint32_t)insn->address))
		return refused(true, DP_REFUSE_UNPREDICTABLE, why);
	return refused(plan.action == DP_ARM_REFUSE, plan.detail, why);
}

static int window_arm(const struct dph_code *code, uint32_t opcode)
{
	return dp_arm_window(opcode, code->isa->number == DP_ISA_THUMB);
}

static bool in_slot_arm(const struct dph_code *code, const struct insn *insn)
{
	const bool thumb = code->isa->number == DP_ISA_THUMB;

	return dp_arm_decode(insn->opcode, thumb, insn->bytes, ARM_ARCHITECTURE).action <=
	       DP_ARM_REWRITE;
}

static bool in_slot_mips(const struct dph_code *code, const struct insn *insn)
{
	(void)code;
	return dp_mips_decode(insn->opcode, MIPS_RELEASE).action <= DP_MIPS_TWO_TRAP;
}

static bool in_slot_ppc(const struct dph_code *code, const struct insn *insn)
{
	(void)code;
	return dp_ppc_decode(insn->opcode, NO_SPRG).action <= DP_PPC_TWO_TRAP;
}

/* A delay slot takes its branch along. */
static enum dp_err refuse_mips(const struct dph_code *code, const struct insn *insn,
			       enum dp_refusal *why)
{
	const struct dp_mips_plan plan = dp_mips_decode(insn->opcode, MIPS_RELEASE);
	const bool jump = plan.action == DP_MIPS_JUMP;
	struct insn other;
	if (plan.action == DP_MIPS_REFUSE)
		return refused(true, plan.detail, why);
	if (fetch(code, insn->address - WORD, &other) && dp_mips_has_delay_slot(other.opcode) &&
	    (jump || dp_mips_decode(other.opcode, MIPS_RELEASE).action != DP_MIPS_JUMP))
		return DP_ERR_BAD_DELAY_SLOT;
	if (jump && (!fetch(code, insn->address + WORD, &other) ||
		     dp_mips_decode(other.opcode, MIPS_RELEASE).action >= DP_MIPS_JUMP))
		return DP_ERR_BAD_DELAY_SLOT;
	return DP_ERR_OK;
}

static int window_mips(const struct dph_code *code, uint32_t opcode)
{
	(void)code;
	return dp_mips_opens_window(opcode) - dp_mips_closes_window(opcode);
}

static enum dp_err refuse_ppc(const struct dph_code *code, const struct insn *insn,
			      enum dp_refusal *why)
{
	const struct dp_ppc_plan plan = dp_ppc_decode(insn->opcode, NO_SPRG);
	(void)code;
	return refused(plan.action == DP_PPC_REFUSE, plan.detail, why);
}

static int window_ppc(const struct dph_code *code, uint32_t opcode)
{
	(void)code;
	return dp_ppc_opens_window(opcode) - dp_ppc_closes_window(opcode);
}

/* --- the table ----------------------------------------------------------------------------- */

#define DP_DECODER(name) {DP_ROWS_OF, refuse_##name, window_##name, in_slot_##name},
static const struct port {
	unsigned cpu;
	enum dp_err (*refuse)(const struct dph_code *code, const struct insn *insn,
			      enum dp_refusal *why);
	int (*window)(const struct dph_code *code, uint32_t opcode); /* 1 opens, -1 closes */
	bool (*in_slot)(const struct dph_code *code, const struct insn *insn);
} ports[] = {
#include "ports.def"
};

/* Is the address between a load that reserves and its store? */
static bool in_window(const struct port *port, const struct dph_code *code, uint64_t address)
{
	bool open = false;
	struct insn insn;
	for (uint64_t at = code->from; at < address && fetch(code, at, &insn); at += insn.bytes) {
		const int window = port->window(code, insn.opcode);
		if (window)
			open = window > 0;
	}
	return open;
}

enum dp_err dph_refuse_at(const struct dph_code *code, uint64_t address, enum dp_refusal *why)
{
	*why = DP_REFUSE_NOTHING;
	for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++) {
		const struct port *port = &ports[i];
		struct insn insn;
		enum dp_err error;
		if (port->cpu != code->isa->cpu || !fetch(code, address, &insn))
			continue;
		error = port->refuse(code, &insn, why);
		return error == DP_ERR_OK && in_window(port, code, address) ? DP_ERR_IN_ATOMIC
									    : error;
	}
	return DP_ERR_OK;
}

bool dph_runs_in_slot(const struct dph_code *code, uint64_t address)
{
	struct insn insn;

	for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++)
		if (ports[i].cpu == code->isa->cpu && fetch(code, address, &insn))
			return ports[i].in_slot(code, &insn);
	return false;
}
