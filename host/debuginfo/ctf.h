/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of CTF finds types in a .ctf section (Compact C Type Format, version 3), for firmware
 * without DWARF. */
#ifndef DPH_CTF_H
#define DPH_CTF_H

#include "debuginfo.h"
#include "type.h"

/* Definition of a name; kind as in dph_dwarf_type_named. Null: none. Of several that differ, the
 * one that most files share is found. */
const struct dph_type *dph_ctf_type_named(struct dp_debuginfo *debug, enum dph_type_kind kind,
					  const char *name, const struct dph_within *within,
					  struct dph_meanings *meanings);
/* Return the type of a symbol. Null: the section has none. */
const struct dph_type *dph_ctf_function(struct dp_debuginfo *debug, const char *name);
const struct dph_type *dph_ctf_variable(struct dp_debuginfo *debug, const char *name);

/* Call `visit` for each enumerator of the name, with the file of its enum. */
typedef void dph_ctf_visit(void *context, const char *file, int64_t value);
void dph_ctf_enumerators(struct dp_debuginfo *debug, const char *name,
			 const struct dph_within *within, dph_ctf_visit *visit, void *context);

void dph_ctf_free(struct dph_ctf *ctf);

#endif
