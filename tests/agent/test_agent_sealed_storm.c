/* SPDX-License-Identifier: BSD-2-Clause */
/* A board with a key in a storm: a hit serves requests between any two steps of a request of
 * dp_poll. Each request is judged by the session that accepted it, runs once, and keeps the answers
 * of the others.  PROTOCOL.md 3.2, 5.2 */
#include "sealed_host.h"

#include <stdio.h>

enum {
	OTHER = SESSION + 1, /* the session that a hit opens */
	STEPS_MAX = 400,
};
#define COUNTS                                                                                     \
	"name = \"t\"\nvars = 1\nmap = count 1 4\noffset = 0x08000100\npush 7\nadd map, 0\n"       \
	"inc lv, 0\nexit\n"

/* Ends of masked stretches and looks at the clock so far; the one with the event. */
static unsigned step, wanted;
static void (*event)(void);
static bool came, watched;
static uint8_t withheld; /* rights that the proof of the event grants */

static void at_step(void)
{
	if (!watched || dp_sim.masked || !firmware.agent.executing ||
	    firmware.agent.executing >= 0x80 || step++ != wanted)
		return;
	watched = false;
	came = true;
	withheld = firmware.agent.link.withheld;
	event();
	watched = true;
}

static void at_unmask(void *context)
{
	(void)context;
	at_step();
}

static uint64_t look_at_clock(void)
{
	at_step();
	return dp_sim.ticks;
}

/* A hit of a storm serves what waits. */
static void storm(void)
{
	firmware.agent.cpu[0].hits_since_poll = 5000;
	firmware_nested(AT, 1);
}

static void serve(const char *line, size_t bytes)
{
	bench_type(DP_COM1, line, bytes);
	storm();
}

/* dp_poll serves what was typed; the event comes at its step. */
static void poll_with_event(void)
{
	step = 0;
	came = false;
	watched = true;
	firmware.board.tick_hz = dp_sim.tick_hz;
	firmware.board.ticks = look_at_clock;
	dp_sim.unmasked = at_unmask;
	bench_poll();
	watched = false;
	dp_sim.unmasked = NULL;
}

static dp_word hits(void)
{
	return firmware.agent.program[0].view.lv[0];
}

/* --- events --- */

static char proof[DP_LINE_MAX];
static size_t proof_bytes;

static void make_proof(uint8_t seq, uint32_t session, unsigned form)
{
	uint8_t fields[9];

	proof_fields(fields, session, form);
	proof_bytes = bench_request(proof, seq, DP_CMD_PROVE, fields, sizeof(fields));
}

static void prove(void)
{
	serve(proof, proof_bytes);
}

static void greet_other(void)
{
	uint8_t fields[6];
	char line[DP_LINE_MAX];

	hello_fields(fields, OTHER);
	serve(line, bench_request(line, 200, DP_CMD_HELLO, fields, sizeof(fields)));
	bench.session = OTHER;
}

static void enter_other(void)
{
	greet_other();
	make_proof(201, OTHER, 1);
	begin_counts(OTHER);
	prove();
}

/* A sealed request with the next count. */
static char next[DP_LINE_MAX];
static size_t next_bytes;

static void make_next(uint8_t command, const void *arguments, size_t bytes)
{
	next_bytes = sealed_line(next, ++count, command, arguments, bytes);
}

static void ask_next(void)
{
	serve(next, next_bytes);
}

static void prove_and_ask(void)
{
	prove();
	ask_next();
}

/* --- rights --- */

/* What waits without a proof has no right of the proof that a hit serves meanwhile. */
static unsigned without_the_proof(void (*what)(void), uint8_t command, const void *arguments,
				  size_t bytes)
{
	bool ours = what == prove;

	event = what;
	for (wanted = 0; wanted < STEPS_MAX; wanted++) {
		cold();
		install();
		firmware_run(AT, 1);
		greet();
		make_proof(200, SESSION, 1);
		begin_counts(SESSION);
		bench_type_request(DP_COM1, 100, command, arguments, bytes);
		poll_with_event();
		if (!came)
			break;
		CHECK(firmware.agent.programs == 1 && hits() > 1);
		CHECK(ask(DP_CMD_STATUS, NULL, 0) == (ours && withheld == 0 ? DP_ERR_NO_RIGHT : 0));
		/* a proof behind CLOSE grants nothing */
		CHECK(firmware.agent.link.rights == (ours ? withheld : ALL));
		CHECK(withheld == ALL || command == DP_CMD_CLOSE);
		CHECK(bench.session == (ours ? SESSION : OTHER));
	}
	return wanted;
}

/* proves: R5.49 R5.85 R3.37 */
static void rights(void)
{
	unsigned steps = 0;

	for (unsigned i = 0; i < 2; i++) {
		void (*what)(void) = i == 0 ? prove : enter_other;

		steps += without_the_proof(what, DP_CMD_REMOVE, "\377", 1);
		steps += without_the_proof(what, DP_CMD_VARS, "\0\0\0\2\1", 5);
		steps += without_the_proof(what, DP_CMD_CLOSE, NULL, 0);
		steps += without_the_proof(what, DP_CMD_LOG, "\0\0", 2);
		steps += without_the_proof(what, DP_CMD_STOP, "\0", 1);
	}
	CHECK(steps > 20);
}

/* --- proofs --- */

/* The proof of a session that a hit has ended, and the proof of its follower. */
/* proves: R5.80 R3.23 */
static void stale_proof(void)
{
	event = enter_other;
	for (wanted = 0; wanted < STEPS_MAX; wanted++) {
		cold();
		install();
		greet();
		make_proof(100, SESSION, 1);
		bench_type(DP_COM1, proof, proof_bytes);
		poll_with_event();
		if (!came)
			break;
		CHECK(ask(DP_CMD_STATUS, NULL, 0) == 0);
		CHECK(ask(DP_CMD_VARS, "\0\0\0\2\1", 5) == 0);
	}
	CHECK(wanted > 20);
}

/* The proof is repeated while dp_poll works on it. A hit serves the repeat, and then the first
 * request of the sealed session, whose answer stays the stored one. */
/* proves: R5.83 */
static void repeated_proof(void)
{
	event = prove_and_ask;
	for (wanted = 0; wanted < STEPS_MAX; wanted++) {
		struct dp_frame_in first;
		bool sealed, again = wanted & 1; /* its answer is stored, or it is new */

		cold();
		install_source(COUNTS);
		greet();
		make_proof(100, SESSION, 1);
		begin_counts(SESSION);
		if (again) {
			bench_type(DP_COM1, proof, proof_bytes);
			bench_poll();
			storm();
		}
		make_next(DP_CMD_MAP, "\0\0\0\0\2", 5);
		bench_type(DP_COM1, proof, proof_bytes);
		poll_with_event();
		if (!came)
			break;
		if (again)
			CHECK(answer_to(DP_COM1, 0, 1) == 0 && answer.bytes > 8);
		first = answer;
		firmware_run(AT, 1);
		CHECK(typed(next, next_bytes, count, &sealed) == 0 && sealed);
		CHECK(!again || is_same(&first));
		CHECK(ask(DP_CMD_MAP, "\0\0\0\0\0", 5) == 0 && answer.bytes > 8);
	}
	CHECK(wanted > 2);
}

/* A nonce serves one proof: not a second one of the session, nor one of the session behind. */
/* proves: R5.52 R5.79 R5.104 */
static void one_proof(void)
{
	uint8_t fields[9], nonce[DP_NONCE_BYTES];

	cold();
	for (unsigned form = 0; form < 2; form++) {
		CHECK(enter(0, 8) == OPEN);
		CHECK(bench_ask(DP_CMD_STATUS, NULL, 0).error == 0);
		proof_fields(fields, SESSION, form);
		CHECK(bench_ask(DP_CMD_PROVE, fields, 9).error == DP_ERR_BAD_REQUEST);
		CHECK(firmware.agent.link.rights == OPEN && !firmware.agent.link.sealed);
	}
	greet();
	proof_fields(fields, SESSION, 1);
	fields[0] ^= 1;
	CHECK(bench_ask(DP_CMD_PROVE, fields, 9).error == DP_ERR_WRONG_PROOF);
	fields[0] ^= 1;
	CHECK(bench_ask(DP_CMD_PROVE, fields, 9).error == DP_ERR_WRONG_PROOF);
	CHECK(firmware.agent.link.rights == 0);
	/* one that waits when the HELLO of the other line comes */
	greet();
	memcpy(nonce, firmware.agent.nonce, sizeof(nonce));
	proof_fields(fields, SESSION, 1);
	bench.line[0].room = 0;
	bench_type_request(DP_COM1, 100, DP_CMD_STATUS, NULL, 0);
	bench_poll();
	bench_type_request(DP_COM1, 101, DP_CMD_PROVE, fields, 9);
	bench_poll();
	bench.com = DP_COM2;
	greet();
	CHECK(memcmp(nonce, firmware.agent.nonce, sizeof(nonce)) != 0);
	bench.line[0].room = -1;
	bench.com = DP_COM1;
}

/* One that dp_poll works on when the HELLO of a hit comes. */
/* proves: R5.52 */
static void interrupted_proof(void)
{
	event = greet_other;
	for (wanted = 0; wanted < STEPS_MAX; wanted++) {
		uint8_t nonce[DP_NONCE_BYTES];

		cold();
		install();
		greet();
		memcpy(nonce, firmware.agent.nonce, sizeof(nonce));
		make_proof(100, SESSION, 1);
		bench_type(DP_COM1, proof, proof_bytes);
		poll_with_event();
		if (!came)
			break;
		CHECK(memcmp(nonce, firmware.agent.nonce, sizeof(nonce)) != 0);
		CHECK(firmware.agent.link.rights == 0 && !firmware.agent.link.sealed);
	}
	CHECK(wanted > 20);
}

/* --- repeats --- */

/* The numbers of VARS or MAP that the host has learned: each hit in one answer. */
static uint32_t learned;

static uint32_t number_in(uint8_t command)
{
	uint32_t sum = 0;

	if (command == DP_CMD_VARS)
		return (uint32_t)bench_word(answer.payload + 4);
	for (unsigned at = 8; at + 3 <= answer.bytes; at += 3) /* lengths, key, count */
		sum += answer.payload[at + 2];
	return sum;
}

/* The host asks until an answer comes: the same line as long as none comes, another one after BUSY.
 */
static void ask_until(uint8_t command, const char *arguments, bool sealed, uint32_t from)
{
	int error = last_answer(DP_COM1, from);
	uint8_t seq = 100;
	bool good;

	for (unsigned tries = 0; tries < 5 && error != 0; tries++) {
		char line[DP_LINE_MAX];
		size_t bytes;

		if (error == DP_ERR_BUSY && sealed)
			make_next(command, arguments, 5);
		bytes = bench_request(line, seq, command, arguments, 5);
		error = sealed ? typed(next, next_bytes, count, &good)
			       : typed(line, bytes, 0, &good);
	}
	CHECK(error == 0 && answer.payload[0] == command);
	learned += number_in(command);
}

static char same[DP_LINE_MAX];
static size_t same_bytes;

static void repeat_it(void)
{
	serve(same, same_bytes);
}

/* A new agent, a session, and five hits that count. */
static void count_five(bool sealed)
{
	cold();
	install_source(COUNTS);
	if (!sealed) {
		firmware.board.unsealed = true;
		CHECK(enter(0, 9) == ALL);
	}
	for (unsigned i = 0; i < 5; i++)
		firmware_run(AT, 1);
}

/* A request that takes counts away is repeated while dp_poll works on it. */
static unsigned taken_once(uint8_t command, bool sealed)
{
	const char *arguments = command == DP_CMD_VARS ? "\0\0\0\2\1" : "\0\0\0\0\2";

	event = repeat_it;
	for (wanted = 0; wanted < STEPS_MAX; wanted++) {
		uint32_t from, before;

		count_five(sealed);
		if (sealed)
			make_next(command, arguments, 5);
		same_bytes = sealed ? next_bytes : bench_request(same, 100, command, arguments, 5);
		if (sealed)
			memcpy(same, next, next_bytes);
		learned = 0;
		from = bench.line[0].out_bytes;
		bench_type(DP_COM1, same, same_bytes);
		poll_with_event();
		if (!came)
			break;
		ask_until(command, arguments, sealed, from);
		before = learned;
		if (sealed) {
			CHECK(ask(command, arguments, 5) == 0);
			learned += number_in(command);
		} else {
			struct bench_answer more = bench_ask(command, arguments, 5);

			CHECK(more.came && more.error == 0);
			last_answer(DP_COM1, 0);
			learned += number_in(command);
		}
		CHECK(learned == 6 && before >= 5);
	}
	return wanted;
}

/* Has the line sent an answer with an error? */
static bool has_error(uint32_t from)
{
	const uint32_t sent = bench.line[0].out_bytes;
	bool error = false;

	for (uint32_t end = from + 1; end <= sent && !error; end++) {
		bench.line[0].out_bytes = end; /* the last answer up to here */
		error = last_answer(DP_COM1, from) > 0;
	}
	bench.line[0].out_bytes = sent;
	return error;
}

/* A sealed REMOVE comes again in a hit while dp_poll executes it: the answer is that of the
 * removal. */
/* proves: R3.40 */
static unsigned removed_once(void)
{
	event = repeat_it;
	for (wanted = 0; wanted < STEPS_MAX; wanted++) {
		uint32_t from;

		cold();
		install_source(COUNTS);
		make_next(DP_CMD_REMOVE, "\0", 1);
		same_bytes = next_bytes;
		memcpy(same, next, next_bytes);
		from = bench.line[0].out_bytes;
		bench_type(DP_COM1, same, same_bytes);
		poll_with_event();
		if (!came)
			break;
		for (unsigned i = 0; i < 4; i++)
			bench_poll();
		CHECK(last_answer(DP_COM1, from) == 0 && !has_error(from));
	}
	return wanted;
}

/* A request whose answer is stored comes again. While dp_poll looks at it, a hit serves the next
 * one: neither is executed twice. */
static unsigned answered_once(bool sealed)
{
	event = repeat_it;
	for (wanted = 0; wanted < STEPS_MAX; wanted++) {
		char first[DP_LINE_MAX];
		size_t bytes;
		bool good;

		count_five(sealed);
		if (sealed)
			make_next(DP_CMD_VARS, "\0\0\0\2\1", 5);
		bytes = sealed ? next_bytes
			       : bench_request(first, 100, DP_CMD_VARS, "\0\0\0\2\1", 5);
		if (sealed)
			memcpy(first, next, bytes);
		CHECK(typed(first, bytes, count, &good) == 0 && number_in(DP_CMD_VARS) == 5);
		firmware_run(AT, 1);
		if (sealed)
			make_next(DP_CMD_MAP, "\0\0\0\0\2", 5);
		same_bytes =
			sealed ? next_bytes : bench_request(same, 101, DP_CMD_MAP, "\0\0\0\0\2", 5);
		if (sealed)
			memcpy(same, next, next_bytes);
		bench_type(DP_COM1, first, bytes);
		poll_with_event();
		if (!came)
			break;
		CHECK(hits() >= 1); /* not taken again */
		CHECK(typed(same, same_bytes, count, &good) == 0 && number_in(DP_CMD_MAP) >= 6);
	}
	return wanted;
}

/* proves: R3.14 R3.38 R5.57 R5.83 R7.5 */
static void repeats(void)
{
	for (unsigned sealed = 0; sealed < 2; sealed++) {
		CHECK(taken_once(DP_CMD_VARS, sealed) > 2);
		CHECK(taken_once(DP_CMD_MAP, sealed) > 3);
		CHECK(answered_once(sealed) > 2);
	}
}

int main(void)
{
	CHECK(removed_once() > 10);
	rights();
	stale_proof();
	repeated_proof();
	one_proof();
	interrupted_proof();
	repeats();
	return check_status();
}
