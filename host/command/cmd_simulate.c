/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes simulate PROGRAM hits the program's probes on a simulated machine. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"

#include "cmd_names.h"
#include "dp_object.h"
#include <dprobes/errors.h>
#include "present/made.h"
#include "present/simulated.h"
#include "tables/timers.h"

struct command {
	const struct dph_cli *cli;
	struct dph_simulation *simulation;
	struct dp_templates *templates; /* null: none */
	struct dph_images images;       /* of the names in templates */
	const struct dp_image *names;
	const struct dp_object_file *object;
	struct dp_formats *formats; /* null: none */
	FILE *out;
	struct dp_sink *sink;
	unsigned long hit; /* number of this hit, from 1 */
	bool told;         /* that branches are not decided */
};

/* --- options --- */

/* Read one number that fills the text; decimal or 0x. */
static bool number(const char *text, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*value = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
	return *end == 0 && errno == 0;
}

/* "NAME=REST": returns REST and NAME's length. */
static const char *after_equals(const char *text, size_t *name_bytes)
{
	const char *equals = strchr(text, '=');

	*name_bytes = equals ? (size_t)(equals - text) : 0;
	return equals && *name_bytes > 0 ? equals + 1 : NULL;
}

static int digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* Pairs of hex digits. Returns how many bytes, or 0. */
static size_t hex_bytes(const char *text, uint8_t *bytes)
{
	size_t count = strlen(text) / 2;

	if (strlen(text) % 2 != 0 || strspn(text, "0123456789abcdefABCDEF") != 2 * count)
		return 0;
	for (size_t i = 0; i < count; i++)
		bytes[i] = (uint8_t)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
	return count;
}

static int map_memory(struct command *c, const char *text, bool writable)
{
	size_t name_bytes, count;
	const char *hex = after_equals(text, &name_bytes);
	uint8_t *bytes = malloc(strlen(text));
	char name[32];
	uint64_t address;
	int status = DPH_EXIT_DONE;

	if (hex && name_bytes < sizeof name)
		snprintf(name, sizeof name, "%.*s", (int)name_bytes, text);
	if (!bytes || !hex || name_bytes >= sizeof name || !number(name, &address) ||
	    (count = hex_bytes(hex, bytes)) == 0)
		status = dph_cli_usage(
			c->cli,
			"'%s' is not ADDRESS=HEX: pairs of hex digits, as in 0x2000=48656c6c6f",
			text);
	else if (dph_simulation_full(c->simulation))
		status = dph_cli_usage(
			c->cli, "memory '%s' is one range too many; give adjacent ranges as one",
			text);
	else if (!dph_simulation_map(c->simulation, address, bytes, count, writable))
		status = dph_cli_usage(
			c->cli,
			"memory '%s' overlaps another range or the end of the address space", text);
	free(bytes);
	return status;
}

/* A value as words, lowest first. More than 64 bits: hex only. */
static bool register_value(const struct command *c, const char *text,
			   uint64_t words[DP_REG_WORDS_MAX])
{
	unsigned word_digits = dph_simulation_form(c->simulation)->word_bits / 4;
	size_t digits;

	memset(words, 0, DP_REG_WORDS_MAX * sizeof words[0]);
	if (strncmp(text, "0x", 2) != 0) {
		const bool negative = *text == '-';

		if (!number(text + negative, &words[0]))
			return false;
		if (negative)
			words[0] = -words[0];
		if (word_digits == 8)
			words[1] = words[0] >> 32;
		return true;
	}
	text += 2;
	digits = strlen(text);
	if (digits == 0 || digits > DP_REG_WORDS_MAX * word_digits ||
	    strspn(text, "0123456789abcdefABCDEF") != digits)
		return false;
	for (size_t i = 0; i < digits; i++) {
		size_t place = digits - 1 - i;

		words[place / word_digits] |= (uint64_t)digit(text[i]) << 4 * (place % word_digits);
	}
	return true;
}

/* `--reg arg0=5` where arg0 is in memory. */
static bool is_on_stack(const struct command *c, const char *text, unsigned *offset)
{
	return dph_reg_on_stack(dph_simulation_cpu(c->simulation), text, strcspn(text, "="),
				offset);
}

static int set_stack_word(struct command *c, const char *text, unsigned offset, uint64_t value)
{
	if (dph_simulation_stack_word(c->simulation, offset, value))
		return DPH_EXIT_DONE;
	return dph_cli_usage(
		c->cli,
		"'%s': on %s this register is the word at sp + %u, which is in --mem or wraps",
		text, dph_simulation_cpu(c->simulation)->name, offset);
}

static int set_register(struct command *c, const char *text)
{
	const struct dph_cpu *cpu = dph_simulation_cpu(c->simulation);
	uint64_t words[DP_REG_WORDS_MAX];
	const struct dp_reg *reg;
	size_t name_bytes;
	unsigned offset, width;
	const char *value = after_equals(text, &name_bytes);

	if (!value || !register_value(c, value, words))
		return dph_cli_usage(c->cli, "'%s' is not NAME=VALUE, as in r0=0x1234", text);
	reg = dph_reg_named(cpu, text, name_bytes);
	if (!reg && !is_on_stack(c, text, &offset))
		return dph_cli_usage(c->cli, "unknown register '%.*s' on %s", (int)name_bytes, text,
				     cpu->name);
	width = reg ? reg->words : 1;
	for (unsigned i = width; *value != '-' && i < DP_REG_WORDS_MAX; i++)
		if (words[i] != 0)
			return dph_cli_usage(c->cli, "'%s': the register has %u bits", text,
					     width * dph_simulation_form(c->simulation)->word_bits);
	if (!reg)
		return set_stack_word(c, text, offset, words[0]);
	dph_simulation_register(c->simulation, reg->index, words);
	return DPH_EXIT_DONE;
}

static int set_machine(struct command *c)
{
	const struct dph_cli_value *v = c->cli->values, *end = v + c->cli->value_count;
	int status = DPH_EXIT_DONE;
	unsigned offset;

	for (; v < end && status == DPH_EXIT_DONE; v++) {
		if (v->option == DPH_OPT_MEM || v->option == DPH_OPT_MEM_RO)
			status = map_memory(c, v->value, v->option == DPH_OPT_MEM);
		else if (v->option == DPH_OPT_REG && !is_on_stack(c, v->value, &offset))
			status = set_register(c, v->value);
	}
	/* Where these are, sp says. */
	for (v = c->cli->values; v < end && status == DPH_EXIT_DONE; v++)
		if (v->option == DPH_OPT_REG && is_on_stack(c, v->value, &offset))
			status = set_register(c, v->value);
	return status;
}

/* --- hits --- */

/* Null: without --templates. */
static char *template_text(const struct command *c, const struct sim_result *r, bool trace)
{
	const struct dph_sim_form *form = dph_simulation_form(c->simulation);
	const struct dp_template_record record = {
		.major = r->major,
		.minor = r->minor,
		.data = trace ? r->trace : r->log,
		.bytes = trace ? r->trace_bytes : r->log_bytes,
		.word_bytes = form->word_bits / 8,
		.big_endian = form->big_endian,
		.leftover = c->cli->verbose,
		.names = c->names,
		.object = c->names != NULL ? c->object : NULL,
	};

	if (!c->templates)
		return NULL;
	return trace ? dp_template_trace(&record) : dp_template_text(c->templates, &record);
}

/* Take the entries of a map, `each` words an entry. Returns their number. */
static size_t take_map(const struct command *c, unsigned map, unsigned each, uint64_t *words)
{
	size_t count = 0;
	unsigned place = 0;
	int found;

	while ((found = dph_simulation_map_take(c->simulation, map, place, words + count * each)) >=
	       0) {
		count += found > 0;
		place += found == 0;
	}
	return count;
}

/* Take the entries of each aggregation. */
static void take_aggregations(const struct command *c)
{
	struct dp_aggregation_info info;

	for (unsigned i = 0; dp_formats_aggregation(c->formats, i, &info); i++) {
		uint64_t words[DP_MAP_PLACES_MAX * DP_MAP_WORDS_MAX];
		size_t count;

		if (info.of_host)
			continue;
		count = take_map(c, info.map, info.words, words);
		dp_formats_add(c->formats, i, words, count,
			       dph_simulation_map_dropped(c->simulation, info.map));
	}
}

/* The variables of a D program, by name; of others, by number. */
static void tell_variables(const struct command *c)
{
	const struct dph_variables_view variables = {dph_simulation_program(c->simulation)};
	struct dp_array_info info;

	if (c->formats == NULL) {
		dp_sink_reading(c->sink, DP_READING_VARIABLES, &variables);
		return;
	}
	dp_formats_tell_variables(c->formats, NULL, variables.program->lv, variables.program->vars,
				  c->sink);
	for (unsigned i = 0; dp_formats_array(c->formats, i, &info); i++) {
		uint64_t words[DP_MAP_PLACES_MAX * DP_MAP_WORDS_MAX];
		const size_t count = take_map(c, info.map, info.words, words);

		dp_formats_tell_array(c->formats, i, NULL, words, count, c->sink);
	}
}

static void read_drops(const struct command *c)
{
	struct dp_array_info info;
	uint8_t map;

	for (unsigned i = 0; dp_formats_array(c->formats, i, &info); i++)
		dp_formats_drop(c->formats, i, dph_simulation_map_dropped(c->simulation, info.map));
	if (dp_formats_speculation(c->formats, &map)) {
		uint64_t words[DP_MAP_WORDS_MAX] = {0};

		dph_simulation_map_place(c->simulation, map, 0, words);
		dp_formats_drop_speculation(c->formats,
					    dph_simulation_map_dropped(c->simulation, map), words);
	}
}

static struct dp_formats_record record_of(unsigned point, const struct sim_result *r)
{
	return (struct dp_formats_record){
		.point = point,
		.data = r->log,
		.bytes = r->log_bytes,
		.exception = r->end == RPN_END_EXCEPTION,
		.exception_code = r->end == RPN_END_EXCEPTION ? (uint16_t)r->exception[0] : 0,
		.parameter = r->exception[1],
		.budget = r->end == RPN_END_BUDGET,
	};
}

/* The record of a D program; null: the templates print it. The aggregations are read before it acts
 * on them. */
static struct dp_record_made *made_of(const struct command *c, unsigned point,
				      const struct sim_result *r)
{
	const struct dp_formats_record record = record_of(point, r);

	if (c->formats != NULL && dp_formats_acts(c->formats, point))
		take_aggregations(c);
	return c->formats != NULL && r->end != RPN_END_ABORT ? dph_made_read(c->formats, &record)
							     : NULL;
}

static const char *name_of(const struct command *c, unsigned point, char *text)
{
	struct dp_point_info info;

	return dp_object_point(c->object, point, &info)
		       ? dph_nowhere_name(info.kind, info.address, info.extent, text)
		       : NULL;
}

/* committed: the result is a record of a speculation. */
static void tell(const struct command *c, unsigned point, uint64_t address,
		 const struct sim_result *result, bool committed)
{
	struct dp_record_made *made = made_of(c, point, result);
	char *text = made == NULL ? template_text(c, result, false) : NULL;
	char *trace = template_text(c, result, true);
	char nowhere[DPH_TIMER_ROOM];
	const struct dph_hit_view view = {
		.number = c->hit,
		.committed = committed,
		.point = point,
		.address = address,
		.name = name_of(c, point, nowhere),
		.result = result,
		.object = c->object,
		.simulation = c->simulation,
		.desc = c->formats != NULL
				? dp_formats_probe(c->formats, point, true)
				: dp_template_desc(c->templates, result->major, result->minor),
		.made = made,
		.counts = c->formats != NULL,
		.text = text,
		.trace_text = trace,
	};

	dp_sink_reading(c->sink, DP_READING_HIT, &view);
	dph_made_free(made);
	free(text);
	free(trace);
}

/* The records of speculations that the hit has committed. */
static void tell_committed(const struct command *c)
{
	struct sim_speculated record;
	struct dp_point_info info;

	while (dph_simulation_speculated(c->simulation, &record)) {
		const bool there = dp_object_point(c->object, record.point, &info);
		const struct sim_result result = {.end = RPN_END_EXIT,
						  .log = record.log,
						  .log_bytes = record.bytes,
						  .minor = there ? info.minor : 0};

		if (there)
			tell(c, record.point, info.address, &result, true);
	}
}

/* No instruction runs here that could decide. */
static void tell_taken(struct command *c, unsigned point)
{
	struct dp_point_info info;

	if (c->told || c->cli->quiet || !dp_object_point(c->object, point, &info) ||
	    !(info.flags & DP_POINT_TAKEN))
		return;
	c->told = true;
	fprintf(stderr,
		"dprobes: on the target the probe point with minor code %u fires only where its "
		"branch is taken; simulate takes the branch at each hit\n",
		info.minor);
}

/* Returns whether the handler has let its function return. */
static bool hit_one(struct command *c, unsigned point)
{
	struct sim_result result;

	tell_taken(c, point);
	const enum dph_hit how = dph_simulation_hit(c->simulation, point, &result);
	const struct dph_skipped_view skipped = {++c->hit, how == DPH_HIT_IGNORED};

	if (how == DPH_HIT_RAN)
		tell(c, point, dph_simulation_program(c->simulation)->offset, &result, false);
	else
		dp_sink_reading(c->sink, DP_READING_SKIPPED, &skipped);
	tell_committed(c);
	return how == DPH_HIT_RAN && result.returns;
}

/* The points behind a `return` at the address of the point run with it. */
static void hit(struct command *c, unsigned point)
{
	struct dp_point_info info, other;

	if (!hit_one(c, point) || !dp_object_point(c->object, point, &info))
		return;
	for (unsigned i = 0; dp_object_point(c->object, i, &other); i++)
		if (other.phase == DP_PHASE_RETURNED && other.address == info.address)
			hit_one(c, i);
}

static int point_of(const struct command *c, const char *minor, unsigned *point)
{
	uint64_t value;
	int found;

	if (!number(minor, &value) || value > UINT16_MAX)
		return dph_cli_usage(c->cli, "'%s' is not a minor code: 0..65535", minor);
	found = dph_simulation_point(c->simulation, (unsigned)value);
	if (found < 0)
		return dph_cli_usage(c->cli, "no probe has the minor code %s", minor);
	*point = (unsigned)found;
	return DPH_EXIT_DONE;
}

/* "N" or "MINOR:N". */
static int hits(struct command *c, const char *text, unsigned point)
{
	const char *colon = strchr(text, ':');
	char minor[8];
	uint64_t count;

	if (!number(colon ? colon + 1 : text, &count) ||
	    (colon && (size_t)(colon - text) >= sizeof minor))
		return dph_cli_usage(c->cli, "'%s' is not N or MINOR:N", text);
	if (colon) {
		snprintf(minor, sizeof minor, "%.*s", (int)(colon - text), text);
		if (point_of(c, minor, &point) != DPH_EXIT_DONE)
			return DPH_EXIT_USAGE;
	}
	while (count-- > 0)
		hit(c, point);
	return DPH_EXIT_DONE;
}

static int wait(const struct command *c, const char *text)
{
	uint64_t nanoseconds;

	if (!number(text, &nanoseconds))
		return dph_cli_usage(c->cli, "'%s' is no number of nanoseconds", text);
	dph_simulation_wait(c->simulation, nanoseconds);
	return DPH_EXIT_DONE;
}

static int all_hits(struct command *c)
{
	const char *minor = dph_cli_get(c->cli, DPH_OPT_MINOR);
	unsigned point = 0;
	int status = minor ? point_of(c, minor, &point) : DPH_EXIT_DONE;

	for (size_t i = 0; i < c->cli->value_count && status == DPH_EXIT_DONE; i++)
		if (c->cli->values[i].option == DPH_OPT_HITS)
			status = hits(c, c->cli->values[i].value, point);
		else if (c->cli->values[i].option == DPH_OPT_TIME)
			status = wait(c, c->cli->values[i].value);
	if (status == DPH_EXIT_DONE && !dph_cli_has(c->cli, DPH_OPT_HITS))
		hit(c, point);
	if (status == DPH_EXIT_DONE)
		tell_variables(c);
	if (status == DPH_EXIT_DONE && c->formats != NULL) {
		take_aggregations(c);
		read_drops(c);
		dp_formats_tell_totals(c->formats, false, 0, c->sink);
	}
	return status;
}

static int simulate(struct command *c, const struct dp_object_file *object)
{
	struct dp_verdict verdict;
	int status;

	c->simulation = dph_simulation_open(object->data, object->travelling, true, &verdict);
	if (!c->simulation) {
		if (verdict.error != DP_ERR_OK)
			dph_cli_error(c->cli, "%s", dp_error_sentence(verdict.error));
		else
			dph_cli_error(c->cli, "not enough memory");
		return DPH_EXIT_REFUSED;
	}
	status = set_machine(c);
	if (status == DPH_EXIT_DONE) {
		c->sink = dph_output_sink(c->cli, c->out);
		status = c->sink ? all_hits(c) : DPH_EXIT_USAGE;
		dp_sink_close(c->sink);
	}
	dph_simulation_close(c->simulation);
	return status;
}

int dph_cmd_simulate(const struct dph_cli *cli)
{
	struct dp_messages messages = {0};
	struct dp_build_options options = dph_cli_build_options(cli);

	/* The simulator changes nothing real, and has no instruction to compare. */
	options.write = options.opcode_optional = true;
	struct dp_object_file *object = dp_open_program(cli->args[0], &options, &messages);
	struct command command = {.cli = cli, .object = object};
	int status = DPH_EXIT_USAGE;

	dph_cli_report(cli, &messages);
	if (object && dph_names_open(cli, &command.images, &status) &&
	    dph_cli_templates(cli, &command.templates, &status))
		command.out = dph_output_open(cli);
	command.names = dph_images_names(&command.images);
	if (command.out) {
		struct dp_messages unsaid = {0}; /* the compiler has said them */
		struct dp_image *image = cli->elf ? dp_image_open(cli->elf, &unsaid) : NULL;
		struct dp_program_info program;

		dp_object_program(object, &program);
		if (image != NULL)
			dp_image_move(image, program.moved);
		command.formats = dph_output_formats(command.out, object, image);
		status = simulate(&command, object);
		dp_formats_close(command.formats);
		dp_image_close(image);
		dp_messages_free(&unsaid);
		if (!dph_output_close(cli, command.out) && status == DPH_EXIT_DONE)
			status = DPH_EXIT_USAGE;
	}
	dp_templates_free(command.templates);
	dph_images_close(&command.images);
	dp_object_free(object);
	dph_cli_build_options_free(&options);
	return status;
}
