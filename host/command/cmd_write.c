/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes write stores a number or pointer in the memory of the firmware. */
#include "cmd.h"

#include "cmd_look.h"

/* Has the session the right? Else say what it takes. */
static bool may_write(const struct dph_looking *looking)
{
	const struct dp_hello_answer *target = dp_session_target(looking->session);

	if (target->rights & DP_RIGHT_WRITE)
		return true;
	dph_cli_error(looking->cli,
		      target->profile == 0
			      ? "the agent only reads: build the firmware with "
				"DP_PROFILE=DP_PROFILE_FULL"
			      : "the agent gives this session no right to change the firmware");
	return false;
}

/* Print why an expression has no value. Returns whether all have one. */
static bool have_values(const struct dph_looking *looking)
{
	bool all = true;

	for (size_t i = 0; i < dph_look_count(looking->look); i++) {
		const struct dph_looked *looked = dph_look_at(looking->look, i);

		if (looked->why == NULL)
			continue;
		dph_cli_error(looking->cli, "%s: %s", looked->name, looked->why);
		all = false;
	}
	return all;
}

static int store(const struct dph_looking *looking)
{
	const struct dph_cli *cli = looking->cli;
	struct dp_messages messages = {0};
	struct dph_look_store to;
	unsigned long long missing;
	const bool good = dph_look_assign(looking->look, &to, &messages);
	size_t stored;

	dph_cli_report(cli, &messages);
	if (!good)
		return DPH_EXIT_USAGE;
	if (!dp_session_store(looking->session, to.address, to.data, to.bytes, &stored))
		return dph_target_failed(cli, looking->session);
	if (stored == to.bytes)
		return DPH_EXIT_DONE;
	missing = to.address + stored;
	dph_cli_error(cli,
		      "the target does not let 0x%llx be written: %zu of %u bytes were written",
		      missing, stored, to.bytes);
	dph_looking_tell_rows(looking, DP_ACCESS_WRITE, "written");
	return DPH_EXIT_AGENT;
}

int dph_cmd_write(const struct dph_cli *cli)
{
	struct dph_looking looking = {.cli = cli, .how = {.computed = true}, .stores = true};
	int status = DPH_EXIT_USAGE;

	if (!cli->write)
		return dph_cli_usage(cli,
				     "'write' changes the firmware while it runs: add --write");
	if (dph_looking_open(&looking, &status)) {
		status = DPH_EXIT_AGENT;
		if (may_write(&looking) && dph_looking_read(&looking, &status))
			status = have_values(&looking) ? store(&looking) : DPH_EXIT_AGENT;
	}
	dph_looking_close(&looking);
	return status;
}
