/* SPDX-License-Identifier: BSD-2-Clause */
/* The instruction set at an address of an image, and the start of the next other code. */
#include "image_parts.h"

#include "base/sorted.h"

bool dph_image_code_big(const struct dp_image *image)
{
	return image->code_big_endian;
}

uint64_t dph_image_base(const struct dp_image *image)
{
	uint64_t base = UINT64_MAX;
	for (size_t i = 0; i < image->piece_count; i++)
		if (image->pieces[i].address < base)
			base = image->pieces[i].address;
	return image->piece_count ? base : 0;
}

/* The first mapping symbol behind the address; the end of the list: there is none. */
static const struct dph_mapping *mapping_behind(const struct dp_image *image, uint64_t address)
{
	return image->mappings + DPH_FIRST_ABOVE(image->mappings, image->mapping_count,
						 struct dph_mapping, value, address);
}

/* The mapping symbol that speaks for the address: the first of those that say the same in a row. */
static const struct dph_mapping *mapped(const struct dp_image *image, uint64_t address,
					const struct dph_piece *section)
{
	const struct dph_mapping *m = mapping_behind(image, address), *found = NULL;
	while (m > image->mappings && m[-1].value >= section->address &&
	       (!found || m[-1].isa == found->isa))
		found = --m;
	return found;
}

static const struct dph_piece *code_section(const struct dp_image *image, uint64_t address)
{
	const struct dph_piece *section = NULL;
	for (size_t i = 0; i < image->code_count; i++)
		if (address >= image->code[i].address &&
		    address - image->code[i].address < image->code[i].bytes)
			section = &image->code[i];
	return section;
}

bool dph_image_executable(const struct dp_image *image, uint64_t address)
{
	return code_section(image, address) != NULL;
}

bool dph_image_executable_within(const struct dp_image *image, uint64_t address, uint64_t bytes)
{
	for (size_t i = 0; i < image->code_count; i++)
		if (image->code[i].bytes > 0 &&
		    (address - image->code[i].address < image->code[i].bytes ||
		     image->code[i].address - address < bytes))
			return true;
	return false;
}

enum dph_code_kind dph_image_code(const struct dp_image *image, uint64_t address, uint64_t *start,
				  const struct dph_isa **isa)
{
	const struct dph_piece *section = code_section(image, address);
	if (!section)
		return DPH_CODE_NONE;
	const struct dph_mapping *mapping = mapped(image, address, section);
	const struct dp_symbol *function = dp_image_function(image, address);
	*start = mapping ? mapping->value : section->address;
	if (function && function->value > *start)
		*start = function->value;
	if (mapping)
		*isa = mapping->isa;
	else
		*isa = function && image->kin ? dph_isa_numbered(image->kin, function->isa) : NULL;
	return mapping && !mapping->isa ? DPH_CODE_DATA : DPH_CODE_INSNS;
}

/* The first symbol behind the address; the end of the list: there is none. */
static const struct dp_symbol *symbol_behind(const struct dp_image *image, uint64_t address)
{
	return image->symbols + DPH_FIRST_ABOVE(image->symbols, image->symbol_count,
						struct dp_symbol, value, address);
}

/* Names of the assembler's own begin with these characters. */
static bool is_label(const struct dp_symbol *symbol)
{
	return symbol->kind == DP_SYMBOL_OTHER && !symbol->bytes && !symbol->fixed &&
	       *symbol->name && *symbol->name != '.' && *symbol->name != '$';
}

const struct dp_symbol *dph_image_label(const struct dp_image *image, uint64_t address)
{
	const struct dph_piece *section = code_section(image, address);
	const uint64_t first = section ? section->address : address;
	const struct dp_symbol *found = NULL, *at = symbol_behind(image, address);
	while (at > image->symbols && (--at)->value >= first &&
	       (!found || at->value == found->value))
		if (is_label(at) && (!found || found->local || !at->local))
			found = at;
	return found;
}

/* The nearest of the addresses that lies behind `address`. */
static void nearer(uint64_t *nearest, uint64_t address, uint64_t other)
{
	if (other > address && other < *nearest)
		*nearest = other;
}

uint64_t dph_image_next_change(const struct dp_image *image, uint64_t address)
{
	const struct dph_mapping *mapping = mapping_behind(image, address);
	const struct dp_symbol *symbol = symbol_behind(image, address);
	const struct dp_symbol *end = image->symbols + image->symbol_count;
	const struct dp_symbol *around = dp_image_symbol(image, address);
	uint64_t next = UINT64_MAX;
	for (size_t i = 0; i < image->code_count; i++) {
		nearer(&next, address, image->code[i].address);
		nearer(&next, address, image->code[i].address + image->code[i].bytes);
	}
	if (mapping < image->mappings + image->mapping_count)
		nearer(&next, address, mapping->value);
	while (symbol < end && symbol->kind == DP_SYMBOL_OTHER)
		symbol++;
	if (symbol < end)
		nearer(&next, address, symbol->value);
	if (around)
		nearer(&next, address, around->value + around->bytes);
	return next;
}
