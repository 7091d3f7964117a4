/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of a stopped target that commands have read so far, in a file beside the core:
 * `dprobes core` goes on where a command has ended, while the target stays in the same stop. */
#ifndef DPH_CORE_PART_H
#define DPH_CORE_PART_H

#include "base/pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct dp_register;
struct dp_session;
struct dph_core;

/* All zero: there is no file. */
struct dph_core_part {
	char *path;
	FILE *out;    /* null: nothing is written */
	bool another; /* the file was of another stop, and begins anew */
};

/* Receives a piece of the file. The data ends with the call. */
typedef void dph_core_part_taker(void *context, uint64_t address, const uint8_t *data,
				 size_t bytes);

/* Make what tells the stop of the target from another one: the start of the agent, the modules of
 * the core, the registers, the memory that the core has by now, the hits of the probes at the pc
 * and the records of the stream. Each stop by `exit 1` or `exit 2` is a hit with a record. Returns
 * false where no armed probe stands at the pc, as in a stop by a request or behind a step, or where
 * its records go to the flight recorder: such a stop cannot be told from the next one.
 */
bool dph_core_part_key(struct dp_session *session, const struct dph_core *core,
		       const struct dp_register *registers, size_t count, uint64_t pc,
		       struct dph_bytes *key);
/* Open PATH.partial, or make it. key: of dph_core_part_key.
 * Each whole piece goes to `take`, where the file is of the same stop; what is behind a broken one
 * is cut. A file of another stop begins anew.
 * Returns false with errno, and writes nothing from then on; EEXIST: the file is another one.
 * dph_core_part_close frees in any case.
 */
bool dph_core_part_open(struct dph_core_part *part, const char *path, const struct dph_bytes *key,
			dph_core_part_taker *take, void *context);
/* Append a piece, at most DPH_CORE_PART_MAX bytes. */
void dph_core_part_add(struct dph_core_part *part, uint64_t address, const uint8_t *data,
		       size_t bytes);
/* Let the file outlive this process. Returns false with errno where it cannot be written: then it
 * is removed. */
bool dph_core_part_flush(struct dph_core_part *part);
/* remove: the core is whole. */
void dph_core_part_close(struct dph_core_part *part, bool remove);

enum {
	DPH_CORE_PART_MAX = 4096
};

#endif
