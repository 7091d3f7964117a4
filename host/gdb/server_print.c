/* SPDX-License-Identifier: BSD-2-Clause */
/* dprintf in the style of an agent: all breakpoints with commands are one program, which logs the
 * arguments and stops nothing. gdb prints text only while it waits for a stop. */
#define _GNU_SOURCE
#include "server_parts.h"

#include "print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	TEXT_MAX = 64 << 10 /* bytes that wait for gdb */
};

/* --- commands -------------------------------------------------------------------------------- */

/* Receives each command of a breakpoint. Returns false: why has the reason. */
typedef bool command_taker(void *context, const struct dph_gdb_print *print,
			   struct dph_gdb_why *why);

static bool each_command(const char *commands, command_taker *take, void *context,
			 struct dph_gdb_why *why)
{
	uint8_t bytes[DPH_GDB_TEXT_MAX / 2];
	struct dph_gdb_print print;
	uint64_t count;

	while (*commands == 'X') {
		commands++;
		if (!dph_gdb_number_and(&commands, &count, ',') ||
		    dph_gdb_bytes(&commands, bytes, sizeof bytes) != count)
			return false;
		if (!dph_gdb_read_print(bytes, (size_t)count, &print, why) ||
		    !take(context, &print, why))
			return false;
	}
	return *commands == '\0';
}

static bool write_command(void *context, const struct dph_gdb_print *print, struct dph_gdb_why *why)
{
	(void)why;
	return dph_gdb_write_print(context, print);
}

bool dph_gdb_check_commands(const struct dph_gdb_server *server, const char *commands,
			    struct dph_gdb_why *why)
{
	struct dph_gdb_variables none = {0};
	struct dph_gdb_code code = {.target = server->target, .variables = &none, .why = why};
	char *text = NULL;
	size_t bytes;
	bool good;

	if (server->target->ops->print == NULL) {
		snprintf(why->text, sizeof why->text, "the agent runs no commands of a breakpoint");
		return false;
	}
	code.out = open_memstream(&text, &bytes);
	if (code.out == NULL)
		return false;
	good = *commands == 'X' && each_command(commands, write_command, &code, why);
	if (good && none.count > 0) {
		snprintf(why->text, sizeof why->text, "a dprintf has no trace state variables");
		good = false;
	}
	fclose(code.out);
	free(text);
	free(none.numbers);
	return good;
}

/* --- the program ----------------------------------------------------------------------------- */

static void write_handler(struct dph_gdb_code *code, const struct dph_gdb_breakpoint *breakpoint,
			  size_t minor)
{
	const unsigned all = code->labels;

	fprintf(code->out, "address = 0x%" PRIx64 "\nminor = %zu\n", breakpoint->address, minor);
	if (breakpoint->conditions != NULL) {
		code->labels++;
		dph_gdb_write_conditions(code, breakpoint->conditions, true, all);
		fprintf(code->out, "abort\nall%u:\nros 1\n", all);
	}
	code->collects = 0;
	each_command(breakpoint->commands, write_command, code, code->why);
	fputs("exit\n", code->out);
}

/* The program of the breakpoints from an index on, which compile; null: there are none. */
static char *program_of(const struct dph_gdb_server *server, size_t first)
{
	struct dph_gdb_why why;
	struct dph_gdb_variables none = {0};
	struct dph_gdb_code code = {.target = server->target, .variables = &none, .why = &why};
	char *text = NULL;
	size_t bytes;

	if (first == server->breakpoint_count)
		return NULL;
	code.out = open_memstream(&text, &bytes);
	if (code.out == NULL)
		return NULL;
	fputs("modtype = kernel\n", code.out);
	for (size_t i = first; i < server->breakpoint_count; i++)
		write_handler(&code, &server->breakpoints[i], i - first + 1);
	fclose(code.out);
	free(none.numbers);
	return text;
}

static void forget(struct dph_gdb_prints *prints)
{
	for (size_t i = 0; i < prints->count; i++)
		free(prints->commands[i]);
	free((void *)prints->commands);
	free(prints->program);
	prints->commands = NULL;
	prints->program = NULL;
	prints->count = 0;
	prints->lost = false;
}

/* Programs that differ by a text alone are two: the records in the ring are those of the first. */
static bool is_installed(const struct dph_gdb_server *server, size_t first, const char *program)
{
	const struct dph_gdb_prints *prints = &server->prints;

	if (program == NULL || prints->program == NULL)
		return program == prints->program;
	if (prints->lost || strcmp(program, prints->program) != 0)
		return false;
	for (size_t i = 0; i < prints->count; i++)
		if (strcmp(prints->commands[i], server->breakpoints[first + i].commands) != 0)
			return false;
	return true;
}

bool dph_gdb_prints_install(struct dph_gdb_server *server, size_t first, struct dph_gdb_why *why)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_prints *prints = &server->prints;
	char *program = program_of(server, first);

	if (is_installed(server, first, program)) {
		free(program);
		return true;
	}
	/* The records of the program before come before its removal, and have its texts. */
	if (prints->program != NULL)
		target->ops->print(target->context, NULL, NULL, why);
	forget(prints);
	if (program == NULL)
		return true;
	prints->program = program;
	prints->count = server->breakpoint_count - first;
	prints->commands = dph_malloc(prints->count * sizeof prints->commands[0]);
	for (size_t i = 0; i < prints->count; i++)
		prints->commands[i] = dph_strdup(server->breakpoints[first + i].commands);
	if (target->ops->print(target->context, program, &prints->tracer, why))
		return true;
	forget(prints);
	return false;
}

/* --- records --------------------------------------------------------------------------------- */

struct record {
	struct dph_gdb_server *server;
	const uint8_t *data;
	size_t bytes;
	struct dph_bytes text;
};

static bool format_command(void *context, const struct dph_gdb_print *print,
			   struct dph_gdb_why *why)
{
	struct record *record = context;

	(void)why;
	dph_gdb_format_print(record->server->target, print, &record->data, &record->bytes,
			     &record->text);
	return true;
}

static void on_record(void *context, unsigned minor, const uint8_t *data, size_t bytes)
{
	struct dph_gdb_server *server = context;
	struct dph_gdb_prints *prints = &server->prints;
	struct record record = {.server = server, .data = data, .bytes = bytes};
	struct dph_gdb_why why;

	if (minor == 0 || minor > prints->count)
		return;
	each_command(prints->commands[minor - 1], format_command, &record, &why);
	if (record.text.count <= TEXT_MAX - prints->text.count)
		dph_bytes_add(&prints->text, record.text.data, record.text.count);
	else
		prints->dropped++;
	free(record.text.data);
}

static void on_end(void *context, const char *why)
{
	struct dph_gdb_server *server = context;

	(void)why; /* gdb is told with the next text */
	server->prints.lost = true;
}

/* Behind a restart of the target, its program is gone, and gdb waits for it. */
static void install_again(struct dph_gdb_server *server)
{
	static const char told[] = "the target was restarted: dprintf goes on\n";
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_prints *prints = &server->prints;
	struct dph_gdb_why why;

	prints->lost = false;
	if (target->ops->print(target->context, prints->program, &prints->tracer, &why)) {
		dph_gdb_say(server, told, strlen(told));
		return;
	}
	dph_gdb_say(server, why.text, strlen(why.text));
	dph_gdb_say(server, "\n", 1);
	forget(prints);
}

static void say_dropped(struct dph_gdb_server *server)
{
	struct dph_gdb_prints *prints = &server->prints;
	char text[128];

	snprintf(text, sizeof text,
		 "[%u hit(s) of dprintf are not printed: %d bytes of text waited for gdb]\n",
		 prints->dropped, TEXT_MAX);
	dph_gdb_say(server, text, strlen(text));
	prints->dropped = 0;
}

void dph_gdb_prints_say(struct dph_gdb_server *server, bool settle)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_prints *prints = &server->prints;

	if (settle && prints->program != NULL && !prints->lost)
		target->ops->settle(target->context);
	if (prints->text.count == 0 && prints->dropped == 0 && !prints->lost)
		return;
	dph_gdb_begin(&server->answer);
	if (prints->text.count > 0)
		dph_gdb_say(server, (const char *)prints->text.data, prints->text.count);
	prints->text.count = 0;
	if (prints->dropped > 0)
		say_dropped(server);
	if (prints->lost)
		install_again(server);
}

void dph_gdb_prints_open(struct dph_gdb_server *server)
{
	server->prints.tracer = (struct dph_gdb_tracer){on_record, on_end, server};
}

void dph_gdb_prints_close(struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_why why;

	if (server->prints.program != NULL)
		target->ops->print(target->context, NULL, NULL, &why);
	forget(&server->prints);
	free(server->prints.text.data);
}
