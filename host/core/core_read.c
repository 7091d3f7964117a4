/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads a core that dprobes wrote. Each number of the file is checked before its use. */
#include "core.h"

#include "core_format.h"
#include "core_registers.h"

#include "tables/registers.h"

#include <elf.h>
#include <limits.h>
#include <string.h>

enum {
	WORD_32 = 4,
	WORD_64 = 8,
	NOTE_ALIGN = 4,
	NOTE_HEAD = 12,
	TASK_HEAD = 20,   /* the numbers of DPH_NOTE_TASK */
	MODULE_HEAD = 28, /* and of DPH_NOTE_MODULE */
	TASKS_MAX = 4096
};

struct reading {
	struct dph_core *core;
	const uint8_t *data;
	size_t bytes;
};

static uint64_t get(const struct dph_core *core, const uint8_t *from, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value = value << 8 | from[core->big_endian ? i : bytes - 1 - i];
	return value;
}

/* --- notes --- */

/* The task with the number of a note, which is made when there is none; null: no such number. */
static struct dph_core_task *task_of(struct dph_core *core, uint64_t id)
{
	if (id == 0 || id > TASKS_MAX)
		return NULL;
	while (core->task_count < id)
		dph_core_add_task(core);
	return &core->tasks[id - 1];
}

static const char *take_registers(struct dph_core *core, const uint8_t *content, size_t bytes)
{
	const unsigned word = core->word_bytes, slots = dph_core_slots(core->cpu, word);
	const size_t id_at = word == WORD_64 ? DPH_PRSTATUS_ID_64 : DPH_PRSTATUS_ID_32;
	const size_t at = word == WORD_64 ? DPH_PRSTATUS_REGISTERS_64 : DPH_PRSTATUS_REGISTERS_32;
	struct dph_core_task *task;

	if (bytes < at + (size_t)slots * word)
		return "the registers of a task are cut";
	task = task_of(core, get(core, content + id_at, 4));
	if (task == NULL)
		return "a task has a number that no task can have";
	for (unsigned i = 0; i < slots; i++) {
		const struct dph_core_slot slot = dph_core_slot(core->cpu, word, i);

		if (slot.index >= DPH_CORE_REGISTERS || slot.made)
			continue;
		task->known[slot.index] = true;
		task->values[slot.index] = get(core, content + at + (size_t)i * word, word);
	}
	task->saved = true;
	return NULL;
}

/* Copy a text with a NUL. Returns the bytes behind it; null: it has no NUL, or no room. */
static const uint8_t *take_text(char *to, const uint8_t *from, const uint8_t *end)
{
	const uint8_t *nul = from < end ? memchr(from, '\0', (size_t)(end - from)) : NULL;

	if (nul == NULL || nul - from >= DPH_CORE_TEXT_ROOM)
		return NULL;
	memcpy(to, from, (size_t)(nul - from) + 1);
	return nul + 1;
}

static const char *take_task(struct dph_core *core, const uint8_t *content, size_t bytes)
{
	const uint8_t *text = content + TASK_HEAD, *end = content + bytes;
	struct dph_core_task *task = NULL;

	if (bytes > TASK_HEAD)
		task = task_of(core, get(core, content, 4));
	if (task == NULL)
		return "a task has a number that no task can have";
	task->block = get(core, content + 4, 8);
	task->priority = (int64_t)get(core, content + 12, 8);
	text = take_text(task->name, text, end);
	text = text != NULL ? take_text(task->state, text, end) : NULL;
	if (text == NULL || take_text(task->where, text, end) == NULL)
		return "the name of a task is cut";
	return NULL;
}

static const char *take_reason(struct dph_core *core, const uint8_t *content, size_t bytes)
{
	const uint8_t *text = take_text(core->reason, content, content + bytes);

	return text != NULL && take_text(core->kernel, text, content + bytes) != NULL
		       ? NULL
		       : "the reason of the core is cut";
}

static const char *take_module(struct dph_core *core, const uint8_t *content, size_t bytes)
{
	struct dp_module_answer module = {0};

	if (bytes < MODULE_HEAD || bytes - MODULE_HEAD > sizeof module.id.bytes)
		return "the identity of the firmware has a wrong length";
	module.identity = (uint8_t)get(core, content, 4);
	module.base = get(core, content + 4, 8);
	module.bytes = get(core, content + 12, 8);
	module.linked = get(core, content + 20, 8);
	module.id.count = (uint8_t)(bytes - MODULE_HEAD);
	memcpy(module.id.bytes, content + MODULE_HEAD, bytes - MODULE_HEAD);
	dph_core_add_module(core, &module);
	return NULL;
}

struct note {
	const uint8_t *owner, *content;
	size_t owner_bytes, bytes;
	unsigned type;
};

static bool is_of(const struct note *note, const char *owner)
{
	return note->owner_bytes == strlen(owner) + 1 &&
	       memcmp(note->owner, owner, note->owner_bytes) == 0;
}

static const char *take_note(struct dph_core *core, const struct note *note)
{
	if (is_of(note, DPH_NOTE_LINUX) && note->type == NT_PRSTATUS)
		return take_registers(core, note->content, note->bytes);
	if (is_of(note, DPH_NOTE_OWNER) && note->type == DPH_NOTE_TASK)
		return take_task(core, note->content, note->bytes);
	if (is_of(note, DPH_NOTE_OWNER) && note->type == DPH_NOTE_REASON)
		return take_reason(core, note->content, note->bytes);
	if (is_of(note, DPH_NOTE_OWNER) && note->type == DPH_NOTE_MODULE)
		return take_module(core, note->content, note->bytes);
	return NULL;
}

static size_t aligned(uint64_t bytes)
{
	return (size_t)((bytes + NOTE_ALIGN - 1) / NOTE_ALIGN * NOTE_ALIGN);
}

static const char *take_notes(struct dph_core *core, const uint8_t *data, size_t bytes)
{
	while (bytes >= NOTE_HEAD) {
		struct note note = {
			.owner = data + NOTE_HEAD,
			.owner_bytes = (size_t)get(core, data, 4),
			.bytes = (size_t)get(core, data + 4, 4),
			.type = (unsigned)get(core, data + 8, 4),
		};
		const size_t whole = NOTE_HEAD + aligned(note.owner_bytes) + aligned(note.bytes);
		const char *wrong;

		if (whole > bytes)
			return "a note is cut";
		note.content = note.owner + aligned(note.owner_bytes);
		wrong = take_note(core, &note);
		if (wrong != NULL)
			return wrong;
		data += whole;
		bytes -= whole;
	}
	return NULL;
}

/* --- segments --- */

struct segment {
	unsigned type;
	uint64_t offset, address, file_bytes, bytes;
};

/* source: Elf32_Phdr and Elf64_Phdr */
static void read_segment(const struct dph_core *core, const uint8_t *from, struct segment *s)
{
	const unsigned word = core->word_bytes;
	const uint8_t *at = from + (word == WORD_64 ? 8 : 4);

	s->type = (unsigned)get(core, from, 4);
	s->offset = get(core, at, word);
	s->address = get(core, at + word, word);
	s->file_bytes = get(core, at + 3 * (size_t)word, word);
	s->bytes = get(core, at + 4 * (size_t)word, word);
}

static const char *take_segment(const struct reading *r, const struct segment *s)
{
	const bool there = s->file_bytes > 0;

	if (s->type != PT_NOTE && s->type != PT_LOAD)
		return NULL;
	if ((there || s->type == PT_NOTE) &&
	    (s->offset > r->bytes || s->file_bytes > r->bytes - s->offset))
		return "the file is cut";
	if (s->type == PT_NOTE)
		return take_notes(r->core, r->data + s->offset, (size_t)s->file_bytes);
	if (s->bytes > SIZE_MAX - s->address || (there && s->file_bytes > s->bytes))
		return "a piece of memory has a wrong length";
	if (there)
		dph_core_add_piece(r->core,
				   (struct dph_core_piece){s->address, (size_t)s->file_bytes,
							   r->data + s->offset});
	if (s->file_bytes < s->bytes)
		dph_core_add_piece(
			r->core, (struct dph_core_piece){s->address + s->file_bytes,
							 (size_t)(s->bytes - s->file_bytes), NULL});
	return NULL;
}

static const char *take_segments(const struct reading *r)
{
	const bool wide = r->core->word_bytes == WORD_64;
	const unsigned word = r->core->word_bytes;
	const uint64_t table = get(r->core, r->data + EI_NIDENT + 8 + word, word);
	const uint8_t *tail = r->data + EI_NIDENT + 8 + 3 * (size_t)word;
	const unsigned each = (unsigned)get(r->core, tail + 6, 2),
		       count = (unsigned)get(r->core, tail + 8, 2);

	r->core->flags = (uint32_t)get(r->core, tail, 4);
	if (each < (wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)) || table > r->bytes ||
	    count > (r->bytes - table) / each)
		return "the file is cut";
	for (unsigned i = 0; i < count; i++) {
		struct segment segment;
		const char *wrong;

		read_segment(r->core, r->data + table + (size_t)i * each, &segment);
		wrong = take_segment(r, &segment);
		if (wrong != NULL)
			return wrong;
	}
	return NULL;
}

/* --- the file --- */

static const char *know_cpu(struct dph_core *core)
{
	const struct dph_elf_kind kind = {.machine = core->machine,
					  .word_bits = core->word_bytes * CHAR_BIT};

	if (core->cpu == NULL)
		core->cpu = core->machine == 0 ? dph_cpu_default() : dph_cpu_of_elf(&kind);
	return dph_core_slots(core->cpu, core->word_bytes) > 0
		       ? NULL
		       : "the registers of its CPU are not known here";
}

const char *dph_core_read(struct dph_core *core, const uint8_t *data, size_t bytes)
{
	const struct reading r = {core, data, bytes};
	const char *wrong;

	if (bytes < sizeof(Elf32_Ehdr) || memcmp(data, ELFMAG, SELFMAG) != 0)
		return "it is no ELF file";
	core->word_bytes = data[EI_CLASS] == ELFCLASS64 ? WORD_64 : WORD_32;
	core->big_endian = data[EI_DATA] == ELFDATA2MSB;
	if (core->word_bytes == WORD_64 && bytes < sizeof(Elf64_Ehdr))
		return "the file is cut";
	if (get(core, data + EI_NIDENT, 2) != ET_CORE)
		return "it is no core, but another ELF file";
	core->machine = (unsigned)get(core, data + EI_NIDENT + 2, 2);
	wrong = know_cpu(core);
	return wrong != NULL ? wrong : take_segments(&r);
}

static const struct dph_core_piece *piece_at(const struct dph_core *core, uint64_t address)
{
	for (size_t i = 0; i < core->piece_count; i++)
		if (core->pieces[i].data != NULL &&
		    address - core->pieces[i].address < core->pieces[i].bytes)
			return &core->pieces[i];
	return NULL;
}

size_t dph_core_memory(const struct dph_core *core, uint64_t address, uint8_t *to, size_t bytes)
{
	size_t have = 0;

	while (have < bytes) {
		const struct dph_core_piece *piece = piece_at(core, address + have);
		size_t at, now;

		if (piece == NULL)
			break;
		at = (size_t)(address + have - piece->address);
		now = piece->bytes - at;
		now = now < bytes - have ? now : bytes - have;
		memcpy(to + have, piece->data + at, now);
		have += now;
	}
	return have;
}
