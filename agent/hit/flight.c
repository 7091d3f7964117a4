/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring of the flight recorder. A record counts when its check is right, so a reset in the
 * middle of a record costs this record and those that it overwrites. */
#include "dp_flight.h"

#include "dp_flight_ring.h"
#include "dp_lock.h"
#include "dp_memory.h"

#if DP_FLIGHT_BYTES > 0
_Static_assert((DP_FLIGHT_BYTES & (DP_FLIGHT_BYTES - 1)) == 0 && DP_FLIGHT_BYTES >= 256 &&
		       DP_FLIGHT_BYTES <= 1 << 16,
	       "the ring of the flight recorder is a power of two, of at most 64 KB");
enum {
	DP_HISTORY_MAGIC = 0x44504831 ^ DP_FLIGHT_BYTES, /* "DPH1", of this size */
	DP_HISTORY_FROZEN = 0x46524f5a,                  /* "FROZ" */
	DP_RECORD_MOST = DP_FLIGHT_BYTES / 2             /* bytes of a record, with its head */
};

static struct dp_history *history(struct dp_agent *agent)
{
	return &agent->keep->history;
}

/* --- records --- */

static void put_head(struct dp_agent *agent, uint8_t *to, unsigned number, uint64_t ticks)
{
	const struct dp_probe *probe = &agent->probe[number];
	const struct dp_program *program = &agent->program[probe->program];
	const struct dp_vm *vm = &DP_THIS_CPU(agent)->vm;

	dp_put_u32(to + DP_FLIGHT_AT, agent->flight.end);
	dp_put_u32(to + DP_FLIGHT_PROGRAM, program->crc);
	dp_put_u16(to + DP_FLIGHT_TICKS_HIGH, (uint16_t)(ticks >> 32));
	dp_put_u16(to + DP_FLIGHT_BOOT, agent->boot);
	dp_put_u32(to + DP_FLIGHT_TICKS, (uint32_t)ticks);
	to[DP_FLIGHT_POINT] = probe->point;
	to[DP_FLIGHT_ITEMS] = program->items;
	dp_put_u16(to + DP_FLIGHT_MAJOR, vm->major);
	dp_put_u16(to + DP_FLIGHT_MINOR, vm->minor);
	dp_put_u16(to + DP_FLIGHT_NUMBER, (uint16_t)number);
}

/* The place of the next record, which the ring has room for. What the record leaves out at the end
 * of the ring is cleared: a record of an older round would stay there, and look like the newest one
 * some day. */
static uint8_t *take(struct dp_agent *agent, uint32_t bytes)
{
	uint32_t place = agent->flight.end % DP_FLIGHT_BYTES, left = DP_FLIGHT_BYTES - place;
	uint8_t *ring = history(agent)->ring;

	if (bytes <= left)
		return ring + place;
	dp_clear(ring + place, left);
	dp_port_keep_written(ring + place, left);
	agent->flight.end = dp_flight_behind(agent->flight.end, left);
	return ring;
}

/* Append a record: its body is items and log. */
static void put(struct dp_agent *agent, unsigned number, enum dp_record_kind kind, unsigned flags,
		uint64_t ticks, const struct dp_answer *items, const uint8_t *log, unsigned bytes)
{
	uint32_t body = items->bytes + bytes, all = dp_flight_whole(body);
	uint8_t *to;

	if (all > DP_RECORD_MOST) {
		agent->probe[number].dropped++;
		return;
	}
	to = take(agent, all);
	put_head(agent, to, number, ticks);
	dp_put_u16(to + DP_FLIGHT_LENGTH, (uint16_t)body);
	to[DP_FLIGHT_KIND] = (uint8_t)kind;
	to[DP_FLIGHT_FLAGS] = (uint8_t)flags;
	dp_copy(to + DP_FLIGHT_HEAD_BYTES, items->payload, items->bytes);
	dp_copy(to + DP_FLIGHT_HEAD_BYTES + items->bytes, log, bytes);
	dp_put_u32(to + DP_FLIGHT_CHECK, dp_flight_check(to, body));
	dp_port_keep_written(to, all);
	agent->flight.end = dp_flight_behind(agent->flight.end, all);
}

void dp_flight_log(struct dp_agent *agent, unsigned number, unsigned flags,
		   const struct dp_answer *items, uint64_t ticks)
{
	const struct dp_vm *vm = &DP_THIS_CPU(agent)->vm;
	static const struct dp_answer none = {0};

	if (agent->flight.frozen)
		return;
	put(agent, number, DP_RECORD_LOG, flags, ticks, items, vm->log, vm->log_bytes);
	if (DP_WITH_LANGUAGE && vm->trace_bytes != 0)
		put(agent, number, DP_RECORD_TRACE, vm->trace_truncated ? DP_RECORD_TRUNCATED : 0u,
		    ticks, &none, vm->trace, vm->trace_bytes);
	if (agent->flight.left != 0 && --agent->flight.left == 0)
		dp_flight_freeze(agent, 0);
}

/* --- the ring --- */

static void set_frozen(struct dp_agent *agent, bool frozen)
{
	agent->flight.frozen = frozen;
	agent->flight.left = 0;
	history(agent)->frozen = frozen ? DP_HISTORY_FROZEN : 0;
	dp_port_keep_written(&history(agent)->frozen, sizeof(history(agent)->frozen));
}

void dp_flight_freeze(struct dp_agent *agent, dp_word records)
{
	if (agent->flight.frozen || (agent->flight.left != 0 && records != 0))
		return;
	if (records == 0)
		set_frozen(agent, true);
	else
		agent->flight.left = records > UINT32_MAX ? UINT32_MAX : (uint32_t)records;
}

void dp_flight_freeze_at_once(struct dp_agent *agent)
{
	volatile uint8_t *frozen = &agent->flight.frozen;
	struct dp_history *h = history(agent);

	*frozen = 1;
	h->frozen = DP_HISTORY_FROZEN;
	dp_port_keep_written(&h->frozen, sizeof(h->frozen));
}

/* A record never begins at position 0, which zeros would tell. */
static void empty(struct dp_agent *agent)
{
	struct dp_history *h = history(agent);

	dp_clear(h->ring, sizeof(h->ring));
	dp_port_keep_written(h, sizeof(*h));
}

static void start_anew(struct dp_agent *agent)
{
	struct dp_history *h = history(agent);

	h->magic = DP_HISTORY_MAGIC;
	dp_port_keep_written(&h->magic, sizeof(h->magic));
	agent->flight.end = DP_FLIGHT_BYTES;
	set_frozen(agent, false);
}

/* A reset in the middle finds no magic, and empties the rest. */
void dp_flight_clear(struct dp_agent *agent)
{
	dp_irq irq = dp_lock_take();

	agent->flight.frozen = 1;
	history(agent)->magic = 0;
	dp_lock_give(irq);
	empty(agent);
	irq = dp_lock_take();
	start_anew(agent);
	dp_lock_give(irq);
}

/* Find the newest intact record. A ring has less than one round of positions. */
static uint32_t find_end(const uint8_t *ring)
{
	uint32_t end = 0, next, bytes;
	bool found = false;

	for (uint32_t place = 0; place <= DP_FLIGHT_BYTES - DP_FLIGHT_HEAD_BYTES; place += 4) {
		bytes = dp_flight_intact(ring, DP_FLIGHT_BYTES, place);
		if (bytes == 0)
			continue;
		next = dp_flight_behind(dp_get_u32(ring + place + DP_FLIGHT_AT), bytes);
		if (!found || dp_flight_before(end, next) > 0) {
			end = next;
			found = true;
		}
	}
	return found ? end : DP_FLIGHT_BYTES;
}

/* Without INTEGRITY nobody else numbers the starts. */
static void number_start(struct dp_agent *agent)
{
#if DP_WITH_INTEGRITY
	(void)agent;
#else
	struct dp_history *h = history(agent);

	agent->boot = (uint16_t)++h->boot;
	dp_port_keep_written(&h->boot, sizeof(h->boot));
#endif
}

void dp_flight_start(struct dp_agent *agent)
{
	struct dp_history *h = history(agent);

	if (h->magic == DP_HISTORY_MAGIC) {
		agent->flight.end = find_end(h->ring);
		agent->flight.frozen = h->frozen == DP_HISTORY_FROZEN;
	} else {
#if !DP_WITH_INTEGRITY
		h->boot = 0;
#endif
		empty(agent);
		start_anew(agent);
	}
	number_start(agent);
}
#endif
