/* SPDX-License-Identifier: BSD-2-Clause */
/* Independent vectors of one or two instructions of 4 bytes, as lib/harness/guests.py writes them:
 * run plain, and with each set of probes. VECTOR_CODE and VECTOR_DATA are the places of the
 * measurement, VECTOR_WORDS from VECTOR_FIRST on what the data held. */
#include "checks.h"
#include "oracle.h"
#include "out.h"

#ifdef VECTOR_CODE /* a CPU without it has another form of vectors, and the functions below */
/* A word of struct state; or of the data, from EFFECT_DATA on. */
struct effect {
	uint16_t word;
	uint32_t value;
};
struct vector {
	const char *text;
	uint32_t insn[2];
	uint16_t count;
	uint16_t before, before_count, after, after_count; /* in effects */
};
static const struct effect effects[] = {
#include "effects.inc"
};
static const struct vector vectors[] = {
#include "vectors.inc"
};
const unsigned vector_count = sizeof(vectors) / sizeof(vectors[0]);
enum {
	VECTOR_AROUND = 512,
	EFFECT_DATA = 1000
};
#ifndef VECTOR_END /* guest.h: where END is not a word of every case */
#define VECTOR_END END
#endif
#ifndef VECTOR_STACK_WORDS /* at the end of the data: exceptions write there */
#define VECTOR_STACK_WORDS 0
#endif

/* A word of the data, after the effects that are for it. */
static uint32_t data_word(uint32_t value, unsigned word, unsigned first, unsigned count)
{
	for (unsigned e = first; e < first + count; e++)
		if (effects[e].word == EFFECT_DATA + word)
			value = effects[e].value;
	return value;
}

static uint32_t data_before(const struct vector *v, unsigned word)
{
	return data_word(VECTOR_FIRST + word * 0x01030507u, word, v->before, v->before_count);
}

static void fill_vector(const struct vector *v)
{
	volatile uint32_t *at = (volatile uint32_t *)VECTOR_CODE;
	volatile uint32_t *memory = (volatile uint32_t *)VECTOR_DATA;

	for (int i = -VECTOR_AROUND; i < VECTOR_AROUND; i++)
		at[i] = VECTOR_END;
	for (unsigned i = 0; i < v->count; i++)
		at[i] = v->insn[i];
	for (unsigned i = 0; i < VECTOR_WORDS; i++)
		memory[i] = data_before(v, i);
	code_written(VECTOR_CODE - 4 * VECTOR_AROUND, 8 * VECTOR_AROUND);
}

static void vector_state(const struct vector *v, struct state *s, bool ended)
{
	uint32_t *word = (uint32_t *)s;

	for (unsigned i = 0; i < sizeof(*s) / 4; i++)
		word[i] = 0;
	for (unsigned i = v->before; i < v->before + v->before_count; i++)
		if (effects[i].word < EFFECT_DATA)
			word[effects[i].word] = effects[i].value;
	s->pc = VECTOR_CODE;
	for (unsigned i = v->after; i < v->after + v->after_count && ended; i++)
		if (effects[i].word < EFFECT_DATA)
			word[effects[i].word] = effects[i].value;
}

static bool is_data_as_measured(const struct vector *v)
{
	const volatile uint32_t *memory = (const volatile uint32_t *)VECTOR_DATA;

	for (unsigned i = 0; i < VECTOR_WORDS - VECTOR_STACK_WORDS; i++)
		if (memory[i] != data_word(data_before(v, i), i, v->after, v->after_count))
			return false;
	return true;
}

static bool is_as_measured(const struct vector *v, struct state *wanted, const struct state *end)
{
	vector_state(v, wanted, true);
	return same_words((const uint32_t *)wanted, (const uint32_t *)end, STATE_PC / 4) &&
	       is_vector_end(wanted, end) && is_data_as_measured(v);
}

static void tell_vector(const struct vector *v, const struct state *wanted, const struct state *end,
			unsigned mask)
{
	const uint32_t *w = (const uint32_t *)wanted, *e = (const uint32_t *)end;

	fail("vector", v->text);
	number(" probes ", mask);
	number(" hits ", hits[0]);
	number(" pass ", pass);
	say("\n");
	for (unsigned i = 0; i < sizeof(*end) / 4; i++) {
		if (w[i] == e[i])
			continue;
		number("  word ", i);
		say(": ");
		hex(w[i]);
		hex(e[i]);
		say("\n");
	}
}

static bool one_vector(const struct vector *v, unsigned mask)
{
	static struct state in, wanted, end;
	enum dp_refusal why;
	bool ok = true;

	fill_vector(v);
	vector_state(v, &in, false);
	vector_before(&in);
	hits[0] = hits[1] = 0;
	for (unsigned i = 0; i < SITES; i++)
		if (mask >> i & 1)
			ok &= prepare(&site[i], VECTOR_CODE + 4 * i, &why) == DP_ERR_OK &&
			      arm(&site[i]);
	if (ok)
		run(&in, &end);
	for (unsigned i = 0; i < SITES; i++)
		if (mask >> i & 1)
			ok &= disarm(&site[i]);
	release_sites();
	ran++;
	if (ok && is_as_measured(v, &wanted, &end) && hits[0] == (mask & 1))
		return true;
	tell_vector(v, &wanted, &end, mask);
	return false;
}

bool has_vector(unsigned i)
{
	return has_vector_of(vectors[i].insn, vectors[i].count);
}

/* Also plain: what was measured is what this CPU does. Two may need two slots. */
bool vector_holds(unsigned i)
{
	const struct vector *v = &vectors[i];
	bool holds = true;

	for (unsigned mask = 0; mask < 1u << v->count; mask++)
		if (pass != PASS_NO_SLOT || mask == 0 || v->count == 1)
			holds &= one_vector(v, mask);
	return holds;
}
#endif
