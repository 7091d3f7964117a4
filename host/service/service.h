/* SPDX-License-Identifier: BSD-2-Clause */
/* The service of a line: one process owns the line and its session with the agent, and other
 * commands use the agent through the service.
 *
 * A command finds the service by the name of its port (wire/service_link.h). The service speaks the
 * protocol with each client as an agent does, with a session number for each client, so commands
 * need no change. The requests of all clients go through the pipeline of the one session. Stream
 * lines and console text go to every client as they came. */
#ifndef DPH_SERVICE_H
#define DPH_SERVICE_H

#include <dprobes/session.h>

struct dph_service_options {
	struct dp_session_options line; /* url, speed, rights, key and interrupt */
	bool keep;                      /* go on without clients */
	enum dp_compact compact;        /* lines of records, while all clients read them */
	unsigned linger_ms;             /* else: end so long after the last client */
	/* Where the console is offered: "tcp:HOST:PORT", "rfc2217:HOST:PORT". */
	const char *const *listen;
	size_t listen_count;
	/* Receives a sentence for the user of the service. */
	void (*say)(void *context, const char *sentence);
	/* Called once, when clients may connect. path: the socket. */
	void (*ready)(void *context, const char *path);
	void *context;
};

/* Open the line and serve clients until an interrupt, a failure, or the end of the last client.
 * failure: receives the failure; its kind is DP_FAILED_NOT when the service has ended by itself,
 * and DP_FAILED_INTERRUPTED for an interrupt.
 * Returns false when it failed. The interrupt is no failure. */
bool dph_service_run(const struct dph_service_options *options, struct dp_failure *failure);

#endif
