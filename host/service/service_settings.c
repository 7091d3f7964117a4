/* SPDX-License-Identifier: BSD-2-Clause */
/* Target and mode of records belong to the line. A client that changes one has a claim to it until
 * the client ends, or puts back what was before. */
#include "service_parts.h"

#include "dp_bytes.h"

#include <string.h>

static const char *const names[DPH_SETTINGS] = {"the line of records (--log-target)",
						"the mode of records (--log-mode, --acknowledged)"};

/* Another client with a claim; differs: to another value. */
static const struct dph_client *other(const struct dph_client *client, enum dph_setting setting,
				      bool differs, uint8_t value)
{
	for (const struct dph_client *c = client->service->clients; c != NULL; c = c->next)
		if (c != client && c->fd >= 0 && c->claims[setting].made &&
		    (!differs || c->claims[setting].value != value))
			return c;
	return NULL;
}

/* Returns false when another client has chosen another value. *field: as the agent gets it. */
static bool take(struct dph_client *client, enum dph_setting setting, uint8_t *field)
{
	struct dph_service *service = client->service;
	struct dph_claim *claim = &client->claims[setting];
	const struct dph_client *against = other(client, setting, true, *field);
	char name[2 * DPH_PURPOSE_BYTES];

	if (*field == DP_LOG_LEAVE)
		return true;
	if (claim->made && *field == service->base[setting]) { /* put back */
		claim->made = false;
		if (other(client, setting, false, 0) != NULL)
			*field = DP_LOG_LEAVE;
		return true;
	}
	if (against != NULL) {
		dph_client_name(against, name, sizeof name);
		dph_client_tell(client, DPH_SERVICE_REASON,
				"%s has chosen %s for all users of the line; end that command "
				"first, or leave the option out",
				name, names[setting]);
		return false;
	}
	if (!claim->made && other(client, setting, false, 0) == NULL)
		service->base[setting] = service->settings[setting];
	*claim = (struct dph_claim){true, *field};
	client->have = service->sent;
	return true;
}

/* --- form of lines --- */

enum {
	FORM_AT = 1 + DPH_SETTINGS /* byte of LOG */
};

/* A command that knows no other form sends none. */
static void note_form(struct dph_client *client, const struct dph_request *request)
{
	const uint8_t form = request->bytes > FORM_AT ? request->payload[FORM_AT] : DPH_FORM_HEX;

	if (form != DP_LOG_LEAVE)
		client->compact = form == DPH_FORM_COMPACT;
}

static bool may_compact(const struct dph_service *service)
{
	const enum dp_compact choice = service->options->compact;

	const struct dp_hello_answer *target = dp_session_target(service->session);

	return (target->rights & DP_RIGHT_LOG) != 0 &&
	       (dp_hello_parts(target) >> DP_PART_COMPACT & 1) != 0 &&
	       (choice == DP_COMPACT_ON ||
		(choice == DP_COMPACT_AUTO && dph_session_has_rate(service->session)));
}

uint8_t dph_settings_form(const struct dph_service *service)
{
	bool wanted = false;

	if (service->session == NULL || !may_compact(service))
		return DPH_FORM_HEX;
	for (const struct dph_client *c = service->clients; c != NULL; c = c->next) {
		if (c->fd < 0 || !(c->open || c->hello))
			continue;
		if (c->hello || !c->compact)
			return DPH_FORM_HEX;
		wanted = true;
	}
	return wanted ? DPH_FORM_COMPACT : DPH_FORM_HEX;
}

void dph_settings_put_form(const struct dph_service *service, struct dph_request *request)
{
	if (request->bytes < FORM_AT)
		return; /* the agent refuses it */
	request->payload[FORM_AT] = dph_settings_form(service);
	request->bytes = FORM_AT + 1;
}

bool dph_settings_take(struct dph_client *client, struct dph_request *request)
{
	struct dph_claim before[DPH_SETTINGS];

	if (request->bytes < 1 + DPH_SETTINGS)
		return true; /* the agent refuses it */
	note_form(client, request);
	memcpy(before, client->claims, sizeof before);
	for (unsigned i = 0; i < DPH_SETTINGS; i++)
		if (!take(client, (enum dph_setting)i, request->payload + 1 + i)) {
			memcpy(client->claims, before, sizeof before);
			return false;
		}
	return true;
}

void dph_settings_note(struct dph_service *service, uint8_t target, uint8_t mode)
{
	service->settings[DPH_SETTING_TARGET] = target;
	service->settings[DPH_SETTING_MODE] = mode;
}

void dph_settings_leave(struct dph_client *client, bool restore)
{
	for (unsigned i = 0; i < DPH_SETTINGS; i++) {
		if (restore && client->claims[i].made &&
		    other(client, (enum dph_setting)i, false, 0) == NULL)
			client->service->restore[i] = true;
		client->claims[i].made = false;
	}
}

static bool acknowledges(const struct dph_client *client)
{
	return client->fd >= 0 && client->claims[DPH_SETTING_MODE].made &&
	       client->claims[DPH_SETTING_MODE].value == DP_LOG_ACKNOWLEDGED;
}

void dph_settings_resend(struct dph_client *client, struct dph_request *request)
{
	const struct dph_service *service = client->service;
	uint32_t have;
	bool found = false;

	if (service->settings[DPH_SETTING_MODE] != DP_LOG_ACKNOWLEDGED || request->bytes < 5)
		return;
	client->have = dp_get_u32(request->payload + 1);
	have = client->have;
	for (const struct dph_client *c = service->clients; c != NULL; c = c->next)
		if (acknowledges(c) && (!found || (int32_t)(c->have - have) < 0)) {
			have = c->have;
			found = true;
		}
	dp_put_u32(request->payload + 1, have);
}
