/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of a CPU by gdb's numbers, from gdb_features.def. */
#include "features.h"

#include "tables/registers.h"

#include <limits.h>
#include <string.h>

enum row_kind {
	ROW_CPU,
	ROW_FEATURE,
	ROW_REGISTERS
};

struct row {
	enum row_kind kind;
	const char *name;         /* of the CPU, the feature or the registers */
	unsigned first, count;    /* of REGISTERS; first of CPU: bits of a word */
	const char *ours;         /* of REGISTERS */
	const char *architecture; /* of CPU */
	enum {
		PC_UNKNOWN,
		PC_ZERO
	} pc; /* of CPU */
	enum {
		ADDRESSES_PLAIN,
		ADDRESSES_SIGNED
	} addresses; /* of CPU */
	enum {
		WATCH_BEHIND,
		WATCH_BEFORE
	} watch; /* of CPU */
};

static const struct row rows[] = {
#define CPU(name, text, word_bits, architecture, pc, addresses, watch)                             \
	{ROW_CPU,      text, word_bits, 0, NULL, architecture, PC_##pc, ADDRESSES_##addresses,     \
	 WATCH_##watch},
#define FEATURE(feature) {.kind = ROW_FEATURE, .name = feature},
#define REGISTERS(stem, start, number, own)                                                        \
	{.kind = ROW_REGISTERS, .name = stem, .first = start, .count = number, .ours = own},
#include "tables/gdb_features.def"
};

static const size_t row_count = sizeof rows / sizeof rows[0];

static const struct row *find(const struct dph_cpu *cpu, unsigned word_bytes)
{
	for (size_t i = 0; i < row_count; i++)
		if (rows[i].kind == ROW_CPU && strcmp(rows[i].name, cpu->name) == 0 &&
		    rows[i].first == word_bytes * CHAR_BIT)
			return &rows[i];
	return NULL;
}

bool dph_gdb_describes(const struct dph_cpu *cpu, unsigned word_bytes)
{
	return cpu != NULL && find(cpu, word_bytes) != NULL;
}

/* The next row of the same CPU; null: there is none. */
static const struct row *next(const struct row *row)
{
	row++;
	return row < rows + row_count && row->kind != ROW_CPU ? row : NULL;
}

static unsigned registers_of(const struct row *row)
{
	if (row->kind != ROW_REGISTERS)
		return 0;
	return row->count > 0 ? row->count : 1;
}

/* --- XML ------------------------------------------------------------------------------------- */

static void describe_registers(const struct row *row, unsigned bits, FILE *out)
{
	const char *type = strcmp(row->name, "pc") == 0   ? "code_ptr"
			   : strcmp(row->name, "sp") == 0 ? "data_ptr"
							  : "int";

	for (unsigned i = 0; i < registers_of(row); i++) {
		fprintf(out, "<reg name=\"%s", row->name);
		if (row->count > 0)
			fprintf(out, "%u", row->first + i);
		fprintf(out, "\" bitsize=\"%u\" type=\"%s\"/>\n", bits, type);
	}
}

void dph_gdb_describe(const struct dph_gdb_target *target, FILE *out)
{
	const struct row *row = find(target->cpu, target->word_bytes);
	bool open = false;

	fprintf(out,
		"<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
		"<target version=\"1.0\">\n<architecture>%s</architecture>\n<osabi>none</osabi>\n",
		row->architecture);
	for (row = next(row); row != NULL; row = next(row)) {
		if (row->kind == ROW_FEATURE) {
			fprintf(out, "%s<feature name=\"%s\">\n", open ? "</feature>\n" : "",
				row->name);
			open = true;
		} else {
			describe_registers(row, target->word_bytes * CHAR_BIT, out);
		}
	}
	fprintf(out, "%s</target>\n", open ? "</feature>\n" : "");
}

bool dph_gdb_needs_pc(const struct dph_gdb_target *target)
{
	return find(target->cpu, target->word_bytes)->pc == PC_ZERO;
}

bool dph_gdb_steps_at_watchpoint(const struct dph_gdb_target *target)
{
	return find(target->cpu, target->word_bytes)->watch == WATCH_BEFORE;
}

uint64_t dph_gdb_address(const struct dph_gdb_target *target, uint64_t address)
{
	const struct row *row = find(target->cpu, target->word_bytes);

	return row->addresses == ADDRESSES_SIGNED && address >> 31 == 1
		       ? address | ~(uint64_t)UINT32_MAX
		       : address;
}

/* --- numbers --------------------------------------------------------------------------------- */

unsigned dph_gdb_register_count(const struct dph_gdb_target *target)
{
	const struct row *row = find(target->cpu, target->word_bytes);
	unsigned count = 0;

	for (row = next(row); row != NULL; row = next(row))
		count += registers_of(row);
	return count;
}

const struct dp_reg *dph_gdb_register(const struct dph_gdb_target *target, unsigned number)
{
	const struct row *row = find(target->cpu, target->word_bytes);
	const struct dp_reg *first;

	for (row = next(row); row != NULL; row = next(row)) {
		if (number >= registers_of(row)) {
			number -= registers_of(row);
			continue;
		}
		first = dph_reg_named(target->cpu, row->ours, strlen(row->ours));
		return first != NULL ? dph_reg_numbered(target->cpu, first->index + number) : NULL;
	}
	return NULL;
}

unsigned dph_gdb_number_of(const struct dph_gdb_target *target, unsigned index)
{
	const unsigned count = dph_gdb_register_count(target);

	for (unsigned i = 0; i < count; i++) {
		const struct dp_reg *reg = dph_gdb_register(target, i);

		if (reg != NULL && reg->index == index)
			return i;
	}
	return UINT_MAX;
}
