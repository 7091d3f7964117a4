/* SPDX-License-Identifier: BSD-2-Clause */
/* Move a stored program down in the arena, piece by piece. */
#include "dp_store.h"

#include "dp_build.h"
#include "dp_entries.h"
#include "dp_lock.h"
#include "dp_memory.h"

enum {
	DP_PIECE_BYTES = 64 /* that move in one masked stretch */
};

#if DP_WITH_COUNTS
static void move_maps(struct dp_program *program, uint32_t bytes)
{
	if (program->view.maps)
		program->view.maps = (void *)((uint8_t *)program->view.maps - bytes);
}
#else
static void move_maps(struct dp_program *program, uint32_t bytes)
{
	(void)program, (void)bytes;
}
#endif

/* All bytes are at their new place: point there. */
static void arrive(struct dp_agent *agent, struct dp_program *program)
{
	uint32_t bytes = agent->move_bytes;

	program->object -= bytes;
	program->view.code -= bytes;
	program->view.name -= bytes;
	program->view.lv = (dp_word *)(void *)((uint8_t *)program->view.lv - bytes);
	move_maps(program, bytes);
	agent->moving = DP_NONE;
}

/* Move the next bytes of the program, at most so many. context: interrupts masked. */
static void move_some(struct dp_agent *agent, uint32_t most)
{
	struct dp_program *program = dp_program_at(agent, agent->moving);
	uint8_t *from = program->object + agent->moved;
	uint32_t left = program->held - agent->moved;
	uint32_t count = left < most ? left : most;

	dp_copy_words(from - agent->move_bytes, from, count);
	agent->moved += count;
	if (count == left)
		arrive(agent, program);
}

void dp_move_down(struct dp_agent *agent, uint8_t program, uint32_t bytes)
{
	bool there = false;

	agent->move_bytes = bytes;
	agent->moved = 0;
	while (!there) {
		dp_irq irq = dp_lock_take();

		if (agent->moved == 0)
			agent->moving = program;
		there = agent->moving == DP_NONE; /* a hit has moved the rest */
		if (!there)
			move_some(agent, DP_PIECE_BYTES);
		dp_lock_give(irq);
	}
}

void dp_move_rest(struct dp_agent *agent)
{
	move_some(agent, DP_ARENA_BYTES);
}
