/* SPDX-License-Identifier: BSD-2-Clause */
/* Values on their way into the log. Words wait on the stack and are logged together, so the last
 * one comes first in the data; texts and bytes are logged at once. */
#include "record.h"

#include "hosted.h"
#include "lang/d/code/object.h"
#include "lang/d/code/text.h"
#include "tables/kinds.h"

#include <string.h>

enum {
	WAITING_WORDS_MAX = 32
};

static struct d_front *front(const struct d_record *record)
{
	return record->check->d;
}

uint32_t dph_d_record_field(struct d_record *record, struct dph_format_field field)
{
	record->fields = dph_grow(record->fields, &record->field_capacity, record->field_count,
				  sizeof(*record->fields));
	record->fields[record->field_count] = field;
	record->records = true;
	return (uint32_t)record->field_count++;
}

void dph_d_record_firing(struct d_record *record)
{
	record->records = true;
}

static bool is_word(const struct dph_format_field *field)
{
	return field->form == DPH_FIELD_WORDS || field->form == DPH_FIELD_NUMBER ||
	       field->form == DPH_FIELD_CHARACTERS || field->form == DPH_FIELD_OBJECT;
}

void dph_d_record_flush(struct d_record *record)
{
	if (record->words)
		dph_d_emit(record->lower->code, RPN_LOG_N, record->words);
	for (size_t i = record->field_count; i-- > record->waiting;)
		if (is_word(&record->fields[i]))
			record->fields[i].place = record->next_place++;
	record->lower->depth -= record->words;
	record->words = 0;
	record->waiting = record->field_count;
}

/* Texts of the target count as empty: their bytes are known at run time only. */
static uint64_t least_bytes(const struct d_record *record, const struct dph_format_field *field)
{
	const unsigned word = record->lower->code->word_bytes;
	switch (field->form) {
	case DPH_FIELD_WORDS:
	case DPH_FIELD_NUMBER:
		return field->bytes > word ? field->bytes : word;
	case DPH_FIELD_CHARACTERS:
	case DPH_FIELD_OBJECT:
		return dph_format_key_words(field, word) * word;
	case DPH_FIELD_STRING:
		return RPN_PREFIX_BYTES;
	case DPH_FIELD_BYTES:
		return RPN_PREFIX_BYTES + field->bytes;
	default:
		return 0;
	}
}

uint64_t dph_d_record_bytes_least(const struct d_record *record)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < record->field_count; i++)
		bytes += least_bytes(record, &record->fields[i]);
	return bytes - RPN_PREFIX_BYTES * record->pointed; /* where they have no room, they go */
}

uint64_t dph_d_record_bytes_most(const struct d_record *record)
{
	uint64_t bytes = dph_d_record_bytes_least(record) + RPN_PREFIX_BYTES * record->pointed;
	for (size_t i = 0; i < record->field_count; i++)
		if (record->fields[i].form == DPH_FIELD_STRING)
			bytes += record->fields[i].bytes;
	return bytes;
}

void dph_d_record_fits(struct d_front *d, uint64_t earlier, uint64_t bytes, struct dph_place place)
{
	const uint64_t all = earlier + bytes;
	if (bytes > d->log_max)
		dph_d_error(d, D_HERE_LIMIT, place,
			    "the clause records %llu bytes or more, and a record has at most %llu; "
			    "record less",
			    (unsigned long long)bytes, (unsigned long long)d->log_max);
	else if (bytes && all > d->log_max)
		dph_d_error(d, D_HERE_LIMIT, place,
			    "this clause and those before it record %llu bytes or more at one "
			    "probe, and a record has at most %llu; write two programs",
			    (unsigned long long)all, (unsigned long long)d->log_max);
}

/* A value that is not in the data. */
static uint32_t add_host(struct d_record *record, const struct d_node *node)
{
	return dph_d_record_field(
		record, (struct dph_format_field){
				.form = node->is.form,
				.type = DPH_FORMAT_NO_TYPE,
				.bytes = node->is.form == DPH_FIELD_PROBE ? node->is.part : 8,
				.text = node->is.form == DPH_FIELD_TEXT
						? node->is.text
						: dph_d_source_text(front(record), node),
			});
}

uint32_t dph_d_record_constant(struct d_record *record, uint64_t number)
{
	return dph_d_record_field(record, (struct dph_format_field){.form = DPH_FIELD_CONSTANT,
								    .type = DPH_FORMAT_NO_TYPE,
								    .bytes = number,
								    .text = ""});
}

static uint32_t add_words(struct d_record *record, struct d_node *node, uint32_t type)
{
	struct d_lower *l = record->lower;
	const unsigned word = l->code->word_bytes;
	const bool text = dph_d_is_bytes(node);
	const unsigned bytes = text                  ? l->d->key_size
			       : node->is.type.bytes ? node->is.type.bytes
						     : word;
	const unsigned words = text ? dph_d_text_words(l->d) : bytes > word ? 2 : 1;
	if (record->words + words > WAITING_WORDS_MAX)
		dph_d_record_flush(record);
	if (node->is.constant && words == 2) { /* as memory has it: the lower address on top */
		const bool big = front(record)->program->target.big_endian;
		dph_d_push(l->code, big ? node->is.number : node->is.number >> 32);
		dph_d_push(l->code, big ? node->is.number >> 32 : node->is.number);
	} else {
		dph_d_lower_value(l, node);
	}
	l->depth += words;
	record->words += words;
	return dph_d_record_field(record, (struct dph_format_field){
						  .form = text ? DPH_FIELD_CHARACTERS
							  : dph_d_is_text(node) ? DPH_FIELD_NUMBER
										: DPH_FIELD_WORDS,
						  .type = type,
						  .bytes = bytes,
						  .is_signed = node->is.type.is_signed,
						  .text = dph_d_source_text(front(record), node),
					  });
}

uint32_t dph_d_record_address(struct d_record *record, struct d_node *node,
			      enum dph_format_type_kind kind)
{
	if (dph_d_is_hosted(record->lower, node))
		return dph_d_record_hosted(record, node);
	const uint32_t field = add_words(record, node, dph_d_format_address(front(record), kind));
	record->fields[field].is_signed = false;
	return field;
}

/* Bytes at an address: `log str` and `log mrf` take the number below the address. */
static uint32_t add_logged(struct d_record *record, struct d_node *node, bool of_object,
			   uint64_t bytes, struct dph_format_field field)
{
	struct d_lower *l = record->lower;
	const struct dph_place outer = l->code->place;
	dph_d_record_flush(record);
	l->code->place = node->place;
	dph_d_push(l->code, bytes);
	l->depth++;
	if (node->is.home == D_HOME_TEXT)
		dph_d_lower_text_address(l, node);
	else
		of_object ? dph_d_lower_address(l, node) : dph_d_lower_value(l, node);
	l->depth--;
	dph_d_emit(l->code, field.form == DPH_FIELD_STRING ? RPN_LOG_STR : RPN_LOG_MRF, 0);
	l->code->place = outer;
	field.place = record->next_place++;
	field.text = dph_d_source_text(l->d, node);
	record->waiting = record->field_count + 1;
	return dph_d_record_field(record, field);
}

uint32_t dph_d_record_bytes(struct d_record *record, struct d_node *address, bool of_object,
			    uint64_t bytes, uint32_t type)
{
	return add_logged(
		record, address, of_object, bytes,
		(struct dph_format_field){.form = DPH_FIELD_BYTES, .type = type, .bytes = bytes});
}

/* A struct that is not in memory has no bytes to log. */
static bool in_memory(const struct d_node *node)
{
	return node->is.home == D_HOME_MEMORY ||
	       (node->is.home == D_HOME_LOCATION && node->is.location->count == 1 &&
		node->is.location->pieces[0].kind == DPH_PIECE_MEMORY);
}

uint32_t dph_d_record_string(struct d_record *record, struct d_node *node, uint64_t most)
{
	uint64_t bytes = most;
	if (node->is.type.kind == D_TYPE_ARRAY && node->is.home == D_HOME_LOCATION &&
	    !in_memory(node))
		return dph_d_record_value(record, node);
	if (node->is.home == D_HOME_HOST)
		return dph_d_record_hosted(record, node);
	if (node->is.home == D_HOME_FIELD)
		return add_host(record, node);
	if (dph_d_is_text(node) && node->is.home != D_HOME_TEXT)
		return add_words(record, node, DPH_FORMAT_NO_TYPE);
	if (node->is.type.kind == D_TYPE_ARRAY &&
	    dph_d_type_bytes(front(record), &node->is.type, &bytes) && bytes > most)
		bytes = most;
	return add_logged(record, node, false, bytes ? bytes : most,
			  (struct dph_format_field){.form = DPH_FIELD_STRING,
						    .type = DPH_FORMAT_NO_TYPE,
						    .bytes = bytes ? bytes : most});
}

/* A struct or array that is in variables or registers. */
static uint32_t add_object(struct d_record *record, struct d_node *node, uint64_t bytes)
{
	struct d_lower *l = record->lower;
	const struct dph_format_field field = {
		.form = DPH_FIELD_OBJECT,
		.type = dph_d_format_type(front(record), &node->is.type),
		.bytes = bytes,
		.text = dph_d_source_text(front(record), node)};
	const unsigned words = dph_format_key_words(&field, l->code->word_bytes);
	if (record->words + words > WAITING_WORDS_MAX)
		dph_d_record_flush(record);
	dph_d_push_object(l, node);
	l->depth += words;
	record->words += words;
	return dph_d_record_field(record, field);
}

uint32_t dph_d_record_value(struct d_record *record, struct d_node *node)
{
	struct d_front *d = front(record);
	uint64_t bytes = 0;
	if (!dph_d_check_understood(record->check, node))
		return 0;
	if (dph_d_is_hosted(record->lower, node))
		return dph_d_record_hosted(record, node);
	if (node->is.home == D_HOME_FIELD)
		return add_host(record, node);
	if (node->is.home == D_HOME_TEXT)
		return dph_d_record_string(record, node, d->string_bytes);
	if (node->is.type.kind != D_TYPE_STRUCT && node->is.type.kind != D_TYPE_ARRAY)
		return add_words(record, node,
				 node->is.type.kind == D_TYPE_STRING
					 ? DPH_FORMAT_NO_TYPE
					 : dph_d_format_type(d, &node->is.type));
	if (node->is.home == D_HOME_LOCATION && !in_memory(node) &&
	    dph_d_type_bytes(d, &node->is.type, &bytes) && bytes && bytes <= D_OBJECT_BYTES_MAX)
		return add_object(record, node, bytes);
	if (!in_memory(node) || !dph_d_type_bytes(d, &node->is.type, &bytes) || !bytes ||
	    bytes > D_RECORD_BYTES_MAX) {
		dph_d_error(d, D_HERE_LOCATION, node->place,
			    !in_memory(node) ? "%s is not in memory here; record its members"
			    : bytes          ? "%s is larger than %d bytes; record its members"
					     : "%s has no size; record its elements",
			    dph_d_type_text(d, &node->is.type), D_RECORD_BYTES_MAX);
		return 0;
	}
	return dph_d_record_bytes(record, node, true, bytes, dph_d_format_type(d, &node->is.type));
}

/* The register as a value of the program. */
static struct d_node register_node(const struct d_record *record, struct dph_place place,
				   unsigned reg)
{
	return (struct d_node){
		.kind = D_NODE_NAME,
		.place = place,
		.is.home = D_HOME_REGISTER,
		.is.reg = reg,
		.is.type =
			dph_d_type_integer(front(record), record->lower->code->word_bytes, false),
	};
}

/* Registers that the host unwinds from. A timer knows the pc, the sp and the return address of the
 * interrupted code. Returns their number. */
static size_t stack_registers(const struct d_record *record, unsigned *list)
{
	static const char *const told[] = {"pc", "sp", "lr"};
	const struct dph_cpu *cpu = front(record)->program->target.cpu;
	size_t count = 0;
	if (!dph_d_is_sampled(record->check->point))
		return dph_stack_registers(cpu, list);
	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++) {
		const struct dp_reg *reg = dph_reg_named(cpu, told[i], strlen(told[i]));
		if (reg)
			list[count++] = reg->index;
	}
	return count;
}

size_t dph_d_record_stack(struct d_record *record, struct dph_place place, uint32_t *fields)
{
	struct d_front *d = front(record);
	const struct dph_cpu *cpu = d->program->target.cpu;
	const struct dp_reg *sp = dph_reg_named(cpu, "sp", strlen("sp"));
	unsigned registers[DPH_STACK_REGISTERS_MAX];
	const size_t count = stack_registers(record, registers);
	const char *why = dph_absent(cpu, DPH_ROW_STACK_REGS);
	if (why) {
		dph_d_error(d, D_HERE_METAL, place,
			    "the stack of %s is not known: %s; record caller instead", cpu->name,
			    why);
		return 0;
	}
	struct d_node node = register_node(record, place, sp->index);
	fields[0] = dph_d_record_bytes(record, &node, false, d->stack_bytes, DPH_FORMAT_NO_TYPE);
	for (size_t i = 0; i < count; i++) {
		node = register_node(record, place, registers[i]);
		fields[i + 1] = add_words(record, &node, DPH_FORMAT_NO_TYPE);
		record->fields[fields[i + 1]].text = dph_reg_name(cpu, registers[i]);
	}
	memcpy(record->stack, fields, (count + 1) * sizeof(*fields));
	record->stack_count = count + 1;
	return count + 1;
}

bool dph_d_is_stack(const struct d_node *node)
{
	return node && node->kind == D_NODE_CALL &&
	       (strcmp(node->text, "stack") == 0 || strcmp(node->text, "ustack") == 0);
}

size_t dph_d_record_stack_call(struct d_record *record, struct d_node *node, bool again,
			       uint32_t *fields)
{
	const unsigned frames = dph_d_stack_frames(record, node);
	size_t count = again ? record->stack_count : 0;
	if (!frames)
		return 0;
	if (count)
		memcpy(fields + 2, record->stack, count * sizeof(*fields));
	else
		count = dph_d_record_stack(record, node->place, fields + 2);
	if (!count)
		return 0;
	fields[0] = dph_d_record_constant(record, frames);
	fields[1] = dph_d_record_constant(record, count);
	return count + 2;
}

uint32_t dph_d_record_aggregation(struct d_record *record, uint32_t index)
{
	return dph_d_record_field(record, (struct dph_format_field){.form = DPH_FIELD_AGGREGATION,
								    .type = DPH_FORMAT_NO_TYPE,
								    .bytes = index,
								    .text = ""});
}

void dph_d_record_action(struct d_record *record, enum dph_format_action_kind kind,
			 const char *text, const uint32_t *fields, size_t count)
{
	uint32_t *list = dph_pool_take(front(record)->pool, (count + 1) * sizeof(*list));
	for (size_t i = 0; i < count; i++)
		list[i] = fields[i];
	record->actions = dph_grow(record->actions, &record->action_capacity, record->action_count,
				   sizeof(*record->actions));
	record->actions[record->action_count++] = (struct dph_format_action){
		.kind = kind, .text = text, .fields = list, .field_count = count};
	record->records = true;
}
