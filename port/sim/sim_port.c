/* SPDX-License-Identifier: BSD-2-Clause */
/* The simulated port fulfils the port contract on simulated memory, so that the core runs inside a
 * Linux process. sim_insn.h encodes instructions, sim.h defines their effect. */
#include "dp_port.h"

#include <string.h>

#include "dp_access.h"
#include "dp_access_cpu.h"
#include "dp_patch.h"
#include "dp_scan.h"
#include "dp_watch.h"
#include "sim_insn.h"

static struct dp_port_state *sim; /* null before dp_port_attach */

/* --- registers --- */

const struct dp_reg *dp_port_regs(uint16_t *count)
{
	*count = dp_sim.reg_count;
	return dp_sim.regs;
}

unsigned dp_port_reg_get(const struct dp_frame *frame, enum dp_context context, uint16_t index,
			 dp_word argument, dp_word *out)
{
	int row = sim_row(index);
	unsigned i;

	(void)context;
	(void)argument;
	for (i = 0; i < dp_sim.regs[row].words; i++)
		out[i] = (dp_word)frame->word[row][i];
	return i;
}

void dp_port_reg_set(struct dp_frame *frame, enum dp_context context, uint16_t index, dp_word value)
{
	(void)context;
	frame->word[sim_row(index)][0] = value;
}

static dp_word get(const struct dp_frame *frame, uint16_t index)
{
	return index == SIM_NO_REG ? 0 : (dp_word)frame->word[sim_row(index)][0];
}

static void set(struct dp_frame *frame, uint16_t index, dp_word value)
{
	if (index != SIM_NO_REG)
		frame->word[sim_row(index)][0] = value;
}

dp_addr dp_port_pc(const struct dp_frame *frame)
{
	return get(frame, dp_sim.pc);
}

dp_word dp_port_sp(const struct dp_frame *frame)
{
	return get(frame, dp_sim.sp);
}

/* --- sites --- */

/* Of the displaced instruction; insn_bytes may be damaged. */
static unsigned bytes_of(const struct dp_site *site)
{
	return site->insn_bytes < DP_PORT_INSN_BYTES_MAX ? site->insn_bytes
							 : DP_PORT_INSN_BYTES_MAX;
}

#if DP_SIM_WIDE
static void keep_original(struct dp_site *site, const uint8_t *code)
{
	memcpy(site->original_bytes, code, site->insn_bytes);
	site->original = sim_number(code, site->insn_bytes < 4 ? site->insn_bytes : 4);
}

void dp_port_insn_bytes(const struct dp_site *site, uint8_t *bytes)
{
	memcpy(bytes, site->original_bytes, bytes_of(site));
}
#else
static void keep_original(struct dp_site *site, const uint8_t *code)
{
	site->original = sim_number(code, site->insn_bytes);
}

void dp_port_insn_bytes(const struct dp_site *site, uint8_t *bytes)
{
	sim_put_number(bytes, site->original);
}
#endif

static enum sim_insn kind_of(const struct dp_site *site)
{
	uint8_t code[DP_PORT_INSN_BYTES_MAX];

	dp_port_insn_bytes(site, code);
	return sim_kind(code);
}

enum dp_err dp_port_fetch(struct dp_site *site)
{
	uint8_t code[DP_PORT_INSN_BYTES_MAX];

	if (site->address % SIM_ALIGN && !dp_sim.any_address)
		return DP_ERR_NOT_BOUNDARY;
	sim_own_access(site->address, SIM_UNIT, DP_WATCHED_READ);
	if (sim_read(site->address, code, SIM_UNIT) != SIM_UNIT)
		return DP_ERR_NOT_TEXT;
	site->insn_bytes = (uint8_t)sim_bytes(code);
	if (sim_read(site->address, code, site->insn_bytes) != site->insn_bytes)
		return DP_ERR_NOT_TEXT;
	keep_original(site, code);
	return DP_ERR_OK;
}

/* The copy alone: the jump behind it, and the second trap, are the simulation's. */
void dp_slots_compose(const struct dp_site *site, uint32_t insn, uintptr_t slot, uint32_t *content)
{
	(void)insn;
	(void)slot;
	memset(content, 0, 4 * DP_SLOT_WORDS);
	dp_port_insn_bytes(site, (uint8_t *)content);
}
_Static_assert(DP_PORT_INSN_BYTES_MAX <= 4 * DP_SLOT_WORDS, "the copy of an instruction");

struct dp_slot_pool *dp_slots_pool(void)
{
	return &sim->slots;
}

/* Sites beyond the slots are refused: no simulated step uses the slot of last resort. */
static bool take_slot(struct dp_site *site)
{
	uint8_t number = dp_slots_take(&sim->slots, site, 0);

	if (number != DP_SLOT_SCRATCH)
		site->port.slot = number;
	return number != DP_SLOT_SCRATCH;
}

enum dp_err dp_port_prepare(struct dp_site *site, dp_original_at original_at, enum dp_refusal *why)
{
	uint8_t code[DP_PORT_INSN_BYTES_MAX], next[SIM_UNIT];
	enum dp_err error = dp_scan(site, original_at);

	*why = DP_REFUSE_NOTHING;
	if (!site->armed)
		site->port.slot = DP_SLOT_NONE;
	dp_port_insn_bytes(site, code);
	if (sim_is_trap(code))
		return DP_ERR_FOREIGN_BREAK;
	if (error != DP_ERR_OK)
		return error;
	switch (sim_kind(code)) {
	case SIM_REFUSED:
	case SIM_EXCLUSIVE:
		*why = DP_REFUSE_UNDEFINED;
		return DP_ERR_NOT_PROBEABLE;
	case SIM_BRANCH:
		if (!original_at(site->address + site->insn_bytes, next, SIM_UNIT) ||
		    sim_kind(next) == SIM_BRANCH)
			return DP_ERR_BAD_DELAY_SLOT;
		break;
	case SIM_STEPPED:
	case SIM_SLOT_FAULT:
	case SIM_AWAY:
	case SIM_MEMORY:
	case SIM_LOAD:
	case SIM_STORE:
		if (site->port.slot == DP_SLOT_NONE && !take_slot(site))
			return DP_ERR_NO_SLOT;
		break;
	default:
		break;
	}
	return DP_ERR_OK;
}

/* Does a one-trap slot step the instruction, in some hits? */
static bool may_leave_by(enum sim_insn insn)
{
	return insn == SIM_AWAY || insn == SIM_MEMORY || insn == SIM_LOAD || insn == SIM_STORE;
}

/* The copy goes to the scratch slot. What the CPU can do without one is emulated. */
enum dp_err dp_port_prepare_here(struct dp_site *site, const struct dp_frame *frame,
				 dp_original_at original_at)
{
	uint8_t code[DP_PORT_INSN_BYTES_MAX];
	uint32_t content[DP_SLOT_WORDS];

	(void)frame;
	site->port.slot = DP_SLOT_NONE;
	if (!original_at(site->address, code, SIM_UNIT))
		return DP_ERR_NOT_PROBEABLE;
	site->insn_bytes = (uint8_t)sim_bytes(code);
	if (!original_at(site->address, code, site->insn_bytes) || sim_kind(code) == SIM_EXCLUSIVE)
		return DP_ERR_NOT_PROBEABLE;
	keep_original(site, code);
	if (sim_kind(code) == SIM_NOP || sim_kind(code) == SIM_FAULT)
		return DP_ERR_OK;
	dp_slots_compose(site, 0, 0, content);
	dp_slots_scratch(&sim->slots, site->address, content);
	site->port.slot = SIM_SLOTS;
	return DP_ERR_OK;
}

void dp_port_release(struct dp_site *site)
{
	enum sim_insn kind = kind_of(site);

	dp_slots_release(&sim->slots, site->port.slot, may_leave_by(kind));
	site->port.slot = DP_SLOT_NONE;
}

bool dp_port_trap_at(const struct dp_frame *frame, uint32_t *found)
{
	uint8_t code[SIM_UNIT];

	*found = 0;
	if (sim_read(dp_port_pc(frame), code, SIM_UNIT) != SIM_UNIT)
		return false;
	*found = sim_number(code, SIM_UNIT);
	return sim_is_trap(code);
}

unsigned dp_patch_trap(const struct dp_site *site, union dp_code *trap)
{
	sim_put_trap(trap->byte, bytes_of(site));
	return bytes_of(site);
}

uint32_t dp_patch_number(const struct dp_site *site, const union dp_code *code, unsigned bytes)
{
	(void)site;
	return sim_number(code->byte, bytes < 4 ? bytes : 4);
}

const struct dp_board *dp_access_board(void)
{
	return sim->board;
}

bool dp_access_load(dp_addr address, unsigned width, void *to)
{
	sim_own_access(address, width, DP_WATCHED_READ);
	return sim_read(address, to, width) == width;
}

/* Code may lie in a range that programs cannot write: the patch is not a program's write. */
bool dp_access_store(dp_addr address, unsigned width, const void *from)
{
	void (*wrote)(void *, uint64_t, const uint8_t *, size_t) = dp_sim.wrote;
	bool done;

	sim_own_access(address, width, DP_WATCHED_WRITE);
	if (dp_sim.patching)
		dp_sim.patching(dp_sim.context);
	dp_sim.wrote = NULL;
	done = sim_writable(address + width - 1) && sim_write(address, from, width) == width;
	dp_sim.wrote = wrote;
	if (dp_sim.patching)
		dp_sim.patching(dp_sim.context);
	return done;
}

void dp_port_text_written(uintptr_t address, size_t bytes)
{
	(void)address;
	(void)bytes;
}

/* Memory has no cache; a test sees the call. */
void dp_port_keep_written(const void *note, size_t bytes)
{
	dp_sim.kept_at = note;
	dp_sim.kept_bytes = bytes;
}

/* --- stepping --- */

bool dp_port_fires(const struct dp_site *site, const struct dp_frame *frame, bool taken)
{
	(void)frame;
	if (kind_of(site) == SIM_IF)
		return !taken || dp_sim.condition;
	return kind_of(site) != SIM_NEVER;
}

enum dp_step dp_port_step(const struct dp_site *site, struct dp_frame *frame, bool may_leave)
{
	enum sim_insn insn = kind_of(site);

	if (site->port.slot <= SIM_SLOTS) {
		bool *one_trap = &dp_sim.one_trap[site->port.slot];

		*one_trap = may_leave_by(insn) && (insn == SIM_AWAY || may_leave) &&
			    !dp_site_is_late(site);
		set(frame, dp_sim.pc, DP_SIM_SLOT_BASE + SIM_SLOT_BYTES * site->port.slot);
		return *one_trap ? DP_STEP_AWAY : DP_STEP_PENDING;
	}
	if (insn == SIM_FAULT) {
		set(frame, dp_sim.pc, site->address);
		return DP_STEP_FAULT;
	}
	set(frame, dp_sim.pc, site->address + site->insn_bytes);
	return DP_STEP_DONE;
}

/* The plans of the core lead here: the step is the slot's. */
dp_addr dp_port_resume(const struct dp_site *site, bool may_leave)
{
	struct dp_frame frame;

	if (site->port.slot >= SIM_SLOTS || dp_port_step(site, &frame, may_leave) != DP_STEP_AWAY)
		return 0;
	return dp_port_pc(&frame);
}

void dp_port_stepped(const struct dp_site *site, struct dp_frame *frame)
{
	set(frame, dp_sim.pc, site->address + site->insn_bytes);
}

void dp_port_step_fault(const struct dp_site *site, struct dp_frame *frame)
{
	set(frame, dp_sim.pc, site->address);
}

dp_addr dp_port_slot_origin(dp_addr pc)
{
	uintptr_t place = (uintptr_t)dp_sim.slots + (dp_addr)(pc - DP_SIM_SLOT_BASE);

	const uint32_t *words;

	if (sim == NULL || !dp_slots_contain(&sim->slots, place))
		return pc;
	words = dp_slots_at(&sim->slots, place);
	if ((pc - DP_SIM_SLOT_BASE) % SIM_SLOT_BYTES == 0)
		return *dp_slots_address(words);
	return *dp_slots_address(words) + sim_bytes((const uint8_t *)words); /* behind the copy */
}

/* --- memory --- */

/* The bytes of [address, address + bytes) before the end of the address space. */
static size_t clip(dp_addr address, size_t bytes)
{
	dp_addr left = (dp_addr)0 - address;

	return left != 0 && bytes > left ? (size_t)left : bytes;
}

size_t dp_port_read(dp_addr address, void *to, size_t bytes, unsigned width)
{
	(void)width;
	sim_own_access(address, bytes, DP_WATCHED_READ);
	if (dp_sim.reading)
		dp_sim.reading(dp_sim.context);
	return sim_read(address, to, clip(address, bytes));
}

bool dp_port_load(dp_addr address, unsigned width, void *to)
{
	return dp_port_read(address, to, width, width) == width;
}

bool dp_port_load_memory(dp_addr address, unsigned width, void *to)
{
	return (address & (width - 1)) == 0 && dp_port_load(address, width, to);
}

/* A word of memory, in the byte order of the form. */
static dp_word word_of(const uint8_t *bytes)
{
	dp_word word = 0;

	for (unsigned i = 0; i < sizeof(word); i++)
		word |= (dp_word)bytes[DP_PORT_BIG_ENDIAN ? sizeof(word) - 1 - i : i] << 8 * i;
	return word;
}

bool dp_sim_load_stack(struct dp_frame *frame)
{
	const dp_addr sp = dp_port_sp(frame);
	uint8_t bytes[DP_PORT_STACK_WORDS * sizeof(dp_word)];
	dp_word *words = (dp_word *)(void *)frame->stack;

	if (sp % sizeof(dp_word) != 0 || dp_port_read(sp, bytes, sizeof(bytes), 0) != sizeof(bytes))
		return false;
	for (unsigned i = 0; i < DP_PORT_STACK_WORDS; i++)
		words[i] = word_of(bytes + i * sizeof(dp_word));
	return true;
}

static bool may_write(dp_addr address)
{
	return sim_writable(address) && address - (dp_addr)dp_sim.text >= dp_sim.text_bytes;
}

size_t dp_port_write(dp_addr address, const void *from, size_t bytes, unsigned width)
{
	size_t there = clip(address, bytes), i;

	sim_own_access(address, bytes, DP_WATCHED_WRITE);
	for (i = 0; i < there && sim_writable(address + i); i++)
		;
	if (width != 0 && i < bytes) /* one access: all or nothing */
		return i;
	return sim_write(address, from, i);
}

bool dp_port_readable(dp_addr address)
{
	return sim_readable(address);
}

bool dp_port_writable(dp_addr address)
{
	return may_write(address);
}

/* A port keeps written values; selector 0 is bad, the others begin at 0. */
dp_word dp_port_io_read(dp_word port, unsigned width)
{
	uint32_t value = dp_sim.port[port % SIM_PORTS];

	return width == 4 ? value : value & ((1u << 8 * width) - 1);
}

void dp_port_io_write(dp_word port, unsigned width, dp_word value)
{
	uint32_t mask = width == 4 ? UINT32_MAX : (1u << 8 * width) - 1;
	uint32_t *at = &dp_sim.port[port % SIM_PORTS];

	*at = (*at & ~mask) | ((uint32_t)value & mask);
}

bool dp_port_seg2lin(dp_word selector, dp_word offset, dp_addr *flat)
{
	if (selector == 0)
		return false;
	*flat = offset;
	return true;
}

/* --- CPU --- */

dp_irq dp_port_mask(void)
{
	dp_irq saved = dp_sim.masked;

	dp_sim.masked = 1;
	return saved;
}

void dp_port_unmask(dp_irq saved)
{
	dp_sim.masked = saved;
	if (saved == 0 && dp_sim.unmasked)
		dp_sim.unmasked(dp_sim.context);
}

bool dp_port_unmasked(void)
{
	return dp_sim.masked == 0;
}

/* The simulated machine is the last CPU of those that the core has room for, or one below. */
unsigned dp_port_cpu_number(void)
{
	return DP_PORT_CPUS - 1 - dp_sim.below;
}

uint64_t dp_port_ticks(void)
{
	return dp_sim.tick_hz != 0 ? dp_sim.ticks : 0;
}

uint32_t dp_sim_counter(void)
{
	dp_sim.counter_reads++;
	return (uint32_t)dp_sim.ticks;
}

uint32_t dp_port_tick_hz(void)
{
	return dp_sim.tick_hz;
}

void dp_port_recover(void)
{
	dp_sim.recovered += dp_sim.masked;
}

size_t dp_port_stack_used(void)
{
	return 0;
}

enum dp_err dp_port_attach(const struct dp_board *board, const struct dp_memory *memory,
			   struct dp_port_state *state)
{
	uintptr_t slots = (uintptr_t)dp_sim.slots;

	(void)memory;
	state->board = board;
	if (!dp_slots_init(&state->slots, slots, slots + (SIM_SLOTS + 1) * (SIM_SLOT_BYTES + 1)))
		return DP_ERR_NO_SLOT;
	sim = state;
	sim_clear_comparators();
	return DP_ERR_OK;
}

unsigned dp_port_vectors(dp_addr *leads_to)
{
	*leads_to = (dp_addr)dp_sim.vector;
	return dp_sim.vector != 0 ? SIM_TRAP : DP_VECTORS_HOLD;
}
