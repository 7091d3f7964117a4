/* SPDX-License-Identifier: BSD-2-Clause */
/* Fault-safe access: the board's table of ranges first, then the access with its abort caught. */
#include "arm_port.h"

#define CP15_READ(value, where)  __asm__ volatile("mrc p15, 0, %0, " where : "=r"(value))
#define CP15_WRITE(value, where) __asm__ volatile("mcr p15, 0, %0, " where ::"r"(value))

uint32_t dp_arm_fault_status(void)
{
	uint32_t value;

	CP15_READ(value, "c5, c0, 0");
	return value;
}

uint32_t dp_arm_fault_address(void)
{
	uint32_t value;

	CP15_READ(value, "c6, c0, 0");
	return value;
}

/* What an abort overwrites: an abort handler that is probed must still find its own. */
struct fault_status {
	uint32_t dfsr, dfar;
};

static struct fault_status status_get(void)
{
	return (struct fault_status){dp_arm_fault_status(), dp_arm_fault_address()};
}

static void status_put(const struct fault_status *status)
{
	CP15_WRITE(status->dfsr, "c5, c0, 0");
	CP15_WRITE(status->dfar, "c6, c0, 0");
}

/* The range that has the byte and allows all of `access`, or null. first match decides */
static const struct dp_range *range_of(uint32_t address, unsigned access)
{
	const struct dp_board *board = dp_arm->board;

	for (unsigned i = 0; i < board->range_count; i++) {
		const struct dp_range *r = &board->ranges[i];

		if (address - r->start < r->bytes)
			return (r->access & access) == access ? r : NULL;
	}
	return NULL;
}

/* Bytes from address to the end of the range, at most `bytes`. */
static size_t inside(const struct dp_range *r, uint32_t address, size_t bytes)
{
	uint32_t left = r->start + r->bytes - address;

	return left < bytes ? left : bytes;
}

static void copy(void *to, const void *from, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
}

/* One aligned access of `width`, or byte by byte. Returns the bytes moved. */
static size_t move(uint32_t address, uint8_t *data, size_t bytes, unsigned width, bool write)
{
	uint64_t buffer;
	size_t done = 0;

	while (done < bytes) {
		unsigned step = width;

		while ((address & (step - 1)) != 0 || step > bytes - done)
			step >>= 1;
		if (write)
			copy(&buffer, data + done, step);
		if (!(write ? dp_arm_store(address, step, &buffer)
			    : dp_arm_load(address, step, &buffer)))
			break;
		if (!write)
			copy(data + done, &buffer, step);
		address += step;
		done += step;
	}
	return done;
}

static size_t transfer(uint32_t address, uint8_t *data, size_t bytes, unsigned width, bool write)
{
	unsigned access = write ? DP_MEM_WRITE : DP_MEM_READ;
	struct fault_status status = status_get();
	size_t done = 0;

	while (done < bytes && address + (uint32_t)done >= address) {
		uint32_t at = address + (uint32_t)done;
		const struct dp_range *r = range_of(at, access);
		size_t piece, moved;
		unsigned step = width ? width : 4;

		if (r == NULL)
			break;
		piece = inside(r, at, bytes - done);
		if (r->access & DP_MEM_DEVICE) {
			/* exactly one access of exactly this size */
			if (width == 0 || piece != width || (at & (width - 1)) != 0)
				break;
		} else if (width != 0 && (at & (width - 1)) != 0) {
			step = 1;
		}
		moved = move(at, data + done, piece, step, write);
		done += moved;
		if (moved < piece) {
			status_put(&status);
			break;
		}
	}
	return done;
}

size_t dp_port_read(dp_addr address, void *to, size_t bytes, unsigned width)
{
	return transfer(address, to, bytes, width, false);
}

size_t dp_port_write(dp_addr address, const void *from, size_t bytes, unsigned width)
{
	return transfer(address, (uint8_t *)(uintptr_t)from, bytes, width, true);
}

/* Memory can be asked without harm; a device register cannot, so its table row is believed. */
static bool accessible(uint32_t address, unsigned access)
{
	const struct dp_range *r = range_of(address, access);
	uint8_t byte;

	if (r == NULL)
		return false;
	return (r->access & DP_MEM_DEVICE) != 0 || dp_arm->board->ranges_only ||
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

/* ARM has no port space and no segments; DP_PORT_GROUPS says so. */
dp_word dp_port_io_read(dp_word port, unsigned width)
{
	(void)port;
	(void)width;
	return 0;
}

void dp_port_io_write(dp_word port, unsigned width, dp_word value)
{
	(void)port;
	(void)width;
	(void)value;
}

bool dp_port_seg2lin(dp_word selector, dp_word offset, dp_addr *flat)
{
	(void)selector;
	(void)offset;
	(void)flat;
	return false;
}
