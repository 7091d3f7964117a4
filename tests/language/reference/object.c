/* SPDX-License-Identifier: BSD-2-Clause */
/* A generated program as a probe object. PROTOCOL.md section 2, dp_object.h. */
#include <stdlib.h>
#include <string.h>

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_object.h"
#include "generate.h"

enum {
	TABLE_AT = DP_OBJECT_HEADER_BYTES,
	MODULES_AT = TABLE_AT + 5 * DP_OBJECT_ENTRY_BYTES,
	TRAITS_AT = MODULES_AT + DP_MODULE_BYTES,
	PROBES_AT = TRAITS_AT + DP_TRAITS_BYTES,
	CODE_AT = PROBES_AT + DP_PROBE_BYTES,
};

/* Where each block begins. Returns the bytes of the code. */
static unsigned layout(const struct gen_program *gen, unsigned at[GEN_BLOCKS])
{
	unsigned bytes = 0;

	for (unsigned b = 0; b < gen->blocks; b++) {
		at[b] = bytes;
		bytes += 2;
		for (unsigned i = 0; i < gen->block[b].count; i++)
			bytes += 1 + rpn_operand_bytes(ref_op(gen->block[b].ins[i].op)->operand,
						       ref_word_bytes(&gen->header));
	}
	return bytes;
}

static unsigned put_code(const struct gen_program *gen, uint8_t *code,
			 const unsigned at[GEN_BLOCKS], unsigned *groups)
{
	uint8_t *p = code;

	*groups = 0;
	for (unsigned b = 0; b < gen->blocks; b++) {
		*p++ = gen->block[b].marker;
		*p++ = (uint8_t)gen->block[b].count;
		for (unsigned i = 0; i < gen->block[b].count; i++) {
			const struct gen_instruction *ins = &gen->block[b].ins[i];
			const struct ref_op *op = ref_op(ins->op);
			unsigned bytes =
				rpn_operand_bytes(op->operand, ref_word_bytes(&gen->header));

			*p++ = ins->op;
			ref_put(&gen->header, p,
				ins->target == GEN_NO_TARGET ? ins->operand : at[ins->target],
				bytes);
			p += bytes;
			*groups |= op->group;
		}
	}
	return (unsigned)(p - code);
}

static void put_section(uint8_t *object, unsigned kind, uint32_t count, uint32_t offset)
{
	uint8_t *entry = object + TABLE_AT + (kind - 1) * DP_OBJECT_ENTRY_BYTES;

	entry[0] = (uint8_t)kind;
	dp_put_u32(entry + 4, count);
	dp_put_u32(entry + 8, offset);
}

static void put_header(const struct ref_program *header, uint8_t *object, unsigned groups)
{
	memcpy(object, DP_OBJECT_MAGIC, 4);
	object[DP_OBJ_VERSION] = DP_OBJECT_VERSION;
	object[DP_OBJ_CPU] = DP_CPU_SIM;
	object[DP_OBJ_WORD] = (uint8_t)ref_word_bytes(header);
	object[DP_OBJ_ORDER] = header->big_endian ? DP_ORDER_BIG : DP_ORDER_LITTLE;
	dp_put_u32(object + DP_OBJ_ID, header->id);
	dp_put_u16(object + DP_OBJ_MAJOR, header->major);
	dp_put_u16(object + DP_OBJ_JMPMAX, (uint16_t)header->jmpmax);
	dp_put_u16(object + DP_OBJ_LOGMAX, (uint16_t)header->logmax);
	dp_put_u16(object + DP_OBJ_EXCPT_LOG, (uint16_t)header->excpt_log);
	dp_put_u16(object + DP_OBJ_VARS, (uint16_t)header->vars);
	dp_put_u16(object + DP_OBJ_GVARS, (uint16_t)header->gvars);
	object[DP_OBJ_FLAGS] =
		(uint8_t)((groups & RPN_GROUP_DESTRUCTIVE ? DP_PROGRAM_DESTRUCTIVE : 0) |
			  (header->autostacktrace ? DP_PROGRAM_AUTOSTACKTRACE : 0));
	object[DP_OBJ_GROUPS] = (uint8_t)groups;
	object[DP_OBJ_NAME_BYTES] = (uint8_t)header->name_bytes;
	object[DP_OBJ_SECTIONS] = 5;
}

unsigned gen_object(const struct gen_program *gen, uint8_t object[GEN_OBJECT_BYTES])
{
	const struct ref_program *header = &gen->header;
	unsigned at[GEN_BLOCKS], groups, code_bytes = layout(gen, at), strings_at, end;
	uint8_t *probe = object + PROBES_AT, *module = object + MODULES_AT;
	uint8_t *traits = object + TRAITS_AT;

	if (code_bytes > GEN_CODE_BYTES)
		abort();
	strings_at = (CODE_AT + code_bytes + 3) / 4 * 4;
	end = (strings_at + header->name_bytes + 3) / 4 * 4;
	memset(object, 0, end);
	put_code(gen, object + CODE_AT, at, &groups);
	put_header(header, object, groups);
	put_section(object, DP_SECTION_MODULES, 1, MODULES_AT);
	put_section(object, DP_SECTION_TRAITS, 1, TRAITS_AT);
	put_section(object, DP_SECTION_PROBES, 1, PROBES_AT);
	put_section(object, DP_SECTION_CODE, code_bytes, CODE_AT);
	put_section(object, DP_SECTION_STRINGS, header->name_bytes, strings_at);
	module[DP_MOD_NAME_BYTES] = (uint8_t)header->name_bytes; /* the program's name, too */
	memcpy(object + strings_at, header->name, header->name_bytes);
	dp_put_u16(probe + DP_PT_MINOR, header->minor);
	dp_put_u16(traits + DP_TR_EXCPT_MASK, header->excpt_mask);
	dp_put_u32(traits + DP_TR_HIGH, (uint32_t)(header->offset >> 32));
	dp_put_u32(traits + DP_TR_MAXHITS, RPN_MAXHITS_DEFAULT);
	traits[DP_TR_FLAGS] = DP_POINT_RETURNS; /* the place begins a function */
	dp_put_u32(probe + DP_PT_EXTENT, 4);
	dp_put_u32(probe + DP_PT_ADDRESS, (uint32_t)header->offset);
	dp_put_u32(probe + DP_PT_ENTRY, at[gen->entry]);
	dp_put_u32(object + DP_OBJ_BYTES, end + DP_OBJECT_CRC_BYTES);
	dp_put_u32(object + end, dp_crc32(0, object, end));
	return end + DP_OBJECT_CRC_BYTES;
}
