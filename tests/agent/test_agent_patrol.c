/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware overwrites traps and stored programs: found, told, and never run blind. */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_sites.h"

#include <stdio.h>
#include <string.h>

enum {
	ADDRESS_DIGITS = DP_WORD_BITS / 4,
	AT = FIRMWARE_TEXT + 0x100,
	OTHER = 0x77000000,
	ROUND = 1000, /* looks that surely are at everything */
	BOOT = 1      /* the notice that always comes */
};
#define TWO                                                                                        \
	"name = \"two\"\noffset = 0x08000100\npush 1\nlog 1\nexit\n"                               \
	"offset = 0x08000104\nminor = 1\nexit\n"

static void poll_often(void)
{
	bench_polls(ROUND);
}

/* Of a notice: digits behind stream, line and number. */
static uint64_t noticed(enum dp_notice number, unsigned at, unsigned digits)
{
	uint64_t value = 0;

	while (digits-- > 0)
		value = value << 4 |
			bench.line[0].notice_of[number].payload[DP_STREAM_HEAD + 2 + at++];
	return value;
}

static bool notice_came(enum dp_notice number)
{
	return bench.line[0].notice_of[number].payload[DP_STREAM_HEAD + 1] == number;
}

static unsigned probe_state(const char *program_and_index)
{
	struct bench_answer answer = bench_ask(DP_CMD_PROBE, program_and_index, 2);

	return answer.came && answer.error == 0 ? answer.payload[1] : 99;
}

static unsigned program_state(const char *program)
{
	struct bench_answer answer = bench_ask(DP_CMD_PROGRAM, program, 1);

	return answer.came && answer.error == 0 ? answer.payload[9] : 99;
}

/* proves: A5.3 R5.33 */
static void text_overwritten(void)
{
	bench_start();
	CHECK(bench_install(TWO) == 0);
	CHECK(bench_install("name = \"b\"\noffset = 0x08000100\nmaxhits = 1\nexit\n") == 1);
	firmware_run(AT, 1);
	poll_often();
	CHECK(!notice_came(DP_NOTICE_TEXT_CHANGED)); /* nothing to find */
	firmware_put_word(AT, OTHER);
	poll_often();
	CHECK(noticed(DP_NOTICE_TEXT_CHANGED, 2, ADDRESS_DIGITS) == AT);
	CHECK(noticed(DP_NOTICE_TEXT_CHANGED, 2 + ADDRESS_DIGITS, 8) == OTHER);
	CHECK(bench.line[0].notices == BOOT + 1); /* for the one that had ended there is none */
	CHECK(probe_state("\0\0") == DP_PROBE_TEXT_CHANGED);
	CHECK(probe_state("\0\1") == DP_PROBE_ARMED && probe_state("\1\0") == DP_PROBE_DISABLED);
	CHECK(firmware_word(AT) == OTHER && firmware_word(AT + 4) == DP_SIM_TRAP_WORD);
	/* what is there now may be probed */
	CHECK(bench_install("name = \"c\"\noffset = 0x08000100\nexit\n") == 2);
	firmware_run(AT, 2);
	CHECK(firmware.executed == 3 && probe_state("\2\0") == DP_PROBE_ARMED);
	bench_remove_all();
	CHECK(firmware_word(AT) == OTHER);
	firmware_put_word(AT, 0x10000100);
	CHECK(firmware.agent.probes == 0);
}

/* Before a poll came to it: found when it is disarmed. */
/* proves: P3.29 R5.33 */
static void found_at_removal(void)
{
	bench_start();
	CHECK(bench_install(TWO) == 0);
	firmware_put_word(AT, OTHER);
	CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == 0);
	bench_poll();
	CHECK(noticed(DP_NOTICE_TEXT_CHANGED, 2, ADDRESS_DIGITS) == AT &&
	      bench.line[0].notices == BOOT + 1);
	CHECK(firmware_word(AT) == OTHER && firmware_word(AT + 4) != DP_SIM_TRAP_WORD);
}

/* A trap that could not be taken out of protected text, which is then loaded anew. */
static void stuck_and_overwritten(void)
{
	bench_start();
	CHECK(bench_install("name = \"a\"\noffset = 0x08000100\nexit\n") == 0);
	dp_sim.range[0].writable = false;
	CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == DP_ERR_NOT_PATCHABLE);
	poll_often();
	CHECK(firmware_word(AT) == DP_SIM_TRAP_WORD);
	dp_sim.range[0].writable = true;
	firmware_put_word(AT, OTHER);
	poll_often();
	CHECK(!dp_site_stuck(&firmware.agent) && firmware_word(AT) == OTHER);
	CHECK(bench_install(TWO) == 0);
	bench_remove_all();
	CHECK(firmware_word(AT) == OTHER && bench.line[0].notices == BOOT);
}

/* Six probes are overwritten while nothing can be sent: four notices come, the states tell all. */
/* proves: R5.37 */
static void notices_wait(void)
{
	enum {
		PROBES = 6,
		WAIT = 4
	};
	char source[400] = "name = \"six\"\n";

	bench_start();
	for (unsigned i = 0, n = 13; i < PROBES; i++)
		n += (unsigned)snprintf(source + n, sizeof(source) - n,
					"offset = 0x%x\nminor = %u\nexit\n", AT + 4 * i, i);
	CHECK(bench_install(source) == 0);
	bench_poll();
	CHECK(bench.line[0].notices == BOOT);
	bench.line[0].room = 5; /* an answer is half sent */
	bench_ask(DP_CMD_STATUS, NULL, 0);
	for (unsigned i = 0; i < PROBES; i++)
		firmware_put_word(AT + 4 * i, OTHER);
	poll_often();
	bench.line[0].room = -1;
	poll_often();
	CHECK(bench.line[0].notices == BOOT + WAIT && notice_came(DP_NOTICE_TEXT_CHANGED));
	for (char i = 0; i < PROBES; i++)
		CHECK(probe_state((const char[]){0, i}) == DP_PROBE_TEXT_CHANGED);
}

/* The numbers that PROTOCOL.md gives the states. */
/* proves: R5.12 */
static void states_told(void)
{
	static const char states[] = {2, 3, 4, 0, 5, 7};
	uint8_t commit[5] = {0, 0, DP_COMMIT_NO_IDENTITY, 0, 0xfb};
	uint16_t transaction = 0;

	bench_start();
	CHECK(bench_compile("name = \"s\"\njmpmax = 65535\noffset = 0x08000100\nmaxhits = 1\nexit\n"
			    "offset = 0x08000104\nminor = 1\nremove\n"
			    "offset = 0x08000108\nminor = 2\nl:\njmp l\n"
			    "offset = 0x0800010c\nminor = 3\nexit\n"
			    "offset = 0x08000110\nminor = 4\nexit\n"
			    "offset = 0x08000114\nminor = 5\nexit\n"));
	CHECK(bench_upload(&transaction).error == 0);
	dp_put_u16(commit, transaction);
	CHECK(bench_ask(DP_CMD_COMMIT, commit, sizeof(commit)).error == 0);
	for (unsigned i = 0; i < DP_OVERRUNS_MAX; i++)
		firmware_run(AT, 4);
	firmware_put_word(AT + 16, OTHER);
	poll_often();
	for (char i = 0; i < (char)sizeof(states); i++)
		CHECK(probe_state((const char[]){0, i}) == (unsigned)states[(unsigned)i]);
	CHECK(bench_ask(DP_CMD_PROBE, "\0\5", 2).payload[0] == 0xff);
	CHECK(bench_install("name = \"driver\"\nmodtype = kmod\noffset = 0x40\nexit\n") == 1);
	CHECK(probe_state("\1\0") == 1);
	CHECK(bench_install("name = \"d\"\noffset = 0x08000200\nexit\n") == 2);
	firmware.agent.program[2].object[0] ^= 1;
	poll_often();
	CHECK(probe_state("\2\0") == 6);
}

/* Every bit of every byte of a stored program, one at a time. */
/* proves: R5.34 */
static void program_damaged(void)
{
	static const char neighbour[] = "name = \"n\"\nvars = 3\noffset = 0x08000200\nexit\n";
	uint32_t bytes;

	bench_start();
	CHECK(bench_install(TWO) == 0);
	bytes = bench.object_bytes;
	for (uint32_t i = 0; i < bytes; i++) {
		bench_start();
		CHECK(bench_install(neighbour) == 0 && bench_install(TWO) == 1);
		dp_poll(&firmware.agent);
		firmware.agent.program[1].object[i] ^= (uint8_t)(1u << i % 8);
		poll_often();
		CHECK(notice_came(DP_NOTICE_PROGRAM_DAMAGED) &&
		      noticed(DP_NOTICE_PROGRAM_DAMAGED, 0, 2) == 1);
		CHECK(program_state("\0") == 0 && program_state("\1") == 2);
		CHECK(probe_state("\1\0") == DP_PROBE_DAMAGED && probe_state("\0\0") == 0);
		CHECK(firmware_word(AT) == 0x10000100 && firmware_word(AT + 4) == 0x10000104);
		CHECK(firmware_word(FIRMWARE_TEXT + 0x200) == DP_SIM_TRAP_WORD);
		CHECK(bench.line[0].notices == BOOT + 1);
		bench_remove_all();
		CHECK(firmware_text_is_original());
	}
}

/* PROBE of a point without a site, before a poll came to its object: the answer reads nothing that
 * is not in the object, whatever bit of it has flipped. */
/* proves: R5.34 */
static void damaged_and_asked(void)
{
	static const char waits[] = "name = \"driver\"\nmodtype = kmod\noffset = 0x40\nexit\n";
	uint32_t bytes;

	bench_start();
	CHECK(bench_install(waits) == 0);
	bytes = bench.object_bytes;
	for (uint32_t bit = 0; bit < 8 * bytes; bit++) {
		bench_start();
		CHECK(bench_install(waits) == 0);
		firmware.agent.program[0].object[bit / 8] ^= (uint8_t)(1u << bit % 8);
		CHECK(probe_state("\0\0") == DP_PROBE_WAITING);
		bench_remove_all();
	}
}

/* --- the agent's own tables --- */

static struct dp_site *armed_site(void)
{
	return dp_site_find(&firmware.agent, AT);
}

/* The site of each bucket's chain is in use and belongs there, and each chain ends. */
static void check_buckets(void)
{
	const struct dp_agent *agent = &firmware.agent;

	for (unsigned b = 0; b < DP_SITE_BUCKETS; b++) {
		unsigned i = agent->bucket[b], steps = 0;

		for (; i != DP_NONE && steps <= DP_MAX_PROBES; steps++) {
			CHECK(i < DP_MAX_PROBES && agent->site[i].chain != DP_SITE_FREE);
			CHECK(dp_site_bucket(agent->site[i].address) == b);
			i = agent->site[i].behind;
		}
		CHECK(steps <= DP_MAX_PROBES);
	}
}

/* A bit of the table has flipped: nothing runs any more, the text is the original, and after a
 * REMOVE all is as new. */
static void table_damaged(uint8_t *byte, unsigned bit)
{
	*byte ^= (uint8_t)(1u << bit);
	poll_often();
	CHECK(notice_came(DP_NOTICE_TABLES_DAMAGED));
	CHECK(noticed(DP_NOTICE_TABLES_DAMAGED, 0, 2) == 0);
	CHECK(firmware_text_is_original());
	check_buckets();
	CHECK(program_state("\0") == 2 && program_state("\1") == 2);
	CHECK(probe_state("\0\1") == DP_PROBE_DAMAGED);
	firmware.executed = 0;
	firmware_run(AT, 2);
	CHECK(firmware.executed == 2 && firmware.foreign_traps == 0);
	bench.records = 0;
	bench_remove_all();
	CHECK(bench_install(TWO) == 0);
	firmware_run(AT, 2);
	bench_poll();
	CHECK(bench.records == 2 && firmware.agent.programs == 1);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

static void prepare_tables(void)
{
	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_STEPPED << 24);
	CHECK(bench_install(TWO) == 0);
	CHECK(bench_install("name = \"late\"\noffset = 0x08000100\nphase = after\nexit\n") == 1);
	firmware_run(AT, 2);
	poll_often();
	CHECK(!notice_came(DP_NOTICE_TABLES_DAMAGED)); /* hits change nothing that counts */
}

/* Every bit of what a hit rests on, one at a time. */
/* proves: P3.19 R5.35 R5.36 */
static void tables_damaged(void)
{
	for (unsigned i = 0; i < 8 * offsetof(struct dp_site, armed); i++) {
		prepare_tables();
		table_damaged((uint8_t *)armed_site() + i / 8, i % 8);
	}
	for (unsigned i = 0; i < 8 * sizeof(struct dp_port_site); i++) {
		prepare_tables();
		table_damaged((uint8_t *)&armed_site()->port + i / 8, i % 8);
	}
	for (unsigned i = 0; i < 8; i++) {
		prepare_tables();
		table_damaged(&armed_site()->chain, i);
		prepare_tables();
		table_damaged(&armed_site()->phases, i);
	}
	for (unsigned i = 0; i < 32 * DP_SLOT_WORDS; i++) {
		size_t bytes;

		prepare_tables();
		table_damaged((uint8_t *)(uintptr_t)dp_port_slot(armed_site(), &bytes) + i / 8,
			      i % 8);
	}
	for (unsigned i = 0; i < 8 * offsetof(struct dp_probe, state); i++) {
		unsigned number;

		prepare_tables();
		number = firmware.agent.probe[armed_site()->chain].next; /* the late one */
		if (i / 8 != offsetof(struct dp_probe, program))         /* below */
			table_damaged((uint8_t *)&firmware.agent.probe[number] + i / 8, i % 8);
	}
}

/* The address of a site, and its entry in the keep area: the trap stays, which is told, everything
 * else goes, and the tables work on. */
static void trap_lost(void)
{
	for (unsigned bit = 0; bit < 8 * sizeof(dp_addr); bit++) {
		struct dp_site *site;

		prepare_tables();
		site = armed_site();
		firmware.keep.entry[site - firmware.agent.site].check ^= 1;
		*((uint8_t *)&site->address + bit / 8) ^= (uint8_t)(1u << bit % 8);
		poll_often();
		CHECK(noticed(DP_NOTICE_TABLES_DAMAGED, 0, 2) == 1);
		CHECK(program_state("\0") == 2 && program_state("\1") == 2);
		CHECK(firmware_word(AT) == DP_SIM_TRAP_WORD);
		firmware_put_word(AT, (uint32_t)SIM_STEPPED << 24);
		CHECK(firmware_text_is_original());
		check_buckets();
		bench_remove_all();
		CHECK(bench_install(TWO) == 0);
		check_buckets();
		bench_remove_all();
		CHECK(firmware_text_is_original());
	}
}

/* What is damaged in text that can no longer be written: its trap is still found and stepped. */
static void damaged_and_stuck(void)
{
	prepare_tables();
	dp_sim.range[0].writable = false;
	armed_site()->before ^= 1;
	poll_often();
	CHECK(notice_came(DP_NOTICE_TABLES_DAMAGED) && bench.line[0].notices == BOOT + 1);
	check_buckets();
	firmware.executed = 0;
	firmware_run(AT, 2);
	CHECK(firmware.executed == 2 && firmware.foreign_traps == 0);
	dp_sim.range[0].writable = true;
	firmware_run(AT, 2); /* it goes at the next hit */
	CHECK(firmware_text_is_original());
	check_buckets();
	bench_remove_all();
}

/* A probe comes to the damaged site, or leaves it, before a poll looks there: what is damaged is
 * found, not made good. */
static void damaged_before_change(void)
{
	prepare_tables();
	armed_site()->original ^= 1;
	CHECK(bench_install("name = \"c\"\noffset = 0x08000100\nexit\n") == 2);
	bench_poll();
	CHECK(notice_came(DP_NOTICE_TABLES_DAMAGED));
	CHECK(program_state("\0") == 2 && program_state("\1") == 2 && program_state("\2") == 0);
	firmware.executed = 0;
	firmware_run(AT, 2);
	CHECK(firmware.executed == 2);
	bench_remove_all();
	CHECK(firmware_text_is_original());
	prepare_tables();
	armed_site()->original ^= 1;
	CHECK(bench_ask(DP_CMD_REMOVE, "\1", 1).error == 0);
	bench_poll();
	CHECK(notice_came(DP_NOTICE_TABLES_DAMAGED) && firmware_text_is_original());
	CHECK(program_state("\0") == 2);
	bench_remove_all();
}

/* A module that comes, with a program that waits for it, to a site that is damaged: the program is
 * damaged with all others, and is not armed. */
static void damaged_before_module(void)
{
	static const struct dp_module module = {
		"driver", FIRMWARE_TEXT, FIRMWARE_TEXT_BYTES, NULL, 0, 0};

	prepare_tables();
	CHECK(bench_install("name = \"driver\"\nmodtype = kmod\noffset = 0x100\nexit\n") == 2);
	armed_site()->original ^= 1;
	CHECK(dp_module_loaded(&firmware.agent, &module) == DP_ERR_OK);
	bench_poll();
	CHECK(notice_came(DP_NOTICE_TABLES_DAMAGED) && firmware_text_is_original());
	CHECK(program_state("\2") == 2 && probe_state("\2\0") == DP_PROBE_DAMAGED);
	check_buckets();
	CHECK(!dp_site_find(&firmware.agent, AT));
	bench_remove_all();
}

/* Programs that come, go and move while they are looked at are not called damaged. */
static void no_false_alarm(void)
{
	static const char first[] = "name = \"f\"\noffset = 0x08000200\nexit\n";
	unsigned i;

	bench_start();
	for (i = 0; i < 200; i++) {
		CHECK(bench_install(first) == 0 && bench_install(TWO) == 1);
		bench_polls(i % 23);
		CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == 0);
		bench_polls(i % 7);
		CHECK(bench_install(first) == 0);
		poll_often();
		bench_remove_all();
	}
	CHECK(bench.line[0].notices == BOOT && firmware_text_is_original());
}

/* A program that waits for its module does not begin when it is damaged. */
static void damaged_while_waiting(void)
{
	static const struct dp_module module = {
		"driver", FIRMWARE_MODULE, FIRMWARE_MODULE_BYTES, NULL, 0, 0};

	bench_start();
	CHECK(bench_install("name = \"driver\"\nmodtype = kmod\noffset = 0x40\nexit\n") == 0);
	CHECK(program_state("\0") == 1);
	firmware.agent.program[0].object[100] ^= 1;
	poll_often();
	CHECK(program_state("\0") == 2);
	CHECK(dp_module_loaded(&firmware.agent, &module) == DP_ERR_OK);
	CHECK(firmware_word(FIRMWARE_MODULE + 0x40) == 0x20000040);
	bench_remove_all();
	CHECK(firmware.agent.probes == 0);
}

/* --- COMMIT lets interrupts in while it verifies --- */

static unsigned stretches;

static void interrupt(void *context)
{
	(void)context;
	if (firmware.agent.executing != DP_CMD_COMMIT)
		return;
	stretches++;
	dp_sim.unmasked = NULL;
	firmware_nested(AT, 2); /* hits of what is installed */
	bench_type_text(DP_COM1, "text");
	dp_sim.unmasked = interrupt;
}

static void verified_unmasked(void)
{
	struct bench_answer answer;

	bench_start();
	CHECK(bench_install(TWO) == 0);
	CHECK(bench_compile("name = \"v\"\noffset = 0x08000200\nexit\n"));
	stretches = 0;
	dp_sim.unmasked = interrupt;
	answer = bench_install_object(DP_COMMIT_NO_IDENTITY, 0);
	dp_sim.unmasked = NULL;
	CHECK(answer.error == 0 && stretches > 5);
	bench_poll();
	CHECK(bench.records == 2 * stretches && bench.bad_records == 0 &&
	      bench.line[0].bad_frames == 0);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

int main(void)
{
	text_overwritten();
	found_at_removal();
	stuck_and_overwritten();
	notices_wait();
	states_told();
	program_damaged();
	damaged_and_asked();
	tables_damaged();
	trap_lost();
	damaged_and_stuck();
	damaged_before_change();
	damaged_before_module();
	no_false_alarm();
	damaged_while_waiting();
	verified_unmasked();
	return check_status();
}
