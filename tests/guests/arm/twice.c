/* SPDX-License-Identifier: BSD-2-Clause */
#include "twice.h"

#include "checks.h"
#include "gates.h"
#include "out.h"

enum {
	REPORTS_MAX = 20
};

unsigned refused, left_out;

bool same_words(const uint32_t *a, const uint32_t *b, unsigned count)
{
	uint32_t differ = 0;

	for (unsigned i = 0; i < count; i++)
		differ |= a[i] ^ b[i];
	return differ == 0;
}

void report(const struct test_case *c, const struct state *in, const struct state *plain,
	    const struct state *probed, const char *what)
{
	const uint32_t *w[3] = {(const uint32_t *)in, (const uint32_t *)plain,
				(const uint32_t *)probed};

	fail(c->text, what);
	say(" insn ");
	hex(c->insn);
	number("variant ", variant);
	number(" hits ", hits[0]);
	number(" ", hits[1]);
	number(" stepped ", stepped);
	number(" address ", in->pc & 3);
	number(" it ", it_of(in->cpsr));
	number(" pattern ", in->cpsr >> 28 & 1);
	say("\n");
	if (failed > REPORTS_MAX)
		return;
	for (unsigned i = 0; i < sizeof(*in) / 4; i++) {
		if (i < 20 ? w[1][i] == w[2][i] && i != 15 && i != 16 && i != 17
			   : w[1][i] == w[2][i])
			continue;
		number("  word ", i);
		say(": ");
		hex(w[0][i]);
		hex(w[1][i]);
		hex(w[2][i]);
		say("\n");
	}
}

/* Conditions that pass, by NZCV: DDI 0406C table A8-1, written out. */
static const uint16_t passes[16] = {0xf0f0, 0x0f0f, 0xcccc, 0x3333, 0xff00, 0x00ff, 0xaaaa, 0x5555,
				    0x0c0c, 0xf3f3, 0xaa55, 0x55aa, 0x0a05, 0xf5fa, 0xffff, 0xffff};

static unsigned expected_hits(const struct test_case *c, uint32_t cpsr)
{
	unsigned it = it_of(cpsr), condition = 14;

	if (!(c->flags & CASE_THUMB))
		condition = c->insn >> 28;
	else if (it & 15)
		condition = it >> 4;
	else if (c->bytes == 2 && (c->insn & 0xf000) == 0xd000)
		condition = c->insn >> 8 & 15;
	else if (c->bytes == 4 && (c->insn & 0xf800d000u) == 0xf0008000u &&
		 (c->insn & 0x03800000u) != 0x03800000u)
		condition = c->insn >> 22 & 15;
	return passes[condition] >> (cpsr >> 28) & 1;
}

bool is_left_out(bool thumb)
{
	return thumb ? !DP_ARM_WITH_THUMB : !DP_ARM_WITH_A32;
}

bool is_rare(const struct test_case *c)
{
	return !DP_ARM_WITH_RARE && !(c->flags & CASE_REFUSED) &&
	       dp_arm_decode(c->insn, c->flags & CASE_THUMB, c->bytes, DP_ARM_ARCHITECTURE)
			       .action == DP_ARM_REFUSE;
}

enum dp_err prepare_at(struct dp_site *s, uint32_t address, bool thumb, enum dp_refusal *why)
{
	place(s, address, address);
	s->isa = thumb ? DP_ISA_THUMB : DP_ISA_MAIN;
	return prepare_placed(s, why);
}

enum dp_err prepare_case(const struct test_case *c, uint32_t address, enum dp_refusal *why)
{
	bool thumb = c->flags & CASE_THUMB;
	enum dp_err error = prepare_at(&site[0], address, thumb, why);

	if (error == DP_ERR_OK && (site[0].original != c->insn || site[0].insn_bytes != c->bytes))
		error = DP_ERR_BAD_FIELD;
	if (error == DP_ERR_OK && variant == SECOND)
		error = prepare_at(&site[1], address + c->bytes, thumb, why);
	return error;
}

static const struct test_case nops[3] = {
	{.insn = 0xe320f000u, .bytes = 4},
	{.insn = 0xbf00, .bytes = 2, .flags = CASE_THUMB},
	{.insn = 0xf3af8000u, .bytes = 4, .flags = CASE_THUMB},
};

static uint32_t code_clean, code_plain; /* code_sum before, and after the unprobed runs */

/* Run the instruction unprobed from every start. */
static void run_plain(const struct test_case *c, uint32_t address)
{
	static struct state in; /* static: what no handler writes stays 0 */

	fill_code(c, address);
	if (c->flags & CASE_HALTS)
		put_insn(address, &nops[c->flags & CASE_THUMB ? c->bytes / 2 : 0]);
	else
		code_clean = code_sum();
	for (unsigned i = 0; i < start_count; i++) {
		initial_of(&in, c, address, &starts[i]);
		run(&in, &starts[i].out);
		copy_words(starts[i].data, data, DATA_WORDS);
	}
	put_insn(address, c);
	code_plain = code_sum();
	if (c->flags & CASE_HALTS)
		code_clean = code_plain;
	code_is_clean = code_plain == code_clean;
}

/* The next instruction runs when r6 says so: it has no other trace. */
static bool second_hit_right(const struct state *in, const struct state *out)
{
	return variant != SECOND || (out->r[6] == in->r[6] + 1 && hits[1] == 1) ||
	       (out->r[6] == in->r[6] && hits[1] <= 1) ||
	       (out->r[6] != in->r[6] && out->r[6] != in->r[6] + 1);
}

static bool compare(const struct test_case *c, const struct state *in, const struct start *start)
{
	static struct state out;
	const char *what = NULL;

	hits[0] = hits[1] = stepped = faults = 0;
	run(in, &out);
	ran++;
	note_run(in);
	if (!same_words((const uint32_t *)&out, (const uint32_t *)&start->out, sizeof(out) / 4))
		what = "not the same";
	else if (!same_words(data, start->data, DATA_WORDS))
		what = "memory is not the same";
	else if (hits[0] != expected_hits(c, in->cpsr) || stepped != 0 || faults > 1)
		what = "hit count";
	else if (!second_hit_right(in, &out))
		what = "hit count of the second";
	if (what == NULL)
		return true;
	report(c, in, &start->out, &out, what);
	return false;
}

/* The traps are gone, and what it stores into code is there; who knows what when not all starts
 * were tried. */
static bool code_is_right(unsigned step)
{
	uint32_t sum = code_sum();

	return sum == code_plain || (step > 1 && code_plain != code_clean);
}

/* Run it probed from every step-th start, and compare. */
static void run_probed(const struct test_case *c, uint32_t address, enum variant with,
		       unsigned step)
{
	static struct state in;
	enum dp_err error;
	enum dp_refusal why;

	variant = with;
	if (!code_is_clean)
		fill_code(c, address);
	error = prepare_case(c, address, &why);
	if (error != DP_ERR_OK) {
		fail(c->text, "refused: ");
		hex(c->insn);
		number("error ", error);
		number(" reason ", why);
		say("\n");
		return;
	}
	if (!arm(&site[0]) || (with == SECOND && !arm(&site[1]))) {
		report(c, &in, &in, &in, "not armed");
	} else {
		for (unsigned i = 0; i < start_count; i += step) {
			initial_of(&in, c, address, &starts[i]);
			if (!compare(c, &in, &starts[i]))
				break;
		}
	}
	code_is_clean = code_plain == code_clean;
	if (!disarm(&site[0]) || (with == SECOND && !disarm(&site[1])) || !code_is_right(step)) {
		code_is_clean = false;
		report(c, &in, &in, &in, "code is not the same");
	}
	release_sites();
}

/* Then it says so, whatever the instruction is. */
static void left_out_case(const struct test_case *c, uint32_t address)
{
	bool rare = !is_left_out(c->flags & CASE_THUMB);
	uint32_t sum = code_sum();
	enum dp_refusal why;
	enum dp_err error = prepare_case(c, address, &why);

	if (error != (rare ? DP_ERR_NOT_PROBEABLE : DP_ERR_LEFT_OUT) ||
	    why != (rare ? DP_REFUSE_UNSUPPORTED : DP_REFUSE_NOTHING) || code_sum() != sum) {
		fail(c->text, "not left out");
		number(": error ", error);
		say("\n");
	}
	left_out++;
}

static void refusal_case(const struct test_case *c, uint32_t address)
{
	enum dp_refusal why;
	enum dp_err error = prepare_case(c, address, &why);

	if ((error != DP_ERR_NOT_PROBEABLE && error != DP_ERR_FOREIGN_BREAK) ||
	    (why != c->refusal && (DP_ARM_WITH_RARE || why != DP_REFUSE_UNSUPPORTED))) {
		fail(c->text, "not refused as it should be");
		number(": error ", error);
		number(" reason ", why);
		say("\n");
	}
	refused++;
}

void word_state(struct state *in, uint32_t insn)
{
	const struct test_case word = {.insn = insn, .bytes = 4};
	uint32_t address = (uint32_t)(uintptr_t)code + CODE_AT;

	variant = QUIET;
	code_is_clean = false;
	fill_code(&word, address);
	initial(in, &word, address, DP_MODE_SYS | DP_PSR_I | DP_PSR_F);
	code_is_clean = false;
}

bool same_end(const struct state *in, struct state *plain, struct state *alone)
{
	(void)in;
	return same_words((const uint32_t *)plain, (const uint32_t *)alone, sizeof(*plain) / 4);
}

void one(const struct test_case *c)
{
	unsigned places = c->flags & CASE_THUMB && !(c->flags & CASE_ALIGNED) ? 2 : 1;

	make_starts(c);
	for (unsigned p = 0; p < places; p++) {
		uint32_t address = (uint32_t)(uintptr_t)code + CODE_AT + 2 * p;

		variant = QUIET;
		if (is_left_out(c->flags & CASE_THUMB) || is_rare(c)) {
			fill_code(c, address);
			left_out_case(c, address);
			continue;
		}
		if (c->flags & CASE_REFUSED) {
			fill_code(c, address);
			refusal_case(c, address);
			continue;
		}
		run_plain(c, address);
		run_probed(c, address, QUIET, 1);
		run_probed(c, address, PROGRAM, 1);
		run_probed(c, address, WATCH, 7);
		variant = SECOND;
		run_plain(c, address);
		run_probed(c, address, SECOND, 1);
	}
}

void one_without_slots(const struct test_case *c)
{
	uint32_t address = (uint32_t)(uintptr_t)code + CODE_AT;

	if (c->flags & CASE_REFUSED || is_left_out(c->flags & CASE_THUMB) || is_rare(c))
		return;
	make_starts(c);
	keep_few_starts();
	variant = PROGRAM;
	run_plain(c, address);
	run_probed(c, address, PROGRAM, 1);
}
