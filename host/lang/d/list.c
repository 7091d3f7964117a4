/* SPDX-License-Identifier: BSD-2-Clause */
/* Probe points of descriptions, without a program. */
#include "list.h"

#include "d.h"
#include "debuginfo/debuginfo.h"
#include "lang/d/parse/parse.h"
#include "lang/d/points/hooked.h"
#include "lang/d/points/point.h"
#include "lang/d/points/provided.h"
#include "lang/d/points/spelled.h"
#include "lang/d/read/pragma.h"
#include "lang/d/read/provided.h"
#include "provider_files.h"
#include "symbols/elf_image.h"

#include <stdlib.h>
#include <string.h>

static const char separators[] = ", ";

/* By address and name; of the same point the first in the list. */
static int by_point(const void *a, const void *b)
{
	const struct dph_d_listed *x = *(const struct dph_d_listed *const *)a;
	const struct dph_d_listed *y = *(const struct dph_d_listed *const *)b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	const int names = strcmp(x->name, y->name);
	return names ? names : (x > y) - (x < y);
}

static bool is_same(const struct dph_d_listed *a, const struct dph_d_listed *b)
{
	return a->address == b->address && strcmp(a->name, b->name) == 0;
}

/* Remove each point that stands in the list before. The others keep their order. */
static void make_single(struct dph_d_list *list)
{
	const size_t before = list->count;
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): the array holds pointers */
	struct dph_d_listed **sorted = dph_pool_take(&list->pool, (before + 1) * sizeof(*sorted));
	for (size_t i = 0; i < before; i++)
		sorted[i] = &list->points[i];
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are sorted */
	qsort(sorted, before, sizeof(*sorted), by_point);
	const struct dph_d_listed *last = NULL;
	for (size_t i = 0; i < before; i++)
		if (last && is_same(last, sorted[i]))
			sorted[i]->again = true;
		else
			last = sorted[i];
	list->count = 0;
	for (size_t i = 0; i < before; i++)
		if (!list->points[i].again)
			list->points[list->count++] = list->points[i];
}

/* "queue.provider.d:7" */
static const char *declared_at(struct dph_pool *pool, const struct d_provided *provided)
{
	return dph_pool_print(pool, "%s:%u", provided->place.line->file,
			      provided->place.line->number);
}

/* Note the declarations that others hide. */
static void add_hidden(struct d_front *d, struct dph_d_list *list)
{
	const struct d_provided *before, *at = dph_d_provided_hidden(d, d->provided, &before);
	size_t capacity = 0;
	const char **found = NULL;
	list->hidden_count = 0;
	for (; at; at = dph_d_provided_hidden(d, at->next, &before)) {
		found = dph_grow((void *)found, &capacity, list->hidden_count, sizeof(*found));
		found[list->hidden_count++] = dph_pool_print(
			&list->pool, "'%s:::%s' of %s is not used; %s declares it", at->provider,
			at->name, declared_at(&list->pool, at), declared_at(&list->pool, before));
	}
	list->hidden = dph_pool_take(&list->pool, (list->hidden_count + 1) * sizeof(*found));
	if (list->hidden_count)
		memcpy(list->hidden, found, list->hidden_count * sizeof(*found));
	free((void *)found);
}

static const char *copied(struct dph_pool *pool, const char *text)
{
	return text ? dph_pool_copy(pool, text, strlen(text)) : NULL;
}

static struct dph_d_listed listed(struct d_front *d, struct dph_pool *pool,
				  const struct d_point *point)
{
	const char *refused = dph_d_point_refused(d, point);
	const struct d_provided *provided = point->provided;
	return (struct dph_d_listed){
		.name = dph_pool_print(
			pool, "%s:%s:%s:%s", point->part[DPH_PROBE_PROVIDER],
			dph_d_spelled_path(d->pool, point->part[DPH_PROBE_MODULE]),
			point->watched
				? point->watched->text
				: dph_d_spelled_function(d->pool, point->part[DPH_PROBE_FUNCTION]),
			point->part[DPH_PROBE_NAME]),
		.address = point->watched ? point->watched->address : point->address,
		.nowhere = dph_d_is_anywhere(point) && !point->watched,
		.outer = point->outer,
		.place = copied(pool, point->place_name),
		.arguments = copied(pool, point->hook ? dph_d_hook_arguments(d, point) : NULL),
		.declared = provided ? declared_at(pool, provided) : NULL,
		.refused = copied(pool, refused),
	};
}

/* Add the points behind those of the descriptions before. */
static void add(struct d_front *d, struct dph_d_list *list, const struct d_point *first)
{
	size_t count = list->count;
	for (const struct d_point *point = first; point; point = point->next)
		count++;
	struct dph_d_listed *points = dph_pool_take(&list->pool, (count + 1) * sizeof(*points));
	if (list->count)
		memcpy(points, list->points, list->count * sizeof(*points));
	list->points = points;
	for (const struct d_point *point = first; point; point = point->next)
		list->points[list->count++] = listed(d, &list->pool, point);
}

/* Commas or blanks separate the descriptions of a text. Returns false when one of them
 * matches nothing. */
static bool add_all(struct d_front *d, struct dph_d_list *list, const char *text)
{
	bool good = true;
	for (const char *at = text; *at; at += strspn(at, separators)) {
		const size_t bytes = strncmp(at, "watch:", 6) == 0 ? dph_d_watch_bytes(at)
								   : strcspn(at, separators);
		const struct d_description one = {
			.text = dph_pool_copy(d->pool, at, bytes),
			.place = {d->source->lines, (size_t)(at - text), bytes},
		};
		const struct d_point *points = bytes ? dph_d_points_of(d, &one) : NULL;
		good = good && (points || !bytes);
		add(d, list, points);
		at += bytes;
	}
	make_single(list);
	return good;
}

/* Has the text a predicate or statements? A path of a description may begin with '/'. */
static bool has_clause(const char *text)
{
	static const char blanks[] = " \t\r\n;";
	size_t bytes = strlen(text);
	while (bytes && strchr(blanks, text[bytes - 1]))
		bytes--;
	return strchr(text, '{') || (bytes && text[bytes - 1] == '/');
}

/* The points of the descriptions of all clauses. Returns false when one matches nothing, or the
 * text is no program. */
static bool add_clauses(struct d_front *d, struct dph_d_list *list)
{
	bool good = true;
	dph_d_parse(d);
	if (d->report.messages->errors)
		return false;
	for (const struct d_clause *clause = d->clauses; clause; clause = clause->next)
		for (const struct d_description *one = clause->descriptions; one; one = one->next) {
			const struct d_point *points = dph_d_points_of(d, one);
			good = good && points;
			add(d, list, points);
		}
	make_single(list);
	return good;
}

bool dph_d_points(struct dp_image *image, const char *descriptions, struct dph_d_list *list,
		  struct dp_messages *messages)
{
	struct dph_source source = {0};
	struct dph_images images = {.firmware = image};
	const struct dph_cpp_options cpp = {0};
	if (!dph_source_prepare(&source, descriptions, strlen(descriptions), DPH_D_COMMAND_LINE,
				&cpp, messages))
		return false;
	struct dp_image_info info;
	dp_image_info(image, &info);
	struct dph_program program = {.target.word_bytes = info.word_bits / 8,
				      .target.big_endian = info.big_endian};
	struct d_front d = {
		.report = {&source, messages},
		.source = &source,
		.pool = &source.pool,
		.images = &images,
		.image = image,
		.read_watched = dph_d_read_watched,
		.read_provided = dph_d_read_provided,
		.program = &program,
		.cpu = dph_image_cpu(image),
		.debug = dph_debuginfo_for(&images, image),
	};
	dph_d_options(&d, list->options, list->option_count);
	const bool good =
		has_clause(descriptions) ? add_clauses(&d, list) : add_all(&d, list, descriptions);
	if (good)
		add_hidden(&d, list);
	dph_d_say_files(&d, good);
	dph_d_declared_free(&d);
	dp_debuginfo_close(d.debug);
	dph_source_free(&source);
	return good;
}

void dph_d_list_free(struct dph_d_list *list)
{
	dph_pool_free(&list->pool);
}
