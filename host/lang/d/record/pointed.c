/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts behind the pointers of a printed value: the handler copies them. The handler computes the
 * address of the value again, so that an expression with effects has no texts. */
#include "lang/d/code/guard.h"
#include "record.h"

static bool has_effects(const struct d_node *node)
{
	if (!node)
		return false;
	if (node->kind == D_NODE_ASSIGN || node->kind == D_NODE_STEP || node->kind == D_NODE_CALL)
		return true;
	return has_effects(node->a) || has_effects(node->b) || has_effects(node->c) ||
	       has_effects(node->list) || has_effects(node->next);
}

/* offset: of the pointer in a struct or array; SIZE_MAX: the value is the pointer. */
static uint32_t add_text(struct d_record *record, struct d_node *node, uint64_t offset)
{
	struct d_lower *l = record->lower;
	const uint64_t bytes = l->d->string_bytes;
	const struct dph_place outer = l->code->place;
	dph_d_record_flush(record);
	l->code->place = node->place;
	dph_d_push(l->code, bytes);
	l->depth++;
	if (offset == SIZE_MAX) {
		dph_d_lower_value(l, node);
	} else {
		dph_d_lower_address(l, node);
		dph_d_add_constant(l, offset);
		dph_d_load(l, l->code->word_bytes, false);
	}
	l->depth--;
	dph_d_log_caught(l);
	l->code->place = outer;
	record->waiting = record->field_count + 1;
	record->pointed++;
	return dph_d_record_field(record, (struct dph_format_field){.form = DPH_FIELD_STRING,
								    .type = DPH_FORMAT_NO_TYPE,
								    .bytes = bytes,
								    .text = "",
								    .place = record->next_place++});
}

size_t dph_d_record_pointed(struct d_record *record, struct d_node *node, uint32_t field,
			    uint32_t *fields)
{
	const struct d_front *d = record->check->d;
	uint64_t offsets[DPH_FORMAT_POINTED_MAX];
	if (field >= record->field_count) /* the value was refused */
		return 0;
	const enum dph_format_form form = record->fields[field].form;
	if (!d->guards || record->lower->no_room || has_effects(node) ||
	    (form != DPH_FIELD_WORDS && form != DPH_FIELD_BYTES))
		return 0;
	const size_t count =
		dph_format_pointed(d->formats->types, record->fields[field].type, offsets);
	for (size_t i = 0; i < count; i++)
		fields[i] = add_text(record, node, form == DPH_FIELD_BYTES ? offsets[i] : SIZE_MAX);
	return count;
}
