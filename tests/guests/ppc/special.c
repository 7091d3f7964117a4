/* SPDX-License-Identifier: BSD-2-Clause */
/* What no case shows: stray traps, machine checks, restarts. */
#include "special.h"

#include "checks.h"
#include "oracle.h"
#include "out.h"

#define FAR_CODE 0x03000000u
#ifndef GUEST_SWEEP /* 1: only the interrupts */
#define GUEST_SWEEP 0
#endif

void frame_before(struct dp_frame *frame, uint32_t at)
{
	frame->pc = at;
	frame->msr = TRANSLATION;
	frame->r[6] = (uint32_t)(uintptr_t)data;
}

static void read_only_checks(void)
{
	enum dp_refusal why;

	expect("not writable", prepare(&site[0], READ_ONLY + 0x100, &why) == DP_ERR_NOT_PROBEABLE ||
				       dp_port_arm(&site[0]) == DP_ERR_NOT_PATCHABLE);
	release_sites();
}

/* Traps that are nobody's: reported, and given to the firmware. Those of the firmware's own are not
 * touched. */
/* proves: P3.23 P7.1 */
static void stray_checks(void)
{
	static const struct {
		uint32_t insn;
		unsigned strays;
		const char *what;
	} traps[] = {
		{0x7fe00008, 1, "a stray trap is reported"},
		{0x0fe00005, 1, "a stray second trap is reported"},
		{0x0fe00000, 0, "twi 31, r0, 0 is the firmware's"},
		{0x7c840008, 0, "a trap whose condition holds is the firmware's"},
		{0x00000000, 0, "an illegal instruction is the firmware's"},
	};
	static struct state in, end;

	for (unsigned i = 0; i < sizeof(traps) / sizeof(traps[0]); i++) {
		initial(&in, NULL, 0);
		code[CODE_AT] = traps[i].insn;
		if (traps[i].insn == 0x7c840008)
			code[CODE_AT] = 0x7c842008; /* tweq r4, r4 */
		code_written(case_address(), 4);
		in.pc = case_address();
		strays = 0;
		run(&in, &end);
		expect(traps[i].what, strays == traps[i].strays && end.pc == in.pc &&
					      end.vector == VECTOR_PROGRAM && end.r[4] == in.r[4]);
	}
}

/* Where the branch back does not reach, the slot ends in the second trap. */
static void far_checks(void)
{
	static struct state in, end;
	volatile uint32_t *at = (volatile uint32_t *)FAR_CODE;
	enum dp_refusal why;

	at[0] = ADDED;
	at[1] = END;
	dp_port_text_written(FAR_CODE, 8);
	expect("prepared far away", prepare(&site[0], FAR_CODE, &why) == DP_ERR_OK);
	expect("two traps", !(site[0].port.flags & DP_PPC_SITE_LEAVES));
	expect("armed far away", arm(&site[0]));
	hits[0] = stepped = 0;
	initial(&in, NULL, 0);
	in.pc = FAR_CODE;
	run(&in, &end);
	expect("hit far away",
	       hits[0] == 1 && stepped == 0 && end.r[24] == in.r[24] + 1 && end.pc == FAR_CODE + 8);
	expect("disarmed far away", disarm(&site[0]) && at[0] == ADDED);
	release_sites();
}

/* No bus of QEMU's reports errors: the exception is made up, at the vector. */
static void machine_checks(void)
{
	static struct state end;
	uint32_t begin = (uint32_t)(uintptr_t)dp_ppc_access_begin;
	uint32_t last = (uint32_t)(uintptr_t)dp_ppc_access_end - 4;

	if (!IS_E500) /* QEMU's e500 has no rfmci */
		expect("machine check at an access",
		       !fake_machine_check(begin) && !fake_machine_check(last));
	machine_check_elsewhere(&end);
	expect("machine check elsewhere", end.vector == VECTOR_MACHINE && end.r[3] == 55);
}

void cpu_access_checks(void)
{
	uint8_t buffer[4];
	uint32_t word = 0x11223344;

	expect("write to what is read only", dp_port_read(READ_ONLY, buffer, 4, 4) == 4 &&
						     dp_port_write(READ_ONLY, &word, 4, 4) == 0);
}

/* Does floating point work? Then its registers are looked at as well. */
static void find_fpu(void)
{
	static struct state in, end;

	initial(&in, NULL, 1);
	fill_word(0xfc000890); /* fmr f0, f1 */
	in.pc = case_address();
	run(&in, &end);
	has_fpu = end.vector == VECTOR_SC;
	number("fpu ", has_fpu);
	say("\n");
}

void special_checks(void)
{
	static const uint32_t restarted[] = {
		0x7fe00008, /* trap */
		0x0fe00005, /* the second trap */
		0x00000000, /* undefined */
		0x80490000, /* lwz r2, 0(r9): a hole */
		0x7c405028, /* lwarx r2, 0, r10: odd */
		ADDED,
	};
	unsigned count = sizeof(restarted) / sizeof(restarted[0]);

	decrementer_start = NEVER;
	find_fpu();
	if (GUEST_SWEEP) {
		sweep();
		finish();
	}
	access_checks();
	site_checks();
	read_only_checks();
	stray_checks();
	machine_checks();
	restart_checks(restarted, count, false);
	restart_checks(restarted, count, true);
	if (IS_E500) /* 64 MB are mapped */
		far_checks();
}
