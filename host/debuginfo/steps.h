/* SPDX-License-Identifier: BSD-2-Clause */
/* The translator turns DWARF expressions into steps and pieces. */
#ifndef DPH_STEPS_H
#define DPH_STEPS_H

#include "reader.h"
#include "location.h"
#include "scope.h"

/* What DWARF 5 lets a number on the stack be: of a base type, or generic, a word. */
struct dph_number {
	uint8_t bits; /* 0: generic */
	bool is_signed;
};

/* An expression under translation. */
struct dph_expression {
	struct dp_debuginfo *debug;
	const struct dph_scopes *scopes; /* for the frame base; null: none */
	uint64_t address;
	Dwarf_Attribute *attribute; /* the operations are of; null: of call frame information */
	unsigned depth;             /* expressions that this one is part of */
	/* The result. */
	struct dph_step steps[DPH_STEPS_MAX];
	size_t count;
	size_t landed; /* a branch leads to the step of this number; 0: none does */
	struct dph_number numbers[DPH_STEPS_MAX]; /* on the stack, the top last */
	size_t height;
	bool typed, branched; /* a number had a base type; a step was a branch */
	bool entry;
	const char *why; /* the first reason to refuse it; null: none */
};

/* Add a step. */
void dph_emit(struct dph_expression *e, enum dph_step_op op, int64_t value);
/* Add a number to the top; numbers in a row become one. */
void dph_emit_offset(struct dph_expression *e, int64_t offset);
/* Push a register by its DWARF number. */
void dph_emit_register(struct dph_expression *e, unsigned number);
void dph_emit_steps(struct dph_expression *e, struct dph_steps steps);

__attribute__((format(printf, 2, 3))) void dph_refuse(struct dph_expression *e, const char *format,
						      ...);

/* Translate operations [from, to) to steps. Refuses an operation without translation. */
void dph_translate(struct dph_expression *e, const Dwarf_Op *ops, size_t from, size_t to);

/* The steps so far, in the pool, checked: each has its operands and one word is left. */
struct dph_steps dph_steps_done(struct dph_expression *e);

/* Read the operations of raw bytes. Returns how many; SIZE_MAX: damaged, or too many. */
size_t dph_read_operations(struct dph_reader reader, unsigned word_bytes, Dwarf_Op *ops,
			   size_t most);

/* The location of a variable's entry at an address. scopes: null for variables of file scope. */
void dph_locate(struct dp_debuginfo *debug, const struct dph_scopes *scopes, Dwarf_Die *variable,
		uint64_t address, struct dph_location *location, bool *has_list);

#endif
