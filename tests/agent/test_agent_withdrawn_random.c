/* SPDX-License-Identifier: BSD-2-Clause */
/* Contexts that are preempted in slots, in random order, while probes come and go: each record of a
 * hit whose instruction completed arrives and stays valid. A record of a hit whose instruction
 * faulted is withdrawn, unless the agent cannot know the hit (R4.32).
 * `test_agent_withdrawn_random SEED` runs one sequence. */
#include "bench.h"
#include "check.h"
#include "random_probes.h"

#include "dp_log_ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SEQUENCES = 500,
	STEPS = 60,
	CONTEXTS = 3,
	PLACES = 2,
	SP = 13
};

static const char *const handlers[] = {
	"push r, r1\nlog 1\nexit\n",
	"push r, r1\npush 0\nadd\nlog 1\nexit\n",
	"push r, r0\npush mem, u8\npush 1\nsub\njz same\nabort\nsame:\npush r, r1\nlog 1\nexit\n",
	"abort\n",
};
static const char *const traits[] = {"", "", "maxhits = 4\n", "ignore = 2\n", "phase = after\n"};

/* A hit logs its index in this table. */
static struct hit {
	bool faulted;
	bool known;   /* no other hit at the place since, and no probe came or went */
	int recorded; /* records in the ring after the hit */
	int valid;    /* that have come, without those that were withdrawn */
} hits[STEPS + 1];
static unsigned hit_count;

static struct context {
	bool inside; /* a slot */
	unsigned hit, place;
	struct dp_frame frame;
} context[CONTEXTS];

static bool in_slot(void)
{
	dp_addr pc = dp_port_pc(&firmware.frame);

	return dp_port_slot_origin(pc) != pc;
}

/* The copy in the slot completes, or faults. The simulated CPU has one copy for both ways of
 * stepping, and notes at each step which one it is. */
static void leave(struct context *c, bool one_trap)
{
	dp_addr slot = (dp_port_pc(&firmware.frame) - DP_SIM_SLOT_BASE) / SIM_SLOT_BYTES;

	dp_sim.one_trap[slot] = one_trap;
	hits[c->hit].faulted = firmware.aborts = draw(2);
	firmware_step();
	CHECK(!in_slot());
	c->inside = false;
}

/* The records in the ring from the place on. */
static int records_from(uint32_t at)
{
	const struct dp_ring *ring = &DP_THIS_CPU(&firmware.agent)->ring;
	int count = 0;

	for (; at != ring->head; count++)
		at = dp_ring_behind(at, dp_ring_head(ring, at));
	return count;
}

static void enter(struct context *c, unsigned number)
{
	const struct dp_per_cpu *cpu = DP_THIS_CPU(&firmware.agent);
	uint32_t head = cpu->ring.head;

	c->hit = hit_count++;
	c->place = draw(PLACES);
	for (unsigned i = 0; i < CONTEXTS; i++)
		if (context[i].inside && context[i].place == c->place)
			hits[context[i].hit].known = false;
	firmware.frame.word[0][0] = FIRMWARE_RAM + draw(2);
	firmware.frame.word[1][0] = c->hit;
	firmware.frame.word[SP][0] = FIRMWARE_RAM + 0x10 * number;
	firmware.aborts = false;
	dp_sim.ticks += 3;
	firmware_run(place(c->place), 0);
	firmware_step();
	hits[c->hit].known = true;
	c->inside = in_slot();
	if (c->inside && cpu->in_hit) /* two traps: interrupts are masked */
		leave(c, false);
	hits[c->hit].recorded = records_from(head);
	c->frame = firmware.frame;
}

static void go_on(unsigned number)
{
	struct context *c = &context[number];

	if (!c->inside) {
		enter(c, number);
		return;
	}
	firmware.frame = c->frame;
	leave(c, true);
}

static void probes_change(void)
{
	for (unsigned i = 0; i < CONTEXTS; i++)
		if (context[i].inside)
			hits[context[i].hit].known = false;
}

static void install(void)
{
	char source[400];

	snprintf(source, sizeof(source), "name = \"t%u\"\noffset = 0x%08x\n%s%s", draw(2),
		 (unsigned)place(draw(PLACES)), traits[draw(sizeof(traits) / sizeof(*traits))],
		 handlers[draw(sizeof(handlers) / sizeof(*handlers))]);
	CHECK(bench_compile(source));
	bench_install_object(
		DP_COMMIT_NO_IDENTITY | (draw(2) ? DP_COMMIT_MERGE : DP_COMMIT_REPLACE), 0);
	probes_change();
}

static void remove_one(void)
{
	char program = (char)draw(3);

	bench_ask(DP_CMD_REMOVE, &program, 1);
	probes_change();
}

static void step(void)
{
	unsigned what = draw(20);

	if (what < 13)
		go_on(draw(CONTEXTS));
	else if (what < 15)
		install();
	else if (what < 16)
		remove_one();
	else if (what < 18)
		bench_poll();
	else if (what < 19) /* plans are dropped */
		CHECK(bench_ask(DP_CMD_LOG, "\376\1", 2).error == 0);
	else
		bench_polls(DP_MAX_PROBES);
}

/* The hit whose record the withdraw at the place names. */
static struct hit *named(unsigned withdraw)
{
	const struct bench_record *w = &bench.record[withdraw], *r;

	for (unsigned i = withdraw; i-- > 0;) {
		r = &bench.record[i];
		if (r->head.kind == DP_RECORD_LOG && r->head.probe == w->head.probe &&
		    r->time == w->time)
			return &hits[bench_word(r->body)];
	}
	CHECK(!"a withdraw names a record");
	return &hits[STEPS];
}

static void judge(void)
{
	for (unsigned i = 0; i < bench.records; i++)
		if (bench.record[i].head.kind == DP_RECORD_LOG)
			hits[bench_word(bench.record[i].body)].valid++;
		else
			named(i)->valid--;
	for (unsigned i = 0; i < hit_count; i++) {
		const struct hit *h = &hits[i];

		/* of a list the agent may know the hit of one probe, and not of one that went */
		CHECK(h->valid >= 0 && h->valid <= h->recorded);
		if (!h->faulted)
			CHECK(h->valid == h->recorded);
		if (h->faulted && h->known)
			CHECK(h->valid == 0);
	}
	CHECK(DP_THIS_CPU(&firmware.agent)->ring.dropped == 0);
}

static void run(uint32_t start)
{
	seed = start;
	hit_count = 0;
	memset(hits, 0, sizeof(hits));
	memset(context, 0, sizeof(context));
	bench_start();
	firmware.ram[0] = 1;
	for (unsigned i = 0; i < PLACES; i++)
		firmware_put_word(place(i), (uint32_t)SIM_MEMORY << 24);
	for (unsigned i = 0; i < STEPS; i++)
		step();
	for (unsigned i = 0; i < CONTEXTS; i++)
		if (context[i].inside)
			go_on(i);
	bench_remove_all();
	bench_poll();
	judge();
	CHECK(firmware_text_is_original());
	if (check_failures > 0)
		printf("seed %u\n", (unsigned)start);
}

/* proves: R4.31 R4.32 */
int main(int count, char **words)
{
	if (count > 1)
		run((uint32_t)atoi(words[1]));
	for (uint32_t i = 0; i < SEQUENCES && count == 1 && check_failures == 0; i++)
		run(i);
	return check_status();
}
