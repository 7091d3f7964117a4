/* SPDX-License-Identifier: BSD-2-Clause */
/* What no case shows: accesses in hits, stray traps, restarts. */
#include "special.h"

#include "checks.h"
#include "oracle.h"
#include "out.h"

void frame_before(struct dp_frame *frame, uint32_t at)
{
	frame->epc = at;
	frame->status = 0;
	frame->r[6] = (uint32_t)(uintptr_t)data;
}

static void user_mode_checks(void)
{
	enum dp_refusal why;

	place(&site[0], 0x00400000, 0);
	site[0].original = ADDED;
	site[0].insn_bytes = 4;
	expect("where user mode runs",
	       dp_port_prepare(&site[0], original_at, &why) == DP_ERR_NOT_PROBEABLE &&
		       why == DP_REFUSE_USER_MODE);
	site[0].insn_bytes = 0;
}

/* A break with EXL set leaves EPC alone: reported, and given to the firmware. Breaks of the
 * firmware's own are not touched. */
/* proves: P3.23 P7.1 */
static void stray_checks(void)
{
	static struct state in, end;

	initial(&in, NULL, 0);
	fill_word(0x408e6000); /* mtc0 $14, $12: EXL */
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
	site_checks();
	user_mode_checks();
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
