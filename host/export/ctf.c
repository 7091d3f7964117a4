/* SPDX-License-Identifier: BSD-2-Clause */
/* The export ctf: a trace in the Common Trace Format 1.8, with a stream of events for each CPU. The
 * clock has the frequency of the target. Lost records are discarded events. */
#define _GNU_SOURCE
#include "ctf_fields.h"
#include "ctf_graph.h"
#include "exports.h"
#include "label.h"
#include "trace_clock.h"

#include "base/hex.h"
#include "base/pool.h"
#include "dp_record.h"
#include "present/text.h"

#include <dprobes/errors.h>

#include <stdlib.h>
#include <string.h>

enum {
	NS = 1000000000,
	STREAMS_MAX = 256,
	HOST_STREAM = STREAMS_MAX, /* console and notices */
	PACKET_EVENTS = 4096,      /* of one packet */
	OWN_VALUES = 12,           /* that are no values of a D program */
	LINE_ROOM = 1024,          /* of the console */
};

/* A stream, with the events of the packet that is being filled. */
struct stream {
	bt_stream *stream; /* null: no event has come */
	bt_packet *packet; /* null: none is being filled */
	const bt_message **events;
	size_t count, room;
	uint64_t begin, latest; /* clock values: of the packet; of the latest event */
	uint64_t discarded;     /* before the next packet */
	bool packets;           /* there was one */
};

/* Events of one probe whose values have one shape. */
struct event_class {
	uint8_t *shape;
	size_t bytes;
	bt_event_class *class;
};

struct ctf {
	struct dph_ctf_graph graph;
	struct dph_trace_clock clock;
	uint32_t hz; /* of the trace's clock; 0: there is no trace yet */
	bt_clock_class *clock_class;
	bt_trace_class *trace_class;
	bt_stream_class *stream_class;
	bt_trace *trace;
	bt_event_class *console, *notice;
	struct stream streams[HOST_STREAM + 1];
	struct event_class *classes;
	size_t class_count, class_room;
	size_t latest[UINT8_MAX + 1]; /* class of the latest record of each probe number */
	struct dph_bytes shape;
	char line[LINE_ROOM]; /* of the console, until its end */
	size_t line_bytes;
};

/* --- the trace --- */

static bool make_stream_class(struct ctf *ctf)
{
	ctf->stream_class = bt_stream_class_create(ctf->trace_class);
	if (ctf->stream_class == NULL)
		return false;
	bt_stream_class_set_assigns_automatic_stream_id(ctf->stream_class, BT_FALSE);
	if (bt_stream_class_set_default_clock_class(ctf->stream_class, ctf->clock_class) !=
	    BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK)
		return false;
	bt_stream_class_set_supports_packets(ctf->stream_class, BT_TRUE, BT_TRUE, BT_TRUE);
	bt_stream_class_set_supports_discarded_events(ctf->stream_class, BT_TRUE, BT_TRUE);
	return true;
}

static void set_clock(struct ctf *ctf)
{
	const int64_t began_ns = ctf->clock.began_ns;

	bt_clock_class_set_frequency(ctf->clock_class, ctf->hz);
	bt_clock_class_set_name(ctf->clock_class, "target");
	bt_clock_class_set_origin_is_unix_epoch(ctf->clock_class, began_ns > 0);
	if (began_ns > 0)
		bt_clock_class_set_offset(ctf->clock_class, began_ns / NS,
					  (uint64_t)(began_ns % NS) * ctf->hz / NS);
}

/* The first item tells the clock. hz: 0: the target has none, and the trace counts ticks as ns. */
static bool make_trace(struct ctf *ctf, uint32_t hz, int64_t began_ns)
{
	if (ctf->graph.failed || ctf->hz != 0)
		return !ctf->graph.failed;
	dph_trace_shift(&ctf->clock, began_ns);
	ctf->hz = hz != 0 ? hz : NS;
	ctf->clock_class = bt_clock_class_create(ctf->graph.component);
	ctf->trace_class = bt_trace_class_create(ctf->graph.component);
	if (ctf->clock_class != NULL)
		set_clock(ctf);
	if (ctf->clock_class != NULL && ctf->trace_class != NULL && make_stream_class(ctf))
		ctf->trace = bt_trace_create(ctf->trace_class);
	if (ctf->trace != NULL)
		bt_trace_set_environment_entry_string(ctf->trace, "tracer_name", "dprobes");
	ctf->graph.failed |= ctf->trace == NULL;
	return !ctf->graph.failed;
}

static uint64_t clock_value(const struct ctf *ctf, uint64_t ns)
{
	return ns / NS * ctf->hz + ns % NS * ctf->hz / NS;
}

/* --- streams --- */

static struct stream *stream_of(struct ctf *ctf, unsigned number)
{
	struct stream *stream = &ctf->streams[number];
	char name[32];

	if (stream->stream != NULL || ctf->graph.failed)
		return stream;
	stream->stream = bt_stream_create_with_id(ctf->stream_class, ctf->trace, number);
	if (stream->stream == NULL) {
		ctf->graph.failed = true;
		return stream;
	}
	snprintf(name, sizeof name, "cpu%u", number);
	bt_stream_set_name(stream->stream, number == HOST_STREAM ? "host" : name);
	dph_ctf_graph_add(&ctf->graph,
			  bt_message_stream_beginning_create(ctf->graph.iterator, stream->stream));
	return stream;
}

/* Tell the events that are missing between two packets. The library wants the time from the end of
 * the packet before, where this one begins, to the end of this one. */
static void add_discarded(struct ctf *ctf, struct stream *stream)
{
	bt_message *message;

	if (stream->discarded == 0)
		return;
	message = bt_message_discarded_events_create_with_default_clock_snapshots(
		ctf->graph.iterator, stream->stream, stream->begin, stream->latest);
	if (message != NULL)
		bt_message_discarded_events_set_count(message, stream->discarded);
	dph_ctf_graph_add(&ctf->graph, message);
	stream->discarded = 0;
}

/* Hand over the packet that is filled, and write it. */
static void end_packet(struct ctf *ctf, struct stream *stream)
{
	if (stream->packet == NULL)
		return;
	add_discarded(ctf, stream);
	dph_ctf_graph_add(&ctf->graph,
			  bt_message_packet_beginning_create_with_default_clock_snapshot(
				  ctf->graph.iterator, stream->packet, stream->begin));
	for (size_t i = 0; i < stream->count; i++)
		dph_ctf_graph_add(&ctf->graph, stream->events[i]);
	dph_ctf_graph_add(&ctf->graph,
			  bt_message_packet_end_create_with_default_clock_snapshot(
				  ctf->graph.iterator, stream->packet, stream->latest));
	bt_packet_put_ref(stream->packet);
	stream->packet = NULL;
	stream->count = 0;
	stream->packets = true;
	dph_ctf_graph_run(&ctf->graph);
}

static void begin_packet(struct ctf *ctf, struct stream *stream)
{
	if (stream->packet != NULL || ctf->graph.failed)
		return;
	stream->begin = stream->latest;
	stream->packet = bt_packet_create(stream->stream);
	ctf->graph.failed |= stream->packet == NULL;
}

/* Add an event. value: of the clock; a clock that goes back stands still here. Returns the event,
 * whose fields the caller sets; null: the library failed. */
static bt_event *add_event(struct ctf *ctf, struct stream *stream, const bt_event_class *class,
			   uint64_t value)
{
	bt_message *message = NULL;

	if (stream->count == PACKET_EVENTS)
		end_packet(ctf, stream);
	begin_packet(ctf, stream);
	if (value > stream->latest)
		stream->latest = value;
	if (!stream->packets && stream->count == 0)
		stream->begin = stream->latest;
	if (!ctf->graph.failed)
		message = bt_message_event_create_with_packet_and_default_clock_snapshot(
			ctf->graph.iterator, class, stream->packet, stream->latest);
	if (message == NULL) {
		ctf->graph.failed = true;
		return NULL;
	}
	stream->events = dph_grow(stream->events, &stream->room, stream->count, sizeof(void *));
	stream->events[stream->count++] = message;
	return bt_message_event_borrow_event(message);
}

/* --- classes of events --- */

static bt_event_class *make_class(struct ctf *ctf, const char *name,
				  const struct dp_value *const *values, size_t count)
{
	bt_field_class *fields = dph_ctf_class(ctf->trace_class, values, count);
	bt_event_class *class = bt_event_class_create(ctf->stream_class);

	if (fields == NULL || class == NULL ||
	    bt_event_class_set_name(class, name) != BT_EVENT_CLASS_SET_NAME_STATUS_OK ||
	    bt_event_class_set_payload_field_class(class, fields) !=
		    BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK)
		ctf->graph.failed = true;
	bt_field_class_put_ref(fields);
	return class;
}

static bool fits(const struct ctf *ctf, size_t index)
{
	return index < ctf->class_count && ctf->classes[index].bytes == ctf->shape.count &&
	       memcmp(ctf->classes[index].shape, ctf->shape.data, ctf->shape.count) == 0;
}

/* The shape of an event has its name too. */
static const bt_event_class *class_of(struct ctf *ctf, const struct dp_record_view *record,
				      const struct dp_value *const *values, size_t count)
{
	size_t *latest = &ctf->latest[record->record->head.probe];
	char *name = dph_label_of(record, true);
	struct event_class *made;

	ctf->shape.count = 0;
	dph_bytes_add(&ctf->shape, name, strlen(name) + 1);
	dph_ctf_shape(&ctf->shape, values, count);
	if (!fits(ctf, *latest))
		for (*latest = 0; *latest < ctf->class_count && !fits(ctf, *latest);)
			++*latest;
	if (*latest == ctf->class_count) {
		ctf->classes = dph_grow(ctf->classes, &ctf->class_room, ctf->class_count,
					sizeof *ctf->classes);
		made = &ctf->classes[ctf->class_count++];
		*made = (struct event_class){
			.shape = memcpy(dph_malloc(ctf->shape.count), ctf->shape.data,
					ctf->shape.count),
			.bytes = ctf->shape.count,
			.class = make_class(ctf, name, values, count),
		};
	}
	free(name);
	return ctf->classes[*latest].class;
}

/* --- records --- */

/* Values of a record that are not the program's: items, data, flags. */
struct own {
	struct dp_value values[OWN_VALUES];
	size_t count;
	char *data; /* in hexadecimal digits */
};

static struct dp_value *add_own(struct own *own, const char *name, enum dp_value_form form,
				uint64_t number)
{
	struct dp_value *value = &own->values[own->count++];

	*value = (struct dp_value){.name = name, .form = form, .number = number};
	return value;
}

static void add_text(struct own *own, const char *name, const char *text)
{
	struct dp_value *value = add_own(own, name, DP_VALUE_STRING, 0);

	value->text = text;
	value->bytes = (const uint8_t *)text;
	value->count = strlen(text);
}

static void add_items(struct own *own, const struct dp_log_record *r)
{
	if (r->items & DP_ITEM_PID)
		add_own(own, "pid", DP_VALUE_NUMBER, r->pid);
	if (r->items & DP_ITEM_NAME)
		add_text(own, "task", r->task);
	if (r->items & DP_ITEM_PC)
		add_own(own, "pc", DP_VALUE_ADDRESS, r->pc);
	if (r->items & DP_ITEM_SP)
		add_own(own, "sp", DP_VALUE_ADDRESS, r->sp);
	if (r->items & DP_ITEM_TSC)
		add_own(own, "tsc", DP_VALUE_NUMBER, r->tsc);
	if (r->items & DP_ITEM_CPU)
		add_own(own, "cpu", DP_VALUE_NUMBER, r->cpu);
	if (r->head.flags & DP_RECORD_FAULT)
		add_text(own, "exception", dp_exception_name(r->fault.exception));
	else if (r->head.flags & DP_RECORD_EXCEPTION)
		add_text(own, "exception", "");
	if (r->head.flags & DP_RECORD_BUDGET)
		add_own(own, "budget", DP_VALUE_FLAG, 1);
	if (r->head.flags & DP_RECORD_FAULTED)
		add_own(own, "faulted", DP_VALUE_FLAG, 1);
}

/* The data of a program without formats: words, or bytes; and its text by a template. */
static void add_data(struct own *own, const struct dp_record_view *record)
{
	const struct dp_log_record *r = record->record;
	const char *text = dp_record_view_text(record);
	struct dp_value *value;

	if (record->values != NULL)
		return;
	if (record->words != NULL) {
		value = add_own(own, "words", DP_VALUE_NUMBERS, 0);
		value->numbers = record->words;
		value->count = record->word_count;
	} else if (r->bytes > 0) {
		own->data = dph_hex(dph_malloc(2 * r->bytes + 1), r->data, r->bytes);
		add_text(own, "data", own->data);
	}
	if (text != NULL)
		add_text(own, "text", text);
}

static void write_record(struct ctf *ctf, const struct dp_record_view *record)
{
	struct stream *stream = stream_of(ctf, record->record->stream % STREAMS_MAX);
	struct own own = {.count = 0};
	const struct dp_value **values;
	const bt_event_class *class;
	const uint64_t ns = dph_trace_time(&ctf->clock, record);
	uint64_t value = clock_value(ctf, ns);
	bt_event *event;

	add_items(&own, record->record);
	add_data(&own, record);
	values = dph_malloc((own.count + record->value_count + 1) * sizeof(void *));
	for (size_t i = 0; i < own.count; i++)
		values[i] = &own.values[i];
	for (size_t i = 0; i < record->value_count; i++)
		values[own.count + i] = record->values[i];
	class = class_of(ctf, record, values, own.count + record->value_count);
	if (record->record->ticks_known && record->hz == ctf->hz) /* no rounding */
		value = record->record->ticks +
			clock_value(ctf, dph_trace_shift(&ctf->clock, record->began_ns));
	event = ctf->graph.failed ? NULL : add_event(ctf, stream, class, value);
	if (event != NULL)
		dph_ctf_set(bt_event_borrow_payload_field(event), values,
			    own.count + record->value_count);
	free(values);
	free(own.data);
}

/* --- sentences --- */

static void write_text(struct ctf *ctf, bt_event_class **class, const char *name, const char *text,
		       uint64_t ns)
{
	const struct dp_value value = {
		.name = "text",
		.form = DP_VALUE_STRING,
		.text = text,
		.bytes = (const uint8_t *)text,
		.count = strlen(text),
	};
	const struct dp_value *const values[] = {&value};
	struct stream *stream = stream_of(ctf, HOST_STREAM);
	bt_event *event;

	if (*class == NULL)
		*class = make_class(ctf, name, values, 1);
	event = ctf->graph.failed ? NULL : add_event(ctf, stream, *class, clock_value(ctf, ns));
	if (event != NULL)
		dph_ctf_set(bt_event_borrow_payload_field(event), values, 1);
}

static void end_line(struct ctf *ctf, uint64_t ns)
{
	ctf->line[ctf->line_bytes] = '\0';
	if (ctf->line_bytes > 0)
		write_text(ctf, &ctf->console, "console", ctf->line, ns);
	ctf->line_bytes = 0;
}

/* --- the sink --- */

static bool begin(struct dp_sink *sink)
{
	struct ctf *ctf = sink->state;

	return dph_ctf_graph_open(&ctf->graph, sink->options.folder);
}

static bool record(struct dp_sink *sink, const struct dp_record_view *view)
{
	struct ctf *ctf = sink->state;

	if (make_trace(ctf, view->hz, view->began_ns))
		write_record(ctf, view);
	return !ctf->graph.failed;
}

/* Records that were lost are events that are missing. */
static bool gap(struct dp_sink *sink, const struct dp_gap *view)
{
	struct ctf *ctf = sink->state;
	struct stream *stream;

	if (view->kind != DP_GAP_RECORDS && view->kind != DP_GAP_DROPPED &&
	    view->kind != DP_GAP_UNREADABLE && view->kind != DP_GAP_MISSED)
		return true;
	if (!make_trace(ctf, sink->hz, sink->began_ns))
		return false;
	stream = stream_of(ctf, view->stream % STREAMS_MAX);
	end_packet(ctf, stream);
	stream->discarded += view->count;
	return !ctf->graph.failed;
}

static bool notice(struct dp_sink *sink, const struct dp_notice_view *view)
{
	struct ctf *ctf = sink->state;
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return false;
	dph_show_notice(out, view);
	fclose(out);
	text[strcspn(text, "\n")] = '\0';
	if (make_trace(ctf, sink->hz, sink->began_ns))
		write_text(ctf, &ctf->notice, "notice", text,
			   dph_trace_time_of_item(&ctf->clock, sink));
	free(text);
	return !ctf->graph.failed;
}

static bool console(struct dp_sink *sink, const uint8_t *text, size_t count)
{
	struct ctf *ctf = sink->state;
	uint64_t ns;

	if (!make_trace(ctf, sink->hz, sink->began_ns))
		return false;
	ns = dph_trace_time_of_item(&ctf->clock, sink);
	for (size_t i = 0; i < count; i++) {
		const bool plain = text[i] >= ' ' && text[i] <= '~';

		if (text[i] == '\n' || ctf->line_bytes + 1 == sizeof ctf->line)
			end_line(ctf, ns);
		if (text[i] != '\n' && text[i] != '\r')
			ctf->line[ctf->line_bytes++] = plain ? (char)text[i] : '.';
	}
	return !ctf->graph.failed;
}

static void end_stream(struct ctf *ctf, struct stream *stream)
{
	if (stream->stream == NULL)
		return;
	if (stream->discarded > 0)
		begin_packet(ctf, stream);
	end_packet(ctf, stream);
	if (!ctf->graph.failed)
		dph_ctf_graph_add(&ctf->graph, bt_message_stream_end_create(ctf->graph.iterator,
									    stream->stream));
	for (size_t i = 0; i < stream->count; i++)
		bt_message_put_ref(stream->events[i]);
	bt_packet_put_ref(stream->packet);
	bt_stream_put_ref(stream->stream);
	free(stream->events);
}

static bool end(struct dp_sink *sink)
{
	struct ctf *ctf = sink->state;
	bool good;

	if (make_trace(ctf, sink->hz, sink->began_ns)) {
		end_line(ctf, dph_trace_time_of_item(&ctf->clock, sink));
		stream_of(ctf, HOST_STREAM); /* a trace without a stream has no description */
	}
	for (size_t i = 0; i <= HOST_STREAM; i++)
		end_stream(ctf, &ctf->streams[i]);
	for (size_t i = 0; i < ctf->class_count; i++) {
		free(ctf->classes[i].shape);
		bt_event_class_put_ref(ctf->classes[i].class);
	}
	free(ctf->classes);
	free(ctf->shape.data);
	bt_event_class_put_ref(ctf->console);
	bt_event_class_put_ref(ctf->notice);
	bt_trace_put_ref(ctf->trace);
	bt_stream_class_put_ref(ctf->stream_class);
	bt_trace_class_put_ref(ctf->trace_class);
	bt_clock_class_put_ref(ctf->clock_class);
	good = dph_ctf_graph_close(&ctf->graph);
	return good;
}

extern const struct dp_sink_kind dph_export_ctf;
const struct dp_sink_kind dph_export_ctf = {
	.name = "ctf",
	.tables = 1u << DP_TABLE_RECORDS | 1u << DP_TABLE_AGGREGATIONS,
	.templates = true,
	.state_bytes = sizeof(struct ctf),
	.begin = begin,
	.record = record,
	.gap = gap,
	.notice = notice,
	.end = end,
	.console = console,
};
