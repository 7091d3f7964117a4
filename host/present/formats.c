/* SPDX-License-Identifier: BSD-2-Clause */
/* Formats of an object, with the firmware's names for addresses. */
#define _GNU_SOURCE
#include "formats.h"

#include "dp_object.h"
#include "object/object_read.h"
#include "tables/isas.h"
#include "made.h"
#include "symbols/elf_image.h"
#include "tables/registers.h"
#include "value_json.h"

#include <stdlib.h>
#include <string.h>

enum {
	CPUS = 16,
	INDENT_MAX = 20 /* calls */
};

/* The words of an entry of each map. */
static void read_maps(struct dp_formats *formats, const struct dp_object_file *object)
{
	struct dph_section maps;
	dph_section(object, DP_SECTION_MAPS, &maps);
	for (uint32_t i = 0; i < maps.count && i < DPH_MAPS_MAX; i++) {
		const uint8_t *row = maps.data + (size_t)i * DP_MAP_BYTES;
		if (row[DP_MAP_KIND] < DP_MAP_SCALE)
			formats->map_words[i] = row[DP_MAP_KEYS] + (unsigned)row[DP_MAP_VALUES];
		if (row[DP_MAP_KIND] == DP_MAP_SPECULATION)
			formats->speculation = i + 1;
		formats->map_count = i + 1;
	}
}

/* Is each aggregation a map with entries, and each array a map? The section may be damaged. */
static bool has_maps(const struct dp_formats *formats)
{
	for (size_t i = 0; i < formats->formats.aggregation_count; i++) {
		const struct dph_format_aggregation *a = &formats->formats.aggregations[i];
		if (!dph_aggregate_of_host(a) &&
		    (a->map >= formats->map_count || !formats->map_words[a->map]))
			return false;
	}
	for (size_t i = 0; i < formats->formats.array_count; i++)
		if (formats->formats.arrays[i].map >= formats->map_count)
			return false;
	return true;
}

/* Return addresses of some CPUs have a bit that names the instruction set. */
static uint64_t plain_address(const struct dp_formats *formats, uint64_t address)
{
	const struct dph_isa *isa = formats->cpu ? dph_isa_addressed(formats->cpu, address) : NULL;
	return isa ? address & ~isa->address_bit : address;
}

/* The function or variable around an address; null: none. */
static const struct dp_symbol *symbol_around(const struct dp_formats *formats, uint64_t address)
{
	const struct dp_symbol *symbol =
		formats->image ? dp_image_function(formats->image, plain_address(formats, address))
			       : NULL;
	return symbol || !formats->image ? symbol : dp_image_symbol(formats->image, address);
}

static uint64_t start_of(void *context, uint64_t address, enum dph_address_text how)
{
	const struct dp_formats *formats = context;
	if (how == DPH_ADDRESS_SYMBOL) {
		const struct dp_symbol *symbol = symbol_around(formats, address);
		return symbol ? symbol->value : address;
	}
	const struct dp_image *image = dph_image_around(formats->image, address);
	return image ? dph_image_base(image) : address;
}

/* The words of an entry. */
static unsigned entry_words(const struct dp_formats *formats,
			    const struct dph_format_aggregation *a)
{
	return dph_aggregate_of_host(a) ? dph_aggregate_key_words(a, formats->program.word_bytes) +
						  dph_aggregate_words(a)
					: formats->map_words[a->map];
}

static void open_totals(struct dp_formats *formats)
{
	const size_t count = formats->formats.aggregation_count;
	formats->totals = dph_malloc((count + 1) * sizeof(*formats->totals));
	for (size_t i = 0; i < count; i++) {
		const struct dph_format_aggregation *a = &formats->formats.aggregations[i];
		formats->totals[i] = (struct dph_total){.aggregation = a,
							.formats = &formats->formats,
							.start = start_of,
							.context = formats,
							.each = entry_words(formats, a),
							.word_bytes = formats->program.word_bytes};
	}
	formats->flow = dph_malloc(CPUS * sizeof(*formats->flow));
	formats->trends = dph_malloc((count + 1) * sizeof(*formats->trends));
	formats->drops = dph_malloc(dp_formats_drops(formats) * sizeof(*formats->drops));
	formats->told = dph_malloc(dp_formats_drops(formats) * sizeof(*formats->told));
}

struct dp_formats *dp_formats_open(const struct dp_object_file *object,
				   const struct dp_image *image)
{
	struct dph_section section;
	struct dp_formats *formats = dph_malloc(sizeof(*formats));
	read_maps(formats, object);
	if (!dph_section(object, DP_SECTION_FORMATS, &section) ||
	    !dph_formats_read(&formats->formats, &formats->pool, section.data, section.count) ||
	    !has_maps(formats)) {
		dph_pool_free(&formats->pool);
		free(formats);
		return NULL;
	}
	dp_object_program(object, &formats->program);
	formats->cpu = dph_cpu_numbered(formats->program.cpu);
	formats->names =
		dph_malloc(2 * (formats->formats.point_count + 1) * sizeof(*formats->names));
	formats->fields = dph_malloc((formats->formats.point_count + 1) * sizeof(*formats->fields));
	open_totals(formats);
	formats->image = image;
	formats->debug = image ? dp_debuginfo_open(image, NULL) : NULL;
	return formats;
}

void dp_formats_close(struct dp_formats *formats)
{
	if (!formats)
		return;
	if (formats->debug)
		dp_debuginfo_close(formats->debug);
	for (size_t i = 0; i < formats->formats.aggregation_count; i++) {
		dph_total_free(&formats->totals[i]);
		free(formats->trends[i].list);
	}
	free(formats->trends);
	free(formats->flow);
	free(formats->totals);
	free(formats->drops);
	free(formats->told);
	free(formats->fields);
	dph_made_free_all(formats);
	free(formats->counted.entries);
	free(formats->texts);
	dph_pool_free(&formats->pool);
	free(formats->names);
	free(formats);
}

void dp_formats_use_units(struct dp_formats *formats)
{
	formats->formats.order.units = true;
}

void dp_formats_use_heads(struct dp_formats *formats)
{
	formats->heads = true;
}

void dp_formats_ran(struct dp_formats *formats, double seconds)
{
	formats->seconds = seconds;
}

bool dp_formats_quiet(const struct dp_formats *formats)
{
	return formats->formats.quiet;
}

bool dp_formats_has_flow(const struct dp_formats *formats)
{
	return formats->formats.flow;
}

char *dp_formats_flow(const struct dp_formats *formats, unsigned point, unsigned cpu)
{
	if (!formats->formats.flow || point >= formats->formats.point_count)
		return NULL;
	const char *const *part = formats->formats.points[point].part;
	const bool function = strcmp(part[DPH_PROBE_PROVIDER], "fbt") == 0;
	const bool enters = function && strcmp(part[DPH_PROBE_NAME], "entry") == 0;
	const bool leaves = function && strcmp(part[DPH_PROBE_NAME], "return") == 0;
	unsigned *calls = &formats->flow[cpu % CPUS];
	*calls -= leaves && *calls;
	const unsigned indent = *calls < INDENT_MAX ? *calls : INDENT_MAX;
	*calls += enters;
	return dph_print("%*s%s %s", 2 * (int)indent, "",
			 enters   ? "->"
			 : leaves ? "<-"
				  : "|",
			 part[*part[DPH_PROBE_FUNCTION] ? DPH_PROBE_FUNCTION : DPH_PROBE_NAME]);
}

static char *name_module(const struct dp_formats *formats, uint64_t address)
{
	const struct dp_image *image = dph_image_around(formats->image, address);
	size_t bytes;
	if (!image)
		return NULL;
	const char *name = dph_image_module(image, &bytes);
	return dph_print("%.*s", (int)bytes, name);
}

char *dph_formats_name(const struct dp_formats *formats, uint64_t address,
		       enum dph_address_text how)
{
	if (how == DPH_ADDRESS_MODULE)
		return name_module(formats, address);
	const struct dp_symbol *symbol = symbol_around(formats, address);
	if (!symbol)
		return NULL;
	const uint64_t plain = plain_address(formats, address);
	const bool code = formats->image && dp_image_function(formats->image, plain);
	if (code && how == DPH_ADDRESS_PLACE && formats->debug)
		return dp_debuginfo_address_text(formats->debug, plain);
	const uint64_t offset = (code ? plain : address) - symbol->value;
	if (!offset || how == DPH_ADDRESS_SYMBOL)
		return dph_strdup(symbol->name);
	return dph_print("%s+0x%llx", symbol->name, (unsigned long long)offset);
}

static char *name_address(void *context, uint64_t address, enum dph_address_text how)
{
	return dph_formats_name(context, address, how);
}

const char *dp_formats_probe(const struct dp_formats *formats, unsigned point, bool whole)
{
	struct dp_formats *room = (struct dp_formats *)(uintptr_t)formats; /* its pool */
	if (point >= formats->formats.point_count)
		return NULL;
	const char **name = &room->names[2 * (size_t)point + whole];
	const struct dph_format_point *p = &formats->formats.points[point];
	if (!*name)
		*name = whole ? dph_pool_print(&room->pool, "%s:%s:%s:%s",
					       p->part[DPH_PROBE_PROVIDER],
					       p->part[DPH_PROBE_MODULE],
					       p->part[DPH_PROBE_FUNCTION], p->part[DPH_PROBE_NAME])
			      : dph_pool_print(&room->pool, "%s:%s", p->part[DPH_PROBE_FUNCTION],
					       p->part[DPH_PROBE_NAME]);
	return *name;
}

bool dp_formats_optional(const struct dp_formats *formats, unsigned point)
{
	return point < formats->formats.point_count && formats->formats.points[point].optional;
}

static char *read_text(void *context, uint64_t address)
{
	const struct dp_formats *formats = context;
	return formats->image ? dph_image_constant(formats->image, address) : NULL;
}

struct dph_format_record dph_formats_namer(const struct dp_formats *formats)
{
	return (struct dph_format_record){
		.formats = &formats->formats,
		.word_bytes = formats->program.word_bytes,
		.big_endian = formats->program.big_endian,
		.name = name_address,
		.text = read_text,
		.context = (void *)(uintptr_t)formats,
	};
}

struct dph_format_record dph_formats_data(const struct dp_formats *formats,
					  const struct dp_formats_record *record)
{
	struct dph_format_record data = dph_formats_namer(formats);
	data.point = record->point;
	data.data = record->data;
	data.bytes = record->bytes;
	data.exception = record->exception;
	data.seconds_known = record->seconds_known;
	data.seconds = record->seconds;
	data.began_ns = record->began_ns;
	return data;
}

/* --- texts of a record alone --------------------------------------------------------------- */

char *dp_formats_args(const struct dp_formats *formats, const struct dp_formats_record *record)
{
	const struct dph_format_record data = dph_formats_data(formats, record);
	struct dph_pool pool = {0};
	struct dph_recorded recorded;
	char *args = NULL;
	if (!record->budget && dph_format_read(&data, &pool, &recorded))
		args = dph_values_json(recorded.values, recorded.count);
	dph_pool_free(&pool);
	return args;
}

char *dp_formats_text(const struct dp_formats *formats, const struct dp_formats_record *record,
		      int *status)
{
	struct dp_record_made *made = dph_made_read(formats, record);
	if (!made)
		return NULL;
	if (made->status >= 0 && status)
		*status = made->status;
	char *text = dph_strdup(dph_made_text(made));
	dph_made_free(made);
	return text;
}

/* --- fields -------------------------------------------------------------------------------- */

const struct dp_field *dp_formats_fields(const struct dp_formats *formats, unsigned point,
					 size_t *count)
{
	struct dp_formats *room = (struct dp_formats *)(uintptr_t)formats; /* its pool */
	*count = 0;
	if (point >= formats->formats.point_count)
		return NULL;
	struct dph_described *described = &room->fields[point];
	if (!described->known)
		described->fields =
			dph_format_fields(&formats->formats, point, &room->pool, &described->count);
	described->known = true;
	*count = described->count;
	return described->fields;
}
