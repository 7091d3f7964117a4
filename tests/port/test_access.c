/* SPDX-License-Identifier: BSD-2-Clause */
/* What an access may touch: port/dp_access.c with a table of ranges and memory of this test. */
#include "check.h"

enum {
	DP_PORT_ACCESS_MAX = 4
};
struct dp_fault_status {
	int unused;
};
/* In place of the simulated port's header of the same name. */
#include "../lib/target/dp_access_cpu.h"

#include "../../port/dp_access.c" /* NOLINT(bugprone-suspicious-include) */

#include <string.h>

enum {
	START = 0x1000,
	BYTES = 0x400,
	HOLE = 0x1200, /* allowed by the table, and not there */
};

static uint8_t memory[BYTES];
static unsigned loads, stores, load_width;

static struct dp_range ranges[] = {
	{0x1010, 4, DP_MEM_READ | DP_MEM_DEVICE},
	{0x1000, 0x80, DP_MEM_READ | DP_MEM_TEXT},
	{0x1080, 0x80, DP_MEM_READ | DP_MEM_WRITE},
	{0x1100, 0x80, DP_MEM_WRITE},
	{0x1180, 0x100, DP_MEM_READ},
};
static struct dp_board board = {.ranges = ranges,
				.range_count = sizeof(ranges) / sizeof(ranges[0])};

const struct dp_board *dp_access_board(void)
{
	return &board;
}

struct dp_stretch *dp_access_recent(void)
{
	static struct dp_stretch recent;

	return &recent;
}

bool dp_access_load(dp_addr address, unsigned width, void *to)
{
	loads++;
	load_width = width;
	if (address < START || address >= HOLE)
		return false;
	memcpy(to, memory + (address - START), width);
	return true;
}

bool dp_access_store(dp_addr address, unsigned width, const void *from)
{
	stores++;
	if (address < START || address >= HOLE)
		return false;
	memcpy(memory + (address - START), from, width);
	return true;
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

/* proves: A1.5 A1.9 */
static void reads_of_blocks(void)
{
	CHECK(reads(0x1020, 0x40) == 0x40); /* text */
	CHECK(reads(0x1081, 0x3d) == 0x3d); /* RAM */
	CHECK(reads(0x1040, 0x80) == 0x80); /* from one range into the next */
	CHECK(reads(0x10f0, 0x20) == 0x10); /* up to a range without DP_MEM_READ */
	CHECK(reads(0x1100, 1) == 0);
	CHECK(reads(0x1000, 0x20) == 0x10); /* up to a device register */
	loads = 0;
	CHECK(reads(0x1010, 4) == 0 && loads == 0); /* which is not touched */
	CHECK(reads(0x1180, 0x100) == 0x80);        /* up to an address that aborts */
	loads = 0;
	CHECK(reads(0x2000, 4) == 0 && loads == 0); /* no range */
}

/* A device register takes one access of the width that was asked for, and no other. */
/* proves: A1.9 A3.10 */
static void reads_of_a_device(void)
{
	uint8_t to[8];

	loads = 0;
	CHECK(dp_port_read(0x1010, to, 4, 4) == 4 && loads == 1 && load_width == 4);
	CHECK(dp_port_read(0x1012, to, 2, 2) == 2 && loads == 2 && load_width == 2);
	CHECK(dp_port_read(0x1013, to, 1, 1) == 1 && loads == 3 && load_width == 1);
	CHECK(dp_port_read(0x1011, to, 2, 2) == 0 && loads == 3); /* not aligned */
	CHECK(dp_port_read(0x1010, to, 8, 8) == 0 &&
	      loads == 3); /* wider than the port's accesses */
}

static void load_as_read(dp_addr address, unsigned width)
{
	uint64_t read = 0, loaded = 0;
	unsigned accesses;
	bool readable;

	loads = 0;
	readable = dp_port_read(address, &read, width, width) == width;
	accesses = loads;
	loads = 0;
	CHECK(dp_port_load(address, width, &loaded) == readable);
	CHECK(!readable || loaded == read);
	CHECK(loads == accesses || address >= HOLE - 8); /* what aborts is read in two ways */
}

/* Memory is loaded with one access, a device register with none. The words beside the register may
 * wait for dp_port_load. */
static void load_of_memory(dp_addr address, unsigned width)
{
	bool device = address - 0x1010 < 4, beside = address - 0x1010 < 8;
	bool split = address % width != 0 || width > DP_PORT_ACCESS_MAX;
	uint64_t read = 0, loaded = 0;
	bool readable = dp_port_read(address, &read, width, width) == width, done;

	loads = 0;
	done = dp_port_load_memory(address, width, &loaded);
	CHECK(!done || (readable && !split && !device && loaded == read));
	CHECK(done || !readable || split || beside);
	CHECK(loads <= !(device || split));
}

/* Whatever the load before was: each address and width behaves as a read, in both directions and in
 * leaps, so that the stretch is that of another range, of this one, or begins behind the address.
 */
/* proves: P5.8 */
static void loads_of_hits(void)
{
	enum {
		FIRST = START - 16,
		ADDRESSES = HOLE + 0x90 - FIRST,
		LEAP = 389 /* a prime, so that each address comes */
	};

	for (unsigned width = 1; width <= 8; width <<= 1)
		for (unsigned i = 0; i < ADDRESSES; i++) {
			load_as_read(FIRST + i, width);
			load_as_read(FIRST + i * LEAP % ADDRESSES, width);
			load_as_read(FIRST + ADDRESSES - 1 - i, width);
			load_of_memory(FIRST + i, width);
			load_of_memory(FIRST + i * LEAP % ADDRESSES, width);
		}
	load_as_read((dp_addr)-4, 4);
	load_as_read((dp_addr)-4, 8);
}

/* A row that changed against the rule: loads near the last one go by the row as it was, others by
 * the row as it is. */
/* proves: A1.25 */
static void a_row_that_changes(void)
{
	uint8_t access = ranges[1].access;
	uint32_t value;

	CHECK(dp_port_load(0x1020, 4, &value));
	ranges[1].access = DP_MEM_TEXT;
	CHECK(dp_port_load(0x1024, 4, &value) && dp_port_read(0x1024, &value, 4, 4) == 0);
	CHECK(dp_port_load(0x1080, 4, &value) && !dp_port_load(0x1024, 4, &value));
	ranges[1].access = access;
	CHECK(dp_port_load(0x1024, 4, &value));
}

/* proves: A1.6 P5.5 */
static void writes(void)
{
	static const uint8_t from[8] = {1, 2, 3, 4, 5, 6, 7, 8};

	CHECK(dp_port_write(0x1080, from, 8, 0) == 8 && memcmp(memory + 0x80, from, 8) == 0);
	stores = 0;
	CHECK(dp_port_write(0x1020, from, 4, 4) == 0 && dp_port_write(0x1180, from, 4, 4) == 0);
	CHECK(dp_port_write(0x1010, from, 4, 4) == 0 && dp_port_write(0x2000, from, 4, 4) == 0);
	CHECK(stores == 0);
	CHECK(dp_port_write(0x117c, from, 8, 0) == 4 && memcmp(memory + 0x17c, from, 4) == 0);
}

/* Memory is tried; a device never is, and nothing is where aborts cannot be caught. */
/* proves: A1.11 P5.6 */
static void is_readable(void)
{
	CHECK(dp_port_readable(0x1080) && !dp_port_readable(HOLE) && !dp_port_readable(0x1100));
	CHECK(dp_port_writable(0x1080) && !dp_port_writable(0x1020));
	loads = 0;
	CHECK(dp_port_readable(0x1010) && loads == 0);
	board.ranges_only = true;
	CHECK(dp_port_readable(0x1080) && dp_port_readable(HOLE) && !dp_port_readable(0x1100));
	CHECK(!dp_port_readable(0x2000) && loads == 0);
	board.ranges_only = false;
}

/* A copy of words of the stack begins where all of its bytes are in one range of memory. */
static void copies_of_the_stack(void)
{
	const dp_addr bytes = DP_PORT_STACK_WORDS * sizeof(dp_word), end = 0x1080;
	struct dp_stretch begins = {0, 0};

	CHECK(dp_access_find_stack(&begins, 0x1020) && begins.start == 0x1020);
	CHECK(begins.start + begins.bytes - 1 + bytes == end);
	CHECK(dp_access_find_stack(&begins, end - bytes) && begins.bytes == 1);
	CHECK(!dp_access_find_stack(&begins, end - bytes + 4) && begins.bytes == 0);
	CHECK(!dp_access_find_stack(&begins, 0x1010) && !dp_access_find_stack(&begins, 0x900));
}

int main(void)
{
	for (unsigned i = 0; i < sizeof(memory); i++)
		memory[i] = (uint8_t)(i * 7);
	reads_of_blocks();
	reads_of_a_device();
	loads_of_hits();
	copies_of_the_stack();
	a_row_that_changes();
	writes();
	is_readable();
	return check_status();
}
