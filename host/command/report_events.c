/* SPDX-License-Identifier: BSD-2-Clause */
/* Each event of a capture is one function. */
#define _GNU_SOURCE
#include "report_events.h"

#include "stream_parts.h"

#include "base/pool.h"
#include "insertion/placed_images.h"
#include "stream/records_tap.h"
#include "wire/messages.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
	MESSAGE_MAX = 256 /* bytes of an answer */
};

void dph_report_free(struct dph_report *report)
{
	dph_stream_free(&report->stream);
	dph_run_end_free(&report->end);
	dp_object_free(report->next_object);
	dp_object_free(report->object);
}

/* --- arguments --- */

/* Take a decimal number that is at most `most`. */
static bool number(char **text, uint64_t most, uint64_t *value)
{
	return dph_capture_number(text, 10, value) && *value <= most;
}

static bool numbers(char **text, unsigned count, const uint64_t *most, uint64_t *values)
{
	for (unsigned i = 0; i < count; i++)
		if (!number(text, most[i], &values[i]))
			return false;
	return true;
}

/* Read an answer as the wire has it. */
static bool read_answer(const struct dph_report *report, const char *text,
			const struct dph_form *form, void *answer)
{
	uint8_t bytes[MESSAGE_MAX];
	struct dph_reader reader = {.p = bytes, .word_bytes = report->lines.word_bytes};
	unsigned byte;

	for (; reader.left < sizeof bytes && sscanf(text, "%2x", &byte) == 1; text += 2) {
		bytes[reader.left++] = (uint8_t)byte;
		if (text[1] == '\0')
			return false;
	}
	if (*text != '\0')
		return false;
	dph_read(&reader, form, answer);
	return !reader.cut;
}

/* Take the words behind the arguments: hexadecimal, a multiple of `each`. For free(). */
static uint64_t *take_words(char *text, uint64_t each, size_t *count)
{
	uint64_t *words = dph_malloc((strlen(text) / 2 + 1) * sizeof *words);
	bool good = true;

	for (*count = 0; *text != '\0' && good; *count += good)
		good = dph_capture_number(&text, 16, &words[*count]);
	if (good && each > 0 && *count % each == 0)
		return words;
	free(words);
	return NULL;
}

/* --- facts and objects --- */

bool dph_report_fact(struct dph_report *report, const char *key, char *value)
{
	struct dph_lines *lines = &report->lines;
	uint64_t n;

	if (strcmp(key, "endian") == 0) {
		lines->big_endian = strcmp(value, "big") == 0;
		return true;
	}
	if (strcmp(key, "began-ns") == 0) {
		lines->began_ns = strtoll(value, NULL, 10);
		return true;
	}
	if (strcmp(key, "word-bytes") == 0) {
		lines->word_bytes = 0;
		if (!number(&value, 8, &n) || (n != 4 && n != 8))
			return false;
		lines->word_bytes = (unsigned)n;
	} else if (strcmp(key, "hz") == 0) {
		if (!number(&value, UINT32_MAX, &n))
			return false;
		lines->hz = (uint32_t)n;
	} else if (strcmp(key, "count") == 0) {
		if (!number(&value, ULONG_MAX, &n))
			return false;
		report->stream.most = (unsigned long)n;
	} else if (strcmp(key, "ticks") == 0) {
		return number(&value, UINT64_MAX, &report->stream.hello_ticks);
	}
	return true;
}

bool dph_report_object(struct dph_report *report, const struct dph_captured_entry *entry)
{
	struct dp_messages unsaid = {0};

	dp_object_free(report->next_object);
	report->next_object = dp_object_from_bytes(entry->text, entry->count, entry->name, &unsaid);
	dp_messages_free(&unsaid);
	return report->next_object != NULL;
}

/* --- the target --- */

/* A target, or the same one after a restart. */
static bool on_attach(struct dph_report *report, char *text)
{
	struct dph_stream *stream = &report->stream;

	(void)text;
	if (report->lines.word_bytes == 0)
		return false;
	stream->modules.count = 0;
	stream->hello_ms = stream->replay_ms;
	if (report->begun) {
		dp_records_restart(stream->records);
		stream->style.began_ns = report->lines.began_ns;
		return true;
	}
	stream->of_session = true;
	report->begun = dph_stream_read(stream, &report->lines);
	return report->begun;
}

static bool on_restart(struct dph_report *report, char *text)
{
	(void)text;
	report->stream.learned = false;
	return true;
}

static bool on_module(struct dph_report *report, char *text)
{
	struct dp_module_answer module;

	if (!read_answer(report, text, DPH_OF(module_answer, &module)))
		return false;
	dph_module_list_add(&report->stream.modules, &module);
	return true;
}

/* Names of addresses, by where the target runs its modules. */
static void place_names(struct dph_report *report)
{
	dph_stream_place_names(&report->stream);
	report->end.names = report->stream.style.names;
}

static bool on_probe(struct dph_report *report, char *text)
{
	static const uint64_t most[] = {UINT8_MAX, UINT8_MAX,  UINT8_MAX,
					UINT8_MAX, UINT16_MAX, UINT16_MAX};
	struct dp_probe_meaning meaning = {0};
	uint64_t n[6], address;

	if (!numbers(&text, 6, most, n) || !dph_capture_number(&text, 16, &address))
		return false;
	meaning.items = (uint8_t)n[1];
	meaning.program = (uint8_t)n[2];
	meaning.point = (uint8_t)n[3];
	meaning.major = (uint16_t)n[4];
	meaning.minor = (uint16_t)n[5];
	meaning.address = address;
	snprintf(meaning.name, sizeof meaning.name, "%s", text);
	dp_records_tell(report->stream.records, (uint8_t)n[0], &meaning);
	return true;
}

static bool on_learned(struct dph_report *report, char *text)
{
	(void)text;
	if (!report->placed)
		place_names(report);
	report->placed = true;
	report->stream.learned = true;
	dph_stream_follow_records(&report->stream);
	return true;
}

/* --- the reader of records --- */

static bool on_counts(struct dph_report *report, char *text)
{
	static const uint64_t most[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, 1};
	const struct dp_listener *to = &report->stream.listener;
	uint64_t n[5];

	if (!numbers(&text, 5, most, n))
		return false;
	to->counts(to->context, &(struct dp_record_counts){.sent = (uint32_t)n[0],
							   .dropped = (uint32_t)n[1],
							   .missed = (uint32_t)n[2],
							   .withdrawn = (uint32_t)n[3],
							   .stored = n[4] != 0});
	return true;
}

static bool make_call(const struct dph_report *report, enum dph_records_call call, char *text)
{
	uint64_t value;

	if (!number(&text, UINT32_MAX, &value))
		return false;
	dph_records_make(report->stream.records, call, (uint32_t)value);
	return true;
}

static bool on_resends(struct dph_report *report, char *text)
{
	return make_call(report, DPH_RECORDS_RESENDS, text);
}

static bool on_give_up(struct dph_report *report, char *text)
{
	return make_call(report, DPH_RECORDS_GIVE_UP, text);
}

static bool on_sent(struct dph_report *report, char *text)
{
	return make_call(report, DPH_RECORDS_SENT, text);
}

static bool on_ended(struct dph_report *report, char *text)
{
	return make_call(report, DPH_RECORDS_END, text);
}

static bool on_flush(struct dph_report *report, char *text)
{
	const bool all = *text == '-';
	uint64_t hold_ms = 0;

	if (!all && !number(&text, INT32_MAX, &hold_ms))
		return false;
	dph_recording_flush(&report->stream, all ? DPH_FLUSH_ALL : (int)hold_ms);
	return true;
}

/* --- the program --- */

/* Is it the program of a run, or the one that the user wants among those of `record`? */
static bool is_wanted(const struct dph_report *report, bool own)
{
	const char *name = dph_cli_get(report->cli, DPH_OPT_NAME);
	struct dp_program_info program;

	if (own || name == NULL)
		return true;
	dp_object_program(report->next_object, &program);
	return strcmp(program.name, name) == 0;
}

/* A second program of `record` without --name: neither is chosen. */
static void use_none(struct dph_report *report)
{
	report->several = true;
	report->stream.object = NULL;
	dph_stream_formats_none(&report->stream);
}

static bool on_program(struct dph_report *report, char *text)
{
	static const uint64_t most[] = {UINT8_MAX, 1, 1};
	struct dph_stream *stream = &report->stream;
	uint64_t n[3];

	if (report->next_object == NULL || !numbers(&text, 3, most, n))
		return false;
	if (!is_wanted(report, n[1] != 0))
		return true;
	if (n[1] == 0 && (report->object != NULL || report->several)) {
		use_none(report);
		return true;
	}
	stream->own_only = n[1] != 0;
	stream->replaces = n[2] != 0;
	stream->program = report->end.program = (uint8_t)n[0];
	stream->object = report->next_object;
	dph_stream_formats(stream, stream->object);
	dp_object_free(report->object);
	report->object = report->next_object;
	report->next_object = NULL;
	return true;
}

/* --- aggregations --- */

static bool on_map(struct dph_report *report, char *text)
{
	static const uint64_t most[] = {UINT8_MAX, UINT32_MAX, UINT16_MAX};
	struct dp_formats *formats = report->stream.formats;
	struct dp_aggregation_info info;
	uint64_t n[3], *words;
	size_t count;

	if (formats == NULL || !numbers(&text, 3, most, n) ||
	    !dp_formats_aggregation(formats, (unsigned)n[0], &info) || info.words != n[2])
		return false;
	words = take_words(text, n[2], &count);
	if (words == NULL)
		return false;
	dp_formats_add(formats, (unsigned)n[0], words, count / n[2], (uint32_t)n[1]);
	free(words);
	report->mapped = true;
	return true;
}

static bool on_drop(struct dph_report *report, char *text)
{
	static const uint64_t most[] = {UINT8_MAX, UINT32_MAX};
	struct dp_formats *formats = report->stream.formats;
	struct dp_array_info info;
	uint64_t n[2];

	if (formats == NULL || !numbers(&text, 2, most, n) ||
	    !dp_formats_array(formats, (unsigned)n[0], &info))
		return false;
	dp_formats_drop(formats, (unsigned)n[0], (uint32_t)n[1]);
	return true;
}

static bool on_taken(struct dph_report *report, char *text)
{
	uint64_t ran_ms, now;

	if (report->stream.formats == NULL || !number(&text, UINT64_MAX, &ran_ms) ||
	    !number(&text, UINT64_MAX, &now))
		return false;
	dph_stream_tell_taken(&report->stream, ran_ms, now);
	return true;
}

static bool on_release(struct dph_report *report, char *text)
{
	uint64_t count;

	if (!number(&text, SIZE_MAX, &count))
		return false;
	dph_stream_print_held(&report->stream, count);
	return true;
}

static bool on_closed(struct dph_report *report, char *text)
{
	(void)text;
	report->stream.closed = true;
	return true;
}

/* --- the end --- */

static bool on_stopped(struct dph_report *report, char *text)
{
	if (!number(&text, UINT64_MAX, &report->end.ran_ms))
		return false;
	snprintf(report->end.name, sizeof report->end.name, "%s", text);
	report->stopped = true;
	dph_stream_tell_tally(&report->stream);
	return true;
}

static bool on_vars(struct dph_report *report, char *text)
{
	struct dph_run_end *end = &report->end;
	uint64_t *words = take_words(text, 1, &end->word_count);

	if (words == NULL || end->word_count > RPN_VARS_MAX) {
		free(words);
		end->word_count = 0;
		return false;
	}
	memcpy(end->words, words, end->word_count * sizeof *words);
	free(words);
	if (dph_run_end_named(&report->stream))
		dph_run_end_tell_named(&report->stream, end);
	return true;
}

static bool on_array(struct dph_report *report, char *text)
{
	static const uint64_t most[] = {UINT8_MAX, UINT16_MAX};
	const struct dph_stream *stream = &report->stream;
	struct dp_array_info info;
	uint64_t n[2], *words;
	size_t count;

	if (stream->formats == NULL || !numbers(&text, 2, most, n) ||
	    !dp_formats_array(stream->formats, (unsigned)n[0], &info) || info.words != n[1])
		return false;
	words = take_words(text, n[1], &count);
	if (words == NULL)
		return false;
	if (dph_run_end_named(stream))
		dp_formats_tell_array(stream->formats, (unsigned)n[0], report->end.name, words,
				      count / n[1], stream->sink);
	free(words);
	return true;
}

static bool on_counter(struct dph_report *report, char *text)
{
	struct dp_probe_answer probe;

	if (!read_answer(report, text, DPH_OF(probe_answer, &probe)))
		return false;
	dph_run_end_add(&report->end, &probe);
	return true;
}

static bool on_removed(struct dph_report *report, char *text)
{
	(void)text;
	report->removed = true;
	return true;
}

static bool on_end(struct dph_report *report, char *text)
{
	uint64_t *const counts[] = {&report->lines_there, &report->texts_there,
				    &report->events_there};

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		dph_capture_word(&text);
		if (!number(&text, UINT64_MAX, counts[i]))
			return false;
	}
	report->ended = true;
	return true;
}

bool dph_report_event(struct dph_report *report, char *text)
{
	static bool (*const events[DPH_EVENT_COUNT])(struct dph_report *, char *) = {
		[DPH_EVENT_ATTACH] = on_attach,   [DPH_EVENT_RESTART] = on_restart,
		[DPH_EVENT_MODULE] = on_module,   [DPH_EVENT_COUNTS] = on_counts,
		[DPH_EVENT_PROBE] = on_probe,     [DPH_EVENT_RESENDS] = on_resends,
		[DPH_EVENT_GIVE_UP] = on_give_up, [DPH_EVENT_SENT] = on_sent,
		[DPH_EVENT_ENDED] = on_ended,     [DPH_EVENT_LEARNED] = on_learned,
		[DPH_EVENT_FLUSH] = on_flush,     [DPH_EVENT_PROGRAM] = on_program,
		[DPH_EVENT_MAP] = on_map,         [DPH_EVENT_DROP] = on_drop,
		[DPH_EVENT_TAKEN] = on_taken,     [DPH_EVENT_RELEASE] = on_release,
		[DPH_EVENT_CLOSED] = on_closed,   [DPH_EVENT_STOPPED] = on_stopped,
		[DPH_EVENT_VARS] = on_vars,       [DPH_EVENT_ARRAY] = on_array,
		[DPH_EVENT_COUNTER] = on_counter, [DPH_EVENT_REMOVED] = on_removed,
		[DPH_EVENT_END] = on_end,
	};
	const char *word = dph_capture_word(&text);

	for (int i = 0; i < DPH_EVENT_COUNT; i++) {
		if (strcmp(word, dph_recording_words[i]) != 0)
			continue;
		if (!report->begun && i != DPH_EVENT_ATTACH && i != DPH_EVENT_COUNTS &&
		    i != DPH_EVENT_END)
			return false;
		return events[i](report, text);
	}
	return false;
}
