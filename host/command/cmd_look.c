/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads what expressions want from the memory of a target, turn by turn. */
#include "cmd_look.h"

#include "base/pool.h"
#include "cmd_names.h"
#include "doctor_addresses.h"
#include "insertion/placed_images.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	TURNS_MAX = 1000 /* pointers that one expression follows */
};

static bool has_image(const struct dph_looking *looking)
{
	return dph_images_names(&looking->images) != NULL;
}

/* Open the look and add each word of the command line. */
static bool add_words(struct dph_looking *looking, const struct dph_look_target *target)
{
	const struct dph_cli *cli = looking->cli;
	struct dp_messages messages = {0};
	bool good = true;

	looking->look = dph_look_open(&looking->images, target);
	for (size_t i = 0; i < cli->arg_count; i++) {
		struct dph_look_how how = looking->how;

		how.place = looking->stores && i == 0;
		good = dph_look_add(looking->look, cli->args[i], &how, &messages) && good;
	}
	dph_cli_report(cli, &messages);
	return good;
}

static bool add_by_session(struct dph_looking *looking)
{
	const struct dp_hello_answer *hello = dp_session_target(looking->session);
	const struct dph_look_target target = {hello->word_bytes, hello->big_endian != 0};

	return add_words(looking, &target);
}

bool dph_looking_open(struct dph_looking *looking, int *status)
{
	const struct dph_look_target none = {0};

	*status = DPH_EXIT_USAGE;
	if (!dph_names_open(looking->cli, &looking->images, status))
		return false;
	if (has_image(looking) && !add_words(looking, &none))
		return false;
	looking->session =
		dph_target_open(looking->cli, DP_RIGHT_LOOK | DP_RIGHT_INSERT, NULL, status);
	if (looking->session == NULL)
		return false;
	if (!dp_session_has_part(looking->session, DP_PART_MEMORY)) {
		*status = dph_target_failed(looking->cli, looking->session);
		return false;
	}
	*status = DPH_EXIT_USAGE;
	return has_image(looking) || add_by_session(looking);
}

/* --- the image ------------------------------------------------------------------------------- */

/* The module 0 has been read; others are asked for. */
struct modules {
	struct dp_session *session;
	const struct dp_module_answer *image;
};

static bool read_module(void *context, uint8_t index, struct dp_module_answer *module)
{
	const struct modules *modules = context;

	if (index > 0)
		return dp_session_module(modules->session, index, module);
	*module = *modules->image;
	return true;
}

/* Move the images to where they run. An image that runs elsewhere than it is linked changes the
 * addresses of all names: the expressions are read again.
 * Returns false with *status set; *again: what was read is of no use. */
static bool place(struct dph_looking *looking, const struct dp_module_answer *image, bool *again,
		  int *status)
{
	const struct dp_hello_answer *target = dp_session_target(looking->session);
	struct modules read = {looking->session, image};
	const struct dph_modules modules = {&read, read_module, target->modules,
					    target->word_bytes};
	const struct dp_image *names;
	struct dp_image_info before, after;

	looking->placed = true;
	dp_image_info(dph_images_names(&looking->images), &before);
	if (!dph_images_place_at(&looking->images, &modules, &names)) {
		dph_cli_error(
			looking->cli,
			"the target does not run %s, so names have other addresses there; use "
			"the ELF that is running (--elf)",
			before.path);
		*status = DPH_EXIT_AGENT;
		return false;
	}
	dp_image_info(names, &after);
	*again = before.moved != after.moved;
	if (!*again)
		return true;
	dph_look_close(looking->look);
	*status = DPH_EXIT_USAGE;
	return add_by_session(looking);
}

/* --- turns ----------------------------------------------------------------------------------- */

bool dph_session_places(void *session, struct dp_read_place *places, size_t count)
{
	return dp_session_read(session, places, count, 0, NULL);
}

/* Read the places in one turn. Returns false with *status set. */
static bool read_places(struct dph_looking *looking, struct dp_read_place *wanted, size_t count,
			int *status)
{
	const bool ask = !looking->placed && has_image(looking);
	struct dp_module_answer image;
	bool again = false;

	if (!dp_session_read(looking->session, wanted, count, looking->width,
			     ask ? &image : NULL)) {
		*status = dph_target_failed(looking->cli, looking->session);
		return false;
	}
	return !ask || place(looking, &image, &again, status);
}

bool dph_looking_read(struct dph_looking *looking, int *status)
{
	for (unsigned turn = 0; turn < TURNS_MAX; turn++) {
		struct dp_read_place *wanted;
		const size_t count = dph_look_wanted(looking->look, &wanted);

		if (count == 0 && (looking->placed || !has_image(looking)))
			return true;
		if (!read_places(looking, wanted, count, status))
			return false;
	}
	dph_cli_error(looking->cli, "an expression follows more than %d pointers", TURNS_MAX);
	*status = DPH_EXIT_USAGE;
	return false;
}

static void tell_row(const struct dp_ranges_answer *row, const char *before)
{
	fprintf(stderr, "%s0x%" PRIx64 " to 0x%" PRIx64 "%s", before, row->start,
		row->start + row->bytes - 1,
		row->access & DP_ACCESS_DEVICE ? " (devices: with --bytes and --width)" : "");
}

void dph_looking_tell_rows(const struct dph_looking *looking, uint8_t access, const char *what)
{
	struct dph_rows rows;
	bool any = false;

	if (looking->cli->quiet || !dph_rows_read(&rows, looking->session) || rows.count == 0)
		return;
	for (unsigned i = 0; i < rows.count; i++) {
		if (!(rows.row[i].access & access))
			continue;
		if (!any)
			fprintf(stderr, "dprobes: the board lets these addresses be %s: ", what);
		tell_row(&rows.row[i], any ? ", " : "");
		any = true;
	}
	if (rows.cut)
		fputs(any ? ", and more" : "dprobes: the board has more rows", stderr);
	fprintf(stderr, any || rows.cut ? "\n" : "dprobes: the board lets no address be %s\n",
		what);
}

void dph_looking_close(struct dph_looking *looking)
{
	dp_session_close(looking->session);
	dph_look_close(looking->look);
	dph_images_close(&looking->images);
}
