/* SPDX-License-Identifier: BSD-2-Clause */
/* Independent vectors, tests/port/vectors/ppc.txt: what depends on the CPU. */
#include "checks.h"
#include "oracle.h"

enum { /* the vector is an IVOR's number on every CPU */
	IVOR_PROGRAM = 6,
	IVOR_ACCESS = 13
};

void vector_before(struct state *s)
{
	s->msr |= TRANSLATION;
}

/* Did it end as measured: by the sc behind it, or by that exception? */
bool is_vector_end(const struct state *wanted, const struct state *end)
{
	uint32_t pc = end->vector == VECTOR_SC ? end->pc - 4 : end->pc;

	if (pc != wanted->pc || (end->msr & ~TRANSLATION) != (wanted->msr & ~TRANSLATION))
		return false;
	switch (wanted->vector) {
	case IVOR_ACCESS:
		return end->vector == VECTOR_ACCESS && end->address == wanted->address;
	case IVOR_PROGRAM:
		return end->vector == VECTOR_PROGRAM;
	default:
		return end->vector == VECTOR_SC;
	}
}

/* In a mapping of one to one, MSR[IR] and [DR] are set all the while. */
static bool shows_translation(uint32_t insn)
{
	return TRANSLATION != 0 && (insn & 0xfc0007fe) == 0x7c0000a6;
}

static bool writes_msr(uint32_t insn)
{
	uint32_t form = insn & 0xfc0007fe;

	return form == 0x7c000106 || form == 0x7c000146 || form == 0x7c000124;
}

bool has_vector_of(const uint32_t *insn, unsigned count)
{
	(void)count;
	if (IS_E500 && (insn[0] & 0xfc00067f) == 0x7c00042a) /* lswi lswx stswi stswx */
		return false;
	return TRANSLATION == 0 || !(shows_translation(insn[0]) || writes_msr(insn[0]));
}
