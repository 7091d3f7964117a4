/* SPDX-License-Identifier: BSD-2-Clause */
/* The ARM decoder without DP_ARM_WITH_RARE against the whole one: it takes nothing that the other
 * refuses, what it takes it treats the same, and what compilers make it takes. */
#include <stdio.h>

/* Twice in one program: the whole one is the library's. */
#define DP_ARM_WITH_RARE 0
#define dp_arm_decode    common_decode
#define dp_arm_window    common_window
#define dp_arm_out       common_out
#define dp_arm_table     common_table
#define dp_arm_look_up   common_look_up
#define dp_thumb_t16     common_t16
#define dp_thumb_t32     common_t32_rows
#define dp_thumb_out     common_thumb_out
#define dp_thumb_window  common_thumb_window
#include "../../port/arm/decode.c"         /* NOLINT(bugprone-suspicious-include): by other names */
#include "../../port/thumb/decode_thumb.c" /* NOLINT(bugprone-suspicious-include): the same */
#undef dp_arm_decode
#undef dp_arm_table
enum {
	REGISTERS_ONLY = DP_CHECK
};
#include "arm_rows.h"
#include "check.h"

struct dp_arm_plan dp_arm_decode(uint32_t insn, bool thumb, unsigned bytes, unsigned architecture);
extern const uint8_t *const dp_arm_table[DP_ARM_TABLES];

enum {
	WORDS = 200000, /* of each set, any */
	AIMED = 2000,   /* for each row of either table */
	SHOWN = 20
};

#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char *const a32_names[] = {
#include "../../port/arm/common_a32.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char *const t32_names[] = {
#include "../../port/thumb/common_t32.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) 1,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char whole_a32[] = {
#include "../../port/arm/decode_a32.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) 1,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char whole_t32[] = {
#include "../../port/thumb/decode_t32.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char *const system_names[] = {
#include "../../port/arm/common_system_t32.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) 1,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char whole_system[] = {
#include "../../port/arm/system_t32.def"
};
#define COUNT(names) (sizeof(names) / sizeof((names)[0]))

/* How often a row took or refused something by its own treatment, and which words were not treated
 * the same. */
static unsigned long decided[DP_ARM_TABLES][256], taken, whole_taken;

static uint32_t random_word(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

static void compare(uint32_t insn, bool thumb, unsigned bytes, unsigned architecture)
{
	struct dp_arm_plan whole = dp_arm_decode(insn, thumb, bytes, architecture);
	struct dp_arm_plan common = common_decode(insn, thumb, bytes, architecture);
	bool refused = common.action == DP_ARM_REFUSE;
	bool same = common.action == whole.action && common.detail == whole.detail;

	whole_taken += whole.action != DP_ARM_REFUSE;
	taken += !refused;
	if (!refused || common.detail != DP_REFUSE_UNSUPPORTED)
		decided[common.table][common.row] = 1;
	/* A refusal is the whole one's, or says that this port does not step it. */
	if (same || (refused && common.detail == DP_REFUSE_UNSUPPORTED))
		return;
	if (check_failures < SHOWN)
		printf("%s %08x on ARMv%u: row %u, action %u, detail %u; the whole one %u, %u\n",
		       thumb ? "thumb" : "a32", insn, architecture, common.row, common.action,
		       common.detail, whole.action, whole.detail);
	CHECK(same);
}

/* A word of 32-bit Thumb: this one, if it is. */
static uint32_t long_thumb(uint32_t word)
{
	return dp_thumb_bytes(word >> 16) == 4 ? word : word | 0xe8000000u;
}

static void every_halfword(void)
{
	for (uint32_t half = 0; half < 0x10000; half++)
		for (unsigned architecture = 5; architecture <= 7; architecture++)
			compare(half, true, 2, architecture);
}

static void any_words(void)
{
	for (unsigned i = 0; i < WORDS; i++) {
		uint32_t word = random_word();

		compare(word, false, 4, 5 + i % 3);
		compare(long_thumb(word), true, 4, 5 + i % 3);
	}
}

/* Words of each row, whose open fields are often what registers are mistaken in. */
static void words_of(const uint8_t *table, unsigned rows, bool thumb)
{
	static const uint32_t often[] = {0, 13, 14, 15};

	for (unsigned row = 0; row < rows; row++) {
		const struct row r = row_of(table, row);

		for (unsigned i = 0; i < AIMED; i++) {
			uint32_t word = random_word(), choice = random_word();

			for (unsigned low = 0; low < 32; low += 4, choice >>= 3)
				if ((choice & 4) != 0)
					word = (word & ~(15u << low)) | often[choice & 3] << low;
			if ((i & 1) != 0) /* one bit beside the row */
				word = ((word & ~r.mask) | r.value) ^ 1u << (i / 2 % 32);
			else
				word = (word & ~r.mask) | r.value;
			if (!thumb || (word & 0xf0000000u) == 0)
				compare(word | (r.mask >> 28 ? 0 : 0xe0000000u), false, 4,
					5 + i / 64 % 3);
			compare(long_thumb(word), true, 4, 5 + i / 64 % 3);
		}
	}
}

static void rows_decide(unsigned table, const char *const *names, unsigned rows)
{
	for (unsigned row = 0; row < rows; row++) {
		unsigned treat = row_of(common_table[table], row).treat;

		if (treat == REGISTERS_ONLY || treat == DP_REFUSE(UNSUPPORTED) ||
		    decided[table][row] != 0)
			continue;
		printf("table %u: %s never decides\n", table, names[row]);
		CHECK(false);
	}
}

/* What the C compilers make of firmware. */
static const uint32_t common_a32[] = {
	0xea000002, /* b .+16 */
	0x1afffffa, /* bne .-16 */
	0xeb000006, /* bl .+32 */
	0xfa000089, /* blx t */
	0xe12fff1e, /* bx lr */
	0xe12fff13, /* bx r3 */
	0xe12fff33, /* blx r3 */
	0xe1a0f00e, /* mov pc, lr */
	0x11a0f00e, /* movne pc, lr */
	0xe1a0300f, /* mov r3, pc */
	0xe08ff103, /* add pc, pc, r3, lsl #2 */
	0x908ff103, /* addls pc, pc, r3, lsl #2 */
	0xe08f4004, /* add r4, pc, r4 */
	0xe28f0038, /* adr r0, .+64 */
	0xe24f0048, /* adr r0, .-64 */
	0xe59f0078, /* ldr r0, [pc, #120] */
	0xe1df07b8, /* ldrh r0, [pc, #120] */
	0xe15f0fd8, /* ldrsb r0, [pc, #-248] */
	0xe1cf07d8, /* ldrd r0, r1, [pc, #120] */
	0xe51ff004, /* ldr pc, [pc, #-4] */
	0xe79ff103, /* ldr pc, [pc, r3, lsl #2] */
	0x979ff103, /* ldrls pc, [pc, r3, lsl #2] */
	0xe49df004, /* ldr pc, [sp], #4 */
	0xe593f008, /* ldr pc, [r3, #8] */
	0xe793f102, /* ldr pc, [r3, r2, lsl #2] */
	0xe8bd8010, /* pop {r4, pc} */
	0xe8bd8ff0, /* pop {r4-r11, pc} */
	0xe89da810, /* ldm sp, {r4, fp, sp, pc} */
	0x18b0000e, /* ldmne r0!, {r1-r3} */
	0xe92d4ff0, /* push {r4-r11, lr} */
	0xe52d3004, /* push {r3} */
	0xe9800006, /* stmib r0, {r1, r2} */
	0xe8200006, /* stmda r0!, {r1, r2} */
	0xe10f0000, /* mrs r0, cpsr */
	0xe320f000, /* nop */
	0xe320f003, /* wfi */
	0xf5d1f040, /* pld [r1, #64] */
	0xf57ff04f, /* dsb sy */
	0xf57ff05b, /* dmb ish */
	0xf57ff06f, /* isb */
	0xe3a00000, /* mov r0, #0 */
	0xe1a00001, /* mov r0, r1 */
	0xe1b00001, /* movs r0, r1 */
	0xe3e00000, /* mvn r0, #0 */
	0xe1a00181, /* lsl r0, r1, #3 */
	0xe1b00211, /* lsls r0, r1, r2 */
	0xe1a00fc1, /* asr r0, r1, #31 */
	0xe1a00061, /* rrx r0, r1 */
	0xe3010234, /* movw r0, #0x1234 */
	0xe3410234, /* movt r0, #0x1234 */
	0xe0810002, /* add r0, r1, r2 */
	0xe0910182, /* adds r0, r1, r2, lsl #3 */
	0xe28d0010, /* add r0, sp, #16 */
	0xe24dd010, /* sub sp, sp, #16 */
	0xe28db004, /* add fp, sp, #4 */
	0xe0410332, /* sub r0, r1, r2, lsr r3 */
	0xe2500001, /* subs r0, r0, #1 */
	0xe2600000, /* rsb r0, r0, #0 */
	0xe0a10002, /* adc r0, r1, r2 */
	0xe2c10000, /* sbc r0, r1, #0 */
	0xe2e10000, /* rsc r0, r1, #0 */
	0xe20100ff, /* and r0, r1, #255 */
	0xe0110002, /* ands r0, r1, r2 */
	0xe1810802, /* orr r0, r1, r2, lsl #16 */
	0xe0210462, /* eor r0, r1, r2, ror #8 */
	0xe3c10003, /* bic r0, r1, #3 */
	0xe3100001, /* tst r0, #1 */
	0xe1100101, /* tst r0, r1, lsl #2 */
	0xe1300001, /* teq r0, r1 */
	0xe3500000, /* cmp r0, #0 */
	0xe1500001, /* cmp r0, r1 */
	0xe1500fc1, /* cmp r0, r1, asr #31 */
	0xe1500211, /* cmp r0, r1, lsl r2 */
	0xe3700001, /* cmn r0, #1 */
	0xe0000291, /* mul r0, r1, r2 */
	0xe0100291, /* muls r0, r1, r2 */
	0xe0203291, /* mla r0, r1, r2, r3 */
	0xf7d1f102, /* pld [r1, r2, lsl #2] */
	0xe0410392, /* umaal r0, r1, r2, r3 */
	0xe1410382, /* smlalbb r0, r1, r2, r3 */
	0xe750f211, /* smmul r0, r1, r2 */
	0xe7503211, /* smmla r0, r1, r2, r3 */
	0xe6a70011, /* ssat r0, #8, r1 */
	0xe6e80151, /* usat r0, #8, r1, asr #2 */
	0xe6810812, /* pkhbt r0, r1, r2, lsl #16 */
	0xe0603291, /* mls r0, r1, r2, r3 */
	0xe0810392, /* umull r0, r1, r2, r3 */
	0xe0c10392, /* smull r0, r1, r2, r3 */
	0xe0a10392, /* umlal r0, r1, r2, r3 */
	0xe0e10392, /* smlal r0, r1, r2, r3 */
	0xe1600281, /* smulbb r0, r1, r2 */
	0xe1003281, /* smlabb r0, r1, r2, r3 */
	0xe710f211, /* sdiv r0, r1, r2 */
	0xe730f211, /* udiv r0, r1, r2 */
	0xe16f0f11, /* clz r0, r1 */
	0xe6bf0f31, /* rev r0, r1 */
	0xe6bf0fb1, /* rev16 r0, r1 */
	0xe6ff0fb1, /* revsh r0, r1 */
	0xe6ff0f31, /* rbit r0, r1 */
	0xe6af0071, /* sxtb r0, r1 */
	0xe6bf0071, /* sxth r0, r1 */
	0xe6ef0071, /* uxtb r0, r1 */
	0xe6ff0071, /* uxth r0, r1 */
	0xe6e10072, /* uxtab r0, r1, r2 */
	0xe6b10072, /* sxtah r0, r1, r2 */
	0xe7a401d1, /* sbfx r0, r1, #3, #5 */
	0xe7e401d1, /* ubfx r0, r1, #3, #5 */
	0xe7c70191, /* bfi r0, r1, #3, #5 */
	0xe7c7019f, /* bfc r0, #3, #5 */
	0xe5910000, /* ldr r0, [r1] */
	0xe5110004, /* ldr r0, [r1, #-4] */
	0xe5b10004, /* ldr r0, [r1, #4]! */
	0xe4910004, /* ldr r0, [r1], #4 */
	0xe7910002, /* ldr r0, [r1, r2] */
	0xe7910102, /* ldr r0, [r1, r2, lsl #2] */
	0xe59d0008, /* ldr r0, [sp, #8] */
	0xe5810000, /* str r0, [r1] */
	0xe52d0004, /* str r0, [sp, #-4]! */
	0xe7810102, /* str r0, [r1, r2, lsl #2] */
	0xe5d10000, /* ldrb r0, [r1] */
	0xe4c10001, /* strb r0, [r1], #1 */
	0xe7d10002, /* ldrb r0, [r1, r2] */
	0xe1d100b2, /* ldrh r0, [r1, #2] */
	0xe18100b2, /* strh r0, [r1, r2] */
	0xe1f100d1, /* ldrsb r0, [r1, #1]! */
	0xe1d100f0, /* ldrsh r0, [r1] */
	0xe1c200d0, /* ldrd r0, r1, [r2] */
	0xe1cd40f8, /* strd r4, r5, [sp, #8] */
	0xe162a0f8, /* strd r10, r11, [r2, #-8]! */
	0xee100f10, /* mrc p15, 0, r0, c0, c0, 0 */
	0xee1d0f70, /* mrc p15, 0, r0, c13, c0, 3 */
	0xeef1fa10, /* vmrs apsr_nzcv, fpscr */
	0xeef10a10, /* vmrs r0, fpscr */
	0xeee10a10, /* vmsr fpscr, r0 */
	0xee000a10, /* vmov s0, r0 */
	0xee100a10, /* vmov r0, s0 */
	0xec410b10, /* vmov d0, r0, r1 */
	0xec510b10, /* vmov r0, r1, d0 */
	0xee300a81, /* vadd.f32 s0, s1, s2 */
	0xee210b02, /* vmul.f64 d0, d1, d2 */
	0xeeb40a60, /* vcmp.f32 s0, s1 */
	0xeeb80ac0, /* vcvt.f32.s32 s0, s0 */
	0xeeb70b00, /* vmov.f64 d0, #1.0 */
	0xed900a01, /* vldr s0, [r0, #4] */
	0xed9f7b10, /* vldr d7, [pc, #64] */
	0xed8d0b02, /* vstr d0, [sp, #8] */
	0xed2d8b04, /* vpush {d8-d9} */
	0xecbd8b04, /* vpop {d8-d9} */
	0xecb00a04, /* vldmia r0!, {s0-s3} */
	0xec800b08, /* vstmia r0, {d0-d3} */
	0xf2220844, /* vadd.i32 q0, q1, q2 */
	0xf4200a8d, /* vld1.32 {d0, d1}, [r0]! */
	0xf401070f, /* vst1.8 {d0}, [r1] */
};
static const uint32_t common_t32[] = {
	0xf000801e, /* beq.w .+64 */
	0xf000b81e, /* b.w .+64 */
	0xf000f81e, /* bl .+64 */
	0xf7ffeedc, /* blx a32_begin */
	0xf8df0040, /* ldr.w r0, [pc, #64] */
	0xf85f0040, /* ldr.w r0, [pc, #-64] */
	0xf89f0040, /* ldrb.w r0, [pc, #64] */
	0xf8bf0040, /* ldrh.w r0, [pc, #64] */
	0xf99f0040, /* ldrsb.w r0, [pc, #64] */
	0xf9bf0040, /* ldrsh.w r0, [pc, #64] */
	0xf20f003c, /* adr.w r0, .+64 */
	0xf2af0040, /* subw r0, pc, #64 */
	0xe9df0110, /* ldrd r0, r1, [pc, #64] */
	0xf8dff040, /* ldr.w pc, [pc, #64] */
	0xf85ff040, /* ldr.w pc, [pc, #-64] */
	0xf85dfb04, /* ldr.w pc, [sp], #4 */
	0xf8d3f008, /* ldr.w pc, [r3, #8] */
	0xf853f022, /* ldr.w pc, [r3, r2, lsl #2] */
	0xe8bd8ff0, /* pop.w {r4-r11, pc} */
	0xe8908010, /* ldmia.w r0, {r4, pc} */
	0xe8bd0ff0, /* pop.w {r4-r11} */
	0xe92d4ff0, /* push.w {r4-r11, lr} */
	0xe9200006, /* stmdb r0!, {r1, r2} */
	0xe8a00300, /* stmia.w r0!, {r8, r9} */
	0xe9100006, /* ldmdb r0, {r1, r2} */
	0xe8b04100, /* ldmia.w r0!, {r8, lr} */
	0xe8dff000, /* tbb [pc, r0] */
	0xe8dff010, /* tbh [pc, r0, lsl #1] */
	0xf3ef8000, /* mrs r0, cpsr */
	0xf3af8000, /* nop.w */
	0xf3bf8f4f, /* dsb sy */
	0xf3bf8f5b, /* dmb ish */
	0xf3bf8f6f, /* isb */
	0xf891f040, /* pld [r1, #64] */
	0xf44f3080, /* mov.w r0, #0x10000 */
	0xf45f3080, /* movs.w r0, #0x10000 */
	0xf06f0000, /* mvn r0, #0 */
	0xea4f08c9, /* mov.w r8, r9, lsl #3 */
	0xfa01f002, /* lsl.w r0, r1, r2 */
	0xfa31f002, /* lsrs.w r0, r1, r2 */
	0xea4f70e1, /* asr.w r0, r1, #31 */
	0xea4f0031, /* rrx r0, r1 */
	0xf2412034, /* movw r0, #0x1234 */
	0xf2c12034, /* movt r0, #0x1234 */
	0xeb010002, /* add.w r0, r1, r2 */
	0xeb1800c2, /* adds.w r0, r8, r2, lsl #3 */
	0xeb0d0082, /* add.w r0, sp, r2, lsl #2 */
	0xf50d6d80, /* add.w sp, sp, #1024 */
	0xf5ad6d80, /* sub.w sp, sp, #1024 */
	0xebad0d03, /* sub.w sp, sp, r3 */
	0xf60170ff, /* addw r0, r1, #4095 */
	0xf20d4004, /* addw r0, sp, #1028 */
	0xf2ad4d04, /* subw sp, sp, #1028 */
	0xf1b80001, /* subs.w r0, r8, #1 */
	0xf1c80000, /* rsb r0, r8, #0 */
	0xebc100c2, /* rsb r0, r1, r2, lsl #3 */
	0xeb480002, /* adc.w r0, r8, r2 */
	0xf1410000, /* adc r0, r1, #0 */
	0xeb680002, /* sbc.w r0, r8, r2 */
	0xf1610000, /* sbc r0, r1, #0 */
	0xf00100ff, /* and r0, r1, #255 */
	0xea180002, /* ands.w r0, r8, r2 */
	0xea414002, /* orr.w r0, r1, r2, lsl #16 */
	0xf0410080, /* orr r0, r1, #128 */
	0xea610002, /* orn r0, r1, r2 */
	0xf0810001, /* eor r0, r1, #1 */
	0xea812032, /* eor.w r0, r1, r2, ror #8 */
	0xf0210003, /* bic r0, r1, #3 */
	0xea280002, /* bic.w r0, r8, r2 */
	0xea6f0008, /* mvn.w r0, r8 */
	0xf0100f01, /* tst r0, #1 */
	0xea100f81, /* tst.w r0, r1, lsl #2 */
	0xea900f01, /* teq r0, r1 */
	0xf0900f04, /* teq r0, #4 */
	0xf5b06f80, /* cmp.w r0, #1024 */
	0xebb07fe1, /* cmp.w r0, r1, asr #31 */
	0xebbd0f03, /* cmp.w sp, r3 */
	0xf1100f01, /* cmn r0, #1 */
	0xeb180f01, /* cmn.w r8, r1 */
	0xfb01f002, /* mul r0, r1, r2 */
	0xfb013002, /* mla r0, r1, r2, r3 */
	0xf811fc40, /* pld [r1, #-64] */
	0xf811f022, /* pld [r1, r2, lsl #2] */
	0xfbe20163, /* umaal r0, r1, r2, r3 */
	0xfbc20183, /* smlalbb r0, r1, r2, r3 */
	0xfb51f002, /* smmul r0, r1, r2 */
	0xf3010007, /* ssat r0, #8, r1 */
	0xf3a10088, /* usat r0, #8, r1, asr #2 */
	0xeac14002, /* pkhbt r0, r1, r2, lsl #16 */
	0xfb013012, /* mls r0, r1, r2, r3 */
	0xfba20103, /* umull r0, r1, r2, r3 */
	0xfb820103, /* smull r0, r1, r2, r3 */
	0xfbe20103, /* umlal r0, r1, r2, r3 */
	0xfbc20103, /* smlal r0, r1, r2, r3 */
	0xfb11f002, /* smulbb r0, r1, r2 */
	0xfb113002, /* smlabb r0, r1, r2, r3 */
	0xfb51f002, /* smmul r0, r1, r2 */
	0xfb91f0f2, /* sdiv r0, r1, r2 */
	0xfbb1f0f2, /* udiv r0, r1, r2 */
	0xfab1f081, /* clz r0, r1 */
	0xfa91f881, /* rev.w r8, r1 */
	0xfa91f0a1, /* rbit r0, r1 */
	0xfa4ff881, /* sxtb.w r8, r1 */
	0xfa1ff881, /* uxth.w r8, r1 */
	0xfa51f082, /* uxtab r0, r1, r2 */
	0xfa81f042, /* uadd8 r0, r1, r2 */
	0xf34100c4, /* sbfx r0, r1, #3, #5 */
	0xf3c100c4, /* ubfx r0, r1, #3, #5 */
	0xf36100c7, /* bfi r0, r1, #3, #5 */
	0xf36f00c7, /* bfc r0, #3, #5 */
	0xf8d10004, /* ldr.w r0, [r1, #4] */
	0xf8510c04, /* ldr r0, [r1, #-4] */
	0xf8510f04, /* ldr r0, [r1, #4]! */
	0xf8510b04, /* ldr r0, [r1], #4 */
	0xf8510022, /* ldr.w r0, [r1, r2, lsl #2] */
	0xf8d1d000, /* ldr.w sp, [r1] */
	0xf8c10080, /* str.w r0, [r1, #128] */
	0xf84d0d04, /* str r0, [sp, #-4]! */
	0xf8410022, /* str.w r0, [r1, r2, lsl #2] */
	0xf8980001, /* ldrb.w r0, [r8, #1] */
	0xf8010b01, /* strb r0, [r1], #1 */
	0xf8180002, /* ldrb.w r0, [r8, r2] */
	0xf8b80002, /* ldrh.w r0, [r8, #2] */
	0xf8280002, /* strh.w r0, [r8, r2] */
	0xf9110f01, /* ldrsb r0, [r1, #1]! */
	0xf9b10000, /* ldrsh.w r0, [r1] */
	0xe9d20100, /* ldrd r0, r1, [r2] */
	0xe9cd4502, /* strd r4, r5, [sp, #8] */
	0xe96d4504, /* strd r4, r5, [sp, #-16]! */
	0xe8e20102, /* strd r0, r1, [r2], #8 */
	0xe9d04502, /* ldrd r4, r5, [r0, #8] */
	0xee100f10, /* mrc p15, 0, r0, c0, c0, 0 */
	0xeef1fa10, /* vmrs apsr_nzcv, fpscr */
	0xee000a10, /* vmov s0, r0 */
	0xec510b10, /* vmov r0, r1, d0 */
	0xee300a81, /* vadd.f32 s0, s1, s2 */
	0xee210b02, /* vmul.f64 d0, d1, d2 */
	0xed900a01, /* vldr s0, [r0, #4] */
	0xed9f7b10, /* vldr d7, [pc, #64] */
	0xed8d0b02, /* vstr d0, [sp, #8] */
	0xed2d8b04, /* vpush {d8-d9} */
	0xecbd8b04, /* vpop {d8-d9} */
	0xef220844, /* vadd.i32 q0, q1, q2 */
	0xf9200a8d, /* vld1.32 {d0, d1}, [r0]! */
	0xf901070f, /* vst1.8 {d0}, [r1] */
};

static void is_taken(uint32_t insn, bool thumb, unsigned architecture)
{
	struct dp_arm_plan plan = common_decode(insn, thumb, 4, architecture);

	if (plan.action == DP_ARM_REFUSE)
		printf("%s %08x is refused, row %u\n", thumb ? "thumb" : "a32", insn, plan.row);
	CHECK(plan.action != DP_ARM_REFUSE);
	compare(insn, thumb, 4, architecture);
}

/* What no port steps says why, not that this one does not. */
static void reasons_stay(void)
{
	static const struct {
		uint32_t insn;
		bool thumb;
		enum dp_refusal why;
	} never[] = {
		{0xe1200070, false, DP_REFUSE_BREAKPOINT},       /* bkpt #0 */
		{0xe7f000f0, false, DP_REFUSE_BREAKPOINT},       /* udf #0 */
		{0xf7f0a000, true, DP_REFUSE_BREAKPOINT},        /* udf.w #0 */
		{0xef000000, false, DP_REFUSE_SYSTEM_CALL},      /* svc #0 */
		{0xe1b0f00e, false, DP_REFUSE_EXCEPTION_RETURN}, /* movs pc, lr */
		{0xe25ef004, false, DP_REFUSE_EXCEPTION_RETURN}, /* subs pc, lr, #4 */
		{0xe8fd9fff, false, DP_REFUSE_EXCEPTION_RETURN}, /* ldm sp!, {r0-r12, pc}^ */
		{0xf3de8f04, true, DP_REFUSE_EXCEPTION_RETURN},  /* subs pc, lr, #4 */
		{0xe1910f9f, false, DP_REFUSE_EXCLUSIVE},        /* ldrex r0, [r1] */
		{0xf8bd0a00, false, DP_REFUSE_EXCEPTION_RETURN}, /* rfe sp! */
		{0xe9bdc000, true, DP_REFUSE_EXCEPTION_RETURN},  /* rfe sp! */
		{0xe8510f00, true, DP_REFUSE_EXCLUSIVE},         /* ldrex r0, [r1] */
		{0xe8c10f42, true, DP_REFUSE_EXCLUSIVE},         /* strexb r2, r0, [r1] */
	};

	for (unsigned i = 0; i < COUNT(never); i++) {
		struct dp_arm_plan plan = common_decode(never[i].insn, never[i].thumb, 4, 7);

		CHECK(plan.action == DP_ARM_REFUSE && plan.detail == never[i].why);
		compare(never[i].insn, never[i].thumb, 4, 7);
	}
}

/* 16-bit Thumb has one table. */
static void common_ones(void)
{
	for (unsigned i = 0; i < COUNT(common_a32); i++)
		is_taken(common_a32[i], false, 7);
	for (unsigned i = 0; i < COUNT(common_t32); i++)
		is_taken(common_t32[i], true, 7);
	is_taken(0xf000f820, true, 5); /* bl .+64 */
	is_taken(0xf000e820, true, 5); /* blx .+64 */
	for (uint32_t half = 0; half < 0xe800; half++)
		CHECK(common_decode(half, true, 2, 7).action ==
		      dp_arm_decode(half, true, 2, 7).action);
}

int main(void)
{
	every_halfword();
	any_words();
	words_of(common_table[DP_ARM_TABLE_A32], COUNT(a32_names), false);
	words_of(common_table[DP_ARM_TABLE_T32], COUNT(t32_names), true);
	words_of(dp_arm_table[DP_ARM_TABLE_A32], COUNT(whole_a32), false);
	words_of(dp_arm_table[DP_ARM_TABLE_T32], COUNT(whole_t32), true);
	words_of(common_table[DP_ARM_TABLE_SYSTEM], COUNT(system_names), true);
	words_of(dp_arm_table[DP_ARM_TABLE_SYSTEM], COUNT(whole_system), true);
	rows_decide(DP_ARM_TABLE_SYSTEM, system_names, COUNT(system_names));
	rows_decide(DP_ARM_TABLE_A32, a32_names, COUNT(a32_names));
	rows_decide(DP_ARM_TABLE_T32, t32_names, COUNT(t32_names));
	reasons_stay();
	common_ones();
	printf("taken %lu, by the whole one %lu\n", taken, whole_taken);
	return check_status();
}
