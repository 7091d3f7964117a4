/* SPDX-License-Identifier: BSD-2-Clause */
/* What the commands about a stopped target share: the session, the names, the registers. */
#ifndef DPH_STOPPED_H
#define DPH_STOPPED_H

#include "cmd_names.h"

struct dph_stopped {
	const struct dph_cli *cli;
	struct dph_images images;
	const struct dp_image *names; /* null: no names */
	struct dp_session *session;
};

/* Open files and session of the command line.
 * rights: as for dph_target_open.
 * Returns false with *status set when that fails, or the target is not stopped, which is said. */
bool dph_stopped_open(struct dph_stopped *stopped, unsigned rights, int *status);
/* The same in two parts. The names take requests that a firmware that hangs serves only when it is
 * stopped. */
bool dph_stopped_open_session(struct dph_stopped *stopped, unsigned rights, int *status);
void dph_stopped_names(struct dph_stopped *stopped);
void dph_stopped_close(struct dph_stopped *stopped);

/* Print where the target is stopped: "stopped at 0x60010a4c queue_put+0x0 (queue.c:44)".
 * more: stands behind it. */
void dph_stopped_tell(const struct dph_stopped *stopped, uint64_t pc, const char *more);

/* Print all registers of the context that is stopped, and the function of each that is a place in
 * code. Returns false with *status set when the agent refuses. */
bool dph_stopped_print(const struct dph_stopped *stopped, int *status);

/* Is it one of the errors that tell that the target is not stopped? */
bool dph_stopped_not(enum dp_err error);

/* dp_session_step has failed by a refusal. Has the agent told by it that the target is stopped, and
 * that it does not step here? Other refusals tell nothing of the target's state. */
bool dph_stopped_there(const struct dp_session *session, const struct dp_step_answer *answer);

#endif
