/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes info prints the agent's identity, parts and limits; --verify-text compares the target's
 * code with the ELF. */
#include "cmd.h"

#include "cmd_names.h"

#include "base/pool.h"
#include "text_check.h"

#include <stdlib.h>

/* The answers of the requests; view points at them. */
struct info {
	struct dp_info_view view;
	struct dp_limits_answer limits;
	struct dp_module_answer *modules;
	struct dp_status_answer status;
	struct dp_hardware_answer hardware;
};

static bool ask_limits(struct info *info, struct dp_session *session)
{
	const struct dp_hello_answer *target = dp_session_target(session);

	info->view.limits_known = !(target->parts >> DP_PART_LIMITS & 1);
	if (info->view.limits_known)
		return true; /* HELLO has the numbers */
	if (!dp_session_limits(session, &info->limits))
		return false;
	info->view.limits = &info->limits;
	info->view.limits_known = true;
	return true;
}

static bool ask_modules(struct info *info, struct dp_session *session)
{
	const unsigned modules = dp_session_target(session)->modules;

	info->modules = dph_malloc((modules + 1u) * sizeof *info->modules);
	info->view.modules = info->modules;
	for (unsigned i = 0; i < modules; i++) {
		if (!dp_session_module(session, (uint8_t)i, &info->modules[i]))
			return false;
		info->view.module_count++;
	}
	return true;
}

static bool ask_status(struct info *info, struct dp_session *session)
{
	if (!dp_session_status(session, &info->status))
		return false;
	info->view.status = &info->status;
	return true;
}

static bool ask_hardware(struct info *info, struct dp_session *session)
{
	if (!(dp_hello_parts(dp_session_target(session)) >> DP_PART_HARDWARE & 1))
		return true;
	if (!dp_session_hardware(session, &info->hardware))
		return false;
	info->view.hardware = &info->hardware;
	return true;
}

/* Everything up to the first request that fails is shown. */
static int show(const struct dph_cli *cli, struct dp_session *session, struct dp_sink *sink)
{
	struct info info = {.view = {.hello = dp_session_target(session)}};
	const bool good = ask_limits(&info, session) && ask_modules(&info, session) &&
			  ask_status(&info, session) && ask_hardware(&info, session);

	dp_sink_reading(sink, DP_READING_INFO, &info.view);
	free(info.modules);
	return good ? DPH_EXIT_DONE : dph_target_failed(cli, session);
}

/* Without --verify-text: warn when the target does not run the ELF file that is named on the
 * command line, in the environment or in dprobes.conf. */
static int check_elf(const struct dph_cli *cli, struct dp_session *session)
{
	struct dph_images images = {0};
	int status = DPH_EXIT_DONE;

	if (dph_names_open(cli, &images, &status))
		dph_names_for(cli, session, &images);
	dph_images_close(&images);
	return status;
}

static int verify_text(const struct dph_cli *cli, struct dp_session *session, struct dp_sink *sink)
{
	struct dp_text_view view;
	struct dp_messages messages = {0};
	struct dph_images images = {0};
	int status = DPH_EXIT_USAGE;
	const bool good = dph_text_check(session, cli->elf, false, &view, &messages);

	if (!good && messages.errors == 0)
		return dph_target_failed(cli, session);
	dph_cli_report(cli, &messages);
	if (good && dph_names_open(cli, &images, &status)) {
		view.names = dph_names_for(cli, session, &images);
		dp_sink_reading(sink, DP_READING_TEXT, &view);
		status = view.differ == 0 ? DPH_EXIT_DONE : DPH_EXIT_EXPECT;
	}
	dph_images_close(&images);
	return status;
}

int dph_cmd_info(const struct dph_cli *cli)
{
	const bool verify = dph_cli_has(cli, DPH_OPT_VERIFY_TEXT);
	struct dp_session *session;
	struct dp_sink *sink;
	int status = DPH_EXIT_USAGE;
	FILE *out;

	if (verify && cli->elf == NULL)
		return dph_cli_usage(cli, "--verify-text needs the firmware: give --elf FILE");
	out = dph_output_open(cli);
	if (out == NULL)
		return status;
	sink = dph_output_sink(cli, out);
	session = sink != NULL ? dph_target_open(cli, DP_RIGHT_LOOK, NULL, &status) : NULL;
	if (session != NULL)
		status = verify ? verify_text(cli, session, sink) : show(cli, session, sink);
	if (status == DPH_EXIT_DONE && !verify)
		status = check_elf(cli, session);
	dp_session_close(session);
	dp_sink_close(sink);
	return dph_output_close(cli, out) || status != DPH_EXIT_DONE ? status : DPH_EXIT_USAGE;
}
