/* SPDX-License-Identifier: BSD-2-Clause */
/* Each record begins or ends a slice, or is an instant, on the track of the task or the interrupt
 * that its CPU runs. */
#define _GNU_SOURCE
#include "tracks.h"

#include "label.h"

#include "base/pool.h"
#include "dp_record.h"
#include "present/text.h"

#include <dprobes/errors.h>
#include <dprobes/formats.h>
#include <dprobes/host.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- tracks --- */

static size_t track_named(struct dph_tracks *tracks, enum dph_track_kind kind, const char *name)
{
	const size_t before = tracks->names.count;
	const char *shown = before < DPH_TRACKS_MAX ? name : "others";
	const size_t track = dph_intern_in(&tracks->names, kind, shown);

	if (track < before)
		return track;
	tracks->tracks =
		dph_grow(tracks->tracks, &tracks->track_room, track, sizeof *tracks->tracks);
	tracks->tracks[track] = (struct dph_track){.depth = 0};
	tracks->to.track(tracks->to.context, track, kind, shown);
	return track;
}

static unsigned cpu_of(const struct dp_record_view *record)
{
	return record->record->stream % DPH_TRACK_CPUS;
}

static const struct dp_value *value_named(const struct dp_record_view *record, const char *name)
{
	for (size_t i = 0; i < record->value_count; i++)
		if (record->values[i]->name != NULL && strcmp(record->values[i]->name, name) == 0)
			return record->values[i];
	return NULL;
}

/* The record's own word for its task comes first. */
static size_t track_of(struct dph_tracks *tracks, const struct dp_record_view *record)
{
	const unsigned cpu = cpu_of(record);
	const struct dp_value *task = value_named(record, "execname");
	char name[32];

	if (tracks->cpus[cpu].interrupt != DPH_NO_TRACK)
		return (size_t)tracks->cpus[cpu].interrupt;
	if (task != NULL && task->text != NULL && *task->text != '\0')
		return track_named(tracks, DPH_TRACK_TASK, task->text);
	if (record->record->items & DP_ITEM_NAME && record->record->task[0] != '\0')
		return track_named(tracks, DPH_TRACK_TASK, record->record->task);
	if (tracks->cpus[cpu].task != DPH_NO_TRACK)
		return (size_t)tracks->cpus[cpu].task;
	snprintf(name, sizeof name, "CPU %u", record->record->stream);
	return track_named(tracks, DPH_TRACK_CPU, name);
}

/* --- probes --- */

static void forget(struct dph_track_probe *probe)
{
	free(probe->label);
	*probe = (struct dph_track_probe){0};
}

/* "fbt:demo:queue_put:entry": the function may have colons. */
static void read_name(struct dph_tracks *tracks, struct dph_track_probe *probe, const char *name)
{
	const char *module = strchr(name, ':');
	const char *function = module != NULL ? strchr(module + 1, ':') : NULL;
	const char *last = strrchr(name, ':');
	char *own;

	if (function == NULL || last == function)
		return;
	own = dph_strndup(function + 1, (size_t)(last - function - 1));
	probe->function = dph_intern(&tracks->functions, own);
	probe->role = dph_role_of(own, last + 1);
	if (strncmp(name, "fbt:", 4) == 0) {
		probe->entry = strcmp(last, ":entry") == 0;
		probe->exit = strcmp(last, ":return") == 0;
	}
	free(own);
}

static const struct dph_track_probe *probe_of(struct dph_tracks *tracks,
					      const struct dp_record_view *record)
{
	struct dph_track_probe *probe = &tracks->probes[record->record->head.probe];
	const bool formats = record->formats != NULL && record->record->probe != NULL;
	const unsigned point = formats ? record->record->probe->point : 0;
	const char *whole = formats ? dp_formats_probe(record->formats, point, true) : NULL;

	if (probe->known)
		return probe;
	forget(probe);
	probe->known = record->record->probe != NULL;
	probe->label = dph_label_of(record, false);
	if (whole != NULL)
		read_name(tracks, probe, whole);
	return probe;
}

void dph_tracks_point(struct dph_tracks *tracks, const struct dp_point_view *point)
{
	tracks->probes[point->number & UINT8_MAX].known = false;
}

/* --- tasks and queues --- */

static bool is_number(const struct dp_value *value)
{
	return value->form == DP_VALUE_NUMBER || value->form == DP_VALUE_SIGNED ||
	       value->form == DP_VALUE_ADDRESS || value->form == DP_VALUE_SYMBOL;
}

/* What a record of a well-known function says: numbers in their order, and a text. */
struct said {
	const struct dp_value *subject, *value;
	const char *name;
};

static struct said read_said(const struct dp_record_view *record)
{
	struct said said = {0};

	for (size_t i = 0; i < record->value_count; i++) {
		const struct dp_value *value = record->values[i];

		if (is_number(value) && said.subject == NULL)
			said.subject = value;
		else if (is_number(value))
			said.value = value;
		else if (value->origin == DP_VALUE_OF_TARGET && value->text != NULL)
			said.name = value->text;
	}
	return said;
}

static struct dph_subject *subject_at(struct dph_tracks *tracks, uint64_t address)
{
	for (size_t i = 0; i < tracks->subject_count; i++)
		if (tracks->subjects[i].address == address)
			return &tracks->subjects[i];
	if (tracks->subject_count == DPH_SUBJECTS_MAX)
		return NULL;
	tracks->subjects = dph_grow(tracks->subjects, &tracks->subject_room, tracks->subject_count,
				    sizeof *tracks->subjects);
	tracks->subjects[tracks->subject_count] = (struct dph_subject){.address = address};
	return &tracks->subjects[tracks->subject_count++];
}

static void print_address(char *text, size_t room, const struct dp_record_view *record,
			  uint64_t address)
{
	char name[DP_NAME_ROOM];
	const char *symbol = dp_image_name(record->names, address, name);

	if (symbol != NULL)
		snprintf(text, room, "%s", symbol);
	else
		snprintf(text, room, "0x%" PRIx64, address);
}

/* The name of a task or a queue: of this record, or of an earlier one with the same address. */
static const char *subject_name(struct dph_tracks *tracks, const struct dp_record_view *record,
				const struct said *said, char *room, size_t bytes)
{
	struct dph_subject *subject =
		said->subject != NULL ? subject_at(tracks, said->subject->number) : NULL;

	if (subject != NULL && said->name != NULL && *said->name != '\0') {
		free(subject->name);
		subject->name = dph_strdup(said->name);
	}
	if (said->name != NULL && *said->name != '\0')
		return said->name;
	if (subject != NULL && subject->name != NULL)
		return subject->name;
	print_address(room, bytes, record, said->subject != NULL ? said->subject->number : 0);
	return room;
}

/* --- slices --- */

static void open_slice(struct dph_tracks *tracks, size_t track, uint64_t ns, size_t function,
		       const struct dp_record_view *record)
{
	struct dph_track *t = &tracks->tracks[track];

	if (t->depth == DPH_TRACK_DEPTH) {
		tracks->to.instant(tracks->to.context, track, ns, tracks->functions.names[function],
				   record);
		return;
	}
	t->functions[t->depth++] = function;
	tracks->to.begin(tracks->to.context, track, ns, tracks->functions.names[function], record);
}

/* End the slice of the function, and those inside it whose returns are lost. Returns false when the
 * function has no open slice. */
static bool close_slice(struct dph_tracks *tracks, size_t track, uint64_t ns, size_t function,
			const struct dp_record_view *record)
{
	struct dph_track *t = &tracks->tracks[track];
	size_t at = t->depth;

	while (at > 0 && t->functions[at - 1] != function)
		at--;
	if (at == 0)
		return false;
	while (t->depth >= at) {
		t->depth--;
		tracks->to.end(tracks->to.context, track, ns, t->depth < at ? record : NULL);
	}
	return true;
}

/* A CPU runs another task. */
static void switch_task(struct dph_tracks *tracks, const struct dp_record_view *record, uint64_t ns)
{
	const struct said said = read_said(record);
	const unsigned cpu = cpu_of(record);
	const size_t running = dph_intern(&tracks->functions, "running");
	const int before = tracks->cpus[cpu].task;
	char room[DP_NAME_ROOM];
	size_t track;

	if (said.subject == NULL && said.name == NULL)
		return;
	track = track_named(tracks, DPH_TRACK_TASK,
			    subject_name(tracks, record, &said, room, sizeof room));
	if (before == (int)track)
		return;
	if (before != DPH_NO_TRACK)
		close_slice(tracks, (size_t)before, ns, running, NULL);
	tracks->cpus[cpu].task = (int)track;
	open_slice(tracks, track, ns, running, record);
}

/* A CPU begins or ends the handling of an interrupt. */
static void interrupt(struct dph_tracks *tracks, const struct dph_track_probe *probe,
		      const struct dp_record_view *record, uint64_t ns)
{
	const unsigned cpu = cpu_of(record);
	const size_t track =
		track_named(tracks, DPH_TRACK_INTERRUPT, tracks->functions.names[probe->function]);
	size_t *depth = &tracks->cpus[cpu].depth;

	if (probe->entry && *depth < DPH_TRACK_DEPTH) {
		tracks->cpus[cpu].interrupted[(*depth)++] = tracks->cpus[cpu].interrupt;
		tracks->cpus[cpu].interrupt = (int)track;
		open_slice(tracks, track, ns, probe->function, record);
	} else if (probe->exit && close_slice(tracks, track, ns, probe->function, record)) {
		*depth -= *depth > 0;
		tracks->cpus[cpu].interrupt = tracks->cpus[cpu].interrupted[*depth];
	}
}

/* --- values --- */

static bool is_counted(const struct dp_value *value)
{
	return value->name != NULL && value->origin != DP_VALUE_OF_PROGRAM &&
	       (value->form == DP_VALUE_NUMBER || value->form == DP_VALUE_SIGNED ||
		value->form == DP_VALUE_FLOAT || value->form == DP_VALUE_FLAG);
}

static void put_number(struct dph_tracks *tracks, const char *name, uint64_t ns,
		       const struct dp_value *value)
{
	const size_t track = track_named(tracks, DPH_TRACK_VALUES, name);

	tracks->to.number(tracks->to.context, track, ns, value);
}

static void put_numbers(struct dph_tracks *tracks, const struct dp_record_view *record,
			const char *label, uint64_t ns)
{
	char name[256];

	for (size_t i = 0; i < record->value_count; i++) {
		if (!is_counted(record->values[i]))
			continue;
		snprintf(name, sizeof name, "%s %s", label, record->values[i]->name);
		put_number(tracks, name, ns, record->values[i]);
	}
	for (size_t i = 0; record->values == NULL && i < record->word_count; i++) {
		const struct dp_value word = {.form = DP_VALUE_NUMBER, .number = record->words[i]};

		snprintf(name, sizeof name, "%s word %zu", label, i + 1);
		put_number(tracks, name, ns, &word);
	}
}

static void queue_traffic(struct dph_tracks *tracks, const struct dph_track_probe *probe,
			  const struct dp_record_view *record, uint64_t ns)
{
	const struct said said = read_said(record);
	char room[DP_NAME_ROOM], text[DP_NAME_ROOM + 64];
	const char *name = subject_name(tracks, record, &said, room, sizeof room);

	snprintf(text, sizeof text, "%s %s", tracks->functions.names[probe->function], name);
	tracks->to.instant(tracks->to.context, track_of(tracks, record), ns, text, record);
	if (said.value == NULL)
		return;
	snprintf(text, sizeof text, "queue %s", name);
	put_number(tracks, text, ns, said.value);
}

/* --- items --- */

void dph_tracks_record(struct dph_tracks *tracks, const struct dp_record_view *record)
{
	const uint64_t ns = dph_trace_time(&tracks->clock, record);
	const struct dph_track_probe *probe = probe_of(tracks, record);
	size_t track;

	if (probe->role == DPH_ROLE_SWITCH) {
		switch_task(tracks, record, ns);
		return;
	}
	if (probe->role == DPH_ROLE_QUEUE) {
		queue_traffic(tracks, probe, record, ns);
		return;
	}
	put_numbers(tracks, record, probe->label, ns);
	if (probe->role == DPH_ROLE_INTERRUPT) {
		interrupt(tracks, probe, record, ns);
		return;
	}
	track = track_of(tracks, record);
	if (probe->entry)
		open_slice(tracks, track, ns, probe->function, record);
	else if (!probe->exit || !close_slice(tracks, track, ns, probe->function, record))
		tracks->to.instant(tracks->to.context, track, ns, probe->label, record);
}

/* The text of the format text, without its newline. */
static void put_sentence(struct dph_tracks *tracks, enum dph_track_kind kind, uint64_t ns,
			 char *text)
{
	const char *names[] = {[DPH_TRACK_NOTICES] = "notices", [DPH_TRACK_GAPS] = "gaps"};

	text[strcspn(text, "\n")] = '\0';
	tracks->to.instant(tracks->to.context, track_named(tracks, kind, names[kind]), ns, text,
			   NULL);
}

void dph_tracks_gap(struct dph_tracks *tracks, const struct dp_gap *gap)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return;
	dph_show_gap(out, gap);
	fclose(out);
	put_sentence(tracks, DPH_TRACK_GAPS, tracks->clock.latest, text);
	free(text);
}

void dph_tracks_notice(struct dph_tracks *tracks, const struct dp_notice_view *notice)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return;
	dph_show_notice(out, notice);
	fclose(out);
	put_sentence(tracks, DPH_TRACK_NOTICES, tracks->clock.latest, text);
	free(text);
}

static void end_line(struct dph_tracks *tracks, uint64_t ns)
{
	if (tracks->line_bytes == 0)
		return;
	tracks->line[tracks->line_bytes] = '\0';
	tracks->line_bytes = 0;
	tracks->to.instant(tracks->to.context, track_named(tracks, DPH_TRACK_CONSOLE, "console"),
			   ns, tracks->line, NULL);
}

void dph_tracks_console(struct dph_tracks *tracks, const struct dp_sink *sink, const uint8_t *text,
			size_t count)
{
	const uint64_t ns = dph_trace_time_of_item(&tracks->clock, sink);

	for (size_t i = 0; i < count; i++) {
		const bool plain = text[i] >= ' ' && text[i] <= '~';

		if (text[i] == '\n' || tracks->line_bytes + 1 == sizeof tracks->line)
			end_line(tracks, ns);
		if (text[i] != '\n' && text[i] != '\r')
			tracks->line[tracks->line_bytes++] = plain ? (char)text[i] : '.';
	}
}

void dph_tracks_end(struct dph_tracks *tracks, const struct dp_sink *sink)
{
	end_line(tracks, dph_trace_time_of_item(&tracks->clock, sink));
}

void dph_tracks_init(struct dph_tracks *tracks, const struct dph_track_listener *to)
{
	*tracks = (struct dph_tracks){.to = *to};
	for (size_t i = 0; i < DPH_TRACK_CPUS; i++) {
		tracks->cpus[i].task = DPH_NO_TRACK;
		tracks->cpus[i].interrupt = DPH_NO_TRACK;
	}
}

void dph_tracks_free(struct dph_tracks *tracks)
{
	for (size_t i = 0; i <= UINT8_MAX; i++)
		forget(&tracks->probes[i]);
	for (size_t i = 0; i < tracks->subject_count; i++)
		free(tracks->subjects[i].name);
	free(tracks->subjects);
	free(tracks->tracks);
	dph_interned_free(&tracks->names);
	dph_interned_free(&tracks->functions);
}
