/* SPDX-License-Identifier: BSD-2-Clause */
/* Cores from any bytes: what is read lies in the bytes, and a core that was read can be written and
 * read again as the same. */
#define _GNU_SOURCE
#include "core/core.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

#define REQUIRE(what) ((what) ? (void)0 : abort())

enum {
	INPUT_MAX = 65536
};

/* Each byte of a piece, and not one behind it. */
static uint64_t sum_of(const struct dph_core *core)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < core->piece_count; i++)
		for (size_t at = 0; core->pieces[i].data != NULL && at < core->pieces[i].bytes;
		     at++)
			sum = sum * 31 + core->pieces[i].data[at];
	return sum;
}

static void check_texts(const struct dph_core *core)
{
	for (size_t i = 0; i < core->task_count; i++) {
		REQUIRE(strlen(core->tasks[i].name) < sizeof core->tasks[i].name);
		REQUIRE(strlen(core->tasks[i].state) < sizeof core->tasks[i].state);
	}
}

static void check_memory(const struct dph_core *core)
{
	uint8_t room[64];

	for (size_t i = 0; i < core->piece_count && i < 100; i++) {
		const struct dph_core_piece *piece = &core->pieces[i];

		REQUIRE(dph_core_memory(core, piece->address, room, sizeof room) <= sizeof room);
		REQUIRE(piece->data == NULL || piece->bytes == 0 ||
			dph_core_memory(core, piece->address, room, 1) == 1);
	}
}

static void write_again(const struct dph_core *core)
{
	char path[64];
	uint8_t *copy = malloc(4 * INPUT_MAX + core->task_count * 1000);
	struct dph_core again = {.cpu = core->cpu};
	size_t bytes;
	FILE *file;

	snprintf(path, sizeof path, "fuzz-%d.core", (int)getpid());
	REQUIRE(copy != NULL && dph_core_write(core, path));
	file = fopen(path, "rb");
	REQUIRE(file != NULL);
	bytes = fread(copy, 1, 4 * INPUT_MAX + core->task_count * 1000, file);
	fclose(file);
	unlink(path);
	REQUIRE(dph_core_read(&again, copy, bytes) == NULL);
	REQUIRE(again.task_count == core->task_count && sum_of(&again) == sum_of(core) &&
		again.module_count == core->module_count);
	dph_core_free(&again);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct dph_core core = {0};
	uint8_t *copy = malloc(bytes + 1);

	if (bytes <= INPUT_MAX && copy != NULL) {
		memcpy(copy, data, bytes);
		if (dph_core_read(&core, copy, bytes) == NULL) {
			check_texts(&core);
			check_memory(&core);
			if (core.piece_count < 100 && core.task_count < 100)
				write_again(&core);
		}
		dph_core_free(&core);
	}
	free(copy);
	return 0;
}
