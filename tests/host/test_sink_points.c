/* SPDX-License-Identifier: BSD-2-Clause */
/* A sink hears of each probe and its fields once, before the first record of the probe; the record
 * then has the values of these fields. */
#include "check.h"

#include <dprobes/host.h>

#include <stdlib.h>
#include <string.h>

enum {
	PROGRAM = 3,
	NAME_BYTES = 8,
	POINT_BYTES = 8 /* of struct point */
};

static const char program[] =
	"enum color { RED, BLUE = 5 };\n"
	"struct point { short x; unsigned char y; enum color c; unsigned f : 3, g : 7; };\n"
	"addr:::0x1000 /n == 1/ { trace((unsigned char)n); }\n"
	"addr:::0x1000 { n++; printf(\"%*d %s\", (char)n, n, (enum color)n); trace(n); }\n"
	"addr:::0x2000 { print(*(struct point *)0x3000); print(\"text\"); }\n";

/* What the sink heard, a letter each: p and a number for a probe, r for a record. */
struct heard {
	char order[64];
	struct dp_point_view point; /* the last one */
	struct dp_field fields[8];  /* of it */
	struct dp_value values[8];  /* of the last record */
	size_t value_count;
};

static bool on_point(struct dp_sink *sink, const struct dp_point_view *point)
{
	struct heard *heard = sink->state;
	const size_t used = strlen(heard->order);

	snprintf(heard->order + used, sizeof heard->order - used, "p%u", point->number);
	heard->point = *point;
	CHECK(point->field_count <= 8);
	for (size_t i = 0; i < point->field_count; i++)
		heard->fields[i] = point->fields[i];
	return true;
}

static bool on_record(struct dp_sink *sink, const struct dp_record_view *record)
{
	struct heard *heard = sink->state;
	const size_t used = strlen(heard->order);

	CHECK(record->value_count <= 8);
	snprintf(heard->order + used, sizeof heard->order - used, "r");
	heard->value_count = record->value_count;
	for (size_t i = 0; i < record->value_count; i++)
		heard->values[i] = *record->values[i];
	CHECK(record->text == NULL && record->args == NULL); /* nobody has asked */
	return true;
}

static const struct dp_sink_kind kind = {
	.name = "test",
	.state_bytes = sizeof(struct heard),
	.record = on_record,
	.point = on_point,
};

static struct dp_record_style style = {.word_bytes = 4, .hz = 1000, .program = PROGRAM};
static struct dp_sink *sink;
static struct heard *heard;

static struct dp_probe_meaning meanings[] = {
	{.known = true, .program = PROGRAM, .point = 0, .minor = 7, .name = "values"},
	{.known = true, .program = PROGRAM, .point = 1, .minor = 8, .name = "values"},
	{.known = true, .program = 1, .point = 0, .minor = 9, .name = "other"},
};

/* meaning: an index; -1: not known. */
static void record(uint8_t number, int meaning, const void *data, size_t bytes)
{
	const struct dp_log_record r = {
		.head = {.probe = number},
		.probe = meaning < 0 ? NULL : &meanings[meaning],
		.data = data,
		.bytes = bytes,
	};
	struct dp_record_view view;

	dp_record_view_read(&view, &style, &r);
	CHECK(dp_sink_record(sink, &view));
	dp_record_view_free(&view);
}

static bool is(const char *text, const char *expected)
{
	return text != NULL && strcmp(text, expected) == 0;
}

/* --- numbers --------------------------------------------------------------------------------- */

/* Clause 1 alone: its number, and in the order of evaluation n as a width, n, the enum, n. */
static void numbers(void)
{
	static const uint8_t data[] = {1, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0};
	const struct dp_field *f = heard->fields;

	record(4, 0, data, sizeof data);
	CHECK(is(heard->order, "p4r"));
	CHECK(heard->point.probe->minor == 7 && is(heard->point.name, "addr:firmware::0x1000"));
	CHECK(heard->point.word_bytes == 4 && heard->point.hz == 1000);
	CHECK(heard->point.field_count == 5 && heard->value_count == 4);
	CHECK(f[0].clause == 0 && f[0].form == DP_VALUE_NUMBER && f[0].size == 1);
	CHECK(is(f[0].type, "unsigned char") && !f[0].is_signed);
	CHECK(f[1].clause == 1 && f[1].form == DP_VALUE_SIGNED && f[1].size == 1 && f[1].is_signed);
	CHECK(f[2].size == 4 && is(f[2].name, "n") && is(f[2].type, "int"));
	CHECK(f[3].form == DP_VALUE_ENUM && is(f[3].type, "enum color"));
	for (size_t i = 0; i < heard->value_count; i++)
		CHECK(heard->values[i].field == f[i + 1].number && heard->values[i].number == 5);
	CHECK(is(heard->values[2].text, "BLUE") && heard->values[2].form == DP_VALUE_ENUM);
	CHECK(heard->values[2].origin == DP_VALUE_OF_TARGET);
}

/* --- structs --------------------------------------------------------------------------------- */

static void check_members(const struct dp_field *f)
{
	CHECK(f->form == DP_VALUE_STRUCT && f->size == 12 && f->member_count == 5);
	CHECK(is(f->members[0].name, "x") && f->members[0].size == 2 && f->members[0].is_signed);
	CHECK(is(f->members[1].type, "unsigned char"));
	CHECK(f->members[2].form == DP_VALUE_ENUM);
	CHECK(is(f->members[4].name, "g") && f->members[4].bits == 7);
}

static void structs(void)
{
	/* prefix; x y c f g */
	static const uint8_t data[] = {0xfe, 12, 0, 0xfe, 0xff, 200, 0, 5, 0, 0, 0, 0x0b, 1, 0, 0};
	const struct dp_value *v = heard->values;

	record(5, 1, data, sizeof data);
	CHECK(is(heard->order, "p4rp5r") && heard->point.field_count == 2);
	check_members(&heard->fields[0]);
	CHECK(heard->fields[1].form == DP_VALUE_STRING);
	CHECK(heard->fields[1].origin == DP_VALUE_OF_PROGRAM && heard->fields[1].name == NULL);
	CHECK(heard->value_count == 2 && v[0].form == DP_VALUE_STRUCT && v[0].member_count == 5);
	CHECK(is(v[1].text, "text") && v[1].origin == DP_VALUE_OF_PROGRAM);
}

/* The members of a value live as long as its view. */
static bool on_members(struct dp_sink *s, const struct dp_record_view *record)
{
	const struct dp_value *m = record->values[0]->members;

	(void)s;
	CHECK((int64_t)m[0].number == -2 && m[0].form == DP_VALUE_SIGNED && is(m[0].name, "x"));
	CHECK(m[1].number == 200 && m[1].size == 1 && is(m[2].text, "BLUE"));
	CHECK(m[3].number == 3 && m[3].bits == 3 && m[4].number == 33 && m[4].bits == 7);
	return true;
}

static void members(void)
{
	static const struct dp_sink_kind members_kind = {.name = "members", .record = on_members};
	const struct dp_sink_options options = {.out = stdout};
	struct dp_sink *own = sink;

	sink = dp_sink_open(&members_kind, &options);
	CHECK(sink != NULL);
	record(5, 1, (const uint8_t[]){0xfe, 12, 0, 0xfe, 0xff, 200, 0, 5, 0, 0, 0, 0x0b, 1, 0, 0},
	       15);
	dp_sink_close(sink);
	sink = own;
}

/* --- order ----------------------------------------------------------------------------------- */

static void once_each(void)
{
	static const uint8_t one[] = {0, 0, 0, 0, 1, 0, 0, 0};

	record(4, 0, one, sizeof one);
	record(4, 0, one, sizeof one);
	CHECK(is(heard->order, "p4rp5rrr") && heard->value_count == 1);
	record(9, -1, one, sizeof one); /* nobody knows what number 9 is */
	CHECK(is(heard->order, "p4rp5rrrr"));
	record(4, 2, one, sizeof one); /* the number is that of another program now */
	CHECK(is(heard->order, "p4rp5rrrrp4r"));
	CHECK(heard->point.name == NULL && heard->point.field_count == 0);
	CHECK(is(heard->point.probe->name, "other"));
	record(4, 0, one, 3); /* data that the formats do not describe: the probe is known */
	CHECK(is(heard->order, "p4rp5rrrrp4rp4r") && heard->point.field_count == 5);
}

int main(void)
{
	const struct dp_build_options build = {.cpu = "sim", .opcode_optional = true};
	const struct dp_sink_options options = {.out = stdout};
	struct dp_messages messages = {0};
	struct dp_object_file *object = dp_compile_text(program, "t.d", &build, &messages);
	struct dp_formats *formats;

	dp_messages_print(&messages, stdout, false);
	CHECK(object != NULL);
	if (object == NULL)
		return check_status();
	formats = dp_formats_open(object, NULL);
	style.formats = formats;
	sink = dp_sink_open(&kind, &options);
	CHECK(formats != NULL && sink != NULL);
	if (sink == NULL)
		return check_status();
	heard = sink->state;
	numbers();
	structs();
	members();
	once_each();
	dp_sink_close(sink);
	dp_formats_close(formats);
	dp_object_free(object);
	dp_messages_free(&messages);
	return check_status();
}
