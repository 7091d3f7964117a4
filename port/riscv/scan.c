/* SPDX-License-Identifier: BSD-2-Clause */
/* A trap overwrites mepc, mcause, mtval and two fields of mstatus. This file finds the code in
 * which a trap handler of the firmware still needs them: a probe there would destroy them.
 * Privileged ISA 3.1.6.1, 3.1.14 to 3.1.16 */
#include "riscv_port.h"

enum {
	DP_WALK_MAX = 192, /* instructions of a handler behind the save, or behind a restore */
	DP_WALK_FORK = 48, /* of these, behind a branch that is taken */
	DP_RUN_MAX = 1024  /* instructions of a stretch before the save */
};

/* What is known at an instruction of a handler; the low bits of dp_riscv_stretch.what. */
enum {
	DP_SAVED_MEPC = 1,
	DP_SAVED_MSTATUS = 2,
	DP_SAVED = DP_SAVED_MEPC | DP_SAVED_MSTATUS,
	DP_CALLED = 4, /* in a function that the handler calls: may return */
	DP_JOINED = 8, /* several stretches: the bits are those of the first one */
	DP_WHAT_BITS = 4
};

/* How control goes on behind an instruction. */
enum way {
	DP_WAY_ON, /* a call to an unknown function too */
	DP_WAY_BRANCH,
	DP_WAY_JUMP,
	DP_WAY_CALL,
	DP_WAY_RETURN,
	DP_WAY_LOST, /* to the address in a register */
	DP_WAY_STOP  /* mret, or an instruction that there is not */
};

/* A walk through code. */
struct walk {
	dp_word at;
	uint32_t insn; /* the one at `at` */
	unsigned bytes;
	enum way way;   /* of the one that was stepped over */
	dp_word target; /* of a jump, call or branch */
	unsigned reg;   /* a register with a known value; 0: none */
	dp_word value;  /* of the register */
	bool calls;     /* go into calls, one at a time */
	dp_word back;   /* where that call returns to; 0: in none */
};

/* Member by member: the agent has no memset and no memcpy. */
static void begin(struct walk *w, dp_word at, bool calls)
{
	w->at = at;
	w->insn = 0;
	w->bytes = 0;
	w->way = DP_WAY_ON;
	w->target = 0;
	w->reg = 0;
	w->value = 0;
	w->calls = calls;
	w->back = 0;
}

static bool read_by(dp_original_at original_at, struct walk *w)
{
	uint8_t byte[4] = {0};

	if (!original_at(w->at, byte, 2))
		return false;
	w->bytes = dp_riscv_bytes(byte[0]);
	if (w->bytes == 0 || (w->bytes == 4 && !original_at(w->at + 2, byte + 2, 2)))
		return false;
	w->insn = byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 |
		  (uint32_t)byte[3] << 24;
	return true;
}

static bool is_mret(uint32_t insn)
{
	return insn == 0x30200073;
}

static bool reads(uint32_t insn, unsigned csr)
{
	return dp_riscv_is_csr(insn) && dp_riscv_csr(insn) == csr && (insn >> 7 & 31) != 0;
}

static bool writes(uint32_t insn, unsigned csr)
{
	return dp_riscv_is_csr(insn) && dp_riscv_csr(insn) == csr && dp_riscv_writes_csr(insn);
}

static unsigned saved_by(uint32_t insn)
{
	return (reads(insn, DP_CSR_MEPC) ? DP_SAVED_MEPC : 0u) |
	       (reads(insn, DP_CSR_MSTATUS) ? DP_SAVED_MSTATUS : 0u);
}

/* Does the instruction write mepc or mstatus for an mret? csrsi and csrci of mstatus reach MIE
 * alone. */
static bool restores(uint32_t insn)
{
	const bool few_bits = (insn & 0x4000) && (insn & 0x2000);

	return writes(insn, DP_CSR_MEPC) || (writes(insn, DP_CSR_MSTATUS) && !few_bits);
}

/* --- the ways of control --- */

static dp_word upper(uint32_t insn)
{
	return (dp_word)(dp_sword)(int32_t)(insn & 0xfffff000);
}

static dp_word low_part(uint32_t insn)
{
	return (dp_word)(dp_sword)((int32_t)insn >> 20);
}

/* auipc and lui make a register known, addi and c.addi behind them too. */
static void learn(struct walk *w)
{
	const uint32_t insn = w->insn;
	const unsigned rd = insn >> 7 & 31, opcode = insn & 0x7f;

	if (opcode == 0x17 || opcode == 0x37) {
		w->value = upper(insn) + (opcode == 0x17 ? w->at : 0);
		w->reg = rd;
	} else if ((insn & 0x707f) == 0x13 && rd == w->reg && (insn >> 15 & 31) == rd) {
		w->value += low_part(insn);
	} else if (w->bytes == 2 && (insn & 0xe003) == 1 && rd == w->reg) {
		w->value += (dp_word)(insn >> 2 & 31) - (dp_word)(insn >> 7 & 32);
	} else {
		w->reg = 0;
	}
}

/* A jump to the address in a register. */
static enum way way_of_register(struct walk *w, unsigned class)
{
	const bool wide = class == DP_RISCV_JALR;
	const unsigned base = wide ? w->insn >> 15 & 31 : w->insn >> 7 & 31;
	const bool links = class == DP_RISCV_C_JALR || (wide && (w->insn >> 7 & 31) != 0);

	if (base == w->reg && base != 0) {
		w->target = (w->value + (wide ? low_part(w->insn) : 0)) & ~(dp_word)1;
		return links ? DP_WAY_CALL : DP_WAY_JUMP;
	}
	if (links)
		return DP_WAY_ON;
	/* ra, and t0 of functions that save registers */
	return base == 1 || base == 5 ? DP_WAY_RETURN : DP_WAY_LOST;
}

static enum way way_of_class(struct walk *w, unsigned class)
{
	switch (class) {
	case DP_RISCV_JALR:
	case DP_RISCV_C_JR:
	case DP_RISCV_C_JALR:
		return way_of_register(w, class);
	case DP_RISCV_BRANCH:
	case DP_RISCV_C_BRANCH:
	case DP_RISCV_JAL:
	case DP_RISCV_C_J:
	case DP_RISCV_C_JAL:
		w->target = w->at + (dp_word)(dp_sword)dp_riscv_distance(w->insn, class);
		break;
	default:
		return DP_WAY_ON;
	}
	if (class == DP_RISCV_BRANCH || class == DP_RISCV_C_BRANCH)
		return DP_WAY_BRANCH;
	return class == DP_RISCV_C_JAL || (class == DP_RISCV_JAL && (w->insn >> 7 & 31) != 0)
		       ? DP_WAY_CALL
		       : DP_WAY_JUMP;
}

static enum way way_of(struct walk *w)
{
	const struct dp_riscv_plan plan = dp_riscv_decode(w->insn, dp_riscv->cpu);
	enum way way = DP_WAY_ON;

	if (is_mret(w->insn) ||
	    (plan.action == DP_RISCV_REFUSE && plan.detail == DP_REFUSE_UNDEFINED))
		return DP_WAY_STOP;
	if (plan.action == DP_RISCV_EMULATE)
		way = way_of_class(w, plan.detail);
	learn(w);
	return way;
}

/* Go on as control does when no branch is taken. Returns false where the walk ends. */
static bool step(struct walk *w)
{
	const enum way way = way_of(w);
	const dp_word next = w->at + w->bytes;

	w->way = way;
	w->at = next;
	if (way == DP_WAY_JUMP || (way == DP_WAY_CALL && w->calls && w->back == 0)) {
		w->back = way == DP_WAY_CALL ? next : w->back;
		w->at = w->target;
	} else if (way == DP_WAY_RETURN && w->back != 0) {
		w->at = w->back;
		w->back = 0;
	} else if (way >= DP_WAY_RETURN) {
		return false;
	}
	return true;
}

/* At attach no probe is in the text. */
static bool plain_at(dp_addr address, uint8_t *bytes, unsigned count)
{
	return dp_access_load(address, count, bytes);
}

/* --- the table of stretches --- */

static dp_word length_of(const struct dp_riscv_stretch *s)
{
	return s->what >> DP_WHAT_BITS;
}

/* Nobody probes code in a no-probe range: the scan does not look there. */
static bool is_no_probe(dp_word address)
{
	const struct dp_range *range = dp_riscv->board->ranges;

	for (unsigned i = 0; i < dp_riscv->board->range_count; i++)
		if (address - range[i].start < range[i].bytes)
			return range[i].access & DP_MEM_NO_PROBE;
	return false;
}

/* Is the instruction in a stretch with this state? */
static bool is_noted(dp_word at, unsigned state)
{
	const struct dp_riscv_stretch *s = dp_riscv->stretch;

	for (unsigned i = 0; i < dp_riscv->stretches; i++)
		if ((s[i].what & (DP_SAVED | DP_CALLED)) == state &&
		    (at == s[i].start ||
		     (!(s[i].what & DP_JOINED) && at - s[i].start < length_of(&s[i]))))
			return true;
	return false;
}

/* Returns false: the table is full. */
static bool note(dp_word start, dp_word bytes, unsigned state)
{
	if (bytes >> (32 - DP_WHAT_BITS) != 0 || dp_riscv->stretches == DP_RISCV_STRETCHES)
		return false;
	dp_riscv->stretch[dp_riscv->stretches].start = start;
	dp_riscv->stretch[dp_riscv->stretches].what = (uint32_t)bytes << DP_WHAT_BITS | state;
	dp_riscv->stretches++;
	return true;
}

/* A stretch that is still to be walked. */
static bool note_later(dp_word start, unsigned state)
{
	return is_noted(start, state) || is_no_probe(start) || note(start, 0, state);
}

static bool is_covered(dp_word start, dp_word bytes)
{
	const struct dp_riscv_stretch *s = dp_riscv->stretch;

	for (unsigned i = 0; i < dp_riscv->stretches; i++)
		if (start - s[i].start < length_of(&s[i]) &&
		    bytes <= length_of(&s[i]) - (start - s[i].start))
			return true;
	return false;
}

static bool note_once(dp_word start, dp_word bytes)
{
	return bytes == 0 || is_covered(start, bytes) || note(start, bytes, DP_SAVED);
}

/* One stretch in the place of two that meet. */
static bool join(struct dp_riscv_stretch *a, const struct dp_riscv_stretch *b)
{
	if (a == b || a->start + length_of(a) != b->start)
		return false;
	a->what = (a->what | DP_JOINED) + (b->what >> DP_WHAT_BITS << DP_WHAT_BITS);
	dp_riscv->stretches--;
	return true;
}

static void join_all(void)
{
	struct dp_riscv_stretch *s = dp_riscv->stretch;
	unsigned i = 0;

	while (i < dp_riscv->stretches * dp_riscv->stretches) {
		const unsigned a = i / dp_riscv->stretches, b = i % dp_riscv->stretches;

		i++;
		if (join(&s[a], &s[b])) {
			s[b] = s[dp_riscv->stretches];
			i = 0;
		}
	}
}

/* --- behind the save --- */

/* The registers that a handler reads once more, when mepc and mstatus are saved. */
static bool reads_again(const struct walk *w)
{
	return reads(w->insn, DP_CSR_MEPC) || reads(w->insn, DP_CSR_MCAUSE) ||
	       reads(w->insn, DP_CSR_MTVAL) ||
	       (w->back == 0 && reads(w->insn, DP_CSR_MSTATUS) && !writes(w->insn, DP_CSR_MSTATUS));
}

/* The number of instructions up to the last one that reads. */
static unsigned last_read(dp_word at, dp_word back, unsigned max)
{
	struct walk w;
	unsigned count = 0;

	begin(&w, at, true);
	w.back = back;
	for (unsigned i = 1; i <= max && read_by(plain_at, &w); i++) {
		if (reads_again(&w))
			count = i;
		if (writes(w.insn, DP_CSR_MEPC) || !step(&w))
			break;
	}
	return count;
}

static bool note_walk(dp_word at, dp_word back, unsigned count)
{
	dp_word start = at, end = at;
	struct walk w;
	bool room = true;

	begin(&w, at, true);
	w.back = back;
	for (; count > 0 && read_by(plain_at, &w); count--) {
		end = w.at + w.bytes;
		(void)step(&w);
		if (w.at != end) {
			room = room && note_once(start, end - start);
			start = end = w.at;
		}
	}
	return room && note_once(start, end - start);
}

/* The code behind the save up to the last reads, on the way where no branch is taken, and on those
 * where one is. */
static bool note_behind(dp_word at)
{
	unsigned count = last_read(at, 0, DP_WALK_MAX), length;
	bool room = true, on = true;
	struct walk w;

	begin(&w, at, true);
	for (unsigned i = 1; on && i <= DP_WALK_MAX && read_by(plain_at, &w); i++) {
		on = !writes(w.insn, DP_CSR_MEPC);
		on = step(&w) && on;
		if (w.way != DP_WAY_BRANCH)
			continue;
		length = last_read(w.target, w.back, DP_WALK_FORK);
		room = room && note_walk(w.target, w.back, length);
		if (length > 0 && count < i)
			count = i;
	}
	return room && note_walk(at, 0, count);
}

/* --- before the save --- */

/* What a function has saved when it returns. */
static unsigned saved_in(dp_word function)
{
	struct walk w;
	unsigned saved = 0;

	begin(&w, function, false);
	for (unsigned i = 0; i < DP_WALK_FORK && read_by(plain_at, &w); i++) {
		saved |= saved_by(w.insn);
		if (!step(&w))
			break;
	}
	return saved;
}

enum walked {
	DP_WALK_ON,
	DP_WALK_ENDS,
	DP_WALK_FAILS
};

static enum walked ended(bool well)
{
	return well ? DP_WALK_ENDS : DP_WALK_FAILS;
}

/* One instruction of a stretch, which all belongs to the stretch. */
static enum walked walk_one(struct walk *w, unsigned state)
{
	const enum way way = way_of(w);
	unsigned next = state | saved_by(w->insn);

	w->at += w->bytes;
	switch (way) {
	case DP_WAY_BRANCH:
		if (!note_later(w->target, state))
			return DP_WALK_FAILS;
		break;
	case DP_WAY_CALL:
		if (!note_later(w->target, state | DP_CALLED))
			return DP_WALK_FAILS;
		next |= saved_in(w->target);
		break;
	case DP_WAY_JUMP:
		return ended(note_later(w->target, state));
	case DP_WAY_RETURN:
		return ended(state & DP_CALLED);
	case DP_WAY_LOST:
		return DP_WALK_FAILS;
	case DP_WAY_STOP:
		return DP_WALK_ENDS;
	default:
		break;
	}
	if ((next & DP_SAVED) == DP_SAVED)
		return ended(note_behind(w->at));
	if (next != state)
		return ended(note_later(w->at, next));
	return is_noted(w->at, state) ? DP_WALK_ENDS : DP_WALK_ON;
}

static bool walk_stretch(struct dp_riscv_stretch *s)
{
	const unsigned state = s->what & (DP_SAVED | DP_CALLED);
	enum walked walked = DP_WALK_ON;
	struct walk w;
	dp_word next;

	begin(&w, s->start, false);
	for (unsigned i = 0; i < DP_RUN_MAX && walked == DP_WALK_ON; i++) {
		if (!read_by(plain_at, &w))
			return false;
		next = w.at + w.bytes;
		s->what = (uint32_t)(next - s->start) << DP_WHAT_BITS | state;
		walked = walk_one(&w, state);
	}
	return walked == DP_WALK_ENDS;
}

bool dp_riscv_note_handler(dp_word handler)
{
	unsigned i = dp_riscv->stretches;

	if (!note_later(handler, 0))
		return false;
	for (; i < dp_riscv->stretches; i++)
		if (length_of(&dp_riscv->stretch[i]) == 0 && !walk_stretch(&dp_riscv->stretch[i]))
			return false;
	join_all();
	return true;
}

bool dp_riscv_writes_mscratch(dp_word handler)
{
	struct walk w;

	begin(&w, handler, true);
	for (unsigned i = 0; i < DP_WALK_MAX && read_by(plain_at, &w); i++) {
		if (writes(w.insn, DP_CSR_MSCRATCH))
			return true;
		if (!step(&w))
			return false;
	}
	return false;
}

/* --- before mret --- */

/* Does the code reach mret before it returns, when it takes no branch? A call returns. */
static bool ends_in_mret(dp_word at, dp_original_at original_at)
{
	struct walk w;

	begin(&w, at, false);
	for (unsigned i = 0; i < DP_WALK_MAX && read_by(original_at, &w); i++) {
		if (is_mret(w.insn))
			return true;
		if (!step(&w))
			return false;
	}
	return false;
}

/* The same when it takes one branch or none. */
static bool reaches_mret(dp_word at, dp_original_at original_at)
{
	bool on = true, found = ends_in_mret(at, original_at);
	struct walk w;

	begin(&w, at, false);
	for (unsigned i = 0; !found && on && i < DP_WALK_MAX && read_by(original_at, &w); i++) {
		on = step(&w);
		found = w.way == DP_WAY_BRANCH && ends_in_mret(w.target, original_at);
	}
	return found;
}

/* Does the code before the site restore? Without a known extent an instruction may begin at each
 * half, and a restore is followed by loads of all registers. */
static bool has_restored(const struct dp_site *site, dp_original_at original_at)
{
	const bool exact = dp_site_extent_known(site);
	const dp_word back = 4 * DP_WALK_MAX;
	bool restored = false;
	struct walk w;

	begin(&w, site->address > back ? site->address - back : 0, false);
	if (exact)
		w.at = dp_site_scan_from(site);
	while (w.at < site->address) {
		bool there = read_by(original_at, &w);

		if (there && (restores(w.insn) || is_mret(w.insn)))
			restored = restores(w.insn);
		w.at += exact && there ? w.bytes : DP_RISCV_TRAP_BYTES;
	}
	return restored;
}

bool dp_riscv_state_is_live(const struct dp_site *site, dp_original_at original_at)
{
	for (unsigned i = 0; i < dp_riscv->stretches; i++)
		if (site->address - dp_riscv->stretch[i].start < length_of(&dp_riscv->stretch[i]))
			return true;
	return (restores(site->original) || has_restored(site, original_at)) &&
	       reaches_mret(site->address, original_at);
}
