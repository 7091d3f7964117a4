/* SPDX-License-Identifier: BSD-2-Clause */
/* A trap overwrites mepc, mcause, mtval and two fields of mstatus. This file finds the code in
 * which a trap handler of the firmware still needs them: a probe there would destroy them.
 * Privileged ISA 3.1.6.1, 3.1.14 to 3.1.16 */
#include "riscv_port.h"

enum {
	DP_WALK_MAX = 192 /* instructions of a handler until all is saved, or behind a restore */
};

/* A walk through code as it is executed when no branch is taken. */
struct walk {
	dp_word at;
	uint32_t insn; /* the one at `at` */
	unsigned bytes;
};

static bool read_by(dp_original_at original_at, struct walk *w)
{
	uint8_t byte[4] = {0};

	if (!original_at(w->at, byte, 2))
		return false;
	w->bytes = dp_riscv_bytes(byte[0]);
	if (w->bytes == 0 || (w->bytes == 4 && !original_at(w->at + 2, byte + 2, 2)))
		return false;
	w->insn = byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 |
		  (uint32_t)byte[3] << 24;
	return true;
}

static bool is_mret(uint32_t insn)
{
	return insn == 0x30200073;
}

/* mepc mcause mtval mstatus */
static bool is_of_trap(unsigned csr)
{
	return (csr >= DP_CSR_MEPC && csr <= DP_CSR_MTVAL) || csr == DP_CSR_MSTATUS;
}

/* Does the instruction read a register that a trap overwrites? */
static bool saves(uint32_t insn)
{
	return dp_riscv_is_csr(insn) && is_of_trap(dp_riscv_csr(insn)) && (insn >> 7 & 31) != 0;
}

/* Does the instruction write mepc or mstatus for an mret? The immediate forms reach MIE alone. */
static bool restores(uint32_t insn)
{
	return dp_riscv_is_csr(insn) && dp_riscv_writes_csr(insn) && !(insn & 0x4000) &&
	       (dp_riscv_csr(insn) == DP_CSR_MEPC || dp_riscv_csr(insn) == DP_CSR_MSTATUS);
}

/* Go on behind the instruction, to the target of a direct jump or call. Returns false where control
 * leaves for an address of a register. */
static bool step(struct walk *w)
{
	const struct dp_riscv_plan plan = dp_riscv_decode(w->insn, dp_riscv->cpu);
	const bool emulated = plan.action == DP_RISCV_EMULATE;

	if (emulated && (plan.detail == DP_RISCV_JAL || plan.detail == DP_RISCV_C_J ||
			 plan.detail == DP_RISCV_C_JAL)) {
		w->at += (dp_word)(dp_sword)dp_riscv_distance(w->insn, plan.detail);
		return true;
	}
	w->at += w->bytes;
	return !(emulated && (plan.detail == DP_RISCV_JALR || plan.detail == DP_RISCV_C_JR ||
			      plan.detail == DP_RISCV_C_JALR)) &&
	       !is_mret(w->insn);
}

static void note(dp_word start, dp_word end)
{
	struct dp_riscv_stretch *s = &dp_riscv->stretch[dp_riscv->stretches];

	if (start == end || dp_riscv->stretches == DP_RISCV_STRETCHES)
		return;
	s->start = start;
	s->end = end;
	dp_riscv->stretches++;
}

/* At attach no probe is in the text. */
static bool plain_at(dp_addr address, uint8_t *bytes, unsigned count)
{
	return dp_access_load(address, count, bytes);
}

/* The number of instructions up to the last one that saves. A handler that reaches mret without it
 * needs the registers all the time. */
static unsigned length_of(dp_word handler)
{
	struct walk w = {.at = handler};
	unsigned count = 0;
	bool mepc = false, on = true;

	for (unsigned i = 1; on && i <= DP_WALK_MAX && read_by(plain_at, &w); i++) {
		if (saves(w.insn) || (is_mret(w.insn) && !mepc))
			count = i;
		mepc |= saves(w.insn) && dp_riscv_csr(w.insn) == DP_CSR_MEPC;
		on = step(&w);
	}
	return count;
}

void dp_riscv_note_handler(dp_word handler)
{
	struct walk w = {.at = handler};
	dp_word start = handler, end = handler;

	for (unsigned left = length_of(handler); left > 0 && read_by(plain_at, &w); left--) {
		end = w.at + w.bytes;
		(void)step(&w);
		if (w.at != end) {
			note(start, end);
			start = end = w.at;
		}
	}
	note(start, end);
}

bool dp_riscv_writes_mscratch(dp_word handler)
{
	struct walk w = {.at = handler};

	for (unsigned i = 0; i < DP_WALK_MAX && read_by(plain_at, &w); i++) {
		if (dp_riscv_is_csr(w.insn) && dp_riscv_csr(w.insn) == DP_CSR_MSCRATCH &&
		    dp_riscv_writes_csr(w.insn))
			return true;
		if (!step(&w))
			return false;
	}
	return false;
}

/* Does the code behind the site reach mret before another jump? */
static bool reaches_mret(const struct dp_site *site, dp_original_at original_at)
{
	struct walk w = {.at = site->address};

	for (unsigned i = 0; i < DP_WALK_MAX && read_by(original_at, &w); i++) {
		if (is_mret(w.insn))
			return true;
		if (!step(&w))
			return false;
	}
	return false;
}

/* Does the code before the site restore? Without a known extent an instruction may begin at each
 * half. */
static bool has_restored(const struct dp_site *site, dp_original_at original_at)
{
	const bool exact = dp_site_extent_known(site);
	struct walk w = {.at = dp_site_scan_from(site)};
	bool restored = false;

	while (w.at < site->address) {
		bool there = read_by(original_at, &w);

		if (there && (restores(w.insn) || is_mret(w.insn)))
			restored = restores(w.insn);
		w.at += exact && there ? w.bytes : DP_RISCV_TRAP_BYTES;
	}
	return restored;
}

bool dp_riscv_state_is_live(const struct dp_site *site, dp_original_at original_at)
{
	for (unsigned i = 0; i < dp_riscv->stretches; i++)
		if (site->address - dp_riscv->stretch[i].start <
		    dp_riscv->stretch[i].end - dp_riscv->stretch[i].start)
			return true;
	return reaches_mret(site, original_at) && has_restored(site, original_at);
}
