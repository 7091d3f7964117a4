/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads, their registers, and the texts that gdb reads in pieces. */
#define _GNU_SOURCE
#include "server_parts.h"

#include "features.h"
#include "tables/registers.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- texts ----------------------------------------------------------------------------------- */

void dph_gdb_make(struct dph_gdb_server *server, uint64_t offset, dph_gdb_writer *write)
{
	struct dph_gdb_document *document = &server->document;
	FILE *out;

	if (offset > 0 && document->writer == write)
		return;
	document->writer = write;
	free(document->text);
	document->text = NULL;
	document->bytes = 0;
	out = open_memstream(&document->text, &document->bytes);
	if (out == NULL)
		return;
	write(server, out);
	fclose(out);
}

void dph_gdb_read_piece(struct dph_gdb_server *server, const char *args, dph_gdb_writer *write)
{
	const struct dph_gdb_document *document = &server->document;
	uint64_t offset, length, at;

	if (!dph_gdb_number_and(&args, &offset, ',') || !dph_gdb_number(&args, &length) ||
	    *args != '\0') {
		dph_gdb_malformed(server);
		return;
	}
	dph_gdb_make(server, offset, write);
	if (document->text == NULL || offset > document->bytes) {
		dph_gdb_refuse(server, "the text ends before this piece");
		return;
	}
	dph_gdb_add(&server->answer, 'm');
	for (at = offset; at < document->bytes && at - offset < length; at++)
		if (!dph_gdb_add(&server->answer, (uint8_t)document->text[at]))
			break;
	if (at == document->bytes)
		server->answer.line[1] = 'l';
}

static void write_escaped(const char *text, FILE *out)
{
	for (; *text != '\0'; text++) {
		if (strchr("<>&\"'", *text) != NULL)
			fprintf(out, "&#%d;", *text);
		else if ((unsigned char)*text >= ' ')
			putc(*text, out);
	}
}

static void write_threads(const struct dph_gdb_server *server, FILE *out)
{
	const struct dph_gdb_target *target = server->target;
	const struct dph_gdb_thread *threads;
	const size_t count = target->ops->threads(target->context, &threads);

	fputs("<?xml version=\"1.0\"?>\n<threads>\n", out);
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "<thread id=\"%x\" name=\"", threads[i].id);
		write_escaped(threads[i].name, out);
		fputs("\">", out);
		write_escaped(threads[i].state, out);
		fputs("</thread>\n", out);
	}
	fputs("</threads>\n", out);
}

static void write_memory_map(const struct dph_gdb_server *server, FILE *out)
{
	const struct dph_gdb_target *target = server->target;
	const struct dph_gdb_range *ranges;
	const size_t count = target->ops->ranges(target->context, &ranges);

	fputs("<?xml version=\"1.0\"?>\n<memory-map>\n", out);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "<memory type=\"%s\" start=\"0x%llx\" length=\"0x%llx\"/>\n",
			ranges[i].writes ? "ram" : "rom",
			(unsigned long long)dph_gdb_address(target, ranges[i].start),
			(unsigned long long)ranges[i].bytes);
	fputs("</memory-map>\n", out);
}

static void write_features(const struct dph_gdb_server *server, FILE *out)
{
	dph_gdb_describe(server->target, out);
}

void dph_gdb_do_read_features(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)bytes;
	dph_gdb_read_piece(server, args, write_features);
}

void dph_gdb_do_read_threads(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)bytes;
	dph_gdb_read_piece(server, args, write_threads);
}

void dph_gdb_do_read_memory_map(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)bytes;
	if (server->target->ops->ranges != NULL)
		dph_gdb_read_piece(server, args, write_memory_map);
}

/* --- threads --------------------------------------------------------------------------------- */

static const struct dph_gdb_thread *thread_with(const struct dph_gdb_server *server, uint64_t id)
{
	const struct dph_gdb_thread *threads;
	const size_t count = server->target->ops->threads(server->target->context, &threads);

	for (size_t i = 0; i < count; i++)
		if (threads[i].id == id)
			return &threads[i];
	return NULL;
}

/* The thread that gdb shows first: the one of a stop, or one whose registers are known, if there is
 * one. */
static unsigned first_thread(const struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;
	const struct dph_gdb_thread *threads;
	unsigned here = 0;
	size_t count;

	if (server->state == DPH_GDB_STANDS && target->ops->here != NULL)
		here = target->ops->here(target->context);
	if (here != 0)
		return here;
	count = target->ops->threads(target->context, &threads);
	for (size_t i = 0; i < count; i++)
		if (threads[i].here)
			return threads[i].id;
	for (size_t i = 0; i < count; i++)
		if (threads[i].has_registers)
			return threads[i].id;
	return threads[0].id;
}

static unsigned current(struct dph_gdb_server *server)
{
	if (server->thread == 0)
		server->thread = first_thread(server);
	return server->thread;
}

/* Is the program counter of a thread known? The agent may have no registers of a stop. */
static bool knows_pc(const struct dph_gdb_server *server, unsigned thread)
{
	const struct dph_gdb_target *target = server->target;
	const struct dp_reg *pc = dph_reg_named(target->cpu, "pc", strlen("pc"));
	struct dph_gdb_registers registers = {0};

	return pc != NULL && target->ops->registers(target->context, thread, &registers) &&
	       registers.known[pc->index];
}

/* gdb ends the connection where the program counter is not known when it takes a stop. It then
 * reads all registers, and shows the counter as unavailable. */
static void add_no_pc(struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;
	const struct dp_reg *pc = dph_reg_named(target->cpu, "pc", strlen("pc"));
	const uint8_t nothing[sizeof(uint64_t)] = {0};

	if (pc == NULL || dph_gdb_number_of(target, pc->index) == UINT_MAX)
		return;
	dph_gdb_print(&server->answer, "%02x:", dph_gdb_number_of(target, pc->index));
	dph_gdb_add_hex(&server->answer, nothing, target->word_bytes);
	dph_gdb_add(&server->answer, ';');
}

void dph_gdb_do_tell_stop(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	dph_gdb_tell_stop_by(server, 0, NULL);
}

void dph_gdb_tell_stop_by(struct dph_gdb_server *server, unsigned signal,
			  const struct dph_gdb_watched *watched)
{
	server->thread = first_thread(server);
	dph_gdb_print(&server->answer, "T%02x", signal);
	if (!knows_pc(server, server->thread))
		add_no_pc(server);
	if (watched != NULL)
		dph_gdb_print(&server->answer, "%s:%" PRIx64 ";", watched->what, watched->address);
	dph_gdb_print(&server->answer, "thread:%x;", server->thread);
}

void dph_gdb_do_list_threads(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	const struct dph_gdb_thread *threads;
	const size_t count = server->target->ops->threads(server->target->context, &threads);

	(void)args;
	(void)bytes;
	dph_gdb_add(&server->answer, 'm');
	for (size_t i = 0; i < count; i++)
		dph_gdb_print(&server->answer, "%s%x", i > 0 ? "," : "", threads[i].id);
}

void dph_gdb_do_tell_end(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	dph_gdb_add(&server->answer, 'l');
}

void dph_gdb_do_tell_thread(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	const struct dph_gdb_thread *thread = NULL;
	uint64_t id;

	(void)bytes;
	if (dph_gdb_number(&args, &id))
		thread = thread_with(server, id);
	if (thread == NULL) {
		dph_gdb_refuse(server, "there is no such thread");
		return;
	}
	dph_gdb_add_hex(&server->answer, thread->name, strlen(thread->name));
	dph_gdb_add_hex(&server->answer, ": ", 2);
	dph_gdb_add_hex(&server->answer, thread->state, strlen(thread->state));
}

void dph_gdb_do_tell_current(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	dph_gdb_print(&server->answer, "QC%x", current(server));
}

/* 0 and -1 mean any thread, and all. */
void dph_gdb_do_choose_thread(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	uint64_t id = 0;

	(void)bytes;
	if (strcmp(args, "-1") != 0 && (!dph_gdb_number(&args, &id) || *args != '\0')) {
		dph_gdb_malformed(server);
		return;
	}
	if (id != 0 && thread_with(server, id) == NULL) {
		dph_gdb_refuse(server, "there is no such thread");
		return;
	}
	if (id != 0)
		server->thread = (unsigned)id;
	dph_gdb_add_text(&server->answer, "OK");
}

void dph_gdb_do_tell_alive(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	uint64_t id;

	(void)bytes;
	if (dph_gdb_number(&args, &id) && thread_with(server, id) != NULL)
		dph_gdb_add_text(&server->answer, "OK");
	else
		dph_gdb_refuse(server, "there is no such thread");
}

/* --- registers ------------------------------------------------------------------------------- */

static void add_value(struct dph_gdb_server *server, uint64_t value)
{
	const unsigned count = server->target->word_bytes;
	uint8_t bytes[sizeof value];

	for (unsigned i = 0; i < count; i++)
		bytes[server->target->big_endian ? count - 1 - i : i] = (uint8_t)(value >> 8 * i);
	dph_gdb_add_hex(&server->answer, bytes, count);
}

/* 'x' stands for a digit of a register that is not known. */
static void add_register(struct dph_gdb_server *server, const struct dph_gdb_registers *registers,
			 unsigned number)
{
	const struct dp_reg *reg = dph_gdb_register(server->target, number);

	if (reg != NULL && reg->index < DPH_GDB_REGISTERS_MAX && registers->known[reg->index])
		add_value(server, registers->values[reg->index]);
	else
		for (unsigned i = 0; i < 2 * server->target->word_bytes; i++)
			dph_gdb_add(&server->answer, 'x');
}

/* gdb 13 resumes no thread whose program counter it has read as unavailable. Where gdb may resume,
 * the counter of a thread that runs is 0, as in add_no_pc. */
static bool know_registers(struct dph_gdb_server *server, struct dph_gdb_registers *registers)
{
	const struct dph_gdb_target *target = server->target;

	const struct dp_reg *pc = dph_reg_named(target->cpu, "pc", strlen("pc"));

	*registers = (struct dph_gdb_registers){0};
	if (server->trace.selected != DPH_GDB_NO_FRAME) {
		dph_gdb_frame_registers(&server->trace, registers);
		return true;
	}
	if (target->ops->registers(target->context, current(server), registers)) {
		if (dph_gdb_needs_pc(target) || dph_gdb_why_no_stop(server) == NULL)
			registers->known[pc->index] = true;
		return true;
	}
	dph_gdb_refuse(server, "there is no such thread any more");
	return false;
}

void dph_gdb_do_read_registers(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	const unsigned count = dph_gdb_register_count(server->target);
	struct dph_gdb_registers registers;

	(void)args;
	(void)bytes;
	if (!know_registers(server, &registers))
		return;
	for (unsigned i = 0; i < count; i++)
		add_register(server, &registers, i);
}

void dph_gdb_do_read_register(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	struct dph_gdb_registers registers;
	uint64_t number;

	(void)bytes;
	if (!dph_gdb_number(&args, &number) || *args != '\0' ||
	    number >= dph_gdb_register_count(server->target))
		dph_gdb_malformed(server);
	else if (know_registers(server, &registers))
		add_register(server, &registers, (unsigned)number);
}

/* Is the target stopped in the thread that gdb has chosen? */
static bool is_here(struct dph_gdb_server *server)
{
	const struct dph_gdb_thread *thread = thread_with(server, current(server));

	return server->state == DPH_GDB_STANDS && thread != NULL && thread->here;
}

/* "NUMBER=VALUE", the value in the order of the target. */
void dph_gdb_do_write_register(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_why why = {"the agent does not write this register"};
	const struct dp_reg *reg = NULL;
	uint64_t number, value = 0;
	uint8_t data[sizeof value];

	(void)bytes;
	if (!dph_gdb_number_and(&args, &number, '=') ||
	    dph_gdb_bytes(&args, data, sizeof data) != target->word_bytes || *args != '\0') {
		dph_gdb_malformed(server);
		return;
	}
	if (!is_here(server)) {
		dph_gdb_do_refuse_registers(server, args, 0);
		return;
	}
	for (unsigned i = 0; i < target->word_bytes; i++)
		value = value << CHAR_BIT |
			data[target->big_endian ? i : target->word_bytes - 1 - i];
	if (number < dph_gdb_register_count(target))
		reg = dph_gdb_register(target, (unsigned)number);
	if (reg != NULL && target->ops->write_register(target->context, reg->index, value, &why))
		dph_gdb_add_text(&server->answer, "OK");
	else
		dph_gdb_refuse(server, "%s", why.text);
}

void dph_gdb_do_refuse_registers(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	if (server->released != NULL) {
		dph_gdb_refuse(server, "%s", server->released);
		return;
	}
	dph_gdb_refuse(server, is_here(server)
				       ? "write single registers (packet P)"
				       : "the registers of a thread that runs, or waits, cannot be "
					 "changed");
}
