/* SPDX-License-Identifier: BSD-2-Clause */
/* The port contract on simulated memory. Instructions are 4 bytes, aligned; sim.h says what they
 * do. Good enough to run the core inside a Linux process. */
#include "dp_port.h"

#include "sim.h"

enum {
	INSN_BYTES = 4
};

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

static uint32_t from_bytes(const uint8_t *b)
{
	if (DP_PORT_BIG_ENDIAN)
		return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
	return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

static void to_bytes(uint32_t insn, uint8_t *b)
{
	unsigned i;

	for (i = 0; i < INSN_BYTES; i++)
		b[i] = (uint8_t)(insn >> 8 * (DP_PORT_BIG_ENDIAN ? 3 - i : i));
}

static bool word_at(dp_addr address, uint32_t *insn)
{
	uint8_t bytes[INSN_BYTES];

	if (sim_read(address, bytes, INSN_BYTES) != INSN_BYTES)
		return false;
	*insn = from_bytes(bytes);
	return true;
}

enum dp_err dp_port_fetch(struct dp_site *site)
{
	if (site->address % INSN_BYTES && !dp_sim.any_address)
		return DP_ERR_NOT_BOUNDARY;
	if (!word_at(site->address, &site->original))
		return DP_ERR_NOT_TEXT;
	site->insn_bytes = INSN_BYTES;
	return DP_ERR_OK;
}

/* Between SIM_LOCK and SIM_UNLOCK of the function around the site? */
static bool in_window(const struct dp_site *site, dp_original_at original_at)
{
	dp_addr at = site->address;

	while (site->extent_bytes > 0 && at > site->extent) {
		uint8_t bytes[INSN_BYTES];
		enum sim_insn insn;

		at -= INSN_BYTES;
		if (!original_at(at, bytes, INSN_BYTES))
			return false;
		insn = sim_insn(from_bytes(bytes));
		if (insn == SIM_LOCK || insn == SIM_UNLOCK)
			return insn == SIM_LOCK;
	}
	return false;
}

static bool take_slot(struct dp_site *site)
{
	unsigned i, found = SIM_SLOTS;

	for (i = 0; i < SIM_SLOTS; i++) {
		if (found == SIM_SLOTS && !dp_sim.slot[i].used && !dp_sim.slot[i].bound)
			found = i;
		if (dp_sim.slot[i].bound && dp_sim.slot[i].address == site->address)
			break;
	}
	if (i == SIM_SLOTS)
		i = found;
	if (i == SIM_SLOTS)
		return false;
	dp_sim.slot[i].address = site->address; /* one that is bound stays so */
	dp_sim.slot[i].used = 1;
	site->port.slot = (uint8_t)(i + 1);
	return true;
}

static struct sim_slot *slot_of(const struct dp_site *site)
{
	unsigned i = site->port.slot - 1u;

	return i < SIM_SLOTS ? &dp_sim.slot[i] : NULL;
}

enum dp_err dp_port_prepare(struct dp_site *site, dp_original_at original_at, enum dp_refusal *why)
{
	uint8_t next[INSN_BYTES];

	*why = DP_REFUSE_NOTHING;
	if (site->original == SIM_TRAP_WORD)
		return DP_ERR_FOREIGN_BREAK;
	if (in_window(site, original_at))
		return DP_ERR_IN_ATOMIC;
	switch (sim_insn(site->original)) {
	case SIM_REFUSED:
		*why = DP_REFUSE_UNDEFINED;
		return DP_ERR_NOT_PROBEABLE;
	case SIM_BRANCH:
		if (!original_at(site->address + INSN_BYTES, next, INSN_BYTES) ||
		    sim_insn(from_bytes(next)) == SIM_BRANCH)
			return DP_ERR_BAD_DELAY_SLOT;
		break;
	case SIM_STEPPED:
	case SIM_SLOT_FAULT:
	case SIM_AWAY:
		if (site->port.slot == 0 && !take_slot(site))
			return DP_ERR_NO_SLOT;
		break;
	default:
		break;
	}
	return DP_ERR_OK;
}

void dp_port_release(struct dp_site *site)
{
	struct sim_slot *slot = slot_of(site);

	if (slot) {
		slot->used = 0;
		if (sim_insn(site->original) != SIM_AWAY)
			slot->bound = 0;
	}
	site->port = (struct dp_port_site){0};
}

const void *dp_port_slot(const struct dp_site *site, size_t *bytes)
{
	const struct sim_slot *slot = slot_of(site);

	*bytes = slot ? sizeof(slot->address) : 0;
	return slot;
}

void dp_port_quiescent(void)
{
	unsigned i;

	for (i = 0; i < SIM_SLOTS; i++)
		dp_sim.slot[i].bound = dp_sim.slot[i].used && dp_sim.slot[i].bound;
}

void dp_port_slots(unsigned *total, unsigned *available)
{
	unsigned i;

	*total = SIM_SLOTS;
	*available = 0;
	for (i = 0; i < SIM_SLOTS; i++)
		*available += !dp_sim.slot[i].used && !dp_sim.slot[i].bound;
}

void dp_port_insn_bytes(const struct dp_site *site, uint8_t *bytes)
{
	to_bytes(site->original, bytes);
}

bool dp_port_trap_at(const struct dp_frame *frame, uint32_t *found)
{
	*found = 0;
	return word_at(dp_port_pc(frame), found) && *found == SIM_TRAP_WORD;
}

bool dp_port_is_armed(const struct dp_site *site, uint32_t *found)
{
	*found = 0;
	return word_at(site->address, found) && *found == SIM_TRAP_WORD;
}

/* Code may lie in a range that programs cannot write: the patch is not a program's write. */
static bool patch(dp_addr address, uint32_t insn)
{
	uint8_t bytes[INSN_BYTES];
	void (*wrote)(void *, uint64_t, const uint8_t *, size_t) = dp_sim.wrote;
	bool done;

	to_bytes(insn, bytes);
	if (dp_sim.patching)
		dp_sim.patching(dp_sim.context);
	dp_sim.wrote = NULL;
	done = sim_write(address, bytes, INSN_BYTES) == INSN_BYTES;
	dp_sim.wrote = wrote;
	if (dp_sim.patching)
		dp_sim.patching(dp_sim.context);
	return done;
}

enum dp_err dp_port_arm(const struct dp_site *site)
{
	if (!sim_writable(site->address) || !patch(site->address, SIM_TRAP_WORD))
		return DP_ERR_NOT_PATCHABLE;
	if (site->port.slot > 0)
		dp_sim.slot[site->port.slot - 1].bound = 1;
	return DP_ERR_OK;
}

enum dp_err dp_port_disarm(const struct dp_site *site)
{
	uint32_t found;

	if (!dp_port_is_armed(site, &found))
		return found == site->original ? DP_ERR_OK : DP_ERR_FOREIGN_BREAK;
	return patch(site->address, site->original) ? DP_ERR_OK : DP_ERR_NOT_PATCHABLE;
}

/* --- stepping --- */

bool dp_port_fires(const struct dp_site *site, const struct dp_frame *frame)
{
	(void)frame;
	return sim_insn(site->original) != SIM_NEVER;
}

enum dp_step dp_port_step(const struct dp_site *site, struct dp_frame *frame)
{
	enum sim_insn insn = sim_insn(site->original);

	if (site->port.slot > 0) {
		struct sim_slot *slot = &dp_sim.slot[site->port.slot - 1];

		slot->one_trap = insn == SIM_AWAY && !dp_site_is_late(site);
		set(frame, dp_sim.pc, SIM_SLOT_BASE + INSN_BYTES * (site->port.slot - 1u));
		return slot->one_trap ? DP_STEP_AWAY : DP_STEP_PENDING;
	}
	if (insn == SIM_FAULT) {
		set(frame, dp_sim.pc, site->address);
		return DP_STEP_FAULT;
	}
	set(frame, dp_sim.pc, site->address + INSN_BYTES);
	return DP_STEP_DONE;
}

void dp_port_stepped(const struct dp_site *site, struct dp_frame *frame)
{
	set(frame, dp_sim.pc, site->address + INSN_BYTES);
}

void dp_port_step_fault(const struct dp_site *site, struct dp_frame *frame)
{
	set(frame, dp_sim.pc, site->address);
}

dp_addr dp_port_slot_origin(dp_addr pc)
{
	dp_addr slot = (pc - SIM_SLOT_BASE) / INSN_BYTES;

	if (pc < SIM_SLOT_BASE || slot >= SIM_SLOTS)
		return pc;
	return (dp_addr)dp_sim.slot[slot].address;
}

/* --- memory --- */

/* As much of [address, address + bytes) as lies before the end of the address space. */
static size_t clip(dp_addr address, size_t bytes)
{
	dp_addr left = (dp_addr)0 - address;

	return left != 0 && bytes > left ? (size_t)left : bytes;
}

size_t dp_port_read(dp_addr address, void *to, size_t bytes, unsigned width)
{
	(void)width;
	return sim_read(address, to, clip(address, bytes));
}

static bool may_write(dp_addr address)
{
	return sim_writable(address) && address - (dp_addr)dp_sim.text >= dp_sim.text_bytes;
}

size_t dp_port_write(dp_addr address, const void *from, size_t bytes, unsigned width)
{
	size_t there = clip(address, bytes), i;

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

/* A port keeps what was written to it; selector 0 is bad, the others begin at 0. */
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

unsigned dp_port_cpu_number(void)
{
	return 0;
}

uint64_t dp_port_ticks(void)
{
	return dp_sim.ticks;
}

uint32_t dp_port_tick_hz(void)
{
	return 1000000;
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
	(void)board;
	(void)memory;
	for (unsigned i = 0; i < SIM_SLOTS; i++)
		dp_sim.slot[i] = (struct sim_slot){0};
	state->attached = 1;
	return DP_ERR_OK;
}
