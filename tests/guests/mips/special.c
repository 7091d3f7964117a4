/* SPDX-License-Identifier: BSD-2-Clause */
/* What no case shows: sites by where they are, accesses in hits, stray traps, restarts. */
#include "special.h"

#include "checks.h"
#include "oracle.h"
#include "out.h"

/* A probe between LL and SC is refused; behind SC it is not. A prober of the word before the first
 * instruction of a function does not see a branch there. */
/* proves: A4.6 P3.2 P3.3 P3.4 P3.9 */
static void window_checks(void)
{
	enum dp_refusal why;
	uint32_t at = case_address();

	fill_word(ADDED);
	code[CODE_AT] = 0xc0c20000; /* ll $2, 0($6) */
	code[CODE_AT + 1] = ADDED;
	code[CODE_AT + 2] = 0xe0c20000; /* sc $2, 0($6) */
	code[CODE_AT + 3] = ADDED;
	expect("in a window", prepare(&site[0], at + 4, &why) == DP_ERR_IN_ATOMIC);
	expect("behind it", prepare(&site[0], at + 12, &why) == DP_ERR_OK);
	release(&site[0]);
	place(&site[0], 0x00400000, 0);
	site[0].original = ADDED;
	site[0].insn_bytes = 4;
	expect("where user mode runs",
	       dp_port_prepare(&site[0], original_at, &why) == DP_ERR_NOT_PROBEABLE &&
		       why == DP_REFUSE_USER_MODE);
	site[0].insn_bytes = 0;
	expect("odd address", prepare(&site[0], at + 2, &why) == DP_ERR_NOT_BOUNDARY);
	expect("no memory", prepare(&site[0], HOLE, &why) == DP_ERR_NOT_TEXT);
}

/* The board for the next checks: the port's own, with a few members changed. */
static struct dp_board changed;
static const struct dp_board *unchanged;

static void change_board(void)
{
	unchanged = dp_mips->board;
	changed.ranges = unchanged->ranges;
	changed.range_count = unchanged->range_count;
	dp_mips->board = &changed;
}

static enum dp_step step_load(uint32_t at, bool may_leave)
{
	static struct dp_frame frame;
	enum dp_step step;

	frame.epc = at;
	frame.status = 0;
	frame.r[6] = (uint32_t)(uintptr_t)data;
	step = dp_port_step(&site[0], &frame, may_leave);
	if (step == DP_STEP_PENDING)
		dp_port_stepped(&site[0], &frame);
	return step;
}

/* A load takes one trap only where the hit can be withdrawn. */
/* proves: P4.12 */
static void one_trap_checks(void)
{
	enum dp_refusal why;
	uint32_t at = case_address();

	code[CODE_AT] = 0x8cc20000; /* lw $2, 0($6) */
	code[CODE_AT + 1] = ADDED;
	expect("prepared", prepare(&site[0], at, &why) == DP_ERR_OK && arm(&site[0]));
	expect("one trap", step_load(at, true) == DP_STEP_AWAY);
	expect("two traps", step_load(at, false) == DP_STEP_PENDING);
	expect("disarmed", disarm(&site[0]));
	release_sites();
}

static unsigned writes, syncs;
static bool flash_works, flash_loses;
static uint32_t synced; /* the word in memory at the last sync */

static bool write_flash(dp_addr address, const void *bytes, size_t count)
{
	writes++;
	if (flash_works && !flash_loses && count == 4 && address % 4 == 0)
		*(volatile uint32_t *)address = *(const uint32_t *)bytes;
	return flash_works;
}

static void sync_text(dp_addr address, size_t count)
{
	syncs += address == case_address() && count == 4;
	synced = *(volatile uint32_t *)address;
}

/* The board writes text and synchronises caches in the port's place, and may fail. */
/* proves: A1.15 A1.16 A3.16 */
static void flash_checks(void)
{
	enum dp_refusal why;
	uint32_t at = case_address();

	code[CODE_AT] = code[CODE_AT + 1] = ADDED;
	expect("prepared", prepare(&site[0], at, &why) == DP_ERR_OK);
	change_board();
	changed.text_write = write_flash;
	changed.text_sync = sync_text;
	site[0].means = dp_board_means(&changed);
	writes = syncs = 0;
	flash_works = false;
	expect("flash that fails", dp_port_arm(&site[0]) == DP_ERR_NOT_PATCHABLE && writes > 0 &&
					   code[CODE_AT] == ADDED);
	flash_works = true;
	writes = 0;
	expect("armed by the board", dp_port_arm(&site[0]) == DP_ERR_OK && code[CODE_AT] != ADDED);
	expect("disarmed by the board",
	       dp_port_disarm(&site[0]) == DP_ERR_OK && code[CODE_AT] == ADDED);
	expect("every write by the board", writes == 2 && syncs >= 2);
	changed.text_write = NULL;
	changed.text_sync = NULL;
	dp_mips->board = unchanged;
	release_sites();
}

/* One store of the trap, then the caches, then the word is read back: a write that was lost is not
 * taken for a trap. */
/* proves: P3.25 */
static void arming_checks(void)
{
	enum dp_refusal why;
	uint32_t at = case_address(), found;

	code[CODE_AT] = code[CODE_AT + 1] = ADDED;
	expect("prepared", prepare(&site[0], at, &why) == DP_ERR_OK);
	change_board();
	changed.text_write = write_flash;
	changed.text_sync = sync_text;
	site[0].means = dp_board_means(&changed);
	flash_works = flash_loses = true;
	expect("a lost write", dp_port_arm(&site[0]) == DP_ERR_NOT_PATCHABLE &&
				       !dp_port_is_armed(&site[0], &found));
	flash_loses = false;
	writes = syncs = 0;
	expect("armed", dp_port_arm(&site[0]) == DP_ERR_OK && dp_port_is_armed(&site[0], &found));
	expect("one store, then the caches", writes == 1 && syncs == 1 && synced == found);
	expect("disarmed", dp_port_disarm(&site[0]) == DP_ERR_OK && synced == ADDED);
	changed.text_write = NULL;
	changed.text_sync = NULL;
	dp_mips->board = unchanged;
	release_sites();
}

/* Where a pc in a slot belongs. */
/* proves: P4.10 */
static void origin_checks(void)
{
	enum dp_refusal why;
	uint32_t at = case_address(), slot;

	code[CODE_AT] = code[CODE_AT + 1] = ADDED;
	expect("prepared", prepare(&site[0], at, &why) == DP_ERR_OK && arm(&site[0]));
	slot = (uint32_t)(uintptr_t)dp_slots_words(&dp_mips->slots, site[0].port.slot);
	expect("before the copy",
	       dp_port_slot_origin(slot) == at && dp_port_slot_origin(slot + 4) == at);
	expect("behind the copy", dp_port_slot_origin(slot + 8) == at + 4);
	expect("elsewhere", dp_port_slot_origin(at) == at);
	expect("disarmed", disarm(&site[0]));
	release_sites();
}

/* A break with EXL set leaves EPC alone: reported, and given to the firmware. Breaks of the
 * firmware's own are not touched. */
/* proves: P3.23 P7.1 */
static void stray_checks(void)
{
	static struct state in, end;

	initial(&in, NULL, 0);
	code[CODE_AT] = 0x408e6000; /* mtc0 $14, $12: EXL */
	code[CODE_AT + 1] = 0x0000000d;
	in.pc = case_address();
	strays = 0;
	run(&in, &end);
	expect("a trap with EXL set is reported",
	       strays == 1 && end.pc == in.pc && end.cause == 9 << 2);
	code[CODE_AT] = 0x000001cd; /* break 7 */
	run(&in, &end);
	expect("break 7 is the firmware's", strays == 1 && end.pc == in.pc && end.cause == 9 << 2);
}

static void all_accesses(const struct dp_site *s, struct dp_frame *frame)
{
	(void)s;
	(void)frame;
	access_checks();
}

/* The same in a hit: behind a plain instruction, a jump, in a delay slot, before a fault; in a
 * callback that is hit inside a hit. */
static void context_checks(void)
{
	static const struct test_case contexts[] = {
		{{0x00851021, ADDED}, 0, 0, "addu: accesses in the hit"},
		{{0x8cc20000, ADDED}, 0, 0, "lw: accesses in the hit"},
		{{0x8d220000, ADDED}, 0, 0, "lw of nothing: accesses in the hit"},
		{{0x10000010, 0x00851021}, CASE_JUMP, 0, "b; addu: accesses in the hit"},
		{{0x10000010, 0x8d220000}, CASE_JUMP, 0, "b; lw of nothing: accesses in the hit"},
		{{0x03200008, 0xacc40000}, CASE_JUMP, 0, "jr; sw: accesses in the hit"},
	};

	at_hit = all_accesses;
	for (unsigned i = 0; i < sizeof(contexts) / sizeof(contexts[0]); i++)
		one(&contexts[i]);
	at_hit = NULL;
}

void cpu_access_checks(void)
{
	uint8_t buffer[4];

	expect("null", dp_port_read(0, buffer, 4, 4) == 0);
}

void special_checks(void)
{
	static const uint32_t restarted[] = {
		0x0000000d, /* break 0 */
		0x0000014d, /* break 5 */
		0x8d220000, /* lw $2, 0($9): a hole */
		0x8d420000, /* lw $2, 0($10): odd */
		ADDED,
	};
	unsigned count = sizeof(restarted) / sizeof(restarted[0]);

	access_checks();
	window_checks();
	origin_checks();
	one_trap_checks();
	flash_checks();
	arming_checks();
	stray_checks();
	restart_checks(restarted, count, false);
	restart_checks(restarted, count, true);
}

void pass_checks(void)
{
	context_checks();
	if (pass == PASS_PLAIN)
		tlb_checks();
}
