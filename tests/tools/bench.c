/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench.h"

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dprobes_host.h"

#include <stdio.h>
#include <string.h>

enum {
	PC = 0x0f,
};

struct bench bench;

static const struct dp_range ranges[] = {
	{BENCH_NO_PROBE, BENCH_TEXT + BENCH_TEXT_BYTES - BENCH_NO_PROBE,
	 DP_MEM_READ | DP_MEM_TEXT | DP_MEM_NO_PROBE},
	{BENCH_TEXT, BENCH_TEXT_BYTES, DP_MEM_READ | DP_MEM_TEXT},
	{BENCH_ROM, BENCH_ROM_BYTES, DP_MEM_READ | DP_MEM_TEXT},
	{BENCH_MODULE, BENCH_MODULE_BYTES, DP_MEM_READ | DP_MEM_TEXT},
	{BENCH_RAM, BENCH_RAM_BYTES, DP_MEM_READ | DP_MEM_WRITE},
	{BENCH_CONST, BENCH_CONST_BYTES, DP_MEM_READ},
};

/* --- the lines, from the target's side --- */

/* Of all times that end in these 20 bits the one nearest to the last told. */
static uint64_t nearest(uint64_t told, uint32_t low)
{
	const uint64_t round = 1u << DP_TICK_BITS;
	uint64_t time = (told & ~(round - 1)) | low;

	if (time > told + round / 2 && time >= round)
		time -= round;
	else if (time + round / 2 < told)
		time += round;
	return time;
}

static void take_record(const uint8_t *digits, uint32_t count)
{
	uint32_t at = 0;

	while (at < count && bench.records < BENCH_RECORDS_MAX) {
		struct bench_record *r = &bench.record[bench.records];
		size_t n = dp_record_get(digits + at, count - at, &r->head);

		if (n == 0 || n + 2u * r->head.bytes > count - at) {
			bench.bad_records++;
			return;
		}
		at += (uint32_t)n;
		for (unsigned i = 0; i < r->head.bytes; i++, at += 2)
			r->body[i] = (uint8_t)(digits[at] << 4 | digits[at + 1]);
		r->time = nearest(bench.told, r->head.ticks);
		bench.told = r->time;
		bench.records++;
	}
}

static void take_piece(struct bench_line *line, const struct dp_frame_in *frame)
{
	uint32_t index = frame->payload[4] * 16u + frame->payload[5];

	if (index == 0)
		line->digit_count = 0;
	else if (index != line->pieces)
		bench.bad_records++;
	line->pieces = index + 1;
	memcpy(line->digits + line->digit_count, frame->payload + 6, frame->bytes - 6u);
	line->digit_count += frame->bytes - 6u;
	if (frame->payload[3] == 1)
		take_record(line->digits, line->digit_count);
}

static void take_stream(struct bench_line *line, const struct dp_frame_in *frame)
{
	uint8_t number = (uint8_t)(frame->payload[1] << 4 | frame->payload[2]);

	line->stream_lines++;
	line->gaps += number != line->next;
	line->next = (uint8_t)(number + 1);
	switch (frame->type) {
	case DP_FRAME_RECORDS:
		take_record(frame->payload + 3, frame->bytes - 3u);
		break;
	case DP_FRAME_PIECE:
		take_piece(line, frame);
		break;
	case DP_FRAME_SYNC:
		line->sync = *frame;
		bench.told = 0;
		for (unsigned i = 3; i < 19; i++)
			bench.told = bench.told << 4 | frame->payload[i];
		line->syncs++;
		break;
	default:
		line->notice = line->notice_of[frame->payload[4]] = *frame;
		line->notices++;
		break;
	}
}

static void take_frame(struct bench_line *line)
{
	const struct dp_splitter *s = &line->splitter;
	struct dp_frame_in frame;
	bool good = dp_frame_check(s->held, s->used, dp_frame_seed(0, 0), &frame);

	if (!good)
		good = dp_frame_check(s->held, s->used,
				      dp_frame_seed(DP_PROTOCOL_VERSION, bench.session), &frame);
	if (!good) {
		line->bad_frames++;
		return;
	}
	switch (frame.type) {
	case DP_FRAME_ANSWER:
		line->answer = frame;
		line->answers++;
		break;
	case DP_FRAME_NAK:
		line->nak = frame;
		line->naks++;
		break;
	default:
		take_stream(line, &frame);
		break;
	}
}

static bool com_put(void *ctx, uint8_t byte)
{
	struct bench_line *line = ctx;
	uint8_t text[DP_LINE_MAX];
	size_t count;

	line->refused = line->stutters && !line->refused;
	if (line->room == 0 || line->out_bytes == BENCH_OUT_MAX || line->refused)
		return false;
	if (line->room > 0)
		line->room--;
	line->out[line->out_bytes++] = byte;
	switch (dp_splitter_feed(&line->splitter, byte, "ZKRPYN", text, &count)) {
	case DP_SPLIT_HELD:
		break;
	case DP_SPLIT_CONSOLE:
		memcpy(line->text + line->text_bytes, text, count);
		line->text_bytes += (uint32_t)count;
		break;
	case DP_SPLIT_FRAME:
		take_frame(line);
		dp_splitter_take(&line->splitter);
		break;
	}
	return true;
}

static void com_console_in(void *ctx, uint8_t byte)
{
	struct bench_line *line = ctx;

	if (line->console_bytes < BENCH_OUT_MAX)
		line->console[line->console_bytes++] = byte;
}

/* --- start --- */

static void start_agent(void)
{
	/* like RAM after power-on: nothing may rest on zeros */
	memset(&bench.agent, 0xa5, sizeof(bench.agent));
	if (dp_init(&bench.agent, &bench.memory, &bench.board) != DP_ERR_OK)
		printf("dp_init failed\n");
}

static void map_memory(void)
{
	static const struct dp_module image = {"kernel", BENCH_TEXT, BENCH_TEXT_BYTES, NULL, 0};

	sim_reset();
	sim_map(BENCH_TEXT, bench.text, BENCH_TEXT_BYTES, true);
	sim_map(BENCH_ROM, bench.rom, BENCH_ROM_BYTES, false);
	sim_map(BENCH_MODULE, bench.module, BENCH_MODULE_BYTES, true);
	sim_map(BENCH_RAM, bench.ram, BENCH_RAM_BYTES, true);
	sim_map(BENCH_CONST, bench.constants, BENCH_CONST_BYTES, false);
	bench.board = (struct dp_board){.ranges = ranges,
					.range_count = sizeof(ranges) / sizeof(ranges[0]),
					.image = image,
					.own_vectors = true};
	bench.memory = (struct dp_memory){.keep = &bench.keep, .keep_bytes = sizeof(bench.keep)};
	for (unsigned i = 0; i < DP_COMS; i++) {
		bench.line[i].room = -1;
		bench.board.com[i] = (struct dp_com){com_put, com_console_in, &bench.line[i]};
	}
}

void bench_cold(void)
{
	memset(&bench, 0, sizeof(bench));
	memset(&bench.keep, 0x5a, sizeof(bench.keep));
	map_memory();
	for (unsigned i = 0; i < BENCH_TEXT_BYTES; i += 4)
		bench_put_word(BENCH_TEXT + i, 0x10000000 + i);
	for (unsigned i = 0; i < BENCH_ROM_BYTES; i += 4)
		bench.rom[i] = (uint8_t)i;
	for (unsigned i = 0; i < BENCH_MODULE_BYTES; i += 4)
		bench_put_word(BENCH_MODULE + i, 0x20000000 + i);
	for (unsigned i = 0; i < BENCH_RAM_BYTES; i++)
		bench.ram[i] = (uint8_t)i;
	memcpy(bench.original, bench.text, BENCH_TEXT_BYTES);
	start_agent();
}

void bench_warm(void)
{
	memset(bench.line, 0, sizeof(bench.line));
	map_memory();
	start_agent();
}

void bench_start(void)
{
	bench_cold();
	bench_hello(0x12345678, 1);
}

/* --- the CPU --- */

uint32_t bench_word(dp_addr address)
{
	uint8_t b[4] = {0};

	sim_read(address, b, 4);
	return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

void bench_put_word(dp_addr address, uint32_t word)
{
	uint8_t b[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
			(uint8_t)(word >> 24)};

	sim_write(address, b, 4);
	if (address - BENCH_TEXT < BENCH_TEXT_BYTES)
		memcpy(bench.original + (address - BENCH_TEXT), b, 4);
}

static void set_pc(dp_addr pc)
{
	bench.frame.word[sim_row(PC)][0] = pc;
}

/* The firmware's own fault handler: counts, and goes on behind the instruction. */
static void firmware_fault(void)
{
	bench.faults++;
	bench.fault_pc = dp_port_pc(&bench.frame);
	set_pc(bench.fault_pc + 4);
	bench.executed++;
}

static enum dp_taken exception(unsigned class)
{
	uint8_t masked = dp_sim.masked;
	enum dp_taken taken;

	dp_sim.masked = 1;
	taken = dp_port_exception(class, &bench.frame);
	switch (taken) {
	case DP_RESUME:
		break;
	case DP_FIRMWARE:
		firmware_fault();
		break;
	case DP_NOT_OURS:
		bench.foreign_traps++;
		set_pc(dp_port_pc(&bench.frame) + 4);
		break;
	}
	dp_sim.masked = masked;
	return taken;
}

/* A copy in a slot: its word is the original at the slot's address. */
static void run_slot(dp_addr pc, dp_addr origin)
{
	uint8_t bytes[4];

	dp_text_original(origin, bytes, 4);
	switch ((enum sim_insn)bytes[3]) {
	case SIM_AWAY:
		set_pc(origin + 4);
		bench.executed++;
		break;
	case SIM_SLOT_FAULT:
		exception(SIM_ABORT);
		break;
	default:
		bench.executed++;
		exception(SIM_SECOND_TRAP);
		break;
	}
	(void)pc;
}

void bench_step(void)
{
	dp_addr pc = dp_port_pc(&bench.frame), origin = dp_port_slot_origin(pc);
	uint32_t word;

	if (origin != pc) {
		run_slot(pc, origin);
		return;
	}
	word = bench_word(pc);
	if (word == SIM_TRAP_WORD) {
		if (exception(SIM_TRAP) == DP_RESUME && dp_port_pc(&bench.frame) == pc + 4)
			bench.executed++; /* emulated */
	} else if (sim_insn(word) == SIM_FAULT || sim_insn(word) == SIM_SLOT_FAULT) {
		firmware_fault();
	} else {
		set_pc(pc + 4);
		bench.executed++;
	}
}

void bench_run(dp_addr pc, uint32_t instructions)
{
	dp_addr end = pc + 4 * instructions;

	set_pc(pc);
	for (uint32_t steps = 0; dp_port_pc(&bench.frame) != end && steps < 8 * instructions + 8;
	     steps++)
		bench_step();
}

void bench_nested(dp_addr pc, uint32_t instructions)
{
	struct dp_frame saved = bench.frame;

	bench_run(pc, instructions);
	bench.frame = saved;
}

bool bench_text_is_original(void)
{
	return memcmp(bench.text, bench.original, BENCH_TEXT_BYTES) == 0;
}

/* --- the line, from the host's side --- */

void bench_type(enum dp_com_index com, const void *bytes, size_t count)
{
	const uint8_t *p = bytes;

	while (count-- > 0)
		dp_rx(&bench.agent, com, *p++);
}

void bench_type_text(enum dp_com_index com, const char *text)
{
	bench_type(com, text, strlen(text));
}

bool bench_sent_text(enum dp_com_index com, const char *text)
{
	const struct bench_line *line = &bench.line[com];

	return line->text_bytes == strlen(text) && memcmp(line->text, text, line->text_bytes) == 0;
}

void bench_poll(void)
{
	unsigned idle = 0; /* polls in a row that sent nothing */

	while (idle < 3) {
		uint32_t before = bench.line[0].out_bytes + bench.line[1].out_bytes;

		if (!dp_poll(&bench.agent))
			return;
		idle = before == bench.line[0].out_bytes + bench.line[1].out_bytes ? idle + 1 : 0;
	}
}

size_t bench_request(char *line, uint8_t seq, uint8_t command, const void *arguments, size_t bytes)
{
	uint8_t payload[DP_PAYLOAD_MAX] = {command};
	uint32_t seed = command == DP_CMD_HELLO ? dp_frame_seed(0, 0)
						: dp_frame_seed(DP_PROTOCOL_VERSION, bench.session);

	if (bytes > 0)
		memcpy(payload + 1, arguments, bytes);
	return dp_frame_put_control(line, DP_FRAME_REQUEST, seq, payload, bytes + 1, seed);
}

struct bench_answer bench_ask(uint8_t command, const void *arguments, size_t bytes)
{
	struct bench_line *line = &bench.line[bench.com];
	struct bench_answer answer = {0};
	char text[DP_LINE_MAX];
	uint32_t before = line->answers;
	size_t n = bench_request(text, ++bench.seq, command, arguments, bytes);

	bench_type(bench.com, text, n);
	bench_poll();
	if (line->answers == before || line->answer.seq != bench.seq || line->answer.bytes < 2 ||
	    line->answer.payload[0] != command)
		return answer;
	answer.came = true;
	answer.error = line->answer.payload[1];
	answer.bytes = (uint8_t)(line->answer.bytes - 2);
	memcpy(answer.payload, line->answer.payload + 2, answer.bytes);
	return answer;
}

struct bench_answer bench_hello(uint32_t session, uint8_t rights)
{
	uint8_t arguments[6] = {DP_PROTOCOL_VERSION};

	dp_put_u32(arguments + 1, session);
	arguments[5] = rights;
	bench.session = session;
	return bench_ask(DP_CMD_HELLO, arguments, sizeof(arguments));
}

uint32_t bench_number(const struct bench_answer *answer, unsigned at, unsigned bytes)
{
	uint32_t value = 0;

	while (bytes-- > 0)
		value = value << 8 | answer->payload[at++];
	return value;
}

/* --- programs --- */

bool bench_compile(const char *source)
{
	static const struct dp_build_options options = {
		.cpu = "sim", .word_bits = 32, .write = true, .opcode_optional = true};
	struct dp_messages messages = {0};
	struct dp_object_file *object = dp_compile_text(source, "bench", &options, &messages);

	if (object) {
		bench.object_bytes = object->travelling;
		memcpy(bench.object, object->data, object->travelling);
		dp_object_free(object);
	} else {
		dp_messages_print(&messages, stdout, false);
	}
	dp_messages_free(&messages);
	return object != NULL;
}

void bench_seal(void)
{
	uint32_t end = bench.object_bytes - DP_OBJECT_CRC_BYTES;

	dp_put_u32(bench.object + end, dp_crc32(0, bench.object, end));
}

struct bench_answer bench_upload(uint16_t *transaction)
{
	uint8_t arguments[DP_PAYLOAD_MAX - 1];
	struct bench_answer answer;

	dp_put_u32(arguments, bench.object_bytes);
	dp_put_u32(arguments + 4, dp_crc32(0, bench.object, bench.object_bytes));
	answer = bench_ask(DP_CMD_BEGIN, arguments, 8);
	*transaction = (uint16_t)bench_number(&answer, 0, 2);
	for (uint32_t at = 0; answer.came && answer.error == 0 && at < bench.object_bytes;) {
		uint32_t left = bench.object_bytes - at,
			 n = left < DP_DATA_MAX ? left : DP_DATA_MAX;

		dp_put_u16(arguments, *transaction);
		dp_put_u32(arguments + 2, at);
		memcpy(arguments + 6, bench.object + at, n);
		answer = bench_ask(DP_CMD_DATA, arguments, 6 + n);
		at += n;
	}
	return answer;
}

struct bench_answer bench_commit(uint16_t transaction, uint8_t options, uint8_t items)
{
	uint8_t arguments[4] = {(uint8_t)(transaction >> 8), (uint8_t)transaction, options, items};

	return bench_ask(DP_CMD_COMMIT, arguments, sizeof(arguments));
}

struct bench_answer bench_install_object(uint8_t options, uint8_t items)
{
	uint16_t transaction;
	struct bench_answer answer = bench_upload(&transaction);

	if (!answer.came || answer.error != 0)
		return answer;
	return bench_commit(transaction, options, items);
}

int bench_install(const char *source)
{
	struct bench_answer answer;

	if (!bench_compile(source))
		return -1;
	answer = bench_install_object(DP_COMMIT_NO_IDENTITY, 0);
	if (!answer.came || answer.error != 0) {
		printf("install: came %d error %u refusal %u point %04x where %x found %x\n",
		       answer.came, answer.error, answer.payload[0],
		       (unsigned)bench_number(&answer, 1, 2), (unsigned)bench_number(&answer, 3, 4),
		       (unsigned)bench_number(&answer, 7, 4));
		return -1;
	}
	return answer.payload[11];
}

void bench_remove_all(void)
{
	uint8_t all = 0xff;

	bench_ask(DP_CMD_REMOVE, &all, 1);
}
