/* SPDX-License-Identifier: BSD-2-Clause */
/* This file opens and closes debug information, and has the functions that all files of the folder
 * use. */
#define _GNU_SOURCE
#include "debuginfo.h"

#include "ctf.h"
#include "frame_table.h"
#include "symbols/elf_image.h"
#include "symbols/images.h"
#include <dprobes/host.h>
#include "tables/dwarf_registers.h"
#include "tables/isas.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static struct dp_debuginfo *begin(const struct dp_image *image)
{
	struct dp_debuginfo *debug = dph_malloc(sizeof(*debug));
	struct dp_image_info info;
	dp_image_info(image, &info);
	debug->image = image;
	debug->cpu = dph_image_kin(image);
	debug->word_bytes = info.word_bits == 64 ? 8 : 4;
	debug->big_endian = info.big_endian;
	debug->moved = info.moved;
	debug->code_at_zero = dph_image_executable(image, dph_running(debug, 0));
	return debug;
}

struct dp_debuginfo *dph_debuginfo_types(const struct dp_image *image)
{
	struct dp_debuginfo *debug = begin(image);
	dph_debug_file_types(debug);
	return debug;
}

static struct dp_debuginfo *open_separate(const struct dp_image *image, const char *separate,
					  struct dph_content *content)
{
	struct dp_debuginfo *debug = begin(image);
	if (separate)
		separate = dph_pool_copy(&debug->pool, separate, strlen(separate));
	dph_debug_file_open(debug, separate, content);
	return debug;
}

struct dp_debuginfo *dp_debuginfo_open(const struct dp_image *image, const char *separate)
{
	return open_separate(image, separate, NULL);
}

struct dp_debuginfo *dph_debuginfo_for(const struct dph_images *images,
				       const struct dp_image *lookup)
{
	struct dp_image_info info;
	if (!images->firmware || lookup == images->firmware || lookup != images->symbol_file ||
	    lookup == images->module)
		return dp_debuginfo_open(lookup, NULL);
	dp_image_info(lookup, &info);
	return info.elf ? open_separate(images->firmware, info.path, dph_image_content(lookup))
			: dp_debuginfo_open(images->firmware, NULL);
}

void dp_debuginfo_close(struct dp_debuginfo *debug)
{
	if (!debug)
		return;
	dph_debug_file_close(&debug->file);
	for (size_t i = 0; i < debug->unit_count; i++) {
		free(debug->units[i].ranges);
		free(debug->units[i].functions);
		free(debug->units[i].dropped);
	}
	free(debug->units);
	free(debug->texts);
	dph_frames_free(debug->frames);
	dph_ctf_free(debug->ctf);
	free(debug->types);
	dph_pool_free(&debug->pool);
	free(debug);
}

const char *dp_debuginfo_missing(const struct dp_debuginfo *debug)
{
	return debug->missing;
}

const char *dph_why(struct dp_debuginfo *debug, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = dph_vprint(format, args);
	va_end(args);
	const char *copy = dph_pool_copy(&debug->pool, text, strlen(text));
	free(text);
	return copy;
}

uint64_t dph_running_code(const struct dp_debuginfo *debug, uint64_t linked)
{
	const struct dph_isa *isa = debug->cpu ? dph_isa_addressed(debug->cpu, linked) : NULL;
	return dph_running(debug, isa ? linked & ~isa->address_bit : linked);
}

bool dph_is_tombstone(const struct dp_debuginfo *debug, uint64_t linked)
{
	return linked >= (debug->word_bytes == 4 ? UINT32_MAX : UINT64_MAX) - 1;
}

bool dph_is_code(const struct dp_debuginfo *debug, uint64_t address)
{
	/* A linker writes 0 or 1 for the code that it removed. */
	const uint64_t linked = dph_linked(debug, address);
	return dph_image_executable(debug->image, address) && !dph_is_tombstone(debug, linked) &&
	       (linked > 1 || dp_image_function(debug->image, address));
}

void dph_walk_begin(struct dp_debuginfo *debug)
{
	size_t bytes = 0;
	elf_rawfile(debug->file.elf, &bytes);
	/* An entry has a byte at least; compressed ones are about a fifth of that. */
	debug->budget = 16 * (uint64_t)bytes;
}

bool dph_walk_step(struct dp_debuginfo *debug)
{
	return debug->budget && debug->budget--;
}

uint32_t dph_dwarf_register(const struct dp_debuginfo *debug, unsigned number)
{
	return debug->cpu ? dph_register_of_dwarf(debug->cpu, number) : UINT32_MAX;
}
