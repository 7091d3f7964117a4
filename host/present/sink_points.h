/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes that a sink knows. */
#ifndef DPH_SINK_POINTS_H
#define DPH_SINK_POINTS_H

#include <dprobes/record_sink.h>

/* Tell the sink of the record's probe, unless the sink knows the probe.
 * Returns false when the output failed. */
bool dph_sink_point(struct dp_sink *sink, const struct dp_record_view *record);

#endif
