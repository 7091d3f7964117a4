/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of objects trusts no byte of a file. The agent's verifier checks the travelling part;
 * this file checks the host part. */
#define _GNU_SOURCE
#include "object_read.h"

#include "base/diag.h"
#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_errors.h"
#include "dp_object.h"
#include "dp_rpn.h"
#include <dprobes/errors.h>
#include "base/pool.h"
#include "tables/isas.h"
#include "tables/registers.h"
#include "source/source.h"
#include "version1.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- the travelling part ------------------------------------------------------------------- */

bool dph_target_of(const struct dp_object_file *object, struct dp_target *target)
{
	const struct dph_cpu *cpu = dph_cpu_numbered(object->data[DP_OBJ_CPU]);
	size_t regs = 0;
	if (!cpu)
		return false;
	*target = (struct dp_target){
		.cpu = (uint8_t)cpu->number,
		.isas = (uint8_t)dph_isas_of(cpu),
		.word_bytes = object->data[DP_OBJ_WORD],
		.order = object->data[DP_OBJ_ORDER],
		.port_groups = (uint8_t)cpu->groups,
		.build_groups = RPN_GROUP_ALL,
		.may_write = true,
		.log_max = UINT16_MAX,
		.trace_max = UINT16_MAX,
		.vars_max = RPN_VARS_MAX,
		.gvars_max = RPN_VARS_MAX,
		.jmpmax_max = UINT16_MAX,
		.probes_max = UINT16_MAX,
	};
	target->regs = dph_cpu_regs(cpu, &regs);
	target->reg_count = (uint16_t)regs;
	return (target->word_bytes == 4 || target->word_bytes == 8) &&
	       target->order <= DP_ORDER_BIG;
}

enum dp_err dph_verify(const struct dp_object_file *object, const struct dp_target *target,
		       struct dp_layout *layout, struct dp_verdict *verdict)
{
	uint8_t scratch[(RPN_CODE_MAX + 7) / 8];
	return dp_verify_object(object->data, object->travelling, target, scratch, sizeof(scratch),
				layout, verdict);
}

static bool verify_travelling(const struct dp_object_file *object, const char *name,
			      struct dp_messages *messages)
{
	struct dp_target target;
	struct dp_layout layout;
	struct dp_verdict verdict;
	if (object->bytes > DP_OBJECT_HEADER_BYTES &&
	    memcmp(object->data, DP_OBJECT_MAGIC, 4) == 0 && !dph_target_of(object, &target)) {
		dph_file_error(messages, name,
			       "dprobes does not support the object's CPU, word size or byte "
			       "order (%u, %u, %u)",
			       object->data[DP_OBJ_CPU], object->data[DP_OBJ_WORD],
			       object->data[DP_OBJ_ORDER]);
		return false;
	}
	if (object->bytes <= DP_OBJECT_HEADER_BYTES ||
	    memcmp(object->data, DP_OBJECT_MAGIC, 4) != 0)
		target = (struct dp_target){0};
	if (dph_verify(object, &target, &layout, &verdict) == DP_ERR_OK)
		return true;
	dph_verdict_message(object, &verdict, name, messages);
	return false;
}

/* Where the travelling part ends; the whole file when the header does not say. */
static uint32_t travelling_bytes(const uint8_t *data, size_t bytes)
{
	if (bytes < DP_OBJECT_HEADER_BYTES || memcmp(data, DP_OBJECT_MAGIC, 4) != 0)
		return (uint32_t)bytes;
	uint32_t said = dp_get_u32(data + DP_OBJ_BYTES);
	if (said >= bytes || bytes - said < 4 || memcmp(data + said, DP_HOST_MAGIC, 4) != 0)
		return (uint32_t)bytes;
	return said;
}

/* --- sections ------------------------------------------------------------------------------ */

static size_t table_of(const struct dp_object_file *object, bool host, unsigned *count)
{
	if (!host) {
		*count = object->data[DP_OBJ_SECTIONS];
		return DP_OBJECT_HEADER_BYTES;
	}
	*count = object->bytes > object->travelling ? object->data[object->travelling + 8] : 0;
	return object->travelling + DP_HOST_HEADER_BYTES;
}

bool dph_section(const struct dp_object_file *object, unsigned kind, struct dph_section *section)
{
	unsigned count;
	size_t at = table_of(object, kind >= 128, &count);
	for (unsigned i = 0; i < count; i++, at += DP_OBJECT_ENTRY_BYTES)
		if (object->data[at] == kind) {
			section->count = dp_get_u32(object->data + at + 4);
			section->data = object->data + dp_get_u32(object->data + at + 8);
			return true;
		}
	*section = (struct dph_section){0};
	return false;
}

/* --- the host part ------------------------------------------------------------------------- */

#define DP_SECTION(number, name, bytes, count) {number, bytes, count},
static const struct {
	unsigned kind;
	uint32_t bytes, max;
} section_rows[] = {
#include "sections.def"
};

static bool entry_good(const struct dp_object_file *object, const uint8_t *entry)
{
	uint64_t count = dp_get_u32(entry + 4), at = dp_get_u32(entry + 8);
	for (size_t i = 0; i < sizeof(section_rows) / sizeof(*section_rows); i++)
		if (section_rows[i].kind == entry[0] && entry[0] >= 128)
			return count <= section_rows[i].max &&
			       at >= object->travelling + DP_HOST_HEADER_BYTES &&
			       at + count * section_rows[i].bytes <=
				       object->bytes - DP_OBJECT_CRC_BYTES;
	return false;
}

static bool names_good(const struct dp_object_file *object, unsigned kind, size_t entry_bytes,
		       size_t name_at)
{
	struct dph_section section, names;
	dph_section(object, DP_SECTION_NAMES, &names);
	dph_section(object, kind, &section);
	if (names.count && names.data[names.count - 1])
		return false;
	for (uint32_t i = 0; i < section.count; i++)
		if (dp_get_u32(section.data + i * entry_bytes + name_at) >= names.count)
			return false;
	return true;
}

static bool host_part_good(const struct dp_object_file *object)
{
	size_t start = object->travelling, bytes = object->bytes - start;
	if (!bytes)
		return true;
	if (bytes < DP_HOST_HEADER_BYTES + DP_OBJECT_CRC_BYTES ||
	    dp_get_u32(object->data + start + 4) != bytes ||
	    dp_get_u32(object->data + object->bytes - 4) !=
		    dp_crc32(0, object->data + start, bytes - 4))
		return false;
	unsigned count;
	size_t at = table_of(object, true, &count);
	if (at + (size_t)count * DP_OBJECT_ENTRY_BYTES > object->bytes)
		return false;
	for (unsigned i = 0; i < count; i++)
		if (!entry_good(object, object->data + at + i * (size_t)DP_OBJECT_ENTRY_BYTES))
			return false;
	return names_good(object, DP_SECTION_LINES, 12, 8) &&
	       names_good(object, DP_SECTION_GROUPS, 4, 0) &&
	       names_good(object, DP_SECTION_TYPES, 4, 0) &&
	       names_good(object, DP_SECTION_SYMBOLS, 12, 0);
}

static const char *host_name(const struct dp_object_file *object, const uint8_t *field)
{
	struct dph_section names;
	dph_section(object, DP_SECTION_NAMES, &names);
	return (const char *)names.data + dp_get_u32(field);
}

/* The bytes of the file, in this version of the object. */
static bool copy_object(struct dph_bytes *copy, const uint8_t *data, size_t bytes, const char *name,
			struct dp_messages *messages)
{
	if (!dph_is_version1(data, bytes)) {
		*copy = (struct dph_bytes){.data = dph_malloc(bytes), .count = bytes};
		memcpy(copy->data, data, bytes);
		return true;
	}
	const enum dp_err error =
		dph_from_version1(data, bytes, travelling_bytes(data, bytes), copy);
	if (error != DP_ERR_OK)
		dph_file_error(messages, name, "%s", dp_error_sentence(error));
	return error == DP_ERR_OK;
}

/* --- public: files ------------------------------------------------------------------------- */

struct dp_object_file *dp_object_from_bytes(const void *data, size_t bytes, const char *name,
					    struct dp_messages *messages)
{
	if (bytes > UINT32_MAX / 2) {
		dph_file_error(messages, name, "the file is too large for an object");
		return NULL;
	}
	if (bytes == 0) {
		dph_file_error(messages, name, "the file is empty; build the object again");
		return NULL;
	}
	struct dph_bytes copy = {0};
	if (!copy_object(&copy, data, bytes, name, messages))
		return NULL;
	struct dp_object_file *object = dph_malloc(sizeof(*object));
	object->data = copy.data;
	object->bytes = (uint32_t)copy.count;
	object->travelling = travelling_bytes(copy.data, copy.count);
	/* First the host part: the verdict on the other may want to use it. */
	bool host_good = host_part_good(object);
	if (!host_good)
		object->bytes = object->travelling;
	if (verify_travelling(object, name, messages)) {
		if (host_good)
			return object;
		dph_file_error(
			messages, name,
			"the part with source and symbols is damaged; build the object again");
	}
	dp_object_free(object);
	return NULL;
}

struct dp_object_file *dp_object_load(const char *path, struct dp_messages *messages)
{
	size_t bytes;
	char *data = dph_read_file(path, &bytes, messages);
	if (!data)
		return NULL;
	struct dp_object_file *object = dp_object_from_bytes(data, bytes, path, messages);
	free(data);
	return object;
}

bool dp_object_save(const struct dp_object_file *object, const char *path,
		    struct dp_messages *messages)
{
	bool standard = strcmp(path, "-") == 0;
	FILE *file = standard ? stdout : fopen(path, "wb");
	bool good = file && fwrite(object->data, 1, object->bytes, file) == object->bytes;
	int error = errno;
	struct stat written;
	bool plain = file && fstat(fileno(file), &written) == 0 && S_ISREG(written.st_mode);
	if (file && (standard ? fflush(file) : fclose(file)) != 0) {
		error = errno;
		good = false;
	}
	if (!good)
		dph_file_error(messages, path, "cannot write it: %s", strerror(error));
	if (!good && plain && !standard)
		remove(path); /* half an object is none */
	return good;
}

void dp_object_free(struct dp_object_file *object)
{
	if (!object)
		return;
	free(object->data);
	free(object);
}

/* --- public: the content -------------------------------------------------------------------- */

void dp_object_program(const struct dp_object_file *object, struct dp_program_info *info)
{
	const uint8_t *h = object->data;
	struct dph_section modules, points, code, strings, moved;
	dph_section(object, DP_SECTION_MODULES, &modules);
	dph_section(object, DP_SECTION_PROBES, &points);
	dph_section(object, DP_SECTION_CODE, &code);
	dph_section(object, DP_SECTION_STRINGS, &strings);
	dph_section(object, DP_SECTION_MOVED, &moved);
	*info = (struct dp_program_info){
		.name = (const char *)strings.data + dp_get_u16(h + DP_OBJ_NAME),
		.name_bytes = h[DP_OBJ_NAME_BYTES],
		.cpu = h[DP_OBJ_CPU],
		.word_bytes = h[DP_OBJ_WORD],
		.big_endian = h[DP_OBJ_ORDER] == DP_ORDER_BIG,
		.id = dp_get_u32(h + DP_OBJ_ID),
		.major = dp_get_u16(h + DP_OBJ_MAJOR),
		.jmpmax = dp_get_u16(h + DP_OBJ_JMPMAX),
		.logmax = dp_get_u16(h + DP_OBJ_LOGMAX),
		.excpt_log = dp_get_u16(h + DP_OBJ_EXCPT_LOG),
		.vars = dp_get_u16(h + DP_OBJ_VARS),
		.gvars = dp_get_u16(h + DP_OBJ_GVARS),
		.autostacktrace = (h[DP_OBJ_FLAGS] & DP_PROGRAM_AUTOSTACKTRACE) != 0,
		.destructive = (h[DP_OBJ_FLAGS] & DP_PROGRAM_DESTRUCTIVE) != 0,
		.groups = h[DP_OBJ_GROUPS],
		.modules = modules.count,
		.points = points.count,
		.code = code.data,
		.code_bytes = code.count,
		.moved = moved.count ? dp_get_u64(moved.data) : 0,
	};
}

bool dp_object_module(const struct dp_object_file *object, unsigned index,
		      struct dp_module_info *info)
{
	struct dph_section modules, strings;
	dph_section(object, DP_SECTION_MODULES, &modules);
	dph_section(object, DP_SECTION_STRINGS, &strings);
	if (index >= modules.count)
		return false;
	const uint8_t *m = modules.data + (size_t)index * DP_MODULE_BYTES;
	*info = (struct dp_module_info){
		.type = m[DP_MOD_TYPE],
		.identity = m[DP_MOD_IDENTITY],
		.id = m + DP_MOD_ID,
		.name = (const char *)strings.data + dp_get_u16(m + DP_MOD_NAME),
		.name_bytes = m[DP_MOD_NAME_BYTES],
	};
	return true;
}

static const char *group_name(const struct dp_object_file *object, unsigned kind, unsigned number)
{
	struct dph_section section;
	if (!number || !dph_section(object, kind, &section) || number > section.count)
		return NULL;
	return host_name(object, section.data + (number - 1) * (size_t)4);
}

bool dp_object_point(const struct dp_object_file *object, unsigned index,
		     struct dp_point_info *info)
{
	struct dph_section points, traits;
	dph_section(object, DP_SECTION_PROBES, &points);
	dph_section(object, DP_SECTION_TRAITS, &traits);
	if (index >= points.count)
		return false;
	const uint8_t *e = points.data + (size_t)index * DP_PROBE_BYTES;
	const uint8_t *t = traits.data + (size_t)e[DP_PT_TRAITS] * DP_TRAITS_BYTES;
	*info = (struct dp_point_info){
		.kind = t[DP_TR_KIND],
		.phase = t[DP_TR_PHASE],
		.isa = t[DP_TR_ISA],
		.flags = t[DP_TR_FLAGS],
		.module = t[DP_TR_MODULE],
		.minor = dp_get_u16(e + DP_PT_MINOR),
		.excpt_mask = dp_get_u16(t + DP_TR_EXCPT_MASK),
		.insn_bytes = e[DP_PT_INSN_BYTES],
		.address =
			(uint64_t)dp_get_u32(t + DP_TR_HIGH) << 32 | dp_get_u32(e + DP_PT_ADDRESS),
		.length = t[DP_TR_LENGTH],
		.before = dp_get_u32(e + DP_PT_BEFORE),
		.extent = dp_get_u32(e + DP_PT_EXTENT),
		.opcode = dp_get_u32(e + DP_PT_OPCODE),
		.ignore = dp_get_u32(t + DP_TR_IGNORE),
		.maxhits = dp_get_u32(t + DP_TR_MAXHITS),
		.entry = dp_get_u32(e + DP_PT_ENTRY),
		.group_number = dp_get_u16(t + DP_TR_GROUP),
		.type_number = dp_get_u16(t + DP_TR_TYPE),
	};
	if (object->data[DP_OBJ_VERSION] == DP_OBJECT_VERSION_LONG && info->kind <= DP_POINTS_MAX &&
	    (DP_POINTS_WATCHED >> info->kind & 1)) {
		info->length = info->extent;
		info->extent = 0;
	}
	info->group = group_name(object, DP_SECTION_GROUPS, info->group_number);
	info->type = group_name(object, DP_SECTION_TYPES, info->type_number);
	return true;
}

bool dp_object_line(const struct dp_object_file *object, uint32_t code_offset, const char **file,
		    unsigned *line)
{
	struct dph_section lines;
	const uint8_t *best = NULL;
	dph_section(object, DP_SECTION_LINES, &lines);
	for (uint32_t i = 0; i < lines.count; i++) {
		const uint8_t *e = lines.data + (size_t)i * 12;
		if (dp_get_u32(e) <= code_offset && (!best || dp_get_u32(e) >= dp_get_u32(best)))
			best = e;
	}
	if (!best)
		return false;
	*line = dp_get_u32(best + 4);
	*file = host_name(object, best + 8);
	return true;
}

const char *dp_object_symbol(const struct dp_object_file *object, uint64_t value)
{
	struct dph_section symbols;
	dph_section(object, DP_SECTION_SYMBOLS, &symbols);
	for (uint32_t i = 0; i < symbols.count; i++) {
		const uint8_t *e = symbols.data + (size_t)i * 12;
		if (dp_get_u64(e + 4) == value)
			return host_name(object, e);
	}
	return NULL;
}
