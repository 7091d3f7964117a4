/* SPDX-License-Identifier: BSD-2-Clause */
/* A probe point is compared with the code of an ELF file. */
#include "point_refused.h"

#include "elf_image.h"
#include "insn_walk.h"
#include "tables/isas.h"

#include <dprobes/errors.h>

#include <string.h>

/* The section that the linker bounds with two symbols; equal: the firmware has no agent. */
static bool in_agent(const struct dp_image *image, uint64_t address)
{
	return address >= dph_image_value(image, "__start_dprobes_text") &&
	       address < dph_image_value(image, "__stop_dprobes_text");
}

/* Is there code, and of this instruction set? *from: of the code around the address. */
static enum dp_err find_code(const struct dp_image *image, const struct dph_isa *of,
			     uint64_t address, uint64_t *from)
{
	const struct dph_isa *isa = NULL;
	if (dph_image_code(image, address, from, &isa) != DPH_CODE_INSNS)
		return DP_ERR_NOT_TEXT;
	return isa == NULL || isa->number == of->number ? DP_ERR_OK : DP_ERR_WRONG_ISA;
}

enum dp_err dph_point_refused(const struct dp_image *image, const struct dph_isa *isa,
			      uint64_t address, enum dp_refusal *why)
{
	struct dph_code code = dph_code_of_image(image, isa);
	const enum dp_err error = find_code(image, isa, address, &code.from);
	*why = DP_REFUSE_NOTHING;
	if (error != DP_ERR_OK)
		return error;
	if (in_agent(image, address))
		return DP_ERR_IN_AGENT;
	return dph_refuse_at(&code, address, why);
}

bool dph_point_refusal(const struct dp_image *image, const struct dph_isa *isa, uint64_t address,
		       const char **sentence, const char **reason)
{
	enum dp_refusal why;
	const enum dp_err error = dph_point_refused(image, isa, address, &why);
	if (error == DP_ERR_OK)
		return false;
	*sentence = dp_error_sentence(error);
	*reason = why != DP_REFUSE_NOTHING ? dp_refusal_sentence(why) : "";
	return true;
}
