/* SPDX-License-Identifier: BSD-2-Clause */
/* This file describes addresses as names and lines, and variables as text. */
#include "line.h"
#include "scope.h"
#include "symbols/code_names.h"
#include "symbols/elf_image.h"
#include "variable.h"

#include <dprobes/host.h>

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum {
	FRAMES_MAX = 16
};

/* --- functions around an address ----------------------------------------------------------- */

/* The file that an inlined instance was called in. */
static const char *call_file(struct dph_unit *unit, Dwarf_Die *instance)
{
	Dwarf_Files *files;
	size_t count;
	unsigned index = dph_die_number(instance, DW_AT_call_file);
	if (dwarf_getsrcfiles(&unit->die, &files, &count) != 0 || index >= count)
		return NULL;
	const char *path = dwarf_filesrc(files, index, NULL, NULL);
	return path && strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

/* Put name and offset of the function, or of the part of it that has the address: a part is named
 * as its symbol is, so that the text finds the address. */
static void name_function(struct dp_debuginfo *debug, Dwarf_Die *function, uint64_t address,
			  struct dp_code_frame *frame)
{
	const struct dp_symbol *part = dph_code_part_at(debug->image, address);
	uint64_t begin = address;
	if (part)
		begin = part->value;
	else
		dph_begin(debug, function, &begin);
	frame->function = part ? part->name : dph_function_name(debug, function);
	frame->offset = address - begin;
}

/* Where in its function the execution is: of the innermost the line table, of others the call. */
static void locate_frames(struct dp_debuginfo *debug, struct dph_scopes *scopes, uint64_t address,
			  struct dp_code_frame *frames, size_t most, size_t *count)
{
	struct dph_line line = {NULL, 0, false};
	dph_line_at(debug, address, &line);
	for (unsigned i = scopes->count; i-- > 0 && *count < most;) {
		Dwarf_Die *die = &scopes->list[i];
		uint64_t start = address;
		if (!dph_is_instance(die))
			continue;
		dph_walk_begin(debug);
		dph_lowest(debug, die, &start);
		frames[*count] = (struct dp_code_frame){
			.file = line.file,
			.line = line.line,
			.offset = address - start,
			.inlined = i != 0 && dwarf_tag(die) == DW_TAG_inlined_subroutine,
		};
		if (i)
			frames[*count].function = dph_function_name(debug, die);
		else
			name_function(debug, die, address, &frames[*count]);
		++*count;
		line = (struct dph_line){call_file(scopes->unit, die),
					 dph_die_number(die, DW_AT_call_line), false};
	}
}

/* The description by the symbol table, and by the line table where there is one. */
static size_t from_symbol(struct dp_debuginfo *debug, uint64_t address,
			  struct dp_code_frame *frames, size_t most)
{
	const struct dp_symbol *symbol = dp_image_function(debug->image, address);
	struct dph_line line = {NULL, 0, false};
	if (!symbol)
		symbol = dph_image_label(debug->image, address);
	bool has_line = dph_line_at(debug, address, &line);
	if (!most || (!symbol && !has_line))
		return 0;
	frames[0] = (struct dp_code_frame){.function = symbol ? symbol->name : NULL,
					   .file = line.file,
					   .line = line.line,
					   .offset = symbol ? address - symbol->value : 0};
	if (symbol && !line.file)
		frames[0].file = symbol->file;
	return 1;
}

size_t dp_debuginfo_frames(struct dp_debuginfo *debug, uint64_t address,
			   struct dp_code_frame *frames, size_t most)
{
	struct dph_scopes scopes;
	const char *why;
	size_t count = 0;
	if (!dph_scopes_at(debug, address, &scopes, &why))
		return from_symbol(debug, address, frames, most);
	locate_frames(debug, &scopes, address, frames, most, &count);
	return count;
}

/* Name and type: "bool queue_put(struct queue *, const struct msg *)". */
char *dp_debuginfo_prototype(struct dp_debuginfo *debug, uint64_t address)
{
	const struct dp_symbol *symbol = dp_image_function(debug->image, address);
	const struct dph_type *type = dph_function_type(debug, address);
	const char *text = type ? dph_type_text(type) : NULL;
	const char *parameters = text ? strchr(text, '(') : NULL;
	if (!symbol || !parameters)
		return NULL;
	return dph_print("%.*s%s%s%s", (int)(parameters - text), text,
			 parameters > text && parameters[-1] == ' ' ? "" : " ", symbol->name,
			 parameters);
}

/* "queue.c:44", or less where less is known; empty: nothing is. */
static char *place_text(struct dp_debuginfo *debug, const struct dp_code_frame *frame)
{
	if (!frame->file)
		return dph_strdup("");
	if (!frame->line)
		return dph_strdup(dph_file_text(debug, frame->file));
	return dph_print("%s:%u", dph_file_text(debug, frame->file), frame->line);
}

void dph_offset_text(uint64_t offset, char text[DPH_OFFSET_ROOM])
{
	const bool before = (int64_t)offset < 0;
	text[0] = 0;
	if (offset)
		snprintf(text, DPH_OFFSET_ROOM, "%c0x%llx", before ? '-' : '+',
			 (unsigned long long)(before ? 0 - offset : offset));
}

char *dp_debuginfo_address_text(struct dp_debuginfo *debug, uint64_t address)
{
	struct dp_code_frame frames[FRAMES_MAX];
	size_t count = dp_debuginfo_frames(debug, address, frames, FRAMES_MAX);
	if (!count)
		return dph_print("0x%llx", (unsigned long long)address);
	const struct dp_code_frame *inner = &frames[0], *outer = &frames[count - 1];
	char *place = place_text(debug, inner), offset[DPH_OFFSET_ROOM], *text;
	const char *name = outer->function ? outer->function : "?";
	dph_offset_text(outer->offset, offset);
	if (inner->inlined)
		text = dph_print("%s%s (%s%sin inlined %s)", name, offset, place,
				 *place ? ", " : "", inner->function ? inner->function : "?");
	else
		text = dph_print(*place ? "%s%s (%s)" : "%s%s%s", name, offset, place);
	free(place);
	return text;
}

/* --- variables ----------------------------------------------------------------------------- */

size_t dp_debuginfo_variables(struct dp_debuginfo *debug, uint64_t address, unsigned outer,
			      struct dp_variable_text **variables)
{
	const struct dph_variable *list;
	const char *why;
	size_t count = dph_variables_at(debug, address, outer, &list, &why);
	*variables = dph_malloc(count * sizeof(**variables));
	for (size_t i = 0; i < count; i++)
		(*variables)[i] = (struct dp_variable_text){
			.name = list[i].name,
			.type = dph_type_text(list[i].type),
			.place = dph_location_text(debug, &list[i].location),
			.readable = dph_location_readable(&list[i].location),
			.parameter = list[i].parameter,
		};
	return count;
}
