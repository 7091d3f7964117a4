/* SPDX-License-Identifier: BSD-2-Clause */
/* Errors, refusals, notices, parts and sources of the nonce as numbers. Their sentences: host/
 * only, from the same tables. */
#ifndef DP_ERRORS_H
#define DP_ERRORS_H

#include <stdint.h>

#define DP_ERR(name, number, sentence) DP_ERR_##name = (number),
enum dp_err {
#include "errors.def"
};

#define DP_REFUSAL(number, name, sentence) DP_REFUSE_##name = (number),
enum dp_refusal {
	DP_REFUSE_NOTHING = 0,
#include "refusals.def"
};

#define DP_NOTICE(number, name, sentence) DP_NOTICE_##name = (number),
enum dp_notice {
#include "notices.def"
};

#define DP_PART(number, name, feature, sentence) DP_PART_##name = (number),
enum dp_part {
#include "parts.def"
	DP_FOUND_PART =
		0x100, /* + number: `found` of LEFT_OUT for a part; else `found` is an opcode */
};

#define DP_NONCE_SOURCE(number, name, word, meaning) DP_NONCE_##name = (number),
enum dp_nonce_source {
#include "nonce_sources.def"
};

#define DP_LACK(number, name, sentence) DP_LACKS_##name = (number),
enum dp_lacks {
#include "lacks.def"
};

#define DP_VECTORS_ARE(number, name, sentence) DP_VECTORS_##name = (number),
enum dp_vectors {
#include "vectors.def"
};

#define DP_NO_TIMER(number, name, sentence) DP_NO_TIMER_##name = (number),
enum dp_no_timer {
#include "no_timer.def"
};

/* The finding of a check of an object: the error and its place. The answer to CHECK and COMMIT
 * has these fields (PROTOCOL.md section 5). */
struct dp_verdict {
	enum dp_err error;
	enum dp_refusal refusal; /* with NOT_PROBEABLE, else 0 */
	uint16_t probe;          /* index of the probe point in the object; 0xffff: not about one */
	uint32_t where;          /* byte offset in the object (header, sections) or, for errors
				  * 16..31, in the code section */
	uint32_t found; /* the value found: opcode byte, count, instruction word, limit, address */
	uint32_t found_above; /* of an address: its upper half; else 0 */
};

#endif
