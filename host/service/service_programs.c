/* SPDX-License-Identifier: BSD-2-Clause */
/* Who has installed which program, whose upload is open, and what the upload may contain. */
#include "service_parts.h"

#include "dp_bytes.h"
#include "dp_object.h"
#include "dp_rpn.h"

#include "session/owner.h"
#include "wire/left_programs.h"

#include <string.h>
#include <unistd.h>

enum {
	UPLOAD_MS = 3000, /* an upload that stands still so long is over */
	FLAGS_AT = 28,    /* in the header of an object */
	GROUPS_AT = 29,
	DATA_AT = 7, /* command, transaction, offset */
	LOCK_SESSION = 4,
};

/* --- programs --- */

/* Has a program that stays the object of the COMMIT? Nobody could tell the two from each other. */
static bool is_kept(const struct dph_service *service)
{
	for (unsigned i = 0; i < DPH_PROGRAMS; i++)
		if (!service->programs[i].temporary &&
		    service->programs[i].bytes == service->commit_bytes &&
		    service->programs[i].crc == service->commit_crc)
			return true;
	return false;
}

void dph_programs_keep_list(const struct dph_service *service)
{
	struct dph_left_programs left = {.boot = service->boot};

	dph_owner_of_process(getpid(), left.owner);
	for (unsigned i = 0; i < DPH_PROGRAMS; i++)
		if (service->programs[i].temporary)
			left.programs[left.count++] = (struct dph_left_program){
				(uint8_t)i, service->programs[i].bytes, service->programs[i].crc};
	if (service->commit_bytes != 0 && !is_kept(service) && left.count < DPH_LEFT_PROGRAMS)
		left.programs[left.count++] = (struct dph_left_program){
			DPH_LEFT_ANYWHERE, service->commit_bytes, service->commit_crc};
	dph_left_write(service->options->line.url, &left);
}

static bool is_any_temporary(const struct dph_service *service)
{
	for (unsigned i = 0; i < DPH_PROGRAMS; i++)
		if (service->programs[i].temporary)
			return true;
	return false;
}

void dph_programs_forget(struct dph_service *service)
{
	const bool listed = is_any_temporary(service) || service->commit_bytes != 0;

	service->committing = NULL;
	service->commit_bytes = 0;
	memset(service->programs, 0, sizeof service->programs);
	if (listed)
		dph_programs_keep_list(service);
}

void dph_programs_leave(struct dph_service *service, struct dph_client *client, bool remove)
{
	const bool held = service->holder != NULL && service->holder != client;
	bool listed = false;

	if (service->holder == client)
		service->holder = remove ? NULL : service;
	for (unsigned i = 0; i < DPH_PROGRAMS; i++) {
		struct dph_program *program = &service->programs[i];

		if (program->owner != client)
			continue;
		listed = listed || (program->temporary && !remove);
		program->owner = NULL;
		program->temporary = program->temporary && remove;
		program->doomed = program->temporary;
		service->lets_go_on = service->lets_go_on || (program->doomed && !held);
	}
	if (listed)
		dph_programs_keep_list(service);
}

/* by: another client, or null: the program has gone, and its owner may wait for its records. */
static void tell_owner(const struct dph_program *program, const struct dph_client *by)
{
	char name[2 * DPH_PURPOSE_BYTES];

	if (program->owner == NULL || program->owner == by || by == NULL)
		return;
	dph_client_name(by, name, sizeof name);
	dph_client_tell(program->owner, DPH_SERVICE_REMOVED,
			"%s has removed a program of this command", name);
}

static void tell_owners(struct dph_service *service, uint8_t index, const struct dph_client *by)
{
	for (unsigned i = 0; i < DPH_PROGRAMS; i++)
		if (i == index || index == DP_REMOVE_ALL)
			tell_owner(&service->programs[i], by);
}

static void note_removed(struct dph_service *service, uint8_t index)
{
	const bool listed = index != DP_REMOVE_ALL && service->programs[index].temporary;

	if (index == DP_REMOVE_ALL)
		dph_programs_forget(service);
	else
		service->programs[index] = (struct dph_program){0};
	if (listed)
		dph_programs_keep_list(service);
}

/* The agent has removed the programs of the new one's name. Only the agent knows which. */
static void doubt_others(struct dph_service *service, const struct dph_request *request,
			 uint8_t installed)
{
	struct dph_reader reader = {.p = request->payload + 1, .left = request->bytes - 1u};
	struct dp_commit_request commit;

	dph_read(&reader, DPH_OF(commit_request, &commit));
	for (unsigned i = 0; (commit.options & DP_INSERT_REPLACE) && i < DPH_PROGRAMS; i++)
		service->programs[i].doubted = i != installed && service->programs[i].bytes != 0;
}

/* The answer to PROGRAM of the service itself. */
static void note_looked(struct dph_service *service, const struct dph_request *request,
			const struct dph_reply *reply)
{
	struct dph_program *program = &service->programs[request->payload[1]];
	struct dp_program_answer there;
	bool cut = false;

	if (program->look_id != request->tag)
		return;
	program->doubted = false;
	program->look_id = 0;
	if (reply->error == DP_ERR_OK)
		dph_answer_part(reply, DPH_OF(program_answer, &there), &cut);
	if (reply->error == DP_ERR_OK && !cut && there.bytes == program->bytes &&
	    there.crc == program->crc)
		return;
	if (program->owner != NULL)
		dph_client_tell(program->owner, DPH_SERVICE_REMOVED,
				"another command has replaced a program of this command");
	note_removed(service, request->payload[1]);
}

/* client: null: a request of the service. A program whose client has ended meanwhile goes, too. */
static void note_installed(struct dph_service *service, struct dph_client *client,
			   const struct dph_request *request, const struct dph_reply *reply)
{
	struct dp_commit_answer commit;
	struct dph_program *program;
	bool cut, listed;

	dph_answer_part(reply, DPH_OF(commit_answer, &commit), &cut);
	if (cut || commit.program >= DPH_PROGRAMS || client == NULL)
		return;
	doubt_others(service, request, commit.program);
	program = &service->programs[commit.program];
	listed = program->temporary || client->temporary || service->commit_bytes != 0;
	*program = (struct dph_program){
		.owner = client,
		.temporary = client->temporary,
		.bytes = client->object_bytes,
		.crc = client->object_crc,
	};
	if (listed)
		dph_programs_keep_list(service);
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

	if (request->command == DP_CMD_COMMIT && service->committing == client) {
		service->committing = NULL;
		service->commit_bytes = 0;
		if (reply->error != DP_ERR_OK)
			dph_programs_keep_list(service);
	}
	if (request->command == DP_CMD_REMOVE && reply->error == DP_ERR_OK)
		tell_owners(service, request->payload[1], client);
	if (request->command == DP_CMD_REMOVE && (gone || client == NULL))
		note_removed(service, request->payload[1]);
	else if (request->command == DP_CMD_COMMIT && reply->error == DP_ERR_OK)
		note_installed(service, client, request, reply);
	else if (request->command == DP_CMD_PROGRAM && client == NULL)
		note_looked(service, request, reply);
}

unsigned dph_programs_doomed(const struct dph_service *service)
{
	unsigned i = 0;

	while (i < DPH_PROGRAMS &&
	       (!service->programs[i].doomed || service->programs[i].remove_id != 0))
		i++;
	return i;
}

unsigned dph_programs_doubted(const struct dph_service *service)
{
	unsigned i = 0;

	while (i < DPH_PROGRAMS &&
	       (!service->programs[i].doubted || service->programs[i].look_id != 0))
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
		struct dph_reader reader = {.p = request->payload + 1, .left = request->bytes - 1u};
		struct dp_begin_request object;

		dph_read(&reader, DPH_OF(begin_request, &object));
		client->object_bytes = object.bytes;
		client->object_crc = object.crc;
		if (service->uploader != client)
			client->object_flags = client->object_groups = 0;
		service->uploader = client;
	}
	if (request->command == DP_CMD_DATA)
		note_piece(client, request);
	if (request->command == DP_CMD_COMMIT && client->temporary) {
		service->committing = client;
		service->commit_bytes = client->object_bytes;
		service->commit_crc = client->object_crc;
		dph_programs_keep_list(service);
	}
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
