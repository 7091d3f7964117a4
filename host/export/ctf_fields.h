/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of records as fields of events. Values of one shape, which have the same names and forms,
 * have one class of events. */
#ifndef DPH_CTF_FIELDS_H
#define DPH_CTF_FIELDS_H

#include "base/pool.h"

#include <dprobes/values.h>

#include <babeltrace2/babeltrace.h>

/* Write the shape of the values: equal bytes mean that one class of events fits. */
void dph_ctf_shape(struct dph_bytes *shape, const struct dp_value *const *values, size_t count);
/* Return a class of fields for values of this shape; null: the library failed. */
bt_field_class *dph_ctf_class(bt_trace_class *trace, const struct dp_value *const *values,
			      size_t count);
/* Set the fields of an event. */
void dph_ctf_set(bt_field *payload, const struct dp_value *const *values, size_t count);

#endif
