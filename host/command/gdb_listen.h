/* SPDX-License-Identifier: BSD-2-Clause */
/* A socket that gdb connects to. */
#ifndef DPH_GDB_LISTEN_H
#define DPH_GDB_LISTEN_H

#include <stdbool.h>
#include <stddef.h>

enum {
	DPH_GDB_NAME_ROOM = 128
};

struct dph_gdb_socket {
	int fd;
	char name[DPH_GDB_NAME_ROOM]; /* as gdb's 'target remote' takes it */
	const char *path;             /* of a unix socket; null: none */
};

/* Listen at HOST:PORT, [HOST]:PORT, :PORT or unix:PATH. Port 0 is a free one.
 * Returns false: `why` has the reason. */
bool dph_gdb_listen(const char *where, struct dph_gdb_socket *found, char *why, size_t room);
/* Take a connection: reads and writes do not wait, and a host that is gone ends it within a minute.
 * Returns the file descriptor; negative: there is none. */
int dph_gdb_accept(const struct dph_gdb_socket *there);
void dph_gdb_listen_close(struct dph_gdb_socket *found);

#endif
