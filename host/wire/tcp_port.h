/* SPDX-License-Identifier: BSD-2-Clause */
/* Ports of TCP, before getaddrinfo of glibc takes the low 16 bits of a larger number. */
#ifndef DPH_TCP_PORT_H
#define DPH_TCP_PORT_H

#include <stdbool.h>

#define DPH_TCP_PORT_BAD "a port is a number up to 65535, or the name of a service"

/* May the text be a port? False for a number that is none. */
bool dph_tcp_port_good(const char *text);

#endif
