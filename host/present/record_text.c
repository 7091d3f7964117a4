/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prints the data of a record by its formats: trace, printf, print, tracemem, stack. */
#define _GNU_SOURCE
#include "fault_text.h"
#include "format/conversion.h"
#include "format/printing.h"

#include "base/plain.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	DUMP_COLUMNS = 16,
	OBJECTS_MAX = 20000
};

#define UNKNOWN_TIME "?" /* the agent has no clock, or its time is not known yet */

/* --- values as text ------------------------------------------------------------------------ */

char *dph_format_probe(const struct dph_format_point *point)
{
	return dph_print("%s:%s:%s:%s", point->part[DPH_PROBE_PROVIDER],
			 point->part[DPH_PROBE_MODULE], point->part[DPH_PROBE_FUNCTION],
			 point->part[DPH_PROBE_NAME]);
}

static void put_probe(struct printing *p, uint64_t part)
{
	char *whole = dph_format_probe(p->point);
	if (part == DPH_PROBE_ID)
		fprintf(p->out, "%u", p->record->point + 1);
	else
		fputs(part == DPH_PROBE_WHOLE ? whole : p->point->part[part], p->out);
	free(whole);
}

static const char *text_numbered(const struct dph_formats *formats, uint64_t number)
{
	return number < formats->text_count ? formats->texts[number] : "?";
}

void dph_put_field(struct printing *p, size_t index)
{
	const struct dph_format_field *field = &p->clause->fields[index];
	const struct value *value = &p->values[index];
	const struct dph_format_type *type = dph_printing_type(p, field->type);
	switch (field->form) {
	case DPH_FIELD_STRING:
	case DPH_FIELD_CHARACTERS:
		dph_put_characters(p->out, value->bytes, value->count);
		break;
	case DPH_FIELD_BYTES:
	case DPH_FIELD_OBJECT:
		if (type)
			dph_put_object(p, type, value->bytes, value->count, 0);
		break;
	case DPH_FIELD_TEXT:
		fputs(field->text, p->out);
		break;
	case DPH_FIELD_NUMBER:
		fputs(text_numbered(p->record->formats, value->number), p->out);
		break;
	case DPH_FIELD_PROBE:
		put_probe(p, field->bytes);
		break;
	case DPH_FIELD_TIME:
		if (!p->record->seconds_known) {
			fputs(UNKNOWN_TIME, p->out);
			break;
		}
		dph_put_number(p, type, value->number, field->is_signed);
		break;
	case DPH_FIELD_POINTED:
	case DPH_FIELD_AGGREGATION:
		break;
	case DPH_FIELD_COMPUTED:
		if (value->text)
			dph_put_characters(p->out, (const uint8_t *)value->text,
					   strlen(value->text));
		else
			dph_put_number(p, type, value->number, field->is_signed);
		break;
	case DPH_FIELD_CONSTANT:
	case DPH_FIELD_WORDS:
	case DPH_FIELD_FORMS:
		dph_put_number(p, type, value->number, field->is_signed);
		break;
	}
}

/* --- values that the host computes --------------------------------------------------------- */

static bool is_number(const struct printing *p, size_t index)
{
	const struct dph_format_field *field = &p->clause->fields[index];
	return field->form == DPH_FIELD_WORDS || field->form == DPH_FIELD_TIME ||
	       field->form == DPH_FIELD_CONSTANT ||
	       (field->form == DPH_FIELD_PROBE && field->bytes == DPH_PROBE_ID) ||
	       (field->form == DPH_FIELD_COMPUTED && !p->values[index].text);
}

/* A copy with an end, which is freed. bytes: without the end. */
static char *text_of_value(struct printing *p, size_t index, size_t *bytes)
{
	const struct value *value = &p->values[index];
	FILE *out = p->out;
	char *text = NULL;
	if (value->bytes) {
		text = dph_malloc(value->count + 1);
		memcpy(text, value->bytes, value->count);
		text[value->count] = '\0';
		*bytes = value->count;
		return text;
	}
	p->out = open_memstream(&text, bytes);
	if (p->out) {
		dph_put_field(p, index);
		fclose(p->out);
	}
	p->out = out;
	return text ? text : dph_strdup("");
}

/* The agent has a clock, and the host knew the time of day when the session began. */
static void take_day_time(struct printing *p, size_t index)
{
	const struct dph_format_record *r = p->record;
	if (r->seconds_known && r->began_ns)
		p->values[index].number = (uint64_t)r->began_ns + dph_record_ns(r);
	else
		p->values[index].text = dph_strdup(UNKNOWN_TIME);
}

/* Is the field a number that the host cannot compute? Then it has a text. */
static bool is_unknown(const struct printing *p, size_t index)
{
	const struct dph_format_field *field = &p->clause->fields[index];
	return field->form == DPH_FIELD_COMPUTED && p->values[index].text &&
	       !dph_function_is_text(field->function);
}

static void compute(struct printing *p, size_t index)
{
	const struct dph_format_field *field = &p->clause->fields[index];
	bool unknown = false;
	struct dph_computed operands[DPH_OPERANDS_MAX] = {{0}};
	char *texts[DPH_OPERANDS_MAX] = {NULL};
	for (unsigned i = 0; i < field->operand_count; i++) {
		const uint32_t of = field->operands[i];
		unknown = unknown || is_unknown(p, of);
		operands[i].number = p->values[of].number;
		if (!is_number(p, of))
			operands[i].text = texts[i] = text_of_value(p, of, &operands[i].bytes);
	}
	if (field->function == DPH_FUNCTION_walltimestamp)
		take_day_time(p, index);
	else if (unknown && !dph_function_is_text(field->function))
		p->values[index].text = dph_strdup(UNKNOWN_TIME);
	else
		p->values[index].text =
			dph_compute(field, operands, &p->tokens, &p->values[index].number);
	for (unsigned i = 0; i < field->operand_count; i++)
		free(texts[i]);
}

/* The operands of a computed value stand before it. */
static void compute_all(struct printing *p)
{
	for (size_t i = 0; i < p->clause->field_count && !p->bad; i++)
		if (p->clause->fields[i].form == DPH_FIELD_COMPUTED)
			compute(p, i);
}

/* --- stacks -------------------------------------------------------------------------------- */

/* The first field is the memory, the others are registers. most: functions to print. */
static void put_stack(struct printing *p, const uint32_t *fields, size_t count, unsigned most)
{
	const struct value *memory = &p->values[fields[0]];
	struct dph_format_register *registers = dph_malloc(count * sizeof(*registers));
	struct dph_format_stack stack = {.registers = registers,
					 .memory = memory->bytes,
					 .bytes = memory->count,
					 .most = most};
	for (size_t i = 1; i < count; i++)
		registers[stack.count++] = (struct dph_format_register){
			p->clause->fields[fields[i]].text, p->values[fields[i]].number};
	char *text = p->record->stack ? p->record->stack(p->record->context, &stack) : NULL;
	fprintf(p->out, "\n%s", text ? text : "");
	free(text);
	free(registers);
}

/* %k: how many functions to print, how many fields the stack has, and these. A visit passes over
 * them: they are no values of the program. */
static void put_stack_of(struct printing *p, const struct dph_format_action *action, size_t *next)
{
	const uint32_t *fields = action->fields + *next;
	const size_t left = action->field_count - *next;
	const uint64_t count = left > 2 ? p->values[fields[1]].number : 0;
	if (!count || count > left - 2) {
		p->bad = true;
		return;
	}
	*next += 2 + (size_t)count;
	if (!p->each)
		put_stack(p, fields + 2, (size_t)count, (unsigned)p->values[fields[0]].number);
}

/* --- printf -------------------------------------------------------------------------------- */

static void put_text_of(struct printing *p, const struct dph_conversion *c, size_t index)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = p->out;
	p->out = open_memstream(&text, &bytes);
	if (p->out) {
		dph_put_field(p, index);
		fclose(p->out);
	}
	p->out = out;
	if (text)
		dph_put_padded(p->out, c, text);
	free(text);
}

static void put_padded_byte(struct printing *p, const struct dph_conversion *c, uint8_t byte)
{
	const int spaces = c->width > 1 ? c->width - 1 : 0;
	fprintf(p->out, "%*s", c->minus ? 0 : spaces, "");
	dph_put_characters(p->out, &byte, 1);
	fprintf(p->out, "%*s", c->minus ? spaces : 0, "");
}

/* Bytes that are not printed stand as C writes them. */
static void put_escaped(struct printing *p, const struct dph_conversion *c, const uint8_t *bytes,
			size_t count)
{
	static const char named[] = "\aa\bb\tt\nn\vv\ff\rr\\\\";
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	for (size_t i = 0; out && i < count; i++) {
		const char *pair = named;
		while (*pair && (uint8_t)*pair != bytes[i])
			pair += 2;
		if (*pair)
			fprintf(out, "\\%c", pair[1]);
		else if (isprint(bytes[i]))
			putc(bytes[i], out);
		else
			fprintf(out, "\\%03o", bytes[i]);
	}
	if (out)
		fclose(out);
	if (text)
		dph_put_padded(p->out, c, text);
	free(text);
}

static void put_escaped_text(struct printing *p, const struct dph_conversion *c, size_t index)
{
	size_t bytes = 0;
	char *text = text_of_value(p, index, &bytes);
	put_escaped(p, c, (const uint8_t *)text, bytes);
	free(text);
}

static void put_named(struct printing *p, const struct dph_conversion *c, uint64_t address)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = p->out;
	p->out = open_memstream(&text, &bytes);
	if (p->out) {
		dph_put_address(p, address,
				c->kind == 'A' ? DPH_ADDRESS_PLACE : DPH_ADDRESS_OFFSET);
		fclose(p->out);
	}
	p->out = out;
	if (text)
		dph_put_padded(p->out, c, text);
	free(text);
}

static void put_conversion(struct printing *p, const struct dph_conversion *c, size_t index)
{
	const struct dph_format_field *field = &p->clause->fields[index];
	const uint64_t number = p->values[index].number;
	if ((field->form == DPH_FIELD_TIME && !p->record->seconds_known) || is_unknown(p, index)) {
		dph_put_padded(p->out, c, UNKNOWN_TIME);
		return;
	}
	switch (c->kind) {
	case 'Y':
	case 'T':
		dph_put_day_time(p->out, c, (int64_t)number);
		break;
	case 'd':
	case 'i':
		dph_put_integer(p->out, c, number);
		break;
	case 'u':
	case 'o':
	case 'x':
	case 'X':
		dph_put_integer(p->out, c, dph_format_narrow(number, field->bytes, false));
		break;
	case 'p':
		dph_put_integer(p->out,
				&(struct dph_conversion){.kind = 'x',
							 .hash = true,
							 .minus = c->minus,
							 .width = c->width,
							 .precision = -1},
				dph_format_narrow(number, field->bytes, false));
		break;
	case 'c':
		put_padded_byte(p, c, (uint8_t)number);
		break;
	case 'C':
		put_escaped(p, c, &(uint8_t){(uint8_t)number}, 1);
		break;
	case 'S':
		put_escaped_text(p, c, index);
		break;
	case 'a':
	case 'A':
		put_named(p, c, dph_format_narrow(number, field->bytes, false));
		break;
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G':
		dph_put_float(p->out, c, dph_float_value(number, field->bytes));
		break;
	default:
		put_text_of(p, c, index);
		break;
	}
}

static int star(struct printing *p, const struct dph_format_action *action, size_t *next)
{
	if (*next >= action->field_count)
		return 0;
	const uint32_t index = action->fields[(*next)++];
	const uint64_t value = p->values[index].number;
	if (p->each)
		p->each(p->context, p, index);
	return (int64_t)value < -DPH_WIDTH_MAX || (int64_t)value > DPH_WIDTH_MAX
		       ? DPH_WIDTH_MAX
		       : (int)(int64_t)value;
}

/* Print, or visit the values. */
static void put_printf(struct printing *p, const struct dph_format_action *action)
{
	const char *at = action->text;
	struct dph_conversion c;
	size_t next = 0;
	while (dph_conversion_next(&at, &c)) {
		if (!p->each)
			fwrite(c.text, 1, c.bytes, p->out);
		if (!c.kind)
			return;
		if (c.kind == '%') {
			if (!p->each)
				putc('%', p->out);
			continue;
		}
		if (c.star_width)
			c.width = star(p, action, &next);
		if (c.star_precision)
			c.precision = star(p, action, &next);
		if (c.width < -1) {
			c.minus = true;
			c.width = -c.width;
		}
		if (next >= action->field_count) {
			p->bad = true;
			return;
		}
		if (c.kind == 'k')
			put_stack_of(p, action, &next);
		else if (p->each)
			p->each(p->context, p, action->fields[next++]);
		else
			put_conversion(p, &c, action->fields[next++]);
	}
	p->bad = true;
}

/* --- the other actions --------------------------------------------------------------------- */

static void put_dump(struct printing *p, const struct value *value, uint64_t most)
{
	const size_t count = value->count < most ? value->count : (size_t)most;
	putc('\n', p->out);
	for (size_t i = 0; i < count; i += DUMP_COLUMNS) {
		const size_t left = count - i;
		const size_t n = left < DUMP_COLUMNS ? left : DUMP_COLUMNS;
		fprintf(p->out, "%8zx:", i);
		for (size_t j = 0; j < DUMP_COLUMNS; j++)
			j < n ? fprintf(p->out, " %02x", value->bytes[i + j])
			      : fputs("   ", p->out);
		fputs("  ", p->out);
		for (size_t j = 0; j < n; j++)
			putc(isprint(value->bytes[i + j]) ? value->bytes[i + j] : '.', p->out);
		putc('\n', p->out);
	}
}

static void put_print(struct printing *p, size_t index)
{
	const struct dph_format_type *type = dph_printing_type(p, p->clause->fields[index].type);
	if (type)
		fprintf(p->out, "(%s) ", type->name);
	dph_put_field(p, index);
	putc('\n', p->out);
}

/* The first fields are aggregations; one of the others is a number. */
static void act(struct printing *p, const struct dph_format_action *action)
{
	struct dph_format_act made = {.kind = action->kind, .text = action->text};
	for (size_t i = 0; i < action->field_count; i++) {
		const struct dph_format_field *field = &p->clause->fields[action->fields[i]];
		if (field->form != DPH_FIELD_AGGREGATION)
			made.number = (int64_t)p->values[action->fields[i]].number;
		else if (made.count < DPH_ACT_AGGREGATIONS)
			made.aggregations[made.count++] = (uint32_t)field->bytes;
	}
	if (p->record->act)
		p->record->act(p->record->context, p->out, &made);
}

static void put_action(struct printing *p, const struct dph_format_action *action, int *status)
{
	if (action->kind == DPH_ACTION_PRINTF) {
		put_printf(p, action);
		return;
	}
	if (action->kind >= DPH_ACTION_PRINTA) {
		act(p, action);
		return;
	}
	if (!action->field_count) {
		p->bad = true;
		return;
	}
	const size_t index = action->fields[0];
	switch (action->kind) {
	case DPH_ACTION_TRACE:
		fputs("  ", p->out);
		dph_put_field(p, index);
		break;
	case DPH_ACTION_PRINT:
		put_print(p, index);
		break;
	case DPH_ACTION_TRACEMEM:
		put_dump(p, &p->values[index],
			 action->field_count > 1 ? p->values[action->fields[1]].number
						 : UINT64_MAX);
		break;
	case DPH_ACTION_SYM:
		fputs("  ", p->out);
		dph_put_address(p, p->values[index].number, DPH_ADDRESS_PLACE);
		break;
	case DPH_ACTION_EXIT:
		if (status)
			*status = (int)(p->values[index].number & 0xff);
		break;
	case DPH_ACTION_STACK:
		put_stack(p, action->fields, action->field_count,
			  (unsigned)strtoul(action->text, NULL, 10));
		break;
	default:
		break;
	}
}

/* A stack and an action on aggregations have no values of their own. */
static void visit_action(struct printing *p, const struct dph_format_action *action)
{
	if (action->kind == DPH_ACTION_STACK || action->kind >= DPH_ACTION_PRINTA)
		return;
	if (action->kind == DPH_ACTION_PRINTF)
		put_printf(p, action);
	for (size_t i = 0; action->kind != DPH_ACTION_PRINTF && i < action->field_count; i++)
		p->each(p->context, p, action->fields[i]);
}

static void put_clause(struct printing *p, const struct dph_format_clause *clause, int *status)
{
	p->clause = clause;
	struct value *values = dph_malloc((clause->field_count + 1) * sizeof(*values));
	memset(values, 0, (clause->field_count + 1) * sizeof(*values));
	p->values = values;
	dph_format_take(p);
	compute_all(p);
	for (size_t i = 0; i < clause->action_count && !p->bad; i++)
		if (p->each)
			visit_action(p, &clause->actions[i]);
		else
			put_action(p, &clause->actions[i], status);
	for (size_t i = 0; i < clause->field_count; i++)
		free(values[i].text);
	free(values);
	free(p->tokens.text);
	p->tokens = (struct dph_tokens){0};
}

/* One word of the record itself. */
static uint64_t take_word(struct printing *p)
{
	const size_t bytes = p->record->word_bytes;
	if ((size_t)(p->end - p->at) < bytes) {
		p->bad = true;
		return 0;
	}
	const uint64_t word = dph_format_number(p->record, p->at, bytes);
	p->at += bytes;
	return word;
}

static void put_fault(struct printing *p)
{
	struct dph_format_fault fault = {0};
	if (p->bad)
		return;
	fault.place = take_word(p);
	fault.exception = take_word(p);
	fault.parameter = take_word(p);
	if (p->bad || p->each)
		return;
	char *text = dph_fault_text(p->record->formats, p->record->point, &fault);
	fputs(text, p->out);
	free(text);
}

/* The data of a clause behind its number, or of a fault behind all ones. */
static void put_tagged(struct printing *p, const struct dph_format_layout *layout, int *status)
{
	const uint64_t tag = take_word(p);
	if (p->bad)
		return;
	if (tag == dph_format_narrow(UINT64_MAX, p->record->word_bytes, false))
		put_fault(p);
	else if (tag < layout->clause_count)
		put_clause(p, &layout->clauses[tag], status);
	else
		p->bad = true;
}

static void put_record(struct printing *p, const struct dph_format_layout *layout, int *status)
{
	if (p->record->exception) {
		p->bad = !layout->guarded;
		put_fault(p);
	} else if (layout->tagged) {
		do
			put_tagged(p, layout, status);
		while (!p->bad && p->at < p->end);
	} else if (layout->clause_count) {
		put_clause(p, layout->clauses, status);
	}
	p->bad = p->bad || p->at != p->end;
}

char *dph_format_text(const struct dph_format_record *record, int *status)
{
	char *text = NULL;
	size_t bytes;
	const struct dph_formats *formats = record->formats;
	if (record->point >= formats->point_count)
		return NULL;
	struct printing p = {.record = record,
			     .point = &formats->points[record->point],
			     .at = record->data,
			     .end = record->data + record->bytes,
			     .objects = OBJECTS_MAX,
			     .out = open_memstream(&text, &bytes)};
	if (!p.out)
		return NULL;
	put_record(&p, &formats->layouts[p.point->layout], status);
	fclose(p.out);
	if (!p.bad)
		return text;
	free(text);
	return NULL;
}

bool dph_format_visit(const struct dph_format_record *record,
		      void (*each)(void *context, struct printing *p, size_t field), void *context)
{
	const struct dph_formats *formats = record->formats;
	if (record->point >= formats->point_count)
		return false;
	struct printing p = {.record = record,
			     .point = &formats->points[record->point],
			     .at = record->data,
			     .end = record->data + record->bytes,
			     .each = each,
			     .context = context,
			     .objects = OBJECTS_MAX};
	put_record(&p, &formats->layouts[p.point->layout], NULL);
	return !p.bad;
}

/* The text at the address; the address where the host cannot read the text. */
static void put_pointed(struct printing *p, uint64_t address)
{
	const struct dph_format_record *r = p->record;
	char *text = r->text ? r->text(r->context, address) : NULL;
	if (text)
		fputs(text, p->out);
	else
		dph_put_address(p, address, DPH_ADDRESS_OFFSET);
	free(text);
}

static void put_key_characters(struct printing *p, const struct dph_format_field *field,
			       const uint64_t *words)
{
	const unsigned word = p->record->word_bytes;
	uint8_t characters[DPH_FORMAT_CHARACTERS_MAX];
	for (size_t at = 0; at < field->bytes && at + word <= sizeof(characters); at += word)
		dph_format_put_word(characters + at, *words++, word);
	dph_put_characters(p->out, characters,
			   strnlen((const char *)characters, (size_t)field->bytes));
}

char *dph_format_key(const struct dph_format_record *record, const struct dph_format_field *field,
		     const uint64_t *words)
{
	char *text = NULL;
	size_t bytes;
	const struct dph_formats *formats = record->formats;
	struct printing p = {.record = record, .out = open_memstream(&text, &bytes)};
	const struct dph_format_type *type = dph_printing_type(&p, field->type);
	if (!p.out)
		return NULL;
	const uint64_t value = dph_format_key_number(field, words, record->word_bytes);
	if (field->form == DPH_FIELD_TEXT)
		fputs(text_numbered(formats, value), p.out);
	else if (field->form == DPH_FIELD_CHARACTERS)
		put_key_characters(&p, field, words);
	else if (field->form == DPH_FIELD_POINTED)
		put_pointed(&p, value);
	else if (type && type->kind == DPH_FORMAT_POINTER)
		dph_put_address(&p, value, DPH_ADDRESS_OFFSET);
	else
		dph_put_number(&p, type, dph_format_narrow(value, field->bytes, field->is_signed),
			       field->is_signed);
	fclose(p.out);
	return text;
}
