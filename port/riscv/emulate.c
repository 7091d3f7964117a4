/* SPDX-License-Identifier: BSD-2-Clause */
/* The emulator performs instructions on the saved registers. Unprivileged ISA 2.4, 2.5, 16;
 * Privileged ISA 3.1.6 */
#include "riscv_port.h"

static unsigned field_rd(uint32_t insn)
{
	return insn >> 7 & 31;
}

static unsigned field_rs1(uint32_t insn)
{
	return insn >> 15 & 31;
}

/* The registers of three bits are x8 to x15. */
static unsigned field_rs1_short(uint32_t insn)
{
	return 8 + (insn >> 7 & 7);
}

static dp_word extended(int32_t value)
{
	return (dp_word)(dp_sword)value;
}

static void put(struct dp_frame *frame, unsigned rd, dp_word value)
{
	frame->x[rd] = value;
	frame->x[0] = 0;
}

/* --- branches --- */

/* funct3: eq ne - - lt ge ltu geu */
static bool compares(unsigned funct3, dp_word a, dp_word b)
{
	const dp_word sign = (dp_word)1 << (DP_WORD_BITS - 1);
	bool holds;

	switch (funct3 >> 1) {
	case 0:
		holds = a == b;
		break;
	case 2:
		holds = (a ^ sign) < (b ^ sign);
		break;
	default:
		holds = a < b;
		break;
	}
	return holds != (funct3 & 1);
}

bool dp_riscv_taken(uint32_t insn, unsigned class, const struct dp_frame *frame)
{
	if (class == DP_RISCV_BRANCH)
		return compares(insn >> 12 & 7, frame->x[field_rs1(insn)],
				frame->x[insn >> 20 & 31]);
	if (class == DP_RISCV_C_BRANCH)
		return (frame->x[field_rs1_short(insn)] == 0) == !(insn >> 13 & 1);
	return true;
}

static unsigned link_of(uint32_t insn, unsigned class)
{
	if (class == DP_RISCV_JAL || class == DP_RISCV_JALR)
		return field_rd(insn);
	return class == DP_RISCV_C_JAL || class == DP_RISCV_C_JALR ? DP_RISCV_RA : 0;
}

static dp_word target_of(uint32_t insn, unsigned class, const struct dp_frame *frame)
{
	const dp_word even = ~(dp_word)1;

	switch (class) {
	case DP_RISCV_JALR:
		return (frame->x[field_rs1(insn)] + extended((int32_t)insn >> 20)) & even;
	case DP_RISCV_C_JR:
	case DP_RISCV_C_JALR:
		return frame->x[field_rd(insn)] & even;
	default:
		return frame->pc + extended(dp_riscv_distance(insn, class));
	}
}

/* The target is read before the link is written. Without 16-bit instructions a target between two
 * words faults, and the link stays. */
static enum dp_riscv_emulated go(const struct dp_site *site, struct dp_frame *frame)
{
	const uint32_t insn = site->original;
	const unsigned class = site->port.detail;
	const dp_word next = frame->pc + site->insn_bytes;
	dp_word target = next;

	if (dp_riscv_taken(insn, class, frame))
		target = target_of(insn, class, frame);
	if (target & (DP_RISCV_TRAP_BYTES - 1)) {
		frame->mcause = DP_CAUSE_MISALIGNED;
		frame->mtval = target;
		return DP_RISCV_FAULTS;
	}
	frame->pc = target;
	put(frame, link_of(insn, class), next);
	return DP_RISCV_EMULATED;
}

/* --- registers of the machine --- */

/* What a csrrw, csrrs, csrrc or immediate form leaves in the register. */
static dp_word changed(uint32_t insn, dp_word old, const struct dp_frame *frame)
{
	const dp_word operand = insn & 0x4000 ? field_rs1(insn) : frame->x[field_rs1(insn)];

	switch (insn >> 12 & 3) {
	case 1:
		return operand;
	case 2:
		return old | operand;
	default:
		return old & ~operand;
	}
}

/* mret takes MIE from MPIE. MPP is the mode that goes on. */
static void write_status(struct dp_frame *frame, dp_word value)
{
	const dp_word of_trap = DP_STATUS_MIE | DP_STATUS_MPIE | DP_STATUS_MPP;

	frame->mstatus = (value & ~of_trap) | (frame->mstatus & DP_STATUS_MPP) |
			 (value & DP_STATUS_MIE ? DP_STATUS_MPIE : 0);
}

static dp_word firmware_vector(void)
{
	dp_word mtvec;

	if (dp_riscv->veneer != NULL)
		return dp_riscv->veneer->mtvec;
	DP_RISCV_GET(mtvec, DP_CSR_MTVEC);
	return mtvec;
}

static void machine_state(const struct dp_site *site, struct dp_frame *frame)
{
	const uint32_t insn = site->original;
	const bool status = site->port.detail == DP_RISCV_STATUS;
	const dp_word old = status ? dp_riscv_status(frame) : firmware_vector();

	if (status && dp_riscv_writes_csr(insn))
		write_status(frame, changed(insn, old, frame));
	put(frame, field_rd(insn), old);
	frame->pc += site->insn_bytes;
}

enum dp_riscv_emulated dp_riscv_emulate(const struct dp_site *site, struct dp_frame *frame)
{
	if (site->port.detail >= DP_RISCV_JAL)
		return go(site, frame);
	if (site->port.detail == DP_RISCV_AUIPC) {
		put(frame, field_rd(site->original),
		    frame->pc + extended((int32_t)(site->original & 0xfffff000)));
		frame->pc += site->insn_bytes;
		return DP_RISCV_EMULATED;
	}
	if (!dp_riscv_in_m_mode(frame))
		return DP_RISCV_IN_SLOT;
	machine_state(site, frame);
	return DP_RISCV_EMULATED;
}
