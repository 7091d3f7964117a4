/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes list prints programs and probes with their counters. */
#include "cmd.h"

#include "cmd_names.h"
#include "installed.h"

#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

struct list {
	const struct dph_cli *cli;
	const char *name; /* null: all */
	struct dp_session *session;
	struct dp_sink *sink;
	bool open; /* program is being walked */
	struct dp_program_answer program;
	const struct dp_image *names;
	bool means; /* to be asked: not all points have traps that the agent writes */
	struct dp_probe_view *probes;
	size_t probe_count, capacity;
	unsigned found;
	struct dp_embed_answer image; /* which programs are of the image */
};

/* A point without a place has no means. An agent that fails here fails the next request, too. */
static void ask_means(struct list *list)
{
	for (size_t i = 0; i < list->probe_count; i++) {
		struct dp_probe_view *probe = &list->probes[i];

		probe->placed = dp_session_site(list->session, list->program.index,
						probe->answer.point, &probe->site) &&
				probe->site.means != DP_NO_NUMBER;
	}
}

/* Is the bit of the program set? */
static bool has(uint32_t programs, unsigned index)
{
	return index < 32 && (programs >> index & 1) != 0;
}

/* Hand over the program, as far as it has come. */
static void close_program(struct list *list)
{
	const struct dp_installed_view view = {
		.program = &list->program,
		.probes = list->probes,
		.probe_count = list->probe_count,
		.cpu = dp_session_target(list->session)->cpu,
		.extended = dph_cli_has(list->cli, DPH_OPT_EXTENDED),
		.embedded = has(list->image.programs, list->program.index),
		.flight = has(list->image.flying, list->program.index),
	};

	if (list->open && list->means)
		ask_means(list);
	if (list->open)
		dp_sink_reading(list->sink, DP_READING_PROGRAM, &view);
	list->open = false;
	list->probe_count = 0;
}

static bool on_program(void *context, const struct dp_program_answer *program)
{
	struct list *list = context;

	close_program(list);
	if (list->name != NULL && strcmp(list->name, program->name) != 0)
		return true;
	list->program = *program;
	list->open = true;
	list->found++;
	return true;
}

static bool on_probe(void *context, const struct dp_program_answer *program,
		     const struct dp_probe_answer *probe)
{
	struct list *list = context;

	(void)program;
	if (!list->open)
		return true;
	list->probes =
		dph_grow(list->probes, &list->capacity, list->probe_count, sizeof *list->probes);
	list->probes[list->probe_count++] =
		(struct dp_probe_view){.answer = *probe, .names = list->names};
	return true;
}

/* One more request tells whether each point needs one. */
static bool needs_means(const struct list *list)
{
	struct dp_hardware_answer hardware;

	if (!(dp_hello_parts(dp_session_target(list->session)) >> DP_PART_HARDWARE & 1) ||
	    !dp_session_hardware(list->session, &hardware))
		return false;
	return dph_cli_has(list->cli, DPH_OPT_EXTENDED) || hardware.compared > 0 ||
	       hardware.data_free < hardware.data || hardware.text_writes > 0;
}

/* Say why programs of the image are not in the list. */
static void tell_image(const struct list *list)
{
	const struct dp_embed_answer *image = &list->image;

	if (image->state == 2)
		dph_cli_error(list->cli, "program %u of the image was refused: %s",
			      image->refused + 1u, dp_error_sentence(image->error));
	else if (image->state == 3)
		dph_cli_error(list->cli,
			      "the image carries %u program(s), which are off: %u starts in a row "
			      "did not reach dprobes_poll; the next start arms them again",
			      image->count, image->starts);
	else if (image->state == 4)
		dph_cli_error(list->cli,
			      "the section dprobes_embedded of the image is damaged; make the "
			      "image again with 'dprobes embed'");
}

static bool walk_all(struct list *list)
{
	const struct dp_walk walk = {list, on_program, on_probe};
	bool good;

	if (!dp_session_embedded(list->session, &list->image))
		return false;
	list->means = needs_means(list);
	good = dp_session_walk(list->session, &walk);
	close_program(list);
	return good;
}

static int list_all(struct list *list)
{
	if (!walk_all(list))
		return dph_target_failed(list->cli, list->session);
	if (list->name != NULL && list->found == 0)
		return dph_installed_missing(list->cli, list->session,
					     "no program '%s' is installed", list->name);
	tell_image(list);
	if (list->found == 0 && !list->cli->quiet)
		fprintf(stderr, "dprobes: no program is installed\n");
	return DPH_EXIT_DONE;
}

static int list_to_output(const struct dph_cli *cli, struct dp_session *session, const char *name,
			  struct dph_images *images)
{
	struct list list = {
		.cli = cli,
		.name = name,
		.session = session,
		.names = dph_names_for(cli, session, images),
	};
	FILE *out = dph_output_open(cli);
	int status = DPH_EXIT_USAGE;

	if (out == NULL)
		return status;
	list.sink = dph_output_sink(cli, out);
	if (list.sink != NULL)
		status = list_all(&list);
	dp_sink_close(list.sink);
	free(list.probes);
	return dph_output_close(cli, out) || status != DPH_EXIT_DONE ? status : DPH_EXIT_USAGE;
}

int dph_cmd_list(const struct dph_cli *cli)
{
	struct dph_images images = {0};
	struct dp_session *session = NULL;
	const char *name;
	int status;

	if (!dph_cli_program(cli, &name, &status))
		return status;
	if (dph_names_open(cli, &images, &status))
		session = dph_target_open(cli, DP_RIGHT_LOOK, NULL, &status);
	if (session != NULL)
		status = list_to_output(cli, session, name, &images);
	dp_session_close(session);
	dph_images_close(&images);
	return status;
}
