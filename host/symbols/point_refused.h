/* SPDX-License-Identifier: BSD-2-Clause */
/* The refusals of a target that follow from the code of an ELF file alone. */
#ifndef DPH_POINT_REFUSED_H
#define DPH_POINT_REFUSED_H

#include <dprobes/host.h>

#include "tables/refuse.h"

/* Would every target with this firmware refuse a probe at the address? A target may refuse more:
 * its ranges, its vectors.
 * why: receives the reason with NOT_PROBEABLE, else DP_REFUSE_NOTHING.
 * Returns the error; DP_ERR_OK: a target may accept the probe. */
enum dp_err dph_point_refused(const struct dp_image *image, const struct dph_isa *isa,
			      uint64_t address, enum dp_refusal *why);

/* The same in words.
 * sentence: receives that of the error. reason: receives more, or an empty text.
 * Returns false: a target may accept the probe. */
bool dph_point_refusal(const struct dp_image *image, const struct dph_isa *isa, uint64_t address,
		       const char **sentence, const char **reason);

#endif
