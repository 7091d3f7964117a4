/* SPDX-License-Identifier: BSD-2-Clause */
/* What no case shows: stray traps, handlers that a trap would harm, restarts. */
#include "checks.h"
#include "oracle.h"
#include "out.h"

#define FAR_CODE 0x81000000u

void frame_before(struct dp_frame *frame, uint32_t at)
{
	frame->pc = at;
	frame->mstatus = DP_STATUS_MPP;
	frame->x[12] = (uintptr_t)data;
}

/* Breakpoints that are nobody's: reported if they look like the agent's, and given to the firmware.
 */
/* proves: P3.23 P7.1 */
static void stray_checks(void)
{
	static const struct {
		uint32_t insn;
		unsigned strays, cause;
		const char *what;
	} traps[] = {
		{0x9002, 1, 3, "a stray trap is reported"},
		{0x00100073, 0, 3, "ebreak is the firmware's"},
		{0x00000073, 0, 11, "ecall is the firmware's"},
		{0, 0, 2, "an undefined instruction is the firmware's"},
	};
	static struct state in, end;

	for (unsigned i = 0; i < sizeof(traps) / sizeof(traps[0]); i++) {
		initial(&in, NULL, 0);
		fill_word(traps[i].insn);
		in.pc = case_address();
		strays = 0;
		run(&in, &end);
		expect(traps[i].what, strays == traps[i].strays && end.pc == in.pc &&
					      end.mcause == traps[i].cause &&
					      end.x[10] == in.x[10]);
	}
}

/* Where the jump back does not reach, the slot ends in the second trap. */
static void far_checks(void)
{
	static struct state in, end;
	volatile uint32_t *at = (volatile uint32_t *)FAR_CODE;
	enum dp_refusal why;

	at[0] = ADDED;
	at[1] = END;
	dp_port_text_written(FAR_CODE, 8);
	expect("prepared far away", prepare(&site[0], FAR_CODE, &why) == DP_ERR_OK);
	expect("two traps", !(site[0].port.flags & DP_RISCV_SITE_LEAVES));
	expect("armed far away", arm(&site[0]));
	hits[0] = stepped = 0;
	initial(&in, NULL, 0);
	in.pc = FAR_CODE;
	run(&in, &end);
	expect("hit far away",
	       hits[0] == 1 && stepped == 0 && end.x[24] == in.x[24] + 1 && end.pc == FAR_CODE + 4);
	expect("disarmed far away", disarm(&site[0]) && at[0] == ADDED);
	release_sites();
}

static enum dp_err prepare_at_function(uint32_t address, uint32_t function)
{
	enum dp_refusal why;
	enum dp_err error;

	place(&site[0], address, function);
	error = prepare_placed(&site[0], &why);
	release_sites();
	return error;
}

static enum dp_err prepare_at(uint32_t address)
{
	return prepare_at_function(address, case_address());
}

/* Between the write of mepc and mret a trap would destroy mepc; not before, and not where no mret
 * follows. */
/* proves: P3.13 */
static void return_checks(void)
{
	static const uint32_t returning[] = {
		ADDED,      /* 0 */
		0x34151073, /* 4 csrw mepc, a0 */
		ADDED,      /* 8 */
		0x30200073, /* 12 mret */
		ADDED,      /* 16 */
		0x30051073, /* 20 csrw mstatus, a0 */
		ADDED,      /* 24 */
		0x00008067, /* 28 ret */
	};
	const uint32_t at = case_address();

	fill_word(ADDED);
	for (unsigned i = 0; i < sizeof(returning) / 4; i++)
		code[CODE_AT + i] = returning[i];
	expect("before the write of mepc", prepare_at(at) == DP_ERR_OK);
	expect("the write of mepc itself", prepare_at(at + 4) == DP_ERR_NOT_PROBEABLE);
	expect("behind the write of mepc", prepare_at(at + 8) == DP_ERR_IN_AGENT);
	expect("behind mret", prepare_at(at + 16) == DP_ERR_OK);
	expect("the write of mstatus, no mret", prepare_at(at + 20) == DP_ERR_OK);
	expect("interrupts are on again, no mret", prepare_at(at + 24) == DP_ERR_OK);
	code[CODE_AT + 7] = returning[3];
	expect("the write of mstatus, then mret", prepare_at(at + 20) == DP_ERR_IN_AGENT);
}

/* Each instruction of the handler up to the last register that it saves, and no more. */
/* proves: P3.13 */
static void handler_checks(void)
{
	const uint8_t *at = handler;
	unsigned accepted = 0, count = 0;

	for (; at < handler_has_saved; at += dp_riscv_bytes(*at), count++)
		accepted += prepare_at_function((uintptr_t)at, (uintptr_t)handler) == DP_ERR_OK;
	expect("no probe in the handler", accepted == 0 && count > 20 && at == handler_has_saved);
	expect("a probe when the handler has saved",
	       prepare_at_function((uintptr_t)at, (uintptr_t)handler) == DP_ERR_OK);
}

void cpu_access_checks(void)
{
	uint8_t buffer[4];

	expect("null", dp_port_read(0, buffer, 4, 4) == 0);
}

void special_checks(void)
{
	static const uint32_t restarted[] = {
		0x9002,     /* c.ebreak */
		0x00100073, /* ebreak */
		0x00000000, /* undefined */
		0x0007a383, /* lw t2, 0(a5): a hole */
		ADDED,
	};
	unsigned count = sizeof(restarted) / sizeof(restarted[0]);

	access_checks();
	site_checks();
	stray_checks();
	far_checks();
	return_checks();
	handler_checks();
	restart_checks(restarted, count, false);
	restart_checks(restarted, count, true);
}
