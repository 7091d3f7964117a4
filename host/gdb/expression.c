/* SPDX-License-Identifier: BSD-2-Clause */
/* gdb's agent expressions become instructions of RPN. */
#include "expression.h"

#include "base/pool.h"
#include "dp_rpn.h"
#include "features.h"
#include "tables/registers.h"
#include "values.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

enum {
	WHOLE = 64 /* bits of gdb's numbers */
};

enum {
#define PLAIN(code, name, effect, text)    name = (code),
#define HANDLED(code, name, effect, bytes) name = (code),
#include "expression.def"
};

struct instruction {
	bool known;
	const char *plain; /* null: a function writes it */
	unsigned bytes;    /* of the operand */
	enum dph_gdb_effect effect;
};

static const struct instruction instructions[UINT8_MAX + 1] = {
#define PLAIN(code, name, effect, text)      [code] = {true, text, 0, DPH_GDB_##effect},
#define HANDLED(code, name, effect, operand) [code] = {true, NULL, operand, DPH_GDB_##effect},
#include "expression.def"
};

unsigned dph_gdb_operand_bytes(uint8_t instruction)
{
	return instructions[instruction].bytes;
}

static bool refuse(struct dph_gdb_code *code, const char *what)
{
	snprintf(code->why->text, sizeof code->why->text, "%s", what);
	return false;
}

static unsigned word_bits(const struct dph_gdb_code *code)
{
	return code->target->word_bytes * CHAR_BIT;
}

static bool push_register(struct dph_gdb_code *code, uint64_t number)
{
	const struct dp_reg *reg =
		number < UINT_MAX ? dph_gdb_register(code->target, (unsigned)number) : NULL;

	if (reg == NULL)
		return refuse(code, "the agent does not read a register of the expression");
	fprintf(code->out, "push r, %s\n", dph_reg_name(code->target->cpu, reg->index));
	return true;
}

/* From the stack: address, length. */
static void write_collection(struct dph_gdb_code *code, enum dph_gdb_part part)
{
	fprintf(code->out, "xchg\npush tsp, 1\npush tsp, 1\npush %d\nlog 3\nlog %s\n", part,
		part == DPH_GDB_PART_STRING ? "str" : "mrf");
}

static void write_not(struct dph_gdb_code *code)
{
	const unsigned label = code->labels;

	code->labels += 2;
	fprintf(code->out, "jz own%u\nros 1\npush 0\njmp own%u\nown%u:\nros 1\npush 1\nown%u:\n",
		label, label + 1, label, label + 1);
}

/* The value without the bits that come in, then its sign. */
static void write_rsh_signed(struct dph_gdb_code *code)
{
	fprintf(code->out,
		"dup 1\npush %u\nsub\npush tsp, 2\npush tsp, 2\nxchg\nshr\nxchg\npbl\npop tsp, "
		"2\nros 1\n",
		word_bits(code));
}

static void write_if_goto(struct dph_gdb_code *code, unsigned block, uint64_t place)
{
	const unsigned label = code->labels++;

	fprintf(code->out, "jz own%u\nros 1\njmp at%u_%" PRIu64 "\nown%u:\nros 1\n", label, block,
		place, label);
}

static bool write_extension(struct dph_gdb_code *code, uint8_t how, uint64_t bits)
{
	if (bits == 0 || bits > WHOLE)
		return refuse(code, "an expression has a number of no length");
	if (bits >= word_bits(code)) /* dph_gdb_values_apply has refused what this changes */
		return true;
	if (how == EXT)
		fprintf(code->out, "pbl %" PRIu64 "\n", bits);
	else
		fprintf(code->out, "push 0x%" PRIx64 "\nand\n", ((uint64_t)1 << bits) - 1);
	return true;
}

static bool write_number(struct dph_gdb_code *code, uint64_t value)
{
	if (word_bits(code) < WHOLE && value >> word_bits(code) != 0)
		return refuse(code, "an expression has a number that needs more than a word");
	fprintf(code->out, "push 0x%" PRIx64 "\n", value);
	return true;
}

static size_t variable(struct dph_gdb_variables *variables, uint64_t number)
{
	size_t i = 0;

	while (i < variables->count && variables->numbers[i] != number)
		i++;
	if (i == variables->count) {
		variables->numbers = dph_grow(variables->numbers, &variables->capacity, i,
					      sizeof *variables->numbers);
		variables->numbers[variables->count++] = (unsigned)number;
	}
	return i;
}

static bool write_variable(struct dph_gdb_code *code, uint8_t how, uint64_t number)
{
	const size_t index = variable(code->variables, number);

	if (index >= RPN_VARS_MAX)
		return refuse(code, "an agent has at most 256 trace state variables");
	if (how == SETV) {
		fprintf(code->out,
			"dup 1\npush " DPH_GDB_FIRST "%" PRIu64 "\nxchg\nsub\npop lv, %zu\n",
			number, index);
		return true;
	}
	fprintf(code->out, "push lv, %zu\npush " DPH_GDB_FIRST "%" PRIu64 "\nadd\n", index, number);
	if (how == TRACEV)
		fprintf(code->out, "push %" PRIu64 "\npush %d\nlog 3\n", number,
			DPH_GDB_PART_VARIABLE);
	return true;
}

static bool write_one(struct dph_gdb_code *code, uint8_t which, uint64_t operand, unsigned block)
{
	switch (which) {
	case RSH_SIGNED:
		write_rsh_signed(code);
		return true;
	case TRACE_QUICK:
	case TRACE16:
		fprintf(code->out, "dup 1\npush %" PRIu64 "\n", operand);
		write_collection(code, DPH_GDB_PART_MEMORY);
		return true;
	case TRACE:
	case TRACENZ:
		write_collection(code, which == TRACE ? DPH_GDB_PART_MEMORY : DPH_GDB_PART_STRING);
		return true;
	case EQUAL:
		fputs("sub\n", code->out);
		write_not(code);
		return true;
	case LOG_NOT:
		write_not(code);
		return true;
	case EXT:
	case ZERO_EXT:
		return write_extension(code, which, operand);
	case REF64:
		if (word_bits(code) < WHOLE)
			return refuse(code, "an expression reads a number that needs more than a "
					    "word");
		fputs("push mem, u64\n", code->out);
		return true;
	case IF_GOTO:
		write_if_goto(code, block, operand);
		return true;
	case GOTO:
		fprintf(code->out, "jmp at%u_%" PRIu64 "\n", block, operand);
		return true;
	case REG:
		return push_register(code, operand);
	case GETV:
	case SETV:
	case TRACEV:
		return write_variable(code, which, operand);
	case PICK:
		fprintf(code->out, "push tsp, %" PRIu64 "\n", operand);
		return true;
	default: /* constants */
		return write_number(code, operand);
	}
}

/* Is the place of an instruction one that the expression jumps to? */
static bool is_target(const uint8_t *bytes, size_t count, size_t place)
{
	for (size_t at = 0; at < count; at += 1 + instructions[bytes[at]].bytes)
		if ((bytes[at] == IF_GOTO || bytes[at] == GOTO) && at + 2 < count &&
		    (size_t)(bytes[at + 1] << 8 | bytes[at + 2]) == place)
			return true;
	return false;
}

/* Are all instructions known and whole, and do all jumps lead to one of them? */
static bool check(struct dph_gdb_code *code, const uint8_t *bytes, size_t count)
{
	bool begins[UINT16_MAX + 1] = {false};
	size_t at;

	if (count > UINT16_MAX)
		return refuse(code, "an expression is too long");
	for (at = 0; at < count; at += 1 + instructions[bytes[at]].bytes) {
		if (!instructions[bytes[at]].known) {
			snprintf(code->why->text, sizeof code->why->text,
				 "the agent has no equal of the instruction 0x%02x of gdb's agent "
				 "expressions (floating point)",
				 bytes[at]);
			return false;
		}
		begins[at] = true;
	}
	begins[count] = true;
	if (at != count)
		return refuse(code, "an expression ends in an instruction");
	for (at = 0; at < count; at += 1 + instructions[bytes[at]].bytes) {
		const size_t to = bytes[at] == IF_GOTO || bytes[at] == GOTO
					  ? (size_t)(bytes[at + 1] << 8 | bytes[at + 2])
					  : count;

		if (!begins[to])
			return refuse(code, "an expression jumps into an instruction");
		if (to <= at)
			return refuse(code, "an expression jumps back");
	}
	return true;
}

/* Write the instruction at a place, and say what it does to the values. */
static bool write_at(struct dph_gdb_code *code, struct dph_gdb_values *values, const uint8_t *bytes,
		     size_t at, size_t count, unsigned block)
{
	const struct instruction *now = &instructions[bytes[at]];
	uint64_t operand = 0;

	for (unsigned i = 0; i < now->bytes; i++)
		operand = operand << 8 | bytes[at + 1 + i];
	if (is_target(bytes, count, at))
		fprintf(code->out, "at%u_%zu:\n", block, at);
	dph_gdb_values_arrive(values, at);
	if (!dph_gdb_values_apply(values, now->effect, bytes[at] == EXT, operand, code->why))
		return false;
	if (bytes[at] == IF_GOTO || bytes[at] == GOTO)
		dph_gdb_values_jump(values, (size_t)operand, bytes[at] == GOTO);
	if (bytes[at] == END) {
		dph_gdb_values_jump(values, count, true);
		if (at + 1 < count)
			fprintf(code->out, "jmp at%u_%zu\n", block, count);
		return true;
	}
	if (now->plain == NULL)
		return write_one(code, bytes[at], operand, block);
	fprintf(code->out, "%s\n", now->plain);
	return true;
}

bool dph_gdb_write_expression(struct dph_gdb_code *code, const uint8_t *bytes, size_t count)
{
	const unsigned block = code->labels++;
	struct dph_gdb_values *values;
	bool good = true;

	if (!check(code, bytes, count))
		return false;
	values = dph_gdb_values_open(code->target, count);
	for (size_t at = 0; good && at < count; at += 1 + instructions[bytes[at]].bytes)
		good = write_at(code, values, bytes, at, count, block);
	code->collects += dph_gdb_values_close(values);
	if (good)
		fprintf(code->out, "at%u_%zu:\nnop\n", block, count);
	return good;
}

void dph_gdb_write_condition(struct dph_gdb_code *code)
{
	const unsigned label = code->labels++;

	fprintf(code->out, "jnz own%u\nabort\nown%u:\nros 1\n", label, label);
}

bool dph_gdb_write_memory(struct dph_gdb_code *code, int64_t base, uint64_t offset, uint64_t bytes)
{
	if (base >= 0 && !push_register(code, (uint64_t)base))
		return false;
	if (code->target->word_bytes == sizeof(uint32_t))
		offset = (uint32_t)offset;
	if (!write_number(code, offset))
		return false;
	fputs(base >= 0 ? "add\n" : "", code->out);
	if (!write_number(code, bytes))
		return false;
	write_collection(code, DPH_GDB_PART_MEMORY);
	code->collects += dph_gdb_memory_bytes(code->target, bytes);
	return true;
}

void dph_gdb_write_registers(struct dph_gdb_code *code, const bool *mask)
{
	const unsigned count = dph_gdb_register_count(code->target);
	unsigned words = 1;

	for (unsigned i = count; i-- > 0;)
		if (mask[i] && push_register(code, i))
			words++;
	if (words > 1)
		fprintf(code->out, "push %d\nlog %u\n", DPH_GDB_PART_REGISTERS, words);
}

uint64_t dph_gdb_registers_bytes(const struct dph_gdb_target *target, const bool *mask)
{
	const unsigned count = dph_gdb_register_count(target);
	unsigned words = 0;

	for (unsigned i = 0; i < count; i++)
		words += mask[i];
	return (uint64_t)(words > 0 ? words + 1 : 0) * target->word_bytes;
}
