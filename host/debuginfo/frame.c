/* SPDX-License-Identifier: BSD-2-Clause */
/* This file runs call frame instructions up to an address and returns the rules that find the
 * caller of a function. libdw's own reader refuses MIPS, whose entries begin with
 * DW_CFA_def_cfa_register alone. */
#include "frame.h"

#include "frame_table.h"
#include "steps.h"

#include <dwarf.h>
#include <stdlib.h>

enum {
	REMEMBERED_MAX = 16,
	OPERATIONS_MAX = 64 /* of an expression in call frame information */
};

/* A rule as the instructions state it; expressions are translated at the end. */
struct rule {
	enum dph_frame_rule_kind kind;
	uint64_t reg; /* DWARF number */
	int64_t offset;
	struct dph_reader expression;
};

struct row {
	struct rule cfa; /* DPH_FRAME_OFFSET: reg + offset; DPH_FRAME_VALUE: an expression */
	struct rule rules[DPH_FRAME_REGISTERS];
};

struct machine {
	const struct dp_debuginfo *debug;
	const struct dph_frame_entry *entry;
	uint64_t address;  /* the one asked for */
	uint64_t at, next; /* the row holds for at <= address < next */
	struct row row, initial;
	struct row remembered[REMEMBERED_MAX];
	unsigned depth;
	bool bad;
};

/* --- instructions -------------------------------------------------------------------------- */

static void set_rule(struct machine *m, uint64_t number, struct rule rule)
{
	if (number < DPH_FRAME_REGISTERS)
		m->row.rules[number] = rule;
}

static void set_offset(struct machine *m, uint64_t number, enum dph_frame_rule_kind kind,
		       int64_t factored)
{
	int64_t offset = (int64_t)((uint64_t)factored * (uint64_t)m->entry->common.data_align);
	set_rule(m, number, (struct rule){.kind = kind, .offset = offset});
}

static void restore(struct machine *m, uint64_t number)
{
	if (number < DPH_FRAME_REGISTERS)
		m->row.rules[number] = m->initial.rules[number];
}

/* Advance to a later address. False: the row for the wanted address is complete. */
static bool advance(struct machine *m, uint64_t to)
{
	if (m->address < to) {
		m->next = to;
		return false;
	}
	m->at = to;
	return true;
}

static bool advance_by(struct machine *m, uint64_t factored)
{
	return advance(m, m->at + factored * m->entry->common.code_align);
}

static void define_cfa(struct machine *m, uint64_t reg, int64_t offset)
{
	m->row.cfa = (struct rule){.kind = DPH_FRAME_OFFSET, .reg = reg, .offset = offset};
}

static struct dph_reader block(struct dph_reader *code)
{
	return dph_reader_part(code, dph_reader_uleb(code));
}

static void run_cfa(struct machine *m, struct dph_reader *code, unsigned op)
{
	uint64_t reg;
	switch (op) {
	case DW_CFA_def_cfa:
		reg = dph_reader_uleb(code);
		define_cfa(m, reg, (int64_t)dph_reader_uleb(code));
		break;
	case DW_CFA_def_cfa_sf:
		reg = dph_reader_uleb(code);
		define_cfa(m, reg,
			   (int64_t)((uint64_t)dph_reader_sleb(code) *
				     (uint64_t)m->entry->common.data_align));
		break;
	case DW_CFA_def_cfa_register:
		define_cfa(m, dph_reader_uleb(code), m->row.cfa.offset);
		break;
	case DW_CFA_def_cfa_offset:
		define_cfa(m, m->row.cfa.reg, (int64_t)dph_reader_uleb(code));
		break;
	case DW_CFA_def_cfa_offset_sf:
		define_cfa(m, m->row.cfa.reg,
			   (int64_t)((uint64_t)dph_reader_sleb(code) *
				     (uint64_t)m->entry->common.data_align));
		break;
	default:
		m->row.cfa = (struct rule){.kind = DPH_FRAME_VALUE, .expression = block(code)};
		break;
	}
}

static void run_register(struct machine *m, struct dph_reader *code, unsigned op)
{
	uint64_t reg = dph_reader_uleb(code);
	switch (op) {
	case DW_CFA_offset_extended:
		set_offset(m, reg, DPH_FRAME_SAVED, (int64_t)dph_reader_uleb(code));
		break;
	case DW_CFA_offset_extended_sf:
		set_offset(m, reg, DPH_FRAME_SAVED, dph_reader_sleb(code));
		break;
	case DW_CFA_GNU_negative_offset_extended:
		set_offset(m, reg, DPH_FRAME_SAVED, (int64_t)(0 - (uint64_t)dph_reader_uleb(code)));
		break;
	case DW_CFA_val_offset:
		set_offset(m, reg, DPH_FRAME_OFFSET, (int64_t)dph_reader_uleb(code));
		break;
	case DW_CFA_val_offset_sf:
		set_offset(m, reg, DPH_FRAME_OFFSET, dph_reader_sleb(code));
		break;
	case DW_CFA_restore_extended:
		restore(m, reg);
		break;
	case DW_CFA_undefined:
		set_rule(m, reg, (struct rule){.kind = DPH_FRAME_UNDEFINED});
		break;
	case DW_CFA_same_value:
		set_rule(m, reg, (struct rule){.kind = DPH_FRAME_SAME});
		break;
	case DW_CFA_register:
		set_rule(m, reg,
			 (struct rule){.kind = DPH_FRAME_REGISTER, .reg = dph_reader_uleb(code)});
		break;
	case DW_CFA_expression:
		set_rule(m, reg,
			 (struct rule){.kind = DPH_FRAME_MEMORY, .expression = block(code)});
		break;
	default:
		set_rule(m, reg, (struct rule){.kind = DPH_FRAME_VALUE, .expression = block(code)});
		break;
	}
}

static void run_state(struct machine *m, unsigned op)
{
	if (op == DW_CFA_remember_state && m->depth < REMEMBERED_MAX)
		m->remembered[m->depth++] = m->row;
	else if (op == DW_CFA_restore_state && m->depth)
		m->row = m->remembered[--m->depth];
	else
		m->bad = true;
}

/* Execute an instruction with operands outside its first byte. Returns false when the row is
 * complete. */
static bool run_extended(struct machine *m, struct dph_reader *code, unsigned op)
{
	switch (op) {
	case DW_CFA_nop:
	case DW_CFA_GNU_window_save: /* on AArch64: return addresses are signed */
		return true;
	case DW_CFA_set_loc:
		return advance(
			m, dph_running_code(m->debug,
					    dph_reader_number(code, m->entry->common.word_bytes)));
	case DW_CFA_advance_loc1:
		return advance_by(m, dph_reader_number(code, 1));
	case DW_CFA_advance_loc2:
		return advance_by(m, dph_reader_number(code, 2));
	case DW_CFA_advance_loc4:
		return advance_by(m, dph_reader_number(code, 4));
	case DW_CFA_MIPS_advance_loc8:
		return advance_by(m, dph_reader_number(code, 8));
	case DW_CFA_def_cfa:
	case DW_CFA_def_cfa_sf:
	case DW_CFA_def_cfa_register:
	case DW_CFA_def_cfa_offset:
	case DW_CFA_def_cfa_offset_sf:
	case DW_CFA_def_cfa_expression:
		run_cfa(m, code, op);
		return true;
	case DW_CFA_remember_state:
	case DW_CFA_restore_state:
		run_state(m, op);
		return true;
	case DW_CFA_GNU_args_size:
		dph_reader_uleb(code);
		return true;
	case DW_CFA_offset_extended:
	case DW_CFA_offset_extended_sf:
	case DW_CFA_GNU_negative_offset_extended:
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
	case DW_CFA_restore_extended:
	case DW_CFA_undefined:
	case DW_CFA_same_value:
	case DW_CFA_register:
	case DW_CFA_expression:
	case DW_CFA_val_expression:
		run_register(m, code, op);
		return true;
	default:
		m->bad = true;
		return false;
	}
}

static void run(struct machine *m, struct dph_reader code)
{
	while (dph_reader_more(&code) && !m->bad) {
		unsigned byte = (unsigned)dph_reader_number(&code, 1), low = byte & 0x3f;
		bool go_on = true;
		switch (byte & 0xc0) {
		case DW_CFA_advance_loc:
			go_on = advance_by(m, low);
			break;
		case DW_CFA_offset:
			set_offset(m, low, DPH_FRAME_SAVED, (int64_t)dph_reader_uleb(&code));
			break;
		case DW_CFA_restore:
			restore(m, low);
			break;
		default:
			go_on = run_extended(m, &code, low);
			break;
		}
		if (!go_on)
			return;
	}
	m->bad |= code.bad;
}

/* --- rules --------------------------------------------------------------------------------- */

/* Translate an expression. cfa: pushed before it begins; null: nothing is. */
static struct dph_steps steps_of(struct dph_expression *e, struct dph_reader bytes,
				 const struct dph_steps *cfa)
{
	Dwarf_Op ops[OPERATIONS_MAX];
	size_t count = dph_read_operations(bytes, e->debug->word_bytes, ops, OPERATIONS_MAX);
	e->count = 0;
	if (count == SIZE_MAX)
		dph_refuse(e, "an expression of the call frame information is damaged or too long");
	if (cfa)
		dph_emit_steps(e, *cfa);
	if (!e->why)
		dph_translate(e, ops, 0, count);
	return dph_steps_done(e);
}

static void take_cfa(struct dph_expression *e, const struct row *row, struct dph_frame *frame)
{
	e->count = 0;
	if (row->cfa.kind == DPH_FRAME_VALUE) {
		frame->cfa = steps_of(e, row->cfa.expression, NULL);
		return;
	}
	dph_emit_register(e, (unsigned)row->cfa.reg);
	dph_emit_offset(e, row->cfa.offset);
	frame->cfa = dph_steps_done(e);
}

static void take_rule(struct dph_expression *e, const struct rule *rule,
		      const struct dph_steps *cfa, struct dph_frame_rule *out)
{
	*out = (struct dph_frame_rule){
		.kind = rule->kind, .reg = UINT32_MAX, .offset = rule->offset};
	if (rule->kind == DPH_FRAME_REGISTER)
		out->reg = dph_dwarf_register(e->debug, (unsigned)rule->reg);
	else if (rule->kind == DPH_FRAME_MEMORY || rule->kind == DPH_FRAME_VALUE)
		out->steps = steps_of(e, rule->expression, cfa);
	e->why = NULL; /* a rule that cannot be had has no steps */
}

bool dph_frame_at(struct dp_debuginfo *debug, uint64_t address, struct dph_frame *frame,
		  const char **why)
{
	struct dph_frame_entry entry;
	if (!dph_frame_entry(debug, address, &entry, why))
		return false;
	struct machine *m = dph_malloc(sizeof(*m));
	m->debug = debug;
	m->entry = &entry;
	m->address = address;
	m->at = entry.first;
	m->next = entry.last;
	m->row.cfa.kind = DPH_FRAME_OFFSET;
	run(m, entry.common.code);
	m->initial = m->row;
	run(m, entry.code);
	struct dph_expression e = {.debug = debug, .address = address};
	if (m->bad)
		dph_refuse(&e, "the call frame information is damaged");
	*frame = (struct dph_frame){.return_column = entry.common.return_column,
				    .signal = entry.common.signal,
				    .first = m->at,
				    .last = m->next};
	take_cfa(&e, &m->row, frame);
	*why = e.why;
	for (unsigned i = 0; i < DPH_FRAME_REGISTERS && !*why; i++)
		take_rule(&e, &m->row.rules[i], &frame->cfa, &frame->rules[i]);
	free(m);
	return !*why;
}

bool dph_frame_caller(struct dp_debuginfo *debug, uint64_t address, struct dph_location *location,
		      const char **why)
{
	struct dph_frame frame;
	struct dph_expression e = {.debug = debug, .address = address};
	struct dph_piece *piece = dph_pool_take(&debug->pool, sizeof(*piece));
	if (!dph_frame_at(debug, address, &frame, why))
		return false;
	const struct dph_frame_rule none = {.kind = DPH_FRAME_UNKNOWN},
				    *rule = frame.return_column < DPH_FRAME_REGISTERS
						    ? &frame.rules[frame.return_column]
						    : &none;
	uint32_t reg = dph_dwarf_register(debug, frame.return_column);
	*piece = (struct dph_piece){.kind = DPH_PIECE_REGISTER, .reg = reg};
	*location = (struct dph_location){piece, 1};
	switch (rule->kind) {
	case DPH_FRAME_UNDEFINED:
		*why = "this function has no caller";
		return false;
	case DPH_FRAME_REGISTER:
		piece->reg = rule->reg;
		break;
	case DPH_FRAME_SAVED:
	case DPH_FRAME_OFFSET:
		dph_emit_steps(&e, frame.cfa);
		dph_emit_offset(&e, rule->offset);
		piece->steps = dph_steps_done(&e);
		piece->kind = rule->kind == DPH_FRAME_SAVED ? DPH_PIECE_MEMORY : DPH_PIECE_VALUE;
		break;
	case DPH_FRAME_MEMORY:
	case DPH_FRAME_VALUE:
		piece->steps = rule->steps;
		piece->kind = rule->kind == DPH_FRAME_MEMORY ? DPH_PIECE_MEMORY : DPH_PIECE_VALUE;
		break;
	default:
		break;
	}
	if (piece->kind == DPH_PIECE_REGISTER ? piece->reg != UINT32_MAX : piece->steps.count != 0)
		return true;
	*why = "the agent cannot read the place of the return address";
	return false;
}
