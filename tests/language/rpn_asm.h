/* SPDX-License-Identifier: BSD-2-Clause */
/* A tiny assembler and object writer for C tests: `push 7; push 2; div; log 2; exit`.
 * Statements are separated by ';'. `NAME:` sets a label, `proc NAME` begins a procedure, `handler`
 * another handler. Blocks are marked and counted here, as the compiler would. Mnemonics and
 * operands come from rpn_ops.def; `push V` takes the shortest form. What is wrong is printed and
 * counted. */
#ifndef RPN_ASM_H
#define RPN_ASM_H

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_object.h"
#include "dp_rpn.h"

struct rpn_row {
	uint8_t code;
	const char *name, *text;
	enum rpn_operand operand;
	enum rpn_flow flow;
	unsigned group, exceptions;
};

#define DP_OP(code, name, text, operand, pops, pushes, flow, group, exceptions, cost, part)        \
	{code, #name, text, RPN_ARG_##operand, RPN_FLOW_##flow, RPN_GROUP_##group, exceptions},
static const struct rpn_row rpn_rows[] = {
#include "rpn_ops.def"
};
enum {
	RPN_ROWS = sizeof rpn_rows / sizeof rpn_rows[0]
};

struct rpn_name {
	char text[32];
	unsigned scope, at;
	bool define;
};

struct rpn_asm {
	uint8_t code[RPN_CODE_MAX + 64];
	unsigned size, word_bytes, scope;
	bool big;
	unsigned block;    /* offset of the current block's marker */
	bool block_wanted; /* the last instruction ends its block */
	unsigned groups;
	struct rpn_name names[256];
	unsigned name_count;
	unsigned entries[16], entry_count; /* HANDLER markers */
};

static inline void rpn_put(struct rpn_asm *a, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		a->code[a->size++] = (uint8_t)(value >> 8 * (a->big ? bytes - 1 - i : i));
}

static inline void rpn_marker(struct rpn_asm *a, uint8_t op)
{
	a->block = a->size;
	a->block_wanted = false;
	rpn_put(a, op, 1);
	rpn_put(a, 0, 1);
}

static inline void rpn_name(struct rpn_asm *a, const char *text, unsigned scope, unsigned at,
			    bool define)
{
	struct rpn_name *name = &a->names[a->name_count++];

	snprintf(name->text, sizeof name->text, "%s", text);
	name->scope = scope;
	name->at = at;
	name->define = define;
}

/* The row for a mnemonic with or without operand; operands of push are chosen by size. */
static inline const struct rpn_row *rpn_find(const char *text, const char *operand)
{
	for (unsigned i = 0; i < RPN_ROWS; i++) {
		const struct rpn_row *row = &rpn_rows[i];

		if (strcmp(row->text, text) != 0 ||
		    (row->operand == RPN_ARG_NONE) == (*operand != 0))
			continue;
		if (row->operand == RPN_ARG_IMM8 || row->operand == RPN_ARG_IMM16) {
			long long v = strtoll(operand, NULL, 0);

			if (row->operand == RPN_ARG_IMM8 ? v != (int8_t)v : v != (int16_t)v)
				continue;
		}
		return row;
	}
	return NULL;
}

static inline void rpn_instruction(struct rpn_asm *a, const char *text, const char *operand)
{
	const struct rpn_row *row = rpn_find(text, operand);

	if (!row) {
		printf("assembler: no instruction '%s' with operand '%s'\n", text, operand);
		check_failures++;
		return;
	}
	if (a->block_wanted || a->code[a->block + 1] == 255)
		rpn_marker(a, RPN_BLOCK);
	a->code[a->block + 1]++;
	a->groups |= row->group;
	rpn_put(a, row->code, 1);
	if (row->operand == RPN_ARG_LABEL || row->operand == RPN_ARG_PROC) {
		rpn_name(a, operand, row->operand == RPN_ARG_PROC ? 0 : a->scope, a->size, false);
		rpn_put(a, 0, 2);
	} else {
		rpn_put(a, (uint64_t)strtoull(operand, NULL, 0),
			rpn_operand_bytes(row->operand, a->word_bytes));
	}
	if (row->flow != RPN_FLOW_NEXT)
		a->block_wanted = true;
}

/* A label, then the instruction with the longest mnemonic that begins the rest. */
static inline void rpn_statement(struct rpn_asm *a, char *s)
{
	char text[64], *colon = strchr(s, ':');
	size_t best = 0;

	if (strcmp(s, "handler") == 0 || strncmp(s, "proc ", 5) == 0) {
		a->scope++;
		if (*s == 'p')
			rpn_name(a, s + 5, 0, a->size, true);
		else
			a->entries[a->entry_count++] = a->size;
		rpn_marker(a, *s == 'p' ? RPN_PROC : RPN_HANDLER);
		return;
	}
	if (colon) {
		*colon = 0;
		rpn_marker(a, RPN_BLOCK);
		rpn_name(a, s, a->scope, a->block, true);
		s = colon + 1 + strspn(colon + 1, " ");
		if (*s == 0)
			return;
	}
	for (unsigned i = 0; i < RPN_ROWS; i++) {
		size_t length = strlen(rpn_rows[i].text);

		if (length > best && strncmp(s, rpn_rows[i].text, length) == 0 &&
		    (s[length] == 0 || s[length] == ' ' || s[length] == ','))
			best = length;
	}
	snprintf(text, sizeof text, "%.*s", (int)best, s);
	s += best;
	while (*s == ' ' || *s == ',')
		s++;
	rpn_instruction(a, text, s);
}

static inline void rpn_resolve(struct rpn_asm *a)
{
	for (unsigned i = 0; i < a->name_count; i++) {
		unsigned j = 0, end = a->size;

		if (a->names[i].define)
			continue;
		while (j < a->name_count &&
		       !(a->names[j].define && a->names[j].scope == a->names[i].scope &&
			 strcmp(a->names[j].text, a->names[i].text) == 0))
			j++;
		CHECK(j < a->name_count);
		if (j == a->name_count)
			continue;
		a->size = a->names[i].at;
		rpn_put(a, a->names[j].at, 2);
		a->size = end;
	}
}

/* Assemble; a handler begins by itself. */
static inline void rpn_assemble(struct rpn_asm *a, const char *source, unsigned word_bytes,
				bool big)
{
	char *copy = strdup(source), *save = NULL;
	char begin[] = "handler";

	memset(a, 0, sizeof *a);
	a->word_bytes = word_bytes;
	a->big = big;
	rpn_statement(a, begin);
	for (char *s = strtok_r(copy, ";", &save); s; s = strtok_r(NULL, ";", &save)) {
		char *end = s + strlen(s);

		while (isspace((unsigned char)*s))
			s++;
		while (end > s && isspace((unsigned char)end[-1]))
			*--end = 0;
		if (*s)
			rpn_statement(a, s);
	}
	free(copy);
	rpn_resolve(a);
}

/* What is in an object besides code. All zero: what the compiler would write by default. */
struct rpn_facts {
	unsigned vars, gvars, mask, logmax, excpt_log, jmpmax, major, id, ignore, maxhits;
	bool autostacktrace, no_write, mask_given, logmax_given, excpt_log_given, jmpmax_given;
	uint64_t address;    /* 0: 0x1000 */
	unsigned watchpoint; /* enum dp_point_kind of a watchpoint of one word of 32 bits; 0: a
				breakpoint */
	unsigned cpu;        /* 0: sim */
	const char *name;    /* null: "t" */
	const uint8_t *maps; /* rows of the section MAPS */
	unsigned map_count;
	bool function;   /* the places begin functions */
	unsigned traits; /* rows of TRAITS; 0: one. The last is for all points behind it */
};

static inline unsigned rpn_object(uint8_t *o, const struct rpn_asm *a, const struct rpn_facts *f)
{
	const char *name = f->name ? f->name : "t";
	unsigned name_bytes = (unsigned)strlen(name), points = a->entry_count;
	unsigned traits = f->traits ? f->traits : 1;
	unsigned counts[6] = {1, traits, points, a->size, name_bytes, f->map_count};
	unsigned sizes[6] = {DP_MODULE_BYTES, DP_TRAITS_BYTES, DP_PROBE_BYTES, 1, 1, DP_MAP_BYTES};
	unsigned sections = f->map_count ? 6 : 5, offsets[6] = {0};
	unsigned at = DP_OBJECT_HEADER_BYTES + sections * DP_OBJECT_ENTRY_BYTES;

	memset(o, 0, 112 + 32 + 24 * (traits + points + f->map_count) + a->size + name_bytes + 16);
	memcpy(o, DP_OBJECT_MAGIC, 4);
	for (unsigned i = 0; i < sections; i++) {
		uint8_t *entry = o + DP_OBJECT_HEADER_BYTES + i * DP_OBJECT_ENTRY_BYTES;

		offsets[i] = at;
		entry[0] = (uint8_t)(DP_SECTION_MODULES + i);
		dp_put_u32(entry + 4, counts[i]);
		dp_put_u32(entry + 8, at);
		at = (at + counts[i] * sizes[i] + 3) / 4 * 4;
	}
	o[DP_OBJ_VERSION] = DP_OBJECT_VERSION;
	o[DP_OBJ_CPU] = (uint8_t)(f->cpu ? f->cpu : DP_CPU_SIM);
	o[DP_OBJ_WORD] = (uint8_t)a->word_bytes;
	o[DP_OBJ_ORDER] = a->big ? DP_ORDER_BIG : DP_ORDER_LITTLE;
	dp_put_u32(o + DP_OBJ_BYTES, at + 4);
	dp_put_u32(o + DP_OBJ_ID, f->id);
	dp_put_u16(o + DP_OBJ_MAJOR, (uint16_t)f->major);
	dp_put_u16(o + DP_OBJ_JMPMAX, (uint16_t)(f->jmpmax_given ? f->jmpmax : 256));
	dp_put_u16(o + DP_OBJ_LOGMAX, (uint16_t)(f->logmax_given ? f->logmax : 1024));
	dp_put_u16(o + DP_OBJ_EXCPT_LOG, (uint16_t)(f->excpt_log_given ? f->excpt_log : 1024));
	dp_put_u16(o + DP_OBJ_VARS, (uint16_t)f->vars);
	dp_put_u16(o + DP_OBJ_GVARS, (uint16_t)f->gvars);
	o[DP_OBJ_FLAGS] = (uint8_t)((f->no_write ? 0 : DP_PROGRAM_DESTRUCTIVE) |
				    (f->autostacktrace ? DP_PROGRAM_AUTOSTACKTRACE : 0));
	o[DP_OBJ_GROUPS] = (uint8_t)a->groups;
	o[DP_OBJ_NAME_BYTES] = (uint8_t)name_bytes;
	o[DP_OBJ_SECTIONS] = (uint8_t)sections;
	o[offsets[0] + DP_MOD_NAME_BYTES] = (uint8_t)name_bytes;
	for (unsigned i = 0; i < traits; i++) {
		uint8_t *t = o + offsets[1] + i * DP_TRAITS_BYTES;

		t[DP_TR_KIND] = (uint8_t)f->watchpoint;
		t[DP_TR_FLAGS] = f->function ? DP_POINT_RETURNS : 0;
		t[DP_TR_LENGTH] = f->watchpoint ? 4 : 0;
		dp_put_u16(t + DP_TR_EXCPT_MASK,
			   (uint16_t)(f->mask_given ? f->mask : DP_RPN_EXCPT_MASK_DEFAULT));
		dp_put_u32(t + DP_TR_HIGH, (uint32_t)(f->address >> 32));
		dp_put_u32(t + DP_TR_IGNORE, f->ignore);
		dp_put_u32(t + DP_TR_MAXHITS, f->maxhits ? f->maxhits : RPN_MAXHITS_DEFAULT);
	}
	for (unsigned i = 0; i < points; i++) {
		uint8_t *p = o + offsets[2] + i * DP_PROBE_BYTES;

		p[DP_PT_TRAITS] = (uint8_t)(i < traits ? i : traits - 1);
		dp_put_u16(p + DP_PT_MINOR, (uint16_t)i);
		dp_put_u32(p + DP_PT_ADDRESS, (uint32_t)(f->address ? f->address : 0x1000) + 4 * i);
		dp_put_u32(p + DP_PT_EXTENT, f->function ? 4 : 0);
		dp_put_u32(p + DP_PT_ENTRY, a->entries[i]);
	}
	memcpy(o + offsets[3], a->code, a->size);
	memcpy(o + offsets[4], name, name_bytes);
	if (f->map_count)
		memcpy(o + offsets[5], f->maps, (size_t)f->map_count * DP_MAP_BYTES);
	dp_put_u32(o + at, dp_crc32(0, o, at));
	return at + 4;
}

/* After a change to the bytes: make the checksum right again. */
static inline void rpn_reseal(uint8_t *o, unsigned bytes)
{
	dp_put_u32(o + bytes - 4, dp_crc32(0, o, bytes - 4));
}

#endif
