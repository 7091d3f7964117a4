/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs in the arena: [program 0: object, variables][program 1 ...][upload]. A committed
 * upload stays in place; removing a program closes the gap, program by program (move.c). */
#include "dp_store.h"

#include "dp_build.h"

#include "dp_entries.h"
#include "dp_lock.h"
#include "dp_map_store.h"
#include "dp_memory.h"

static uint32_t round_up(uint32_t bytes)
{
	return (bytes + 7) & ~7u;
}

enum dp_err dp_upload_begin(struct dp_agent *agent, uint32_t bytes, uint32_t crc)
{
	struct dp_upload *upload = &agent->upload;

	upload->ranges = 1;
	if (upload->open && !upload->done && dp_upload_have(agent) == 0 && upload->bytes == bytes &&
	    upload->crc == crc)
		return DP_ERR_OK; /* the same BEGIN again */
	upload->open = 0;
	if (bytes > dp_arena_free(agent))
		return DP_ERR_ARENA_FULL;
	upload->transaction++;
	upload->open = 1;
	upload->done = 0;
	upload->bytes = bytes;
	upload->crc = crc;
	upload->received[0].end = 0;
	return DP_ERR_OK;
}

static bool has(const struct dp_upload *upload, uint32_t at)
{
	const struct dp_received *r = upload->received;

	for (unsigned n = upload->ranges; n > 0; n--, r++)
		if (at - r->first < r->end - r->first)
			return true;
	return false;
}

/* Note the received bytes [first, end), together with the ranges that they touch.
 * returns: BAD_TXN when no further range fits. */
static enum dp_err note(struct dp_upload *upload, uint32_t first, uint32_t end)
{
	struct dp_received *out = upload->received, *r = out;

	for (unsigned n = upload->ranges; n > 0; n--, r++) {
		if (r->first > end || r->end < first) {
			*out++ = *r;
			continue;
		}
		first = r->first < first ? r->first : first;
		end = r->end > end ? r->end : end;
	}
	if (out == upload->received + DP_RECEIVED_MAX)
		return DP_ERR_BAD_TXN;
	upload->ranges = (uint8_t)(out - upload->received + 1);
	for (; out > upload->received && out[-1].first > first; out--)
		*out = out[-1];
	out->first = first;
	out->end = end;
	return DP_ERR_OK;
}

enum dp_err dp_upload_data(struct dp_agent *agent, unsigned transaction, uint32_t offset,
			   const uint8_t *data, uint32_t bytes)
{
	struct dp_upload *upload = &agent->upload;
	uint8_t *object = dp_upload_bytes(agent);

	if (!upload->open || upload->done || upload->transaction != transaction ||
	    bytes > upload->bytes || offset > upload->bytes - bytes)
		return DP_ERR_BAD_TXN;
	for (uint32_t i = 0; i < bytes; i++)
		if (!has(upload, offset + i))
			object[offset + i] = data[i];
	return note(upload, offset, offset + bytes);
}

_Static_assert(DP_OBJ_JMPMAX == DP_OBJ_MAJOR + 2 && DP_OBJ_LOGMAX == DP_OBJ_MAJOR + 4 &&
		       DP_OBJ_EXCPT_LOG == DP_OBJ_MAJOR + 6 && DP_OBJ_VARS == DP_OBJ_MAJOR + 8 &&
		       DP_OBJ_GVARS == DP_OBJ_MAJOR + 10,
	       "the numbers of a view are in the order of the header");

void dp_store_describe(struct dp_agent *agent, struct dp_program *program,
		       const struct dp_layout *layout)
{
	struct dp_program_view *view = &program->view;
	uint8_t *object = dp_upload_bytes(agent);

	dp_clear(program, sizeof(*program));
	program->object = object;
	program->bytes = agent->upload.bytes;
	program->crc = agent->upload.crc;
	program->modules = (uint16_t)layout->modules;
	program->traits = (uint16_t)layout->traits;
	program->points = (uint16_t)layout->probes;
	program->probes = (uint8_t)layout->probe_count;
	view->code = object + layout->code;
	view->code_bytes = layout->code_bytes;
	view->id = dp_get_u32(object + DP_OBJ_ID);
	view->name = object + layout->strings + dp_get_u16(object + DP_OBJ_NAME);
	view->name_bytes = object[DP_OBJ_NAME_BYTES];
	view->asks_old = layout->asks_old;
	view->autostacktrace = (object[DP_OBJ_FLAGS] & DP_PROGRAM_AUTOSTACKTRACE) != 0;
	view->gv = agent->gv;
	dp_store_describe_maps(agent, program, layout);
	for (unsigned i = 0; i < sizeof(view->number) / sizeof(view->number[0]); i++)
		view->number[i] = dp_get_u16(object + DP_OBJ_MAJOR + 2 * i);
}

/* The program that lies next behind `from`, or DP_NONE. */
static uint8_t next_behind(const struct dp_agent *agent, const uint8_t *from)
{
	const uint8_t *best = agent->arena + DP_ARENA_BYTES;
	uint8_t found = DP_NONE;

	for (uint8_t i = 0; i < DP_MAX_PROGRAMS; i++) {
		const uint8_t *object = agent->program[i].object; /* null: below all */

		if (object > from && object < best) {
			best = object;
			found = i;
		}
	}
	return found;
}

/* The gone program that lies behind all other gone ones, or DP_NONE. */
static uint8_t last_gone(const struct dp_agent *agent)
{
	const uint8_t *last = NULL;
	uint8_t found = DP_NONE;

	for (uint8_t i = 0; i < DP_MAX_PROGRAMS; i++) {
		const struct dp_program *p = &agent->program[i];

		if (p->gone && p->object > last) {
			last = p->object;
			found = i;
		}
	}
	return found;
}

/* The upload goes down behind the last program that stays. No hit reads the upload. */
static void give_room_back(struct dp_agent *agent, struct dp_program *gone)
{
	uint8_t *upload = dp_upload_bytes(agent);
	dp_irq irq;

	if (agent->upload.open && !agent->upload.done)
		dp_copy_words(upload - gone->held, upload, round_up(agent->upload.bytes));
	irq = dp_lock_take();
	agent->arena_used -= gone->held;
	gone->object = NULL;
	gone->gone = 0;
	agent->patrol_at = 0; /* the patrol may have been in this program */
	dp_lock_give(irq);
}

/* The gone program changes places with each program behind it. */
static void close_gap(struct dp_agent *agent, struct dp_program *gone)
{
	uint8_t next;

	while ((next = next_behind(agent, gone->object)) != DP_NONE) {
		dp_move_down(agent, next, gone->held);
		gone->object += agent->program[next].held;
	}
	give_room_back(agent, gone);
}

enum dp_err dp_store_program(struct dp_agent *agent, struct dp_program *described, uint8_t *index)
{
	uint32_t object_bytes = round_up(agent->upload.bytes);
	uint32_t variables = round_up(described->view.vars * (uint32_t)sizeof(dp_word));
	uint32_t data = variables + dp_store_map_bytes(described);
	struct dp_program *program = agent->program;
	dp_irq irq;

	for (*index = 0; program->object; program++)
		if (++*index == DP_MAX_PROGRAMS)
			return DP_ERR_TABLE_FULL;
	if (object_bytes + data > dp_arena_free(agent))
		return DP_ERR_NO_SPACE;
	described->view.lv = (dp_word *)(void *)(described->object + object_bytes);
	described->held = object_bytes + data;
	dp_clear(described->view.lv, data);
	dp_store_place_maps(described, described->object + object_bytes + variables);
	irq = dp_lock_take();
	dp_copy_words(program, described, sizeof(*program));
	agent->arena_used += program->held;
	agent->programs++;
	dp_lock_give(irq);
	return DP_ERR_OK;
}

void dp_store_forget(struct dp_agent *agent, uint8_t index)
{
	struct dp_program *program = dp_program_at(agent, index);
	dp_irq irq = dp_lock_take();

	if (dp_program_there(program)) { /* a hit may have removed the program */
		agent->programs--;
		program->gone = 1;
		if (agent->executing)
			agent->leavings = 1;
		else
			dp_store_tidy(agent);
	}
	dp_lock_give(irq);
}

void dp_store_reopen(struct dp_agent *agent, uint8_t index)
{
	struct dp_program *program = dp_program_at(agent, index);
	dp_irq irq = dp_lock_take();

	program->object = NULL;
	agent->arena_used -= program->held;
	dp_lock_give(irq);
}

void dp_store_tidy(struct dp_agent *agent)
{
	uint8_t gone;

	while ((gone = last_gone(agent)) != DP_NONE)
		close_gap(agent, dp_program_at(agent, gone));
}

uint8_t dp_store_find(const struct dp_agent *agent, const struct dp_program *like, unsigned from)
{
	for (unsigned i = from; i < DP_MAX_PROGRAMS; i++) {
		const struct dp_program *p = &agent->program[i];

		if (p->object && p->view.id == like->view.id &&
		    p->view.name_bytes == like->view.name_bytes &&
		    dp_equal(p->view.name, like->view.name, like->view.name_bytes))
			return (uint8_t)i;
	}
	return DP_NONE;
}

struct dp_point dp_program_point(const struct dp_program *program, unsigned point)
{
	const uint8_t *row = program->object + program->points + point * DP_PROBE_BYTES;
	uint32_t traits = program->traits + row[DP_PT_TRAITS] * (uint32_t)DP_TRAITS_BYTES;

	if (traits + DP_TRAITS_BYTES > program->bytes)
		traits = program->traits;
	return (struct dp_point){row, program->object + traits};
}
