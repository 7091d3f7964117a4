/* SPDX-License-Identifier: BSD-2-Clause */
/* The simple interface: one session with its records in a queue. */
#define _GNU_SOURCE
#include <dprobes/simple.h>

#include "base/diag.h"
#include "handle.h"

#include <stdlib.h>
#include <string.h>

struct dp_simple *dp_simple_new(void)
{
	struct dp_simple *simple = dph_malloc(sizeof *simple);

	*simple = (struct dp_simple){
		.log_target = DP_LOG_LEAVE,
		.error = dph_strdup(""),
		.state = dph_strdup(""),
		.expected = dph_strdup(""),
	};
	return simple;
}

/* --- failures --- */

bool dph_simple_fail(struct dp_simple *simple, const char *sentence)
{
	free(simple->error);
	simple->error = dph_print("%s\n", sentence);
	return false;
}

bool dph_simple_fail_session(struct dp_simple *simple)
{
	return dph_simple_fail(simple, dp_session_failure(simple->session)->text);
}

bool dph_simple_fail_owned(struct dp_simple *simple, char *sentence)
{
	dph_simple_fail(simple, sentence);
	free(sentence);
	return false;
}

bool dph_simple_fail_messages(struct dp_simple *simple, struct dp_messages *messages)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out != NULL) {
		dp_messages_print(messages, out, false);
		fclose(out);
		free(simple->error);
		simple->error = text;
	}
	dp_messages_free(messages);
	return false;
}

const char *dp_simple_error(const struct dp_simple *simple)
{
	return simple->error;
}

/* --- settings --- */

bool dp_simple_set(struct dp_simple *simple, const char *name, const char *value)
{
	const enum dph_setting setting = dph_setting_named(name);
	const bool given = value != NULL && *value != '\0';
	char *fault;

	if (setting == DPH_SETTINGS)
		return dph_simple_fail_owned(
			simple,
			dph_print("unknown setting '%s'; dprobes/simple.h lists the settings",
				  name));
	fault = given ? dph_setting_fault(setting, value) : NULL;
	if (fault != NULL)
		return dph_simple_fail_owned(simple, fault);
	free(simple->settings[setting]);
	simple->settings[setting] = given ? dph_strdup(value) : NULL;
	return true;
}

/* --- the line --- */

static void on_console(void *context, const uint8_t *bytes, size_t count)
{
	struct dp_simple *simple = context;

	dph_console_add(&simple->console, bytes, count);
}

static void on_stream(void *context, const struct dp_frame_in *frame, const char *text,
		      size_t count)
{
	struct dp_simple *simple = context;

	(void)text;
	(void)count;
	dph_queue_frame(&simple->queue, frame);
}

static void on_progress(void *context, uint32_t done, uint32_t total)
{
	(void)context;
	(void)done;
	(void)total;
}

static void on_counts(void *context, const struct dp_record_counts *counts)
{
	struct dp_simple *simple = context;

	dph_queue_counts(&simple->queue, counts);
}

static const char *of_board(const struct dp_simple *simple, enum dph_setting setting,
			    const char *board)
{
	return simple->settings[setting] != NULL ? simple->settings[setting] : board;
}

static bool find_board(struct dp_simple *simple)
{
	struct dp_messages messages = {0};

	dp_board_settings_free(simple->board);
	simple->board = dp_board_settings_read(simple->settings[DPH_SET_folder],
					       simple->settings[DPH_SET_board], &messages);
	if (simple->board == NULL)
		return dph_simple_fail_messages(simple, &messages);
	dp_messages_free(&messages);
	if (of_board(simple, DPH_SET_port, simple->board->port) == NULL)
		return dph_simple_fail(simple,
				       simple->board->port_refused != NULL
					       ? simple->board->port_refused
					       : "no line to the target: set port, or a board of "
						 "dprobes.conf");
	return true;
}

static bool bring_records_here(struct dp_simple *simple)
{
	struct dp_status_answer status;
	uint8_t target, mode;

	if (!dp_session_status(simple->session, &status))
		return dph_simple_fail_session(simple);
	if (status.line == DP_LOG_LEAVE || status.line == status.log_target)
		return true;
	if (!dp_session_log(simple->session, status.line, DP_LOG_LEAVE, &target, &mode))
		return dph_simple_fail_session(simple);
	simple->log_target = status.log_target;
	return true;
}

static enum dp_modem_line modem_line(const char *value)
{
	return value == NULL              ? DP_MODEM_LEAVE
	       : strcmp(value, "on") == 0 ? DP_MODEM_ON
					  : DP_MODEM_OFF;
}

static bool hello(struct dp_simple *simple)
{
	const char *baud = of_board(simple, DPH_SET_baud, simple->board->baud);
	const char *file = of_board(simple, DPH_SET_key, simple->board->key);
	uint8_t key[DP_KEY_FILE_BYTES];
	struct dp_messages messages = {0};
	const struct dp_session_options options = {
		.key = file != NULL ? key : NULL,
		.url = of_board(simple, DPH_SET_port, simple->board->port),
		.baud = baud != NULL ? (unsigned)strtoul(baud, NULL, 10) : 0,
		.dtr = modem_line(of_board(simple, DPH_SET_dtr, simple->board->dtr)),
		.rts = modem_line(of_board(simple, DPH_SET_rts, simple->board->rts)),
		.rights =
			(uint8_t)(DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT |
				  (dph_setting_yes(simple->settings[DPH_SET_write]) ? DP_RIGHT_WRITE
										    : 0)),
		.listener = {simple, on_console, on_stream, on_progress, on_counts, NULL},
		.temporary = true,
		.purpose = "library",
	};
	struct dp_failure failure;

	if (file != NULL && !dp_key_file_read(file, key, &messages))
		return dph_simple_fail_messages(simple, &messages);
	simple->session = dp_session_open(&options, &failure);
	explicit_bzero(key, sizeof key);
	return simple->session != NULL || dph_simple_fail(simple, failure.text);
}

/* Records of programs that others have installed get their names too. */
bool dph_simple_learn(struct dp_simple *simple)
{
	return dp_session_learn(simple->session, simple->queue.records) ||
	       dph_simple_fail_session(simple);
}

/* Name addresses of the target, unless the user wants numbers. */
static void name_target(struct dp_simple *simple)
{
	const bool numbers = dph_setting_yes(simple->settings[DPH_SET_no_names]);

	dph_names_of_target(&simple->names, simple->session,
			    numbers ? NULL : of_board(simple, DPH_SET_elf, simple->board->elf),
			    numbers ? NULL : simple->settings[DPH_SET_sym]);
}

/* The records go where they went before this handle was opened. */
static void return_records(struct dp_simple *simple)
{
	uint8_t target, mode;

	if (simple->log_target != DP_LOG_LEAVE)
		dp_session_log(simple->session, simple->log_target, DP_LOG_LEAVE, &target, &mode);
	simple->log_target = DP_LOG_LEAVE;
}

static void hang_up(struct dp_simple *simple)
{
	if (simple->session != NULL)
		return_records(simple);
	dp_session_close(simple->session);
	simple->session = NULL;
	dph_queue_free(&simple->queue);
	dph_names_free(&simple->names);
}

bool dp_simple_open(struct dp_simple *simple)
{
	if (simple->session != NULL)
		return dph_simple_fail(simple, "the line is open already");
	if (!find_board(simple) || !hello(simple))
		return false;
	if (dph_queue_begin(&simple->queue, simple->session, &simple->names) &&
	    bring_records_here(simple) && dph_simple_learn(simple)) {
		dp_session_follow(simple->session, simple->queue.records);
		name_target(simple);
		dph_queue_learned(&simple->queue);
		return true;
	}
	hang_up(simple);
	return false;
}

void dp_simple_close(struct dp_simple *simple)
{
	if (simple == NULL)
		return;
	dph_simple_remove_all(simple);
	hang_up(simple);
	dp_board_settings_free(simple->board);
	for (int i = 0; i < DPH_SETTINGS; i++)
		free(simple->settings[i]);
	free(simple->console.data);
	free(simple->shown);
	free(simple->expected);
	free(simple->state);
	free(simple->error);
	free(simple);
}

/* --- a restart of the target --- */

/* The lines of the new start wait until the programs are there again: their numbers mean nothing
 * before. */
static bool open_again(struct dp_simple *simple)
{
	dp_records_flush(simple->queue.records, dp_clock_ms());
	dph_queue_hold(&simple->queue);
	if (!dp_session_open_again(simple->session))
		return dph_simple_fail_session(simple);
	dph_queue_restart(&simple->queue, simple->session);
	return true;
}

/* Returns false with the finding kept: there was no restart, the user has not chosen it, or a
 * program is refused. */
static bool recover(struct dp_simple *simple)
{
	bool good;

	if (!dp_session_restarted(simple->session) ||
	    !dph_setting_yes(simple->settings[DPH_SET_reinstall]))
		return dph_simple_fail_session(simple);
	if (!open_again(simple) || !bring_records_here(simple))
		return false;
	name_target(simple);
	good = dph_simple_insert_again(simple);
	if (dp_session_restarted(simple->session) || !dph_simple_learn(simple))
		return false;
	dph_queue_learned(&simple->queue);
	simple->restarts++;
	return good;
}

bool dph_simple_is_open(struct dp_simple *simple)
{
	if (simple->session == NULL)
		return dph_simple_fail(simple, "no line is open: call dp_simple_open first");
	return !dp_session_restarted(simple->session) || recover(simple);
}

bool dph_simple_again(struct dp_simple *simple)
{
	return simple->session != NULL && dp_session_restarted(simple->session) && recover(simple);
}

bool dph_simple_receive(struct dp_simple *simple, int wait_ms)
{
	return dp_session_listen(simple->session, wait_ms) || recover(simple);
}

unsigned dp_simple_restarts(const struct dp_simple *simple)
{
	return simple->restarts;
}

/* --- the target --- */

static const struct dp_hello_answer *target_of(const struct dp_simple *simple)
{
	return simple->session != NULL ? dp_session_target(simple->session) : NULL;
}

const char *dp_simple_cpu(const struct dp_simple *simple)
{
	const struct dp_hello_answer *target = target_of(simple);

	return target != NULL ? dp_cpu_text(target->cpu) : NULL;
}

unsigned dp_simple_word_bytes(const struct dp_simple *simple)
{
	const struct dp_hello_answer *target = target_of(simple);

	return target != NULL ? target->word_bytes : 0;
}

bool dp_simple_big_endian(const struct dp_simple *simple)
{
	const struct dp_hello_answer *target = target_of(simple);

	return target != NULL && target->big_endian != 0;
}

uint32_t dp_simple_hz(const struct dp_simple *simple)
{
	const struct dp_hello_answer *target = target_of(simple);

	return target != NULL ? target->hz : 0;
}

/* --- records --- */

int dp_simple_next(struct dp_simple *simple, int timeout_ms)
{
	if (!dph_simple_is_open(simple))
		return -1;
	const uint64_t begin_ms = dp_clock_ms();

	for (;;) {
		const uint64_t passed_ms = dp_clock_ms() - begin_ms;
		const int left_ms = timeout_ms > 0 && passed_ms < (uint64_t)timeout_ms
					    ? timeout_ms - (int)passed_ms
					    : 0;
		const int wait_ms = dph_queue_wait_ms(&simple->queue, left_ms);

		if (dph_queue_next(&simple->queue))
			return 1;
		if (!dph_simple_receive(simple, wait_ms))
			return -1;
		if (dph_queue_next(&simple->queue))
			return 1;
		if (left_ms == 0 && dph_queue_wait_ms(&simple->queue, 0) == 0)
			return 0;
	}
}

int dp_simple_fd(const struct dp_simple *simple)
{
	return simple->session != NULL ? dp_session_fd(simple->session) : -1;
}

const char *dp_simple_line(const struct dp_simple *simple)
{
	return simple->queue.now.line != NULL ? simple->queue.now.line : "";
}

const char *dp_simple_json(const struct dp_simple *simple)
{
	return simple->queue.now.json != NULL ? simple->queue.now.json : "";
}

unsigned dp_simple_major(const struct dp_simple *simple)
{
	return simple->queue.now.major;
}

unsigned dp_simple_minor(const struct dp_simple *simple)
{
	return simple->queue.now.minor;
}

size_t dp_simple_words(const struct dp_simple *simple, uint64_t *words, size_t room)
{
	const struct dph_queued *now = &simple->queue.now;
	const unsigned width = dp_simple_word_bytes(simple);
	const size_t count = width > 0 ? now->bytes / width : 0;

	for (size_t i = 0; i < count && i < room; i++) {
		words[i] = 0;
		for (unsigned b = 0; b < width; b++) {
			const unsigned at = dp_simple_big_endian(simple) ? b : width - 1 - b;

			words[i] = words[i] << 8 | now->data[i * width + at];
		}
	}
	return count;
}

uint64_t dp_simple_lost(const struct dp_simple *simple)
{
	const struct dp_record_totals *totals;

	if (simple->queue.records == NULL)
		return 0;
	totals = dp_records_totals(simple->queue.records);
	return totals->lost + totals->dropped + totals->unreadable;
}
