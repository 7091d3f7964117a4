/* SPDX-License-Identifier: BSD-2-Clause */
/* Rights of a board with a key. */
#ifndef DPH_RIGHTS_H
#define DPH_RIGHTS_H

#include "sealed.h"
#include "session_request.h"

/* Prove the key, when the board asks for one, and seal the session if the agent can.
 * key: 16 bytes; null: none is known. hello: the request that opened the session. target: its
 * answer; receives the rights. sealed: receives the key of the session.
 * Returns false on failure. */
bool dph_session_prove(struct dp_session *session, const uint8_t *key,
		       const struct dp_hello_request *hello, struct dp_hello_answer *target,
		       struct dph_sealed *sealed);

#endif
