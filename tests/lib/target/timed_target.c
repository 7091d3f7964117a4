/* SPDX-License-Identifier: BSD-2-Clause */
/* A target whose clock is the test's (lib/harness/timed_target.py): the simulated firmware with the
 * real agent, com2 alone, and hits at a rate. The same questions give the same answers, whatever
 * the load of the machine.
 *
 * Questions on stdin and answers on stdout have the order of this machine:
 *   question  u64 microseconds, u32 count, bytes   these bytes come now; go on until then
 *   answer    u64 microseconds, u32 count, bytes   at this time these bytes have left
 * The target stops early when bytes leave. */
#include "sim_firmware.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	STEP_US = 1000,
	ROOM = 1 << 16,
	FIFO = 16, /* characters that the transmitter holds */
	HOT = FIRMWARE_TEXT + 0x140,
	HOT_WORDS = 16,
};

static struct {
	uint64_t now, free_at, next_hit;
	unsigned long character_us, hit_us; /* 0: no time; no hits */
	uint8_t out[ROOM];
	uint32_t out_used;
} target;

static bool put(void *context, uint8_t byte)
{
	(void)context;
	if (target.free_at > target.now + target.character_us * (FIFO - 1) ||
	    target.out_used == ROOM)
		return false;
	target.free_at =
		(target.free_at > target.now ? target.free_at : target.now) + target.character_us;
	target.out[target.out_used++] = byte;
	return true;
}

static void take_text(void *context, uint8_t byte)
{
	(void)context, (void)byte;
}

static void power_on(uint64_t now)
{
	target.now = target.next_hit = now;
	firmware_load();
	firmware.board.com[DP_COM2] = (struct dp_com){.put = put, .console_in = take_text};
	dp_sim.ticks = now;
	if (firmware_boot() != DP_ERR_OK)
		exit(1);
}

static void step(void)
{
	dp_sim.ticks = target.now;
	while (target.hit_us > 0 && target.next_hit <= target.now) {
		firmware_run(HOT, HOT_WORDS);
		target.next_hit += target.hit_us;
	}
	if (target.character_us == 0)
		firmware_poll();
	else
		dp_poll(&firmware.agent);
}

/* Until a time, or until bytes leave. */
static void go_on(uint64_t until)
{
	step();
	while (target.out_used == 0 && target.now < until) {
		target.now += until - target.now < STEP_US ? until - target.now : STEP_US;
		step();
	}
}

static bool take(void *bytes, size_t count)
{
	return fread(bytes, 1, count, stdin) == count;
}

static void answer(void)
{
	fwrite(&target.now, sizeof target.now, 1, stdout);
	fwrite(&target.out_used, sizeof target.out_used, 1, stdout);
	fwrite(target.out, 1, target.out_used, stdout);
	fflush(stdout);
	target.out_used = 0;
}

int main(int argc, char **argv)
{
	static uint8_t in[ROOM];
	uint64_t until;
	uint32_t count;

	if (argc != 4)
		return 1;
	target.character_us = strtoul(argv[2], NULL, 0);
	target.hit_us = strtoul(argv[3], NULL, 0);
	power_on(strtoull(argv[1], NULL, 0));
	while (take(&until, sizeof until) && take(&count, sizeof count) && count <= ROOM &&
	       take(in, count)) {
		for (uint32_t i = 0; i < count; i++)
			dp_rx(&firmware.agent, DP_COM2, in[i]);
		go_on(until);
		answer();
	}
	return 0;
}
