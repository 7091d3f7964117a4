/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of probes in a trace. */
#ifndef DPH_LABEL_H
#define DPH_LABEL_H

#include <dprobes/record_sink.h>

/* Return the name of a record's probe, which the caller frees: "fbt:demo:queue_put:entry", or short
 * "queue_put:entry". A probe of an RPN program: the program, the minor code and the place. */
char *dph_label_of(const struct dp_record_view *record, bool whole);

#endif
