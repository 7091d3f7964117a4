/* SPDX-License-Identifier: BSD-2-Clause */
/* The data of a record while it becomes values. */
#ifndef DPH_VALUE_READER_H
#define DPH_VALUE_READER_H

#include "compute.h"
#include "format.h"

enum {
	DPH_OBJECTS_MAX = 20000 /* of a record: a damaged type may be very wide */
};

#define DPH_UNKNOWN_TIME "?" /* the agent has no clock, or its time is not known yet */

struct dph_value_reader {
	const struct dph_format_record *record;
	const struct dph_format_point *point;
	const struct dph_format_clause *clause;
	unsigned clause_number;
	unsigned first_field; /* number of the clause's first field among those of the point */
	struct dph_pool *pool;
	struct dp_value *values; /* of the clause's fields */
	struct dph_tokens tokens;
	const uint8_t *at, *end;
	unsigned objects; /* that may still be read */
	bool bad;
};

/* Return the time of the record in ns. A clock that cannot be right may tell more than fits. */
static inline uint64_t dph_record_ns(const struct dph_format_record *record)
{
	return record->seconds < 9e9 ? (uint64_t)(record->seconds * 1e9) : INT64_MAX;
}

/* A number of the target. */
uint64_t dph_format_number(const struct dph_format_record *record, const uint8_t *bytes,
			   size_t count);
/* The characters of one word of a text. */
void dph_format_put_word(uint8_t *to, uint64_t word, unsigned bytes);
/* The text with this number; "?": the formats have none. */
const char *dph_format_text_numbered(const struct dph_formats *formats, uint64_t number);
/* Take the values of the clause's fields from the data, and compute those of the host. */
void dph_format_take(struct dph_value_reader *r);

/* Return the type of this number; null: the formats have no such type. */
const struct dph_format_type *dph_type_numbered(const struct dph_formats *formats, uint32_t index);

/* The form of a number. type: may be null. */
enum dp_value_form dph_number_form(const struct dph_format_type *type, bool is_signed);
/* Set a number by its type. */
void dph_set_number(struct dph_value_reader *r, struct dp_value *value,
		    const struct dph_format_type *type, uint64_t number, bool is_signed);
/* Set an address, with its name where the host knows it. */
void dph_set_symbol(struct dph_value_reader *r, struct dp_value *value, uint64_t address,
		    enum dph_address_text how);
/* Set a text: the characters of the target, or of the host. bytes: which contain zeros; copied. */
void dph_set_text(struct dph_value_reader *r, struct dp_value *value, const uint8_t *bytes,
		  size_t count);
/* Is an array of this type a text? */
bool dph_is_characters(const struct dph_format_type *element);
/* Set bytes of memory as a value of the type.
 * depth: number of structs and arrays around the value. */
void dph_set_object(struct dph_value_reader *r, struct dp_value *value,
		    const struct dph_format_type *type, const uint8_t *bytes, size_t count,
		    unsigned depth);

/* pointed.c: give each address in a printed value the symbol around it, and the text behind it.
 * action: its first field is the value, the others are texts. */
void dph_point_out(struct dph_value_reader *r, const struct dph_format_action *action);
/* Return the name of an address, from the pool; null: the host does not know the address. */
const char *dph_address_name(struct dph_value_reader *r, uint64_t address,
			     enum dph_address_text how);

/* A value of an action: a field, or a call stack of several fields. */
struct dph_slot {
	uint32_t field;            /* of the clause; of a stack: its memory */
	const uint32_t *registers; /* of a stack; null: no stack */
	size_t register_count;
	const uint32_t *most; /* the field that has the number of functions; null: the action */
};

/* List the values of an action that prints some.
 * slots: room for each field of the action.
 * Returns false where the action has too few fields. */
bool dph_action_slots(const struct dph_format_clause *clause,
		      const struct dph_format_action *action, struct dph_slot *slots,
		      size_t *count);

#endif
