/* SPDX-License-Identifier: BSD-2-Clause */
/* What a handler does at a hit, and a function of the firmware that it calls. */
#ifndef NESTED_H
#define NESTED_H

#include "core.h"

extern unsigned nested;   /* calls of callee */
extern uint32_t frame_at; /* of the last hit of the first site */

/* Probes on callee, and none. */
void probe_callee(void);
void unprobe_callee(void);
/* Was each of them hit at each call? */
bool callee_was_hit(void);

#endif
