/* SPDX-License-Identifier: BSD-2-Clause */
/* The simulated machine holds memory ranges, registers and port space. */
#include "sim.h"

#include <string.h>

#include "dp_port_cpu.h"

#define DP_REG(index, id, name, words, pops, access) {index, words, pops, access},
#define DP_REG_ALIAS(alias, index)
static const struct dp_reg sim_regs[] = {
#include "regs.def"
};

#define DP_SIM_OWN                                                                                 \
	.regs = sim_regs, .reg_count = sizeof sim_regs / sizeof sim_regs[0], .pc = 0x0f,           \
	.sp = 0x0d, .lr = 0x0e, .above = 1, .tick_hz = 1000000

struct sim dp_sim = {DP_SIM_OWN};

#ifdef DP_VM_ASSERT
unsigned long dp_vm_executed[256]; /* agent/vm/dp_claims.h */
#endif

void sim_reset(void)
{
	dp_sim = (struct sim){DP_SIM_OWN};
}

bool sim_map(uint64_t address, uint8_t *data, uint64_t bytes, bool writable)
{
	unsigned i;

	if (bytes == 0 || dp_sim.ranges == SIM_RANGES_MAX || address + (bytes - 1) < address)
		return false;
	for (i = 0; i < dp_sim.ranges; i++) {
		const struct sim_range *other = &dp_sim.range[i];

		if (address <= other->address + (other->bytes - 1) &&
		    other->address <= address + (bytes - 1))
			return false;
	}
	dp_sim.range[dp_sim.ranges++] = (struct sim_range){address, bytes, data, writable};
	return true;
}

static const struct sim_range *find(uint64_t address)
{
	unsigned i;

	for (i = 0; i < dp_sim.ranges; i++)
		if (address - dp_sim.range[i].address < dp_sim.range[i].bytes)
			return &dp_sim.range[i];
	return NULL;
}

size_t sim_read(uint64_t address, void *to, size_t bytes)
{
	const struct sim_range *range;
	uint8_t *out = to;
	size_t i;

	for (i = 0; i < bytes && (range = find(address + i)) != NULL; i++)
		out[i] = range->data[address + i - range->address];
	return i;
}

size_t sim_write(uint64_t address, const void *from, size_t bytes)
{
	const struct sim_range *range;
	const uint8_t *in = from;
	size_t i;

	for (i = 0; i < bytes && (range = find(address + i)) != NULL && range->writable; i++)
		range->data[address + i - range->address] = in[i];
	if (i > 0 && dp_sim.wrote)
		dp_sim.wrote(dp_sim.context, address, in, i);
	return i;
}

bool sim_readable(uint64_t address)
{
	return find(address) != NULL;
}

bool sim_writable(uint64_t address)
{
	const struct sim_range *range = find(address);

	return range && range->writable;
}

/* In place of a trap a comparator watches the first byte of an instruction. */
static bool covers(const struct sim_comparator *c, uint64_t address, size_t bytes)
{
	if (c->kind == DP_PROBE_BREAK)
		return address == c->first;
	return address < c->first + c->bytes && c->first < address + bytes;
}

/* The comparators that the access hits, bit n for comparator n. */
static unsigned comparators_of(uint64_t address, size_t bytes, unsigned kinds)
{
	unsigned hit = 0;

	for (unsigned n = 0; n < SIM_COMPARATORS; n++) {
		const struct sim_comparator *c = &dp_sim.comparator[n];

		if (c->on && (kinds >> c->kind & 1) && covers(c, address, bytes))
			hit |= 1u << n;
	}
	return hit;
}

bool sim_watched(uint64_t address, size_t bytes, unsigned kinds)
{
	unsigned hit = comparators_of(address, bytes, kinds) & ~dp_sim.watch_paused;

	if (hit == 0)
		return false;
	dp_sim.access = (struct sim_access){.address = address + dp_sim.watch_wrong,
					    .bytes = (uint8_t)bytes,
					    .kinds = (uint8_t)kinds,
					    .comparators = (uint16_t)hit};
	return true;
}

bool sim_watched_still(void)
{
	const struct sim_access *seen = &dp_sim.access;

	return comparators_of(seen->address, seen->bytes, seen->kinds) != 0;
}

void sim_own_access(uint64_t address, size_t bytes, unsigned kinds)
{
	dp_sim.own_accesses += (comparators_of(address, bytes, kinds) & ~dp_sim.watch_paused) != 0;
}

void sim_clear_comparators(void)
{
	for (unsigned n = 0; n < SIM_COMPARATORS; n++)
		if (!dp_sim.comparator[n].foreign)
			dp_sim.comparator[n] = (struct sim_comparator){0};
	dp_sim.watch_paused = 0;
}

int sim_row(uint16_t index)
{
	int i;

	for (i = 0; i < dp_sim.reg_count; i++)
		if (dp_sim.regs[i].index == index)
			return i;
	return -1;
}

unsigned dp_sim_reg_at(uint16_t index)
{
	int row = sim_row(index);

	if (row < 0 || dp_sim.regs[row].words != 1 || dp_sim.regs[row].pops != 0)
		return DP_REG_ELSEWHERE;
	return (unsigned)offsetof(struct dp_frame, word) +
	       (unsigned)row * (unsigned)sizeof(((struct dp_frame *)NULL)->word[0]);
}

unsigned dp_sim_stack_base(void)
{
	return dp_sim.arguments_on_stack ? dp_sim_reg_at(dp_sim.sp) : DP_PORT_STACK_AT;
}

uint64_t *dp_sim_pc(struct dp_frame *frame)
{
	return frame->word[sim_row(dp_sim.pc)];
}

static bool has_return_address(void)
{
	return dp_sim.lr != SIM_NO_REG;
}

uint64_t *dp_sim_result(struct dp_frame *frame, unsigned n)
{
	return &frame->word[sim_row(n == 0 ? dp_sim.result : dp_sim.above)][0];
}

void dp_sim_return(struct dp_frame *frame)
{
	if (has_return_address())
		*dp_sim_pc(frame) = frame->word[sim_row(dp_sim.lr)][0];
}

bool dp_sim_may_return(const struct dp_frame *frame)
{
	return !has_return_address() || (uint32_t)frame->word[sim_row(dp_sim.lr)][0] != UINT32_MAX;
}

void dp_sim_fill(struct dp_frame *frame, uint64_t pc, uint64_t sp, uint64_t ra)
{
	const uint16_t index[] = {dp_sim.pc, dp_sim.sp, dp_sim.lr};
	const uint64_t value[] = {pc, sp, ra};

	for (int i = 0; i < 3; i++)
		if (index[i] != SIM_NO_REG)
			frame->word[sim_row(index[i])][0] = value[i];
}

unsigned dp_sim_reg_pops(uint16_t index)
{
	int row = sim_row(index);

	return row < 0 ? 0 : dp_sim.regs[row].pops;
}
