/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of ports joins the devices that libserialport knows with the links of a folder. */
#define _GNU_SOURCE
#include <dprobes/ports.h>

#include "holder.h"
#include "service_link.h"

#include <dirent.h>
#include <libserialport.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct list {
	struct dp_port *ports;
	size_t count, room;
};

static struct dp_port *find(const struct list *list, const char *device)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->ports[i].device, device) == 0)
			return &list->ports[i];
	return NULL;
}

/* Returns the new port; null: out of memory. */
static struct dp_port *add(struct list *list, const char *device)
{
	char *copy = strdup(device);

	if (copy != NULL && list->count == list->room) {
		const size_t room = list->room * 2 + 8;
		struct dp_port *grown = realloc(list->ports, room * sizeof *grown);

		if (grown == NULL) {
			free(copy);
			return NULL;
		}
		list->ports = grown;
		list->room = room;
	}
	if (copy == NULL)
		return NULL;
	list->ports[list->count] = (struct dp_port){.device = copy};
	return &list->ports[list->count++];
}

static void add_known(struct list *list)
{
	struct sp_port **known;

	if (sp_list_ports(&known) != SP_OK)
		return;
	for (size_t i = 0; known[i] != NULL; i++) {
		const char *description = sp_get_port_description(known[i]);
		const char *device = sp_get_port_name(known[i]);
		struct dp_port *port = add(list, device);

		/* Without an adapter the description is the name of the device again. */
		if (port != NULL && description != NULL && strstr(device, description) == NULL)
			port->description = strdup(description);
	}
	sp_free_port_list(known);
}

/* Every serial port is a character device; more is not known without opening it. */
static bool is_device(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISCHR(status.st_mode);
}

static void add_link(struct list *list, const char *folder, const char *name)
{
	char path[PATH_MAX], device[PATH_MAX];
	struct dp_port *port;

	if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path ||
	    realpath(path, device) == NULL || !is_device(device))
		return;
	port = find(list, device);
	if (port == NULL)
		port = add(list, device);
	if (port != NULL && port->name == NULL)
		port->name = strdup(path);
}

static int is_name(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void add_links(struct list *list, const char *folder)
{
	struct dirent **entries;
	const int count = scandir(folder, &entries, is_name, alphasort);

	for (int i = 0; i < count; i++) {
		add_link(list, folder, entries[i]->d_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

static int by_device(const void *a, const void *b)
{
	const struct dp_port *one = a, *other = b;

	return strverscmp(one->device, other->device);
}

/* Add the lines of services that are no devices: sockets, for example. */
static void add_served(struct list *list)
{
	size_t count;
	struct dp_service *services = dp_services_list(&count);

	for (size_t i = 0; i < count; i++) {
		char *url = services[i].state, device[PATH_MAX];

		url[strcspn(url, "\n")] = '\0';
		if (*url != '\0' && find(list, url) == NULL &&
		    (realpath(url, device) == NULL || find(list, device) == NULL))
			add(list, url);
	}
	dp_services_free(services, count);
}

struct dp_port *dp_ports_list(const char *names, size_t *count)
{
	struct list list = {0};

	if (names == NULL)
		add_known(&list);
	add_links(&list, names != NULL ? names : DP_PORT_NAMES);
	if (names == NULL)
		add_served(&list);
	for (size_t i = 0; i < list.count; i++) {
		char holders[192];

		list.ports[i].held_by = dph_service_holder(list.ports[i].device);
		if (list.ports[i].held_by == NULL &&
		    dph_holders(list.ports[i].device, holders, sizeof holders) > 0)
			list.ports[i].held_by = strdup(holders);
	}
	if (list.count > 0)
		qsort(list.ports, list.count, sizeof *list.ports, by_device);
	*count = list.count;
	return list.ports;
}

void dp_ports_free(struct dp_port *ports, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(ports[i].device);
		free(ports[i].name);
		free(ports[i].description);
		free(ports[i].held_by);
	}
	free(ports);
}
