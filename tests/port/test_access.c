/* SPDX-License-Identifier: BSD-2-Clause */
/* What a read of many bytes may touch, as TEXT does it: port/dp_access.c with a table of ranges and
 * memory of this test.  PROTOCOL.md section 5, TEXT. */
#include "check.h"

enum {
	DP_PORT_ACCESS_MAX = 4
};
struct dp_fault_status {
	int unused;
};
#include "../../port/dp_access.c" /* NOLINT(bugprone-suspicious-include) */

#include <string.h>

enum {
	START = 0x1000,
	BYTES = 0x400,
	HOLE = 0x1200, /* allowed by the table, and not there */
};

static uint8_t memory[BYTES];
static unsigned loads;

static struct dp_range ranges[] = {
	{0x1010, 4, DP_MEM_READ | DP_MEM_DEVICE},
	{0x1000, 0x80, DP_MEM_READ | DP_MEM_TEXT},
	{0x1080, 0x80, DP_MEM_READ | DP_MEM_WRITE},
	{0x1100, 0x80, DP_MEM_WRITE},
	{0x1180, 0x100, DP_MEM_READ},
};
static const struct dp_board board = {.ranges = ranges,
				      .range_count = sizeof(ranges) / sizeof(ranges[0])};

const struct dp_board *dp_access_board(void)
{
	return &board;
}

bool dp_access_load(dp_addr address, unsigned width, void *to)
{
	loads++;
	if (address < START || address >= HOLE)
		return false;
	memcpy(to, memory + (address - START), width);
	return true;
}

bool dp_access_store(dp_addr address, unsigned width, const void *from)
{
	(void)address;
	(void)width;
	(void)from;
	return false;
}

void dp_fault_status_get(struct dp_fault_status *status)
{
	status->unused = 0;
}

void dp_fault_status_put(const struct dp_fault_status *status)
{
	(void)status;
}

/* Bytes read of `bytes` from the address on; what came is what is there. */
static size_t reads(dp_addr address, size_t bytes)
{
	uint8_t to[BYTES];
	size_t done = dp_port_read(address, to, bytes, 0);

	CHECK(done == 0 || memcmp(to, memory + (address - START), done) == 0);
	return done;
}

int main(void)
{
	for (unsigned i = 0; i < sizeof(memory); i++)
		memory[i] = (uint8_t)(i * 7);
	CHECK(reads(0x1020, 0x40) == 0x40); /* text */
	CHECK(reads(0x1081, 0x3d) == 0x3d); /* RAM */
	CHECK(reads(0x1040, 0x80) == 0x80); /* from one range into the next */
	CHECK(reads(0x10f0, 0x20) == 0x10); /* up to a range without DP_MEM_READ */
	CHECK(reads(0x1100, 1) == 0);
	CHECK(reads(0x1000, 0x20) == 0x10); /* up to a device register */
	loads = 0;
	CHECK(reads(0x1010, 4) == 0 && loads == 0); /* which is not touched */
	CHECK(reads(0x1180, 0x100) == 0x80);        /* up to an address that aborts */
	CHECK(reads(0x2000, 4) == 0);               /* no range */
	return check_status();
}
