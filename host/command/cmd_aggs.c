/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes aggs prints the aggregations of an installed D program. */
#include "aggs.h"
#include "cmd_insert.h"
#include "cmd_names.h"

#include "dp_crc.h"

#include <stdio.h>

/* The installed program that was made from an object. */
struct search {
	const struct dp_object_file *object;
	uint8_t program;
	bool found;
};

static bool compare(void *context, const struct dp_program_answer *program)
{
	struct search *search = context;

	if (program->bytes != search->object->travelling ||
	    program->crc != dp_crc32(0, search->object->data, search->object->travelling))
		return true;
	search->program = program->index;
	search->found = true;
	return false;
}

static int print(const struct dph_cli *cli, struct dp_session *session, uint8_t program,
		 struct dp_formats *formats, FILE *out)
{
	struct dp_aggregation_info info;
	struct dp_sink *sink;

	if (!dph_aggs_read(session, program, formats, DP_MAP_LOOK))
		return dph_target_failed(cli, session);
	sink = dph_output_sink(cli, out);
	if (sink != NULL && formats != NULL)
		dp_formats_tell_totals(formats, true,
				       (unsigned long)dph_cli_number(cli, DPH_OPT_TOP), sink);
	if ((formats == NULL || !dp_formats_aggregation(formats, 0, &info)) && !cli->quiet)
		fprintf(stderr, "dprobes: '%s' has no aggregations\n", cli->args[0]);
	dp_sink_close(sink);
	return sink != NULL ? DPH_EXIT_DONE : DPH_EXIT_USAGE;
}

static int show(const struct dph_cli *cli, struct dp_session *session,
		struct dph_insertion *insertion, struct dp_image *image, FILE *out)
{
	struct search search = {0};
	const struct dp_walk walk = {.context = &search, .program = compare};
	struct dp_program_info program;
	struct dp_formats *formats;
	int status;

	if (!dph_insertion_fit(cli, session, insertion, &status))
		return status;
	search.object = dp_insertion_object(insertion->insertion);
	if (!dp_session_walk(session, &walk))
		return dph_target_failed(cli, session);
	if (!search.found) {
		dph_cli_error(
			cli,
			"no installed program was made from %s; give the file and the options of "
			"the insertion ('dprobes list' shows the programs)",
			cli->args[0]);
		return DPH_EXIT_AGENT;
	}
	dp_object_program(search.object, &program);
	if (image != NULL)
		dp_image_move(image, program.moved);
	formats = dp_formats_open(search.object, image);
	status = print(cli, session, search.program, formats, out);
	dp_formats_close(formats);
	return status;
}

static int ask(const struct dph_cli *cli, struct dph_insertion *insertion, FILE *out)
{
	struct dp_messages unsaid = {0}; /* the compiler has said them */
	struct dp_image *image = cli->elf != NULL ? dp_image_open(cli->elf, &unsaid) : NULL;
	int status = DPH_EXIT_USAGE;
	struct dp_session *session = dph_target_open(cli, DP_RIGHT_LOOK, NULL, &status);

	if (session != NULL)
		status = show(cli, session, insertion, image, out);
	dp_session_close(session);
	dp_image_close(image);
	dp_messages_free(&unsaid);
	return status;
}

int dph_cmd_aggs(const struct dph_cli *cli)
{
	struct dph_insertion insertion = {0};
	int status = DPH_EXIT_USAGE;
	FILE *out = NULL;

	if (dph_insertion_prepare(cli, &insertion, &status)) {
		status = DPH_EXIT_USAGE;
		out = dph_output_open(cli);
	}
	if (out != NULL) {
		status = ask(cli, &insertion, out);
		if (!dph_output_close(cli, out) && status == DPH_EXIT_DONE)
			status = DPH_EXIT_USAGE;
	}
	dph_insertion_free(&insertion);
	return status;
}
