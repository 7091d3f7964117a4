/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of CPUs finds each CPU's register table by name. protocol/cpu.def,
 * port/CPU/regs.def. */
#define _GNU_SOURCE
#include "registers.h"

#include <string.h>
#include <strings.h>

#include "dp_object.h"
#include "dp_rpn.h"

struct name {
	const char *name;
	uint16_t index; /* of a register; distance from sp of a word on the stack */
	bool on_stack;
};

#define REGS_BEGIN(cpu, prefix)                        static const struct dp_reg prefix##_rows[] = {
#define EACH_REG(index, id, name, words, pops, access) {index, words, pops, access},
#define EACH_ALIAS(alias, index)
#define EACH_ON_STACK(name, offset)
#define REGS_END                                                                                   \
	}                                                                                          \
	;
#include "registers.def"

/* Names in table order: rows first, then aliases, as the tables have them. */
#define REGS_BEGIN(cpu, prefix)                        static const struct name prefix##_names[] = {
#define EACH_REG(index, id, name, words, pops, access) {name, index, false},
#define EACH_ALIAS(alias, index)                       {alias, index, false},
#define EACH_ON_STACK(name, offset)                    {name, offset, true},
#define REGS_END                                                                                   \
	}                                                                                          \
	;
#include "registers.def"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define REGS_BEGIN(cpu, prefix)                                                                    \
	[DP_CPU_##cpu] = {prefix##_rows, COUNT(prefix##_rows), prefix##_names,                     \
			  COUNT(prefix##_names)},
#define EACH_REG(index, id, name, words, pops, access)
#define EACH_ALIAS(alias, index)
#define EACH_ON_STACK(name, offset)
#define REGS_END
static const struct table {
	const struct dp_reg *rows;
	size_t row_count;
	const struct name *names;
	size_t name_count;
} tables[] = {
#include "registers.def"
};

enum {
	ORDER_LITTLE = 1,
	ORDER_BIG = 2,
	ORDER_EITHER = 3
};

#define CPU(number, name, text, word_bits, order, groups, elf_machine, elf_code_little)            \
	{number,                                                                                   \
	 text,                                                                                     \
	 (word_bits) / 8,                                                                          \
	 (ORDER_##order & ORDER_LITTLE) != 0,                                                      \
	 (ORDER_##order & ORDER_BIG) != 0,                                                         \
	 groups,                                                                                   \
	 elf_machine,                                                                              \
	 elf_code_little},
static const struct dph_cpu cpus[] = {
#include "cpu.def"
};

const struct dph_cpu *dph_cpu_at(size_t index)
{
	return index < COUNT(cpus) ? &cpus[index] : NULL;
}

const struct dph_cpu *dph_cpu_named(const char *name)
{
	for (size_t i = 0; i < COUNT(cpus); i++)
		if (strcasecmp(cpus[i].name, name) == 0)
			return &cpus[i];
	return NULL;
}

const struct dph_cpu *dph_cpu_numbered(unsigned number)
{
	for (size_t i = 0; i < COUNT(cpus); i++)
		if (cpus[i].number == number)
			return &cpus[i];
	return NULL;
}

const struct dph_cpu *dph_cpu_default(void)
{
	return &cpus[0];
}

const struct dph_cpu *dph_cpu_of_elf(unsigned elf_machine, unsigned word_bits)
{
	const struct dph_cpu *found = NULL;

	for (size_t i = 0; i < COUNT(cpus); i++) {
		if (elf_machine == 0 || cpus[i].elf_machine != elf_machine)
			continue;
		if (cpus[i].word_bytes == 0 || cpus[i].word_bytes * 8 == word_bits)
			return &cpus[i];
		if (!found)
			found = &cpus[i];
	}
	return found;
}

const struct dp_reg *dph_cpu_regs(const struct dph_cpu *cpu, size_t *count)
{
	*count = tables[cpu->number].row_count;
	return tables[cpu->number].rows;
}

const struct dp_reg *dph_reg_numbered(const struct dph_cpu *cpu, unsigned index)
{
	const struct table *table = &tables[cpu->number];

	for (size_t i = 0; i < table->row_count; i++)
		if (table->rows[i].index == index)
			return &table->rows[i];
	return NULL;
}

static const struct name *find_name(const struct dph_cpu *cpu, const char *name, size_t bytes)
{
	const struct table *table = &tables[cpu->number];

	for (size_t i = 0; i < table->name_count; i++) {
		const char *known = table->names[i].name;

		if (strlen(known) == bytes && strncasecmp(known, name, bytes) == 0)
			return &table->names[i];
	}
	return NULL;
}

const struct dp_reg *dph_reg_named(const struct dph_cpu *cpu, const char *name, size_t bytes)
{
	const struct name *found = find_name(cpu, name, bytes);

	return found && !found->on_stack ? dph_reg_numbered(cpu, found->index) : NULL;
}

bool dph_reg_on_stack(const struct dph_cpu *cpu, const char *name, size_t bytes, unsigned *offset)
{
	const struct name *found = find_name(cpu, name, bytes);

	if (!found || !found->on_stack)
		return false;
	*offset = found->index;
	return true;
}

const char *dph_reg_name(const struct dph_cpu *cpu, unsigned index)
{
	const struct table *table = &tables[cpu->number];

	for (size_t i = 0; i < table->name_count; i++)
		if (table->names[i].index == index && !table->names[i].on_stack)
			return table->names[i].name;
	return NULL;
}

const char *dph_reg_name_at(const struct dph_cpu *cpu, size_t i)
{
	const struct table *table = &tables[cpu->number];

	return i < table->name_count ? table->names[i].name : NULL;
}
