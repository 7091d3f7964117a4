/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of a host of before the part SEAL (old_session.def), and this agent. PROTOCOL.md 5.2,
 * "Keys" */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_siphash.h"

#include <string.h>

enum {
	COMMAND_AT = 6, /* digits in a control line */
	ERROR_AT = 8,
	NONCE_AT = COMMAND_AT + 2 * 38, /* of HELLO's answer */
	RIGHTS_AT = 10,                 /* of PROVE's answer */
	OPEN = DP_RIGHT_LOOK | DP_RIGHT_LOG,
};

static const struct {
	const char *request, *answer;
} exchanges[] = {
#define EXCHANGE(request, answer) {request "\n", answer "\n"},
#include "old_session.def"
};
static const uint8_t key[DP_KEY_BYTES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static uint8_t byte_at(const char *line, unsigned at)
{
	return (uint8_t)dp_hex_number((const uint8_t *)line + at, 2);
}

/* A board with that key, and the nonce of the recorded start. */
static void start(bool unsealed)
{
	bench_cold();
	firmware.board.key = key;
	firmware.board.unsealed = unsealed;
	for (unsigned i = 0; i < DP_NONCE_BYTES; i++)
		firmware.agent.nonce[i] = byte_at(exchanges[0].answer, NONCE_AT + 2 * i);
}

/* The answer's line. */
static const char *answer_to(const char *request)
{
	struct bench_line *line = &bench.line[DP_COM1];
	uint32_t from = line->out_bytes;

	bench_type_text(DP_COM1, request);
	bench_poll();
	for (uint32_t i = from; i + RIGHTS_AT < line->out_bytes; i++)
		if (memcmp(line->out + i, "~Z", 2) == 0)
			return (const char *)line->out + i;
	CHECK(!"an answer");
	return exchanges[0].answer;
}

/* The firmware says that such hosts may do everything: each answer is as it was. */
/* proves: R5.79 A1.26 */
static void everything(void)
{
	unsigned most = 0;

	start(true);
	for (unsigned i = 0; i < sizeof(exchanges) / sizeof(exchanges[0]); i++) {
		const char *answer = answer_to(exchanges[i].request);

		CHECK(memcmp(answer, exchanges[i].answer, 4) == 0);
		CHECK(memcmp(answer + COMMAND_AT, exchanges[i].answer + COMMAND_AT, 4) == 0);
		if (byte_at(answer, COMMAND_AT) == DP_CMD_PROVE)
			CHECK(memcmp(answer, exchanges[i].answer, strlen(exchanges[i].answer)) ==
			      0);
		most = most < firmware.agent.programs ? firmware.agent.programs : most;
	}
	CHECK(most == 1 && firmware.agent.programs == 0 && firmware_text_is_original());
}

/* Otherwise they look and listen. */
/* proves: R5.79 */
static void looking(void)
{
	start(false);
	for (unsigned i = 0; i < sizeof(exchanges) / sizeof(exchanges[0]); i++) {
		const char *answer = answer_to(exchanges[i].request);
		uint8_t command = byte_at(answer, COMMAND_AT), error = byte_at(answer, ERROR_AT);

		if (command == DP_CMD_PROVE)
			CHECK(error == 0 &&
			      byte_at(answer, RIGHTS_AT) ==
				      (byte_at(exchanges[i].answer, RIGHTS_AT) & OPEN));
		if (command == DP_CMD_BEGIN || command == DP_CMD_COMMIT || command == DP_CMD_REMOVE)
			CHECK(error == DP_ERR_NO_RIGHT);
	}
	CHECK(firmware.agent.programs == 0 && firmware_text_is_original());
}

int main(void)
{
	everything();
	looking();
	return check_status();
}
