/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of serial ports names the devices of this machine and the processes that hold them. */
#ifndef DPROBES_PORTS_H
#define DPROBES_PORTS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The folder with names that stay the same when an adapter is plugged in again. */
#define DP_PORT_NAMES "/dev/serial/by-id"

struct dp_port {
	char *device;      /* "/dev/ttyUSB0" */
	char *name;        /* a link to the device in the folder of names; null: none */
	char *description; /* of the adapter; null: not known */
	char *held_by;     /* "picocom (pid 812)", for at most three processes; null: unknown */
};

/* List serial ports. The function opens no port, except those of the main board (ttyS), which
 * libserialport probes. Only root sees the processes of other users.
 * names: list only the links in this folder; null: all ports, with their names in DP_PORT_NAMES.
 * count: receives the number of ports.
 * Returns the ports by device name, which dp_ports_free frees; null: no ports. */
struct dp_port *dp_ports_list(const char *names, size_t *count);
void dp_ports_free(struct dp_port *ports, size_t count);

#ifdef __cplusplus
}
#endif

#endif
