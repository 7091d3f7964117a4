/* SPDX-License-Identifier: BSD-2-Clause */
/* Expressions about the firmware that a command reads from a target: of `read` and `write`. */
#ifndef DPH_CMD_LOOK_H
#define DPH_CMD_LOOK_H

#include "cmd_target.h"
#include "look/look.h"

struct dph_looking {
	const struct dph_cli *cli;
	struct dph_look_how how;
	unsigned width; /* of accesses; 0: any */
	bool stores;    /* the first expression is a place, which is not read */
	struct dph_images images;
	struct dph_look *look;
	struct dp_session *session;
	bool placed; /* the images are where the target runs them */
};

/* Read the expressions of the command line, and open a session. What is wrong in an expression is
 * said before the line is touched where an ELF file is given.
 * looking: with the members up to `stores`.
 * Returns false with *status set. dph_looking_close frees in any case. */
bool dph_looking_open(struct dph_looking *looking, int *status);
/* Read all that the expressions want. In the same turn as the first memory the image of the target
 * is compared with the ELF file.
 * Returns false with *status set. */
bool dph_looking_read(struct dph_looking *looking, int *status);
/* Say which addresses the board lets be read or written.
 * access: DP_ACCESS_READ or DP_ACCESS_WRITE. what: "read" or "written". */
void dph_looking_tell_rows(const struct dph_looking *looking, uint8_t access, const char *what);

void dph_looking_close(struct dph_looking *looking);

/* Read places of the target in one turn, for dph_tasks_read.
 * session: a struct dp_session.
 * Returns false when the session failed. */
bool dph_session_places(void *session, struct dp_read_place *places, size_t count);

#endif
