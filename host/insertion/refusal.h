/* SPDX-License-Identifier: BSD-2-Clause */
/* The sentences of a refused insertion, as messages. */
#ifndef DPH_REFUSAL_H
#define DPH_REFUSAL_H

#include <dprobes/host.h>

/* Add an error, or a warning, that has its place in its text. */
__attribute__((format(printf, 2, 3))) void dph_refusal(struct dp_messages *messages,
						       const char *format, ...);
__attribute__((format(printf, 2, 3))) void dph_reservation(struct dp_messages *messages,
							   const char *format, ...);

/* Add a note about the refusal before. */
__attribute__((format(printf, 2, 3))) void dph_refusal_note(struct dp_messages *messages,
							    const char *format, ...);

/* The agent lacks a part. where: the file with a line, or an option. */
void dph_refuse_part(struct dp_messages *messages, const char *where, unsigned part);

/* The program was built against another image. built, running: build-ids of `bytes` bytes. */
void dph_refuse_image(struct dp_messages *messages, const char *name, const uint8_t *built,
		      const uint8_t *running, size_t bytes);

/* One of ELF file and target has a build-id, the other has a checksum of the text. built: that of
 * the program, DP_IDENTITY_*. */
void dph_refuse_identity(struct dp_messages *messages, const char *name, unsigned built);

/* The object was built for another place of the image than the target's (moved). */
void dph_refuse_place(struct dp_messages *messages, const char *name,
		      const struct dp_object_file *object, uint64_t moved);

/* The agent's arena has no room for the program. needed: bytes of it. */
void dph_refuse_room(struct dp_messages *messages, const char *name, uint32_t needed,
		     const struct dp_limits_answer *limits);

/* The agent refused: the place in the program, the session's sentence, the value found. */
void dph_refuse_verdict(struct dp_messages *messages, const char *name,
			const struct dp_object_file *object, const struct dp_session *session,
			const struct dp_verdict *verdict);

#endif
