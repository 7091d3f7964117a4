/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring of the flight recorder. A record counts when its check is right, so a reset in the
 * middle of a record costs this record and those that it overwrites. */
#include "dp_flight.h"

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_flight_ring.h"
#include "dp_memory.h"

#if DP_FLIGHT_BYTES > 0
_Static_assert((DP_FLIGHT_BYTES & (DP_FLIGHT_BYTES - 1)) == 0 && DP_FLIGHT_BYTES >= 256 &&
		       DP_FLIGHT_BYTES <= 1 << 20,
	       "the ring of the flight recorder is a power of two");
enum {
	DP_HISTORY_MAGIC = 0x44504831 ^ DP_FLIGHT_BYTES, /* "DPH1", of this size */
	DP_HISTORY_FROZEN = 0x46524f5a,                  /* "FROZ" */
	DP_RECORD_MOST = DP_FLIGHT_BYTES / 2             /* bytes of a record, with its head */
};

static struct dp_history *history(struct dp_agent *agent)
{
	return &agent->keep->history;
}

/* Bytes of a record with its head. */
static uint32_t whole(uint32_t body)
{
	return DP_FLIGHT_HEAD_BYTES + ((body + 3) & ~3u);
}

static uint32_t check_of(const uint8_t *record, uint32_t body)
{
	return dp_crc32(dp_crc32(0, record, DP_FLIGHT_CHECK), record + DP_FLIGHT_HEAD_BYTES, body);
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

/* The place of the next record, which the ring has room for. */
static uint8_t *take(struct dp_agent *agent, uint32_t bytes)
{
	uint32_t left = DP_FLIGHT_BYTES - agent->flight.end % DP_FLIGHT_BYTES;

	if (bytes > left)
		agent->flight.end += left;
	return history(agent)->ring + agent->flight.end % DP_FLIGHT_BYTES;
}

/* Append a record: its body is items and log. */
static void put(struct dp_agent *agent, unsigned number, enum dp_record_kind kind, unsigned flags,
		uint64_t ticks, const struct dp_answer *items, const uint8_t *log, unsigned bytes)
{
	uint32_t body = items->bytes + bytes, all = whole(body);
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
	dp_put_u32(to + DP_FLIGHT_CHECK, check_of(to, body));
	dp_port_keep_written(to, all);
	agent->flight.end += all;
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

/* A record never begins at position 0, which zeros would tell. */
void dp_flight_clear(struct dp_agent *agent)
{
	struct dp_history *h = history(agent);

	dp_clear(h->ring, sizeof(h->ring));
	h->magic = DP_HISTORY_MAGIC;
	dp_port_keep_written(h, sizeof(*h));
	agent->flight.end = DP_FLIGHT_BYTES;
	set_frozen(agent, false);
}

/* The position behind the record at the place; 0: there is no intact record. */
static uint32_t behind(const uint8_t *ring, uint32_t place)
{
	const uint8_t *record = ring + place;
	uint32_t at = dp_get_u32(record + DP_FLIGHT_AT);
	uint32_t body = dp_get_u16(record + DP_FLIGHT_LENGTH);

	if (at % DP_FLIGHT_BYTES != place || whole(body) > DP_FLIGHT_BYTES - place ||
	    dp_get_u32(record + DP_FLIGHT_CHECK) != check_of(record, body))
		return 0;
	return at + whole(body);
}

/* Find the newest intact record. A ring has less than one round of positions. */
static uint32_t find_end(const uint8_t *ring)
{
	uint32_t end = 0, next;
	bool found = false;

	for (uint32_t place = 0; place <= DP_FLIGHT_BYTES - DP_FLIGHT_HEAD_BYTES; place += 4) {
		next = behind(ring, place);
		if (next != 0 && (!found || (int32_t)(next - end) > 0)) {
			end = next;
			found = true;
		}
	}
	return found ? end : DP_FLIGHT_BYTES;
}

void dp_flight_start(struct dp_agent *agent)
{
	const struct dp_history *h = history(agent);

	if (h->magic != DP_HISTORY_MAGIC) {
		dp_flight_clear(agent);
		return;
	}
	agent->flight.end = find_end(h->ring);
	agent->flight.frozen = h->frozen == DP_HISTORY_FROZEN;
}
#endif
