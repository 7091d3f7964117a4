/* SPDX-License-Identifier: BSD-2-Clause */
/* --log-target, --log-mode and --acknowledged choose the line of the agent's records and the log
 * mode; --compact chooses the form of the lines that this command reads. The agent keeps both until
 * another request. `insert` and `log` with these options change both and leave the change. `run`
 * and `log` need the records: they direct the records to their own line, print a note if the target
 * was another line, and restore every setting without an option. `run` restores all settings,
 * because its program is removed at the end. */
#ifndef DPH_CMD_DIRECT_H
#define DPH_CMD_DIRECT_H

#include "cmd_target.h"

struct dph_direction {
	const struct dph_cli *cli;
	uint8_t target, mode;          /* asked for; DP_LOG_LEAVE: not asked for */
	struct dp_status_answer found; /* to be put back: its log_target and log_mode */
	uint8_t now_target, now_mode;
	enum dp_compact compact; /* --compact */
};

/* Do the records come to this line? */
static inline bool dph_direction_is_here(const struct dph_direction *direction)
{
	return direction->now_target == direction->found.line;
}

/* Read the options, before the line is touched. False with *status set when one has a value that
 * means nothing. */
bool dph_direction_init(struct dph_direction *direction, const struct dph_cli *cli, int *status);

/* Read --compact. False with *status set when its value means nothing. */
bool dph_direction_form(const struct dph_cli *cli, enum dp_compact *form, int *status);

/* Apply the options, for `insert`. Returns false with *status set, and prints the sentence, when
 * the agent refuses. */
bool dph_direction_take(struct dph_direction *direction, struct dp_session *session, int *status);

/* Apply the options for a command that prints records. Without --log-target the records come to
 * this line.
 * keep: the settings of the options stay when the command ends.
 * The function prints a note about records that this command will not show, and about settings
 * of another command. The function refuses a --count that no record can reach. */
bool dph_direction_take_here(struct dph_direction *direction, struct dp_session *session, bool keep,
			     int *status);

/* Restore the settings from before dph_direction_take. Does nothing when nothing changed, or
 * when the line is dead. Returns `status`, or the status of the failure when `status` was good. */
int dph_direction_back(struct dph_direction *direction, struct dp_session *session, int status);

#endif
