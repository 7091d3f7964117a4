/* SPDX-License-Identifier: BSD-2-Clause */
/* The format json prints one object a line and a reading, with keys in the order of readings.def.
 * The first object of an output has the number of the schema, too: schema.json. */
#include <dprobes/record_sink.h>

#include "json.h"

enum {
	SCHEMA = 1 /* keys are only added to a schema */
};

struct output {
	bool begun;
};

static void put_list(struct dph_json *json, const char *name, const struct dp_value *value)
{
	dph_json_open(json, name, '[');
	for (size_t i = 0; i < value->count; i++)
		if (value->form == DP_VALUE_NUMBERS)
			dph_json_number(json, NULL, value->numbers[i]);
		else
			dph_json_string(json, NULL, value->texts[i]);
	dph_json_close(json, ']');
}

static void put_value(void *context, const char *name, const struct dp_value *value)
{
	struct dph_json *json = context;

	switch (value->form) {
	case DP_VALUE_NUMBER:
		dph_json_number(json, name, value->number);
		break;
	case DP_VALUE_SIGNED:
		dph_json_signed(json, name, (int64_t)value->number);
		break;
	case DP_VALUE_FLAG:
		dph_json_flag(json, name, value->number != 0);
		break;
	case DP_VALUE_ADDRESS:
		dph_json_address(json, name, value->number);
		break;
	case DP_VALUE_SECONDS:
		dph_json_seconds(json, name, value->seconds);
		break;
	case DP_VALUE_STRING:
		dph_json_string(json, name, value->text);
		break;
	case DP_VALUE_HEX:
		dph_json_hex(json, name, value->bytes, value->count);
		break;
	case DP_VALUE_JSON:
		dph_json_value(json, name, value->text);
		break;
	case DP_VALUE_NUMBERS:
	case DP_VALUE_STRINGS:
		put_list(json, name, value);
		break;
	default: /* no reading has one */
		break;
	}
}

static void open_part(void *context, const char *name, enum dp_reading_kind kind, char bracket)
{
	(void)kind;
	dph_json_open(context, name, bracket);
}

static void close_part(void *context, char bracket)
{
	dph_json_close(context, bracket);
}

static void print_reading(struct dp_sink *sink, enum dp_reading_kind kind, const void *view)
{
	struct output *output = sink->state;
	struct dph_json json = dph_json_begin(sink->options.out);
	const struct dp_field_visitor visitor = {&json, put_value, open_part, close_part};

	dp_reading_visit(kind, view, &visitor);
	if (!output->begun)
		dph_json_number(&json, "schema", SCHEMA);
	output->begun = true;
	dph_json_end(&json);
}

static bool reading(struct dp_sink *sink, enum dp_reading_kind kind, const void *view)
{
	if (dp_reading_table(kind) != DP_TABLE_PEOPLE)
		print_reading(sink, kind, view);
	return !ferror(sink->options.out);
}

static bool record(struct dp_sink *sink, const struct dp_record_view *view)
{
	return reading(sink, DP_READING_RECORD, view);
}

static bool gap(struct dp_sink *sink, const struct dp_gap *view)
{
	return reading(sink, DP_READING_GAP, view);
}

static bool notice(struct dp_sink *sink, const struct dp_notice_view *view)
{
	return reading(sink, DP_READING_NOTICE, view);
}

extern const struct dp_sink_kind dph_sink_json;
const struct dp_sink_kind dph_sink_json = {
	.name = "json",
	.tables = ~0u,
	.templates = true,
	.state_bytes = sizeof(struct output),
	.record = record,
	.gap = gap,
	.notice = notice,
	.reading = reading,
};
