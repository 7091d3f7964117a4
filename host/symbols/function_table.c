/* SPDX-License-Identifier: BSD-2-Clause */
/* Function symbols and mapping symbols of an ELF file become the table of functions. */
#include "function_table.h"

#include "base/diag.h"
#include "base/pool.h"
#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_functions.h"
#include "elf_image.h"
#include "insn_walk.h"
#include "tables/isas.h"
#include "tables/registers.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	uint64_t address;
	unsigned kind; /* DP_ISA_* or DP_FUNCTIONS_DATA */
};

struct writer {
	const struct dp_image *image;
	const struct dph_cpu *cpu;
	unsigned unit;
	struct entry *list;
	size_t count, capacity;
};

/* --- entries ------------------------------------------------------------------------------- */

/* The finest alignment of the CPU's instruction sets. */
static unsigned unit_of(const struct dph_cpu *cpu)
{
	unsigned unit = dph_isa_usual(cpu)->align;
	for (unsigned number = 0; number < DP_FUNCTIONS_DATA; number++) {
		const struct dph_isa *isa = dph_isa_numbered(cpu, number);
		if (isa && isa->align < unit)
			unit = isa->align;
	}
	return unit;
}

/* Of two entries at one address the later one counts. Data may begin between two units. */
static void add(struct writer *w, uint64_t address, unsigned kind)
{
	const uint64_t rest = address % w->unit;
	address += rest ? w->unit - rest : 0;
	if (w->count && w->list[w->count - 1].address >= address)
		w->count--;
	w->list = dph_grow(w->list, &w->capacity, w->count, sizeof *w->list);
	w->list[w->count++] = (struct entry){address, kind};
}

/* Entries in code without a change, so that the agent's way to an instruction is short. */
static void add_between(struct writer *w, const struct dph_isa *isa, uint64_t end)
{
	for (;;) {
		const uint64_t last = w->list[w->count - 1].address;
		uint64_t at;
		if (end - last <= DP_FUNCTIONS_REACH)
			return;
		at = dph_insn_near(w->image, isa, last, last + DP_FUNCTIONS_REACH, DPH_UNIT_MAX);
		if (at == last || at >= end)
			return;
		add(w, at, isa->number);
	}
}

static bool is_function(const struct dp_image *image, uint64_t address)
{
	const struct dp_symbol *symbol = dp_image_function(image, address);
	return symbol && symbol->value == address;
}

static void collect(struct writer *w)
{
	unsigned before = DP_FUNCTIONS_DATA;
	uint64_t at, next = 0; /* code may begin at address 0 */
	for (; next != UINT64_MAX; before = w->count ? w->list[w->count - 1].kind : before) {
		const struct dph_isa *isa;
		at = next;
		next = dph_image_next_change(w->image, at);
		isa = dph_isa_in(w->image, w->cpu, at);
		if (!isa && before != DP_FUNCTIONS_DATA)
			add(w, at, DP_FUNCTIONS_DATA);
		if (!isa)
			continue;
		if (isa->number != before || is_function(w->image, at))
			add(w, at, isa->number);
		if (w->count && next != UINT64_MAX)
			add_between(w, isa, next);
	}
}

/* --- bytes --------------------------------------------------------------------------------- */

static void put_number(struct dph_bytes *out, uint64_t value)
{
	do {
		const uint8_t byte = (value & 0x7f) | (value > 0x7f ? 0x80 : 0);
		dph_bytes_add(out, &byte, 1);
		value >>= 7;
	} while (value);
}

static void put_table(const struct writer *w, struct dph_bytes *out)
{
	uint64_t last = w->list[0].address;
	uint8_t *header;
	dph_bytes_zero(out, DP_FUNCTIONS_HEADER_BYTES);
	for (size_t i = 0; i < w->count; i++) {
		put_number(out, (w->list[i].address - last) / w->unit << 2 | w->list[i].kind);
		last = w->list[i].address;
	}
	header = out->data;
	memcpy(header, DP_FUNCTIONS_MAGIC, 4);
	dp_put_u32(header + DP_FUNCTIONS_BYTES_AT, (uint32_t)out->count);
	dp_put_u32(header + DP_FUNCTIONS_COUNT, (uint32_t)w->count);
	dp_put_u32(header + DP_FUNCTIONS_UNIT, w->unit);
	dp_put_u64(header + DP_FUNCTIONS_BASE, w->list[0].address);
	dp_put_u32(header + DP_FUNCTIONS_CRC,
		   dp_crc32(0, header + DP_FUNCTIONS_BYTES_AT, out->count - DP_FUNCTIONS_BYTES_AT));
}

/* --- public -------------------------------------------------------------------------------- */

/* The bytes that the image reserves for the table; 0: an error is said. */
static uint64_t room_of(const struct dp_image *image, const struct dp_image_info *info,
			struct dp_messages *messages)
{
	uint64_t room = 0;
	if (!info->elf || !info->cpu) {
		dph_file_error(messages, info->path,
			       "the file is not an ELF file of a supported CPU; give the linked "
			       "firmware");
		return 0;
	}
	if (dph_image_section(image, DP_FUNCTIONS_SECTION, &room) && room)
		return room;
	dph_file_error(messages, info->path,
		       "the firmware reserves no section " DP_FUNCTIONS_SECTION
		       " for the table; build the agent with -DDP_FUNCTIONS_BYTES=2048");
	return 0;
}

bool dph_function_table(const struct dp_image *image, struct dph_function_table *table,
			struct dp_messages *messages)
{
	struct dph_bytes bytes = {0};
	struct dp_image_info info;
	struct writer w = {.image = image};
	dp_image_info(image, &info);
	const uint64_t room = room_of(image, &info, messages);
	if (!room)
		return false;
	w.cpu = dph_image_cpu(image);
	w.unit = unit_of(w.cpu);
	collect(&w);
	if (w.count) {
		put_table(&w, &bytes);
		table->used = bytes.count;
		table->entries = (uint32_t)w.count;
	}
	free(w.list);
	if (!bytes.count)
		dph_file_error(messages, info.path,
			       "the file has no code; give the linked firmware");
	else if (bytes.count > room)
		dph_file_error(messages, info.path,
			       "the table needs %zu bytes, and section " DP_FUNCTIONS_SECTION
			       " has %llu; build the agent with -DDP_FUNCTIONS_BYTES=%zu",
			       bytes.count, (unsigned long long)room,
			       (bytes.count + 127) / 64 * 64);
	else
		dph_bytes_zero(&bytes, room - bytes.count);
	table->bytes = bytes.data;
	table->count = bytes.count;
	return bytes.count == room;
}
