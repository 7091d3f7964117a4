/* SPDX-License-Identifier: BSD-2-Clause */
/* Who has installed which program, whose upload is open, and what the upload may contain. */
#include "service_parts.h"

#include "dp_bytes.h"
#include "dp_object.h"
#include "dp_rpn.h"

#include <string.h>

enum {
	UPLOAD_MS = 3000, /* an upload that stands still so long is over */
	FLAGS_AT = 28,    /* in the header of an object */
	GROUPS_AT = 29,
	DATA_AT = 7, /* command, transaction, offset */
	LOCK_SESSION = 4,
};

/* --- programs --- */

void dph_programs_forget(struct dph_service *service)
{
	memset(service->programs, 0, sizeof service->programs);
}

void dph_programs_leave(struct dph_service *service, struct dph_client *client, bool remove)
{
	for (unsigned i = 0; i < DPH_PROGRAMS; i++) {
		struct dph_program *program = &service->programs[i];

		if (program->owner != client)
			continue;
		program->owner = NULL;
		program->doomed = remove && program->temporary;
	}
}

static void note_removed(struct dph_service *service, uint8_t index)
{
	if (index == DP_REMOVE_ALL)
		dph_programs_forget(service);
	else
		service->programs[index] = (struct dph_program){0};
}

/* client: null: a request of the service. A program whose client has ended meanwhile goes, too. */
static void note_installed(struct dph_service *service, struct dph_client *client,
			   const struct dph_reply *reply)
{
	struct dp_commit_answer commit;
	struct dph_program *program;
	bool cut;

	dph_answer_part(reply, DPH_OF(commit_answer, &commit), &cut);
	if (cut || commit.program >= DPH_PROGRAMS || client == NULL)
		return;
	program = &service->programs[commit.program];
	*program = (struct dph_program){.owner = client, .temporary = client->temporary};
	if (client->fd < 0)
		dph_programs_leave(service, client, client->temporary);
	if (service->uploader == client)
		service->uploader = NULL;
}

void dph_programs_note(struct dph_service *service, struct dph_client *client,
		       const struct dph_request *request, const struct dph_reply *reply)
{
	const bool gone = reply->error == DP_ERR_OK || reply->error == DP_ERR_NO_PROGRAM ||
			  reply->error == DP_ERR_NOT_PATCHABLE;

	if (request->command == DP_CMD_REMOVE && (gone || client == NULL))
		note_removed(service, request->payload[1]);
	else if (request->command == DP_CMD_COMMIT && reply->error == DP_ERR_OK)
		note_installed(service, client, reply);
}

unsigned dph_programs_doomed(const struct dph_service *service)
{
	unsigned i = 0;

	while (i < DPH_PROGRAMS &&
	       (!service->programs[i].doomed || service->programs[i].remove_id != 0))
		i++;
	return i;
}

/* --- uploads --- */

bool dph_upload_may_begin(const struct dph_service *service, const struct dph_client *client)
{
	return service->uploader == NULL || service->uploader == client ||
	       dp_clock_ms() - service->upload_ms >= UPLOAD_MS;
}

/* Look at the header of the object in a piece. */
static void note_piece(struct dph_client *client, const struct dph_request *request)
{
	const uint32_t offset = request->bytes > DATA_AT ? dp_get_u32(request->payload + 3) : 0;
	const uint32_t end = offset + (uint32_t)(request->bytes - DATA_AT);

	if (request->bytes <= DATA_AT)
		return;
	if (offset <= FLAGS_AT && end > FLAGS_AT)
		client->object_flags |= request->payload[DATA_AT + FLAGS_AT - offset];
	if (offset <= GROUPS_AT && end > GROUPS_AT)
		client->object_groups |= request->payload[DATA_AT + GROUPS_AT - offset];
}

void dph_upload_note(struct dph_service *service, struct dph_client *client,
		     const struct dph_request *request)
{
	if (request->command == DP_CMD_BEGIN) {
		if (service->uploader != client)
			client->object_flags = client->object_groups = 0;
		service->uploader = client;
	}
	if (request->command == DP_CMD_DATA)
		note_piece(client, request);
	if (service->uploader == client &&
	    (request->command == DP_CMD_BEGIN || request->command == DP_CMD_DATA ||
	     request->command == DP_CMD_CHECK || request->command == DP_CMD_COMMIT))
		service->upload_ms = dp_clock_ms();
}

void dph_upload_leave(struct dph_service *service, const struct dph_client *client)
{
	if (service->uploader == client)
		service->uploader = NULL;
}

/* The agent compares the groups with the code, unless it was built without the part RULES. Then the
 * flag of the object decides. */
bool dph_upload_is_permitted(const struct dph_client *client, const struct dph_request *request)
{
	const struct dph_service *service = client->service;

	if ((request->command != DP_CMD_CHECK && request->command != DP_CMD_COMMIT) ||
	    (client->rights & DP_RIGHT_WRITE) != 0 || service->session == NULL ||
	    (dp_session_target(service->session)->rights & DP_RIGHT_WRITE) == 0)
		return true;
	if ((client->object_groups & RPN_GROUP_DESTRUCTIVE) != 0)
		return false;
	return (client->object_flags & DP_PROGRAM_DESTRUCTIVE) == 0 ||
	       (dp_hello_parts(dp_session_target(service->session)) >> DP_PART_RULES & 1) != 0;
}

size_t dph_upload_refusal(const struct dph_request *request, uint8_t *fields, size_t room)
{
	const struct dp_commit_answer commit = {
		.probe = UINT16_MAX,
		.found = LOCK_SESSION,
		.program = UINT8_MAX,
	};
	const struct dp_check_answer check = {.probe = UINT16_MAX, .found = LOCK_SESSION};
	struct dph_writer writer = {.p = fields, .room = room, .word_bytes = 4};

	if (request->command == DP_CMD_COMMIT)
		dph_write(&writer, DPH_OF_CONST(commit_answer, &commit));
	else
		dph_write(&writer, DPH_OF_CONST(check_answer, &check));
	return writer.used;
}
