/* SPDX-License-Identifier: BSD-2-Clause */
#include "oracle.h"

#include "out.h"

const struct test_case cases[] = {
#include "cases.inc"
};
const unsigned case_count = sizeof(cases) / sizeof(cases[0]);

enum {
	CASE_WORDS = 12, /* what a case may take */
	REPORTS_MAX = 20
};

CODE_PLACE uint32_t code[CODE_WORDS];
DATA_PLACE uint32_t field[DATA_WORDS + 2 * DATA_MARGIN];
bool code_is_clean;
unsigned refused, probed_cases, starts_most;

/* One way to try a case. */
struct trial {
	const struct test_case *c;
	uint32_t at, from; /* the case, and where it is entered */
	unsigned mask;     /* bit 0: a probe on the first instruction, bit 1: on the second */
	unsigned count;    /* runs: this many of all starts */
	unsigned starts;
	unsigned before; /* failures of other cases */
	bool takes_away;
};
static struct ending plain[STARTS_MAX]; /* what the unprobed runs of the trial left */
/* code_sum before and after them. */
static uint32_t sum_filled, sum_plain;

/* --- code and data --- */

static bool fill_ends(const struct test_case *c)
{
	static uint32_t filled_with;
	uint32_t end = end_for(c);
	bool all = !code_is_clean || end != filled_with;
	unsigned first = all ? CODE_AT - CODE_FILLED / 2 : CODE_AT;
	unsigned count = all ? CODE_FILLED : CASE_WORDS;

	for (unsigned i = first; i < first + count; i++)
		code[i] = end;
	filled_with = end;
	return all;
}

void fill_code(const struct test_case *c, uint32_t at, bool second)
{
	fill_elsewhere(c, fill_ends(c));
	put_insn(at, c, 0);
	if (second)
		put_insn(at + case_bytes(c, 0), c, 1);
	code_written(case_address(), 4 * CASE_WORDS);
	code_is_clean = true;
}

const struct test_case *fill_word(uint32_t insn)
{
	static const struct test_case word = {.text = "a word"};

	code_is_clean = false;
	fill_elsewhere(&word, fill_ends(&word));
	code[CODE_AT] = insn;
	code_written(case_address(), 4 * CASE_WORDS);
	return &word;
}

uint32_t code_sum(void)
{
	const volatile uint32_t *word = &code[CODE_AT - CODE_FILLED / 2];
	uint32_t sum = 0;

	for (unsigned i = 0; i < CODE_FILLED; i++)
		sum = (sum << 1 | sum >> 31) ^ word[i];
	return sum;
}

void copy_words(uint32_t *to, const uint32_t *from, unsigned count)
{
	for (unsigned i = 0; i < count; i += 4) {
		uint32_t a = from[i], b = from[i + 1], c = from[i + 2], d = from[i + 3];

		to[i] = a;
		to[i + 1] = b;
		to[i + 2] = c;
		to[i + 3] = d;
	}
}

bool same_words(const uint32_t *a, const uint32_t *b, unsigned count)
{
	uint32_t differ = 0;

	for (unsigned i = 0; i < count; i++)
		differ |= a[i] ^ b[i];
	return differ == 0;
}

void keep_data(struct ending *end)
{
	copy_words(end->data, data, DATA_WORDS);
}

bool same_end(const struct test_case *c, const struct state *in, struct ending *end,
	      struct state *probed)
{
	settle(c, in, &end->state, probed);
	return same_words((const uint32_t *)&end->state, (const uint32_t *)probed,
			  sizeof(*probed) / 4) &&
	       same_words(data, end->data, DATA_WORDS);
}

/* --- sites --- */

enum dp_err prepare(struct dp_site *s, uint32_t address, enum dp_refusal *why)
{
	place(s, address, address - EXTENT_BYTES);
	return prepare_placed(s, why);
}

/* Did the port read what stands there? */
static bool is_original(const struct dp_site *s, const struct test_case *c, unsigned which)
{
	uint8_t insn[DP_PORT_INSN_BYTES_MAX];
	const volatile uint8_t *at = (const volatile uint8_t *)(uintptr_t)s->address;

	dp_port_insn_bytes(s, insn);
	for (unsigned i = 0; i < s->insn_bytes; i++)
		if (insn[i] != at[i])
			return false;
	return s->insn_bytes == case_bytes(c, which);
}

enum dp_err prepare_case(const struct test_case *c, uint32_t at, unsigned mask,
			 enum dp_refusal *why)
{
	enum dp_err error = DP_ERR_OK;

	*why = DP_REFUSE_NOTHING;
	for (unsigned i = 0; i < SITES && error == DP_ERR_OK; i++) {
		uint32_t address = at + (i == 0 ? 0 : case_bytes(c, 0));

		if (!(mask >> i & 1))
			continue;
		place(&site[i], address, address - EXTENT_BYTES);
		site[i].isa = isa_of(c);
		error = prepare_placed(&site[i], why);
		if (error == DP_ERR_OK && !is_original(&site[i], c, i))
			error = DP_ERR_BAD_FIELD;
	}
	return error;
}

static bool arm_sites(unsigned mask)
{
	for (unsigned i = 0; i < SITES; i++)
		if (mask >> i & 1 && !arm(&site[i]))
			return false;
	return true;
}

static bool disarm_sites(unsigned mask)
{
	bool ok = true;

	for (unsigned i = 0; i < SITES; i++)
		if (mask >> i & 1)
			ok &= disarm(&site[i]);
	return ok;
}

/* --- reports --- */

static void tell_words(const char *what, const uint32_t *const w[3], unsigned count, unsigned first,
		       unsigned last)
{
	for (unsigned i = 0; i < count; i++) {
		if (w[1][i] == w[2][i] && (i < first || i > last))
			continue;
		number(what, i);
		say(": ");
		hex(w[0][i]);
		hex(w[1][i]);
		hex(w[2][i]);
		say("\n");
	}
}

void report(const struct test_case *c, const struct state *in, const struct ending *end,
	    const struct state *probed, const char *what, unsigned mask)
{
	const uint32_t *states[3] = {(const uint32_t *)in, (const uint32_t *)&end->state,
				     (const uint32_t *)probed};
	const uint32_t *words[3] = {end->data, end->data, data};

	fail(c->text, what);
	number(" pass ", pass);
	number(" quiet ", quiet);
	number(" probes ", mask);
	number(" hits ", hits[0]);
	number(" ", hits[1]);
	number(" taken ", taken);
	number(" stepped ", stepped);
	number(" faults ", faults);
	say("\n");
	if (failed > REPORTS_MAX)
		return;
	tell_words("  word ", states, sizeof(*in) / 4, STATE_PC / 4, STATE_TOLD_LAST / 4);
	tell_words("  data ", words, DATA_WORDS, DATA_WORDS, 0);
}

static void report_error(const struct test_case *c, const char *what, enum dp_err error,
			 enum dp_refusal why)
{
	fail(c->text, what);
	number(": error ", error);
	number(" reason ", why);
	say(" code ");
	hex(code[CODE_AT]);
	say("\n");
}

/* --- runs --- */

/* The start of a trial's run: all of them, or some from everywhere. */
static unsigned start_of(const struct trial *t, unsigned i)
{
	return i * t->starts / t->count;
}

static void run_from(const struct trial *t, unsigned i, struct state *in, struct state *out)
{
	unsigned v = start_of(t, i);

	initial(in, t->c, v);
	in->pc = t->from;
	fill_data(v);
	pre_fault(v);
	run(in, out);
}

static void put_first(const struct trial *t, const struct test_case *c)
{
	put_insn(t->at, c, 0);
	code_written(t->at, case_bytes(c, 0));
}

/* Run unprobed from every start. */
static void run_plain(const struct trial *t, bool second)
{
	static struct state in; /* static: what no handler writes stays 0 */
	bool halts = t->c->flags & CASE_HALTS;

	fill_code(t->c, t->at, second);
	sum_filled = code_sum();
	if (halts)
		put_first(t, nop_for(t->c));
	for (unsigned i = 0; i < t->count; i++) {
		run_from(t, i, &in, &plain[i].state);
		keep_data(&plain[i]);
	}
	if (halts)
		put_first(t, t->c);
	sum_plain = code_sum();
	code_is_clean = sum_plain == sum_filled;
}

/* The hits of the run that has just ended. */
static bool hits_are_right(const struct trial *t, const struct state *in, const struct state *end)
{
	bool enters_first = t->from == t->at;
	unsigned first = (t->mask & 1) && enters_first && is_hit(t->c, in);

	if (t->takes_away)
		return hits[0] >= first && hits[1] == 0;
	if (hits[0] != first || (first != 0 ? !may_be_taken(t->c, in, taken) : taken != 0))
		return false;
	if (!(t->mask & 2))
		return hits[1] == 0;
	return enters_first ? second_may_have(t->c, in, end, hits[1]) : hits[1] == 1;
}

static bool compare(const struct trial *t, unsigned i)
{
	static struct state in, probed;
	const char *what = NULL;

	hits[0] = hits[1] = taken = stepped = faults = 0;
	run_from(t, i, &in, &probed);
	ran++;
	note_run(&in, t->mask);
	if (!same_end(t->c, &in, &plain[i], &probed))
		what = "not the same";
	else if (!hits_are_right(t, &in, &plain[i].state) || stepped != 0 || faults > 1)
		what = "hit count";
	if (what == NULL)
		return true;
	report(t->c, &in, &plain[i], &probed, what, t->mask);
	return false;
}

/* The hit has taken the second site away: it comes back. */
static bool bring_back(const struct trial *t)
{
	if (!t->takes_away)
		return true;
	site[1].insn_bytes = (uint8_t)case_bytes(t->c, 1);
	return arm(&site[1]);
}

static void compare_all(const struct trial *t)
{
	bool ok = true;

	take_away = t->takes_away;
	for (unsigned i = 0; i < t->count && ok; i++) {
		ok = compare(t, i);
		if (!bring_back(t))
			fail(t->c->text, "not armed again\n");
	}
	take_away = false;
}

/* Run probed from every start, and compare. The traps are gone then, and what the case stores into
 * code is there. */
static void run_probed(const struct trial *t)
{
	enum dp_refusal why;
	enum dp_err error;

	if (failed != t->before)
		return;
	if (!code_is_clean)
		fill_code(t->c, t->at, t->mask & 2 || SECOND_STAYS);
	error = prepare_case(t->c, t->at, t->mask, &why);
	if (is_excused(t->c, t->mask, error)) {
		/* the CPU knows why */
	} else if (error != DP_ERR_OK) {
		report_error(t->c, "refused", error, why);
	} else if (!arm_sites(t->mask)) {
		fail(t->c->text, "not armed\n");
	} else {
		compare_all(t);
		if (!disarm_sites(t->mask))
			fail(t->c->text, "not disarmed\n");
		if (code_sum() != sum_plain)
			fail(t->c->text, "code is not the same\n");
	}
	code_is_clean = sum_plain == sum_filled && failed == t->before;
	release_sites();
}

/* --- cases --- */

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
static void refusal_case(const struct test_case *c, uint32_t at)
{
	enum dp_refusal why;
	unsigned slots = slots_free();
	enum dp_err error;
	uint32_t sum;

	fill_code(c, at, SECOND_STAYS);
	sum = code_sum();
	error = prepare_case(c, at, 1, &why);
	refused += pass == PASS_PLAIN;
	if (is_refusal(c, error, why) && code_sum() == sum && holds_nothing(&site[0], slots))
		note_refusal(c, why);
	else
		report_error(c, "not refused as it should be", error, why);
}

/* With handlers; in the first pass also without, in every layout of the code. */
static void try_mask(struct trial *t, unsigned mask)
{
	t->mask = mask;
	/* A case whose first instruction would halt is not entered without a probe. */
	if (t->c->flags & CASE_HALTS && !(mask & 1))
		return;
	quiet = pass == PASS_PLAIN && (mask == 1 || SECOND_STAYS);
	if (quiet)
		run_probed(t);
	quiet = false;
	run_probed(t);
}

/* The second instruction stands behind the first in all runs: with a probe on it, with two, with
 * one that is taken away, and entered by itself. */
static void try_with_second(struct trial *t)
{
	try_mask(t, 2);
	try_mask(t, 3);
	t->takes_away = TAKES_AWAY;
	if (t->takes_away)
		run_probed(t);
	t->takes_away = false;
	t->count = FEW_STARTS(t->starts);
	t->from = t->at + case_bytes(t->c, 0);
	run_plain(t, true);
	try_mask(t, 2);
	try_mask(t, 3);
}

static void try_at(const struct test_case *c, uint32_t at)
{
	static struct trial t; /* static: a larger structure is cleared by memset */

	t.c = c;
	t.before = failed;
	t.at = t.from = at;
	t.starts = starts_of(c);
	t.count = pass == PASS_PLAIN ? t.starts : FEW_STARTS(t.starts);
	starts_most = t.starts > starts_most ? t.starts : starts_most;
	run_plain(&t, SECOND_STAYS);
	try_mask(&t, 1);
	if (SECOND_STAYS) {
		try_with_second(&t);
	} else if (pass == PASS_PLAIN) {
		run_plain(&t, true);
		try_mask(&t, 3);
	}
}

void one(const struct test_case *c)
{
	unsigned before = failed;

	if (!has_case(c))
		return;
	for (unsigned place = 0; place < places_of(c) && failed == before; place++)
		if (is_refused(c))
			refusal_case(c, place_of(place));
		else
			try_at(c, place_of(place));
	if (is_refused(c))
		return;
	probed_cases += pass == PASS_PLAIN;
	note_case(c);
}
