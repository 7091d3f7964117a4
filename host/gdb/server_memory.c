/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory as gdb reads and writes it. */
#include "server_parts.h"

#include <string.h>

enum {
	SUM_BITS = 32,
	POLYNOMIAL = 0x04c11db7
};

uint32_t dph_gdb_sum(uint32_t sum, const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		sum ^= (uint32_t)bytes[i] << 24;
		for (unsigned bit = 0; bit < 8; bit++)
			sum = sum << 1 ^ (sum >> (SUM_BITS - 1) ? POLYNOMIAL : 0);
	}
	return sum;
}

static bool read_address(const struct dph_gdb_server *server, const char **args, uint64_t *address)
{
	if (!dph_gdb_number_and(args, address, ','))
		return false;
	*address = dph_gdb_place(server, *address);
	return true;
}

/* Read the address and the length of a packet, and the memory there.
 * Returns the bytes that could be read; 0: the packet has its answer. */
static size_t read(struct dph_gdb_server *server, const char *args, uint8_t *data, size_t room)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_why why;
	uint64_t address, bytes;
	size_t have;

	if (!read_address(server, &args, &address) || !dph_gdb_number(&args, &bytes) ||
	    *args != '\0') {
		dph_gdb_malformed(server);
		return 0;
	}
	if (bytes == 0)
		return 0;
	bytes = bytes < room ? bytes : room;
	if (server->trace.selected != DPH_GDB_NO_FRAME &&
	    !dph_gdb_trace_constant(&server->trace, address, bytes))
		have = dph_gdb_frame_read(&server->trace, address, data, (size_t)bytes);
	else
		have = target->ops->read(target->context, address, data, (size_t)bytes, &why);
	/* EFAULT: gdb 13 knows no sentence here. */
	if (have == 0)
		dph_gdb_add_text(&server->answer, "E0e");
	return have;
}

void dph_gdb_do_read_memory(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	uint8_t data[DPH_GDB_TEXT_MAX / 2];
	const size_t have = read(server, args, data, sizeof data);

	(void)bytes;
	if (have > 0)
		dph_gdb_add_hex(&server->answer, data, have);
}

/* gdb 16 reads so. */
void dph_gdb_do_read_memory_binary(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	uint8_t data[DPH_GDB_TEXT_MAX / 2 - 1]; /* each byte may be escaped */
	const size_t have = read(server, args, data, sizeof data);

	(void)bytes;
	if (have == 0 && server->answer.bytes > 1)
		return;
	dph_gdb_add(&server->answer, 'b');
	for (size_t i = 0; i < have; i++)
		dph_gdb_add(&server->answer, data[i]);
}

/* gdb prints no reason of memory that is not written. */
static void write(struct dph_gdb_server *server, uint64_t address, const uint8_t *data,
		  size_t bytes)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_why why = {"this memory cannot be written"};

	if (bytes == 0 || target->ops->write(target->context, address, data, bytes, &why)) {
		dph_gdb_add_text(&server->answer, "OK");
		return;
	}
	target->ops->tell(target->context, why.text);
	dph_gdb_refuse(server, "%s", why.text);
}

void dph_gdb_do_write_memory(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	uint8_t data[DPH_GDB_TEXT_MAX / 2];
	uint64_t address, count;

	(void)bytes;
	if (read_address(server, &args, &address) && dph_gdb_number_and(&args, &count, ':') &&
	    dph_gdb_bytes(&args, data, sizeof data) == count && *args == '\0')
		write(server, address, data, count);
	else
		dph_gdb_malformed(server);
}

void dph_gdb_do_write_memory_binary(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	const char *at = args;
	uint64_t address, count;

	if (read_address(server, &at, &address) && dph_gdb_number_and(&at, &count, ':') &&
	    count == bytes - (size_t)(at - args))
		write(server, address, (const uint8_t *)at, count);
	else
		dph_gdb_malformed(server);
}

void dph_gdb_do_refuse_flash(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	dph_gdb_refuse(server, "the agent does not write flash memory");
}

void dph_gdb_do_sum_memory(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_why why = {"this memory cannot be read"};
	uint64_t address, count;
	uint32_t sum;

	(void)bytes;
	if (!read_address(server, &args, &address) || !dph_gdb_number(&args, &count) ||
	    *args != '\0')
		dph_gdb_malformed(server);
	else if (target->ops->sum(target->context, address, count, &sum, &why))
		dph_gdb_print(&server->answer, "C%x", sum);
	else
		dph_gdb_refuse(server, "%s", why.text);
}
