/* SPDX-License-Identifier: BSD-2-Clause */
/* Aborts that are not the instruction's: one that comes late, and those of callbacks. */
#include "nested.h"
#include "out.h"
#include "special.h"
#include "twice.h"

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
	const struct test_case store = {.insn = 0xe881000cu, .bytes = 4}; /* stm r1, {r2, r3} */
	uint32_t address = (uint32_t)(uintptr_t)code + CODE_AT;
	static struct dp_frame frame;
	enum dp_refusal why;

	frame.cpsr = DP_MODE_SYS;
	put_insn(address, &store);
	stepped = faults = 0;
	expect("prepared for a late abort", prepare_case(&store, address, &why) == DP_ERR_OK);
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

/* A callback aborts and the firmware goes on elsewhere, each time from another mode: until the port
 * is told so, hits lie below it; then abort mode has its stack again, and the next hit all of the
 * private one. */
/* proves: P6.3 */
static void lost_callbacks(void)
{
	const struct test_case add = {.insn = 0xe2866001u, .bytes = 4}; /* add r6, r6, #1 */
	uint32_t address = (uint32_t)(uintptr_t)code + CODE_AT;
	uint32_t bytes = sizeof(private_stack.stack), lost;
	uint32_t top = (uint32_t)(uintptr_t)private_stack.stack + bytes;
	static struct state in, out;
	enum dp_refusal why;

	variant = QUIET;
	code_is_clean = false;
	fill_code(&add, address);
	expect("prepared for a lost callback",
	       prepare_case(&add, address, &why) == DP_ERR_OK && arm(&site[0]));
	for (unsigned i = 0; i < GUARD_WORDS; i++)
		private_stack.guard[i] = GUARD;
	initial(&in, &add, address, DP_MODE_SYS | MASKED);
	for (unsigned round = 0; round < LOST_ROUNDS; round++) {
		in.cpsr = (round & 1 ? MODE_SVC : DP_MODE_SYS) | MASKED;
		variant = LOST;
		run(&in, &out);
		lost = out.abt_sp;
		expect("the callback aborts on the private stack",
		       out.class == 4 && frame_at == top - DP_FRAME_BYTES && lost < frame_at &&
			       lost > top - bytes);
		/* Another task, before anybody knows. */
		variant = QUIET;
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
		if (private_stack.guard[i] != GUARD) {
			expect("nothing below the private stack is written", false);
			break;
		}
	expect("disarmed after lost callbacks", disarm(&site[0]));
	code_is_clean = false;
	release_sites();
}

void abort_checks(void)
{
	late_abort();
	lost_callbacks();
}
