/* SPDX-License-Identifier: BSD-2-Clause */
/* What no case shows: sites by where they are, half a trap, restarts. */
#include "special.h"

#include "checks.h"
#include "out.h"
#include "states.h"

extern const char und_handler[];
static unsigned looked_at;

static bool count_looks(dp_addr address, uint8_t *bytes, unsigned count)
{
	looked_at++;
	return original_at(address, bytes, count);
}

/* An extent that begins far away, or behind the site, as no compiler says it: interrupts are masked
 * during the scan. Thumb needs a scan to find the boundary, and refuses. */
/* proves: P3.31 */
static void function_too_long(void)
{
	static const uint32_t before[] = {DP_SITE_EXTENT_MAX + 1, 0x10000, 0x7ffffffc, 0xfffffff8};

	for (uint8_t isa = DP_ISA_MAIN; isa <= DP_ISA_THUMB; isa++) {
		struct dp_site *far = &site[0];
		enum dp_refusal why;

		place(far, case_address(), RAM_BASE);
		far->isa = isa;
		if (is_left_out(isa == DP_ISA_THUMB))
			continue;
		fill_word(isa == DP_ISA_MAIN ? 0xe1a00000u : 0x46c046c0u);
		for (unsigned i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
			enum dp_err error = dp_port_fetch(far);

			dp_site_set_extent(far, before[i], 0xffffffffu);
			looked_at = 0;
			if (error == DP_ERR_OK)
				error = dp_port_prepare(far, count_looks, &why);
			expect("a function of any length",
			       error == (isa == DP_ISA_THUMB ? DP_ERR_NOT_BOUNDARY : DP_ERR_OK));
			expect("a short look", looked_at < 0x8000);
			if (error == DP_ERR_OK)
				dp_port_release(far);
			far->insn_bytes = 0;
		}
	}
	dp_port_quiescent();
}

#if __ARM_ARCH >= 7
static const struct test_case wide = {.insn = {0xf3af8000u}, .bytes = 4, .flags = CASE_THUMB};

/* A 32-bit instruction whose second half lies in a page that cannot be written: refused, and the
 * first half is as it was. */
/* proves: P3.26 */
static void over_a_page_end(void)
{
	volatile uint16_t *half = (volatile uint16_t *)(uintptr_t)(READ_ONLY - 2);
	enum dp_refusal why;

	half[0] = (uint16_t)(wide.insn[0] >> 16);
	expect("prepared over a page end",
	       half[1] == (uint16_t)wide.insn[0] &&
		       prepare_case(&wide, READ_ONLY - 2, 1, &why) == DP_ERR_OK);
	expect("both halves or none", dp_port_arm(&site[0]) == DP_ERR_NOT_PATCHABLE &&
					      half[0] == (uint16_t)(wide.insn[0] >> 16));
	release_sites();
}

/* A reset between the two stores of a 32-bit trap at 2 mod 4, at arming or at disarming: the start
 * that follows finds half of it, knows the site from the keep area only, and takes it out. */
/* proves: P3.24 P3.27 */
static void half_a_trap(void)
{
	uint32_t address = case_address() + 2, found;
	volatile uint16_t *half = (volatile uint16_t *)(uintptr_t)address;
	enum dp_refusal why;

	for (unsigned stored = 0; stored < 2; stored++) {
		put_insn(address, &wide, 0);
		expect("half a trap: prepared", prepare_case(&wide, address, 1, &why) == DP_ERR_OK);
		expect("the original is no trap", !dp_port_is_armed(&site[0], &found));
		half[stored] = (uint16_t)(DP_ARM_TRAP_THUMB32 >> (stored == 0 ? 16 : 0));
		dp_port_text_written(address, 4);
		expect("half a trap is found", dp_port_is_armed(&site[0], &found));
		expect("half a trap is taken out",
		       dp_port_disarm(&site[0]) == DP_ERR_OK &&
			       half[0] == (uint16_t)(wide.insn[0] >> 16) &&
			       half[1] == (uint16_t)wide.insn[0]);
		half[stored] = 0xbf00;
		expect("what else stands there is not ours", !dp_port_is_armed(&site[0], &found));
		release_sites();
	}
}
#endif

/* The target of `bx pc` is an A32 instruction: behind an address of 2 modulo 4 there is none. */
static void bx_pc(void)
{
	static const struct test_case bx = {.insn = {0x4778}, .bytes = 2, .flags = CASE_THUMB};
	uint32_t address = case_address();
	enum dp_refusal why;

	put_insn(address, &bx, 0);
	expect("bx pc at a word", prepare_case(&bx, address, 1, &why) == DP_ERR_OK);
	release_sites();
	put_insn(address + 2, &bx, 0);
	expect("bx pc at half a word is refused",
	       prepare_case(&bx, address + 2, 1, &why) == DP_ERR_NOT_PROBEABLE &&
		       why == DP_REFUSE_UNPREDICTABLE);
	release_sites();
}

/* Where the firmware's handler of undefined instructions begins, its lr is what the trap would
 * overwrite. */
/* proves: P3.13 */
static void undefined_handler(void)
{
	uint32_t entry = (uint32_t)(uintptr_t)und_handler;
	enum dp_refusal why;

	expect("not in the handler of undefined instructions",
	       prepare(&site[0], entry + 4, &why) == DP_ERR_IN_AGENT && why == DP_REFUSE_NOTHING);
	expect("nor at its fifteenth instruction",
	       prepare(&site[0], entry + 56, &why) == DP_ERR_IN_AGENT);
	expect("behind its entry", prepare(&site[0], entry + 64, &why) == DP_ERR_OK);
	release_sites();
}

void frame_before(struct dp_frame *frame, uint32_t at)
{
	frame->r[DP_ARM_PC] = at;
	frame->cpsr = DP_MODE_SYS;
	frame->r[6] = (uint32_t)(uintptr_t)data;
}

void cpu_access_checks(void)
{
#if __ARM_ARCH >= 7
	uint8_t buffer[4];
	uint32_t word = 0x11223344;

	expect("write to what is read only", dp_port_read(READ_ONLY, buffer, 4, 4) == 4 &&
						     dp_port_write(READ_ONLY, &word, 4, 4) == 0);
#endif
}

void special_checks(void)
{
	static const uint32_t restarted[] = {
		UNDEFINED_ARM, /* the firmware's own */
		DP_ARM_TRAP,   /* of a probe that is not there any more */
		DP_ARM_TRAP2,  /* its second one */
		0xe5992000,    /* ldr r2, [r9]: a hole */
		0xe2866001,    /* add r6, r6, #1 */
	};
	unsigned count = sizeof(restarted) / sizeof(restarted[0]);

	access_checks();
	function_too_long();
	restart_checks(restarted, count, false);
	restart_checks(restarted, count, true);
	if (!is_left_out(true)) {
		bx_pc();
#if __ARM_ARCH >= 7
		over_a_page_end();
		half_a_trap();
#endif
	}
	if (!is_left_out(false)) {
		undefined_handler();
		site_checks();
		abort_checks();
	}
	expect("started anew", start() == DP_ERR_OK); /* vectors that are ours already */
}
