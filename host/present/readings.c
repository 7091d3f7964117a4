/* SPDX-License-Identifier: BSD-2-Clause */
/* This file visits the fields of every reading and lists their names, from readings.def. */
#include "readings.h"

#include <dprobes/errors.h>
#include <dprobes/host.h>
#include "found.h"
#include "looked.h"
#include "profiled.h"
#include "simulated.h"
#include "tasked.h"
#include "text.h"
#include "tables/timers.h"
#include "words.h"

#include "dp_record.h"

/* --- values ------------------------------------------------------------------------------------
 */

struct span {
	const uint8_t *bytes;
	size_t count;
};

static struct span span_of(const uint8_t *bytes, size_t count)
{
	return (struct span){bytes, count};
}

struct integer {
	int64_t number;
	bool is_unsigned; /* the number is uint64_t */
};

static struct integer integer_of(int64_t number, bool is_unsigned)
{
	return (struct integer){number, is_unsigned};
}

struct numbers {
	const uint64_t *numbers;
	size_t count;
};

static struct numbers numbers_of(const uint64_t *numbers, size_t count)
{
	return (struct numbers){numbers, count};
}

struct strings {
	const char *const *texts;
	size_t count;
};

static struct strings texts_of(char **texts, size_t count)
{
	return (struct strings){(const char *const *)texts, count};
}

static bool is_named(const struct dp_image *image, uint64_t address)
{
	return image != NULL && dp_image_symbol(image, address) != NULL;
}

/* text: DP_NAME_ROOM characters; returned. */
static const char *symbol_of(const struct dp_image *image, uint64_t address, char *text)
{
	dp_image_name(image, address, text);
	return text;
}

/* Events and timers have a name, and their address is none. */
static bool is_nowhere(unsigned kind)
{
	return kind == DP_PROBE_EVENT || kind == DP_PROBE_TIMER;
}

static const char *name_of(const struct dp_probe_answer *probe, char *text)
{
	return dph_nowhere_name(probe->kind, probe->address, probe->original, text);
}

/* Of the instruction whose exception ended the handler; 0: not known. */
static unsigned exception_line(const struct dp_record_view *view)
{
	const char *file;
	unsigned line = 0;

	return dph_exception_line(view, &file, &line) ? line : 0;
}

static const char *exception_file(const struct dp_record_view *view)
{
	const char *file = NULL;
	unsigned line;

	return dph_exception_line(view, &file, &line) ? file : NULL;
}

static struct strings groups_used(unsigned groups, const char **names)
{
	size_t count = 0;

	for (unsigned i = 0; i < DPH_GROUPS; i++)
		if (groups & dph_groups[i].bit)
			names[count++] = dph_groups[i].name;
	return (struct strings){names, count};
}

static struct dp_value of_NUMBER(uint64_t number)
{
	return (struct dp_value){.form = DP_VALUE_NUMBER, .number = number};
}

static struct dp_value of_SIGNED(int64_t number)
{
	return (struct dp_value){.form = DP_VALUE_SIGNED, .number = (uint64_t)number};
}

static struct dp_value of_INTEGER(struct integer integer)
{
	return integer.is_unsigned ? of_NUMBER((uint64_t)integer.number)
				   : of_SIGNED(integer.number);
}

static struct dp_value of_FLAG(bool flag)
{
	return (struct dp_value){.form = DP_VALUE_FLAG, .number = flag};
}

static struct dp_value of_ADDRESS(uint64_t address)
{
	return (struct dp_value){.form = DP_VALUE_ADDRESS, .number = address};
}

static struct dp_value of_SECONDS(double seconds)
{
	return (struct dp_value){.form = DP_VALUE_SECONDS, .seconds = seconds};
}

static struct dp_value of_STRING(const char *text)
{
	return (struct dp_value){.form = DP_VALUE_STRING, .text = text};
}

static struct dp_value of_JSON(const char *text)
{
	return (struct dp_value){.form = DP_VALUE_JSON, .text = text};
}

static struct dp_value of_HEX(struct span span)
{
	return (struct dp_value){.form = DP_VALUE_HEX, .bytes = span.bytes, .count = span.count};
}

static struct dp_value of_NUMBERS(struct numbers list)
{
	return (struct dp_value){
		.form = DP_VALUE_NUMBERS, .numbers = list.numbers, .count = list.count};
}

static struct dp_value of_STRINGS(struct strings list)
{
	return (struct dp_value){
		.form = DP_VALUE_STRINGS, .texts = list.texts, .count = list.count};
}

/* --- one visiting function for each kind --------------------------------------------------------
 */

typedef const struct dp_field_visitor *visitor;

static void put(visitor f, const char *name, struct dp_value value)
{
	f->value(f->context, name, &value);
}

#define READING(KIND, type, table)                                                                 \
	static void visit_##KIND(const void *view, visitor f)                                      \
	{                                                                                          \
		const type *v = view;
#define FIELD(form, name, value, when)                                                             \
	if (when)                                                                                  \
		put(f, name, of_##form(value));
#define LIST(KIND, name, prefix, elements, length, when)                                           \
	if (when) {                                                                                \
		f->open(f->context, name, DP_READING_##KIND, '[');                                 \
		for (size_t i = 0; i < (length); i++) {                                            \
			f->open(f->context, NULL, DP_READING_##KIND, '{');                         \
			visit_##KIND(&(elements)[i], f);                                           \
			f->close(f->context, '}');                                                 \
		}                                                                                  \
		f->close(f->context, ']');                                                         \
	}
#define PART(KIND, name, part, when)                                                               \
	if (when) {                                                                                \
		f->open(f->context, name, DP_READING_##KIND, '{');                                 \
		visit_##KIND(part, f);                                                             \
		f->close(f->context, '}');                                                         \
	}
#define END(KIND) }
#include "readings.def"

/* --- names, for each kind ------------------------------------------------------------------------
 */

#define READING(KIND, type, table)                       static const struct dph_reading_field fields_##KIND[] = {
#define FIELD(form, name, value, when)                   {name, NULL, DP_READING_KINDS},
#define LIST(KIND, name, prefix, elements, length, when) {name, prefix, DP_READING_##KIND},
#define PART(KIND, name, part, when)                     {name, name "_", DP_READING_##KIND},
#define END(KIND)                                                                                  \
	{                                                                                          \
		NULL, NULL, DP_READING_KINDS                                                       \
	}                                                                                          \
	}                                                                                          \
	;
#include "readings.def"

static const struct {
	void (*visit)(const void *view, visitor f);
	const struct dph_reading_field *fields;
	enum dp_table table;
} kinds[] = {
#define READING(KIND, type, table)                                                                 \
	[DP_READING_##KIND] = {visit_##KIND, fields_##KIND, DP_TABLE_##table},
#define FIELD(form, name, value, when)
#define LIST(KIND, name, prefix, elements, length, when)
#define PART(KIND, name, part, when)
#define END(KIND)
#include "readings.def"
};
_Static_assert(sizeof kinds / sizeof kinds[0] == DP_READING_KINDS, "readings.def has every kind");

void dp_reading_visit(enum dp_reading_kind kind, const void *view,
		      const struct dp_field_visitor *visitor)
{
	kinds[kind].visit(view, visitor);
}

enum dp_table dp_reading_table(enum dp_reading_kind kind)
{
	return kinds[kind].table;
}

const struct dph_reading_field *dph_reading_fields(enum dp_reading_kind kind)
{
	return kinds[kind].fields;
}
