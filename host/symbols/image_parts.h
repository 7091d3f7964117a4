/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of an image: elf_image.c reads them, image_code.c answers questions about code. */
#ifndef DPH_IMAGE_PARTS_H
#define DPH_IMAGE_PARTS_H

#include "elf_image.h"

#include "base/pool.h"
#include "elf_attributes.h"
#include "elf_content.h"
#include "hooks.h"
#include "relocations.h"
#include "symbol_cover.h"
#include "tables/isas.h"

enum {
	DPH_BUILD_ID_MAX = 20
};

/* A mapping symbol: which instruction set follows, null for data. */
struct dph_mapping {
	uint64_t value;
	const struct dph_isa *isa;
};

struct dph_piece { /* a PT_LOAD segment, or a section with code of a file without segments */
	uint64_t address, bytes; /* bytes: those the file has */
	const uint8_t *data;
	bool executable;
};

struct dp_image {
	struct dph_pool pool;
	const char *path;
	struct dph_elf file;
	Elf *elf; /* of the file; null: System.map */
	unsigned machine, word_bits;
	const struct dph_cpu *cpu; /* null: unknown, or no ELF */
	const struct dph_cpu *kin; /* cpu, or one of its e_machine: it tells what symbols mean */
	const char *cpu_text; /* its name, or words for another one; null: unknown, or no ELF */
	bool big_endian, code_big_endian;
	uint8_t build_id[DPH_BUILD_ID_MAX];
	unsigned build_id_bytes;
	const struct dp_image *joined; /* names what this image does not */
	uint64_t text, text_bytes;     /* as the target states them, linked; no bytes: unknown */
	uint64_t moved;                /* all addresses below are running ones */
	struct dph_relocations relocations; /* these are linked ones */
	struct dp_symbol *symbols;
	size_t symbol_count, symbol_capacity;
	const struct dp_symbol **by_name;  /* all of them */
	struct dph_cover functions, named; /* named: functions and objects */
	struct dph_mapping *mappings;
	size_t mapping_count, mapping_capacity;
	struct dph_piece *pieces; /* the loaded bytes */
	size_t piece_count, piece_capacity;
	struct dph_piece *code; /* executable sections */
	size_t code_count, code_capacity;
	struct dph_piece *constants; /* sections that are never written */
	size_t constant_count, constant_capacity;
	struct dph_hook *hooks; /* by address */
	size_t hook_count, hook_capacity;
};

/* hooks.c: read the hooks of an ELF file, whose code sections have been read. */
void dph_hooks_read(struct dp_image *image);

#endif
