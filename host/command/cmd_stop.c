/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes stop stops the target, or says where it is stopped. */
#include "cmd.h"

#include "stopped.h"

enum {
	FOR_EVER = 0xffff, /* the seconds of HALT */
	PAUSE_MS = 20,     /* between two questions whether the target is stopped */
	PAUSES = 250       /* until nobody polls */
};

static uint16_t seconds_of(const struct dph_cli *cli)
{
	if (cli->for_s <= 0)
		return 0;
	if (cli->for_s >= FOR_EVER)
		return FOR_EVER;
	return cli->for_s < 1 ? 1 : (uint16_t)cli->for_s;
}

/* Is the target stopped where the agent has its registers? One in dprobes_poll has none. */
static bool has_registers(const struct dph_stopped *stopped, bool *has)
{
	struct dp_register none;

	*has = dp_session_regs(stopped->session, 0, 1, &none);
	return *has || dp_session_failure(stopped->session)->error == DP_ERR_NO_REGISTERS;
}

/* Ask until the target is stopped. Returns false with *status set. */
static bool wait_for_stop(const struct dph_stopped *stopped, struct dp_halt_answer *where,
			  int *status)
{
	for (unsigned i = 0; i < PAUSES; i++) {
		if (!dp_session_halt(stopped->session, seconds_of(stopped->cli), where))
			break;
		if (where->why != 0)
			return true;
		if (!dp_session_listen(stopped->session, PAUSE_MS))
			break;
	}
	*status = dph_target_failed(stopped->cli, stopped->session);
	return false;
}

static int stop(struct dph_stopped *stopped)
{
	struct dp_halt_answer where = {0};
	int status = DPH_EXIT_AGENT;
	bool has;

	if (!wait_for_stop(stopped, &where, &status))
		return status;
	if (!has_registers(stopped, &has))
		return dph_target_failed(stopped->cli, stopped->session);
	dph_stopped_names(stopped);
	dph_stopped_tell(stopped, where.pc, has ? "" : ", behind the call of dprobes_poll");
	if (has && !dph_stopped_print(stopped, &status))
		return status;
	if (!stopped->cli->quiet)
		fputs("dprobes: 'dprobes resume' lets the target go on; it does so by itself when "
		      "no command asks for a time (--for TIME)\n",
		      stderr);
	return DPH_EXIT_DONE;
}

int dph_cmd_stop(const struct dph_cli *cli)
{
	struct dph_stopped stopped = {.cli = cli};
	int status = DPH_EXIT_USAGE;

	if (dph_stopped_open_session(&stopped, DP_RIGHT_LOOK | DP_RIGHT_INSERT | DP_RIGHT_WRITE,
				     &status))
		status = stop(&stopped);
	dph_stopped_close(&stopped);
	return status;
}
