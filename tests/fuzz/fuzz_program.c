/* SPDX-License-Identifier: BSD-2-Clause */
/* Verifier and interpreter: an object that the verifier accepts runs in the agent's interpreter,
 * which asserts what the verifier has proved (DP_VM_ASSERT), and in the reference; both end alike.
 * Input: u8 mode, u32 seed of memory and registers, then the object. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_object.h"
#include "reference/dump.h"
#include "reference/generate.h"
#include "reference/subject.h"

enum {
	MODE_AS_IT_IS = 0x01, /* else: counts, groups, length and check are put right first */
	MODE_TWICE = 0x02,
	HEAD_BYTES = 5,
	OBJECT_BYTES = 16384,
	CODE_ENTRY = DP_OBJECT_HEADER_BYTES + 2 * DP_OBJECT_ENTRY_BYTES,
};

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static struct subject_outcome outcome;
	static struct ref_world world;
	struct random random;
	struct subject_case input = {.world = &world};
	uint8_t *object;

	if (bytes < HEAD_BYTES || bytes - HEAD_BYTES > OBJECT_BYTES)
		return 0;
	input.bytes = (uint32_t)(bytes - HEAD_BYTES);
	input.object = object = malloc(input.bytes + !input.bytes); /* of exact size, aligned */
	if (!object)
		abort();
	memcpy(object, data + HEAD_BYTES, input.bytes);
	if (!(data[0] & MODE_AS_IT_IS) && input.bytes >= CODE_ENTRY + DP_OBJECT_ENTRY_BYTES)
		repair(object, input.bytes);
	random.state = input.stack_seed = dp_get_u32(data + 1);
	gen_world(&random, &world, input.bytes > DP_OBJ_WORD && object[DP_OBJ_WORD] == 8 ? 64 : 32);
	input.hits = data[0] & MODE_TWICE ? 2 : 1;
	if (subject_compare(&input, &outcome)) {
		dump_outcome(&input, &outcome);
		abort();
	}
	free(object);
	return 0;
}
