/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers and texts of the target's memory, as far as it was read. */
#define _GNU_SOURCE
#include "walk.h"

#include "debuginfo/debuginfo.h"
#include "symbols/elf_image.h"

#include <stdlib.h>
#include <string.h>

enum {
	TEXT_STEP = 16 /* a piece of a text ends where such a step does: no row of memory ends
			* inside */
};

const uint8_t *dph_walk_bytes(struct dph_walk *walk, uint64_t address, uint64_t bytes)
{
	size_t have;
	const uint8_t *data = dph_look_bytes(&walk->memory, address, (size_t)bytes, &have);
	if (!data && !dph_look_failed(&walk->memory, address, (size_t)bytes))
		walk->wanted = true;
	return data;
}

bool dph_walk_number(struct dph_walk *walk, uint64_t address, uint64_t bytes, uint64_t *value)
{
	const uint8_t *data = bytes && bytes <= 8 ? dph_walk_bytes(walk, address, bytes) : NULL;
	*value = 0;
	if (!data)
		return false;
	for (uint64_t i = 0; i < bytes; i++)
		*value = *value << 8 | data[walk->debug->big_endian ? i : bytes - 1 - i];
	return true;
}

bool dph_walk_word(struct dph_walk *walk, uint64_t address, uint64_t *value)
{
	return dph_walk_number(walk, address, walk->debug->word_bytes, value);
}

bool dph_walk_field(struct dph_walk *walk, uint64_t object, enum dph_kernel_field field,
		    uint64_t *value)
{
	const struct dph_kernel_place *place = &walk->layout.fields[field];
	*value = 0;
	return place->known &&
	       dph_walk_number(walk, object + place->at, place->bytes / place->count, value);
}

uint64_t dph_walk_element(const struct dph_walk *walk, enum dph_kernel_variable variable,
			  uint64_t index)
{
	const struct dph_kernel_place *place = &walk->layout.variables[variable];
	return place->at + place->bytes / place->count * index;
}

bool dph_walk_variable(struct dph_walk *walk, enum dph_kernel_variable variable, uint64_t index,
		       uint64_t *value)
{
	const struct dph_kernel_place *place = &walk->layout.variables[variable];
	*value = 0;
	return place->known && dph_walk_number(walk, dph_walk_element(walk, variable, index),
					       place->bytes / place->count, value);
}

bool dph_walk_text(struct dph_walk *walk, uint64_t address, char *text, size_t room)
{
	char *constant = walk->names ? dph_image_constant(walk->names, address) : NULL;
	size_t count = 0;
	*text = '\0';
	if (constant) {
		strncat(text, constant, room - 1);
		free(constant);
		return true;
	}
	while (count + 1 < room) {
		size_t step = TEXT_STEP - (size_t)((address + count) % TEXT_STEP);
		step = step < room - 1 - count ? step : room - 1 - count;
		const uint8_t *data = dph_walk_bytes(walk, address + count, step);
		if (!data)
			return false;
		const size_t used = strnlen((const char *)data, step);
		memcpy(text + count, data, used);
		count += used;
		text[count] = '\0';
		if (used < step)
			break;
	}
	return true;
}

void dph_walk_found(struct dph_walk *walk, uint64_t block)
{
	size_t at = 0;
	while (at < walk->block_count && walk->blocks[at] < block)
		at++;
	if (at < walk->block_count && walk->blocks[at] == block)
		return;
	walk->blocks = dph_grow(walk->blocks, &walk->block_capacity, walk->block_count,
				sizeof(*walk->blocks));
	memmove(walk->blocks + at + 1, walk->blocks + at,
		(walk->block_count - at) * sizeof(*walk->blocks));
	walk->blocks[at] = block;
	walk->block_count++;
}
