/* SPDX-License-Identifier: BSD-2-Clause */
/* The simple interface: one session with its records in a queue. */
#define _GNU_SOURCE
#include <dprobes/simple.h>

#include "base/diag.h"
#include "base/pool.h"
#include "console.h"
#include "queue.h"
#include "settings.h"
#include <dprobes/host.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct dp_simple {
	char *settings[DPH_SETTINGS];
	struct dp_board_settings *board;
	struct dp_session *session;
	struct dph_queue queue;
	struct dph_names names;
	uint8_t log_target; /* before dp_simple_open */
	bool installed[DPH_PROGRAMS];
	struct dph_bytes console;
	char *shown; /* console text that the user has */
	char *error;
};

struct dp_simple *dp_simple_new(void)
{
	struct dp_simple *simple = dph_malloc(sizeof *simple);

	*simple = (struct dp_simple){.log_target = DP_LOG_LEAVE, .error = dph_strdup("")};
	return simple;
}

/* --- failures --- */

static bool fail(struct dp_simple *simple, const char *sentence)
{
	free(simple->error);
	simple->error = dph_print("%s\n", sentence);
	return false;
}

static bool fail_session(struct dp_simple *simple)
{
	return fail(simple, dp_session_failure(simple->session)->text);
}

/* Frees the sentence. */
static bool fail_owned(struct dp_simple *simple, char *sentence)
{
	fail(simple, sentence);
	free(sentence);
	return false;
}

/* The messages as text; frees them. */
static bool fail_messages(struct dp_simple *simple, struct dp_messages *messages)
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

static bool is_open(struct dp_simple *simple)
{
	return simple->session != NULL ||
	       fail(simple, "no line is open: call dp_simple_open first");
}

/* --- settings --- */

bool dp_simple_set(struct dp_simple *simple, const char *name, const char *value)
{
	const enum dph_setting setting = dph_setting_named(name);
	const bool given = value != NULL && *value != '\0';
	char *fault;

	if (setting == DPH_SETTINGS)
		return fail_owned(
			simple,
			dph_print("unknown setting '%s'; dprobes/simple.h lists the settings",
				  name));
	fault = given ? dph_setting_fault(setting, value) : NULL;
	if (fault != NULL)
		return fail_owned(simple, fault);
	free(simple->settings[setting]);
	simple->settings[setting] = given ? dph_strdup(value) : NULL;
	return true;
}

static bool is_set(const struct dp_simple *simple, enum dph_setting setting)
{
	return dph_setting_yes(simple->settings[setting]);
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

/* A setting, else that of the board. */
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
		return fail_messages(simple, &messages);
	dp_messages_free(&messages);
	if (of_board(simple, DPH_SET_port, simple->board->port) == NULL)
		return fail(simple, simple->board->port_refused != NULL
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
		return fail_session(simple);
	if (status.line == DP_LOG_LEAVE || status.line == status.log_target)
		return true;
	if (!dp_session_log(simple->session, status.line, DP_LOG_LEAVE, &target, &mode))
		return fail_session(simple);
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
		.rights = (uint8_t)(DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT |
				    (is_set(simple, DPH_SET_write) ? DP_RIGHT_WRITE : 0)),
		.listener = {simple, on_console, on_stream, on_progress, on_counts, NULL},
		.temporary = true,
		.purpose = "library",
	};
	struct dp_failure failure;

	if (file != NULL && !dp_key_file_read(file, key, &messages))
		return fail_messages(simple, &messages);
	simple->session = dp_session_open(&options, &failure);
	explicit_bzero(key, sizeof key);
	return simple->session != NULL || fail(simple, failure.text);
}

/* Records of programs that others have installed get their names too. */
static bool learn(struct dp_simple *simple)
{
	return dp_session_learn(simple->session, simple->queue.records) || fail_session(simple);
}

/* The files that name records: none where the user wants numbers. */
static const char *elf_for_names(const struct dp_simple *simple)
{
	return is_set(simple, DPH_SET_no_names) ? NULL
						: of_board(simple, DPH_SET_elf, simple->board->elf);
}

static const char *sym_for_names(const struct dp_simple *simple)
{
	return is_set(simple, DPH_SET_no_names) ? NULL : simple->settings[DPH_SET_sym];
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
		return fail(simple, "the line is open already");
	if (!find_board(simple) || !hello(simple))
		return false;
	if (dph_queue_begin(&simple->queue, simple->session, &simple->names) &&
	    bring_records_here(simple) && learn(simple)) {
		dp_session_follow(simple->session, simple->queue.records);
		dph_names_of_target(&simple->names, simple->session, elf_for_names(simple),
				    sym_for_names(simple));
		dph_queue_learned(&simple->queue);
		return true;
	}
	hang_up(simple);
	return false;
}

void dp_simple_close(struct dp_simple *simple)
{
	uint8_t ignored;

	if (simple == NULL)
		return;
	for (unsigned i = 0; simple->session != NULL && i < DPH_PROGRAMS; i++)
		if (simple->installed[i])
			dp_session_remove(simple->session, (uint8_t)i, &ignored);
	hang_up(simple);
	dp_board_settings_free(simple->board);
	for (int i = 0; i < DPH_SETTINGS; i++)
		free(simple->settings[i]);
	free(simple->console.data);
	free(simple->shown);
	free(simple->error);
	free(simple);
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

/* --- programs --- */

/* Words of a setting, with blanks or commas between them. */
struct words {
	char *text; /* the words point into it */
	const char **list;
	size_t count, capacity;
};

static struct words split(const char *setting)
{
	struct words words = {0};
	char *rest = NULL;

	if (setting == NULL)
		return words;
	words.text = dph_strdup(setting);
	for (char *word = strtok_r(words.text, " ,\t", &rest); word != NULL;
	     word = strtok_r(NULL, " ,\t", &rest)) {
		words.list = dph_grow(words.list, &words.capacity, words.count, sizeof *words.list);
		words.list[words.count++] = word;
	}
	return words;
}

static void free_words(struct words *words)
{
	free(words->text);
	free((void *)words->list);
}

static bool items_of(struct dp_simple *simple, uint8_t *items)
{
	static const struct {
		const char *word;
		uint8_t item;
	} rows[] = {
#define DP_ITEM(bit, name, text, bytes) {text, bit},
#include "items.def"
	};
	struct words words = split(simple->settings[DPH_SET_items]);
	bool good = true;

	for (size_t i = 0; i < words.count && good; i++) {
		good = false;
		for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
			if (strcasecmp(rows[n].word, words.list[i]) == 0) {
				*items |= rows[n].item;
				good = true;
			}
	}
	free_words(&words);
	return good || fail(simple, "items are CPU, NAME, PID, PC, SP and TSC");
}

/* Records of removed programs have been read: their indexes are free. */
static void drop_removed(struct dp_simple *simple)
{
	for (unsigned i = 0; i < DPH_PROGRAMS; i++)
		if (!simple->installed[i])
			dph_names_drop(&simple->names, (uint8_t)i);
}

static bool install(struct dp_simple *simple, const char *text,
		    const struct dp_insert_options *options, struct dp_inserted *inserted)
{
	struct dp_messages messages = {0};
	struct dp_insertion *insertion = dp_insertion_text(text, "program", options, &messages);
	enum dp_failure_kind kind;
	bool good = false;

	if (insertion != NULL) {
		/* Records of the program come before their meaning is known. */
		dph_queue_hold(&simple->queue);
		good = dp_insertion_install(insertion, simple->session, inserted, &kind, &messages);
	}
	if (good) {
		dp_messages_free(&messages);
		drop_removed(simple);
		simple->installed[inserted->program] = true;
		dph_names_add(&simple->names, simple->session, inserted->program, insertion,
			      elf_for_names(simple), sym_for_names(simple));
		return true;
	}
	if (messages.errors > 0)
		fail_messages(simple, &messages);
	else {
		dp_messages_free(&messages);
		fail_session(simple);
	}
	dp_insertion_free(insertion);
	return false;
}

int dp_simple_insert(struct dp_simple *simple, const char *text)
{
	const struct dp_hello_answer *target = target_of(simple);
	struct dp_inserted inserted;
	bool good;

	if (!is_open(simple))
		return -1;
	struct words groups = split(simple->settings[DPH_SET_groups]);
	struct words types = split(simple->settings[DPH_SET_types]);
	const struct dp_build_options build = {
		.cpu = dp_cpu_text(target->cpu),
		.word_bits = target->word_bytes * 8u,
		.endian = target->big_endian != 0 ? "big" : "little",
		.elf = of_board(simple, DPH_SET_elf, simple->board->elf),
		.sym = simple->settings[DPH_SET_sym],
		.write = is_set(simple, DPH_SET_write),
		.opcode_optional = is_set(simple, DPH_SET_any_opcode),
	};
	struct dp_insert_options options = {
		.build = &build,
		.groups = groups.list,
		.group_count = groups.count,
		.types = types.list,
		.type_count = types.count,
		.options =
			(uint8_t)((is_set(simple, DPH_SET_replace) ? DP_INSERT_REPLACE : 0) |
				  (is_set(simple, DPH_SET_any_opcode) ? DP_INSERT_ANY_OPCODE : 0)),
	};
	good = items_of(simple, &options.items) && install(simple, text, &options, &inserted);
	good = good && learn(simple);
	if (dp_session_failure(simple->session)->kind != DP_FAILED_LINK)
		dph_queue_learned(&simple->queue);
	free_words(&groups);
	free_words(&types);
	return good ? inserted.program : -1;
}

bool dp_simple_remove(struct dp_simple *simple, int program)
{
	uint8_t removed;

	if (!is_open(simple))
		return false;
	if (program < 0 || program >= DPH_PROGRAMS || !simple->installed[program])
		return fail(simple, "this handle has not inserted a program of this index");
	if (!dp_session_remove(simple->session, (uint8_t)program, &removed))
		return fail_session(simple);
	simple->installed[program] = false;
	return true;
}

int dp_simple_variables(struct dp_simple *simple, int program, uint64_t *values, size_t room)
{
	const uint8_t index = program < 0 ? DP_VARS_GLOBAL : (uint8_t)program;
	size_t got = 0, count = 0, there = 0;

	if (!is_open(simple))
		return -1;
	if (program < -1 || program >= DP_VARS_GLOBAL) {
		fail(simple, "the index belongs to no program; -1 means the global variables");
		return -1;
	}
	do {
		if (!dp_session_vars(simple->session, index, (uint16_t)got, false, values + got,
				     room - got, &count, &there)) {
			fail_session(simple);
			return -1;
		}
		got += count;
	} while (count > 0 && got < there && got < room);
	return (int)there;
}

/* --- records --- */

int dp_simple_next(struct dp_simple *simple, int timeout_ms)
{
	if (!is_open(simple))
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
		if (!dp_session_listen(simple->session, wait_ms)) {
			fail_session(simple);
			return -1;
		}
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

const char *dp_simple_console(struct dp_simple *simple)
{
	free(simple->shown);
	simple->shown = dph_console_take(&simple->console);
	return simple->shown;
}
