/* SPDX-License-Identifier: BSD-2-Clause */
/* Aborts that are not the instruction's: one that comes late, and those of callbacks. */
#include "checks.h"
#include "out.h"
#include "special.h"
#include "states.h"

#define GUARD 0x9d15c0de9d15c0deu
enum {
	LOST_ROUNDS = 16,
	MODE_SVC = 0x13,
	MASKED = DP_PSR_I | DP_PSR_F,
	GUARD_WORDS = sizeof(private_stack.guard) / 8
};
extern char abt_stack[];

/* An abort that comes late, when the copy has done its work and the second trap is next: it is not
 * the copy's, which must not be done again. */
static void late_abort(void)
{
	uint32_t address = case_address();
	static struct dp_frame frame;
	enum dp_refusal why;

	frame.cpsr = DP_MODE_SYS;
	fill_word(0xe881000cu); /* stm r1, {r2, r3} */
	stepped = faults = 0;
	expect("prepared for a late abort", prepare(&site[0], address, &why) == DP_ERR_OK);
	expect("two traps", dp_port_step(&site[0], &frame, false) == DP_STEP_PENDING);
	stepped = 1;
	frame.r[DP_ARM_PC] += 4; /* the copy is done */
	expect("a late abort is the firmware's",
	       dp_port_exception(DP_CLASS_DATA, &frame) == DP_FIRMWARE);
	expect("a late abort is not the copy's", stepped == 0 && faults == 0 &&
							 frame.r[DP_ARM_PC] == address + 4 &&
							 frame.cpsr == DP_MODE_SYS);
	release_sites();
}

static bool callback_aborts;
static uint32_t frame_at; /* of the last hit */

static void callback(const struct dp_site *s, struct dp_frame *frame)
{
	(void)s;
	frame_at = (uint32_t)(uintptr_t)frame;
	if (callback_aborts)
		(void)*(volatile uint32_t *)HOLE;
}

/* A callback aborts and the firmware goes on elsewhere, each time from another mode: until the port
 * is told so, hits lie below it; then abort mode has its stack again, and the next hit all of the
 * private one. */
/* proves: P6.3 */
static void lost_callbacks(void)
{
	uint32_t bytes = sizeof(private_stack.stack), lost;
	uint32_t top = (uint32_t)(uintptr_t)private_stack.stack + bytes;
	static struct state in, out;
	const struct test_case *add = fill_word(0xe2866001u); /* add r6, r6, #1 */
	enum dp_refusal why;
	bool whole = true;

	quiet = true;
	at_hit = callback;
	expect("prepared for a lost callback",
	       prepare(&site[0], case_address(), &why) == DP_ERR_OK && arm(&site[0]));
	for (unsigned i = 0; i < GUARD_WORDS; i++)
		private_stack.guard[i] = GUARD;
	initial_as(&in, add, DP_MODE_SYS | MASKED, false);
	in.pc = case_address();
	for (unsigned round = 0; round < LOST_ROUNDS; round++) {
		in.cpsr = (round & 1 ? MODE_SVC : DP_MODE_SYS) | MASKED;
		callback_aborts = true;
		run(&in, &out);
		lost = out.abt_sp;
		expect("the callback aborts on the private stack",
		       out.class == 4 && frame_at == top - DP_FRAME_BYTES && lost < frame_at &&
			       lost > top - bytes);
		/* Another task, before anybody knows. */
		callback_aborts = false;
		in.abt_sp = lost;
		run(&in, &out);
		expect("a hit below what is lost", out.class == DP_CLASS_UNDEFINED &&
							   out.r[6] == in.r[6] + 1 &&
							   frame_at < lost && out.abt_sp == lost);
		set_abt_sp(lost);
		dp_port_recover();
		in.abt_sp = get_abt_sp();
		expect("abort mode has its stack again",
		       in.abt_sp == (uint32_t)(uintptr_t)abt_stack);
		dp_port_recover();
		expect("and keeps it", get_abt_sp() == in.abt_sp);
		run(&in, &out);
		expect("a hit has the whole private stack again",
		       out.class == DP_CLASS_UNDEFINED && frame_at == top - DP_FRAME_BYTES);
	}
	for (unsigned i = 0; i < GUARD_WORDS; i++)
		whole &= private_stack.guard[i] == GUARD;
	expect("nothing below the private stack is written", whole);
	expect("disarmed after lost callbacks", disarm(&site[0]));
	at_hit = NULL;
	release_sites();
}

void abort_checks(void)
{
	late_abort();
	lost_callbacks();
}
