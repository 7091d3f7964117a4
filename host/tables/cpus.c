/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of CPUs finds each CPU by name and number, and its registers. port/ports.def. */
#define _GNU_SOURCE
#include "registers.h"

#include <dprobes/errors.h>

#include <string.h>
#include <strings.h>

#include "dp_object.h"
#include "dp_rpn.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Registers of all CPUs; those of one CPU lie together. */
#define DP_REG(index, id, name, words, pops, access) {index, words, pops, access},
static const struct dp_reg regs[] = {
#include "ports.def"
};

#define DP_REG(...) DP_ROWS_OF,
static const uint8_t reg_cpus[] = {
#include "ports.def"
};

/* Names in the order of regs.def. */
#define DP_REG(index, id, name, ...)  {DP_ROWS_OF, name, index, false},
#define DP_REG_ALIAS(name, index)     {DP_ROWS_OF, name, index, false},
#define DP_REG_ON_STACK(name, offset) {DP_ROWS_OF, name, offset, true},
static const struct name {
	unsigned cpu;
	const char *name;
	uint16_t index; /* of a register; distance from sp of a word on the stack */
	bool on_stack;
} names[] = {
#include "ports.def"
};

enum {
	ORDER_LITTLE = 1,
	ORDER_BIG = 2,
	ORDER_EITHER = 3
};

#define DP_CPU(name, text, word_bits, order, groups, elf_machine, elf_code_little)                 \
	{DP_CPU_##name,                                                                            \
	 text,                                                                                     \
	 (word_bits) / 8,                                                                          \
	 (ORDER_##order & ORDER_LITTLE) != 0,                                                      \
	 (ORDER_##order & ORDER_BIG) != 0,                                                         \
	 groups,                                                                                   \
	 elf_machine,                                                                              \
	 elf_code_little},
static const struct dph_cpu cpus[] = {
#include "ports.def"
};

#define DP_CPU(name, ...)                                                                          \
	_Static_assert(DP_ROWS_OF == DP_CPU_##name, "port/ports.def: DP_ROWS_OF of " #name);
#include "ports.def"

#define DP_ELF_ATTRIBUTE(vendor, strings, tag, values, others)                                     \
	{DP_ROWS_OF, vendor, strings, tag, values, others},
static const struct attribute {
	unsigned cpu;
	const char *vendor;
	unsigned strings, tag;
	const char *values, *others;
} attributes[] = {
#include "ports.def"
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

/* Does the attribute of the row say that the file is for another CPU? */
static bool excludes(const struct attribute *row, const struct dph_elf_kind *kind)
{
	unsigned value;

	return kind->attribute &&
	       kind->attribute(kind->context, row->vendor, row->strings, row->tag, &value) &&
	       value != 0 && (value > 0x7f || !strchr(row->values, (int)value));
}

/* The row of the CPU that excludes the file; null: none. */
static const struct attribute *exclusion(const struct dph_cpu *cpu, const struct dph_elf_kind *kind)
{
	for (size_t i = 0; i < COUNT(attributes); i++)
		if (attributes[i].cpu == cpu->number && excludes(&attributes[i], kind))
			return &attributes[i];
	return NULL;
}

bool dph_cpu_takes_elf(const struct dph_cpu *cpu, const struct dph_elf_kind *kind)
{
	return cpu->elf_machine == 0 ||
	       (cpu->elf_machine == kind->machine && !exclusion(cpu, kind));
}

const struct dph_cpu *dph_cpu_of_elf(const struct dph_elf_kind *kind)
{
	const struct dph_cpu *found = NULL;

	for (size_t i = 0; i < COUNT(cpus); i++) {
		if (cpus[i].elf_machine == 0 || !dph_cpu_takes_elf(&cpus[i], kind))
			continue;
		if (cpus[i].word_bytes == 0 || cpus[i].word_bytes * 8 == kind->word_bits)
			return &cpus[i];
		if (!found)
			found = &cpus[i];
	}
	return found;
}

const struct dph_cpu *dph_cpu_of_machine(unsigned machine)
{
	for (size_t i = 0; i < COUNT(cpus); i++)
		if (cpus[i].elf_machine != 0 && cpus[i].elf_machine == machine)
			return &cpus[i];
	return NULL;
}

const char *dph_cpu_text_of_elf(const struct dph_elf_kind *kind)
{
	const struct dph_cpu *cpu = dph_cpu_of_elf(kind);

	if (cpu)
		return cpu->name;
	for (size_t i = 0; i < COUNT(cpus); i++) {
		const struct attribute *row =
			cpus[i].elf_machine == kind->machine && cpus[i].elf_machine != 0
				? exclusion(&cpus[i], kind)
				: NULL;

		if (row)
			return row->others;
	}
	return NULL;
}

const char *dp_cpu_text(unsigned number)
{
	const struct dph_cpu *cpu = dph_cpu_numbered(number);

	return cpu ? cpu->name : "unknown";
}

const struct dp_reg *dph_cpu_regs(const struct dph_cpu *cpu, size_t *count)
{
	size_t first = 0, end;

	while (reg_cpus[first] != cpu->number) /* every CPU has one: kinds.c */
		first++;
	for (end = first; end < COUNT(regs) && reg_cpus[end] == cpu->number;)
		end++;
	*count = end - first;
	return &regs[first];
}

const struct dp_reg *dph_reg_numbered(const struct dph_cpu *cpu, unsigned index)
{
	size_t count;
	const struct dp_reg *rows = dph_cpu_regs(cpu, &count);

	for (size_t i = 0; i < count; i++)
		if (rows[i].index == index)
			return &rows[i];
	return NULL;
}

static const struct name *find_name(const struct dph_cpu *cpu, const char *name, size_t bytes)
{
	for (size_t i = 0; i < COUNT(names); i++)
		if (names[i].cpu == cpu->number && strlen(names[i].name) == bytes &&
		    strncasecmp(names[i].name, name, bytes) == 0)
			return &names[i];
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
	for (size_t i = 0; i < COUNT(names); i++)
		if (names[i].cpu == cpu->number && names[i].index == index && !names[i].on_stack)
			return names[i].name;
	return NULL;
}

const char *dph_reg_name_at(const struct dph_cpu *cpu, size_t i)
{
	for (size_t at = 0; at < COUNT(names); at++)
		if (names[at].cpu == cpu->number && i-- == 0)
			return names[at].name;
	return NULL;
}
