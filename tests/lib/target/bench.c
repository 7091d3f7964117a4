/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench.h"

#include "dp_bytes.h"
#include "dp_crc.h"
#include <dprobes/host.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench bench;
static uint32_t written; /* entries of bench.record that are not all zeros, at most */

/* --- the lines, from the target's side --- */

/* Of all times that end in these 32 bits the one nearest to the last told. */
static uint64_t nearest(uint64_t told, uint64_t low)
{
	return told + (uint64_t)(int64_t)(int32_t)(uint32_t)(low - told);
}

static uint64_t number_of(const uint8_t *digits, unsigned count)
{
	uint64_t value = 0;

	while (count-- > 0)
		value = value << 4 | *digits++;
	return value;
}

/* The whole number of a line. One that is not the next is a gap, or of a record sent again. */
static uint32_t whole_number(struct bench_line *line, uint32_t next, const uint8_t *digits,
			     bool *again)
{
	uint32_t ahead = ((uint32_t)number_of(digits, DP_NUMBER_DIGITS) - next) & 0xfff;

	*again = ahead >= 0x800;
	line->gaps += ahead != 0 && !*again;
	return next + ahead - (*again ? 0x1000 : 0);
}

/* The stream of a line, which has the number of the CPU in front. */
static struct bench_stream *stream_of(const struct dp_frame_in *frame)
{
	return &bench.stream[frame->payload[0]];
}

static void take_records(struct bench_stream *stream, uint32_t number, bool again, uint64_t time,
			 const uint8_t *digits, uint32_t count, bool compact)
{
	struct dp_record_reader reader = {.digits = digits,
					  .left = count,
					  .time = time,
					  .big_endian = DP_PORT_BIG_ENDIAN,
					  .compact = compact};
	static uint8_t body[DP_RECORD_BODY_MAX];

	for (;;) {
		struct bench_record *r = &bench.record[bench.records];

		if (written <= bench.records)
			written = bench.records + 1;
		if (!dp_record_next(&reader, &r->head, body))
			break;
		memcpy(r->body, body, r->head.bytes);
		r->time = reader.time;
		r->number = number++;
		r->stream = (uint8_t)(stream - bench.stream);
		r->again = again;
		bench.records += bench.records < BENCH_RECORDS_MAX;
	}
	bench.bad_records += reader.bad;
	if (!again) {
		stream->next = number;
		stream->told = reader.time;
	}
}

static void take_line(struct bench_line *line, const struct dp_frame_in *frame)
{
	struct bench_stream *stream = stream_of(frame);
	const uint8_t *digits = frame->payload + DP_STREAM_HEAD;
	bool timed = frame->type == DP_FRAME_TIMED, again;
	unsigned time_digits = timed ? DP_TIMED_DIGITS : DP_RECORDS_TIME_DIGITS;
	uint64_t time = number_of(digits, time_digits);
	uint32_t number = whole_number(line, stream->next, digits - DP_NUMBER_DIGITS, &again);

	line->timed_lines += timed;
	line->compact_lines += frame->compact;
	bench.bad_records += again && !timed;
	take_records(stream, number, again, timed ? time : nearest(stream->told, time),
		     digits + time_digits, frame->bytes - (unsigned)DP_STREAM_HEAD - time_digits,
		     frame->compact);
}

static void take_piece(struct bench_line *line, const struct dp_frame_in *frame)
{
	struct bench_stream *stream = stream_of(frame);
	const uint8_t *digits = frame->payload + DP_STREAM_HEAD;
	unsigned index = digits[1] * 16u + digits[2];
	unsigned count = frame->bytes - (unsigned)DP_STREAM_HEAD - DP_PIECE_HEAD_DIGITS;
	bool again;
	uint32_t number = whole_number(line, stream->next, digits - DP_NUMBER_DIGITS, &again);

	if (index == 0)
		stream->digit_count = 0;
	else if (index != stream->pieces)
		bench.bad_records++;
	stream->pieces = index + 1;
	memcpy(stream->digits + stream->digit_count, digits + DP_PIECE_HEAD_DIGITS, count);
	stream->digit_count += count;
	if (digits[0] == 1)
		take_records(stream, number, again, number_of(stream->digits, DP_TIMED_DIGITS),
			     stream->digits + DP_TIMED_DIGITS,
			     stream->digit_count - DP_TIMED_DIGITS, false);
}

/* The notice SESSION_TAKEN has the number of the next and takes none. */
static void take_notice(struct bench_line *line, const struct dp_frame_in *frame)
{
	struct bench_stream *stream = stream_of(frame);
	const uint8_t *digits = frame->payload + DP_STREAM_HEAD;
	bool again;

	whole_number(line, stream->next_notice, digits - DP_NUMBER_DIGITS, &again);
	line->gaps += again;
	stream->next_notice += digits[1] != DP_NOTICE_SESSION_TAKEN;
	line->notice = line->notice_of[digits[1]] = *frame;
	line->notices++;
}

enum {
	SYNC_NOTICES_AT = 8 + 4 + 2 + 4 * 4 /* byte of a sync */
};

static void take_sync(struct bench_line *line, const struct dp_frame_in *frame)
{
	struct bench_stream *stream = stream_of(frame);
	const uint8_t *digits = frame->payload + DP_STREAM_HEAD;
	bool again;

	whole_number(line, stream->next, digits - DP_NUMBER_DIGITS, &again);
	line->gaps += again || number_of(digits + 2 * SYNC_NOTICES_AT, 8) != stream->next_notice;
	line->sync = *frame;
	line->syncs++;
}

static void take_stream(struct bench_line *line, const struct dp_frame_in *frame)
{
	line->stream_lines++;
	if (frame->payload[0] >= DP_PORT_CPUS) {
		line->bad_frames++;
		return;
	}
	switch (frame->type) {
	case DP_FRAME_RECORDS:
	case DP_FRAME_TIMED:
		if (!bench.loses)
			take_line(line, frame);
		break;
	case DP_FRAME_PIECE:
		if (!bench.loses)
			take_piece(line, frame);
		break;
	case DP_FRAME_SYNC:
		take_sync(line, frame);
		break;
	default:
		take_notice(line, frame);
		break;
	}
}

uint32_t bench_seed(uint32_t session)
{
	return dp_frame_seed(DP_PROTOCOL_VERSION, session, dp_get_u64(firmware.agent.nonce));
}

static void take_frame(struct bench_line *line)
{
	const struct dp_splitter *s = &line->splitter;
	struct dp_frame_in frame;
	bool good = dp_frame_check(s->held, s->used, DP_HELLO_SEED, &frame);

	if (!good)
		good = dp_frame_check(s->held, s->used, bench_seed(bench.session), &frame);
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

	line->offered++;
	line->refused = line->stutters && !line->refused;
	if (line->room == 0 || line->out_bytes == BENCH_OUT_MAX || line->refused)
		return false;
	if (line->room > 0)
		line->room--;
	line->out[line->out_bytes++] = byte;
	if (line->out_bytes < BENCH_OUT_MAX)
		line->out[line->out_bytes] = 0;
	switch (dp_splitter_feed(&line->splitter, byte, "ZKRSPYNrsp", text, &count)) {
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

static void boot(void)
{
	memset(bench.stream, 0, sizeof(bench.stream));
	for (unsigned i = 0; i < DP_COMS; i++) {
		bench.line[i].room = -1;
		firmware.board.com[i] = (struct dp_com){
			.put = com_put, .console_in = com_console_in, .ctx = &bench.line[i]};
	}
	if (firmware_boot() != DP_ERR_OK)
		printf("dp_init failed\n");
}

/* Tests start the bench thousands of times: only the used part of the large arrays is cleared. */
static void clear_lines(void)
{
	for (unsigned i = 0; i < DP_COMS; i++) {
		memset(&bench.line[i], 0, offsetof(struct bench_line, out));
		bench.line[i].out[0] = bench.line[i].text[0] = bench.line[i].console[0] = 0;
	}
}

void bench_cold(void)
{
	memset(&bench, 0, offsetof(struct bench, line));
	memset(bench.record, 0, written * sizeof(*bench.record));
	written = 0;
	clear_lines();
	firmware_load();
	boot();
}

void bench_warm(void)
{
	clear_lines();
	boot();
}

bool bench_compact;

void bench_start(void)
{
	bench_cold();
	bench_hello(0x12345678, 1);
	if (bench_compact)
		bench_ask(DP_CMD_LOG, "\376\376\1", 3);
}

/* --- the line, from the host's side --- */

void bench_type(enum dp_com_index com, const void *bytes, size_t count)
{
	const uint8_t *p = bytes;

	while (count-- > 0)
		dp_rx(&firmware.agent, com, *p++);
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

bool bench_console_got(enum dp_com_index com, const char *text)
{
	const struct bench_line *line = &bench.line[com];

	return line->console_bytes == strlen(text) &&
	       memcmp(line->console, text, line->console_bytes) == 0;
}

void bench_wait_ms(unsigned ms)
{
	for (; ms > 0; ms -= 10) {
		dp_sim.ticks += 10000;
		bench_poll();
	}
}

void bench_poll(void)
{
	unsigned idle = 0; /* polls in a row that sent nothing */

	while (idle < 3) {
		uint32_t before = bench.line[0].out_bytes + bench.line[1].out_bytes;

		if (!dp_poll(&firmware.agent))
			return;
		idle = before == bench.line[0].out_bytes + bench.line[1].out_bytes ? idle + 1 : 0;
	}
}

void bench_polls(unsigned looks)
{
	for (unsigned i = 0; i < looks * DP_REST_POLLS; i++)
		dp_poll(&firmware.agent);
	bench_poll();
}

size_t bench_request(char *line, uint8_t seq, uint8_t command, const void *arguments, size_t bytes)
{
	uint8_t payload[DP_PAYLOAD_MAX] = {command};
	uint32_t seed = command == DP_CMD_HELLO ? DP_HELLO_SEED : bench_seed(bench.session);

	if (bytes > 0)
		memcpy(payload + 1, arguments, bytes);
	return dp_frame_put_control(line, DP_FRAME_REQUEST, seq, payload, bytes + 1, seed);
}

void bench_type_request(enum dp_com_index com, uint8_t seq, uint8_t command, const void *arguments,
			size_t bytes)
{
	char line[DP_LINE_MAX];

	bench_type(com, line, bench_request(line, seq, command, arguments, bytes));
}

struct bench_answer bench_ask(uint8_t command, const void *arguments, size_t bytes)
{
	struct bench_line *line = &bench.line[bench.com];
	struct bench_answer answer = {0};
	char text[DP_LINE_MAX];
	uint32_t before = line->answers;
	size_t n = bench_compact && command == DP_CMD_LOG && bytes == 2
			   ? bench_request(text, ++bench.seq, command,
					   (const uint8_t[]){*(const uint8_t *)arguments,
							     ((const uint8_t *)arguments)[1], 1},
					   3)
			   : bench_request(text, ++bench.seq, command, arguments, bytes);

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

uint8_t bench_error(uint8_t command, const void *arguments, size_t bytes)
{
	const struct bench_answer answer = bench_ask(command, arguments, bytes);

	return answer.came ? answer.error : 0xfe;
}

struct bench_answer bench_hello(uint32_t session, uint8_t rights)
{
	uint8_t arguments[6] = {DP_PROTOCOL_VERSION};

	dp_put_u32(arguments + 1, session);
	arguments[5] = rights | DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT | DP_RIGHT_TAKE;
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

dp_word bench_word(const uint8_t *bytes)
{
	dp_word word = 0;

	for (unsigned i = 0; i < sizeof(word); i++)
		word |= (dp_word)bytes[DP_PORT_BIG_ENDIAN ? sizeof(word) - 1 - i : i] << 8 * i;
	return word;
}

const struct dp_probe *bench_probe(int program, unsigned point)
{
	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		if (firmware.agent.probe[i].program == program &&
		    firmware.agent.probe[i].point == point)
			return &firmware.agent.probe[i];
	fprintf(stderr, "the agent has no probe of program %d, point %u\n", program, point);
	abort();
}

uint32_t bench_ignored(int program, unsigned point)
{
	const char request[] = {(char)program, (char)point};
	const struct bench_answer answer = bench_ask(DP_CMD_PROBE, request, sizeof(request));

	return bench_number(&answer, 26, 4);
}

dp_word bench_logged(unsigned record)
{
	return bench_word(bench.record[record].body);
}

/* --- programs --- */

bool bench_compile(const char *source)
{
	static const struct dp_build_options options = {.cpu = "sim",
							.word_bits = DP_WORD_BITS,
							.endian = DP_PORT_BIG_ENDIAN ? "big"
										     : "little",
							.write = true,
							.opcode_optional = true};
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
