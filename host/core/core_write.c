/* SPDX-License-Identifier: BSD-2-Clause */
/* This file writes a core. source: System V ABI, chapters 4 and 5 */
#define _GNU_SOURCE
#include "core.h"

#include "base/pool.h"
#include "core_format.h"
#include "core_registers.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	WORD_64 = 8,
	NOTE_ALIGN = 4
};

struct writing {
	const struct dph_core *core;
	struct dph_bytes head, notes;
};

struct dph_core_task *dph_core_add_task(struct dph_core *core)
{
	core->tasks =
		dph_grow(core->tasks, &core->task_capacity, core->task_count, sizeof *core->tasks);
	memset(&core->tasks[core->task_count], 0, sizeof *core->tasks);
	return &core->tasks[core->task_count++];
}

void dph_core_add_module(struct dph_core *core, const struct dp_module_answer *module)
{
	core->modules = dph_grow(core->modules, &core->module_capacity, core->module_count,
				 sizeof *core->modules);
	core->modules[core->module_count++] = *module;
}

void dph_core_add_piece(struct dph_core *core, struct dph_core_piece piece)
{
	core->pieces = dph_grow(core->pieces, &core->piece_capacity, core->piece_count,
				sizeof *core->pieces);
	core->pieces[core->piece_count++] = piece;
}

void dph_core_free(struct dph_core *core)
{
	free(core->tasks);
	free(core->modules);
	free(core->pieces);
	memset(core, 0, sizeof *core);
}

/* --- numbers --- */

static void put(const struct writing *w, struct dph_bytes *to, unsigned bytes, uint64_t value)
{
	for (unsigned i = 0; i < bytes; i++) {
		const unsigned at = w->core->big_endian ? bytes - 1 - i : i;
		const uint8_t byte = (uint8_t)(value >> 8 * at);

		dph_bytes_add(to, &byte, 1);
	}
}

static void put_word(const struct writing *w, struct dph_bytes *to, uint64_t value)
{
	put(w, to, w->core->word_bytes, value);
}

static size_t aligned(size_t bytes, size_t to)
{
	return (bytes + to - 1) / to * to;
}

/* --- notes --- */

static void add_note(struct writing *w, const char *owner, unsigned type,
		     const struct dph_bytes *content)
{
	const size_t name = strlen(owner) + 1;

	put(w, &w->notes, 4, name);
	put(w, &w->notes, 4, content->count);
	put(w, &w->notes, 4, type);
	dph_bytes_add(&w->notes, owner, name);
	dph_bytes_zero(&w->notes, aligned(name, NOTE_ALIGN) - name);
	dph_bytes_add(&w->notes, content->data, content->count);
	dph_bytes_zero(&w->notes, aligned(content->count, NOTE_ALIGN) - content->count);
}

/* The registers of a task, as struct elf_prstatus of Linux has them. */
static void add_registers(struct writing *w, const struct dph_core_task *task, unsigned id)
{
	const unsigned word = w->core->word_bytes;
	const size_t id_at = word == WORD_64 ? DPH_PRSTATUS_ID_64 : DPH_PRSTATUS_ID_32;
	const size_t registers =
		word == WORD_64 ? DPH_PRSTATUS_REGISTERS_64 : DPH_PRSTATUS_REGISTERS_32;
	const unsigned slots = dph_core_slots(w->core->cpu, word);
	struct dph_bytes content = {0};

	dph_bytes_zero(&content, id_at);
	put(w, &content, 4, id);
	dph_bytes_zero(&content, registers - content.count);
	for (unsigned i = 0; i < slots; i++) {
		const struct dph_core_slot slot = dph_core_slot(w->core->cpu, word, i);
		const bool known = slot.index < DPH_CORE_REGISTERS && task->known[slot.index];

		put_word(w, &content, known ? dph_core_word(&slot, task->values[slot.index]) : 0);
	}
	dph_bytes_zero(&content, aligned(DPH_PRSTATUS_BEHIND, word));
	add_note(w, DPH_NOTE_LINUX, NT_PRSTATUS, &content);
	free(content.data);
}

static void add_task(struct writing *w, const struct dph_core_task *task, unsigned id)
{
	struct dph_bytes content = {0};

	put(w, &content, 4, id);
	put(w, &content, 8, task->block);
	put(w, &content, 8, (uint64_t)task->priority);
	dph_bytes_add(&content, task->name, strlen(task->name) + 1);
	dph_bytes_add(&content, task->state, strlen(task->state) + 1);
	dph_bytes_add(&content, task->where, strlen(task->where) + 1);
	add_note(w, DPH_NOTE_OWNER, DPH_NOTE_TASK, &content);
	free(content.data);
}

static void add_module(struct writing *w, const struct dp_module_answer *module)
{
	struct dph_bytes content = {0};

	put(w, &content, 4, module->identity);
	put(w, &content, 8, module->base);
	put(w, &content, 8, module->bytes);
	put(w, &content, 8, module->linked);
	dph_bytes_add(&content, module->id.bytes, module->id.count);
	add_note(w, DPH_NOTE_OWNER, DPH_NOTE_MODULE, &content);
	free(content.data);
}

static void add_notes(struct writing *w)
{
	const struct dph_core *core = w->core;
	struct dph_bytes content = {0};

	for (size_t i = 0; i < core->task_count; i++)
		if (core->tasks[i].saved)
			add_registers(w, &core->tasks[i], (unsigned)i + 1);
	for (size_t i = 0; i < core->task_count; i++)
		add_task(w, &core->tasks[i], (unsigned)i + 1);
	for (size_t i = 0; i < core->module_count; i++)
		add_module(w, &core->modules[i]);
	dph_bytes_add(&content, core->reason, strlen(core->reason) + 1);
	dph_bytes_add(&content, core->kernel, strlen(core->kernel) + 1);
	add_note(w, DPH_NOTE_OWNER, DPH_NOTE_REASON, &content);
	free(content.data);
}

/* --- headers --- */

static void add_header(struct writing *w)
{
	const struct dph_core *core = w->core;
	const bool wide = core->word_bytes == WORD_64;
	const uint8_t ident[EI_NIDENT] = {
		ELFMAG0,
		ELFMAG1,
		ELFMAG2,
		ELFMAG3,
		wide ? ELFCLASS64 : ELFCLASS32,
		core->big_endian ? ELFDATA2MSB : ELFDATA2LSB,
		EV_CURRENT,
	};

	dph_bytes_add(&w->head, ident, sizeof ident);
	put(w, &w->head, 2, ET_CORE);
	put(w, &w->head, 2, core->machine);
	put(w, &w->head, 4, EV_CURRENT);
	put_word(w, &w->head, 0);
	put_word(w, &w->head, wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
	put_word(w, &w->head, 0);
	put(w, &w->head, 4, core->flags);
	put(w, &w->head, 2, wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
	put(w, &w->head, 2, wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
	put(w, &w->head, 2, core->piece_count + 1);
	put(w, &w->head, 2, 0);
	put(w, &w->head, 2, 0);
	put(w, &w->head, 2, 0);
}

struct segment {
	unsigned type, flags;
	uint64_t offset, address, file_bytes, bytes, align;
};

static void add_segment(struct writing *w, const struct segment *s)
{
	const bool wide = w->core->word_bytes == WORD_64;

	put(w, &w->head, 4, s->type);
	if (wide)
		put(w, &w->head, 4, s->flags);
	put_word(w, &w->head, s->offset);
	put_word(w, &w->head, s->address);
	put_word(w, &w->head, s->address);
	put_word(w, &w->head, s->file_bytes);
	put_word(w, &w->head, s->bytes);
	if (!wide)
		put(w, &w->head, 4, s->flags);
	put_word(w, &w->head, s->align);
}

static void add_segments(struct writing *w)
{
	const struct dph_core *core = w->core;
	const size_t each = core->word_bytes == WORD_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	const size_t notes = w->head.count + (core->piece_count + 1) * each;
	uint64_t offset = notes + w->notes.count;

	add_segment(w, &(struct segment){.type = PT_NOTE,
					 .offset = notes,
					 .file_bytes = w->notes.count,
					 .align = NOTE_ALIGN});
	for (size_t i = 0; i < core->piece_count; i++) {
		const struct dph_core_piece *piece = &core->pieces[i];
		const size_t there = piece->data != NULL ? piece->bytes : 0;

		add_segment(w, &(struct segment){.type = PT_LOAD,
						 .flags = PF_R | PF_W,
						 .offset = offset,
						 .address = piece->address,
						 .file_bytes = there,
						 .bytes = piece->bytes,
						 .align = 1});
		offset += there;
	}
}

/* --- the file --- */

static bool write_all(struct writing *w, FILE *out)
{
	const struct dph_core *core = w->core;

	add_notes(w);
	add_header(w);
	add_segments(w);
	fwrite(w->head.data, 1, w->head.count, out);
	fwrite(w->notes.data, 1, w->notes.count, out);
	for (size_t i = 0; i < core->piece_count; i++)
		if (core->pieces[i].data != NULL)
			fwrite(core->pieces[i].data, 1, core->pieces[i].bytes, out);
	free(w->head.data);
	free(w->notes.data);
	return fflush(out) == 0 && ferror(out) == 0;
}

bool dph_core_write(const struct dph_core *core, const char *path)
{
	struct writing w = {.core = core};
	char *part;
	FILE *out;
	bool good;
	int error;

	if (core->piece_count + 1 >= PN_XNUM) { /* with the notes */
		errno = EFBIG;
		return false;
	}
	part = dph_print("%s.part", path);
	out = fopen(part, "wb");
	good = out != NULL && write_all(&w, out);
	error = errno;

	if (out != NULL && fclose(out) != 0 && good) {
		good = false;
		error = errno;
	}
	if (good && rename(part, path) != 0) {
		good = false;
		error = errno;
	}
	if (!good && out != NULL)
		unlink(part);
	free(part);
	errno = error;
	return good;
}
