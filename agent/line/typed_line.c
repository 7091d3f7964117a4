/* SPDX-License-Identifier: BSD-2-Clause */
/* The typed remove: `~dprobes remove` and Enter, alone in a line.  PROTOCOL.md 5.7 */
#include "dp_typed_line.h"

#if DP_WITH_TYPED
static const char typed_line[] = "~dprobes remove";

enum {
	DP_TYPED_BYTES = sizeof(typed_line) - 1,
	DP_TYPED_OTHER = 0xff /* in typed_at: the line is another one */
};

bool dp_typed_next(struct dp_wire *wire, uint8_t byte)
{
	bool whole = wire->typed_at == DP_TYPED_BYTES;

	if (byte == '\r' || byte == '\n') {
		wire->typed_at = 0;
		wire->typed |= whole;
		return whole;
	}
	if (wire->typed_at < DP_TYPED_BYTES && byte == (uint8_t)typed_line[wire->typed_at])
		wire->typed_at++;
	else
		wire->typed_at = DP_TYPED_OTHER;
	return false;
}
#endif
