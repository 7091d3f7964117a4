/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory, registers, and the values that programs work on. */
#include "generate.h"

#include <string.h>

static uint64_t word_mask(unsigned word_bits)
{
	return word_bits == 64 ? UINT64_MAX : 0xffffffffu;
}

static bool overlaps(const struct ref_world *world, uint64_t address, unsigned bytes)
{
	for (unsigned i = 0; i < world->ranges; i++)
		if (address <= world->range[i].address + (world->range[i].bytes - 1) &&
		    world->range[i].address <= address + (bytes - 1))
			return true;
	return false;
}

static void add_range(struct random *random, struct ref_world *world, uint64_t address,
		      unsigned bytes)
{
	struct ref_range *range = &world->range[world->ranges];

	if (address + (bytes - 1) < address || overlaps(world, address, bytes))
		return;
	range->address = address;
	range->bytes = bytes;
	range->writable = !random_one_in(random, 3);
	for (unsigned i = 0; i < bytes; i++)
		range->data[i] = random_one_in(random, 12) ? 0 : (uint8_t)random_bits(random);
	world->ranges++;
}

void gen_world(struct random *random, struct ref_world *world, unsigned word_bits)
{
	uint64_t mask = word_mask(word_bits), address = 0x2000;
	static const uint8_t access[] = {DP_REG_ALL, DP_REG_ALL, DP_REG_READ,
					 DP_REG_PUSH_R | DP_REG_POP_R,
					 DP_REG_PUSH_U | DP_REG_POP_U};

	memset(world, 0, sizeof *world);
	for (unsigned i = 1 + random_below(random, REF_RANGES); i > 0; i--) {
		unsigned bytes = 1 + random_below(random, REF_RANGE_BYTES);

		switch (random_below(random, 6)) {
		case 0: /* up to the end of the address space, or nearly */
			add_range(random, world, mask - (bytes - 1) - random_below(random, 3),
				  bytes);
			break;
		case 1:
			add_range(random, world, random_below(random, 3), bytes);
			break;
		case 2:
			add_range(random, world, random_bits(random) & mask, bytes);
			break;
		default: /* beside the one before, or with a small gap */
			add_range(random, world, address, bytes);
			address += bytes + (random_one_in(random, 2) ? 0 : random_below(random, 9));
			break;
		}
	}
	world->regs = 4 + random_below(random, REF_REGS - 4 + 1);
	for (unsigned i = 0; i < world->regs; i++) {
		struct dp_reg *reg = &world->reg[i];
		bool wide = random_one_in(random, 5);

		reg->index = (uint16_t)(3 * i + (i > 8 ? 0x100 : 0));
		reg->words = wide ? (uint8_t)(1 + random_below(random, DP_REG_WORDS_MAX)) : 1;
		reg->pops = wide && random_one_in(random, 2);
		reg->access = wide ? DP_REG_READ : access[random_below(random, sizeof access)];
		for (unsigned k = 0; k < reg->words; k++)
			world->value[i][k] = gen_value(random, world, word_bits);
	}
	for (unsigned i = 0; i < REF_PORTS; i++)
		world->port[i] = (uint32_t)random_bits(random);
	world->has_hooks = random_one_in(random, 2);
	world->pid = (uint32_t)random_bits(random);
	world->task = gen_value(random, world, word_bits);
	world->ticks = random_bits(random);
	for (unsigned i = 0, n = random_below(random, REF_TASK_NAME_BYTES); i < n; i++)
		world->task_name[i] = (char)(1 + random_below(random, 255));
}

uint64_t gen_address(struct random *random, const struct ref_world *world)
{
	const struct ref_range *range;

	if (world->ranges == 0 || random_one_in(random, 16))
		return random_bits(random);
	range = &world->range[random_below(random, world->ranges)];
	if (random_one_in(random, 4)) /* around the end */
		return range->address + range->bytes - random_below(random, 10);
	return range->address + random_below(random, range->bytes + 2) - 1;
}

uint64_t gen_value(struct random *random, const struct ref_world *world, unsigned word_bits)
{
	uint64_t value;

	switch (random_below(random, 10)) {
	case 0:
	case 1:
	case 2:
		value = random_below(random, 10);
		break;
	case 3:
		value = 0 - (uint64_t)random_below(random, 10);
		break;
	case 4: /* next to a power of two */
		value = ((uint64_t)1 << random_below(random, word_bits)) - 1 +
			random_below(random, 3);
		break;
	case 5: /* next to the word size, to the stack size */
		value = (random_one_in(random, 2) ? word_bits : REF_STACK_WORDS) - 2 +
			random_below(random, 5);
		break;
	case 6:
		value = gen_address(random, world);
		break;
	case 7:
		value = random_below(random, 300);
		break;
	default:
		value = random_bits(random);
		if (random_one_in(random, 2))
			value >>= random_below(random, 64);
		break;
	}
	return value & word_mask(word_bits);
}
