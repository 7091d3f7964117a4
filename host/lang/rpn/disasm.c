/* SPDX-License-Identifier: BSD-2-Clause */
/* The disassembler prints an object as source that compiles to the same code. Comments hold facts
 * without a statement: identity of the image, function around a point. A block without a jump to
 * its start gets a label, so that the compiler begins a block there again. */
#define _GNU_SOURCE
#include "base/diag.h"
#include "base/plain.h"
#include "dp_bytes.h"
#include "dp_object.h"
#include <dprobes/host.h>
#include "map_form.h"
#include "object/carried_source.h"
#include "object/object_read.h"
#include "tables/ops.h"
#include "base/pool.h"
#include "tables/isas.h"
#include "tables/registers.h"
#include "tables/timers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct disasm {
	const struct dp_object_file *object;
	struct dp_program_info program;
	const struct dph_cpu *cpu;
	uint8_t *target; /* by code offset: a jump or sx leads here */
	FILE *out;
	bool source;    /* lines of the program stand between the instructions: */
	unsigned *line; /* the last one; 0: none */
};

struct decoded {
	const struct dph_op *op;
	uint64_t value; /* operand; a signed operand is sign-extended */
	uint32_t next;
};

/* --- decoding ------------------------------------------------------------------------------ */

static uint64_t load(const struct disasm *d, uint32_t at, unsigned bytes)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < bytes; i++)
		value = value << 8 |
			d->program.code[d->program.big_endian ? at + i : at + bytes - 1 - i];
	return value;
}

static uint64_t extend(uint64_t value, unsigned bytes)
{
	unsigned shift = 64 - 8 * bytes;
	return bytes == 0 || bytes == 8 ? value : (uint64_t)((int64_t)(value << shift) >> shift);
}

/* The object is verified: every opcode is known, every operand whole. */
static struct decoded decode(const struct disasm *d, uint32_t at)
{
	struct decoded i = {.op = dph_op_find(d->program.code[at])};
	unsigned bytes = rpn_operand_bytes(i.op->operand, d->program.word_bytes);
	i.value = load(d, at + 1, bytes);
	if (i.op->operand == RPN_ARG_S16 || rpn_is_immediate(i.op->operand))
		i.value = extend(i.value, bytes);
	i.next = at + 1 + bytes;
	return i;
}

static bool is_marker(const struct dph_op *op)
{
	return op->operand == RPN_ARG_COUNT;
}

static void find_targets(struct disasm *d)
{
	for (uint32_t at = 0; at < d->program.code_bytes;) {
		struct decoded i = decode(d, at);
		if (i.op->operand == RPN_ARG_LABEL)
			d->target[i.value] = 1;
		at = i.next;
	}
}

/* Print a text of the object, which may steer a terminal, behind a text of ours. */
static void print_text(const struct disasm *d, const char *before, const char *text)
{
	fputs(before, d->out);
	dph_plain_print(text, d->out);
}

/* --- instructions -------------------------------------------------------------------------- */

static uint64_t in_word(const struct disasm *d, uint64_t value)
{
	return d->program.word_bytes == 4 ? (uint32_t)value : value;
}

static enum rpn_operand shortest(const struct disasm *d, uint64_t value)
{
	int64_t n = (int64_t)extend(value, d->program.word_bytes);
	return n >= INT8_MIN && n <= INT8_MAX     ? RPN_ARG_IMM8
	       : n >= INT16_MIN && n <= INT16_MAX ? RPN_ARG_IMM16
						  : RPN_ARG_IMMW;
}

static void print_push(const struct disasm *d, const struct decoded *i)
{
	int64_t n = (int64_t)i->value;
	if (n >= -9 && n <= 9)
		fprintf(d->out, " %" PRId64, n);
	else if (n < 0 && i->op->operand != RPN_ARG_IMMW)
		fprintf(d->out, " -0x%" PRIx64, (uint64_t)-n);
	else
		fprintf(d->out, " 0x%" PRIx64, in_word(d, i->value));
	const char *symbol = dp_object_symbol(d->object, in_word(d, i->value));
	if (symbol)
		print_text(d, " // ", symbol);
	else if (i->op->operand != shortest(d, i->value))
		fprintf(d->out, " // %u bytes here",
			rpn_operand_bytes(i->op->operand, d->program.word_bytes));
}

static void print_register(const struct disasm *d, const struct decoded *i)
{
	const char *name = dph_reg_name(d->cpu, (unsigned)i->value);
	if (name)
		fprintf(d->out, ", %s", name);
	else
		fprintf(d->out, ", %" PRIu64, i->value);
}

static void print_operand(const struct disasm *d, const struct decoded *i)
{
	const char *separator = strchr(i->op->text, ' ') ? ", " : " ";
	switch (i->op->operand) {
	case RPN_ARG_NONE:
	case RPN_ARG_COUNT:
		break;
	case RPN_ARG_LABEL:
		fprintf(d->out, " l_%" PRIx64, i->value);
		break;
	case RPN_ARG_PROC:
		fprintf(d->out, " proc_%" PRIx64, i->value);
		break;
	case RPN_ARG_S16:
		fprintf(d->out, "%s%" PRId64, separator, (int64_t)i->value);
		break;
	case RPN_ARG_REG:
		print_register(d, i);
		break;
	case RPN_ARG_IMM8:
	case RPN_ARG_IMM16:
	case RPN_ARG_IMMW:
		print_push(d, i);
		break;
	default:
		fprintf(d->out, "%s%" PRIu64, separator, i->value);
		break;
	}
}

/* Would the compiler begin a block here without a label? */
static bool block_by_itself(enum rpn_flow before, unsigned run)
{
	return before == RPN_FLOW_COND || before == RPN_FLOW_CALL ||
	       (before == RPN_FLOW_NEXT && run == UINT8_MAX);
}

/* "// q.d:4: the line", where the instruction is of another line than the one before. */
static void print_source(const struct disasm *d, uint32_t at)
{
	const char *file;
	unsigned line;
	if (!d->source || !dp_object_line(d->object, at, &file, &line) || line == *d->line)
		return;
	char *text = dph_carried_file(d->object) ? dph_carried_line(d->object, line) : NULL;
	*d->line = line;
	print_text(d, "\t// ", file);
	fprintf(d->out, ":%u", line);
	if (text)
		print_text(d, ": ", text + strspn(text, " \t"));
	putc('\n', d->out);
	free(text);
}

static uint32_t print_routine(const struct disasm *d, uint32_t at)
{
	enum rpn_flow before = RPN_FLOW_NEXT;
	unsigned run = 0;
	*d->line = 0;
	for (at = decode(d, at).next; at < d->program.code_bytes;) {
		struct decoded i = decode(d, at);
		if (i.op->code == RPN_HANDLER || i.op->code == RPN_PROC)
			break;
		if (i.op->code == RPN_BLOCK) {
			if (d->target[at] || !block_by_itself(before, run))
				fprintf(d->out, "l_%x:\n", at);
			run = 0;
		} else {
			print_source(d, at);
			fprintf(d->out, "\t%s", i.op->text);
			print_operand(d, &i);
			putc('\n', d->out);
			before = i.op->flow;
			run++;
		}
		at = i.next;
	}
	return at;
}

/* --- headers ------------------------------------------------------------------------------- */

static void print_identity(const struct disasm *d)
{
	struct dp_module_info module;
	static const char *const what[] = {"no identity", "build-id", "CRC-32 and size of text"};
	dp_object_module(d->object, 0, &module);
	fprintf(d->out, "// %s", what[module.identity]);
	unsigned bytes = module.identity == DP_IDENTITY_BUILD_ID   ? DP_IDENTITY_BYTES
			 : module.identity == DP_IDENTITY_TEXT_CRC ? 8
								   : 0;
	for (unsigned i = 0; i < bytes; i++)
		fprintf(d->out, "%s%02x", i ? "" : " ", module.id[i]);
	putc('\n', d->out);
}

static void print_groups(const struct disasm *d, const char *key, bool types)
{
	unsigned most = 0;
	struct dp_point_info point;
	for (unsigned i = 0; dp_object_point(d->object, i, &point); i++) {
		unsigned number = types ? point.type_number : point.group_number;
		most = number > most ? number : most;
	}
	if (!most)
		return;
	fprintf(d->out, "%sdef =", key);
	for (unsigned n = 1; n <= most; n++) {
		const char *name = NULL;
		for (unsigned i = 0; !name && dp_object_point(d->object, i, &point); i++)
			if ((types ? point.type_number : point.group_number) == n)
				name = types ? point.type : point.group;
		if (name)
			print_text(d, " ", name);
		else
			fprintf(d->out, " %s%u", key, n);
	}
	putc('\n', d->out);
}

static void print_number(const struct disasm *d, const char *key, uint64_t value, uint64_t usual)
{
	if (value != usual)
		fprintf(d->out, "%s = %" PRIu64 "\n", key, value);
}

static void print_map(const struct disasm *d, const uint8_t *row)
{
	const struct dph_map map = dph_map_of_row(row);
	const struct dph_map_form *form = dph_map_forms;
	while (form->kind != map.kind || (map.kind == DP_MAP_SCALE && form->a != map.a))
		form++;
	fprintf(d->out, "map = %s", form->name);
	for (const struct dph_map_field *field = form->field; field->name; field++) {
		const uint32_t number = dph_map_number(&map, field);
		if (field->is_signed)
			fprintf(d->out, " %" PRId32, (int32_t)number);
		else
			fprintf(d->out, " %" PRIu32, number);
	}
	fprintf(d->out, "%s%s\n", map.flags & DP_MAP_SIGNED ? " signed" : "",
		map.flags & DP_MAP_WIDE ? " wide" : "");
}

static void print_maps(const struct disasm *d)
{
	struct dph_section maps;
	dph_section(d->object, DP_SECTION_MAPS, &maps);
	for (uint32_t i = 0; i < maps.count; i++)
		print_map(d, maps.data + (size_t)i * DP_MAP_BYTES);
}

static void print_file_header(const struct disasm *d)
{
	static const char *const types[] = {"kernel", "kmod", "user"};
	const struct dp_program_info *p = &d->program;
	struct dp_module_info module;
	dp_object_module(d->object, 0, &module);
	fprintf(d->out, "// dprobes build --cpu %s --word %u --endian %s%s\n", d->cpu->name,
		p->word_bytes * 8, p->big_endian ? "big" : "little",
		p->destructive ? " --write" : "");
	print_identity(d);
	fprintf(d->out, "name = \"%.*s\"\nmodtype = %s\n", (int)p->name_bytes, p->name,
		types[module.type]);
	print_number(d, "id", p->id, 0);
	print_number(d, "major", p->major, 0);
	print_number(d, "vars", p->vars, 0);
	print_number(d, "gvars", p->gvars, 0);
	print_maps(d);
	print_number(d, "logmax", p->logmax, RPN_LOGMAX_DEFAULT);
	print_number(d, "jmpmax", p->jmpmax, RPN_JMPMAX_DEFAULT);
	print_number(d, "excpt_log", p->excpt_log, RPN_LOGMAX_DEFAULT);
	if (p->autostacktrace)
		fprintf(d->out, "autostacktrace = yes\n");
	print_groups(d, "group", false);
	print_groups(d, "type", true);
}

/* "// queue_put + 0x10, a function of 0x66 bytes": which one the address was found in. */
static void print_function(const struct disasm *d, const struct dp_point_info *point)
{
	const char *name = dp_object_symbol(d->object, point->address - point->before);
	if (!point->extent)
		return;
	if (!name) {
		fprintf(d->out, "// 0x%x bytes into code of 0x%x\n", point->before, point->extent);
		return;
	}
	print_text(d, "// ", name);
	if (point->before)
		fprintf(d->out, " + 0x%x", point->before);
	fprintf(d->out, ", a function of 0x%x bytes\n", point->extent);
}

static void print_offset(const struct disasm *d, const struct dp_point_info *point)
{
	const struct dph_isa *isa = dph_isa_numbered(d->cpu, point->isa);
	uint64_t bit = isa ? isa->address_bit : 0;
	fprintf(d->out, "offset = 0x%" PRIx64, point->address | bit);
	if (bit)
		fprintf(d->out, " // odd: %s", isa->name);
	putc('\n', d->out);
}

static void print_location(const struct disasm *d, const struct dp_point_info *point)
{
	static const char *const watch[] = {
#define DP_POINT_KIND(number, name, text, sentence) [number] = text,
#include "point_kinds.def"
	};
	char timer[DPH_TIMER_ROOM];
	const char *nowhere = dph_nowhere_name(point->kind, point->address, point->extent, timer);

	if (point->kind == DP_PROBE_BREAK) {
		print_offset(d, point);
		if (point->flags & DP_POINT_OPCODE)
			fprintf(d->out, "opcode = 0x%0*x\n", (int)point->insn_bytes * 2,
				point->opcode);
		else
			fprintf(d->out, "// without opcode: build with --dont-verify-opcodes\n");
		print_function(d, point);
		return;
	}
	if (nowhere != NULL) {
		fprintf(d->out, "// %s, which only D programs have\noffset = 0x%" PRIx64 "\n",
			nowhere, point->address);
		return;
	}
	fprintf(d->out, "address = 0x%" PRIx64 " : 0x%" PRIx64 "\nwatchpoint = %s\n",
		point->address, point->address + point->length - 1, watch[point->kind]);
}

static void print_group(const struct disasm *d, const char *key, const char *name, unsigned number)
{
	if (!name && !number)
		return;
	fprintf(d->out, "%s = ", key);
	if (name)
		print_text(d, "", name);
	else
		fprintf(d->out, "%s%u", key, number);
	putc('\n', d->out);
}

static void print_point(const struct disasm *d, const struct dp_point_info *point)
{
	static const char *const phases[] = {
#define DP_PHASE(number, name, text, sentence) text,
#include "phases.def"
	};
	putc('\n', d->out);
	print_location(d, point);
	print_number(d, "minor", point->minor, 0);
	print_number(d, "ignore", point->ignore, 0);
	print_number(d, "maxhits", point->maxhits, RPN_MAXHITS_DEFAULT);
	print_group(d, "group", point->group, point->group_number);
	print_group(d, "type", point->type, point->type_number);
	if (point->phase)
		fprintf(d->out, "phase = %s\n", phases[point->phase]);
	if (point->flags & DP_POINT_RETURNS)
		fprintf(d->out, "function = 0x%x\n", point->extent);
	if (point->flags & DP_POINT_TAKEN)
		fprintf(d->out, "taken = yes\n");
	if (point->flags & DP_POINT_LOGONFAULT)
		fprintf(d->out, "logonfault = yes\n");
	if (point->excpt_mask != DP_RPN_EXCPT_MASK_DEFAULT)
		fprintf(d->out, "excpt_mask = 0x%x\n", point->excpt_mask);
}

/* --- all of it ----------------------------------------------------------------------------- */

static bool is_entered(const struct disasm *d, uint32_t at)
{
	struct dp_point_info point;
	for (unsigned i = 0; dp_object_point(d->object, i, &point); i++)
		if (point.entry == at)
			return true;
	return false;
}

static uint32_t routine_end(const struct disasm *d, uint32_t at)
{
	do
		at = decode(d, at).next;
	while (at < d->program.code_bytes && d->program.code[at] != RPN_HANDLER &&
	       d->program.code[at] != RPN_PROC);
	return at;
}

/* Print the routines between two code offsets that no point enters. */
static void print_rest(const struct disasm *d, uint32_t at, uint32_t end)
{
	for (; at < end && is_marker(decode(d, at).op); at = routine_end(d, at)) {
		if (is_entered(d, at))
			continue;
		if (d->program.code[at] == RPN_HANDLER)
			fprintf(d->out,
				"\n// a handler that no probe point enters:\nproc unused_%x\n", at);
		else
			fprintf(d->out, "\nproc proc_%x\n", at);
		print_routine(d, at);
		fprintf(d->out, "endproc\n");
	}
}

/* Points in their order, each with its handler. Before a handler that no point before it enters
 * stand the routines before it. */
static void print_code(const struct disasm *d)
{
	struct dp_point_info point;
	uint32_t at = 0;
	for (unsigned i = 0; dp_object_point(d->object, i, &point); i++) {
		if (point.entry > at)
			print_rest(d, at, point.entry);
		print_point(d, &point);
		const uint32_t end = print_routine(d, point.entry);
		at = point.entry >= at ? end : at;
	}
	print_rest(d, at, d->program.code_bytes);
}

static bool disassemble(const struct dp_object_file *object, bool source, FILE *out,
			struct dp_messages *messages)
{
	unsigned line = 0;
	struct disasm d = {.object = object, .out = out, .source = source, .line = &line};
	dp_object_program(object, &d.program);
	d.cpu = dph_cpu_numbered(d.program.cpu);
	if (!d.cpu) {
		dph_file_error(messages, NULL, "dprobes does not support the object's CPU");
		return false;
	}
	d.target = dph_malloc(d.program.code_bytes);
	find_targets(&d);
	print_file_header(&d);
	print_code(&d);
	free(d.target);
	if (!ferror(out))
		return true;
	dph_file_error(messages, NULL, "cannot write the source");
	return false;
}

bool dp_disassemble(const struct dp_object_file *object, FILE *out, struct dp_messages *messages)
{
	return disassemble(object, false, out, messages);
}

bool dp_disassemble_source(const struct dp_object_file *object, FILE *out,
			   struct dp_messages *messages)
{
	return disassemble(object, true, out, messages);
}
