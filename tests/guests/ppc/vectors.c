/* SPDX-License-Identifier: BSD-2-Clause */
/* Independent vectors: tests/port/vectors/ppc.txt. */
#include "checks.h"
#include "oracle.h"
#include "out.h"

/* Word of struct state, or 1000 + n for word n of the data. The vector is an IVOR's number on every
 * CPU. */
struct effect {
	uint16_t word;
	uint32_t value;
};
struct vector {
	uint32_t insn;
	uint16_t before, before_count, after, after_count; /* in effects */
	const char *text;
};
static const struct effect effects[] = {
#include "effects.inc"
};
static const struct vector vectors[] = {
#include "vectors.inc"
};
const unsigned vector_count = sizeof(vectors) / sizeof(vectors[0]);
enum {
	VECTOR_WORDS = 64,
	VECTOR_AROUND = 512,
	EFFECT_DATA = 1000,
	IVOR_PROGRAM = 6,
	IVOR_ACCESS = 13,
};

static void vector_state(const struct vector *v, struct state *s)
{
	uint32_t *word = (uint32_t *)s;

	for (unsigned i = 0; i < sizeof(*s) / 4; i++)
		word[i] = 0;
	for (unsigned i = 0; i < v->before_count; i++)
		word[effects[v->before + i].word] = effects[v->before + i].value;
	s->pc = VECTOR_CODE;
	s->msr |= TRANSLATION;
}

/* Did it end as measured: by the sc behind it, or by that exception? */
static bool is_end(const struct state *wanted, const struct state *end)
{
	switch (wanted->vector) {
	case IVOR_ACCESS:
		return end->vector == VECTOR_ACCESS && end->address == wanted->address;
	case IVOR_PROGRAM:
		return end->vector == VECTOR_PROGRAM;
	default:
		return end->vector == VECTOR_SC;
	}
}

/* Execute it with a probe on it; everything must be as the file says. */
static bool is_as_measured(const struct vector *v)
{
	static struct state in, end;
	volatile uint32_t *at = (volatile uint32_t *)VECTOR_CODE;
	volatile uint32_t *memory = (volatile uint32_t *)VECTOR_DATA;
	uint32_t *wanted = (uint32_t *)&in;
	const uint32_t *now = (const uint32_t *)&end;
	bool good = true;

	for (int i = -VECTOR_AROUND; i < VECTOR_AROUND; i++)
		at[i] = END;
	for (unsigned i = 0; i < VECTOR_WORDS; i++)
		memory[i] = 0x80818283u + i * 0x01030507u;
	at[0] = v->insn;
	dp_port_text_written(VECTOR_CODE - 4 * VECTOR_AROUND, 8 * VECTOR_AROUND);
	vector_state(v, &in);
	if (!arm(&site[0]))
		return false;
	hits[0] = 0;
	run(&in, &end);
	good = disarm(&site[0]) && hits[0] == 1;
	if (end.vector == VECTOR_SC)
		end.pc -= 4;
	end.msr &= ~TRANSLATION;
	vector_state(v, &in);
	in.msr &= ~TRANSLATION;
	for (unsigned i = 0; i < v->after_count; i++)
		if (effects[v->after + i].word < EFFECT_DATA)
			wanted[effects[v->after + i].word] = effects[v->after + i].value;
	good &= is_end(&in, &end);
	/* registers, and what follows them up to the MSR */
	for (unsigned i = 0; i <= STATE_MSR / 4; i++)
		good &= wanted[i] == now[i];
	for (unsigned i = 0; i < VECTOR_WORDS; i++) {
		uint32_t value = 0x80818283u + i * 0x01030507u;

		for (unsigned e = 0; e < v->after_count; e++)
			if (effects[v->after + e].word == EFFECT_DATA + i)
				value = effects[v->after + e].value;
		good &= memory[i] == value;
	}
	return good;
}

/* In a mapping of one to one, MSR[IR] and [DR] are set all the while. */
static bool shows_translation(const struct vector *v)
{
	return TRANSLATION != 0 && (v->insn & 0xfc0007fe) == 0x7c0000a6;
}

static bool writes_msr(uint32_t insn)
{
	uint32_t form = insn & 0xfc0007fe;

	return form == 0x7c000106 || form == 0x7c000146 || form == 0x7c000124;
}

static bool is_not_here(const struct vector *v)
{
	if (IS_E500 && (v->insn & 0xfc00067f) == 0x7c00042a) /* lswi lswx stswi stswx */
		return true;
	return TRANSLATION != 0 && writes_msr(v->insn);
}

bool has_vector(unsigned index)
{
	return !shows_translation(&vectors[index]) && !is_not_here(&vectors[index]);
}

bool vector_holds(unsigned index)
{
	const struct vector *v = &vectors[index];
	enum dp_refusal why;
	bool holds;

	*(volatile uint32_t *)VECTOR_CODE = v->insn;
	dp_port_text_written(VECTOR_CODE, 4);
	holds = prepare(&site[0], VECTOR_CODE, &why) == DP_ERR_OK && is_as_measured(v);
	release_sites();
	if (!holds) {
		fail("vector", v->text);
		say("\n");
	}
	return holds;
}
