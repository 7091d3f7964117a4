/* SPDX-License-Identifier: BSD-2-Clause */
/* Committed speculations, on their way from the buffers of a program into the ring. */
#include "dp_speculate.h"

#include "dp_entries.h"
#include "dp_hit_log.h"
#include "dp_lock.h"
#include "dp_log_ring.h"
#include "dp_spec.h"
#include "dp_store.h"

#if DP_SPECULATES
/* A committed buffer of a program. */
struct committed {
	const struct dp_map *map;
	struct dp_spec_buffer *buffer; /* null: none */
	struct dp_spec_record record;  /* its oldest */
};

/* A row of the section MAPS has the kind, before the maps are made. */
bool dp_speculates(const struct dp_program *program)
{
	const uint8_t *row = program->object + program->map_rows;

	for (unsigned i = 0; i < program->maps; i++, row += DP_MAP_BYTES)
		if (row[DP_MAP_KIND] == DP_MAP_SPECULATION)
			return true;
	return false;
}

/* The committed buffer of the program whose oldest record is the oldest of all: records of several
 * buffers leave in the order of their times. */
static bool find(const struct dp_program *program, struct committed *found)
{
	struct dp_map *maps = program->view.maps;
	uint64_t ticks = UINT64_MAX;

	found->buffer = NULL;
	for (unsigned n = 0; dp_program_there(program) && n < program->maps; n++)
		for (unsigned i = 0; i < dp_spec_buffers(&maps[n]); i++) {
			struct dp_spec_buffer *buffer = dp_spec_buffer(maps, &maps[n], i);

			if (!dp_spec_oldest(&maps[n], buffer, &found->record) ||
			    found->record.ticks >= ticks)
				continue;
			ticks = found->record.ticks;
			found->map = &maps[n];
			found->buffer = buffer;
		}
	return found->buffer && dp_spec_oldest(found->map, found->buffer, &found->record);
}

/* Half of the ring is for hits, unless nothing waits there. */
static bool has_room(const struct dp_ring *ring, uint32_t bytes)
{
	uint32_t waiting = ring->head - ring->kept;

	return waiting == 0 || waiting + DP_RING_HEAD + bytes + 3 <= DP_RING_BYTES / 2;
}

/* Put the record into the ring. A record that a hit leaves there is never at the place where the
 * last hit of the probe has left none. */
static void put(struct dp_agent *agent, const struct dp_spec_record *from)
{
	struct dp_ring *ring = &DP_THIS_CPU(agent)->ring;
	struct dp_probe *probe = dp_probe_at(agent, from->probe);
	bool moves = probe->left.at == ring->head;
	struct dp_record *record =
		dp_hit_log_begin(agent, from->probe, from->bytes, DP_RECORD_LOG, from->ticks);
	uint32_t at;

	if (!record)
		return;
	at = dp_ring_body(ring, record);
	at = dp_ring_put(ring, at, from->part[0], from->part_bytes[0]);
	dp_ring_put(ring, at, from->part[1], from->part_bytes[1]);
	dp_ring_commit(ring);
	if (moves)
		probe->left.at = ring->head;
}

/* Move a record of the program, whose number is index. context: locked. returns: false: there is
 * none, or no room. */
static bool move(struct dp_agent *agent, uint8_t index, bool *left)
{
	struct committed found;

	dp_move_settle(agent);
	if (!find(dp_program_at(agent, index), &found))
		return false;
	*left = true;
	if (!has_room(&DP_THIS_CPU(agent)->ring, found.record.bytes))
		return false;
	if (dp_probe_at(agent, found.record.probe)->program == index)
		put(agent, &found.record);
	else
		DP_THIS_CPU(agent)->ring.dropped++; /* its probe is gone */
	dp_spec_pass(found.map, found.buffer);
	return true;
}

bool dp_speculated_move(struct dp_agent *agent)
{
	bool left = false;

	if (!agent->spec_due)
		return false;
	for (uint8_t i = 0; i < DP_MAX_PROGRAMS; i++)
		if (move(agent, i, &left))
			return true;
	agent->spec_due = left;
	return false;
}

/* A step of dp_poll. In a hit whose end is still to come, the ring has records that may become
 * void. */
static bool move_in_poll(struct dp_agent *agent)
{
	dp_irq irq = dp_lock_take();
	bool moved = !DP_THIS_CPU(agent)->in_hit && dp_speculated_move(agent);

	dp_lock_give(irq);
	return moved;
}

static void send_due(struct dp_agent *agent)
{
	if (!agent->spec_due)
		return;
	while (move_in_poll(agent))
		;
	if (agent->spec_due && agent->transmit.target != DP_COM_NONE)
		agent->poll_due = 1;
}

const struct dp_feature dp_feature_speculate = {.poll = send_due};

/* --- the end of a program ------------------------------------------------------------------ */

/* context: locked. */
static uint32_t records_of(struct dp_agent *agent, uint8_t index)
{
	const struct dp_program *program = dp_program_at(agent, index);
	struct dp_map *maps = program->view.maps;
	uint32_t records = 0;

	dp_move_settle(agent);
	for (unsigned i = 0; i < program->maps; i++)
		for (unsigned n = 0; n < dp_spec_buffers(&maps[i]); n++) {
			const struct dp_spec_buffer *buffer = dp_spec_buffer(maps, &maps[i], n);

			records += buffer->state == DP_SPEC_COMMITTED ? buffer->records : 0u;
		}
	return records;
}

uint32_t dp_speculated_records(struct dp_agent *agent, uint8_t program)
{
	dp_irq irq = dp_lock_take();
	uint32_t records = records_of(agent, program);

	dp_lock_give(irq);
	return records;
}

void dp_speculated_end(struct dp_agent *agent, uint8_t program)
{
	bool more = true, left = false;

	while (more) {
		dp_irq irq = dp_lock_take();

		more = !DP_THIS_CPU(agent)->in_hit && move(agent, program, &left);
		if (!more && dp_program_there(dp_program_at(agent, program)))
			DP_THIS_CPU(agent)->ring.dropped += records_of(agent, program);
		dp_lock_give(irq);
	}
}
#endif
