/* SPDX-License-Identifier: BSD-2-Clause */
/* The file: "dprobes core part", u32 bytes of the key, the key; then pieces: u64 address, u32
 * bytes, u32 CRC of both numbers and the data, the data. Numbers are big-endian. A process that is
 * killed leaves a broken piece at the end. */
#define _GNU_SOURCE
#include "core_part.h"

#include "core/core.h"

#include "dp_crc.h"
#include "dp_object.h"

#include <dprobes/session.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char magic[] = "dprobes core part";

enum {
	NUMBERS = 12, /* bytes of address and count */
	HEAD = NUMBERS + 4
};

static void put(uint8_t *to, unsigned bytes, uint64_t value)
{
	for (unsigned i = bytes; i-- > 0; value >>= 8)
		to[i] = (uint8_t)value;
}

static uint64_t get(const uint8_t *from, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value = value << 8 | from[i];
	return value;
}

static void add(struct dph_bytes *to, unsigned bytes, uint64_t value)
{
	uint8_t number[8];

	put(number, bytes, value);
	dph_bytes_add(to, number, bytes);
}

/* --- the stop -------------------------------------------------------------------------------- */

/* The armed probes at the pc: each comes to a hit before the target stops there once more. */
struct standing {
	uint64_t pc, hits;
	uint32_t flying; /* bit n: records of program n are not in the stream */
	bool there, flies;
};

static bool take_probe(void *context, const struct dp_program_answer *program,
		       const struct dp_probe_answer *probe)
{
	struct standing *standing = context;

	if (probe->address != standing->pc || probe->kind != DP_PROBE_BREAK ||
	    probe->phase != DP_PHASE_BEFORE || probe->state != DP_PROBE_ARMED)
		return true;
	standing->there = true;
	standing->flies |= standing->flying >> program->index & 1;
	standing->hits += (uint64_t)probe->hits + probe->ignored;
	return true;
}

/* The hits begin anew when a program is inserted again, but its records go on. */
static bool add_number(struct dp_session *session, uint64_t pc, struct dph_bytes *key)
{
	struct standing standing = {.pc = pc};
	const struct dp_walk walk = {.context = &standing, .probe = take_probe};
	struct dp_embed_answer embedded;
	struct dp_status_answer status;

	if (!dp_session_embedded(session, &embedded))
		return false;
	standing.flying = embedded.flying;
	if (!dp_session_walk(session, &walk) || !standing.there || standing.flies ||
	    !dp_session_status(session, &status))
		return false;
	add(key, 2, dp_session_target(session)->boot);
	add(key, 8, standing.hits);
	add(key, 4, status.sent);
	add(key, 4, status.dropped);
	add(key, 4, status.withdrawn);
	return true;
}

/* The memory that each command reads first. */
static void add_memory(const struct dph_core *core, struct dph_bytes *key)
{
	for (size_t i = 0; i < core->piece_count; i++) {
		const struct dph_core_piece *piece = &core->pieces[i];

		add(key, 8, piece->address);
		add(key, 4, piece->data != NULL ? dp_crc32(0, piece->data, piece->bytes) : 0);
	}
}

bool dph_core_part_key(struct dp_session *session, const struct dph_core *core,
		       const struct dp_register *registers, size_t count, uint64_t pc,
		       struct dph_bytes *key)
{
	if (!add_number(session, pc, key))
		return false;
	for (size_t i = 0; i < core->module_count; i++) {
		const struct dp_module_answer *module = &core->modules[i];

		add(key, 8, module->base);
		add(key, 8, module->bytes);
		add(key, 1, module->identity);
		dph_bytes_add(key, module->id.bytes, module->id.count);
	}
	for (size_t i = 0; i < count; i++) {
		add(key, 1, registers[i].there);
		add(key, 8, registers[i].there ? registers[i].value : 0);
	}
	add_memory(core, key);
	return true;
}

/* --- the file -------------------------------------------------------------------------------- */

static uint32_t sum(const uint8_t *head, const uint8_t *data, size_t bytes)
{
	return dp_crc32(dp_crc32(0, head, NUMBERS), data, bytes);
}

/* The bytes in front of the pieces. */
static struct dph_bytes head_of(const struct dph_bytes *key)
{
	struct dph_bytes head = {0};
	uint8_t count[4];

	put(count, sizeof count, key->count);
	dph_bytes_add(&head, magic, sizeof magic);
	dph_bytes_add(&head, count, sizeof count);
	dph_bytes_add(&head, key->data, key->count);
	return head;
}

enum found {
	IS_SAME,
	IS_OTHER,  /* of another stop, or broken in its key */
	IS_NOTHING /* empty */
};

/* Compare the begin of the file. Returns false with errno for a file that is no part of a core. */
static bool look(FILE *file, const struct dph_bytes *head, enum found *found)
{
	uint8_t *there = dph_malloc(head->count);
	const size_t have = fread(there, 1, head->count, file);
	const size_t most = have < sizeof magic ? have : sizeof magic;
	const bool ours = memcmp(there, magic, most) == 0;

	*found = have == 0 ? IS_NOTHING : IS_OTHER;
	if (have == head->count && memcmp(there, head->data, have) == 0)
		*found = IS_SAME;
	free(there);
	errno = ours ? errno : EEXIST;
	return ours;
}

/* Take the pieces behind the key. Returns the end of the last whole one. */
static long take_pieces(FILE *file, dph_core_part_taker *take, void *context)
{
	uint8_t head[HEAD], data[DPH_CORE_PART_MAX];
	long end = ftell(file);

	while (fread(head, 1, sizeof head, file) == sizeof head) {
		const size_t bytes = (size_t)get(head + 8, 4);

		if (bytes == 0 || bytes > sizeof data || fread(data, 1, bytes, file) != bytes ||
		    get(head + NUMBERS, 4) != sum(head, data, bytes))
			break;
		take(context, get(head, 8), data, bytes);
		end = ftell(file);
	}
	return end;
}

/* Write nothing more. remove: the file has no use. Keeps errno. */
static void end(struct dph_core_part *part, bool remove)
{
	const int error = errno;

	if (part->out != NULL) {
		fclose(part->out);
		if (remove)
			unlink(part->path);
	}
	part->out = NULL;
	errno = error;
}

bool dph_core_part_open(struct dph_core_part *part, const char *path, const struct dph_bytes *key,
			dph_core_part_taker *take, void *context)
{
	struct dph_bytes head = head_of(key);
	enum found found;
	long behind = 0;
	bool good;

	part->path = dph_print("%s.partial", path);
	part->out = fopen(part->path, "r+b");
	if (part->out == NULL && errno == ENOENT)
		part->out = fopen(part->path, "w+b");
	good = part->out != NULL && look(part->out, &head, &found);
	if (good && found == IS_SAME)
		behind = take_pieces(part->out, take, context);
	part->another = good && found == IS_OTHER;
	good = good && ftruncate(fileno(part->out), behind) == 0 &&
	       fseek(part->out, behind, SEEK_SET) == 0;
	if (good && found != IS_SAME)
		fwrite(head.data, 1, head.count, part->out);
	free(head.data);
	if (!good)
		end(part, false);
	return good && dph_core_part_flush(part);
}

void dph_core_part_add(struct dph_core_part *part, uint64_t address, const uint8_t *data,
		       size_t bytes)
{
	uint8_t head[HEAD];

	if (part->out == NULL || bytes == 0)
		return;
	put(head, 8, address);
	put(head + 8, 4, bytes);
	put(head + NUMBERS, 4, sum(head, data, bytes));
	fwrite(head, 1, sizeof head, part->out);
	fwrite(data, 1, bytes, part->out);
}

bool dph_core_part_flush(struct dph_core_part *part)
{
	if (part->out == NULL || (fflush(part->out) == 0 && ferror(part->out) == 0))
		return true;
	end(part, true);
	return false;
}

void dph_core_part_close(struct dph_core_part *part, bool remove)
{
	end(part, remove);
	free(part->path);
	*part = (struct dph_core_part){0};
}
