/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes flight prints the records that the flight recorder of the target has kept. */
#define _GNU_SOURCE
#include "cmd.h"

#include "base/pool.h"
#include "cmd_names.h"
#include "kept.h"
#include "stream/flight.h"

#include "dp_crc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An object whose records may be in the ring. */
struct program {
	uint32_t crc;
	struct dp_object_file *object; /* null: nobody has kept it */
	struct dp_formats *formats;    /* null: the object has none */
};

struct flight {
	const struct dph_cli *cli;
	FILE *out;
	struct dp_session *session;
	struct dp_flight_ring ring;
	struct dph_flight found;
	struct program *programs;
	size_t count, capacity;
	size_t current; /* program of the record that is being told */
	struct dph_images images;
	struct dp_templates *templates;
	struct dp_image *image; /* names in the formats; null: no ELF file */
	struct dp_record_style style;
	struct dp_sink *sink;
};

/* --- programs --- */

/* The ELF file, for names in the object's formats; null: the object was built for another one. */
static struct dp_image *image_of(const struct flight *f, const struct dp_object_file *object)
{
	struct dp_module_info built = {0};
	struct dp_program_info program;
	struct dp_image_info info;

	if (f->image == NULL || object == NULL || !dp_object_module(object, 0, &built) ||
	    built.identity != DP_IDENTITY_BUILD_ID)
		return f->image;
	dp_image_info(f->image, &info);
	if (dph_is_build(&built, &info))
		return f->image;
	dp_object_program(object, &program);
	dph_cli_error(f->cli,
		      "program %.*s was built for another build of the firmware than %s: its "
		      "records are printed without names of this file",
		      (int)program.name_bytes, program.name, f->cli->elf);
	return NULL;
}

static struct program *add_program(struct flight *f, uint32_t crc, struct dp_object_file *object)
{
	f->programs = dph_grow(f->programs, &f->capacity, f->count, sizeof *f->programs);
	f->programs[f->count] = (struct program){
		.crc = crc,
		.object = object,
		.formats = object != NULL ? dph_output_formats(f->out, object, image_of(f, object))
					  : NULL,
	};
	return &f->programs[f->count++];
}

/* The program with the object of this CRC: of the command line, or one that was kept here. */
static struct program *program_of(struct flight *f, uint32_t crc)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->programs[i].crc == crc)
			return &f->programs[i];
	return add_program(f, crc, dph_kept_with_crc(crc));
}

/* Load the objects of the command line. */
static bool load_objects(struct flight *f)
{
	struct dp_messages messages = {0};

	if (f->cli->elf != NULL)
		f->image = dp_image_open(f->cli->elf, &messages);
	for (size_t i = 0; i < f->cli->arg_count && messages.errors == 0; i++) {
		struct dp_object_file *object = dp_object_load(f->cli->args[i], &messages);

		if (object != NULL)
			add_program(f, dp_crc32(0, object->data, object->travelling), object);
	}
	const bool good = messages.errors == 0;

	dph_cli_report(f->cli, &messages);
	return good;
}

/* --- records --- */

static void set_meaning(void *context, const struct dph_flight_record *record,
			struct dp_probe_meaning *meaning)
{
	struct flight *f = context;
	const struct program *program = program_of(f, record->program);
	struct dp_program_info info;
	struct dp_point_info point;

	meaning->items = record->items;
	f->current = (size_t)(program - f->programs);
	meaning->program = (uint8_t)f->current;
	meaning->point = record->point;
	meaning->known =
		program->object != NULL && dp_object_point(program->object, record->point, &point);
	if (!meaning->known)
		return;
	dp_object_program(program->object, &info);
	snprintf(meaning->name, sizeof meaning->name, "%.*s", (int)info.name_bytes, info.name);
	meaning->major = info.major;
	meaning->minor = (uint16_t)point.minor;
	meaning->address = point.address;
}

/* The styles of a stream know one program; here each record may be of another one. */
static void print_record(void *context, const struct dp_log_record *record)
{
	struct flight *f = context;
	const struct program *program = record->probe != NULL ? &f->programs[f->current] : NULL;
	struct dp_record_view view;

	f->style.formats = program != NULL ? program->formats : NULL;
	f->style.object = program != NULL ? program->object : NULL;
	f->style.program = program != NULL ? (uint8_t)f->current : 0;
	f->style.bare = dph_cli_has(f->cli, DPH_OPT_BARE) ||
			(f->style.formats != NULL && dp_formats_quiet(f->style.formats));
	dp_record_view_read(&view, &f->style, record);
	if (!view.left_out)
		dp_sink_record(f->sink, &view);
	dp_record_view_free(&view);
}

static void print_gap(void *context, const struct dp_gap *gap)
{
	const struct flight *f = context;

	dp_sink_gap(f->sink, gap);
}

static void ignore_notice(void *context, const struct dp_notice_in *notice)
{
	(void)context, (void)notice;
}

/* Records of one start of the agent; *end: the first one of the next. */
static void print_start(struct flight *f, size_t first, size_t *end)
{
	const struct dp_hello_answer *target = dp_session_target(f->session);
	const struct dp_records_listener listener = {f, print_record, print_gap, ignore_notice};
	const struct dph_flight *found = &f->found;
	const uint16_t boot = found->list[first].boot;

	for (*end = first; *end < found->count && found->list[*end].boot == boot; ++*end)
		;
	/* the clock of an earlier start began at another time */
	f->style.began_ns = boot == f->ring.boot ? dp_session_began_ns(f->session) : 0;
	f->sink->began_ns = f->style.began_ns;
	if (!f->cli->quiet) {
		fflush(f->out);
		fprintf(stderr, "dprobes: %zu record(s) of start %u%s\n", *end - first, boot,
			boot == f->ring.boot ? ", which still runs" : "");
	}
	dph_flight_tell(found->list + first, *end - first, target->word_bytes,
			target->big_endian != 0, &listener, set_meaning);
}

/* --- what is proved --- */

static void tell_unknown(const struct flight *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->programs[i].object == NULL)
			dph_cli_error(f->cli,
				      "the object with the CRC %08" PRIx32
				      " was not kept here, so its records are shown as bytes; "
				      "give the object (.ppdf)",
				      f->programs[i].crc);
}

/* Returns the exit status. */
static int tell_proof(const struct flight *f)
{
	const struct dph_flight *found = &f->found;

	if (found->gaps > 0)
		dph_cli_error(f->cli,
			      "%" PRIu32 " byte(s) in %u place(s) of the flight recorder are of "
			      "no intact record; the first one is behind %zu intact record(s)",
			      found->gap_bytes, found->gaps, found->gap_behind);
	if (!f->cli->quiet) {
		fprintf(stderr, "dprobes: %zu intact record(s)%s%s\n", found->count,
			found->older ? "; older ones were overwritten" : "",
			f->ring.state == 1   ? "; frozen: 'dprobes flight --clear' starts anew"
			: f->ring.state == 2 ? "; freezes behind the next records"
					     : "");
		if (found->begun)
			fputs("dprobes: a record behind them was begun and is not whole: a reset "
			      "came in its hit\n",
			      stderr);
	}
	return found->gaps > 0 ? DPH_EXIT_LOST : DPH_EXIT_DONE;
}

static int print_all(struct flight *f)
{
	const struct dph_flight_bytes bytes = {f->ring.bytes, f->ring.size, f->ring.end,
					       f->ring.latest};

	dph_flight_find(&bytes, &f->found);
	for (size_t first = 0; first < f->found.count;)
		print_start(f, first, &first);
	fflush(f->out);
	tell_unknown(f);
	return tell_proof(f);
}

/* --- the command --- */

static int no_recorder(const struct flight *f)
{
	dph_cli_error(f->cli, "%s", dp_error_sentence(DP_ERR_NO_FLIGHT));
	return DPH_EXIT_AGENT;
}

static int clear(struct flight *f)
{
	struct dp_flight_answer answer;

	if (!dp_session_flight(f->session, DP_FLIGHT_CLEAR, &answer))
		return dph_target_failed(f->cli, f->session);
	if (answer.size == 0)
		return no_recorder(f);
	if (!f->cli->quiet)
		fprintf(stderr, "dprobes: the flight recorder is empty, and takes records\n");
	return DPH_EXIT_DONE;
}

static int print(struct flight *f)
{
	const struct dp_hello_answer *target = dp_session_target(f->session);
	struct dp_flight_answer answer;

	if (dph_cli_has(f->cli, DPH_OPT_FREEZE) &&
	    !dp_session_flight(f->session, DP_FLIGHT_FREEZE, &answer))
		return dph_target_failed(f->cli, f->session);
	if (!dp_session_flight_read(f->session, &f->ring))
		return dph_target_failed(f->cli, f->session);
	if (f->ring.size == 0)
		return no_recorder(f);
	f->style = (struct dp_record_style){
		.word_bytes = target->word_bytes,
		.hz = target->hz,
		.templates = f->templates,
		.big_endian = target->big_endian != 0,
		.leftover = f->cli->verbose,
		.names = dph_names_for(f->cli, f->session, &f->images),
	};
	f->sink = dph_output_sink(f->cli, f->out);
	if (f->sink == NULL)
		return DPH_EXIT_USAGE;
	f->sink->hz = target->hz;
	return print_all(f);
}

static void free_flight(struct flight *f)
{
	dp_sink_close(f->sink);
	dph_flight_free(&f->found);
	free(f->ring.bytes);
	for (size_t i = 0; i < f->count; i++) {
		dp_formats_close(f->programs[i].formats);
		dp_object_free(f->programs[i].object);
	}
	free(f->programs);
	dp_image_close(f->image);
	dp_templates_free(f->templates);
	dph_images_close(&f->images);
	dp_session_close(f->session);
}

int dph_cmd_flight(const struct dph_cli *cli)
{
	const bool clears = dph_cli_has(cli, DPH_OPT_CLEAR);
	const bool changes = clears || dph_cli_has(cli, DPH_OPT_FREEZE);
	struct flight f = {.cli = cli};
	int status = DPH_EXIT_USAGE;

	if (clears && dph_cli_has(cli, DPH_OPT_FREEZE))
		return dph_cli_usage(cli, "--clear and --freeze exclude one another");
	if (dph_names_open(cli, &f.images, &status) &&
	    dph_cli_templates(cli, &f.templates, &status)) {
		status = DPH_EXIT_USAGE;
		f.out = dph_output_open(cli);
	}
	if (f.out != NULL && load_objects(&f))
		f.session = dph_target_open(
			cli, DP_RIGHT_LOOK | DP_RIGHT_LOG | (changes ? DP_RIGHT_INSERT : 0), NULL,
			&status);
	if (f.session != NULL)
		status = clears ? clear(&f) : print(&f);
	free_flight(&f);
	if (f.out != NULL && !dph_output_close(cli, f.out) && status == DPH_EXIT_DONE)
		status = DPH_EXIT_USAGE;
	return status;
}
