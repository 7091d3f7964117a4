/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes resume lets a stopped target go on. */
#include "cmd.h"

#include "cmd_target.h"

int dph_cmd_resume(const struct dph_cli *cli)
{
	int status = DPH_EXIT_USAGE;
	struct dp_session *session = dph_target_open(
		cli, DP_RIGHT_LOOK | DP_RIGHT_INSERT | DP_RIGHT_WRITE, NULL, &status);

	if (session == NULL)
		return status;
	status = dp_session_resume(session) ? DPH_EXIT_DONE : dph_target_failed(cli, session);
	dp_session_close(session);
	return status;
}
