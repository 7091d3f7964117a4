/* SPDX-License-Identifier: BSD-2-Clause */
/* Probe points of one description, without a program. */
#include "list.h"

#include "d.h"
#include "debuginfo/debuginfo.h"
#include "lang/d/points/point.h"

#include <string.h>

static void copy(struct d_front *d, struct dph_d_list *list, const struct d_point *first)
{
	for (const struct d_point *point = first; point; point = point->next)
		list->count++;
	list->points = dph_pool_take(&list->pool, (list->count + 1) * sizeof(*list->points));
	struct dph_d_listed *to = list->points;
	for (const struct d_point *point = first; point; point = point->next) {
		const char *refused = dph_d_point_refused(d, point);
		*to++ = (struct dph_d_listed){
			.name = dph_pool_print(
				&list->pool, "%s:%s:%s:%s", point->part[DPH_PROBE_PROVIDER],
				point->part[DPH_PROBE_MODULE], point->part[DPH_PROBE_FUNCTION],
				point->part[DPH_PROBE_NAME]),
			.address = point->address,
			.outer = point->outer,
			.refused = refused ? dph_pool_copy(&list->pool, refused, strlen(refused))
					   : NULL,
		};
	}
}

bool dph_d_points(struct dp_image *image, const char *description, struct dph_d_list *list,
		  struct dp_messages *messages)
{
	struct dph_source source = {0};
	struct dph_images images = {.firmware = image};
	const struct dph_cpp_options cpp = {0};
	if (!dph_source_prepare(&source, description, strlen(description), DPH_D_COMMAND_LINE, &cpp,
				messages))
		return false;
	struct dp_image_info info;
	dp_image_info(image, &info);
	struct d_front d = {
		.report = {&source, messages},
		.source = &source,
		.pool = &source.pool,
		.images = &images,
		.image = image,
		.cpu = info.elf ? dph_cpu_of_elf(info.machine, info.word_bits) : NULL,
		.debug = dph_debuginfo_for(&images, image),
	};
	const struct d_description one = {
		.text = description,
		.place = {.line = source.lines, .bytes = strlen(description)},
	};
	copy(&d, list, dph_d_points_of(&d, &one));
	dp_debuginfo_close(d.debug);
	dph_source_free(&source);
	return list->count != 0;
}

void dph_d_list_free(struct dph_d_list *list)
{
	dph_pool_free(&list->pool);
}
