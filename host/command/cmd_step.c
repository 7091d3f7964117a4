/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes step executes instructions of a stopped target. */
#include "cmd.h"

#include "stopped.h"

#include <errno.h>
#include <stdlib.h>

enum {
	MOST = UINT16_MAX
};

static bool read_count(const struct dph_cli *cli, uint16_t *count)
{
	const char *text = cli->arg_count > 0 ? cli->args[0] : "1";
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 0);
	*count = (uint16_t)value;
	if (end != text && *end == '\0' && errno == 0 && *text != '-' && value >= 1 &&
	    value <= MOST)
		return true;
	dph_cli_error(cli, "'%s' is no number of instructions from 1 to %d", text, MOST);
	return false;
}

/* Tell what the agent says of the instruction at which it steps no further. */
static int refuse(const struct dph_stopped *stopped, const struct dp_step_answer *answer)
{
	if (answer->refusal != 0 || answer->left != 0)
		dph_stopped_tell(stopped, answer->pc, "");
	return dph_target_failed(stopped->cli, stopped->session);
}

/* Look where the target is stopped behind the steps. */
static int look(const struct dph_stopped *stopped)
{
	const struct dp_step_request none = {.count = 0};
	struct dp_step_answer answer;
	bool good;

	do {
		good = dp_session_step(stopped->session, &none, &answer);
	} while (good && answer.left != 0);
	if (!good && dp_session_failure(stopped->session)->kind == DP_FAILED_AGENT &&
	    dph_stopped_not(dp_session_failure(stopped->session)->error)) {
		dph_cli_error(
			stopped->cli,
			"the target is no longer stopped: the instruction has faulted, and "
			"the firmware handles the fault, or another command or a time-out has "
			"let the target go on");
		return DPH_EXIT_AGENT;
	}
	if (!good && !dph_stopped_there(stopped->session, &answer))
		return dph_target_failed(stopped->cli, stopped->session);
	if (!good && answer.left != 0)
		return refuse(stopped, &answer);
	dph_stopped_tell(stopped, answer.pc, "");
	return DPH_EXIT_DONE;
}

static int step(const struct dph_stopped *stopped, uint16_t count)
{
	const struct dp_step_request request = {.count = count};
	struct dp_step_answer answer;

	if (!dp_session_step(stopped->session, &request, &answer))
		return refuse(stopped, &answer);
	return look(stopped);
}

int dph_cmd_step(const struct dph_cli *cli)
{
	struct dph_stopped stopped = {.cli = cli};
	int status = DPH_EXIT_USAGE;
	uint16_t count;

	if (!read_count(cli, &count))
		return status;
	if (dph_stopped_open(&stopped, DP_RIGHT_LOOK | DP_RIGHT_INSERT | DP_RIGHT_WRITE, &status))
		status = step(&stopped, count);
	dph_stopped_close(&stopped);
	return status;
}
