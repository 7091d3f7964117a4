/* SPDX-License-Identifier: BSD-2-Clause */
/* What a service tells about itself: which line it owns, and who uses the line for what. */
#include "service_parts.h"

#include <stdio.h>
#include <string.h>

static void add_programs(const struct dph_client *client, char *text, size_t room)
{
	const char *before = ", has installed program ";

	for (unsigned i = 0; i < DPH_PROGRAMS; i++) {
		const size_t used = strlen(text);

		if (client->service->programs[i].owner != client)
			continue;
		snprintf(text + used, room - used, "%s%u", before, i);
		before = ", ";
	}
}

static void tell_client(struct dph_client *to, const struct dph_client *client)
{
	char name[2 * DPH_PURPOSE_BYTES], programs[256] = "";

	if (client->fd < 0 || client->purpose[0] == '\0')
		return;
	dph_client_name(client, name, sizeof name);
	add_programs(client, programs, sizeof programs);
	dph_client_tell(to, DPH_SERVICE_STATE, "%s: %lu request(s)%s%s%s\n", name, client->requests,
			programs,
			client->claims[DPH_SETTING_TARGET].made ||
					client->claims[DPH_SETTING_MODE].made
				? ", has chosen where and how records are sent"
				: "",
			client->service->typist == client ? ", typed last" : "");
}

void dph_service_tell_state(struct dph_client *client)
{
	const struct dph_service *service = client->service;

	dph_client_tell(client, DPH_SERVICE_STATE, "%s\n", service->options->line.url);
	if (service->session == NULL)
		dph_client_tell(client, DPH_SERVICE_STATE, "the line is closed: %s\n",
				service->failure.text);
	for (const struct dph_client *c = service->clients; c != NULL; c = c->next)
		tell_client(client, c);
	dph_guests_tell_state(client);
	dph_client_tell(client, DPH_SERVICE_END, "that is all");
}
