/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors: what single steps in QEMU have shown (vectors.py). */
#include "checks.h"
#include "out.h"
#include "special.h"
#include "states.h"

struct vector {
	struct test_case c;
	uint32_t cpsr;
	uint8_t pattern, place;
	uint32_t after[17]; /* r0 .. r15, cpsr */
	uint8_t changed;
	struct {
		uint32_t index, word;
	} data[16];
};
static const struct vector known[] = {
#include "vectors.inc"
};
static const struct vector questions[] = {
#include "questions.inc"
};
/* Set by tests/lib/tools/arm_vectors.py, which then watches the questions being run. Not in .bss.
 */
enum {
	CHECK = 2,
	MEASURE = 1
};
static volatile unsigned vector_mode = CHECK;

static uint32_t vector_start(const struct vector *v, struct state *in)
{
	uint32_t address = case_address() + v->place;

	initial_as(in, &v->c, v->cpsr, false);
	in->pc = address;
	fill_code(&v->c, address, false);
	fill_pattern(v->pattern);
	return address;
}

void measure_vectors(void)
{
	static struct state in, out;

	for (unsigned i = 0; vector_mode == MEASURE && i < sizeof(questions) / sizeof(questions[0]);
	     i++) {
		vector_start(&questions[i], &in);
		run(&in, &out);
	}
}

/* After the step: still there, with the undefined word as the next thing to happen; or in the
 * vector of a fault, with its link value. */
static bool as_measured(const struct vector *v, const struct state *out)
{
	uint32_t pc = v->after[DP_ARM_PC], cpsr = v->after[16], lr = v->after[14];
	bool data_abort = (cpsr & 0x1f) == 0x17, undefined = (cpsr & 0x1f) == 0x1b;
	unsigned banked = data_abort || undefined ? 13 : 15;

	if (!same_words(out->r, v->after, banked < 13 ? banked : 13))
		return false;
	if (data_abort || undefined)
		return out->class == (data_abort ? 4 : 1) && out->pc == lr && out->cpsr == v->cpsr;
	return out->sp == v->after[13] && out->lr == lr && out->cpsr == cpsr &&
	       out->pc == pc + (cpsr & DP_PSR_T && out->class == 1 ? 2 : 4);
}

static bool data_as_measured(const struct vector *v)
{
	unsigned next = 0;

	for (unsigned i = 0; i < DATA_WORDS; i++) {
		bool listed = next < v->changed && v->data[next].index == i;

		if (data[i] != (listed ? v->data[next].word : pattern_word(v->pattern, i)))
			return false;
		next += listed;
	}
	return true;
}

unsigned vectors_run[2];
const unsigned vector_count = sizeof(known) / sizeof(known[0]);

bool has_vector(unsigned i)
{
	return !is_left_out(known[i].c.flags & CASE_THUMB) && !is_rare(&known[i].c);
}

bool vector_holds(unsigned i)
{
	static struct state in, out;
	static struct ending measured;
	const struct vector *v = &known[i];
	enum dp_refusal why;
	uint32_t address;
	bool holds;

	address = vector_start(v, &in);
	vectors_run[(v->c.flags & CASE_THUMB) != 0] += pass == PASS_PLAIN;
	if (prepare_case(&v->c, address, 1, &why) != DP_ERR_OK || !arm(&site[0])) {
		fail(v->c.text, "vector refused\n");
		release_sites();
		return false;
	}
	run(&in, &out);
	holds = as_measured(v, &out) && data_as_measured(v);
	if (!holds) {
		for (unsigned i = 0; i <= STATE_CPSR / 4; i++) /* r0 to r15, cpsr */
			((uint32_t *)&measured.state)[i] = v->after[i];
		report(&v->c, &in, &measured, &out, "not as measured", 1);
	}
	if (!disarm(&site[0])) {
		holds = false;
		fail(v->c.text, "vector not disarmed\n");
	}
	release_sites();
	return holds;
}
