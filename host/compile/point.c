/* SPDX-License-Identifier: BSD-2-Clause */
/* This step finds the place of a probe point: address, instruction set, expected instruction,
 * extent. */
#define _GNU_SOURCE
#include "steps.h"

#include "dp_functions.h"
#include "dp_object.h"
#include "symbols/elf_image.h"
#include "symbols/hooks.h"
#include "symbols/insn_walk.h"
#include "tables/decoders.h"
#include "tables/isas.h"
#include "tables/returns.h"

#include <string.h>

static unsigned long long say(uint64_t address)
{
	return (unsigned long long)address;
}

/* --- watchpoints --------------------------------------------------------------------------- */

/* The target tells which kinds, lengths and alignments it has. */
static void resolve_watchpoint(struct dph_compilation *c, struct dph_point *point)
{
	if (point->last - point->address >= UINT32_MAX)
		dph_error(c, point->place, "a watchpoint cannot be longer than %u bytes",
			  UINT32_MAX);
}

/* --- breakpoints --------------------------------------------------------------------------- */

static const struct dph_isa *isa_of(const struct dph_compilation *c, const struct dph_point *point)
{
	return dph_isa_numbered(c->program.target.cpu, point->isa);
}

static bool check_boundary(struct dph_compilation *c, const struct dph_point *point,
			   const struct dp_image *image, uint64_t address)
{
	struct dp_image_info info;
	const struct dph_isa *isa;
	uint64_t start = 0;
	unsigned bytes = 0;
	dp_image_info(image, &info);
	switch (dph_image_code(image, address, &start, &isa)) {
	case DPH_CODE_NONE:
		dph_error(c, point->place, "0x%llx is not in an executable section of %s",
			  say(address), info.path);
		return false;
	case DPH_CODE_DATA:
		dph_error(c, point->place,
			  "0x%llx is data among the code of %s, not an instruction", say(address),
			  info.path);
		return false;
	case DPH_CODE_INSNS:
		break;
	}
	start = isa ? dph_insn_around(image, isa, start, address, &bytes) : address;
	if (start == address)
		return true;
	dph_error(c, point->place,
		  "0x%llx is in the middle of a %u-bit %s instruction; probe 0x%llx", say(address),
		  bytes * 8, isa->name, say(start));
	return false;
}

/* The instruction set of the point: by the symbol or the address, but the ELF file decides.
 * base: from the point's address to the address in the image. */
static void choose_isa(const struct dph_compilation *c, struct dph_point *point,
		       const struct dp_image *image, uint64_t base)
{
	const struct dph_cpu *cpu = c->program.target.cpu;
	const struct dph_isa *named = dph_isa_addressed(cpu, point->address), *found = NULL;
	uint64_t start;
	if (point->symbolic && dph_isa_numbered(cpu, point->symbol_isa))
		point->isa = point->symbol_isa;
	if (named && !point->symbolic) {
		point->isa = named->number;
		point->address &= ~named->address_bit;
	}
	if (image && dph_image_code(image, point->address + base, &start, &found) && found &&
	    dph_isa_numbered(cpu, found->number))
		point->isa = found->number;
}

/* For readers of the object: the function's name stays on the host, with the symbols. */
static void note_function(struct dph_compilation *c, const char *name, uint64_t start)
{
	const struct dph_names *names = &c->program.symbols;
	for (size_t i = 0; i < names->count; i++)
		if (names->list[i].value == start && strcmp(names->list[i].text, name) == 0)
			return;
	dph_ir_symbol(&c->program, name, start);
}

static void take_function(struct dph_compilation *c, struct dph_point *point,
			  const struct dp_image *image, uint64_t address)
{
	const struct dp_symbol *function = dp_image_function(image, address);
	const struct dph_isa *isa;
	uint64_t start;
	if (!function || function->bytes > UINT32_MAX)
		return;
	note_function(c, function->name, point->address - (address - function->value));
	/* The extent has no data, and a short way from its start to the point. */
	if (dph_image_code(image, address, &start, &isa) != DPH_CODE_INSNS ||
	    start < function->value)
		start = function->value;
	start = dph_insn_near(image, isa_of(c, point), start, address, DP_FUNCTIONS_REACH);
	point->before = (uint32_t)(address - start);
	point->extent = (uint32_t)(function->bytes - (start - function->value));
}

/* The place of a static hook holds a no-op, which the hit stands for. */
static void check_noop(struct dph_compilation *c, const struct dph_point *point,
		       const struct dp_image *image, uint64_t address)
{
	const struct dph_isa *isa = isa_of(c, point);
	struct dp_image_info info;
	struct dp_insn insn;
	if (!point->hook || !image || !dph_exits_known(isa) ||
	    !dph_insn_at(image, isa, address, &insn) ||
	    dph_exit_of(isa, &insn).kind == DPH_EXIT_PAD)
		return;
	dp_image_info(image, &info);
	dph_error(c, point->place,
		  "hook '%s:::%s' at 0x%llx is no no-op in %s: something has changed its text "
		  "behind the compiler; link the firmware again",
		  point->hook->provider, point->hook->name, say(address), info.path);
}

static unsigned given_bytes(const struct dph_compilation *c, const struct dph_point *point)
{
	unsigned unit = isa_of(c, point)->unit;
	return point->opcode_bytes < unit ? unit : point->opcode_bytes;
}

static void check_opcode(struct dph_compilation *c, struct dph_point *point,
			 const struct dp_image *image, uint64_t address)
{
	uint32_t found = 0;
	unsigned bytes = image ? dph_opcode_at(image, isa_of(c, point), address, &found) : 0;
	if (!point->opcode.given) {
		/* Of an instruction that relocations change the file has another form. */
		const bool changed = bytes && dph_image_relocated(image, address, bytes);
		point->opcode.value = changed ? 0 : found;
		point->insn_bytes = changed ? 0 : bytes;
		if (!bytes && !c->options->opcode_optional)
			dph_error(c, point->keyword,
				  "probe has no 'opcode =', and no ELF gives the opcode; add "
				  "'opcode =', or give --elf FILE");
		return;
	}
	point->insn_bytes = bytes ? bytes : given_bytes(c, point);
	if (bytes && point->opcode.value != found && !dph_image_relocated(image, address, bytes) &&
	    !c->options->opcode_optional)
		dph_error(c, point->opcode.place,
			  "'opcode' is 0x%llx, but the instruction at 0x%llx is 0x%0*llx; correct "
			  "it, or leave it out",
			  say(point->opcode.value), say(address), (int)bytes * 2, say(found));
}

/* Some instructions do not do under a probe all that they do without. */
static void tell_caveat(struct dph_compilation *c, const struct dph_point *point,
			const struct dp_image *image, uint64_t address)
{
	const struct dp_decoder *decoder = dph_decoder_of(c->program.target.cpu->number);
	struct dp_insn insn;
	const char *caveat = NULL;
	if (decoder && decoder->caveat && dph_insn_at(image, isa_of(c, point), address, &insn))
		caveat = decoder->caveat(&insn);
	if (caveat)
		dph_warning(c, point->place, "the instruction at 0x%llx %s", say(address), caveat);
}

static void resolve_breakpoint(struct dph_compilation *c, struct dph_point *point)
{
	const struct dp_image *image = dph_images_code(&c->images, c->program.header.modtype);
	uint64_t base =
		image && c->program.header.modtype != DP_MODULE_KERNEL ? dph_image_base(image) : 0;
	if (point->symbolic && c->program.header.modtype != DP_MODULE_KERNEL && c->images.module)
		point->address -= dph_image_base(c->images.module);
	choose_isa(c, point, image, base);
	unsigned align = isa_of(c, point)->align;
	uint64_t address = point->address + base;
	if (address & (align - 1)) {
		dph_error(c, point->place, "0x%llx is no instruction address: use a multiple of %u",
			  say(address), align);
		return;
	}
	if (image && !check_boundary(c, point, image, address))
		return;
	if (image) {
		take_function(c, point, image, address);
		check_noop(c, point, image, address);
		tell_caveat(c, point, image, address);
	}
	check_opcode(c, point, image, address);
}

/* --- all of them --------------------------------------------------------------------------- */

static void check_duplicate(struct dph_compilation *c, size_t index)
{
	const struct dph_point *point = &c->program.points[index];
	for (size_t i = 0; i < index; i++) {
		const struct dph_point *other = &c->program.points[i];
		bool same = other->address == point->address && other->kind == point->kind &&
			    other->phase == point->phase && other->minor == point->minor;
		if (!same)
			continue;
		dph_error(
			c, point->place,
			"another probe has the same address, phase and minor code; change minor =");
		dph_note(c, other->place, "the other probe is here");
		return;
	}
}

void dph_resolve_points(struct dph_compilation *c)
{
	for (size_t i = 0; i < c->program.point_count; i++) {
		struct dph_point *point = &c->program.points[i];
		point->isa = dph_isa_usual(c->program.target.cpu)->number;
		if (point->kind == DP_PROBE_BREAK)
			resolve_breakpoint(c, point);
		else if (DP_POINTS_WATCHED >> point->kind & 1)
			resolve_watchpoint(c, point);
		check_duplicate(c, i);
	}
}
