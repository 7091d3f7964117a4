/* SPDX-License-Identifier: BSD-2-Clause */
/* Verifier and interpreter: an object that the verifier accepts runs in the agent's interpreter,
 * which asserts what the verifier has proved (DP_VM_ASSERT), and in the reference; both end alike.
 * Input: u8 mode; then a program as tests/language/reference/from_bytes.c reads it, which must be
 * accepted, or with MODE_OBJECT u32 seed of memory and registers and an object, whose length, check
 * and block counts are put right first unless MODE_AS_IT_IS. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_object.h"
#include "reference/dump.h"
#include "reference/generate.h"
#include "reference/subject.h"

enum {
	MODE_OBJECT = 0x01,
	MODE_AS_IT_IS = 0x02,
	MODE_TWICE = 0x04,
	SEED_BYTES = 4,
	OBJECT_BYTES = 16384,
	CODE_ENTRY = DP_OBJECT_HEADER_BYTES +
		     (DP_SECTION_CODE - DP_SECTION_MODULES) * DP_OBJECT_ENTRY_BYTES,
};

static struct subject_outcome outcome;

static void compare(const struct subject_case *input)
{
	if (subject_compare(input, &outcome)) {
		dump_outcome(input, &outcome);
		abort();
	}
}

/* Block counts of the code as far as it decodes; the groups it uses. */
static unsigned repair_code(uint8_t *code, uint32_t bytes, unsigned word_bytes)
{
	uint8_t *count = NULL;
	unsigned groups = 0;

	for (uint32_t at = 0; at < bytes;) {
		const struct ref_op *op = ref_op(code[at]);
		uint32_t next;

		if (!op)
			break;
		next = at + 1 + rpn_operand_bytes(op->operand, word_bytes);
		if (next > bytes)
			break;
		if (op->marker) {
			count = &code[at + 1];
			*count = 0;
		} else if (count) {
			++*count;
		}
		groups |= op->group;
		at = next;
	}
	return groups;
}

static void repair(uint8_t *object, uint32_t bytes)
{
	uint32_t code = dp_get_u32(object + CODE_ENTRY + 8);
	uint32_t code_bytes = dp_get_u32(object + CODE_ENTRY + 4);
	unsigned word_bytes = object[DP_OBJ_WORD] == 8 ? 8 : 4;

	if (code < bytes && code_bytes <= bytes - code) {
		unsigned groups = repair_code(object + code, code_bytes, word_bytes);

		object[DP_OBJ_GROUPS] = (uint8_t)groups;
		if (groups & RPN_GROUP_DESTRUCTIVE)
			object[DP_OBJ_FLAGS] |= DP_PROGRAM_DESTRUCTIVE;
	}
	dp_put_u32(object + DP_OBJ_BYTES, bytes);
	dp_put_u32(object + bytes - DP_OBJECT_CRC_BYTES,
		   dp_crc32(0, object, bytes - DP_OBJECT_CRC_BYTES));
}

static void run_object(unsigned mode, const uint8_t *data, size_t bytes)
{
	static struct ref_world world;
	struct subject_case input = {.world = &world, .hits = mode & MODE_TWICE ? 2 : 1};
	struct random random;
	uint8_t *object;

	if (bytes < SEED_BYTES || bytes - SEED_BYTES > OBJECT_BYTES)
		return;
	input.bytes = (uint32_t)(bytes - SEED_BYTES);
	input.object = object = malloc(input.bytes + !input.bytes); /* of exact size, aligned */
	if (!object)
		abort();
	memcpy(object, data + SEED_BYTES, input.bytes);
	if (!(mode & MODE_AS_IT_IS) && input.bytes >= CODE_ENTRY + DP_OBJECT_ENTRY_BYTES)
		repair(object, input.bytes);
	random.state = input.stack_seed = dp_get_u32(data);
	gen_world(&random, &world, input.bytes > DP_OBJ_WORD && object[DP_OBJ_WORD] == 8 ? 64 : 32);
	compare(&input);
	free(object);
}

static void run_program(const uint8_t *data, size_t bytes)
{
	static struct gen_program gen;
	static _Alignas(8) uint8_t object[GEN_OBJECT_BYTES];
	struct subject_case input = {.object = object, .world = &gen.world};

	if (!gen_from_bytes(&gen, data, bytes))
		return;
	input.bytes = gen_object(&gen, object);
	input.stack_seed = gen.stack_seed;
	input.hits = gen.hits;
	compare(&input);
	if (outcome.refused != DP_ERR_OK) {
		printf("error %d at code offset %u\n", outcome.refused, outcome.where);
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	if (bytes == 0)
		return 0;
	if (data[0] & MODE_OBJECT)
		run_object(data[0], data + 1, bytes - 1);
	else
		run_program(data + 1, bytes - 1);
	return 0;
}
