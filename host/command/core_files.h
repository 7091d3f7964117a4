/* SPDX-License-Identifier: BSD-2-Clause */
/* The cores that come beside the records of a stream: `exit 3` sends pieces as records, and behind
 * `exit 2` the command takes a core of the stopped target. Each becomes a file PATH.N. */
#ifndef DPH_CORE_FILES_H
#define DPH_CORE_FILES_H

#include "cmd_target.h"
#include "held_records.h"
#include "insertion/placed_images.h"

enum {
	DPH_CRASH = 8,       /* why of HALT's answer, and of the notice STOPPED: exit 2 */
	DPH_CORES_COMING = 8 /* cores whose pieces come at a time; more end the first one */
};

struct dph_core_coming {
	struct dph_held pieces; /* of one hit: their probe and ticks are the same */
	uint64_t came_ms;       /* the latest piece */
};

struct dph_core_files {
	const struct dph_cli *cli;
	struct dph_core_coming coming[DPH_CORES_COMING]; /* in the order of their first pieces */
	size_t coming_count;
	unsigned number;           /* of the latest file */
	unsigned written;          /* files of this command */
	unsigned long left_out;    /* cores of a capture that nobody asked for */
	bool crashed;              /* a notice says that the target is stopped by exit 2 */
	bool failed;               /* a core was not written */
	bool stays;                /* and the target stays stopped */
	const struct dph_cpu *cpu; /* of the target; null: not known */
	const struct dph_module_list *modules;
	unsigned word_bytes;
	bool big_endian;
};

/* Take a record of the kind CORE. A piece that a later hit of the same tick has sent ends the core
 * of the hit before. images: name functions. */
void dph_core_files_add(struct dph_core_files *files, const struct dp_log_record *record,
			const struct dph_images *images);
/* Write each core whose pieces have come, and print its call stack on standard error.
 * silent_ms: only when so long no piece has come; 0: in any case. */
void dph_core_files_end(struct dph_core_files *files, const struct dph_images *images,
			uint64_t silent_ms);
/* The target is stopped by `exit 2`: take its core, and let it go on, with a reset where the board
 * has one. A target whose core is not whole stays stopped, and `failed` is set.
 * Returns false when the session has failed. */
bool dph_core_files_crash(struct dph_core_files *files, struct dp_session *session,
			  const struct dph_images *images);
void dph_core_files_free(struct dph_core_files *files);

/* Let a target that exit 2 has stopped go on as --then says. Returns false when the session has
 * failed, or the agent refuses. */
bool dph_core_go_on(const struct dph_cli *cli, struct dp_session *session);
/* Keep a target stopped whose core was not written, and say so. Returns false when the session has
 * failed. */
bool dph_core_stays(const struct dph_cli *cli, struct dp_session *session);
/* Can a file be made in the folder of the path, which may be null? Returns false with *status set,
 * which is said. */
bool dph_core_path_good(const struct dph_cli *cli, const char *path, int *status);
/* Check --then. Returns false with *status set, which is said. */
bool dph_core_then_good(const struct dph_cli *cli, int *status);

#endif
