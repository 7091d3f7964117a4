/* SPDX-License-Identifier: BSD-2-Clause */
/* Refusals by a decoder. If targets differ, the architecture that refuses least decides. */
#include "refuse.h"

/* What the instruction at an address has to do with delay slots. FITS_NOT: there is none. */
static enum dp_delay delay_at(const struct dph_code *code, uint64_t address)
{
	struct dp_insn insn;
	return dph_insn_read(code, address, &insn)
		       ? code->decoder->delay(&insn, code->decoder->architecture)
		       : DP_DELAY_FITS_NOT;
}

/* A delay slot takes its branch along: is one of the two not stepped with the other? */
static bool bad_delay_slot(const struct dph_code *code, const struct dp_insn *insn)
{
	const enum dp_delay here = delay_at(code, insn->address);
	const enum dp_delay before = delay_at(code, insn->address - insn->count);
	if (before >= DP_DELAY_STEPPED && (here == DP_DELAY_STEPPED || before != DP_DELAY_STEPPED))
		return true;
	return here == DP_DELAY_STEPPED &&
	       delay_at(code, insn->address + insn->count) != DP_DELAY_FITS;
}

/* Is the address between a load that reserves and its store? */
static bool in_window(const struct dph_code *code, uint64_t address)
{
	unsigned open = 0;
	struct dp_insn insn;
	for (uint64_t at = code->from; at < address && dph_insn_read(code, at, &insn);
	     at += insn.count)
		open = dp_windows_behind(open, code->decoder->window(&insn));
	return open != 0;
}

enum dp_err dph_refuse_at(const struct dph_code *code, uint64_t address, enum dp_refusal *why)
{
	const struct dp_decoder *decoder = code->decoder;
	struct dp_insn insn;
	bool whole;
	*why = DP_REFUSE_NOTHING;
	if (!decoder)
		return DP_ERR_OK;
	whole = dph_insn_read(code, address, &insn);
	if (insn.count)
		*why = decoder->refusal(&insn, decoder->architecture);
	if (*why != DP_REFUSE_NOTHING)
		return DP_ERR_NOT_PROBEABLE;
	if (!whole)
		return DP_ERR_OK;
	if (decoder->delay && bad_delay_slot(code, &insn))
		return DP_ERR_BAD_DELAY_SLOT;
	return in_window(code, address) ? DP_ERR_IN_ATOMIC : DP_ERR_OK;
}

bool dph_runs_in_slot(const struct dph_code *code, uint64_t address)
{
	struct dp_insn insn;
	return code->decoder && dph_insn_read(code, address, &insn) &&
	       code->decoder->in_slot(&insn, code->decoder->architecture);
}
