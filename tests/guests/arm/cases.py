# SPDX-License-Identifier: BSD-2-Clause
"""Writes cases.inc: the instructions for common/oracle.c.

    cases.py ARCH OUTPUT      ARCH: armv5te or armv7-a
    cases.py ARCH             prints what is covered: cases of each row of the decode tables

Most are made from the tables (shapes.py: each row with all classes of its operands). What stands
here as text is assembled by the GNU assembler: hazards worth a line of their own, coprocessors, and
what must be refused.
"""
import collections
import functools
import itertools
import pathlib
import subprocess
import sys
import tempfile

import shapes
import arm_tables

# Text that a test may run, one instruction a line. r0 5, r1 r2 r6 r12 sp data, r3 8, r4 80000001,
# r5 7fffffff, r7 lr ARM code, r8 Thumb code | 1, r9 a hole, r10 4, r11 -4.
# "|" before a line: what it needs. v7: not on ARMv5. noit, lastit: where in IT blocks it may stand.
# The TLB operation stands outside IT blocks: QEMU 7.2 does not advance ITSTATE behind it.

A32 = """
    b .+16; b .-16; bne .+8; bl .+32; bleq .-32; blx thumb_target; bx r7; bx r8; bxne r8; blx r7; blx r8
    bx lr; blx lr; bx pc; bxls lr
    mov pc, r7; mov pc, r8; movcs pc, lr; add pc, pc, r3; add pc, pc, #16; sub pc, pc, #16
    addls pc, pc, r3, lsl #2; sub pc, lr, #0; orr pc, r7, #0; bic pc, r8, #1; eor pc, r7, r3
    add r0, pc, #8; sub r0, pc, #8; adr r0, .+128; adr r0, .-64; add r0, pc, r3, lsl #1; add r0, r3, pc
    adds r0, pc, r5; subs r0, pc, r5; rsbs r0, pc, #0; adcs r0, pc, r4; sbcs r0, r4, pc; rscs r0, r5, pc
    ands r0, pc, r5, lsr #3; orrs r0, r4, pc, asr #4; eors r0, pc, r4, ror #7; bics r0, r5, pc, lsl #2
    movs r0, pc; mvns r0, pc; movs r0, pc, rrx; cmp pc, r0; cmp r0, pc; cmn pc, #4; tst pc, r4; teq r5, pc, lsl #1
    mov r0, pc; mov r0, pc, lsr #1; addeq r0, pc, #4; mvn r0, pc, ror #31
    ldr r0, [pc, #120]; ldr r0, [pc, #-136]; ldrb r0, [pc, #121]; ldr r0, [pc, r3]; ldr r0, [pc, r3, lsl #4]
    ldrh r0, [pc, #120]; ldrsh r0, [pc, #122]; ldrsb r0, [pc, #123]; ldrd r2, r3, [pc, #120]; ldrh r0, [pc, r3]
    ldrsb r0, [pc, -r11]; ldrd r0, r1, [pc, r3]; ldreq r0, [pc, #120]
    ldr pc, [pc, #120]; ldr pc, [pc, #128]; ldr pc, [r1]; ldr pc, [r1, #8]!; ldr pc, [r1], #4; ldr pc, [sp], #4
    ldr pc, [r1, r3]; ldr pc, [r1, r3, lsl #1]; ldr pc, [r1, r10]!; ldr pc, [r9]; ldrne pc, [r1, #12]; ldr pc, [r9, #4]!
    str pc, [r1]; str pc, [r1, #4]!; str pc, [r1], #-4; str pc, [r9]; str r0, [pc, #512]; strb r4, [pc, #513]
    strh r4, [pc, #240]; strd r4, r5, [pc, #240]; streq pc, [r1]
    pop {pc}; pop {r0, pc}; pop {r4-r11, pc}; ldm r1, {r0, pc}; ldm r1!, {r0, r2, pc}; ldmib r1, {r3, pc}
    ldmda r1!, {r4, pc}; ldmdb r1!, {r5, r6, lr, pc}; ldmne sp!, {r4, pc}; ldm r9, {r0, pc}; ldm r9!, {r4-r8, pc}
    push {r4, pc}; stm r1, {r0, pc}; stmib r1!, {r0-r4, pc}; stmda r1!, {r7, lr, pc}; stm r9!, {r0, pc}
    mrs r0, cpsr; mrs lr, cpsr; mrseq r3, cpsr; msr cpsr_f, r4; msr cpsr_f, #0x50000000; msr cpsr_f, r5; msrne cpsr_f, r4
    mrs r0, cpsr
    push {r4-r11, lr}; push {r0}; pop {r4-r11, lr}; ldm r1, {r0, r2-r5}; stmdb sp!, {r0-r3}; ldmib r2!, {r3, r4}
    stm r9, {r0, r1}; ldm r9!, {r0, r1}; ldr r0, [r1]; ldr r0, [r1, #4]!; ldr r0, [r1], r3; ldr r0, [r9]; str r0, [r9]
    ldr r0, [r9, #8]!; str r0, [r9], #4; ldrb r0, [r1, #1]; strb r4, [r1, -r10]; ldrh r0, [r1, #2]; strh r5, [r1]!
    ldrsh r0, [r1, r3]; ldrsb r0, [r9]; ldrd r2, r3, [r1]; strd r4, r5, [r1, #8]; ldrd r4, r5, [r9]; ldr sp, [r1]
    ldrt r0, [r1], #4; strt r0, [r1], #4; ldrbt r0, [r9], #0; str r0, [sp, #-4]!; ldrne r0, [r9]; streq r0, [r1]
    swp r0, r4, [r1] | v5; swpb r0, r4, [r1] | v5; pld [r1]; pld [pc, #8]
    clz r0, r4; qadd r0, r4, r5; qdsub r0, r4, r5; smlabb r0, r4, r5, r3; smulwt r0, r4, r5; smlaltb r0, r3, r4, r5
    mul r0, r4, r5; mla r0, r4, r5, r3; muls r0, r4, r5; umull r0, r3, r4, r5; smlals r0, r3, r4, r5
    mcr p15, 0, r0, c7, c10, 4; mrc p15, 0, r0, c0, c0, 0; mrc p15, 0, r0, c1, c0, 0; mrc p15, 0, r0, c5, c0, 0; nop
    mcr p15, 0, r0, c8, c7, 0; mcr p15, 0, r1, c8, c5, 1; mcr p15, 0, r9, c8, c6, 1; mcr p15, 0, r0, c8, c5, 0; mcrne p15, 0, r1, c8, c7, 1
    mcr p15, 0, r1, c7, c5, 1; mcr p15, 0, r1, c7, c10, 1; mcr p15, 0, r1, c7, c14, 1; mcr p15, 0, r0, c7, c5, 0; mcr p15, 0, r0, c7, c5, 4; mcr p15, 0, r0, c7, c5, 6
    mcreq p15, 0, r2, c7, c10, 1; mcr p15, 0, lr, c7, c10, 4; mcr p15, 0, r0, c7, c0, 4 | halts; mrc p15, 0, r3, c0, c0, 1; mrc p15, 0, r4, c2, c0, 0; mrcne p15, 0, r0, c3, c0, 0
    mov ip, sp; mov sp, r12; sub sp, sp, #16; add fp, sp, #4; cmp sp, r0; mov r13, r2; mov r14, r0
"""
A32_V7 = """
    mvn pc, r11; ldr pc, [r1, #4]; mov pc, r8; add pc, r8, #0; movw r0, #0x1234; movt r0, #0xabcd; mls r0, r4, r5, r3
    sbfx r0, r4, #3, #7; ubfx r0, r5, #2, #9; bfi r0, r4, #4, #8; bfc r5, #3, #4; rbit r0, r4; umaal r0, r3, r4, r5
    sxtb r0, r4; uxth r0, r5, ror #8; sxtab r0, r3, r4; rev r0, r4; rev16 r0, r4; revsh r0, r5; ssat r0, #8, r5
    usat r0, #7, r4; sel r0, r4, r5; sadd8 r0, r4, r5; uqsub16 r0, r4, r5; pkhbt r0, r4, r5, lsl #3; smlad r0, r4, r5, r3
    smuad r0, r4, r5; smmla r0, r4, r5, r3; smlald r0, r3, r4, r5; usad8 r0, r4, r5; usada8 r0, r4, r5, r3; ssat16 r0, #5, r4
    dmb; dsb; isb; clrex; wfi | halts; wfe; sev; yield; dbg #3; pldw [r1]; pli [r1]; pld [r1, r3]; msr cpsr_fs, r4; msr cpsr_s, r5
    vldr d0, [pc, #120]; vldr s1, [pc, #-136]; vstr d1, [pc, #240]; vldr d0, [r1]; vstr d1, [r1, #8]; vldr d2, [r9]
    vldm r1!, {d0-d2}; vpush {d0, d1}; vadd.f32 s0, s1, s2; vmov r0, s3; vmov d3, r4, r5; vmrs APSR_nzcv, fpscr; vcmp.f32 s0, s1
    vadd.i32 d0, d1, d2; vld1.32 {d0}, [r1]!; vst1.8 {d1}, [r1]; vmul.f64 d0, d1, d2; vdup.32 d0, r4
    ldrht r0, [r1], #2; ldrsbt r0, [r9], #0; mcr p15, 0, r0, c13, c0, 2; mrc p15, 0, r0, c13, c0, 3; mcr p15, 0, r4, c13, c0, 3
    mcr p15, 0, r5, c13, c0, 4; mrc p15, 0, r3, c13, c0, 4; mrc p15, 0, r3, c13, c0, 2; mcrne p15, 0, r4, c13, c0, 2; mcr p15, 0, r0, c9, c12, 5
    mrc p15, 0, r2, c9, c12, 0; mcr p15, 0, r3, c9, c12, 3; mcr p15, 0, r0, c9, c14, 2; mcr p15, 0, r0, c14, c3, 1; mrc p15, 0, r0, c14, c0, 0
    mrc p15, 0, r0, c0, c0, 5; mrc p15, 0, r0, c0, c1, 0; mrceq p15, 0, r0, c2, c0, 0; mrc p15, 0, lr, c12, c0, 0; mrc p15, 0, r10, c6, c0, 0
    vmov d5, r4, r5; vmov r4, r5, d1; vmov s3, s4, r4, r5; vmovne r2, r3, d0; vmov s1, r4; vmov r12, s2; vmovcc s0, lr; vmov.32 r0, d1[1]
    vmov.16 d1[2], r4; vmov.u8 r0, d1[3]; vdup.8 q1, r5; vmsr fpscr, r0; vmrs r0, fpscr; vmrs r3, fpsid; vmul.f32 s1, s2, s3; vdiv.f64 d0, d1, d2
    vcvt.s32.f32 s0, s1; vsqrt.f32 s3, s4; vabs.f64 d1, d2; vneg.f32 s2, s3; vcmpe.f64 d0, d1; vaddeq.f64 d0, d1, d2; vsubne.f32 s0, s1, s2; vmla.f64 d0, d1, d2
    vmov.f32 s0, #1.0; vmov.f64 d1, #-2.0; vcvt.f64.f32 d0, s4; vand d0, d1, d2; vqadd.s16 q0, q1, q1; vshl.i32 d0, d1, #3; vmovl.u8 q0, d2; vmull.s32 q0, d2, d3
    vtbl.8 d0, {d1, d2}, d3; vext.8 d0, d1, d2, #3; vmov.i32 d0, #0xff; vceq.i8 d0, d1, d2; vrev64.8 d0, d1; vzip.8 d0, d1; vpadd.i16 d0, d1, d2
    vld1.8 {d0, d1}, [r1]; vld1.32 {d0[1]}, [r1]; vld2.16 {d0, d1}, [r1]!; vld1.64 {d0}, [r9]; vst1.32 {d0}, [sp]!; vld4.8 {d0-d3}, [r1], r3; vst2.8 {d0, d1}, [r9]
    vld1.32 {d0}, [r1:64]; vst1.8 {d1[7]}, [r12], r10; vld1.8 {d0[]}, [lr]; vld3.16 {d0-d2}, [r2]
"""
A32_REFUSED = """
    MODE_CHANGE: msr spsr_f, r0; msr spsr_cxsf, r0; msr spsr_c, #0xd3; .inst 0xf102001f; .inst 0xf10e00d3
    EXCEPTION_RETURN: movs pc, lr; subs pc, lr, #4; ldm sp!, {r0, pc}^; ands pc, r0, r1; movs pc, #0
    BANKED: ldm r1, {r0, sp, lr}^; stm r1, {r0, sp}^
    SYSTEM_CALL: svc #0; svcne #5; .inst 0xe1600070
    BREAKPOINT: bkpt #1; .inst 0xe7f000f1; .inst 0xe7ffdefe; .inst 0xe7f001f8; .inst 0xe7f001fc
    STATE_CHANGE: .inst 0xe12fff20
    UNPREDICTABLE: .inst 0xe12fff3f; .inst 0xe1a0f211; .inst 0xe08f0211; .inst 0xe5d1f000; .inst 0xe49f0004; .inst 0xe1ef00d8
    UNPREDICTABLE: .inst 0xe89f0003; .inst 0xe8900000; .inst 0xe000f190; .inst 0xe16fff11; .inst 0xe1c1f0b0; .inst 0xe1c1e0d0; .inst 0xe1c130d0
    UNPREDICTABLE: .inst 0xe10ff000; .inst 0xe4bf0004; .inst 0xedbf0a01; .inst 0xe120f000; .inst 0xe15ff000
    EXCLUSIVE: .inst 0xe1910f9f; .inst 0xe1812f90; .inst 0xe1b12f9f; .inst 0xe1d10f9f
    SYSTEM_REGISTER: mcr p15, 0, r0, c1, c0, 0; mcr p15, 0, r0, c2, c0, 0; mcr p15, 0, r0, c7, c6, 2; mcr p15, 0, r0, c7, c10, 2
    SYSTEM_REGISTER: mcr p15, 0, r0, c12, c0, 0; mcr p15, 0, r0, c5, c0, 0; mcr p15, 0, r0, c7, c6, 0; mcr p14, 0, r0, c0, c0, 0
    SYSTEM_REGISTER: .inst 0xec410f1e; .inst 0xed910e00; mcr p15, 0, r0, c13, c0, 1; mcr p15, 0, r0, c3, c0, 0
    UNDEFINED: .inst 0xe0500090; .inst 0xe7ff0010; .inst 0xe3000000 | v5; .inst 0xff000000
    COPROCESSOR: .inst 0xfe000000; .inst 0xfc010000; .inst 0xfd910000
    MODE_CHANGE: .inst 0xf10c0080 | v5; .inst 0xf1080080 | v5; .inst 0xf1010200; .inst 0xf8cd0513
    UNPREDICTABLE: .inst 0xf1080000 | v7; .inst 0xe121f00f
    EXCEPTION_RETURN: .inst 0xf8bd0a00; .inst 0xe160006e | v7
    EXCLUSIVE: .inst 0xe1010092 | v7
    BANKED: .inst 0xe1000200; .inst 0xe120f200
"""
T16 = """
    b .+16 | lastit; b .-16 | lastit; beq .+8 | noit; bne .-8 | noit; bcs .+4 | noit; bvc .+6 | noit; bhi .+10 | noit
    bls .+10 | noit; bge .+10 | noit; blt .+10 | noit; bgt .+10 | noit; ble .+10 | noit; bmi .+10 | noit
    bx r7 | lastit; bx r8 | lastit; bx lr | lastit; blx r7 | lastit; blx r8 | lastit; blx lr | lastit
    ldr r0, [pc, #120]; ldr r3, [pc, #124]; adr r0, .+64 | raw a010; add r0, pc, #8; add r0, pc; mov r0, pc; add pc, r3 | lastit
    add pc, r10 | lastit; mov pc, r8 | lastit; mov pc, lr | lastit; mov r8, pc; add r8, pc; add sp, r10; mov sp, r12; mov r12, sp; mov lr, r0
    pop {pc} | lastit; pop {r0, pc} | lastit; pop {r4-r7, pc} | lastit; push {r0, lr}; push {r4-r7, lr}; pop {r0-r3}; push {r0-r7}
    lsls r0, r4, #3; lsrs r0, r4, #32; asrs r0, r5, #1; adds r0, r4, r5; subs r0, r4, r3; adds r0, r4, #1; subs r0, #1; movs r0, #0
    cmp r0, #5; adds r0, #200; ands r0, r4; eors r0, r5; lsls r4, r3; adcs r0, r4; sbcs r0, r5; rors r4, r3; tst r0, r4; negs r0, r4
    cmp r0, r4; cmn r4, r5; orrs r0, r5; muls r0, r4; bics r5, r4; mvns r0, r4; cmp r0, r9; add r9, r9, r3
    ldr r0, [r1]; str r0, [r1, #4]; ldrb r0, [r1, #3]; strb r4, [r1, #1]; ldrh r0, [r1, #2]; strh r5, [r1]; ldr r0, [r1, r3]
    str r5, [r1, r3]; ldrsh r0, [r1, r3]; ldrsb r0, [r1, r3]; ldr r0, [sp, #4]; str r0, [sp, #8]; ldm r1!, {r0, r3}; stm r1!, {r0, r4}
    ldm r2, {r2, r3}; ldr r0, [r4, r3]; str r0, [r5, r3]; ldr r3, [r5, #4]; add r0, sp, #16; add sp, #16; sub sp, #24; lsls r0, r0, #0
"""
T_BL = """
    bl .+64 | lastit; bl .-64 | lastit; blx arm_target | lastit
"""
T16_V7 = """
    cbz r0, .+8 | noit; cbnz r0, .+8 | noit; cbz r3, .+20 | noit; cbnz r5, .+66 | noit; sxtb r0, r4; uxth r0, r5; sxth r0, r4; uxtb r0, r5
    rev r0, r4; rev16 r0, r4; revsh r0, r5; nop; wfi | halts; wfe; yield; sev; it eq | noit raw bf08; ite ne | noit raw bf14; itt cs | noit raw bf24
"""
T32_V7 = """
    b.w .+128 | lastit; b.w .-128 | lastit; beq.w .+128 | noit; bne.w .-256 | noit; ble.w .+1000 | noit; bhi.w .-1000 | noit
    ldr.w r0, [pc, #120]; ldr.w r0, [pc, #-132]; ldrb.w r0, [pc, #121]; ldrh.w r0, [pc, #122]; ldrsb.w r0, [pc, #123]; ldrsh.w r0, [pc, #-134]
    ldrd r2, r3, [pc, #120]; ldrd r0, r5, [pc, #-136]; adr.w r0, .+200 | raw f20f00c4; adr.w r0, .-200 | raw f2af00cc; ldr.w lr, [pc, #124]; ldr.w r9, [pc, #120]
    ldr.w pc, [pc, #120] | lastit; ldr.w pc, [pc, #-128] | lastit; ldr.w pc, [r1] | lastit; ldr.w pc, [r1, #8]! | lastit; ldr.w pc, [r1], #12 | lastit
    ldr.w pc, [sp], #4 | lastit; ldr.w pc, [r1, r3] | lastit; ldr.w pc, [r1, r10, lsl #1] | lastit; ldr.w pc, [r9] | lastit; ldr.w pc, [r1, #-4] | lastit
    ldr.w pc, [r9, #4]! | lastit; pop.w {r8, pc} | lastit; ldm.w sp!, {r4-r11, pc} | lastit; ldmdb r1!, {r0, pc} | lastit; ldm.w r9, {r0, pc} | lastit; ldm.w r1, {r0, pc} | lastit
    tbb [pc, r10] | lastit; tbh [pc, r10, lsl #1] | lastit; tbb [r1, r3] | lastit; tbh [r1, r10, lsl #1] | lastit; tbb [r9, r3] | lastit
    mrs r0, cpsr; mrs lr, cpsr; msr cpsr_f, r4; msr cpsr_f, r5; msr cpsr_fs, r4
    nop.w; wfi.w | halts; wfe.w; sev.w; yield.w; dbg #1; dmb; dsb; isb; clrex; pld [r1]; pld [pc, #8]; pli [r1, #8]; pld [r1, #-8]; pld [r1, r3]; pldw [r1]
    push.w {r4-r11, lr}; pop.w {r4-r11, lr}; stm.w r1!, {r0, r3}; ldm.w r1, {r0, r3, r5}; stmdb r1!, {r0, r4}; ldmdb r1, {r4, r5}; stm.w r9, {r0, r1}
    ldr.w r0, [r1, #4]; ldr.w r0, [r1, #4]!; str.w r0, [r1], #-4; ldr.w r0, [r9]; str.w r0, [r9, #8]!; ldrb.w r0, [r1, r3]; ldrsh.w r0, [r1, #2]; strh.w r5, [r1, #-2]
    ldrd r4, r5, [r1]; strd r4, r5, [r1, #8]!; ldrd r0, r3, [r9]; ldrt r0, [r1, #4]; strbt r4, [r1, #1]; ldr.w sp, [r1]; ldr.w r8, [r1, r10, lsl #2]
    movw r0, #0x1234; movt r0, #0x5678; mov.w r0, #0xff00ff00; mvn r0, #0x3fc; ands.w r0, r4, #1; bic.w r0, r5, #0xff; orr.w r0, r4, #2; orn r0, r4, #5; eor.w r0, r5, #0x80000000
    add.w r0, r4, #0x10000; adds.w r0, r5, #1; addw r0, r4, #4095; subw r0, r4, #17; subs.w r0, r4, #2; rsb.w r0, r3, #0; adcs.w r0, r4, #1; sbcs.w r0, r5, #1
    add.w sp, sp, #16; sub.w sp, sp, #32; subw sp, sp, #20; add.w r0, sp, #8; cmp.w r4, #0x100; cmn.w r5, #1; tst.w r4, #1; teq r4, #0x80000000; cmp.w sp, #0
    and.w r0, r4, r5; bics.w r0, r5, r4, lsl #3; orrs.w r0, r4, r5, ror #3; orn r0, r4, r5; eors.w r0, r4, r5, asr #2; mov.w r0, r8; movs.w r0, r4, rrx; lsls.w r0, r4, #7
    mvns.w r0, r4, lsr #3; adds.w r0, r4, r5; adcs.w r0, r4, r5; sbcs.w r0, r4, r5; subs.w r0, r4, r5, lsl #1; rsbs r0, r4, r5; cmp.w r4, r5, lsl #2; cmn.w r4, r5; tst.w r4, r5
    teq r4, r5; pkhbt r0, r4, r5; lsl.w r0, r4, r3; lsrs.w r0, r4, r3; rors.w r0, r4, r10; sxtb.w r0, r4, ror #8; uxtab r0, r3, r4; uxth.w r0, r8; sxtab16 r0, r4, r5
    sadd16 r0, r4, r5; uqadd8 r0, r4, r5; qadd r0, r4, r5; rbit r0, r4; rev.w r0, r4; sel r0, r4, r5; clz r0, r5; mul r0, r4, r5; mla r0, r4, r5, r3; mls r0, r4, r5, r3
    smulbb r0, r4, r5; smlad r0, r4, r5, r3; smmul r0, r4, r5; usada8 r0, r4, r5, r3; smull r0, r3, r4, r5; umlal r0, r3, r4, r5; umaal r0, r3, r4, r5; smlald r0, r3, r4, r5
    sbfx r0, r4, #3, #5; ubfx r0, r5, #4, #9; bfi r0, r4, #2, #6; bfc r5, #3, #9; ssat r0, #9, r5; usat r0, #8, r4; ssat r0, #4, r5, asr #3; ssat16 r0, #5, r4
    vldr d0, [pc, #120]; vldr s1, [pc, #-132]; vldr d1, [r1]; vstr d1, [r1, #8]; vldr d2, [r9]; vadd.f32 s0, s1, s2; vmov r0, s3; vmrs APSR_nzcv, fpscr; vpush {d0, d1}; vldm r1!, {d0-d2}
    vadd.i32 d0, d1, d2 | noit; vld1.32 {d0}, [r1]! | noit; vqadd.s16 q0, q1, q1 | noit; vext.8 d0, d1, d2, #3 | noit; vmul.i8 d1, d0, d1 | noit
    vand d0, d1, d2 | noit; vceq.i8 d0, d1, d2 | noit; vmov.i32 d0, #0xff | noit; vld1.8 {d0}, [r9] | noit; vst1.32 {d0}, [sp]! | noit; vld2.16 {d0, d1}, [r1], r3 | noit
    vst1.8 {d1[7]}, [r12], r10 | noit; vld1.64 {d1}, [r2] | noit; vmov d5, r4, r5; vmov r4, r5, d1; vmov s1, r4; vmrs r0, fpscr; vmul.f64 d0, d1, d2; mrc p15, 0, r3, c13, c0, 3
    mcr p15, 0, r4, c13, c0, 2; mcr p15, 0, r0, c8, c7, 0 | noit; mcr p15, 0, r1, c7, c5, 1; mrc p15, 0, r0, c0, c0, 0; mcr p15, 0, r0, c7, c10, 4
"""
T16_REFUSED = """
    BREAKPOINT: bkpt #1; udf #1; .inst.n 0xde18; .inst.n 0xde1c; .inst.n 0xde01
    SYSTEM_CALL: svc #1
    UNPREDICTABLE: .inst.n 0x47f8; .inst.n 0x44ff; .inst.n 0xb400; .inst.n 0xbc00; .inst.n 0xc100; .inst.n 0x4578; .inst.n 0x4587
    MODE_CHANGE: .inst.n 0xb672 | v5; .inst.n 0xb658; .inst.n 0xb67a
    UNPREDICTABLE: .inst.n 0xb660 | v7
    UNDEFINED: .inst.n 0xba80; .inst.n 0xb800
"""
T32_REFUSED = """
    EXCLUSIVE: ldrex r0, [r1]; strex r0, r2, [r1]; ldrexb r0, [r1]; strexd r0, r2, r3, [r1]
    MODE_CHANGE: msr spsr_f, r0; cps.w #31; cpsid.w i, #19; srsdb sp!, #19
    UNPREDICTABLE: .inst.w 0xf3af8600
    EXCEPTION_RETURN: subs pc, lr, #4; rfeia r1; rfedb r1!
    SYSTEM_CALL: .inst.w 0xf7f08000; .inst.w 0xf7e08000
    BREAKPOINT: udf.w #1
    STATE_CHANGE: bxj r1
    UNPREDICTABLE: .inst.w 0xe8bf0003; .inst.w 0xe8910000; .inst.w 0xe891c001; .inst.w 0xea4f0f01; .inst.w 0xfb0ff001; .inst.w 0xf841f000; .inst.w 0xe8d1f00d
    UNDEFINED: .inst.w 0xf80f0000; .inst.w 0xeaa00000; .inst.w 0xf0a00000; .inst.w 0xf8600000
    BANKED: .inst.w 0xf3808020; .inst.w 0xf3e08020
    SYSTEM_REGISTER: mcr p15, 0, r0, c1, c0, 0
    COPROCESSOR: .inst.w 0xfe000000
"""


def lines(text):
    """(instruction, attributes) of each."""
    for line in text.splitlines():
        for piece in line.split(";"):
            if piece.strip():
                insn, _, attributes = piece.partition("|")
                yield insn.strip(), attributes.split()


def refused(text):
    for line in text.splitlines():
        if line.strip():
            reason, _, rest = line.partition(":")
            for insn, attributes in lines(rest):
                yield insn, attributes, reason.strip()


def collect(v7):
    """(thumb, instruction, attributes, reason or None)"""
    for insn, attributes in lines(A32 + (A32_V7 if v7 else "")):
        yield False, insn, attributes, None
    for insn, attributes, reason in refused(A32_REFUSED):
        yield False, insn, attributes, reason
    for insn, attributes in lines(T16 + T_BL + (T16_V7 + T32_V7 if v7 else "")):
        yield True, insn, attributes, None
    for insn, attributes, reason in refused(T16_REFUSED + (T32_REFUSED if v7 else "")):
        yield True, insn, attributes, reason


def wanted(attributes, v7):
    return "drop" not in attributes and not ("v5" in attributes and v7) and \
        not ("v7" in attributes and not v7)


def assemble(arch, cases):
    """The encodings: (insn, bytes) each."""
    source = [".syntax unified", f".arch {arch}", *([".fpu neon"] if arch == "armv7-a" else []),
              *([".arch_extension sec", ".arch_extension mp"] if arch == "armv7-a" else []), ".text"]
    for number, (thumb, insn, attributes, _) in enumerate(cases):
        raw = attributes[attributes.index("raw") + 1] if "raw" in attributes else None
        target = ""
        if "_target" in insn:  # 1024 bytes on, in the other instruction set
            insn = insn.replace("thumb_target", f"t{number}").replace("arm_target", f"t{number}")
            target = f".org c{number} + 1024\n.thumb\n.thumb_func\nt{number}: nop" if not thumb else \
                f".org c{number} + 1024\n.arm\n.type t{number}, %function\nt{number}: nop"
        if raw:
            insn = (".inst.n 0x" if thumb and len(raw) <= 4 else
                    ".inst.w 0x" if thumb else ".inst 0x") + raw
        source += [f".section .c{number}, \"ax\"", ".thumb" if thumb else ".arm", ".balign 4",
                   f"c{number}: {insn}", f"e{number}:", target]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "cases.s")
        path.write_text("\n".join(source) + "\n", encoding="ascii")
        subprocess.run(["arm-none-eabi-as", "-W", "-mimplicit-it=never", "-o", f"{folder}/cases.o", path], check=True, stderr=subprocess.DEVNULL)
        script = "SECTIONS { " + " ".join(
            f".c{n} {n * 4096 + 0x100000:#x} : {{ *(.c{n}) }}" for n in range(len(cases))) + " }"
        pathlib.Path(folder, "cases.ld").write_text(script, encoding="ascii")
        subprocess.run(["arm-none-eabi-ld", "--no-warn-rwx-segments", "-T", f"{folder}/cases.ld", "-o", f"{folder}/cases.elf",
                        f"{folder}/cases.o"], check=True, stderr=subprocess.DEVNULL)
        subprocess.run(["arm-none-eabi-objcopy", "-O", "binary", f"{folder}/cases.elf",
                        f"{folder}/cases.bin"], check=True)
        image = pathlib.Path(folder, "cases.bin").read_bytes()
        symbols = {}
        for line in subprocess.run(["arm-none-eabi-nm", f"{folder}/cases.elf"], check=True,
                                   capture_output=True, text=True).stdout.splitlines():
            value, _, name = line.split()
            symbols[name] = int(value, 16)
    for number, (thumb, _, _, _) in enumerate(cases):
        at = number * 4096
        size = symbols[f"e{number}"] - symbols[f"c{number}"]
        insn = int.from_bytes(image[at:at + size], "little")
        if thumb and size == 4:
            insn = (insn & 0xffff) << 16 | insn >> 16
        yield insn, size


# One instruction and what the oracle must know of it. size: bytes; roles: register -> kind (shapes.py)
Case = collections.namedtuple("Case", "thumb insn size attributes refusal roles text")


def written(architecture):
    """The cases that stand here as text."""
    v7 = architecture >= 7
    found = [case for case in collect(v7) if wanted(case[2], v7)]
    for (thumb, text, attributes, reason), (insn, size) in zip(found, assemble(
            "armv7-a" if v7 else "armv5te", found)):
        yield Case(thumb, insn, size, attributes, reason, {}, text)


def generated(architecture):
    """The cases that the decode tables ask for."""
    for table, rows in arm_tables.TABLES.items():
        for row in rows:
            if row.refusal or not arm_tables.exists(row, architecture):
                continue
            for e in shapes.encodings(row, architecture):
                thumb, size = table != "a32", 2 if table == "t16" else 4
                attributes = list(e.flags)
                if "lastit-pc" in attributes and e.insn & 0x87 == 0x87:
                    attributes.append("lastit")
                if "wfi" in row.what and (e.insn & 0xf0 if table == "t16" else e.insn << 4 & 0xff0) == 0x30:
                    attributes.append("halts")
                yield Case(thumb, e.insn, size, attributes, None, e.roles, row.what)
                # Coprocessor instructions are the same in Thumb-2.
                if table == "a32" and architecture >= 7 and 0xc <= e.insn >> 24 & 15 <= 0xe:
                    insn = e.insn & 0x0fffffff | 0xe0000000
                    if arm_tables.row_of(insn, "a32", 7) is row:
                        yield Case(True, insn, 4, attributes, None, e.roles, row.what)


@functools.cache  # they take seconds, and the tests of a process ask for them several times
def all_cases(architecture):
    """Distinct in instruction and in what the registers hold."""
    seen = {}
    for case in itertools.chain(written(architecture), generated(architecture)):
        seen.setdefault((case.thumb, case.insn, tuple(sorted(case.roles.items()))), case)
    return tuple(seen.values())


# The second instruction: add r6, r6, #1
NEXT = {False: 0xe2866001, True: 0x3601}
FLAGS = {"noit": "CASE_NO_IT", "lastit": "CASE_LAST_IT", "halts": "CASE_HALTS", "aligned": "CASE_ALIGNED",
         "spsr": "CASE_SPSR", "nofiq": "CASE_NO_FIQ"}


def as_c(case):
    flags = ["CASE_THUMB"] if case.thumb else []
    flags += [FLAGS[name] for name in FLAGS if name in case.attributes]
    flags += ["CASE_REFUSED"] if case.refusal else []
    holds = ", ".join(f"{number | shapes.KINDS.index(kind) << 4:#x}" for number, kind in case.roles.items()) or "0"
    return row(case.insn, case.thumb, " | ".join(flags) or "0", f"DP_REFUSE_{case.refusal}" if case.refusal else "0", case.text,
               holds, case.size)


def row(insn, thumb, flags, refusal, text, holds, size):
    """A line of cases.inc: struct test_case."""
    return "{{0x%08x, %#x}, %s, %s, \"%s\", {%s}, %d}," % (insn, NEXT[thumb], flags, refusal, text, holds, size)


def row_of(case, architecture):
    return arm_tables.row_of(case.insn, arm_tables.table_of(case.insn, case.thumb, case.size, architecture),
                         architecture)


def main(arch, output=None):
    architecture = {"armv5te": 5, "armv7-a": 7}[arch]
    cases = all_cases(architecture)
    if output:
        kinds = "enum kind { " + ", ".join(f"HOLDS_{name}" for name in shapes.KINDS) + " };\n"
        pathlib.Path(output).write_text("\n".join(map(as_c, cases)) + "\n", encoding="ascii")
        pathlib.Path(output).with_name("kinds.inc").write_text(kinds, encoding="ascii")
        return
    count = collections.Counter(row_of(case, architecture) for case in cases if not case.refusal)
    for table, rows in arm_tables.TABLES.items():
        for row in rows:
            if not row.refusal and arm_tables.exists(row, architecture):
                print(f"{table} row {row.number:3}: {count[row]:4}  {row.what}")
    for thumb in (False, True):
        here = {case.insn for case in cases if case.thumb == thumb and not case.refusal}
        print(f"{'Thumb' if thumb else 'A32'}: {len(here)} distinct encodings")


if __name__ == "__main__":
    main(*sys.argv[1:])
