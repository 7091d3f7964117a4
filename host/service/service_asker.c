/* SPDX-License-Identifier: BSD-2-Clause */
/* The requests of all clients go into the pipeline of the session, in turn, and each answer goes to
 * the client of the request. */
#include "service_parts.h"

#include <string.h>

/* --- which request goes --- */

static uint32_t new_id(struct dph_service *service)
{
	if (++service->last_id == 0)
		service->last_id = 1;
	return service->last_id;
}

/* May the request go now? Those of one client go in their order. */
static bool may_go(const struct dph_client *client, const struct dph_wanted *wanted)
{
	return wanted->request.command != DP_CMD_BEGIN ||
	       dph_upload_may_begin(client->service, client);
}

static struct dph_wanted *next_of(struct dph_client *client)
{
	for (unsigned i = 0; i < client->wanted_count; i++)
		if (!client->wanted[i].sent)
			return may_go(client, &client->wanted[i]) ? &client->wanted[i] : NULL;
	return NULL;
}

/* HELLO needs facts of the agent: what is installed, and where records go. LOG that changes nothing
 * also makes the agent send whole times. */
static bool asks_hello(struct dph_service *service, struct dph_client *client,
		       struct dph_request *request)
{
	const struct dp_log_request same = {DP_LOG_LEAVE, DP_LOG_LEAVE, dph_settings_form(service)};
	const bool may_log = (dp_session_target(service->session)->rights & DP_RIGHT_LOG) != 0;

	if (!client->hello)
		return false;
	client->has_log = client->has_log || !may_log;
	if (client->status_id == 0) {
		dph_request_set(request, DP_CMD_STATUS, NULL, NULL);
		request->tag = client->status_id = new_id(service);
		return true;
	}
	if (client->log_id == 0 && may_log) {
		dph_request_set(request, DP_CMD_LOG, DPH_OF_CONST(log_request, &same));
		request->tag = client->log_id = new_id(service);
		return true;
	}
	return false;
}

static bool asks_restore(struct dph_service *service, struct dph_request *request)
{
	const struct dp_log_request log = {
		service->restore[DPH_SETTING_TARGET] ? service->base[DPH_SETTING_TARGET]
						     : DP_LOG_LEAVE,
		service->restore[DPH_SETTING_MODE] ? service->base[DPH_SETTING_MODE] : DP_LOG_LEAVE,
		dph_settings_form(service),
	};

	if (log.target == DP_LOG_LEAVE && log.mode == DP_LOG_LEAVE)
		return false;
	memset(service->restore, 0, sizeof service->restore);
	dph_request_set(request, DP_CMD_LOG, DPH_OF_CONST(log_request, &log));
	request->tag = service->restore_id = new_id(service);
	return true;
}

/* A client came or went, and the clients that are there now read lines of another form. */
static bool has_form(const struct dph_service *service)
{
	return service->form_id != 0 || service->form == dph_settings_form(service);
}

static bool asks_form(struct dph_service *service, struct dph_request *request)
{
	const struct dp_log_request log = {DP_LOG_LEAVE, DP_LOG_LEAVE, dph_settings_form(service)};

	if (has_form(service))
		return false;
	dph_request_set(request, DP_CMD_LOG, DPH_OF_CONST(log_request, &log));
	request->tag = service->form_id = new_id(service);
	return true;
}

static bool asks_remove(struct dph_service *service, struct dph_request *request)
{
	const unsigned index = dph_programs_doomed(service);
	const struct dp_remove_request remove = {(uint8_t)index};

	if (index == DPH_PROGRAMS)
		return false;
	dph_request_set(request, DP_CMD_REMOVE, DPH_OF_CONST(remove_request, &remove));
	request->tag = service->programs[index].remove_id = new_id(service);
	return true;
}

/* Nobody else ends a stop while other clients ask for something. The agent refuses RESUME where the
 * target runs. */
static bool asks_resume(struct dph_service *service, struct dph_request *request)
{
	const unsigned rights = dp_session_target(service->session)->rights;

	if (!service->lets_go_on || dph_programs_doomed(service) != DPH_PROGRAMS)
		return false;
	service->lets_go_on = false;
	if ((rights & DP_RIGHT_WRITE) == 0)
		return false;
	dph_request_set(request, DP_CMD_RESUME, NULL, NULL);
	request->tag = new_id(service);
	return true;
}

/* Before any client's request: no other program has the index yet. */
static bool asks_look(struct dph_service *service, struct dph_request *request)
{
	const unsigned index = dph_programs_doubted(service);
	const struct dp_program_request program = {(uint8_t)index};

	if (index == DPH_PROGRAMS)
		return false;
	dph_request_set(request, DP_CMD_PROGRAM, DPH_OF_CONST(program_request, &program));
	request->tag = service->programs[index].look_id = new_id(service);
	return true;
}

static void note_holder(struct dph_client *client, unsigned command)
{
	if (command == DP_CMD_HALT || command == DP_CMD_STEP || command == DP_CMD_REGS)
		client->service->holder = client;
	else if (command == DP_CMD_RESUME)
		client->service->holder = NULL;
}

static bool asks_of(struct dph_client *client, struct dph_request *request)
{
	struct dph_wanted *wanted = next_of(client);

	if (wanted == NULL)
		return false;
	wanted->sent = true;
	wanted->id = new_id(client->service);
	if (wanted->request.command == DP_CMD_RESEND)
		dph_settings_resend(client, &wanted->request);
	else if (wanted->request.command == DP_CMD_LOG)
		dph_settings_put_form(client->service, &wanted->request);
	dph_upload_note(client->service, client, &wanted->request);
	note_holder(client, wanted->request.command);
	*request = wanted->request;
	request->tag = wanted->id;
	return true;
}

/* Clients in turn, one request each. */
static bool asks_client(struct dph_service *service, struct dph_request *request)
{
	struct dph_client *client = service->clients;
	const unsigned count = service->client_count;

	for (unsigned i = count > 0 ? service->turn % count : 0; i > 0 && client != NULL; i--)
		client = client->next;
	for (unsigned i = 0; i < count; i++) {
		if (client == NULL)
			client = service->clients;
		if (client == NULL)
			return false;
		service->turn++;
		if (asks_hello(service, client, request) || asks_of(client, request))
			return true;
		client = client->next;
	}
	return false;
}

static bool next(void *context, struct dph_request *request)
{
	struct dph_service *service = context;

	dph_clients_reap(service); /* the line may never be idle */
	return asks_look(service, request) || asks_remove(service, request) ||
	       asks_resume(service, request) || asks_restore(service, request) ||
	       asks_client(service, request) || asks_form(service, request);
}

bool dph_service_has_work(const struct dph_service *service)
{
	if (service->lets_go_on || dph_programs_doomed(service) != DPH_PROGRAMS ||
	    dph_programs_doubted(service) != DPH_PROGRAMS || service->restore[DPH_SETTING_TARGET] ||
	    service->restore[DPH_SETTING_MODE] || (service->session != NULL && !has_form(service)))
		return true;
	for (struct dph_client *c = service->clients; c != NULL; c = c->next)
		if ((c->hello && (c->status_id == 0 || c->log_id == 0)) || next_of(c) != NULL)
			return true;
	return false;
}

bool dph_service_type(struct dph_service *service)
{
	const size_t count = service->typed_bytes;

	service->typed_bytes = 0;
	return count == 0 || dp_session_type(service->session, service->typed, count);
}

/* --- answers --- */

static struct dph_wanted *find(struct dph_service *service, uint32_t id, struct dph_client **client)
{
	for (*client = service->clients; *client != NULL; *client = (*client)->next)
		for (unsigned i = 0; i < (*client)->wanted_count; i++)
			if ((*client)->wanted[i].sent && (*client)->wanted[i].id == id)
				return &(*client)->wanted[i];
	return NULL;
}

static void forget(struct dph_client *client, struct dph_wanted *wanted)
{
	struct dph_wanted *end = client->wanted + client->wanted_count--;

	memmove(wanted, wanted + 1, (size_t)(end - wanted - 1) * sizeof *wanted);
}

static void note_status(struct dph_service *service, const struct dph_reply *reply)
{
	struct dp_status_answer status;
	bool cut;

	if (reply->command != DP_CMD_STATUS || reply->error != DP_ERR_OK)
		return;
	dph_answer_part(reply, DPH_OF(status_answer, &status), &cut);
	service->program_count = status.programs;
	service->sent = status.sent;
	dph_settings_note(service, status.log_target, status.log_mode);
}

static void note_log(struct dph_service *service, const struct dph_reply *reply)
{
	struct dp_log_answer log;
	bool cut;

	if (reply->command != DP_CMD_LOG || reply->error != DP_ERR_OK)
		return;
	dph_answer_part(reply, DPH_OF(log_answer, &log), &cut);
	dph_settings_note(service, log.target, log.mode);
	service->form = log.form;
}

/* An answer to a request of the service itself. */
static void note_own(struct dph_service *service, uint32_t id)
{
	for (struct dph_client *c = service->clients; c != NULL; c = c->next) {
		c->has_status = c->has_status || (c->hello && id == c->status_id);
		c->has_log = c->has_log || (c->hello && id == c->log_id);
		dph_client_welcome(c);
	}
}

void dph_service_arrived(void *context, const struct dph_request *request, bool repeated,
			 const struct dph_reply *reply)
{
	struct dph_service *service = context;
	struct dph_client *client;
	struct dph_wanted *wanted;

	if (request->tag == 0)
		return; /* of the session itself */
	wanted = find(service, request->tag, &client);
	if (request->tag == service->form_id) {
		service->form_id = 0;
		service->form = request->payload[request->bytes - 1]; /* also where it is refused */
	}
	note_status(service, reply);
	note_log(service, reply);
	if (wanted == NULL)
		dph_programs_note(service, NULL, request, reply);
	else if (!wanted->delivered)
		dph_programs_note(service, client, request, reply);
	if (wanted == NULL)
		note_own(service, request->tag);
	if (wanted == NULL || wanted->delivered)
		return;
	wanted->delivered = true;
	dph_client_answer(client, wanted, reply->error, reply->payload, reply->bytes,
			  repeated && reply->command == DP_CMD_STATUS);
}

static bool answer(void *context, const struct dph_request *request, const struct dph_reply *reply)
{
	struct dph_service *service = context;
	struct dph_client *client;
	struct dph_wanted *wanted;

	dph_service_arrived(service, request, true, reply);
	wanted = find(service, request->tag, &client);
	if (wanted != NULL)
		forget(client, wanted);
	return true;
}

/* RESEND is sent again by the client, which knows what is still missing. */
static bool drop_resend(struct dph_service *service, const struct dph_request *request)
{
	struct dph_client *client;
	struct dph_wanted *wanted;

	if (request->command != DP_CMD_RESEND)
		return false;
	wanted = find(service, request->tag, &client);
	if (wanted != NULL) {
		if (client->known)
			dph_client_nak(client, wanted->seq);
		forget(client, wanted);
	}
	return true;
}

static bool lost(void *context, const struct dph_request *request)
{
	return !drop_resend(context, request);
}

static bool damaged(void *context, const struct dph_request *request)
{
	return drop_resend(context, request);
}

bool dph_service_pass(struct dph_service *service)
{
	const struct dph_asker asker = {
		.context = service,
		.next = next,
		.answer = answer,
		.lost = lost,
		.damaged = damaged,
	};

	return dph_ask(service->session, &asker);
}

static void abandon(struct dph_client *client, bool busy)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < client->wanted_count; i++) {
		const struct dph_wanted *wanted = &client->wanted[i];

		if (!wanted->sent)
			client->wanted[kept++] = *wanted;
		else if (busy && !wanted->delivered)
			dph_client_answer(client, wanted, DP_ERR_BUSY, NULL, 0, false);
	}
	client->wanted_count = kept;
	client->status_id = client->log_id = 0;
	client->has_status = client->has_log = false;
}

void dph_service_abandon(struct dph_service *service, bool busy)
{
	for (struct dph_client *c = service->clients; c != NULL; c = c->next)
		abandon(c, busy);
	service->committing = NULL;
	service->form_id = 0;
	for (unsigned i = 0; i < DPH_PROGRAMS; i++)
		service->programs[i].remove_id = service->programs[i].look_id = 0;
}
