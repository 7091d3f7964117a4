/* SPDX-License-Identifier: BSD-2-Clause */
/* Random sequences of what changes plans, with hits in between: plans and the chain of probes leave
 * the same after each step. `test_agent_plan_sequences SEED` runs one sequence and prints it. */
#include "bench.h"
#include "check.h"
#include "random_probes.h"

#include "dp_crc.h"
#include "dp_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SEQUENCES = 120,
	STEPS = 40,
	PLACES = 3,
	SP = 13,
	STORM = 2100
};

static const uint32_t instructions[PLACES] = {SIM_AWAY, SIM_MEMORY, SIM_STEPPED};

static const char *const handlers[] = {
	"abort\n",
	"function = 4\npush 7\nreturn 1\nabort\n",
	"exit\n",
	"push r, r1\nlog 1\nexit\n",
	"push r, r1\npush r, r2\nlog 2\nexit\n",
	"push r, r1\npush 3\nadd\nlog 1\nexit\n",
	"push r, r0\npush mem, u8\npush 5\nsub\njz same\nabort\nsame:\npush r, r1\nlog 1\nexit\n",
	"push r, r0\npush mem, u8\npush 1\nand\njnz b\nabort\nb:\ninc lv, 0\nexit\n",
	"push r, r0\npush mem, u8\npush 4\nsub\njz b\nabort\nb:\ninc lv, 0\nexit\n",
	"push r, r1\npush mem, u32\nlog 1\nexit\n", /* not readable */
	"push r, r0\npush 2\nadd\npush mem, u8\npush r, r1\nlog 2\nexit\n",
	"push r, r1\nadd map, 0\nabort\n",
	"push r, r2\npush r, sp\nadd map, 1\nabort\n",
	"add map, 2\nabort\n",
	("sx x\npush r, r0\npush 1\nadd\npush mem, u8\ndup 1\npush -4\nadd\nxchg\nneg\nand\njlt b\n"
	 "push r, r1\nadd map, 0\nlog 1\nexit\nx:\nlog 1\nexit\nb:\nabort\n"),
	"push r, r0\npush mem, u8\npush 7\nsub\njz last\nabort\nlast:\nremove\n",
	"push r, r0\npush mem, u8\npush 2\nsub\njz last\nabort\nlast:\nstop\n",
};
/* What some of the seeds put in the place of a handler: words of the stack. */
#if DP_WORD_BITS == 64
#define ARG0 "push r, sp\npush 8\nadd\npush mem, u64\n"
#else
#define ARG0 "push r, sp\npush 4\nadd\npush mem, u32\n"
#endif
static const char *const stack_handlers[] = {
	ARG0 "push r, r1\nlog 2\nexit\n",
	ARG0 "add map, 0\nabort\n",
	ARG0 "push mem, u8\nlog 1\nexit\n",
	ARG0 "push mem, u8\npush 5\nsub\njz b\nabort\nb:\n" ARG0 "log 1\nexit\n",
	ARG0 "push 1\nadd\npush mem, u8\njz b\n" ARG0 "log 1\nexit\nb:\nabort\n",
};
static const char *const traits[] = {
	"", "", "", "maxhits = 5\n", "ignore = 3\n", "logonfault = yes\n", "phase = after\n"};

static bool talks;
static unsigned kinds[DP_PLAN_NOTHING + 1]; /* of plans that hits have left */
static unsigned of_stack;                   /* of them, plans that read words of the stack */

/* Let the chain of probes decide the next hit. */
static void forbid_plans(void)
{
	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		firmware.agent.site[i].plan.kind = DP_PLAN_CHAIN;
}

static void hit(bool planned)
{
	dp_addr at = place(draw(PLACES));

	for (unsigned r = 0; r < 4; r++)
		firmware.frame.word[r][0] = FIRMWARE_RAM + draw(32);
	firmware.frame.word[SP][0] = FIRMWARE_RAM + 0x10 * draw(2); /* of one of two contexts */
	dp_sim.ticks += 3;
	firmware.aborts = draw(3) == 0;
	if (!planned)
		forbid_plans();
	firmware_run(at, 1);
	for (unsigned i = 0; i < DP_MAX_PROBES && planned; i++)
		kinds[dp_plan_kind(&firmware.agent.site[i].plan)]++;
	for (unsigned i = 0; i < DP_MAX_PROBES && planned; i++)
		of_stack += (firmware.agent.site[i].plan.kind & DP_PLAN_STACK) != 0;
}

static void install(uint8_t options)
{
	char source[600];
	int at = snprintf(
		source, sizeof(source),
		"name = \"t%u\"\nvars = 1\nmap = count 1 8\nmap = count 2 4\nmap = count 0 1\n",
		draw(2));

	for (unsigned i = 0, points = 1 + draw(2); i < points; i++) {
		const char *trait = traits[draw(sizeof(traits) / sizeof(*traits))];
		const char *handler = handlers[draw(sizeof(handlers) / sizeof(*handlers))];

		if (dp_sim.arguments_on_stack && draw(2))
			handler = stack_handlers[draw(sizeof(stack_handlers) /
						      sizeof(*stack_handlers))];
		if (strstr(handler, "return") && strstr(trait, "phase"))
			trait = ""; /* is for the instruction before which the function begins */
		at += snprintf(source + at, sizeof(source) - (size_t)at,
			       "offset = 0x%08x\nminor = %u\n%s%s", (unsigned)place(draw(PLACES)),
			       i, trait, handler);
	}
	if (talks)
		printf("%s", source);
	CHECK(bench_compile(source));
	bench_install_object(DP_COMMIT_NO_IDENTITY | options, 0);
}

/* A request that removes one program comes in a storm of hits. */
static void storm(bool planned)
{
	char line[DP_LINE_MAX];
	char program = (char)draw(3);
	size_t bytes = bench_request(line, (uint8_t)(++bench.seq), DP_CMD_REMOVE, &program, 1);

	bench_type(DP_COM1, line, bytes);
	for (unsigned i = 0; i < STORM; i++)
		hit(planned);
}

static void change_log(void)
{
	const char arguments[] = {'\376', (char)draw(3)};

	CHECK(bench_ask(DP_CMD_LOG, arguments, 2).error == 0);
}

static void remove_one(void)
{
	char program = (char)draw(3);

	bench_ask(DP_CMD_REMOVE, &program, 1);
}

static void restart(void)
{
	bench_warm();
	CHECK(firmware_text_is_original());
	bench_hello(0x1000 + draw(1000), 1);
}

static void polls(void)
{
	bench_polls(draw(2 * DP_MAX_PROBES));
}

static void step(bool planned)
{
	unsigned what = draw(100);

	if (talks)
		printf("%u\n", what);
	if (what < 50)
		for (unsigned i = 0, times = 1 + draw(8); i < times; i++)
			hit(planned);
	else if (what < 68)
		install(draw(2) ? DP_COMMIT_MERGE : DP_COMMIT_REPLACE);
	else if (what < 76)
		remove_one();
	else if (what < 84)
		change_log();
	else if (what < 92)
		polls();
	else if (what < 96)
		dp_quiescent(&firmware.agent);
	else if (what < 98)
		storm(planned);
	else
		restart();
}

/* The CRC of what handlers have left in variables and maps. */
static uint32_t kept(const struct dp_agent *agent, uint32_t crc)
{
	for (unsigned i = 0; i < DP_MAX_PROGRAMS; i++) {
		const struct dp_program *p = &agent->program[i];

		if (p->object)
			crc = dp_crc32(crc, p->object, p->held);
	}
	return crc;
}

/* The CRC of what the firmware and the host see, and of what a later handler can find. */
static uint32_t look(void)
{
	const struct dp_agent *agent = &firmware.agent;
	const struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	uint32_t crc = dp_crc32(0, cpu->vm.stack, sizeof(cpu->vm.stack));
	uint32_t number[9] = {firmware.executed, firmware.faults,  firmware.foreign_traps,
			      cpu->ring.dropped, cpu->ring.missed, cpu->ring.withdrawn,
			      agent->probes,     agent->programs,  agent->strays};

	crc = dp_crc32(crc, number, sizeof(number));
	crc = dp_crc32(crc, firmware.frame.word, sizeof(firmware.frame.word));
	crc = dp_crc32(crc, firmware.text, sizeof(firmware.text));
	crc = dp_crc32(crc, firmware.ram, sizeof(firmware.ram));
	crc = kept(agent, crc);
	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		struct dp_probe probe = agent->probe[i];

		if (probe.program == DP_NONE)
			continue;
		probe.ran = 0; /* of the chain alone */
		memset(&probe.left, 0, sizeof(probe.left));
		crc = dp_crc32(crc, &probe, sizeof(probe));
	}
	return crc;
}

/* The CRC of the records that have come. */
static uint32_t received(uint32_t crc)
{
	bench_poll();
	for (unsigned i = 0; i < bench.records && i < BENCH_RECORDS_MAX; i++) {
		const struct bench_record *r = &bench.record[i];
		uint32_t head[6] = {r->head.kind,  r->head.flags,     r->head.probe,
				    r->head.bytes, (uint32_t)r->time, r->number};

		crc = dp_crc32(crc, head, sizeof(head));
		crc = dp_crc32(crc, r->body, r->head.bytes);
	}
	bench.records = 0;
	return crc;
}

static void run(uint32_t start, bool planned, uint32_t *trail)
{
	unsigned total, available;

	seed = start;
	bench_start();
	dp_sim.arguments_on_stack = start % 3 == 0;
	for (unsigned b = 0; b < FIRMWARE_RAM_BYTES; b++)
		firmware.ram[b] = (uint8_t)(b & 7);
	for (unsigned i = 0; i < PLACES; i++)
		firmware_put_word(place(i), instructions[i] << 24);
	for (unsigned i = 0; i < STEPS; i++) {
		step(planned);
		trail[i] = look();
		if (draw(2))
			trail[i] = received(trail[i]);
	}
	bench_remove_all();
	trail[STEPS] = received(look());
	CHECK(firmware_text_is_original());
	dp_quiescent(&firmware.agent);
	dp_port_slots(&total, &available);
	CHECK(available == total);
}

static void compare(uint32_t start)
{
	static uint32_t with[STEPS + 1], without[STEPS + 1];

	run(start, true, with);
	run(start, false, without);
	for (unsigned i = 0; i <= STEPS; i++)
		if (with[i] != without[i]) {
			printf("seed %u: the outcomes of step %u differ\n", (unsigned)start, i);
			CHECK(with[i] == without[i]);
			return;
		}
}

/* proves: P4.11 */
int main(int count, char **words)
{
	talks = count > 1;
	if (talks)
		compare((uint32_t)atoi(words[1]));
	for (uint32_t i = 0; i < SEQUENCES && !talks && check_failures == 0; i++)
		compare(i);
	for (unsigned i = 0; i <= DP_PLAN_NOTHING && !talks; i++)
		CHECK(kinds[i] > 0);
	CHECK(talks || of_stack > 0);
	return check_status();
}
