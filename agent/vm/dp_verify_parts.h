/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the verifier: one check, shared by object_verify.c, object_rules.c and rpn_verify.c. */
#ifndef DP_VERIFY_PARTS_H
#define DP_VERIFY_PARTS_H

#include <stddef.h>

#include "dp_build.h"
#include "dp_rpn.h"
#include "dp_verify.h"

struct dp_check {
	const uint8_t *object, *code;
	const struct dp_target *target;
	uint32_t where, found;
	uint8_t *starts; /* bit n: an instruction starts at code offset n */
	uint32_t starts_bytes;
	struct dp_verdict *verdict;
	uint8_t groups;   /* used by the code, known after dp_check_code */
	bool returns;     /* the code has `return` */
	uint8_t sections; /* that the object has, of those the agent knows */
	struct dp_layout layout;
};

/* Points one by one: their number in the verdict. */
enum {
	DP_NO_POINT = 0xffff
};

enum {
	DP_SECTIONS = 5, /* of each object */
	DP_SECTIONS_MAX = DP_SECTIONS + DP_WITH_COUNTS
};

/* The row of TRAITS that a probe point names. The index is right. */
static inline const uint8_t *dp_check_traits(const struct dp_check *check, const uint8_t *point)
{
	return check->object + check->layout.traits + point[DP_PT_TRAITS] * DP_TRAITS_BYTES;
}

#if DP_WITH_CHECKS
/* The subject of the next check: the place for its error, and the value found there. */
static inline void dp_at(struct dp_check *check, uint32_t where, uint32_t found)
{
	check->where = where;
	check->found = found;
}

/* The verdict says where the error is. */
static inline void dp_tell_place(const struct dp_check *check)
{
	check->verdict->where = check->where;
	check->verdict->found = check->found;
}

static inline void dp_at_point(struct dp_check *check, unsigned point)
{
	check->verdict->probe = (uint16_t)point;
}

/* A rule that protects only the program itself: the feature CHECKS looks at it. */
static inline bool dp_rule(bool broken)
{
	return broken;
}

/* object_rules.c: longer rules of that kind. Each returns the error that it finds. */
/* Gaps and reserved bytes are zero. */
enum dp_err dp_rule_zero(struct dp_check *check, uint32_t from, uint32_t bytes);
/* Rule 5: reserved bytes of the header, and the kinds of the section table. */
enum dp_err dp_rule_header(struct dp_check *check);
/* Rule 9: characters of a name. */
enum dp_err dp_rule_text(struct dp_check *check, uint32_t at, uint32_t bytes);
/* Rule 10. */
enum dp_err dp_rule_modules(struct dp_check *check);
/* Rule 11: returns the field that is wrong, or null. */
const uint8_t *dp_rule_point(const struct dp_check *check, const uint8_t *point,
			     const uint8_t *traits);
/* Is the point the same as an earlier one? */
bool dp_rule_duplicate(struct dp_check *check, unsigned point);
#else
static inline void dp_at(struct dp_check *check, uint32_t where, uint32_t found)
{
	(void)check, (void)where, (void)found;
}

static inline void dp_tell_place(const struct dp_check *check)
{
	(void)check;
}

static inline void dp_at_point(struct dp_check *check, unsigned point)
{
	(void)check, (void)point;
}

static inline bool dp_rule(bool broken)
{
	(void)broken;
	return false;
}

static inline enum dp_err dp_rule_zero(struct dp_check *check, uint32_t from, uint32_t bytes)
{
	(void)check, (void)from, (void)bytes;
	return DP_ERR_OK;
}

static inline enum dp_err dp_rule_header(struct dp_check *check)
{
	(void)check;
	return DP_ERR_OK;
}

static inline enum dp_err dp_rule_text(struct dp_check *check, uint32_t at, uint32_t bytes)
{
	(void)check, (void)at, (void)bytes;
	return DP_ERR_OK;
}

static inline enum dp_err dp_rule_modules(struct dp_check *check)
{
	(void)check;
	return DP_ERR_OK;
}

static inline const uint8_t *dp_rule_point(const struct dp_check *check, const uint8_t *point,
					   const uint8_t *traits)
{
	(void)check, (void)point, (void)traits;
	return NULL;
}

static inline bool dp_rule_duplicate(struct dp_check *check, unsigned point)
{
	(void)check, (void)point;
	return false;
}
#endif

/* map_rules.c: the section MAPS. layout is filled. */
enum dp_err dp_check_maps(struct dp_check *check);
/* Is `map` the index of a map that the instruction takes? */
enum dp_err dp_rule_map(struct dp_check *check, uint32_t op, uint32_t map);

/* rpn_verify.c: rule 12, the code section, and its entries. layout is filled. */
enum dp_err dp_check_code(struct dp_check *check);

#endif
