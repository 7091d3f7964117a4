/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers and bytes of the target as text, by their types. */
#define _GNU_SOURCE
#include "printing.h"

#include "base/plain.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const struct dph_format_type *dph_printing_type(const struct printing *p, uint32_t index)
{
	const struct dph_formats *formats = p->record->formats;
	return index < formats->type_count ? &formats->types[index] : NULL;
}

void dph_put_address(struct printing *p, uint64_t address, enum dph_address_text how)
{
	char *name = p->record->name ? p->record->name(p->record->context, address, how) : NULL;
	if (name)
		fputs(name, p->out);
	else
		fprintf(p->out, "0x%llx", (unsigned long long)address);
	free(name);
}

/* Print one flag, several flags, or the number. */
static void put_enum(struct printing *p, const struct dph_format_type *type, uint64_t value)
{
	uint64_t left = value;
	bool some = false;
	for (size_t i = 0; i < type->part_count; i++)
		if (dph_format_narrow((uint64_t)type->parts[i].value, type->bytes,
				      type->is_signed) == value) {
			fputs(type->parts[i].name, p->out);
			return;
		}
	for (size_t i = 0; i < type->part_count; i++) {
		const uint64_t flag = (uint64_t)type->parts[i].value;
		if (!flag || (flag & (flag - 1)) || !(left & flag))
			continue;
		fprintf(p->out, "%s%s", some ? " | " : "", type->parts[i].name);
		left &= ~flag;
		some = true;
	}
	if (some && left)
		fprintf(p->out, " | 0x%llx", (unsigned long long)left);
	else if (!some)
		fprintf(p->out, "%lld", (long long)value);
}

void dph_put_characters(FILE *out, const uint8_t *bytes, size_t count)
{
	char *text = dph_malloc(count + 1);
	for (size_t i = 0; i < count; i++)
		text[i] = bytes[i] ? (char)bytes[i] : '.';
	text[count] = '\0';
	dph_plain_print(text, out);
	free(text);
}

static size_t text_bytes(const uint8_t *bytes, size_t count)
{
	const uint8_t *stop = memchr(bytes, 0, count);
	return stop ? (size_t)(stop - bytes) : count;
}

double dph_float_value(uint64_t bits, uint64_t bytes)
{
	float narrow_value;
	double value;
	const uint32_t low = (uint32_t)bits;
	memcpy(&value, &bits, sizeof(value));
	if (bytes == sizeof(narrow_value)) {
		memcpy(&narrow_value, &low, sizeof(narrow_value));
		value = (double)narrow_value;
	}
	return value;
}

void dph_put_number(struct printing *p, const struct dph_format_type *type, uint64_t value,
		    bool is_signed)
{
	if (type && type->kind == DPH_FORMAT_ENUM)
		put_enum(p, type, value);
	else if (type && type->kind == DPH_FORMAT_BOOL)
		fputs(value ? "true" : "false", p->out);
	else if (type && type->kind == DPH_FORMAT_POINTER)
		fprintf(p->out, "0x%llx", (unsigned long long)value);
	else if (type && type->kind == DPH_FORMAT_FUNCTION)
		dph_put_address(p, value, DPH_ADDRESS_OFFSET);
	else if (type && type->kind == DPH_FORMAT_SYMBOL)
		dph_put_address(p, value, DPH_ADDRESS_SYMBOL);
	else if (type && type->kind == DPH_FORMAT_MODULE)
		dph_put_address(p, value, DPH_ADDRESS_MODULE);
	else if (type && type->kind == DPH_FORMAT_FLOAT)
		fprintf(p->out, "%g", dph_float_value(value, type->bytes));
	else if (is_signed)
		fprintf(p->out, "%lld", (long long)value);
	else
		fprintf(p->out, "%llu", (unsigned long long)value);
}

static void put_character(struct printing *p, uint64_t value)
{
	if (isprint((int)(value & 0xff)))
		fprintf(p->out, "'%c'", (int)(value & 0xff));
	else
		fprintf(p->out, "%lld", (long long)value);
}

static void put_member(struct printing *p, const struct dph_format_part *part, const uint8_t *bytes,
		       size_t count, unsigned depth)
{
	const struct dph_format_type *type = dph_printing_type(p, part->type);
	const size_t need = part->bits ? part->load_bytes : (size_t)type->bytes;
	if (*part->name)
		fprintf(p->out, ".%s = ", part->name);
	if (part->offset > count || need > count - part->offset || (part->bits && !need)) {
		fputs("<not recorded>", p->out);
		return;
	}
	if (!part->bits) {
		dph_put_object(p, type, bytes + part->offset, need, depth + 1);
		return;
	}
	const uint64_t word =
		dph_format_number(p->record, bytes + part->offset, need) >> part->shift;
	const unsigned unused = 64 - part->bits;
	const uint64_t value = type->is_signed ? (uint64_t)((int64_t)(word << unused) >> unused)
					       : word << unused >> unused;
	dph_put_number(p, type, value, type->is_signed);
}

static void put_struct(struct printing *p, const struct dph_format_type *type, const uint8_t *bytes,
		       size_t count, unsigned depth)
{
	putc('{', p->out);
	for (size_t i = 0; i < type->part_count; i++) {
		fputs(i ? ", " : "", p->out);
		put_member(p, &type->parts[i], bytes, count, depth);
	}
	putc('}', p->out);
}

static void put_array(struct printing *p, const struct dph_format_type *type, const uint8_t *bytes,
		      size_t count, unsigned depth)
{
	const struct dph_format_type *element = dph_printing_type(p, type->element);
	if (element->kind == DPH_FORMAT_CHAR && element->bytes == 1) {
		putc('"', p->out);
		dph_put_characters(p->out, bytes, text_bytes(bytes, count));
		putc('"', p->out);
		return;
	}
	putc('{', p->out);
	for (uint64_t i = 0; element->bytes && i < count / element->bytes; i++) {
		fputs(i ? ", " : "", p->out);
		dph_put_object(p, element, bytes + i * element->bytes, (size_t)element->bytes,
			       depth + 1);
	}
	putc('}', p->out);
}

void dph_put_object(struct printing *p, const struct dph_format_type *type, const uint8_t *bytes,
		    size_t count, unsigned depth)
{
	if (depth > DPH_FORMAT_DEPTH_MAX || !p->objects) {
		fputs("...", p->out);
		return;
	}
	p->objects--;
	if (type->kind == DPH_FORMAT_STRUCT) {
		put_struct(p, type, bytes, count, depth);
	} else if (type->kind == DPH_FORMAT_ARRAY) {
		put_array(p, type, bytes, count, depth);
	} else {
		const uint64_t value = dph_format_narrow(dph_format_number(p->record, bytes, count),
							 count, type->is_signed);
		if (type->kind == DPH_FORMAT_CHAR)
			put_character(p, value);
		else
			dph_put_number(p, type, value, type->is_signed);
	}
}
