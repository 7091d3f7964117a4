/* SPDX-License-Identifier: BSD-2-Clause */
/* The log options set the target and mode of the log, and restore both at the end of a command. */
#include "cmd_direct.h"

#include "present/words.h"

#include <string.h>
#include <strings.h>

struct choice {
	const char *word;
	uint8_t value;
};

static bool choose(const struct dph_cli *cli, enum dph_cli_option option,
		   const struct choice *choices, size_t count, uint8_t *value)
{
	const char *word = dph_cli_get(cli, option);

	*value = DP_LOG_LEAVE;
	for (size_t i = 0; word != NULL && i < count; i++)
		if (strcasecmp(word, choices[i].word) == 0)
			*value = choices[i].value;
	return word == NULL || *value != DP_LOG_LEAVE;
}

bool dph_direction_form(const struct dph_cli *cli, enum dp_compact *form, int *status)
{
	static const struct choice forms[] = {
		{"auto", DP_COMPACT_AUTO}, {"on", DP_COMPACT_ON}, {"off", DP_COMPACT_OFF}};
	uint8_t value;

	if (!choose(cli, DPH_OPT_COMPACT, forms, 3, &value)) {
		*status = dph_cli_usage(cli, "--compact: '%s' is not AUTO, ON or OFF",
					dph_cli_get(cli, DPH_OPT_COMPACT));
		return false;
	}
	*form = value == DP_LOG_LEAVE ? DP_COMPACT_AUTO : (enum dp_compact)value;
	return true;
}

bool dph_direction_init(struct dph_direction *direction, const struct dph_cli *cli, int *status)
{
	static const struct choice targets[] = {
		{"com1", DP_LOG_COM1}, {"com2", DP_LOG_COM2}, {"none", DP_LOG_NONE}};
	static const struct choice modes[] = {{"synchronous", DP_LOG_SYNCHRONOUS},
					      {"buffered", DP_LOG_BUFFERED}};

	memset(direction, 0, sizeof *direction); /* found holds the present settings */
	direction->cli = cli;
	if (!choose(cli, DPH_OPT_LOG_TARGET, targets, 3, &direction->target)) {
		*status = dph_cli_usage(cli, "--log-target: '%s' is not COM1, COM2 or NONE",
					dph_cli_get(cli, DPH_OPT_LOG_TARGET));
		return false;
	}
	if (dph_cli_has(cli, DPH_OPT_ACKNOWLEDGED) && dph_cli_get(cli, DPH_OPT_LOG_MODE) != NULL) {
		*status = dph_cli_usage(cli, "--acknowledged is a mode of the log: leave "
					     "--log-mode out");
		return false;
	}
	if (!choose(cli, DPH_OPT_LOG_MODE, modes, 2, &direction->mode)) {
		*status = dph_cli_usage(cli, "--log-mode: '%s' is not SYNCHRONOUS or BUFFERED",
					dph_cli_get(cli, DPH_OPT_LOG_MODE));
		return false;
	}
	if (dph_cli_has(cli, DPH_OPT_ACKNOWLEDGED))
		direction->mode = DP_LOG_ACKNOWLEDGED;
	return dph_direction_form(cli, &direction->compact, status);
}

static bool change(struct dph_direction *direction, struct dp_session *session, uint8_t target,
		   int *status)
{
	const uint8_t mode = direction->mode;

	if ((target == DP_LOG_LEAVE || target == direction->now_target) &&
	    (mode == DP_LOG_LEAVE || mode == direction->now_mode))
		return true;
	/* ^C before the answer: the agent may have executed the request */
	direction->now_target = target != DP_LOG_LEAVE ? target : direction->now_target;
	direction->now_mode = mode != DP_LOG_LEAVE ? mode : direction->now_mode;
	if (dp_session_log(session, target, mode, &direction->now_target, &direction->now_mode))
		return true;
	*status = dph_target_failed(direction->cli, session);
	return false;
}

static bool look(struct dph_direction *direction, struct dp_session *session, int *status)
{
	if (!dp_session_status(session, &direction->found)) {
		*status = dph_target_failed(direction->cli, session);
		return false;
	}
	direction->now_target = direction->found.log_target;
	direction->now_mode = direction->found.log_mode;
	return true;
}

bool dph_direction_take(struct dph_direction *direction, struct dp_session *session, int *status)
{
	if (direction->target == DP_LOG_LEAVE && direction->mode == DP_LOG_LEAVE)
		return true;
	return look(direction, session, status) &&
	       change(direction, session, direction->target, status);
}

/* Records that --log-target sends to another line do not count here, nor are they acknowledged. */
static bool can_count(const struct dph_direction *direction, uint8_t target, int *status)
{
	if (direction->mode == DP_LOG_ACKNOWLEDGED) {
		*status = dph_cli_usage(direction->cli,
					"--acknowledged keeps records for this line (%s), and "
					"--log-target sends records %s%s; leave one of the two out",
					dph_log_line_name(direction->found.line),
					target == DP_LOG_NONE ? "" : "to ",
					dph_log_line_name(target));
		return false;
	}
	if (direction->cli->count == 0)
		return true;
	*status = dph_cli_usage(direction->cli,
				"--count waits for records on this line (%s), and --log-target "
				"sends records %s%s; leave one of the two out",
				dph_log_line_name(direction->found.line),
				target == DP_LOG_NONE ? "" : "to ", dph_log_line_name(target));
	return false;
}

static bool tell(const struct dph_direction *direction, int *status)
{
	const struct dp_status_answer *found = &direction->found;
	const bool asked = direction->target != DP_LOG_LEAVE;
	const uint8_t target = asked                         ? direction->target
			       : found->line == DP_LOG_LEAVE ? found->log_target
							     : found->line;
	const char *where = dph_log_line_name(target);

	if (target != found->line && found->line != DP_LOG_LEAVE &&
	    !can_count(direction, target, status))
		return false;
	if (direction->cli->quiet)
		return true;
	if (target == DP_LOG_NONE)
		fprintf(stderr, "dprobes: records go nowhere: choose --log-target\n");
	else if (found->line == DP_LOG_LEAVE)
		fprintf(stderr,
			"dprobes: records go to %s; this agent does not report which line this is: "
			"if no record arrives, choose --log-target\n",
			where);
	else if (target != found->line)
		fprintf(stderr,
			"dprobes: records go to %s because of --log-target; no record "
			"appears on this line, %s\n",
			where, dph_log_line_name(found->line));
	else if (found->log_target != target)
		fprintf(stderr,
			"dprobes: records went to %s, as an earlier command chose; until this "
			"command ends, records go to this line, %s; 'dprobes log --log-target %s' "
			"keeps this line\n",
			dph_log_line_name(found->log_target), where, where);
	if (direction->mode == DP_LOG_LEAVE && found->log_mode == DP_LOG_SYNCHRONOUS)
		fprintf(stderr, "dprobes: records leave inside the hit, as an earlier command "
				"chose; --log-mode buffered changes that\n");
	return true;
}

/* The records have come to this line just now: the agent's counts tell the number of the next one.
 */
static bool place(const struct dph_direction *direction, struct dp_session *session, int *status)
{
	struct dp_status_answer counts;

	if (direction->found.log_target == direction->now_target ||
	    dp_session_status(session, &counts))
		return true;
	*status = dph_target_failed(direction->cli, session);
	return false;
}

/* Choose the form of the lines that this command reads. Other tools read the lines that a format
 * prints. */
static bool take_form(const struct dph_direction *direction, struct dp_session *session,
		      int *status)
{
	const struct dph_cli *cli = direction->cli;
	const bool shown = direction->compact == DP_COMPACT_AUTO && cli->format->line != NULL;
	bool now;

	if (!dph_direction_is_here(direction) || shown)
		return true;
	if (!dp_session_compact(session, direction->compact, &now)) {
		*status = dph_target_failed(cli, session);
		return false;
	}
	if (direction->compact == DP_COMPACT_ON && !now && !cli->quiet)
		fprintf(stderr,
			"dprobes: lines stay hexadecimal while another command of this line "
			"does without --compact, or 'dprobes serve' does\n");
	return true;
}

bool dph_direction_take_here(struct dph_direction *direction, struct dp_session *session, bool keep,
			     int *status)
{
	struct dp_status_answer *found = &direction->found;
	const uint8_t asked = direction->target;

	if (!look(direction, session, status) || !tell(direction, status) ||
	    !change(direction, session, asked != DP_LOG_LEAVE ? asked : found->line, status) ||
	    !place(direction, session, status) || !take_form(direction, session, status))
		return false;
	if (keep && asked != DP_LOG_LEAVE)
		found->log_target = asked;
	if (keep && direction->mode != DP_LOG_LEAVE && direction->mode != DP_LOG_ACKNOWLEDGED)
		found->log_mode = direction->mode;
	return true;
}

int dph_direction_back(struct dph_direction *direction, struct dp_session *session, int status)
{
	const struct dp_status_answer *found = &direction->found;
	int failed;

	if (dp_session_failure(session)->kind == DP_FAILED_LINK ||
	    (found->log_target == direction->now_target && found->log_mode == direction->now_mode))
		return status;
	dph_target_clear_up();
	if (dp_session_log(session, found->log_target, found->log_mode, &direction->now_target,
			   &direction->now_mode))
		return status;
	failed = dph_target_failed(direction->cli, session);
	if (dp_session_failure(session)->kind == DP_FAILED_INTERRUPTED)
		dph_cli_error(direction->cli,
			      "records may still leave by %s; the line before was %s: see 'dprobes "
			      "info' and --log-target",
			      dph_log_line_name(direction->now_target),
			      dph_log_line_name(found->log_target));
	return status == DPH_EXIT_DONE ? failed : status;
}
