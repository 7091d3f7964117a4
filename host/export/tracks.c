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

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- tracks --- */

static size_t track_named(struct dph_tracks *tracks, enum dph_track_kind kind, const char *name)
{
	const size_t before = tracks->names.count;
	const bool known = dph_name_index_find(&tracks->names.index, kind, name) != DPH_NAME_NONE;
	const char *shown = known || before < DPH_TRACKS_MAX ? name : "others";
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

/* Has the program a probe of this name, but for its end? */
static bool has_pair(const struct dp_formats *formats, const char *name, size_t bytes,
		     const char *end)
{
	const char *other;

	for (unsigned i = 0; (other = dp_formats_probe(formats, i, true)) != NULL; i++)
		if (strncmp(other, name, bytes) == 0 && strcmp(other + bytes, end) == 0)
			return true;
	return false;
}

/* "fbt:demo:queue_put:entry": the function may have colons. */
static void read_name(struct dph_tracks *tracks, struct dph_track_probe *probe,
		      const struct dp_formats *formats, const char *name)
{
	const char *module = strchr(name, ':');
	const char *function = module != NULL ? strchr(module + 1, ':') : NULL;
	const char *last = strrchr(name, ':');
	const size_t front = (size_t)(last - name);
	char *own;

	if (function == NULL || last == function)
		return;
	own = dph_strndup(function + 1, (size_t)(last - function - 1));
	probe->function = dph_intern(&tracks->functions, own);
	probe->known_as = dph_well_known_at(own, last + 1);
	if (strncmp(name, "fbt:", 4) == 0) {
		probe->entry =
			strcmp(last, ":entry") == 0 && has_pair(formats, name, front, ":return");
		probe->exit =
			strcmp(last, ":return") == 0 && has_pair(formats, name, front, ":entry");
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
		read_name(tracks, probe, record->formats, whole);
	return probe;
}

void dph_tracks_point(struct dph_tracks *tracks, const struct dp_point_view *point)
{
	tracks->probes[point->number & UINT8_MAX].known = false;
}

/* --- tasks and queues --- */

/* What a record of a well-known function says. */
struct said {
	const struct dp_value *subject, *number, *value; /* null: nothing */
	const char *name;
};

/* Is it the number of the subject: "dp_task[args[1]]"? */
static bool is_number_of(const struct dp_value *value, const char *subject)
{
	const char *index = strchr(value->name, '[');
	const size_t bytes = strlen(subject);

	return index != NULL && strncmp(index + 1, subject, bytes) == 0 &&
	       strcmp(index + 1 + bytes, "]") == 0;
}

/* Is it the text at the expression? */
static bool is_text_of(const struct dp_value *value, const char *expression)
{
	const size_t bytes = strlen(expression);

	if (value->text == NULL || bytes == 0)
		return false;
	return strcmp(value->name, expression) == 0 ||
	       (strncmp(value->name, "stringof(", 9) == 0 &&
		strncmp(value->name + 9, expression, bytes) == 0 &&
		strcmp(value->name + 9 + bytes, ")") == 0);
}

/* The values are known by their expressions: a program may record others at the same place. */
static struct said read_said(const struct dp_record_view *record, const struct dph_well_known *row)
{
	struct said said = {0};

	for (size_t i = 0; i < record->value_count; i++) {
		const struct dp_value *value = record->values[i];

		if (value->name == NULL)
			continue;
		if (*row->subject != '\0' && strcmp(value->name, row->subject) == 0)
			said.subject = value;
		else if (*row->subject != '\0' && is_number_of(value, row->subject))
			said.number = value;
		else if (*row->value != '\0' && strcmp(value->name, row->value) == 0)
			said.value = value;
		else if (is_text_of(value, row->name))
			said.name = value->text;
	}
	return said;
}

static struct dph_subject *subject_at(struct dph_tracks *tracks, enum dph_role role,
				      const struct said *said)
{
	const struct dp_value *key = said->number != NULL ? said->number : said->subject;
	struct dph_subject *subject;

	if (key == NULL)
		return NULL;
	for (size_t i = 0; i < tracks->subject_count; i++) {
		subject = &tracks->subjects[i];
		if (subject->role == role && subject->key == key->number &&
		    subject->numbered == (said->number != NULL))
			return subject;
	}
	if (tracks->subject_count == DPH_SUBJECTS_MAX)
		return NULL;
	tracks->subjects = dph_grow(tracks->subjects, &tracks->subject_room, tracks->subject_count,
				    sizeof *tracks->subjects);
	subject = &tracks->subjects[tracks->subject_count++];
	*subject = (struct dph_subject){role, said->number != NULL, key->number, NULL};
	return subject;
}

/* The name that this record tells: a text, the variable at the address, or the address. Null: the
 * record has the number alone. */
static char *told_name(const struct dp_record_view *record, const struct said *said)
{
	char room[DP_NAME_ROOM];
	const char *symbol;

	if (said->name != NULL && *said->name != '\0')
		return dph_strdup(said->name);
	if (said->subject == NULL)
		return NULL;
	symbol = dp_image_name(record->names, said->subject->number, room);
	return symbol != NULL ? dph_strdup(symbol) : dph_print("0x%" PRIx64, said->subject->number);
}

/* The name of a task or a queue: of this record, or of an earlier one. False: the record names
 * none. */
static bool subject_name(struct dph_tracks *tracks, const struct dp_record_view *record,
			 const struct dph_well_known *row, const struct said *said, char *room)
{
	struct dph_subject *subject = subject_at(tracks, row->role, said);
	char *told = told_name(record, said);

	if (subject != NULL && told != NULL) {
		free(subject->name);
		subject->name = dph_strdup(told);
	}
	if (told != NULL)
		snprintf(room, DP_NAME_ROOM, "%s", told);
	else if (subject != NULL && subject->name != NULL)
		snprintf(room, DP_NAME_ROOM, "%s", subject->name);
	else if (said->number != NULL)
		snprintf(room, DP_NAME_ROOM, "%s %" PRIu64,
			 row->role == DPH_ROLE_SWITCH ? "task" : "queue", said->number->number);
	free(told);
	return said->number != NULL || said->subject != NULL || said->name != NULL;
}

/* --- slices --- */

/* The probe of the return is armed behind that of the entry. Until a return has come, the slice of
 * an entry would have no end. */
static bool *returned_of(struct dph_tracks *tracks, size_t function)
{
	while (tracks->returned_count <= function) {
		tracks->returned = dph_grow(tracks->returned, &tracks->returned_room,
					    tracks->returned_count, sizeof *tracks->returned);
		tracks->returned[tracks->returned_count++] = false;
	}
	return &tracks->returned[function];
}

static bool begins(struct dph_tracks *tracks, const struct dph_track_probe *probe)
{
	return probe->entry && *returned_of(tracks, probe->function);
}

static bool ends(struct dph_tracks *tracks, const struct dph_track_probe *probe)
{
	if (probe->exit)
		*returned_of(tracks, probe->function) = true;
	return probe->exit;
}

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

/* A CPU runs another task. Returns false when the record does not name it. */
static bool switch_task(struct dph_tracks *tracks, const struct dph_track_probe *probe,
			const struct dp_record_view *record, uint64_t ns)
{
	const struct said said = read_said(record, probe->known_as);
	const unsigned cpu = cpu_of(record);
	const size_t running = dph_intern(&tracks->functions, "running");
	const int before = tracks->cpus[cpu].task;
	char room[DP_NAME_ROOM];
	size_t track;

	if (!subject_name(tracks, record, probe->known_as, &said, room))
		return false;
	track = track_named(tracks, DPH_TRACK_TASK, room);
	if (before == (int)track)
		return true;
	if (before != DPH_NO_TRACK)
		close_slice(tracks, (size_t)before, ns, running, NULL);
	tracks->cpus[cpu].task = (int)track;
	open_slice(tracks, track, ns, running, record);
	return true;
}

/* A CPU begins or ends the handling of an interrupt. */
static void interrupt(struct dph_tracks *tracks, const struct dph_track_probe *probe,
		      const struct dp_record_view *record, uint64_t ns)
{
	const unsigned cpu = cpu_of(record);
	const size_t track =
		track_named(tracks, DPH_TRACK_INTERRUPT, tracks->functions.names[probe->function]);
	size_t *depth = &tracks->cpus[cpu].depth;

	if (begins(tracks, probe) && *depth < DPH_TRACK_DEPTH) {
		tracks->cpus[cpu].interrupted[(*depth)++] = tracks->cpus[cpu].interrupt;
		tracks->cpus[cpu].interrupt = (int)track;
		open_slice(tracks, track, ns, probe->function, record);
	} else if (ends(tracks, probe) && close_slice(tracks, track, ns, probe->function, record)) {
		*depth -= *depth > 0;
		tracks->cpus[cpu].interrupt = tracks->cpus[cpu].interrupted[*depth];
	}
}

/* --- values --- */

static bool is_counted(const struct dp_value *value)
{
	return value->name != NULL && !isdigit((unsigned char)value->name[0]) &&
	       value->origin != DP_VALUE_OF_PROGRAM &&
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

/* Something goes into a queue or out of it. Returns false when the record does not name the queue.
 */
static bool queue_traffic(struct dph_tracks *tracks, const struct dph_track_probe *probe,
			  const struct dp_record_view *record, uint64_t ns)
{
	const struct said said = read_said(record, probe->known_as);
	char room[DP_NAME_ROOM], text[DP_NAME_ROOM + 64];

	if (!subject_name(tracks, record, probe->known_as, &said, room))
		return false;
	snprintf(text, sizeof text, "%s %s", tracks->functions.names[probe->function], room);
	tracks->to.instant(tracks->to.context, track_of(tracks, record), ns, text, record);
	if (said.value == NULL)
		return true;
	snprintf(text, sizeof text, "queue %s", room);
	put_number(tracks, text, ns, said.value);
	return true;
}

/* --- items --- */

void dph_tracks_record(struct dph_tracks *tracks, const struct dp_record_view *record)
{
	const uint64_t ns = dph_trace_time(&tracks->clock, record);
	const struct dph_track_probe *probe = probe_of(tracks, record);
	const enum dph_role role = probe->known_as != NULL ? probe->known_as->role : DPH_ROLE_NONE;
	size_t track;

	if (role == DPH_ROLE_SWITCH && switch_task(tracks, probe, record, ns))
		return;
	if (role == DPH_ROLE_QUEUE && queue_traffic(tracks, probe, record, ns))
		return;
	put_numbers(tracks, record, probe->label, ns);
	if (role == DPH_ROLE_INTERRUPT && (probe->entry || probe->exit)) {
		interrupt(tracks, probe, record, ns);
		return;
	}
	track = track_of(tracks, record);
	if (begins(tracks, probe))
		open_slice(tracks, track, ns, probe->function, record);
	else if (!ends(tracks, probe) || !close_slice(tracks, track, ns, probe->function, record))
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

/* Behind lost records it is not known what runs. */
static void close_all(struct dph_tracks *tracks)
{
	for (size_t i = 0; i < tracks->names.count; i++)
		while (tracks->tracks[i].depth > 0) {
			tracks->tracks[i].depth--;
			tracks->to.end(tracks->to.context, i, tracks->clock.latest, NULL);
		}
	for (size_t i = 0; i < DPH_TRACK_CPUS; i++) {
		tracks->cpus[i].task = DPH_NO_TRACK;
		tracks->cpus[i].interrupt = DPH_NO_TRACK;
		tracks->cpus[i].depth = 0;
	}
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
	if (gap->kind == DP_GAP_RECORDS || gap->kind == DP_GAP_DROPPED ||
	    gap->kind == DP_GAP_UNREADABLE || gap->kind == DP_GAP_MISSED)
		close_all(tracks);
	free(text);
}

void dph_tracks_notice(struct dph_tracks *tracks, const struct dp_sink *sink,
		       const struct dp_notice_view *notice)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return;
	dph_show_notice(out, notice);
	fclose(out);
	put_sentence(tracks, DPH_TRACK_NOTICES, dph_trace_time_of_item(&tracks->clock, sink), text);
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
	close_all(tracks);
}

void dph_tracks_free(struct dph_tracks *tracks)
{
	for (size_t i = 0; i <= UINT8_MAX; i++)
		forget(&tracks->probes[i]);
	for (size_t i = 0; i < tracks->subject_count; i++)
		free(tracks->subjects[i].name);
	free(tracks->subjects);
	free(tracks->tracks);
	free(tracks->returned);
	dph_interned_free(&tracks->names);
	dph_interned_free(&tracks->functions);
}
