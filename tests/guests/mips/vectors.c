/* SPDX-License-Identifier: BSD-2-Clause */
/* Independent vectors, tests/port/vectors/mips.txt: what depends on the CPU. */
#include "checks.h"
#include "oracle.h"

enum {
	FORCED_EXL = 2
};

/* Can this CPU run it: no FPU, no release 2, and a Status without CU1 on the others? */
bool has_vector_of(const uint32_t *insn, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (!has_fpu && (is_fpu_insn(insn[i]) || insn[i] >> 26 == 0x10))
			return false;
		if (dp_mips_decode(insn[i], dp_mips->release).action == DP_MIPS_REFUSE)
			return false;
	}
	return true;
}

void vector_before(struct state *s)
{
	s->status &= ~(has_fpu ? 0u : 0x20000000u);
}

bool is_vector_end(const struct state *wanted, const struct state *end)
{
	bool fault = (wanted->pc & ~0x180u) == 0x80000000u, ok = true;
	uint32_t unit = has_fpu ? 0 : 0x20000000u;

	ok &= end->status == ((wanted->status & ~unit) | FORCED_EXL);
	ok &= !has_fpu || end->fcr31 == wanted->fcr31;
	/* A fault's EPC is the instruction, or the branch before it; else control met END. */
	ok &= end->pc == (fault ? VECTOR_CODE : wanted->pc);
	ok &= end->cause == (fault ? wanted->cause : 8u << 2);
	/* Only what a vector names is measured. */
	ok &= wanted->badvaddr == 0 || end->badvaddr == wanted->badvaddr;
	return ok;
}
