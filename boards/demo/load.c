/* SPDX-License-Identifier: BSD-2-Clause */
/* Run two tasks that load the CPU while the load is on. */
#include "load.h"

#include "checksum.h"
#include "kernel.h"
#include "sensor.h"

#define CRUNCHERS     2u
#define RESULT_PLACES 8u
#define BLOCK_WORDS   256u
#define BLOCKS_EACH   64u /* blocks per result */

struct queue result_queue;
uint32_t load_results;

static struct msg ring[RESULT_PLACES];
static volatile bool on;
static struct semaphore go[CRUNCHERS];

PROBE_TARGET static uint32_t crunch_block(uint32_t seed)
{
	uint32_t block[BLOCK_WORDS];

	for (unsigned i = 0; i < BLOCK_WORDS; i++) {
		seed = seed * 1664525u + 1013904223u;
		block[i] = seed;
	}
	return checksum_words(0, block, BLOCK_WORDS);
}

static void crunch_main(void *arg)
{
	uint32_t number = (uint32_t)(uintptr_t)arg;
	uint32_t sum = number;
	uint32_t sequence = 0;

	for (;;) {
		if (!on)
			sem_take(&go[number]);
		for (unsigned i = 0; i < BLOCKS_EACH; i++)
			sum = crunch_block(sum);
		struct msg m = {
			.kind = MSG_RESULT,
			.sequence = sequence++,
			.value = {sum},
			.tick = tick_count,
		};
		queue_put(&result_queue, &m);
	}
}

static void log_main(void *arg)
{
	struct msg m;

	(void)arg;
	for (;;) {
		queue_get(&result_queue, &m);
		load_results++;
	}
}

bool load_is_on(void)
{
	return on;
}

void load_set(bool wanted)
{
	bool was = on;

	on = wanted;
	sensor_load(wanted);
	for (unsigned i = 0; i < CRUNCHERS && wanted && !was; i++)
		sem_give(&go[i]);
}

void load_create(void)
{
	static const char *const names[CRUNCHERS] = {"crunch0", "crunch1"};
	static uint64_t crunch_stack[CRUNCHERS][256], log_stack[192];

	queue_init(&result_queue, "result", ring, RESULT_PLACES);
	for (unsigned i = 0; i < CRUNCHERS; i++)
		task_create(names[i], PRIORITY_WORK, crunch_main, (void *)(uintptr_t)i,
			    crunch_stack[i], sizeof(crunch_stack[i]));
	task_create("log", PRIORITY_LOG, log_main, NULL, log_stack, sizeof(log_stack));
}
