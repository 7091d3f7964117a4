/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions of speculations. The verifier has seen to it that each names a map SPECULATION.
 * PROTOCOL.md 2.6 */
#include "dp_spec.h"

#include "dp_long.h"

#if DP_SPECULATES
_Static_assert(sizeof(struct dp_spec_buffer) == DP_SPEC_BUFFER_BYTES,
	       "the host counts the bytes of a buffer, too");

enum {
	DP_UNIT = 4,
	DP_WORD_PROBE = 16 /* bits of a record's first unit below the probe; they have its bytes */
};
typedef uint32_t __attribute__((may_alias)) spec_unit;

static dp_word pop(struct dp_vm *vm)
{
	dp_word word = vm->stack[vm->tsp & DP_STACK_MASK];

	vm->tsp = (vm->tsp + 1) & DP_STACK_MASK;
	return word;
}

static void push(struct dp_vm *vm, dp_word word)
{
	vm->tsp = (vm->tsp - 1) & DP_STACK_MASK;
	vm->stack[vm->tsp] = word;
}

/* The byte of the buffer at the position. */
static uint8_t *byte_at(const struct dp_map *map, const struct dp_spec_buffer *buffer, uint32_t at)
{
	return (uint8_t *)(uintptr_t)(buffer + 1) + (at & (map->a - 1));
}

static spec_unit *unit_at(const struct dp_map *map, const struct dp_spec_buffer *buffer,
			  uint32_t at)
{
	return (spec_unit *)(void *)byte_at(map, buffer, at);
}

/* Bytes of a record with so many bytes of data. */
static uint32_t whole(uint32_t bytes)
{
	return DP_SPEC_HEAD_BYTES + ((bytes + DP_UNIT - 1) & ~(DP_UNIT - 1u));
}

/* --- buffers ------------------------------------------------------------------------------- */

/* Open a free buffer. returns: its id; 0: none is free. */
static dp_word open(struct dp_run *run, struct dp_map *map)
{
	struct dp_map *maps = run->program->maps;
	dp_word *missing = (dp_word *)(void *)((uint8_t *)maps + map->entries);
	bool waits = false;

	for (unsigned i = 0; i < dp_spec_buffers(map); i++) {
		struct dp_spec_buffer *buffer = dp_spec_buffer(maps, map, i);

		if (buffer->state == DP_SPEC_FREE) {
			/* One by one: an initialiser would call memset. */
			buffer->records = buffer->tail = buffer->head = 0;
			buffer->state = DP_SPEC_OPEN;
			return i + 1;
		}
		waits |= buffer->state == DP_SPEC_COMMITTED;
	}
	missing[waits]++;
	return 0;
}

/* The open buffer with the id; null: no open one has it. */
static struct dp_spec_buffer *opened(struct dp_run *run, const struct dp_map *map, dp_word id)
{
	struct dp_spec_buffer *buffer;

	if (id - 1 >= dp_spec_buffers(map))
		return NULL;
	buffer = dp_spec_buffer(run->program->maps, map, (unsigned)(id - 1));
	return buffer->state == DP_SPEC_OPEN ? buffer : NULL;
}

static void drop_oldest(const struct dp_map *map, struct dp_spec_buffer *buffer)
{
	uint32_t bytes = *unit_at(map, buffer, buffer->tail) & 0xffff;

	buffer->tail = (uint16_t)(buffer->tail + whole(bytes));
	buffer->records--;
}

static uint32_t room(const struct dp_map *map, const struct dp_spec_buffer *buffer)
{
	return map->a - (uint16_t)(buffer->head - buffer->tail);
}

/* --- log spec ------------------------------------------------------------------------------ */

/* Copy bytes of the log to the position. Words, where the log's bytes begin at one. */
static void copy(const struct dp_map *map, struct dp_spec_buffer *buffer, uint32_t at,
		 const uint8_t *from, unsigned bytes)
{
	unsigned done = 0;

	if (((uintptr_t)from & (DP_UNIT - 1)) == 0)
		for (; bytes - done >= DP_UNIT; done += DP_UNIT)
			*unit_at(map, buffer, at + done) =
				*(const spec_unit *)(const void *)(from + done);
	for (; done < bytes; done++)
		*byte_at(map, buffer, at + done) = from[done];
}

static void append(struct dp_run *run, const struct dp_map *map, struct dp_spec_buffer *buffer,
		   const uint8_t *from, unsigned bytes)
{
	uint64_t ticks = DP_WITH_STREAM ? dp_long_ticks(run) : 0;
	uint32_t at = buffer->head;

	*unit_at(map, buffer, at) = bytes | (uint32_t)run->program->probe << DP_WORD_PROBE;
	*unit_at(map, buffer, at + DP_UNIT) = (uint32_t)ticks;
	*unit_at(map, buffer, at + 2 * DP_UNIT) = (uint32_t)(ticks >> 32);
	copy(map, buffer, at + DP_SPEC_HEAD_BYTES, from, bytes);
	buffer->head = (uint16_t)(at + whole(bytes));
	buffer->records++;
}

/* Make room for the record. returns: false: there is none, which is counted. */
static bool make_room(struct dp_map *map, struct dp_spec_buffer *buffer, uint32_t bytes)
{
	bool fits = bytes <= (map->b >> 8 == DP_SPEC_RING ? map->a : room(map, buffer));

	while (fits && room(map, buffer) < bytes)
		drop_oldest(map, buffer);
	map->dropped += !fits;
	return fits;
}

/* A step for each unit that is copied, and for each record that may give way. */
static enum dp_next log_spec(struct dp_run *run, struct dp_map *map)
{
	struct dp_vm *vm = run->vm;
	dp_word id = pop(vm), from = pop(vm);
	struct dp_spec_buffer *buffer = opened(run, map, id);
	uint32_t bytes;

	if (from > vm->lp)
		return DP_NEXT_GO;
	bytes = whole((uint32_t)(vm->lp - from));
	if (!dp_charge(run, 2 * (bytes / DP_UNIT)))
		return DP_NEXT_BUDGET;
	if (buffer && make_room(map, buffer, bytes))
		append(run, map, buffer, vm->log + from, (unsigned)(vm->lp - from));
	vm->lp = (uint16_t)from;
	if (DP_WITH_LANGUAGE)
		vm->plp = vm->lp;
	return DP_NEXT_GO;
}

/* --- instructions -------------------------------------------------------------------------- */

static void commit(struct dp_run *run, struct dp_spec_buffer *buffer)
{
	if (!buffer)
		return;
	buffer->state = buffer->records > 0 ? DP_SPEC_COMMITTED : DP_SPEC_FREE;
	run->vm->wants |= DP_VM_COMMIT;
}

static void discard(struct dp_spec_buffer *buffer)
{
	if (buffer)
		buffer->state = DP_SPEC_FREE;
}

enum dp_next dp_spec_step(struct dp_run *run, unsigned op, unsigned index)
{
	struct dp_map *map = &run->program->maps[index];

	switch (op) {
	case RPN_LOG_SPEC:
		return log_spec(run, map);
	case RPN_COMMIT:
		commit(run, opened(run, map, pop(run->vm)));
		return DP_NEXT_GO;
	case RPN_DISCARD:
		discard(opened(run, map, pop(run->vm)));
		return DP_NEXT_GO;
	default:
		if (!dp_charge(run, dp_spec_buffers(map)))
			return DP_NEXT_BUDGET;
		push(run->vm, open(run, map));
		return DP_NEXT_GO;
	}
}

/* --- records on their way out -------------------------------------------------------------- */

bool dp_spec_oldest(const struct dp_map *map, const struct dp_spec_buffer *buffer,
		    struct dp_spec_record *record)
{
	uint32_t at = buffer->tail, first, left;

	if (buffer->state != DP_SPEC_COMMITTED)
		return false;
	first = *unit_at(map, buffer, at);
	record->bytes = (uint16_t)first;
	record->probe = (uint8_t)(first >> DP_WORD_PROBE);
	record->ticks = *unit_at(map, buffer, at + DP_UNIT) |
			(uint64_t)*unit_at(map, buffer, at + 2 * DP_UNIT) << 32;
	at += DP_SPEC_HEAD_BYTES;
	left = map->a - (at & (map->a - 1));
	record->part[0] = byte_at(map, buffer, at);
	record->part[1] = byte_at(map, buffer, 0);
	record->part_bytes[0] = record->bytes < left ? record->bytes : (uint16_t)left;
	record->part_bytes[1] = (uint16_t)(record->bytes - record->part_bytes[0]);
	return true;
}

void dp_spec_pass(const struct dp_map *map, struct dp_spec_buffer *buffer)
{
	drop_oldest(map, buffer);
	if (buffer->records == 0)
		buffer->state = DP_SPEC_FREE;
}
#endif
