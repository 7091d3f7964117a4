/* SPDX-License-Identifier: BSD-2-Clause */
/* A model of the Flash Patch and Breakpoint unit, version 1, from the manual's text: DDI 0403E
 * C1.11. The model was written before the port's code. It has the registers with their reset
 * values, read-only bits and key, and says what the CPU fetches at an address of the code region.
 */
#ifndef FPB_MODEL_H
#define FPB_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
	MODEL_TEXT = 0x08004000, /* flash */
	MODEL_TEXT_BYTES = 0x400,
	MODEL_RAM = 0x20001000,
	MODEL_RAM_BYTES = 0x400,
	MODEL_COMPARATORS_MAX = 64,
	MODEL_UNKNOWN = 0x5a5a5a5a, /* a register's bits that reset does not define */
	MODEL_BKPT = 0xbe00,
};

#define MODEL_FP_CTRL    0xe0002000u
#define MODEL_FP_REMAP   0xe0002004u
#define MODEL_FP_COMP(n) (0xe0002008u + 4u * (n))
/* C1.11.3: REV, NUM_CODE in two parts, NUM_LIT */
#define MODEL_CTRL_KEY    0x00000002u
#define MODEL_CTRL_ENABLE 0x00000001u
/* C1.11.4 */
#define MODEL_REMAP_RMPSPT 0x20000000u
#define MODEL_REMAP_BITS   0x1fffffe0u
/* C1.11.5 */
#define MODEL_COMP_BITS     0xdffffffdu
#define MODEL_COMP_RESERVED 0x20000002u
#define MODEL_COMP_WORD     0x1ffffffcu
#define MODEL_COMP_ENABLE   0x00000001u

static struct model {
	/* of the implementation */
	unsigned revision, code, literal;
	bool remaps;
	uint32_t reserved; /* bits of MODEL_COMP_RESERVED that read as 1; the manual does not say */
	/* of the unit */
	bool enabled;
	uint32_t remap, comp[MODEL_COMPARATORS_MAX];
	/* of memory */
	uint8_t text[MODEL_TEXT_BYTES], ram[MODEL_RAM_BYTES];
	/* what the manual calls UNPREDICTABLE, or leaves out, has happened so often */
	unsigned misuse;
	unsigned writes; /* of registers */
} model;

/* The unit is in the debug power domain: only a power-on reset defines its registers. C1.11.1 */
static inline void model_power_on(unsigned revision, unsigned code, unsigned literal, bool remaps)
{
	model.revision = revision;
	model.code = code;
	model.literal = literal;
	model.remaps = remaps;
	model.enabled = false;
	model.remap = remaps ? MODEL_UNKNOWN & MODEL_REMAP_BITS : 0;
	for (unsigned n = 0; n < MODEL_COMPARATORS_MAX; n++)
		model.comp[n] = n < code + literal
					? MODEL_UNKNOWN & MODEL_COMP_BITS & ~MODEL_COMP_ENABLE
					: 0;
	model.misuse = model.writes = 0;
}

/* A reset by the CPU or a watchdog leaves the unit as it is. */
static inline void model_warm_reset(void)
{
	memset(model.ram, 0, sizeof(model.ram));
}

static inline bool model_is_register(uint32_t address)
{
	return address >= MODEL_FP_CTRL && address < MODEL_FP_COMP(MODEL_COMPARATORS_MAX);
}

static inline uint32_t model_read(uint32_t address)
{
	unsigned n;

	if (address == MODEL_FP_CTRL)
		return model.revision << 28 | (model.code >> 4 & 7) << 12 | model.literal << 8 |
		       (model.code & 15) << 4 | model.enabled; /* KEY reads as zero */
	if (address == MODEL_FP_REMAP)
		return model.remaps ? MODEL_REMAP_RMPSPT | model.remap : 0;
	n = (address - MODEL_FP_COMP(0)) / 4;
	return model.comp[n] | (n < model.code + model.literal ? model.reserved : 0);
}

static inline void model_write(uint32_t address, uint32_t value)
{
	unsigned n = (address - MODEL_FP_COMP(0)) / 4;

	model.writes++;
	if (address == MODEL_FP_CTRL) {
		if (value & MODEL_CTRL_KEY) /* else the write is ignored */
			model.enabled = value & MODEL_CTRL_ENABLE;
	} else if (address == MODEL_FP_REMAP) {
		if (model.remaps)
			model.remap = value & MODEL_REMAP_BITS;
	} else if (n < model.code + model.literal) { /* others are RAZ/WI */
		model.comp[n] = value & MODEL_COMP_BITS;
		if ((value & MODEL_COMP_ENABLE) && n < model.code && value >> 30 == 0 &&
		    !model.remaps)
			model.misuse++;
	}
}

static inline uint32_t model_memory(uint32_t address)
{
	uint32_t word = 0;

	if (address - MODEL_TEXT < MODEL_TEXT_BYTES)
		memcpy(&word, &model.text[address - MODEL_TEXT], 4);
	else if (address - MODEL_RAM < MODEL_RAM_BYTES)
		memcpy(&word, &model.ram[address - MODEL_RAM], 4);
	else
		model.misuse++;
	return word;
}

/* The table's address: 0b001 and REMAP, aligned to its words, eight at least. C1.11.4 */
static inline uint32_t model_table(void)
{
	unsigned words = model.code + model.literal;
	uint32_t table = MODEL_REMAP_RMPSPT | model.remap, aligned = 32;

	while (aligned < 4 * words)
		aligned *= 2;
	if (table & (aligned - 1))
		model.misuse++;
	return table;
}

/* The word that comparator n supplies for a word of memory. C1.11.5, REPLACE */
static inline uint32_t model_replaced(unsigned n, uint32_t word)
{
	switch (model.comp[n] >> 30) {
	case 0:
		return model_memory(model_table() + 4 * n);
	case 1:
		return (word & 0xffff0000u) | MODEL_BKPT;
	case 2:
		return (word & 0x0000ffffu) | (uint32_t)MODEL_BKPT << 16;
	default:
		return (uint32_t)MODEL_BKPT << 16 | MODEL_BKPT;
	}
}

/* The halfword that the CPU fetches. Comparators see fetches from the code region alone, 0 to
 * 0x1fffffff. Loads of data see the memory itself. */
static inline uint16_t model_fetch(uint32_t address)
{
	uint32_t word = model_memory(address & ~3u);
	unsigned matches = 0;

	for (unsigned n = 0; model.enabled && address < 0x20000000u && n < model.code; n++)
		if ((model.comp[n] & MODEL_COMP_ENABLE) &&
		    (model.comp[n] & MODEL_COMP_WORD) == (address & ~3u)) {
			word = model_replaced(n, word);
			matches++;
		}
	if (matches > 1)
		model.misuse++;
	return (uint16_t)(address & 2 ? word >> 16 : word);
}

#endif
