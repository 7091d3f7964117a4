/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes as an object, before the target's verifier: a verdict, and what it lets in lies inside
 * the object. Input: u8 mode, then the object. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_object.h"
#include "dp_rpn.h"
#include "dp_verify.h"

enum {
	MODE_AS_IT_IS = 0x01, /* else: the check sums are put right first */
	MODE_NARROW = 0x02,   /* a target with little */
};

#define REQUIRE(what) ((what) ? (void)0 : abort())

static void repair(uint8_t *object, size_t bytes)
{
	uint32_t own;

	if (bytes < DP_OBJ_BYTES + 4)
		return;
	own = dp_get_u32(object + DP_OBJ_BYTES);
	if (own > bytes || own < DP_OBJECT_HEADER_BYTES)
		own = (uint32_t)bytes;
	if (own < DP_OBJECT_HEADER_BYTES)
		return;
	dp_put_u32(object + own - 4, dp_crc32(0, object, own - 4));
}

static void check_layout(const struct dp_layout *layout, uint32_t bytes)
{
	REQUIRE(layout->bytes == bytes);
	REQUIRE(layout->module_count >= 1 && layout->traits_count >= 1);
	REQUIRE(layout->probe_count >= 1 && layout->code_bytes >= 1);
	REQUIRE(layout->modules + layout->module_count * (uint64_t)DP_MODULE_BYTES <= bytes);
	REQUIRE(layout->traits + layout->traits_count * (uint64_t)DP_TRAITS_BYTES <= bytes);
	REQUIRE(layout->probes + layout->probe_count * (uint64_t)DP_PROBE_BYTES <= bytes);
	REQUIRE((uint64_t)layout->code + layout->code_bytes <= bytes);
	REQUIRE((uint64_t)layout->strings + layout->string_bytes <= bytes);
}

static void verify(const uint8_t *object, uint32_t bytes, bool narrow)
{
	static const struct dp_reg regs[] = {
		{0, 1, 0, DP_REG_ALL}, {1, 1, 0, DP_REG_READ}, {7, 4, 1, DP_REG_PUSH_R}};
	static uint8_t scratch[8192];
	struct dp_verdict verdict = {0};
	struct dp_layout layout;
	struct dp_target target = {
		.cpu = DP_CPU_SIM,
		.isas = 1u << DP_ISA_MAIN,
		.word_bytes = bytes > DP_OBJ_WORD && object[DP_OBJ_WORD] == 8 ? 8 : 4,
		.order = bytes > DP_OBJ_ORDER && object[DP_OBJ_ORDER] == DP_ORDER_BIG,
		.port_groups = narrow ? RPN_GROUP_WRITE : RPN_GROUP_ALL,
		.build_groups = narrow ? RPN_GROUP_BASE : RPN_GROUP_ALL,
		.may_write = !narrow,
		.log_max = narrow ? 64 : 1024,
		.trace_max = narrow ? 64 : 1024,
		.vars_max = narrow ? 4 : 256,
		.gvars_max = narrow ? 4 : 256,
		.jmpmax_max = 65535,
		.probes_max = narrow ? 1 : 240,
		.regs = regs,
		.reg_count = sizeof regs / sizeof regs[0],
	};
	enum dp_err error = dp_verify_object(object, bytes, &target, scratch,
					     narrow ? 16 : sizeof scratch, &layout, &verdict);

	REQUIRE(error == verdict.error);
	if (error == DP_ERR_OK)
		check_layout(&layout, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	uint8_t *object;

	if (bytes < 1)
		return 0;
	bytes--;
	object = malloc(bytes ? bytes : 1); /* of exact size, aligned */
	memcpy(object, data + 1, bytes);
	if (!(data[0] & MODE_AS_IT_IS))
		repair(object, bytes);
	verify(object, (uint32_t)bytes, data[0] & MODE_NARROW);
	free(object);
	return 0;
}
