/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes read --at: values at an instruction, before and behind a trigger. A program for the
 * flight recorder logs them, and freezes the recorder so many hits behind the trigger. */
#define _GNU_SOURCE
#include "cmd_capture.h"

#include "base/pool.h"
#include "cmd_insert.h"
#include "cmd_names.h"
#include "present/looked.h"
#include "present/plot.h"
#include "stream/flight.h"

#include <dprobes/errors.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	USUAL = 100,   /* values before the trigger, and behind it */
	PAUSE_MS = 50, /* between two questions whether the recorder is frozen */
	FROZEN = 1     /* state of FLIGHT */
};

struct capture {
	const struct dph_cli *cli;
	FILE *out;
	size_t before, after;
	struct dp_build_options build;
	struct dp_insertion *insertion;
	struct dp_inserted inserted;
	struct dp_session *session;
	bool installed, dirty; /* what is to be undone on the target */
	struct dp_flight_ring ring;
	struct dph_flight found;
	struct dph_images images;
	struct dp_image *image;
	struct dp_formats *formats;
	struct dp_record_style style;
	struct dp_sink *sink;
	bool headed;
	struct dph_plot *plots; /* one for each expression */
	size_t count;           /* records of the capture, */
	size_t index;           /* the one at work, */
	size_t trigger;         /* the one that triggered, */
	size_t shown, mark;     /* those with values, and of them the first from the trigger on */
	uint64_t began;         /* ticks of that */
};

/* --- the program --- */

static void add(struct dph_bytes *text, const char *piece)
{
	dph_bytes_add(text, piece, strlen(piece));
}

/* "PLACE { trace(a); trace(b); captured++; } PLACE /captured > 100 && (COND)/ { freeze(100); }":
 * the trigger counts when the values before it are there. */
static char *program_text(const struct capture *c)
{
	const char *place = dph_cli_get(c->cli, DPH_OPT_AT);
	const char *when = dph_cli_get(c->cli, DPH_OPT_WHEN);
	struct dph_bytes text = {0};
	char *trigger = dph_print("dprobes_captured++; }\n%s /dprobes_captured > %zu && (%s)/ { "
				  "freeze(%zu); }\n",
				  place, c->before, when != NULL ? when : "1", c->after);

	add(&text, place);
	add(&text, " { ");
	for (size_t i = 0; i < c->cli->arg_count; i++) {
		add(&text, "trace(");
		add(&text, c->cli->args[i]);
		add(&text, "); ");
	}
	add(&text, trigger);
	dph_bytes_zero(&text, 1);
	free(trigger);
	return (char *)text.data;
}

static bool compile(struct capture *c)
{
	const struct dp_insert_options options = {.build = &c->build, .options = DP_INSERT_FLIGHT};
	struct dp_messages messages = {0};
	char *text = program_text(c);

	c->build = dph_cli_build_options(c->cli);
	c->build.d_argument_count = 0; /* the words are expressions */
	c->insertion = dp_insertion_text(text, "--at", &options, &messages);
	dph_cli_report(c->cli, &messages);
	free(text);
	return c->insertion != NULL;
}

/* --- the target --- */

/* The recorder must have no records that somebody may want. Returns false with *status set. */
static bool is_free(const struct capture *c, int *status)
{
	struct dp_embed_answer programs;
	struct dp_flight_ring ring;
	struct dph_flight found;

	if (!dp_session_embedded(c->session, &programs) ||
	    !dp_session_flight_read(c->session, &ring)) {
		*status = dph_target_failed(c->cli, c->session);
		return false;
	}
	dph_flight_find(&(struct dph_flight_bytes){ring.bytes, ring.size, ring.end, ring.latest},
			&found);
	*status = DPH_EXIT_AGENT;
	if (ring.size == 0)
		dph_cli_error(c->cli, "%s", dp_error_sentence(DP_ERR_NO_FLIGHT));
	else if (programs.flying != 0)
		dph_cli_error(c->cli, "another program uses the flight recorder: 'dprobes list' "
				      "shows it, and 'dprobes remove' removes it");
	else if (found.count == 0 && ring.state == FROZEN)
		dph_cli_error(c->cli, "the flight recorder is frozen, and has no record: 'dprobes "
				      "flight --clear' starts it anew");
	else if (found.count > 0)
		dph_cli_error(c->cli,
			      "the flight recorder has %zu record(s): 'dprobes flight' prints "
			      "them, and 'dprobes flight --clear' empties it",
			      found.count);
	else
		*status = DPH_EXIT_DONE;
	dph_flight_free(&found);
	free(ring.bytes);
	return *status == DPH_EXIT_DONE;
}

static bool install(struct capture *c, int *status)
{
	struct dp_messages messages = {0};
	enum dp_failure_kind kind;
	const bool good =
		dp_insertion_install(c->insertion, c->session, &c->inserted, &kind, &messages);
	const bool told = messages.errors > 0;

	dph_cli_report(c->cli, &messages);
	c->installed = c->dirty = good;
	if (!good)
		*status = !told ? dph_target_failed(c->cli, c->session)
			  : kind == DP_FAILED_NOT
				  ? DPH_EXIT_USAGE
				  : dph_failure_status(&(struct dp_failure){.kind = kind});
	return good;
}

/* Wait until the recorder is frozen. Behind --timeout it is frozen as it is. Returns false with
 * *status set when the line fails; TIMEOUT in *status: the trigger has not come. */
static bool wait_for_trigger(struct capture *c, int *status)
{
	const uint64_t began = dp_clock_ms(), limit = (uint64_t)(c->cli->timeout_s * 1000);
	struct dp_flight_answer answer;

	for (;;) {
		const bool late = limit != 0 && dp_clock_ms() - began >= limit;

		if (!dp_session_flight(c->session, late ? DP_FLIGHT_FREEZE : DP_FLIGHT_READ,
				       &answer))
			break;
		if (late)
			*status = DPH_EXIT_TIMEOUT;
		if (late || answer.state == FROZEN)
			return true;
		if (!dp_session_listen(c->session, PAUSE_MS))
			break;
	}
	*status = dph_target_failed(c->cli, c->session);
	return false;
}

/* Take the program and its records off the target. */
static void undo(struct capture *c, int *status)
{
	struct dp_flight_answer answer;
	uint8_t removed;

	dph_target_clear_up();
	if (c->installed && !dp_session_remove(c->session, c->inserted.program, &removed) &&
	    *status == DPH_EXIT_DONE)
		*status = dph_target_failed(c->cli, c->session);
	else if (c->dirty && !dp_session_flight(c->session, DP_FLIGHT_CLEAR, &answer) &&
		 *status == DPH_EXIT_DONE)
		*status = dph_target_failed(c->cli, c->session);
}

/* --- values --- */

static void set_meaning(void *context, const struct dph_flight_record *record,
			struct dp_probe_meaning *meaning)
{
	(void)context;
	*meaning = (struct dp_probe_meaning){
		.known = true, .items = record->items, .point = record->point};
}

static double number_of(const struct dp_value *value)
{
	if (value->form == DP_VALUE_FLOAT || value->form == DP_VALUE_SECONDS)
		return value->seconds;
	return value->form == DP_VALUE_SIGNED ? (double)(int64_t)value->number
					      : (double)value->number;
}

static void print_row(struct capture *c, const struct dp_log_record *record,
		      const struct dp_record_view *values)
{
	struct dph_value_view *views = dph_malloc((c->cli->arg_count + 1) * sizeof *views);
	const double hz = c->style.hz != 0 ? c->style.hz : 1;

	for (size_t i = 0; i < c->cli->arg_count; i++)
		views[i] = (struct dph_value_view){
			.name = c->cli->args[i],
			.value = values->values[i],
			.timed = true,
			.seconds = (double)(int64_t)(record->ticks - c->began) / hz,
			.big_endian = c->style.big_endian,
		};
	dph_values_tell(c->sink, views, c->cli->arg_count, &c->headed);
	free(views);
}

static void take_record(void *context, const struct dp_log_record *record)
{
	struct capture *c = context;
	struct dp_record_view view;

	dp_record_view_read(&view, &c->style, record);
	if (c->index == c->trigger)
		c->mark = c->shown;
	if (view.value_count == c->cli->arg_count) {
		c->shown++;
		if (c->sink != NULL)
			print_row(c, record, &view);
		for (size_t i = 0; i < view.value_count && c->plots != NULL; i++)
			dph_plot_add(&c->plots[i], number_of(view.values[i]));
	}
	dp_record_view_free(&view);
	c->index++;
}

static void no_gap(void *context, const struct dp_gap *gap)
{
	(void)context, (void)gap;
}

static void no_notice(void *context, const struct dp_notice_in *notice)
{
	(void)context, (void)notice;
}

/* Leave out what is older than was asked for. Without a trigger the newest ones count. */
static const struct dph_flight_record *choose(struct capture *c, bool triggered)
{
	const size_t behind = triggered ? c->after + 1 : 0;
	const size_t there = c->found.count;
	const size_t most = c->before + c->after + 1;

	c->count = there < most ? there : most;
	c->trigger = triggered && c->count >= behind ? c->count - behind : c->count;
	if (c->count > 0)
		c->began =
			c->found.list[there - c->count + (c->trigger < c->count ? c->trigger : 0)]
				.ticks;
	return c->found.list + (there - c->count);
}

static void tell_plots(const struct capture *c)
{
	for (size_t i = 0; i < c->cli->arg_count; i++)
		dph_plot_print(&c->plots[i], c->cli->args[i], c->mark, c->out);
}

static void tell_values(struct capture *c, bool triggered)
{
	const struct dp_records_listener listener = {c, take_record, no_gap, no_notice};
	const struct dph_flight_record *first = choose(c, triggered);
	const size_t before = c->trigger;

	c->mark = c->count; /* without a trigger there is no mark */
	dph_flight_tell(first, c->count, c->style.word_bytes, c->style.big_endian, &listener,
			set_meaning);
	if (c->plots != NULL)
		tell_plots(c);
	if (c->cli->quiet)
		return;
	if (!triggered)
		fprintf(stderr, "dprobes: the trigger has not come; %zu value(s) from before\n",
			c->count);
	else
		fprintf(stderr, "dprobes: %zu value(s) before the trigger, %zu behind it%s\n",
			before, c->count - before - 1,
			before < c->before && c->found.older
				? "; the flight recorder has no room for more (DP_FLIGHT_BYTES)"
				: "");
}

/* Read the ring and print. */
static int print(struct capture *c, int status)
{
	const struct dp_hello_answer *target = dp_session_target(c->session);
	const bool rows = c->cli->verbose || c->cli->format != dp_sink_kinds[0];

	if (!dp_session_flight_read(c->session, &c->ring))
		return dph_target_failed(c->cli, c->session);
	dph_flight_find(&(struct dph_flight_bytes){c->ring.bytes, c->ring.size, c->ring.end,
						   c->ring.latest},
			&c->found);
	if (c->cli->elf != NULL) {
		struct dp_messages unsaid = {0};

		c->image = dp_image_open(c->cli->elf, &unsaid);
		dp_messages_free(&unsaid);
	}
	c->formats = dph_output_formats(c->out, dp_insertion_object(c->insertion), c->image);
	c->style = (struct dp_record_style){
		.word_bytes = target->word_bytes,
		.hz = target->hz,
		.big_endian = target->big_endian != 0,
		.object = dp_insertion_object(c->insertion),
		.formats = c->formats,
	};
	if (rows)
		c->sink = dph_output_sink(c->cli, c->out);
	else
		c->plots = dph_plots_new(c->cli->arg_count);
	tell_values(c, status != DPH_EXIT_TIMEOUT);
	return status;
}

/* --- the command --- */

static int capture(struct capture *c)
{
	int status = DPH_EXIT_DONE;

	if (!is_free(c, &status) || !install(c, &status))
		return status;
	if (c->cli->verbose)
		fprintf(stderr, "dprobes: waiting for the trigger\n");
	if (wait_for_trigger(c, &status))
		status = print(c, status);
	undo(c, &status);
	return status;
}

static void free_capture(struct capture *c)
{
	dp_sink_close(c->sink);
	dph_plots_free(c->plots, c->cli->arg_count);
	dp_formats_close(c->formats);
	dp_image_close(c->image);
	dph_flight_free(&c->found);
	free(c->ring.bytes);
	dp_session_close(c->session);
	dp_insertion_free(c->insertion);
	dph_cli_build_options_free(&c->build);
	dph_images_close(&c->images);
}

/* number: of an option; 0: it was not given. */
static size_t or_usual(uint64_t number)
{
	return number != 0 ? (size_t)number : USUAL;
}

/* A session with a receiver of lines leaves --timeout to the command. */
static void no_line(void *context, const struct dp_frame_in *frame, const char *text, size_t count)
{
	(void)context, (void)frame, (void)text, (void)count;
}

int dph_capture_values(const struct dph_cli *cli)
{
	const struct dp_listener listener = {.stream = no_line};
	struct capture c = {.cli = cli,
			    .before = or_usual(dph_cli_number(cli, DPH_OPT_BEFORE)),
			    .after = or_usual(dph_cli_number(cli, DPH_OPT_AFTER))};
	int status = DPH_EXIT_USAGE;

	if (compile(&c))
		c.out = dph_output_open(cli);
	if (c.out != NULL)
		c.session = dph_target_open_temporary(
			cli, DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT, &listener, &status);
	if (c.session != NULL)
		status = capture(&c);
	free_capture(&c);
	if (c.out != NULL && !dph_output_close(cli, c.out) && status == DPH_EXIT_DONE)
		status = DPH_EXIT_USAGE;
	return status;
}
