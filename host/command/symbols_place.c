/* SPDX-License-Identifier: BSD-2-Clause */
/* This file describes the code at an address or at a source line: functions, lines, variables in
 * scope. */
#define _GNU_SOURCE
#include "symbols_place.h"

#include "base/diag.h"
#include "base/pool.h"
#include "debuginfo/debuginfo.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
	FRAMES_MAX = 16
};

/* The line number behind the last colon, or 0. */
static unsigned line_of(const char *argument)
{
	const char *colon = strrchr(argument, ':');
	char *end;
	if (!colon || colon == argument || !isdigit((unsigned char)colon[1]))
		return 0;
	unsigned long line = strtoul(colon + 1, &end, 10);
	return *end || line > UINT32_MAX ? 0 : (unsigned)line;
}

static bool is_address(const char *argument)
{
	char *end;
	if (!isdigit((unsigned char)argument[0]))
		return false;
	strtoull(argument, &end, 0);
	return !*end;
}

bool dph_is_place(const char *argument)
{
	return is_address(argument) || line_of(argument) != 0 || strstr(argument, "::");
}

/* An address outside of all code may be that of data. */
static void show_place(const struct dph_cli *cli, struct dp_sink *sink, struct dp_debuginfo *debug,
		       const struct dp_image *image, uint64_t address, unsigned outer)
{
	struct dp_code_frame frames[FRAMES_MAX];
	struct dp_variable_text *variables = NULL;
	char room[DP_NAME_ROOM];
	const char *data = dp_image_function(image, address) == NULL
				   ? dp_image_name(image, address, room)
				   : NULL;
	char *text = data != NULL ? dph_strdup(data) : dp_debuginfo_address_text(debug, address);
	struct dp_place_view view = {
		.address = address,
		.text = text,
		.frames = frames,
		.frame_count = dp_debuginfo_frames(debug, address, frames, FRAMES_MAX),
		.scope = cli->verbose,
	};
	if (cli->verbose)
		view.variable_count = dp_debuginfo_variables(debug, address, outer, &variables);
	view.variables = variables;
	dp_sink_reading(sink, DP_READING_PLACE, &view);
	free(variables);
	free(text);
}

static bool show_line(const struct dph_cli *cli, struct dp_sink *sink, struct dp_debuginfo *debug,
		      const struct dp_image *image, const char *argument,
		      struct dp_messages *messages)
{
	struct dp_code_place *places;
	const char *why = NULL;
	char *file = dph_strndup(argument, (size_t)(strrchr(argument, ':') - argument));
	size_t count = dp_debuginfo_places(debug, file, line_of(argument), &places, &why);
	for (size_t i = 0; i < count; i++)
		show_place(cli, sink, debug, image, places[i].address, places[i].outer);
	if (!count)
		dph_file_error(messages, NULL, "%s", why);
	free(places);
	free(file);
	return count != 0;
}

/* A search of functions by the name that is printed. */
struct printed {
	const struct dph_cli *cli;
	struct dp_sink *sink;
	struct dp_debuginfo *debug;
	const struct dp_image *image;
};

static void show_function(void *context, uint64_t address, const char *name)
{
	const struct printed *printed = context;
	(void)name;
	show_place(printed->cli, printed->sink, printed->debug, printed->image, address, 0);
}

/* "net::Queue::put" is a function of C++. */
static bool show_printed(const struct printed *printed, const char *name,
			 struct dp_messages *messages)
{
	const size_t count =
		dph_functions_printed(printed->debug, name, show_function, (void *)printed);
	if (!count && dp_debuginfo_missing(printed->debug))
		dph_file_error(messages, NULL, "%s", dp_debuginfo_missing(printed->debug));
	else if (!count)
		dph_file_error(messages, NULL, "the firmware has no function '%s'", name);
	return count != 0;
}

bool dph_symbols_place(const struct dph_cli *cli, struct dp_sink *sink,
		       const struct dp_image *image, const char *argument,
		       struct dp_messages *messages)
{
	struct dp_debuginfo *debug = dp_debuginfo_open(image, NULL);
	bool found = true;
	if (is_address(argument))
		show_place(cli, sink, debug, image, strtoull(argument, NULL, 0), 0);
	else if (strstr(argument, "::"))
		found = show_printed(&(struct printed){cli, sink, debug, image}, argument,
				     messages);
	else
		found = show_line(cli, sink, debug, image, argument, messages);
	if (found && cli->verbose && dp_debuginfo_missing(debug) && !cli->quiet)
		fprintf(stderr, "dprobes: %s\n", dp_debuginfo_missing(debug));
	dp_debuginfo_close(debug);
	return found;
}
