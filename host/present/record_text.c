/* SPDX-License-Identifier: BSD-2-Clause */
/* What a handler recorded as text: trace, printf, print, tracemem, stack. */
#define _GNU_SOURCE
#include "record_text.h"

#include "conversion_text.h"
#include "fault_text.h"
#include "format/compute.h"
#include "stack_text.h"
#include "value_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	DUMP_COLUMNS = 16
};

struct printing {
	const struct dp_formats *formats;
	unsigned point;
	FILE *out;
};

/* --- stacks -------------------------------------------------------------------------------- */

static void put_stack(struct printing *p, const struct dp_value *stack)
{
	char *text = dph_stack_text(p->formats->debug, p->formats->cpu, stack);
	fprintf(p->out, "\n%s", text);
	free(text);
}

/* --- printf -------------------------------------------------------------------------------- */

static void put_text_of(struct printing *p, const struct dph_conversion *c,
			const struct dp_value *value)
{
	char *text = dph_value_text(value);
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

static void put_escaped_text(struct printing *p, const struct dph_conversion *c,
			     const struct dp_value *value)
{
	if (value->bytes) {
		put_escaped(p, c, value->bytes, value->count);
		return;
	}
	char *text = dph_value_text(value);
	put_escaped(p, c, (const uint8_t *)text, strlen(text));
	free(text);
}

/* An address by name, or as number where the host does not know it. From the heap. */
static char *address_text(const struct printing *p, uint64_t address, enum dph_address_text how)
{
	char *name = dph_formats_name(p->formats, address, how);
	return name ? name : dph_print("0x%llx", (unsigned long long)address);
}

static void put_named(struct printing *p, const struct dph_conversion *c, uint64_t address)
{
	char *text =
		address_text(p, address, c->kind == 'A' ? DPH_ADDRESS_PLACE : DPH_ADDRESS_OFFSET);
	dph_put_padded(p->out, c, text);
	free(text);
}

static void put_pointer(struct printing *p, const struct dph_conversion *c, uint64_t address)
{
	dph_put_integer(p->out,
			&(struct dph_conversion){.kind = 'x',
						 .hash = true,
						 .minus = c->minus,
						 .width = c->width,
						 .precision = -1},
			address);
}

static void put_conversion(struct printing *p, const struct dph_conversion *c,
			   const struct dp_value *value)
{
	const uint64_t plain = dph_format_narrow(value->number, value->size, false);
	const uint8_t byte = (uint8_t)value->number;
	if (value->form == DP_VALUE_UNKNOWN) {
		put_text_of(p, c, value);
		return;
	}
	switch (c->kind) {
	case 'Y':
	case 'T':
		dph_put_day_time(p->out, c, (int64_t)value->number);
		break;
	case 'd':
	case 'i':
		dph_put_integer(p->out, c, value->number);
		break;
	case 'u':
	case 'o':
	case 'x':
	case 'X':
		dph_put_integer(p->out, c, plain);
		break;
	case 'p':
		put_pointer(p, c, plain);
		break;
	case 'c':
		put_padded_byte(p, c, byte);
		break;
	case 'C':
		put_escaped(p, c, &byte, 1);
		break;
	case 'S':
		put_escaped_text(p, c, value);
		break;
	case 'a':
	case 'A':
		put_named(p, c, plain);
		break;
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G':
		dph_put_float(p->out, c, dph_float_value(value->number, value->size));
		break;
	default:
		put_text_of(p, c, value);
		break;
	}
}

static int star(const struct dph_action *action, size_t *next)
{
	if (*next >= action->count)
		return 0;
	const struct dp_value *value = action->values[(*next)++];
	const int64_t number = (int64_t)value->number;
	return number < -DPH_WIDTH_MAX || number > DPH_WIDTH_MAX ? DPH_WIDTH_MAX : (int)number;
}

/* The reader has checked the format: each conversion has its values. */
static void put_printf(struct printing *p, const struct dph_action *action)
{
	const char *at = action->text;
	struct dph_conversion c;
	size_t next = 0;
	while (dph_conversion_next(&at, &c)) {
		fwrite(c.text, 1, c.bytes, p->out);
		if (!c.kind)
			return;
		if (c.kind == '%') {
			putc('%', p->out);
			continue;
		}
		if (c.star_width)
			c.width = star(action, &next);
		if (c.star_precision)
			c.precision = star(action, &next);
		if (c.width < -1) {
			c.minus = true;
			c.width = -c.width;
		}
		const struct dp_value *value = action->values[next++];
		if (c.kind == 'k')
			put_stack(p, value);
		else
			put_conversion(p, &c, value);
	}
}

/* --- the other actions --------------------------------------------------------------------- */

static void put_dump(struct printing *p, const struct dp_value *value, uint64_t most)
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

static void put_print(struct printing *p, const struct dp_value *value)
{
	if (value->type)
		fprintf(p->out, "(%s) ", value->type);
	dph_put_value(p->out, value);
	putc('\n', p->out);
}

static void put_symbol(struct printing *p, uint64_t address)
{
	char *text = address_text(p, address, DPH_ADDRESS_PLACE);
	fprintf(p->out, "  %s", text);
	free(text);
}

static void put_fault(struct printing *p, const struct dph_format_fault *fault)
{
	char *text = dph_fault_text(p->formats, p->point, fault);
	fputs(text, p->out);
	free(text);
}

static void put_action(struct printing *p, const struct dph_action *action)
{
	switch (action->kind) {
	case DPH_ACTION_PRINTF:
		put_printf(p, action);
		break;
	case DPH_ACTION_TRACE:
		fputs("  ", p->out);
		dph_put_value(p->out, action->values[0]);
		break;
	case DPH_ACTION_PRINT:
		put_print(p, action->values[0]);
		break;
	case DPH_ACTION_TRACEMEM:
		put_dump(p, action->values[0],
			 action->count > 1 ? action->values[1]->number : UINT64_MAX);
		break;
	case DPH_ACTION_SYM:
		put_symbol(p, action->values[0]->number);
		break;
	case DPH_ACTION_STACK:
		put_stack(p, action->values[0]);
		break;
	default: /* an exit, and actions on aggregations, which have printed */
		break;
	}
}

char *dph_recorded_text(const struct dp_formats *formats, unsigned point,
			const struct dph_recorded *recorded)
{
	char *text = NULL;
	size_t bytes;
	struct printing p = {
		.formats = formats, .point = point, .out = open_memstream(&text, &bytes)};
	if (!p.out)
		return dph_strdup("");
	for (const struct dph_action *a = recorded->actions; a; a = a->next)
		if (a->fault)
			put_fault(&p, a->fault);
		else if (a->act)
			fputs(a->printed ? a->printed : "", p.out);
		else
			put_action(&p, a);
	fclose(p.out);
	return text;
}
