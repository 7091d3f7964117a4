/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets about tracepoints.
 * source: Debugging with GDB, appendix E.6 */
#define _GNU_SOURCE
#include "server_parts.h"

#include "base/pool.h"
#include "dp_rpn.h"
#include "expression.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
	SUM_BITS = 4,       /* of a digit */
	TEXT_MAX = 1 << 20, /* bytes of the definitions of a trace, and of their instructions */
};

/* --- records --------------------------------------------------------------------------------- */

static void on_record(void *context, unsigned minor, const uint8_t *data, size_t bytes)
{
	struct dph_gdb_server *server = context;

	if (dph_gdb_trace_take(&server->trace, minor, data, bytes))
		return;
	server->trace.runs = false;
	server->stop_wanted = true;
}

static void on_end(void *context, const char *why)
{
	struct dph_gdb_server *server = context;
	struct dph_gdb_trace *trace = &server->trace;
	int used = snprintf(trace->stopped, sizeof trace->stopped, "terror:");

	for (; *why != '\0' && (size_t)used + sizeof "00:0" < sizeof trace->stopped; why++)
		used += sprintf(trace->stopped + used, "%02x", (uint8_t)*why);
	sprintf(trace->stopped + used, ":0");
	server->installed = server->stop_wanted = trace->runs = false;
}

/* Read the variables, while there is a program. */
static void read_variables(struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;
	uint64_t words[RPN_VARS_MAX];
	const size_t used = server->trace.named.count;

	if (server->installed && used > 0)
		dph_gdb_trace_take_variables(
			&server->trace, words,
			target->ops->trace_variables(target->context, words, used));
}

static void remove_program(struct dph_gdb_server *server)
{
	read_variables(server);
	if (server->installed)
		server->target->ops->trace_stop(server->target->context);
	server->installed = server->stop_wanted = false;
}

static void stop(struct dph_gdb_server *server)
{
	remove_program(server);
	server->trace.runs = false;
}

void dph_gdb_server_idle(struct dph_gdb_server *server)
{
	if (server->stop_wanted)
		stop(server);
	dph_gdb_run_idle(server);
}

void dph_gdb_trace_open(struct dph_gdb_server *server)
{
	server->trace = (struct dph_gdb_trace){.target = server->target};
	server->tracer = (struct dph_gdb_tracer){on_record, on_end, server};
	dph_gdb_trace_clear(&server->trace);
}

void dph_gdb_trace_close(struct dph_gdb_server *server)
{
	stop(server);
	dph_gdb_trace_clear(&server->trace);
}

/* --- definitions ----------------------------------------------------------------------------- */

void dph_gdb_do_begin_tracepoints(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	if (server->target->ops->trace_start == NULL)
		return;
	stop(server);
	dph_gdb_trace_clear(&server->trace);
	dph_gdb_add_text(&server->answer, "OK");
}

static struct dph_gdb_tracepoint *point_at(struct dph_gdb_trace *trace, uint64_t number,
					   uint64_t address)
{
	for (size_t i = 0; i < trace->point_count; i++)
		if (trace->points[i].number == number && trace->points[i].address == address)
			return &trace->points[i];
	return NULL;
}

/* Is there room for the definitions that gdb sends? Returns false: why has the reason. */
static bool has_room(struct dph_gdb_trace *trace, size_t bytes, struct dph_gdb_why *why)
{
	if (bytes <= TEXT_MAX - trace->text_bytes) {
		trace->text_bytes += bytes;
		return true;
	}
	snprintf(why->text, sizeof why->text,
		 "the definitions of a trace have at most %d bytes of text here", TEXT_MAX);
	return false;
}

/* Does a record hold what a hit collects? Returns false: why has the reason. */
static bool fits_record(const struct dph_gdb_target *target, const bool *registers,
			uint64_t collects, struct dph_gdb_why *why)
{
	const uint64_t of_registers = dph_gdb_registers_bytes(target, registers);

	if (collects <= target->log_max && of_registers <= target->log_max - collects)
		return true;
	snprintf(why->text, sizeof why->text,
		 "a hit of the tracepoint collects %" PRIu64
		 " bytes or more, and a record of this agent has at most %" PRIu32 ": collect less",
		 collects + of_registers, target->log_max);
	return false;
}

static void note(struct dph_gdb_tracepoint *point, char letter, const char *text)
{
	const size_t length = strlen(text);
	const bool more = length > 0 && text[length - 1] == '-';

	point->told = dph_grow(point->told, &point->told_capacity, point->told_count,
			       sizeof *point->told);
	point->told[point->told_count++] = dph_print("%c%.*s", letter, (int)(length - more), text);
}

/* Read "LENGTH,BYTES" and write the expression. */
static bool take_expression(struct dph_gdb_code *code, const char **args)
{
	uint8_t bytes[DPH_GDB_TEXT_MAX / 2];
	uint64_t count;

	snprintf(code->why->text, sizeof code->why->text, "an expression is not whole");
	return dph_gdb_number_and(args, &count, ',') &&
	       dph_gdb_bytes(args, bytes, sizeof bytes) == count &&
	       dph_gdb_write_expression(code, bytes, (size_t)count);
}

/* "NUMBER:ADDRESS:ENABLED:STEPS:PASSES" and perhaps a condition. Returns false: why has the reason.
 */
static bool define(struct dph_gdb_server *server, const char *args, struct dph_gdb_why *why)
{
	struct dph_gdb_trace *trace = &server->trace;
	struct dph_gdb_tracepoint point = {.enabled = true};
	struct dph_gdb_code code = {.target = server->target,
				    .labels = trace->labels,
				    .variables = &trace->named,
				    .why = why};
	const char *all = args;
	uint64_t number, steps;
	size_t bytes;
	bool good = true;

	if (!dph_gdb_number_and(&args, &number, ':') || number == 0 || number > UINT16_MAX ||
	    !dph_gdb_number_and(&args, &point.address, ':') || (*args != 'E' && *args != 'D') ||
	    args[1] != ':')
		return false;
	point.number = (unsigned)number;
	point.enabled = *args == 'E';
	args += 2;
	if (!dph_gdb_number_and(&args, &steps, ':') || !dph_gdb_number(&args, &point.passes))
		return false;
	point.address = dph_gdb_place(server, point.address);
	if (steps > 0 || strncmp(args, ":F", 2) == 0) {
		snprintf(why->text, sizeof why->text,
			 "the agent has neither while-stepping nor fast tracepoints");
		return false;
	}
	if (trace->point_count >= UINT16_MAX || point_at(trace, number, point.address) != NULL)
		return false;
	if (!has_room(trace, sizeof point + strlen(all), why))
		return false;
	if (strncmp(args, ":X", 2) == 0) {
		args += 2;
		code.out = open_memstream(&point.condition, &bytes);
		good = code.out != NULL && take_expression(&code, &args);
		if (good)
			dph_gdb_write_condition(&code);
		if (code.out != NULL)
			fclose(code.out);
		trace->labels = code.labels;
	}
	if (good && point.condition != NULL)
		good = has_room(trace, bytes, why);
	if (!good || (*args != '\0' && strcmp(args, "-") != 0)) {
		free(point.condition);
		return false;
	}
	note(&point, 'T', all);
	trace->points = dph_grow(trace->points, &trace->point_capacity, trace->point_count,
				 sizeof *trace->points);
	trace->points[trace->point_count++] = point;
	return true;
}

/* A mask of registers, the highest number first. */
static void take_mask(const struct dph_gdb_target *target, struct dph_gdb_tracepoint *point,
		      const char **args)
{
	const unsigned count = dph_gdb_register_count(target);
	const size_t digits = strspn(*args, "0123456789abcdefABCDEF");

	for (unsigned i = 0; i < count && i / SUM_BITS < digits; i++) {
		const char digit[] = {(*args)[digits - 1 - i / SUM_BITS], '\0'};

		if (strtoul(digit, NULL, 16) >> i % SUM_BITS & 1 &&
		    dph_gdb_register(target, i) != NULL)
			point->registers[i] = true;
	}
	*args += digits;
}

/* "BASE,OFFSET,LENGTH": BASE is a register, or -1. */
static bool take_block(struct dph_gdb_code *code, const char **args)
{
	uint64_t base, offset, bytes;

	if (!dph_gdb_number_and(args, &base, ',') || !dph_gdb_number_and(args, &offset, ',') ||
	    !dph_gdb_number(args, &bytes))
		return false;
	return dph_gdb_write_memory(code,
				    (uint32_t)base == UINT32_MAX ? -1 : (int64_t)(base & INT32_MAX),
				    offset, bytes);
}

static bool take_action(struct dph_gdb_server *server, struct dph_gdb_tracepoint *point,
			struct dph_gdb_code *code, const char **args)
{
	switch (*(*args)++) {
	case 'R':
		take_mask(server->target, point, args);
		return true;
	case 'M':
		return take_block(code, args);
	case 'X':
		return take_expression(code, args);
	case 'S':
		snprintf(code->why->text, sizeof code->why->text,
			 "the agent has no while-stepping");
		return false;
	default:
		return false;
	}
}

static uint64_t saturated_sum(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/* "NUMBER:ADDRESS:ACTIONS" */
static bool add_actions(struct dph_gdb_server *server, const char *args, struct dph_gdb_why *why)
{
	struct dph_gdb_trace *trace = &server->trace;
	struct dph_gdb_code code = {.target = server->target,
				    .labels = trace->labels,
				    .variables = &trace->named,
				    .why = why};
	struct dph_gdb_tracepoint *point;
	const char *all = args;
	struct dph_gdb_tracepoint more;
	uint64_t number, address;
	size_t bytes;
	char *text = NULL;
	bool good = true;

	if (!dph_gdb_number_and(&args, &number, ':') || !dph_gdb_number_and(&args, &address, ':'))
		return false;
	address = dph_gdb_place(server, address);
	point = point_at(trace, number, address);
	code.out = open_memstream(&text, &bytes);
	if (point == NULL || code.out == NULL) {
		if (code.out != NULL)
			fclose(code.out);
		free(text);
		return false;
	}
	more = *point;
	while (good && *args != '\0' && strcmp(args, "-") != 0)
		good = take_action(server, &more, &code, &args);
	fclose(code.out);
	trace->labels = code.labels;
	more.collects = saturated_sum(point->collects, code.collects);
	good = good && fits_record(server->target, more.registers, more.collects, why) &&
	       has_room(trace, strlen(all) + bytes, why);
	if (good) {
		dph_bytes_add(&more.actions, text, bytes);
		*point = more;
		note(point, 'A', all);
	}
	free(text);
	return good;
}

void dph_gdb_do_define_tracepoint(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	struct dph_gdb_why why = {"the tracepoint is not as the protocol has it"};

	(void)bytes;
	if (server->target->ops->trace_start == NULL)
		return;
	if (server->installed)
		dph_gdb_refuse(server, "a trace runs: tstop ends it");
	else if (*args == '-' ? add_actions(server, args + 1, &why) : define(server, args, &why))
		dph_gdb_add_text(&server->answer, "OK");
	else
		dph_gdb_refuse(server, "%s", why.text);
}

/* "NUMBER:FIRST VALUE:BUILT-IN:NAME" */
void dph_gdb_do_define_variable(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	struct dph_gdb_trace *trace = &server->trace;
	const char *at = args;
	uint64_t number, first;
	struct dph_gdb_variable *variable;
	struct dph_gdb_why why;

	(void)bytes;
	if (!dph_gdb_number_and(&at, &number, ':') || number > UINT16_MAX ||
	    !dph_gdb_number_and(&at, &first, ':')) {
		dph_gdb_malformed(server);
		return;
	}
	if (!has_room(trace, sizeof *variable + strlen(args), &why)) {
		dph_gdb_refuse(server, "%s", why.text);
		return;
	}
	variable = dph_gdb_trace_variable(trace, number);
	if (variable == NULL) {
		trace->variables = dph_grow(trace->variables, &trace->variable_capacity,
					    trace->variable_count, sizeof *trace->variables);
		variable = &trace->variables[trace->variable_count++];
		*variable = (struct dph_gdb_variable){.number = (unsigned)number};
	}
	free(variable->told);
	variable->told = dph_strdup(args);
	variable->first = variable->now = (int64_t)first;
	dph_gdb_add_text(&server->answer, "OK");
}

static void tell_definition_of_variable(struct dph_gdb_server *server)
{
	const struct dph_gdb_trace *trace = &server->trace;

	dph_gdb_add_text(&server->answer, server->told_variable < trace->variable_count
						  ? trace->variables[server->told_variable++].told
						  : "l");
}

void dph_gdb_do_tell_first_variable(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	server->told_variable = 0;
	tell_definition_of_variable(server);
}

void dph_gdb_do_tell_next_variable(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	tell_definition_of_variable(server);
}

void dph_gdb_do_refuse_buffer(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	dph_gdb_refuse(server, "the buffer of frames has %d bytes, and is not circular",
		       DPH_GDB_BUFFER_BYTES);
}

/* ":START,END" for each section that is only read. */
void dph_gdb_do_note_constant(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	struct dph_gdb_trace *trace = &server->trace;
	struct dph_gdb_why why;
	uint64_t start, end;

	(void)bytes;
	while (*args++ == ':' && dph_gdb_number_and(&args, &start, ',') &&
	       dph_gdb_number(&args, &end)) {
		start = dph_gdb_place(server, start);
		end = dph_gdb_place(server, end);
		if (!has_room(trace, sizeof *trace->constant, &why)) {
			dph_gdb_refuse(server, "%s", why.text);
			return;
		}
		trace->constant = dph_grow(trace->constant, &trace->constant_capacity,
					   trace->constant_count, sizeof *trace->constant);
		trace->constant[trace->constant_count++] =
			(struct dph_gdb_range){start, end - start, false};
	}
	dph_gdb_add_text(&server->answer, "OK");
}

static void tell_definition(struct dph_gdb_server *server)
{
	const struct dph_gdb_trace *trace = &server->trace;

	while (server->told_point < trace->point_count &&
	       server->told >= trace->points[server->told_point].told_count) {
		server->told_point++;
		server->told = 0;
	}
	dph_gdb_add_text(&server->answer,
			 server->told_point < trace->point_count
				 ? trace->points[server->told_point].told[server->told++]
				 : "l");
}

void dph_gdb_do_tell_first_definition(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	server->told_point = server->told = 0;
	tell_definition(server);
}

void dph_gdb_do_tell_next_definition(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	tell_definition(server);
}

/* --- the run --------------------------------------------------------------------------------- */

static void write_program(const struct dph_gdb_server *server, FILE *out)
{
	dph_gdb_trace_write(&server->trace, out);
	putc('\0', out);
}

void dph_gdb_do_start_trace(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_trace *trace = &server->trace;
	struct dph_gdb_why why = {"the program of the trace cannot be installed"};

	(void)args;
	(void)bytes;
	if (target->ops->trace_start == NULL)
		return;
	stop(server);
	for (size_t i = 0; i < trace->named.count; i++)
		if (dph_gdb_trace_variable(trace, trace->named.numbers[i]) == NULL) {
			dph_gdb_refuse(server, "a tracepoint has a variable without a definition");
			return;
		}
	dph_gdb_make(server, 0, write_program);
	/* Records may come before the function returns. */
	trace->runs = true;
	server->installed = server->document.text != NULL &&
			    target->ops->trace_start(target->context, server->document.text,
						     &server->tracer, &why);
	trace->runs = trace->runs && server->installed;
	if (server->installed)
		dph_gdb_add_text(&server->answer, "OK");
	else
		dph_gdb_refuse(server, "%s", why.text);
}

void dph_gdb_do_stop_trace(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	const bool runs = server->trace.runs;

	(void)args;
	(void)bytes;
	/* Records that are on their way belong to the trace. */
	remove_program(server);
	if (runs && server->trace.runs)
		snprintf(server->trace.stopped, sizeof server->trace.stopped, "tstop::0");
	server->trace.runs = false;
	dph_gdb_add_text(&server->answer, "OK");
}

void dph_gdb_do_tell_trace(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	const struct dph_gdb_trace *trace = &server->trace;

	(void)args;
	(void)bytes;
	if (server->target->ops->trace_start == NULL)
		return;
	dph_gdb_print(&server->answer,
		      "T%d;%s;tframes:%zx;tcreated:%zx;tfree:%zx;tsize:%x;circular:0;disconn:0",
		      trace->runs, trace->runs ? "tunknown:0" : trace->stopped, trace->frame_count,
		      trace->frame_count, DPH_GDB_BUFFER_BYTES - trace->used, DPH_GDB_BUFFER_BYTES);
}

void dph_gdb_do_tell_tracepoint(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	const struct dph_gdb_tracepoint *point = NULL;
	uint64_t number, address;

	(void)bytes;
	if (dph_gdb_number_and(&args, &number, ':') && dph_gdb_number(&args, &address))
		point = point_at(&server->trace, number, dph_gdb_place(server, address));
	if (point != NULL)
		dph_gdb_print(&server->answer, "V%" PRIx64 ":%" PRIx64, point->frames,
			      point->bytes);
}

/* The value of a variable: in the frame that gdb looks at, or now. */
void dph_gdb_do_tell_variable(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	const struct dph_gdb_trace *trace = &server->trace;
	const struct dph_gdb_variable *variable = NULL;
	int64_t value = 0;
	uint64_t number;
	bool known;

	(void)bytes;
	if (dph_gdb_number(&args, &number))
		variable = dph_gdb_trace_variable(trace, number);
	known = variable != NULL;
	if (known && trace->selected != DPH_GDB_NO_FRAME) {
		known = dph_gdb_frame_variable(trace, number, &value);
	} else if (known) {
		read_variables(server);
		value = variable->now;
	}
	if (known)
		dph_gdb_print(&server->answer, "V%" PRIx64, (uint64_t)value);
	else
		dph_gdb_add(&server->answer, 'U');
}

/* --- frames ---------------------------------------------------------------------------------- */

struct wish {
	enum {
		BY_POINT,
		BY_PLACE,
		OUTSIDE
	} by;
	uint64_t first, last;
};

static bool read_wish(const char *args, struct wish *wish)
{
	static const struct {
		const char *text;
		struct wish wish;
		bool range;
	} rows[] = {{"pc:", {BY_PLACE, 0, 0}, false},
		    {"tdp:", {BY_POINT, 0, 0}, false},
		    {"range:", {BY_PLACE, 0, 0}, true},
		    {"outside:", {OUTSIDE, 0, 0}, true}};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const size_t length = strlen(rows[i].text);

		if (strncmp(args, rows[i].text, length) != 0)
			continue;
		args += length;
		*wish = rows[i].wish;
		if (!dph_gdb_number(&args, &wish->first))
			return false;
		wish->last = wish->first;
		return !rows[i].range || (*args++ == ':' && dph_gdb_number(&args, &wish->last));
	}
	return false;
}

static bool fits(const struct dph_gdb_trace *trace, size_t index, const struct wish *wish)
{
	const struct dph_gdb_tracepoint *point = &trace->points[trace->frames[index].point];
	const uint64_t value = wish->by == BY_POINT ? point->number : point->address;
	const bool between = value >= wish->first && value <= wish->last;

	return wish->by == OUTSIDE ? !between : between;
}

/* The frame with a number, or the next one that fits. */
static int find_frame(const struct dph_gdb_server *server, const char *args)
{
	const struct dph_gdb_trace *trace = &server->trace;
	struct wish wish;
	uint64_t number;

	if (read_wish(args, &wish)) {
		if (wish.by != BY_POINT) {
			wish.first = dph_gdb_place(server, wish.first);
			wish.last = dph_gdb_place(server, wish.last);
		}
		for (size_t i = (size_t)trace->selected + 1; i < trace->frame_count; i++)
			if (fits(trace, i, &wish))
				return (int)i;
		return DPH_GDB_NO_FRAME;
	}
	return dph_gdb_number(&args, &number) && number < trace->frame_count ? (int)number
									     : DPH_GDB_NO_FRAME;
}

/* Where no frame fits, gdb stays at its frame, but for the number of none. */
void dph_gdb_do_choose_frame(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	struct dph_gdb_trace *trace = &server->trace;
	const int found = find_frame(server, args);

	(void)bytes;
	if (found == DPH_GDB_NO_FRAME) {
		if (strcmp(args, "ffffffff") == 0)
			trace->selected = DPH_GDB_NO_FRAME;
		dph_gdb_add_text(&server->answer, "F-1");
		return;
	}
	trace->selected = found;
	dph_gdb_print(&server->answer, "F%xT%x", (unsigned)found,
		      trace->points[trace->frames[found].point].number);
}

static void write_frame_memory(const struct dph_gdb_server *server, FILE *out)
{
	dph_gdb_frame_describe(&server->trace, out);
}

void dph_gdb_do_read_frame_memory(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)bytes;
	if (server->trace.selected != DPH_GDB_NO_FRAME)
		dph_gdb_read_piece(server, args, write_frame_memory);
	else
		dph_gdb_refuse(server, "no frame is selected");
}

static void write_buffer(const struct dph_gdb_server *server, FILE *out)
{
	dph_gdb_trace_save(&server->trace, out);
}

/* "OFFSET,LENGTH" of all frames. */
void dph_gdb_do_read_buffer(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	uint64_t offset, length;

	(void)bytes;
	if (!dph_gdb_number_and(&args, &offset, ',') || !dph_gdb_number(&args, &length)) {
		dph_gdb_malformed(server);
		return;
	}
	dph_gdb_make(server, offset, write_buffer);
	if (offset >= server->document.bytes || server->document.text == NULL) {
		dph_gdb_add(&server->answer, 'l');
		return;
	}
	length = length < DPH_GDB_TEXT_MAX / 2 ? length : DPH_GDB_TEXT_MAX / 2;
	if (length > server->document.bytes - offset)
		length = server->document.bytes - offset;
	dph_gdb_add_hex(&server->answer, server->document.text + offset, (size_t)length);
}
