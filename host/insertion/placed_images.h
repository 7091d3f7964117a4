/* SPDX-License-Identifier: BSD-2-Clause */
/* The images that name addresses of one target: each at the place where the target runs it. */
#ifndef DPH_PLACED_IMAGES_H
#define DPH_PLACED_IMAGES_H

#include "symbols/images.h"
#include <dprobes/session.h>

/* Move the images to where the target runs them. The file of --sym may be the firmware's or a
 * module's, which its build-id decides; a module that the target runs at several places names the
 * addresses of each.
 * names: receives the image that names addresses; null: none.
 * Returns false where that image is of another firmware; names is then the image all the same. */
bool dph_images_place(struct dph_images *images, struct dp_session *session,
		      const struct dp_image **names);

#endif
