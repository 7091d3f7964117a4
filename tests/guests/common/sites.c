/* SPDX-License-Identifier: BSD-2-Clause */
/* Sites by where they are, and how they are armed. guest.h has the samples: SAMPLE_ADD, an
 * instruction with one trap; SAMPLE_LOAD, a load from the register that frame_before fills;
 * SAMPLE_LINKED and SAMPLE_CONDITIONAL, the two of an exclusive window; SAMPLE_RETURN, a return
 * whose copy leaves its slot by itself, if the port has such slots. SAMPLE_TRAP_BYTES of the trap
 * at a sample, where they are not four; in memory the lowest comes first then. */
#include "checks.h"
#include "oracle.h"
#include "out.h"

#ifndef SAMPLE_TRAP_BYTES
#define SAMPLE_TRAP_BYTES 4
#endif
#define TRAP_MASK (0xffffffffu >> (32 - 8 * SAMPLE_TRAP_BYTES))

static void put_samples(uint32_t first, uint32_t second, uint32_t third, uint32_t fourth)
{
	const uint32_t words[4] = {first, second, third, fourth};

	fill_word(SAMPLE_ADD);
	for (unsigned i = 0; i < 4; i++)
		code[CODE_AT + i] = words[i];
	code_written(case_address(), sizeof(words));
}

static void put_adds(void)
{
	put_samples(SAMPLE_ADD, SAMPLE_ADD, SAMPLE_ADD, SAMPLE_ADD);
}

/* A site so many bytes behind the first sample, which begins a function. */
static enum dp_err prepare_behind(uint32_t bytes)
{
	enum dp_refusal why;

	place(&site[0], case_address() + bytes, case_address());
	return prepare_placed(&site[0], &why);
}

/* A probe between load-linked and store-conditional is refused; behind them it is not. */
/* proves: A3.17 A4.6 P3.2 P3.3 P3.4 P3.9 */
static void window_checks(void)
{
	enum dp_refusal why;

#ifdef SAMPLE_LINKED
	put_samples(SAMPLE_LINKED, SAMPLE_ADD, SAMPLE_CONDITIONAL, SAMPLE_ADD);
	expect("in a window", prepare_behind(4) == DP_ERR_IN_ATOMIC);
	expect("behind it", prepare_behind(12) == DP_ERR_OK);
	release(&site[0]);
#endif
	put_adds();
	expect("odd address", prepare_behind(2) == DP_ERR_NOT_BOUNDARY);
	expect("no memory", prepare(&site[0], HOLE, &why) == DP_ERR_NOT_TEXT);
}

/* Where a pc in a slot belongs: to the instruction, and behind its copy to the next one. */
/* proves: P4.10 */
static void origin_checks(void)
{
	uint32_t at = case_address(), slot;
	bool behind = false;

	put_adds();
	expect("prepared", prepare_behind(0) == DP_ERR_OK && arm(&site[0]));
	slot = (uint32_t)(uintptr_t)dp_slots_words(&GUEST_AGENT->slots, site[0].port.slot);
	expect("before the copy", dp_port_slot_origin(slot) == at);
	for (uint32_t i = 4; i <= 8; i += 4) {
		uint32_t origin = dp_port_slot_origin(slot + i);

		expect("in a slot", origin == at + 4 || (origin == at && !behind));
		behind = origin == at + 4;
	}
	expect("behind the copy", behind);
	expect("elsewhere", dp_port_slot_origin(at) == at);
	expect("disarmed", disarm(&site[0]));
	release(&site[0]);
}

/* What is released is taken again, and nothing else. */
static void slot_checks(void)
{
	unsigned total, before, after, used;

	put_adds();
	expect("prepared", prepare_behind(0) == DP_ERR_OK);
	expect("armed and disarmed", arm(&site[0]) && disarm(&site[0]));
	used = site[0].port.slot;
	release(&site[0]);
	dp_port_slots(&total, &before);
	expect("prepared again", prepare_behind(0) == DP_ERR_OK);
	expect("the same slot", site[0].port.slot == used);
	dp_port_slots(&total, &after);
	expect("no other slot", before == after);
	release_sites();
}

static enum dp_step step_first(bool may_leave)
{
	static struct dp_frame frame;
	enum dp_step step;

	frame_before(&frame, case_address());
	step = dp_port_step(&site[0], &frame, may_leave);
	if (step == DP_STEP_PENDING)
		dp_port_stepped(&site[0], &frame);
	return step;
}

/* A load takes one trap only where the hit can be withdrawn. */
/* proves: P4.12 */
static void one_trap_checks(void)
{
	put_samples(SAMPLE_LOAD, SAMPLE_ADD, SAMPLE_ADD, SAMPLE_ADD);
	expect("prepared", prepare_behind(0) == DP_ERR_OK && arm(&site[0]));
	expect("one trap", step_first(true) == DP_STEP_AWAY);
	expect("two traps", step_first(false) == DP_STEP_PENDING);
	expect("disarmed", disarm(&site[0]));
	release_sites();
}

#ifdef SAMPLE_RETURN
/* A trap in the delay slot, if the CPU has delay slots, takes the slot away from a return. */
static void delay_checks(void)
{
#ifdef DP_PORT_RESUME_BEHIND
	enum dp_refusal why;

	place(&site[1], case_address() + DP_PORT_RESUME_BEHIND, case_address());
	expect("prepared behind", prepare_placed(&site[1], &why) == DP_ERR_OK && arm(&site[1]));
	expect("not over a trap", dp_port_resume(&site[0], true) == 0);
	expect("disarmed behind", disarm(&site[1]));
#endif
	expect("a slot", dp_port_resume(&site[0], true) != 0);
}

/* The copy of a return leaves its slot in one trap, unless somebody wants to know its end. */
/* proves: P4.7 P4.11 */
static void return_checks(void)
{
	put_samples(SAMPLE_RETURN, SAMPLE_ADD, SAMPLE_ADD, SAMPLE_ADD);
	expect("prepared", prepare_behind(0) == DP_ERR_OK && arm(&site[0]));
	expect("a return in one trap", step_first(true) == DP_STEP_AWAY);
	delay_checks();
	site[0].phases = 1u << DP_PHASE_BEFORE | 1u << DP_PHASE_AFTER;
	expect("a late return", dp_port_resume(&site[0], true) == 0);
	expect("a late return is emulated", step_first(true) == DP_STEP_DONE);
	site[0].phases = 0;
	expect("disarmed", disarm(&site[0]));
	release_sites();
}
#endif

/* --- arming --- */

static struct {
	unsigned writes, syncs, slot_syncs;
	bool fails, loses;
	uint32_t seen; /* the word in memory at the last sync */
} flash;

static bool write_flash(dp_addr address, const void *bytes, size_t count)
{
	flash.writes++;
	for (size_t i = 0; !flash.fails && !flash.loses && i < count; i++)
		((volatile uint8_t *)(uintptr_t)address)[i] = ((const uint8_t *)bytes)[i];
	return !flash.fails;
}

static void sync_text(dp_addr address, size_t count)
{
	flash.syncs += address == case_address() && count == SAMPLE_TRAP_BYTES;
	flash.slot_syncs += dp_slots_contain(&GUEST_AGENT->slots, address);
	flash.seen = *(volatile uint32_t *)(uintptr_t)address & TRAP_MASK;
}

/* Prepare a site on a board that synchronises caches. */
static const struct dp_board *change_board(struct dp_board *changed)
{
	const struct dp_board *unchanged = GUEST_AGENT->board;

	changed->ranges = unchanged->ranges;
	changed->range_count = unchanged->range_count;
	changed->text_sync = sync_text;
	put_adds();
	flash.syncs = flash.slot_syncs = 0;
	GUEST_AGENT->board = changed;
	expect("prepared", prepare_behind(0) == DP_ERR_OK);
	return unchanged;
}

/* Another CPU may execute a slot as well as a trap. */
/* proves: A1.16 */
static void sync_checks(void)
{
	static struct dp_board changed;
	const struct dp_board *unchanged = change_board(&changed);

	expect("the slot is synchronised", flash.slot_syncs == 1 && flash.syncs == 0);
	expect("armed and disarmed", arm(&site[0]) && disarm(&site[0]));
	expect("trap and original are synchronised", flash.syncs == 2);
	GUEST_AGENT->board = unchanged;
	release_sites();
}

/* The board writes text and synchronises caches in the port's place, and may fail. One store of the
 * trap, then the caches, then the word is read back: a write that was lost is not taken for a trap.
 */
/* proves: A1.15 A1.16 A3.16 P3.25 */
static void flash_checks(void)
{
	static struct dp_board changed;
	const struct dp_board *unchanged = change_board(&changed);
	volatile uint32_t *word = &code[CODE_AT];
	uint32_t found;

	changed.text_write = write_flash;
	site[0].means = dp_board_means(&changed);
	flash.writes = 0;
	flash.fails = true;
	expect("flash that fails", dp_port_arm(&site[0]) == DP_ERR_NOT_PATCHABLE &&
					   flash.writes > 0 && *word == SAMPLE_ADD);
	flash.fails = false;
	flash.loses = true;
	expect("a lost write", dp_port_arm(&site[0]) == DP_ERR_NOT_PATCHABLE &&
				       !dp_port_is_armed(&site[0], &found));
	flash.loses = false;
	flash.writes = flash.syncs = 0;
	expect("armed by the board", dp_port_arm(&site[0]) == DP_ERR_OK &&
					     dp_port_is_armed(&site[0], &found) &&
					     (*word & TRAP_MASK) == found && found != SAMPLE_ADD);
	expect("one store, then the caches",
	       flash.writes == 1 && flash.syncs == 1 && flash.seen == found);
	expect("disarmed by the board", dp_port_disarm(&site[0]) == DP_ERR_OK &&
						*word == SAMPLE_ADD &&
						flash.seen == (SAMPLE_ADD & TRAP_MASK));
	expect("every write by the board", flash.writes == 2 && flash.syncs == 2);
	GUEST_AGENT->board = unchanged;
	release_sites();
}

void site_checks(void)
{
	window_checks();
	origin_checks();
	slot_checks();
	one_trap_checks();
#ifdef SAMPLE_RETURN
	return_checks();
#endif
	sync_checks();
	flash_checks();
}
