/* SPDX-License-Identifier: BSD-2-Clause */
/* The writer of objects writes each byte of an object.  dp_object.h, sections.def, PROTOCOL.md
 * section 2. */
#define _GNU_SOURCE
#include "steps.h"

#include "dp_bytes.h"
#include "dp_object.h"
#include "object/sections_write.h"
#include "symbols/elf_image.h"

#include <stdlib.h>
#include <string.h>

enum {
	SECTIONS_MAX = 0
#define DP_SECTION(number, name, bytes, count) +1
#include "sections.def"
};

/* --- sections ------------------------------------------------------------------------------ */

struct writer {
	struct dph_section_out section[SECTIONS_MAX];
	size_t count, travelling; /* sections; the first of them travel */
	struct dph_bytes names;   /* section NAMES */
};

static struct dph_bytes *add_section(struct writer *w, enum dp_section kind)
{
	w->section[w->count] = (struct dph_section_out){.kind = kind};
	return &w->section[w->count++].data;
}

static uint32_t add_host_name(struct writer *w, const char *name)
{
	size_t bytes = strlen(name) + 1;
	for (size_t at = 0; at < w->names.count; at += strlen((char *)w->names.data + at) + 1)
		if (strcmp((char *)w->names.data + at, name) == 0)
			return (uint32_t)at;
	uint32_t at = (uint32_t)w->names.count;
	dph_bytes_add(&w->names, name, bytes);
	return at;
}

/* --- the travelling sections --------------------------------------------------------------- */

static void write_module(struct writer *w, const struct dph_compilation *c)
{
	uint8_t m[DP_MODULE_BYTES] = {0};
	const struct dph_header *header = &c->program.header;
	const struct dp_image *image = dph_images_of(&c->images, header->modtype);
	m[DP_MOD_TYPE] = (uint8_t)header->modtype;
	if (image)
		m[DP_MOD_IDENTITY] = (uint8_t)dph_image_identity(image, m + DP_MOD_ID);
	dp_put_u16(m + DP_MOD_NAME, 0);
	m[DP_MOD_NAME_BYTES] = (uint8_t)strlen(header->name);
	dph_bytes_add(add_section(w, DP_SECTION_MODULES), m, sizeof(m));
	w->section[w->count - 1].elements = 1;
}

static uint64_t setting_or(const struct dph_setting *setting, uint64_t fallback)
{
	return setting->given ? setting->value : fallback;
}

static bool is_watched(const struct dph_point *point)
{
	return DP_POINTS_WATCHED >> point->kind & 1;
}

/* A watchpoint of 1, 2 or 4 aligned bytes fits version 2, which every agent reads. */
static bool needs_long(const struct dph_point *point)
{
	const uint64_t length = point->last - point->address + 1;
	const bool fits =
		(length == 1 || length == 2 || length == 4) && point->address % length == 0;
	return is_watched(point) && !fits;
}

static uint8_t version_of(const struct dph_program *p)
{
	for (size_t i = 0; i < p->point_count; i++)
		if (needs_long(&p->points[i]))
			return DP_OBJECT_VERSION_LONG;
	return DP_OBJECT_VERSION;
}

static void put_traits(uint8_t t[DP_TRAITS_BYTES], const struct dph_point *point, uint8_t version)
{
	t[DP_TR_KIND] = (uint8_t)point->kind;
	t[DP_TR_PHASE] = (uint8_t)point->phase;
	t[DP_TR_ISA] = (uint8_t)point->isa;
	t[DP_TR_FLAGS] = (uint8_t)((point->logonfault ? DP_POINT_LOGONFAULT : 0) |
				   (point->insn_bytes ? DP_POINT_OPCODE : 0) |
				   (point->taken ? DP_POINT_TAKEN : 0) |
				   (point->returns ? DP_POINT_RETURNS : 0));
	if (is_watched(point) && version == DP_OBJECT_VERSION)
		t[DP_TR_LENGTH] = (uint8_t)(point->last - point->address + 1);
	dp_put_u16(t + DP_TR_EXCPT_MASK,
		   (uint16_t)setting_or(&point->excpt_mask, DP_RPN_EXCPT_MASK_DEFAULT));
	dp_put_u16(t + DP_TR_GROUP, (uint16_t)point->group);
	dp_put_u16(t + DP_TR_TYPE, (uint16_t)point->type);
	dp_put_u32(t + DP_TR_HIGH, (uint32_t)(point->address >> 32));
	dp_put_u32(t + DP_TR_IGNORE, point->ignore);
	dp_put_u32(t + DP_TR_MAXHITS, point->maxhits ? point->maxhits : RPN_MAXHITS_DEFAULT);
}

static void write_point(struct dph_bytes *out, struct dph_bytes *traits,
			const struct dph_program *p, const struct dph_point *point)
{
	uint8_t e[DP_PROBE_BYTES] = {0}, t[DP_TRAITS_BYTES] = {0};
	const uint8_t version = version_of(p);
	put_traits(t, point, version);
	e[DP_PT_TRAITS] = dph_traits_row(traits, t);
	e[DP_PT_INSN_BYTES] = (uint8_t)point->insn_bytes;
	dp_put_u16(e + DP_PT_MINOR, point->minor);
	dp_put_u32(e + DP_PT_ADDRESS, (uint32_t)point->address);
	dp_put_u32(e + DP_PT_BEFORE, point->before);
	dp_put_u32(e + DP_PT_EXTENT, is_watched(point) && version == DP_OBJECT_VERSION_LONG
					     ? (uint32_t)(point->last - point->address + 1)
					     : point->extent);
	if (point->insn_bytes)
		dp_put_u32(e + DP_PT_OPCODE, (uint32_t)point->opcode.value);
	dp_put_u32(e + DP_PT_ENTRY, p->routines[point->routine].offset);
	dph_bytes_add(out, e, sizeof(e));
}

static void write_points(struct writer *w, const struct dph_program *p)
{
	struct dph_bytes *traits = add_section(w, DP_SECTION_TRAITS);
	struct dph_bytes *out = add_section(w, DP_SECTION_PROBES);
	for (size_t i = 0; i < p->point_count; i++)
		write_point(out, traits, p, &p->points[i]);
	w->section[w->count - 2].elements = (uint32_t)(traits->count / DP_TRAITS_BYTES);
	w->section[w->count - 1].elements = (uint32_t)p->point_count;
}

static void put_operand(struct dph_bytes *out, const struct dph_compilation *c, uint64_t value,
			unsigned bytes)
{
	uint8_t b[8];
	for (unsigned i = 0; i < bytes; i++)
		b[c->program.target.big_endian ? bytes - 1 - i : i] = (uint8_t)(value >> (8 * i));
	dph_bytes_add(out, b, bytes);
}

static void write_routine(struct dph_bytes *out, const struct dph_compilation *c,
			  const struct dph_routine *r)
{
	for (size_t i = 0; i < r->insn_count; i++) {
		const struct dph_insn *insn = &r->insns[i];
		uint8_t marker = i ? RPN_BLOCK : r->name ? RPN_PROC : RPN_HANDLER;
		if (insn->leads) {
			dph_bytes_add(out, &marker, 1);
			put_operand(out, c, insn->block_count, 1);
		}
		dph_bytes_add(out, &insn->op->code, 1);
		put_operand(out, c, insn->value,
			    rpn_operand_bytes(insn->op->operand, c->program.target.word_bytes));
	}
}

static void write_code(struct writer *w, const struct dph_compilation *c)
{
	struct dph_bytes *out = add_section(w, DP_SECTION_CODE);
	for (size_t i = 0; i < c->program.routine_count; i++)
		if (!c->program.routines[i].shared)
			write_routine(out, c, &c->program.routines[i]);
	w->section[w->count - 1].elements = (uint32_t)out->count;
}

static void write_strings(struct writer *w, const struct dph_compilation *c)
{
	struct dph_bytes *out = add_section(w, DP_SECTION_STRINGS);
	dph_bytes_add(out, c->program.header.name, strlen(c->program.header.name));
	w->section[w->count - 1].elements = (uint32_t)out->count;
}

static void write_maps(struct writer *w, const struct dph_program *p)
{
	struct dph_bytes *out = p->map_count ? add_section(w, DP_SECTION_MAPS) : NULL;
	for (size_t i = 0; i < p->map_count; i++) {
		const struct dph_map *map = &p->maps[i];
		uint8_t e[DP_MAP_BYTES] = {0};
		e[DP_MAP_KIND] = (uint8_t)map->kind;
		e[DP_MAP_FLAG_BITS] = (uint8_t)map->flags;
		e[DP_MAP_KEYS] = (uint8_t)map->keys;
		e[DP_MAP_VALUES] = (uint8_t)map->values;
		dp_put_u16(e + DP_MAP_PLACES, (uint16_t)map->places);
		e[DP_MAP_OF] = (uint8_t)map->of;
		e[DP_MAP_AT] = (uint8_t)map->at;
		dp_put_u32(e + DP_MAP_A, map->a);
		dp_put_u32(e + DP_MAP_B, map->b);
		dp_put_u32(e + DP_MAP_C, map->c);
		dph_bytes_add(out, e, sizeof(e));
	}
	w->travelling = w->count;
	if (out)
		w->section[w->count - 1].elements = (uint32_t)p->map_count;
}

/* --- the sections that stay on the host ---------------------------------------------------- */

static void write_source(struct writer *w, const struct dph_compilation *c)
{
	struct dph_bytes *out = add_section(w, DP_SECTION_SOURCE);
	for (size_t i = 0; i < c->source.count; i++) {
		dph_bytes_add(out, c->source.lines[i].text, strlen(c->source.lines[i].text));
		dph_bytes_add(out, "\n", 1);
	}
	w->section[w->count - 1].elements = (uint32_t)out->count;
}

static void add_line(struct writer *w, struct dph_bytes *out, uint32_t offset,
		     const struct dph_place *place)
{
	uint8_t e[12];
	if (!place->line)
		return;
	dp_put_u32(e, offset);
	dp_put_u32(e + 4, place->line->number);
	dp_put_u32(e + 8, add_host_name(w, place->line->file));
	dph_bytes_add(out, e, sizeof(e));
}

static void write_lines(struct writer *w, const struct dph_compilation *c)
{
	struct dph_bytes out = {0};
	for (size_t i = 0; i < c->program.routine_count; i++) {
		const struct dph_routine *r = &c->program.routines[i];
		if (r->shared)
			continue;
		add_line(w, &out, r->offset, &r->place);
		for (size_t j = 0; j < r->insn_count; j++)
			add_line(w, &out, r->insns[j].offset, &r->insns[j].place);
	}
	*add_section(w, DP_SECTION_LINES) = out;
	w->section[w->count - 1].elements = (uint32_t)(out.count / 12);
}

static void write_groups(struct writer *w, enum dp_section kind, const struct dph_names *names)
{
	struct dph_bytes *out = add_section(w, kind);
	for (size_t i = 0; i < names->count; i++) {
		uint8_t e[4];
		dp_put_u32(e, add_host_name(w, names->list[i].text));
		dph_bytes_add(out, e, sizeof(e));
	}
	w->section[w->count - 1].elements = (uint32_t)names->count;
}

static void write_symbols(struct writer *w, const struct dph_names *names)
{
	struct dph_bytes *out = add_section(w, DP_SECTION_SYMBOLS);
	for (size_t i = 0; i < names->count; i++) {
		uint8_t e[12];
		dp_put_u32(e, add_host_name(w, names->list[i].text));
		dp_put_u64(e + 4, names->list[i].value);
		dph_bytes_add(out, e, sizeof(e));
	}
	w->section[w->count - 1].elements = (uint32_t)names->count;
}

static void write_moved(struct writer *w, uint64_t moved)
{
	uint8_t e[8];
	if (!moved)
		return;
	dp_put_u64(e, moved);
	dph_bytes_add(add_section(w, DP_SECTION_MOVED), e, sizeof(e));
	w->section[w->count - 1].elements = 1;
}

static void write_extras(struct writer *w, const struct dph_program *p)
{
	for (size_t i = 0; i < p->extra_count; i++) {
		const struct dph_bytes *data = &p->extras[i].data;
		dph_bytes_add(add_section(w, p->extras[i].kind), data->data, data->count);
		w->section[w->count - 1].elements = p->extras[i].elements;
	}
}

static void write_host_sections(struct writer *w, const struct dph_compilation *c)
{
	write_source(w, c);
	write_lines(w, c);
	write_groups(w, DP_SECTION_GROUPS, &c->program.groups);
	write_groups(w, DP_SECTION_TYPES, &c->program.types);
	write_symbols(w, &c->program.symbols);
	write_moved(w, c->options->moved);
	write_extras(w, &c->program);
	*add_section(w, DP_SECTION_NAMES) = w->names;
	w->section[w->count - 1].elements = (uint32_t)w->names.count;
}

/* --- putting it together ------------------------------------------------------------------- */

static void put_header(uint8_t *h, const struct dph_compilation *c)
{
	const struct dph_program *p = &c->program;
	const struct dph_header *header = &p->header;
	const struct dp_build_options *o = c->options;
	bool destructive = (p->insn_groups & RPN_GROUP_DESTRUCTIVE) && o->write;
	memcpy(h, DP_OBJECT_MAGIC, 4);
	h[DP_OBJ_VERSION] = version_of(p);
	h[DP_OBJ_CPU] = (uint8_t)c->program.target.cpu->number;
	h[DP_OBJ_WORD] = (uint8_t)c->program.target.word_bytes;
	h[DP_OBJ_ORDER] = c->program.target.big_endian ? DP_ORDER_BIG : DP_ORDER_LITTLE;
	dp_put_u32(h + DP_OBJ_ID, header->id);
	dp_put_u16(h + DP_OBJ_MAJOR, header->major);
	dp_put_u16(h + DP_OBJ_JMPMAX, (uint16_t)setting_or(&header->jmpmax, RPN_JMPMAX_DEFAULT));
	dp_put_u16(h + DP_OBJ_LOGMAX,
		   (uint16_t)setting_or(&header->logmax, dph_default_buffer(o->log_max)));
	dp_put_u16(h + DP_OBJ_EXCPT_LOG,
		   (uint16_t)setting_or(&header->excpt_log, dph_default_buffer(o->trace_max)));
	dp_put_u16(h + DP_OBJ_VARS, header->vars);
	dp_put_u16(h + DP_OBJ_GVARS, header->gvars);
	h[DP_OBJ_FLAGS] = (uint8_t)((destructive ? DP_PROGRAM_DESTRUCTIVE : 0) |
				    (header->autostacktrace ? DP_PROGRAM_AUTOSTACKTRACE : 0));
	h[DP_OBJ_GROUPS] = (uint8_t)p->insn_groups;
	dp_put_u16(h + DP_OBJ_NAME, 0);
	h[DP_OBJ_NAME_BYTES] = (uint8_t)strlen(header->name);
}

static void put_host_part(struct dph_bytes *out, const struct writer *w)
{
	size_t start = out->count, count = w->count - w->travelling;
	uint8_t h[DP_HOST_HEADER_BYTES] = DP_HOST_MAGIC;
	h[8] = (uint8_t)count;
	dph_bytes_add(out, h, sizeof(h));
	dph_put_sections(out, w->section + w->travelling, count,
			 start + sizeof(h) + count * DP_OBJECT_ENTRY_BYTES);
	dp_put_u32(out->data + start + 4, (uint32_t)(out->count - start) + DP_OBJECT_CRC_BYTES);
	dph_put_crc(out, start);
}

struct dp_object_file *dph_write_object(const struct dph_compilation *c)
{
	struct writer w = {0};
	struct dph_bytes out = {0};
	uint8_t header[DP_OBJECT_HEADER_BYTES] = {0};
	write_module(&w, c);
	write_points(&w, &c->program);
	write_code(&w, c);
	write_strings(&w, c);
	write_maps(&w, &c->program);
	write_host_sections(&w, c);
	put_header(header, c);
	dph_put_travelling(&out, header, w.section, w.travelling);
	struct dp_object_file *object = dph_malloc(sizeof(*object));
	object->travelling = (uint32_t)out.count;
	put_host_part(&out, &w);
	object->data = out.data;
	object->bytes = (uint32_t)out.count;
	for (size_t i = 0; i < w.count; i++)
		free(w.section[i].data.data);
	return object;
}
