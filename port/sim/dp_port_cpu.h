/* SPDX-License-Identifier: BSD-2-Clause */
/* The simulated CPU has any word size, either byte order and any port's register table. The host
 * compiles the dependent files once per form, -DDP_WORD_BITS=32|64 -DDP_PORT_BIG_ENDIAN=0|1. The
 * names of a form carry its suffix, so that one program can hold all four. Without -D: 32 bits,
 * little. -DDP_SIM_WIDE=1 is a fifth form for tests of the core: 64 bits, big, instructions of
 * 2, 4, 6 and 15 bytes. */
#ifndef DP_PORT_CPU_H
#define DP_PORT_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "dp_object.h"
#include "dp_regs.h"
#include "dprobes_cpu.h"
#include "dprobes_frame.h"

#if DP_SIM_WIDE
#define DP_PORT_BIG_ENDIAN  1
#define DP_PORT_TRAP_STORES 15
#else
#define DP_PORT_TRAP_STORES 1
#endif

#define DP_PORT_ACCESS_MAX 8

#ifndef DP_PORT_BIG_ENDIAN
#define DP_PORT_BIG_ENDIAN 0
#endif

#if DP_SIM_WIDE
#define DP_SIM_FORM(name) name##_wide
#elif DP_WORD_BITS == 32 && DP_PORT_BIG_ENDIAN == 0
#define DP_SIM_FORM(name) name##_32le
#elif DP_WORD_BITS == 32
#define DP_SIM_FORM(name) name##_32be
#elif DP_PORT_BIG_ENDIAN == 0
#define DP_SIM_FORM(name) name##_64le
#else
#define DP_SIM_FORM(name) name##_64be
#endif
#define DP_VM_NAME(name)      DP_SIM_FORM(name)
#define dp_hook_pop           DP_SIM_FORM(dp_hook_pop)
#define dp_hook_push          DP_SIM_FORM(dp_hook_push)
#define dp_port_regs          DP_SIM_FORM(dp_port_regs)
#define dp_port_reg_get       DP_SIM_FORM(dp_port_reg_get)
#define dp_port_reg_set       DP_SIM_FORM(dp_port_reg_set)
#define dp_port_pc            DP_SIM_FORM(dp_port_pc)
#define dp_port_sp            DP_SIM_FORM(dp_port_sp)
#define dp_port_fetch         DP_SIM_FORM(dp_port_fetch)
#define dp_port_prepare       DP_SIM_FORM(dp_port_prepare)
#define dp_port_release       DP_SIM_FORM(dp_port_release)
#define dp_port_slot          DP_SIM_FORM(dp_port_slot)
#define dp_port_quiescent     DP_SIM_FORM(dp_port_quiescent)
#define dp_port_slots         DP_SIM_FORM(dp_port_slots)
#define dp_port_insn_bytes    DP_SIM_FORM(dp_port_insn_bytes)
#define dp_port_trap_at       DP_SIM_FORM(dp_port_trap_at)
#define dp_port_keep_written  DP_SIM_FORM(dp_port_keep_written)
#define dp_port_is_armed      DP_SIM_FORM(dp_port_is_armed)
#define dp_port_arm           DP_SIM_FORM(dp_port_arm)
#define dp_port_disarm        DP_SIM_FORM(dp_port_disarm)
#define dp_port_arm_compared  DP_SIM_FORM(dp_port_arm_compared)
#define dp_port_fires         DP_SIM_FORM(dp_port_fires)
#define dp_port_step          DP_SIM_FORM(dp_port_step)
#define dp_port_resume        DP_SIM_FORM(dp_port_resume)
#define dp_port_stepped       DP_SIM_FORM(dp_port_stepped)
#define dp_port_step_fault    DP_SIM_FORM(dp_port_step_fault)
#define dp_port_slot_origin   DP_SIM_FORM(dp_port_slot_origin)
#define dp_port_read          DP_SIM_FORM(dp_port_read)
#define dp_port_load          DP_SIM_FORM(dp_port_load)
#define dp_port_load_memory   DP_SIM_FORM(dp_port_load_memory)
#define dp_sim_load_stack     DP_SIM_FORM(dp_sim_load_stack)
#define dp_port_write         DP_SIM_FORM(dp_port_write)
#define dp_port_readable      DP_SIM_FORM(dp_port_readable)
#define dp_port_writable      DP_SIM_FORM(dp_port_writable)
#define dp_port_io_read       DP_SIM_FORM(dp_port_io_read)
#define dp_port_io_write      DP_SIM_FORM(dp_port_io_write)
#define dp_port_seg2lin       DP_SIM_FORM(dp_port_seg2lin)
#define dp_port_mask          DP_SIM_FORM(dp_port_mask)
#define dp_port_unmask        DP_SIM_FORM(dp_port_unmask)
#define dp_port_unmasked      DP_SIM_FORM(dp_port_unmasked)
#define dp_port_cpu_number    DP_SIM_FORM(dp_port_cpu_number)
#define dp_port_ticks         DP_SIM_FORM(dp_port_ticks)
#define dp_sim_counter        DP_SIM_FORM(dp_sim_counter)
#define dp_port_tick_hz       DP_SIM_FORM(dp_port_tick_hz)
#define dp_port_recover       DP_SIM_FORM(dp_port_recover)
#define dp_port_stack_used    DP_SIM_FORM(dp_port_stack_used)
#define dp_port_attach        DP_SIM_FORM(dp_port_attach)
#define dp_port_vectors       DP_SIM_FORM(dp_port_vectors)
#define dp_port_exception     DP_SIM_FORM(dp_port_exception)
#define dp_slots_init         DP_SIM_FORM(dp_slots_init)
#define dp_slots_take         DP_SIM_FORM(dp_slots_take)
#define dp_slots_armed        DP_SIM_FORM(dp_slots_armed)
#define dp_slots_release      DP_SIM_FORM(dp_slots_release)
#define dp_slots_scratch      DP_SIM_FORM(dp_slots_scratch)
#define dp_slots_at           DP_SIM_FORM(dp_slots_at)
#define dp_slots_pool         DP_SIM_FORM(dp_slots_pool)
#define dp_slots_compose      DP_SIM_FORM(dp_slots_compose)
#define dp_scan               DP_SIM_FORM(dp_scan)
#define dp_patch_read         DP_SIM_FORM(dp_patch_read)
#define dp_patch_write        DP_SIM_FORM(dp_patch_write)
#define dp_patch_word         DP_SIM_FORM(dp_patch_word)
#define dp_patch_publish      DP_SIM_FORM(dp_patch_publish)
#define dp_patch_trap         DP_SIM_FORM(dp_patch_trap)
#define dp_patch_number       DP_SIM_FORM(dp_patch_number)
#define dp_port_text_written  DP_SIM_FORM(dp_port_text_written)
#define dp_access_load        DP_SIM_FORM(dp_access_load)
#define dp_access_store       DP_SIM_FORM(dp_access_store)
#define dp_access_board       DP_SIM_FORM(dp_access_board)
#define dp_port_comparators   DP_SIM_FORM(dp_port_comparators)
#define dp_port_lacks_code    DP_SIM_FORM(dp_port_lacks_code)
#define dp_port_watch_prepare DP_SIM_FORM(dp_port_watch_prepare)
#define dp_port_watch_arm     DP_SIM_FORM(dp_port_watch_arm)
#define dp_port_watch_disarm  DP_SIM_FORM(dp_port_watch_disarm)
#define dp_port_watch_holds   DP_SIM_FORM(dp_port_watch_holds)
#define dp_port_watch_pause   DP_SIM_FORM(dp_port_watch_pause)
#define dp_port_watch_at      DP_SIM_FORM(dp_port_watch_at)
#define dp_port_prepare_here  DP_SIM_FORM(dp_port_prepare_here)
#define dp_sim_watch_after    DP_SIM_FORM(dp_sim_watch_after)

#define DP_PORT_CPU    DP_CPU_SIM
#define DP_PORT_ISAS   (1u << DP_ISA_MAIN)
#define DP_PORT_GROUPS RPN_GROUP_ALL /* simulate removes the groups that its --cpu lacks */
#ifndef DP_PORT_PHASES
#define DP_PORT_PHASES 0x07
#endif

#define DP_PORT_IS_NOOP(site) ((site)->original >> 24 < 0xf1) /* sim.h */

/* Does a push of this register pop a word first? dp_regs.h, pops. */
#define DP_PORT_REG_ARGUMENTS(index) dp_sim_reg_pops(index)
unsigned dp_sim_reg_pops(uint16_t index);

/* Each row of one word that pops nothing. */
#define DP_PORT_REG_AT(index) dp_sim_reg_at(index)
unsigned dp_sim_reg_at(uint16_t index);
/* The words are none where the CPU in force has its arguments in registers: no register lies at the
 * base then. */
#define DP_PORT_STACK_WORDS (DP_SIM_STACK_BYTES / (DP_WORD_BITS / 8))
#define DP_PORT_STACK_AT    0u
#define DP_PORT_STACK_BASE  dp_sim_stack_base()
unsigned dp_sim_stack_base(void);
#define DP_PORT_LOAD_STACK(frame) dp_sim_load_stack(frame)
bool dp_sim_load_stack(struct dp_frame *frame);
#define DP_PORT_PC(frame)                (*dp_sim_pc(frame))
#define DP_PORT_SP(frame)                dp_port_sp(frame)
#define DP_PORT_PLAIN(frame)             ((void)(frame), true)
#define DP_PORT_FRAME(frame, pc, sp, ra) dp_sim_fill(frame, pc, sp, ra)
#define DP_PORT_RESULT(frame, n)         (*dp_sim_result(frame, n))
#define DP_PORT_RETURN(frame)            dp_sim_return(frame)
/* A return address with 32 set bits is none. */
#define DP_PORT_MAY_RETURN(frame) dp_sim_may_return(frame)
uint64_t *dp_sim_result(struct dp_frame *frame, unsigned n);
void dp_sim_return(struct dp_frame *frame);
bool dp_sim_may_return(const struct dp_frame *frame);
uint64_t *dp_sim_pc(struct dp_frame *frame);
void dp_sim_fill(struct dp_frame *frame, uint64_t pc, uint64_t sp, uint64_t ra);
#define DP_PORT_COUNTER() dp_sim_counter()
uint32_t dp_sim_counter(void);
/* The simulated CPU's pc is no place of the agent; here the nearest that C has. */
#define DP_PORT_HERE(place) ((place) = (uintptr_t)__builtin_return_address(0))

#define DP_PORT_COMPARATORS 4
#define DP_PORT_WATCH_KINDS                                                                        \
	(1 << DP_PROBE_BREAK | 1 << DP_PROBE_WATCH_X | 1 << DP_PROBE_WATCH_W |                     \
	 1 << DP_PROBE_WATCH_RW | 1 << DP_PROBE_WATCH_R)
#define DP_PORT_WATCH_SHARED 1
#define DP_PORT_LACKS_CODE   1
#define DP_PORT_WATCH_AFTER  dp_sim_watch_after()
unsigned dp_sim_watch_after(void);

#include "dp_slots.h"

struct dp_port_site {
	uint8_t slot; /* number, or DP_SLOT_NONE */
};

struct dp_port_state {
	const struct dp_board *board;
	struct dp_slot_pool slots;
};

typedef uint8_t dp_irq;

#endif
