/* SPDX-License-Identifier: BSD-2-Clause */
/* Stand-in until host/cpus.c is there: every CPU has r0..r15 and a few aliases. */
#define _GNU_SOURCE
#include "registers.h"

#include "dp_object.h"
#include "dp_rpn.h"

#include <string.h>
#include <strings.h>

enum {
	ORDER_LITTLE = 1,
	ORDER_BIG = 2,
	ORDER_EITHER = 3
};

#define CPU(number, name, text, word_bytes, order, elf_machine)                                    \
	{number, text, word_bytes, (ORDER_##order & 1) != 0, (ORDER_##order & 2) != 0, elf_machine},
static const struct dph_cpu cpus[] = {
#include "cpus.def"
};
enum {
	CPUS = sizeof(cpus) / sizeof(*cpus)
};

const struct dph_cpu *dph_cpu_at(size_t index)
{
	return index < CPUS ? &cpus[index] : NULL;
}

const struct dph_cpu *dph_cpu_named(const char *name)
{
	for (size_t i = 0; i < CPUS; i++)
		if (strcasecmp(cpus[i].name, name) == 0)
			return &cpus[i];
	return NULL;
}

const struct dph_cpu *dph_cpu_numbered(unsigned number)
{
	for (size_t i = 0; i < CPUS; i++)
		if (cpus[i].number == number)
			return &cpus[i];
	return NULL;
}

const struct dph_cpu *dph_cpu_of_elf(unsigned elf_machine)
{
	for (size_t i = 0; i < CPUS; i++)
		if (elf_machine && cpus[i].elf_machine == elf_machine)
			return &cpus[i];
	return NULL;
}

unsigned dph_cpu_groups(const struct dph_cpu *cpu)
{
	if (cpu->number == DP_CPU_IA32 || cpu->number == DP_CPU_SIM)
		return RPN_GROUP_ALL;
	return RPN_GROUP_WRITE | RPN_GROUP_HOOK;
}

static const struct dp_reg regs[] = {
	{0, 1, 0, 15},  {1, 1, 0, 15}, {2, 1, 0, 15},  {3, 1, 0, 15},
	{4, 1, 0, 15},  {5, 1, 0, 15}, {6, 1, 0, 15},  {7, 1, 0, 15},
	{8, 1, 0, 15},  {9, 1, 0, 15}, {10, 1, 0, 15}, {11, 1, 0, 15},
	{12, 1, 0, 15}, {13, 1, 0, 3}, {14, 1, 0, 15}, {15, 1, 0, 3},
};
static const char *const names[] = {"r0", "r1", "r2",  "r3",  "r4",  "r5", "r6", "r7",
				    "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc"};

const struct dp_reg *dph_cpu_regs(const struct dph_cpu *cpu, size_t *count)
{
	(void)cpu;
	*count = 16;
	return regs;
}

const struct dp_reg *dph_reg_numbered(const struct dph_cpu *cpu, unsigned index)
{
	(void)cpu;
	return index < 16 ? &regs[index] : NULL;
}

const struct dp_reg *dph_reg_named(const struct dph_cpu *cpu, const char *name, size_t bytes)
{
	(void)cpu;
	for (size_t i = 0; i < 16; i++)
		if (strlen(names[i]) == bytes && strncasecmp(names[i], name, bytes) == 0)
			return &regs[i];
	return NULL;
}

const char *dph_reg_name(const struct dph_cpu *cpu, unsigned index)
{
	(void)cpu;
	return index < 16 ? names[index] : NULL;
}

const char *dph_reg_name_at(const struct dph_cpu *cpu, size_t i)
{
	(void)cpu;
	return i < 16 ? names[i] : NULL;
}
