/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes simulate PROGRAM: hit its probes on a machine that is not there. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli_output.h"
#include "dp_object.h"
#include "dprobes_errors.h"
#include "json.h"
#include "simulate.h"

/* How the handler ended, as --format raw and json say it. */
static const char *const end_names[] = {
	[RPN_END_EXIT] = "exit",
	[RPN_END_EXCEPTION] = "exception",
	[RPN_END_BUDGET] = "budget",
	[RPN_END_ABORT] = "abort",
};

struct command {
	const struct dp_cli *cli;
	struct dph_simulation *simulation;
	struct dp_templates *templates; /* null: none */
	FILE *out;
	unsigned long hit; /* number of this hit, from 1 */
	unsigned point;
};

/* --- options --- */

/* One number that fills the text; decimal or 0x. */
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
	int status = DP_EXIT_DONE;

	if (hex && name_bytes < sizeof name)
		snprintf(name, sizeof name, "%.*s", (int)name_bytes, text);
	if (!bytes || !hex || name_bytes >= sizeof name || !number(name, &address) ||
	    (count = hex_bytes(hex, bytes)) == 0)
		status = dp_cli_usage(
			c->cli,
			"'%s' is not ADDRESS=HEX: pairs of hex digits, as in 0x2000=48656c6c6f",
			text);
	else if (dph_simulation_full(c->simulation))
		status = dp_cli_usage(
			c->cli, "memory '%s' is one range too many; give neighbours as one", text);
	else if (!dph_simulation_map(c->simulation, address, bytes, count, writable))
		status = dp_cli_usage(
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
		return DP_EXIT_DONE;
	return dp_cli_usage(c->cli,
			    "'%s': on %s that is the word at sp + %u, which is in --mem or wraps",
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
		return dp_cli_usage(c->cli, "'%s' is not NAME=VALUE, as in r0=0x1234", text);
	reg = dph_reg_named(cpu, text, name_bytes);
	if (!reg && !is_on_stack(c, text, &offset))
		return dp_cli_usage(c->cli, "unknown register '%.*s' on %s", (int)name_bytes, text,
				    cpu->name);
	width = reg ? reg->words : 1;
	for (unsigned i = width; *value != '-' && i < DP_REG_WORDS_MAX; i++)
		if (words[i] != 0)
			return dp_cli_usage(c->cli, "'%s': the register has %u bits", text,
					    width * dph_simulation_form(c->simulation)->word_bits);
	if (!reg)
		return set_stack_word(c, text, offset, words[0]);
	dph_simulation_register(c->simulation, reg->index, words);
	return DP_EXIT_DONE;
}

static int set_machine(struct command *c)
{
	const struct dp_cli_value *v = c->cli->values, *end = v + c->cli->value_count;
	int status = DP_EXIT_DONE;
	unsigned offset;

	for (; v < end && status == DP_EXIT_DONE; v++) {
		if (v->option == DP_OPT_MEM || v->option == DP_OPT_MEM_RO)
			status = map_memory(c, v->value, v->option == DP_OPT_MEM);
		else if (v->option == DP_OPT_REG && !is_on_stack(c, v->value, &offset))
			status = set_register(c, v->value);
	}
	/* Where these are, sp says. */
	for (v = c->cli->values; v < end && status == DP_EXIT_DONE; v++)
		if (v->option == DP_OPT_REG && is_on_stack(c, v->value, &offset))
			status = set_register(c, v->value);
	return status;
}

/* --- output for people --- */

static uint64_t log_word(const uint8_t *p, unsigned bytes, bool big)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)p[i] << 8 * (big ? bytes - 1 - i : i);
	return value;
}

static void print_dump(FILE *out, const uint8_t *bytes, size_t count)
{
	enum {
		LINE = 16
	};

	for (size_t i = 0; i < count; i += LINE) {
		size_t n = count - i < LINE ? count - i : LINE;

		fprintf(out, "    %04zx ", i);
		for (size_t j = 0; j < LINE; j++)
			j < n ? fprintf(out, " %02x", bytes[i + j]) : fputs("   ", out);
		fputs("  ", out);
		for (size_t j = 0; j < n; j++)
			putc(isprint(bytes[i + j]) ? bytes[i + j] : '.', out);
		putc('\n', out);
	}
}

static void print_words(const struct command *c, const char *title, const uint64_t *words,
			unsigned count)
{
	enum {
		SHOWN = 16
	};
	unsigned i;

	if (count == 0)
		return;
	fprintf(c->out, "  %-9s", title);
	for (i = 0; i < count && i < SHOWN; i++)
		fprintf(c->out, " 0x%" PRIx64, words[i]);
	fprintf(c->out, i < count ? " and %u more\n" : "\n", count - i);
}

static void print_stack(const struct command *c, const struct sim_result *r)
{
	unsigned size = dph_simulation_form(c->simulation)->stack_words;
	unsigned count = (size - r->tsp) % size;
	uint64_t words[17];

	for (unsigned i = 0; i < count && i < 17; i++)
		words[i] = dph_simulation_slot(c->simulation, r->tsp + i);
	if (count == 0)
		fprintf(c->out, "  stack     empty\n");
	else
		print_words(c, "stack", words, count);
}

/* Runs of zero are only counted: there may be 256 variables. */
static void print_variables(const struct command *c, const char *name, const uint64_t *values,
			    unsigned count)
{
	unsigned zero = 0;

	for (unsigned i = 0; i < count; i++) {
		if (values[i])
			fprintf(c->out, "  %s %-6u 0x%" PRIx64 "\n", name, i, values[i]);
		else
			zero++;
	}
	if (zero > 0)
		fprintf(c->out, "  %s        %s%u are 0\n", name,
			zero < count ? "the other " : "all ", zero);
}

static void print_changes(const struct command *c)
{
	const struct dph_sim_write *writes;
	size_t count = dph_simulation_writes(c->simulation, &writes);

	for (size_t i = 0; i < count; i++) {
		fprintf(c->out, "  wrote     0x%" PRIx64 ":", writes[i].address);
		for (size_t j = 0; j < writes[i].count; j++)
			fprintf(c->out, " %02x", writes[i].bytes[j]);
		putc('\n', c->out);
	}
}

/* Null: without --templates. */
static char *template_text(const struct command *c, const struct sim_result *r, bool trace)
{
	const struct sim_form *form = dph_simulation_form(c->simulation);
	const struct dp_template_record record = {
		.major = r->major,
		.minor = r->minor,
		.data = trace ? r->trace : r->log,
		.bytes = trace ? r->trace_bytes : r->log_bytes,
		.word_bytes = form->word_bits / 8,
		.big_endian = form->big_endian,
		.leftover = c->cli->verbose,
	};

	if (!c->templates)
		return NULL;
	return trace ? dp_template_trace(&record) : dp_template_text(c->templates, &record);
}

/* Each line a step in; the newline that ends a record has no line of its own. */
static void print_template(FILE *out, const char *text)
{
	while (strcmp(text, "\n") != 0 && *text != '\0') {
		const size_t bytes = strcspn(text, "\n");

		fprintf(out, "%s%.*s\n", bytes ? "    " : "", (int)bytes, text);
		text += bytes + 1;
	}
}

static void print_desc(const struct command *c, const struct sim_result *r)
{
	const char *desc = dp_template_desc(c->templates, r->major, r->minor);

	if (desc)
		fprintf(c->out, " - %s", desc);
	putc('\n', c->out);
}

/* Of the record, or the stack trace. */
static void print_data(const struct command *c, const struct sim_result *r, bool trace)
{
	char *text = template_text(c, r, trace);

	if (text)
		print_template(c->out, text);
	else if (trace)
		print_dump(c->out, r->trace, r->trace_bytes);
	else
		print_dump(c->out, r->log, r->log_bytes);
	free(text);
}

static void print_end(const struct command *c, const struct sim_result *r)
{
	static const char *const facilities[] = {"", ", debugger", ", crash dump", ", core dump"};

	fprintf(c->out, "  end       %s", end_names[r->end]);
	if (r->end == RPN_END_EXCEPTION)
		fprintf(c->out, ": %s (0x%" PRIx64 ", 0x%" PRIx64 ")",
			dp_exception_name((unsigned)r->exception[0] & 0xffff), r->exception[1],
			r->exception[2]);
	fprintf(c->out, "%s%s, %" PRIu32 " of %" PRIu32 " steps\n", facilities[r->exit_number],
		r->remove ? ", probe removed" : "", r->steps,
		dph_simulation_form(c->simulation)->step_budget);
}

static void print_text(const struct command *c, const struct sim_result *r)
{
	const struct sim_program *p = dph_simulation_program(c->simulation);
	const struct sim_form *form = dph_simulation_form(c->simulation);
	unsigned bytes = form->word_bits / 8;

	fprintf(c->out, "hit %lu: minor %u at 0x%" PRIx64 "\n", c->hit, p->minor, p->offset);
	if (r->end != RPN_END_ABORT) {
		fprintf(c->out, "  record    DProbes(%u,%u) %zu bytes", r->major, r->minor,
			r->log_bytes);
		if (r->log_bytes > 0 && r->log_bytes % bytes == 0 && r->log_bytes <= 4 * bytes) {
			fprintf(c->out, " =");
			for (size_t i = 0; i < r->log_bytes; i += bytes)
				fprintf(c->out, " 0x%" PRIx64,
					log_word(r->log + i, bytes, form->big_endian));
		}
		print_desc(c, r);
		print_data(c, r, false);
	}
	if (r->trace_bytes > 0) {
		fprintf(c->out, "  trace     DProbes(0,0) %zu bytes%s\n", r->trace_bytes,
			r->trace_truncated ? ", records did not fit" : "");
		print_data(c, r, true);
	}
	print_changes(c);
	print_stack(c, r);
	print_end(c, r);
}

/* --- output for programs --- */

static void print_raw(const struct command *c, const struct sim_result *r)
{
	if (r->end == RPN_END_ABORT)
		return;
	fprintf(c->out, "%u %u %s ", r->major, r->minor, end_names[r->end]);
	if (r->log_bytes == 0)
		putc('-', c->out);
	dp_print_hex(c->out, r->log, r->log_bytes);
	putc('\n', c->out);
	if (r->trace_bytes == 0)
		return;
	fprintf(c->out, "0 0 trace ");
	dp_print_hex(c->out, r->trace, r->trace_bytes);
	putc('\n', c->out);
}

static void json_templates(const struct command *c, const struct sim_result *r,
			   struct dp_json *json)
{
	const char *desc = dp_template_desc(c->templates, r->major, r->minor);
	char *text = template_text(c, r, false), *trace = template_text(c, r, true);

	if (desc && r->end != RPN_END_ABORT)
		dp_json_string(json, "desc", desc);
	if (text && r->end != RPN_END_ABORT)
		dp_json_string(json, "text", text);
	if (trace && r->trace_bytes > 0)
		dp_json_string(json, "trace_text", trace);
	free(text);
	free(trace);
}

static void print_json(const struct command *c, const struct sim_result *r)
{
	struct dp_json json = dp_json_begin(c->out);

	dp_json_string(&json, "kind", "hit");
	dp_json_number(&json, "hit", c->hit);
	dp_json_number(&json, "point", c->point);
	dp_json_address(&json, "address", dph_simulation_program(c->simulation)->offset);
	dp_json_number(&json, "major", r->major);
	dp_json_number(&json, "minor", r->minor);
	dp_json_string(&json, "end", end_names[r->end]);
	dp_json_number(&json, "steps", r->steps);
	dp_json_open(&json, "exception", '[');
	for (size_t i = 0; i < sizeof r->exception / sizeof r->exception[0]; i++)
		dp_json_number(&json, NULL, r->exception[i]);
	dp_json_close(&json, ']');
	dp_json_hex(&json, "data", r->log, r->log_bytes);
	dp_json_hex(&json, "trace", r->trace, r->trace_bytes);
	dp_json_flag(&json, "trace_truncated", r->trace_truncated);
	json_templates(c, r, &json);
	dp_json_end(&json);
}

/* --- hits --- */

static void hit(struct command *c, unsigned point)
{
	struct sim_result result;
	enum dph_hit how = dph_simulation_hit(c->simulation, point, &result);

	c->hit++;
	c->point = point;
	if (how != DPH_HIT_RAN) {
		if (c->cli->format == DP_FORMAT_TEXT)
			fprintf(c->out, "hit %lu: %s\n", c->hit,
				how == DPH_HIT_IGNORED ? "ignored" : "the probe is disabled");
		return;
	}
	if (c->cli->format == DP_FORMAT_RAW)
		print_raw(c, &result);
	else if (c->cli->format == DP_FORMAT_JSON)
		print_json(c, &result);
	else
		print_text(c, &result);
}

static int point_of(const struct command *c, const char *minor, unsigned *point)
{
	uint64_t value;
	int found;

	if (!number(minor, &value) || value > UINT16_MAX)
		return dp_cli_usage(c->cli, "'%s' is not a minor code: 0..65535", minor);
	found = dph_simulation_point(c->simulation, (unsigned)value);
	if (found < 0)
		return dp_cli_usage(c->cli, "no probe has the minor code %s", minor);
	*point = (unsigned)found;
	return DP_EXIT_DONE;
}

/* "N" or "MINOR:N". */
static int hits(struct command *c, const char *text, unsigned point)
{
	const char *colon = strchr(text, ':');
	char minor[8];
	uint64_t count;

	if (!number(colon ? colon + 1 : text, &count) ||
	    (colon && (size_t)(colon - text) >= sizeof minor))
		return dp_cli_usage(c->cli, "'%s' is not N or MINOR:N", text);
	if (colon) {
		snprintf(minor, sizeof minor, "%.*s", (int)(colon - text), text);
		if (point_of(c, minor, &point) != DP_EXIT_DONE)
			return DP_EXIT_USAGE;
	}
	while (count-- > 0)
		hit(c, point);
	return DP_EXIT_DONE;
}

static int all_hits(struct command *c)
{
	const char *minor = dp_cli_get(c->cli, DP_OPT_MINOR);
	const struct sim_program *p = dph_simulation_program(c->simulation);
	unsigned point = 0;
	int status = minor ? point_of(c, minor, &point) : DP_EXIT_DONE;

	for (size_t i = 0; i < c->cli->value_count && status == DP_EXIT_DONE; i++)
		if (c->cli->values[i].option == DP_OPT_HITS)
			status = hits(c, c->cli->values[i].value, point);
	if (status == DP_EXIT_DONE && !dp_cli_has(c->cli, DP_OPT_HITS))
		hit(c, point);
	if (status == DP_EXIT_DONE && c->cli->format == DP_FORMAT_TEXT && p->vars + p->gvars > 0) {
		fprintf(c->out, "variables:\n");
		print_variables(c, "lv", p->lv, p->vars);
		print_variables(c, "gv", p->gv, p->gvars);
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
			dp_cli_error(c->cli, "%s", dp_error_sentence(verdict.error));
		else
			dp_cli_error(c->cli, "not enough memory");
		return DP_EXIT_REFUSED;
	}
	status = set_machine(c);
	if (status == DP_EXIT_DONE)
		status = all_hits(c);
	dph_simulation_close(c->simulation);
	return status;
}

int dp_cmd_simulate(const struct dp_cli *cli)
{
	struct dp_messages messages = {0};
	struct dp_build_options options = dp_cli_build_options(cli);
	struct dp_object_file *object = dp_open_program(cli->args[0], &options, &messages);
	struct command command = {.cli = cli};
	int status = DP_EXIT_USAGE;

	dp_cli_report(cli, &messages);
	if (object && dp_cli_templates(cli, &command.templates, &status))
		command.out = dp_output_open(cli);
	if (command.out) {
		status = simulate(&command, object);
		if (!dp_output_close(cli, command.out) && status == DP_EXIT_DONE)
			status = DP_EXIT_USAGE;
	}
	dp_templates_free(command.templates);
	dp_object_free(object);
	dp_cli_build_options_free(&options);
	return status;
}
