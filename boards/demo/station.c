/* SPDX-License-Identifier: BSD-2-Clause */
#include "station.h"

#include <string.h>

#include "board.h"
#include "queue.h"

#define FRAME_VALUES  8u
#define BLOCKS        4u
#define LOG_RECORDS   64u
#define READY_POLLS   1000u
#define VALUE_MAX     4095
#define DEVICE        0x48u
#define DEVICE_VALUES 0x10u

enum bus_status {
	BUS_OK,
	BUS_NAK,
};

enum log_status {
	LOG_FULL = -28,
	LOG_BAD_PLACE = -5,
	LOG_OK = 0,
};

struct frame {
	uint16_t value[FRAME_VALUES];
	uint32_t sum;
};

struct block {
	struct block *next;
	struct frame raw, data;
};

struct station_counters station_counters;

static struct block blocks[BLOCKS], *free_blocks;
static struct frame device; /* the frame that the device has */
static unsigned device_wait;
static struct msg ring[4];
static struct queue station_queue;
static uint32_t flash[LOG_RECORDS]; /* bits that were cleared stay so until the log is erased */
static uint32_t log_next, made;
static uint64_t last_stamp;
static int32_t last_value;

/* --- the devices --------------------------------------------------------------------------- */

PROBE_TARGET uint32_t frame_sum(const struct frame *f)
{
	uint32_t sum = 1;

	for (unsigned i = 0; i < FRAME_VALUES; i++)
		sum = (sum << 7 | sum >> 25) ^ f->value[i];
	return sum;
}

/* Let the device measure. returns: BUS_NAK: nobody answers at the address. */
PROBE_TARGET enum bus_status bus_write(uint32_t address, uint32_t reg)
{
	if (address != DEVICE || reg != DEVICE_VALUES)
		return BUS_NAK;
	for (unsigned i = 0; i < FRAME_VALUES; i++)
		device.value[i] = (uint16_t)((made * 37u + i * 501u) % (VALUE_MAX + 1u));
	made++;
	device.sum = frame_sum(&device);
	device_wait = 3;
	return BUS_OK;
}

PROBE_TARGET bool device_ready(unsigned polls)
{
	while (device_wait > 0 && polls > 0) {
		device_wait--;
		polls--;
	}
	return device_wait == 0;
}

/* Read from the device's frame. returns: bytes. */
PROBE_TARGET uint32_t port_read(uint8_t *to, uint32_t from, uint32_t bytes)
{
	uint32_t there = sizeof(device) - from;

	if (bytes > there)
		bytes = there;
	memcpy(to, (const uint8_t *)&device + from, bytes);
	return bytes;
}

/* returns: false: the copy stopped, and its end is not there. */
PROBE_TARGET bool dma_copy(void *to, const void *from, uint32_t bytes)
{
	memcpy(to, from, bytes);
	return true;
}

/* returns: 0, or -1: the bits did not take. */
PROBE_TARGET int flash_write(uint32_t place, uint32_t word)
{
	flash[place] &= word;
	return flash[place] == word ? 0 : -1;
}

PROBE_TARGET uint64_t station_clock(void)
{
	return board_clock();
}

/* --- the station --------------------------------------------------------------------------- */

PROBE_TARGET struct block *block_alloc(void)
{
	struct block *b = free_blocks;

	if (b)
		free_blocks = b->next;
	return b;
}

static void block_free(struct block *b)
{
	b->next = free_blocks;
	free_blocks = b;
}

/* The mean of a frame's values. */
PROBE_TARGET int32_t sensor_value(const struct frame *f)
{
	int32_t sum = 0;

	for (unsigned i = 0; i < FRAME_VALUES; i++)
		sum += f->value[i];
	return sum / (int32_t)FRAME_VALUES;
}

static void log_erase(void)
{
	memset(flash, 0xff, sizeof(flash));
	log_next = 0;
}

/* returns: LOG_FULL, LOG_BAD_PLACE, or LOG_OK. */
PROBE_TARGET int log_append(uint32_t word)
{
	if (log_next == LOG_RECORDS)
		return LOG_FULL;
	return flash_write(log_next++, word) == 0 ? LOG_OK : LOG_BAD_PLACE;
}

/* A place that is bad and a full log cost a try each. */
static void store(uint32_t word)
{
	for (unsigned tries = 0; tries < 3; tries++) {
		int status = log_append(word);

		if (status == LOG_OK) {
			station_counters.stored++;
			return;
		}
		if (status == LOG_FULL) {
			station_counters.log_full++;
			log_erase();
		} else {
			station_counters.flash_errors++;
		}
	}
}

static void read_frame(struct block *b)
{
	uint8_t *to = (uint8_t *)&b->raw;
	uint32_t done = port_read(to, 0, sizeof(b->raw));

	if (done < sizeof(b->raw)) {
		station_counters.short_reads++;
		port_read(to + done, done, sizeof(b->raw) - done);
	}
	if (!dma_copy(&b->data, &b->raw, sizeof(b->data))) {
		station_counters.dma_errors++;
		memcpy(&b->data, &b->raw, sizeof(b->data));
	}
}

static void note_clock(void)
{
	uint64_t now = station_clock();

	if (now < last_stamp)
		station_counters.clock_errors++;
	else
		last_stamp = now;
}

/* Queue the frame's value, and take what the queue has. */
static void pass_on(const struct frame *f)
{
	int32_t value = sensor_value(f);
	struct msg m = {.kind = 1};

	if (value < 0 || value > VALUE_MAX) {
		station_counters.out_of_range++;
		value = last_value;
	}
	last_value = value;
	m.value[0] = (uint32_t)value;
	if (!queue_put(&station_queue, &m))
		station_counters.queue_full++;
	while (queue_get_batch(&station_queue, &m, 1) > 0)
		store(m.value[0]);
}

static void measure(struct block *b)
{
	if (bus_write(DEVICE, DEVICE_VALUES) == BUS_NAK) {
		station_counters.naks++;
		bus_write(DEVICE, DEVICE_VALUES);
	}
	if (!device_ready(READY_POLLS)) {
		station_counters.timeouts++;
		return;
	}
	read_frame(b);
	note_clock();
	if (frame_sum(&b->data) != b->data.sum)
		station_counters.damaged++;
	else
		pass_on(&b->data);
}

static void cycle(void)
{
	struct block *b = block_alloc();

	station_counters.cycles++;
	if (!b) {
		station_counters.no_memory++;
		return;
	}
	measure(b);
	block_free(b);
}

void station_run(uint32_t cycles)
{
	memset(&station_counters, 0, sizeof(station_counters));
	free_blocks = NULL;
	for (unsigned i = 0; i < BLOCKS; i++)
		block_free(&blocks[i]);
	queue_init(&station_queue, "station", ring, sizeof(ring) / sizeof(ring[0]));
	log_erase();
	made = 0;
	last_stamp = 0;
	last_value = 0;
	while (cycles-- > 0)
		cycle();
}
