/* SPDX-License-Identifier: BSD-2-Clause */
/* The requests for the firmware's memory: the feature MEMORY. PROTOCOL.md 5.11
 * Both use the access of programs: the same rows of memory, the same caught faults. */
#include "dp_exchange.h"

#include "dp_at_work.h"
#include "dp_fields.h"
#include "dp_lock.h"

#if DP_WITH_MEMORY
enum {
	DP_WIDTH_MAX = 8,
	DP_WHOLE_BYTES = 8, /* of memory that nothing changes while it is read */
	DP_PLACE_BYTES = sizeof(dp_word) + 1,
	DP_RUNS = 16,                             /* in place of a width */
	DP_RUN_UNIT = 64,                         /* bytes */
	DP_RUN_UNITS = 64,                        /* of the runs of a request together */
	DP_RUN_BYTES = 3,                         /* of a run in the answer */
	DP_MEMORY_BYTES_MAX = DP_PAYLOAD_MAX - 4, /* in the answer to MEMORY, behind a number */
};
_Static_assert((int)DP_MEMORY_BYTES_MAX <= (int)DP_VAR_BYTES_MAX, "the bytes fit ex->words");
_Static_assert((DP_PAYLOAD_MAX - 2) / DP_PLACE_BYTES <= 16, "a bit of `failed` for each place");
_Static_assert((DP_PAYLOAD_MAX - 2) / DP_PLACE_BYTES * DP_RUN_BYTES <= (int)DP_MEMORY_BYTES_MAX,
	       "the runs of a request fit its answer");

/* Of an access; 0: any accesses. */
static bool is_width(uint32_t width)
{
	return width <= DP_WIDTH_MAX && (width & (width - 1)) == 0;
}

/* Bytes of the next stretch: as many as an aligned number has. */
static unsigned stretch(dp_addr at, unsigned left, unsigned width)
{
	unsigned bytes = DP_WHOLE_BYTES;

	if (width != 0)
		return width;
	while ((at & (bytes - 1)) != 0 || bytes > left)
		bytes >>= 1;
	return bytes;
}

/* Is the place one that accesses of the width divide, below the end of memory? */
static bool is_place(dp_addr at, unsigned bytes, unsigned width)
{
	if (width != 0 && (width > DP_PORT_ACCESS_MAX || (at | bytes) & (width - 1)))
		return false;
	return bytes == 0 || at + (dp_addr)(bytes - 1) >= at;
}

/* Read a place, a stretch at a time with interrupts masked. Returns false when a byte was not read.
 */
static bool read_place(dp_addr at, uint8_t *to, unsigned bytes, unsigned width)
{
	if (!is_place(at, bytes, width))
		return false;
	while (bytes > 0) {
		unsigned piece = stretch(at, bytes, width);
		dp_irq irq = dp_mask_take();
		bool read = dp_port_read(at, to, piece, width) == piece;

		dp_mask_give(irq);
		if (!read)
			return false;
		at += piece;
		to += piece;
		bytes -= piece;
	}
	return true;
}

/* Count the bytes from the address on that are equal to the first one. The run ends before a byte
 * that cannot be read. first: receives the byte, unless the result is 0. */
static unsigned run_at(dp_addr at, unsigned most, uint8_t *first)
{
	uint8_t bytes[DP_WHOLE_BYTES];
	unsigned count = 0, piece;

	for (; count < most; count += piece) {
		piece = stretch(at + count, most - count, 0);
		if (!read_place(at + count, bytes, piece, 0))
			return count;
		if (count == 0)
			*first = bytes[0];
		for (unsigned i = 0; i < piece; i++)
			if (bytes[i] != *first)
				return count + i;
	}
	return count;
}

/* Put the run into the answer. Returns false when its first byte cannot be read. */
static bool put_run(dp_addr at, uint8_t *to, unsigned units)
{
	unsigned count = run_at(at, units * DP_RUN_UNIT, to);

	to[1] = (uint8_t)(count >> 8);
	to[2] = (uint8_t)count;
	return count > 0;
}

/* The address of a place of the request. */
static dp_addr address_of(const uint8_t *place)
{
	dp_addr address = 0;

	for (unsigned i = 0; i < sizeof(address); i++)
		address = address << 4 << 4 | place[i];
	return address;
}

enum dp_err dp_do_memory(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	const uint8_t *place = ex->rest, *end = place + ex->rest_bytes;
	uint32_t width = DP_ARG(ex, memory, width);
	bool runs = width == DP_RUNS;
	unsigned room = runs ? DP_RUN_UNITS : DP_MEMORY_BYTES_MAX;

	(void)agent, (void)a;
	if (!runs && !is_width(width))
		return DP_ERR_BAD_REQUEST;
	for (; place < end; place += DP_PLACE_BYTES) {
		if (end - place < DP_PLACE_BYTES || place[sizeof(dp_word)] > room)
			return DP_ERR_BAD_REQUEST;
		room -= place[sizeof(dp_word)];
	}
	ex->n.memory.failed = 0;
	ex->tail.bytes = ex->words;
	place = ex->rest;
	for (unsigned bit = 1; place < end; place += DP_PLACE_BYTES, bit <<= 1) {
		unsigned bytes = place[sizeof(dp_word)];
		uint8_t *to = ex->words + ex->tail.count;

		if (runs ? put_run(address_of(place), to, bytes)
			 : read_place(address_of(place), to, bytes, width))
			ex->tail.count = (uint8_t)(ex->tail.count + (runs ? DP_RUN_BYTES : bytes));
		else
			ex->n.memory.failed |= (uint16_t)bit;
	}
	return DP_ERR_OK;
}

/* All bytes are stored in one step, by a session that has the right at that time. */
enum dp_err dp_do_store(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	enum dp_err error = dp_may(agent, DP_RIGHT_WRITE);

	(void)a;
#if DP_PROFILE == DP_PROFILE_FULL
	const uint32_t *halves = &DP_ARG(ex, store, address);
	uint64_t address = (uint64_t)halves[0] << 32 | halves[1];
	unsigned bytes = ex->rest_bytes;
	dp_irq irq;

	if (error != DP_ERR_OK)
		return error;
	if (bytes == 0 || !is_width(bytes) || (address & (bytes - 1)) != 0)
		return DP_ERR_BAD_REQUEST;
	ex->n.memory.stored = 0;
	irq = dp_lock_take();
	error = dp_work_is_ours(agent) ? dp_may(agent, DP_RIGHT_WRITE) : DP_ERR_BUSY;
	if (error == DP_ERR_OK && address == (dp_addr)address)
		ex->n.memory.stored = (uint8_t)dp_port_write(
			(dp_addr)address, ex->rest, bytes, bytes <= DP_PORT_ACCESS_MAX ? bytes : 0);
	dp_lock_give(irq);
#else
	(void)ex;
#endif
	return error;
}
#endif
