/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes read prints variables and memory of the firmware, once or again and again. */
#include "cmd.h"

#include "base/pool.h"
#include "cmd_capture.h"
#include "cmd_look.h"
#include "present/looked.h"
#include "present/trends.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct reading {
	struct dph_looking looking;
	struct dp_sink *sink;
	uint64_t began_ms;
	bool failed;              /* a value could not be read */
	bool crooked;             /* and its address is no multiple of the width */
	bool headed;              /* the table has its first line */
	struct dph_trend *trends; /* --live: of each expression; else null */
};

static struct dph_value_view view_of(const struct reading *r, size_t index,
				     const struct dph_looked *looked, uint64_t now_ms)
{
	return (struct dph_value_view){
		.name = looked->name,
		.why = looked->why,
		.value = &looked->value,
		.in_memory = looked->in_memory,
		.address = looked->address,
		.timed = r->looking.cli->every_s > 0,
		.seconds = (double)(now_ms - r->began_ms) / 1000,
		.width = r->looking.width,
		.trend = r->trends != NULL ? &r->trends[index] : NULL,
		.big_endian = dp_session_target(r->looking.session)->big_endian != 0,
	};
}

/* Read all expressions once. */
static bool read_once(struct reading *r, int *status)
{
	struct dph_value_view *views;
	uint64_t now_ms;
	size_t count;

	if (!dph_looking_read(&r->looking, status))
		return false;
	now_ms = dp_clock_ms();
	count = dph_look_count(r->looking.look);
	views = dph_malloc((count + 1) * sizeof *views);
	for (size_t i = 0; i < count; i++) {
		views[i] = view_of(r, i, dph_look_at(r->looking.look, i), now_ms);
		r->failed = r->failed || views[i].why != NULL;
		r->crooked = r->crooked || (views[i].why != NULL && r->looking.width > 1 &&
					    views[i].address % r->looking.width != 0);
	}
	dph_values_tell(r->sink, views, count, &r->headed);
	free(views);
	return true;
}

/* Wait for the time of a reading. Returns false when the line fails, or the user has enough. */
static bool wait_until(struct reading *r, uint64_t due_ms, int *status)
{
	for (uint64_t now = dp_clock_ms(); now < due_ms; now = dp_clock_ms())
		if (!dp_session_listen(r->looking.session, (int)(due_ms - now))) {
			*status = dph_target_failed(r->looking.cli, r->looking.session);
			return false;
		}
	return true;
}

/* A reading that takes longer than the time between two leaves out those that were due. */
static bool read_again(struct reading *r, FILE *out, int *status)
{
	const struct dph_cli *cli = r->looking.cli;
	const double every_ms = cli->every_s * 1000;
	unsigned long count = 1;

	for (double due_ms = every_ms; cli->count == 0 || count < cli->count; count++) {
		const double late = (double)(dp_clock_ms() - r->began_ms) - due_ms;

		if (late > 0)
			due_ms += every_ms * (double)(unsigned long)(late / every_ms);
		if (!wait_until(r, r->began_ms + (uint64_t)due_ms, status))
			return false;
		if (dph_output_unread(out))
			return true;
		dph_look_forget(r->looking.look);
		if (!read_once(r, status))
			return false;
		due_ms += every_ms;
	}
	return true;
}

static bool is_pointer(const struct dp_value *value)
{
	const size_t length = value->type != NULL ? strlen(value->type) : 0;

	return value->form == DP_VALUE_ADDRESS && value->number != 0 && value->member_count == 0 &&
	       length > 0 && value->type[length - 1] == '*';
}

/* A person who reads an address looks for what is behind it. */
static void tell_pointer(const struct reading *r)
{
	const struct dph_cli *cli = r->looking.cli;
	const struct dph_looked *looked;

	for (size_t i = 0; i < dph_look_count(r->looking.look); i++) {
		looked = dph_look_at(r->looking.look, i);
		if (looked->why != NULL || !is_pointer(&looked->value))
			continue;
		if (strcmp(looked->value.type, "void *") == 0)
			fprintf(stderr,
				"dprobes: read --as TYPE 0x%" PRIx64
				" prints what is behind the pointer\n",
				looked->value.number);
		else
			fprintf(stderr, "dprobes: read '*(%s)' prints what is behind the pointer\n",
				cli->args[i]);
		return;
	}
}

static bool read_all(struct reading *r, FILE *out, int *status)
{
	r->began_ms = dp_clock_ms();
	if (!read_once(r, status))
		return false;
	if (r->looking.cli->every_s > 0)
		return read_again(r, out, status);
	if (r->looking.cli->terminal && !r->looking.cli->quiet)
		tell_pointer(r);
	return true;
}

/* Those of --at. */
static bool check_capture(const struct dph_cli *cli, int *status)
{
	const bool captures = dph_cli_has(cli, DPH_OPT_AT);

	if (!captures && (dph_cli_has(cli, DPH_OPT_WHEN) || dph_cli_has(cli, DPH_OPT_BEFORE) ||
			  dph_cli_has(cli, DPH_OPT_AFTER)))
		*status = dph_cli_usage(cli, "--when, --before and --after are about a capture: "
					     "add --at PLACE");
	else if (captures && (cli->every_s > 0 || dph_cli_has(cli, DPH_OPT_AS) ||
			      dph_cli_has(cli, DPH_OPT_BYTES)))
		*status = dph_cli_usage(cli, "--at captures values of D expressions: leave out "
					     "--every, --as and --bytes");
	else
		return true;
	return false;
}

/* The options that go together. */
static bool check_options(const struct dph_cli *cli, unsigned width, int *status)
{
	if (width != 0 && (width & (width - 1)) != 0)
		*status = dph_cli_usage(cli, "--width is 1, 2, 4 or 8, not %u", width);
	else if (width != 0 && !dph_cli_has(cli, DPH_OPT_BYTES))
		*status = dph_cli_usage(cli, "--width is about bytes: add --bytes");
	else if (dph_cli_has(cli, DPH_OPT_AS) && dph_cli_has(cli, DPH_OPT_BYTES))
		*status = dph_cli_usage(cli, "--bytes prints no type: leave out --as");
	else if (cli->count > 0 && cli->every_s == 0)
		*status = dph_cli_usage(cli, "--count is about readings again and again: add "
					     "--every TIME");
	else if (dph_cli_has(cli, DPH_OPT_LIVE) && cli->every_s == 0)
		*status = dph_cli_usage(cli, "--live is about readings again and again: add "
					     "--every TIME");
	else
		return check_capture(cli, status);
	return false;
}

static struct dph_trend *new_trends(size_t count)
{
	struct dph_trend *trends = dph_malloc((count + 1) * sizeof *trends);

	for (size_t i = 0; i < count; i++)
		trends[i] = (struct dph_trend){0};
	return trends;
}

int dph_cmd_read(const struct dph_cli *cli)
{
	struct reading reading = {
		.looking = {.cli = cli,
			    .how = {.as = dph_cli_get(cli, DPH_OPT_AS),
				    .raw = dph_cli_has(cli, DPH_OPT_BYTES)},
			    .width = (unsigned)dph_cli_number(cli, DPH_OPT_WIDTH)},
	};
	int status = DPH_EXIT_USAGE;
	FILE *out = NULL;

	if (!check_options(cli, reading.looking.width, &status))
		return status;
	if (dph_cli_has(cli, DPH_OPT_AT))
		return dph_capture_values(cli);
	if (dph_looking_open(&reading.looking, &status))
		out = dph_output_open(cli);
	if (out != NULL) {
		reading.sink = dph_output_sink(cli, out);
		if (dph_cli_has(cli, DPH_OPT_LIVE))
			reading.trends = new_trends(cli->arg_count);
		status = DPH_EXIT_USAGE;
		if (reading.sink != NULL && read_all(&reading, out, &status))
			status = reading.failed ? DPH_EXIT_AGENT : DPH_EXIT_DONE;
		dp_sink_close(reading.sink);
		if (!dph_output_close(cli, out))
			status = DPH_EXIT_USAGE;
	}
	if (reading.failed)
		dph_looking_tell_rows(&reading.looking, DP_ACCESS_READ, "read");
	if (reading.crooked && !cli->quiet)
		fprintf(stderr, "dprobes: with --width %u an address is a multiple of %u\n",
			reading.looking.width, reading.looking.width);
	free(reading.trends);
	dph_looking_close(&reading.looking);
	return status;
}
