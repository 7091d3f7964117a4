/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of serial ports names the devices of this machine and the processes that hold them. The
 * list of services names the processes of 'dprobes serve'. */
#ifndef DPROBES_PORTS_H
#define DPROBES_PORTS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The folder with names that stay the same when an adapter is plugged in again. */
#define DP_PORT_NAMES "/dev/serial/by-id"

struct dp_port {
	char *device;      /* "/dev/ttyUSB0"; the URL of another line that a service owns */
	char *name;        /* a link to the device in the folder of names; null: none */
	char *description; /* of the adapter; null: not known */
	/* "picocom (pid 812)", for at most three processes; "dprobes serve (pid 7), used by dprobes
	 * log (pid 9)", with all users; null: unknown */
	char *held_by;
};

/* List serial ports, and the sockets and TCP lines of services. The function opens no port, except
 * those of the main board (ttyS), which libserialport probes. Only root sees the processes of other
 * users. names: list only the links in this folder; null: all ports, with their names in
 * DP_PORT_NAMES. count: receives the number of ports. Returns the ports by device name, which
 * dp_ports_free frees; null: no ports. */
struct dp_port *dp_ports_list(const char *names, size_t *count);
void dp_ports_free(struct dp_port *ports, size_t count);

/* A process that owns a line (dprobes serve). */
struct dp_service {
	char *path; /* of its socket, named after the line */
	long pid;
	char *state; /* a line with the port, then a line for each command that uses it */
};

/* List the services of this user. The function asks each of them.
 * count: receives the number of services.
 * Returns the services by path, which dp_services_free frees; null: none. */
struct dp_service *dp_services_list(size_t *count);
void dp_services_free(struct dp_service *services, size_t count);

#ifdef __cplusplus
}
#endif

#endif
