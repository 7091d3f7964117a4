/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes core writes registers, tasks and memory of the firmware to a file that gdb opens. */
#include "cmd.h"

#include "core_files.h"
#include "core_ranges.h"
#include "core_take.h"
#include "session/session_request.h"
#include "stopped.h"

enum {
	ASK_MS = 200,     /* between two questions whether exit 2 has stopped the target */
	LEAVE_MS = 11000, /* more than a stop lasts that no request holds, less than two */
	RESUMES = 50      /* until a target that goes on has come to dprobes_poll */
};

/* Ask why the target is stopped. Returns false when the session has failed. */
static bool ask_why(struct dp_session *session, uint8_t *why)
{
	struct dp_halt_answer where;

	if (!dp_session_halt(session, 0, &where))
		return false;
	*why = (uint8_t)where.why;
	/* The stop was over before the question, which stops the target in dprobes_poll. */
	for (unsigned i = 0; *why == 0 && i < RESUMES && !dp_session_resume(session); i++)
		if (!dph_stopped_not(dp_session_failure(session)->error) ||
		    !dp_session_listen(session, ASK_MS / RESUMES))
			return false;
	return true;
}

/* Each request would hold a stop of another kind: send none until it ends by itself. */
static bool leave_alone(const struct dph_cli *cli, struct dp_session *session)
{
	const uint64_t began_ms = dp_clock_ms();

	if (!cli->quiet)
		fprintf(stderr, "dprobes: the target is stopped, and not by exit 2: it goes on by "
				"itself, or by 'dprobes resume'\n");
	while (dp_clock_ms() - began_ms < LEAVE_MS)
		if (!dph_request_receive(session, ASK_MS))
			return false;
	return true;
}

/* Wait until `exit 2` stops the target. A stop of another kind does not count. Returns false with
 * *status set. */
static bool wait_for_crash(const struct dph_cli *cli, struct dp_session *session, int *status)
{
	struct dp_register none;

	if (!cli->quiet)
		fprintf(stderr, "dprobes: waiting for exit 2 of a program\n");
	while (dp_session_listen(session, ASK_MS)) {
		const bool stopped = dp_session_regs(session, 0, 1, &none);
		const enum dp_err error = dp_session_failure(session)->error;
		uint8_t why = 0;

		if (!stopped && dph_stopped_not(error))
			continue;
		if (stopped ? !ask_why(session, &why) : error != DP_ERR_NO_REGISTERS)
			break;
		if (why == DPH_CRASH)
			return true;
		if ((!stopped || why != 0) && !leave_alone(cli, session))
			break;
	}
	*status = dph_target_failed(cli, session);
	return false;
}

static int take(const struct dph_cli *cli, struct dp_session *session,
		const struct dph_images *images, struct dph_core_wish *wish)
{
	const bool wait = dph_cli_has(cli, DPH_OPT_WAIT);
	int status;

	if (!dp_session_has_part(session, wait ? DP_PART_DUMP : DP_PART_MEMORY))
		return dph_target_failed(cli, session);
	if (wait && !wait_for_crash(cli, session, &status))
		return status;
	wish->reason = wait ? "exit 2 of a program" : NULL;
	status = dph_core_take(cli, session, images, wish);
	if (!wait || status == DPH_EXIT_LINK)
		return status;
	if (status == DPH_EXIT_DONE ? !dph_core_go_on(cli, session) : !dph_core_stays(cli, session))
		status = dph_target_failed(cli, session);
	return status;
}

int dph_cmd_core(const struct dph_cli *cli)
{
	const unsigned write = dph_cli_has(cli, DPH_OPT_WAIT) ? DP_RIGHT_WRITE : 0;
	struct dph_core_wish wish = {.path = cli->output, .small = dph_cli_has(cli, DPH_OPT_SMALL)};
	struct dph_images images = {0};
	struct dp_session *session = NULL;
	int status = DPH_EXIT_USAGE;

	if (wish.path == NULL)
		return dph_cli_usage(cli, "a core is a file: give its name (--output FILE)");
	if (!dph_core_ranges_read(cli, &wish.ranges, &status) ||
	    !dph_core_then_good(cli, &status) || !dph_core_path_good(cli, wish.path, &status))
		return status;
	if (dph_names_open(cli, &images, &status))
		session = dph_target_open(cli, DP_RIGHT_LOOK | DP_RIGHT_INSERT | write, NULL,
					  &status);
	if (session != NULL && dph_images_names(&images) != NULL &&
	    !dph_names_fit(cli, session, &images))
		status = DPH_EXIT_AGENT;
	else if (session != NULL)
		status = take(cli, session, &images, &wish);
	dp_session_close(session);
	dph_images_close(&images);
	return status;
}
