/* SPDX-License-Identifier: BSD-2-Clause */
/* The values of a record of a D program as JSON: each with its expression and its type. */
#define _GNU_SOURCE
#include "formats.h"

#include "format/printing.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>

enum {
	DEPTH_MAX = DPH_FORMAT_DEPTH_MAX,
	OBJECTS_MAX = 20000
};

struct args {
	struct dph_json json;
	unsigned objects; /* that may still be printed */
};

/* --- values by their types ---------------------------------------------------------------------
 */

/* The text of the value, as the format text prints it. */
static void put_printed(struct args *args, const char *key, struct printing *p,
			const struct dph_format_type *type, uint64_t value, bool is_signed)
{
	char *text = NULL;
	size_t bytes;

	p->out = open_memstream(&text, &bytes);
	if (p->out != NULL) {
		dph_put_number(p, type, value, is_signed);
		fclose(p->out);
	}
	p->out = NULL;
	dph_json_string(&args->json, key, text != NULL ? text : "?");
	free(text);
}

static void put_number(struct args *args, const char *key, struct printing *p,
		       const struct dph_format_type *type, uint64_t value, bool is_signed)
{
	const bool known = type != NULL;

	if (known && type->kind == DPH_FORMAT_BOOL)
		dph_json_flag(&args->json, key, value != 0);
	else if (known && type->kind == DPH_FORMAT_POINTER)
		dph_json_address(&args->json, key, value);
	else if (known && (type->kind == DPH_FORMAT_ENUM || type->kind == DPH_FORMAT_FUNCTION ||
			   type->kind == DPH_FORMAT_SYMBOL || type->kind == DPH_FORMAT_MODULE ||
			   type->kind == DPH_FORMAT_FLOAT))
		put_printed(args, key, p, type, value, is_signed);
	else if (is_signed)
		dph_json_signed(&args->json, key, (int64_t)value);
	else
		dph_json_number(&args->json, key, value);
}

static void put_object(struct args *args, const char *key, struct printing *p,
		       const struct dph_format_type *type, const uint8_t *bytes, size_t count,
		       unsigned depth);

static void put_member(struct args *args, struct printing *p, const struct dph_format_part *part,
		       const uint8_t *bytes, size_t count, unsigned depth)
{
	const struct dph_format_type *type = dph_printing_type(p, part->type);
	const size_t need = part->bits ? part->load_bytes : (size_t)type->bytes;
	uint64_t word;

	if (part->offset > count || need > count - part->offset || (part->bits && !need))
		return; /* not recorded */
	if (!part->bits) {
		put_object(args, part->name, p, type, bytes + part->offset, need, depth + 1);
		return;
	}
	word = dph_format_number(p->record, bytes + part->offset, need) >> part->shift;
	word <<= 64 - part->bits;
	put_number(args, part->name, p, type,
		   type->is_signed ? (uint64_t)((int64_t)word >> (64 - part->bits))
				   : word >> (64 - part->bits),
		   type->is_signed);
}

static void put_text(struct args *args, const char *key, const uint8_t *bytes, size_t count)
{
	char *text = strndup((const char *)bytes, count);

	dph_json_string(&args->json, key, text != NULL ? text : "?");
	free(text);
}

static void put_array(struct args *args, const char *key, struct printing *p,
		      const struct dph_format_type *type, const uint8_t *bytes, size_t count,
		      unsigned depth)
{
	const struct dph_format_type *element = dph_printing_type(p, type->element);

	if (element->kind == DPH_FORMAT_CHAR && element->bytes == 1) {
		put_text(args, key, bytes, count);
		return;
	}
	dph_json_open(&args->json, key, '[');
	for (uint64_t i = 0; element->bytes && i < count / element->bytes; i++)
		put_object(args, NULL, p, element, bytes + i * element->bytes,
			   (size_t)element->bytes, depth + 1);
	dph_json_close(&args->json, ']');
}

static void put_struct(struct args *args, const char *key, struct printing *p,
		       const struct dph_format_type *type, const uint8_t *bytes, size_t count,
		       unsigned depth)
{
	dph_json_open(&args->json, key, '{');
	for (size_t i = 0; i < type->part_count; i++)
		put_member(args, p, &type->parts[i], bytes, count, depth);
	dph_json_close(&args->json, '}');
}

static void put_object(struct args *args, const char *key, struct printing *p,
		       const struct dph_format_type *type, const uint8_t *bytes, size_t count,
		       unsigned depth)
{
	if (depth > DEPTH_MAX || args->objects == 0) {
		dph_json_string(&args->json, key, "...");
		return;
	}
	args->objects--;
	if (type->kind == DPH_FORMAT_STRUCT)
		put_struct(args, key, p, type, bytes, count, depth);
	else if (type->kind == DPH_FORMAT_ARRAY)
		put_array(args, key, p, type, bytes, count, depth);
	else
		put_number(args, key, p, type,
			   dph_format_narrow(dph_format_number(p->record, bytes, count), count,
					     type->is_signed),
			   type->is_signed);
}

/* --- fields ------------------------------------------------------------------------------------
 */

/* The text of a field that is no number. */
static void put_as_text(struct args *args, struct printing *p, size_t index)
{
	char *text = NULL;
	size_t bytes;

	p->out = open_memstream(&text, &bytes);
	if (p->out != NULL) {
		dph_put_field(p, index);
		fclose(p->out);
	}
	p->out = NULL;
	dph_json_string(&args->json, "value", text != NULL ? text : "?");
	free(text);
}

static void put_value(struct args *args, struct printing *p, size_t index)
{
	const struct dph_format_field *field = &p->clause->fields[index];
	const struct value *value = &p->values[index];
	const struct dph_format_type *type = dph_printing_type(p, field->type);

	if ((field->form == DPH_FIELD_BYTES || field->form == DPH_FIELD_OBJECT) && type != NULL)
		put_object(args, "value", p, type, value->bytes, value->count, 0);
	else if (field->form == DPH_FIELD_BYTES || field->form == DPH_FIELD_OBJECT)
		dph_json_hex(&args->json, "value", value->bytes, value->count);
	else if (field->form == DPH_FIELD_STRING || field->form == DPH_FIELD_CHARACTERS)
		put_text(args, "value", value->bytes, value->count);
	else if (field->form == DPH_FIELD_COMPUTED && value->text == NULL)
		dph_json_signed(&args->json, "value", (int64_t)value->number);
	else if (field->form == DPH_FIELD_WORDS ||
		 (field->form == DPH_FIELD_TIME && p->record->seconds_known))
		put_number(args, "value", p, type, value->number, field->is_signed);
	else
		put_as_text(args, p, index);
}

static void on_field(void *context, struct printing *p, size_t index)
{
	struct args *args = context;
	const struct dph_format_field *field = &p->clause->fields[index];
	const struct dph_format_type *type = dph_printing_type(p, field->type);

	dph_json_open(&args->json, NULL, '{');
	if (field->form != DPH_FIELD_TEXT && field->text != NULL && *field->text != '\0')
		dph_json_string(&args->json, "name", field->text);
	if (type != NULL)
		dph_json_string(&args->json, "type", type->name);
	put_value(args, p, index);
	dph_json_close(&args->json, '}');
}

char *dph_formats_args(const struct dph_format_record *record)
{
	struct args args = {.objects = OBJECTS_MAX};
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	bool good;

	if (out == NULL)
		return NULL;
	args.json.out = out;
	putc('[', out);
	good = dph_format_visit(record, on_field, &args);
	putc(']', out);
	fclose(out);
	if (good && bytes > strlen("[]"))
		return text;
	free(text);
	return NULL;
}
