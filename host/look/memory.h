/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory of the target, as far as it was read, and the places that expressions still want. */
#ifndef DPH_LOOK_MEMORY_H
#define DPH_LOOK_MEMORY_H

#include "base/pool.h"

#include <dprobes/session.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dph_look_memory {
	struct dph_pool pool;         /* of the data */
	struct dp_read_place *places; /* read, or wanted */
	size_t count, capacity;
	size_t tried; /* somebody has tried to read the places before this one */
};

/* Return the bytes; null: they are not known, and wanted from now on where nobody has tried to read
 * them.
 * have: receives how many are known, of bytes that cannot all be read. */
const uint8_t *dph_look_bytes(struct dph_look_memory *memory, uint64_t address, size_t bytes,
			      size_t *have);
/* Return the bytes where all of them were read; else null. Nothing is wanted. */
const uint8_t *dph_look_known(const struct dph_look_memory *memory, uint64_t address, size_t bytes);
/* Were these bytes read, and not all of them are there? */
bool dph_look_failed(const struct dph_look_memory *memory, uint64_t address, size_t bytes);
/* Forget what was read. */
void dph_look_forget_memory(struct dph_look_memory *memory);
void dph_look_free_memory(struct dph_look_memory *memory);

#endif
