/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects from any bytes, with the checksums made right so that what is behind them is reached. */
#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_object.h"
#include <dprobes/host.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void repair(uint8_t *data, size_t bytes)
{
	if (bytes < DP_OBJECT_HEADER_BYTES + DP_OBJECT_CRC_BYTES)
		return;
	uint32_t end = dp_get_u32(data + DP_OBJ_BYTES);
	if (end < DP_OBJECT_CRC_BYTES || end > bytes)
		return;
	dp_put_u32(data + end - 4, dp_crc32(0, data, end - 4));
	if (bytes - end < DP_HOST_HEADER_BYTES + DP_OBJECT_CRC_BYTES)
		return;
	dp_put_u32(data + end + 4, (uint32_t)(bytes - end));
	dp_put_u32(data + bytes - 4, dp_crc32(0, data + end, bytes - end - 4));
}

static void use(const struct dp_object_file *object)
{
	struct dp_messages messages = {0};
	const struct dp_check_options options = {0};
	struct dp_check_result result;
	FILE *nowhere = fopen("/dev/null", "w");
	if (nowhere) {
		dp_disassemble(object, nowhere, &messages);
		fclose(nowhere);
	}
	dp_check_object(object, &options, &result, &messages);
	dp_messages_free(&messages);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct dp_messages messages = {0};
	uint8_t *copy = malloc(bytes ? bytes : 1);
	memcpy(copy, data, bytes);
	repair(copy, bytes);
	struct dp_object_file *object = dp_object_from_bytes(copy, bytes, "fuzz", &messages);
	if (!object && !messages.errors)
		abort();
	if (object)
		use(object);
	dp_object_free(object);
	dp_messages_free(&messages);
	free(copy);
	return 0;
}
