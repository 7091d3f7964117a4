/* SPDX-License-Identifier: BSD-2-Clause */
/* Independent vectors: what the manual says that an instruction does, worked out by hand, with a0
 * and a1 as operands, and t3 as result. Plain, and with each set of probes.  Unprivileged ISA
 * 20191213 chapters 2, 5, 7 and 16; Zba Zbb Zbs 1.0 */
#include "checks.h"
#include "oracle.h"
#include "out.h"

enum effect {
	RESULT, /* t3 = value */
	GOES,   /* pc = code + value, and the link in t3 */
	JUMPS,  /* pc = code + value, no link */
	FAULTS, /* mcause = value, pc = code */
};
struct vector {
	uint32_t insn;
	int64_t a0, a1;
	enum effect effect;
	int64_t value;
	const char *text;
	uint8_t bits; /* 0: of both widths */
};

/* Signed numbers: the upper half of 64 bits has their sign. */
static const struct vector vectors[] = {
#include "vectors.def"
};
const unsigned vector_count = sizeof(vectors) / sizeof(vectors[0]);

bool has_vector(unsigned i)
{
	return vectors[i].bits == 0 || vectors[i].bits == DP_WORD_BITS;
}

static bool is_as_said(const struct vector *v, const struct state *in, const struct state *end)
{
	const DPROBES_WORD code_at = in->pc, next = code_at + dp_riscv_bytes(v->insn);
	const DPROBES_WORD value = (DPROBES_WORD)v->value;

	switch (v->effect) {
	case RESULT:
		return end->x[28] == value && end->x[24] == in->x[24] + 1;
	case GOES:
		return end->pc == code_at + value && end->x[28] == next;
	case JUMPS:
		/* A jump to the next instruction executes that one. */
		return (end->pc == code_at + value ||
			(code_at + value == next && end->x[24] == in->x[24] + 1)) &&
		       end->x[28] == in->x[28];
	default:
		return end->mcause == value && end->pc == code_at && end->x[28] == in->x[28];
	}
}

static bool one_vector(const struct vector *v, unsigned mask)
{
	static struct state in, end;
	const struct test_case c = {.insn = {v->insn, ADDED}, .text = v->text};
	const uint32_t at = case_address();
	enum dp_refusal why;
	bool ok;

	initial(&in, &c, 0);
	in.x[10] = (DPROBES_WORD)v->a0;
	in.x[11] = (DPROBES_WORD)v->a1;
	if (v->effect == GOES || v->effect == JUMPS)
		in.x[12] = at;
	in.pc = at;
	fill_data(0);
	fill_code(&c, at, true);
	hits[0] = hits[1] = 0;
	ok = prepare_case(&c, at, mask, &why) == DP_ERR_OK;
	for (unsigned i = 0; i < SITES; i++)
		ok = ok && (!(mask >> i & 1) || arm(&site[i]));
	if (ok)
		run(&in, &end);
	for (unsigned i = 0; i < SITES; i++)
		if (mask >> i & 1)
			ok &= disarm(&site[i]);
	release_sites();
	ran++;
	if (ok && hits[0] == (mask & 1) && is_as_said(v, &in, &end))
		return true;
	fail("vector", v->text);
	number(" probes ", mask);
	say(" t3 ");
	hex((uint32_t)end.x[28]);
	hex((uint32_t)end.pc);
	say("\n");
	return false;
}

bool vector_holds(unsigned i)
{
	bool holds = true;

	for (unsigned mask = 0; mask < 4; mask++)
		holds &= one_vector(&vectors[i], mask);
	return holds;
}
