/* SPDX-License-Identifier: BSD-2-Clause */
/* The host's session against the real agent: the one runs in this process, the other (on the
 * simulated port) in a child, a unix socket between them. */
#define _GNU_SOURCE
#include "bench_child.h"
#include "check.h"

#include <dprobes/records.h>
#include <dprobes/session.h>

#include "dp_bytes.h"
#include "dp_crc.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH "agent.sock"
#define PROGRAM                                                                                    \
	"name = \"loop\"\nid = 3\nmajor = 5\nvars = 2\n"                                           \
	"offset = 0x08000100\nminor = 1\ninc lv, 0\npush lv, 0\nlog 1\nexit\n"                     \
	"offset = 0x08000108\nminor = 2\npush 1\npush 2\nlog 2\nexit\n"

enum {
	ITEMS = DP_ITEM_PC | DP_ITEM_CPU,
	FIRST = FIRMWARE_TEXT + 0x100,
	SECOND = FIRMWARE_TEXT + 0x108,
};

/* --- the host --- */

struct heard {
	struct dp_records *records;
	unsigned count[3];           /* by minor */
	uint64_t expected;           /* next value of the local variable */
	unsigned wrong, gaps, early; /* early: before the numbers had a meaning */
	uint64_t last_ticks;
};

static void on_record(void *context, const struct dp_log_record *r)
{
	struct heard *heard = context;

	if (r->probe == NULL) {
		heard->early++;
		return;
	}
	if (r->major != 5 || r->minor < 1 || r->minor > 2 || r->items != ITEMS || r->cpu != 0 ||
	    r->pc != (r->minor == 1 ? FIRST : SECOND)) {
		heard->wrong++;
		return;
	}
	heard->count[r->minor]++;
	/* log n: token, count of words, words in the order pushed; the target is little-endian */
	if (r->minor == 1) {
		uint64_t value = 0;

		for (size_t i = r->bytes; i-- > r->bytes - 4;)
			value = value << 8 | r->data[i];
		if (heard->expected != 0 && value != heard->expected)
			heard->wrong++;
		heard->expected = value + 1;
	}
	if (r->ticks_known && r->ticks < heard->last_ticks)
		heard->wrong++;
	heard->last_ticks = r->ticks_known ? r->ticks : 0;
}

static void on_gap(void *context, const struct dp_gap *gap)
{
	struct heard *heard = context;

	(void)gap;
	heard->gaps++;
}

static void on_notice(void *context, const struct dp_notice_in *notice)
{
	(void)context;
	(void)notice;
}

static void on_stream(void *context, const struct dp_frame_in *frame, const char *text,
		      size_t count)
{
	struct heard *heard = context;

	(void)text;
	(void)count;
	if (heard->records != NULL)
		dp_records_line(heard->records, frame, dp_clock_ms());
}

static struct dp_session *open_session(struct heard *heard, struct dp_failure *failure)
{
	const struct dp_session_options options = {
		.url = "unix:" PATH,
		.rights = DP_RIGHT_WRITE | DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT |
			  DP_RIGHT_TAKE,
		.listener = {.context = heard, .stream = on_stream},
	};

	return dp_session_open(&options, failure);
}

static void greeting(struct dp_session *session)
{
	const struct dp_hello_answer *hello = dp_session_target(session);
	struct dp_limits_answer limits;
	struct dp_module_answer module;
	struct dp_status_answer status;

	CHECK(hello->cpu == DP_CPU_SIM && hello->word_bytes == 4 && !hello->big_endian);
	CHECK(hello->version == DP_PROTOCOL_VERSION && hello->rights == 0x0f);
	CHECK(hello->window == DP_RX_LINES && hello->hz == 1000000);
	CHECK(dp_session_limits(session, &limits));
	CHECK(limits.arena == DP_ARENA_BYTES && limits.probes == DP_MAX_PROBES);
	CHECK(limits.programs == DP_MAX_PROGRAMS && limits.ring == DP_RING_BYTES);
	CHECK(dp_session_module(session, 0, &module));
	CHECK(strcmp(module.name, "kernel") == 0 && module.base == FIRMWARE_TEXT);
	CHECK(!dp_session_module(session, 200, &module));
	CHECK(dp_session_failure(session)->error == DP_ERR_BAD_RANGE);
	CHECK(dp_session_status(session, &status));
	CHECK(status.programs == 0 && status.log_target == DP_LOG_COM1);
}

/* The text as the target sees it, against what it was. */
static void text(struct dp_session *session, uint32_t expected_sites)
{
	uint32_t now, original, sites;

	CHECK(dp_session_text(session, FIRMWARE_TEXT, 0x200, false, &now, &sites));
	CHECK(sites == expected_sites);
	CHECK(dp_session_text(session, FIRMWARE_TEXT, 0x200, true, &original, NULL));
	CHECK((now == original) == (expected_sites == 0));
	CHECK(!dp_session_text(session, 0x7000, 4, false, &now, NULL));
}

static void refusals(struct dp_session *session)
{
	const struct dp_choice choice = {.options = DP_INSERT_NO_IDENTITY | DP_INSERT_ANY_OPCODE};
	struct dp_inserted inserted;
	uint16_t transaction;
	uint8_t removed;

	CHECK(bench_compile("name = \"off\"\noffset = 0x10\nexit\n"));
	CHECK(dp_session_upload(session, bench.object, bench.object_bytes, &transaction));
	CHECK(!dp_session_commit(session, transaction, &choice, &inserted));
	CHECK(inserted.verdict.error == DP_ERR_NOT_TEXT && inserted.verdict.probe == 0);
	CHECK(dp_session_failure(session)->kind == DP_FAILED_AGENT);

	bench.object[50] ^= 1;
	CHECK(dp_session_upload(session, bench.object, bench.object_bytes, &transaction));
	CHECK(!dp_session_check(session, transaction, &choice, &inserted.verdict));
	CHECK(inserted.verdict.error == DP_ERR_BAD_CRC);
	CHECK(dp_session_failure(session)->kind == DP_FAILED_VERIFIER);

	CHECK(!dp_session_remove(session, 3, &removed));
	CHECK(dp_session_failure(session)->error == DP_ERR_NO_PROGRAM);
}

static uint8_t insert(struct dp_session *session)
{
	const struct dp_choice choice = {.options = DP_INSERT_NO_IDENTITY | DP_INSERT_ANY_OPCODE,
					 .items = ITEMS};
	struct dp_inserted inserted = {.program = 0xff};
	uint16_t transaction;

	CHECK(bench_compile(PROGRAM));
	CHECK(dp_session_upload(session, bench.object, bench.object_bytes, &transaction));
	CHECK(dp_session_check(session, transaction, &choice, &inserted.verdict));
	CHECK(dp_session_commit(session, transaction, &choice, &inserted));
	CHECK(inserted.armed == 2 && inserted.waiting == 0);
	return inserted.program;
}

static void learn(struct dp_session *session, struct heard *heard, uint8_t index)
{
	struct dp_program_answer program;
	bool used;

	CHECK(dp_session_program(session, index, &program, &used) && used);
	CHECK(strcmp(program.name, "loop") == 0 && program.id == 3 && program.items == ITEMS);
	CHECK(program.crc == dp_crc32(0, bench.object, bench.object_bytes) &&
	      program.bytes == bench.object_bytes);
	for (uint8_t i = 0; i < program.probes; i++) {
		struct dp_probe_meaning meaning = {.items = program.items, .major = program.major};
		struct dp_probe_answer probe;

		CHECK(dp_session_probe(session, index, i, &probe));
		CHECK(probe.state == 0 && probe.address == (i ? SECOND : FIRST));
		meaning.minor = probe.minor;
		dp_records_tell(heard->records, probe.number, &meaning);
	}
	CHECK(!dp_session_probe(session, index, program.probes, &(struct dp_probe_answer){0}));
	CHECK(dp_session_program(session, 9, &program, &used) && !used);
}

static void listen_ms(struct dp_session *session, uint64_t ms)
{
	const uint64_t start = dp_clock_ms();

	while (dp_clock_ms() - start < ms)
		CHECK(dp_session_listen(session, 20));
}

/* Hits stream in while requests run; nothing is lost, and the counts agree to the last one. */
static void stream(struct dp_session *session, struct heard *heard, uint8_t program)
{
	const struct dp_records_listener listener = {heard, on_record, on_gap, on_notice};
	const struct dp_record_totals *totals;
	uint64_t words[2];
	size_t count, there;
	uint8_t removed;

	heard->records = dp_records_new(4, false, &listener);
	learn(session, heard, program);
	listen_ms(session, 1500);
	CHECK(dp_session_vars(session, program, 0, false, words, 2, &count, &there));
	CHECK(count == 2 && there == 2 && words[0] > 10 && words[1] == 0);
	CHECK(dp_session_remove(session, program, &removed) && removed == 1);
	listen_ms(session, 200);
	dp_records_flush(heard->records, UINT64_MAX);
	totals = dp_records_totals(heard->records);
	CHECK(heard->wrong == 0 && heard->gaps == 0 && !dp_records_lossy(heard->records));
	CHECK(totals->syncs >= 2 && heard->count[1] > 10 && heard->expected > words[0]);
	CHECK(heard->count[1] - heard->count[2] <= 1 || heard->count[2] - heard->count[1] <= 1);
	dp_records_free(heard->records);
	heard->records = NULL;
}

/* A second session ends the first; what was installed stays. */
static void takeover(struct dp_session *first, struct heard *heard)
{
	struct dp_status_answer status;
	struct dp_failure failure;
	struct dp_session *second;
	uint8_t removed;

	insert(first);
	dp_session_close(first);
	second = open_session(heard, &failure);
	CHECK(second != NULL);
	if (second == NULL)
		return;
	CHECK(dp_session_status(second, &status) && status.programs == 1 && status.probes == 2);
	text(second, 2);
	CHECK(dp_session_remove(second, DP_REMOVE_ALL, &removed) && removed == 1);
	text(second, 0);
	dp_session_close(second);
}

int main(void)
{
	struct heard heard = {0};
	struct dp_failure failure;
	struct dp_session *session;
	pid_t child = bench_child(PATH, FIRST);

	bench_cold();
	session = open_session(&heard, &failure);
	if (session == NULL) {
		printf("%s\n", failure.text);
		kill(child, SIGKILL);
		return 1;
	}
	greeting(session);
	text(session, 0);
	refusals(session);
	stream(session, &heard, insert(session));
	text(session, 0);
	takeover(session, &heard);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	unlink(PATH);
	return check_status();
}
