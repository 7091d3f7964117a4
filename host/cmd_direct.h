/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the agent's records go, and how: --log-target and --log-mode.
 *
 * The agent keeps both until somebody changes them: `insert` and `log` with these options do, and
 * leave it so. `run` and `log` want the records themselves: they bring them to their own line, say
 * so when they went elsewhere, and put back what they were not told to change. `run` puts back all:
 * its program is gone at the end. */
#ifndef DP_CMD_DIRECT_H
#define DP_CMD_DIRECT_H

#include "cmd_target.h"

struct dp_direction {
	const struct dp_cli *cli;
	uint8_t target, mode;          /* asked for; DP_LOG_LEAVE: not asked for */
	struct dp_target_status found; /* to be put back: its log_target and log_mode */
	uint8_t now_target, now_mode;
};

/* Read the options, before the line is touched. False with *status set when one has a value that
 * means nothing. */
bool dp_direction_init(struct dp_direction *direction, const struct dp_cli *cli, int *status);

/* Change what was asked for, for `insert`. False with *status set, and the sentence printed, when
 * the agent refuses. */
bool dp_direction_take(struct dp_direction *direction, struct dp_session *session, int *status);

/* The same for a command that prints records: without --log-target they come to this line. keep:
 * what was asked for stays when the command has ended. What will not be shown here, and what
 * another command left behind, is said on standard error. Refused when --count could never be
 * reached. */
bool dp_direction_take_here(struct dp_direction *direction, struct dp_session *session, bool keep,
			    int *status);

/* Put back what was found. Does nothing when nothing was changed, or when the line is dead. Returns
 * `status`, or that of the failure when `status` was good. */
int dp_direction_back(struct dp_direction *direction, struct dp_session *session, int status);

#endif
