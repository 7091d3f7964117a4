/* SPDX-License-Identifier: BSD-2-Clause */
/* The service as the agent of a client: HELLO, CLOSE and PROVE, rights, repeated requests.
 * PROTOCOL.md 3.2 and 5.2. */
#include "service_parts.h"

#include "dp_crc.h"

#include <string.h>

enum {
	KEEP_MS = 1000, /* a client gives up after 5 s without an answer */
	NO_FIELD = 0,
	REGS_READ_BYTES = 4, /* of a request REGS without a value */
	CORE_HOW = 11,       /* place of `how` of CORE, which is not 0 where it changes something */
};

/* --- answers --- */

static void send_line(struct dph_client *client, const char *line, size_t bytes)
{
	dph_client_send(client, DPH_SERVICE_LINE, line, bytes);
}

void dph_client_nak(struct dph_client *client, uint8_t seq)
{
	struct dp_line line;

	dp_line_begin(&line, DP_FRAME_NAK);
	dp_line_put(&line, seq, 2);
	dp_line_end(&line);
	send_line(client, line.text, line.used);
}

static size_t put_answer(const struct dph_client *client, char *line, uint8_t seq, uint8_t command,
			 uint8_t error, const uint8_t *fields, size_t bytes)
{
	uint8_t payload[DP_PAYLOAD_MAX] = {command, error};

	if (bytes > 0)
		memcpy(payload + 2, fields, bytes);
	return dp_frame_put_control(line, DP_FRAME_ANSWER, seq, payload, bytes + 2,
				    command == DP_CMD_HELLO ? DP_HELLO_SEED : client->seed);
}

/* BUSY and IN_USE are never stored: the client asks again. */
void dph_client_answer(struct dph_client *client, const struct dph_wanted *wanted, uint8_t error,
		       const uint8_t *payload, size_t bytes, bool again)
{
	struct dph_stored stored = {.used = true, .seq = wanted->seq, .check = wanted->check};

	if (client->fd < 0 || !client->known)
		return;
	stored.bytes = put_answer(client, stored.line, wanted->seq,
				  (uint8_t)wanted->request.command, error, payload, bytes);
	if (error != DP_ERR_BUSY && error != DP_ERR_IN_USE) {
		client->last_stored = (client->last_stored + 1) % DPH_CLIENT_ANSWERS;
		client->stored[client->last_stored] = stored;
	}
	client->answered_ms = dp_clock_ms();
	if (again)
		dph_client_nak(client, wanted->seq);
	else
		send_line(client, stored.line, stored.bytes);
}

/* Without a line nobody knows when HELLO is answered: the client gives up by itself. */
void dph_client_keep(struct dph_client *client, uint64_t now)
{
	const bool waits = (client->hello && client->service->session != NULL) ||
			   (client->wanted_count > 0 && now - client->wanted[0].came_ms >= KEEP_MS);

	if (client->fd < 0 || !waits || now - client->answered_ms < KEEP_MS)
		return;
	client->answered_ms = now;
	dph_client_send(client, DPH_SERVICE_KEEP, NULL, 0);
}

/* --- sessions --- */

void dph_client_end_session(struct dph_client *client)
{
	unsigned kept = 0;

	/* Those on their way keep their place until their answers come. */
	for (unsigned i = 0; i < client->wanted_count; i++)
		if (client->wanted[i].sent)
			client->wanted[kept++] = client->wanted[i];
	client->wanted_count = kept;
	for (unsigned i = 0; i < kept; i++)
		client->wanted[i].delivered = client->wanted[i].delivered || client->fd >= 0;
	memset(client->stored, 0, sizeof client->stored);
	client->open = client->known = client->hello = false;
}

static struct dph_reader reader_of(const struct dp_frame_in *frame)
{
	return (struct dph_reader){.p = frame->payload + 1, .left = frame->bytes - 1u};
}

static void refuse_hello(struct dph_client *client, uint8_t seq, uint8_t error)
{
	const uint8_t version = DP_PROTOCOL_VERSION;
	char line[DP_LINE_MAX];

	send_line(client, line,
		  put_answer(client, line, seq, DP_CMD_HELLO, error, &version,
			     error == DP_ERR_BAD_PROTOCOL));
}

static void take_hello(struct dph_client *client, const struct dp_frame_in *frame)
{
	struct dph_reader reader = reader_of(frame);
	struct dp_hello_request hello;

	dph_read(&reader, DPH_OF(hello_request, &hello));
	if (hello.version != DP_PROTOCOL_VERSION) {
		refuse_hello(client, frame->seq, DP_ERR_BAD_PROTOCOL);
		return;
	}
	if (hello.session == 0) {
		refuse_hello(client, frame->seq, DP_ERR_BAD_REQUEST);
		return;
	}
	client->hello_seq = frame->seq;
	if (client->hello && client->number == hello.session)
		return; /* the same HELLO again, under another number */
	dph_upload_leave(client->service, client);
	dph_client_end_session(client);
	client->number = hello.session;
	client->asked_rights = hello.rights;
	client->hello = true;
	client->status_id = client->log_id = 0;
	client->has_status = client->has_log = false;
}

void dph_client_welcome(struct dph_client *client)
{
	const struct dph_service *service = client->service;
	struct dp_hello_answer hello;
	uint8_t fields[DP_PAYLOAD_MAX - 2];
	struct dph_writer writer = {.p = fields, .room = sizeof fields};
	char line[DP_LINE_MAX];

	if (!client->hello || !client->has_status || !client->has_log || service->session == NULL)
		return;
	hello = *dp_session_target(service->session);
	writer.word_bytes = hello.word_bytes;
	hello.rights &= client->asked_rights;
	hello.programs = service->program_count;
	hello.ticks =
		service->ticks + (dp_clock_ms() - service->ticks_ms) * (uint64_t)hello.hz / 1000;
	client->rights = hello.rights;
	client->seed = dp_frame_seed(DP_PROTOCOL_VERSION, client->number, hello.nonce);
	client->known = client->open = true;
	client->closed = false;
	client->hello = false;
	dph_write(&writer, DPH_OF_CONST(hello_answer, &hello));
	send_line(client, line,
		  put_answer(client, line, client->hello_seq, DP_CMD_HELLO, DP_ERR_OK, fields,
			     writer.used));
	client->answered_ms = dp_clock_ms();
}

/* --- requests --- */

/* The right that a request needs, beside those of its fields. */
static uint8_t right_of(uint8_t command)
{
	switch (command) {
#define DP_CMD(number, name, text, from_hit, right, repeatable)                                    \
	case number:                                                                               \
		return DP_RIGHT_##right;
#include "commands.def"
	}
	return DP_RIGHT_NONE;
}

/* VARS with reset and MAP that clears change the programs' memory; FLIGHT that freezes or clears
 * takes the records from everybody. */
static bool changes(const struct dph_request *request)
{
	const uint8_t *fields = request->payload + 1;
	const unsigned bytes = request->bytes - 1u;

	return (request->command == DP_CMD_VARS && bytes > 4 && fields[4] != 0) ||
	       (request->command == DP_CMD_MAP && bytes > 4 && fields[4] != 0) ||
	       (request->command == DP_CMD_FLIGHT && bytes > 0 && fields[0] != 0);
}

/* Does the request change the firmware, or what it does? The agent then asks for a right beside
 * that of the table. */
static bool changes_firmware(const struct dph_request *request)
{
	return request->command == DP_CMD_STORE || request->command == DP_CMD_HALT ||
	       request->command == DP_CMD_RESUME || request->command == DP_CMD_STEP ||
	       (request->command == DP_CMD_CORE && request->bytes > CORE_HOW &&
		request->payload[CORE_HOW] != 0) ||
	       (request->command == DP_CMD_REGS && request->bytes > REGS_READ_BYTES);
}

static bool is_allowed(const struct dph_client *client, const struct dph_request *request)
{
	const uint8_t needed = right_of((uint8_t)request->command) |
			       (changes(request) ? DP_RIGHT_INSERT : DP_RIGHT_NONE) |
			       (changes_firmware(request) ? DP_RIGHT_WRITE : DP_RIGHT_NONE);

	return (client->rights & needed) == needed;
}

static void keep(struct dph_client *client, const struct dph_wanted *wanted)
{
	if (client->wanted_count == DPH_CLIENT_REQUESTS)
		return; /* as an agent whose queue is full */
	client->wanted[client->wanted_count++] = *wanted;
}

static void refuse_upload(struct dph_client *client, const struct dph_wanted *wanted)
{
	uint8_t fields[DP_PAYLOAD_MAX - 2];
	const size_t bytes = dph_upload_refusal(&wanted->request, fields, sizeof fields);

	dph_client_answer(client, wanted, DP_ERR_NOT_PERMITTED, fields, bytes, false);
}

static void take_request(struct dph_client *client, const struct dp_frame_in *frame)
{
	struct dph_wanted wanted = {
		.seq = frame->seq,
		.check = frame->check,
		.came_ms = dp_clock_ms(),
	};

	client->requests++;
	wanted.request.command = (enum dp_cmd)frame->payload[0];
	wanted.request.bytes = frame->bytes;
	memcpy(wanted.request.payload, frame->payload, frame->bytes);
	wanted.request.alone = wanted.request.command == DP_CMD_VARS && changes(&wanted.request);
	if (wanted.request.command == DP_CMD_CLOSE) {
		dph_client_answer(client, &wanted, DP_ERR_OK, NULL, NO_FIELD, false);
		client->open = false;
		client->closed = true;
		client->rights = DP_RIGHT_NONE;
		dph_upload_leave(client->service, client);
	} else if (wanted.request.command == DP_CMD_PROVE) {
		dph_client_answer(client, &wanted, DP_ERR_OK, &client->rights, 1, false);
	} else if (!is_allowed(client, &wanted.request)) {
		dph_client_answer(client, &wanted, DP_ERR_NO_RIGHT, NULL, NO_FIELD, false);
	} else if (wanted.request.command == DP_CMD_LOG &&
		   !dph_settings_take(client, &wanted.request)) {
		dph_client_answer(client, &wanted, DP_ERR_IN_USE, NULL, NO_FIELD, false);
	} else if (!dph_upload_is_permitted(client, &wanted.request)) {
		refuse_upload(client, &wanted);
	} else {
		keep(client, &wanted);
	}
}

/* Return whether the request came before: it waits, or its answer is sent again. */
static bool is_repeated(struct dph_client *client, const struct dp_frame_in *frame)
{
	for (unsigned i = 0; i < client->wanted_count; i++)
		if (client->wanted[i].seq == frame->seq &&
		    client->wanted[i].check == frame->check && !client->wanted[i].delivered)
			return true;
	for (unsigned i = 0; i < DPH_CLIENT_ANSWERS; i++) {
		const struct dph_stored *stored = &client->stored[i];

		if (stored->used && stored->seq == frame->seq && stored->check == frame->check) {
			send_line(client, stored->line, stored->bytes);
			return true;
		}
	}
	return false;
}

bool dph_client_line(struct dph_client *client, const uint8_t *line, size_t bytes)
{
	struct dp_frame_in frame;

	if (bytes > DP_LINE_MAX)
		return false;
	if (dp_frame_check(line, bytes, DP_HELLO_SEED, &frame) && frame.type == DP_FRAME_REQUEST) {
		if (frame.bytes > 0 && frame.payload[0] == DP_CMD_HELLO)
			take_hello(client, &frame);
		return true;
	}
	if (frame.type != DP_FRAME_REQUEST)
		return false;
	if (!client->known || !dp_frame_check(line, bytes, client->seed, &frame))
		dph_client_nak(client, frame.seq);
	else if (frame.bytes > 0 && !is_repeated(client, &frame))
		take_request(client, &frame);
	return true;
}
