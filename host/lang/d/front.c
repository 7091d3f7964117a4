/* SPDX-License-Identifier: BSD-2-Clause */
/* The front end of D: parse, find points, make handlers, fill the IR. */
#define _GNU_SOURCE
#include "d.h"
#include "lang/d/read/declared.h"
#include "lang/d/check/defer.h"
#include "lang/d/check/entry.h"

#include "debuginfo/debuginfo.h"
#include "lang/d/record/handler.h"
#include "lang/d/read/macro.h"
#include "lang/d/parse/parse.h"
#include "lang/d/read/pragma.h"
#include "provider_files.h"
#include "lang/d/check/texts.h"
#include "lang/d/code/fault_place.h"
#include "lang/d/code/formats.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- is it D? ------------------------------------------------------------------------------ */

/* The first line with words; a pragma has words. */
static const char *first_text(const struct dph_source *source)
{
	bool comment = false;
	for (size_t i = 0; i < source->count; i++) {
		const char *text = source->lines[i].text;
		for (;;) {
			text += strspn(text, " \t\r");
			if (comment || strncmp(text, "/*", 2) == 0) {
				const char *stop = strstr(text + (comment ? 0 : 2), "*/");
				comment = !stop;
				if (!stop)
					break;
				text = stop + 2;
				continue;
			}
			if (!*text || strncmp(text, "//", 2) == 0)
				break;
			return text;
		}
	}
	return "";
}

/* An RPN program begins with `keyword =`. */
bool dph_d_recognises(const struct dph_source *source)
{
	const char *text = first_text(source);
	if (strcmp(source->files[0].name, DPH_D_COMMAND_LINE) == 0)
		return true;
	if (*text == '#')
		return strncmp(text, "#pragma D ", 10) == 0;
	const char *stop = text + strcspn(text, "=:{/;\"");
	return *stop && strchr(":{/;", *stop);
}

/* --- the hand-over ------------------------------------------------------------------------- */

/* The script's name without its suffix; a program of the command line is `trace`. */
static const char *program_name(struct d_front *d)
{
	if (d->name)
		return d->name;
	const char *path = d->source->files[0].name, *base = strrchr(path, '/');
	base = base ? base + 1 : path;
	if (*base == '<')
		return "trace";
	const char *dot = strrchr(base, '.');
	char *name = dph_pool_copy(d->pool, base,
				   dot && dot != base ? (size_t)(dot - base) : strlen(base));
	for (char *c = name; *c; c++)
		if (!isgraph((unsigned char)*c))
			*c = '_';
	if (strlen(name) > DPH_NAME_BYTES_MAX)
		name[DPH_NAME_BYTES_MAX] = 0;
	return name;
}

static void hand_over_formats(struct d_front *d)
{
	struct d_format_table *f = d->formats;
	struct dph_bytes bytes = {0};
	dph_d_format_variables(d);
	dph_formats_write(
		&(struct dph_formats){
			.types = f->types,
			.type_count = f->type_count,
			.layouts = f->layouts,
			.layout_count = f->layout_count,
			.points = f->points,
			.point_count = f->point_count,
			.places = f->places,
			.place_count = f->place_count,
			.texts = f->texts,
			.text_count = f->text_count,
			.aggregations = f->aggregations,
			.aggregation_count = f->aggregation_count,
			.arrays = f->arrays,
			.array_count = f->array_count,
			.variables = f->variables,
			.variable_count = f->variable_count,
			.aggrate_ms = d->aggrate,
			.quiet = d->quiet,
			.flow = d->flow,
			.order = {d->sort_by_key, d->sort_reversed, d->packed, d->zoomed, d->units,
				  d->sort_key, d->sort_position},
		},
		&bytes);
	dph_ir_extra(d->program, DP_SECTION_FORMATS, (uint32_t)bytes.count, bytes.data,
		     bytes.count);
	free(bytes.data);
}

static void need_clause(struct d_front *d)
{
	struct dph_place whole = {0};
	if (d->source->count)
		whole.line = &d->source->lines[0];
	if (!d->clauses)
		dph_d_error(d, D_SYNTAX, whole,
			    "there is no clause in this program; write DESCRIPTION { STATEMENTS }");
}

/* Jumps of D lead forward: a hit takes at most those that its handler has. */
static struct dph_setting jumps_of(const struct d_front *d)
{
	return (struct dph_setting){.given = d->jumps > RPN_JMPMAX_DEFAULT, .value = d->jumps};
}

/* Parts of the agent that guards need. */
#define NEEDED_PARTS ((uint64_t)1 << DP_PART_HANDLERS | (uint64_t)1 << DP_PART_STATE)

static void need_guards(struct d_front *d)
{
	if (d->errors && !d->guards)
		dph_d_error(d, D_HERE_STEP, d->errors->place,
			    "this agent was built without exception handlers, which ERROR needs; "
			    "build the firmware with DP_WITH_LANGUAGE");
}

/* Of stack(), without the option stackbytes. */
enum {
	STACK_BYTES = 256
};

unsigned dph_d_stack_bytes(const char *const *options, size_t count)
{
	static const char name[] = "stackbytes";
	const size_t length = sizeof(name) - 1;
	unsigned bytes = STACK_BYTES;
	for (size_t i = 0; i < count; i++) {
		const char *value = options[i] + length;
		if (strncmp(options[i], name, length) == 0 && strchr(" \t=", *value))
			bytes = (unsigned)strtoul(value + strspn(value, " \t="), NULL, 0);
	}
	return bytes;
}

void dph_d_compile(struct dph_compilation *c)
{
	struct d_format_table formats = {0};
	struct d_front d = {
		.report = c->report,
		.source = &c->source,
		.pool = &c->source.pool,
		.images = &c->images,
		.image = dph_images_symbols(&c->images),
		.read_watched = dph_d_read_watched,
		.read_provided = dph_d_read_provided,
		.program = &c->program,
		.cpu = c->program.target.cpu,
		.formats = &formats,
		.agg_size = 64,
		.aggrate = DPH_FORMAT_AGGRATE_MS,
		.dynvar_size = 64,
		.spec_buffers = 1,
		.spec_size = 512,
		.key_size = 16,
		.string_bytes = 64,
		.writes = c->options->write,
		.stops = !(c->options->lacks >> DP_PART_STOPS & 1),
		.stack_frames = 20,
		.stack_bytes = STACK_BYTES,
		.guards = !(c->options->lacks & NEEDED_PARTS),
		.lacks = c->options->lacks,
		.name = c->options->d_name,
		.arguments = c->options->d_arguments,
		.argument_count = c->options->d_argument_count,
		.probes_max = c->options->probes_max ? c->options->probes_max : DPH_MAX_PROBES,
		.log_max = dph_default_buffer(c->options->log_max),
	};
	const size_t errors = c->report.messages->errors;
	dph_d_options(&d, c->options->d_options, c->options->d_option_count);
	dph_d_pragmas(&d);
	if (d.image)
		d.debug = d.ctf_types ? dph_debuginfo_types(d.image)
				      : dph_debuginfo_for(&c->images, d.image);
	dph_d_parse(&d);
	if (c->report.messages->errors == errors)
		need_clause(&d);
	if (c->report.messages->errors == errors)
		dph_d_unused_arguments(&d);
	if (c->report.messages->errors == errors)
		dph_d_entries(&d);
	if (c->report.messages->errors == errors)
		dph_d_defer(&d);
	if (c->report.messages->errors == errors)
		dph_d_texts(&d);
	if (c->report.messages->errors == errors)
		dph_d_find_points(&d);
	need_guards(&d);
	dph_d_clause_places(&d);
	if (c->report.messages->errors == errors)
		dph_d_handlers(&d);
	if (c->report.messages->errors == errors && !d.points)
		dph_d_error(&d, D_PDESC_ZERO, d.clauses->place, "no description matches anything");
	dph_ir_header(d.program, &(struct dph_header){.name = program_name(&d),
						      .modtype = DP_MODULE_KERNEL,
						      .vars = (uint16_t)d.variable_words,
						      .jmpmax = jumps_of(&d)});
	if (c->report.messages->errors == errors)
		hand_over_formats(&d);
	dp_messages_free(&d.of_files);
	dph_d_formats_free(&formats);
	dph_d_declared_free(&d);
	if (d.debug)
		dp_debuginfo_close(d.debug);
}
