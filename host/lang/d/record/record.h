/* SPDX-License-Identifier: BSD-2-Clause */
/* The record of a clause: values go into the log, their meaning into the formats. */
#ifndef DPH_D_RECORD_H
#define DPH_D_RECORD_H

#include "lang/d/check/check.h"
#include "lang/d/code/formats.h"
#include "lang/d/code/lower.h"
#include "lang/d/read/functions.h"

#include "tables/stack_registers.h"

enum {
	D_STACK_FRAMES_MAX = 100,
	D_STACK_FIELDS_MAX = DPH_STACK_REGISTERS_MAX + 1
};

/* The record of one clause in the making. */
struct d_record {
	const struct dph_d_check *check;
	struct d_lower *lower;
	struct dph_format_field *fields;
	size_t field_count, field_capacity;
	struct dph_format_action *actions;
	size_t action_count, action_capacity;
	size_t waiting; /* fields from here on are words on the stack, not logged yet */
	unsigned words; /* how many */
	uint32_t next_place;
	unsigned pointed; /* fields of texts behind pointers */
	bool records;     /* the clause has recorded a value */
	bool exits;
	bool only;                          /* the host decides whether the actions count */
	uint32_t stack[D_STACK_FIELDS_MAX]; /* fields of the first stack that was recorded */
	size_t stack_count;                 /* 0: none was */
};

/* Record the firing, nothing else. */
void dph_d_record_firing(struct d_record *record);
/* Log the words that wait on the stack. */
void dph_d_record_flush(struct d_record *record);
/* The bytes that the fields need in the data; texts of the target count as empty. */
uint64_t dph_d_record_bytes_least(const struct d_record *record);
/* The same with texts of the target as long as they may be. */
uint64_t dph_d_record_bytes_most(const struct d_record *record);
/* Refuse a clause whose data cannot fit a record.
 * earlier: bytes of earlier clauses of the probe that record at each hit. bytes: of the clause. */
void dph_d_record_fits(struct d_front *d, uint64_t earlier, uint64_t bytes, struct dph_place place);
/* Evaluate an action or expression of a statement. */
void dph_d_action(struct d_record *record, struct d_node *node);

/* Add a field that is not in the data. */
uint32_t dph_d_record_field(struct d_record *record, struct dph_format_field field);
/* A number that the host knows. */
uint32_t dph_d_record_constant(struct d_record *record, uint64_t number);
/* Record a value. Returns the number of its field. */
uint32_t dph_d_record_value(struct d_record *record, struct d_node *node);
/* Record the text at an address, or in an array of characters, with at most that many bytes. */
uint32_t dph_d_record_string(struct d_record *record, struct d_node *node, uint64_t most);
/* Record bytes of memory; type may be DPH_FORMAT_NO_TYPE. */
uint32_t dph_d_record_bytes(struct d_record *record, struct d_node *address, bool of_object,
			    uint64_t bytes, uint32_t type);
/* Record a word that the host shows as a symbol or module. */
uint32_t dph_d_record_address(struct d_record *record, struct d_node *node,
			      enum dph_format_type_kind kind);
/* Record stack memory and registers.
 * fields: receives D_STACK_FIELDS_MAX numbers at most. Returns how many; 0: the error is said. */
size_t dph_d_record_stack(struct d_record *record, struct dph_place place, uint32_t *fields);
/* action.c: record stringof(e) and sym(e), or a plain value.
 * address: receives whether it is an address that is shown by name. Returns false: said. */
bool dph_d_record_any(struct d_record *record, struct d_node *node, uint32_t *field, bool *address);
/* Is the value of the field a text? */
bool dph_d_is_text_field(const struct dph_format_field *field);
/* Record stack() or stack(n) for an action that records more: how many functions to print, how many
 * fields the stack has, and these.
 * again: a stack that the clause has recorded will do.
 * fields: receives D_STACK_FIELDS_MAX + 2 numbers at most. Returns how many; 0: the error is said.
 */
size_t dph_d_record_stack_call(struct d_record *record, struct d_node *node, bool again,
			       uint32_t *fields);
/* Is the node stack() or ustack()? */
bool dph_d_is_stack(const struct d_node *node);
/* action.c: the most functions that stack(n) prints; 0: the error is said. */
unsigned dph_d_stack_frames(struct d_record *record, struct d_node *node);
/* Name an aggregation to the host. */
uint32_t dph_d_record_aggregation(struct d_record *record, uint32_t index);
/* pointed.c: record the texts where pointers to characters in a recorded value lead, if there is
 * room.
 * field: of the value. fields: receives DPH_FORMAT_POINTED_MAX numbers at most. Returns how many.
 */
size_t dph_d_record_pointed(struct d_record *record, struct d_node *node, uint32_t field,
			    uint32_t *fields);
void dph_d_record_action(struct d_record *record, enum dph_format_action_kind kind,
			 const char *text, const uint32_t *fields, size_t count);

/* printf.c: the arguments of a printf are checked and recorded. */
void dph_d_printf(struct d_record *record, struct d_node *node);

/* Read the second argument of copyinstr.
 * bytes: null: there is none. most: receives the number. Returns false: the error is said. */
bool dph_d_string_bytes(struct d_record *record, struct d_node *bytes, uint64_t *most);

/* layout.c: the number of a layout in the formats. Equal code may record other texts and types: a
 * layout is found by itself, and not with the code. */
uint32_t dph_d_layout(struct d_front *d, const struct dph_format_layout *layout);

/* format_variable.c: name the variables of the program, and the keys and values of its arrays. */
void dph_d_format_variables(struct d_front *d);

/* format_type.c: the number of a type in the formats. */
uint32_t dph_d_format_type(struct d_front *d, const struct d_type *type);
/* The type of an address: FUNCTION, SYMBOL, MODULE. */
uint32_t dph_d_format_address(struct d_front *d, enum dph_format_type_kind kind);

#endif
