/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs in the arena: [program 0: object, variables][program 1 ...][upload].  A committed upload
 * stays where it is; removing a program closes the gap. Interrupts are masked by the callers that
 * move anything a hit reads. */
#include "dp_bytes.h"
#include "dp_core.h"
#include "dp_crc.h"
#include "dp_memory.h"

static uint32_t round_up(uint32_t bytes)
{
	return (bytes + 7) & ~7u;
}

uint8_t *dp_upload_bytes(struct dp_agent *agent)
{
	return agent->arena + agent->arena_used;
}

uint32_t dp_arena_free(const struct dp_agent *agent)
{
	return DP_ARENA_BYTES - agent->arena_used;
}

enum dp_err dp_upload_begin(struct dp_agent *agent, uint32_t bytes, uint32_t crc)
{
	struct dp_upload *upload = &agent->upload;

	if (upload->open && !upload->done && upload->have == 0 && upload->bytes == bytes &&
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
	upload->have = 0;
	return DP_ERR_OK;
}

enum dp_err dp_upload_data(struct dp_agent *agent, uint16_t transaction, uint32_t offset,
			   const uint8_t *data, uint32_t bytes)
{
	struct dp_upload *upload = &agent->upload;

	if (!upload->open || upload->done || upload->transaction != transaction)
		return DP_ERR_BAD_TXN;
	if (offset > upload->have || bytes > upload->bytes || offset > upload->bytes - bytes)
		return DP_ERR_BAD_TXN;
	if (offset + bytes > upload->have) {
		dp_copy(dp_upload_bytes(agent) + offset, data, bytes);
		upload->have = offset + bytes;
	}
	return DP_ERR_OK;
}

void dp_upload_drop(struct dp_agent *agent)
{
	agent->upload.open = 0;
}

static uint8_t free_program(const struct dp_agent *agent)
{
	for (uint8_t i = 0; i < DP_MAX_PROGRAMS; i++)
		if (!agent->program[i].used)
			return i;
	return DP_NONE;
}

static void fill_program(struct dp_program *program, const struct dp_layout *layout)
{
	const uint8_t *object = program->object;

	program->crc = dp_crc32(0, object, layout->bytes);
	program->bytes = layout->bytes;
	program->id = dp_get_u32(object + DP_OBJ_ID);
	program->name = object + layout->strings + dp_get_u16(object + DP_OBJ_NAME);
	program->name_bytes = object[DP_OBJ_NAME_BYTES];
	program->code = object + layout->code;
	program->code_bytes = layout->code_bytes;
	program->probes = (uint8_t)layout->probe_count;
	program->probes_offset = (uint16_t)layout->probes;
	program->modules_offset = (uint16_t)layout->modules;
	program->strings_offset = (uint16_t)layout->strings;
	program->vars = dp_get_u16(object + DP_OBJ_VARS);
	program->gvars = dp_get_u16(object + DP_OBJ_GVARS);
	program->major = dp_get_u16(object + DP_OBJ_MAJOR);
	program->jmpmax = dp_get_u16(object + DP_OBJ_JMPMAX);
	program->logmax = dp_get_u16(object + DP_OBJ_LOGMAX);
	program->excpt_log = dp_get_u16(object + DP_OBJ_EXCPT_LOG);
	program->autostacktrace = (object[DP_OBJ_FLAGS] & DP_PROGRAM_AUTOSTACKTRACE) != 0;
}

uint8_t dp_store_program(struct dp_agent *agent, const struct dp_layout *layout, enum dp_err *error)
{
	uint8_t index = free_program(agent);
	uint32_t object_bytes = round_up(layout->bytes);
	uint32_t variables = dp_get_u16(dp_upload_bytes(agent) + DP_OBJ_VARS) * sizeof(dp_word);
	struct dp_program *program;

	if (index == DP_NONE) {
		*error = DP_ERR_TABLE_FULL;
		return DP_NONE;
	}
	if (object_bytes + round_up(variables) > dp_arena_free(agent)) {
		*error = DP_ERR_NO_SPACE;
		return DP_NONE;
	}
	program = &agent->program[index];
	dp_clear(program, sizeof(*program));
	program->object = dp_upload_bytes(agent);
	fill_program(program, layout);
	program->lv = (dp_word *)(void *)(program->object + object_bytes);
	program->held = object_bytes + round_up(variables);
	dp_clear(program->lv, variables);
	program->used = 1;
	agent->arena_used += program->held;
	return index;
}

void dp_store_remove(struct dp_agent *agent, uint8_t index)
{
	struct dp_program *gone = &agent->program[index];
	uint32_t held = gone->held;
	uint8_t *end = agent->arena + agent->arena_used;

	if (agent->upload.open && !agent->upload.done)
		end += agent->upload.have;
	gone->used = 0;
	dp_move_down(gone->object, gone->object + held, (size_t)(end - (gone->object + held)));
	agent->arena_used -= held;
	for (unsigned i = 0; i < DP_MAX_PROGRAMS; i++) {
		struct dp_program *p = &agent->program[i];

		if (!p->used || p->object < gone->object)
			continue;
		p->object -= held;
		p->code -= held;
		p->name -= held;
		p->lv = (dp_word *)(void *)((uint8_t *)p->lv - held);
	}
}

uint8_t dp_store_find(const struct dp_agent *agent, const uint8_t *name, uint8_t name_bytes,
		      uint32_t id, uint8_t from)
{
	for (unsigned i = from; i < DP_MAX_PROGRAMS; i++) {
		const struct dp_program *p = &agent->program[i];

		if (p->used && p->id == id && p->name_bytes == name_bytes &&
		    dp_equal(p->name, name, name_bytes))
			return (uint8_t)i;
	}
	return DP_NONE;
}
