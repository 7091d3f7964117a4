/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of the services that own lines. */
#define _GNU_SOURCE
#include <dprobes/ports.h>

#include "service_link.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	STATE_BYTES = 16384,
};

static int is_socket_name(const struct dirent *entry)
{
	const size_t bytes = strlen(entry->d_name);

	return bytes > 5 && strcmp(entry->d_name + bytes - 5, ".sock") == 0;
}

/* Returns false when no service answers. */
static bool ask(struct dp_service *service, const char *folder, const char *name)
{
	char path[2 * DPH_SERVICE_PATH_BYTES], state[STATE_BYTES];

	if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= DPH_SERVICE_PATH_BYTES)
		return false;
	service->pid = dph_service_ask(path, state, sizeof state);
	if (service->pid == 0)
		return false;
	service->path = strdup(path);
	service->state = strdup(state);
	if (service->path != NULL && service->state != NULL)
		return true;
	free(service->path);
	free(service->state);
	return false;
}

struct dp_service *dp_services_list(size_t *count)
{
	char folder[DPH_SERVICE_PATH_BYTES];
	struct dirent **entries;
	struct dp_service *services;
	int found;

	*count = 0;
	if (!dph_service_folder(folder, sizeof folder) || !dph_service_is_private(folder))
		return NULL;
	found = scandir(folder, &entries, is_socket_name, alphasort);
	if (found < 0)
		return NULL;
	services = calloc((size_t)found + 1, sizeof *services);
	for (int i = 0; i < found; i++) {
		if (services != NULL && ask(&services[*count], folder, entries[i]->d_name))
			++*count;
		free(entries[i]);
	}
	free(entries);
	return services;
}

void dp_services_free(struct dp_service *services, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(services[i].path);
		free(services[i].state);
	}
	free(services);
}

char *dph_service_holder(const char *device)
{
	char path[DPH_SERVICE_PATH_BYTES], state[STATE_BYTES], *text = NULL;
	const char *before = ", used by ";
	size_t bytes;
	FILE *out;
	long pid;

	if (!dph_service_path(device, path, sizeof path))
		return NULL;
	pid = dph_service_ask(path, state, sizeof state);
	out = pid != 0 ? open_memstream(&text, &bytes) : NULL;
	if (out == NULL)
		return NULL;
	fprintf(out, "dprobes serve (pid %ld)", pid);
	for (char *line = strtok(state, "\n"); line != NULL; line = strtok(NULL, "\n")) {
		const char *end = strstr(line, "): ");

		if (end == NULL)
			continue;
		fprintf(out, "%s%.*s", before, (int)(end + 1 - line), line);
		before = ", ";
	}
	fclose(out);
	return text;
}
