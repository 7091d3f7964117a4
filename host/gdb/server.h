/* SPDX-License-Identifier: BSD-2-Clause */
/* A server of gdb's remote protocol. It sees the bytes of a connection and a target, and neither
 * files nor agents. gdb is told that all threads are stopped, because in gdb's usual mode
 * (all-stop) it reads nothing of threads that run; a resumption is refused. */
#ifndef DPH_GDB_SERVER_H
#define DPH_GDB_SERVER_H

#include "target.h"

struct dph_gdb_server;

/* Where the server's bytes go. */
struct dph_gdb_line {
	void (*send)(void *context, const uint8_t *bytes, size_t count);
	void *context;
};

/* Begin a connection. target, line: stay valid until dph_gdb_server_close, which frees the result.
 */
struct dph_gdb_server *dph_gdb_server_open(const struct dph_gdb_target *target,
					   const struct dph_gdb_line *line);
void dph_gdb_server_close(struct dph_gdb_server *server);

/* Return whether the target neither answers nor stops: gdb reads that in the answer to its first
 * packet, which ends the connection. */
bool dph_gdb_server_refuses(const struct dph_gdb_server *server);

/* Take bytes of gdb, and answer each packet.
 * Returns false: gdb has ended the connection, or its first byte is not gdb's; later bytes have no
 * effect. */
bool dph_gdb_server_feed(struct dph_gdb_server *server, const uint8_t *bytes, size_t count);
/* Do what records of a trace have asked for. Call this now and then while gdb is silent. */
void dph_gdb_server_idle(struct dph_gdb_server *server);

#endif
