/* SPDX-License-Identifier: BSD-2-Clause */
/* ELF files from any bytes: all that debug information answers, of lines, variables, types and
 * frames. */
#define _GNU_SOURCE
#include "debuginfo/ctf.h"
#include "debuginfo/frame.h"
#include "debuginfo/line.h"
#include "debuginfo/variable.h"

#include <dprobes/host.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

enum {
	ADDRESSES_MAX = 24,
	MEMBERS_MAX = 64
};

struct sample {
	uint64_t address[ADDRESSES_MAX];
	char file[256];
	unsigned line[ADDRESSES_MAX];
	unsigned count;
};

static void take(void *context, uint64_t address, const char *file, unsigned line)
{
	struct sample *sample = context;
	if (sample->count == ADDRESSES_MAX)
		return;
	sample->address[sample->count] = address;
	sample->line[sample->count++] = line;
	snprintf(sample->file, sizeof sample->file, "%s", dph_path_base(file));
}

/* Read a type and what it is made of. */
static void use_type(const struct dph_type *type)
{
	const struct dph_member *members;
	const struct dph_enumerator *enumerators;
	uint64_t bytes;
	const struct dph_type *plain = type ? dph_type_plain(type) : NULL;
	size_t count = plain ? dph_type_members(plain, &members) : 0;
	dph_type_text(type);
	if (!plain)
		return;
	dph_type_bytes(type, &bytes);
	dph_type_enumerators(plain, &enumerators);
	for (size_t i = 0; i < count && i < MEMBERS_MAX; i++) {
		dph_type_text(members[i].type);
		if (members[i].name)
			dph_type_offset(plain, members[i].name, &bytes);
	}
}

static void use_address(struct dp_debuginfo *debug, uint64_t address)
{
	const struct dph_variable *variables;
	struct dph_variable found;
	struct dp_variable_text *texts;
	struct dph_location location;
	const char *why;
	uint64_t from;
	size_t count = dph_variables_at(debug, address, 0, &variables, &why);
	for (size_t i = 0; i < count; i++) {
		use_type(variables[i].type);
		dph_variable_set_from(debug, &variables[i], address, &from);
		dph_variable_pointee(debug, &variables[i].location.pieces[0], address, &found);
	}
	dp_debuginfo_variables(debug, address, 1, &texts);
	free(texts);
	free(dp_debuginfo_address_text(debug, address));
	use_type(dph_function_type(debug, address));
	dph_frame_caller(debug, address, &location, &why);
}

static void use(struct dp_debuginfo *debug)
{
	static const char *const names[] = {"struct record", "union either",  "enum color",
					    "record_t",      "unsigned long", "none"};
	struct sample sample = {.count = 0};
	struct dph_variable variable;
	struct dp_code_place *places;
	const char *why;
	const struct dph_within within = {0, NULL};
	struct dph_meanings meanings;
	uint64_t address;
	dph_statements(debug, take, &sample);
	for (unsigned i = 0; i < sample.count; i++)
		use_address(debug, sample.address[i]);
	if (sample.count) {
		dp_debuginfo_places(debug, sample.file, sample.line[0], &places, &why);
		free(places);
	}
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		use_type(dph_type_named(debug, names[i], &within, &meanings, &why));
	if (dph_variable_global(debug, &within, "table", &variable, &why))
		use_type(variable.type);
	dp_debuginfo_function(debug, "main.c", "helper", &address, &why);
	use_type(dph_ctf_function(debug, "take"));
	use_type(dph_ctf_variable(debug, "table"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct dp_messages messages = {0};
	char path[64];
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, bytes) != (ssize_t)bytes)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	struct dp_image *image = dp_image_open(path, &messages);
	if (!image && !messages.errors)
		abort();
	if (image) {
		struct dp_debuginfo *debug = dp_debuginfo_open(image, NULL);
		use(debug);
		dp_debuginfo_close(debug);
	}
	dp_image_close(image);
	dp_messages_free(&messages);
	close(fd);
	return 0;
}
