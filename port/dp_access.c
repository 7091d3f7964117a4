/* SPDX-License-Identifier: BSD-2-Clause */
/* Fault-safe access checks the range table and splits reads and writes into single accesses of the
 * port. */
#include "dp_access_cpu.h"

#include "dp_agent.h"

static void copy(void *to, const void *from, size_t bytes)
{
	uint8_t *t = to;
	const uint8_t *f = from;

	while (bytes-- > 0)
		*t++ = *f++;
}

/* The range that has the byte and allows all of `access`, or null. First match decides. */
static const struct dp_range *range_of(dp_addr address, unsigned access)
{
	const struct dp_board *board = dp_access_board();
	const struct dp_range *r = board->ranges, *end = r + board->range_count;

	for (; r < end; r++)
		if (address - r->start < r->bytes)
			return (r->access & access) == access ? r : NULL;
	return NULL;
}

/* Bytes from address on to which the range applies, at most `bytes`: up to the range's end, or
 * to the start of an earlier row. */
static size_t inside(const struct dp_range *r, dp_addr address, size_t bytes)
{
	const struct dp_range *before = dp_access_board()->ranges;
	dp_addr left = r->start + r->bytes - address;

	for (; before < r; before++)
		if (before->bytes != 0 && before->start - address < left)
			left = before->start - address;
	return left < bytes ? (size_t)left : bytes;
}

/* Accesses of `width` where aligned, narrower ones at the edges. Returns the bytes moved. */
static size_t move(dp_addr address, uint8_t *data, size_t bytes, unsigned width, bool write)
{
	uint64_t buffer;
	size_t done = 0;

	while (done < bytes) {
		unsigned step = width;

		while ((address & (step - 1)) != 0 || step > bytes - done)
			step >>= 1;
		if (write)
			copy(&buffer, data + done, step);
		if (!(write ? dp_access_store(address, step, &buffer)
			    : dp_access_load(address, step, &buffer)))
			break;
		if (!write)
			copy(data + done, &buffer, step);
		address += step;
		done += step;
	}
	return done;
}

static unsigned step_of(unsigned width, bool aligned)
{
	if (width == 0)
		return sizeof(dp_word);
	if (!aligned)
		return 1;
	return width < DP_PORT_ACCESS_MAX ? width : DP_PORT_ACCESS_MAX;
}

static size_t transfer(dp_addr address, uint8_t *data, size_t bytes, unsigned width, bool write)
{
	unsigned access = write ? DP_MEM_WRITE : DP_MEM_READ;
	bool aligned = width == 0 || (address & (width - 1)) == 0;
	struct dp_fault_status status;
	size_t done = 0;

	dp_fault_status_get(&status);
	while (done < bytes && address + (dp_addr)done >= address) {
		dp_addr at = address + (dp_addr)done;
		const struct dp_range *r = range_of(at, access);
		size_t piece, moved;

		if (r == NULL)
			break;
		piece = inside(r, at, bytes - done);
		/* A device register: exactly one access of exactly this size. */
		if ((r->access & DP_MEM_DEVICE) &&
		    (width == 0 || width > DP_PORT_ACCESS_MAX || piece != width || !aligned))
			break;
		moved = move(at, data + done, piece, step_of(width, aligned), write);
		done += moved;
		if (moved < piece) {
			dp_fault_status_put(&status);
			break;
		}
	}
	return done;
}

size_t dp_port_read(dp_addr address, void *to, size_t bytes, unsigned width)
{
	return transfer(address, to, bytes, width, false);
}

/* Keep the readable stretch from the aligned address on. A device register takes one access of
 * exactly its width: no stretch has it. */
static bool find_stretch(struct dp_stretch *stretch, dp_addr address)
{
	const struct dp_range *r = range_of(address, DP_MEM_READ);

	if (!r || (r->access & DP_MEM_DEVICE) != 0)
		return false;
	stretch->start = address;
	stretch->bytes = inside(r, address, r->bytes);
	return true;
}

/* Does one access inside the stretch read the value? The stretch begins at a multiple of
 * DP_PORT_ACCESS_MAX: the offset is aligned when the address is, and the sum does not wrap. */
static inline bool has(const struct dp_stretch *stretch, dp_addr address, unsigned width)
{
	dp_addr offset = address - stretch->start, last = width - 1;

	return last < DP_PORT_ACCESS_MAX && (offset & last) == 0 && offset + last < stretch->bytes;
}

static inline bool load(dp_addr address, unsigned width, void *to)
{
	struct dp_fault_status status;

	dp_fault_status_get(&status);
	if (dp_access_load(address, width, to))
		return true;
	dp_fault_status_put(&status);
	return false;
}

/* Look the range up: the next loads find the stretch. Inlined, it takes 13 instructions more of
 * each hit that tests memory (Cortex-A9). */
static __attribute__((__noinline__)) bool load_anew(dp_addr address, unsigned width, void *to)
{
	struct dp_stretch *recent = dp_access_recent();

	return find_stretch(recent, address & ~(dp_addr)(DP_PORT_ACCESS_MAX - 1)) &&
	       has(recent, address, width) && load(address, width, to);
}

/* Handlers read near what they have read. */
bool dp_port_load_memory(dp_addr address, unsigned width, void *to)
{
	if (!has(dp_access_recent(), address, width))
		return load_anew(address, width, to);
	return load(address, width, to);
}

#if DP_PORT_STACK_WORDS > 0
bool dp_access_find_stack(struct dp_stretch *begins, dp_addr sp)
{
	const dp_addr last = DP_PORT_STACK_WORDS * sizeof(dp_word) - 1;

	if (!find_stretch(begins, sp))
		return false;
	begins->bytes -= begins->bytes < last ? begins->bytes : last;
	return begins->bytes != 0;
}
#endif

bool dp_port_load(dp_addr address, unsigned width, void *to)
{
	return dp_port_load_memory(address, width, to) ||
	       transfer(address, to, width, width, false) == width;
}

#if DP_PROFILE == DP_PROFILE_FULL
size_t dp_port_write(dp_addr address, const void *from, size_t bytes, unsigned width)
{
	return transfer(address, (uint8_t *)(uintptr_t)from, bytes, width, true);
}
#endif

#if DP_WITH_LANGUAGE
/* A probe read of memory does no harm. A probe read of a device register may, so the register's
 * table row decides. */
static bool accessible(dp_addr address, unsigned access)
{
	const struct dp_range *r = range_of(address, access);
	uint8_t byte;

	if (r == NULL)
		return false;
	return (r->access & DP_MEM_DEVICE) != 0 || dp_access_board()->ranges_only ||
	       dp_port_read(address, &byte, 1, 1) == 1;
}

bool dp_port_readable(dp_addr address)
{
	return accessible(address, DP_MEM_READ);
}

bool dp_port_writable(dp_addr address)
{
	return accessible(address, DP_MEM_READ | DP_MEM_WRITE);
}
#endif
