/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a probe goes: address, instruction set, expected instruction, function around it. */
#define _GNU_SOURCE
#include "program.h"

#include "dp_object.h"
#include "elf_image.h"

#include <elf.h>
#include <string.h>
#include <sys/stat.h>

/* name = may be the path of the module's file, or any other word. */
static bool is_elf_file(const char *path)
{
	struct stat facts;
	char magic[SELFMAG] = {0};
	if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
		return false;
	FILE *file = fopen(path, "rb");
	if (!file)
		return false;
	bool elf = fread(magic, 1, SELFMAG, file) == SELFMAG && memcmp(magic, ELFMAG, SELFMAG) == 0;
	fclose(file);
	return elf;
}

/* A kmod or user program: its own file is --sym, or what name = says. */
void dph_open_module(struct dph_compiler *c)
{
	const struct dph_program *p = &c->program;
	struct dp_image_info info;
	if (p->modtype == DP_MODULE_KERNEL || c->module_file)
		return;
	if (c->symbol_file)
		c->module_file = c->symbol_file;
	else if (p->name && is_elf_file(p->name))
		c->module_file = dp_image_open(p->name, c->messages);
	if (!c->module_file)
		return;
	dp_image_info(c->module_file, &info);
	if (info.elf && c->target.cpu->elf_machine && info.machine != c->target.cpu->elf_machine)
		dph_file_error(c->messages, info.path, "it is for %s (e_machine %u), not for %s",
			       info.cpu ? info.cpu : "another CPU", info.machine,
			       c->target.cpu->name);
}

/* The ELF file that has the code of the probe points, or null. */
static const struct dp_image *code_image(const struct dph_compiler *c)
{
	const struct dp_image *image =
		c->program.modtype == DP_MODULE_KERNEL ? c->firmware : c->module_file;
	struct dp_image_info info;
	if (!image)
		return NULL;
	dp_image_info(image, &info);
	return info.elf ? image : NULL;
}

static unsigned long long say(uint64_t address)
{
	return (unsigned long long)address;
}

/* --- watchpoints --------------------------------------------------------------------------- */

static void resolve_watchpoint(struct dph_compiler *c, struct dph_point *point)
{
	uint64_t length = point->last - point->address + 1;
	if (c->program.modtype != DP_MODULE_KERNEL)
		dph_error(c, point->watch.place, "'watchpoint' is for kernel programs only");
	else if (!point->by_address)
		dph_error(c, point->watch.place,
			  "'watchpoint' needs 'address =' instead of 'offset ='");
	if (point->opcode.given)
		dph_error(c, point->opcode.place, "a watchpoint has no 'opcode'; leave it out");
	if (point->last < point->address)
		return; /* said */
	if (length != 1 && length != 2 && length != 4)
		dph_error(c, point->place, "a watchpoint cannot be %llu bytes; it is 1, 2 or 4",
			  say(length));
	else if (point->address & (length - 1))
		dph_error(c, point->place,
			  "a watchpoint of %llu bytes cannot start at 0x%llx; it must be aligned",
			  say(length), say(point->address));
	else if (point->kind == DP_PROBE_WATCH_X && length != 1)
		dph_error(c, point->place, "an x watchpoint cannot be %llu bytes; it is 1",
			  say(length));
}

/* --- breakpoints --------------------------------------------------------------------------- */

static unsigned long long load(const uint8_t *bytes, size_t count, bool big)
{
	uint64_t value = 0;
	for (size_t i = 0; i < count; i++)
		value = value << 8 | bytes[big ? i : count - 1 - i];
	return value;
}

static bool wide_thumb(unsigned halfword)
{
	return (halfword >> 11) >= 0x1d;
}

/* The instruction at an address, as the number an object carries; its length, 0: not there. */
static unsigned read_insn(const struct dph_compiler *c, const struct dp_image *image,
			  uint64_t address, unsigned isa, uint64_t *opcode)
{
	uint8_t bytes[4];
	bool big = dph_image_code_big(image);
	unsigned count = c->target.cpu->number == DP_CPU_IA32   ? 1
			 : c->target.cpu->number == DP_CPU_S390 ? 2
			 : isa == DP_ISA_THUMB                  ? 2
								: 4;
	if (!dp_image_read(image, address, bytes, count))
		return 0;
	*opcode = load(bytes, count, big);
	if (isa != DP_ISA_THUMB || !wide_thumb((unsigned)*opcode))
		return count;
	if (!dp_image_read(image, address + 2, bytes, 2))
		return 0;
	*opcode = *opcode << 16 | load(bytes, 2, big);
	return 4;
}

/* Walk Thumb code from a place known to be an instruction. */
static bool on_thumb_boundary(const struct dp_image *image, uint64_t start, uint64_t address)
{
	uint8_t bytes[2];
	while (start < address && dp_image_read(image, start, bytes, 2))
		start += wide_thumb((unsigned)load(bytes, 2, dph_image_code_big(image))) ? 4 : 2;
	return start == address;
}

static unsigned alignment(const struct dph_compiler *c, const struct dph_point *point)
{
	switch (c->target.cpu->number) {
	case DP_CPU_ARM:
		return point->isa == DP_ISA_THUMB ? 2 : 4;
	case DP_CPU_MIPS:
	case DP_CPU_PPC:
		return 4;
	case DP_CPU_S390:
		return 2;
	default:
		return 1;
	}
}

static bool check_boundary(struct dph_compiler *c, const struct dph_point *point,
			   const struct dp_image *image, uint64_t address)
{
	struct dp_image_info info;
	uint64_t start = 0;
	dp_image_info(image, &info);
	switch (dph_image_code(image, address, &start)) {
	case DPH_CODE_NONE:
		dph_error(c, point->place, "0x%llx is not in an executable section of %s",
			  say(address), info.path);
		return false;
	case DPH_CODE_DATA:
		dph_error(c, point->place,
			  "0x%llx is data among the code of %s, not an instruction", say(address),
			  info.path);
		return false;
	case DPH_CODE_THUMB:
		if (on_thumb_boundary(image, start, address))
			return true;
		dph_error(c, point->place,
			  "0x%llx is in the middle of a 32-bit Thumb instruction; probe 0x%llx",
			  say(address), say(address - 2));
		return false;
	case DPH_CODE_ARM:
	case DPH_CODE_OTHER:
		break;
	}
	return true;
}

static void choose_isa(struct dph_compiler *c, struct dph_point *point,
		       const struct dp_image *image, uint64_t address)
{
	uint64_t start;
	bool odd = point->address & 1;
	if (c->target.cpu->number != DP_CPU_ARM)
		return;
	if (odd && !point->symbolic) {
		point->isa = DP_ISA_THUMB;
		point->address--;
		address--;
	} else if (point->thumb) {
		point->isa = DP_ISA_THUMB;
	}
	if (!image)
		return;
	enum dph_code_kind kind = dph_image_code(image, address, &start);
	if (kind == DPH_CODE_THUMB)
		point->isa = DP_ISA_THUMB;
	else if (kind == DPH_CODE_ARM)
		point->isa = DP_ISA_MAIN;
}

/* For whoever reads the object: the function's name stays on the host, with the symbols. */
static void note_function(struct dph_compiler *c, const char *name, uint64_t start)
{
	struct dph_names *names = &c->program.symbols;
	for (size_t i = 0; i < names->count; i++)
		if (names->list[i].value == start && strcmp(names->list[i].text, name) == 0)
			return;
	names->list = dph_grow(names->list, &names->capacity, names->count, sizeof(*names->list));
	names->list[names->count++] = (struct dph_name){
		.text = dph_pool_copy(&c->source.pool, name, strlen(name)), .value = start};
}

static void take_function(struct dph_compiler *c, struct dph_point *point,
			  const struct dp_image *image, uint64_t address)
{
	const struct dp_symbol *function = dp_image_function(image, address);
	if (!function || function->bytes > UINT32_MAX)
		return;
	point->before = (uint32_t)(address - function->value);
	point->extent = (uint32_t)function->bytes;
	note_function(c, function->name, point->address - point->before);
}

static unsigned given_bytes(const struct dph_compiler *c, const struct dph_point *point)
{
	if (c->target.cpu->number == DP_CPU_IA32)
		return point->opcode_bytes;
	if (c->target.cpu->number == DP_CPU_S390 || point->isa == DP_ISA_THUMB)
		return point->opcode_bytes < 2 ? 2 : point->opcode_bytes;
	return 4;
}

static void check_opcode(struct dph_compiler *c, struct dph_point *point,
			 const struct dp_image *image, uint64_t address)
{
	uint64_t found = 0;
	unsigned bytes = image ? read_insn(c, image, address, point->isa, &found) : 0;
	if (!point->opcode.given) {
		point->opcode.value = found;
		point->insn_bytes = bytes;
		if (!bytes && !c->options->opcode_optional)
			dph_error(c, point->keyword,
				  "probe has no 'opcode =', and there is no ELF to take it from; "
				  "add it, or give --elf FILE");
		return;
	}
	point->insn_bytes = bytes ? bytes : given_bytes(c, point);
	if (bytes && point->opcode.value != found && !c->options->opcode_optional)
		dph_error(c, point->opcode.place,
			  "'opcode' is 0x%llx, but the instruction at 0x%llx is 0x%0*llx; correct "
			  "it, or leave it out",
			  say(point->opcode.value), say(address), (int)bytes * 2, say(found));
}

static void resolve_breakpoint(struct dph_compiler *c, struct dph_point *point)
{
	const struct dp_image *image = code_image(c);
	uint64_t base = image && c->program.modtype != DP_MODULE_KERNEL ? dph_image_base(image) : 0;
	if (point->range) {
		dph_error(c, point->last_place,
			  "a range is for watchpoints only; add 'watchpoint ='");
		return;
	}
	if (point->symbolic && c->program.modtype != DP_MODULE_KERNEL && c->module_file)
		point->address -= dph_image_base(c->module_file);
	choose_isa(c, point, image, point->address + base);
	unsigned align = alignment(c, point);
	uint64_t address = point->address + base;
	if (address & (align - 1)) {
		dph_error(c, point->place,
			  "0x%llx is no instruction address: it must be a multiple of %u",
			  say(address), align);
		return;
	}
	if (image && !check_boundary(c, point, image, address))
		return;
	if (image)
		take_function(c, point, image, address);
	check_opcode(c, point, image, address);
}

/* --- all of them --------------------------------------------------------------------------- */

static void check_duplicate(struct dph_compiler *c, size_t index)
{
	const struct dph_point *point = &c->program.points[index];
	for (size_t i = 0; i < index; i++) {
		const struct dph_point *other = &c->program.points[i];
		bool same = !other->bad && other->address == point->address &&
			    other->kind == point->kind && other->phase == point->phase &&
			    other->minor.value == point->minor.value;
		if (!same)
			continue;
		dph_error(
			c, point->place,
			"another probe has the same address, phase and minor code; change minor =");
		dph_note(c, other->place, "the other one is here");
		return;
	}
}

void dph_resolve_points(struct dph_compiler *c)
{
	for (size_t i = 0; i < c->program.point_count; i++) {
		struct dph_point *point = &c->program.points[i];
		if (point->bad)
			continue;
		if (point->kind == DP_PROBE_BREAK)
			resolve_breakpoint(c, point);
		else
			resolve_watchpoint(c, point);
		check_duplicate(c, i);
	}
}
