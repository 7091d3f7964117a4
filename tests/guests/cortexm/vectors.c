/* SPDX-License-Identifier: BSD-2-Clause */
/* Independent vectors, tests/port/vectors/cortexm.txt: what depends on the CPU. */
#include "checks.h"
#include "oracle.h"

#define UNDEFINED  0x10000u /* CFSR of what stands around an instruction */
#define APSR_FLAGS 0xf8000000u

/* cbz, cbnz, it, and what has 32 bits: not on ARMv6-M. */
bool has_vector_of(const uint32_t *insn, unsigned count)
{
	(void)count;
	return DP_CORTEXM_HAS_FAULTS ||
	       ((insn[0] & 0xffff) < 0xe800 && (insn[0] & 0xf500) != 0xb100);
}

void vector_before(struct state *s)
{
	(void)s;
}

bool is_vector_end(const struct state *wanted, const struct state *end)
{
	const uint32_t status = wanted->cfsr ? wanted->cfsr : UNDEFINED;

	return end->pc == wanted->pc && ((end->xpsr ^ wanted->xpsr) & APSR_FLAGS) == 0 &&
	       end->primask == wanted->primask && end->basepri == wanted->basepri &&
	       (!DP_CORTEXM_HAS_FAULTS || end->cfsr == status);
}
