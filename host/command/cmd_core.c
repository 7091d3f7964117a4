/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes core writes registers, tasks and memory of the firmware to a file that gdb opens. */
#include "cmd.h"

#include "core_take.h"

int dph_cmd_core(const struct dph_cli *cli)
{
	struct dph_core_wish wish = {.path = cli->output, .small = dph_cli_has(cli, DPH_OPT_SMALL)};
	struct dph_images images = {0};
	struct dp_session *session = NULL;
	int status = DPH_EXIT_USAGE;

	if (wish.path == NULL)
		return dph_cli_usage(cli, "a core is a file: give its name (--output FILE)");
	if (!dph_core_ranges_read(cli, &wish.ranges, &status))
		return status;
	if (dph_names_open(cli, &images, &status))
		session = dph_target_open(cli, DP_RIGHT_LOOK | DP_RIGHT_INSERT, NULL, &status);
	if (session != NULL && !dp_session_has_part(session, DP_PART_MEMORY))
		status = dph_target_failed(cli, session);
	else if (session != NULL && dph_images_names(&images) != NULL &&
		 dph_names_for(cli, session, &images) == NULL)
		status = DPH_EXIT_AGENT;
	else if (session != NULL)
		status = dph_core_take(cli, session, &images, &wish);
	dp_session_close(session);
	dph_images_close(&images);
	return status;
}
