/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of addresses come from the ELF file of --elf, or of --sym where that is an ELF file. */
#ifndef DPH_CMD_NAMES_H
#define DPH_CMD_NAMES_H

#include "cmd_target.h"
#include "symbols/images.h"

/* Open the files of the command line, before the line is touched. --no-names opens none.
 * images: all zero; dph_images_close frees, whatever this returned.
 * Returns false with *status set when a file does not serve, which is said. */
bool dph_names_open(const struct dph_cli *cli, struct dph_images *images, int *status);

/* Move the images to where the target runs them. Return the image that names addresses; null: no
 * image, or the image of another firmware, which is said. */
struct dph_modules;
const struct dp_image *dph_names_at(const struct dph_cli *cli, const struct dph_modules *modules,
				    struct dph_images *images);
/* The same for the modules of a session. */
const struct dp_image *dph_names_for(const struct dph_cli *cli, struct dp_session *session,
				     struct dph_images *images);

/* The same for a command that needs the names of the firmware that runs: the image of another
 * firmware is an error. Returns false when it is one, which is said. */
bool dph_names_fit(const struct dph_cli *cli, struct dp_session *session,
		   struct dph_images *images);

/* Was the module of an object built for the image? The object has the build-id, or its beginning.
 */
bool dph_is_build(const struct dp_module_info *built, const struct dp_image_info *image);

#endif
