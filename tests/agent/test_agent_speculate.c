/* SPDX-License-Identifier: BSD-2-Clause */
/* Speculations: records wait in buffers of the program, and leave by the ring when they are
 * committed. PROTOCOL.md 2.6 */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_log_ring.h"

#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	OTHER = FIRMWARE_TEXT + 0x200,
	DECIDE = FIRMWARE_TEXT + 0x300,
	DROP = FIRMWARE_TEXT + 0x400,
	SP = 13
};

/* A hit at AT opens a speculation, unless there is one, and puts the number of the hit into it.
 * A hit at DECIDE commits it, one at DROP discards it. One at OTHER records at once. */
#define PROGRAM(map)                                                                               \
	"name = \"t\"\nvars = 2\nmap = speculation " map "\n"                                      \
	"offset = 0x08000100\npush lv, 1\njnz there\npush spec, 0\npop lv, 1\nthere:\n"            \
	"push lp\ninc lv, 0\npush lv, 0\nlog 1\npush lv, 1\nlog spec, 0\nabort\n"                  \
	"offset = 0x08000300\npush lv, 1\ncommit 0\npush 0\npop lv, 1\nabort\n"                    \
	"offset = 0x08000400\npush lv, 1\ndiscard 0\npush 0\npop lv, 1\nabort\n"                   \
	"offset = 0x08000200\npush -1\nlog 1\nexit\n"

static void hits(uint32_t at, unsigned count)
{
	while (count-- > 0) {
		dp_sim.ticks += 10;
		firmware_run(at, 1);
	}
}

/* What MAP tells of the buffers. */
struct told {
	uint32_t dropped, missing, busy;
};
static struct told tell(void)
{
	static const uint8_t bytes_of[] = {0, 1, 2, 4};
	const struct bench_answer answer = bench_ask(DP_CMD_MAP, "\0\0\0\0\0", 5);
	uint32_t number[4] = {0};
	unsigned at = 7;

	CHECK(answer.error == 0 && bench_number(&answer, 0, 2) == 0xffff && answer.bytes > 6);
	for (unsigned i = 0; i < 2 * sizeof(dp_word) / 4; i++)
		for (unsigned n = 0; n < bytes_of[answer.payload[6] >> 2 * i & 3]; n++)
			number[i] |= (uint32_t)answer.payload[at++] << 8 * n;
	return (struct told){bench_number(&answer, 2, 4), number[0], number[sizeof(dp_word) / 4]};
}

/* Nothing leaves before the commit. The records come with their own times, behind those that were
 * recorded before the commit, and each other's order stays. */
/* proves: R2.48 R2.51 R2.52 */
static void commits(void)
{
	uint64_t began;

	bench_start();
	dp_sim.tick_hz = 1000000;
	CHECK(bench_install(PROGRAM("512 1 0")) == 0);
	began = dp_sim.ticks;
	hits(AT, 3);
	hits(OTHER, 1);
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == (dp_word)-1);
	hits(DECIDE, 1);
	bench_poll();
	CHECK(bench.records == 4 && bench.bad_records == 0);
	for (unsigned i = 0; i < 3; i++) {
		CHECK(bench_logged(1 + i) == i + 1);
		CHECK(bench.record[1 + i].time == began + 10 * (i + 1));
		CHECK(bench.record[1 + i].head.kind == DP_RECORD_LOG);
	}
	hits(AT, 1); /* the buffer is free */
	hits(DECIDE, 1);
	bench_poll();
	CHECK(bench.records == 5 && bench_logged(4) == 4);
	CHECK(tell().missing == 0 && tell().busy == 0 && tell().dropped == 0);
}

/* Two buffers are committed; their records leave as they were made. */
/* proves: R2.51 */
static void in_order_of_times(void)
{
	bench_start();
	dp_sim.tick_hz = 1000000;
	CHECK(bench_install(
		      "name = \"t\"\nvars = 2\nmap = speculation 512 2 0\n"
		      "offset = 0x08000100\npush spec, 0\npop lv, 0\npush spec, 0\npop lv, "
		      "1\nabort\n"
		      "offset = 0x08000200\npush lp\npush 1\nlog 1\npush lv, 1\nlog spec, "
		      "0\nabort\n"
		      "offset = 0x08000300\npush lp\npush 2\nlog 1\npush lv, 0\nlog spec, "
		      "0\nabort\n"
		      "offset = 0x08000400\npush lv, 0\ncommit 0\npush lv, 1\ncommit 0\nabort\n") ==
	      0);
	hits(AT, 1);
	for (unsigned i = 0; i < 3; i++) {
		hits(OTHER, 1);
		hits(DECIDE, 1);
	}
	hits(DROP, 1);
	bench_poll();
	CHECK(bench.records == 6 && bench.bad_records == 0);
	for (unsigned i = 0; i < 6; i++) {
		CHECK(bench_logged(i) == 1 + i % 2);
		CHECK(i == 0 || bench.record[i].time > bench.record[i - 1].time);
	}
}

static void discards(void)
{
	bench_start();
	CHECK(bench_install(PROGRAM("512 1 0")) == 0);
	hits(AT, 3);
	hits(DROP, 1);
	hits(DECIDE, 1); /* there is none any more */
	hits(AT, 1);
	hits(DECIDE, 1);
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == 4);
}

/* proves: R2.49 */
static void policies(void)
{
	const unsigned each = DP_SPEC_HEAD_BYTES + sizeof(dp_word), room = 64 / each;

	bench_start();
	CHECK(bench_install(PROGRAM("64 1 0")) == 0);
	hits(AT, room + 3);
	hits(DECIDE, 1);
	bench_poll();
	CHECK(bench.records == room && bench_logged(0) == 1 && tell().dropped == 3);
	bench_start();
	CHECK(bench_install(PROGRAM("64 1 1")) == 0);
	hits(AT, 5 * room + 3);
	hits(DECIDE, 1);
	bench_poll();
	CHECK(bench.records == room && tell().dropped == 0);
	for (unsigned i = 0; i < room; i++)
		CHECK(bench_logged(i) == 4 * room + 4 + i);
}

/* A buffer that waits to be sent is busy. */
/* proves: R2.54 */
static void busy(void)
{
	bench_start();
	CHECK(bench_install(PROGRAM("512 1 0")) == 0);
	hits(AT, 1);
	hits(DECIDE, 1);
	hits(AT, 2); /* twice without a buffer: the records go nowhere */
	CHECK(tell().busy == 2 && tell().missing == 0);
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == 1);
}

/* Half of the ring is for hits. What waits in the buffers is neither lost nor doubled. */
/* proves: R2.51 */
static void waits_for_room(void)
{
	const unsigned each = DP_SPEC_HEAD_BYTES + sizeof(dp_word), count = 8192 / each;
	const struct dp_ring *ring = &firmware.agent.cpu[0].ring;

	bench_start();
	CHECK(bench_install(PROGRAM("8192 1 0")) == 0);
	hits(AT, count);
	hits(DECIDE, 1);
	bench.line[0].room = 0;
	bench_poll();
	CHECK(ring->head - ring->kept <= DP_RING_BYTES / 2 && ring->head != ring->kept);
	hits(OTHER, 1);
	CHECK(ring->dropped == 0);
	bench.line[0].room = -1;
	bench_poll();
	bench_wait_ms(100);
	CHECK(bench.records == count + 1 && bench.bad_records == 0);
	for (unsigned i = 0, next = 1; i < bench.records; i++)
		if (bench_logged(i) != (dp_word)-1)
			CHECK(bench_logged(i) == next++);
	CHECK(ring->dropped == 0);
}

/* proves: R2.53 */
static void stops(void)
{
	struct bench_answer answer;

	bench_start();
	CHECK(bench_install(PROGRAM("512 1 0")) == 0);
	hits(OTHER, 1);
	bench_poll();
	bench.line[0].room = 0;
	hits(AT, 3);
	hits(DECIDE, 1);
	CHECK(bench.records == 1);
	bench.line[0].room = -1;
	answer = bench_ask(DP_CMD_STOP, "\0", 1);
	CHECK(answer.error == 0 && bench_number(&answer, 0, 4) == 4);
	bench_poll();
	CHECK(bench.records == 4 && bench_logged(3) == 3);
}

/* What was committed is sent; what was not, is gone with the program. */
static void removes(void)
{
	const struct dp_ring *ring = &firmware.agent.cpu[0].ring;

	bench_start();
	CHECK(bench_install(PROGRAM("512 1 0")) == 0);
	hits(AT, 3);
	hits(DECIDE, 1);
	bench_remove_all();
	bench_poll();
	CHECK(bench.records == 3 && ring->dropped == 0);
	bench_start();
	CHECK(bench_install(PROGRAM("512 1 0")) == 0);
	hits(AT, 3);
	bench_remove_all();
	bench_poll();
	CHECK(bench.records == 0 && ring->dropped == 0);
}

/* A program moves in the arena with its buffers. */
static void moves(void)
{
	bench_start();
	CHECK(bench_install("name = \"o\"\noffset = 0x08000500\nexit\n") == 0);
	CHECK(bench_install(PROGRAM("512 1 0")) == 1);
	hits(AT, 3);
	CHECK(bench_error(DP_CMD_REMOVE, "\0", 1) == 0);
	hits(AT, 1);
	hits(DECIDE, 1);
	bench_poll();
	CHECK(bench.records == 4 && bench_logged(0) == 1 && bench_logged(3) == 4);
}

/* The hit itself sends what it commits. */
static void synchronous(void)
{
	bench_start();
	CHECK(bench_install(PROGRAM("512 1 0")) == 0);
	CHECK(bench_ask(DP_CMD_LOG, "\376\0", 2).error == 0);
	hits(AT, 3);
	CHECK(bench.records == 0);
	hits(DECIDE, 1);
	CHECK(bench.records == 3 && bench_logged(0) == 1 && bench_logged(2) == 3);
}

/* proves: R2.55 */
static void refusals(void)
{
	static const uint8_t items[] = {DP_ITEM_PID, DP_ITEM_CPU | DP_ITEM_TSC};

	for (unsigned i = 0; i < sizeof(items); i++) {
		bench_start();
		CHECK(bench_compile(PROGRAM("512 1 0")));
		CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, items[i]).error ==
		      DP_ERR_SPECULATES);
	}
	bench_start();
	CHECK(bench_compile(PROGRAM("512 1 0")));
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY | DP_COMMIT_FLIGHT, 0).error ==
	      DP_ERR_SPECULATES);
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, DP_DERIVED_TSC).error == 0);
}

/* A fault in a one-trap slot withdraws what its hit has put into the ring, and no record of a
 * speculation that came there since. */
static void fault_behind(void)
{
	struct dp_frame context;

	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_MEMORY << 24);
	CHECK(bench_install(PROGRAM("512 1 0")) == 0);
	firmware.frame.word[SP][0] = FIRMWARE_RAM + 0x10;
	firmware_run(AT, 0);
	firmware_step(); /* preempted in the slot */
	context = firmware.frame;
	CHECK(dp_port_slot_origin(dp_port_pc(&context)) == AT && dp_port_pc(&context) != AT);
	CHECK(firmware.agent.cpu[0].in_hit == 0);
	firmware.frame.word[SP][0] = FIRMWARE_RAM + 0x20;
	hits(DECIDE, 1);
	bench.line[0].room = 0;
	bench_poll();
	firmware.frame = context;
	dp_sim.one_trap[(dp_port_pc(&context) - DP_SIM_SLOT_BASE) / SIM_SLOT_BYTES] = 1;
	firmware.aborts = true;
	firmware_step();
	firmware.aborts = false;
	CHECK(firmware.faults == 1 && firmware.fault_pc == AT && bench_probe(0, 0)->faulted == 1);
	bench.line[0].room = -1;
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == 1);
	CHECK(firmware.agent.cpu[0].ring.withdrawn == 0);
}

int main(void)
{
	commits();
	in_order_of_times();
	discards();
	policies();
	busy();
	waits_for_room();
	stops();
	removes();
	moves();
	synchronous();
	refusals();
	fault_behind();
	return check_status();
}
