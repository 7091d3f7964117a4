/* SPDX-License-Identifier: BSD-2-Clause */
/* The text check compares the target's code with the code of the ELF file. */
#ifndef DPH_TEXT_CHECK_H
#define DPH_TEXT_CHECK_H

#include <dprobes/host.h>
#include <dprobes/session.h>

/* Compare what the ELF has of the target's image, in pieces of 64 bytes. original: with the traps
 * taken out; else what the CPU sees. False when a request failed, or the ELF has no code (then
 * messages says so). */
bool dph_text_check(struct dp_session *session, const char *elf, bool original,
		    struct dp_text_view *result, struct dp_messages *messages);

#endif
