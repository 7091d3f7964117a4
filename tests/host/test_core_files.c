/* SPDX-License-Identifier: BSD-2-Clause */
/* Cores from records of exit 3, as dph_core_files_add puts them together, and core files at the
 * ends of what their format holds. */
#define _GNU_SOURCE
#include "check.h"
#include "command/core_files.h"
#include "core/core.h"
#include "tables/registers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	WORD = 4,
	REGISTERS = 1,
	BYTES = 8, /* of a piece of memory */
	PIECES_MOST = 65533,
	FILE_MOST = 1 << 16
};

static char folder[] = "cores-XXXXXX";
static struct dph_cli cli = {.command = "log", .quiet = true};
static struct dph_images images;
static struct dph_module_list modules;

static void put(uint8_t *to, uint32_t word)
{
	for (unsigned i = 0; i < WORD; i++)
		to[i] = (uint8_t)(word >> 8 * i);
}

static struct dph_core_files start(void)
{
	return (struct dph_core_files){
		.cli = &cli, .cpu = dph_cpu_default(), .modules = &modules, .word_bytes = WORD};
}

/* A piece of a core. Behind its first word each byte is `fill`. */
static void add(struct dph_core_files *files, unsigned stream, uint64_t ticks, uint32_t first,
		uint8_t fill)
{
	uint8_t data[WORD + BYTES];
	struct dp_log_record record = {.head = {.probe = 3, .kind = DP_RECORD_CORE},
				       .stream = stream,
				       .ticks = ticks,
				       .data = data,
				       .bytes = sizeof data};

	memset(data, fill, sizeof data);
	put(data, first);
	dph_core_files_add(files, &record, &images);
}

static char *path_of(unsigned number)
{
	static char path[64];

	snprintf(path, sizeof path, "%s/c.%u", folder, number);
	return path;
}

/* Does the file have these bytes at the address? 0: no memory there. */
static bool has(unsigned number, uint32_t address, uint8_t fill)
{
	static uint8_t bytes[FILE_MOST];
	struct dph_core core = {.cpu = dph_cpu_default()};
	uint8_t byte = 0;
	FILE *file = fopen(path_of(number), "rb");
	bool found = false;

	if (file != NULL) {
		CHECK(dph_core_read(&core, bytes, fread(bytes, 1, sizeof bytes, file)) == NULL);
		found = dph_core_memory(&core, address, &byte, 1) == (fill != 0) && byte == fill;
		fclose(file);
	}
	dph_core_free(&core);
	return found;
}

static bool is_same(const struct dp_module_answer *a, const struct dp_module_answer *b)
{
	return a->identity == b->identity && a->base == b->base && a->bytes == b->bytes &&
	       a->linked == b->linked && a->id.count == b->id.count &&
	       memcmp(a->id.bytes, b->id.bytes, b->id.count) == 0;
}

/* Has the file the identity and the place of each module? */
static bool names_its_modules(unsigned number)
{
	static uint8_t bytes[FILE_MOST];
	struct dph_core core = {.cpu = dph_cpu_default()};
	FILE *file = fopen(path_of(number), "rb");
	bool same = false;

	if (file != NULL) {
		CHECK(dph_core_read(&core, bytes, fread(bytes, 1, sizeof bytes, file)) == NULL);
		same = core.module_count == modules.count;
		for (size_t i = 0; i < core.module_count && same; i++)
			same = is_same(&core.modules[i], &modules.list[i]);
		fclose(file);
	}
	dph_core_free(&core);
	return same;
}

static void know_modules(void)
{
	static const struct dp_module_answer known[] = {
		{.identity = 1,
		 .base = 0xfedcba9876543210,
		 .bytes = 0x12345,
		 .linked = 0x8000,
		 .id = {DP_COUNTED_MAX, "an id with the most bytes of any"}},
		{.identity = 2, .base = 4, .id = {8, "8 bytes."}},
		{.identity = 0},
	};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		dph_module_list_add(&modules, &known[i]);
}

static bool is_there(unsigned number)
{
	return access(path_of(number), F_OK) == 0;
}

static void finish(struct dph_core_files *files)
{
	dph_core_files_end(files, &images, 0);
	dph_core_files_free(files);
}

static void forget(unsigned count)
{
	for (unsigned i = 1; i <= count; i++)
		CHECK(unlink(path_of(i)) == 0);
}

/* A board without ticks: the registers begin a core, and so does an address that came before. */
static void hits_of_one_tick(void)
{
	struct dph_core_files files = start();

	add(&files, 0, 0, REGISTERS, 1);
	add(&files, 0, 0, 0x1000, 0x11);
	add(&files, 0, 0, REGISTERS, 2);
	add(&files, 0, 0, 0x2000, 0x22);
	add(&files, 0, 0, 0x2000, 0x33); /* of a third hit, whose registers the line has lost */
	add(&files, 0, 0, 0x3000, 0x44);
	finish(&files);
	CHECK(has(1, 0x1000, 0x11) && has(1, 0x2000, 0));
	CHECK(has(2, 0x2000, 0x22) && has(2, 0x1000, 0) && has(2, 0x3000, 0));
	CHECK(names_its_modules(1) && names_its_modules(2));
	CHECK(!is_there(3));
	forget(2);
}

/* Pieces of two CPUs come in turn, at one tick. */
static void hits_of_two_cpus(void)
{
	struct dph_core_files files = start();

	add(&files, 0, 9, REGISTERS, 1);
	add(&files, 1, 9, REGISTERS, 2);
	for (uint32_t at = 0; at < 64; at += BYTES) {
		add(&files, 0, 9, 0x1000 + at, 0x11);
		add(&files, 1, 9, 0x1000 + at, 0x22);
	}
	finish(&files);
	CHECK(has(1, 0x1038, 0x11) && has(2, 0x1038, 0x22) && !is_there(3));
	forget(2);
}

/* More cores come at a time than are kept open. */
static void many_at_a_time(void)
{
	const unsigned count = DPH_CORES_COMING + 3;
	struct dph_core_files files = start();

	for (unsigned i = 1; i <= count; i++) {
		add(&files, 0, i, REGISTERS, 1);
		add(&files, 0, i, 0x1000, (uint8_t)i);
	}
	CHECK(is_there(3) && !is_there(4));
	finish(&files);
	for (unsigned i = 1; i <= count; i++)
		CHECK(has(i, 0x1000, (uint8_t)i));
	forget(count);
}

/* A file that cannot be written is a failure of the command. */
static void cannot_write(void)
{
	struct dph_core_files files = start();
	int status = 0;

	CHECK(chmod(folder, 0) == 0 && dph_core_path_good(&cli, NULL, &status));
	CHECK(!dph_core_path_good(&cli, "/no/such/folder/c", &status) && status == DPH_EXIT_USAGE);
	CHECK(chmod(folder, 0700) == 0 && mkdir(strcat(path_of(1), ".part"), 0700) == 0);
	add(&files, 0, 1, REGISTERS, 1);
	finish(&files);
	CHECK(files.failed && !is_there(1));
	CHECK(rmdir(strcat(path_of(1), ".part")) == 0);
}

/* An ELF file numbers at most 65534 segments. */
static void too_many_pieces(void)
{
	struct dph_core core = {.cpu = dph_cpu_default(), .word_bytes = WORD};

	for (uint64_t i = 0; i < PIECES_MOST; i++)
		dph_core_add_piece(&core, (struct dph_core_piece){i * 2 * WORD, WORD, NULL});
	CHECK(dph_core_write(&core, path_of(1)));
	dph_core_add_piece(&core, (struct dph_core_piece){PIECES_MOST * 2 * WORD, WORD, NULL});
	CHECK(!dph_core_write(&core, path_of(2)) && errno == EFBIG && !is_there(2));
	dph_core_free(&core);
	forget(1);
}

/* Notes of no bytes behind the end of the file. */
static void notes_elsewhere(void)
{
	static uint8_t bytes[FILE_MOST];
	struct dph_core core = {.cpu = dph_cpu_default(), .word_bytes = WORD}, again = {0};
	FILE *file;
	size_t count;

	CHECK(dph_core_write(&core, path_of(1)));
	file = fopen(path_of(1), "rb");
	count = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	forget(1);
	put(bytes + 52 + 4, 0xfffffff0); /* p_offset */
	put(bytes + 52 + 16, 0);         /* p_filesz */
	again.cpu = dph_cpu_default();
	CHECK(strcmp(dph_core_read(&again, bytes, count), "the file is cut") == 0);
	dph_core_free(&again);
	dph_core_free(&core);
}

int main(void)
{
	char stem[64];

	CHECK(mkdtemp(folder) != NULL);
	snprintf(stem, sizeof stem, "%s/c", folder);
	dph_cli_add(&cli, DPH_OPT_CORES, stem);
	know_modules();
	hits_of_one_tick();
	hits_of_two_cpus();
	many_at_a_time();
	cannot_write();
	too_many_pieces();
	notes_elsewhere();
	CHECK(rmdir(folder) == 0);
	free(cli.values);
	free(modules.list);
	return check_status();
}
