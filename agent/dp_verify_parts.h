/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the verifier: one check, shared by object_verify.c and rpn_verify.c. */
#ifndef DP_VERIFY_PARTS_H
#define DP_VERIFY_PARTS_H

#include "dp_parts.h"
#include "dp_rpn.h"
#include "dp_verify.h"

struct dp_check {
	const uint8_t *object, *code;
	const struct dp_target *target;
	uint32_t where, found;
	uint8_t *starts; /* bit n: an instruction starts at code offset n */
	uint32_t starts_bytes;
	struct dp_verdict *verdict;
	uint8_t groups; /* used by the code, known after dp_check_code */
	struct dp_layout layout;
};

/* What the next check looks at: the place of the error it may find, and what is found there. */
static inline void dp_at(struct dp_check *check, uint32_t where, uint32_t found)
{
	if (DP_WITH_DETAILS) {
		check->where = where;
		check->found = found;
	}
}

/* Points one by one: their number in the verdict. */
enum {
	DP_NO_POINT = 0xffff
};
static inline void dp_at_point(struct dp_check *check, unsigned point)
{
	if (DP_WITH_DETAILS)
		check->verdict->probe = (uint16_t)point;
}

/* Rule 12: the code section, and where it is entered. layout is filled. */
enum dp_err dp_check_code(struct dp_check *check);

#endif
