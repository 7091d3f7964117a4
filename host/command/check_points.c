/* SPDX-License-Identifier: BSD-2-Clause */
/* This file compares the probe points of an object with the code of an ELF file. */
#include "check_points.h"

#include "base/diag.h"
#include "dp_object.h"
#include "symbols/elf_image.h"
#include "symbols/insn_walk.h"
#include "tables/isas.h"
#include "tables/kinds.h"
#include "symbols/point_refused.h"
#include "tables/registers.h"

#include <inttypes.h>
#include <string.h>

struct checking {
	const struct dp_image *image;
	const struct dph_isa *isa;
};

/* The next instruction of the function that a target may accept; 0: none. */
static uint64_t next_address(const struct checking *c, uint64_t address)
{
	const struct dp_symbol *function = dp_image_function(c->image, address);
	const uint64_t end = function != NULL ? function->value + function->bytes : address;
	enum dp_refusal why;

	for (;;) {
		const unsigned bytes = dph_insn_bytes_at(c->image, c->isa, address);

		address += bytes;
		if (bytes == 0 || address >= end)
			return 0;
		if (dph_point_refused(c->image, c->isa, address, &why) == DP_ERR_OK)
			return address;
	}
}

static void tell(const struct checking *c, unsigned index, const struct dp_point_info *point,
		 enum dp_err error, enum dp_refusal why, const char *name,
		 struct dp_messages *messages)
{
	const char *reason = why != DP_REFUSE_NOTHING ? dp_refusal_sentence(why) : "";
	const struct dp_message where = {.severity = DP_ERROR, .file = (char *)name, .alone = true};
	const struct dp_message note = {.severity = DP_NOTE};
	const uint64_t next = next_address(c, point->address);

	dph_message(messages, &where, "probe point %u (minor %u, 0x%08" PRIx64 "): %s%s%s", index,
		    point->minor, point->address, dp_error_sentence(error),
		    *reason != '\0' ? ": " : "", reason);
	if (next != 0)
		dph_message(messages, &note,
			    "probe point %u: the next address that can be probed is 0x%08" PRIx64,
			    index, next);
}

/* Points of modules are in other files. */
static bool in_firmware(const struct dp_object_file *object, const struct dp_point_info *point)
{
	struct dp_module_info module;

	return point->kind == DP_PROBE_BREAK && dp_object_module(object, point->module, &module) &&
	       module.type == DP_MODULE_KERNEL;
}

static bool check_points(struct checking *c, const struct dp_object_file *object, const char *name,
			 struct dp_messages *messages)
{
	const size_t before = messages->errors;
	struct dp_program_info program;
	struct dp_point_info point;
	enum dp_refusal why;

	dp_object_program(object, &program);
	for (unsigned i = 0; dp_object_point(object, i, &point); i++) {
		enum dp_err error = DP_ERR_OK;

		c->isa = dph_isa_numbered(dph_cpu_numbered(program.cpu), point.isa);
		if (c->isa != NULL && in_firmware(object, &point))
			error = dph_point_refused(c->image, c->isa, point.address, &why);
		if (error != DP_ERR_OK)
			tell(c, i, &point, error, why, name, messages);
	}
	return messages->errors == before;
}

/* Say that a target may refuse points which this check accepts. */
static void tell_unchecked(const struct dp_image *image, const struct dp_program_info *program,
			   const char *name, struct dp_messages *messages)
{
	const struct dp_message note = {.severity = DP_NOTE};
	const struct dph_cpu *cpu = dph_cpu_numbered(program->cpu);
	const char *why = cpu != NULL ? dph_absent(cpu, DPH_ROW_DECODER) : NULL;
	struct dp_image_info info;

	dp_image_info(image, &info);
	if (info.elf && why != NULL)
		dph_message(messages, &note,
			    "%s: the instructions at the probe points are not checked: %s", name,
			    why);
}

/* Are file and program for one CPU? */
static bool same_cpu(const struct dp_image *image, const struct dp_program_info *program,
		     struct dp_messages *messages)
{
	const struct dph_cpu *cpu = dph_cpu_numbered(program->cpu);
	const char *other = dph_image_cpu_text(image);
	struct dp_image_info info;

	dp_image_info(image, &info);
	if (cpu == NULL || dph_image_takes(image, cpu))
		return true;
	dph_file_error(messages, info.path,
		       "the file is for %s (e_machine %u), the program is for %s; give the ELF "
		       "file of the program's firmware",
		       other != NULL ? other : "another CPU", info.machine, cpu->name);
	return false;
}

bool dph_check_points(const struct dp_object_file *object, const char *elf, const char *name,
		      struct dp_messages *messages)
{
	struct dp_image *image = elf != NULL ? dp_image_open(elf, messages) : NULL;
	struct dp_program_info program;
	struct checking checking;
	bool good;

	if (image == NULL)
		return elf == NULL;
	dp_object_program(object, &program);
	dp_image_move(image, program.moved);
	checking = (struct checking){.image = image};
	good = same_cpu(image, &program, messages) &&
	       check_points(&checking, object, name, messages);
	if (good)
		tell_unchecked(image, &program, name, messages);
	dp_image_close(image);
	return good;
}
