/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of operands. */
#include "operands.h"

#include "dp_object.h"
#include "dwarf_registers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct form {
	unsigned cpu;
	const char *text;
	enum dph_operand_kind kind;
} forms[] = {
#define DP_OPERAND(form, kind) {DP_ROWS_OF, form, DPH_OPERAND_##kind},
#include "ports.def"
};

enum {
	NUMBER_MAX = 21 /* characters of -9223372036854775808, and one more */
};

/* Read a number at the start of the text. Returns its length; 0: there is none. */
static size_t read_number(const char *text, size_t bytes, int64_t *number)
{
	char copy[NUMBER_MAX + 1];
	size_t length = 0;
	char *end;
	if (length < bytes && text[length] == '-')
		length++;
	if (length == bytes || !isdigit((unsigned char)text[length]))
		return 0;
	while (length < bytes && isxdigit((unsigned char)text[length]))
		length++;
	if (length > NUMBER_MAX)
		return 0;
	memcpy(copy, text, length);
	copy[length] = 0;
	*number = copy[0] == '-' ? strtoll(copy, &end, 10) : (int64_t)strtoull(copy, &end, 10);
	return *end ? 0 : length;
}

/* Read the name of a register at the start of the text. Returns its length; 0: there is none. */
static size_t read_register(const struct dph_cpu *cpu, const char *text, size_t bytes,
			    unsigned *index)
{
	size_t length = 0;
	while (length < bytes && isalnum((unsigned char)text[length]))
		length++;
	const struct dp_reg *reg = dph_reg_named(cpu, text, length);
	if (!reg || !length || !isalpha((unsigned char)text[0]))
		return 0;
	*index = reg->index;
	return length;
}

/* The same by a number of debug information. */
static size_t read_numbered(const struct dph_cpu *cpu, const char *text, size_t bytes,
			    unsigned *index)
{
	int64_t number;
	const size_t length = read_number(text, bytes, &number);
	if (!length || number < 0 || number > UINT16_MAX)
		return 0;
	*index = dph_register_of_dwarf(cpu, (unsigned)number);
	return *index == UINT32_MAX ? 0 : length;
}

static bool has_form(const struct dph_cpu *cpu, const struct form *form, const char *text,
		     size_t bytes, struct dph_operand *operand)
{
	size_t at = 0;
	*operand = (struct dph_operand){.kind = form->kind};
	for (const char *want = form->text; *want; want++) {
		size_t length = at < bytes && text[at] == *want;
		if (*want == 'R')
			length = read_register(cpu, text + at, bytes - at, &operand->reg);
		else if (*want == 'D')
			length = read_numbered(cpu, text + at, bytes - at, &operand->reg);
		else if (*want == 'N')
			length = read_number(text + at, bytes - at, &operand->number);
		if (!length)
			return false;
		at += length;
	}
	return at == bytes;
}

bool dph_operand_read(const struct dph_cpu *cpu, const char *text, size_t bytes,
		      struct dph_operand *operand)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (forms[i].cpu == cpu->number && has_form(cpu, &forms[i], text, bytes, operand))
			return true;
	return false;
}
