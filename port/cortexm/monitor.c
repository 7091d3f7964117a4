/* SPDX-License-Identifier: BSD-2-Clause */
/* Watchpoints by dwt.c, for the core: DebugMonitor, and the access that it has come for. The CPU
 * tells which comparators have matched, and no address. The instruction in front of the pc has made
 * the access, if no jump and no later report came between: where its registers tell an address in
 * one of these ranges, that is the access. A comparator that an earlier access has left matched is
 * told apart so. An agent of DP_CORTEXM_WITH_DWT=1 has this file. */
#include "cortexm_data.h"
#include "thumb/thumb_decode.h"

#if DP_CORTEXM_WITH_DWT
_Static_assert((int)DP_CORTEXM_WATCHERS == (int)DP_DWT_COMPARATORS, "dp_port_cpu.h");

static struct dp_dwt *unit(void)
{
	return &dp_cortexm->dwt;
}

void dp_dwt_publish(void)
{
	__asm__ volatile("dsb\n\tisb" ::: "memory");
}

/* --- comparators --- */

static unsigned number_of(const struct dp_watch *watch)
{
	return watch->comparator - (unsigned)DP_CORTEXM_PLACES;
}

static enum dp_dwt_function function_of_kind(unsigned kind)
{
	switch (kind) {
	case DP_PROBE_WATCH_R:
		return DP_DWT_READ;
	case DP_PROBE_WATCH_W:
		return DP_DWT_WRITE;
	case DP_PROBE_WATCH_RW:
		return DP_DWT_ACCESS;
	default:
		return DP_DWT_NOTHING;
	}
}

/* 2^bits bytes, aligned so, have the range. */
static unsigned bits_of(const struct dp_watch *watch)
{
	uint32_t differ = watch->address ^ (watch->address + (watch->bytes - 1));

	return differ == 0 ? 0 : 32u - (unsigned)__builtin_clz(differ);
}

/* The earlier run of the agent has the vector. */
void dp_monitor_attach(void)
{
	const volatile uint32_t *table = (const volatile uint32_t *)(uintptr_t)DP_SCS(VTOR);
	dp_irq irq = dp_port_mask();

	dp_dwt_attach(unit(), table[DP_CLASS_MONITOR] == (uint32_t)(uintptr_t)dp_cortexm_monitor);
	dp_port_unmask(irq);
}

unsigned dp_monitor_count(void)
{
	return unit()->count;
}

enum dp_err dp_monitor_prepare(struct dp_watch *watch)
{
	unsigned bits = bits_of(watch);
	enum dp_err error =
		dp_dwt_can(unit(), number_of(watch), bits, function_of_kind(watch->kind));

	if (error != DP_ERR_OK)
		return error;
	watch->covers = (uint32_t)1 << bits;
	watch->first = watch->address & ~(watch->covers - 1);
	return DP_ERR_OK;
}

enum dp_err dp_monitor_arm(const struct dp_watch *watch)
{
	struct dp_dwt_watch asked = {watch->first, (uint8_t)bits_of(watch),
				     (uint8_t)function_of_kind(watch->kind)};
	bool armed = dp_dwt_arm(unit(), number_of(watch), &asked);

	dp_cortexm->watches = dp_dwt_armed(unit());
	return armed ? DP_ERR_OK : DP_ERR_NO_WATCHPOINT;
}

void dp_monitor_disarm(const struct dp_watch *watch)
{
	dp_dwt_disarm(unit(), number_of(watch));
	dp_cortexm->watches = dp_dwt_armed(unit());
}

bool dp_monitor_holds(const struct dp_watch *watch)
{
	return dp_dwt_holds(unit(), number_of(watch));
}

void dp_monitor_pause(unsigned comparators)
{
	dp_dwt_pause(unit(), comparators);
}

static bool covers(const struct dp_watched *access, unsigned comparators)
{
	return dp_dwt_covers(unit(), comparators, !(access->kinds & 1u << DP_PROBE_WATCH_R),
			     access->address, access->bytes);
}

bool dp_monitor_at(const struct dp_watched *access)
{
	unsigned named = (unsigned)access->comparators >> DP_CORTEXM_PLACES;

	return access->told ? covers(access, dp_cortexm->watches) : named & dp_cortexm->watches;
}

/* --- the instruction in front of the pc --- */

static bool fetch(uint32_t at, unsigned bytes, uint32_t *insn)
{
	uint32_t half = 0, second = 0;

	if (!dp_access_load(at, 2, &half) || dp_thumb_bytes(half) != bytes ||
	    (bytes == 4 && !dp_access_load(at + 2, 2, &second)))
		return false;
	*insn = bytes == 2 ? half : half << 16 | second;
	return true;
}

static bool keeps_base_16(uint32_t w)
{
	const unsigned group = w >> 12, to = w & 7;
	const bool of_registers = group == 5;
	const bool loads = of_registers ? (w >> 9 & 7) >= 3 : w & 0x800;

	if (group == 4 || group == 9) /* of the pc, of sp */
		return true;
	return group >= 5 && group <= 8 &&
	       (!loads || (to != (w >> 3 & 7) && !(of_registers && to == (w >> 6 & 7))));
}

/* f8, f9.  DDI 0403E A5.3.7 to A5.3.10 */
static bool keeps_base_32(uint32_t w)
{
	const unsigned base = w >> 16 & 15, to = w >> 12 & 15;
	const bool long_offset = base == DP_ARM_PC || (w & 0x00800000);
	const bool of_register = !long_offset && (w & 0xfc0) == 0;

	if (w >> 25 != 0xf8 >> 1 || to == DP_ARM_PC ||
	    !(long_offset || of_register || (w & 0xd00) == 0xc00))
		return false; /* another one, or with write-back */
	return !(w & 0x00100000) || (to != base && !(of_register && to == (w & 15)));
}

/* Does the instruction leave the registers of its address as they were? One register is loaded or
 * stored, without write-back. */
static bool keeps_base(uint32_t insn, unsigned bytes)
{
	return bytes == 2 ? keeps_base_16(insn) : keeps_base_32(insn);
}

/* The access to one of the comparators' ranges that the instruction of so many bytes in front of
 * the pc has made. */
static bool was_made_by(unsigned bytes, uint32_t pc, struct dp_frame *frame, unsigned comparators,
			struct dp_watched *access)
{
	const uint32_t stopped_at = frame->r[DP_ARM_PC];
	uint32_t insn;
	bool made;

	frame->r[DP_ARM_PC] = pc - bytes;
	made = fetch(pc - bytes, bytes, &insn) && keeps_base(insn, bytes) &&
	       dp_cortexm_access_of(insn, bytes, frame, access) && covers(access, comparators);
	frame->r[DP_ARM_PC] = stopped_at;
	return made;
}

/* --- accesses --- */

/* The comparators that have matched, where the access is not known. */
static void tell_matched(struct dp_watched *access, unsigned comparators)
{
	access->comparators = (uint16_t)(comparators << DP_CORTEXM_PLACES);
	access->kinds = DP_WATCHED_READ | DP_WATCHED_WRITE;
	access->address = 0;
	access->bytes = 0;
	access->told = false;
}

/* The copy in a slot is complete: its jump back, or its second trap, is the port's work. */
static void leave_slot(struct dp_frame *frame)
{
	uint32_t pc = frame->r[DP_ARM_PC];

	if (dp_cortexm_in_slots(pc) && dp_cortexm_behind_copy(pc))
		frame->r[DP_ARM_PC] = dp_port_slot_origin(pc);
}

enum dp_taken dp_cortexm_monitored(struct dp_frame *frame)
{
	unsigned matched = dp_dwt_take(unit());
	struct dp_watched access;
	uint32_t pc;

	if (matched == 0) { /* as soon as the context is back: entry.S */
		dp_cortexm->passing = frame->r[DP_ARM_PC];
		dp_dwt_pass();
		return DP_RESUME;
	}
	leave_slot(frame);
	pc = dp_port_slot_origin(frame->r[DP_ARM_PC]) & ~1u;
	access.told = was_made_by(4, pc, frame, matched, &access) ||
		      was_made_by(2, pc, frame, matched, &access);
	access.pc = pc;
	access.comparators = 0;
	if (!access.told)
		tell_matched(&access, matched);
	dp_agent_watch(frame, &access);
	return DP_RESUME;
}

void dp_cortexm_note_access(uint32_t insn, unsigned bytes, const struct dp_frame *frame)
{
	struct dp_cortexm_pending *p = dp_cortexm_pending();
	struct dp_watched access;

	p->accessed = 0;
	if (dp_cortexm->watches == 0 || !dp_cortexm_access_of(insn, bytes, frame, &access))
		return;
	p->accessed = access.bytes;
	p->accessed_kinds = access.kinds;
	p->accessed_first = access.address;
}

void dp_cortexm_tell_access(struct dp_frame *frame)
{
	const struct dp_cortexm_pending *p = dp_cortexm_pending();
	unsigned matched = dp_dwt_lost(unit());
	struct dp_watched access;

	if (matched == 0)
		return;
	tell_matched(&access, matched);
	access.pc = p->address + (p->trap2 & 2 ? 2 : 4); /* behind the copy, which is aligned */
	if (p->accessed > 0) {
		access.kinds = p->accessed_kinds;
		access.address = p->accessed_first;
		access.bytes = p->accessed;
		access.told = true;
	}
	dp_agent_watch(frame, &access);
}
#endif
