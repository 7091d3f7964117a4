/* SPDX-License-Identifier: BSD-2-Clause */
/* What comes between any two steps of a request: hits, requests that a storm serves, modules, the
 * lock.  Each event is tried at every place where a request lets interrupts in. */
#include "bench.h"
#include "check.h"
#include "dp_at_work.h"

#include "dp_bytes.h"

#include <stdio.h>
#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	SESSION = 0x12345678,
	STEPS_MAX = 400
};
#define OTHER                                                                                      \
	"name = \"o\"\nvars = 1\noffset = 0x08000108\nmaxhits = 3\ninc lv, 0\npush lv, 0\nlog "    \
	"1\nexit\n"                                                                                \
	"offset = 0x08000110\nminor = 1\nexit\n"
#define WAITS "name = \"driver\"\nmodtype = kmod\noffset = 0x40\nexit\n"
/* The first point is in a slot, the second one shared with OTHER. */
#define IN_IMAGE                                                                                   \
	"name = \"n\"\nvars = 2\noffset = 0x08000100\npush 7\nlog 1\nexit\n"                       \
	"offset = 0x08000108\nminor = 1\npush 8\nlog 1\nexit\n"
#define IN_MODULE                                                                                  \
	"name = \"driver\"\nmodtype = kmod\noffset = 0x40\nminor = 1\nexit\n"                      \
	"offset = 0x44\nminor = 2\nexit\n"

/* Its first two points become BEGIN, which adds to the map, and END. No other has their traits. */
#define WITH_EVENTS                                                                                \
	"name = \"n\"\nvars = 1\nmap = count 1 4\n"                                                \
	"offset = 0x08000120\nmaxhits = 9\npush 7\nadd map, 0\ninc lv, 0\npush lv, 0\nlog 1\n"     \
	"exit\noffset = 0x08000124\nmaxhits = 9\nminor = 1\npush 77\nlog 1\nexit\n"                \
	"offset = 0x08000100\nminor = 2\nexit\n"                                                   \
	"offset = 0x08000108\nminor = 3\nexit\n"

/* Each point ends with its first hit. */
#define ONCE                                                                                       \
	"name = \"n\"\noffset = 0x08000100\nmaxhits = 1\npush 7\nlog 1\nexit\n"                    \
	"offset = 0x08000108\nmaxhits = 1\nminor = 1\npush 8\nlog 1\nexit\n"                       \
	"offset = 0x0800010c\nmaxhits = 1\nminor = 2\npush 9\nlog 1\nexit\n"

static const char once[] = ONCE;
static const char in_image[] = IN_IMAGE, in_module[] = IN_MODULE, with_events[] = WITH_EVENTS;
static const struct dp_module module = {"driver", FIRMWARE_MODULE, FIRMWARE_MODULE_BYTES, NULL, 0,
					0};

static unsigned step, wanted; /* ends of masked stretches so far; the one with the event */
static void (*event)(void);
static bool came, in_patrol; /* also at the steps of the patrol */
static bool goes_on;         /* the event comes at each step behind that, too */

static void at_unmask(void *context)
{
	(void)context;
	if (!firmware.agent.executing ||
	    (firmware.agent.executing == DP_WORK_PATROL && !in_patrol) || step++ < wanted ||
	    (step != wanted + 1 && !goes_on))
		return;
	dp_sim.unmasked = NULL;
	came = true;
	event();
	dp_sim.unmasked = at_unmask;
}

/* --- events --- */

static void hit(void)
{
	firmware_nested(AT + 8, 1);
	firmware_nested(AT, 1);
}

/* All that OTHER has, which stands at the second point. */
static void last_hits(void)
{
	for (unsigned i = 0; i < 3; i++)
		firmware_nested(AT + 8, 1);
	firmware_nested(AT, 1);
	firmware_nested(AT + 12, 1);
}

/* The hits of a storm serve a request. */
static void serve(uint8_t command, const void *arguments, size_t bytes)
{
	firmware.agent.cpu[0].hits_since_poll = 5000;
	bench_type_request(DP_COM1, 240, command, arguments, bytes);
	firmware_nested(AT + 16, 1);
}

static void remove_other(void)
{
	serve(DP_CMD_REMOVE, "\0", 1);
}

static void remove_all(void)
{
	serve(DP_CMD_REMOVE, "\377", 1);
}

static void stop_other(void)
{
	serve(DP_CMD_STOP, "\0", 1);
}

static void hello(void)
{
	serve(DP_CMD_HELLO, "\2\0\0\0\11\017", 6);
	if (bench.line[0].answer.seq == 240) /* else the probe is gone: dp_poll serves it */
		bench.session = 9;
}

static void close_session(void)
{
	serve(DP_CMD_CLOSE, NULL, 0);
}

static void typed(void)
{
	bench_type_text(DP_COM1, "\r~dprobes remove\r");
	firmware.agent.cpu[0].hits_since_poll = 5000;
	firmware_nested(AT + 16, 1);
}

static void unload(void)
{
	dp_module_unloaded(&firmware.agent, "driver");
}

static void load(void)
{
	dp_module_loaded(&firmware.agent, &module);
}

/* The firmware writes other code where a probe will be. */
static void rewrite(void)
{
	if (firmware_word(AT) >> 24 == SIM_STEPPED)
		firmware_put_word(AT, (uint32_t)SIM_FAULT << 24);
}

static void lock(void)
{
	dp_lock(&firmware.agent);
}

/* A task polls in the middle of another one's work: the request waits. */
static void poll(void)
{
	bool modules = firmware.agent.executing == DP_WORK_MODULES;

	bench_type_request(DP_COM1, 241, DP_CMD_STATUS, NULL, 0);
	dp_poll(&firmware.agent);
	CHECK(!modules ||
	      (bench.line[0].answer.seq != 241 && firmware.agent.executing == DP_WORK_MODULES));
}

/* --- requests --- */

static uint16_t transaction;

static struct bench_answer check(void)
{
	const uint8_t arguments[4] = {(uint8_t)(transaction >> 8), (uint8_t)transaction,
				      DP_COMMIT_NO_IDENTITY, 0};

	return bench_ask(DP_CMD_CHECK, arguments, sizeof(arguments));
}

static struct bench_answer commit(void)
{
	return bench_commit(transaction, DP_COMMIT_NO_IDENTITY | DP_COMMIT_MERGE, 0);
}

static struct bench_answer replace(void)
{
	return bench_commit(transaction, DP_COMMIT_NO_IDENTITY | DP_COMMIT_REPLACE, 0);
}

static struct bench_answer take_out(void)
{
	return bench_ask(DP_CMD_REMOVE, "\0", 1);
}

static struct bench_answer take_out_all(void)
{
	return bench_ask(DP_CMD_REMOVE, "\377", 1);
}

static struct bench_answer stop(void)
{
	return bench_ask(DP_CMD_STOP, "\0", 1);
}

static struct bench_answer status(void)
{
	return bench_ask(DP_CMD_STATUS, NULL, 0);
}

static struct bench_answer text(void)
{
	return bench_ask(DP_CMD_TEXT, "\0\0\0\0\10\0\0\0\0\0\2\0\1", 13);
}

/* Not requests: another thread at work. */
static struct bench_answer module_comes(void)
{
	load();
	return (struct bench_answer){0};
}

static struct bench_answer module_goes(void)
{
	unload();
	return (struct bench_answer){0};
}

static struct bench_answer open_session(void)
{
	return bench_hello(SESSION + 1, 0);
}

/* --- what holds afterwards --- */

static unsigned slots_free(void)
{
	unsigned total, available;

	dp_port_slots(&total, &available);
	return available;
}

/* Every armed probe has its trap, every trap its probe. */
static void tables_fit_text(void)
{
	uint32_t found;

	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		const struct dp_site *site = &firmware.agent.site[i];

		if (site->chain == DP_SITE_FREE)
			continue;
		CHECK(site->chain != DP_NONE);
		CHECK(site->armed == dp_port_is_armed(site, &found));
		CHECK(!site->armed || site->phases != 0);
	}
	CHECK(firmware.agent.executing == 0 && firmware.agent.leavings == 0);
	CHECK(firmware.agent.summing == DP_NONE && firmware.foreign_traps == 0);
}

static void all_goes(unsigned slots)
{
	firmware.agent.locked = 0; /* as a reset would */
	bench_hello(SESSION + 2, 0);
	bench_remove_all();
	bench_poll();
	dp_module_unloaded(&firmware.agent, "driver");
	CHECK(firmware_text_is_original());
	CHECK(firmware.agent.programs == 0 && firmware.agent.probes == 0);
	CHECK(firmware.agent.arena_used == 0 && slots_free() == slots);
	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		CHECK(firmware.agent.site[i].chain == DP_SITE_FREE);
	CHECK(bench.line[0].notice_of[DP_NOTICE_TABLES_DAMAGED].bytes == 0);
	CHECK(bench.line[0].bad_frames == 0 && bench.line[0].gaps == 0);
}

static uint8_t *section(enum dp_section kind)
{
	const uint8_t *entry = bench.object + DP_OBJECT_HEADER_BYTES;

	while (entry[0] != kind)
		entry += DP_OBJECT_ENTRY_BYTES;
	return bench.object + dp_get_u32(entry + 8);
}

static void make_events(void)
{
	uint8_t *traits = section(DP_SECTION_TRAITS), *point = section(DP_SECTION_PROBES);

	traits[DP_TR_KIND] = DP_PROBE_EVENT;
	for (unsigned number = 0; number < DP_EVENTS; number++, point += DP_PROBE_BYTES)
		dp_put_u32(point + DP_PT_ADDRESS, number);
	bench_seal();
}

static unsigned prepare(const char *source, bool loaded)
{
	unsigned slots;

	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_STEPPED << 24);
	slots = slots_free();
	if (loaded)
		CHECK(dp_module_loaded(&firmware.agent, &module) == DP_ERR_OK);
	CHECK(bench_install(OTHER) == 0 && bench_install(WAITS) == 1);
	CHECK(bench_compile(source));
	if (source == with_events)
		make_events();
	CHECK(bench_upload(&transaction).error == 0);
	return slots;
}

static unsigned installed(const char *name)
{
	unsigned n = 0;

	for (unsigned i = 0; i < DP_MAX_PROGRAMS; i++)
		n += firmware.agent.program[i].object &&
		     firmware.agent.program[i].view.name[0] == (uint8_t)name[0];
	return n;
}

/* The probe steps the new code, or the old code was there long enough for its trap; or the host
 * must ask again. */
static unsigned told_busy;

/* proves: R5.60 */
static void rewritten(const struct bench_answer *answer)
{
	if (answer->error == DP_ERR_BUSY) {
		told_busy++;
		CHECK(firmware_word(AT) == (uint32_t)SIM_FAULT << 24);
	} else {
		CHECK(answer->error == DP_ERR_OK);
	}
}

/* BEGIN has counted once in the map of the program, wherever the map lies now. */
static unsigned began;

static void began_once(void)
{
	bench_hello(SESSION + 3, 0);
	for (uint8_t i = 0; i < DP_MAX_PROGRAMS; i++) {
		const uint8_t arguments[] = {i, 0, 0, 0, 0};
		const struct dp_program *program = &firmware.agent.program[i];
		struct bench_answer answer;

		if (!program->object || program->view.name[0] != 'n' || firmware.agent.locked)
			continue;
		answer = bench_ask(DP_CMD_MAP, arguments, sizeof(arguments));
		CHECK(answer.came && answer.error == DP_ERR_OK);
		/* key 7, count 1: two numbers, or four where words have 64 bits */
		CHECK(memcmp(answer.payload + 6, sizeof(dp_word) == 8 ? "\21\7\1" : "\5\7\1", 3) ==
		      0);
		began++;
	}
}

static unsigned early_records;

static unsigned count_records(dp_word logged)
{
	unsigned n = 0;

	for (unsigned i = 0; i < bench.records; i++)
		n += bench_logged(i) == logged;
	return n;
}

/* A COMMIT that hits of its own program, or the last hits of another one, come between does not
 * begin again: a probe with maxhits 1 has one record. */
static unsigned once_records;

/* proves: R5.107 */
static void hit_once(const struct bench_answer *answer)
{
	unsigned records = 0;

	CHECK(answer->came && answer->error == DP_ERR_OK && installed("n") == 1);
	for (dp_word logged = 7; logged <= 9; logged++) {
		CHECK(count_records(logged) <= 1);
		records += count_records(logged);
	}
	once_records += records;
}

/* One event in one request, at each of its steps. returns: how many steps the request has. */
/* proves: R3.22 R3.23 R5.18 R5.58 R5.59 R7.3 A2.23 A3.41 */
static unsigned at_each_step(struct bench_answer (*request)(void), void (*what)(void),
			     const char *source, bool loaded)
{
	event = what;
	in_patrol = request == status;
	goes_on = source == once;
	/* The steps of a request that only reads are much alike. */
	for (wanted = 0; wanted < STEPS_MAX;
	     wanted +=
	     request == commit || request == take_out || request == module_comes ? 1 : 4) {
		unsigned slots = prepare(source, loaded);
		struct bench_answer answer;

		step = 0;
		came = false;
		dp_sim.unmasked = at_unmask;
		answer = request();
		dp_sim.unmasked = NULL;
		if (!came)
			return wanted;
		bench_poll();
		tables_fit_text();
		if (request == commit && source == in_image && answer.came && answer.error != 0 &&
		    what != rewrite)
			CHECK(installed("n") == 0 && firmware_word(AT) >> 24 == SIM_STEPPED);
		if (what == rewrite)
			rewritten(&answer);
		if (what == hit && request == commit)
			early_records += count_records(7);
		if (source == once)
			hit_once(&answer);
		if (source == with_events && request == commit)
			began_once();
		if (request == commit && what == load)
			CHECK(answer.error == 0);
		all_goes(slots);
	}
	return wanted;
}

/* A module comes during a request, whose end arms the waiting program. STOP comes at each step of
 * that. */
static unsigned steps_until_stop;

static void load_then_stop(void)
{
	if (firmware.agent.module_count == 1) {
		load();
		wanted = step + steps_until_stop;
	} else {
		serve(DP_CMD_STOP, "\1", 1);
	}
}

/* proves: R5.63 */
static void stopped_while_armed(void)
{
	unsigned stopped = 0;

	event = load_then_stop;
	for (steps_until_stop = 0; steps_until_stop < STEPS_MAX; steps_until_stop++) {
		unsigned slots = prepare(in_image, false);

		step = wanted = 0;
		bench.line[0].answer.seq = 0;
		dp_sim.unmasked = at_unmask;
		bench_type_request(DP_COM1, 239, DP_CMD_STATUS, NULL, 0);
		bench_poll();
		dp_sim.unmasked = NULL;
		if (step <= wanted)
			break;
		stopped++;
		bench_poll();
		tables_fit_text();
		CHECK(bench_probe(1, 0)->state == DP_PROBE_STOPPED);
		all_goes(slots);
	}
	CHECK(stopped > 3 && stopped < STEPS_MAX);
}

/* The note of a trap is written back before the trap. */
static const void *noted;

static void when_patched(void *context)
{
	(void)context;
	if (!noted)
		noted = dp_sim.kept_at;
}

/* proves: P3.32 */
static void note_before_trap(void)
{
	prepare(in_image, true);
	dp_sim.kept_at = noted = NULL;
	dp_sim.patching = when_patched;
	CHECK(commit().error == 0);
	dp_sim.patching = NULL;
	CHECK(noted != NULL && dp_sim.kept_bytes == sizeof(struct dp_keep_entry));
}

int main(void)
{
	static struct bench_answer (*const requests[])(void) = {
		check, commit, replace, take_out, take_out_all, stop, status, text, open_session};
	static void (*const events[])(void) = {hit,   remove_other,  remove_all, stop_other,
					       hello, close_session, typed,      unload,
					       load,  lock};
	unsigned steps = 0;

	for (unsigned i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		for (unsigned k = 0; k < sizeof(events) / sizeof(events[0]); k++) {
			unsigned n = at_each_step(requests[i], events[k], in_image, true);

			CHECK(n > 0 && n < STEPS_MAX);
			steps += n;
		}
	for (unsigned k = 0; k < sizeof(events) / sizeof(events[0]); k++) {
		steps += at_each_step(commit, events[k], in_module, true);
		steps += at_each_step(commit, events[k], in_module, false);
		steps += at_each_step(module_comes, events[k], in_module, false);
		steps += at_each_step(module_goes, events[k], in_module, true);
	}
	steps += at_each_step(module_comes, poll, in_module, false);
	steps += at_each_step(module_goes, poll, in_module, true);
	steps += at_each_step(commit, hit, with_events, true);
	steps += at_each_step(commit, remove_other, with_events, true);
	steps += at_each_step(commit, hello, with_events, true);
	steps += at_each_step(commit, hit, once, true);
	steps += at_each_step(commit, last_hits, once, true);
	CHECK(once_records > 10);
	CHECK(early_records > 0 && began > 0);
	steps += at_each_step(commit, rewrite, in_image, true);
	CHECK(told_busy > 0);
	stopped_while_armed();
	note_before_trap();
	printf("%u interruptions\n", steps);
	return check_status();
}
