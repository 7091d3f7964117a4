/* SPDX-License-Identifier: BSD-2-Clause */
/* Independent vectors: tests/port/vectors/mips.txt. */
#include "checks.h"
#include "oracle.h"
#include "out.h"

enum {
	VECTOR_WORDS = 16,
	PC = 34,
	SR,
	CAUSE,
	BAD,
	FORCED_EXL = 2
};
struct vector {
	const char *name;
	uint32_t insn[2];
	unsigned count;
	uint32_t before[BAD + 1], after[BAD + 1];
	uint32_t fcr31, fcr31_after;
	unsigned bad_named;
	uint32_t memory[VECTOR_WORDS];
};
#include "vectors.inc"

const unsigned vector_count = sizeof(vectors) / sizeof(vectors[0]);

/* Can this CPU run it: no FPU, no release 2, and a Status without CU1 on the others? */
bool has_vector(unsigned index)
{
	const struct vector *v = &vectors[index];

	for (unsigned i = 0; i < v->count; i++) {
		if (!has_fpu && (is_fpu_insn(v->insn[i]) || v->insn[i] >> 26 == 0x10))
			return false;
		if (dp_mips_decode(v->insn[i], dp_mips->release).action == DP_MIPS_REFUSE)
			return false;
	}
	return true;
}

static void fill_vector(const struct vector *v)
{
	volatile uint32_t *at = (volatile uint32_t *)VECTOR_CODE,
			  *d = (volatile uint32_t *)VECTOR_DATA;

	for (int i = -512; i < 512; i++)
		at[i] = END;
	for (unsigned i = 0; i < v->count; i++)
		at[i] = v->insn[i];
	for (unsigned i = 0; i < VECTOR_WORDS; i++)
		d[i] = vector_memory[i];
}

static bool is_as_measured(const struct vector *v, const struct state *end)
{
	const volatile uint32_t *d = (const volatile uint32_t *)VECTOR_DATA;
	bool fault = (v->after[PC] & ~0x180u) == 0x80000000u, ok = true;
	const uint32_t *word = (const uint32_t *)end;
	uint32_t unit = has_fpu ? 0 : 0x20000000u;

	for (unsigned i = 0; i < PC; i++)
		ok &= word[i] == v->after[i];
	for (unsigned i = 0; i < VECTOR_WORDS; i++)
		ok &= d[i] == v->memory[i];
	ok &= end->status == ((v->after[SR] & ~unit) | FORCED_EXL);
	ok &= !has_fpu || end->fcr31 == v->fcr31_after;
	/* A fault's EPC is the instruction, or the branch before it; else control met END. */
	ok &= end->pc == (fault ? VECTOR_CODE : v->after[PC]);
	ok &= end->cause == (fault ? v->after[CAUSE] : 8u << 2);
	ok &= !v->bad_named || end->badvaddr == v->after[BAD];
	return ok;
}

static bool one_vector(const struct vector *v, unsigned mask)
{
	static struct state in, end;
	enum dp_refusal why;
	bool ok = true;

	fill_vector(v);
	for (unsigned i = 0; i < PC; i++)
		((uint32_t *)&in)[i] = v->before[i];
	in.pc = VECTOR_CODE;
	in.status = v->before[SR] & ~(has_fpu ? 0u : 0x20000000u);
	in.fcr31 = v->fcr31;
	hits[0] = hits[1] = 0;
	for (unsigned i = 0; i < SITES; i++) {
		if (!(mask >> i & 1))
			continue;
		place(&site[i], VECTOR_CODE + 4 * i, VECTOR_CODE);
		ok &= prepare_placed(&site[i], &why) == DP_ERR_OK && arm(&site[i]);
	}
	if (ok)
		run(&in, &end);
	for (unsigned i = 0; i < SITES; i++)
		if (mask >> i & 1)
			ok &= disarm(&site[i]);
	release_sites();
	ran++;
	if (ok && is_as_measured(v, &end) && hits[0] == (mask & 1))
		return true;
	fail("vector", v->name);
	number(" probes ", mask);
	number(" hits ", hits[0]);
	number(" pass ", pass);
	say("\n");
	for (unsigned i = 0; i <= BAD; i++) {
		if (((uint32_t *)&end)[i] == v->after[i])
			continue;
		number("  word ", i);
		say(": ");
		hex(((uint32_t *)&end)[i]);
		hex(v->after[i]);
		say("\n");
	}
	return false;
}

/* Also plain: what was measured is what this CPU does. */
bool vector_holds(unsigned index)
{
	const struct vector *v = &vectors[index];
	bool holds = true;

	for (unsigned mask = 0; mask < 1u << v->count; mask++)
		if (pass != PASS_NO_SLOT || mask == 0 || v->count == 1)
			holds &= one_vector(v, mask);
	return holds;
}
