/* SPDX-License-Identifier: BSD-2-Clause */
/* This file chooses the image that names addresses, and compares the image with the target. */
#include "cmd_names.h"

#include "insertion/placed_images.h"

#include "dp_object.h"

#include <string.h>

bool dph_names_open(const struct dph_cli *cli, struct dph_images *images, int *status)
{
	struct dp_messages messages = {0};
	bool good;

	if (dph_cli_has(cli, DPH_OPT_NO_NAMES))
		return true;
	good = dph_images_open(images, cli->elf, dph_cli_get(cli, DPH_OPT_SYM), &messages);
	dph_cli_report(cli, &messages);
	if (!good)
		*status = DPH_EXIT_USAGE;
	return good;
}

/* The target does not run the file of the image. */
static const struct dp_image *other(const struct dph_cli *cli, const struct dp_image *image)
{
	struct dp_image_info info;

	dp_image_info(image, &info);
	if (!cli->quiet)
		fprintf(stderr,
			"dprobes: warning: the target does not run %s: addresses have no names; "
			"use "
			"the ELF that is running (--elf)\n",
			info.path);
	return NULL;
}

const struct dp_image *dph_names_at(const struct dph_cli *cli, const struct dph_modules *modules,
				    struct dph_images *images)
{
	const struct dp_image *image;

	return dph_images_place_at(images, modules, &image) ? image : other(cli, image);
}

const struct dp_image *dph_names_for(const struct dph_cli *cli, struct dp_session *session,
				     struct dph_images *images)
{
	const struct dp_image *image;

	return dph_images_place(images, session, &image) ? image : other(cli, image);
}

bool dph_names_fit(const struct dph_cli *cli, struct dp_session *session, struct dph_images *images)
{
	const struct dp_image *image;
	struct dp_image_info info;

	if (dph_images_place(images, session, &image))
		return true;
	dp_image_info(image, &info);
	dph_cli_error(cli, "the target does not run %s; give the ELF file that is running (--elf)",
		      info.path);
	return false;
}

bool dph_is_build(const struct dp_module_info *built, const struct dp_image_info *image)
{
	const unsigned bytes = image->build_id_bytes < DP_IDENTITY_BYTES ? image->build_id_bytes
									 : DP_IDENTITY_BYTES;

	return built->identity == DP_IDENTITY_BUILD_ID && bytes > 0 &&
	       memcmp(built->id, image->build_id, bytes) == 0;
}
