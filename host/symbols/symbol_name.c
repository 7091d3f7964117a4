/* SPDX-License-Identifier: BSD-2-Clause */
/* This file names addresses and words of the target by symbol and offset. */
#include "elf_image.h"

#include "tables/isas.h"
#include "tables/registers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	OFFSET_ROOM = 20,     /* "+0x" and 16 digits */
	NUMBERS_BELOW = 4096, /* words that are counts or flags: no firmware's data */
	DECIMAL_BELOW = 1000000
};

/* The address without the bit that names the function's instruction set. */
static uint64_t plain(const struct dp_image *image, const struct dp_symbol *symbol,
		      uint64_t address)
{
	const struct dph_cpu *cpu = dph_image_kin(image);
	const struct dph_isa *isa;

	if (symbol->kind != DP_SYMBOL_FUNCTION)
		return address;
	isa = cpu ? dph_isa_numbered(cpu, symbol->isa) : NULL;
	return isa ? address & ~isa->address_bit : address;
}

const char *dp_image_name(const struct dp_image *image, uint64_t address, char *text)
{
	const struct dp_symbol *symbol = image ? dp_image_symbol(image, address) : NULL;
	uint64_t offset;

	if (!symbol)
		return NULL;
	offset = plain(image, symbol, address) - symbol->value;
	snprintf(text, DP_NAME_ROOM - OFFSET_ROOM, "%s", symbol->name);
	if (offset)
		snprintf(text + strlen(text), OFFSET_ROOM, "+0x%" PRIx64, offset);
	return text;
}

bool dp_image_word_named(const struct dp_image *image, uint64_t word)
{
	return image && word >= NUMBERS_BELOW && dp_image_symbol(image, word);
}

const char *dp_image_word(const struct dp_image *image, uint64_t word, char *text)
{
	if (dp_image_word_named(image, word))
		return dp_image_name(image, word, text);
	snprintf(text, DP_NAME_ROOM, word < DECIMAL_BELOW ? "%" PRIu64 : "0x%" PRIx64, word);
	return text;
}
