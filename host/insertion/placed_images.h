/* SPDX-License-Identifier: BSD-2-Clause */
/* The images that name addresses of one target: each at the place where the target runs it. */
#ifndef DPH_PLACED_IMAGES_H
#define DPH_PLACED_IMAGES_H

#include "symbols/images.h"
#include <dprobes/session.h>

/* The modules of a target. */
struct dph_modules {
	void *context;
	/* Returns false when there is no such module, or it cannot be read. */
	bool (*read)(void *context, uint8_t index, struct dp_module_answer *module);
	unsigned count;
	unsigned word_bytes; /* of the target */
};

/* Modules that were read, in their order. */
struct dph_module_list {
	struct dp_module_answer *list; /* the owner of the list frees it */
	size_t count, capacity;
};

void dph_module_list_add(struct dph_module_list *list, const struct dp_module_answer *module);
/* Read the list anew from the target, as far as it tells. */
void dph_module_list_read(struct dph_module_list *list, struct dp_session *session);
struct dph_modules dph_modules_of_list(const struct dph_module_list *list, unsigned word_bytes);

/* As dph_images_place, for modules from anywhere. */
bool dph_images_place_at(struct dph_images *images, const struct dph_modules *modules,
			 const struct dp_image **names);

/* Move the images to where the target runs them. The file of --sym may be the firmware's or a
 * module's, which its build-id decides; a module that the target runs at several places names the
 * addresses of each.
 * names: receives the image that names addresses; null: none.
 * Returns false where that image is of another firmware; names is then the image all the same. */
bool dph_images_place(struct dph_images *images, struct dp_session *session,
		      const struct dp_image **names);

#endif
