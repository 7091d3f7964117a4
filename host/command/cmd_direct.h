/* SPDX-License-Identifier: BSD-2-Clause */
/* --log-target and --log-mode choose the line of the agent's records and the log mode. The agent
 * keeps both until another request. `insert` and `log` with these options change both and leave the
 * change. `run` and `log` need the records: they direct the records to their own line, print a note
 * if the target was another line, and restore every setting without an option. `run` restores all
 * settings, because its program is removed at the end. */
#ifndef DPH_CMD_DIRECT_H
#define DPH_CMD_DIRECT_H

#include "cmd_target.h"

struct dph_direction {
	const struct dph_cli *cli;
	uint8_t target, mode;          /* asked for; DP_LOG_LEAVE: not asked for */
	struct dp_status_answer found; /* to be put back: its log_target and log_mode */
	uint8_t now_target, now_mode;
};

/* Read the options, before the line is touched. False with *status set when one has a value that
 * means nothing. */
bool dph_direction_init(struct dph_direction *direction, const struct dph_cli *cli, int *status);

/* Change what was asked for, for `insert`. False with *status set, and the sentence printed, when
 * the agent refuses. */
bool dph_direction_take(struct dph_direction *direction, struct dp_session *session, int *status);

/* The same for a command that prints records: without --log-target they come to this line. keep:
 * what was asked for stays when the command has ended. What will not be shown here, and what
 * another command left behind, is said on standard error. Refused when --count could never be
 * reached. */
bool dph_direction_take_here(struct dph_direction *direction, struct dp_session *session, bool keep,
			     int *status);

/* Put back what was found. Does nothing when nothing was changed, or when the line is dead. Returns
 * `status`, or that of the failure when `status` was good. */
int dph_direction_back(struct dph_direction *direction, struct dp_session *session, int status);

#endif
