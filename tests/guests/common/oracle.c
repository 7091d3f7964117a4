/* SPDX-License-Identifier: BSD-2-Clause */
#include "oracle.h"

#include "checks.h"
#include "out.h"

const struct test_case cases[] = {
#include "cases.inc"
};
const unsigned case_count = sizeof(cases) / sizeof(cases[0]);

enum {
	SUMMED = 32, /* words of code on both sides that are looked at */
	REPORTS_MAX = 20
};

/* Pages of their own: QEMU is slow where code and data share one. */
uint32_t code[CODE_WORDS] __attribute__((aligned(4096)));
uint32_t data[DATA_WORDS] __attribute__((aligned(4096)));
uint32_t data_plain[DATA_WORDS];
unsigned refused, probed_cases;

static uint32_t first_word(const struct test_case *c)
{
	return c->flags & CASE_TARGET ? with_target(c->insn[0], &code[PAD_AT + 4]) : c->insn[0];
}

static void fill(uint32_t first, uint32_t second)
{
	for (unsigned i = 0; i < CODE_WORDS; i++)
		code[i] = END;
	fill_elsewhere();
	code[CODE_AT] = first;
	code[CODE_AT + 1] = second;
	code_written();
}

void fill_code(const struct test_case *c)
{
	fill(first_word(c), c->insn[1]);
}

void fill_word(uint32_t insn)
{
	fill(insn, END);
}

void fill_data(void)
{
	for (unsigned i = 0; i < DATA_WORDS; i++)
		data[i] = 0x80818283u + i * 0x01030507u;
}

void keep_data(void)
{
	for (unsigned i = 0; i < DATA_WORDS; i++)
		data_plain[i] = data[i];
}

enum dp_err prepare(struct dp_site *s, uint32_t address, enum dp_refusal *why)
{
	place(s, address, (uint32_t)(uintptr_t)&code[CODE_AT - 16]);
	return prepare_placed(s, why);
}

uint32_t code_sum(void)
{
	uint32_t sum = 0;

	for (unsigned i = CODE_AT - SUMMED; i < CODE_AT + SUMMED; i++)
		sum = (sum << 1 | sum >> 31) ^ ((const volatile uint32_t *)code)[i];
	return sum;
}

bool same_state(const struct test_case *c, const struct state *in, struct state *plain,
		struct state *probed)
{
	const uint32_t *x = (const uint32_t *)plain, *y = (const uint32_t *)probed;
	bool same = true;

	settle(c, in, plain, probed);
	for (unsigned i = 0; i < sizeof(*plain) / 4; i++)
		same &= x[i] == y[i];
	for (unsigned i = 0; i < DATA_WORDS; i++)
		same &= data[i] == data_plain[i];
	return same;
}

void word_state(struct state *in, uint32_t insn)
{
	initial(in, 2);
	in->pc = (uint32_t)(uintptr_t)&code[CODE_AT];
	fill_word(insn);
}

bool same_end(const struct state *in, struct state *plain, struct state *alone)
{
	fill_data();
	keep_data();
	return same_state(&cases[0], in, plain, alone);
}

void report(const struct test_case *c, const struct state *in, const struct state *plain,
	    const struct state *probed, const char *what, unsigned mask)
{
	const uint32_t *w[3] = {(const uint32_t *)in, (const uint32_t *)plain,
				(const uint32_t *)probed};

	fail(c->text, what);
	number(" pass ", pass);
	number(" probes ", mask);
	number(" hits ", hits[0]);
	number(" ", hits[1]);
	number(" stepped ", stepped);
	number(" faults ", faults);
	say("\n");
	if (failed > REPORTS_MAX)
		return;
	for (unsigned i = 0; i < sizeof(*in) / 4; i++) {
		if (w[1][i] == w[2][i] && (i < STATE_PC / 4 || i > STATE_TOLD_LAST / 4))
			continue;
		number("  word ", i);
		say(": ");
		hex(w[0][i]);
		hex(w[1][i]);
		hex(w[2][i]);
		say("\n");
	}
	for (unsigned i = 0; i < DATA_WORDS; i++) {
		if (data[i] == data_plain[i])
			continue;
		number("  data ", i);
		say("\n");
	}
}

static void run_plain(const struct test_case *c, const struct state *in, struct state *end,
		      unsigned v)
{
	fill_data();
	if (c->flags & CASE_HALTS) {
		code[CODE_AT] = NOP;
		code_written();
	}
	pre_fault(v);
	run(in, end);
	if (c->flags & CASE_HALTS) {
		code[CODE_AT] = first_word(c);
		code_written();
	}
	keep_data();
}

/* False: a probe is not armed or not disarmed. */
static bool run_probed(const struct test_case *c, const struct state *in, struct state *end,
		       unsigned mask, unsigned v)
{
	bool ok = true;

	fill_data();
	hits[0] = hits[1] = stepped = faults = 0;
	for (unsigned i = 0; i < SITES; i++)
		if (mask >> i & 1 && !arm(&site[i])) {
			fail(c->text, "not armed\n");
			return false;
		}
	pre_fault(v);
	run(in, end);
	ran++;
	for (unsigned i = 0; i < SITES; i++)
		if (mask >> i & 1 && !disarm(&site[i])) {
			fail(c->text, "not disarmed\n");
			ok = false;
		}
	return ok;
}

/* Run plain and probed. mask: bit 0 a probe on the first word, bit 1 on the second. from: the word
 * that is entered. */
static void compare(const struct test_case *c, unsigned mask, unsigned from, unsigned v)
{
	static struct state in, plain, probed;
	unsigned first, second;
	uint32_t sum;
	bool right;

	initial(&in, v);
	in.pc = (uint32_t)(uintptr_t)&code[CODE_AT + from];
	run_plain(c, &in, &plain, v);
	sum = code_sum();
	first = (mask & 1) && from == 0;
	second = (mask & 2) && (from == 1 || second_ran(c, &in, &plain));
	if (!run_probed(c, &in, &probed, mask, v))
		return;
	right = take_away ? hits[0] >= first && hits[1] == 0
			  : hits[0] == first && hits[1] == second;
	if (code_sum() != sum || !same_state(c, &in, &plain, &probed))
		report(c, &in, &plain, &probed, "not the same", mask);
	else if (!right || stepped != 0 || faults > 1)
		report(c, &in, &plain, &probed, "hit count", mask);
}

static unsigned slots_free(void)
{
	unsigned total, available;

	dp_port_slots(&total, &available);
	return available;
}

/* The site has no slot and no plan, and no slot is gone. */
static bool holds_nothing(const struct dp_site *s, unsigned slots_before)
{
	const uint8_t *port = (const uint8_t *)&s->port;

	for (unsigned i = 0; i < sizeof(s->port); i++)
		if (port[i] != 0)
			return false;
	return slots_free() == slots_before;
}

/* proves: P3.6 P3.7 P3.16 */
static void refusal_case(const struct test_case *c)
{
	enum dp_refusal why;
	unsigned slots = slots_free();
	uint32_t sum = code_sum();
	enum dp_err error = prepare(&site[0], (uint32_t)(uintptr_t)&code[CODE_AT], &why);
	bool right = c->flags & CASE_BAD_DELAY
			     ? error == DP_ERR_BAD_DELAY_SLOT
			     : (error == DP_ERR_NOT_PROBEABLE || error == DP_ERR_FOREIGN_BREAK) &&
				       why == c->refusal;

	refused += pass == PASS_PLAIN;
	if (right && code_sum() == sum && holds_nothing(&site[0], slots)) {
		note_refusal(c, why);
		return;
	}
	fail(c->text, "not refused as it should be");
	number(": error ", error);
	number(" reason ", why);
	say(" word ");
	hex(site[0].original);
	hex(code[CODE_AT]);
	say("\n");
}

static void from_all_states(const struct test_case *c, unsigned mask)
{
	unsigned count = pass == PASS_PLAIN ? VALUES : FEW_VALUES, before = failed;

	for (unsigned v = 0; v < count && failed == before; v++) {
		compare(c, mask, 0, v);
		if (mask != 1 && v < FEW_VALUES)
			compare(c, mask, 1, v);
		if (mask != 3 || !TAKES_AWAY)
			continue;
		take_away = true;
		compare(c, mask, 0, v);
		take_away = false;
		site[1].insn_bytes = 4;
	}
}

void one(const struct test_case *c)
{
	uint32_t address = (uint32_t)(uintptr_t)&code[CODE_AT];
	unsigned before = failed;

	if (!has_case(c))
		return;
	fill_code(c);
	if (c->flags & CASE_REFUSED) {
		refusal_case(c);
		return;
	}
	probed_cases += pass == PASS_PLAIN;
	for (unsigned mask = 1; mask <= 3; mask++) {
		enum dp_refusal why = DP_REFUSE_NOTHING;
		enum dp_err error = DP_ERR_OK;

		for (unsigned i = 0; i < SITES && error == DP_ERR_OK; i++)
			if (mask >> i & 1)
				error = prepare(&site[i], address + 4 * i, &why);
		if ((c->flags & CASE_HALTS && mask == 2) || is_excused(c, mask, error)) {
			/* the first word would halt, or the CPU knows why */
		} else if (error != DP_ERR_OK) {
			fail(c->text, "refused");
			number(": error ", error);
			number(" reason ", why);
			say("\n");
		} else if (failed == before) {
			from_all_states(c, mask);
		}
		release_sites();
	}
	note_case(c);
}
