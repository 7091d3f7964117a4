/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads the relocation sections of an ELF file. */
#include "relocations.h"

#include "base/pool.h"
#include "base/sorted.h"

#include <gelf.h>
#include <stdlib.h>

/* --- reading ------------------------------------------------------------------------------- */

struct reading {
	struct dph_relocations *to;
	const struct dph_cpu *cpu;
	Elf_Data *symbols; /* of the section; null: none */
	bool at_start;
	unsigned word_bytes;
	size_t first; /* record of the section, in the list */
};

/* Does the value of the relocation's symbol stay when the image moves? A weak symbol without a
 * definition stays 0. */
static bool is_absolute(const struct reading *reading, size_t index)
{
	GElf_Sym symbol;
	return reading->symbols && gelf_getsym(reading->symbols, (int)index, &symbol) &&
	       (symbol.st_shndx == SHN_ABS || symbol.st_shndx == SHN_UNDEF);
}

/* The bytes of a relocation: half a word, where the file's records name the half of an instruction.
 */
static unsigned bytes_of(const struct reading *reading, enum dph_relocation_rule rule,
			 bool has_addend)
{
	const bool half = rule == DPH_RELOCATION_LOW || rule == DPH_RELOCATION_HIGH ||
			  rule == DPH_RELOCATION_HIGH_ROUNDED;

	return half && has_addend ? 2 : reading->word_bytes;
}

static uint64_t value_of(const struct reading *reading, size_t index)
{
	GElf_Sym symbol;

	return reading->symbols && gelf_getsym(reading->symbols, (int)index, &symbol)
		       ? symbol.st_value
		       : 0;
}

/* Without addends, a lower half completes the upper halves of its symbol that stand before it. */
static void pair(struct dph_relocations *to, size_t first, const struct dph_relocation *lower)
{
	for (size_t i = to->count; i > first; i--) {
		struct dph_relocation *upper = &to->list[i - 1];

		if (upper->rule == DPH_RELOCATION_LOW && upper->symbol == lower->symbol)
			return;
		if (dph_relocation_is_upper(upper) && upper->symbol == lower->symbol &&
		    upper->lower == 0)
			upper->lower = lower->address;
	}
}

static void take(const struct reading *reading, uint64_t address, uint64_t info,
		 const int64_t *addend)
{
	const size_t symbol = GELF_R_SYM(info);
	struct dph_relocations *to = reading->to;
	struct dph_relocation relocation = {
		.address = address,
		.rule = dph_relocation_rule(reading->cpu, (unsigned)GELF_R_TYPE(info)),
		.at_start = reading->at_start,
		.has_addend = addend != NULL,
		.addend = addend ? *addend : 0,
		.symbol = symbol,
		.symbol_value = value_of(reading, symbol),
	};

	relocation.bytes = bytes_of(reading, relocation.rule, relocation.has_addend);
	if (relocation.rule == DPH_RELOCATION_FIXED ||
	    (!reading->at_start && is_absolute(reading, symbol)))
		return;
	/* A record with a symbol needs its value; RELATIVE is for start-up code, WORD for us. */
	if ((relocation.rule == DPH_RELOCATION_RELATIVE) != reading->at_start ||
	    (reading->at_start && symbol))
		relocation.rule = DPH_RELOCATION_UNKNOWN;
	if (relocation.rule == DPH_RELOCATION_LOW && !relocation.has_addend)
		pair(to, reading->first, &relocation);
	to->list = dph_grow(to->list, &to->capacity, to->count, sizeof(*to->list));
	to->list[to->count++] = relocation;
	if (relocation.bytes > to->bytes_max)
		to->bytes_max = relocation.bytes;
}

static void read_rows(const struct reading *reading, Elf_Data *data, const GElf_Shdr *header)
{
	const size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	GElf_Rela with;
	GElf_Rel without;
	for (size_t i = 0; data && i < count; i++) {
		if (header->sh_type == SHT_RELA && gelf_getrela(data, (int)i, &with)) {
			const int64_t addend = with.r_addend;
			take(reading, with.r_offset, with.r_info, &addend);
		} else if (header->sh_type == SHT_REL && gelf_getrel(data, (int)i, &without)) {
			take(reading, without.r_offset, without.r_info, NULL);
		}
	}
}

/* Do the relocations of a section that is not loaded itself concern loaded bytes? */
static bool is_of_loaded(Elf *elf, const GElf_Shdr *header)
{
	GElf_Shdr target;
	return gelf_getshdr(elf_getscn(elf, header->sh_info), &target) &&
	       (target.sh_flags & SHF_ALLOC);
}

static int by_address(const void *a, const void *b)
{
	const struct dph_relocation *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return y->at_start - x->at_start;
}

/* In a position-independent file with --emit-relocs, a word has both relocations and moves once. */
static void drop_kept_twins(struct dph_relocations *relocations)
{
	const struct dph_relocation *list = relocations->list;
	size_t count = 0;
	for (size_t i = 0; i < relocations->count; i++) {
		const struct dph_relocation *last = count ? &list[count - 1] : NULL;
		if (!last || !last->at_start || list[i].at_start ||
		    last->address != list[i].address)
			relocations->list[count++] = list[i];
	}
	relocations->count = count;
}

void dph_relocations_read(struct dph_relocations *relocations, Elf *elf, const struct dph_cpu *cpu)
{
	GElf_Ehdr file;
	GElf_Shdr header;
	Elf_Scn *section = NULL;
	if (!gelf_getehdr(elf, &file))
		return;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    (header.sh_type != SHT_REL && header.sh_type != SHT_RELA))
			continue;
		const struct reading reading = {
			.to = relocations,
			.cpu = cpu,
			.symbols = header.sh_link
					   ? elf_getdata(elf_getscn(elf, header.sh_link), NULL)
					   : NULL,
			.at_start = (header.sh_flags & SHF_ALLOC) != 0,
			.first = relocations->count,
			.word_bytes = file.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4,
		};
		if (reading.at_start || is_of_loaded(elf, &header))
			read_rows(&reading, elf_getdata(section, NULL), &header);
	}
	if (relocations->count)
		qsort(relocations->list, relocations->count, sizeof(*relocations->list),
		      by_address);
	drop_kept_twins(relocations);
}

void dph_relocations_free(struct dph_relocations *relocations)
{
	free(relocations->list);
	*relocations = (struct dph_relocations){0};
}

/* --- use ----------------------------------------------------------------------------------- */

/* The first relocation at or behind the address. */
static size_t first_from(const struct dph_relocations *relocations, uint64_t address)
{
	return address ? DPH_FIRST_ABOVE(relocations->list, relocations->count,
					 struct dph_relocation, address, address - 1)
		       : 0;
}

bool dph_relocations_touch(const struct dph_relocations *relocations, bool moved, uint64_t address,
			   size_t bytes)
{
	const unsigned before = relocations->bytes_max ? relocations->bytes_max - 1 : 0;
	size_t i = first_from(relocations, address > before ? address - before : 0);
	for (; i < relocations->count && relocations->list[i].address < address + bytes; i++)
		if ((moved || relocations->list[i].at_start) &&
		    relocations->list[i].address + relocations->list[i].bytes > address)
			return true;
	return false;
}

static uint64_t read_number(const uint8_t *bytes, unsigned count, bool big_endian)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < count; i++)
		number = number << 8 | bytes[big_endian ? i : count - 1 - i];
	return number;
}

/* Write bits of a number; the other bits of the bytes stay. */
static void write_bits(uint8_t *bytes, unsigned count, bool big_endian, uint64_t number,
		       uint64_t mask)
{
	number = (read_number(bytes, count, big_endian) & ~mask) | (number & mask);
	for (unsigned i = 0; i < count; i++, number >>= 8)
		bytes[big_endian ? count - 1 - i : i] = (uint8_t)number;
}

/* The linked address whose upper half stands there. Returns false where it is not known. */
static bool upper_address(const struct dph_relocation *relocation, bool big_endian,
			  const uint8_t *bytes, const uint8_t *lower, uint64_t *address)
{
	*address = relocation->symbol_value + (uint64_t)relocation->addend;
	if (relocation->has_addend)
		return true;
	if (!lower)
		return false;
	*address = read_number(bytes, relocation->bytes, big_endian) << 16;
	*address += (uint64_t)(int64_t)(int16_t)read_number(lower, relocation->bytes, big_endian);
	return true;
}

bool dph_relocation_apply(const struct dph_relocation *relocation, uint64_t moved, bool big_endian,
			  uint8_t *bytes, const uint8_t *lower)
{
	const unsigned count = relocation->bytes;
	uint64_t number = read_number(bytes, count, big_endian);
	uint64_t mask = UINT64_MAX;

	switch (relocation->rule) {
	case DPH_RELOCATION_UNKNOWN:
		return !moved && !relocation->at_start;
	case DPH_RELOCATION_LOW:
		mask = 0xffff;
		number += moved;
		break;
	case DPH_RELOCATION_HIGH:
	case DPH_RELOCATION_HIGH_ROUNDED:
		if (!moved)
			return true;
		if (!upper_address(relocation, big_endian, bytes, lower, &number))
			return false;
		mask = 0xffff;
		number += moved + (relocation->rule == DPH_RELOCATION_HIGH ? 0 : 0x8000);
		number >>= 16;
		break;
	case DPH_RELOCATION_JUMP:
		mask = 0x03fffffc;
		number += moved;
		break;
	case DPH_RELOCATION_JUMP_WORDS:
		mask = 0x03ffffff;
		number += moved >> 2;
		break;
	default:
		if (relocation->at_start && relocation->has_addend)
			number = (uint64_t)relocation->addend;
		number += moved;
		break;
	}
	write_bits(bytes, count, big_endian, number, mask);
	return true;
}
