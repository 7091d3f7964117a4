/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs and uploads in the arena. */
#ifndef DP_STORE_H
#define DP_STORE_H

#include "dp_build.h"
#include "dp_bytes.h"
#include "dp_state.h"
#include "dp_verify.h"

static inline uint32_t dp_arena_free(const struct dp_agent *agent)
{
	return DP_ARENA_BYTES - agent->arena_used;
}

static inline uint8_t *dp_upload_bytes(struct dp_agent *agent)
{
	return agent->arena + agent->arena_used;
}

/* Bytes that were received without a gap. */
static inline uint32_t dp_upload_have(const struct dp_agent *agent)
{
	return agent->upload.received[0].end;
}

enum dp_err dp_upload_begin(struct dp_agent *agent, uint32_t bytes, uint32_t crc);
enum dp_err dp_upload_data(struct dp_agent *agent, unsigned transaction, uint32_t offset,
			   const uint8_t *data, uint32_t bytes);

/* Describe the checked upload as a program. */
void dp_store_describe(struct dp_agent *agent, struct dp_program *program,
		       const struct dp_layout *layout);
/* Make the described upload an installed program, with its variables, cleared, behind it.
 * index: receives its place. returns: DP_ERR_OK, TABLE_FULL or NO_SPACE. */
enum dp_err dp_store_program(struct dp_agent *agent, struct dp_program *program, uint8_t *index);
/* Remove a program without probes, unless a hit has done so. The arena closes up at once, or, while
 * a request is at work, in dp_store_tidy. */
void dp_store_forget(struct dp_agent *agent, uint8_t program);
/* Make the program that was stored last an upload again. */
void dp_store_reopen(struct dp_agent *agent, uint8_t program);
/* Close up the arena behind the request at work. */
void dp_store_tidy(struct dp_agent *agent);
/* The first program with the name and id of `like` from `from` on, or DP_NONE. */
uint8_t dp_store_find(const struct dp_agent *agent, const struct dp_program *like, unsigned from);

static inline bool dp_program_there(const struct dp_program *program)
{
	return program->object && !program->gone;
}

/* A probe point: its rows in the object. */
struct dp_point {
	const uint8_t *row, *traits;
};

/* In an object that was damaged just now the point may name traits that are not there: then other
 * bytes of the object stand for them. */
struct dp_point dp_program_point(const struct dp_program *program, unsigned point);

/* Of an event: its number. */
static inline dp_addr dp_point_address(const struct dp_point *point)
{
	uint32_t low = dp_get_u32(point->row + DP_PT_ADDRESS);
#if DP_WORD_BITS == 64
	return (dp_addr)dp_get_u32(point->traits + DP_TR_HIGH) << 32 | low;
#else
	return low;
#endif
}

/* Bytes that a watchpoint watches. PROTOCOL.md section 2 */
static inline uint32_t dp_point_watched(const struct dp_program *program,
					const struct dp_point *point)
{
	return program->object[DP_OBJ_VERSION] == DP_OBJECT_VERSION_LONG
		       ? dp_get_u32(point->row + DP_PT_EXTENT)
		       : point->traits[DP_TR_LENGTH];
}

/* Return the row of the module that the point is in, or null: in an object that was damaged just
 * now the point may name a row that is not there. */
static inline const uint8_t *dp_program_module(const struct dp_program *program,
					       const struct dp_point *point)
{
	unsigned row = point->traits[DP_TR_MODULE];

	return row < program->module_count
		       ? program->object + program->modules + row * DP_MODULE_BYTES
		       : NULL;
}

/* A stored program moves down in the arena. The bytes move in pieces, with interrupts open in
 * between. A hit that needs the program moves the rest first: each handler finds its program whole.
 */

/* Move the program down by so many bytes. context: a request at work, or a hit. */
void dp_move_down(struct dp_agent *agent, uint8_t program, uint32_t bytes);
/* Move the rest of the program on the move. context: HIT. */
void dp_move_rest(struct dp_agent *agent);

/* The programs are about to be read. context: HIT. */
static inline void dp_move_settle(struct dp_agent *agent)
{
	if (__builtin_expect(agent->moving != DP_NONE, 0))
		dp_move_rest(agent);
}

#endif
