/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes aggs prints the aggregations of an installed D program. */
#include "cmd.h"

#include "aggs.h"
#include "cmd_insert.h"
#include "installed.h"
#include "kept.h"

#include <stdio.h>

/* The program as the user gave it. */
static const char *subject(const struct dph_cli *cli)
{
	return cli->arg_count > 0 ? cli->args[0] : "this text";
}

/* Say which aggregations are not on the target. */
static void tell_of_host(const struct dph_cli *cli, const struct dp_formats *formats)
{
	struct dp_aggregation_info info;

	for (unsigned i = 0; formats != NULL && dp_formats_aggregation(formats, i, &info); i++)
		if (info.of_host && !cli->quiet)
			fprintf(stderr,
				"dprobes: the host counts @%s, from the records: 'dprobes run' and "
				"'dprobes report' print it\n",
				info.name);
}

static int print(const struct dph_cli *cli, struct dp_session *session, uint8_t program,
		 struct dp_formats *formats, FILE *out)
{
	struct dp_aggregation_info info;
	struct dp_sink *sink;

	if (!dph_aggs_read(session, program, formats, DP_MAP_LOOK, NULL))
		return dph_target_failed(cli, session);
	sink = dph_output_sink(cli, out);
	if (sink != NULL && formats != NULL)
		dp_formats_tell_totals(formats, true,
				       (unsigned long)dph_cli_number(cli, DPH_OPT_TOP), sink);
	if ((formats == NULL || !dp_formats_aggregation(formats, 0, &info)) && !cli->quiet)
		fprintf(stderr, "dprobes: '%s' has no aggregations\n", subject(cli));
	tell_of_host(cli, formats);
	dp_sink_close(sink);
	return sink != NULL ? DPH_EXIT_DONE : DPH_EXIT_USAGE;
}

/* Print the aggregations of an installed program that was made from the object. */
static int show_of(const struct dph_cli *cli, struct dp_session *session, uint8_t index,
		   const struct dp_object_file *object, struct dp_image *image, FILE *out)
{
	struct dp_program_info program;
	struct dp_formats *formats;
	int status;

	dp_object_program(object, &program);
	if (image != NULL)
		dp_image_move(image, program.moved);
	formats = dph_output_formats(out, object, image);
	if (formats != NULL)
		dph_kept_restore(cli, object, dp_session_target(session)->boot, formats);
	status = print(cli, session, index, formats, out);
	dp_formats_close(formats);
	return status;
}

static int show_made(const struct dph_cli *cli, struct dp_session *session,
		     struct dph_insertion *insertion, struct dp_image *image, FILE *out)
{
	struct dp_program_answer program;
	bool found;
	int status;

	if (!dph_insertion_find(cli, session, insertion, &program, &found, &status))
		return status;
	if (found)
		return show_of(cli, session, program.index,
			       dp_insertion_object(insertion->insertion), image, out);
	return dph_insertion_missing(cli, session);
}

/* The program is given by the name that `list` shows. */
static int show_named(const struct dph_cli *cli, struct dp_session *session, struct dp_image *image,
		      FILE *out)
{
	struct dp_program_answer program;
	struct dp_object_file *object;
	int status = dph_installed_named(cli, session, cli->args[0], &program);

	if (status != DPH_EXIT_DONE)
		return status;
	object = dph_kept_find(&program);
	if (object == NULL) {
		dph_cli_error(
			cli,
			"the object of '%s' was not kept here: it is no D program, or another "
			"user inserted it; give its file and the options of the insertion",
			cli->args[0]);
		return DPH_EXIT_USAGE;
	}
	status = show_of(cli, session, program.index, object, image, out);
	dp_object_free(object);
	return status;
}

/* insertion: null: the program is given by its name */
static int ask(const struct dph_cli *cli, struct dph_insertion *insertion, FILE *out)
{
	struct dp_messages unsaid = {0}; /* the compiler has said them */
	struct dp_image *image = cli->elf != NULL ? dp_image_open(cli->elf, &unsaid) : NULL;
	int status = DPH_EXIT_USAGE;
	struct dp_session *session = dph_target_open(cli, DP_RIGHT_LOOK, NULL, &status);

	if (session != NULL)
		status = insertion != NULL ? show_made(cli, session, insertion, image, out)
					   : show_named(cli, session, image, out);
	dp_session_close(session);
	dp_image_close(image);
	dp_messages_free(&unsaid);
	return status;
}

int dph_cmd_aggs(const struct dph_cli *cli)
{
	const bool text = dph_cli_has(cli, DPH_OPT_CLAUSE);
	struct dph_insertion insertion = {0};
	int status = DPH_EXIT_USAGE;
	bool named;
	FILE *out = NULL;

	if (!text && cli->arg_count == 0) {
		status = dph_cli_usage(cli, "a program is missing; write its file, its name or -n "
					    "'CLAUSE'");
		dph_installed_tell(cli);
		return status;
	}
	if (text && cli->arg_count > 0)
		return dph_cli_usage(cli, "the program is given twice: -n and '%s'", cli->args[0]);
	named = !text && !dph_insertion_is_file(cli);
	if (named || dph_insertion_prepare(cli, &insertion, &status)) {
		status = DPH_EXIT_USAGE;
		out = dph_output_open(cli);
	}
	if (out != NULL) {
		status = ask(cli, named ? NULL : &insertion, out);
		if (!dph_output_close(cli, out) && status == DPH_EXIT_DONE)
			status = DPH_EXIT_USAGE;
	}
	dph_insertion_free(&insertion);
	return status;
}
