/* SPDX-License-Identifier: BSD-2-Clause */
/* The export perfetto: tracks as the trace viewer of Perfetto reads them. perfetto.proto has the
 * messages. Each packet is written when it is complete; the names of a trace are kept. */
#include "exports.h"
#include "tracks.h"

#include "perfetto.pb-c.h"

#include "base/pool.h"
#include "base/utf8.h"
#include "present/value_text.h"

#include <stdlib.h>

enum {
	SEQUENCE = 1,
	PROCESS = 1,     /* number of the target's process, and of its track */
	FIRST_TRACK = 2, /* number of the first other track */
	REALTIME = 1,    /* clocks */
	BOOTTIME = 6,
	CLEARED = 1,         /* flags of a packet: names begin anew; */
	NEEDS_NAMES = 2,     /* the packet uses names */
	NAMES_MAX = 10000,   /* of events: a damaged name is another one each time */
	ANNOTATIONS_MAX = 32 /* values of an event */
};

struct perfetto {
	struct dph_tracks tracks;
	struct dph_interned events, values; /* names */
	size_t events_known, values_known;  /* that the trace has */
	struct dph_bytes packed;
	FILE *out;
	bool clock_told, cleared;
};

/* --- packets --- */

static void write_packet(struct perfetto *p, Perfetto__TracePacket *packet)
{
	Perfetto__TracePacket *packets[] = {packet};
	Perfetto__Trace trace = PERFETTO__TRACE__INIT;
	size_t bytes;

	packet->has_trusted_packet_sequence_id = true;
	packet->trusted_packet_sequence_id = SEQUENCE;
	trace.n_packet = 1;
	trace.packet = packets;
	bytes = perfetto__trace__get_packed_size(&trace);
	p->packed.count = 0;
	dph_bytes_zero(&p->packed, bytes);
	perfetto__trace__pack(&trace, p->packed.data);
	fwrite(p->packed.data, 1, bytes, p->out);
}

/* Tie the target's time to that of the host. */
static void write_clock(struct perfetto *p)
{
	const int64_t began_ns = p->tracks.clock.began_ns;
	Perfetto__ClockSnapshot__Clock boot = PERFETTO__CLOCK_SNAPSHOT__CLOCK__INIT;
	Perfetto__ClockSnapshot__Clock real = PERFETTO__CLOCK_SNAPSHOT__CLOCK__INIT;
	Perfetto__ClockSnapshot__Clock *clocks[] = {&boot, &real};
	Perfetto__ClockSnapshot snapshot = PERFETTO__CLOCK_SNAPSHOT__INIT;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	if (p->clock_told || began_ns <= 0)
		return;
	p->clock_told = true;
	boot.has_clock_id = boot.has_timestamp = true;
	real.has_clock_id = real.has_timestamp = true;
	boot.clock_id = BOOTTIME;
	boot.timestamp = p->tracks.clock.latest;
	real.clock_id = REALTIME;
	real.timestamp = (uint64_t)began_ns + p->tracks.clock.latest;
	snapshot.n_clocks = 2;
	snapshot.clocks = clocks;
	snapshot.has_primary_trace_clock = true;
	snapshot.primary_trace_clock = BOOTTIME;
	packet.clock_snapshot = &snapshot;
	write_packet(p, &packet);
}

static void write_process(struct perfetto *p)
{
	Perfetto__ProcessDescriptor process = PERFETTO__PROCESS_DESCRIPTOR__INIT;
	Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	char name[] = "target";

	process.has_pid = true;
	process.pid = PROCESS;
	process.process_name = name;
	track.has_uuid = true;
	track.uuid = PROCESS;
	track.process = &process;
	packet.track_descriptor = &track;
	write_packet(p, &packet);
}

static void on_track(void *context, size_t number, enum dph_track_kind kind, const char *name)
{
	struct perfetto *p = context;
	Perfetto__ThreadDescriptor thread = PERFETTO__THREAD_DESCRIPTOR__INIT;
	Perfetto__CounterDescriptor counter = PERFETTO__COUNTER_DESCRIPTOR__INIT;
	Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	char *clean = dph_utf8_clean(name);
	char *text =
		kind == DPH_TRACK_INTERRUPT ? dph_print("interrupt %s", clean) : dph_strdup(clean);

	track.has_uuid = true;
	track.uuid = number + FIRST_TRACK;
	if (kind == DPH_TRACK_TASK) {
		thread.has_pid = thread.has_tid = true;
		thread.pid = PROCESS;
		thread.tid = (int64_t)number + FIRST_TRACK;
		thread.thread_name = text;
		track.thread = &thread;
	} else {
		track.has_parent_uuid = true;
		track.parent_uuid = PROCESS;
		track.name = text;
	}
	if (kind == DPH_TRACK_VALUES)
		track.counter = &counter;
	packet.track_descriptor = &track;
	write_packet(p, &packet);
	free(text);
	free(clean);
}

/* --- events --- */

/* The values of an event, with room for their texts and names. */
struct annotations {
	Perfetto__DebugAnnotation rooms[ANNOTATIONS_MAX];
	Perfetto__DebugAnnotation *list[ANNOTATIONS_MAX];
	char *texts[ANNOTATIONS_MAX];
	size_t count;
};

static void set_value(Perfetto__DebugAnnotation *to, const struct dp_value *value, char **text)
{
	char *printed;

	switch (value->form) {
	case DP_VALUE_NUMBER:
		to->has_uint_value = true;
		to->uint_value = value->number;
		return;
	case DP_VALUE_SIGNED:
		to->has_int_value = true;
		to->int_value = (int64_t)value->number;
		return;
	case DP_VALUE_FLAG:
		to->has_bool_value = true;
		to->bool_value = value->number != 0;
		return;
	case DP_VALUE_FLOAT:
		to->has_double_value = true;
		to->double_value = value->seconds;
		return;
	case DP_VALUE_ADDRESS:
		to->has_pointer_value = true;
		to->pointer_value = value->number;
		return;
	default:
		printed = dph_value_text(value);
		*text = dph_utf8_clean(printed);
		to->string_value = *text;
		free(printed);
		return;
	}
}

static void add_annotation(struct perfetto *p, struct annotations *all, const char *name,
			   const struct dp_value *value)
{
	Perfetto__DebugAnnotation *to = &all->rooms[all->count];

	if (all->count == ANNOTATIONS_MAX)
		return;
	perfetto__debug_annotation__init(to);
	to->has_name_iid = true;
	to->name_iid = dph_intern(&p->values, name) + 1;
	all->texts[all->count] = NULL;
	set_value(to, value, &all->texts[all->count]);
	all->list[all->count++] = to;
}

static void add_annotations(struct perfetto *p, struct annotations *all,
			    const struct dp_record_view *record)
{
	char name[32];

	for (size_t i = 0; i < record->value_count; i++) {
		const struct dp_value *value = record->values[i];

		if (value->name != NULL && value->form != DP_VALUE_STACK &&
		    value->form != DP_VALUE_AGGREGATION)
			add_annotation(p, all, value->name, value);
	}
	for (size_t i = 0; record->values == NULL && i < record->word_count; i++) {
		const struct dp_value word = {.form = DP_VALUE_NUMBER, .number = record->words[i]};

		snprintf(name, sizeof name, "word %zu", i + 1);
		add_annotation(p, all, name, &word);
	}
}

/* The names that this event is the first one to use. */
static void add_names(struct perfetto *p, Perfetto__TracePacket *packet,
		      Perfetto__InternedData *names)
{
	const size_t events = p->events.count - p->events_known;
	const size_t values = p->values.count - p->values_known;

	if (events + values == 0)
		return;
	names->event_names = dph_malloc((events + 1) * sizeof(void *));
	names->debug_annotation_names = dph_malloc((values + 1) * sizeof(void *));
	for (; p->events_known < p->events.count; p->events_known++) {
		Perfetto__EventName *to = dph_malloc(sizeof *to);

		perfetto__event_name__init(to);
		to->has_iid = true;
		to->iid = p->events_known + 1;
		to->name = dph_utf8_clean(p->events.names[p->events_known]);
		names->event_names[names->n_event_names++] = to;
	}
	for (; p->values_known < p->values.count; p->values_known++) {
		Perfetto__DebugAnnotationName *to = dph_malloc(sizeof *to);

		perfetto__debug_annotation_name__init(to);
		to->has_iid = true;
		to->iid = p->values_known + 1;
		to->name = dph_utf8_clean(p->values.names[p->values_known]);
		names->debug_annotation_names[names->n_debug_annotation_names++] = to;
	}
	packet->interned_data = names;
}

static void free_names(Perfetto__InternedData *names)
{
	for (size_t i = 0; i < names->n_event_names; i++) {
		free(names->event_names[i]->name);
		free(names->event_names[i]);
	}
	for (size_t i = 0; i < names->n_debug_annotation_names; i++) {
		free(names->debug_annotation_names[i]->name);
		free(names->debug_annotation_names[i]);
	}
	free(names->event_names);
	free(names->debug_annotation_names);
}

static void write_event(struct perfetto *p, uint64_t ns, Perfetto__TrackEvent *event)
{
	Perfetto__InternedData names = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	write_clock(p);
	packet.has_timestamp = true;
	packet.timestamp = ns;
	packet.has_sequence_flags = true;
	packet.sequence_flags = p->cleared ? NEEDS_NAMES : CLEARED | NEEDS_NAMES;
	p->cleared = true;
	packet.track_event = event;
	add_names(p, &packet, &names);
	write_packet(p, &packet);
	free_names(&names);
}

static Perfetto__TrackEvent event_of(Perfetto__TrackEvent__Type type, size_t track)
{
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;

	event.has_type = event.has_track_uuid = true;
	event.type = type;
	event.track_uuid = track + FIRST_TRACK;
	return event;
}

/* An event with the values of its record. */
static void write_record(struct perfetto *p, uint64_t ns, Perfetto__TrackEvent *event,
			 const struct dp_record_view *record)
{
	struct annotations annotations = {.count = 0};

	if (record != NULL)
		add_annotations(p, &annotations, record);
	event->n_debug_annotations = annotations.count;
	event->debug_annotations = annotations.list;
	write_event(p, ns, event);
	for (size_t i = 0; i < annotations.count; i++)
		free(annotations.texts[i]);
}

static void on_begin(void *context, size_t track, uint64_t ns, const char *name,
		     const struct dp_record_view *record)
{
	struct perfetto *p = context;
	Perfetto__TrackEvent event = event_of(PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN, track);

	event.has_name_iid = true;
	event.name_iid = dph_intern(&p->events, name) + 1;
	write_record(p, ns, &event, record);
}

static void on_end(void *context, size_t track, uint64_t ns, const struct dp_record_view *record)
{
	Perfetto__TrackEvent event = event_of(PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END, track);

	write_record(context, ns, &event, record);
}

/* Sentences and lines of the console differ: they are no names to keep. */
static void on_instant(void *context, size_t track, uint64_t ns, const char *name,
		       const struct dp_record_view *record)
{
	struct perfetto *p = context;
	Perfetto__TrackEvent event = event_of(PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT, track);

	if (record != NULL && p->events.count < NAMES_MAX) {
		event.has_name_iid = true;
		event.name_iid = dph_intern(&p->events, name) + 1;
	} else {
		event.name = dph_utf8_clean(name);
	}
	write_record(p, ns, &event, record);
	free(event.name);
}

static void on_number(void *context, size_t track, uint64_t ns, const struct dp_value *value)
{
	Perfetto__TrackEvent event = event_of(PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER, track);
	/* A counter is signed. */
	const bool is_large = value->form == DP_VALUE_NUMBER && value->number > INT64_MAX;

	if (value->form == DP_VALUE_FLOAT || is_large) {
		event.has_double_counter_value = true;
		event.double_counter_value = is_large ? (double)value->number : value->seconds;
	} else {
		event.has_counter_value = true;
		event.counter_value = (int64_t)value->number;
	}
	write_event(context, ns, &event);
}

/* --- the sink --- */

static bool is_good(const struct perfetto *p)
{
	return !ferror(p->out);
}

static bool begin(struct dp_sink *sink)
{
	struct perfetto *p = sink->state;
	const struct dph_track_listener to = {p, on_track, on_begin, on_end, on_instant, on_number};

	p->out = sink->options.out;
	dph_tracks_init(&p->tracks, &to);
	write_process(p);
	return is_good(p);
}

static bool point(struct dp_sink *sink, const struct dp_point_view *view)
{
	struct perfetto *p = sink->state;

	dph_tracks_point(&p->tracks, view);
	return true;
}

static bool record(struct dp_sink *sink, const struct dp_record_view *view)
{
	struct perfetto *p = sink->state;

	dph_tracks_record(&p->tracks, view);
	return is_good(p);
}

static bool gap(struct dp_sink *sink, const struct dp_gap *view)
{
	struct perfetto *p = sink->state;

	dph_tracks_gap(&p->tracks, view);
	return is_good(p);
}

static bool notice(struct dp_sink *sink, const struct dp_notice_view *view)
{
	struct perfetto *p = sink->state;

	dph_tracks_notice(&p->tracks, sink, view);
	return is_good(p);
}

static bool console(struct dp_sink *sink, const uint8_t *text, size_t count)
{
	struct perfetto *p = sink->state;

	dph_tracks_console(&p->tracks, sink, text, count);
	return is_good(p);
}

static bool end(struct dp_sink *sink)
{
	struct perfetto *p = sink->state;

	dph_tracks_end(&p->tracks, sink);
	dph_tracks_free(&p->tracks);
	dph_interned_free(&p->events);
	dph_interned_free(&p->values);
	free(p->packed.data);
	return fflush(p->out) == 0 && is_good(p);
}

extern const struct dp_sink_kind dph_export_perfetto;
const struct dp_sink_kind dph_export_perfetto = {
	.name = "perfetto",
	.tables = 1u << DP_TABLE_RECORDS | 1u << DP_TABLE_AGGREGATIONS,
	.state_bytes = sizeof(struct perfetto),
	.begin = begin,
	.record = record,
	.gap = gap,
	.notice = notice,
	.end = end,
	.point = point,
	.console = console,
};
