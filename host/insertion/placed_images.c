/* SPDX-License-Identifier: BSD-2-Clause */
/* This file moves images to the places that the target's modules have. */
#include "placed_images.h"

#include "base/pool.h"
#include "symbols/elf_image.h"

static bool is_other(const struct dp_image *image, const struct dp_module_answer *module)
{
	return dph_image_is_other(image, module->identity, module->id.bytes, module->id.count);
}

/* Is the image the file of this module? Only a build-id can tell. */
static bool is_file_of(const struct dp_image *image, const struct dp_module_answer *module)
{
	struct dp_image_info info;

	dp_image_info(image, &info);
	return module->identity == DP_IDENTITY_BUILD_ID && info.build_id_bytes > 0 &&
	       !is_other(image, module);
}

/* Offsets in a module count from the lowest address of its file. */
static uint64_t place_of(const struct dp_image *image, const struct dp_module_answer *module)
{
	return module->base - dph_image_base(image);
}

/* Put the file of --sym at each place of its module. Returns whether the target has one. */
static bool place_module(struct dph_images *images, const struct dph_modules *modules)
{
	struct dp_module_answer module;
	bool placed = false;

	for (unsigned i = 1;
	     i < modules->count && modules->read(modules->context, (uint8_t)i, &module); i++) {
		if (!is_file_of(images->symbol_file, &module))
			continue;
		if (placed) {
			dph_images_copy(images, module.base);
			continue;
		}
		dp_image_move(images->symbol_file, place_of(images->symbol_file, &module));
		placed = true;
	}
	return placed;
}

/* An address is a module's before it is the firmware's, whose data may hold the module. */
static void join(struct dph_images *images, const struct dp_image *firmware)
{
	struct dp_image *last = images->symbol_file;

	for (size_t i = 0; i < images->copy_count; i++) {
		dph_image_join(last, images->copies[i]);
		last = images->copies[i];
	}
	dph_image_join(last, firmware);
}

bool dph_images_place_at(struct dph_images *images, const struct dph_modules *modules,
			 const struct dp_image **names)
{
	const struct dp_hello_answer target = {.word_bytes = (uint8_t)modules->word_bytes};
	const struct dp_image *image = *names = dph_images_names(images);
	struct dp_module_answer running;
	bool other;

	if (image == NULL || !modules->read(modules->context, 0, &running))
		return true;
	dph_images_move(images, dp_module_moved(&running, &target));
	dph_images_text(images, running.base, running.bytes);
	other = is_other(image, &running);
	if (!other || image != images->symbol_file)
		return !other;
	dp_image_move(images->symbol_file, 0);
	if (!place_module(images, modules))
		return false;
	if (images->firmware != NULL && !is_other(images->firmware, &running))
		join(images, images->firmware);
	else
		join(images, NULL);
	return true;
}

/* --- modules --- */

void dph_module_list_add(struct dph_module_list *list, const struct dp_module_answer *module)
{
	list->list = dph_grow(list->list, &list->capacity, list->count, sizeof *list->list);
	list->list[list->count++] = *module;
}

void dph_module_list_read(struct dph_module_list *list, struct dp_session *session)
{
	const unsigned count = dp_session_target(session)->modules;
	struct dp_module_answer module;

	list->count = 0;
	for (unsigned i = 0; i < count && dp_session_module(session, (uint8_t)i, &module); i++)
		dph_module_list_add(list, &module);
}

static bool read_listed(void *context, uint8_t index, struct dp_module_answer *module)
{
	const struct dph_module_list *list = context;

	if (index < list->count)
		*module = list->list[index];
	return index < list->count;
}

struct dph_modules dph_modules_of_list(const struct dph_module_list *list, unsigned word_bytes)
{
	return (struct dph_modules){(void *)list, read_listed, (unsigned)list->count, word_bytes};
}

static bool read_module(void *context, uint8_t index, struct dp_module_answer *module)
{
	return dp_session_module(context, index, module);
}

bool dph_images_place(struct dph_images *images, struct dp_session *session,
		      const struct dp_image **names)
{
	const struct dp_hello_answer *target = dp_session_target(session);
	const struct dph_modules modules = {session, read_module, target->modules,
					    target->word_bytes};

	return dph_images_place_at(images, &modules, names);
}
