/* SPDX-License-Identifier: BSD-2-Clause */
/* A program may need parts that an agent was built without.  protocol/parts.def */
#ifndef DPH_PARTS_H
#define DPH_PARTS_H

#include <dprobes/host.h>

/* Return whether the object uses a part that is not in `parts` (dp_hello). *part receives the
 * part's number; *where a code offset, or UINT32_MAX outside the code. */
bool dph_part_missing(const struct dp_object_file *object, uint64_t parts, unsigned *part,
		      uint32_t *where);

#endif
