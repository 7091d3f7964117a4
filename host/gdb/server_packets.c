/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of packets finds the function that answers a packet. */
#include "server_parts.h"

#include <string.h>

typedef void handler(struct dph_gdb_server *server, const char *args, size_t bytes);

static const struct {
	const char *text;
	handler *function;
} packets[] = {
#define PACKET(text, function) {text, dph_gdb_do_##function},
#include "packets.def"
};

void dph_gdb_answer(struct dph_gdb_server *server)
{
	const char *text = (const char *)server->reader.text;

	for (size_t i = 0; i < sizeof packets / sizeof packets[0]; i++) {
		const size_t length = strlen(packets[i].text);

		if (strncmp(text, packets[i].text, length) != 0)
			continue;
		packets[i].function(server, text + length, server->reader.bytes - length);
		break;
	}
}
